//! Sections made from files before and after: how much context they have, what cannot be written, and
//! that printed, read and planned they give the bytes they were made from. The testkit has them applied
//! by its plain reference too.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

use patchwright_core::conventions::Conventions;
use patchwright_core::dialect::envelope::generate::{self, Inexpressible, moved, section};
use patchwright_core::dialect::envelope::{Patch, parse, print, print_section};
use patchwright_core::dialect::wanted::wanted;
use patchwright_core::digest::Digest;
use patchwright_core::intent::Intent;
use patchwright_core::path::RelPath;
use patchwright_core::plan::{Act, Seen, Snapshot, SnapshotFile, plan};
use proptest::prelude::*;

fn made(before: Option<&str>, after: Option<&str>) -> Option<String> {
    let made = section("f", before.map(str::as_bytes), after.map(str::as_bytes)).unwrap();
    made.map(|section| print_section(&section).replace("\\ No newline at end of file", "\\"))
}

/// Lines of the files without their newlines: one character a line.
fn check(before: &str, after: &str, hunks: &str) {
    let text = |lines: &str| lines.chars().map(|line| format!("{line}\n")).collect::<String>();
    let found = made(Some(&text(before)), Some(&text(after)));
    assert_eq!(found.as_deref(), Some(format!("*** Update File: f\n{hunks}").as_str()), "{before} {after}");
}

#[test]
fn context_is_what_makes_the_place_single() {
    check("abc", "axc", "@@\n-b\n+x\n");
    check("abc", "ac", "@@\n-b\n");
    check("abc", "abxc", "@@\n b\n+x\n"); // beside something
    check("abc", "xabc", "@@\n+x\n a\n");
    check("abcb", "abcx", "@@\n c\n-b\n+x\n");
    check("babc", "xabc", "@@\n-b\n+x\n a\n");
    check("pbqpbr", "pbqpxr", "@@\n p\n-b\n+x\n r\n"); // above, then below
    check("bb", "xb", "@@\n-b\n+x\n b\n");
    check("bbb", "bxb", "@@\n b\n-b\n+x\n b\n"); // nothing less than the whole
    check("abcde", "xbcdy", "@@\n-a\n+x\n@@\n-e\n+y\n");
    check("abcde", "xbydz", "@@\n-a\n+x\n@@\n-c\n+y\n@@\n-e\n+z\n");
    check("abab", "axab", "@@\n a\n-b\n+x\n a\n");
    check("", "xy", "@@\n+x\n+y\n");
    check("abc", "", "@@\n-a\n-b\n-c\n");
    check("pbcbq", "pxcyq", "@@\n p\n-b\n+x\n@@\n-b\n+y\n"); // single once the first is gone
    check("ab", "xb", "@@\n-a\n+x\n");
}

#[test]
fn windows_that_meet_are_one() {
    check("mqbzb", "xqyzb", "@@\n-m\n+x\n q\n-b\n+y\n"); // the second comes up to the first
    check("bebed", "xeyed", "@@\n-b\n+x\n e\n-b\n+y\n"); // the first comes down on the second
    check("mqrbzb", "xqryzb", "@@\n-m\n+x\n@@\n r\n-b\n+y\n"); // not yet
}

#[test]
fn the_end_of_the_file_is_marked_where_it_changes() {
    for (before, after, hunks) in [
        ("a\nb\n", "a\nb", "-b\n+b\n\\\n"),
        ("a\nb", "a\nb\n", "-b\n\\\n+b\n"),
        ("a\nb", "a\nc", "-b\n+c\n"),
        ("a\nb", "x\nb", "-a\n+x\n"),
        ("a\nb", "a", "-b\n"),
        ("a\nb", "a\n", "-b\n\\\n"),
        ("a\nb\n", "a", "-a\n-b\n+a\n\\\n"),
        ("a\nb", "", "-a\n-b\n"),
        ("", "a", "+a\n\\\n"),
        ("a", "a\nb", " a\n+b\n"),
        ("a", "a\nb\n", "-a\n\\\n+a\n+b\n"),
        ("a\n", "a\nb", " a\n+b\n\\\n"),
    ] {
        assert_eq!(
            made(Some(before), Some(after)),
            Some(format!("*** Update File: f\n@@\n{hunks}")),
            "{before:?} {after:?}"
        );
    }
}

#[test]
fn whole_files() {
    for (after, body) in [
        ("", ""),
        ("a\n", "+a\n"),
        ("a", "+a\n\\\n"),
        ("a\n\n", "+a\n+\n+\n"),
        ("\n", "+\n+\n"),
        ("\n\n", "+\n+\n+\n"),
        ("a\n\nb\n", "+a\n+\n+b\n"),
        ("a\r\nb\r\n", "+a\r\r\n+b\r\r\n"),
    ] {
        assert_eq!(made(None, Some(after)), Some(format!("*** Add File: f\n{body}")), "{after:?}");
    }
    assert_eq!(made(Some("a"), None).as_deref(), Some("*** Delete File: f\n"));
    assert_eq!(made(Some("a"), Some("a")), None);
    assert_eq!(made(None, None), None);
}

#[test]
fn what_no_section_can_say() {
    use Inexpressible::{Binary, LineEnds, Mark, NotText, Path};
    let refuse = |before: &[u8], after: &[u8], why: Inexpressible| {
        assert_eq!(section("f", Some(before), Some(after)), Err(why), "{before:?} {after:?}");
    };
    refuse(b"a\n", b"a\r\n", LineEnds);
    refuse(b"a\r\nb\r\n", b"a\r\nx\n", LineEnds);
    refuse(b"", b"a\r\n", LineEnds);
    refuse(b"a\n", b"\xEF\xBB\xBFa\n", Mark);
    refuse(b"\xFF\xFEa\0", b"a", Mark);
    refuse(b"\xFF\xFEa\0", b"\xFE\xFF\0a", Mark);
    refuse(b"a\0", b"b", Binary);
    refuse(b"b", b"a\0", Binary);
    refuse(b"\xFFa\n", b"b\n", NotText);
    refuse(b"b\n", b"\xFFa\n", NotText);
    refuse(b"\xFF\nb\n\xFF\nb\n", b"\xFF\nx\n\xFF\nb\n", NotText); // all that would tell them apart
    refuse(b"\xFF\xFE\x00\xD8\n\0", b"\xFF\xFE\x01\xD8\n\0", NotText);
    assert_eq!(section("f", None, Some(b"\xFF")), Err(NotText));
    assert_eq!(section("f", None, Some(b"\0")), Err(Binary));
    for path in ["", " a", "a\r", "a\nb"] {
        assert_eq!(section(path, None, Some(b"x")), Err(Path), "{path:?}");
        assert_eq!(moved("a", path, b"x", b"x"), Err(Path), "{path:?}");
    }
}

#[test]
fn other_charsets_and_bytes_elsewhere() {
    let show = |before: &[u8], after: &[u8]| print_section(&section("f", Some(before), Some(after)).unwrap().unwrap());
    let update = "*** Update File: f\n@@\n-a\n+b\n";
    assert_eq!(show(b"\xFF\xFEa\0\n\0c\0", b"\xFF\xFEb\0\n\0c\0"), update);
    assert_eq!(show(b"\xEF\xBB\xBFa\nc", b"\xEF\xBB\xBFb\nc"), update);
    assert_eq!(show(b"\xFF\na\n\xFE\n", b"\xFF\nb\n\xFE\n"), update);
    assert_eq!(show(b"\xFF\na\nc\na\n", b"\xFF\na\nc\nb\n"), "*** Update File: f\n@@\n c\n-a\n+b\n");
    assert_eq!(show(b"a\nc\n\xFF\na\n", b"b\nc\n\xFF\na\n"), "*** Update File: f\n@@\n-a\n+b\n c\n");
    let moved = moved("a", "b", b"\0", b"\0").unwrap();
    assert_eq!(print_section(&moved), "*** Move File: a -> b\n");
}

#[test]
fn a_hundred_thousand_equal_lines() {
    let before = "same\n".repeat(100_000);
    let mut after = before.clone();
    after.replace_range(5 * 50_000..5 * 50_001, "other\n");
    let hunks = made(Some(&before), Some(&after)).unwrap();
    assert_eq!(hunks.lines().count(), 100_003);
    let pairs = "x\ny\n".repeat(50_000);
    let changed: String = pairs
        .lines()
        .enumerate()
        .map(|(at, line)| if at % 1000 == 7 { format!("{at}\n") } else { format!("{line}\n") })
        .collect();
    assert!(made(Some(&pairs), Some(&changed)).unwrap().lines().count() > 200);
}

#[test]
fn a_hunk_for_every_second_line() {
    let file = |word: &str| {
        (0..100_000)
            .map(|at| if at % 2 == 0 { format!("}}\n{word} {at}\n\n") } else { format!("line {at}\n") })
            .collect::<String>()
    };
    let hunks = made(Some(&file("old")), Some(&file("new"))).unwrap();
    assert_eq!(hunks.lines().count(), 1 + 3 * 50_000);
}

/// The bytes that planning an update gives.
fn planned(before: &[u8], text: &str) -> Vec<u8> {
    let parsed = parse(text, Conventions::Strict).unwrap();
    let mut wishes = wanted(&parsed, Conventions::Strict);
    let path = RelPath::parse("f", &[]).unwrap();
    let (digest, size) = (Digest::of(before), before.len() as u64);
    let file =
        SnapshotFile { real: path.clone(), bytes: Some(before.to_vec().into()), digest, size, mode: 0o644, id: (1, 1) };
    let mut snapshot = Snapshot::default();
    snapshot.add(path.clone(), Seen::File(file));
    let intent = Intent::Patch { path, hunks: wishes.remove(0).hunks, charset: None };
    let plan = plan(&snapshot, &[intent]).unwrap_or_else(|refusal| panic!("{text}: {refusal:?}"));
    match plan.steps.as_slice() {
        [step] => match &step.act {
            Act::Replace { after, .. } => after.to_vec(),
            other => panic!("{text}: {other:?}"),
        },
        other => panic!("{text}: {other:?}"),
    }
}

fn round(before: &[u8], after: &[u8]) -> Result<(), Inexpressible> {
    if let Some(made) = section("f", Some(before), Some(after))? {
        let text = print(&Patch { sections: vec![made] });
        assert_eq!(planned(before, &text), after, "{before:?}\n{text}");
    }
    Ok(())
}

fn utf16(text: &str) -> Vec<u8> {
    "\u{FEFF}".chars().chain(text.chars()).flat_map(|c| (c as u16).to_le_bytes()).collect()
}

#[test]
fn trees() {
    type Files<'a> = &'a [(&'a str, &'a str)];
    let tree = |files: Files<'_>| -> std::collections::BTreeMap<String, Vec<u8>> {
        files.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect()
    };
    let check = |before: Files<'_>, after: Files<'_>, want: Result<usize, Inexpressible>| {
        let made = generate::patch(&tree(before), &tree(after));
        let made = made.map(|patch| patch.map_or(0, |patch| patch.sections.len())).map_err(|unwritable| unwritable.why);
        assert_eq!(made, want, "{before:?} {after:?}");
    };
    check(&[("a", "1\n")], &[("a", "1\n")], Ok(0));
    check(&[("a", "1\n"), ("b", "1\n")], &[("a", "2\n"), ("c", "1\n")], Ok(3));
    check(&[("x", "1\n")], &[("x/y", "1\n")], Err(Inexpressible::Sort));
    check(&[("x/y", "1\n")], &[("x", "1\n")], Err(Inexpressible::Sort));
    check(&[("x/y", "1\n"), ("x-", "")], &[("x/z", "1\n"), ("x-", ""), ("x.", "")], Ok(3));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn plain_files_come_out_as_they_should(
        before in "([ab]?\n){0,12}[ab]?", after in "([ab]?\n){0,12}[ab]?",
    ) {
        prop_assert_eq!(round(before.as_bytes(), after.as_bytes()), Ok(()));
        prop_assert_eq!(round(&utf16(&before), &utf16(&after)), Ok(()));
    }

    #[test]
    fn small_changes_in_long_files_do_too(
        mut lines in prop::collection::vec("[abc]\n", 0..40), edits in prop::collection::vec((0..40_usize, "([abx]\n){0,2}", 0..3_usize), 0..5),
    ) {
        let before = lines.concat();
        for (at, new, gone) in edits {
            let at = at.min(lines.len());
            let end = (at + gone).min(lines.len());
            lines.splice(at..end, new.split_inclusive('\n').map(str::to_owned));
        }
        prop_assert_eq!(round(before.as_bytes(), lines.concat().as_bytes()), Ok(()));
    }

    #[test]
    fn mixed_ends_come_out_or_are_refused(
        before in "([ab\r]?(\n|\r\n)){0,8}[ab\r]?", after in "([ab\r]?(\n|\r\n)){0,8}[ab\r]?",
    ) {
        let made = round(before.as_bytes(), after.as_bytes());
        prop_assert!(matches!(made, Ok(()) | Err(Inexpressible::LineEnds)), "{:?}", made);
    }

    #[test]
    fn any_bytes_come_out_or_are_refused(
        before in prop::collection::vec(prop::sample::select(b"ab\n\n\r\xFF".to_vec()), 0..16), at in any::<prop::sample::Index>(), new in any::<u8>(),
    ) {
        let mut after = before.clone();
        after.insert(at.index(before.len() + 1), new);
        let _refused = round(&before, &after);
    }
}

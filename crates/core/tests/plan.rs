//! Plans from snapshots and intents: tables for exact edits, whole writes, moves and refusals, and the
//! property that bytes outside an edit are identical over random files with all endings and marks.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

use patchwright_core::digest::Digest;
use patchwright_core::intent::{Content, ExactEdit, Intent, Newline, Occurrences, Onto, Parents};
use patchwright_core::path::RelPath;
use patchwright_core::plan::{Act, Plan, Seen, Snapshot, SnapshotFile, plan};
use patchwright_core::refusal::{Kind, Refusal};
use proptest::prelude::*;

fn path(text: &str) -> RelPath {
    RelPath::parse(text, &[]).unwrap()
}

fn file(name: &str, bytes: &[u8]) -> Seen {
    let digest = Digest::of(bytes);
    let id = (1, name.len() as u64 * 1000 + u64::from(name.as_bytes()[0]));
    Seen::File(SnapshotFile {
        real: path(name),
        bytes: Some(bytes.to_vec().into()),
        digest,
        size: bytes.len() as u64,
        mode: 0o644,
        id,
    })
}

fn snapshot(files: &[(&str, &[u8])]) -> Snapshot {
    let mut snapshot = Snapshot::default();
    for (name, bytes) in files {
        snapshot.add(path(name), file(name, bytes));
    }
    snapshot
}

fn after(plan: &Plan) -> Option<Vec<u8>> {
    match plan.steps.as_slice() {
        [] => None,
        [step] => match &step.act {
            Act::Replace { after, .. } => Some(after.to_vec()),
            other => panic!("{other:?}"),
        },
        steps => panic!("{steps:?}"),
    }
}

fn edit(before: &[u8], edits: &[(&str, &str)]) -> Result<Option<Vec<u8>>, Refusal> {
    let edits = edits.iter().map(|(old, new)| one(old, new, Occurrences::Exactly(1))).collect();
    run(before, edits)
}

fn run(before: &[u8], edits: Vec<ExactEdit>) -> Result<Option<Vec<u8>>, Refusal> {
    let intent = Intent::Edit { path: path("f"), edits, charset: None };
    plan(&snapshot(&[("f", before)]), &[intent]).map(|plan| after(&plan))
}

fn one(old: &str, new: &str, occurrences: Occurrences) -> ExactEdit {
    ExactEdit { old: old.to_owned(), new: new.to_owned(), occurrences }
}

fn lands(before: &[u8], edits: &[(&str, &str)], want: &[u8]) {
    let got = edit(before, edits).unwrap().unwrap_or_else(|| before.to_vec());
    assert_eq!(String::from_utf8_lossy(&got), String::from_utf8_lossy(want), "{edits:?}");
    assert_eq!(got, want);
}

#[test]
fn exact_edits_land_and_keep_line_ends() {
    lands(b"one two three", &[("three", "3"), ("one", "1")], b"1 two 3");
    lands(b"a\r\nb\r\nc\r\n", &[("a\nb", "x\ny\nz")], b"x\r\ny\r\nz\r\nc\r\n");
    lands(b"a\r\nb", &[("b", "b\nc")], b"a\r\nb\r\nc");
    lands(b"a\nb", &[("b", "b\n")], b"a\nb\n");
    lands(b"a\nb\n", &[("b\n", "b")], b"a\nb");
    lands(b"\xEF\xBB\xBFa\r\nb\r\n", &[("a\n", "")], b"\xEF\xBB\xBFb\r\n");
    lands(b"x\xFFy\na\n", &[("a", "b")], b"x\xFFy\nb\n");
    lands(b"a\r\nb\nc\r\n", &[("b\nc", "b\nnew\nc")], b"a\r\nb\nnew\nc\r\n");
    lands(b"a\r\nb\nc\n", &[("a\nb", "a\nnew\nb")], b"a\r\nnew\r\nb\nc\n");
    lands(b"one", &[("one", "one")], b"one");
    lands(b"tab\there", &[("tab\there", "x")], b"x");
    lands(b"\xFF\xFEa\0\r\0\n\0b\0", &[("b", "\u{20ac}")], b"\xFF\xFEa\0\r\0\n\0\xAC\x20");
}

#[test]
fn two_candidates_are_a_refusal() {
    let kind = |before: &[u8], edits: &[(&str, &str)]| edit(before, edits).unwrap_err().kind();
    assert_eq!(kind(b"a a", &[("a", "b")]), Kind::MultipleMatches);
    assert_eq!(kind(b"aaa", &[("aa", "b")]), Kind::MultipleMatches);
    assert_eq!(kind(b"abc", &[("x", "y")]), Kind::OldTextNotFound);
    assert_eq!(kind(b"abc", &[("ab", "x"), ("bc", "y")]), Kind::OverlappingEdits);
    assert_eq!(kind(b"abc", &[("a", "b"), ("b", "c"), ("b", "d")]), Kind::OverlappingEdits);
    assert_eq!(kind(b"a\0b", &[("a", "b")]), Kind::BinaryFile);
    assert_eq!(kind(b"ab", &[("ab ", "b")]), Kind::OldTextNotFound);
}

#[test]
fn occurrences_are_counted() {
    let got = |occurrences| run(b"a a a", vec![one("a", "b", occurrences)]).map_err(|refusal| refusal.kind());
    assert_eq!(got(Occurrences::All), Ok(Some(b"b b b".to_vec())));
    assert_eq!(got(Occurrences::Exactly(3)), Ok(Some(b"b b b".to_vec())));
    assert_eq!(got(Occurrences::Exactly(2)), Err(Kind::MultipleMatches));
    assert_eq!(run(b"aaaa", vec![one("aa", "b", Occurrences::All)]).unwrap_err().kind(), Kind::MultipleMatches);
}

#[test]
fn a_whole_write_keeps_mark_and_terminators() {
    let write = |before: &[u8], text: &str, newline| {
        let intent = Intent::Write { path: path("f"), text: text.to_owned(), newline, charset: None };
        plan(&snapshot(&[("f", before)]), &[intent]).map(|plan| after(&plan)).map_err(|refusal| refusal.kind())
    };
    assert_eq!(write(b"\xEF\xBB\xBFa\r\n", "x\ny\n", Newline::Preserve), Ok(Some(b"\xEF\xBB\xBFx\r\ny\r\n".to_vec())));
    assert_eq!(write(b"\xEF\xBB\xBFa\r\n", "x\ny\n", Newline::Verbatim), Ok(Some(b"x\ny\n".to_vec())));
    assert_eq!(write(b"a\n", "x", Newline::Preserve), Ok(Some(b"x".to_vec())));
    assert_eq!(write(b"a\r\nb\r\n", "a\nb\n", Newline::Preserve), Ok(None));
    assert_eq!(write(b"a\0", "x", Newline::Preserve), Err(Kind::BinaryFile));
    assert_eq!(write(b"\xEF\xBB\xBFa\n", "\u{feff}x\n", Newline::Preserve), Ok(Some(b"\xEF\xBB\xBFx\n".to_vec())));
}

#[test]
fn moves_and_creates_never_replace_unasked() {
    let files: &[(&str, &[u8])] = &[("a", b"1"), ("b", b"2")];
    let mut seen = snapshot(files);
    seen.add(path("free"), Seen::Absent { real: path("free"), missing: Vec::new() });
    seen.add(path("x/y"), Seen::Absent { real: path("x/y"), missing: vec![path("x")] });
    let rename = |from: &str, to: &str, onto, parents| {
        let intent = Intent::Move { from: path(from), to: path(to), onto, parents, hunks: Vec::new(), charset: None };
        plan(&seen, &[intent]).map(|plan| (plan.steps.len(), plan.folders.len())).map_err(|refusal| refusal.kind())
    };
    assert_eq!(rename("a", "free", Onto::Nothing, Parents::MustExist), Ok((1, 0)));
    assert_eq!(rename("a", "b", Onto::Nothing, Parents::MustExist), Err(Kind::AlreadyExists));
    assert_eq!(rename("a", "b", Onto::Replace, Parents::MustExist), Ok((2, 0)));
    assert_eq!(rename("a", "a", Onto::Nothing, Parents::MustExist), Err(Kind::CommandFailed));
    assert_eq!(rename("gone", "free", Onto::Nothing, Parents::MustExist), Err(Kind::NotFound));
    assert_eq!(rename("a", "x/y", Onto::Nothing, Parents::MustExist), Err(Kind::NotFound));
    assert_eq!(rename("a", "x/y", Onto::Nothing, Parents::Create), Ok((1, 1)));
    let create = |name: &str| {
        let intent = Intent::Create {
            path: path(name),
            content: Content::Bytes(b"x".to_vec()),
            onto: Onto::Nothing,
            parents: Parents::MustExist,
        };
        plan(&seen, &[intent]).map(|plan| plan.steps.len()).map_err(|refusal| refusal.kind())
    };
    assert_eq!(create("free"), Ok(1));
    assert_eq!(create("a"), Err(Kind::AlreadyExists));
}

#[test]
fn one_file_under_two_spellings_is_refused() {
    let mut seen = Snapshot::default();
    for name in ["README.md", "readme.md"] {
        seen.add(path(name), Seen::Absent { real: path(name), missing: Vec::new() });
    }
    let create = |name: &str| Intent::Create {
        path: path(name),
        content: Content::Bytes(Vec::new()),
        onto: Onto::Nothing,
        parents: Parents::MustExist,
    };
    for (one, two) in [("README.md", "readme.md"), ("README.md", "README.md")] {
        assert_eq!(plan(&seen, &[create(one), create(two)]).unwrap_err().kind(), Kind::PatchApplyError);
    }
    // Where both are there, the file system has told them apart.
    let mut there = Snapshot::default();
    for (name, id) in [("README.md", 1), ("readme.md", 2), ("hard", 1)] {
        let Seen::File(seen) = file(name, b"x") else { panic!() };
        there.add(path(name), Seen::File(SnapshotFile { id: (1, id), ..seen }));
    }
    let delete = |name: &str| Intent::Delete { path: path(name) };
    assert_eq!(plan(&there, &[delete("README.md"), delete("readme.md")]).unwrap().steps.len(), 2);
    assert_eq!(plan(&there, &[delete("README.md"), delete("hard")]).unwrap_err().kind(), Kind::PatchApplyError);
}

#[test]
fn a_new_file_is_no_folder_for_another() {
    let mut seen = Snapshot::default();
    seen.add(path("a"), Seen::Absent { real: path("a"), missing: Vec::new() });
    seen.add(path("a/b"), Seen::Absent { real: path("a/b"), missing: vec![path("a")] });
    let create = |name: &str| Intent::Create {
        path: path(name),
        content: Content::Bytes(Vec::new()),
        onto: Onto::Nothing,
        parents: Parents::Create,
    };
    assert_eq!(plan(&seen, &[create("a"), create("a/b")]).unwrap_err().kind(), Kind::PatchApplyError);
}

#[test]
fn hidden_characters_that_an_edit_brings_are_told() {
    let intent =
        Intent::Edit { path: path("f"), edits: vec![one("a", "a\u{202e}", Occurrences::Exactly(1))], charset: None };
    assert_eq!(plan(&snapshot(&[("f", b"a")]), &[intent]).unwrap().warnings.len(), 1);
    let intent =
        Intent::Edit { path: path("f"), edits: vec![one("a", "b\u{202e}", Occurrences::Exactly(1))], charset: None };
    assert_eq!(plan(&snapshot(&[("f", "a\u{202e}".as_bytes())]), &[intent]).unwrap().warnings.len(), 0);
}

proptest! {
    /// A unique marker is replaced in a random file of any endings, mark and invalid bytes; everything
    /// before and after it is the same, byte for byte.
    #[test]
    fn bytes_outside_an_edit_are_identical(
        mark in prop::sample::select(vec![&b""[..], b"\xEF\xBB\xBF"]),
        head in prop::collection::vec(prop::sample::select(vec![&b"a"[..], b"\n", b"\r\n", b"\r", b"\xFF", b" ", "ü".as_bytes()]), 0..40),
        tail in prop::collection::vec(prop::sample::select(vec![&b"b"[..], b"\n", b"\r\n", b"\r", b"\xFE", b"\t"]), 0..40),
        new in "[xyz ü]{0,8}",
    ) {
        let before: Vec<u8> = [mark, &head.concat(), b"@MARK@", &tail.concat()].concat();
        let want: Vec<u8> = [mark, &head.concat(), new.as_bytes(), &tail.concat()].concat();
        let got = edit(&before, &[("@MARK@", &new)]).unwrap();
        prop_assert_eq!(got, Some(want));
    }

    /// The same through a two-line text: the line break in the file stays what it was.
    #[test]
    fn line_breaks_inside_an_edit_stay(
        head in prop::collection::vec(prop::sample::select(vec![&b"a"[..], b"\n", b"\r\n"]), 0..20),
        end in prop::sample::select(vec![&b"\n"[..], b"\r\n"]),
        tail in prop::collection::vec(prop::sample::select(vec![&b"b"[..], b"\n", b"\r\n"]), 0..20),
    ) {
        let before: Vec<u8> = [&head.concat()[..], b"@ONE@", end, b"@TWO@", &tail.concat()].concat();
        let want: Vec<u8> = [&head.concat()[..], b"1", end, b"2", &tail.concat()].concat();
        prop_assert_eq!(edit(&before, &[("@ONE@\n@TWO@", "1\n2")]).unwrap(), Some(want));
    }
}

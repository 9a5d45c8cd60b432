//! Sections that were generated, printed, read back and applied by the plain reference give the bytes
//! they were made from; and the reference itself does what the rules say.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use patchwright_core::conventions::Conventions;
use patchwright_core::dialect::envelope::generate::{Inexpressible, moved, patch, section};
use patchwright_core::dialect::envelope::{Patch, parse, print};
use patchwright_testkit::dice::Dice;
use patchwright_testkit::reference::{Files, applied};

fn read(body: &str) -> Patch {
    parse(&format!("*** Begin Patch\n{body}*** End Patch\n"), Conventions::Strict).unwrap().patch
}

/// `hunks` as in an envelope, with `\` for the marker.
fn check(before: &str, hunks: &str, after: Option<&str>) {
    let hunks = hunks.replace("\\\n", "\\ No newline at end of file\n");
    let files = Files::from([("f".to_owned(), before.as_bytes().to_vec())]);
    let found = applied(&files, &read(&format!("*** Update File: f\n{hunks}")));
    let found = found.map(|files| String::from_utf8(files["f"].clone()).unwrap());
    assert_eq!(found.as_deref(), after, "{before:?} {hunks}");
}

#[test]
fn the_reference_keeps_the_rules() {
    check("a\nb\n", "@@\n-a\n+x\n+y\n", Some("x\ny\nb\n"));
    check("a\nb\na\n", "@@\n-a\n", None);
    check("a\na\na\n", "@@\n a\n-a\n", None); // overlapping places count
    check("a\nb\n", "@@\n-c\n", None);
    check("a\nb\n", "@@\n-b\n+x\n@@\n-a\n+y\n", Some("y\nx\n")); // any order
    check("a\nb\n", "@@\n+x\n", None);
    check("", "@@\n+x\n", Some("x\n"));
    check("", "@@\n+x\n\\\n", Some("x"));
    check("a\r\nb\n", "@@\n-a\n-b\n+x\n+y\n+z\n", Some("x\r\ny\nz\n"));
    check("a\r\nb\n", "@@\n a\n+x\n", Some("a\r\nx\r\nb\n"));
    check("a\r\nb\n", "@@\n+x\n a\n", Some("x\r\na\r\nb\n"));
    check("a\r\nb", "@@\n b\n+x\n", Some("a\r\nb\r\nx"));
    check("a\nb", "@@\n-b\n", Some("a"));
    check("a\nb", "@@\n-b\n\\\n", Some("a\n"));
    check("a\nb", "@@\n-b\n\\\n+b\n", Some("a\nb\n"));
    check("a\nb", "@@\n-b\n\\\n+c\n\\\n", Some("a\nc"));
    check("a\nb", "@@\n-a\n+x\n b\n\\\n", Some("x\nb"));
    check("a\nb\n", "@@\n-b\n+b\n\\\n", Some("a\nb"));
    check("a\nb\n", "@@\n-b\n\\\n+c\n", None); // it does end in a newline
    check("a\nb\n", "@@\n-a\n+c\n\\\n", None); // not at the end
    check("a\nb\na\n", "@@\n-a\n+c\n*** End of File\n", Some("a\nb\nc\n"));
    check("a\n", "@@\n-a\n+x\r\r\n", Some("x\r\r\n"));
    check("\u{FEFF}a\n", "@@\n-a\n+b\n", Some("\u{FEFF}b\n"));
}

fn round(before: Option<&[u8]>, after: Option<&[u8]>) -> Result<(), Inexpressible> {
    let Some(made) = section("f", before, after)? else {
        assert_eq!(before, after);
        return Ok(());
    };
    let patch = Patch { sections: vec![made] };
    let text = print(&patch);
    let parsed = parse(&text, Conventions::Strict).unwrap();
    assert_eq!(parsed.patch, patch, "{text}");
    let files = before.map(|bytes| ("f".to_owned(), bytes.to_vec())).into_iter().collect();
    let found = applied(&files, &patch).map(|files| files.get("f").cloned());
    assert_eq!(found.as_ref().map(Option::as_deref), Some(after), "{before:?}\n{text}");
    Ok(())
}

/// Some lines of few kinds, so that context repeats.
fn lines(dice: &mut Dice, kinds: &[&str], ends: &[&str]) -> Vec<String> {
    let line = |dice: &mut Dice| format!("{}{}", dice.pick(kinds).unwrap(), dice.pick(ends).unwrap());
    (0..dice.below(14)).map(|_| line(dice)).collect()
}

/// The lines with a few of them gone, come or changed; and perhaps without the last newline.
fn edited(dice: &mut Dice, mut lines: Vec<String>, kinds: &[&str], ends: &[&str]) -> String {
    for _ in 0..dice.below(4) {
        let at = dice.below(lines.len() + 1);
        if dice.coin() && at < lines.len() {
            lines.remove(at);
        }
        if dice.coin() {
            lines.insert(at.min(lines.len()), format!("{}{}", dice.pick(kinds).unwrap(), dice.pick(ends).unwrap()));
        }
    }
    let text = lines.concat();
    let bare = text.trim_end_matches(['\r', '\n']);
    if dice.below(3) == 0 { bare.to_owned() } else { text }
}

#[test]
fn what_is_generated_gives_what_it_was_made_from() {
    const KINDS: &[&str] = &["a", "b", "", "c\r", "*** End Patch"];
    for seed in 0..30_000 {
        let mut dice = Dice::new(seed);
        let kinds = &KINDS[..2 + dice.below(KINDS.len() - 1)];
        let ends: &[&str] = [&["\n"][..], &["\r\n"], &["\n", "\r\n"]][dice.below(3)];
        let kinds = if ends == ["\n"] { &kinds[..kinds.len().min(3)] } else { kinds };
        let start = lines(&mut dice, kinds, ends);
        let before = edited(&mut dice, start.clone(), kinds, ends);
        let after = edited(&mut dice, start, kinds, ends);
        let made = round(Some(before.as_bytes()), Some(after.as_bytes()));
        match ends {
            ["\n"] => assert_eq!(made, Ok(()), "{before:?} {after:?}"),
            _ => assert!(matches!(made, Ok(()) | Err(Inexpressible::LineEnds)), "{before:?} {after:?}"),
        }
        round(None, Some(after.as_bytes())).unwrap();
        round(Some(before.as_bytes()), None).unwrap();
    }
}

#[test]
fn bytes_that_are_no_text_are_left_alone_or_refused() {
    for seed in 0..20_000 {
        let mut dice = Dice::new(seed);
        let byte = |dice: &mut Dice| *dice.pick(b"ab\n\n\xFF").unwrap();
        let before: Vec<u8> = (0..dice.below(16)).map(|_| byte(&mut dice)).collect();
        let mut after = before.clone();
        let at = dice.below(after.len() + 1);
        after.insert(at, byte(&mut dice));
        let made = round(Some(&before), Some(&after));
        assert!(matches!(made, Ok(()) | Err(Inexpressible::NotText)), "{made:?} {before:?} {after:?}");
    }
}

#[test]
fn whole_trees_and_moves() {
    let tree = |rows: &[(&str, &str)]| -> Files {
        rows.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect()
    };
    let before = tree(&[("a", "1\n2\n"), ("b", "x"), ("same", "s\n"), ("z", "")]);
    let after = tree(&[("a", "1\n3\n"), ("c/d", "new\n\n"), ("same", "s\n"), ("z", "now\n")]);
    let made = patch(&before, &after).unwrap().unwrap();
    assert_eq!(applied(&before, &made), Some(after.clone()));
    assert_eq!(patch(&after, &after), Ok(None));
    for to in ["new", "a -> b", "-> b"] {
        let made = moved("a", to, b"1\n2\n", b"1\n3\n").unwrap();
        let text = print(&Patch { sections: vec![made] });
        let read = parse(&text, Conventions::Strict).unwrap().patch;
        assert_eq!(applied(&before, &read).unwrap()[to], b"1\n3\n", "{text}");
    }
}

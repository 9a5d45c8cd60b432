//! Exact replacements beside others' changes, held against a slow reading of the rule.

#![allow(clippy::unwrap_used, reason = "a test says no by panicking")]

use patchwright_core::bytes::Bytes;
use patchwright_core::digest::Digest;
use patchwright_core::intent::{ExactEdit, Occurrences};
use patchwright_core::path::RelPath;
use patchwright_core::plan::{Act, NEAR, SnapshotFile, beside};
use patchwright_core::text::Charset;
use proptest::prelude::*;

/// What the edit makes of the version that was seen, if it can be carried over to the present one.
fn carried(seen: &str, now: &str, edit: (&str, &str)) -> Option<String> {
    let after = carried_in((seen.as_bytes(), now.as_bytes()), edit, None)?;
    Some(String::from_utf8(after).unwrap())
}

/// The same of any bytes, in a charset.
fn carried_in((seen, now): (&[u8], &[u8]), (old, new): (&str, &str), charset: Option<&str>) -> Option<Vec<u8>> {
    let path = RelPath::parse("f", &[]).unwrap();
    let bytes = |text: &[u8]| Bytes::new(text.to_vec());
    let file = SnapshotFile {
        real: path.clone(),
        bytes: Some(bytes(now)),
        digest: Digest::of(now),
        size: now.len() as u64,
        mode: 0o644,
        id: (1, 1),
    };
    let edit = ExactEdit { old: old.to_owned(), new: new.to_owned(), occurrences: Occurrences::Once };
    let found = beside(&path, &bytes(seen), &file, &[edit], charset.and_then(Charset::from_label))?;
    match &found.plan.steps.first()?.act {
        Act::Replace { after, .. } => Some(after.whole().into_owned()),
        _ => None,
    }
}

/// Where a text stands, if just once, places that overlap being two.
fn once(text: &str, part: &str) -> Option<usize> {
    let mut places = (0..text.len()).filter(|at| text.get(*at..).is_some_and(|rest| rest.starts_with(part)));
    places.next().filter(|_| places.next().is_none())
}

/// The lines of a text and those near it; with how many of these there are above and below.
fn around<'a>(text: &'a str, part: &str) -> Option<(Vec<&'a str>, usize, usize)> {
    let at = once(text, part)?;
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let first = text.get(..at)?.matches('\n').count();
    let last = first + part.strip_suffix('\n').unwrap_or(part).matches('\n').count();
    let (start, end) = (first.saturating_sub(NEAR), (last + 1 + NEAR).min(lines.len()));
    Some((lines.get(start..end)?.to_vec(), first - start, end - last))
}

/// Lines of few words, so that they stand there more than once.
fn lines(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(prop_oneof!["[ab]", "[a-z]{2}"].prop_map(|word| word + "\n"), count)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn nothing_lands_where_there_is_a_doubt(
        seen in lines(6..24), brought in lines(0..3), (at, gone) in (0..24_usize, 0..3_usize),
        (from, long) in (0..24_usize, 1..3_usize), new in "[xy]{0,2}\n?",
    ) {
        let (at, from) = (at.min(seen.len()), from.min(seen.len() - 1));
        let mut now = seen.clone();
        now.splice(at..(at + gone).min(seen.len()), brought);
        let old: String = seen.iter().skip(from).take(long).cloned().collect();
        let (seen, now) = (seen.concat(), now.concat());
        if seen != now && let Some(after) = carried(&seen, &now, (&old, &new)) {
            prop_assert_eq!(after, seen.replacen(&old, &new, 1));
            prop_assert!(around(&seen, &old).is_some(), "{old:?} stands not once in {seen:?}");
            prop_assert_eq!(around(&seen, &old), around(&now, &old));
        }
    }
}

#[test]
fn most_that_is_clear_lands() {
    let seen: String = (0..40).map(|line| format!("line {line}\n")).collect();
    let landed = (0..40).filter(|line| {
        let now = seen.replace("line 20\n", "other\n");
        carried(&seen, &now, (&format!("line {line}\n"), "mine\n")).is_some()
    });
    let refused = 2 * NEAR + 1;
    assert_eq!(landed.count(), 40 - refused);
}

#[test]
fn a_file_in_another_charset_is_no_longer_the_one_that_was_seen() {
    let text = |last: &str| (0..20).map(|line| format!("row {line}\n")).collect::<String>() + last;
    let lands = |seen: &[u8], now: &[u8], charset| carried_in((seen, now), ("row 5\n", "mine\n"), charset).is_some();
    let latin = |last: &[u8]| [text("").as_bytes(), last].concat();
    let marked = |last: &str| ["\u{feff}".as_bytes(), text(last).as_bytes()].concat();
    let (ascii, utf8) = (text("end\n"), text("größer\n"));
    let (ascii, utf8, latin1) = (ascii.as_bytes(), utf8.as_bytes(), latin(b"gr\xf6\xdfer\n"));
    for charset in [None, Some("windows-1252"), Some("utf-8")] {
        assert!(lands(&latin1, &latin(b"\xfcber\n"), charset), "{charset:?}");
        assert!(lands(utf8, text("über\n").as_bytes(), charset), "{charset:?}");
        assert!(lands(ascii, text("other\n").as_bytes(), charset), "{charset:?}");
        for (seen, now) in [(&latin1[..], utf8), (utf8, &latin1[..]), (ascii, &latin1), (ascii, &marked("end\n"))] {
            assert!(!lands(seen, now, charset), "{charset:?}");
        }
        // A charset that the caller names may be another one than that of letters which came since.
        assert_eq!(lands(ascii, utf8, charset), charset != Some("windows-1252"), "{charset:?}");
    }
    let utf16 = |text: &str, mark: &[u8]| {
        let units: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        [mark, &units[..]].concat()
    };
    assert!(!lands(&utf16(&text("end\n"), b""), &utf16(&text("other\n"), b"\xff\xfe"), Some("utf-16le")));
    assert!(!lands(ascii, &utf16(&text("end\n"), b"\xff\xfe"), None));
}

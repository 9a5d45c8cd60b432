//! Big files: they are read, hashed, compared and written by other roads than small ones, and must come to the
//! same.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test stops at the first surprise and looks at the disk itself"
)]

use patchwright_engine::core::diff::{DIFF_LIMIT, unified};
use patchwright_engine::core::digest::Digest;
use patchwright_engine::core::outcome::Answer;
use patchwright_engine::core::tool::ApplyPatch;
use patchwright_engine::{Options, Quiet, Session};
use patchwright_testkit::home;
use std::fs;

const MARK: &str = "\u{feff}";

/// Numbered lines, about so many megabytes of them, some not text, the last without a newline.
fn lines(megabytes: usize, end: &str) -> Vec<u8> {
    let line = |at: usize| format!("line {at} of a file that is rather big{end}").into_bytes();
    let mut bytes: Vec<u8> = (0..megabytes * 25_000).flat_map(line).collect();
    bytes.extend_from_slice(b"\xff\xfe no text\nlast");
    bytes
}

/// The bytes with each of these lines replaced.
fn replaced(bytes: &[u8], lines: &[usize], end: &str) -> Vec<u8> {
    let mut rest = bytes;
    let mut out = Vec::new();
    for line in lines {
        let old = format!("line {line} of a file that is rather big{end}");
        let at = rest.windows(old.len()).position(|part| part == old.as_bytes()).unwrap();
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(format!("line {line} is new{end}").as_bytes());
        rest = &rest[at + old.len()..];
    }
    out.extend_from_slice(rest);
    out
}

fn check(mark: &str, before: &[u8], changed: &[usize], end: &str) {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("big");
    fs::write(&file, [mark.as_bytes(), before].concat()).unwrap();
    let hunk = |line: &usize| format!("@@\n-line {line} of a file that is rather big\n+line {line} is new\n");
    let hunks: String = changed.iter().map(hunk).collect();
    let ask = ApplyPatch::new(format!("*** Begin Patch\n*** Update File: big\n{hunks}*** End Patch\n"));
    let reply = Session::open(dir.path(), Options { home: home::at(), ..Options::default() })
        .unwrap()
        .apply_patch(&ask, &Quiet)
        .unwrap();
    let after = replaced(before, changed, end);
    let there = fs::read(&file).unwrap();
    assert!(there == [mark.as_bytes(), &after].concat(), "{changed:?}: other bytes than wanted");
    let Answer::Patched(patched) = &reply.answer else { panic!("{reply:?}") };
    let [told] = &patched.files[..] else { panic!("{patched:?}") };
    assert_eq!(told.before, Some(Digest::of(&[mark.as_bytes(), before].concat())));
    assert_eq!(told.after, Some(Digest::of(&there)));
    assert_eq!(told.diff, unified("a/big", "b/big", before, &after, DIFF_LIMIT).text);
    let kept = fs::read(home::record(dir.path()).join("blobs").join(told.before.unwrap().to_string())).unwrap();
    assert!(kept == [mark.as_bytes(), before].concat(), "{changed:?}: other bytes than before are kept");
}

#[test]
fn a_big_file_is_patched_like_a_small_one() {
    for (megabytes, changed) in
        [(2, vec![0]), (2, vec![7, 40_000]), (6, vec![149_999]), (6, vec![3, 5, 80_000, 140_000])]
    {
        check("", &lines(megabytes, "\n"), &changed, "\n");
        check(MARK, &lines(megabytes, "\r\n"), &changed, "\r\n");
    }
}

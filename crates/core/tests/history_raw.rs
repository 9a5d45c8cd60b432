//! Raw lines: every byte is in one, and they come together again with terminators where they must have them.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use patchwright_core::history::{End, RawLines};
use proptest::prelude::*;

fn utf16(text: &str, unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
    std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(unit).collect()
}

/// The lines of a file as people see them, its mark's length, whether it ends in a newline, its usual terminator.
fn check(bytes: &[u8], shown: &[&str], mark: usize, newline: bool, majority: &[u8]) {
    let lines = RawLines::of(bytes);
    let found: Vec<String> = (0..lines.len()).map(|at| lines.shown(at)).collect();
    assert_eq!(found, shown, "{bytes:?}");
    assert_eq!((lines.mark().len(), lines.ends_in_newline()), (mark, newline), "{bytes:?}");
    assert_eq!(lines.majority(), majority, "{bytes:?}");
    let raw: Vec<&[u8]> = lines.iter().collect();
    assert_eq!([lines.mark(), &raw.concat()].concat(), bytes);
    assert_eq!(lines.joined(&raw, End::AsGiven), bytes);
}

#[test]
fn files_by_lines() {
    check(b"", &[], 0, true, b"\n");
    check(b"a", &["a"], 0, false, b"\n");
    check(b"a\nb\n", &["a", "b"], 0, true, b"\n");
    check(b"a\r\nb\r\nc", &["a", "b", "c"], 0, false, b"\r\n");
    check(b"a\r\nb\n", &["a", "b"], 0, true, b"\n"); // as many of both
    check(b"a\rb\n\n", &["a\rb", ""], 0, true, b"\n"); // a lone \r is content
    check(b"\xef\xbb\xbfa\n", &["a"], 3, true, b"\n");
    check(b"\xef\xbb\xbf", &[], 3, true, b"\n");
    check(&utf16("a\nżb\r\n", u16::to_le_bytes), &["a", "żb"], 2, true, b"\n\0");
    check(&utf16("a\r\nb", u16::to_le_bytes), &["a", "b"], 2, false, b"\r\0\n\0"); // a line without is not counted
    check(&utf16("a\r\nb\r\n", u16::to_be_bytes), &["a", "b"], 2, true, b"\0\r\0\n");
    check(&utf16("a\u{0a0a}b\n", u16::to_be_bytes), &["a\u{0a0a}b"], 2, true, b"\0\n"); // no newline in it
    check(b"\xff\xfea", &["\u{fffd}"], 2, false, b"\n\0"); // half a unit
}

/// Lines joined in the manner of a file.
fn joined(file: &[u8], lines: &[&[u8]], end: End, want: &[u8]) {
    assert_eq!(RawLines::of(file).joined(lines, end), want, "{file:?} {lines:?} {end:?}");
}

#[test]
fn lines_come_together() {
    use End::{AsGiven, Bare, Newline};
    joined(b"", &[], Newline, b"");
    joined(b"x\n", &[b"a\n", b"b\n"], AsGiven, b"a\nb\n");
    joined(b"x\n", &[b"a\n", b"b\n"], Bare, b"a\nb");
    joined(b"x\n", &[b"a\n", b"b"], Newline, b"a\nb\n");
    joined(b"x\n", &[b"a", b"b"], AsGiven, b"a\nb"); // not the last any more
    joined(b"x\r\n", &[b"a", b"b"], AsGiven, b"a\r\nb"); // as the file
    joined(b"x\r\n", &[b"a\n", b"b", b"c"], AsGiven, b"a\nb\nc"); // as the line above
    joined(b"x\n", &[b"a\r\n", b"b\n"], Bare, b"a\r\nb"); // each keeps its own
    joined(b"x\n", &[b"a\n", b"\n"], Bare, b"a\n\n"); // an empty line needs its newline
    joined(b"x\n", &[b"a\r", b"b\n"], AsGiven, b"a\r\r\nb\n"); // content before terminators
    joined(b"\xef\xbb\xbfx\n", &[b"a"], Newline, b"\xef\xbb\xbfa\n");
    joined(&utf16("x\r\n", u16::to_le_bytes), &[b"a\0"], Newline, &utf16("a\r\n", u16::to_le_bytes));
    joined(&utf16("x\n", u16::to_be_bytes), &[b"\0a", b"\0b\0\n"], Bare, &utf16("a\nb", u16::to_be_bytes));
}

proptest! {
    #[test]
    fn every_byte_is_in_a_line(bytes in prop::collection::vec(prop_oneof![Just(0), Just(b'\n'), Just(b'\r'), Just(0xfe), Just(0xff), any::<u8>()], 0..20)) {
        let lines = RawLines::of(&bytes);
        let raw: Vec<&[u8]> = lines.iter().collect();
        prop_assert_eq!(&lines.joined(&raw, End::AsGiven), &bytes);
        prop_assert!((0..=lines.len()).all(|at| lines.raw(at).starts_with(lines.text(at))));
        let bare = lines.joined(&raw, End::Bare);
        prop_assert_eq!(RawLines::of(&bare).len(), lines.len());
    }
}

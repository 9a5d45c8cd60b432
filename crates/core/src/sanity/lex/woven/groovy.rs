//! Groovy: Gradle's build files, Jenkins' pipelines.

use super::slash::{Slash, slash};
use super::{Bracket, PLAIN, Scan, Text, is_word};

const SINGLE: Text = PLAIN;
const DOUBLE: Text = Text { close: b"\"", holes: &[b"${"], ..PLAIN };
const LONG: Text = Text { close: b"'''", lines: true, ..PLAIN };
const LONG_DOUBLE: Text = Text { close: b"\"\"\"", lines: true, ..DOUBLE };
/// Only a slash can be escaped in it, which is the same here.
const SLASHED: Text = Text { close: b"/", lines: true, ..DOUBLE };

/// Words after which a slash begins a string.
const BEFORE: &[&[u8]] = &[b"return", b"case", b"in", b"assert", b"else", b"throw"];

pub(in super::super) fn groovy(text: &[u8]) -> Option<Vec<Bracket>> {
    Scan::read(text, |scan| match scan.byte(0) {
        Some(b'#') if scan.at == 0 => scan.pass_line(),
        Some(b'/') if scan.starts(b"//") => scan.pass_line(),
        Some(b'/') if scan.starts(b"/*") => scan.pass_comment(),
        Some(b'/') => match slash(scan, BEFORE) {
            Slash::Text => scan.enter(1, SLASHED),
            Slash::Division => scan.skip(1),
            Slash::Harmless(len) => scan.skip(len),
            Slash::Doubtful => scan.lost = true,
        },
        // A string with escapes of its own.
        Some(b'$') if scan.starts(b"$/") && !scan.before().is_some_and(is_word) => scan.lost = true,
        Some(b'\'') if scan.starts(b"'''") => scan.enter(3, LONG),
        Some(b'"') if scan.starts(b"\"\"\"") => scan.enter(3, LONG_DOUBLE),
        Some(b'\'') => scan.enter(1, SINGLE),
        Some(b'"') => scan.enter(1, DOUBLE),
        _ => scan.code(),
    })
}

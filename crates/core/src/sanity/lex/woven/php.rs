//! PHP: only what stands between `<?php` and `?>` is code.

use super::{Bracket, PLAIN, Scan, Text, is_word, word};

const SINGLE: Text = Text { lines: true, ..PLAIN };
const DOUBLE: Text = Text { close: b"\"", holes: &[b"{$", b"${"], ..SINGLE };
const SHELL: Text = Text { close: b"`", ..DOUBLE };

pub(in super::super) fn php(text: &[u8]) -> Option<Vec<Bracket>> {
    let mut page = true;
    Scan::read(text, |scan| {
        if page {
            page = !opens(scan);
            return;
        }
        match scan.byte(0) {
            Some(b'?') if scan.starts(b"?>") => {
                scan.skip(2);
                page = true;
                // Code in a string does not end there.
                scan.lost |= !scan.inside.is_empty();
            }
            Some(b'#') if !scan.starts(b"#[") => comment(scan),
            Some(b'/') if scan.starts(b"//") => comment(scan),
            Some(b'/') if scan.starts(b"/*") => scan.pass_comment(),
            Some(b'\'') => scan.enter(1, SINGLE),
            Some(b'"') => scan.enter(1, DOUBLE),
            Some(b'`') => scan.enter(1, SHELL),
            Some(b'<') if scan.starts(b"<<<") => heredoc(scan),
            Some(b'_') if scan.starts(b"__halt_compiler") => scan.skip(usize::MAX),
            _ => scan.code(),
        }
    })
}

/// Goes to where code begins; says whether it does.
fn opens(scan: &mut Scan<'_>) -> bool {
    let Some(at) = memchr::memmem::find(scan.rest(), b"<?") else {
        scan.skip(usize::MAX);
        return false;
    };
    scan.skip(at.saturating_add(2));
    if scan.starts(b"=") {
        return true;
    }
    let tag = scan.rest().get(..3).is_some_and(|tag| tag.eq_ignore_ascii_case(b"php"));
    if tag {
        scan.skip(3);
    }
    // `<?xml` is none of ours.
    scan.byte(0).is_none_or(|byte| byte.is_ascii_whitespace())
}

/// A comment ends with its line, or with the code.
fn comment(scan: &mut Scan<'_>) {
    let line = memchr::memchr(b'\n', scan.rest()).unwrap_or(scan.rest().len());
    let end = scan.rest().get(..line).and_then(|line| memchr::memmem::find(line, b"?>"));
    scan.skip(end.unwrap_or(line));
}

/// `<<<EOT`, `<<<"EOT"` and `<<<'EOT'`. What follows the last word is code again.
fn heredoc(scan: &mut Scan<'_>) {
    scan.skip(3);
    let line = scan.rest().get(..memchr::memchr(b'\n', scan.rest()).unwrap_or(0)).unwrap_or_default();
    let line = line.trim_ascii();
    let name = word(line.strip_prefix(b"'").or_else(|| line.strip_prefix(b"\"")).unwrap_or(line));
    if name.is_empty() {
        scan.lost = true;
        return;
    }
    scan.pass_line();
    scan.skip(1);
    scan.pass_to_word(name, |after| !after.first().copied().is_some_and(is_word));
}

//! Is a slash a division, or does a text begin there?

use super::{Scan, is_word};

/// What a slash is.
pub(super) enum Slash {
    Division,
    /// A pattern or string begins.
    Text,
    /// One or the other: up to so many bytes on nothing depends on it.
    Harmless(usize),
    /// One or the other, and it matters.
    Doubtful,
}

/// What the slash here is. `before` are words after which no division can be.
pub(super) fn slash(scan: &Scan<'_>, before: &[&[u8]]) -> Slash {
    let above = scan.text.get(..scan.at).unwrap_or_default();
    let code = above.trim_ascii_end();
    let line = above.get(code.len()..).is_some_and(|blank| blank.contains(&b'\n'));
    let spaced = code.len() < above.len();
    let tight = scan.byte(1).is_some_and(|byte| !byte.is_ascii_whitespace() && byte != b'=');
    match code.last().copied() {
        None => Slash::Text,
        Some(_) if line => either(scan),
        Some(last) if is_word(last) => {
            let word = code.rsplit(|byte| !is_word(*byte)).next().unwrap_or_default();
            match before.contains(&word) {
                true => Slash::Text,
                false if spaced && tight && !last.is_ascii_digit() => either(scan),
                false => Slash::Division,
            }
        }
        Some(b')' | b']' | b'"' | b'\'') if !(spaced && tight) => Slash::Division,
        Some(b'(' | b',' | b'=' | b':' | b'[' | b'~' | b'!' | b'&' | b'|' | b';' | b'{') => Slash::Text,
        Some(_) => either(scan),
    }
}

/// Where both can be, it does not matter if the line holds no other slash, or nothing between the two that means anything.
fn either(scan: &Scan<'_>) -> Slash {
    let body = scan.rest().get(1..).unwrap_or_default();
    let line = body.get(..memchr::memchr(b'\n', body).unwrap_or(body.len())).unwrap_or_default();
    let telling = |byte: &u8| b"()[]{}\"'`#%\\<?$".contains(byte);
    match memchr::memchr(b'/', line) {
        None => Slash::Division,
        Some(end) if line.iter().take(end).any(telling) => Slash::Doubtful,
        Some(end) => Slash::Harmless(end.saturating_add(2)),
    }
}

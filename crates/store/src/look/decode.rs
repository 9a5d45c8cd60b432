//! Raw bytes in pieces, turned into text in pieces.
//!
//! Promises the same choice of charset as the core makes for whole files, and that where the pieces
//! were cut makes no difference. Memory is fixed.

use super::scan::Scan;
use encoding_rs::{CoderResult, Decoder, Encoding};
use patchwright_core::text::Charset;

/// How far a NUL is looked for that makes a file binary.
pub(super) const BINARY_WINDOW: usize = 8 * 1024;
const OUT: usize = 16 * 1024;

/// The charset of a file that begins like this; nothing if it is binary.
pub(super) fn choose(head: &[u8], asked: Option<Charset>) -> Option<Charset> {
    let marked = [Charset::Utf16Le, Charset::Utf16Be].into_iter().find(|charset| head.starts_with(charset.mark()));
    let charset = match (asked, marked) {
        (Some(asked), Some(marked)) if asked.is_utf16() => marked,
        (Some(asked), _) => asked,
        // The mark of UTF-32 begins like that of UTF-16.
        (None, Some(_)) if head.starts_with(b"\xFF\xFE\0\0") => Charset::Utf8,
        (None, marked) => marked.unwrap_or(Charset::Utf8),
    };
    let window = head.get(..BINARY_WINDOW).unwrap_or(head);
    let binary = !charset.is_utf16() && memchr::memchr(0, window).is_some();
    (!binary).then_some(charset)
}

/// Does this text begin with the charset's mark?
pub(super) fn has_mark(head: &[u8], charset: Charset) -> bool {
    !charset.mark().is_empty() && head.starts_with(charset.mark())
}

/// Whether more bytes follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum More {
    Follows,
    Ends,
}

/// Turns raw bytes into text.
pub(super) enum Decode {
    /// The bytes are the text; only looked at.
    Utf8(Utf8Check),
    /// They have to be decoded.
    Other { decoder: Box<Decoder>, out: Vec<u8>, lossy: bool },
}

impl Decode {
    pub(super) fn new(charset: Charset) -> Decode {
        let encoding = Encoding::for_label(charset.name().as_bytes());
        match (charset, encoding) {
            (Charset::Utf8, _) | (_, None) => Decode::Utf8(Utf8Check::default()),
            (_, Some(encoding)) => {
                let decoder = Box::new(encoding.new_decoder_without_bom_handling());
                Decode::Other { decoder, out: vec![0; OUT], lossy: false }
            }
        }
    }

    pub(super) fn feed(&mut self, raw: &[u8], more: More, into: &mut Scan) {
        match self {
            Decode::Utf8(check) => {
                check.feed(raw);
                into.feed(raw);
            }
            Decode::Other { decoder, out, lossy } => {
                let mut rest = raw;
                loop {
                    let (result, read, written, bad) = decoder.decode_to_utf8(rest, out, more == More::Ends);
                    *lossy |= bad;
                    into.feed(out.get(..written).unwrap_or_default());
                    rest = rest.get(read..).unwrap_or_default();
                    if result == CoderResult::InputEmpty {
                        return;
                    }
                }
            }
        }
    }

    /// Was there anything that is not text?
    pub(super) fn is_lossy(&self) -> bool {
        match self {
            Decode::Utf8(check) => check.is_lossy(),
            Decode::Other { lossy, .. } => *lossy,
        }
    }
}

/// Looks whether pieces put together are valid UTF-8.
#[derive(Debug, Default)]
pub(super) struct Utf8Check {
    /// The beginning of a character that the last piece cut.
    begun: Vec<u8>,
    bad: bool,
}

impl Utf8Check {
    fn feed(&mut self, piece: &[u8]) {
        let mut rest = piece;
        while let (false, false, Some((next, tail))) = (self.bad, self.begun.is_empty(), rest.split_first()) {
            self.begun.push(*next);
            rest = tail;
            match std::str::from_utf8(&self.begun) {
                Ok(_) => self.begun.clear(),
                Err(error) => self.bad = error.error_len().is_some(),
            }
        }
        if self.bad {
            return;
        }
        if let Err(error) = std::str::from_utf8(rest) {
            self.bad = error.error_len().is_some();
            self.begun = rest.get(error.valid_up_to()..).unwrap_or_default().to_vec();
        }
    }

    fn is_lossy(&self) -> bool {
        self.bad || !self.begun.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], lossy: bool) {
        for piece in [1, 2, 3, 100] {
            let mut seen = Utf8Check::default();
            bytes.chunks(piece).for_each(|part| seen.feed(part));
            assert_eq!(seen.is_lossy(), lossy, "{bytes:?} in pieces of {piece}");
        }
    }

    #[test]
    fn validity_across_pieces() {
        check(b"", false);
        check("aé€𝄞z".as_bytes(), false);
        check(b"a\xFFb", true);
        check(b"a\xC3", true); // cut short
        check(b"\xC3\xC3\xA9", true);
        check(b"\xED\xA0\x80", true); // a surrogate
    }
}

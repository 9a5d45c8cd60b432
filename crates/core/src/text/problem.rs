//! Why bytes and text do not become each other.

/// Why bytes cannot be seen, or not be edited, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextProblem {
    /// There is a NUL near the start, and no UTF-16 mark.
    Binary,
    /// This 1-based line of the old text does not come back when decoded and encoded.
    Lossy {
        /// The line.
        line: usize,
    },
    /// The old bytes are no UTF-8, and which charset they are in is not said: new characters beyond ASCII have no bytes.
    Unnamed,
    /// The charset has no bytes for a new character.
    Unencodable {
        /// The character; U+FFFD where the new bytes are no text at all.
        ch: char,
        /// The 1-based line of the new text that holds it.
        line: usize,
    },
    /// A splice lies outside the text.
    OutOfBounds,
}

/// Names the character at `at` of a new text.
pub(super) fn unencodable(text: &[u8], at: usize) -> TextProblem {
    let (before, rest) = text.split_at_checked(at).unwrap_or((text, b""));
    let head = rest.get(..4).unwrap_or(rest);
    let ch = String::from_utf8_lossy(head).chars().next().unwrap_or('\u{FFFD}');
    TextProblem::Unencodable { ch, line: 1 + newlines(before) }
}

pub(super) fn newlines(text: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', text).count()
}

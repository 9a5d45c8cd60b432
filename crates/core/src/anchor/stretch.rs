//! A text hashed stretch by stretch, so that it need not be in one piece, nor be hashed by one thread.
//!
//! Promises the same hashes wherever the text was cut. Leaves reading, and sharing the work out, to the store.

use super::around::{Stretch, contexts};
use super::hash::{is_blank, line_hash};
use super::judge::Lines;

impl Stretch<'_> {
    /// Hashes the lines, and appends what comes out.
    pub fn add_to(&self, onto: &mut LineHashes) {
        let LineHashes { own, around, returns } = onto;
        contexts(self, around, |span| {
            own.push(line_hash(span.of(self.text)));
            *returns += usize::from(self.text.get(span.end) == Some(&b'\r'));
        });
    }
}

/// Where a text of which more is to come can be cut: before its last whole line that is not blank. That line is
/// the nearest below of all before it, and has to begin the next stretch. Nothing if there is no such place.
pub fn cut(text: &[u8]) -> Option<usize> {
    let mut end = memchr::memrchr(b'\n', text)?;
    while let Some(before) = text.get(..end).and_then(|rest| memchr::memrchr(b'\n', rest)) {
        if !is_blank(text.get(before + 1..end)?) {
            return Some(before + 1);
        }
        end = before;
    }
    None
}

/// The last line of a text that is not blank, without terminator.
pub fn last_filled(text: &[u8]) -> Option<&[u8]> {
    let mut rest = text;
    loop {
        let whole = rest.strip_suffix(b"\n").unwrap_or(rest);
        let start = memchr::memrchr(b'\n', whole).map_or(0, |at| at + 1);
        let line = whole.get(start..)?;
        // A return before a newline is no part of the line.
        let line = if whole.len() < rest.len() { line.strip_suffix(b"\r").unwrap_or(line) } else { line };
        if !is_blank(line) {
            return Some(line);
        }
        if start == 0 {
            return None;
        }
        rest = text.get(..start)?;
    }
}

/// The first line of a text, without terminator.
pub fn first_line(text: &[u8]) -> &[u8] {
    crate::text::lines(text).next().map_or(b"", |line| line.text)
}

/// The hashes of all lines of a text, without the text.
#[derive(Clone, Debug, Default)]
pub struct LineHashes {
    pub(super) own: Vec<u64>,
    pub(super) around: Vec<u32>,
    /// How many lines end in a return and a newline.
    returns: usize,
}

impl LineHashes {
    /// Of a text that is in one piece.
    pub fn of(text: &[u8]) -> LineHashes {
        let mut hashes = LineHashes::default();
        Stretch { above: b"", text, below: b"" }.add_to(&mut hashes);
        hashes
    }

    /// How many lines there are.
    pub fn count(&self) -> usize {
        self.own.len()
    }

    /// How many of them end in a return and a newline.
    pub fn returns(&self) -> usize {
        self.returns
    }

    /// Each line's own hash, in order.
    pub fn own(&self) -> &[u64] {
        &self.own
    }

    /// Appends those of the lines that follow.
    pub fn append(&mut self, next: &LineHashes) {
        self.own.extend_from_slice(&next.own);
        self.around.extend_from_slice(&next.around);
        self.returns = self.returns.saturating_add(next.returns);
    }

    /// Forgets all lines, but keeps the room for others.
    pub fn clear(&mut self) {
        self.own.clear();
        self.around.clear();
        self.returns = 0;
    }
}

impl Lines for LineHashes {
    fn own(&self) -> &[u64] {
        &self.own
    }

    fn around(&self) -> &[u32] {
        &self.around
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn cuts() {
        let check = |text: &str, want: Option<usize>| assert_eq!(cut(text.as_bytes()), want, "{text:?}");
        check("", None);
        check("a", None);
        check("a\n", None); // nothing would be left before it
        check("a\nb", None); // `b` may go on
        check("a\nb\n", Some(2));
        check("a\nb\nc", Some(2));
        check("a\nb\n\n \n", Some(2));
        check("a\r\nb\r\n", Some(3));
        check("\nb\n", Some(1));
        check("\n\n\n", None);
    }

    #[test]
    fn last_lines() {
        let check = |text: &str, want: Option<&str>| {
            assert_eq!(last_filled(text.as_bytes()), want.map(str::as_bytes), "{text:?}");
        };
        check("", None);
        check("\n \n", None);
        check("a", Some("a"));
        check("a\r", Some("a\r"));
        check("a\nb\r\n\n\t\r\n", Some("b"));
        check("a\n\n", Some("a"));
    }

    proptest! {
        #[test]
        fn wherever_it_is_cut(lines in prop::collection::vec("(a|bb|  \\}| |é|)(\r\n|\n)", 0..40), tail in "[a}]?", size in 1_usize..30) {
            let text = (lines.concat() + &tail).into_bytes();
            let (mut hashes, mut above, mut from, mut to) = (LineHashes::default(), Vec::new(), 0, 0);
            while to < text.len() {
                to = (to + size).min(text.len());
                if let Some(at) = cut(&text[from..to]) {
                    let (part, rest) = text[from..to].split_at(at);
                    Stretch { above: &above, text: part, below: first_line(rest) }.add_to(&mut hashes);
                    above = last_filled(part).map_or(above, <[u8]>::to_vec);
                    from += at;
                }
            }
            Stretch { above: &above, text: &text[from..], below: b"" }.add_to(&mut hashes);
            let whole = LineHashes::of(&text);
            prop_assert_eq!((&hashes.own, &hashes.around, hashes.returns), (&whole.own, &whole.around, whole.returns));
        }
    }
}

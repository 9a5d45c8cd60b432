//! Lines: runs of bytes ending in `\n` or `\r\n`, plus a last unterminated run if there is one.
//!
//! Promises linear time and that the lines put together are the text again. A lone `\r` is
//! content. Knows nothing of charsets: it is given text whose newline is the byte `\n`.

use std::ops::Range;

/// How a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Terminator {
    /// It does not: the last line of a text without a final newline.
    None,
    /// `\n`
    Lf,
    /// `\r\n`
    CrLf,
}

impl Terminator {
    /// The bytes that end the line.
    pub fn bytes(self) -> &'static [u8] {
        match self {
            Self::None => b"",
            Self::Lf => b"\n",
            Self::CrLf => b"\r\n",
        }
    }
}

/// One line of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// Offset of its first byte.
    pub start: usize,
    /// Its bytes without the terminator.
    pub text: &'a [u8],
    /// How it ends.
    pub terminator: Terminator,
}

impl Line<'_> {
    /// Where the text ends and the terminator begins.
    pub fn text_end(&self) -> usize {
        self.start.saturating_add(self.text.len())
    }

    /// The whole line, terminator included.
    pub fn range(&self) -> Range<usize> {
        self.start..self.text_end().saturating_add(self.terminator.bytes().len())
    }
}

/// Walks the lines of a text without allocating.
///
/// ```
/// use patchwright_core::text::{lines, Terminator};
/// let ends: Vec<_> = lines(b"a\r\nb\nc").map(|line| (line.text, line.terminator)).collect();
/// assert_eq!(ends, [(&b"a"[..], Terminator::CrLf), (b"b", Terminator::Lf), (b"c", Terminator::None)]);
/// ```
pub fn lines(bytes: &[u8]) -> Lines<'_> {
    Lines { rest: bytes, at: 0 }
}

/// The iterator behind [`lines`].
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    rest: &'a [u8],
    at: usize,
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        let len = memchr::memchr(b'\n', self.rest).map_or(self.rest.len(), |at| at + 1);
        let (whole, rest) = self.rest.split_at(len);
        let line = split_terminator(self.at, whole);
        self.rest = rest;
        self.at += len;
        Some(line)
    }
}

fn split_terminator(start: usize, whole: &[u8]) -> Line<'_> {
    let (text, terminator) = if let Some(text) = whole.strip_suffix(b"\r\n") {
        (text, Terminator::CrLf)
    } else if let Some(text) = whole.strip_suffix(b"\n") {
        (text, Terminator::Lf)
    } else {
        (whole, Terminator::None)
    };
    Line { start, text, terminator }
}

/// Whether a text ends in a newline. An empty text counts as ending in one.
pub fn final_newline(bytes: &[u8]) -> bool {
    bytes.last().is_none_or(|&last| last == b'\n')
}

/// Which terminators a text uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewlineStyle {
    /// Only `\n`.
    Lf,
    /// Only `\r\n`.
    Crlf,
    /// Both.
    Mixed,
    /// Neither: no line is terminated.
    None,
}

/// How many lines end in which way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// Lines ending in `\n` alone.
    pub lf: usize,
    /// Lines ending in `\r\n`.
    pub crlf: usize,
}

impl Census {
    /// Counts the terminators of a text.
    pub fn of(bytes: &[u8]) -> Self {
        let newlines = memchr::memchr_iter(b'\n', bytes).count();
        let crlf = memchr::memchr_iter(b'\r', bytes).filter(|at| bytes.get(at + 1) == Some(&b'\n')).count();
        Self { lf: newlines - crlf, crlf }
    }

    /// The style these counts amount to.
    pub fn style(self) -> NewlineStyle {
        match (self.lf, self.crlf) {
            (0, 0) => NewlineStyle::None,
            (_, 0) => NewlineStyle::Lf,
            (0, _) => NewlineStyle::Crlf,
            _ => NewlineStyle::Mixed,
        }
    }

    /// The terminator of most lines, `\n` where both are as frequent; `None` where there is none.
    pub fn majority(self) -> Option<Terminator> {
        match self.style() {
            NewlineStyle::None => None,
            _ if self.crlf > self.lf => Some(Terminator::CrLf),
            _ => Some(Terminator::Lf),
        }
    }
}

/// A text whose lines can be asked for by number.
pub trait Numbered<'a> {
    /// The text.
    fn bytes(&self) -> &'a [u8];

    /// How many lines there are.
    fn count(&self) -> usize;

    /// The bytes of a line by its 1-based number, terminator included.
    fn range(&self, number: usize) -> Option<Range<usize>>;

    /// A line by its 1-based number.
    fn line(&self, number: usize) -> Option<Line<'a>> {
        let range = self.range(number)?;
        Some(split_terminator(range.start, self.bytes().get(range)?))
    }

    /// How its lines end.
    fn census(&self) -> Census {
        Census::of(self.bytes())
    }
}

impl<'a> Numbered<'a> for LineIndex<'a> {
    fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    fn count(&self) -> usize {
        LineIndex::count(self)
    }

    fn range(&self, number: usize) -> Option<Range<usize>> {
        LineIndex::range(self, number)
    }

    fn census(&self) -> Census {
        self.census
    }
}

/// Finds lines by number and numbers by offset.
#[derive(Clone, Debug)]
pub struct LineIndex<'a> {
    bytes: &'a [u8],
    starts: Vec<usize>,
    census: Census,
}

impl<'a> LineIndex<'a> {
    /// Indexes a text.
    pub fn of(bytes: &'a [u8]) -> Self {
        let mut starts = Vec::new();
        if !bytes.is_empty() {
            starts.push(0);
            starts.extend(memchr::memchr_iter(b'\n', bytes).map(|at| at + 1));
        }
        if starts.last() == Some(&bytes.len()) {
            starts.pop();
        }
        Self { bytes, starts, census: Census::of(bytes) }
    }

    /// The text that was indexed.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// How many lines there are.
    pub fn count(&self) -> usize {
        self.starts.len()
    }

    /// How its lines end.
    pub fn census(&self) -> Census {
        self.census
    }

    /// The 1-based number of the line that holds the byte at `offset`; at or past the end of
    /// the text, the line that a character appended there would be on.
    pub fn line_at(&self, offset: usize) -> usize {
        if offset >= self.bytes.len() && final_newline(self.bytes) {
            return self.count() + 1;
        }
        self.starts.partition_point(|&start| start <= offset)
    }

    /// The bytes of a line by its 1-based number, terminator included.
    pub fn range(&self, number: usize) -> Option<Range<usize>> {
        let start = *self.starts.get(number.checked_sub(1)?)?;
        let end = self.starts.get(number).copied().unwrap_or(self.bytes.len());
        Some(start..end)
    }

    /// A line by its 1-based number.
    pub fn line(&self, number: usize) -> Option<Line<'a>> {
        let range = self.range(number)?;
        Some(split_terminator(range.start, self.bytes.get(range)?))
    }
}

#[cfg(test)]
mod tests {
    use super::Terminator::{CrLf, Lf, None as End};
    use super::*;

    fn check(text: &str, want: &[(usize, &str, Terminator)], style: NewlineStyle) {
        let found: Vec<_> = lines(text.as_bytes()).collect();
        let shown: Vec<_> =
            found.iter().map(|line| (line.start, std::str::from_utf8(line.text).unwrap(), line.terminator)).collect();
        assert_eq!(shown, want, "{text:?}");
        assert_eq!(Census::of(text.as_bytes()).style(), style, "{text:?}");
        let index = LineIndex::of(text.as_bytes());
        let by_number: Vec<_> = (1..=index.count()).filter_map(|n| index.line(n)).collect();
        assert_eq!(by_number, found, "{text:?}");
        for (at, line) in found.iter().enumerate() {
            for offset in line.range() {
                assert_eq!(index.line_at(offset), at + 1, "{text:?} {offset}");
            }
        }
        assert_eq!(index.range(0), None);
        assert_eq!(index.range(index.count() + 1), None);
    }

    #[test]
    fn lines_keep_their_own_terminators() {
        check("", &[], NewlineStyle::None);
        check("a", &[(0, "a", End)], NewlineStyle::None);
        check("a\n", &[(0, "a", Lf)], NewlineStyle::Lf);
        check("\n\n", &[(0, "", Lf), (1, "", Lf)], NewlineStyle::Lf);
        check("a\r\nb\n", &[(0, "a", CrLf), (3, "b", Lf)], NewlineStyle::Mixed);
        check("a\rb\r\r\n", &[(0, "a\rb\r", CrLf)], NewlineStyle::Crlf);
        check("a\r", &[(0, "a\r", End)], NewlineStyle::None);
        check("\r\n\r", &[(0, "", CrLf), (2, "\r", End)], NewlineStyle::Crlf);
    }

    #[test]
    fn appended_text_lands_on_the_line_named() {
        for (text, line) in [("", 1), ("a", 1), ("a\n", 2), ("a\nb", 2)] {
            assert_eq!(LineIndex::of(text.as_bytes()).line_at(text.len()), line, "{text:?}");
        }
    }

    #[test]
    fn majority_and_final_newline() {
        for (text, majority, ends) in [
            ("", None, true),
            ("a", None, false),
            ("a\r\nb\r\nc\n", Some(CrLf), true),
            ("a\r\nb\n", Some(Lf), true),
            ("a\r\nb", Some(CrLf), false),
        ] {
            assert_eq!(Census::of(text.as_bytes()).majority(), majority, "{text:?}");
            assert_eq!(final_newline(text.as_bytes()), ends, "{text:?}");
        }
    }
}

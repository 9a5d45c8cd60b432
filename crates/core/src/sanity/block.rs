//! Touched lines as slices of both texts, with what stands around them.
//!
//! Promises one fast pass over each text, and to survive numbers that do not fit it.

use super::{Doubt, Touched, excerpt};
use crate::text::lines;
use std::ops::Range;

/// A stretch of text that changed, and its surroundings.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block<'a> {
    pub(super) old: Part<'a>,
    pub(super) new: Part<'a>,
}

/// A stretch of one text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<'a> {
    /// All text above it.
    pub(super) above: &'a [u8],
    pub(super) text: &'a [u8],
    /// All text below it.
    pub(super) below: &'a [u8],
    /// The number of its first line, counted from 0.
    pub(super) line: usize,
}

impl<'a> Part<'a> {
    fn of(whole: &'a [u8], place: Range<usize>, line: usize) -> Self {
        let (head, below) = whole.split_at_checked(place.end).unwrap_or((whole, b""));
        let (above, text) = head.split_at_checked(place.start).unwrap_or((head, b""));
        Part { above, text, below, line }
    }

    /// Where it begins in its text.
    pub(super) fn start(&self) -> usize {
        self.above.len()
    }

    /// Where it ends in its text.
    pub(super) fn end(&self) -> usize {
        self.above.len().saturating_add(self.text.len())
    }

    /// The place in it that is nearest to an offset at or below its beginning: in its last line, if it is past.
    pub(super) fn within(&self, at: usize) -> usize {
        let text = self.text.strip_suffix(b"\n").unwrap_or(self.text);
        if at <= self.start().saturating_add(text.len()) {
            return at;
        }
        let line = memchr::memrchr(b'\n', text).map_or(0, |end| end.saturating_add(1));
        self.start().saturating_add(line)
    }

    /// Its lines without terminators.
    pub(super) fn lines(&self) -> Vec<&'a [u8]> {
        lines(self.text).map(|line| line.text).collect()
    }

    pub(super) fn first(&self) -> Option<&'a [u8]> {
        lines(self.text).next().map(|line| line.text)
    }

    pub(super) fn last(&self) -> Option<&'a [u8]> {
        upwards(self.text).next()
    }

    /// The line just above.
    pub(super) fn line_above(&self) -> Option<&'a [u8]> {
        upwards(self.above).next()
    }

    /// The line just below.
    pub(super) fn line_below(&self) -> Option<&'a [u8]> {
        lines(self.below).next().map(|line| line.text)
    }
}

/// The lines of a text from the last to the first, without terminators.
pub(super) fn upwards(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let body = rest.strip_suffix(b"\n").unwrap_or(rest);
        let start = memchr::memrchr(b'\n', body).map_or(0, |at| at.saturating_add(1));
        let (head, line) = rest.split_at_checked(start)?;
        rest = head;
        lines(line).next().map(|line| line.text)
    })
}

/// The number of the line at an offset, counted from 1.
pub(super) fn line_of(text: &[u8], at: usize) -> usize {
    let above = text.get(..at).unwrap_or(text);
    memchr::memchr_iter(b'\n', above).count().saturating_add(1)
}

/// A doubt about the syntax at an offset; past the end it is shown at the end of the last line.
pub(super) fn syntax_doubt(text: &[u8], at: usize) -> Doubt {
    let at = at.min(text.trim_ascii_end().len());
    let above = text.get(..at).unwrap_or(text);
    let start = memchr::memrchr(b'\n', above).map_or(0, |end| end.saturating_add(1));
    let line = lines(text.get(start..).unwrap_or_default()).next();
    let head = String::from_utf8_lossy(above.get(start..).unwrap_or_default());
    Doubt::Syntax {
        line: line_of(text, at),
        column: head.chars().count().saturating_add(1),
        excerpt: excerpt(line.map_or(b"", |line| line.text)),
    }
}

/// The touched blocks of two texts.
pub(super) fn blocks<'a>(before: &'a [u8], after: &'a [u8], touched: &[Touched]) -> Vec<Block<'a>> {
    let (mut old, mut new) = (Walk::new(before), Walk::new(after));
    let block = |one: &Touched| Block {
        old: Part::of(before, old.to(one.before.start)..old.to(one.before.end), one.before.start),
        new: Part::of(after, new.to(one.after.start)..new.to(one.after.end), one.after.start),
    };
    touched.iter().map(block).collect()
}

/// Finds where lines begin; asked in order it passes the text once.
struct Walk<'a> {
    text: &'a [u8],
    line: usize,
    at: usize,
}

impl<'a> Walk<'a> {
    fn new(text: &'a [u8]) -> Self {
        Walk { text, line: 0, at: 0 }
    }

    /// Where a line begins, counted from 0; the end of the text if it has no such line.
    fn to(&mut self, line: usize) -> usize {
        const STRIDE: usize = 1 << 16;
        if line < self.line {
            (self.line, self.at) = (0, 0);
        }
        while self.line < line {
            let rest = self.text.get(self.at..).unwrap_or_default();
            let stride = rest.get(..STRIDE.min(rest.len())).unwrap_or_default();
            let ends = memchr::memchr_iter(b'\n', stride);
            let wanted = line.saturating_sub(self.line);
            let count = ends.clone().count();
            if count >= wanted {
                let end = ends.into_iter().nth(wanted.saturating_sub(1)).unwrap_or(0);
                self.at = self.at.saturating_add(end).saturating_add(1);
                self.line = line;
            } else if stride.is_empty() {
                return self.text.len();
            } else {
                self.at = self.at.saturating_add(stride.len());
                self.line = self.line.saturating_add(count);
            }
        }
        self.at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_found() {
        let text = b"a\nb\r\n\nc";
        let rows: &[(usize, usize)] = &[(0, 0), (1, 2), (2, 5), (3, 6), (4, 7), (9, 7)];
        for (line, at) in rows {
            assert_eq!(Walk::new(text).to(*line), *at, "{line}");
        }
        let up: Vec<_> = upwards(text).collect();
        assert_eq!(up, [&b"c"[..], b"", b"b", b"a"]);
        let big = "line\n".repeat(100_000);
        let mut walk = Walk::new(big.as_bytes());
        assert_eq!((walk.to(30_000), walk.to(99_999), walk.to(2)), (150_000, 499_995, 10));
    }
}

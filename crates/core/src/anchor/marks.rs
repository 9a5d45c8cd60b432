//! Where lines begin, remembered for some of them; the rest are a short walk away.
//!
//! Promises little memory for many lines.

use crate::text::lines;
use std::ops::Range;

/// One line in so many is remembered.
const STRIDE: usize = 64;

/// A text, and where some of its lines begin.
#[derive(Clone, Debug)]
pub(super) struct Marks<'a> {
    text: &'a [u8],
    /// Lines, from 0, and their offsets, in order.
    marks: Vec<(usize, usize)>,
}

impl<'a> Marks<'a> {
    pub(super) fn new(text: &'a [u8]) -> Marks<'a> {
        Marks { text, marks: Vec::new() }
    }

    pub(super) fn text(&self) -> &'a [u8] {
        self.text
    }

    /// This line, from 0, begins here. To be told of all lines in order.
    pub(super) fn pass(&mut self, line: usize, start: usize) {
        if line.is_multiple_of(STRIDE) {
            self.marks.push((line, start));
        }
    }

    /// Where a line, from 0, begins; the end of the text behind the last one.
    pub(super) fn start(&self, line: usize) -> usize {
        let (marked, offset) = self.before(line);
        let rest = self.text.get(offset..).unwrap_or_default();
        match line - marked.min(line) {
            0 => offset,
            skip => memchr::memchr_iter(b'\n', rest).nth(skip - 1).map_or(self.text.len(), |at| offset + at + 1),
        }
    }

    /// The marks of lines `from..to`, taken over into another text where they stand so far on.
    pub(super) fn carry(&self, lines: Range<usize>, onto: &mut Marks<'_>, line: usize, offset: usize) {
        let here = self.start(lines.start);
        let from = self.marks.partition_point(|(marked, _)| *marked < lines.start);
        let to = self.marks.partition_point(|(marked, _)| *marked < lines.end);
        onto.marks.push((line, offset));
        let marks = self.marks.get(from..to).unwrap_or_default();
        onto.marks.extend(marks.iter().map(|(marked, at)| (marked - lines.start + line, at - here + offset)));
    }

    /// The last mark at or before a line.
    fn before(&self, line: usize) -> (usize, usize) {
        let before = self.marks.partition_point(|(marked, _)| *marked <= line);
        before.checked_sub(1).and_then(|at| self.marks.get(at)).copied().unwrap_or_default()
    }

    /// The bytes of a line, from 0, without terminator.
    pub(super) fn line(&self, line: usize) -> &'a [u8] {
        let (marked, offset) = self.before(line);
        let rest = self.text.get(offset..).unwrap_or_default();
        lines(rest).nth(line - marked.min(line)).map_or(b"", |line| line.text)
    }
}

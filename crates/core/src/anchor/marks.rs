//! Where lines begin, remembered for some of them; the rest are a short walk away.
//!
//! Promises little memory for many lines.

use crate::text::lines;

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

    /// The bytes of a line, from 0, without terminator.
    pub(super) fn line(&self, line: usize) -> &'a [u8] {
        let before = self.marks.partition_point(|(marked, _)| *marked <= line);
        let (marked, offset) = before.checked_sub(1).and_then(|at| self.marks.get(at)).copied().unwrap_or_default();
        let rest = self.text.get(offset..).unwrap_or_default();
        lines(rest).nth(line - marked.min(line)).map_or(b"", |line| line.text)
    }
}

//! The lines of a patch text, one under the cursor at a time, and faults that show where they are.
//!
//! Promises that a line keeps its text exactly: `\n` goes, one `\r` before it goes too, nothing else.

use super::marker::Stars;
use super::reading::{Notes, Reading};
use crate::conventions::Conventions;
use crate::dialect::fault::fault_at;
use crate::refusal::{Grammar, Refusal};

pub(super) struct Cursor<'t> {
    lines: Vec<&'t str>,
    /// The index of the line under the cursor.
    at: usize,
    /// One past the last line of the envelope; lines beyond belong to what is wrapped around it.
    end: usize,
    /// The 1-based number of the last line that was taken and not skipped.
    taken: usize,
    pub(super) conventions: Conventions,
    pub(super) notes: Notes,
}

/// What blanks before a `***` are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Indent {
    /// The sign of a context line: this is no marker.
    Sign,
    /// Padding, which may be read over.
    Padding,
}

impl<'t> Cursor<'t> {
    pub(super) fn of(text: &'t str, conventions: Conventions) -> Self {
        let (mut lines, mut notes) = (Vec::new(), Notes::default());
        let mut first_crlf = None;
        for whole in text.split_inclusive('\n') {
            let crlf = whole.strip_suffix("\r\n");
            lines.push(crlf.or(whole.strip_suffix('\n')).unwrap_or(whole));
            if crlf.is_some() && first_crlf.is_none() {
                first_crlf = Some(lines.len());
            }
        }
        if let Some(line) = first_crlf {
            notes.add(Reading::CrLf, line);
        }
        Self { end: lines.len(), lines, at: 0, taken: 0, conventions, notes }
    }

    /// Every line, also those around the envelope.
    pub(super) fn lines(&self) -> &[&'t str] {
        &self.lines
    }

    /// Leaves out what lies before the line at index `at`, and from that at `end` on.
    pub(super) fn narrow(&mut self, at: usize, end: usize) {
        (self.at, self.end) = (at, end);
    }

    pub(super) fn peek(&self) -> Option<&'t str> {
        self.beyond(0)
    }

    /// The line so many below the one under the cursor.
    pub(super) fn beyond(&self, count: usize) -> Option<&'t str> {
        let at = self.at.saturating_add(count);
        if at < self.end { self.lines.get(at).copied() } else { None }
    }

    /// The 1-based number of the line under the cursor.
    pub(super) fn number(&self) -> usize {
        self.at.saturating_add(1)
    }

    /// The 1-based number of the last line that was taken and not skipped.
    pub(super) fn taken(&self) -> usize {
        self.taken
    }

    /// Takes the line under the cursor.
    pub(super) fn take(&mut self) {
        self.at = self.number();
        self.taken = self.at;
    }

    /// Takes a `***` line, and notes it if it was padded.
    pub(super) fn take_stars(&mut self) {
        if self.peek().is_some_and(|line| line != line.trim()) {
            self.note(Reading::PaddedMarker);
        }
        self.take();
    }

    /// Skips so many lines, as one kind of reading.
    pub(super) fn skip(&mut self, count: usize, reading: Reading) {
        self.notes.add_many(reading, self.number(), count);
        self.at = self.at.saturating_add(count);
    }

    /// How many lines from here on are blank.
    pub(super) fn blanks(&self) -> usize {
        self.count(|line| line.trim().is_empty())
    }

    /// How many lines from here on have no character at all.
    pub(super) fn empties(&self) -> usize {
        self.count(str::is_empty)
    }

    fn count(&self, is_blank: impl Fn(&str) -> bool) -> usize {
        let rest = self.lines.get(self.at..self.end).unwrap_or_default();
        rest.iter().take_while(|line| is_blank(line)).count()
    }

    pub(super) fn note(&mut self, reading: Reading) {
        self.notes.add(reading, self.number());
    }

    /// The line under the cursor as a `***` line.
    pub(super) fn stars(&self, indent: Indent) -> Option<Stars<'t>> {
        self.stars_beyond(0, indent)
    }

    /// The line so many below the cursor as a `***` line.
    pub(super) fn stars_beyond(&self, count: usize, indent: Indent) -> Option<Stars<'t>> {
        let line = self.beyond(count)?;
        Stars::of(match (self.conventions, indent) {
            (Conventions::Strict, _) => line,
            (Conventions::Codex, Indent::Sign) => line.trim_end(),
            (Conventions::Codex, Indent::Padding) => line.trim(),
        })
    }

    /// Is this the last line, and the end marker with blanks before it? In a hunk any other such line is
    /// context; the last one can be nothing else.
    pub(super) fn is_padded_end(&self) -> bool {
        self.conventions == Conventions::Codex
            && self.stars(Indent::Padding) == Some(Stars::End)
            && self
                .lines
                .get(self.at.saturating_add(1)..self.end)
                .unwrap_or_default()
                .iter()
                .all(|line| line.trim().is_empty())
    }

    /// The line under the cursor is not what the grammar expects.
    pub(super) fn fault(&self, expected: Grammar) -> Refusal {
        self.fault_at(self.number(), expected)
    }

    /// The line with this 1-based number is not what the grammar expects.
    pub(super) fn fault_at(&self, line: usize, expected: Grammar) -> Refusal {
        fault_at(&self.lines, line, expected)
    }
}

//! The lines of a diff, one under the cursor at a time.

use crate::dialect::envelope::{Notes, Reading};
use crate::dialect::fault::fault_at;
use crate::refusal::{Grammar, Refusal};

pub(super) struct Lines<'t> {
    /// Without `\n` and one `\r` before it.
    texts: Vec<&'t str>,
    /// Which of them had that `\r`.
    returns: Vec<bool>,
    at: usize,
    /// Does the last line end?
    ended: bool,
    pub(super) notes: Notes,
}

impl<'t> Lines<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        let (mut texts, mut returns) = (Vec::new(), Vec::new());
        for whole in text.split_inclusive('\n') {
            let crlf = whole.strip_suffix("\r\n");
            texts.push(crlf.or(whole.strip_suffix('\n')).unwrap_or(whole));
            returns.push(crlf.is_some());
        }
        Self { texts, returns, at: 0, ended: text.ends_with('\n'), notes: Notes::default() }
    }

    pub(super) fn peek(&self) -> Option<&'t str> {
        self.texts.get(self.at).copied()
    }

    /// The line so many below the one under the cursor.
    pub(super) fn beyond(&self, count: usize) -> Option<&'t str> {
        self.texts.get(self.at.saturating_add(count)).copied()
    }

    /// Did the line under the cursor end in `\r\n`?
    pub(super) fn returns(&self) -> bool {
        self.returns.get(self.at).copied().unwrap_or_default()
    }

    /// Did the text stop in the middle of the line above the cursor, as far as can be told?
    pub(super) fn stops_short(&self) -> bool {
        self.at == self.texts.len() && !self.ended
    }

    /// The 1-based number of the line under the cursor.
    pub(super) fn number(&self) -> usize {
        self.at.saturating_add(1)
    }

    pub(super) fn take(&mut self) {
        self.at = self.number();
    }

    /// Takes a line that is not part of a file's text.
    pub(super) fn take_header(&mut self) {
        if self.returns() {
            self.notes.add(Reading::CrLf, self.number());
        }
        self.take();
    }

    /// Skips lines that hold nothing.
    pub(super) fn skip_blanks(&mut self) {
        while self.peek().is_some_and(|line| line.trim().is_empty()) {
            self.notes.add(Reading::SkippedBlank, self.number());
            self.take();
        }
    }

    /// Does a file's part begin so many lines below?
    pub(super) fn file_begins(&self, count: usize) -> bool {
        let begins = |at: usize, word: &str| self.beyond(at).is_some_and(|line| line.starts_with(word));
        begins(count, "diff --git ") || begins(count, "--- ") && begins(count.saturating_add(1), "+++ ")
    }

    /// The line under the cursor is not what the grammar expects.
    pub(super) fn fault(&self, expected: Grammar) -> Refusal {
        self.fault_at(self.number(), expected)
    }

    /// The line with this 1-based number is not what the grammar expects.
    pub(super) fn fault_at(&self, line: usize, expected: Grammar) -> Refusal {
        fault_at(&self.texts, line, expected)
    }
}

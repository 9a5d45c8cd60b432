//! What the caller says its lines are now, held against what they are.
//!
//! An anchor proves that a line is there, not that it is the one that was meant: a neighbour's anchor is as good.
//! Promises that a quoted text refuses or does nothing; it never picks a line.

use super::resolve::{Desk, cut};
use crate::anchor::line_hash;
use crate::intent::{LineDeed, LineOperation, Reach};
use crate::refusal::{AnchorFault, Candidate, WasRange};
use crate::seeded::{Bug, is_planted};
use std::ops::Range;

/// So many lines that do say what was quoted are listed.
const LISTED: usize = 5;

impl Desk<'_> {
    /// What is wrong with an operation's `was`, if anything; `span` has the lines that go, from 0.
    pub(super) fn was_fault(&mut self, operation: &LineOperation, span: &Range<usize>) -> Option<AnchorFault> {
        let was = operation.was.as_deref().filter(|_| !is_planted(Bug::WasIgnored))?;
        let touched = match operation.deed {
            LineDeed::InsertAfter => span.start.saturating_sub(1)..span.start,
            LineDeed::InsertBefore => span.start..span.start + 1,
            LineDeed::Replace | LineDeed::Delete => span.clone(),
        };
        let differs = |(at, said): &(usize, &String)| self.anchors.text(at + 1) != said.as_bytes();
        if let Some((at, said)) = touched.clone().zip(was).find(differs) {
            let range = range_of(operation, span);
            return Some(self.differs(at + 1, said, range));
        }
        // One line is the first of them; more are all of them.
        (was.len() > 1 && was.len() != touched.len())
            .then_some(AnchorFault::WasLength { quoted: was.len(), lines: (touched.start + 1, touched.end) })
    }

    /// What the line says, and which lines say what was quoted. For many faults of a call it is not looked.
    fn differs(&mut self, line: usize, said: &str, range: Option<WasRange>) -> AnchorFault {
        let quotable = std::str::from_utf8(self.anchors.text(line)).is_ok();
        let (mut found, mut lines) = (None, Vec::new());
        if let Some(left) = self.searches.checked_sub(1) {
            self.searches = left;
            lines = self.saying(said);
            let shown = self.anchors.shown(&[line]).pop();
            found = shown.map(|shown| Candidate { shown, preview: self.preview(line) });
        }
        let candidates = self.candidates(lines.get(..LISTED).unwrap_or(&lines));
        AnchorFault::WasDiffers { said: cut(said.as_bytes()), found, quotable, candidates, count: lines.len(), range }
    }

    /// The lines that say this, from 1.
    fn saying(&self, said: &str) -> Vec<usize> {
        let hash = line_hash(said.as_bytes());
        let alike = self.anchors.hashes().iter().zip(1..).filter(|(one, _)| **one == hash).map(|(_, line)| line);
        alike.filter(|line| self.anchors.text(*line) == said.as_bytes()).collect()
    }
}

/// What an operation on a range covers. Its ends are told apart later.
fn range_of(operation: &LineOperation, span: &Range<usize>) -> Option<WasRange> {
    let quoted = operation.was.as_ref().map_or(0, Vec::len);
    let range = WasRange { first: span.start + 1, last: span.end, quoted, swapped: false };
    matches!(operation.reach, Reach::Range { .. }).then_some(range)
}

//! Operations on lines whose place is known: from there to splices of the text, and to the record of what each changed.
//!
//! Promises that operations side by side come out as if each were alone, also where the last line of the
//! file has no newline.

use super::Change;
use crate::intent::LineDeed;
use crate::outcome::Correction;
use crate::sanity::Touched;
use crate::text::{FinalNewline, Numbered, Splice, Terminator, replace_lines};
use std::ops::Range;

/// An operation whose place is known.
pub(super) struct Placed<'a> {
    /// Which operation of the call, from 0.
    pub(super) index: usize,
    /// The lines that go, from 0, half-open; empty for an insert.
    pub(super) span: Range<usize>,
    /// The lines that come.
    pub(super) lines: &'a [String],
    pub(super) deed: LineDeed,
    /// What was put right.
    pub(super) correction: Option<Correction>,
}

impl Placed<'_> {
    pub(super) fn is_insert(&self) -> bool {
        matches!(self.deed, LineDeed::InsertAfter | LineDeed::InsertBefore)
    }
}

/// The splices of all operations, which come in the order of the text and apart.
pub(super) fn splices<'a>(index: &impl Numbered<'a>, placed: &[Placed<'_>]) -> Option<Vec<Splice>> {
    let (body, tail) = placed.split_at(tail(index, placed));
    let mut splices: Vec<Splice> = Vec::new();
    for one in body {
        push(&mut splices, replace_lines(index, one.span.clone(), &bytes(one), FinalNewline::Keep)?);
    }
    if let (Some(first), Some(last)) = (tail.first(), tail.last()) {
        let lines: Vec<&[u8]> = tail.iter().flat_map(|one| bytes(one)).collect();
        push(&mut splices, replace_lines(index, first.span.start..last.span.end, &lines, FinalNewline::Keep)?);
    }
    Some(splices)
}

/// Where the operations begin that are carried out as one, because they stand side by side at the end of a
/// file without a final newline: which of their lines is the last one, only all of them together tell.
fn tail<'a>(index: &impl Numbered<'a>, placed: &[Placed<'_>]) -> usize {
    let bare = index.line(index.count()).is_some_and(|line| line.terminator == Terminator::None);
    let mut from = placed.len();
    let mut next = index.count();
    while let Some(one) = from.checked_sub(1).and_then(|at| placed.get(at)).filter(|one| bare && one.span.end == next) {
        next = one.span.start;
        from -= 1;
        // What comes above new lines that take the place of old ones has no say in how the file ends.
        if !one.span.is_empty() && !one.lines.is_empty() {
            break;
        }
    }
    from
}

/// Splices that touch are one.
fn push(splices: &mut Vec<Splice>, splice: Splice) {
    match splices.last_mut() {
        Some(last) if last.range.end == splice.range.start => {
            last.range.end = splice.range.end;
            last.text.extend(splice.text);
        }
        _ => splices.push(splice),
    }
}

fn bytes<'a>(placed: &Placed<'a>) -> Vec<&'a [u8]> {
    placed.lines.iter().map(|line| line.as_bytes()).collect()
}

/// The lines that go and come, operations side by side as one.
pub(super) fn touched(placed: &[Placed<'_>]) -> Vec<Touched> {
    let mut all: Vec<Touched> = Vec::new();
    for (one, change) in placed.iter().zip(shifted(placed)) {
        let after = change..change + one.lines.len();
        match all.last_mut() {
            Some(last) if last.before.end == one.span.start => {
                last.before.end = one.span.end;
                last.after.end = after.end;
            }
            _ => all.push(Touched { before: one.span.clone(), after }),
        }
    }
    all
}

/// Each operation by the lines it touches, in the order of the call.
pub(super) fn changes(placed: &[Placed<'_>]) -> Vec<Change> {
    let mut changes: Vec<(usize, Change)> = placed
        .iter()
        .zip(shifted(placed))
        .map(|(one, after)| {
            let change = Change {
                before_line: one.span.start + 1,
                before_lines: one.span.len(),
                after_line: after + 1,
                after_lines: one.lines.len(),
                ..Change::default()
            };
            (one.index, change)
        })
        .collect();
    changes.sort_by_key(|(index, _)| *index);
    changes.into_iter().map(|(_, change)| change).collect()
}

/// Where the new lines of each operation begin in the new text, from 0.
pub(super) fn shifted(placed: &[Placed<'_>]) -> Vec<usize> {
    let (mut gone, mut come) = (0, 0);
    let each = placed.iter().map(|one| {
        let at = (one.span.start + come).saturating_sub(gone);
        gone += one.span.len();
        come += one.lines.len();
        at
    });
    each.collect()
}

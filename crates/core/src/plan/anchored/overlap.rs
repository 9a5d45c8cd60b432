//! Operations that want the same lines.

use crate::intent::{LineOperation, Reach};
use crate::plan::placed::Placed;
use crate::refusal::{AnchorFault, OperationFault, OperationField};

/// Notes every operation that meets another. They come sorted by where they begin, inserts first.
pub(super) fn find(placed: &[Placed<'_>], operations: &[LineOperation], faults: &mut Vec<OperationFault>) {
    let mut widest: Option<&Placed<'_>> = None;
    for one in placed {
        if let Some(other) = widest.filter(|other| one.span.start < other.span.end) {
            faults.push(fault(one, other, operations));
        }
        let wider = widest.is_none_or(|other| one.span.end > other.span.end);
        if !one.is_insert() && wider {
            widest = Some(one);
        }
    }
}

/// The one that comes later in the call is to blame.
fn fault(one: &Placed<'_>, other: &Placed<'_>, operations: &[LineOperation]) -> OperationFault {
    let (later, earlier) = if one.index > other.index { (one, other) } else { (other, one) };
    let (field, anchor) = match operations.get(later.index).map(|operation| operation.reach) {
        Some(Reach::Line { anchor, .. }) => (OperationField::Hash, anchor.form.to_string()),
        Some(Reach::Range { start, .. }) => (OperationField::StartHash, start.form.to_string()),
        None => (OperationField::Op, String::new()),
    };
    let fault = AnchorFault::Overlap { other: earlier.index, lines: lines(later), other_lines: lines(earlier) };
    OperationFault { index: later.index, field, anchor, fault }
}

/// The lines that an operation wants, from 1; of an insert, those that it would part.
fn lines(placed: &Placed<'_>) -> (usize, usize) {
    match placed.is_insert() {
        true => (placed.span.start, placed.span.start + 1),
        false => (placed.span.start + 1, placed.span.end),
    }
}

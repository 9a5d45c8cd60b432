//! Where a change stands, in numbers: the lines that it claims, and its rank from top to bottom.

use crate::refusal::LinePlace;
use std::ops::Range;

/// The lines that go, from 0, half-open; empty for an insert. Nothing for a range that is none.
pub(super) fn span(place: LinePlace) -> Option<Range<usize>> {
    match place {
        LinePlace::Insert { after } => Some(after..after),
        LinePlace::Replace { first, last } | LinePlace::Delete { first, last } => {
            let start = first.checked_sub(1)?;
            (start < last).then_some(start..last)
        }
    }
}

/// The number by which changes are ordered.
pub(super) fn rank(place: LinePlace) -> usize {
    match place {
        LinePlace::Insert { after } => after,
        LinePlace::Replace { first, .. } | LinePlace::Delete { first, .. } => first,
    }
}

pub(super) fn is_insert(place: LinePlace) -> bool {
    matches!(place, LinePlace::Insert { .. })
}

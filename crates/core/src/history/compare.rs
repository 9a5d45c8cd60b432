//! Which lines of one version are which of another, when nothing is known but the two. Leaves versions whose
//! changes are on record to the tape.

use super::{RawLines, Span};
use crate::diff::script;
use std::collections::HashMap;

/// What is different between two versions, without regard to terminators: the lines of the one and those of the
/// other that stand in their place, in order.
pub fn differences(old: &RawLines<'_>, new: &RawLines<'_>) -> Vec<(Span, Span)> {
    let mut numbers: HashMap<&[u8], usize> = HashMap::new();
    let mut number = |line| {
        let next = numbers.len();
        *numbers.entry(line).or_insert(next)
    };
    let old: Vec<usize> = (0..old.len()).map(|at| number(old.text(at))).collect();
    let new: Vec<usize> = (0..new.len()).map(|at| number(new.text(at))).collect();
    let span = |range: std::ops::Range<usize>| Span { first: range.start, count: range.len() };
    script::changes(&old, &new).into_iter().map(|change| (span(change.old), span(change.new))).collect()
}

/// For each line of the new version, which line of the old one it is, if any.
///
/// ```
/// use patchwright_core::history::{RawLines, same_lines};
/// let (old, new) = (RawLines::of(b"a\nb\nc\n"), RawLines::of(b"a\nx\nc\n"));
/// assert_eq!(same_lines(&old, &new), [Some(0), None, Some(2)]);
/// ```
pub fn same_lines(old: &RawLines<'_>, new: &RawLines<'_>) -> Vec<Option<usize>> {
    let mut same = Vec::with_capacity(new.len());
    let mut next = 0;
    for (gone, came) in differences(old, new) {
        same.extend((next..gone.first).map(Some));
        same.extend(std::iter::repeat_n(None, came.count));
        next = gone.end();
    }
    same.extend((next..old.len()).map(Some));
    same.truncate(new.len());
    same
}

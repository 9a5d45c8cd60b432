//! Which lines of one version are which of another, when nothing is known but the two. Leaves versions whose
//! changes are on record to the tape.

use super::{RawLines, Span};
use crate::diff::script;
use std::collections::HashMap;

/// What is different between two versions, terminators and all: the lines of the one and those of the other that
/// stand in their place, in order. Lines of which it is not certain which they are count as different.
///
/// ```
/// use patchwright_core::history::{RawLines, Span, differences};
/// let (old, new) = (RawLines::of(b"a\n0\n0\nb\n"), RawLines::of(b"a\n0\nb\n"));
/// assert_eq!(differences(&old, &new), [(Span { first: 1, count: 2 }, Span { first: 1, count: 1 })]);
/// ```
pub fn differences(old: &RawLines<'_>, new: &RawLines<'_>) -> Vec<(Span, Span)> {
    let mut numbers = HashMap::new();
    let old: Vec<usize> = old.iter().map(|line| number(&mut numbers, line)).collect();
    let new: Vec<usize> = new.iter().map(|line| number(&mut numbers, line)).collect();
    let span = |range: std::ops::Range<usize>| Span { first: range.start, count: range.len() };
    script::certain(&old, &new).into_iter().map(|change| (span(change.old), span(change.new))).collect()
}

/// For each line of the new version, which line of the old one it is likely to be, if any; terminators aside.
///
/// ```
/// use patchwright_core::history::{RawLines, same_lines};
/// let (old, new) = (RawLines::of(b"a\nb\nc\n"), RawLines::of(b"a\nx\nc\n"));
/// assert_eq!(same_lines(&old, &new), [Some(0), None, Some(2)]);
/// ```
pub fn same_lines(old: &RawLines<'_>, new: &RawLines<'_>) -> Vec<Option<usize>> {
    let mut numbers = HashMap::new();
    let before: Vec<usize> = (0..old.len()).map(|at| number(&mut numbers, old.text(at))).collect();
    let after: Vec<usize> = (0..new.len()).map(|at| number(&mut numbers, new.text(at))).collect();
    let mut same = Vec::with_capacity(new.len());
    let mut next = 0;
    for change in script::changes(&before, &after) {
        same.extend((next..change.old.start).map(Some));
        same.extend(std::iter::repeat_n(None, change.new.len()));
        next = change.old.end;
    }
    same.extend((next..old.len()).map(Some));
    same.truncate(new.len());
    same
}

/// Equal lines have equal numbers.
fn number<'a>(numbers: &mut HashMap<&'a [u8], usize>, line: &'a [u8]) -> usize {
    let next = numbers.len();
    *numbers.entry(line).or_insert(next)
}

//! Which lines of one version are which of another, when nothing is known but the two. Leaves versions whose
//! changes are on record to the tape.

use super::{RawLines, Span};
use crate::diff::script;
use std::collections::HashMap;
use std::ops::Range;

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

/// The stretches that two versions have in common, each from 0 and half-open, in order: of lines that are known by
/// their hashes.
///
/// ```
/// use patchwright_core::history::same_runs;
/// assert_eq!(same_runs(&[1, 2, 3, 4], &[1, 9, 3, 4]), [(0..1, 0..1), (2..4, 2..4)]);
/// ```
pub fn same_runs(old: &[u64], new: &[u64]) -> Vec<(Range<usize>, Range<usize>)> {
    let mut numbers = HashMap::new();
    let mut number = |hash: &u64| {
        let next = numbers.len();
        *numbers.entry(*hash).or_insert(next)
    };
    let before: Vec<usize> = old.iter().map(&mut number).collect();
    let after: Vec<usize> = new.iter().map(&mut number).collect();
    let mut runs = Vec::new();
    let mut next = (0, 0);
    for change in script::changes(&before, &after) {
        runs.push((next.0..change.old.start, next.1..change.new.start));
        next = (change.old.end, change.new.end);
    }
    runs.push((next.0..old.len(), next.1..new.len()));
    runs.retain(|(was, _)| !was.is_empty());
    runs
}

/// Equal lines have equal numbers.
fn number<'a>(numbers: &mut HashMap<&'a [u8], usize>, line: &'a [u8]) -> usize {
    let next = numbers.len();
    *numbers.entry(line).or_insert(next)
}

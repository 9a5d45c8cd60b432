//! Edits by whole lines, for the record.
//!
//! Promises that everything outside the spans is the same before and after, byte for byte, and that spans are
//! apart or identical: edits that share a line share their span. Whole lines at the edges of a span that stay
//! as they are do not belong to it.

use super::Change;
use crate::diff::script;
use crate::history::RawLines;
use crate::text::{LineIndex, Splice, Splices};
use std::collections::HashMap;
use std::ops::Range;

/// Each splice by the lines it touches, before and after, in the order of the text.
pub(super) fn changes(index: &LineIndex<'_>, splices: &Splices) -> Vec<Change> {
    let mut changes = Vec::with_capacity(splices.as_slice().len());
    let mut shift = 0_isize;
    for region in regions(index, splices.as_slice()) {
        let change = region.change(index, &mut shift);
        changes.extend(region.splices.iter().map(|_| change.clone()));
    }
    changes
}

/// What differs between a file and what is written over it, hunk by hunk. One change over all where lines are
/// not to be told.
pub(super) fn hunks(before: &[u8], after: &[u8]) -> Vec<Change> {
    let is_text = |bytes: &[u8]| RawLines::is_wide(bytes) || memchr::memchr(0, bytes).is_none();
    let (old, new) = (RawLines::of(before), RawLines::of(after));
    let alike = RawLines::is_wide(before) == RawLines::is_wide(after) && old.mark() == new.mark();
    if before.is_empty() || after.is_empty() || !alike || !is_text(before) || !is_text(after) {
        return vec![Change::whole(before, after)];
    }
    let mut numbers: HashMap<&[u8], usize> = HashMap::new();
    let mut number = |line| {
        let next = numbers.len();
        *numbers.entry(line).or_insert(next)
    };
    let old: Vec<usize> = old.iter().map(&mut number).collect();
    let new: Vec<usize> = new.iter().map(&mut number).collect();
    script::certain(&old, &new).into_iter().map(|change| spanned(change.old, change.new)).collect()
}

/// Makes spans identical that overlap, so that they are apart or identical.
pub(super) fn settle(changes: &mut [Change]) {
    let mut order: Vec<usize> = (0..changes.len()).collect();
    let key =
        |at: &usize| changes.get(*at).map(|one| (one.before_line, one.after_line, one.before_lines, one.after_lines));
    order.sort_by_key(key);
    let mut blocks: Vec<(Change, usize)> = Vec::new();
    for one in order.iter().filter_map(|at| changes.get(*at)) {
        match blocks.last_mut() {
            Some((block, count)) if overlap(block, one) => {
                let ends = (end(block).0.max(end(one).0), end(block).1.max(end(one).1));
                block.after_line = block.after_line.min(one.after_line);
                (block.before_lines, block.after_lines) = (ends.0 - block.before_line, ends.1 - block.after_line);
                *count += 1;
            }
            _ => blocks.push((one.clone(), 1)),
        }
    }
    let all = blocks.iter().flat_map(|(block, count)| std::iter::repeat_n(block, *count));
    for (at, block) in order.iter().zip(all) {
        if let Some(one) = changes.get_mut(*at) {
            (one.before_line, one.before_lines) = (block.before_line, block.before_lines);
            (one.after_line, one.after_lines) = (block.after_line, block.after_lines);
        }
    }
}

/// Does a change reach into a block that begins no later?
fn overlap(block: &Change, one: &Change) -> bool {
    one.before_line < end(block).0 || one.after_line < end(block).1
}

/// The lines below a change, before and after.
fn end(change: &Change) -> (usize, usize) {
    (change.before_line.saturating_add(change.before_lines), change.after_line.saturating_add(change.after_lines))
}

/// Lines counted from 0 as a change.
fn spanned(old: Range<usize>, new: Range<usize>) -> Change {
    Change {
        before_line: old.start + 1,
        before_lines: old.len(),
        after_line: new.start + 1,
        after_lines: new.len(),
        ..Change::default()
    }
}

/// Whole lines of the old text, and the splices within them.
struct Region<'a> {
    range: Range<usize>,
    splices: &'a [Splice],
}

/// Splices by the lines they touch; those that share a line together.
fn regions<'a>(index: &LineIndex<'_>, splices: &'a [Splice]) -> Vec<Region<'a>> {
    let mut regions: Vec<Region<'a>> = Vec::new();
    let mut first = 0;
    for (at, splice) in splices.iter().enumerate() {
        let lines = whole_lines(index, splice);
        if let Some(last) = regions.last_mut() {
            last.close(index, splice.range.start);
        }
        match regions.last_mut() {
            Some(last) if lines.start < last.range.end || last.is_open(index) => {
                last.range.end = last.range.end.max(lines.end);
                last.splices = splices.get(first..=at).unwrap_or_default();
            }
            _ => {
                first = at;
                regions.push(Region { range: lines, splices: splices.get(at..=at).unwrap_or_default() });
            }
        }
    }
    if let Some(last) = regions.last_mut() {
        last.close(index, usize::MAX);
    }
    regions
}

/// The lines that a splice touches. None where whole lines come between two.
fn whole_lines(index: &LineIndex<'_>, splice: &Splice) -> Range<usize> {
    let text = index.bytes();
    let line = |at: usize| index.range(index.line_at(at)).unwrap_or(text.len()..text.len());
    let start = line(splice.range.start).start.min(splice.range.start);
    let whole = match splice.text.last() {
        Some(last) => *last == b'\n',
        None => start == splice.range.start,
    };
    let below = line(splice.range.end);
    if below.start == splice.range.end && whole { start..splice.range.end } else { start..below.end }
}

impl Region<'_> {
    /// Does what it brings run on into the line below?
    fn is_open(&self, index: &LineIndex<'_>) -> bool {
        let mut end = self.range.end;
        for splice in self.splices.iter().rev() {
            let kept = index.bytes().get(splice.range.end..end).unwrap_or_default();
            if let Some(last) = kept.last().or(splice.text.last()) {
                return *last != b'\n';
            }
            end = splice.range.start;
        }
        index.bytes().get(self.range.start..end).is_some_and(|kept| kept.last().is_some_and(|last| *last != b'\n'))
    }

    /// Takes the line below in, if this runs on into it and the next splice is further down.
    fn close(&mut self, index: &LineIndex<'_>, next: usize) {
        if next > self.range.end && self.is_open(index) {
            let below = index.range(index.line_at(self.range.end));
            self.range.end = below.map_or(self.range.end, |line| line.end.max(self.range.end));
        }
    }

    /// What becomes of it.
    fn text(&self, index: &LineIndex<'_>) -> Vec<u8> {
        let (mut text, mut done) = (Vec::new(), self.range.start);
        for splice in self.splices {
            text.extend_from_slice(index.bytes().get(done..splice.range.start).unwrap_or_default());
            text.extend_from_slice(&splice.text);
            done = splice.range.end;
        }
        text.extend_from_slice(index.bytes().get(done..self.range.end).unwrap_or_default());
        text
    }

    /// Its lines, but for those at its edges that stay. `shift` is by how many lines what is above has grown.
    fn change(&self, index: &LineIndex<'_>, shift: &mut isize) -> Change {
        let text = self.text(index);
        let old: Vec<&[u8]> = lines(index.bytes().get(self.range.clone()).unwrap_or_default());
        let new: Vec<&[u8]> = lines(&text);
        let head = old.iter().zip(&new).take_while(|(one, two)| one == two).count();
        let rest = old.iter().skip(head).rev().zip(new.iter().skip(head).rev());
        let foot = rest.take_while(|(one, two)| one == two).count();
        let first = index.line_at(self.range.start).saturating_sub(1) + head;
        let after = first.saturating_add_signed(*shift);
        let (gone, come) = (old.len() - head - foot, new.len() - head - foot);
        *shift += isize::try_from(come).unwrap_or(0) - isize::try_from(gone).unwrap_or(0);
        spanned(first..first + gone, after..after + come)
    }
}

fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The lines of `after` in the spans, put among the lines of `before`, are `after`; spans are apart or
    /// identical.
    fn check(before: &[u8], after: &[u8], changes: &[Change]) {
        let (old, new) = (lines(before), lines(after));
        let mut spans: Vec<_> = changes
            .iter()
            .map(|one| (one.before_line - 1, one.before_lines, one.after_line - 1, one.after_lines))
            .collect();
        spans.dedup();
        let (mut built, mut done) = (Vec::new(), 0);
        for (first, gone, at, come) in spans {
            assert!(first >= done, "{before:?} {after:?} {changes:?}");
            built.extend_from_slice(&old[done..first]);
            assert_eq!(built.len(), at, "{before:?} {after:?} {changes:?}");
            built.extend_from_slice(&new[at..at + come]);
            done = first + gone;
        }
        built.extend_from_slice(&old[done..]);
        assert_eq!(built, new, "{before:?} {after:?} {changes:?}");
    }

    fn told(text: &str, edits: &[(usize, usize, &str)], want: &[(usize, usize, usize, usize)]) {
        let given = edits.iter().map(|&(start, end, text)| Splice { range: start..end, text: text.into() });
        let splices = Splices::new(given.collect()).unwrap();
        let changes = changes(&LineIndex::of(text.as_bytes()), &splices);
        check(text.as_bytes(), &splices.apply(text.as_bytes()).unwrap(), &changes);
        let line = |one: &Change| (one.before_line, one.before_lines, one.after_line, one.after_lines);
        assert_eq!(changes.iter().map(line).collect::<Vec<_>>(), want, "{text:?} {edits:?}");
    }

    #[test]
    fn splices_by_lines() {
        told("a\nb\nc\n", &[(2, 3, "x")], &[(2, 1, 2, 1)]);
        told("a\nb\nc\n", &[(2, 4, "")], &[(2, 1, 2, 0)]); // a whole line
        told("a\nb\nc\n", &[(2, 2, "x\n")], &[(2, 0, 2, 1)]); // whole lines between two
        told("a\nb\nc\n", &[(3, 3, "\nx")], &[(3, 0, 3, 1)]); // the same, said from the line above
        told("a\nb\nc\n", &[(1, 2, "")], &[(1, 2, 1, 1)]); // two lines become one
        told("ab\n", &[(0, 1, "x"), (1, 2, "y")], &[(1, 1, 1, 1), (1, 1, 1, 1)]); // they share the line
        told("a\nb\n", &[(0, 1, "x\ny"), (2, 3, "z")], &[(1, 1, 1, 2), (2, 1, 3, 1)]);
        told("a", &[(1, 1, "\nb")], &[(1, 1, 1, 2)]); // the last line gets its newline
        told("a\n", &[(2, 2, "b")], &[(2, 0, 2, 1)]);
        told("", &[(0, 0, "a\n")], &[(1, 0, 1, 1)]);
        told("a\nb\n", &[(0, 1, "a")], &[(2, 0, 2, 0)]); // nothing
    }

    #[test]
    fn written_files_by_hunks() {
        let told = |before: &[u8], after: &[u8], want: &[(usize, usize, usize, usize)]| {
            let line = |one: &Change| (one.before_line, one.before_lines, one.after_line, one.after_lines);
            assert_eq!(hunks(before, after).iter().map(line).collect::<Vec<_>>(), want, "{before:?} {after:?}");
        };
        told(b"a\nb\nc\nd\n", b"a\nx\nc\n", &[(2, 1, 2, 1), (4, 1, 4, 0)]);
        told(b"a\nb", b"a\nb\n", &[(2, 1, 2, 1)]); // the final newline
        told(b"", b"a\nb\n", &[(1, 0, 1, 2)]);
        told(b"a\n\0\nb\n", b"a\nb\n", &[(1, 3, 1, 2)]); // no text
        told(b"\xff\xfea\0\n\0b\0\n\0", b"\xff\xfea\0\n\0c\0\n\0", &[(2, 1, 2, 1)]);
        told(b"a\nb\n", b"\xef\xbb\xbfa\nb\n", &[(1, 2, 1, 2)]); // the mark changes
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn everything_outside_is_the_same(
            text in "[ab\r\n]{0,14}", cuts in prop::collection::vec((0..15_usize, "[ab\r\n]{0,3}"), 0..9),
        ) {
            let mut cuts: Vec<(usize, String)> = cuts.into_iter().map(|(at, new)| (at.min(text.len()), new)).collect();
            cuts.sort_by_key(|cut| cut.0);
            let given = cuts.chunks_exact(2).map(|two| Splice { range: two[0].0..two[1].0, text: two[0].1.clone().into() });
            let splices = Splices::new(given.collect()).unwrap();
            let after = splices.apply(text.as_bytes()).unwrap();
            check(text.as_bytes(), &after, &changes(&LineIndex::of(text.as_bytes()), &splices));
            check(text.as_bytes(), &after, &hunks(text.as_bytes(), &after));
        }
    }
}

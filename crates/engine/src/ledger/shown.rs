//! Which lines of one version of a file a session was shown.
//!
//! Promises that a line counts only if its whole text was shown. Whatever cannot be known, or is too much to be kept,
//! counts as not shown.

use patchwright_core::history::same_runs;
use std::ops::Range;

/// Of one file, so many stretches are kept; of more, the shortest go.
const STRETCHES: usize = 64;

/// Which lines of one version of a file were shown. Nothing, by default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shown {
    /// From 0, half-open, in order and apart. All of a file ends at [`usize::MAX`].
    spans: Vec<Range<usize>>,
    /// How the bytes were decoded when lines were counted, where that was said.
    charset: Option<String>,
    /// How many lines there are, where that is known.
    count: Option<usize>,
}

impl Shown {
    /// All lines, however many there are.
    pub(crate) fn all() -> Shown {
        Shown { spans: std::iter::once(0..usize::MAX).collect(), ..Shown::default() }
    }

    /// Some lines of a file with so many, as a reading in this charset counts them.
    pub(crate) fn read(span: Range<usize>, charset: &str, count: usize) -> Shown {
        let end = span.end.min(count);
        let mut shown = Shown { charset: Some(charset.to_owned()), count: Some(count), ..Shown::default() };
        shown.add(span.start..end);
        shown
    }

    /// How lines were counted, where that was said.
    pub(crate) fn charset(&self) -> Option<String> {
        self.charset.clone()
    }

    /// Were all lines shown?
    pub(crate) fn is_all(&self) -> bool {
        let end = self.count.unwrap_or(usize::MAX);
        end == 0 || matches!(self.spans.as_slice(), [one] if one.start == 0 && one.end >= end)
    }

    /// Was every line of a range shown?
    pub(crate) fn has(&self, range: &Range<usize>) -> bool {
        range.is_empty() || self.spans.iter().any(|span| span.start <= range.start && range.end <= span.end)
    }

    /// The lines that were not shown, from 0; up to the count that is given if none is known.
    pub(crate) fn missing(&self, count: usize) -> Vec<Range<usize>> {
        let count = self.count.unwrap_or(count);
        let starts = std::iter::once(0).chain(self.spans.iter().map(|span| span.end));
        let ends = self.spans.iter().map(|span| span.start).chain(std::iter::once(count));
        starts.zip(ends).map(|(start, end)| start..end.min(count)).filter(|gap| !gap.is_empty()).collect()
    }

    /// A further reading of the same bytes.
    pub(crate) fn join(&mut self, other: Shown) {
        if self.is_all() {
            return;
        }
        // Lines that were counted otherwise are other lines.
        if other.is_all() || (&self.charset, self.count) != (&other.charset, other.count) {
            *self = other;
        } else {
            other.spans.into_iter().for_each(|span| self.add(span));
        }
    }

    /// These lines are shown, too.
    pub(crate) fn add(&mut self, span: Range<usize>) {
        if span.is_empty() {
            return;
        }
        let apart = |one: &Range<usize>| one.end < span.start || span.end < one.start;
        let (mut kept, met): (Vec<_>, Vec<_>) = self.spans.drain(..).partition(apart);
        let start = met.iter().map(|one| one.start).chain([span.start]).min().unwrap_or(span.start);
        let end = met.iter().map(|one| one.end).chain([span.end]).max().unwrap_or(span.end);
        kept.push(start..end);
        kept.sort_unstable_by_key(|one| one.start);
        if kept.len() > STRETCHES {
            let shortest = kept.iter().enumerate().min_by_key(|(_, one)| one.len()).map(|(at, _)| at);
            shortest.map(|at| kept.remove(at));
        }
        self.spans = kept;
    }

    /// This line is not shown any more.
    fn hide(&mut self, line: usize) {
        let around =
            |span: Range<usize>| [span.start..span.end.min(line), span.start.max(line.saturating_add(1))..span.end];
        self.spans = self.spans.drain(..).flat_map(around).filter(|span| !span.is_empty()).collect();
    }

    /// The same for a version that somebody else made: where lines went, those that now stand beside each other are not
    /// shown, so that whoever has seen all lines has seen that nothing stands between them.
    pub(crate) fn carried_over(&self, old: Option<&[u64]>, new: Option<&[u64]>, charset: Option<String>) -> Shown {
        let mut carried = self.carried(old, new, charset);
        let (Some(old), Some(new)) = (old, new) else { return carried };
        let runs = same_runs(old, new);
        let ends = std::iter::once((0, 0)).chain(runs.iter().map(|(was, now)| (was.end, now.end)));
        let starts = runs.iter().map(|(was, now)| (was.start, now.start)).chain([(old.len(), new.len())]);
        for ((was_end, now_end), (was, now)) in ends.zip(starts) {
            if was_end < was && now_end == now {
                now.checked_sub(1).into_iter().chain([now]).for_each(|line| carried.hide(line));
            }
        }
        carried
    }

    /// What was shown of one version, as far as it stands in another: lines with the same text, in the same order.
    pub(crate) fn carried(&self, old: Option<&[u64]>, new: Option<&[u64]>, charset: Option<String>) -> Shown {
        let count = new.map(<[u64]>::len);
        let mut carried = Shown { spans: Vec::new(), charset: charset.or_else(|| self.charset.clone()), count };
        let (Some(old), Some(new)) = (old, new) else { return carried };
        if self.spans.is_empty() || self.count.is_some_and(|count| count != old.len()) {
            return carried;
        }
        for (was, now) in same_runs(old, new) {
            for span in &self.spans {
                let (start, end) = (span.start.max(was.start), span.end.min(was.end));
                if start < end {
                    carried.add(now.start + (start - was.start)..now.start + (end - was.start));
                }
            }
        }
        carried
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Reads slices of a file with ten lines, and says which lines are still missing.
    fn check(slices: &[(usize, usize)], missing: &[(usize, usize)]) {
        let mut shown = Shown::default();
        for (start, end) in slices {
            shown.join(Shown::read(*start..*end, "utf-8", 10));
        }
        let got: Vec<(usize, usize)> = shown.missing(10).iter().map(|gap| (gap.start, gap.end)).collect();
        assert_eq!(got, missing, "{slices:?}");
        assert_eq!(shown.is_all(), missing.is_empty(), "{slices:?}");
    }

    #[test]
    fn slices_add_up() {
        check(&[], &[(0, 10)]);
        check(&[(0, 10)], &[]);
        check(&[(0, 5), (5, 10)], &[]);
        check(&[(5, 10), (0, 5)], &[]);
        check(&[(0, 6), (4, 10)], &[]); // ends that overlap
        check(&[(0, 5), (6, 10)], &[(5, 6)]);
        check(&[(2, 3), (6, 7), (0, 1)], &[(1, 2), (3, 6), (7, 10)]);
        check(&[(0, 1), (0, 1), (0, 1)], &[(1, 10)]); // the same one over and over
        check(&[(10, 99)], &[(0, 10)]); // beyond the end
        check(&[(50, 10)], &[(0, 10)]);
        check(&[(3, 3)], &[(0, 10)]); // empty
        check(&[(1, 99)], &[(0, 1)]);
    }

    #[test]
    fn lines_that_were_counted_otherwise_are_other_lines() {
        let mut shown = Shown::read(0..1, "utf-16le", 2);
        shown.join(Shown::read(1..2, "utf-16be", 2));
        assert!(!shown.is_all());
        shown.join(Shown::read(0..2, "utf-8", 3));
        assert_eq!(shown.missing(3), std::iter::once(2..3).collect::<Vec<_>>());
        shown.join(Shown::all());
        shown.join(Shown::read(0..1, "utf-8", 3));
        assert!(shown.is_all());
    }

    #[test]
    fn too_many_stretches_are_forgotten() {
        let mut shown = Shown::default();
        for at in 0..1000 {
            shown.join(Shown::read(at * 3..at * 3 + 2, "utf-8", 3000));
        }
        assert_eq!(shown.spans.len(), STRETCHES);
        assert!(!shown.is_all());
    }

    proptest! {
        /// What is carried over has the same text as a line that was shown.
        #[test]
        fn nothing_unseen_is_carried(
            old in prop::collection::vec(0..6_u64, 0..20), new in prop::collection::vec(0..6_u64, 0..20),
            slices in prop::collection::vec((0..20_usize, 0..20_usize), 0..4),
        ) {
            let mut shown = Shown::default();
            for (start, end) in slices {
                shown.join(Shown::read(start..end, "utf-8", old.len()));
            }
            let carried = shown.carried(Some(&old), Some(&new), None);
            for (at, line) in new.iter().enumerate() {
                let known = (0..old.len()).any(|was| old[was] == *line && shown.has(&(was..was + 1)));
                prop_assert!(known || !carried.has(&(at..at + 1)), "{at}");
            }
            if old == new && !old.is_empty() {
                prop_assert_eq!(carried.missing(0), shown.missing(old.len()));
            }
        }
    }
}

//! Which lines changed, by number: the script behind a diff.
//!
//! Promises that everything outside the changes is equal, line by line, and that the work is
//! bounded by the input: lines unique to both sides pin the script down, the stretches between
//! them go to Myers' algorithm as long as there is allowance, and as a whole after that.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// Pairs of lines that Myers' algorithm may at worst have to compare, in all stretches together.
const ALLOWANCE: usize = 32 << 20;
/// Stretches up to this many pairs are compared at once, without looking for unique lines.
const SMALL: usize = 1 << 20;

/// Lines that went and the lines that came in their place, both as indices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) old: Range<usize>,
    pub(crate) new: Range<usize>,
}

/// What turns `old` into `new`. Equal numbers are equal lines; the numbers have no great gaps.
pub(crate) fn changes(old: &[usize], new: &[usize]) -> Vec<Change> {
    let mut script = Script { old, new, allowance: ALLOWANCE, changes: Vec::new() };
    let whole = script.trimmed(0..old.len(), 0..new.len());
    if whole.old.len().saturating_mul(whole.new.len()) <= SMALL {
        script.compare(whole);
    } else {
        script.between_pins(whole);
    }
    script.changes
}

/// The same, with every line taken for changed of which it is not certain which one of the other side it is: lines
/// that could as well be paired with equal ones, since a change could stand a little higher or lower, and stretches
/// of equal lines between changes without any line that both sides have exactly once.
pub(crate) fn certain(old: &[usize], new: &[usize]) -> Vec<Change> {
    let (old_places, new_places) = (places(old), places(new));
    let once = |places: &[Place], line: usize| matches!(places.get(line), Some(Place::Once(_)));
    let pinned =
        |range: Range<usize>| part(old, &range).iter().any(|line| once(&old_places, *line) && once(&new_places, *line));
    let found = changes(old, new);
    let mut wide: Vec<Change> = Vec::new();
    for (at, change) in found.iter().enumerate() {
        let above = at.checked_sub(1).and_then(|at| found.get(at)).map_or(0, |before| before.old.end);
        let below = found.get(at + 1).map_or(old.len(), |next| next.old.start);
        let change = slid(old, new, change.clone(), above..below);
        match wide.last_mut() {
            Some(last) if !pinned(last.old.end..change.old.start) => {
                (last.old.end, last.new.end) = (change.old.end, change.new.end);
            }
            _ => wide.push(change),
        }
    }
    wide
}

/// A change with the equal lines over which it could be moved, as far as no other is met.
fn slid(old: &[usize], new: &[usize], mut change: Change, room: Range<usize>) -> Change {
    let (lines, at) = match (change.old.is_empty(), change.new.is_empty()) {
        (true, false) => (new, change.new.clone()),
        (false, true) => (old, change.old.clone()),
        _ => return change,
    };
    let (block, upper) = (at.len(), change.old.start.saturating_sub(room.start));
    let lower = room.end.saturating_sub(change.old.end);
    let up = (0..at.start).rev().take(upper).take_while(|line| lines.get(*line) == lines.get(line + block)).count();
    let down = (at.end..lines.len()).take(lower).take_while(|line| lines.get(*line) == lines.get(line - block)).count();
    (change.old.start, change.new.start) = (change.old.start - up, change.new.start - up);
    (change.old.end, change.new.end) = (change.old.end + down, change.new.end + down);
    change
}

struct Script<'a> {
    old: &'a [usize],
    new: &'a [usize],
    allowance: usize,
    changes: Vec<Change>,
}

impl Script<'_> {
    fn between_pins(&mut self, whole: Change) {
        let (mut old, mut new) = (whole.old.start, whole.new.start);
        for (old_pin, new_pin) in pins(part(self.old, &whole.old), part(self.new, &whole.new)) {
            let (old_pin, new_pin) = (whole.old.start + old_pin, whole.new.start + new_pin);
            let stretch = self.trimmed(old..old_pin, new..new_pin);
            self.compare(stretch);
            (old, new) = (old_pin + 1, new_pin + 1);
        }
        let stretch = self.trimmed(old..whole.old.end, new..whole.new.end);
        self.compare(stretch);
    }

    /// Leaves out what is equal at both ends.
    fn trimmed(&self, mut old: Range<usize>, mut new: Range<usize>) -> Change {
        let (one, two) = (part(self.old, &old), part(self.new, &new));
        let head = one.iter().zip(two).take_while(|(a, b)| a == b).count();
        let rest = one.iter().skip(head).rev().zip(two.iter().skip(head).rev());
        let foot = rest.take_while(|(a, b)| a == b).count();
        (old.start, new.start) = (old.start + head, new.start + head);
        (old.end, new.end) = (old.end - foot, new.end - foot);
        Change { old, new }
    }

    fn compare(&mut self, stretch: Change) {
        let cost = stretch.old.len().saturating_mul(stretch.new.len());
        if cost == 0 || cost > self.allowance {
            return self.add(stretch);
        }
        self.allowance -= cost;
        let ops = capture_diff_slices(Algorithm::Myers, part(self.old, &stretch.old), part(self.new, &stretch.new));
        for op in ops.iter().filter(|op| !matches!(op, DiffOp::Equal { .. })) {
            let shift = |range: Range<usize>, by: usize| range.start + by..range.end + by;
            self.add(Change {
                old: shift(op.old_range(), stretch.old.start),
                new: shift(op.new_range(), stretch.new.start),
            });
        }
    }

    /// Adds a change, as one with the last where nothing stands between them.
    fn add(&mut self, change: Change) {
        match self.changes.last_mut() {
            _ if change.old.is_empty() && change.new.is_empty() => {}
            Some(last) if last.old.end == change.old.start && last.new.end == change.new.start => {
                (last.old.end, last.new.end) = (change.old.end, change.new.end);
            }
            _ => self.changes.push(change),
        }
    }
}

fn part<'a>(lines: &'a [usize], range: &Range<usize>) -> &'a [usize] {
    lines.get(range.clone()).unwrap_or_default()
}

/// Lines that both sides have exactly once, as many as are in the same order in both.
fn pins(old: &[usize], new: &[usize]) -> Vec<(usize, usize)> {
    let (old_places, new_places) = (places(old), places(new));
    let both = old.iter().enumerate().filter_map(|(at, line)| match (old_places.get(*line)?, new_places.get(*line)?) {
        (Place::Once(_), Place::Once(place)) => Some((at, *place)),
        _ => None,
    });
    longest_rising(&both.collect::<Vec<_>>())
}

/// Where each line stands. The numbers of lines are dense, so they serve as indices.
fn places(lines: &[usize]) -> Vec<Place> {
    let top = lines.iter().max().map_or(0, |top| top + 1);
    let mut places = vec![Place::Nowhere; top];
    for (at, line) in lines.iter().enumerate() {
        if let Some(place) = places.get_mut(*line) {
            *place = place.and(at);
        }
    }
    places
}

/// Where a line stands on one side.
#[derive(Clone, Copy)]
enum Place {
    Nowhere,
    Once(usize),
    Often,
}

impl Place {
    fn and(self, at: usize) -> Self {
        match self {
            Self::Nowhere => Self::Once(at),
            Self::Once(_) | Self::Often => Self::Often,
        }
    }
}

/// The longest selection, in order, whose second numbers rise too (by patience sorting).
fn longest_rising(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut piles: Vec<usize> = Vec::new(); // the index of each pile's top
    let mut below: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    let second = |at: &usize| pairs.get(*at).map(|pair| pair.1);
    for (at, pair) in pairs.iter().enumerate() {
        let pile = piles.partition_point(|top| second(top) < Some(pair.1));
        below.push(pile.checked_sub(1).and_then(|left| piles.get(left)).copied());
        match piles.get_mut(pile) {
            Some(top) => *top = at,
            None => piles.push(at),
        }
    }
    let follow = |at: &usize| below.get(*at).copied().flatten();
    let mut rising: Vec<_> =
        std::iter::successors(piles.last().copied(), follow).filter_map(|at| pairs.get(at).copied()).collect();
    rising.reverse();
    rising
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(old: &[usize], new: &[usize]) {
        let changes = changes(old, new);
        assert_eq!(rebuild(old, new, &changes), new, "{changes:?}");
        for pins_only in [0, 3] {
            let mut script = Script { old, new, allowance: pins_only, changes: Vec::new() };
            script.between_pins(Change { old: 0..old.len(), new: 0..new.len() });
            assert_eq!(rebuild(old, new, &script.changes), new, "{:?}", script.changes);
        }
    }

    /// Takes equal lines from `old`, so that a wrong script shows.
    fn rebuild(old: &[usize], new: &[usize], changes: &[Change]) -> Vec<usize> {
        let (mut built, mut at) = (Vec::new(), 0);
        for change in changes {
            built.extend(&old[at..change.old.start]);
            assert_eq!(built.len(), change.new.start);
            built.extend(&new[change.new.clone()]);
            at = change.old.end;
        }
        built.extend(&old[at..]);
        built
    }

    #[test]
    fn far_apart_changes_stay_apart() {
        let old: Vec<usize> = (0..50_000).collect();
        let mut new = old.clone();
        new[10] = 99_999;
        new.remove(40_000);
        let want = [Change { old: 10..11, new: 10..11 }, Change { old: 40_000..40_001, new: 40_000..40_000 }];
        assert_eq!(changes(&old, &new), want);
    }

    #[test]
    fn hopeless_input_is_replaced_whole() {
        let old = vec![[1, 2]; 20_000].concat();
        let new = vec![[2, 2, 1]; 20_000].concat();
        assert_eq!(rebuild(&old, &new, &changes(&old, &new)), new);
    }

    proptest! {
        #[test]
        fn changes_turn_old_into_new(
            old in prop::collection::vec(0..12_usize, 0..30), new in prop::collection::vec(0..12_usize, 0..30),
        ) {
            check(&old, &new);
        }
    }
}

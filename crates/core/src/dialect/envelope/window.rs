//! How much context each change needs so that its old lines stand only once in the file.
//!
//! Changes are taken from top to bottom, so when the search comes to one, the file is the new lines as
//! far as the change, and the old ones from there on. The window around a change grows by a line above, a
//! line below, and so on, until every other place that looks alike has come to differ. A window that
//! meets the one above becomes part of it.
//!
//! Promises near-linear work: comparing look-alikes has an allowance, and when that is used up a window
//! grows until it holds a line that stands once; or becomes the whole file.

use std::ops::Range;

use crate::diff::script::Change;

/// How many lines may be compared for one change, and for all.
const ALLOWANCE_EACH: usize = 1 << 21;
const ALLOWANCE: usize = 1 << 24;

/// Two files as numbers: equal numbers are equal lines, without great gaps between them.
pub(super) struct Sides<'a> {
    pub(super) old: &'a [usize],
    pub(super) new: &'a [usize],
    pub(super) changes: &'a [Change],
    /// Which old lines cannot be context, rising.
    pub(super) unusable: &'a [usize],
}

/// The old lines that a hunk names, and the changes among them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) old: Range<usize>,
    pub(super) changes: Range<usize>,
}

/// The windows for all changes, in order; nothing if a change cannot be told from a look-alike by lines
/// that are usable.
pub(super) fn windows(sides: &Sides<'_>) -> Option<Vec<Window>> {
    windows_within(sides, ALLOWANCE)
}

fn windows_within(sides: &Sides<'_>, allowance: usize) -> Option<Vec<Window>> {
    let mut search = Search::of(sides, allowance);
    let mut windows: Vec<Window> = Vec::new();
    let mut at = 0;
    while let Some(change) = sides.changes.get(at) {
        let spot = Spot::of(sides, change, windows.last());
        match (search.reach(&spot)?, windows.last_mut()) {
            (Reach::Joined, Some(last)) => {
                last.old.end = last.old.end.max(change.old.end);
                last.changes.end = at + 1;
            }
            (Reach::Joined, None) => return None,
            (Reach::Steps(steps), _) => {
                let (above, below) = spot.sides(steps);
                let old = change.old.start.saturating_sub(above)..change.old.end.saturating_add(below);
                windows.push(absorbing(old, at, sides.changes));
            }
        }
        at = windows.last().map_or(at + 1, |window| window.changes.end);
    }
    Some(windows)
}

/// A window with all changes that begin in it, and with the whole of each.
fn absorbing(mut old: Range<usize>, first: usize, changes: &[Change]) -> Window {
    let mut end = first + 1;
    while let Some(change) = changes.get(end).filter(|change| change.old.start < old.end) {
        old.end = old.end.max(change.old.end);
        end += 1;
    }
    Window { old, changes: first..end }
}

/// How far a window must reach.
#[derive(Clone, Copy)]
enum Reach {
    /// So many lines beside the change.
    Steps(usize),
    /// As far as the window above.
    Joined,
}

/// Why comparing look-alikes came to no result.
enum Setback {
    /// The allowance is used up.
    Spent,
    /// No usable line is left that would tell them apart.
    Blocked,
}

/// A change in the file as the earlier ones leave it: new lines up to `new`, old ones from `old` on.
struct Spot {
    old: usize,
    new: usize,
    /// How many lines it removes.
    removed: usize,
    /// How many lines of context there are at most, above and below.
    room: (usize, usize),
    /// What stands above all that room.
    above: Above,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Above {
    Window,
    Other,
}

impl Spot {
    fn of(sides: &Sides<'_>, change: &Change, last: Option<&Window>) -> Self {
        let floor = last.map_or(0, |window| window.old.end);
        let next = sides.unusable.partition_point(|at| *at < change.old.end);
        let barred = next.checked_sub(1).and_then(|at| sides.unusable.get(at)).map_or(0, |at| at + 1);
        let top = floor.max(barred);
        let bottom = sides.unusable.get(next).copied().unwrap_or(sides.old.len());
        Self {
            old: change.old.start,
            new: change.new.start,
            removed: change.old.len(),
            room: (change.old.start.saturating_sub(top), bottom.saturating_sub(change.old.end)),
            above: if last.is_some() && top == floor { Above::Window } else { Above::Other },
        }
    }

    /// The most lines of context.
    fn most(&self) -> usize {
        self.room.0.saturating_add(self.room.1)
    }

    /// The fewest: lines that are only added need one to be put beside.
    fn fewest(&self) -> usize {
        usize::from(self.removed == 0)
    }

    /// How many of so many lines of context stand above and below.
    fn sides(&self, steps: usize) -> (usize, usize) {
        let above = steps.div_ceil(2).max(steps.saturating_sub(self.room.1)).min(self.room.0);
        (above, (steps - above).min(self.room.1))
    }

    /// The lines of the file that the window covers after so many steps.
    fn window(&self, steps: usize) -> Range<usize> {
        let (above, below) = self.sides(steps);
        self.new.saturating_sub(above)..self.new.saturating_add(self.removed).saturating_add(below)
    }

    /// The line that comes into the window with a step.
    fn gained(&self, step: usize) -> usize {
        let (before, after) = (self.window(step.saturating_sub(1)), self.window(step));
        if after.start < before.start { after.start } else { after.end.saturating_sub(1) }
    }

    fn joins(&self, steps: usize) -> bool {
        self.above == Above::Window && self.sides(steps).0 == self.room.0
    }
}

struct Search<'a> {
    sides: &'a Sides<'a>,
    old_places: Places,
    new_places: Places,
    allowance: usize,
}

impl<'a> Search<'a> {
    fn of(sides: &'a Sides<'a>, allowance: usize) -> Self {
        let kinds = sides.old.iter().chain(sides.new).max().map_or(0, |top| top + 1);
        let (old_places, new_places) = (Places::of(sides.old, kinds), Places::of(sides.new, kinds));
        Self { sides, old_places, new_places, allowance }
    }

    fn reach(&mut self, spot: &Spot) -> Option<Reach> {
        if spot.joins(0) {
            return Some(Reach::Joined);
        }
        if spot.fewest() > spot.most() {
            let empty = spot.new == 0 && self.sides.old.is_empty();
            return empty.then_some(Reach::Steps(0));
        }
        let mut allowance = self.allowance.min(ALLOWANCE_EACH);
        let spent = self.allowance - allowance;
        let told = self.tell_apart(spot, &mut allowance);
        self.allowance = spent + allowance;
        match told {
            Ok(reach) => Some(reach),
            Err(Setback::Blocked) => None,
            Err(Setback::Spent) => self.hold_single(spot),
        }
    }

    /// The fewest steps after which no other place looks like the window.
    fn tell_apart(&self, spot: &Spot, allowance: &mut usize) -> Result<Reach, Setback> {
        let mut steps = spot.fewest();
        let seed = spot.window(steps).min_by_key(|at| self.count(spot, *at)).unwrap_or(spot.new);
        for place in self.like(spot, seed).filter(|place| *place != seed) {
            let differs = self.differs_at(spot, (seed, place), allowance)?;
            steps = steps.max(differs);
            if spot.joins(steps) {
                return Ok(Reach::Joined);
            }
            if steps > spot.most() {
                return Err(Setback::Blocked);
            }
        }
        Ok(if spot.joins(steps) { Reach::Joined } else { Reach::Steps(steps) })
    }

    /// After how many steps the window differs from what stands at the other place in like position.
    /// `pair` is a line of the window and its like.
    fn differs_at(&self, spot: &Spot, pair: (usize, usize), allowance: &mut usize) -> Result<usize, Setback> {
        let mut differ = |at: usize| {
            *allowance = allowance.checked_sub(1).ok_or(Setback::Spent)?;
            let other = at.checked_add(pair.1).and_then(|sum| sum.checked_sub(pair.0));
            Ok(other.and_then(|other| self.line(spot, other)) != self.line(spot, at))
        };
        for at in spot.window(spot.fewest()) {
            if differ(at)? {
                return Ok(spot.fewest());
            }
        }
        for step in spot.fewest() + 1..=spot.most() {
            if differ(spot.gained(step))? || spot.joins(step) {
                return Ok(step);
            }
        }
        Ok(spot.most() + 1)
    }

    /// Steps until the window holds a line that stands once, or is the whole file.
    fn hold_single(&self, spot: &Spot) -> Option<Reach> {
        for step in spot.fewest()..=spot.most() {
            if spot.joins(step) {
                return Some(Reach::Joined);
            }
            if self.count(spot, spot.gained(step)) == 1 {
                return Some(Reach::Steps(step));
            }
        }
        let whole = spot.window(spot.most()) == (0..self.len(spot));
        whole.then_some(Reach::Steps(spot.most()))
    }

    fn len(&self, spot: &Spot) -> usize {
        spot.new.saturating_add(self.sides.old.len().saturating_sub(spot.old))
    }

    /// A line of the file as the earlier changes leave it.
    fn line(&self, spot: &Spot, at: usize) -> Option<usize> {
        match at.checked_sub(spot.new) {
            None => self.sides.new.get(at).copied(),
            Some(beyond) => self.sides.old.get(spot.old.saturating_add(beyond)).copied(),
        }
    }

    /// How often the line at a place stands in the file.
    fn count(&self, spot: &Spot, at: usize) -> usize {
        let Some(line) = self.line(spot, at) else { return 0 };
        self.new_places.before(line, spot.new).len() + self.old_places.since(line, spot.old).len()
    }

    /// Where lines like the one at a place stand in the file.
    fn like(&self, spot: &Spot, at: usize) -> impl Iterator<Item = usize> {
        let line = self.line(spot, at).unwrap_or(usize::MAX);
        let (new, old) = (spot.new, spot.old);
        let changed = self.new_places.before(line, new).iter().copied();
        changed.chain(self.old_places.since(line, old).iter().map(move |place| place - old + new))
    }
}

/// Where each kind of line stands, rising.
struct Places {
    /// Where in `places` those of each kind begin; one more for the end.
    starts: Vec<usize>,
    places: Vec<usize>,
}

impl Places {
    fn of(lines: &[usize], kinds: usize) -> Self {
        let mut places: Vec<usize> = (0..lines.len()).collect();
        places.sort_by_key(|at| lines.get(*at));
        let mut starts = vec![0; kinds.saturating_add(1)];
        for line in lines {
            if let Some(count) = starts.get_mut(line.saturating_add(1)) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        Self { starts, places }
    }

    fn all(&self, line: usize) -> &[usize] {
        let (Some(start), Some(end)) = (self.starts.get(line), self.starts.get(line.saturating_add(1))) else {
            return &[];
        };
        self.places.get(*start..*end).unwrap_or_default()
    }

    fn before(&self, line: usize, limit: usize) -> &[usize] {
        let all = self.all(line);
        all.get(..all.partition_point(|at| *at < limit)).unwrap_or_default()
    }

    fn since(&self, line: usize, limit: usize) -> &[usize] {
        let all = self.all(line);
        all.get(all.partition_point(|at| *at < limit)..).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diff::script::changes;
    use proptest::prelude::*;

    fn places(file: &[usize], lines: &[usize]) -> usize {
        file.windows(lines.len()).filter(|place| *place == lines).count()
    }

    /// Every change is in one window, and the old lines of each stand once in the file at that time.
    fn check(sides: &Sides<'_>, allowance: usize) {
        let Some(windows) = windows_within(sides, allowance) else {
            assert!(!sides.unusable.is_empty());
            return;
        };
        let mut done = 0;
        for window in &windows {
            assert_eq!(window.changes.start, done);
            let first = &sides.changes[done];
            let file = [&sides.new[..first.new.start], &sides.old[first.old.start..]].concat();
            let lines = &sides.old[window.old.clone()];
            assert!(file.is_empty() || places(&file, lines) == 1, "{window:?} of {file:?}");
            assert!(!window.old.clone().any(|at| sides.unusable.contains(&at)));
            let within = |change: &Change| window.old.start <= change.old.start && change.old.end <= window.old.end;
            assert!(sides.changes[window.changes.clone()].iter().all(within));
            done = window.changes.end;
        }
        assert_eq!(done, sides.changes.len());
        assert!(windows.is_sorted_by(|one, two| one.old.end <= two.old.start));
    }

    /// With a step less, the first window would fit elsewhere.
    fn check_least(sides: &Sides<'_>) {
        let Some(change) = sides.changes.first() else { return };
        let spot = Spot::of(sides, change, None);
        if let Some(Reach::Steps(steps)) = Search::of(sides, ALLOWANCE).reach(&spot)
            && steps > spot.fewest()
        {
            assert!(places(sides.old, &sides.old[spot.window(steps - 1)]) > 1, "{:?}", sides.old);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn old_lines_stand_once(
            old in prop::collection::vec(0..3_usize, 0..24), new in prop::collection::vec(0..3_usize, 0..24),
            unusable in prop::option::of(0..24_usize),
        ) {
            let changes = changes(&old, &new);
            let kept = |at: &usize| *at < old.len() && !changes.iter().any(|change| change.old.contains(at));
            let unusable: Vec<usize> = unusable.into_iter().filter(kept).collect();
            let sides = Sides { old: &old, new: &new, changes: &changes, unusable: &unusable };
            for allowance in [0, 5, 20, ALLOWANCE] {
                check(&sides, allowance);
            }
            check_least(&sides);
        }
    }
}

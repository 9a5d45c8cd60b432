//! The one place of some whole lines in the file as it is between two hunks.
//!
//! Promises none, one or several told apart, with time linear in the file at worst: the most telling line
//! is looked for first and its neighbours compared; where that would cost more than reading everything
//! once, everything is read once. Leaves what a hunk asks for to `place`.

use super::roll::{At, EDGE, Held, Roll};
use crate::locate::LinePattern;
use crate::seeded::{Bug, is_planted};
use memchr::memmem::Finder;
use std::ops::{ControlFlow, Range};

/// How many lines of several places are kept.
const SHOWN: usize = 100_000;

/// Where lines were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sight {
    Nowhere,
    Once(At),
    Several,
}

/// Lines to look for, never none, and where.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'w, 'a> {
    pub(super) lines: &'w [&'a [u8]],
    pub(super) bounds: Bounds,
}

/// A stretch of lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Bounds {
    /// The line above it; nothing where it begins with the file.
    pub(super) under: Option<At>,
    /// The line below it; nothing where it ends with the file.
    pub(super) until: Option<At>,
}

/// All places of some lines.
#[derive(Default)]
pub(super) struct Places {
    pub(super) count: usize,
    /// The lines on which the first of them begin, counted from 1 where the search began.
    pub(super) lines: Vec<usize>,
    /// The last line of the first of them.
    pub(super) end: Option<At>,
}

impl<'a> Roll<'a> {
    pub(super) fn sight(&self, wanted: Wanted<'_, 'a>) -> Sight {
        // A stretch that ends before the file is short, or was read already to know that.
        if wanted.bounds.until.is_some() || is_planted(Bug::BlanksIgnored) {
            return self.read_all(wanted);
        }
        match self.glance(wanted) {
            ControlFlow::Continue(sight) => sight,
            ControlFlow::Break(()) => self.read_all(wanted),
        }
    }

    /// Reads all lines once.
    fn read_all(&self, wanted: Wanted<'_, 'a>) -> Sight {
        let places = self.places(wanted);
        let back = |end: At| (1..wanted.lines.len()).try_fold(end, |at, _| self.previous(at));
        match (places.count, places.end.and_then(back)) {
            (1, Some(at)) => Sight::Once(at),
            (0, _) | (_, None) => Sight::Nowhere,
            _ => Sight::Several,
        }
    }

    /// The lines of a stretch.
    pub(super) fn between(&self, bounds: Bounds) -> impl Iterator<Item = At> {
        let start = bounds.under.map_or_else(|| self.first(), |under| self.next(under));
        let lines = std::iter::successors(start, |at| self.next(*at));
        lines.take_while(move |at| Some(*at) != bounds.until).inspect(|_| self.pay())
    }

    /// Every place, in order.
    pub(super) fn places(&self, wanted: Wanted<'_, 'a>) -> Places {
        let mut places = Places::default();
        let Some(pattern) = LinePattern::new(wanted.lines) else { return places };
        let mut reader = pattern.reader();
        for (number, at) in self.between(wanted.bounds).enumerate() {
            if reader.ends_with(self.row(at).text) {
                places.count += 1;
                places.end = places.end.or(Some(at));
                if places.lines.len() < SHOWN {
                    places.lines.push((number + 2).saturating_sub(wanted.lines.len()));
                }
            }
        }
        places
    }

    /// Looks only where the most telling line stands. Breaks off where that costs too much.
    fn glance(&self, wanted: Wanted<'_, 'a>) -> ControlFlow<(), Sight> {
        let numbered = wanted.lines.iter().copied().enumerate();
        let telling = match &self.index {
            Some(index) => numbered.min_by_key(|(_, line)| index.live(line)),
            None => numbered.max_by_key(|(_, line)| line.len()),
        };
        let Some((before, line)) = telling else { return ControlFlow::Continue(Sight::Nowhere) };
        let budget = self.text.len() / 16 + wanted.lines.len() + 4096;
        let mut tally = Tally { roll: self, wanted, before, budget, sight: Sight::Nowhere };
        let outcome = match &self.index {
            Some(_) => tally.indexed(line),
            None if line.is_empty() => return ControlFlow::Break(()),
            None => tally.through(line),
        };
        match (outcome, tally.sight) {
            (ControlFlow::Break(()), Sight::Nowhere | Sight::Once(_)) => ControlFlow::Break(()),
            (_, sight) => ControlFlow::Continue(sight),
        }
    }
}

/// What has been seen so far of the places of some lines.
struct Tally<'r, 'w, 'a> {
    roll: &'r Roll<'a>,
    wanted: Wanted<'w, 'a>,
    /// How many wanted lines stand above the telling one.
    before: usize,
    /// How many more lines may be compared.
    budget: usize,
    sight: Sight,
}

impl Tally<'_, '_, '_> {
    fn indexed(&mut self, line: &[u8]) -> ControlFlow<()> {
        let roll = self.roll;
        for node in roll.index.iter().flat_map(|index| index.nodes(line)) {
            self.pay()?;
            let at = match roll.held(node) {
                Held::Old { start, .. } => At { node, offset: start },
                Held::New { .. } => At { node, offset: 0 },
            };
            let allowed = self.wanted.bounds.under.is_none_or(|under| roll.is_below(at, under));
            if !allowed && matches!(roll.held(node), Held::Old { .. }) {
                break; // old lines come last, and upwards
            }
            if roll.is_live(node) && allowed {
                self.take(at)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn through(&mut self, line: &[u8]) -> ControlFlow<()> {
        let roll = self.roll;
        let broken: Vec<u8> = [b"\n", line].concat();
        let finder = Finder::new(&broken);
        let mut node = self.wanted.bounds.under.map_or_else(|| roll.below(EDGE), |under| under.node);
        while node != EDGE {
            let under = self.wanted.bounds.under.filter(|under| under.node == node);
            match roll.held(node) {
                Held::New { text, .. } if under.is_none() && text == line => self.take(At { node, offset: 0 })?,
                Held::New { .. } => {}
                Held::Old { start, end } => {
                    let start = under.map_or(start, |under| roll.end_of(under));
                    self.stretch(node, start..end, &finder)?;
                }
            }
            node = roll.below(node);
        }
        ControlFlow::Continue(())
    }

    /// Looks through a stretch of old lines. The finder has the line break above the line.
    fn stretch(&mut self, node: u32, lines: Range<usize>, finder: &Finder<'_>) -> ControlFlow<()> {
        let line = finder.needle().get(1..).unwrap_or_default();
        let roll = self.roll;
        let mut check = |offset| {
            let at = At { node, offset };
            if offset < lines.end && roll.row(at).text == line { self.take(at) } else { ControlFlow::Continue(()) }
        };
        if lines.start == 0 {
            check(0)?; // no line break above
        }
        let from = lines.start.saturating_sub(1);
        let stretch = roll.text.get(from..lines.end).unwrap_or_default();
        finder.find_iter(stretch).try_for_each(|at| check(from + at + 1))
    }

    /// The telling line stands here. Do the others stand around it?
    fn take(&mut self, at: At) -> ControlFlow<()> {
        let Some(start) = self.around(at)? else { return ControlFlow::Continue(()) };
        match self.sight {
            Sight::Nowhere => {
                self.sight = Sight::Once(start);
                ControlFlow::Continue(())
            }
            _ => {
                self.sight = Sight::Several;
                ControlFlow::Break(())
            }
        }
    }

    /// The first line of the place, if this is one.
    fn around(&mut self, telling: At) -> ControlFlow<(), Option<At>> {
        let lines = self.wanted.lines;
        let (above, below) = lines.split_at_checked(self.before).unwrap_or_default();
        let mut start = telling;
        for line in above.iter().rev() {
            self.pay()?;
            match self.roll.previous(start) {
                Some(at) if Some(at) != self.wanted.bounds.under && self.roll.row(at).text == *line => start = at,
                _ => return ControlFlow::Continue(None),
            }
        }
        let mut walk = Some(telling);
        for line in below.iter().skip(1) {
            self.pay()?;
            walk = walk.and_then(|at| self.roll.next(at)).filter(|at| self.roll.row(*at).text == *line);
            if walk.is_none() {
                return ControlFlow::Continue(None);
            }
        }
        ControlFlow::Continue(Some(start))
    }

    fn pay(&mut self) -> ControlFlow<()> {
        self.roll.pay();
        match self.budget.checked_sub(1) {
            Some(rest) => {
                self.budget = rest;
                ControlFlow::Continue(())
            }
            None => ControlFlow::Break(()),
        }
    }
}

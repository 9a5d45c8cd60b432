//! Where changes stand in a version, and what the version is without them.

use super::ids::{Id, count_lines, is_line, mate, put_back};
use super::{Known, Lost, Span, Turn};
use std::collections::HashMap;
use std::rc::Rc;

/// A version, and where in it everything stands that some changes brought or replaced.
pub(super) struct Sight<'a> {
    ids: &'a [Id],
    lines: usize,
    seen: HashMap<Id, At>,
}

/// Where something stands.
#[derive(Clone, Copy)]
struct At {
    index: usize,
    /// How many lines are above it.
    line: usize,
}

/// A change, and which part of the version it brought.
struct Region<'a> {
    known: &'a Known,
    from: At,
    until: usize,
}

impl<'a> Sight<'a> {
    pub(super) fn of(ids: &'a [Id], groups: &[Rc<Known>]) -> Sight<'a> {
        let mut asked: Vec<Id> = Vec::new();
        for known in groups {
            asked.extend(known.came.iter().chain(&known.gone).copied());
            asked.extend(known.place.into_iter().flat_map(|open| [open, mate(open)]));
        }
        asked.sort_unstable();
        let (mut seen, mut line) = (HashMap::new(), 0);
        for (index, id) in ids.iter().enumerate() {
            if asked.binary_search(id).is_ok() {
                seen.insert(*id, At { index, line });
            }
            line += usize::from(is_line(*id));
        }
        Sight { ids, lines: line, seen }
    }

    /// The version without the changes, and what that means for its lines.
    pub(super) fn without(&self, groups: &[Rc<Known>]) -> Result<(Vec<Id>, Vec<Turn>), Vec<Lost>> {
        let (mut regions, mut placed, mut lost) = (Vec::new(), Vec::new(), Vec::new());
        for known in groups {
            match self.region(known) {
                _ if known.came.is_empty() && self.has_all_gone(known) => placed.push(&**known),
                Some(region) => regions.push(region),
                None => lost.extend(self.touched(known)),
            }
        }
        regions.sort_by_key(|region| region.from.index);
        for pair in regions.windows(2) {
            if let [one, two] = pair
                && one.until > two.from.index
            {
                lost.extend(self.touched(two.known));
            }
        }
        if !lost.is_empty() {
            return Err(lost);
        }
        let mut turns: Vec<Turn> = regions.iter().map(Region::turn).collect();
        let (ids, filled) = self.fill(&self.cut(&regions), &placed)?;
        turns.extend(filled);
        // What comes between two lines comes above what replaces the lower one.
        turns.sort_by_key(|turn| (turn.span.first, turn.span.count > 0));
        Ok((ids, turns))
    }

    /// The lines that a change brought, if they stand together and those it replaced stand nowhere else.
    fn region<'b>(&self, known: &'b Known) -> Option<Region<'b>> {
        let from = *self.seen.get(known.came.first()?)?;
        let mut until = from.index;
        for (nth, line) in known.came.iter().enumerate() {
            let at = self.seen.get(line).filter(|at| at.line == from.line + nth)?;
            until = at.index + 1;
        }
        let region = Region { known, from, until };
        let elsewhere = |id: &Id| is_line(*id) && self.stands_outside(*id, &region);
        (!known.gone.iter().any(elsewhere)).then_some(region)
    }

    fn stands_outside(&self, id: Id, region: &Region<'_>) -> bool {
        self.seen.get(&id).is_some_and(|at| at.index < region.from.index || at.index >= region.until)
    }

    /// Is none of the lines back that a change removed?
    fn has_all_gone(&self, known: &Known) -> bool {
        !known.gone.iter().any(|id| is_line(*id) && self.seen.contains_key(id))
    }

    /// The version with regions as they were. Marks that stand elsewhere by now are not doubled.
    fn cut(&self, regions: &[Region<'_>]) -> Vec<Id> {
        let (mut ids, mut done) = (Vec::with_capacity(self.ids.len()), 0);
        for region in regions {
            ids.extend_from_slice(self.ids.get(done..region.from.index).unwrap_or_default());
            ids.extend(region.known.gone.iter().filter(|id| !self.stands_outside(**id, region)));
            done = region.until;
        }
        ids.extend_from_slice(self.ids.get(done..).unwrap_or_default());
        ids
    }

    /// Puts lines back where changes removed them without bringing others.
    fn fill(&self, ids: &[Id], placed: &[&Known]) -> Result<(Vec<Id>, Vec<Turn>), Vec<Lost>> {
        let absent = |id: &&Id| !self.seen.contains_key(*id);
        let back: Vec<Vec<Id>> =
            placed.iter().map(|known| known.gone.iter().filter(absent).copied().collect()).collect();
        let pairs = placed.iter().zip(&back).filter(|(_, lines)| !lines.is_empty());
        let lines = pairs.filter_map(|(known, lines)| Some((known.place?, lines.as_slice()))).collect();
        let (ids, done) = put_back(ids, &lines);
        let order: HashMap<Id, usize> = done.into_iter().zip(0..).collect();
        let rank = |known: &&&Known| known.place.and_then(|open| order.get(&open)).copied();
        let stays = |known: &&&Known| count_lines(&known.gone) > 0 && rank(known).is_none();
        let lost: Vec<Lost> = placed.iter().filter(stays).flat_map(|known| self.touched(known)).collect();
        if !lost.is_empty() {
            return Err(lost);
        }
        let mut sorted: Vec<&&Known> = placed.iter().collect();
        sorted.sort_by_key(|known| rank(known));
        Ok((ids, sorted.into_iter().map(|known| self.filled(known)).collect()))
    }

    fn filled(&self, known: &Known) -> Turn {
        let open = known.place.and_then(|open| self.seen.get(&open));
        let first = open.map_or(known.before.first.min(self.lines), |at| at.line);
        Turn { span: Span { first, count: 0 }, becomes: count_lines(&known.gone), undoes: known.ids.clone() }
    }

    /// Each change of a group is lost.
    fn touched(&self, known: &Known) -> Vec<Lost> {
        let now = self.around(known);
        known.ids.iter().map(|change| Lost::Touched { change: change.clone(), now }).collect()
    }

    /// The lines now where a change was, as far as that can be told.
    fn around(&self, known: &Known) -> Span {
        let marks = known.place.into_iter().flat_map(|open| [open, mate(open)]);
        let left =
            known.came.iter().copied().chain(marks).filter_map(|id| Some((self.seen.get(&id)?.line, is_line(id))));
        let left: Vec<(usize, bool)> = left.collect();
        let first = left.iter().map(|(line, _)| *line).min();
        let end = left.iter().map(|(line, counts)| line + usize::from(*counts)).max();
        match first.zip(end) {
            Some((first, end)) => Span { first, count: end - first },
            None => Span { first: known.before.first.min(self.lines.saturating_sub(1)), count: 1.min(self.lines) },
        }
    }
}

impl Region<'_> {
    fn turn(&self) -> Turn {
        let span = Span { first: self.from.line, count: self.known.came.len() };
        Turn { span, becomes: count_lines(&self.known.gone), undoes: self.known.ids.clone() }
    }
}

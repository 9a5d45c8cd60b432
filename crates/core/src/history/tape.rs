//! The identity of lines through versions: each line has a number that it keeps until somebody changes it,
//! and that it gets back when that change is taken back.
//!
//! Promises that a change is taken back only where the lines it brought still stand together, or, where it
//! brought none, where nothing came to stand between its neighbours. Never by likeness, but for versions that
//! somebody else wrote: those are compared line by line.

mod ids;
mod marked;
mod sight;
mod told;

use super::parts::{fit, grouped};
use super::{Piece, RawLines, Restored, Span, differences};
use ids::{Id, PLACES, Segment, Writer, count_lines, fingerprint, is_line};
use marked::{Marked, Turn};
use sight::Sight;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

pub use told::{Edit, Lost, Source};

/// One file's lines, version by version.
#[derive(Clone, Debug, Default)]
pub struct Tape {
    ids: Vec<Id>,
    fresh: Id,
    places: Id,
    known: HashMap<String, Rc<Known>>,
    /// Has a recorded step not fitted?
    broken: bool,
    marked: Marked,
    steps: Vec<Ended>,
}

/// What a step left, and how many groups of changes it had.
#[derive(Clone, Copy, Debug)]
struct Ended {
    fingerprint: u64,
    groups: usize,
}

/// A group of recorded pieces with equal spans.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Known {
    ids: Vec<String>,
    step: usize,
    before: Span,
    after: Span,
    /// What it replaced, with the marks between.
    gone: Vec<Id>,
    /// The lines it brought.
    came: Vec<Id>,
    /// Where it brought none, the mark that opens its place.
    place: Option<Id>,
}

impl Tape {
    /// A version with so many lines.
    pub fn new(lines: usize) -> Tape {
        let mut tape = Tape::default();
        tape.ids = tape.brand_new(lines);
        tape
    }

    /// How many lines the version has.
    pub fn len(&self) -> usize {
        count_lines(&self.ids)
    }

    /// Has it none?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Goes on to the next version, which recorded pieces made. Pieces that do not fit the version leave it
    /// as it is, and nothing can be taken back from then on.
    pub fn step(&mut self, pieces: &[Piece]) {
        let groups = grouped(pieces);
        if !fit(&groups, self.len()) {
            self.broken = true;
            return;
        }
        let old = std::mem::take(&mut self.ids);
        let mut taken = self.still_there(&old, pieces);
        let mut writer = Writer::new(&old);
        for group in &groups {
            let Some(first) = group.first() else { continue };
            writer.copy_to(first.before.first);
            let gone = writer.take(first.before.count);
            let ids: Vec<String> = group.iter().map(|piece| piece.id.clone()).collect();
            let segments = self.segments(first, &Own::of(first, &ids, &gone), &mut taken);
            let came: Vec<Id> = segments.iter().flat_map(|one| &one.ids).copied().filter(|id| is_line(*id)).collect();
            let place = came.is_empty().then(|| self.place());
            match (place, first.before.count) {
                (Some(open), _) => writer.place(open),
                (None, 0) => writer.insert(&segments),
                (None, _) => writer.replace(&segments),
            }
            let (step, before, after) = (self.steps.len(), first.before, first.after);
            let known = Rc::new(Known { ids: ids.clone(), step, before, after, gone, came, place });
            self.known.extend(ids.into_iter().map(|id| (id, known.clone())));
        }
        self.ids = writer.finish();
        self.steps.push(Ended { fingerprint: fingerprint(&self.ids), groups: groups.len() });
    }

    /// Goes on to the next version, which somebody else wrote.
    pub fn jump(&mut self, old: &RawLines<'_>, new: &RawLines<'_>) {
        if old.len() != self.len() {
            return self.forget(new.len());
        }
        let before = std::mem::take(&mut self.ids);
        let mut writer = Writer::new(&before);
        for (gone, came) in differences(old, new) {
            writer.copy_to(gone.first);
            writer.take(gone.count);
            let lines = [Segment { ids: self.brand_new(came.count), place: None }];
            if gone.count == 0 { writer.insert(&lines) } else { writer.replace(&lines) }
        }
        self.ids = writer.finish();
    }

    /// Goes on to a version of which nothing is known but how many lines it has.
    pub fn forget(&mut self, lines: usize) {
        self.ids = self.brand_new(lines);
    }

    /// From here on edits are told. The version must have so many lines, or nothing can be taken back.
    pub fn mark(&mut self, lines: usize) {
        self.broken |= self.len() != lines;
        if self.broken {
            self.forget(lines);
        }
        self.marked = Marked::new(&self.ids);
    }

    /// Takes changes of one step back, all or none.
    pub fn take_back(&mut self, changes: &[String]) -> Result<(), Vec<Lost>> {
        let groups = self.wanted(changes)?;
        let (ids, turns) = match self.step_before(&groups) {
            Some(back) => back,
            None => Sight::of(&self.ids, &groups).without(&groups)?,
        };
        for known in &groups {
            let change = known.ids.first().map_or("", String::as_str);
            for (at, line) in known.gone.iter().filter(|id| is_line(**id)).enumerate() {
                self.marked.came_back(*line, change, at);
            }
        }
        self.ids = ids;
        self.marked.turn(turns);
        Ok(())
    }

    /// If this is the very version that a step left, and all of the step is taken back: the version before it,
    /// whatever came between.
    fn step_before(&self, groups: &[Rc<Known>]) -> Option<(Vec<Id>, Vec<Turn>)> {
        let step = groups.first()?.step;
        let ended = self.steps.get(step)?;
        let all = groups.len() == ended.groups && groups.iter().all(|known| known.step == step);
        if !all || ended.fingerprint != fingerprint(&self.ids) {
            return None;
        }
        let mut sorted: Vec<&Rc<Known>> = groups.iter().collect();
        sorted.sort_by_key(|known| (known.after.first, known.before.first, known.after.count, known.before.count));
        let has_marks = groups.iter().any(|known| known.gone.iter().any(|id| !is_line(*id)));
        let marks: HashSet<Id> = self.ids.iter().copied().filter(|id| has_marks && !is_line(*id)).collect();
        let (mut writer, mut turns) = (Writer::new(&self.ids), Vec::new());
        for known in sorted {
            writer.copy_to(known.after.first);
            writer.take(known.after.count);
            let ids = known.gone.iter().copied().filter(|id| !marks.contains(id)).collect();
            let back = [Segment { ids, place: known.place }];
            if known.after.count == 0 {
                writer.insert(&back)
            } else {
                writer.replace(&back)
            }
            turns.push(Turn { span: known.after, becomes: count_lines(&known.gone), undoes: known.ids.clone() });
        }
        Some((writer.finish(), turns))
    }

    /// What has become of the marked version.
    pub fn edits(&self) -> Vec<Edit> {
        self.marked.edits(&self.ids)
    }

    /// The changes by groups, each of which must be wanted whole.
    fn wanted(&self, changes: &[String]) -> Result<Vec<Rc<Known>>, Vec<Lost>> {
        let all: HashSet<&str> = changes.iter().map(String::as_str).collect();
        let (mut groups, mut lost): (Vec<Rc<Known>>, Vec<Lost>) = (Vec::new(), Vec::new());
        for change in changes {
            let Some(known) = self.known.get(change).filter(|_| !self.broken) else {
                lost.push(Lost::Unknown { change: change.clone() });
                continue;
            };
            let others: Vec<String> = known.ids.iter().filter(|id| !all.contains(id.as_str())).cloned().collect();
            if !others.is_empty() {
                lost.push(Lost::Shared { change: change.clone(), others });
            } else if known.ids.iter().find(|id| all.contains(id.as_str())) == Some(change) {
                groups.push(known.clone());
            }
        }
        if lost.is_empty() { Ok(groups) } else { Err(lost) }
    }

    /// Those of the lines that are to come back which are there, or twice: they cannot come back.
    fn still_there(&self, ids: &[Id], pieces: &[Piece]) -> HashSet<Id> {
        let restores = pieces.iter().flat_map(|piece| &piece.restores);
        let changes: HashSet<&str> = restores.map(|restored| restored.change.as_str()).collect();
        let known = changes.into_iter().filter_map(|change| Some(self.known.get(change)?.gone.iter()));
        let mut asked: Vec<Id> = known.flatten().copied().collect();
        asked.sort_unstable();
        let is_asked = |id: &&Id| !asked.is_empty() && asked.binary_search(id).is_ok();
        ids.iter().filter(is_asked).copied().collect()
    }

    /// The lines that a piece brings, known ones where they come back. A piece may also name itself: lines that
    /// it replaces by themselves.
    fn segments(&mut self, piece: &Piece, own: &Own<'_>, taken: &mut HashSet<Id>) -> Vec<Segment> {
        let mut segments = Vec::new();
        let mut lines = 0;
        for restored in &piece.restores {
            let at = restored.at.clamp(lines, piece.after.count);
            let count = restored.count.min(piece.after.count - at);
            segments.push(Segment { ids: self.brand_new(at - lines), place: None });
            segments.extend(self.back(&Restored { at, count, ..restored.clone() }, own, taken));
            lines = at + count;
        }
        segments.push(Segment { ids: self.brand_new(piece.after.count - lines), place: None });
        segments.retain(|segment| !segment.ids.is_empty());
        segments
    }

    /// Lines that come back, if they are not there; new ones for those that are.
    fn back(&mut self, restored: &Restored, own: &Own<'_>, taken: &mut HashSet<Id>) -> Vec<Segment> {
        let known = self.known.get(&restored.change).cloned();
        let is_own = own.ids.contains(&restored.change);
        let gone = if is_own { own.gone } else { known.as_ref().map_or(&[][..], |known| &known.gone) };
        let mut ids = some_lines(gone, restored).to_vec();
        let stays = |id: &Id| taken.contains(id) && !own.known.contains(id);
        if ids.iter().any(|id| is_line(*id) && stays(id)) {
            ids.clear();
        }
        ids.retain(|id| !stays(id));
        taken.extend(&ids);
        let short = restored.count.saturating_sub(count_lines(&ids));
        let place = known.and_then(|known| known.place).filter(|_| !is_own);
        vec![Segment { ids, place }, Segment { ids: self.brand_new(short), place: None }]
    }

    fn brand_new(&mut self, count: usize) -> Vec<Id> {
        let first = self.fresh;
        self.fresh = first.saturating_add(Id::try_from(count).unwrap_or(PLACES)).min(PLACES);
        (first..self.fresh).collect()
    }

    fn place(&mut self) -> Id {
        let open = PLACES | (self.places << 1);
        self.places = self.places.wrapping_add(1);
        open
    }
}

/// A group's ids and what it replaces.
struct Own<'a> {
    ids: &'a [String],
    gone: &'a [Id],
    /// The same, to look up; empty where nothing comes back.
    known: HashSet<Id>,
}

impl<'a> Own<'a> {
    fn of(piece: &Piece, ids: &'a [String], gone: &'a [Id]) -> Own<'a> {
        let known = gone.iter().copied().filter(|_| !piece.restores.is_empty()).collect();
        Own { ids, gone, known }
    }
}

/// Some of the lines in a list that also has marks, with the marks between them.
fn some_lines<'a>(ids: &'a [Id], wanted: &Restored) -> &'a [Id] {
    let Some(more) = wanted.count.checked_sub(1) else { return &[] };
    let mut lines = ids.iter().enumerate().filter(|(_, id)| is_line(**id)).map(|(at, _)| at).skip(wanted.from);
    let Some(first) = lines.next() else { return &[] };
    let last = if more == 0 { Some(first) } else { lines.nth(more - 1) };
    let last = last.or_else(|| ids.iter().rposition(|id| is_line(*id))).unwrap_or(first);
    ids.get(first..=last).unwrap_or_default()
}

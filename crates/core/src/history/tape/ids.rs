//! Lines and places by number, and how the numbers of one version become those of the next, in one pass.
//!
//! A place is where lines were that a change took away: two marks, between which they belong. Whatever is
//! inserted there later comes to stand between the marks, and for as long as it does nobody can tell on
//! which side of it the lines would have stood. Marks never count as lines.

use std::collections::{HashMap, HashSet};

/// A line, or a mark.
pub(super) type Id = u32;

/// Numbers from here on are marks: even ones open a place, the odd one after it closes it.
pub(super) const PLACES: Id = 1 << 31;

pub(super) fn is_line(id: Id) -> bool {
    id < PLACES
}

/// The other mark of a place.
pub(super) fn mate(mark: Id) -> Id {
    mark ^ 1
}

fn opens(mark: Id) -> bool {
    mark & 1 == 0
}

/// How many of them are lines.
pub(super) fn count_lines(ids: &[Id]) -> usize {
    ids.iter().filter(|id| is_line(**id)).count()
}

/// A number for the lines in their order, by which to tell whether a version has come back.
pub(super) fn fingerprint(ids: &[Id]) -> u64 {
    let lines = ids.iter().filter(|id| is_line(**id));
    twox_hash::XxHash3_64::oneshot(&lines.flat_map(|id| id.to_le_bytes()).collect::<Vec<u8>>())
}

/// Lines that come, and the opening mark of the place where they stood, if they did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Segment {
    pub(super) ids: Vec<Id>,
    pub(super) place: Option<Id>,
}

/// The next version in the making. Lines are asked for from the first to the last.
pub(super) struct Writer<'a> {
    old: &'a [Id],
    rest: &'a [Id],
    passed: usize,
    out: Vec<Id>,
    /// Marks before this one have their order: nothing that comes now can stand among them.
    fence: usize,
}

impl<'a> Writer<'a> {
    pub(super) fn new(old: &'a [Id]) -> Writer<'a> {
        Writer { old, rest: old, passed: 0, out: Vec::with_capacity(old.len()), fence: 0 }
    }

    /// Copies everything above a line, counted from 0.
    pub(super) fn copy_to(&mut self, line: usize) {
        let wanted = line.saturating_sub(self.passed);
        let (kept, rest) = self.rest.split_at(index_of(self.rest, wanted));
        self.out.extend_from_slice(kept);
        (self.rest, self.passed) = (rest, self.passed.max(line));
    }

    /// Leaves out so many lines, with the marks between them.
    pub(super) fn take(&mut self, count: usize) -> Vec<Id> {
        let Some(last) = count.checked_sub(1) else { return Vec::new() };
        let (gone, rest) = self.rest.split_at((index_of(self.rest, last) + 1).min(self.rest.len()));
        (self.rest, self.passed) = (rest, self.passed + count);
        gone.to_vec()
    }

    /// Puts lines between two lines.
    pub(super) fn insert(&mut self, segments: &[Segment]) {
        self.insert_from(self.run(), segments);
    }

    fn insert_from(&mut self, mut run: usize, segments: &[Segment]) {
        for segment in segments {
            run = insert(&mut self.out, run, segment, self.old);
        }
    }

    /// Puts lines where others were just taken. Those that stood beside them go back to their places.
    pub(super) fn replace(&mut self, segments: &[Segment]) {
        let mut run = self.run();
        let mut rest = segments;
        while let Some((first, more)) = rest.split_first()
            && stands_in(first, self.out.get(run..).unwrap_or_default())
        {
            run = insert(&mut self.out, run, first, self.old);
            rest = more;
        }
        let (below, later) = self.rest.split_at(index_of(self.rest, 0));
        let back = rest.iter().rev().take_while(|segment| stands_in(segment, below)).count();
        let (own, back) = rest.split_at(rest.len() - back);
        own.iter().for_each(|segment| self.out.extend_from_slice(&segment.ids));
        self.fence = self.fence.max(self.out.len());
        if !back.is_empty() {
            self.out.extend_from_slice(below);
            self.rest = later;
            self.insert_from(self.fence, back);
        }
    }

    /// Marks a place where lines were just taken.
    pub(super) fn place(&mut self, open: Id) {
        self.out.extend([open, mate(open)]);
        self.fence = self.out.len();
    }

    pub(super) fn finish(mut self) -> Vec<Id> {
        self.out.extend_from_slice(self.rest);
        self.out
    }

    /// Where the marks begin that stand at the end.
    fn run(&self) -> usize {
        let marks = self.out.iter().rev().take_while(|id| !is_line(**id)).count();
        (self.out.len() - marks).max(self.fence)
    }
}

/// Puts lines back at their places, each of which must have no line between its marks. Which places did.
pub(super) fn put_back(ids: &[Id], lines: &HashMap<Id, &[Id]>) -> (Vec<Id>, Vec<Id>) {
    let (mut out, mut done) = (Vec::with_capacity(ids.len()), Vec::new());
    for run in ids.chunk_by(|one, two| !is_line(*one) && !is_line(*two)) {
        let mut from = out.len();
        out.extend_from_slice(run);
        for open in run.iter().filter(|id| !is_line(**id)) {
            let Some(back) = lines.get(open) else { continue };
            let segment = Segment { ids: back.to_vec(), place: Some(*open) };
            if stands_in(&segment, out.get(from..).unwrap_or_default()) {
                from = insert(&mut out, from, &segment, ids);
                done.push(*open);
            }
        }
    }
    (out, done)
}

/// The index of a line; the end if there are not so many.
fn index_of(ids: &[Id], line: usize) -> usize {
    let mut lines = ids.iter().enumerate().filter(|(_, id)| is_line(**id));
    lines.nth(line).map_or(ids.len(), |(at, _)| at)
}

/// Are both marks of a segment's place among these?
fn stands_in(segment: &Segment, run: &[Id]) -> bool {
    segment.place.is_some_and(|open| run.contains(&open) && run.contains(&mate(open)))
}

/// Puts a segment among the marks at the end. Where the marks begin that are below it now.
fn insert(out: &mut Vec<Id>, from: usize, segment: &Segment, version: &[Id]) -> usize {
    let run = out.split_off(from.min(out.len()));
    let (above, below) = match segment.place.filter(|_| stands_in(segment, &run)) {
        Some(open) => around_place(&run, open, version),
        None => run.iter().partition(|mark| opens(**mark)),
    };
    out.extend(above);
    out.extend_from_slice(&segment.ids);
    let next = out.len();
    out.extend(below);
    next
}

/// Which marks are above lines that go back to their place, and which are below. Places that reach into this
/// one keep their order to it; those within it were filled later, and which side is theirs is open. So it is
/// of places that have only one mark left in the version.
fn around_place(run: &[Id], open: Id, version: &[Id]) -> (Vec<Id>, Vec<Id>) {
    let close = mate(open);
    let begin = run.iter().position(|mark| *mark == open).unwrap_or_default();
    let end = run.iter().position(|mark| *mark == close).unwrap_or(run.len());
    let within = run.get(begin + 1..end).unwrap_or_default();
    let known: HashSet<Id> = within.iter().copied().collect();
    let is_open = |mark: Id| known.contains(&mark) || !version.contains(&mark);
    let (inner_above, inner_below): (Vec<Id>, Vec<Id>) =
        within.iter().partition(|mark| opens(**mark) == is_open(mate(**mark)));
    let mut above = run.get(..begin).unwrap_or_default().to_vec();
    above.extend(inner_above);
    above.push(open);
    let mut below = vec![close];
    below.extend(inner_below);
    below.extend_from_slice(run.get(end + 1..).unwrap_or_default());
    (above, below)
}

//! Follows the record of one file line by line, from an earlier version to the present one: what became of a line, and who
//! wrote a present line. Conflicts name the author of the line in question.
//!
//! It differs from `explain` in one thing: a line that an undo restored, and that is older than the earlier version, counts
//! as the undo's, which put it there since. Where nothing can be told the answer is unknown: nothing here fails.

mod step;

pub(crate) use step::Step;

use crate::conflicts::Stretch;
use crate::past::Past;
use crate::since;
use patchwright_core::bytes::Bytes;
use patchwright_core::digest::Digest;
use patchwright_core::history::{RawLines, Restored, Span, differences, same_lines};
use patchwright_core::refusal::{ConflictLine, LineBy};
use patchwright_store::records::FileRecord;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use step::{Part, Place, Turn, follow};

/// At most this many lines of a change are followed.
const MOST: usize = 1_000;

/// A version of a file.
#[derive(Clone, Copy)]
pub(crate) struct Known<'a> {
    pub(crate) digest: Option<Digest>,
    pub(crate) bytes: &'a Bytes,
}

/// What others wrote between two versions: lines of the one, and what stands for them in the other.
type Gap = Rc<Vec<(Span, Span)>>;

/// What was done to a file between two versions.
pub(crate) struct Trail<'a> {
    past: &'a Past<'a>,
    from: Known<'a>,
    steps: Vec<Step<'a>>,
    now: Known<'a>,
    /// Changes that do not count, because they are taken back, too.
    excused: &'a [String],
    /// What others wrote before each step, as far as that was asked.
    gaps: RefCell<HashMap<usize, Gap>>,
}

/// The first line of a stretch that is not as it was, and who wrote it.
#[derive(Default)]
pub(crate) struct Met {
    pub(crate) by: LineBy,
    pub(crate) line: Option<ConflictLine>,
    /// Where the lines of the stretch stand now, if it was not known well.
    pub(crate) moved: Option<Span>,
}

/// What became of a line.
struct Fate {
    /// Who wrote what stands in its place, or took it away; nothing if the line stands.
    by: Option<LineBy>,
    /// Which line now is the line itself, or stands in its place.
    now: Option<usize>,
}

/// A line that is not as it should be.
#[derive(Clone, Copy)]
struct Culprit {
    /// Which one of the earlier version is gone.
    was: Option<usize>,
    /// Which one stands where it should not.
    now: Option<usize>,
}

/// Somebody who changed a line: a part of a step, or a program that is not on record.
struct Writer {
    step: Option<usize>,
    /// The changes that may bring the line back by being taken back, and which of their lines it was.
    changes: Vec<String>,
    offset: usize,
}

impl<'a> Trail<'a> {
    pub(crate) fn new(
        past: &'a Past<'a>,
        from: Known<'a>,
        now: Known<'a>,
        steps: Vec<Step<'a>>,
        excused: &'a [String],
    ) -> Trail<'a> {
        Trail { past, from, steps, now, excused, gaps: RefCell::default() }
    }

    /// The lines of the earlier version.
    pub(crate) fn lines_before(&self) -> RawLines<'a> {
        RawLines::of(self.from.bytes)
    }

    /// The lines that stand now.
    pub(crate) fn lines_now(&self) -> RawLines<'a> {
        RawLines::of(self.now.bytes)
    }

    /// Who wrote the first line of a stretch that is not as it was in the earlier version.
    pub(crate) fn different(&self, was: Span, is: Span) -> Met {
        let (old, new) = (self.lines_before(), self.lines_now());
        let (old, new) = (Stretch { text: &old, span: was }, Stretch { text: &new, span: is });
        let mut differ = culprits(old, new).into_iter();
        if let Some(met) = differ.find_map(|culprit| self.blamed(culprit)) {
            return met;
        }
        // The same text may have been written anew.
        let mut lines = is.first..is.end();
        let anew = |now| Some(self.met(Culprit { was: None, now: Some(now) }, self.writer_of(now)?));
        lines.find_map(anew).unwrap_or_default()
    }

    /// The same for a stretch whose present place is reliable only while one of its lines is left; else tells that place too.
    pub(crate) fn touched(&self, was: Span, is: Span) -> Met {
        let all = (was.first..was.end()).take(MOST);
        let fates: Vec<(usize, Fate)> = all.filter_map(|line| Some((line, self.fate(line)?))).collect();
        let is_left = fates.len() < was.count.min(MOST) || fates.iter().any(|(_, fate)| fate.by.is_none());
        if was.count > 0 && !is_left {
            return self.all_gone(&fates);
        }
        match self.different(was, is) {
            Met { by: LineBy::Unknown, .. } => Met { by: self.neighbours(was), ..Met::default() },
            met => met,
        }
    }

    fn all_gone(&self, fates: &[(usize, Fate)]) -> Met {
        let blamed = |(line, fate): &(usize, Fate)| {
            Some(self.met(Culprit { was: Some(*line), now: fate.now }, fate.by.clone()?))
        };
        let places = || fates.iter().filter_map(|(_, fate)| fate.now);
        let span = places().min().zip(places().max());
        let moved = span.map(|(first, last)| Span { first, count: last - first + 1 });
        Met { moved, ..fates.iter().find_map(blamed).unwrap_or_default() }
    }

    /// Who took away a line next to where nothing is left.
    fn neighbours(&self, was: Span) -> LineBy {
        let beside = was.first.checked_sub(1).into_iter().chain([was.end()]);
        beside.filter_map(|line| self.fate(line)).find_map(|fate| fate.by).unwrap_or(LineBy::Unknown)
    }

    fn blamed(&self, culprit: Culprit) -> Option<Met> {
        if let Some(now) = culprit.now {
            return Some(self.met(culprit, self.writer_of(now)?));
        }
        let fate = self.fate(culprit.was?)?;
        Some(self.met(Culprit { now: fate.now, ..culprit }, fate.by?))
    }

    fn met(&self, Culprit { was, now }: Culprit, by: LineBy) -> Met {
        let said = |text: RawLines<'_>, at: Option<usize>| at.filter(|at| *at < text.len()).map(|at| text.shown(at));
        let line = ConflictLine {
            number: now.map(|at| at + 1),
            expected: said(self.lines_before(), was),
            actual: said(self.lines_now(), now),
        };
        Met { by, line: Some(line), moved: None }
    }

    /// Who brought a line that stands now; nothing if it stood in the earlier version, or that cannot be told.
    fn writer_of(&self, line: usize) -> Option<LineBy> {
        let (mut line, mut before) = (line, self.steps.len());
        loop {
            line = match follow(self.gap(before)?.iter().map(|(one, other)| (*other, *one)), line) {
                Place::Same(line) => line,
                Place::Inside { .. } => return Some(LineBy::Foreign),
            };
            let at = before.checked_sub(1)?;
            before = at;
            let step = self.steps.get(at)?;
            match &step.turn {
                Turn::Kept => {}
                Turn::Went => return Some(LineBy::Foreign),
                Turn::Came => match self.went_before(at) {
                    Some(earlier) => before = earlier,
                    None => return self.named(at, &step.ids()),
                },
                Turn::Changed(parts) => match follow(parts.iter().map(|part| (part.after, part.before)), line) {
                    Place::Same(above) => line = above,
                    Place::Inside { part, offset } => {
                        let part = parts.get(part)?;
                        match part.restored(offset).and_then(|(change, offset)| self.removed_before(at, change, offset))
                        {
                            Some((earlier, there)) => (before, line) = (earlier, there),
                            None => return self.named(at, &part.ids),
                        }
                    }
                },
            }
        }
    }

    /// What became of a line of the earlier version; nothing if that cannot be told.
    fn fate(&self, line: usize) -> Option<Fate> {
        let (mut now, mut writers, mut at) = (Some(line), Vec::<Writer>::new(), 0);
        while let Some(step) = self.steps.get(at) {
            if !matches!(step.turn, Turn::Came) {
                now = self.past_gap(at, now, &mut writers)?;
            }
            match &step.turn {
                Turn::Kept => {}
                Turn::Came => now = self.lost(at, step.ids(), &mut writers),
                Turn::Went => match self.came_after(at) {
                    Some(later) => at = later,
                    None => now = self.lost(at, step.ids(), &mut writers),
                },
                Turn::Changed(parts) => now = through(at, parts, now, &mut writers)?,
            }
            at += 1;
        }
        now = self.past_gap(at, now, &mut writers)?;
        let last = || {
            writers.iter().rev().find_map(|writer| match writer.step {
                Some(step) => self.named(step, &writer.changes),
                None => Some(LineBy::Foreign),
            })
        };
        // The line in its place may be older than the step that put it there.
        let instead = now.filter(|_| !writers.is_empty()).and_then(|line| self.writer_of(line));
        Some(Fate { by: instead.or_else(last), now })
    }

    fn lost(&self, step: usize, changes: Vec<String>, writers: &mut Vec<Writer>) -> Option<usize> {
        writers.push(Writer { step: Some(step), changes, offset: usize::MAX });
        None
    }

    /// A line past what others wrote before a step.
    fn past_gap(&self, at: usize, line: Option<usize>, writers: &mut Vec<Writer>) -> Option<Option<usize>> {
        let Some(line) = line else { return Some(None) };
        let gap = self.gap(at)?;
        Some(match follow(gap.iter().copied(), line) {
            Place::Same(line) => Some(line),
            Place::Inside { part, offset } => {
                writers.push(Writer { step: None, changes: Vec::new(), offset });
                in_place(gap.get(part)?.1, offset)
            }
        })
    }

    /// What others wrote before a step, or after the last; nothing if that can no longer be told.
    fn gap(&self, at: usize) -> Option<Gap> {
        if let Some(known) = self.gaps.borrow().get(&at) {
            return Some(known.clone());
        }
        let earlier = at.checked_sub(1).map(|at| self.steps.get(at).map(|step| step.file));
        let left = earlier.map_or(self.from.digest, |file| file.and_then(|file| file.after));
        let found = self.steps.get(at).map_or(self.now.digest, |step| step.file.before);
        let spans = if left == found || left.is_none() { Vec::new() } else { self.compared(at, earlier.flatten())? };
        let spans = Rc::new(spans);
        self.gaps.borrow_mut().insert(at, spans.clone());
        Some(spans)
    }

    fn compared(&self, at: usize, earlier: Option<&FileRecord>) -> Option<Vec<(Span, Span)>> {
        let old = match earlier {
            None => self.from.bytes.clone(),
            Some(file) => self.past.after_bytes(file).ok()??,
        };
        let new = match self.steps.get(at) {
            None => self.now.bytes.clone(),
            Some(step) => self.past.before_bytes(step.file).ok()??,
        };
        Some(differences(&RawLines::of(&old), &RawLines::of(&new)))
    }

    /// The step that removed what a later one brought back as it was.
    fn went_before(&self, came: usize) -> Option<usize> {
        let after = self.steps.get(came)?.file.after?;
        let went = |step: &Step<'_>| matches!(step.turn, Turn::Went) && step.file.before == Some(after);
        self.steps.get(..came)?.iter().rposition(went)
    }

    /// The step that brought back as it was what an earlier one removed.
    fn came_after(&self, went: usize) -> Option<usize> {
        let before = self.steps.get(went)?.file.before?;
        let came = |step: &Step<'_>| matches!(step.turn, Turn::Came) && step.file.after == Some(before);
        self.steps.iter().skip(went).position(came).map(|at| at + went)
    }

    /// Where a line that came back had stood, in the version before the step that removed it.
    fn removed_before(&self, at: usize, change: &str, offset: usize) -> Option<(usize, usize)> {
        let steps = self.steps.get(..at)?.iter().enumerate().rev();
        let mut parts = steps.flat_map(|(at, step)| step.parts().iter().map(move |part| (at, part)));
        let (at, part) = parts.find(|(_, part)| part.ids.iter().any(|id| id == change))?;
        Some((at, part.before.first.saturating_add(offset)))
    }

    /// The batch of a step, unless its changes do not count.
    fn named(&self, step: usize, changes: &[String]) -> Option<LineBy> {
        if !changes.is_empty() && changes.iter().all(|id| self.excused.contains(id)) {
            return None;
        }
        let Step { commit, file, .. } = self.steps.get(step)?;
        Some(LineBy::Batch(since::author(commit, file.to.as_ref().unwrap_or(&file.path))))
    }
}

/// A line past the parts of a step, with who changed it.
fn through(at: usize, parts: &[Part], line: Option<usize>, writers: &mut Vec<Writer>) -> Option<Option<usize>> {
    let back = parts.iter().find_map(|part| part.brings_back(writers));
    if let Some((known, line)) = back {
        writers.truncate(known);
        return Some(Some(line));
    }
    let Some(line) = line else { return Some(None) };
    Some(match follow(parts.iter().map(|part| (part.before, part.after)), line) {
        Place::Same(line) => Some(line),
        Place::Inside { part, offset } => {
            let part = parts.get(part)?;
            writers.push(Writer { step: Some(at), changes: part.ids.clone(), offset });
            in_place(part.after, offset)
        }
    })
}

impl Part {
    /// Which of those who changed a line are taken back by this, from which on, and where the line is then.
    fn brings_back(&self, writers: &[Writer]) -> Option<(usize, usize)> {
        let back = |Restored { at, change, from, count }: &Restored| {
            let fits = |writer: &Writer| {
                writer.changes.contains(change) && writer.offset >= *from && writer.offset - from < *count
            };
            let known = writers.iter().position(fits)?;
            let offset = writers.get(known)?.offset.saturating_sub(*from);
            Some((known, self.after.first.saturating_add(*at).saturating_add(offset)))
        };
        self.restores.iter().find_map(back)
    }
}

/// What stands in place of one of some lines.
fn in_place(span: Span, offset: usize) -> Option<usize> {
    let last = span.count.checked_sub(1)?;
    Some(span.first.saturating_add(offset.min(last)))
}

/// The lines of two stretches that are not alike, in order.
fn culprits(was: Stretch<'_>, is: Stretch<'_>) -> Vec<Culprit> {
    let (before, after) = (was.bytes(), is.bytes());
    let (before, after) = (RawLines::of(&before), RawLines::of(&after));
    let same = same_lines(&before, &after);
    let (mut found, mut gone, mut line) = (Vec::new(), 0, 0);
    while line < after.len() || gone < before.len() {
        // Up to the next line that is in both.
        let end = (line..after.len()).find(|at| same.get(*at).copied().flatten().is_some()).unwrap_or(after.len());
        let until = same.get(end).copied().flatten().unwrap_or(before.len());
        for at in 0..(end - line).max(until.saturating_sub(gone)) {
            let place = |first: usize, next: usize, end: usize| {
                Some(first.saturating_add(next).saturating_add(at)).filter(|_| next.saturating_add(at) < end)
            };
            found.push(Culprit { was: place(was.span.first, gone, until), now: place(is.span.first, line, end) });
        }
        (gone, line) = (until.saturating_add(1), end + 1);
    }
    found
}

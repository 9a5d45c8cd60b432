//! One hunk carried out at its place.
//!
//! Promises that kept lines are not touched, that every new line has a terminator by the rules of its
//! place, and that each removal and addition is noted. Leaves bytes, and the end of the file, to `finish`.

use super::place::Place;
use super::roll::{At, Ending, Held, Roll, Row, Touch};
use crate::intent::{Hunk, HunkEnd, HunkLine};
use crate::text::FinalNewline;
use crate::text::line::Census;
use crate::text::terminate::kept_apart;
use crate::text::{Terminator, final_newline};

/// Where in the file a hunk has got to.
struct Pen {
    /// The next line; none at the end of the file.
    next: Option<At>,
    /// Where in the old text a new line would stand.
    at: usize,
    by: u32,
}

impl<'a> Roll<'a> {
    pub(super) fn apply(&mut self, number: usize, hunk: &'a Hunk, place: Place) {
        let by = u32::try_from(number).unwrap_or(u32::MAX);
        self.begin();
        let mut pen = match place {
            Place::At(at) => Pen { next: Some(at), at: self.start_of(at), by },
            Place::End => Pen { next: None, at: self.text.len(), by },
        };
        let (start, mut last_kept) = (pen.at, (pen.at, 0));
        let mut rest = hunk.lines.as_slice();
        while let Some((first, others)) = rest.split_first() {
            if matches!(first, HunkLine::Context(_)) {
                last_kept = pen.next.map_or(last_kept, |at| (self.start_of(at), self.old_lines(at)));
                self.pass(&mut pen);
                rest = others;
                continue;
            }
            let len = rest.iter().take_while(|line| !matches!(line, HunkLine::Context(_))).count();
            let (block, others) = rest.split_at_checked(len).unwrap_or((rest, &[]));
            self.change(block, &mut pen);
            rest = others;
        }
        let ended = self.end(hunk.end);
        let kept_end = matches!(hunk.lines.last(), Some(HunkLine::Context(_)));
        if ended == Ended::Otherwise && kept_end {
            let (offset, lines) = last_kept;
            self.touches.push(Touch { offset, lines, by });
        } else if self.noted(number).is_empty() {
            self.touches.push(Touch { offset: start, lines: 0, by });
        }
    }

    /// How many lines of the old text a line is: a line that an earlier hunk added is that hunk's.
    fn old_lines(&self, at: At) -> usize {
        usize::from(matches!(self.held(at.node), Held::Old { .. }))
    }

    /// How the file ends now.
    fn end(&mut self, end: HunkEnd) -> Ended {
        let before = self.ending;
        self.ending = match end {
            HunkEnd::Marked { new: FinalNewline::With, .. } => Ending::Newline,
            HunkEnd::Marked { new: FinalNewline::Without, .. } => Ending::Bare,
            _ => self.ending,
        };
        // Without its newline an empty last line would be no line; and an empty file counts as having one.
        if self.last().is_none_or(|at| self.row(at).text.is_empty()) {
            self.ending = Ending::Newline;
        }
        if self.ending == before { Ended::AsBefore } else { Ended::Otherwise }
    }

    /// Goes over a line that stays.
    fn pass(&self, pen: &mut Pen) {
        if let Some(at) = pen.next {
            pen.at = self.end_of(at);
            pen.next = self.next(at);
        }
    }

    /// Carries out removals and additions that stand together.
    fn change(&mut self, block: &'a [HunkLine], pen: &mut Pen) {
        let lenders = self.lenders(block, pen.next);
        let mut given = lenders.iter().copied();
        let mut ends = Terminator::Lf;
        for line in block {
            match line {
                HunkLine::Add(text) => {
                    ends = given.next().unwrap_or(ends);
                    self.add(text.as_bytes(), ends, pen);
                }
                HunkLine::Remove(_) | HunkLine::Context(_) => self.remove(pen),
            }
        }
    }

    fn add(&mut self, text: &'a [u8], ends: Terminator, pen: &mut Pen) {
        let below = pen.next.map_or(super::roll::EDGE, |at| self.cut(at));
        pen.next = pen.next.map(|at| At { node: below, ..at });
        let held = Held::New { text, ends: kept_apart(text, ends), at: pen.at, by: pen.by };
        let node = self.put_above(below, held);
        self.note(node);
        if let Some(index) = &mut self.index {
            index.add(text, node);
        }
        if let Some(headings) = self.headings.get_mut() {
            headings.add(text.trim_ascii(), node);
        }
    }

    fn remove(&mut self, pen: &mut Pen) {
        let Some(at) = pen.next else { return };
        let at = At { node: self.cut(at), ..at };
        pen.at = self.end_of(at);
        let below = self.next(at);
        pen.next = below.map(|below| At { node: self.cut(below), ..below });
        let text = self.row(at).text;
        self.unlink(at.node);
        self.note(at.node);
        if let Some(mut index) = self.index.take() {
            index.drop_one(text, |node| self.is_live(node));
            self.index = Some(index);
        }
        if let Some(mut headings) = self.headings.take() {
            headings.drop_one(text.trim_ascii(), |node| self.is_live(node));
            drop(self.headings.set(headings));
        }
    }

    /// The terminators for the new lines of a block, the last of them for all further ones.
    pub(super) fn lenders(&self, block: &[HunkLine], next: Option<At>) -> Vec<Terminator> {
        let removed = block.iter().filter(|line| matches!(line, HunkLine::Remove(_))).count();
        let lines = std::iter::successors(next, |at| self.next(*at)).take(removed);
        let lent: Vec<Terminator> = lines.map(|at| self.lent(self.row(at))).collect();
        if !lent.is_empty() {
            return lent;
        }
        let above = next.map_or_else(|| self.last(), |at| self.previous(at));
        let neighbour = above.or(next).map(|at| self.lent(self.row(at)));
        let majority = || Census::of(self.text).majority().unwrap_or(Terminator::Lf);
        vec![neighbour.unwrap_or_else(majority)]
    }

    /// The terminator that a line lends.
    fn lent(&self, row: Row<'_>) -> Terminator {
        if row.ends == Terminator::None { self.bare_lends() } else { row.ends }
    }

    /// What the old text's last line, if it has no terminator, lends and takes: that of the line above it.
    pub(super) fn bare_lends(&self) -> Terminator {
        match memchr::memrchr(b'\n', self.text).map(|at| self.text.get(..at)) {
            Some(Some(above)) if above.ends_with(b"\r") => Terminator::CrLf,
            _ => Terminator::Lf,
        }
    }

    /// The node that holds the old text's last line, if that is there and has no terminator.
    pub(super) fn bare_old_end(&self) -> Option<u32> {
        let mut node = self.above(super::roll::EDGE);
        while let Held::New { .. } = self.held(node) {
            node = self.above(node);
        }
        let reaches = matches!(self.held(node), Held::Old { end, .. } if end == self.text.len());
        (reaches && !final_newline(self.text)).then_some(node)
    }
}

/// Whether a hunk changed how the file ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ended {
    AsBefore,
    Otherwise,
}

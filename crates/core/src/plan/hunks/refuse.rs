//! From the reason why a hunk has no place to a refusal that helps: all candidates, the nearest miss, the
//! earlier hunk that was in the way. Runs once a call at most, so it may read the file again.

use super::find::{Places, Wanted};
use super::place::{Miss, new_lines, old_lines};
use super::roll::{At, EDGE, Held, Roll};
use crate::intent::{Hunk, HunkEnd, HunkLine};
use crate::locate::{Edges, Nearest, nearest};
use crate::path::RelPath;
use crate::refusal::{HunkRef, Misfit, Refusal, Sought, Why};
use crate::text::{Document, final_newline};

/// More text than this is not searched for a near miss.
const NEAR_LIMIT: usize = 4 << 20;
/// How many places of the new lines are shown.
const SHOWN: usize = 100;

/// One file and the hunks for it.
pub(super) struct Desk<'a> {
    pub(super) path: &'a RelPath,
    pub(super) hunks: &'a [Hunk],
    pub(super) document: &'a Document<'a>,
}

impl<'a> Desk<'a> {
    pub(super) fn refusal(&self, roll: Roll<'a>, number: usize, miss: Miss<'a>) -> Refusal {
        let hunk = self.named(number);
        let why = match miss {
            Miss::NoHeader(header) if self.unreadable([header.as_bytes()]) => unreadable(),
            Miss::NoHeader(header) => misfit(hunk, Misfit::NoHeader(header.to_owned())),
            Miss::ManyHeaders(header, under) => {
                let places = roll.places(Wanted { lines: &[header.as_bytes()], under });
                many(&roll, (hunk, Sought::Header(header.to_owned())), places, under)
            }
            Miss::Many(under) => {
                let places = roll.places(Wanted { lines: &self.old(number), under });
                many(&roll, (hunk, Sought::OldLines), places, under)
            }
            Miss::Nowhere(under) => self.nowhere(roll, number, under),
            Miss::EndsInNewline => misfit(hunk, Misfit::EndsInNewline),
            Miss::Bare => Why::HunkBare { hunk },
            Miss::Taken(at, by) => Why::HunkOverlap {
                hunk,
                earlier: self.named(by as usize),
                line: roll.count(0, roll.start_of(at)).max(1),
            },
        };
        Refusal::at(self.path, why)
    }

    fn named(&self, number: usize) -> HunkRef {
        HunkRef { index: number, at: self.hunks.get(number).map_or(0, |hunk| hunk.at) }
    }

    fn old(&self, number: usize) -> Vec<&'a [u8]> {
        self.hunks.get(number).map(old_lines).unwrap_or_default()
    }

    /// Replacement characters were copied from a reading; the file holds other bytes there.
    fn unreadable<'l>(&self, lines: impl IntoIterator<Item = &'l [u8]>) -> bool {
        let replaced = |line: &[u8]| memchr::memmem::find(line, "\u{fffd}".as_bytes()).is_some();
        self.document.is_lossy() && lines.into_iter().any(replaced)
    }

    fn nowhere(&self, roll: Roll<'a>, number: usize, under: Option<At>) -> Why {
        let (hunk, old) = (self.named(number), self.old(number));
        if self.unreadable(old.iter().copied()) {
            return unreadable();
        }
        let end = self.hunks.get(number).map_or(HunkEnd::Silent, |hunk| hunk.end);
        let elsewhere = roll.places(Wanted { lines: &old, under });
        if end != HunkEnd::Silent && elsewhere.count > 0 {
            return misfit(hunk, Misfit::NotAtEnd(roll.numbers(elsewhere, under)));
        }
        let nearest = roll.near(&old, under).map(Box::new);
        let already_at = self.already(&roll, number, under);
        let above = under.map_or(0, |_| roll.places(Wanted { lines: &old, under: None }).count);
        if above == 0
            && let Some(overlap) = roll.stood(&old, self.hunks, number)
        {
            return Why::HunkOverlap { hunk, earlier: self.named(overlap.earlier), line: overlap.line };
        }
        // Plain letters are the same in nearly every charset.
        let other_charset = self.document.is_lossy() && !old.iter().all(|line| line.is_ascii());
        misfit(hunk, Misfit::Nowhere { nearest, already_at, other_charset })
    }

    /// The lines where the new lines already stand.
    fn already(&self, roll: &Roll<'a>, number: usize, under: Option<At>) -> Vec<usize> {
        let Some(hunk) = self.hunks.get(number).filter(|hunk| tells(hunk)) else { return Vec::new() };
        let mut lines = roll.numbers(roll.places(Wanted { lines: &new_lines(hunk), under }), under);
        lines.truncate(SHOWN);
        lines
    }
}

/// Would the new lines of a hunk show that it was applied? Those of one that only removes do if they stood on
/// both sides of what went: else they are there before and after.
fn tells(hunk: &Hunk) -> bool {
    let is_context = |line: &HunkLine| matches!(line, HunkLine::Context(_));
    let adds = hunk.lines.iter().any(|line| matches!(line, HunkLine::Add(_)));
    let around = hunk.lines.first().is_some_and(is_context) && hunk.lines.last().is_some_and(is_context);
    adds || around && !hunk.lines.iter().all(is_context)
}

fn many(roll: &Roll<'_>, (hunk, sought): (HunkRef, Sought), places: Places, under: Option<At>) -> Why {
    let (base, count) = (roll.number(under), places.count);
    let lines: Vec<usize> = places.lines.into_iter().map(|line| base + line).collect();
    let disk = roll.on_disk(lines.iter().copied());
    Why::HunkMany { hunk, sought, count, lines, disk }
}

fn misfit(hunk: HunkRef, misfit: Misfit) -> Why {
    Why::HunkMisfit { hunk, misfit }
}

fn unreadable() -> Why {
    Why::Encoding { charset: "utf-8".to_owned(), line: None, unencodable: None }
}

impl<'a> Roll<'a> {
    /// The 1-based line, in the file as it is now; 0 for none.
    pub(super) fn number(&self, at: Option<At>) -> usize {
        let Some(at) = at else { return 0 };
        let (mut walk, mut above) = (at, 0);
        loop {
            match self.held(walk.node) {
                Held::Old { start, .. } => above += self.count(start, self.end_of(walk)),
                Held::New { .. } => above += 1,
            }
            match self.tail(self.above(walk.node)) {
                Some(next) => walk = next,
                None => return above,
            }
        }
    }

    /// Places by their lines in the file on disk, which is what a reader can look at. A line that a hunk
    /// added is shown by the old one above it.
    fn numbers(&self, places: Places, under: Option<At>) -> Vec<usize> {
        let base = self.number(under);
        self.on_disk(places.lines.into_iter().map(|line| base + line))
    }

    /// Rising line numbers of the file as it is now, as those of the file on disk.
    fn on_disk(&self, lines: impl Iterator<Item = usize>) -> Vec<usize> {
        let (mut node, mut above, mut old_above) = (self.below(EDGE), 0, 0);
        let mut counted = 0; // so much of the old text has been counted
        let (mut start, mut rows) = self.extent(node);
        let mut found = Vec::new();
        for line in lines {
            old_above += self.count(counted, start);
            counted = start.max(counted);
            // A stretch is counted once, however many places are in it.
            while line.saturating_sub(above) > rows {
                above += rows;
                node = self.below(node);
                (start, rows) = self.extent(node);
                old_above += self.count(counted, start);
                counted = start.max(counted);
            }
            let is_new = node != EDGE && matches!(self.held(node), Held::New { .. });
            found.push(if is_new { old_above.max(1) } else { old_above + line.saturating_sub(above) });
        }
        found
    }

    /// Where in the old text a node begins, and how many lines it has.
    fn extent(&self, node: u32) -> (usize, usize) {
        match self.held(node) {
            // Beyond the last line.
            _ if node == EDGE => (self.text.len(), usize::MAX),
            Held::Old { start, end } => (start, self.count(start, end)),
            Held::New { at, .. } => (at, 1),
        }
    }

    fn count(&self, start: usize, end: usize) -> usize {
        let lines = self.text.get(start..end).unwrap_or_default();
        memchr::memchr_iter(b'\n', lines).count() + usize::from(!final_newline(lines))
    }

    /// The nearest miss below a line.
    fn near(&self, wanted: &[&[u8]], under: Option<At>) -> Option<Nearest> {
        let start = under.map_or_else(|| self.first(), |under| self.next(under));
        let mut text = Vec::new();
        for at in std::iter::successors(start, |at| self.next(*at)) {
            text.extend_from_slice(self.row(at).text);
            text.extend_from_slice(b"\r\n"); // a line may end in \r
            if text.len() > NEAR_LIMIT {
                return None;
            }
        }
        let mut joined = wanted.join(&b"\r\n"[..]);
        joined.extend_from_slice(b"\r\n");
        let mut near = nearest(&text, &joined, Edges::Whole)?;
        let base = self.number(under);
        let numbers = self.on_disk(near.lines.iter().map(|pair| pair.line_no + base));
        near.lines.iter_mut().zip(numbers).for_each(|(pair, number)| pair.line_no = number);
        let differs = near.lines.iter().find(|pair| !pair.same);
        if let (Some(difference), Some(pair)) = (&mut near.first_difference, differs) {
            difference.line_no = pair.line_no;
        }
        near.start_line = near.lines.first().map_or(1, |pair| pair.line_no);
        Some(near)
    }
}

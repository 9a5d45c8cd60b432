//! From the reason why a hunk has no place to a refusal that helps: all candidates, the nearest miss, the
//! earlier hunk that was in the way. Runs once a call at most, so it may read the file again.

use super::find::{Bounds, Places, Wanted};
use super::place::{Miss, new_lines, old_lines};
use super::roll::{At, EDGE, Held, Roll};
use crate::intent::{Hunk, HunkEnd, HunkLine, HunkPlace};
use crate::locate::{Edges, Nearest, nearest};
use crate::path::RelPath;
use crate::refusal::{Expected, HunkRef, Many, Misfit, Refusal, Sought, Why};
use crate::text::{Document, final_newline};

/// More text than this is not searched for a near miss.
const NEAR_LIMIT: usize = 4 << 20;
/// How many lines are shown that a header may have meant.
const NEAR_HEADERS: usize = 3;
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
            Miss::Spent => {
                let got = format!("{} for {}", self.hunks.len(), self.path);
                return Refusal::argument("patch", Expected::AtMost(number.max(1), Many::HunksOfThisFile), got);
            }
            Miss::NoHeader(header, _) if self.unreadable([header.as_bytes()]) => unreadable(),
            Miss::NoHeader(header, bounds) => {
                let near = roll.begins_so(header, bounds);
                misfit(hunk, Misfit::NoHeader { header: header.to_owned(), near })
            }
            Miss::ManyHeaders(header, bounds) => {
                let lines: Vec<usize> = roll.named(header, bounds).into_iter().map(|(_, line)| line).collect();
                let places = Places { count: lines.len(), lines, end: None };
                many(&roll, hunk, Sought::Header(header.to_owned()), places, bounds)
            }
            Miss::Many(bounds) => {
                let places = roll.places(Wanted { lines: &self.old(number), bounds });
                let settled = self.settled(&roll, number);
                many(&roll, hunk, Sought::OldLines { settled }, places, bounds)
            }
            Miss::Nowhere(bounds) => self.nowhere(roll, number, bounds),
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

    pub(super) fn misfit(&self, number: usize, found: Misfit) -> Refusal {
        Refusal::at(self.path, misfit(self.named(number), found))
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

    /// The line on disk where the hunk would go if its headers named a scope.
    fn settled(&self, roll: &Roll<'a>, number: usize) -> Option<usize> {
        let hunk = self.hunks.get(number)?;
        let HunkPlace::Hinted(headers) = &hunk.place else { return None };
        let bounds = roll.scope(headers).ok()?;
        let places = roll.places(Wanted { lines: &self.old(number), bounds });
        (places.count == 1).then(|| roll.numbers(places, bounds.under))?.first().copied()
    }

    fn nowhere(&self, roll: Roll<'a>, number: usize, bounds: Bounds) -> Why {
        let (hunk, old) = (self.named(number), self.old(number));
        if self.unreadable(old.iter().copied()) {
            return unreadable();
        }
        let end = self.hunks.get(number).map_or(HunkEnd::Silent, |hunk| hunk.end);
        let elsewhere = roll.places(Wanted { lines: &old, bounds });
        if end != HunkEnd::Silent && elsewhere.count > 0 {
            return misfit(hunk, Misfit::NotAtEnd(roll.numbers(elsewhere, bounds.under)));
        }
        let outside = roll.places(Wanted { lines: &old, bounds: Bounds::default() });
        if outside.count > 0 {
            return self.out_of_scope(&roll, number, bounds, outside);
        }
        let nearest = roll.near(&old, bounds).map(Box::new);
        let already_at = self.already(&roll, number, bounds);
        if let Some(overlap) = roll.stood(&old, self.hunks, number) {
            return Why::HunkOverlap { hunk, earlier: self.named(overlap.earlier), line: overlap.line };
        }
        // Plain letters are the same in nearly every charset.
        let other_charset = self.document.is_lossy() && !old.iter().all(|line| line.is_ascii());
        misfit(hunk, Misfit::Nowhere { nearest, already_at, other_charset })
    }

    /// The old lines are in the file, but not in the block that the headers name.
    fn out_of_scope(&self, roll: &Roll<'a>, number: usize, bounds: Bounds, outside: Places) -> Why {
        let headers = match self.hunks.get(number).map(|hunk| &hunk.place) {
            Some(HunkPlace::Within(headers)) => headers.as_slice(),
            _ => &[],
        };
        let len = roll.between(bounds).count();
        let first = roll.number(bounds.under) + 1;
        let scope = roll.on_disk([first, first + len.saturating_sub(1)].into_iter());
        let scope = (scope.first().copied().unwrap_or(1), scope.last().copied().unwrap_or(1));
        let mut lines = roll.numbers(outside, None);
        lines.truncate(SHOWN);
        let header = headers.last().cloned().unwrap_or_default();
        misfit(self.named(number), Misfit::OutOfScope { header, scope, lines })
    }

    /// The lines where the new lines already stand.
    fn already(&self, roll: &Roll<'a>, number: usize, bounds: Bounds) -> Vec<usize> {
        let Some(hunk) = self.hunks.get(number).filter(|hunk| tells(hunk)) else { return Vec::new() };
        let mut lines = roll.numbers(roll.places(Wanted { lines: &new_lines(hunk), bounds }), bounds.under);
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

fn many(roll: &Roll<'_>, hunk: HunkRef, sought: Sought, places: Places, bounds: Bounds) -> Why {
    let (base, count) = (roll.number(bounds.under), places.count);
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

    /// The lines of a stretch that begin as a header does, and go on.
    fn begins_so(&self, header: &str, bounds: Bounds) -> Vec<(usize, String)> {
        let bare = header.as_bytes().trim_ascii();
        let lines = self.between(bounds).zip(self.number(bounds.under) + 1..);
        let alike = lines.filter(|(at, _)| self.row(*at).text.trim_ascii().starts_with(bare)).take(NEAR_HEADERS);
        let alike: Vec<(At, usize)> = alike.collect();
        let numbers = self.on_disk(alike.iter().map(|(_, line)| *line));
        let text = |at: At| String::from_utf8_lossy(self.row(at).text).into_owned();
        numbers.into_iter().zip(alike).map(|(number, (at, _))| (number, text(at))).collect()
    }

    /// The nearest miss in a stretch.
    fn near(&self, wanted: &[&[u8]], bounds: Bounds) -> Option<Nearest> {
        let mut text = Vec::new();
        for at in self.between(bounds) {
            text.extend_from_slice(self.row(at).text);
            text.extend_from_slice(b"\r\n"); // a line may end in \r
            if text.len() > NEAR_LIMIT {
                return None;
            }
        }
        let mut joined = wanted.join(&b"\r\n"[..]);
        joined.extend_from_slice(b"\r\n");
        let mut near = nearest(&text, &joined, Edges::Whole)?;
        let base = self.number(bounds.under);
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

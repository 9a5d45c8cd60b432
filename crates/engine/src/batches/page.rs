//! One page of a batch: so many of its changes, with so many of their lines.
//!
//! All changes of a batch make one sequence: of each a place for itself, then its lines before, then those after. A
//! page is a stretch of it, and the cursor of the next one says where that begins. So every line comes once, a
//! change of any length is shown whole over some pages, and a page says where it was cut.

use patchwright_core::history::RawLines;
use patchwright_core::outcome::{ChangeLines, ChangeView, FilePatchView};
use patchwright_core::refusal::{Expected, Refusal};
use patchwright_core::tool::LINES_SHOWN;

/// A page is over when its lines have so many bytes; a longer line stands alone. Who says how many lines a page has
/// can read a long one.
const BYTES: usize = 1 << 20;

/// The same where nobody said so.
const USUAL_BYTES: usize = 8 << 10;

/// What it takes to name a change, in bytes.
const NAMING: usize = 32;

/// A page under way.
pub(super) struct Page {
    /// Where it begins in the sequence.
    start: usize,
    /// How far the sequence was gone through.
    at: usize,
    /// So many places and lines still go in.
    left: usize,
    /// So many bytes go in.
    room: usize,
    /// So many of them still do.
    bytes: usize,
    /// Where the next page begins.
    next: Option<usize>,
}

/// Where a file of a batch begins.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Begins {
    /// On this page, which has its diff.
    Here,
    /// On an earlier one.
    Before,
}

/// The two versions of a file, as far as they are kept and are text.
pub(super) struct Versions<'a> {
    pub(super) before: Version<'a>,
    pub(super) after: Version<'a>,
}

/// One version of a file.
pub(super) enum Version<'a> {
    /// Its lines.
    Text(RawLines<'a>),
    /// There was none.
    None,
    /// It is no longer kept, or is no text.
    Unknown,
}

impl Page {
    pub(super) fn new(limit: Option<usize>, cursor: Option<&str>) -> Result<Page, Refusal> {
        let start = match cursor {
            None => 0,
            Some(given) => usize::from_str_radix(given, 16).map_err(|_| foreign(given))?,
        };
        let (left, room) = match limit {
            Some(limit) => (limit.max(1), BYTES),
            None => (LINES_SHOWN, USUAL_BYTES),
        };
        Ok(Page { start, at: 0, left, room, bytes: room, next: None })
    }

    /// Is it the first?
    pub(super) fn is_first(&self) -> bool {
        self.start == 0
    }

    /// Does what comes next begin on this page?
    pub(super) fn begins_here(&self) -> Begins {
        if self.at >= self.start { Begins::Here } else { Begins::Before }
    }

    /// Has nothing of a file its place on this page? Then its lines need not be looked for.
    pub(super) fn passes(&mut self, file: &FilePatchView) -> bool {
        if file.changes.is_empty() {
            return !self.is_first();
        }
        let behind = file.changes.iter().fold(self.at, |at, change| at.saturating_add(places(change)));
        let beside = self.next.is_some() || behind <= self.start;
        if beside {
            self.at = behind;
        }
        beside
    }

    /// Leaves of a file's changes those that are on this page, with their lines.
    pub(super) fn take(&mut self, file: &mut FilePatchView, versions: &Versions<'_>) {
        file.changes.retain_mut(|change| self.take_change(change, versions));
    }

    fn take_change(&mut self, change: &mut ChangeView, versions: &Versions<'_>) -> bool {
        let begin = self.at;
        self.at = begin.saturating_add(places(change));
        if self.next.is_some() || self.at <= self.start {
            return false;
        }
        if begin >= self.start {
            if self.left == 0 || self.bytes < NAMING {
                self.next = Some(begin);
                return false;
            }
            self.left -= 1;
            self.bytes -= NAMING;
        }
        let before = begin.saturating_add(1);
        let after = before.saturating_add(change.before.count);
        self.fill(&mut change.before, before, &versions.before);
        self.fill(&mut change.after, after, &versions.after);
        true
    }

    /// The lines of one side, which begins here in the sequence, as far as they are kept and have their place here.
    fn fill(&mut self, side: &mut ChangeLines, begin: usize, version: &Version<'_>) {
        let first = side.first.saturating_sub(1);
        let text = match version {
            Version::Text(text) if first.saturating_add(side.count) <= text.len() => text,
            Version::None => return side.lines = Some(Vec::new()),
            Version::Unknown if side.count == 0 => return side.lines = Some(Vec::new()),
            _ => return,
        };
        side.skipped = self.start.saturating_sub(begin).min(side.count);
        let mut lines = Vec::new();
        for at in side.skipped..side.count {
            if self.next.is_some() {
                break;
            }
            let line = text.shown(first.saturating_add(at));
            let alone = self.bytes.saturating_add(NAMING) >= self.room;
            let full = line.len() > self.bytes && !alone;
            if self.left == 0 || full {
                self.next = Some(begin.saturating_add(at));
                break;
            }
            self.left -= 1;
            self.bytes = self.bytes.saturating_sub(line.len());
            lines.push(line);
        }
        side.lines = Some(lines);
    }

    /// The cursor of the next page. A page that begins behind the end was never there.
    pub(super) fn next_cursor(self) -> Result<Option<String>, Refusal> {
        if self.start > 0 && self.start >= self.at {
            return Err(foreign(&format!("{:x}", self.start)));
        }
        Ok(self.next.map(|at| format!("{at:x}")))
    }
}

/// How many places of the sequence a change takes.
fn places(change: &ChangeView) -> usize {
    change.before.count.saturating_add(change.after.count).saturating_add(1)
}

fn foreign(given: &str) -> Refusal {
    Refusal::argument("cursor", Expected::Cursor, format!("{given:?}"))
}

//! From the lines that all hunks leave to splices of the old text, and to the record of what each changed.
//!
//! Promises that only removed lines, new lines and, where it must, the terminator of one last line are in
//! the splices: every other byte stays. Leaves charsets and marks to `text`.

use super::roll::{EDGE, Ending, Held, Roll};
use crate::plan::Change;
use crate::text::terminate::kept_apart;
use crate::text::{Splice, Terminator, final_newline};
use std::collections::HashSet;
use std::ops::Range;

/// Something that happens to the old text.
#[derive(Clone, Copy)]
enum Event<'a> {
    /// The last line gets a terminator.
    Close(Terminator),
    /// A new line comes.
    Add(&'a [u8], Terminator),
    /// A line goes.
    Remove,
    /// A line gets another end, or nothing happens; so many lines are concerned.
    Touch(usize),
    /// The terminator of the last line goes.
    Open,
}

impl Event<'_> {
    /// The order of events at one offset.
    fn rank(self) -> u8 {
        match self {
            Event::Close(_) => 0,
            Event::Add(..) => 1,
            Event::Touch(_) => 2,
            Event::Remove => 3,
            Event::Open => 4,
        }
    }
}

/// An event, where in the old text it happens, and the hunk that it is part of.
struct Entry<'a> {
    range: Range<usize>,
    event: Event<'a>,
    by: Option<u32>,
}

/// What all hunks come to.
pub(super) struct Finished {
    pub(super) splices: Vec<Splice>,
    /// By hunk.
    pub(super) changes: Vec<Change>,
}

impl<'a> Roll<'a> {
    pub(super) fn finish(&self, hunks: usize) -> Finished {
        let entries = self.entries(hunks);
        Finished { splices: splices(&entries), changes: self.changes(&entries, hunks) }
    }

    /// Everything that happens, in the order of the text.
    fn entries(&self, hunks: usize) -> Vec<Entry<'a>> {
        let mut entries = self.additions();
        for hunk in 0..hunks {
            for node in self.noted(hunk) {
                if let Held::Old { start, end } = self.held(*node) {
                    entries.push(Entry { range: start..end, event: Event::Remove, by: u32::try_from(hunk).ok() });
                }
            }
        }
        let removed = |entry: &Entry<'_>| matches!(entry.event, Event::Remove).then_some(entry.range.start);
        let gone: HashSet<usize> = entries.iter().filter(|_| !self.touches.is_empty()).filter_map(removed).collect();
        for touch in &self.touches {
            // A line that a later hunk removed is that hunk's.
            let lines = if gone.contains(&touch.offset) { 0 } else { touch.lines };
            let (range, event) = (touch.offset..touch.offset, Event::Touch(lines));
            entries.push(Entry { range, event, by: Some(touch.by) });
        }
        entries.extend(self.last_end().map(|(range, event)| Entry { range, event, by: None }));
        entries.sort_by_key(|entry| (entry.range.start, entry.event.rank()));
        entries
    }

    fn additions(&self) -> Vec<Entry<'a>> {
        let mut entries = Vec::new();
        let (mut node, last) = (self.below(EDGE), self.above(EDGE));
        while node != EDGE {
            if let Held::New { text, ends, at, by } = self.held(node) {
                let bare = node == last && self.ending == Ending::Bare;
                let ends = if bare { Terminator::None } else { ends };
                entries.push(Entry { range: at..at, event: Event::Add(text, ends), by: Some(by) });
            }
            node = self.below(node);
        }
        entries
    }

    /// What becomes of the terminator of an old line that is the last, or was.
    fn last_end(&self) -> Option<(Range<usize>, Event<'a>)> {
        let last = self.last()?;
        let end = self.text.len();
        if let Some(node) = self.bare_old_end() {
            let line = self.text.get(memchr::memrchr(b'\n', self.text).map_or(0, |at| at + 1)..);
            let ends = kept_apart(line.unwrap_or_default(), self.bare_lends());
            let closes = node != last.node || self.ending == Ending::Newline;
            return closes.then_some((end..end, Event::Close(ends)));
        }
        let row = self.row(last);
        let opens = matches!(self.held(last.node), Held::Old { .. }) && self.ending == Ending::Bare;
        let from = last.offset + row.text.len();
        opens.then_some((from..from + row.ends.bytes().len(), Event::Open))
    }

    fn changes(&self, entries: &[Entry<'_>], hunks: usize) -> Vec<Change> {
        let mut spans: Vec<Option<Span>> = vec![None; hunks];
        let mut count = Count { text: self.text, offset: 0, old: 0, gone: 0, come: 0 };
        for entry in entries {
            let Some(by) = entry.by else { continue };
            let before = count.at(entry.range.start);
            let after = match entry.event {
                Event::Add(..) => count.add(),
                Event::Remove => count.remove(before),
                Event::Touch(lines) => (before.0 + lines, before.1 + lines),
                Event::Close(_) | Event::Open => before,
            };
            if let Some(span) = spans.get_mut(by as usize) {
                span.get_or_insert(Span { from: before, to: after }).to = after;
            }
        }
        spans.into_iter().map(|span| span.map_or_else(Change::default, Span::change)).collect()
    }
}

/// How many lines of the old and of the new text stand above something.
type Above = (usize, usize);

#[derive(Clone, Copy)]
struct Span {
    from: Above,
    to: Above,
}

impl Span {
    fn change(self) -> Change {
        Change {
            before_line: self.from.0 + 1,
            before_lines: self.to.0.saturating_sub(self.from.0),
            after_line: self.from.1 + 1,
            after_lines: self.to.1.saturating_sub(self.from.1),
            ..Change::default()
        }
    }
}

/// Counts lines on the way down both texts.
struct Count<'a> {
    text: &'a [u8],
    offset: usize,
    old: usize,
    gone: usize,
    come: usize,
}

impl Count<'_> {
    /// The lines above an offset that is not above the last one asked for.
    fn at(&mut self, offset: usize) -> Above {
        let passed = self.text.get(self.offset..offset).unwrap_or_default();
        self.old += memchr::memchr_iter(b'\n', passed).count();
        self.old += usize::from(!passed.is_empty() && offset == self.text.len() && !final_newline(self.text));
        self.offset = self.offset.max(offset);
        self.above()
    }

    fn above(&self) -> Above {
        (self.old, (self.old + self.come).saturating_sub(self.gone))
    }

    fn add(&mut self) -> Above {
        self.come += 1;
        self.above()
    }

    /// A removed line is above what follows, in the old text only.
    fn remove(&mut self, before: Above) -> Above {
        self.gone += 1;
        (before.0 + 1, before.1)
    }
}

/// Neighbouring events as one splice.
fn splices(entries: &[Entry<'_>]) -> Vec<Splice> {
    let mut splices: Vec<Splice> = Vec::new();
    for entry in entries.iter().filter(|entry| !matches!(entry.event, Event::Touch(_))) {
        let splice = match splices.last_mut() {
            Some(last) if last.range.end == entry.range.start => {
                last.range.end = entry.range.end;
                last
            }
            _ => {
                splices.push(Splice { range: entry.range.clone(), text: Vec::new() });
                let Some(last) = splices.last_mut() else { continue };
                last
            }
        };
        let (text, ends): (&[u8], Terminator) = match entry.event {
            Event::Close(ends) => (b"", ends),
            Event::Add(text, ends) => (text, ends),
            Event::Remove | Event::Touch(_) | Event::Open => (b"", Terminator::None),
        };
        splice.text.extend_from_slice(text);
        splice.text.extend_from_slice(ends.bytes());
    }
    splices
}

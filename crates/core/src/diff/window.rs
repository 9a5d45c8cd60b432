//! The parts of a text around its edits: only they are compared, each by itself where they are far apart.
//!
//! Promises that whatever lies outside the windows is equal on both sides, that windows do not meet, and that
//! each holds the context of its changes. Where there is one window, the diff is that of the whole texts.

use super::CONTEXT;
use super::edge::{common_line_suffix, common_prefix, line_start, lines_back, tail};
use crate::text::{Splice, Splices};
use std::ops::Range;

/// Edits with more bytes than this between them are compared by themselves.
const APART: usize = 64 << 10;
/// So many bytes below the last edit are looked at, at first.
const BELOW: usize = 4 << 10;

/// One part of the text, before and after.
pub(super) struct Window<'a> {
    pub(super) old: &'a [u8],
    pub(super) new: Vec<u8>,
    /// How many lines stand above it, before and after.
    pub(super) above: (usize, usize),
}

/// The windows of an edit, from the top.
pub(super) struct Windows<'a> {
    text: &'a [u8],
    rest: &'a [Splice],
    /// Where the last window ended, and how many lines were above that.
    at: usize,
    above: (usize, usize),
}

impl<'a> Windows<'a> {
    pub(super) fn of(text: &'a [u8], edit: &'a Splices) -> Windows<'a> {
        Windows { text, rest: edit.as_slice(), at: 0, above: (0, 0) }
    }

    /// The window of the first edits that are left, and how many they are.
    fn settled(&self, first: &Splice) -> (usize, Range<usize>, Vec<u8>) {
        let start = self.top(first);
        let (mut count, mut below) = (near(self.rest), BELOW);
        loop {
            let (group, others) = self.rest.split_at_checked(count).unwrap_or((self.rest, &[]));
            let range = start..self.bottom(group, below);
            // Edits of one long line are taken in together: looking for its ends once for each would take too long.
            let inside = others.partition_point(|other| other.range.start < range.end);
            if inside > 0 || others.first().is_some_and(|next| self.top(next) < range.end) {
                count += inside.max(near(others));
                continue;
            }
            let new = spliced(self.text, &range, group);
            if range.end == self.text.len() || is_settled(part(self.text, &range), &new) {
                return (count, range, new);
            }
            below = below.saturating_mul(4);
        }
    }

    /// The end of a line, so many bytes below the last edit.
    fn bottom(&self, group: &[Splice], below: usize) -> usize {
        let last = group.last().map_or(self.at, |last| last.range.end).saturating_add(below);
        memchr::memchr(b'\n', tail(self.text, last)).map_or(self.text.len(), |more| last + more + 1)
    }

    /// Where the context above an edit begins.
    fn top(&self, splice: &Splice) -> usize {
        let line = line_start(self.text, splice.range.start);
        lines_back(self.text.get(..line).unwrap_or_default(), CONTEXT)
    }
}

impl<'a> Iterator for Windows<'a> {
    type Item = Window<'a>;

    fn next(&mut self) -> Option<Window<'a>> {
        let (count, range, new) = self.settled(self.rest.first()?);
        let between = newlines(part(self.text, &(self.at..range.start)));
        let above = (self.above.0 + between, self.above.1 + between);
        let old = part(self.text, &range);
        self.rest = self.rest.get(count..).unwrap_or_default();
        self.at = range.end;
        self.above = (above.0 + newlines(old), above.1 + newlines(&new));
        Some(Window { old, new, above })
    }
}

/// How many edits at the beginning are near one another; at least one.
fn near(edits: &[Splice]) -> usize {
    let apart = |pair: &[Splice]| match pair {
        [one, next] => next.range.start.saturating_sub(one.range.end) > APART,
        _ => false,
    };
    edits.windows(2).position(apart).map_or(edits.len(), |at| at + 1).max(1)
}

/// A part of the text after the edits that lie in it.
fn spliced(text: &[u8], range: &Range<usize>, group: &[Splice]) -> Vec<u8> {
    let mut new = Vec::with_capacity(range.len());
    let mut copied = range.start;
    for splice in group {
        new.extend_from_slice(part(text, &(copied..splice.range.start)));
        new.extend_from_slice(&splice.text);
        copied = splice.range.end;
    }
    new.extend_from_slice(part(text, &(copied..range.end)));
    new
}

/// Does what differs end with enough equal lines below it? Else, among equal lines, it might be shown further down.
fn is_settled(old: &[u8], new: &[u8]) -> bool {
    if old == new {
        return true;
    }
    let head = line_start(old, common_prefix(old, new));
    let (old, new) = (tail(old, head), tail(new, head));
    let foot = common_line_suffix(old, new);
    memchr::memchr_iter(b'\n', tail(old, old.len() - foot)).take(CONTEXT).count() == CONTEXT
}

fn newlines(text: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', text).count()
}

fn part<'a>(text: &'a [u8], range: &Range<usize>) -> &'a [u8] {
    text.get(range.clone()).unwrap_or_default()
}

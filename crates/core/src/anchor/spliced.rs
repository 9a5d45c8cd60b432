//! The anchors of an edited text from those of the old one: what stays is not hashed again. Contexts are worked out
//! for the old text, if they have not been, because those of the new one come from them.
//!
//! Promises the same anchors as [`Anchors::of`] the new text. Leaves what was edited to the caller, who knows.

use super::around::Stretch;
use super::around::contexts;
use super::ends::each_line;
use super::hash::{is_blank, line_hash};
use super::index::Anchors;
use super::judge::Lines;
use super::marks::Marks;
use crate::text::final_newline;
use std::ops::Range;
use std::sync::OnceLock;

impl Anchors<'_> {
    /// The anchors of `text`, which came out of this one by replacing lines: each of these runs of old lines, from 0,
    /// in order and apart, by so many new ones. An empty run is an insertion before its line.
    ///
    /// ```
    /// use patchwright_core::anchor::Anchors;
    /// let old = Anchors::of(b"one\ntwo\nthree\n");
    /// let new = old.spliced(b"one\n2\n2.5\nthree\n", &[(1..2, 2)]);
    /// assert_eq!(new.slice(1..=4), Anchors::of(b"one\n2\n2.5\nthree\n").slice(1..=4));
    /// ```
    pub fn spliced<'b>(&self, text: &'b [u8], replaced: &[(Range<usize>, usize)]) -> Anchors<'b> {
        let own = Vec::with_capacity(self.count());
        let mut new = Anchors { marks: Marks::new(text), own, around: OnceLock::new() };
        let mut around = Vec::with_capacity(self.count());
        let (mut done, mut offset) = (0, 0);
        let mut touched = Vec::new();
        for (old, count) in &self.with_open_end(replaced) {
            offset = self.take(done..old.start, &mut new, &mut around, offset);
            let from = new.own.len();
            offset = hash_lines(&mut new, offset, *count);
            around.resize(new.own.len(), 0);
            touched.push(from..new.own.len());
            done = old.end;
        }
        self.take(done..self.count(), &mut new, &mut around, offset);
        touched.into_iter().for_each(|lines| new.look_around(lines, &mut around));
        new.around = OnceLock::from(around);
        new
    }

    /// A last line without terminator may have got one, and a return at its end be part of that: it counts as new.
    fn with_open_end(&self, replaced: &[(Range<usize>, usize)]) -> Vec<(Range<usize>, usize)> {
        let mut all = replaced.to_vec();
        if let (false, Some(last)) = (final_newline(self.marks.text()), self.count().checked_sub(1))
            && !all.iter().any(|(lines, _)| lines.contains(&last))
        {
            all.insert(all.partition_point(|(lines, _)| lines.end <= last), (last..self.count(), 1));
        }
        all
    }

    /// Takes lines over as they are; where they end in the new text.
    fn take(&self, lines: Range<usize>, new: &mut Anchors<'_>, around: &mut Vec<u32>, offset: usize) -> usize {
        if lines.is_empty() {
            return offset;
        }
        self.marks.carry(lines.clone(), &mut new.marks, new.own.len(), offset);
        new.own.extend_from_slice(self.own.get(lines.clone()).unwrap_or_default());
        around.extend_from_slice(self.around().get(lines.clone()).unwrap_or_default());
        let length = self.marks.start(lines.end).saturating_sub(self.marks.start(lines.start));
        offset.saturating_add(length)
    }

    /// Works out the contexts of new lines and of those beside them, as far as the next that is not blank.
    fn look_around(&self, lines: Range<usize>, around: &mut [u32]) {
        let filled = |line: &usize| !is_blank(self.marks.line(*line));
        let above = |line: usize| (0..line).rev().find(filled);
        let below = |line: usize| (line..self.count()).find(filled);
        let from = above(lines.start);
        let to = below(lines.end);
        let range = from.unwrap_or(0)..to.map_or(self.count(), |line| line + 1);
        let text = self.marks.text().get(self.marks.start(range.start)..self.marks.start(range.end));
        let outside = |line: Option<usize>| line.map_or(&b""[..], |line| self.marks.line(line));
        let mut fresh = Vec::new();
        let stretch = Stretch {
            above: outside(from.and_then(above)),
            text: text.unwrap_or_default(),
            below: outside(below(range.end)),
        };
        contexts(&stretch, &mut fresh, |_| {});
        for (place, context) in around.iter_mut().skip(range.start).zip(fresh) {
            *place = context;
        }
    }
}

/// Hashes so many lines; where they end.
fn hash_lines(new: &mut Anchors<'_>, offset: usize, count: usize) -> usize {
    let rest = new.marks.text().get(offset..).unwrap_or_default();
    let end = match count {
        0 => 0,
        _ => memchr::memchr_iter(b'\n', rest).nth(count - 1).map_or(rest.len(), |at| at + 1),
    };
    let part = rest.get(..end).unwrap_or_default();
    each_line(part, |span| {
        new.marks.pass(new.own.len(), offset + span.start);
        new.own.push(line_hash(span.of(part)));
    });
    offset + end
}

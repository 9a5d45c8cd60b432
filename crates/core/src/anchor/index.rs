//! The lines of one text by their anchors.
//!
//! Promises linear time. Hashing the lines is one pass; contexts are worked out when a line first needs one;
//! forms are looked up only for the lines that are asked for.

use super::around::Stretch;
use super::around::contexts;
use super::ends::each_line;
use super::hash::{is_low, line_hash, long, short};
use super::judge::{Judge, Lines};
use super::marks::Marks;
use super::{Form, Quality, Shown};
use crate::text::Numbered;
use std::ops::{Range, RangeInclusive};
use std::sync::OnceLock;

/// So many anchors are recommended.
const RECOMMENDED: usize = 20;

/// The anchors of one text.
#[derive(Clone, Debug)]
pub struct Anchors<'a> {
    pub(super) marks: Marks<'a>,
    pub(super) own: Vec<u64>,
    pub(super) around: OnceLock<Vec<u32>>,
}

impl<'a> Anchors<'a> {
    /// The anchors of a text.
    ///
    /// ```
    /// use patchwright_core::anchor::{Anchor, Anchors};
    /// let anchors = Anchors::of(b"one\n}\ntwo\n}\n");
    /// let shown: Vec<String> = anchors.shown(&[1, 2, 4]).iter().map(|shown| shown.to_string()).collect();
    /// assert_eq!(shown, ["1#911fab", "2#~131723f0", "4#~76efb132"]);
    /// for (line, name) in [(1, &shown[0]), (2, &shown[1]), (4, &shown[2])] {
    ///     assert_eq!(anchors.find(&Anchor::parse(name).unwrap().form), [line]);
    /// }
    /// ```
    pub fn of(text: &'a [u8]) -> Anchors<'a> {
        let mut marks = Marks::new(text);
        let mut own = Vec::new();
        each_line(text, |span| {
            marks.pass(own.len(), span.start);
            own.push(line_hash(span.of(text)));
        });
        Anchors { marks, own, around: OnceLock::new() }
    }

    /// How many lines there are.
    pub fn count(&self) -> usize {
        self.own.len()
    }

    /// The hashes of all lines, in order.
    pub fn hashes(&self) -> &[u64] {
        &self.own
    }

    /// The bytes of a line, from 1, without terminator.
    pub fn text(&self, line: usize) -> &'a [u8] {
        line.checked_sub(1).filter(|at| *at < self.count()).map_or(b"", |at| self.marks.line(at))
    }

    /// All lines that a form names, in order. Eight digits are the line's own where any line has them, else
    /// those of a context.
    pub fn find(&self, form: &Form) -> Vec<usize> {
        match *form {
            Form::Short(digits) => numbers(&self.own, |hash| short(*hash) == digits),
            Form::Long(digits) => match numbers(&self.own, |hash| long(*hash) == digits) {
                lines if lines.is_empty() => self.by_context(digits),
                lines => lines,
            },
            Form::Context(digits) => self.by_context(digits),
            Form::Place { short: digits, at, of } => {
                let lines = numbers(&self.own, |hash| short(*hash) == digits);
                let place = at.checked_sub(1).and_then(|at| lines.get(at));
                place.filter(|_| lines.len() == of).copied().into_iter().collect()
            }
        }
    }

    /// The anchors of these lines, in the order given; lines that are not there are left out.
    pub fn shown(&self, lines: &[usize]) -> Vec<Shown> {
        self.judged(lines.iter().copied())
    }

    /// The anchors of a run of lines.
    pub fn slice(&self, lines: RangeInclusive<usize>) -> Vec<Shown> {
        self.judged((*lines.start()).max(1)..(*lines.end()).min(self.count()).saturating_add(1))
    }

    /// The nearest lines of high quality, so many at most on either side, in order: above, then below.
    pub fn neighbours(&self, line: usize, each: usize) -> Vec<Shown> {
        let mut near = self.nearest((1..line.min(self.count().saturating_add(1))).rev(), each);
        near.reverse();
        near.extend(self.nearest(line.saturating_add(1)..self.count().saturating_add(1), each));
        near
    }

    /// The first so many lines of high quality. Each time they do not suffice, twice as many are judged.
    fn nearest(&self, lines: impl Iterator<Item = usize>, most: usize) -> Vec<Shown> {
        let mut lines = lines.filter(|line| !is_low(self.text(*line)));
        let (mut near, mut batch) = (Vec::new(), most.saturating_mul(4));
        while near.len() < most {
            let some: Vec<usize> = lines.by_ref().take(batch).collect();
            if some.is_empty() {
                break;
            }
            near.extend(self.shown(&some).into_iter().filter(|shown| shown.quality == Quality::High));
            batch = batch.saturating_mul(2);
        }
        near.truncate(most);
        near
    }

    fn judged(&self, lines: impl Iterator<Item = usize> + Clone) -> Vec<Shown> {
        let judge = Judge::of(self, lines.clone());
        let one = |line| {
            let (form, sharers) = judge.form(self, line)?;
            Some(Shown { line, form, quality: Quality::of(self.text(line), sharers) })
        };
        lines.filter_map(one).collect()
    }

    fn by_context(&self, digits: u32) -> Vec<usize> {
        numbers(self.around(), |own| *own == digits)
    }
}

impl<'a> Numbered<'a> for Anchors<'a> {
    fn bytes(&self) -> &'a [u8] {
        self.marks.text()
    }

    fn count(&self) -> usize {
        self.own.len()
    }

    fn range(&self, number: usize) -> Option<Range<usize>> {
        let at = number.checked_sub(1).filter(|at| *at < self.own.len())?;
        let start = self.marks.start(at);
        let rest = self.marks.text().get(start..)?;
        Some(start..memchr::memchr(b'\n', rest).map_or(self.marks.text().len(), |end| start + end + 1))
    }
}

impl Lines for Anchors<'_> {
    fn own(&self) -> &[u64] {
        &self.own
    }

    fn around(&self) -> &[u32] {
        self.around.get_or_init(|| {
            let mut around = Vec::with_capacity(self.count());
            contexts(&Stretch { above: b"", text: self.marks.text(), below: b"" }, &mut around, |_| {});
            around
        })
    }
}

fn numbers<T>(all: &[T], fits: impl Fn(&T) -> bool) -> Vec<usize> {
    all.iter().zip(1..).filter(|(one, _)| fits(one)).map(|(_, line)| line).collect()
}

/// The best anchors of a slice: of high quality, spread over it, 20 at most.
pub fn recommended(slice: &[Shown]) -> Vec<Shown> {
    let high: Vec<Shown> = slice.iter().filter(|shown| shown.quality == Quality::High).copied().collect();
    if high.len() <= RECOMMENDED {
        return high;
    }
    (0..RECOMMENDED).filter_map(|at| high.get(at * (high.len() - 1) / (RECOMMENDED - 1)).copied()).collect()
}

//! A file's changes against its text: do the lines exist, and do they say what was expected?

use super::place::span;
use super::repeats::Repeats;
use super::{FilePatch, LineEdit, Quoted};
use crate::locate::LinePattern;
use crate::refusal::{Differing, DifferingLine, LineProblem, RepeatedLines, Side, Wider};
use crate::seeded::{Bug, is_planted};
use crate::text::{LineIndex, lines};
use std::ops::Range;

/// Of lines that differ so many are told.
const TOLD: usize = 20;
/// So many lines more on either side are tried to tell equal lines apart.
const WIDEST: usize = 64;
/// For so many changes of a file it is looked where their lines stand instead.
const SOUGHT: usize = 50;

/// Everything about a file's changes that its text does not bear out, by change. A range that is none, and lists
/// of the wrong length, are told by [`super::shape`].
///
/// ```
/// use patchwright_core::dialect::lines::{FilePatch, LineEdit, compare};
/// use patchwright_core::digest::Digest;
/// let change = LineEdit::delete(1, vec!["b".to_owned()]);
/// let found = compare(b"a\nb\n", &FilePatch::new("a.txt", Digest::of(b"a\nb\n"), vec![change]));
/// assert_eq!(found[0].1.rule(), "expected_lines");
/// ```
pub fn compare(text: &[u8], patch: &FilePatch) -> Vec<(usize, LineProblem)> {
    let mut desk = Desk { index: LineIndex::of(text), searches: SOUGHT };
    let (mut found, mut quotes) = (Vec::new(), Vec::new());
    for (at, edit) in patch.changes.iter().enumerate() {
        let problems = desk.problems(edit);
        quotes.extend(quoted_lines(edit).filter(|_| problems.is_empty()).map(|lines| (at, lines)));
        found.extend(problems.into_iter().map(|problem| (at, problem)));
    }
    found.extend(repeated(&desk.index, &quotes));
    found.sort_by_key(|(at, _)| *at);
    found
}

/// The lines of a change together with the neighbours that it quotes, from 0; nothing where the edge of the file is
/// quoted, which is in one place only.
fn quoted_lines(edit: &LineEdit) -> Option<Quotes> {
    let span = span(edit.place?)?;
    let edge = edit.above == Quoted::Edge || edit.below == Quoted::Edge;
    let (above, below) = (edit.above.line().is_some(), edit.below.line().is_some());
    let whole = span.start.checked_sub(usize::from(above))?..span.end.checked_add(usize::from(below))?;
    let quoted = edit.expected.as_ref().is_some_and(|expected| expected.len() == span.len());
    (quoted && !edge && !is_planted(Bug::CopyByNumber)).then_some(Quotes { own: span, whole })
}

/// The lines that a change quotes.
struct Quotes {
    /// Those that go.
    own: Range<usize>,
    /// With their neighbours.
    whole: Range<usize>,
}

/// Changes whose quoted lines, neighbours and all, stand elsewhere too: then they do not show that the author counted
/// right.
fn repeated(index: &LineIndex<'_>, quoted: &[(usize, Quotes)]) -> Vec<(usize, LineProblem)> {
    let longest = quoted.iter().map(|(_, quotes)| quotes.whole.len()).max().unwrap_or_default();
    if longest == 0 {
        return Vec::new();
    }
    let all = || lines(index.bytes()).map(|line| line.text);
    let repeats = Repeats::up_to(longest, all());
    let again = |quotes: &Quotes| !repeats.elsewhere(&quotes.whole, 1).is_empty();
    let found: Vec<&(usize, Quotes)> = quoted.iter().filter(|(_, quotes)| again(quotes)).collect();
    if found.is_empty() {
        return Vec::new();
    }
    let wide = Repeats::up_to(longest + 2 * WIDEST, all());
    let problem = |(at, quotes): &&(usize, Quotes)| (*at, told(index, &wide, quotes));
    found.iter().map(problem).collect()
}

/// Where else the lines stand, and what tells them apart.
fn told(index: &LineIndex<'_>, repeats: &Repeats, quotes: &Quotes) -> LineProblem {
    let mut elsewhere = repeats.elsewhere(&quotes.whole, TOLD + 1);
    let more = elsewhere.len() > TOLD;
    elsewhere.truncate(TOLD);
    let offset = quotes.own.start - quotes.whole.start;
    let text = |number: usize| index.line(number).map(|line| String::from_utf8_lossy(line.text).into_owned());
    let count = index.count();
    let widened = |by: usize| quotes.own.start.saturating_sub(by)..(quotes.own.end + by).min(count);
    let alone = |lines: &Range<usize>| repeats.elsewhere(lines, 1).is_empty();
    // A neighbour quoted as the edge of the file tells as well.
    let wider = (!alone(&widened(1)) && quotes.own.start > 0 && quotes.own.end < count).then(|| {
        let lines = (2..=WIDEST).map(widened).find(alone);
        lines.map_or(Wider::Far, |lines| Wider::Lines(lines.start + 1, lines.end))
    });
    LineProblem::Repeated(Box::new(RepeatedLines {
        lines: elsewhere.into_iter().map(|start| start + offset + 1).collect(),
        more,
        above: quotes.own.start.checked_sub(1).and_then(|at| text(at + 1)),
        below: text(quotes.own.end + 1),
        wider,
    }))
}

/// A file's lines, open for comparing.
struct Desk<'a> {
    index: LineIndex<'a>,
    searches: usize,
}

impl<'a> Desk<'a> {
    fn problems(&mut self, edit: &LineEdit) -> Vec<LineProblem> {
        let Some(span) = edit.place.and_then(span) else { return Vec::new() };
        let count = self.index.count();
        if span.end > count {
            return vec![LineProblem::BeyondEnd { count }];
        }
        let expected = match edit.expected.as_deref() {
            _ if span.is_empty() => &[],
            Some(expected) if fits(&span, expected) => expected,
            _ => return Vec::new(),
        };
        let wrong = self.wrong_neighbours(&span, edit);
        let differing = self.differing(span.start, expected);
        if wrong.is_empty() && differing.is_empty() {
            return Vec::new();
        }
        let instead = self.instead(edit, expected);
        let mut found = Vec::new();
        if let Some(first) = differing.first().map(|_| span.start + 1) {
            let (count, mut pairs) = (differing.len(), differing);
            pairs.truncate(TOLD);
            found.push(LineProblem::Differs(Box::new(Differing { first, count, pairs, instead })));
        }
        found.extend(wrong.into_iter().map(|(side, quoted, line)| self.neighbour(side, quoted, line, instead)));
        found
    }

    fn differing(&self, start: usize, expected: &[String]) -> Vec<DifferingLine> {
        let wrong = |(at, line): (usize, &String)| {
            let actual = self.line(start + at + 1).unwrap_or_default();
            (actual != line.as_bytes()).then(|| DifferingLine {
                line: start + at + 1,
                expected: line.clone(),
                actual: String::from_utf8_lossy(actual).into_owned(),
                quotable: std::str::from_utf8(actual).is_ok(),
            })
        };
        expected.iter().enumerate().filter_map(wrong).collect()
    }

    /// The neighbours that are not as quoted, each with its number. What is not one line breaks another rule.
    fn wrong_neighbours<'e>(&self, span: &Range<usize>, edit: &'e LineEdit) -> Vec<(Side, &'e Quoted, usize)> {
        let sides = [(Side::Before, &edit.above, span.start), (Side::After, &edit.below, span.end + 1)];
        let one_line = |quoted: &Quoted| quoted.line().is_none_or(|line| !line.contains('\n'));
        sides.into_iter().filter(|(_, quoted, line)| one_line(quoted) && !self.says(*line, quoted)).collect()
    }

    fn neighbour(&self, side: Side, quoted: &Quoted, line: usize, instead: Option<usize>) -> LineProblem {
        LineProblem::Neighbour {
            side,
            expected: quoted.line().cloned(),
            actual: self.line(line).map(|text| String::from_utf8_lossy(text).into_owned()),
            instead,
        }
    }

    /// Is the line of this number what was said of it? 0, and the number behind the last, are the edges.
    fn says(&self, number: usize, quoted: &Quoted) -> bool {
        match quoted {
            Quoted::Unsaid => true,
            Quoted::Edge => self.line(number).is_none(),
            Quoted::Line(text) => self.line(number) == Some(text.as_bytes()),
        }
    }

    /// The one place in the file that is as the change says: of an insert the line above it, else the first of
    /// its lines, from 1.
    fn instead(&mut self, edit: &LineEdit, expected: &[String]) -> Option<usize> {
        self.searches = self.searches.checked_sub(1)?;
        let fits = |start: &usize| self.says(*start, &edit.above) && self.says(start + expected.len() + 1, &edit.below);
        if expected.is_empty() {
            return only((0..=self.index.count()).filter(fits));
        }
        let wanted: Vec<&[u8]> = expected.iter().map(|line| line.as_bytes()).collect();
        let pattern = LinePattern::new(&wanted)?;
        let mut reader = pattern.reader();
        let ends = lines(self.index.bytes()).enumerate().filter(|(_, line)| reader.ends_with(line.text));
        let starts = ends.filter_map(|(last, _)| (last + 1).checked_sub(wanted.len()));
        only(starts.filter(fits)).map(|start| start + 1)
    }

    fn line(&self, number: usize) -> Option<&'a [u8]> {
        self.index.line(number).map(|line| line.text)
    }
}

/// As many expected lines as the range has, and each of them one line; else that is told by [`super::shape`].
fn fits(span: &Range<usize>, expected: &[String]) -> bool {
    expected.len() == span.len() && !expected.iter().any(|line| line.contains('\n'))
}

fn only(mut places: impl Iterator<Item = usize>) -> Option<usize> {
    places.next().filter(|_| places.next().is_none())
}

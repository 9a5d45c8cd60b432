//! A file's changes against its text: do the lines exist, and do they say what was expected?

use super::place::span;
use super::{FilePatch, LineEdit, Quoted};
use crate::locate::LinePattern;
use crate::refusal::{Differing, DifferingLine, LinePlace, LineProblem, Side};
use crate::text::{LineIndex, lines};

/// Of lines that differ so many are told.
const TOLD: usize = 20;
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
    let mut found = Vec::new();
    for (at, edit) in patch.changes.iter().enumerate() {
        found.extend(desk.problems(edit).into_iter().map(|problem| (at, problem)));
    }
    found
}

/// A file's lines, open for comparing.
struct Desk<'a> {
    index: LineIndex<'a>,
    searches: usize,
}

impl<'a> Desk<'a> {
    fn problems(&mut self, edit: &LineEdit) -> Vec<LineProblem> {
        let Some((place, span)) = edit.place.and_then(|place| Some((place, span(place)?))) else { return Vec::new() };
        let count = self.index.count();
        if span.end > count {
            return vec![LineProblem::BeyondEnd { count }];
        }
        match place {
            LinePlace::Insert { after } => self.neighbours(edit, after),
            _ => {
                let expected = edit.expected.as_deref().filter(|expected| expected.len() == span.len());
                // A line break in one of them is told already, and never in a line.
                let expected = expected.filter(|expected| !expected.iter().any(|line| line.contains('\n')));
                expected.and_then(|expected| self.differing(span.start, expected)).into_iter().collect()
            }
        }
    }

    fn differing(&mut self, start: usize, expected: &[String]) -> Option<LineProblem> {
        let wrong = |(at, line): (usize, &String)| {
            let actual = self.line(start + at + 1).unwrap_or_default();
            (actual != line.as_bytes()).then(|| DifferingLine {
                line: start + at + 1,
                expected: line.clone(),
                actual: String::from_utf8_lossy(actual).into_owned(),
                quotable: std::str::from_utf8(actual).is_ok(),
            })
        };
        let mut pairs: Vec<DifferingLine> = expected.iter().enumerate().filter_map(wrong).collect();
        if pairs.is_empty() {
            return None;
        }
        let count = pairs.len();
        pairs.truncate(TOLD);
        let instead = self.once(expected);
        Some(LineProblem::Differs(Box::new(Differing { first: start + 1, count, pairs, instead })))
    }

    fn neighbours(&mut self, edit: &LineEdit, after: usize) -> Vec<LineProblem> {
        let sides = [(Side::Before, &edit.above, after), (Side::After, &edit.below, after + 1)];
        let wrong: Vec<_> = sides.into_iter().filter(|(_, quoted, line)| !self.says(*line, quoted)).collect();
        if wrong.is_empty() {
            return Vec::new();
        }
        let instead = self.place_between(&edit.above, &edit.below);
        let problem = |(side, quoted, line): (Side, &Quoted, usize)| LineProblem::Neighbour {
            side,
            expected: match quoted {
                Quoted::Line(text) => Some(text.clone()),
                Quoted::Edge | Quoted::Unsaid => None,
            },
            actual: self.line(line).map(|text| String::from_utf8_lossy(text).into_owned()),
            instead,
        };
        wrong.into_iter().map(problem).collect()
    }

    /// Is the line of this number what was said of it? 0, and the number behind the last, are the edges.
    fn says(&self, number: usize, quoted: &Quoted) -> bool {
        match quoted {
            Quoted::Unsaid => true,
            Quoted::Edge => self.line(number).is_none(),
            Quoted::Line(text) => self.line(number) == Some(text.as_bytes()),
        }
    }

    /// The one place in the file where an insert has these neighbours.
    fn place_between(&mut self, above: &Quoted, below: &Quoted) -> Option<usize> {
        self.searches = self.searches.checked_sub(1)?;
        let fits = |after: &usize| self.says(*after, above) && self.says(*after + 1, below);
        let mut places = (0..=self.index.count()).filter(fits);
        places.next().filter(|_| places.next().is_none())
    }

    /// The 1-based line where these lines begin, if that is in one place only.
    fn once(&mut self, wanted: &[String]) -> Option<usize> {
        self.searches = self.searches.checked_sub(1)?;
        let wanted: Vec<&[u8]> = wanted.iter().map(|line| line.as_bytes()).collect();
        let pattern = LinePattern::new(&wanted)?;
        let mut reader = pattern.reader();
        let mut ends = lines(self.index.bytes()).enumerate().filter(|(_, line)| reader.ends_with(line.text));
        let (last, _) = ends.next()?;
        if ends.next().is_some() { None } else { (last + 2).checked_sub(wanted.len()) }
    }

    fn line(&self, number: usize) -> Option<&'a [u8]> {
        self.index.line(number).map(|line| line.text)
    }
}

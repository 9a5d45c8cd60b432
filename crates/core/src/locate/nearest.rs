//! The closest place of a text that was not found, for the refusal that says so.
//!
//! Promises bounded work on any input and that the answer is only ever shown: nothing here
//! decides where an edit lands. Leaves wording, and making blanks visible, to the reader.

use super::align::{Beside, align, folded};
use super::reason::{Fit, Reason, Row, explain};
use crate::text::{Line, Terminator, lines};

/// Texts longer than this are not searched.
const TEXT_LIMIT: usize = 2 << 20;
/// Texts with more lines than this are not searched.
const LINE_LIMIT: usize = 200_000;
/// Only this many wanted lines are looked at.
const WANTED_LIMIT: usize = 200;
/// Lines are shown up to this many characters.
const SHOWN_CHARS: usize = 200;
/// How many characters are shown before the first difference of a long line.
const LEAD_CHARS: usize = 80;

/// Whether the wanted text is made of whole lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edges {
    /// It is: every wanted line must be a line.
    Whole,
    /// It may begin and end inside a line.
    Open,
}

/// The place that resembles the wanted text most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nearest {
    /// The 1-based line where it begins.
    pub start_line: usize,
    /// Wanted and found, line by line.
    pub lines: Vec<Pair>,
    /// The first line that differs; `None` where only the final newline does.
    pub first_difference: Option<Difference>,
    /// The slip that would explain it.
    pub looks_like: Reason,
}

/// A wanted line beside a found one. Long lines are cut around the first difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The 1-based line of the text; where nothing was found, the line before which it would be.
    pub line_no: usize,
    /// What was wanted; `None` where the text has a line more.
    pub wanted: Option<String>,
    /// What is there; `None` where the text has a line less.
    pub found: Option<String>,
    /// Whether the wanted line is there as it was wanted.
    pub same: bool,
}

/// A line that is not as it was wanted. The fields are those of its [`Pair`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The 1-based line.
    pub line_no: usize,
    /// What was wanted.
    pub wanted: Option<String>,
    /// What is there.
    pub found: Option<String>,
}

/// Finds the place. `None` where nothing is like the wanted text, or the text is too long to look.
///
/// ```
/// use patchwright_core::locate::{nearest, Edges, Reason};
/// let near = nearest(b"fn a() {\n\tone();\n}\n", b"fn a() {\n    one();\n}\n", Edges::Whole).unwrap();
/// assert_eq!((near.start_line, near.looks_like), (1, Reason::TabsForSpaces));
/// assert_eq!(near.first_difference.unwrap().line_no, 2);
/// ```
pub fn nearest(text: &[u8], wanted: &[u8], edges: Edges) -> Option<Nearest> {
    if text.len() > TEXT_LIMIT || wanted.len() > TEXT_LIMIT {
        return None;
    }
    let text: Vec<Line<'_>> = lines(text).take(LINE_LIMIT + 1).collect();
    let wanted: Vec<Line<'_>> = lines(wanted).take(WANTED_LIMIT).collect();
    if text.len() > LINE_LIMIT {
        return None;
    }
    let rows = align(&fold_all(&text), &fold_all(&wanted))?;
    Some(describe(&rows, &text, &wanted, edges))
}

fn fold_all(lines: &[Line<'_>]) -> Vec<String> {
    lines.iter().map(|line| folded(line.text)).collect()
}

fn describe(rows: &[Beside], text: &[Line<'_>], wanted: &[Line<'_>], edges: Edges) -> Nearest {
    let mut line_no = rows.iter().find_map(|row| row.1).unwrap_or(0) + 1;
    let mut numbered = Vec::with_capacity(rows.len());
    for &(at, place) in rows {
        line_no = place.map_or(line_no, |place| place + 1);
        let row = Row { wanted: content(wanted, at), found: content(text, place), fit: fit(wanted, at, edges) };
        numbered.push((line_no, row));
        line_no += usize::from(place.is_some());
    }
    let bare: Vec<Row<'_>> = numbered.iter().map(|(_, row)| *row).collect();
    let pairs: Vec<Pair> = numbered.iter().map(|(line_no, row)| pair(*line_no, row)).collect();
    Nearest {
        start_line: pairs.first().map_or(1, |pair| pair.line_no),
        first_difference: pairs.iter().find(|pair| !pair.same).map(difference),
        looks_like: explain(&bare),
        lines: pairs,
    }
}

fn content<'a>(lines: &[Line<'a>], at: Option<usize>) -> Option<&'a [u8]> {
    at.and_then(|at| lines.get(at)).map(|line| line.text)
}

fn fit(wanted: &[Line<'_>], at: Option<usize>, edges: Edges) -> Fit {
    let open_start = edges == Edges::Open && at == Some(0);
    let bare = |line: &Line<'_>| line.terminator == Terminator::None;
    let open_end = edges == Edges::Open && at.and_then(|at| wanted.get(at)).is_some_and(bare);
    match (open_start, open_end) {
        (true, true) => Fit::Inside,
        (true, false) => Fit::End,
        (false, true) => Fit::Beginning,
        (false, false) => Fit::Whole,
    }
}

fn pair(line_no: usize, row: &Row<'_>) -> Pair {
    let read = |line: Option<&[u8]>| line.map(|line| String::from_utf8_lossy(line).into_owned());
    let (wanted, found) = (read(row.wanted), read(row.found));
    let (mut lead, mut skip) = (0, 0);
    if let (Some(wanted), Some(found), false) = (&wanted, &found, row.same()) {
        skip = if row.fit == Fit::Whole || row.fit == Fit::Beginning { 0 } else { shared_start(wanted, found) };
        lead = wanted.chars().zip(found.chars().skip(skip)).take_while(|(one, two)| one == two).count();
    }
    Pair {
        line_no,
        same: row.same(),
        wanted: wanted.map(|line| excerpt(&line, lead)),
        found: found.map(|line| excerpt(&line, skip.saturating_add(lead))),
    }
}

/// Where in a found line the beginning of a wanted part of a line stands, in characters.
fn shared_start(wanted: &str, found: &str) -> usize {
    let head: String = wanted.trim_start().chars().take(8).collect();
    found.find(&head).map_or(0, |at| found.get(..at).unwrap_or_default().chars().count())
}

/// The part of a line to show, so that the character at `at` is in it.
fn excerpt(line: &str, at: usize) -> String {
    let total = line.chars().count();
    if total <= SHOWN_CHARS {
        return line.to_owned();
    }
    let from = at.saturating_sub(LEAD_CHARS).min(total - SHOWN_CHARS);
    let part: String = line.chars().skip(from).take(SHOWN_CHARS).collect();
    let before = if from > 0 { "…" } else { "" };
    let after = if from + SHOWN_CHARS < total { "…" } else { "" };
    format!("{before}{part}{after}")
}

fn difference(pair: &Pair) -> Difference {
    Difference { line_no: pair.line_no, wanted: pair.wanted.clone(), found: pair.found.clone() }
}

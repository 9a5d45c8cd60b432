//! Lays a few wanted lines beside the lines of a text they most resemble.
//!
//! Promises bounded work: equal lines vote, rare ones louder; only where none is equal are
//! lines compared by the pairs of characters they share. Leaves judging the result to `nearest`.

use std::cmp::Reverse;
use std::collections::HashMap;

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// A line that occurs more often than this in the text votes for its first places only.
const PLACES_PER_LINE: usize = 64;
/// How far beside its best place lines are looked for that one more or one less has shifted.
const MARGIN: usize = 16;
/// How many of the longest wanted lines are compared by likeness.
const LIKENESS_LINES: usize = 3;
/// How much of a line is compared by likeness.
const LIKENESS_BYTES: usize = 400;
/// Thousandths of likeness below which two lines have nothing to do with each other.
const LIKENESS_FLOOR: u64 = 500;

/// A wanted line's index and a text line's index, where there is one.
pub(super) type Beside = (Option<usize>, Option<usize>);

/// Lines without blanks, case and typography, so that slips in those still vote.
pub(super) fn folded(line: &[u8]) -> String {
    let line = String::from_utf8_lossy(line);
    let bare = line.chars().filter(|ch| !ch.is_whitespace());
    bare.map(plain_quote).flat_map(char::to_lowercase).collect()
}

/// The typewriter's form of a typographic quote or dash.
pub(super) fn plain_quote(ch: char) -> char {
    match ch {
        '\u{2018}'..='\u{201B}' | '\u{2032}' | '\u{B4}' => '\'',
        '\u{201C}'..='\u{201F}' | '\u{2033}' | '\u{AB}' | '\u{BB}' => '"',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        _ => ch,
    }
}

/// Lays the wanted lines beside the text. `None` if nothing in it is like them.
pub(super) fn align(text: &[String], wanted: &[String]) -> Option<Vec<Beside>> {
    let distinct = |line: &str| line.chars().filter(|ch| ch.is_alphanumeric()).take(3).count() == 3;
    let offset = by_votes(text, wanted, distinct)
        .or_else(|| by_likeness(text, wanted))
        .or_else(|| by_votes(text, wanted, |line| !line.is_empty()))?;
    let straight = beside_at(offset, text.len(), wanted.len());
    let bent = beside_with_gaps(offset, text, wanted);
    let rows = if equal_rows(&bent, text, wanted) > equal_rows(&straight, text, wanted) { bent } else { straight };
    rows.iter().any(|row| row.1.is_some()).then_some(rows)
}

/// How far down the text the wanted lines begin; negative where their first ones would be above it.
type Offset = isize;

fn by_votes(text: &[String], wanted: &[String], counts: impl Fn(&str) -> bool) -> Option<Offset> {
    let mut places: HashMap<&str, Vec<usize>> =
        wanted.iter().filter(|line| counts(line)).map(|line| (line.as_str(), Vec::new())).collect();
    for (at, line) in text.iter().enumerate() {
        if let Some(found) = places.get_mut(line.as_str()).filter(|found| found.len() < PLACES_PER_LINE) {
            found.push(at);
        }
    }
    let mut votes: HashMap<Offset, u64> = HashMap::new();
    for (at, line) in wanted.iter().enumerate() {
        for place in places.get(line.as_str()).into_iter().flatten() {
            let weight = (1 << 20) / places.get(line.as_str()).map_or(1, |all| all.len().max(1)) as u64;
            *votes.entry(offset(*place, at)).or_default() += weight;
        }
    }
    winner(votes)
}

fn by_likeness(text: &[String], wanted: &[String]) -> Option<Offset> {
    let mut longest: Vec<(usize, &String)> = wanted.iter().enumerate().filter(|(_, line)| line.len() > 2).collect();
    longest.sort_by_key(|(at, line)| (Reverse(line.len()), *at));
    let mut seen = Seen::default();
    let mut votes: HashMap<Offset, u64> = HashMap::new();
    for (at, line) in longest.into_iter().take(LIKENESS_LINES) {
        let bigrams = seen.mark(line);
        for (place, candidate) in text.iter().enumerate() {
            let score = seen.likeness(bigrams, candidate);
            if score >= LIKENESS_FLOOR {
                *votes.entry(offset(place, at)).or_default() += score * score;
            }
        }
    }
    winner(votes)
}

fn offset(place: usize, at: usize) -> Offset {
    (place as Offset).saturating_sub(at as Offset)
}

/// The offset with the most votes; of equal ones the first.
fn winner(votes: HashMap<Offset, u64>) -> Option<Offset> {
    votes.into_iter().max_by_key(|(offset, votes)| (*votes, Reverse(*offset))).map(|(offset, _)| offset)
}

/// Which pairs of bytes a wanted line has, and which of them the line at hand has shown.
struct Seen {
    round: u32,
    /// By pair: the round that marked it as wanted, and the last one that met it.
    wanted: Vec<u32>,
    met: Vec<u32>,
    mark: u32,
}

impl Default for Seen {
    fn default() -> Self {
        Self { round: 0, wanted: vec![0; 1 << 16], met: vec![0; 1 << 16], mark: 0 }
    }
}

impl Seen {
    /// Makes this the wanted line. Gives the number of its distinct pairs.
    fn mark(&mut self, line: &str) -> u64 {
        self.mark = self.mark.saturating_add(1);
        let mark = self.mark;
        let mut count = 0;
        for pair in bigrams(line) {
            if let Some(slot) = self.wanted.get_mut(pair).filter(|slot| **slot != mark) {
                *slot = mark;
                count += 1;
            }
        }
        count
    }

    /// How much of the wanted line is in this one, in thousandths. A wanted line may be part of
    /// a line, so what it shares of its own pairs counts double.
    fn likeness(&mut self, wanted: u64, line: &str) -> u64 {
        self.round = self.round.saturating_add(1);
        let (mut own, mut shared) = (0, 0);
        for pair in bigrams(line) {
            if let Some(slot) = self.met.get_mut(pair).filter(|slot| **slot != self.round) {
                *slot = self.round;
                own += 1;
                shared += u64::from(self.wanted.get(pair) == Some(&self.mark));
            }
        }
        let contained = 1000 * shared / wanted.max(1);
        let mutual = 2000 * shared / (wanted + own).max(1);
        (2 * contained + mutual) / 3
    }
}

fn bigrams(line: &str) -> impl Iterator<Item = usize> {
    let bytes = line.as_bytes();
    let bytes = bytes.get(..LIKENESS_BYTES).unwrap_or(bytes);
    bytes.windows(2).filter_map(|pair| match pair {
        [one, two] => Some(usize::from(*one) << 8 | usize::from(*two)),
        _ => None,
    })
}

fn beside_at(offset: Offset, text: usize, wanted: usize) -> Vec<Beside> {
    let place = |at: usize| usize::try_from(offset.saturating_add(at as Offset)).ok().filter(|place| *place < text);
    (0..wanted).map(|at| (Some(at), place(at))).collect()
}

/// As `beside_at`, but lines that one side has more are left without a partner.
fn beside_with_gaps(offset: Offset, text: &[String], wanted: &[String]) -> Vec<Beside> {
    let from = usize::try_from(offset).unwrap_or(0).saturating_sub(MARGIN).min(text.len());
    let reach = offset.saturating_add_unsigned(wanted.len() + MARGIN);
    let to = usize::try_from(reach).unwrap_or(0).clamp(from, text.len());
    let window = text.get(from..to).unwrap_or_default();
    let ops = capture_diff_slices(Algorithm::Myers, wanted, window);
    let last = ops.len().saturating_sub(1);
    let mut rows = Vec::new();
    for (at, op) in ops.iter().enumerate() {
        let part = if at == 0 {
            Part::Top
        } else if at == last {
            Part::Bottom
        } else {
            Part::Middle
        };
        rows.extend(op_rows(op, part).into_iter().map(|(w, t)| (w, t.map(|t| t + from))));
    }
    rows
}

/// Which part of the window a run of rows comes from.
enum Part {
    Top,
    Middle,
    Bottom,
}

fn op_rows(op: &DiffOp, part: Part) -> Vec<Beside> {
    let (wanted, mut text) = (op.old_range(), op.new_range());
    let both = text.len().min(wanted.len());
    match part {
        Part::Top => text.start = text.end.saturating_sub(both), // what is above is not ours
        Part::Middle => {}
        Part::Bottom => text.end = text.start.saturating_add(both),
    }
    let rows = wanted.len().max(text.len());
    let nth = |range: &std::ops::Range<usize>, at: usize| range.clone().nth(at);
    (0..rows).map(|at| (nth(&wanted, at), nth(&text, at))).collect()
}

fn equal_rows(rows: &[Beside], text: &[String], wanted: &[String]) -> usize {
    let line = |lines: &[String], at: Option<usize>| at.and_then(|at| lines.get(at).cloned());
    let equal =
        |row: &&Beside| line(wanted, row.0).is_some_and(|want| !want.is_empty() && Some(want) == line(text, row.1));
    rows.iter().filter(equal).count()
}

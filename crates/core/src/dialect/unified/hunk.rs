//! One hunk of a diff: its `@@` line, and as many lines below it as that says.

use super::ends::{self, Ended};
use super::lines::Lines;
use crate::dialect::envelope::{Closes, Hunk, Line, Marker, NO_NEWLINE, Reading, Sign};
use crate::dialect::range;
use crate::intent::ShownEnd;
use crate::refusal::{Counts, Grammar, Refusal, Unread};
use crate::seeded::{Bug, is_planted};

/// A hunk and where it stood.
pub(super) struct Read {
    pub(super) hunk: Hunk,
    /// Whether each of its lines ended in `\r\n`.
    pub(super) returns: Vec<bool>,
    /// How its lines end.
    pub(super) ends: Vec<ShownEnd>,
    /// Where its old and new lines begin, as its `@@` says.
    pub(super) starts: (u64, u64),
    /// The 1-based number of its `@@` line.
    pub(super) at: usize,
}

/// A file's byte-order mark, which a diff shows in front of its first line.
const MARK: char = '\u{feff}';

impl Read {
    /// The hunk without the mark of the file: that is no part of its text, and stays. A diff that brings or takes only
    /// the mark keeps it, and fits nowhere.
    pub(super) fn unmarked(&self, all_goes: bool) -> Hunk {
        let mut hunk = self.hunk.clone();
        let first = |without: Sign| self.hunk.lines.iter().position(|line| line.sign != without);
        let (old, new) = (first(Sign::Add), first(Sign::Remove));
        let marked = |at: Option<usize>| {
            // A mark alone, without a newline, is an empty file and no line.
            let text = |line: &&Line| line.marker == Marker::Unmarked || line.text.chars().nth(1).is_some();
            let line = at.and_then(|at| self.hunk.lines.get(at)).filter(text);
            line.is_some_and(|line| line.text.starts_with(MARK))
        };
        if self.starts.0 == 1 && marked(old) && (marked(new) || all_goes) {
            for at in [old, new.filter(|new| Some(*new) != old)].into_iter().flatten() {
                hunk.lines.get_mut(at).map(|line| line.text.remove(0));
            }
        }
        hunk
    }

    /// Are all its lines of one sort?
    pub(super) fn all(&self, sign: Sign) -> bool {
        self.hunk.lines.iter().all(|line| line.sign == sign)
    }
}

/// Whether a hunk begins under the cursor.
pub(super) fn begins(lines: &Lines<'_>) -> bool {
    lines.peek().is_some_and(|line| line.starts_with("@@"))
}

/// Reads one. `crlf` says whether the diff ends its own lines in `\r\n`.
pub(super) fn read(lines: &mut Lines<'_>, crlf: bool) -> Result<Read, Refusal> {
    let at = lines.number();
    let head = lines.peek().unwrap_or_default();
    if head.starts_with("@@@") {
        return Err(lines.fault(Grammar::DiffWithout(Unread::Combined)));
    }
    let Some(said) = range::said(head) else { return Err(lines.fault(Grammar::DiffHunk)) };
    let (mut left, mut below) = counted(lines, Until::Met(said.counts));
    if left != said.counts {
        (left, below) = counted(lines, Until::Header);
    }
    if left != said.counts && !is_planted(Bug::CountsIgnored) {
        // Lines are missing, and the next one has no sign: it may be the one, and those below it would be lost.
        let short = left.0 <= said.counts.0 && left.1 <= said.counts.1;
        if short && lines.beyond(below).is_some_and(is_unsigned) {
            return Err(lines.fault_at(at + below, Grammar::DiffLine));
        }
        let counts = Counts { starts: said.starts, said: said.counts, counted: left };
        return Err(lines.fault(Grammar::DiffCounts(counts)));
    }
    lines.take_header();
    let mut body = Body { lines: Vec::new(), returns: Vec::new(), numbers: Vec::new(), left, crlf };
    while body.left != (0, 0) || lines.peek().is_some_and(|line| line.starts_with('\\')) {
        body.step(lines)?;
    }
    if body.lines.is_empty() {
        return Err(lines.fault(Grammar::DiffLine));
    }
    // Counts are right, and yet a line that comes may have been cut off.
    let adds = body.lines.last().is_some_and(|line| line.sign == Sign::Add && line.marker == Marker::Unmarked);
    if adds && lines.stops_short() && !is_planted(Bug::CountsIgnored) {
        return Err(lines.fault(Grammar::DiffEnd));
    }
    body.check_markers(lines)?;
    let ended = body.ended();
    ends::check(&ended, lines)?;
    let ends = ended.iter().map(|line| ShownEnd { returns: line.returns, at: line.number }).collect();
    let headers = head.strip_prefix("@@ ").map(str::to_owned).into_iter().collect();
    let hunk = Hunk { headers, lines: body.lines, closes: Closes::Open };
    Ok(Read { hunk, ends, returns: body.returns, at, starts: said.starts })
}

/// What ends a hunk besides what is no line of one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Until {
    /// A line that looks like another file's header, but only once the `@@` has all its lines: a line that goes may
    /// look so.
    Met((u64, u64)),
    /// Any such line.
    Header,
}

/// Is this neither a line of a hunk nor the beginning of anything else in a diff?
fn is_unsigned(line: &str) -> bool {
    let other = ["@@", "diff ", "index ", "Index: ", "new file ", "deleted file ", "old mode ", "```", "***"];
    line.bytes().next().is_some_and(|first| sign(first).is_none() && first != b'\\')
        && !other.iter().any(|word| line.starts_with(word))
}

/// How many old and new lines stand below the `@@` under the cursor, and how far below it the first line beyond stands.
fn counted(lines: &Lines<'_>, until: Until) -> ((u64, u64), usize) {
    let (mut counts, mut below, mut empties) = ((0, 0), 1, 0);
    while let Some(line) = lines.beyond(below) {
        let met = match until {
            Until::Met(said) => counts == said,
            Until::Header => true,
        };
        if met && lines.file_begins(below) {
            break;
        }
        let (old, new) = match line.bytes().next() {
            // Empty lines at the end of a hunk belong to nothing.
            None if met => {
                empties += 1;
                below += 1;
                continue;
            }
            None => sides(Sign::Context),
            Some(b'\\') => (0, 0),
            Some(first) => match sign(first) {
                Some(sign) => sides(sign),
                None => break,
            },
        };
        counts = (counts.0 + old + empties, counts.1 + new + empties);
        (empties, below) = (0, below + 1);
    }
    (counts, below)
}

fn sign(first: u8) -> Option<Sign> {
    match first {
        b' ' => Some(Sign::Context),
        b'-' => Some(Sign::Remove),
        b'+' => Some(Sign::Add),
        _ => None,
    }
}

/// How many lines of the old and the new side a line is.
fn sides(sign: Sign) -> (u64, u64) {
    match sign {
        Sign::Context => (1, 1),
        Sign::Remove => (1, 0),
        Sign::Add => (0, 1),
    }
}

struct Body {
    lines: Vec<Line>,
    returns: Vec<bool>,
    /// The 1-based number of each line, and of the marker below it.
    numbers: Vec<(usize, usize)>,
    /// How many lines of each side are still to come.
    left: (u64, u64),
    /// Does the diff end its own lines in `\r\n`?
    crlf: bool,
}

impl Body {
    fn step(&mut self, lines: &mut Lines<'_>) -> Result<(), Refusal> {
        let Some(line) = lines.peek() else { return Err(lines.fault(Grammar::DiffLine)) };
        if line == NO_NEWLINE {
            return self.marker(lines);
        }
        let (sign, text) = match line.bytes().next() {
            None => {
                lines.notes.add(Reading::EmptyContext, lines.number());
                (Sign::Context, "")
            }
            Some(first) => match (sign(first), line.get(1..)) {
                (Some(sign), Some(text)) => (sign, text),
                _ => return Err(lines.fault(Grammar::DiffLine)),
            },
        };
        let (old, new) = sides(sign);
        self.left = (self.left.0.saturating_sub(old), self.left.1.saturating_sub(new));
        self.lines.push(Line { sign, text: text.to_owned(), marker: Marker::Unmarked });
        self.returns.push(lines.returns());
        self.numbers.push((lines.number(), lines.number()));
        lines.take();
        Ok(())
    }

    fn marker(&mut self, lines: &mut Lines<'_>) -> Result<(), Refusal> {
        self.keep_return(lines)?;
        let above = self.lines.last_mut().filter(|line| line.marker == Marker::Unmarked && !line.text.is_empty());
        let (Some(above), Some(numbers)) = (above, self.numbers.last_mut()) else {
            return Err(lines.fault(Grammar::LineAboveMarker));
        };
        above.marker = Marker::NoNewline;
        numbers.1 = lines.number();
        lines.take();
        Ok(())
    }

    /// The line above a marker has no line end: a `\r` there is its own, unless the diff ends its lines so.
    fn keep_return(&mut self, lines: &Lines<'_>) -> Result<(), Refusal> {
        let (Some(line), Some(returns)) = (self.lines.last_mut(), self.returns.last_mut()) else { return Ok(()) };
        if *returns && !self.crlf && line.marker == Marker::Unmarked {
            if lines.returns() {
                return Err(lines.fault(Grammar::DiffLineEnds));
            }
            line.text.push('\r');
            *returns = false;
        }
        Ok(())
    }

    /// A marker stands only under the last line of a side.
    fn check_markers(&self, lines: &Lines<'_>) -> Result<(), Refusal> {
        let touches = |line: &Line, old: bool| match line.sign {
            Sign::Context => true,
            Sign::Remove => old,
            Sign::Add => !old,
        };
        for old in [true, false] {
            let side = || self.lines.iter().zip(&self.numbers).filter(|(line, _)| touches(line, old));
            let above_last = side().count().saturating_sub(1);
            let early = side().take(above_last).find(|(line, _)| line.marker == Marker::NoNewline);
            if let Some((_, (_, marker))) = early {
                return Err(lines.fault_at(*marker, Grammar::MarkerAtEnd));
            }
        }
        Ok(())
    }

    fn ended(&self) -> Vec<Ended> {
        let one = |((line, returns), (number, _)): ((&Line, &bool), &(usize, usize))| Ended {
            sign: line.sign,
            returns: (line.marker == Marker::Unmarked).then_some(*returns),
            number: *number,
        };
        self.lines.iter().zip(&self.returns).zip(&self.numbers).map(one).collect()
    }
}

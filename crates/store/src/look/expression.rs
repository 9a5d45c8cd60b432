//! What a search looks for in lines: an expression that can be called off, also in the midst of a long line.
//!
//! The engines of the `regex` crate cannot be interrupted, and may take the size of the expression times the length of
//! the text. So they are handed no more than [`AT_ONCE`] of that at a time, in whole lines; a line that is longer than
//! that is carried out step by step ([`super::simulation`]). Promises the same hits either way.

use super::query::{Case, Mode, Searching};
use super::simulation::{Automaton, Room, Want};
use super::{LookProblem, Sight};
use grep_matcher::{ByteSet, LineMatchKind, LineTerminator, Match, Matcher, NoCaptures};
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use std::cell::{Cell, RefCell};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// A longer query is refused: time grows with the query and the text together.
const QUERY_BYTES: usize = 8 * 1024;
/// An expression that takes more memory, compiled, is refused: `\w{1000}` in twenty bytes is some megabytes.
const REGEX_BYTES: usize = 16 << 20;
/// So much memory may an engine's cache take.
const DFA_BYTES: usize = 64 << 20;
/// States times bytes that are given to an engine at once: some tenths of a second of its slowest one, after which it is
/// asked whether to go on.
const AT_ONCE: usize = 1 << 25;
/// Steps that one search takes in lines that are too long for an engine: some ten seconds. What is left then counts as
/// unreadable, so that a search that nobody calls off comes to an end.
const MOST_STEPS: u64 = 1 << 32;

/// A compiled query.
pub(super) struct Expression {
    engine: RegexMatcher,
    /// Nothing for a plain text, which is found in linear time.
    automaton: Option<Automaton>,
    steps: AtomicU64,
}

impl Expression {
    pub(super) fn new(ask: &Searching) -> Result<Expression, LookProblem> {
        if ask.query.len() > QUERY_BYTES {
            return Err(LookProblem::BadPattern(format!("it is longer than {QUERY_BYTES} bytes")));
        }
        let mut builder = RegexMatcherBuilder::new();
        builder.case_insensitive(ask.case == Case::Insensitive).multi_line(true).crlf(true);
        builder.size_limit(REGEX_BYTES).dfa_size_limit(DFA_BYTES);
        let built = builder.fixed_strings(ask.mode == Mode::Text).build(&ask.query);
        let engine = built.map_err(|error| LookProblem::BadPattern(error.to_string()))?;
        let automaton = match (ask.mode, ask.case) {
            (Mode::Text, Case::Sensitive) => None,
            (Mode::Text, _) => Some(Automaton::new(&spelt_out(&ask.query), ask.case, REGEX_BYTES)?),
            _ => Some(Automaton::new(&ask.query, ask.case, REGEX_BYTES)?),
        };
        Ok(Expression { engine, automaton, steps: AtomicU64::new(0) })
    }

    /// The same in the hands of one thread, which asks now and then whether the answer is still wanted.
    pub(super) fn watched<'a>(&'a self, sight: &'a Sight<'a>) -> Watched<'a> {
        let states = self.automaton.as_ref().map_or(1, Automaton::states).max(1);
        Watched {
            expression: self,
            sight,
            done: Cell::new(0),
            states,
            most: self.automaton.as_ref().map_or(usize::MAX, |_| (AT_ONCE / states).max(1)),
            spent: Cell::new(0),
            room: RefCell::default(),
            ended: Cell::new(None),
        }
    }
}

/// A text as an expression for just that.
fn spelt_out(text: &str) -> String {
    text.chars().map(|letter| format!("\\x{{{:x}}}", u32::from(letter))).collect()
}

/// An expression in use.
pub(super) struct Watched<'a> {
    expression: &'a Expression,
    sight: &'a Sight<'a>,
    /// How much had been looked at before the present file.
    done: Cell<u64>,
    states: usize,
    /// So many bytes are given to the engine at once.
    most: usize,
    /// States times bytes since it was last asked whether to go on.
    spent: Cell<usize>,
    room: RefCell<Room>,
    ended: Cell<Option<Ended>>,
}

/// Why a search ended before its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// Nobody wants the answer any more.
    Withdrawn,
    /// It has taken all the steps that it may.
    TooLong,
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

impl Watched<'_> {
    /// Why it ended before its time, if it did.
    pub(super) fn ended(&self) -> Option<Ended> {
        self.ended.get()
    }

    /// Begins with another file.
    pub(super) fn begin(&self, done: u64) {
        self.done.set(done);
        self.ended.set(None);
    }

    fn is_wanted(&self) -> bool {
        (self.sight.go_on)(self.done.get())
    }

    /// Notes that so many bytes are looked at, and asks now and then whether to go on.
    pub(super) fn spend(&self, bytes: usize) -> Result<(), Ended> {
        let spent = self.spent.get().saturating_add(bytes.saturating_mul(self.states));
        self.spent.set(spent);
        if spent < AT_ONCE {
            return Ok(());
        }
        self.spent.set(0);
        if self.is_wanted() { Ok(()) } else { Err(self.end(Ended::Withdrawn)) }
    }

    fn end(&self, why: Ended) -> Ended {
        self.ended.set(Some(why));
        why
    }

    /// Looks through one line that is too long for the engine.
    fn long_line(&self, automaton: &Automaton, line: &[u8], want: Want) -> Result<Option<(usize, usize)>, Ended> {
        let line = bare(line);
        let mut room = self.room.try_borrow_mut().map_err(|_| Ended::TooLong)?;
        automaton.find(line, want, &mut room, |steps| {
            let steps = self.expression.steps.fetch_add(steps, Ordering::Relaxed).saturating_add(steps);
            if !self.is_wanted() {
                return Err(self.end(Ended::Withdrawn));
            }
            if steps > MOST_STEPS { Err(self.end(Ended::TooLong)) } else { Ok(()) }
        })
    }

    /// Does the engine take this at once? If not, the automaton that takes it step by step.
    fn too_long(&self, bytes: usize) -> Option<&Automaton> {
        self.expression.automaton.as_ref().filter(|_| bytes > self.most)
    }
}

/// Whole lines from the beginning, as many as are given to the engine at once.
enum Lines {
    Some(usize),
    /// The first alone is too long.
    Long(usize),
}

fn lines(text: &[u8], most: usize) -> Lines {
    if text.len() <= most {
        return Lines::Some(text.len());
    }
    match text.get(..most).and_then(|head| memchr::memrchr(b'\n', head)) {
        Some(end) => Lines::Some(end + 1),
        None => Lines::Long(memchr::memchr(b'\n', text).map_or(text.len(), |end| end + 1)),
    }
}

fn bare(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

impl Matcher for &Watched<'_> {
    type Captures = NoCaptures;
    type Error = Ended;

    /// Of one line.
    fn find_at(&self, line: &[u8], at: usize) -> Result<Option<Match>, Ended> {
        match self.too_long(line.len()).filter(|_| at == 0) {
            Some(automaton) => {
                let found = self.long_line(automaton, line, Want::Leftmost)?;
                Ok(found.map(|(start, end)| Match::new(start, end)))
            }
            None => {
                self.spend(line.len())?;
                Ok(self.expression.engine.find_at(line, at).ok().flatten())
            }
        }
    }

    fn new_captures(&self) -> Result<NoCaptures, Ended> {
        Ok(NoCaptures::new())
    }

    /// Of one line.
    fn shortest_match_at(&self, line: &[u8], at: usize) -> Result<Option<usize>, Ended> {
        match self.too_long(line.len()).filter(|_| at == 0) {
            Some(automaton) => Ok(self.long_line(automaton, line, Want::Any)?.map(|(_, end)| end)),
            None => {
                self.spend(line.len())?;
                Ok(self.expression.engine.shortest_match_at(line, at).ok().flatten())
            }
        }
    }

    fn non_matching_bytes(&self) -> Option<&ByteSet> {
        self.expression.engine.non_matching_bytes()
    }

    fn line_terminator(&self) -> Option<LineTerminator> {
        self.expression.engine.line_terminator()
    }

    /// Of very many lines.
    fn find_candidate_line(&self, text: &[u8]) -> Result<Option<LineMatchKind>, Ended> {
        let mut from = 0;
        loop {
            let rest = text.get(from..).unwrap_or_default();
            let (length, found) = match (lines(rest, self.most), &self.expression.automaton) {
                (Lines::Long(length), Some(automaton)) => {
                    let line = rest.get(..length).unwrap_or(rest);
                    let found = self.long_line(automaton, line, Want::Any)?;
                    (length, found.map(|_| LineMatchKind::Confirmed(0)))
                }
                (Lines::Some(length) | Lines::Long(length), _) => {
                    self.spend(length)?;
                    let part = rest.get(..length).unwrap_or(rest);
                    (length, self.expression.engine.find_candidate_line(part).ok().flatten())
                }
            };
            let last = length == rest.len();
            match found {
                // Just behind the last of these lines begins another, of which the engine has seen nothing.
                Some(kind) if last || place(kind) < length => return Ok(Some(moved(kind, from))),
                _ if last => return Ok(None),
                _ => from += length,
            }
        }
    }
}

fn place(kind: LineMatchKind) -> usize {
    match kind {
        LineMatchKind::Confirmed(at) | LineMatchKind::Candidate(at) => at,
    }
}

fn moved(kind: LineMatchKind, by: usize) -> LineMatchKind {
    match kind {
        LineMatchKind::Confirmed(at) => LineMatchKind::Confirmed(at + by),
        LineMatchKind::Candidate(at) => LineMatchKind::Candidate(at + by),
    }
}

#[cfg(test)]
mod tests;

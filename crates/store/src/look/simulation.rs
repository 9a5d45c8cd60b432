//! A regular expression carried out step by step, so that it can be called off in the midst of a line.
//!
//! Promises the answers of the `regex` crate, in work that is at most the states of the expression times the bytes of
//! the line. Slower than that crate's engines on ordinary text: for lines on which those could take very long.

use super::LookProblem;
use super::query::Case;
use regex_automata::nfa::thompson::{Config, NFA, State, WhichCaptures};
use regex_automata::util::primitives::StateID;
use regex_automata::util::syntax;

/// So many steps are done between two questions whether to go on.
const UNASKED: u64 = 1 << 16;

/// A compiled expression.
pub(super) struct Automaton(NFA);

/// Where a match begins, and where one that begins there ends.
pub(super) type Span = (usize, usize);

/// Which match is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Want {
    /// Whichever ends first.
    Any,
    /// The one that begins first.
    Leftmost,
}

/// Room for the simulation, kept from line to line.
#[derive(Default)]
pub(super) struct Room {
    now: Vec<Thread>,
    next: Vec<Thread>,
    stack: Vec<StateID>,
    /// For each state the last round in which it was reached.
    reached: Vec<u32>,
    round: u32,
}

/// A state, and where the attempt that led to it began.
type Thread = (StateID, usize);

/// A place in a line.
#[derive(Clone, Copy)]
struct Spot<'a> {
    line: &'a [u8],
    at: usize,
}

impl Automaton {
    /// Compiles an expression as the search reads it: over single lines, in which `\r` ends one too.
    pub(super) fn new(expression: &str, case: Case, most_bytes: usize) -> Result<Automaton, LookProblem> {
        let syntax =
            syntax::Config::new().utf8(false).multi_line(true).crlf(true).case_insensitive(case == Case::Insensitive);
        let config = Config::new()
            .utf8(false)
            .which_captures(WhichCaptures::None)
            .nfa_size_limit(Some(most_bytes))
            .shrink(false);
        let built = NFA::compiler().syntax(syntax).configure(config).build(expression);
        built.map(Automaton).map_err(|error| LookProblem::BadPattern(error.to_string()))
    }

    /// How many states it has.
    pub(super) fn states(&self) -> usize {
        self.0.states().len()
    }

    /// Looks for a match in a line without its terminator. `go_on` is told how many steps were done since it was asked
    /// last; what it says against going on ends the search.
    pub(super) fn find<E>(
        &self,
        line: &[u8],
        want: Want,
        room: &mut Room,
        mut go_on: impl FnMut(u64) -> Result<(), E>,
    ) -> Result<Option<Span>, E> {
        room.begin(self.states());
        let (mut found, mut steps) = (None, 0);
        for at in 0..=line.len() {
            if found.is_none() {
                steps += self.follow((self.0.start_anchored(), at), Spot { line, at }, room);
            }
            if room.now.is_empty() && found.is_some() {
                break;
            }
            let (ended, done) = self.step(Spot { line, at }, room);
            found = ended.or(found);
            steps += done;
            if steps >= UNASKED {
                go_on(std::mem::take(&mut steps))?;
            }
            if found.is_some() && want == Want::Any {
                break;
            }
        }
        go_on(steps)?;
        Ok(found)
    }

    /// Takes all attempts over one byte. The first that is through ends those that began later.
    fn step(&self, spot: Spot<'_>, room: &mut Room) -> (Option<Span>, u64) {
        let Spot { line, at } = spot;
        let threads = std::mem::take(&mut room.now);
        room.turn();
        let (mut found, mut steps) = (None, 0);
        // No line has a `\r` but at its end, or as a terminator of its own kind: nothing matches it.
        let byte = line.get(at).copied().filter(|byte| *byte != b'\r');
        for (state, start) in &threads {
            steps += 1;
            let next = match (self.0.state(*state), byte) {
                (State::Match { .. }, _) => {
                    found = Some((*start, at));
                    break;
                }
                (State::ByteRange { trans }, Some(byte)) => Some(trans.next).filter(|_| trans.matches_byte(byte)),
                (State::Sparse(sparse), Some(byte)) => sparse.matches_byte(byte),
                (State::Dense(dense), Some(byte)) => dense.matches_byte(byte),
                _ => None,
            };
            if let Some(next) = next {
                steps += self.follow((next, *start), Spot { line, at: at + 1 }, room);
            }
        }
        room.next = threads;
        (found, steps)
    }

    /// Adds all states that are reached without a byte. How many steps that took.
    fn follow(&self, thread: Thread, spot: Spot<'_>, room: &mut Room) -> u64 {
        let (state, start) = thread;
        let mut steps = 0;
        room.stack.push(state);
        while let Some(state) = room.stack.pop() {
            steps += 1;
            if !room.is_new(state) {
                continue;
            }
            match self.0.state(state) {
                State::Union { alternates } => room.stack.extend(alternates.iter().rev()),
                State::BinaryUnion { alt1, alt2 } => room.stack.extend([*alt2, *alt1]),
                State::Capture { next, .. } => room.stack.push(*next),
                State::Look { look, next } => {
                    if self.0.look_matcher().matches(*look, spot.line, spot.at) {
                        room.stack.push(*next);
                    }
                }
                State::Fail => {}
                _ => room.now.push((state, start)),
            }
        }
        steps
    }
}

impl Room {
    fn begin(&mut self, states: usize) {
        self.reached.resize(states.max(self.reached.len()), 0);
        self.now.clear();
        self.turn();
    }

    /// Another byte, another set of states.
    fn turn(&mut self) {
        std::mem::swap(&mut self.now, &mut self.next);
        self.now.clear();
        self.round = self.round.checked_add(1).unwrap_or_else(|| {
            self.reached.fill(0);
            1
        });
    }

    fn is_new(&mut self, state: StateID) -> bool {
        match self.reached.get_mut(state.as_usize()) {
            Some(round) if *round != self.round => {
                *round = self.round;
                true
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grep_matcher::Matcher;
    use grep_regex::RegexMatcherBuilder;
    use proptest::prelude::*;
    use std::convert::Infallible;

    fn found(expression: &str, case: Case, line: &[u8], want: Want) -> Option<Span> {
        let automaton = Automaton::new(expression, case, 1 << 20).unwrap();
        let Ok(found) = automaton.find(line, want, &mut Room::default(), |_| Ok::<_, Infallible>(()));
        found
    }

    /// The same line is found or not, and the same beginning.
    fn check(expression: &str, case: Case, line: &[u8]) {
        let mut builder = RegexMatcherBuilder::new();
        let built = builder.case_insensitive(case == Case::Insensitive).multi_line(true).crlf(true).build(expression);
        let want = built.unwrap().find(line).unwrap();
        let leftmost = found(expression, case, line, Want::Leftmost);
        assert_eq!(leftmost.map(|span| span.0), want.map(|hit| hit.start()), "{expression} in {line:?}");
        let any = found(expression, case, line, Want::Any);
        assert_eq!(any.is_some(), want.is_some(), "{expression} in {line:?}");
    }

    #[test]
    fn finds_what_the_regex_crate_finds() {
        let lines: [&[u8]; 9] = [
            b"",
            b"abcd",
            b"xx abc ABC abcabc",
            "é über Straße ﬁ".as_bytes(),
            b"a\rb",
            b"\xFFa\xC3",
            b"fn main() { let x = 12; }",
            b"aaaaaaaaaaaaaaaaaaab",
            b"  ",
        ];
        for expression in [
            "",
            "a",
            "^",
            "$",
            "^$",
            "abcd|c",
            "c|abcd",
            r"\bab",
            r"\w+\s",
            r"[^a]",
            ".",
            "a.b",
            r"(a|ab)(c|bcd)",
            r"(?:a?){5}a{5}",
            r"x*",
            r"(?i)straSSE",
            r"\d+;",
            r"\B",
            r"\pL{3}",
            "a+$",
            "^a+b$",
            r"(?-u:\xFF)",
            "b{2}",
        ] {
            for line in lines {
                check(expression, Case::Sensitive, line);
                check(expression, Case::Insensitive, line);
            }
        }
    }

    proptest! {
        #[test]
        fn agrees_with_the_regex_crate(expression in "(a|b|[ab]|\\.|a\\*|\\(a\\|b\\)\\+|\\^|\\$|\\\\b| ){0,6}", line in "[ab \\r]{0,12}") {
            if RegexMatcherBuilder::new().multi_line(true).crlf(true).build(&expression).is_ok() {
                check(&expression, Case::Sensitive, line.as_bytes());
            }
        }
    }

    #[test]
    fn is_called_off_within_a_line() {
        let automaton = Automaton::new(r"(?:a?){200}a{200}$", Case::Sensitive, 1 << 20).unwrap();
        let line = [vec![b'a'; 1 << 20], vec![b'b']].concat();
        let mut asked = 0_u64;
        let ended = automaton.find(&line, Want::Any, &mut Room::default(), |steps| {
            assert!(steps < 2 * UNASKED);
            asked += steps;
            if asked > 1 << 20 { Err("called off") } else { Ok(()) }
        });
        assert_eq!(ended, Err("called off"));
    }
}

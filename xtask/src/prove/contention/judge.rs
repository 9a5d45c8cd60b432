//! What must hold of writers that were stopped and killed: pure, from their calls, the stops and the files.

use super::board::Answered;
use super::writer::{BEGIN, Call, END, Line};
use std::time::{Duration, Instant};

/// A machine with much else to do may be late by so much. Less than a queue of seven would take if each of them waited
/// for the whole of the lock's limit, one after the other.
const ALLOWANCE: Duration = Duration::from_secs(5);

/// Which processes were stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Waiter,
    Holder,
}

/// A process that stood still for a time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stop {
    pub(super) writer: usize,
    pub(super) role: Role,
    pub(super) from: Instant,
    pub(super) to: Instant,
}

/// What the rules look at besides the calls.
pub(super) struct Rules<'a> {
    pub(super) stops: &'a [Stop],
    /// The lock's limit.
    pub(super) limit: Duration,
    /// May a call be refused at all? Not where only waiters are stopped.
    pub(super) busy: Busy,
}

/// Where `busy` is an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Busy {
    Never,
    Allowed,
}

impl Rules<'_> {
    /// What is wrong with the calls of one writer: the first such call, and how many there are.
    pub(super) fn broken(&self, writer: usize, calls: &[Call]) -> Option<String> {
        let mut wrong = calls.iter().filter_map(|call| self.wrong(writer, call));
        let first = wrong.next()?;
        Some(format!("writer {writer}: {first}; {} more such calls", wrong.count()))
    }

    fn wrong(&self, writer: usize, call: &Call) -> Option<String> {
        let took = call.ended.saturating_duration_since(call.begun);
        let (ms, limit) = (took.as_millis(), self.limit.as_millis());
        if let Some(stop) = self.stops.iter().find(|stop| stop.forbids(writer, call)) {
            return Some(format!("an edit was done while writer {}, who holds the lock, was stopped", stop.writer));
        }
        // Whoever was stopped itself has no claim on its time.
        if self.stops.iter().any(|stop| stop.writer == writer && stop.meets(call)) {
            return None;
        }
        if self.busy == Busy::Never && call.answered == Answered::Busy {
            return Some(format!("busy after {ms} ms, though nobody who held the lock was stopped"));
        }
        let late = took > self.limit.saturating_add(ALLOWANCE);
        late.then(|| format!("a call took {ms} ms, with {limit} ms as the lock's limit"))
    }
}

impl Stop {
    /// Is it impossible that this call was carried out? It came and went while the lock was held by a stopped process.
    fn forbids(&self, writer: usize, call: &Call) -> bool {
        let inside = self.from <= call.begun && call.ended <= self.to;
        self.role == Role::Holder && self.writer != writer && inside && call.answered == Answered::Done
    }

    fn meets(&self, call: &Call) -> bool {
        self.from <= call.ended && call.begun <= self.to
    }
}

/// What is wrong with a writer's file: every line that was answered stands there once, in order; one without an answer
/// may stand there once, in its place; one that was refused does not.
pub(super) fn misplaced(lines: &[Line], text: &str) -> Option<String> {
    let mut found = text.lines();
    let mut next = found.next();
    let mut missing = Vec::new();
    let wanted = std::iter::once((BEGIN, Answered::Done))
        .chain(lines.iter().map(|line| (line.text.as_str(), line.answered)))
        .chain([(END, Answered::Done)]);
    for (line, answered) in wanted.filter(|(_, answered)| *answered != Answered::Busy) {
        if next == Some(line) {
            next = found.next();
        } else if answered == Answered::Done {
            missing.push(line);
        }
    }
    let extra: Vec<&str> = next.into_iter().chain(found).collect();
    let whole = text.ends_with('\n');
    let fine = missing.is_empty() && extra.is_empty() && whole;
    (!fine).then(|| format!("lost or out of order: {missing:?}; not asked for, or twice: {extra:?}; whole: {whole}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines as `+x` done, `?x` without an answer, `-x` refused.
    fn check_file(lines: &str, text: &str, fine: bool) {
        let read = |word: &str| {
            let (sign, text) = word.split_at(1);
            let answered = match sign {
                "+" => Answered::Done,
                "?" => Answered::Nothing,
                _ => Answered::Busy,
            };
            Line { text: text.to_owned(), answered }
        };
        let lines: Vec<Line> = lines.split_whitespace().map(read).collect();
        let text = format!("{}\n", text.replace(' ', "\n"));
        assert_eq!(misplaced(&lines, &text).is_none(), fine, "{text:?}: {:?}", misplaced(&lines, &text));
    }

    #[test]
    fn files() {
        check_file("", "begin end", true);
        check_file("+a ?b +c -d", "begin a c end", true);
        check_file("+a ?b +c -d", "begin a b c end", true);
        check_file("+a ?b +c -d", "begin a b b c end", false); // twice
        check_file("+a ?b +c -d", "begin a a c end", false);
        check_file("+a ?b +c -d", "begin a b end", false); // lost
        check_file("+a ?b +c -d", "begin b a c end", false); // out of order
        check_file("+a ?b +c -d", "begin a c d end", false); // refused, yet there
        check_file("+a", "begin a", false);
        check_file("+a", "", false);
    }

    /// A call by writer 0 that begins and ends at these seconds.
    fn call(begun: u64, ended: u64, answered: Answered) -> impl Fn(Instant) -> Call {
        let after = Duration::from_secs;
        move |start| Call { begun: start + after(begun), ended: start + after(ended), answered }
    }

    /// The call is beside a stop of this writer from second 10 to 20.
    fn check_call(writer: usize, role: Role, call: impl Fn(Instant) -> Call, fine: bool) {
        let start = Instant::now();
        let (from, to) = (start + Duration::from_secs(10), start + Duration::from_secs(20));
        let busy = if role == Role::Holder { Busy::Allowed } else { Busy::Never };
        let rules = Rules { stops: &[Stop { writer, role, from, to }], limit: Duration::from_secs(1), busy };
        let found = rules.broken(0, &[call(start)]);
        assert_eq!(found.is_none(), fine, "{writer} {role:?} {:?}: {found:?}", call(start));
    }

    #[test]
    fn calls() {
        use Answered::{Busy, Done, Nothing};
        use Role::{Holder, Waiter};
        check_call(1, Holder, call(11, 12, Busy), true);
        check_call(1, Holder, call(11, 12, Done), false);
        check_call(1, Holder, call(9, 12, Done), true); // it may have been done before
        check_call(1, Holder, call(19, 21, Done), true); // or after
        check_call(1, Holder, call(11, 12, Nothing), true);
        check_call(1, Holder, call(11, 18, Busy), false); // waited for too long
        check_call(0, Holder, call(9, 21, Done), true); // it was stopped itself
        check_call(1, Waiter, call(11, 12, Done), true);
        check_call(1, Waiter, call(11, 12, Busy), false);
        check_call(1, Waiter, call(11, 18, Done), false);
        check_call(0, Waiter, call(9, 21, Busy), true);
    }
}

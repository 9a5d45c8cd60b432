//! Which form is the shortest that only one line of a text has.
//!
//! Promises to look at every line's hash a fixed number of times, however many lines are asked for, and at
//! contexts only where the lines' own hashes leave something open.

use super::Form;
use super::count::Counter;
use super::hash::{long, short};

/// The hashes of all lines of a text. Contexts are worked out when they are asked for.
pub(super) trait Lines {
    /// Each line's own.
    fn own(&self) -> &[u64];
    /// Each line's with its neighbours.
    fn around(&self) -> &[u32];
}

/// What is known of the lines that were asked for.
pub(super) struct Judge {
    shorts: Counter,
    longs: Counter,
    contexts: Option<Counter>,
    /// Lines that no hash tells apart, in order, and each one's place among those that share its short form.
    places: Vec<(usize, usize)>,
}

impl Judge {
    /// Judges some lines, from 1, against all.
    pub(super) fn of(lines: &impl Lines, asked: impl Iterator<Item = usize> + Clone) -> Judge {
        let own = lines.own();
        let hash = |line: usize| line.checked_sub(1).and_then(|at| own.get(at).copied());
        let mut shorts = Counter::of(asked.clone().filter_map(hash).map(first_six).collect());
        let mut longs = Counter::of(asked.clone().filter_map(hash).map(long).collect());
        for hash in own {
            if shorts.see(first_six(*hash)) {
                longs.see(long(*hash));
            }
        }
        let mut judge = Judge { shorts, longs, contexts: None, places: Vec::new() };
        let open: Vec<usize> =
            asked.filter(|line| hash(*line).is_some_and(|hash| judge.longs.count(long(hash)) > 1)).collect();
        if !open.is_empty() {
            judge.look_around(lines, open);
        }
        judge
    }

    fn look_around(&mut self, lines: &impl Lines, mut open: Vec<usize>) {
        let around = lines.around();
        let context = |line: &usize| line.checked_sub(1).and_then(|at| around.get(at).copied());
        let mut contexts = Counter::of(open.iter().filter_map(context).collect());
        for context in around {
            contexts.see(*context);
        }
        open.retain(|line| context(line).is_some_and(|context| contexts.count(context) > 1));
        open.sort_unstable();
        open.dedup();
        self.contexts = Some(contexts);
        self.places = places(lines.own(), &open);
    }

    /// The shortest form of a line that was asked for, and how many lines share its short one.
    pub(super) fn form(&self, lines: &impl Lines, line: usize) -> Option<(Form, usize)> {
        let at = line.checked_sub(1)?;
        let hash = *lines.own().get(at)?;
        let sharers = self.shorts.count(first_six(hash));
        if sharers == 1 {
            return Some((Form::Short(short(hash)), sharers));
        }
        if self.longs.count(long(hash)) == 1 {
            return Some((Form::Long(long(hash)), sharers));
        }
        let around = *lines.around().get(at)?;
        if self.contexts.as_ref().is_some_and(|contexts| contexts.count(around) == 1) {
            return Some((Form::Context(around), sharers));
        }
        let place = self.places.binary_search_by_key(&line, |(line, _)| *line).ok()?;
        let (_, at) = *self.places.get(place)?;
        Some((Form::Place { short: short(hash), at, of: sharers }, sharers))
    }
}

/// The place of each of these lines among those that share its short form.
fn places(own: &[u64], lines: &[usize]) -> Vec<(usize, usize)> {
    let of = |line: &usize| line.checked_sub(1).and_then(|at| own.get(at).copied()).map(first_six);
    let mut passed = Counter::of(lines.iter().filter_map(of).collect());
    let (mut at, mut places) = (0, Vec::with_capacity(lines.len()));
    for line in lines {
        for hash in own.get(at..*line).unwrap_or_default() {
            passed.see(first_six(*hash));
        }
        at = *line;
        places.push((*line, of(line).map_or(0, |key| passed.count(key))));
    }
    places
}

/// The short form as a key: in front, where keys are told apart.
fn first_six(hash: u64) -> u32 {
    long(hash) & 0xffff_ff00
}

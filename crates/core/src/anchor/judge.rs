//! Which form is the shortest that only one line of a text has.
//!
//! Promises to look at every line's hash a fixed number of times, however many lines are asked for, and at
//! contexts only where the lines' own hashes leave something open.

use super::Form;
use super::count::{Counter, Crowd, Crowding, Keys, shared};
use super::hash::{long, short};

/// The hashes of all lines of a text. Contexts are worked out when they are asked for.
pub(super) trait Lines {
    /// Each line's own.
    fn own(&self) -> &[u64];
    /// Each line's with its neighbours.
    fn around(&self) -> &[u32];
}

/// From so many on it is quicker to sort the hashes of all lines than to look each up among those asked for.
const MANY: usize = 1 << 16;

/// From so often on a line is counted aside.
const OFTEN: usize = 8;

/// How many lines share a short form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sharers {
    /// No other.
    One,
    /// Two or three.
    Few,
    /// More.
    Many,
}

impl Sharers {
    /// As few as still make a good anchor.
    const FEW: usize = 3;

    fn of(count: usize) -> Sharers {
        match count {
            0 | 1 => Sharers::One,
            2..=Sharers::FEW => Sharers::Few,
            _ => Sharers::Many,
        }
    }
}

/// What is known of the lines that were asked for.
pub(super) struct Judge {
    shorts: Shorts,
    /// Long forms that more lines than one have.
    longs: Keys,
    /// Contexts that more lines than one have.
    contexts: Keys,
    /// Lines that no hash tells apart, in order.
    places: Vec<Place>,
}

enum Shorts {
    Counted(Counter),
    Sorted(Crowd),
}

/// A line's place among those that share its short form.
#[derive(Clone, Copy, Debug)]
struct Place {
    line: usize,
    at: usize,
    of: usize,
}

impl Judge {
    /// Judges some lines, from 1, against all.
    pub(super) fn of(lines: &impl Lines, asked: impl Iterator<Item = usize> + Clone) -> Judge {
        let own = lines.own();
        let hash = |line: usize| line.checked_sub(1).and_then(|at| own.get(at).copied());
        let known = asked.clone().filter_map(hash);
        let (shorts, longs) = match known.clone().nth(MANY) {
            Some(_) => {
                let (crowd, longs) = Crowd::of(own.iter().copied().map(long), SHORT_BITS, Sharers::FEW + 1);
                (Shorts::Sorted(crowd), longs)
            }
            None => counted(own, known),
        };
        let mut judge = Judge { shorts, longs, contexts: Keys::of(Vec::new()), places: Vec::new() };
        let open = |line: &usize| hash(*line).is_some_and(|hash| judge.longs.has(long(hash)));
        let open: Vec<usize> = asked.filter(open).collect();
        if !open.is_empty() {
            judge.look_around(lines, open);
        }
        judge
    }

    fn look_around(&mut self, lines: &impl Lines, mut open: Vec<usize>) {
        let around = lines.around();
        let context = |line: &usize| line.checked_sub(1).and_then(|at| around.get(at).copied());
        self.contexts = if open.len() > MANY {
            shared(around.iter().copied())
        } else {
            let mut contexts = Counter::of(open.iter().filter_map(context).collect());
            around.iter().for_each(|context| _ = contexts.see(*context));
            contexts.shared()
        };
        open.retain(|line| context(line).is_some_and(|context| self.contexts.has(context)));
        if !open.is_empty() {
            open.sort_unstable();
            open.dedup();
            let known = match &self.shorts {
                Shorts::Counted(counter) => Some(counter),
                Shorts::Sorted(_) => None,
            };
            self.places = places(lines.own(), &open, known);
        }
    }

    /// The shortest form of a line that was asked for, and how many lines share its short one.
    pub(super) fn form(&self, lines: &impl Lines, line: usize) -> Option<(Form, Sharers)> {
        let at = line.checked_sub(1)?;
        let hash = *lines.own().get(at)?;
        let sharers = self.sharers(hash);
        if sharers == Sharers::One {
            return Some((Form::Short(short(hash)), sharers));
        }
        if !self.longs.has(long(hash)) {
            return Some((Form::Long(long(hash)), sharers));
        }
        let around = *lines.around().get(at)?;
        if !self.contexts.has(around) {
            return Some((Form::Context(around), sharers));
        }
        let place = self.places.binary_search_by_key(&line, |place| place.line).ok()?;
        let Place { at, of, .. } = *self.places.get(place)?;
        Some((Form::Place { short: short(hash), at, of }, sharers))
    }

    fn sharers(&self, hash: u64) -> Sharers {
        match &self.shorts {
            Shorts::Counted(counter) => Sharers::of(counter.count(first_six(hash))),
            Shorts::Sorted(crowd) => match crowd.like(long(hash)) {
                Crowding::Alone => Sharers::One,
                Crowding::Shared => Sharers::Few,
                Crowding::Crowded => Sharers::Many,
            },
        }
    }
}

/// How often the short forms of these hashes occur among all, and which of their long ones do more than once.
fn counted(own: &[u64], known: impl Iterator<Item = u64> + Clone) -> (Shorts, Keys) {
    let mut shorts = Counter::of(known.clone().map(first_six).collect());
    let mut longs = Counter::of(known.map(long).collect());
    // A few lines, such as those with a brace alone, are very many: they are looked up once and counted aside.
    let mut often = [(0_u64, 0_u32); 256];
    for hash in own {
        let Some((seen, again)) = often.get_mut((hash & 0xff) as usize) else { continue };
        if seen == hash {
            *again += 1;
        } else if count(&mut shorts, &mut longs, *hash) > OFTEN {
            shorts.add(first_six(*seen), *again);
            longs.add(long(*seen), *again);
            (*seen, *again) = (*hash, 0);
        }
    }
    for (seen, again) in often {
        shorts.add(first_six(seen), again);
        longs.add(long(seen), again);
    }
    let shared = longs.shared();
    (Shorts::Counted(shorts), shared)
}

/// Counts a hash if its short form is one of those; how often its long form has been seen now.
fn count(shorts: &mut Counter, longs: &mut Counter, hash: u64) -> usize {
    if shorts.see(first_six(hash)) == 0 { 0 } else { longs.see(long(hash)) }
}

/// The place of each of these lines among those that share its short form. Their number is known, or has to be found
/// out.
fn places(own: &[u64], lines: &[usize], known: Option<&Counter>) -> Vec<Place> {
    let key = |line: usize| line.checked_sub(1).and_then(|at| own.get(at).copied()).map_or(0, first_six);
    let mut passed = Counter::of(lines.iter().map(|line| key(*line)).collect());
    let (mut done, mut places) = (0, Vec::with_capacity(lines.len()));
    for line in lines {
        own.get(done..*line).unwrap_or_default().iter().for_each(|hash| _ = passed.see(first_six(*hash)));
        done = *line;
        places.push(Place { line: *line, at: passed.count(key(*line)), of: 0 });
    }
    if known.is_none() {
        own.get(done..).unwrap_or_default().iter().for_each(|hash| _ = passed.see(first_six(*hash)));
    }
    let all = known.unwrap_or(&passed);
    places.iter_mut().for_each(|place| place.of = all.count(key(place.line)));
    places
}

/// Six hex digits.
const SHORT_BITS: u32 = 24;

/// The short form as a key: in front, where keys are told apart.
fn first_six(hash: u64) -> u32 {
    long(hash) & 0xffff_ff00
}

//! Lines above a change whose anchors no longer name them.
//!
//! A line that nobody touched keeps its hash. But another line may come to share it, the number of those
//! that share it may change, and the last line above a change gets another neighbour.

use super::Versions;
use crate::anchor::{Anchors, Form, Shown, is_blank, short};
use crate::outcome::StaleAnchor;
use crate::sanity::Touched;
use std::collections::{HashMap, HashSet};

/// So many are listed: the nearest to the change.
const LISTED: usize = 100;

/// So many lines are each looked up; of more, those that might be stale count as stale.
const FEW: usize = 16;

/// What was found.
pub(super) struct Stale {
    pub(super) nearest: Vec<StaleAnchor>,
    pub(super) count: usize,
}

/// The lines up to `valid` whose printed form names them no more.
pub(super) fn find(versions: Versions<'_>, touched: &[Touched], valid: usize) -> Stale {
    let Versions { before, after } = versions;
    let delta = delta(versions, touched);
    let mut watched: HashSet<u32> = delta.keys().copied().collect();
    let mut met: HashSet<usize> = HashSet::new();
    touched.iter().for_each(|block| beside(after, block, &mut met));
    let hash = |line: &usize| line.checked_sub(1).and_then(|at| after.hashes().get(at)).map(|hash| short(*hash));
    watched.extend(met.iter().filter_map(hash));
    let sieve = Sieve::of(&watched);
    let edge = (1..=valid).rev().find(|line| !is_blank(before.text(*line))).unwrap_or(1);
    let mut lines: Vec<usize> = Vec::new();
    let head = before.hashes().iter().take(edge.saturating_sub(1)).enumerate();
    lines.extend(
        head.filter(|(_, hash)| sieve.may_hold(**hash) && watched.contains(&short(**hash))).map(|(at, _)| at + 1),
    );
    lines.extend(edge..=valid);
    let (old, new) = (before.shown(&lines), after.shown(&lines));
    let few = valid.saturating_sub(edge) < FEW;
    let holds = |old: &Shown, new: &Shown| match old.form {
        Form::Short(_) => matches!(new.form, Form::Short(_)),
        Form::Long(_) => matches!(new.form, Form::Short(_) | Form::Long(_)),
        Form::Context(_) if new.form == old.form => true,
        Form::Context(_) if new.line >= edge => few && after.find(&old.form) == [new.line],
        Form::Context(_) => matches!(new.form, Form::Short(_) | Form::Long(_)),
        Form::Place { short, .. } => delta.get(&short).is_none_or(|delta| *delta == 0),
    };
    let stale = old.iter().zip(&new).filter(|(old, new)| !holds(old, new));
    let mut stale: Vec<StaleAnchor> = stale.map(|(old, new)| told(old, new)).collect();
    let count = stale.len();
    stale.drain(..count.saturating_sub(LISTED));
    Stale { nearest: stale, count }
}

fn told(old: &Shown, new: &Shown) -> StaleAnchor {
    StaleAnchor {
        line: new.line as u64,
        was: old.form.to_string(),
        now: new.form.to_string(),
        quality: new.quality.word().to_owned(),
    }
}

/// By how many lines more or less each short form is shared that a change brings or takes.
fn delta(versions: Versions<'_>, touched: &[Touched]) -> HashMap<u32, isize> {
    let mut delta: HashMap<u32, isize> = HashMap::new();
    for block in touched {
        for hash in versions.before.hashes().get(block.before.clone()).unwrap_or_default() {
            *delta.entry(short(*hash)).or_default() -= 1;
        }
        for hash in versions.after.hashes().get(block.after.clone()).unwrap_or_default() {
            *delta.entry(short(*hash)).or_default() += 1;
        }
    }
    delta
}

/// Notes the lines around a block that it gives another neighbour. Such a line may come to have the same
/// neighbours as one of its equals.
fn beside(after: &Anchors<'_>, block: &Touched, met: &mut HashSet<usize>) {
    let up = (1..=block.after.start).rev();
    let down = block.after.end + 1..=after.count();
    for way in [&mut up.into_iter() as &mut dyn Iterator<Item = usize>, &mut down.into_iter()] {
        for line in way {
            if !met.insert(line) || !is_blank(after.text(line)) {
                break;
            }
        }
    }
}

/// Tells most lines that nobody watches at a glance.
struct Sieve([u64; 64]);

impl Sieve {
    fn of(watched: &HashSet<u32>) -> Sieve {
        let mut sieve = Sieve([0; 64]);
        for digits in watched {
            let (row, bit) = Sieve::place(*digits);
            if let Some(row) = sieve.0.get_mut(row) {
                *row |= bit;
            }
        }
        sieve
    }

    fn may_hold(&self, hash: u64) -> bool {
        let (row, bit) = Sieve::place(short(hash));
        self.0.get(row).is_some_and(|row| row & bit != 0)
    }

    fn place(digits: u32) -> (usize, u64) {
        ((digits >> 6 & 63) as usize, 1 << (digits & 63))
    }
}

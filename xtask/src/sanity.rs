//! `cargo xtask sanity`: how often the sanity check cries wolf over real edits, and how often it finds slips.
//!
//! The real edits are the files that changed between consecutive versions of packages. The slips are
//! made from the same edits, as a model would make them; `slip` says exactly how. Everything follows
//! from the seed, so that two runs over the same packages say the same.

mod arguments;
mod pair;
mod slip;
mod tally;

use crate::failure::Failure;
use crate::replay::Bounds;
use crate::replay::chance::Chance;
use crate::replay::edit::Edits;
use crate::replay::packages::Packages;
use crate::say;
use arguments::Arguments;
use pair::Pair;
use patchwright_engine::core::sanity::{Verdict, check};
use slip::{SLIPS, Slip};
use std::sync::atomic::{AtomicUsize, Ordering};
use tally::Tally;

/// Files above this size are left out: a model does not edit them by the line.
const MOST_BYTES: usize = 2 << 20;

/// Measures over the packages that the words name.
pub(crate) fn all(words: &[String]) -> Result<(), Failure> {
    let asked = Arguments::read(words)?;
    let mut sum = Tally::default();
    for place in &asked.places {
        let packages = Packages::of(place, Bounds { limit: asked.limit, max_file_bytes: MOST_BYTES })?;
        sum.add(crew(&packages, &asked)?);
    }
    sum.lines(asked.examples).iter().for_each(|line| say::line(line));
    Ok(())
}

fn crew(packages: &Packages, asked: &Arguments) -> Result<Tally, Failure> {
    let next = AtomicUsize::new(0);
    let work = || work(packages, asked, &next);
    let results: Vec<Result<Tally, Failure>> = std::thread::scope(|scope| {
        let hands: Vec<_> = (0..asked.jobs).map(|_| scope.spawn(work)).collect();
        let died = || Failure::new("a worker panicked", "see its message above");
        hands.into_iter().map(|hand| hand.join().unwrap_or_else(|_| Err(died()))).collect()
    });
    let mut sum = Tally::default();
    for result in results {
        sum.add(result?);
    }
    Ok(sum)
}

fn work(packages: &Packages, asked: &Arguments, next: &AtomicUsize) -> Result<Tally, Failure> {
    let mut tally = Tally::default();
    loop {
        let at = next.fetch_add(1, Ordering::Relaxed);
        if at >= packages.count() {
            return Ok(tally);
        }
        let edit = packages.edit(at, &mut ())?;
        for (number, pair) in pair::pairs(&edit).into_iter().enumerate() {
            let seed = asked.seed.wrapping_add((at as u64) << 20).wrapping_add(number as u64);
            measure(&pair, &mut Chance::new(seed), &mut tally);
        }
    }
}

/// Judges a pair as it is, with wider ranges, and with each slip.
fn measure(pair: &Pair<'_>, chance: &mut Chance, tally: &mut Tally) {
    let exact = judge(pair, &pair.hunks);
    let wide = judge(pair, &pair.widened(chance));
    let refused = !exact.doubts.is_empty() || !wide.doubts.is_empty();
    tally.real(pair, &exact, &wide);
    // What is refused anyway says nothing about slips.
    if refused {
        return;
    }
    let known = |slip: &Slip| *slip != Slip::Dropped || exact.language.is_some();
    for slip in SLIPS.into_iter().filter(known) {
        if let Some(hunks) = slip.seed(pair, chance) {
            tally.slip(pair, slip, &judge(pair, &hunks));
        }
    }
}

fn judge(pair: &Pair<'_>, hunks: &[pair::Hunk<'_>]) -> Verdict {
    let (after, touched) = pair.apply(hunks);
    check(&pair.path, pair.before, &after, &touched)
}

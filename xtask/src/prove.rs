//! `cargo xtask prove`: the promises of GUARANTEES.md put to the test, for minutes or hours.
//!
//! Each suite attacks the built binary (or, where a process for every trial would be too slow, the library)
//! in its own way, and counts trials and violations. Everything that is thrown follows from a seed, which is
//! printed. A violation leaves a folder with what is needed to look at it. `cargo xtask test` runs a short
//! version of each suite.

mod aftermath;
mod answer;
mod arguments;
mod caller;
mod contention;
mod controls;
mod errno;
mod escape;
mod findings;
mod forged;
mod full;
mod fuzz;
mod kill;
mod mistakes;
mod power;
mod rivals;
mod scratch;
mod setting;
mod shuffle;
mod soak;
mod strace;
mod suites;
mod turns;
mod watch;
mod workload;

use crate::failure::Failure;
use crate::say;
use arguments::Arguments;
use findings::Findings;
use setting::{Length, Setting};
use std::path::Path;
use std::time::Instant;
use suites::{SUITES, Suite};

/// Names the bug that is planted, in builds that can have one.
pub(crate) const SEEDED_BUG: &str = "PATCHWRIGHT_SEEDED_BUG";

/// The seed of the short version: the same every time, so that a test that passes goes on passing.
const SHORT_SEED: u64 = 1;

/// Runs what the words ask for.
pub(crate) fn all(root: &Path, words: &[String]) -> Result<(), Failure> {
    match words {
        [word, names @ ..] if word == "controls" => controls::all(root, names),
        words => run(root, &Arguments::read(words)?),
    }
}

/// The short version of every suite.
pub(crate) fn short(root: &Path) -> Result<(), Failure> {
    run(root, &Arguments { suites: SUITES.iter().collect(), minutes: None, seed: SHORT_SEED, binary: None })
}

fn run(root: &Path, asked: &Arguments) -> Result<(), Failure> {
    let weights: u32 = asked.suites.iter().map(|suite| suite.weight).sum();
    let mut broken = Vec::new();
    scratch::sweep()?;
    for suite in &asked.suites {
        let length = asked.minutes.map_or(Length::Short, |minutes| Length::share(minutes, suite.weight, weights));
        let setting = Setting::new(root, suite.name, length, asked.seed, asked.binary.as_deref())?;
        if !prove(suite, &setting)? {
            broken.push(suite.name);
        }
    }
    match broken.as_slice() {
        [] => Ok(()),
        names => Err(Failure::new(
            format!("a promise was broken, as shown by: {}", names.join(", ")),
            "look at the folders named above; each is a bug: make it a case first",
        )),
    }
}

/// Runs one suite; did every promise hold?
fn prove(suite: &Suite, setting: &Setting) -> Result<bool, Failure> {
    let begun = Instant::now();
    let mut findings = Findings::default();
    // What was found up to a failure is told all the same.
    let ended = (suite.run)(setting, &mut findings);
    findings.lines(suite.name, setting.seed, begun.elapsed()).iter().for_each(|line| say::line(line));
    findings.leave(setting)?;
    ended?;
    if findings.trials == 0 && findings.not_here.is_none() {
        return Err(Failure::new(format!("{} tried nothing at all", suite.name), "look at the suite"));
    }
    Ok(findings.violations.is_empty())
}

//! Suite `fuzz`: the targets of `fuzz/`, led by coverage, each compared with a plain reference of its own.
//!
//! Builds `fuzz/engine` and lets libFuzzer loose on each target, beginning with the corpus that is kept. An input
//! that makes a target panic is a violation; it is made smaller where that is quick. Nothing is written to the
//! corpus.

mod built;
mod target;

use super::findings::{Findings, Violation};
use super::setting::{Length, Setting};
use crate::failure::Failure;
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use target::{Bound, Ran, Target};

/// So many targets run at once.
const HANDS: usize = 2;

/// A target by its number, and what came of it.
type Done = (usize, Result<Ran, Failure>);

pub(crate) fn run(setting: &Setting, findings: &mut Findings) -> Result<(), Failure> {
    let begun = Instant::now();
    let engine = built::engine(&setting.project)?;
    let names = targets(&setting.project)?;
    let bounds: Vec<Bound> = names.iter().map(|name| bound(setting, begun.elapsed(), names.len(), name)).collect();
    let open: Mutex<Vec<(usize, Bound)>> = Mutex::new(bounds.into_iter().enumerate().rev().collect());
    let ran: Mutex<Vec<Done>> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..HANDS {
            scope.spawn(|| {
                while let Some((at, bound)) = taken(&open) {
                    let Some(name) = names.get(at) else { break };
                    let result = Target { engine: &engine, name, setting }.run(&bound);
                    ran.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((at, result));
                }
            });
        }
    });
    let mut ran = ran.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    ran.sort_by_key(|(at, _)| *at);
    let mut ended = Ok(());
    for ((_, result), name) in ran.into_iter().zip(&names) {
        let one = match result {
            Ok(one) => one,
            Err(failure) => {
                ended = Err(failure);
                continue;
            }
        };
        findings.trials = findings.trials.saturating_add(one.figures.inputs);
        findings.figures.push(one.figures.line(name));
        findings.violations.extend(one.crash.map(|crash| violation(name, crash)));
    }
    ended
}

fn taken(open: &Mutex<Vec<(usize, Bound)>>) -> Option<(usize, Bound)> {
    open.lock().unwrap_or_else(std::sync::PoisonError::into_inner).pop()
}

/// The targets: each has its folder in the corpus, which a test of theirs sees to.
fn targets(project: &Path) -> Result<Vec<String>, Failure> {
    let corpus = project.join("fuzz/corpus");
    let entries = std::fs::read_dir(&corpus).map_err(|error| Failure::io(corpus.display(), &error))?;
    let mut names: Vec<String> =
        entries.filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned())).collect();
    names.sort();
    Ok(names)
}

/// How much of a target is run. A long run's time is shared, what building took taken off.
fn bound(setting: &Setting, passed: Duration, targets: usize, name: &str) -> Bound {
    match setting.length {
        Length::Short => Bound::Inputs(few(name)),
        Length::Long(time) => {
            let shares = u32::try_from(targets.div_ceil(HANDS)).unwrap_or(1).max(1);
            Bound::Time((time.saturating_sub(passed) / shares).max(Duration::from_secs(1)))
        }
    }
}

/// Inputs of a short run: what takes two to four seconds.
fn few(name: &str) -> u64 {
    match name {
        "paths" => 20_000,
        "arguments" => 10_000,
        "anchors" => 2_500,
        _ => 5_000,
    }
}

fn violation(name: &str, crash: target::Crash) -> Violation {
    let mut more = vec![("input".to_owned(), crash.input), ("said.txt".to_owned(), crash.said.clone().into_bytes())];
    let again = format!("cargo xtask prove fuzz, or copy `input` to fuzz/regressions/{name} and run the tests\n");
    more.push(("again.txt".to_owned(), again.into_bytes()));
    Violation { more, ..Violation::new(format!("{name}: {}", crash.what)) }
}

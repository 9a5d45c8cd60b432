//! Workers that try edits side by side, each in folders of its own.

use super::edit::Edits;
use super::place;
use super::tally::Tally;
use super::trial::attempt;
use super::written::Written;
use crate::failure::Failure;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Tries every edit, and adds up what came of them.
pub(super) fn run<E: Edits>(edits: &E, jobs: usize) -> Result<Tally, Failure> {
    let next = AtomicUsize::new(0);
    let progress = Progress::of(edits.count());
    let work = || work(edits, &next, &progress);
    let results: Vec<Result<Tally, Failure>> = std::thread::scope(|scope| {
        let hands: Vec<_> = (0..jobs.max(1)).map(|_| scope.spawn(work)).collect();
        let died = || Failure::new("a worker of the replay panicked", "see its message above");
        hands.into_iter().map(|hand| hand.join().unwrap_or_else(|_| Err(died()))).collect()
    });
    progress.end();
    let mut sum = Tally::default();
    for result in results {
        sum.add(result?);
    }
    Ok(sum)
}

fn work<E: Edits>(edits: &E, next: &AtomicUsize, progress: &Progress) -> Result<Tally, Failure> {
    let mut reader = edits.reader()?;
    let mut tally = Tally::default();
    loop {
        let at = next.fetch_add(1, Ordering::Relaxed);
        if at >= edits.count() {
            return Ok(tally);
        }
        progress.show(at);
        let edit = edits.edit(at, &mut reader)?;
        let name = edit.name.clone();
        let written = Written::of(edit);
        let folder = place::scratch()?;
        let verdict = attempt(&written, folder.path())?;
        tally.note(&name, &written, verdict);
    }
}

/// How far it has got, for a person at a terminal; nothing in a pipe.
struct Progress {
    total: usize,
    shown: bool,
}

impl Progress {
    fn of(total: usize) -> Progress {
        Progress { total, shown: std::io::stderr().is_terminal() }
    }

    fn show(&self, at: usize) {
        if self.shown && at.is_multiple_of(20) {
            let _ = write!(std::io::stderr().lock(), "\r{at} of {}", self.total);
        }
    }

    fn end(&self) {
        if self.shown {
            let _ = write!(std::io::stderr().lock(), "\r\x1b[K");
        }
    }
}

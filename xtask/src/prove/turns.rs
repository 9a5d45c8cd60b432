//! Trials shared out among threads: each takes the next number until all are done, or time is up.
//!
//! What is tried does not depend on who tries it. Leaves what is done in a turn to the suites.

use super::findings::Findings;
use super::setting::Setting;
use crate::failure::Failure;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// More would only wait for the same disk.
const MOST: usize = 4;

/// What was found, and whether all could go on.
type SoFar<'a> = (&'a mut Findings, Result<(), Failure>);

/// So many threads take turns.
pub(crate) fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from).min(MOST)
}

/// Tries every number below `count`; `turn` is told which thread it runs in, so that each has its own place.
pub(crate) fn each(
    setting: &Setting,
    findings: &mut Findings,
    count: usize,
    turn: impl Fn(usize, usize) -> Result<Findings, Failure> + Sync,
) -> Result<(), Failure> {
    let (next, so_far) = (AtomicUsize::new(0), Mutex::new((findings, Ok(()))));
    std::thread::scope(|scope| {
        for thread in 0..threads() {
            let (next, so_far, turn) = (&next, &so_far, &turn);
            scope.spawn(move || {
                while goes_on(setting, so_far) {
                    match next.fetch_add(1, Ordering::Relaxed) {
                        at if at < count => note(so_far, turn(thread, at)),
                        _ => break,
                    }
                }
            });
        }
    });
    so_far.into_inner().unwrap_or_else(PoisonError::into_inner).1
}

fn goes_on(setting: &Setting, so_far: &Mutex<SoFar<'_>>) -> bool {
    let so_far = so_far.lock().unwrap_or_else(PoisonError::into_inner);
    so_far.1.is_ok() && setting.goes_on(so_far.0)
}

fn note(so_far: &Mutex<SoFar<'_>>, found: Result<Findings, Failure>) {
    let mut so_far = so_far.lock().unwrap_or_else(PoisonError::into_inner);
    match found {
        Ok(found) => so_far.0.add(found),
        // The first failure counts; what others found meanwhile is kept.
        Err(failure) if so_far.1.is_ok() => so_far.1 = Err(failure),
        Err(_) => {}
    }
}

//! The power goes at every verb, during the call and during recovery.

use crate::call::{Ended, call, reopen, settled, told};
use crate::plans::Scenario;
use patchwright_testkit::fake::{Choice, FakeDisk};

/// Cuts the call at every verb; every outcome must come out whole.
pub(crate) fn every_stop(scenario: &Scenario) -> Result<(), String> {
    for (at, disk, ended) in stopped(scenario) {
        for choice in disk.outcomes() {
            let left = disk.crash(&choice);
            let whole = reopen(&left).and_then(|()| settled(&left, scenario, ended));
            let lasting = whole.and_then(|()| lasts(&left, scenario, (ended, choice)));
            lasting.map_err(|what| format!("stopped at {at}, {choice:?}: {what}\n{}", told(&disk)))?;
        }
    }
    Ok(())
}

/// Cuts the call at every verb, then recovery at every verb, and recovers again.
pub(crate) fn every_stop_of_recovery(scenario: &Scenario) -> Result<(), String> {
    for (at, disk, ended) in stopped(scenario) {
        for choice in few(&disk) {
            let left = disk.crash(&choice);
            recovery_stopped(&left, scenario, ended)
                .map_err(|what| format!("stopped at {at}, {choice:?}, {what}\n{}", told(&disk)))?;
        }
    }
    Ok(())
}

/// Kills the call at every verb, then recovery at every verb, and recovers again: the machine runs on.
pub(crate) fn every_kill_of_recovery(scenario: &Scenario) -> Result<(), String> {
    for (at, disk, ended) in stopped(scenario) {
        let left = disk.crash(&Choice::Killed);
        recovery_cut(&left, scenario, ended, |_| vec![Choice::Killed])
            .map_err(|what| format!("killed at {at}, {what}\n{}", told(&disk)))?;
    }
    Ok(())
}

fn recovery_stopped(left: &FakeDisk, scenario: &Scenario, ended: Ended) -> Result<(), String> {
    recovery_cut(left, scenario, ended, few)
}

fn recovery_cut(
    left: &FakeDisk,
    scenario: &Scenario,
    ended: Ended,
    choices: impl Fn(&FakeDisk) -> Vec<Choice>,
) -> Result<(), String> {
    for at in 1.. {
        let again = left.with_stop(at);
        if reopen(&again).is_ok() {
            break;
        }
        for choice in choices(&again) {
            let last = again.crash(&choice);
            let whole = reopen(&last).and_then(|()| settled(&last, scenario, ended));
            whole.map_err(|what| format!("recovery stopped at {at}, {choice:?}: {what}\n{}", told(&again)))?;
        }
    }
    Ok(())
}

/// What recovery has settled stays so without any further sync. Only where a writer was killed between
/// its commit record and the record's sync may a power cut still turn things back: nobody was told that
/// it is done, and the next record makes it so.
fn lasts(left: &FakeDisk, scenario: &Scenario, (ended, choice): (Ended, Choice)) -> Result<(), String> {
    let later = left.crash(&Choice::NothingMore);
    reopen(&later)?;
    settled(&later, scenario, ended)?;
    if choice == Choice::Killed || later.tree() == left.tree() {
        return Ok(());
    }
    Err("a second power cut undid what recovery had settled".to_owned())
}

/// The call, stopped at each verb in turn, up to the run that goes through. A call that was stopped has
/// not answered, so it may be either way.
pub(crate) fn stopped(scenario: &Scenario) -> impl Iterator<Item = (u64, FakeDisk, Ended)> {
    let whole = scenario.disk.fork();
    assert_eq!(call(&whole, &scenario.plan), Ended::Done, "{}: {:?}", scenario.name, whole.trace());
    (1..=whole.changes() + 1).map(|at| {
        let disk = scenario.disk.with_stop(at);
        let ended = match call(&disk, &scenario.plan) {
            Ended::Done => Ended::Done,
            Ended::Nothing | Ended::InDoubt => Ended::InDoubt,
        };
        (at, disk, ended)
    })
}

/// The extremes and a few throws.
fn few(disk: &FakeDisk) -> Vec<Choice> {
    let all = disk.outcomes();
    let stride = all.len() / 8 + 1;
    let mut some: Vec<Choice> = all.iter().take(3).chain(all.iter().skip(3).step_by(stride)).copied().collect();
    some.dedup();
    some
}

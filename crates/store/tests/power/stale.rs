//! A handle goes stale while a dead writer's call is taken back: whatever was being done with it, the folder is resolved
//! anew, and nobody is kept from working.

use crate::call::{reopen, settled, told};
use crate::cut::stopped;
use crate::plans::Scenario;
use patchwright_testkit::fake::{Choice, Errno, Failure, FakeDisk, Lasts, Verb};

/// Kills the call at every verb; then one verb of recovery after the other finds a stale handle, once.
pub(crate) fn every_verb_of_recovery(scenario: &Scenario) -> Result<(), String> {
    for (at, disk, ended) in stopped(scenario) {
        let left = disk.crash(&Choice::Killed);
        for verb in on_folders(&left) {
            let failure = Failure { at: verb, error: Errno::Stale, lasts: Lasts::Once };
            let again = left.with_failure(failure);
            let whole = reopen(&again).and_then(|()| settled(&again, scenario, ended));
            whole.map_err(|what| format!("killed at {at}, stale at {verb} of recovery: {what}\n{}", told(&again)))?;
        }
    }
    Ok(())
}

/// The verbs of recovery that are about the workspace's folders.
fn on_folders(left: &FakeDisk) -> Vec<u64> {
    let watched = left.fork();
    if reopen(&watched).is_err() {
        return Vec::new();
    }
    let about = watched.trace().into_iter().zip(1..);
    let chosen = about.filter(|((verb, _), _)| {
        matches!(verb, Verb::Rename | Verb::Remove | Verb::RemoveFolder | Verb::MakeFolder | Verb::SyncDir)
    });
    chosen.map(|(_, nth)| nth).collect()
}

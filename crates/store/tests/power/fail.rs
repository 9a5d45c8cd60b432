//! Every verb fails, once and for ever, and the process goes on.

use crate::call::{Ended, call, reopen, settled, told, without_temporaries};
use crate::plans::Scenario;
use patchwright_testkit::fake::{Errno, Failure, Lasts};

/// Fails every verb in every way. Whatever was answered must be true, then and after a power cut.
pub(crate) fn every_verb(scenario: &Scenario) -> Result<(), String> {
    let whole = scenario.disk.fork();
    call(&whole, &scenario.plan);
    for at in 1..=whole.changes() {
        for error in [Errno::NoSpace, Errno::Io] {
            for lasts in [Lasts::Once, Lasts::ForEver] {
                let failure = Failure { at, error, lasts };
                one(scenario, failure).map_err(|what| format!("{failure:?}: {what}"))?;
            }
        }
    }
    Ok(())
}

fn one(scenario: &Scenario, failure: Failure) -> Result<(), String> {
    let disk = scenario.disk.with_failure(failure);
    let ended = call(&disk, &scenario.plan);
    let (tree, before) = (without_temporaries(&disk), scenario.disk.tree());
    let wrong = match ended {
        Ended::Done => tree != scenario.after,
        Ended::Nothing => tree != before,
        Ended::InDoubt => false,
    };
    if wrong {
        return Err(format!("answered {ended:?}, and the tree is {tree:?}\n{}", told(&disk)));
    }
    for choice in disk.outcomes() {
        let left = disk.crash(&choice);
        let whole = reopen(&left).and_then(|()| settled(&left, scenario, ended));
        whole.map_err(|what| format!("answered {ended:?}, then {choice:?}: {what}\n{}", told(&disk)))?;
    }
    Ok(())
}

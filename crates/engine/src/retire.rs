//! Letting old pre-images go, now and then.

use crate::clock::now_ns;
use crate::session::Session;
use crate::turn::Turn;
use patchwright_store::retention;

/// So often, old pre-images are looked through.
const RETIRE_EVERY: u64 = 256;

/// Now and then, brings the index up to date, so that looking back is quick however much was done since; and lets
/// pre-images go that are old and over the quota. Never in the way of an answer.
pub(crate) fn retire_sometimes(session: &Session, held: &mut Turn<'_>) {
    let Ok(log) = held.log() else { return };
    // A change takes two records, and refused calls in between take one each; done twice it costs little.
    if log.sequence() < RETIRE_EVERY || log.sequence() % RETIRE_EVERY > 3 {
        return;
    }
    let Ok(mut open) = session.index_over(log) else { return };
    let terms = (&session.workspace.retention, now_ns(), session.workspace.firm);
    let _ = retention::run(&session.workspace.disk, log, &mut open, terms);
}

//! Letting old pre-images go, now and then.

use crate::clock::now_ns;
use crate::session::Session;
use crate::turn::Turn;
use crate::workspace::Workspace;
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
    let Workspace { disk, retention: settings, firm, .. } = &**session.workspace();
    let terms = retention::Terms { settings, now_ns: now_ns(), firm: *firm };
    let _ = retention::run(disk, log, &mut open, &terms);
}

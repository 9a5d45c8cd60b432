//! Words for a bug of ours that ended a call. What it says of itself is for the log: the caller gets the id under which it
//! stands there.

use super::message::Words;
use super::telling::Telling;
use super::terminal::label;
use patchwright_core::outcome::{DiskState, Failed, Fault, Trouble};

/// What the caller is told.
pub(super) fn words(id: &str, state: DiskState, tell: &Telling<'_>) -> Words {
    let look = tell.pick(&[("list_batches", "Look with list_batches whether it is on record, and r")], "R");
    let tell_user = format!("Tell the user that `patchwright audit export` has the fault {id}, and that it is a bug.");
    match state {
        DiskState::InDoubt => Words::new(
            format!("Patchwright itself failed in this call (fault {id}). Whether the change was made is not known."),
            format!("{look}ead the files again before you go on. {tell_user}"),
        ),
        _ => Words::new(
            format!("Patchwright itself failed in this call (fault {id}). Nothing was changed."),
            format!("{tell_user} Another way to the same end may work."),
        ),
    }
}

/// A fault of ours as one line for whoever runs the program; nothing if it is none.
pub fn fault_line(tool: &str, failed: &Failed) -> Option<String> {
    let Trouble::Fault(Fault { id: Some(id), said, .. }) = &failed.trouble else { return None };
    let recorded = match failed.audit_head {
        Some(_) => "`patchwright audit export` has it",
        None => "it could not be put on record",
    };
    Some(format!("patchwright: fault {id} in {tool}: {}; {recorded}", label(said)))
}

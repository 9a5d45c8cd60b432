//! A batch that does not stand as the command needs it: proposed, rejected, done or taken back already.

use super::super::Draft;
use super::super::said::{Command, Said};
use super::subject;
use patchwright_core::batch::{BatchStatus, ChangeName};
use patchwright_core::refusal::{Conflict, ConflictPlace};

/// What is so.
pub(super) fn told(status: BatchStatus, conflict: &Conflict, place: &ConflictPlace, said: &Said<'_>) -> Draft {
    let change = place.change.as_ref().filter(|change| change.is_short()).map(ChangeName::to_string);
    let name = change.or_else(|| subject(conflict, said)).unwrap_or_else(|| "the batch".to_owned());
    let decides = matches!(said.command, Command::Accept | Command::Reject);
    Draft::plain(match status {
        BatchStatus::Proposed => format!("{name} is only proposed: nothing of it is in the files"),
        BatchStatus::Conflicted => {
            format!("{name} is a proposal that the files no longer fit: nothing of it is in them")
        }
        BatchStatus::Applied => format!("{name} is in the files already"),
        BatchStatus::Rejected => format!("{name} was rejected: nothing of it is in the files"),
        BatchStatus::Undone if decides => format!("{name} was accepted, and taken back since"),
        BatchStatus::Undone => format!("{name} was taken back already"),
    })
}

/// The command that gets further.
pub(super) fn hint(status: BatchStatus, batch: &str, said: &Said<'_>) -> Option<String> {
    let command = |verb: &str| Some(said.command(&format!("{verb} {batch}")));
    match (status, said.command) {
        (BatchStatus::Proposed, Command::Undo | Command::Redo) => command("reject"),
        (BatchStatus::Proposed, _) => command("accept"),
        (BatchStatus::Conflicted, _) => command("reject"),
        (BatchStatus::Applied, _) => command("undo"),
        (BatchStatus::Rejected, Command::Accept) => {
            Some(format!("{} | {}", said.command(&format!("diff {batch}")), said.command("apply")))
        }
        (BatchStatus::Rejected, _) => None,
        // It tells by which batch.
        (BatchStatus::Undone, _) => command("show"),
    }
}

//! The command that gets further after a conflict, by what is in the way. Each is thought through: run next, it takes
//! what is in the way away, does the part that goes, or shows what has to be done by hand.

use super::super::said::{Command, Said};
use super::{Author, author_of, is_of, short, standing};
use patchwright_core::batch::ChangeName;
use patchwright_core::refusal::{Conflict, ConflictPlace, ConflictReason};

pub(super) fn of(conflict: &Conflict, place: &ConflictPlace, said: &Said<'_>) -> Option<String> {
    let batch = conflict.batch.as_ref().and_then(short);
    match (&place.reason, batch.as_deref()) {
        (ConflictReason::Status(status), Some(batch)) => standing::hint(*status, batch, said),
        (ConflictReason::Status(_) | ConflictReason::Final, _) => None,
        (ConflictReason::Replaced, _) => Some(said.command("log")),
        (ConflictReason::Shared(others), _) => together(place, others, said),
        (ConflictReason::GroundMoved, Some(batch)) if !said.has_typed("--rebase") => {
            said.again_with("--rebase").or_else(|| Some(said.command(&format!("accept {batch} --rebase"))))
        }
        (_, batch) if said.command == Command::Accept => accepting(conflict, place, batch, said),
        (_, batch) => undoing(conflict, place, batch, said),
    }
}

/// All changes that share lines, and the others that were named.
fn together(place: &ConflictPlace, others: &[ChangeName], said: &Said<'_>) -> Option<String> {
    let verb = if said.command == Command::Accept { "accept" } else { "undo" };
    let shared = place.change.iter().chain(others);
    let mut names: Vec<String> = said.batches.iter().filter(|name| name.contains('.')).cloned().collect();
    for change in shared {
        let name = change.is_short().then(|| change.to_string())?;
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let rebase = if said.has_typed("--rebase") { " --rebase" } else { "" };
    Some(said.command(&format!("{verb} {}{rebase}", names.join(" "))))
}

/// What keeps changes from being taken back, or from being done again.
fn undoing(conflict: &Conflict, place: &ConflictPlace, batch: Option<&str>, said: &Said<'_>) -> Option<String> {
    if let ConflictReason::Removed { version: Some(version) } = &place.reason
        && let Some(hint) = short(version).and_then(|version| brought_back(place, &version, said))
    {
        return Some(hint);
    }
    let rest = (!said.rest.is_empty()).then(|| format!("undo {}", said.rest.join(" ")));
    // Who brought a file back, or is known to have changed it, did not put in its place what stands there.
    let apart = matches!(place.reason, ConflictReason::Returned | ConflictReason::Occupied);
    let first = in_the_way(conflict).filter(|_| !apart).map(|by| said.command(&format!("undo {by}")));
    match (first, rest, batch) {
        // The newest undo is another one then.
        (Some(first), _, Some(batch)) if said.command == Command::Redo => {
            Some(format!("{first} first, then undo {batch}"))
        }
        // Of many batches those that go alone: what is in the way of one may be held in place by others.
        (_, Some(rest), _) if said.rest.iter().all(|name| !name.contains('.')) => Some(said.command(&rest)),
        (Some(first), Some(rest), _) => Some(format!("{first} first, or the rest alone: {rest}")),
        (Some(first), None, _) => Some(format!("{first} first")),
        (None, Some(rest), _) => Some(said.command(&rest)),
        (None, None, batch) => match place.reason {
            // All of it goes where some of it does not, if nobody has changed the file since.
            ConflictReason::Inseparable if is_part(batch, said) => {
                batch.map(|batch| said.command(&format!("undo {batch}")))
            }
            ConflictReason::Moved | ConflictReason::Returned | ConflictReason::Gone => said.about("log", &place.path),
            ConflictReason::Occupied => None,
            _ => by_hand(place, batch, said),
        },
    }
}

/// Were only some changes of the batch named?
fn is_part(batch: Option<&str>, said: &Said<'_>) -> bool {
    batch.is_some_and(|batch| said.batches.iter().any(|name| name != batch && is_of(name, batch)))
}

/// What keeps a proposal from being accepted.
fn accepting(conflict: &Conflict, place: &ConflictPlace, batch: Option<&str>, said: &Said<'_>) -> Option<String> {
    if !said.rest.is_empty() {
        let rebase = if said.has_typed("--rebase") { " --rebase" } else { "" };
        return Some(said.command(&format!("accept {}{rebase}", said.rest.join(" "))));
    }
    let drop = batch.map(|batch| format!("reject {batch}"));
    let by_lines = matches!(place.reason, ConflictReason::Touched | ConflictReason::Gone | ConflictReason::Moved);
    match (in_the_way(conflict).filter(|_| by_lines), drop) {
        (Some(by), Some(drop)) => Some(format!("{} first, or drop it: {drop}", said.command(&format!("undo {by}")))),
        (Some(by), None) => Some(format!("{} first", said.command(&format!("undo {by}")))),
        (None, drop) => drop.map(|drop| said.command(&drop)),
    }
}

/// The newest batch that is in the way. Who takes batches back from the newest on meets none twice. Nothing if another
/// program is in the way as well: that stays.
fn in_the_way(conflict: &Conflict) -> Option<String> {
    let batch = |place| match author_of(place) {
        Author::Batch(by) => Some(&by.batch),
        Author::Foreign | Author::Unknown => None,
    };
    if conflict.places.iter().any(|place| author_of(place) == Author::Foreign) {
        return None;
    }
    conflict.places.iter().filter_map(batch).max_by_key(|batch| batch.number).and_then(short)
}

/// The change, to be taken back by hand.
fn by_hand(place: &ConflictPlace, batch: Option<&str>, said: &Said<'_>) -> Option<String> {
    let change = place.change.as_ref().filter(|change| change.is_short()).map(ChangeName::to_string);
    let name = change.or_else(|| batch.map(str::to_owned))?;
    Some(said.command(&format!("show {name}")))
}

/// The last version on record, put where the file was.
fn brought_back(place: &ConflictPlace, version: &str, said: &Said<'_>) -> Option<String> {
    let (from, to) = (said.argument(&format!("{}@{version}", place.path), None)?, said.argument(&place.path, None)?);
    said.counts_from_here().then(|| format!("{} > {to}", said.command(&format!("read {from}"))))
}

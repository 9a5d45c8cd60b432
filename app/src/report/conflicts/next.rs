//! The next step after a conflict, by what is in the way.

use super::super::ready::{named as named_value, ready};
use super::super::telling::Telling;
use super::super::terminal::as_json;
use super::named;
use patchwright_core::batch::{BatchName, BatchStatus, ChangeName};
use patchwright_core::refusal::{Conflict, ConflictPlace, ConflictReason};
use serde_json::json;

/// What to do about one place.
pub(super) fn step(conflict: &Conflict, place: &ConflictPlace, tell: &Telling<'_>) -> String {
    let path = named(place);
    match &place.reason {
        ConflictReason::Touched | ConflictReason::Changed => later(place),
        ConflictReason::Inseparable => {
            "Leave changeIds out: the whole batch goes while the file is as it was left; else edit it by hand."
                .to_owned()
        }
        ConflictReason::Gone => format!(
            "Bring {path} back first: {}{}; then make the same call again.",
            undo_first(place).unwrap_or_else(|| "undo the batch that removed it".to_owned()),
            tell.pick(&[("list_trash", ", or restore_file with its trashId from list_trash")], "")
        ),
        ConflictReason::Removed { version } => removed(&path, version.as_ref(), tell),
        ConflictReason::Returned => match place.by.first() {
            Some(_) => format!(
                "Leave it as it is; or take back what brought it back, from the newest on ({}), and then make the same call again.",
                undo_first(place).unwrap_or_default()
            ),
            None => "Leave it as it is.".to_owned(),
        },
        ConflictReason::Moved => moved_on(place, tell),
        ConflictReason::Occupied => format!(
            "{}, then make the same call again; or delete what stands there, if it is not needed (it goes to the trash).",
            match tell.has("move_file") {
                true => format!("Move what stands there away: {}", away(&path)),
                false => format!("Move what stands at {path} away with {}", tell.moving()),
            }
        ),
        ConflictReason::Shared(ids) => {
            let all = list(place.change.iter().chain(ids));
            format!("Name all of them in changeIds: {all}. Or leave changeIds out for the whole batch.")
        }
        ConflictReason::Status(status) => standing(*status, conflict, place, tell),
        ConflictReason::Final => {
            "Leave it: what was purged is gone for good. list_batches shows what else can be undone.".to_owned()
        }
        ConflictReason::Replaced => {
            "Leave it as it is. list_batches shows what stands; take back the newest undo of those files instead, if that is meant."
                .to_owned()
        }
        ConflictReason::NotKept => format!(
            "Edit {path} by hand instead{}.",
            match tell.has("get_patch_change") {
                true => format!(": get_patch_change{} shows the diff of what was done", argument(conflict)),
                false => String::new(),
            }
        ),
        ConflictReason::GroundMoved => moved(conflict, place, tell),
        ConflictReason::Outdated => format!(
            "Look at {path} as it is now; then {} and, if it is still wanted, make the proposal anew.",
            dropping(conflict, tell)
        ),
    }
}

/// The file has another name now.
fn moved_on(place: &ConflictPlace, tell: &Telling<'_>) -> String {
    let path = as_json(&named(place));
    let look = format!("list_batches {{\"path\":{path}}} shows where the file went");
    match undo_first(place) {
        Some(undo) => format!(
            "Undo the batch that moved it ({undo}), then make the same call again; or move the file back with {}: {look}.",
            tell.moving()
        ),
        None => format!("Move the file back with {}, then make the same call again: {look}.", tell.moving()),
    }
}

/// The call that shows what is there now.
fn reading(path: &str, lines: Option<(usize, usize)>) -> String {
    let path = named_value(path);
    match lines {
        Some((first, last)) => ready("read_file", &json!({ "path": path, "startLine": first, "endLine": last })),
        None => ready("read_file", &json!({ "path": path })),
    }
}

/// The call that gives a file another name beside its own.
fn away(path: &str) -> String {
    let from = named_value(path);
    let to = format!("{}.other", from.as_str().unwrap_or_default());
    ready("move_file", &json!({ "fromPath": from, "toPath": to }))
}

/// Another program removed the file.
fn removed(path: &str, version: Option<&BatchName>, tell: &Telling<'_>) -> String {
    match version {
        Some(version) if tell.has("restore_file") => format!(
            "Bring it back as {version} left it: restore_file {{\"path\":{},\"version\":\"{version}\"}}; then make the same call again.",
            as_json(path)
        ),
        Some(version) => format!(
            "Make {path} anew as {version} left it, then make the same call again; or ask the user to start Patchwright with --tools +trash, which can bring it back."
        ),
        None => format!(
            "Look for {path} {}: it may have another name; move it back with {}, then make the same call again. The bytes it held are not kept here.",
            tell.finding(),
            tell.moving()
        ),
    }
}

/// Later changes are in the way.
fn later(place: &ConflictPlace) -> String {
    let path = named(place);
    let read = match place.lines {
        _ if place.path.is_empty() => "read the file and".to_owned(),
        Some((first, last)) => format!("call {} and", reading(&path, Some((first, last.max(first))))),
        None => format!("call {} and", reading(&path, None)),
    };
    match place.by.as_slice() {
        [] => format!("Keep what is there, {read} make the change you want by hand."),
        [_] => format!(
            "Undo the later batch first ({}), then make the same call again; or keep it, {read} edit it by hand.",
            undo_first(place).unwrap_or_default()
        ),
        [_, older @ ..] => format!(
            "Undo what came later first, from the newest on ({}, then {}), then make the same call again; or keep it, {read} edit it by hand.",
            undo_first(place).unwrap_or_default(),
            older.iter().map(|by| by.batch.to_string()).collect::<Vec<_>>().join(", ")
        ),
    }
}

/// The files have moved under a proposal.
fn moved(conflict: &Conflict, place: &ConflictPlace, tell: &Telling<'_>) -> String {
    let path = named(place);
    let look = match place.lines {
        _ if place.path.is_empty() => "Read the file".to_owned(),
        Some((first, last)) => format!("Call {}", reading(&path, Some((first, last.max(first))))),
        None => format!("Call {}", reading(&path, None)),
    };
    let again = match &conflict.batch {
        Some(batch) => format!("apply_batch {{\"batchId\":\"{batch}\",\"rebase\":true}}"),
        None => "apply_batch with rebase: true".to_owned(),
    };
    match tell.has("apply_batch") {
        true => format!(
            "{look}; if what changed does not touch the proposal, then call {again}; else {} and make a new proposal on the file as it is now.",
            dropping(conflict, tell)
        ),
        false => format!("{look}, and make a new proposal on the file as it is now."),
    }
}

/// The batch or the change is not in the state that the call needs.
fn standing(status: BatchStatus, conflict: &Conflict, place: &ConflictPlace, tell: &Telling<'_>) -> String {
    let this = argument(conflict);
    match status {
        BatchStatus::Undone => match place.by.first() {
            Some(by) => format!(
                "Leave it as it is, or undo {{\"batchId\":\"{}\"}}, which took it back, to have it again.",
                by.batch
            ),
            None => "Leave it as it is. To have it again: call list_batches {}, then call again: set batchId to the batch that took it back.".to_owned(),
        },
        BatchStatus::Applied => format!("Nothing is left to do. To take it back: undo{this}."),
        BatchStatus::Rejected => {
            "Make the change again, as a new call or a new proposal, if it is wanted after all.".to_owned()
        }
        BatchStatus::Proposed | BatchStatus::Conflicted if !tell.has("apply_batch") => {
            "Leave it: the user decides about proposals.".to_owned()
        }
        BatchStatus::Proposed => format!("apply_batch{this} carries it out, reject_batch{this} drops it."),
        BatchStatus::Conflicted => {
            format!(
                "See what changed with apply_batch{this} and dryRun: true; apply_batch with rebase: true carries it out where nothing touches it, reject_batch{this} drops it."
            )
        }
    }
}

/// The call that takes back what is in the way, if that is known.
fn undo_first(place: &ConflictPlace) -> Option<String> {
    place.by.first().map(|by| format!("undo {{\"batchId\":\"{}\"}}", by.batch))
}

/// The batch, as the argument of a call, with a blank before it.
fn argument(conflict: &Conflict) -> String {
    conflict.batch.as_ref().map(|batch: &BatchName| format!(" {{\"batchId\":\"{batch}\"}}")).unwrap_or_default()
}

/// How a proposal is dropped.
fn dropping(conflict: &Conflict, tell: &Telling<'_>) -> String {
    match tell.has("reject_batch") {
        true => format!("reject_batch{}", argument(conflict)),
        false => "leave this one".to_owned(),
    }
}

fn list<'a>(names: impl Iterator<Item = &'a ChangeName>) -> String {
    format!("[{}]", names.map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", "))
}

//! Words and facts for versions that are not on record.

use super::fields::Fields;
use super::message::Words;
use super::telling::Telling;
use super::terminal::{as_json, one_line};
use patchwright_core::batch::BatchName;
use patchwright_core::refusal::NoVersion;
use serde_json::Value;

pub(super) fn words(path: &str, missing: &NoVersion, tell: &Telling<'_>) -> Words {
    match missing {
        NoVersion::Untouched { batch, paths } => {
            let about = if paths.is_empty() { String::new() } else { format!("; it is about {}", names(paths)) };
            Words::new(
                format!("Batch {batch} did not touch {path}{about}."),
                format!("Call list_batches with path {} and use the batch of one that did.", as_json(path)),
            )
        }
        NoVersion::Folder { batch, trash, below } => Words::new(
            format!("{path} is a folder in batch {batch}, and only files and links have versions."),
            of_folder(trash.as_deref(), below, tell),
        ),
        NoVersion::SameBytes { batch, moved } => {
            let did = if *moved { "only moved" } else { "only changed the permission bits of" };
            Words::new(
                format!("Batch {batch} {did} {path}, and the bytes that it held then are not on record."),
                format!(
                    "Call list_batches with path {} for batches that changed its content; those have versions. Else \
                     ask the user for a copy.",
                    as_json(path)
                ),
            )
        }
        NoVersion::NotAfter { batch, moved: None } => Words::new(
            format!("Batch {batch} left no {path}: it deleted it."),
            format!("For what it deleted: {}.", call(path, batch, "before")),
        ),
        NoVersion::NotAfter { batch, moved: Some(to) } => Words::new(
            format!("Batch {batch} left no {path}: it moved it to {to}."),
            format!("For what it moved: {}, or give {to:?} as path.", call(path, batch, "before")),
        ),
        NoVersion::NotBefore { batch, moved: None } => Words::new(
            format!("Batch {batch} found no {path}: it made it."),
            format!("For what it made: {}.", call(path, batch, "after")),
        ),
        NoVersion::NotBefore { batch, moved: Some(from) } => Words::new(
            format!("Batch {batch} found no {path}: it moved {from} there."),
            format!("For what it moved: {}, or give {from:?} as path.", call(path, batch, "after")),
        ),
    }
}

/// How a folder comes back.
fn of_folder(trash: Option<&str>, below: &[String], tell: &Telling<'_>) -> String {
    match (trash, below) {
        (Some(id), _) if tell.has("restore_file") => {
            format!("Restore it with everything in it: restore_file {{\"trashId\":{id:?}}}.")
        }
        (_, []) => "Undo the batch to have it again.".to_owned(),
        (_, below) => format!("Ask for its files one by one, such as {}.", names(below)),
    }
}

/// Names, one after the other.
fn names(paths: &[String]) -> String {
    paths.iter().map(|path| one_line(path)).collect::<Vec<_>>().join(", ")
}

fn call(path: &str, batch: &BatchName, side: &str) -> String {
    format!("{{\"path\":{},\"version\":\"{batch}\",\"side\":{side:?}}}", as_json(path))
}

pub(super) fn details(missing: &NoVersion) -> Value {
    let because = |reason: &str, batch: &BatchName| Fields::new().put("reason", reason).batch(Some(batch));
    match missing {
        NoVersion::Untouched { batch, paths } => because("untouched", batch).put("paths", paths.clone()),
        NoVersion::Folder { batch, trash, below } => {
            because("folder_version", batch).put("trashId", trash.clone()).put("paths", below.clone())
        }
        NoVersion::SameBytes { batch, .. } => because("not_kept", batch),
        NoVersion::NotAfter { batch, moved: None } => because("deleted_by_batch", batch),
        NoVersion::NotAfter { batch, moved: Some(to) } => because("moved_by_batch", batch).put("movedTo", to.as_str()),
        NoVersion::NotBefore { batch, moved: None } => because("made_by_batch", batch),
        NoVersion::NotBefore { batch, moved: Some(from) } => {
            because("moved_by_batch", batch).put("movedFrom", from.as_str())
        }
    }
    .done()
}

//! Words and facts for versions that are not on record.

use super::words::Words;
use patchwright_core::refusal::NoVersion;
use serde_json::{Value, json};

pub(super) fn words(path: &str, missing: &NoVersion) -> Words {
    match missing {
        NoVersion::Untouched { batch, paths } => {
            let about = if paths.is_empty() { String::new() } else { format!("; it is about {}", paths.join(", ")) };
            Words::new(
                format!("Batch {batch} did not touch {path}{about}."),
                format!("Call list_batches with path {path:?} and use the batchId of one that did."),
            )
        }
        NoVersion::Folder { batch, trash, below } => Words::new(
            format!("{path} is a folder in batch {batch}, and only files and links have versions."),
            of_folder(trash.as_deref(), below),
        ),
        NoVersion::SameBytes { batch, moved } => {
            let did = if *moved { "only moved" } else { "only changed the permission bits of" };
            Words::new(
                format!("Batch {batch} {did} {path}, and the bytes that it held then are not on record."),
                format!(
                    "Call list_batches with path {path:?} for batches that changed its content; those have versions. Else \
                     ask the user for a copy."
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
fn of_folder(trash: Option<&str>, below: &[String]) -> String {
    match (trash, below) {
        (Some(id), _) => format!("Restore it with everything in it: restore_file {{\"trashId\":{id:?}}}."),
        (None, []) => "Make it anew with create_file and createParentDirectories, or undo the batch.".to_owned(),
        (None, below) => format!("Ask for its files one by one, such as {}.", below.join(", ")),
    }
}

fn call(path: &str, batch: &str, side: &str) -> String {
    format!("{{\"path\":{path:?},\"version\":{batch:?},\"side\":{side:?}}}")
}

pub(super) fn details(missing: &NoVersion) -> Value {
    match missing {
        NoVersion::Untouched { batch, paths } => json!({ "reason": "untouched", "batchId": batch, "paths": paths }),
        NoVersion::Folder { batch, trash, below } => {
            json!({ "reason": "folder_version", "batchId": batch, "trashId": trash, "paths": below })
        }
        NoVersion::SameBytes { batch, .. } => json!({ "reason": "not_kept", "batchId": batch }),
        NoVersion::NotAfter { batch, moved: None } => json!({ "reason": "deleted_by_batch", "batchId": batch }),
        NoVersion::NotAfter { batch, moved: Some(to) } => {
            json!({ "reason": "moved_by_batch", "batchId": batch, "movedTo": to })
        }
        NoVersion::NotBefore { batch, moved: None } => json!({ "reason": "made_by_batch", "batchId": batch }),
        NoVersion::NotBefore { batch, moved: Some(from) } => {
            json!({ "reason": "moved_by_batch", "batchId": batch, "movedFrom": from })
        }
    }
}

//! Words for what is not there: files, folders, entries of the trash, and what the history does not have.

use super::telling::Telling;
use super::terminal::{as_json, one_line};
use super::versions;
use super::words::Words;
use patchwright_core::refusal::Missing;

/// Words for a file, a folder or an entry that is not there.
pub(super) fn words(path: &str, missing: &Missing, tell: &Telling<'_>) -> Words {
    match missing {
        Missing::File { alike } => match alike.split_first() {
            Some((first, _)) => Words::new(
                format!("{path} does not exist.{}", spelt_alike(alike)),
                format!(
                    "Call again with {} if that is the one you mean; else look for the file {}.",
                    one_line(first),
                    tell.finding()
                ),
            ),
            None => Words::new(
                format!("{path} does not exist."),
                format!("Look for the file {}. To make a new file, use {}.", tell.finding(), tell.making()),
            ),
        },
        Missing::Parent { folder } => Words::new(
            format!("The folder {} does not exist, so {path} cannot be put there.", one_line(folder)),
            match tell.served(&["create_file", "apply_patch"]) {
                None => "Choose a folder that exists.".to_owned(),
                Some(tools) => format!(
                    "Choose a folder that exists, or add createParentDirectories: true, which makes it ({tools} can do so)."
                ),
            },
        ),
        Missing::IsFolder => Words::new(
            format!("{path} is a folder, and a file is needed."),
            format!("Name a file. {}", tell.listing(path)),
        ),
        Missing::IsFile => Words::new(
            format!("{path} is a file, and a folder is needed."),
            format!("Name the folder it lies in, or use read_file with path {}.", as_json(path)),
        ),
        Missing::LinkTarget => Words::new(
            format!("{path} is a symbolic link that points to nothing."),
            format!("Name the file it should point to, or delete the link with {}.", tell.deleting()),
        ),
        Missing::TrashEntry { .. } | Missing::Kept | Missing::Neighbour { .. } => no_longer(path, missing, tell),
        Missing::Version(missing) => versions::words(path, missing, tell),
        Missing::LinkVersion => Words::new(
            format!("{path} was a symbolic link in that version, and a link has no text."),
            tell.pick(
                &[("restore_file", "Use restore_file with the same path and version to bring the link back.")],
                "Undo the batch that removed the link to bring it back.",
            ),
        ),
        recorded => not_on_record(Some(path), recorded, tell),
    }
}

/// What was there once, or is expected to be.
fn no_longer(path: &str, missing: &Missing, tell: &Telling<'_>) -> Words {
    match missing {
        Missing::TrashEntry { id } => Words::new(
            format!("There is no trash entry with the trashId {id:?}; it may have been restored or purged."),
            tell.pick(
                &[("list_trash", "Call list_trash to see what can be restored.")],
                "Call list_batches, and undo the batch that deleted the file.",
            ),
        ),
        Missing::Neighbour { alike } => Words::new(
            format!("expectedSha256ByPath names {path}, which does not exist.{}", spelt_alike(alike)),
            "Correct that key, or leave it out; give \"\" as its value if the path is to be free.",
        ),
        Missing::Kept => Words::new(
            format!("The bytes that {path} held then are no longer kept under their hash, or were damaged."),
            tell.pick(
                &[("list_trash", "Call list_trash to see what else can be restored.")],
                "Make the file anew, or ask the user for a copy.",
            ),
        ),
        other => not_on_record(Some(path), other, tell),
    }
}

/// What the history does not have.
pub(super) fn not_on_record(path: Option<&str>, missing: &Missing, tell: &Telling<'_>) -> Words {
    match missing {
        Missing::Change { id, batch } => Words::new(
            format!("Batch {batch} has no change with the id {id:?}."),
            match tell.has("get_patch_change") {
                true => format!(
                    "Call get_patch_change with batchId \"{batch}\" to see its changes, and use one that stands there."
                ),
                false => format!("Leave changeIds out: {{\"batchId\":\"{batch}\"}} means all of it."),
            },
        ),
        Missing::ChangeNotBatch { id, .. } => Words::new(
            format!("{id:?} is a batch, not a change."),
            format!(
                "Give it as batchId instead: {{\"batchId\":{id:?}}} alone means all of it; {}.",
                tell.reviewing(id)
            ),
        ),
        Missing::AnyChange { id } => Words::new(
            format!("No change, and no file's part of a batch, with the id {id:?} is on record."),
            tell.pick(
                &[(
                    "get_patch_change",
                    "Call list_batches to see the batches, and get_patch_change with one of them to see its changes.",
                )],
                "Call list_batches to see the batches, and name one of them as batchId.",
            ),
        ),
        Missing::Session { id } => Words::new(
            format!("The session {id:?} has changed nothing that still stands."),
            "Call list_batches with status \"applied\" to see the batches that stand, and undo by batchId, or by sinceBatchId for all that came after one.",
        ),
        Missing::Batch { id } => Words::new(
            format!("There is no batch with the id {id:?} on record."),
            "Call list_batches to see the batches; use a batchId that stands there, or one that the answer to a change gave.",
        ),
        _ => match path {
            Some(path) => Words::new(
                format!("No applied change of {path} is on record that could be undone."),
                format!(
                    "Call list_batches with path {} to see what is on record for it; a change made without these tools is not.",
                    as_json(path)
                ),
            ),
            None => Words::new(
                "Nothing is on record that could be undone.",
                "Call list_batches to see what is on record; changes made without these tools are not.",
            ),
        },
    }
}

fn spelt_alike(alike: &[String]) -> String {
    let names: Vec<String> = alike.iter().map(|name| one_line(name)).collect();
    if names.is_empty() { String::new() } else { format!(" Spelt alike: {}.", names.join(", ")) }
}

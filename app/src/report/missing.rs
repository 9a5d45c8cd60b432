//! Words for what is not there: files, folders, entries of the trash, and what the history does not have.

use super::message::Words;
use super::ready::{Mend, compact, named, ready};
use super::telling::Telling;
use super::terminal::one_line;
use super::versions;
use patchwright_core::dialect::unified::is_diff;
use patchwright_core::refusal::Missing;
use patchwright_core::tool::{Effect, find};
use serde_json::json;

/// Words for a file, a folder or an entry that is not there.
pub(super) fn words(path: &str, missing: &Missing, tell: &Telling<'_>) -> Words {
    match missing {
        Missing::File { alike } => {
            Words::new(format!("{path} does not exist.{}", spelt_alike(alike)), absent(path, alike, tell))
        }
        Missing::Parent { folder } => Words::new(
            format!("The folder {} does not exist, so {path} cannot be put there.", one_line(folder)),
            no_parent(path, tell),
        ),
        Missing::IsFolder => Words::new(format!("{path} is a folder, and a file is needed."), is_folder(path, tell)),
        Missing::IsFile => Words::new(format!("{path} is a file, and a folder is needed."), is_file(path, tell)),
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

/// The arguments that name a file or folder.
const PATHS: &[&str] = &["path", "fromPath", "toPath", "targetPath", "root", "docPath", "file_path"];

/// Which name may be meant; else how to find the file.
fn absent(path: &str, alike: &[String], tell: &Telling<'_>) -> String {
    let place = tell.holding(PATHS, path);
    if tell.called() == Some("write_file") && tell.has("create_file") {
        let other = other(alike, tell);
        return match tell.instead("create_file") {
            Some(made) => format!("To make a new file, call {made}; else {other}."),
            None => format!("To make a new file, use create_file; else {other}."),
        };
    }
    if !alike.is_empty() {
        return format!("{}; else look for the file {}.", spelt(path, alike, place, tell), tell.finding());
    }
    let new = match tell.served(&["create_file", "apply_patch"]) {
        _ if tell.given_text("patch").is_some_and(is_diff) => {
            " To make a new file by a diff, write `--- /dev/null` above `+++ b/PATH`.".to_owned()
        }
        Some(_) => format!(" To make a new file, use {}.", tell.making()),
        None => String::new(),
    };
    let name = path.rsplit('/').next().unwrap_or(path);
    let found = (tell.has("glob") && !path.starts_with('"'))
        .then(|| ready("glob", &json!({ "pattern": format!("**/{}", literal(name)) })));
    match (found, place, tell.given("patch")) {
        (Some(look), Some(place), _) => {
            format!("Call {look}, then call again: set {place} to the path that it shows.{new}")
        }
        (Some(look), None, Some(_)) => {
            format!("Call {look}, then call again: set patch to the same patch with the path that it shows.{new}")
        }
        _ => format!("Look for the file {}.{new}", tell.finding()),
    }
}

/// What to do about names that are spelt alike. Only a look is worth a guess: a change is not aimed at another file
/// because of its name.
fn spelt(path: &str, alike: &[String], place: Option<&str>, tell: &Telling<'_>) -> String {
    let looks = tell.called().and_then(find).is_some_and(|tool| tool.effect == Effect::Looks);
    let names: Vec<String> = alike.iter().map(|name| compact(&name.as_str().into())).collect();
    match (alike, place) {
        ([one], Some(place)) if looks => {
            format!("Call {} if that is the one you mean", tell.again(&[Mend::set(place, one.as_str())]))
        }
        ([_], Some(place)) => format!("Set {place} to {} if that is the one you mean, then call again", names.concat()),
        (_, Some(place)) => format!("Set {place} to the one that you mean of {}, then call again", names.join(", ")),
        (_, None) => format!(
            "If you mean {}, write that name in place of {}, then call again",
            names.join(" or "),
            compact(&named(path))
        ),
    }
}

/// Where else the file may be.
fn other(alike: &[String], tell: &Telling<'_>) -> String {
    match alike {
        [one] => format!("set path to {} if that is the one you mean", compact(&one.as_str().into())),
        [] => format!("look for the file {}", tell.finding()),
        _ => "set path to the one of those that you mean".to_owned(),
    }
}

/// A name as a glob that fits it alone.
fn literal(name: &str) -> String {
    let quoted = |ch: char| if "*?[]{}!".contains(ch) { format!("[{ch}]") } else { ch.to_string() };
    name.chars().map(quoted).collect()
}

fn no_parent(path: &str, tell: &Telling<'_>) -> String {
    let makes = matches!(tell.called(), Some("create_file" | "apply_patch"));
    if makes {
        let made = tell.again(&[Mend::set("createParentDirectories", true)]);
        return format!("Call {made}, which makes the folder; or choose one that exists.");
    }
    if let Some(place) = tell.holding(PATHS, path) {
        return format!("Set {place} to a path in a folder that exists, then call again.");
    }
    match tell.served(&["create_file", "apply_patch"]) {
        None => "Choose a folder that exists.".to_owned(),
        Some(tools) => format!(
            "Choose a folder that exists, or add createParentDirectories: true, which makes it ({tools} can do so)."
        ),
    }
}

fn is_folder(path: &str, tell: &Telling<'_>) -> String {
    let look = ready("list_directory", &json!({ "path": named(path) }));
    match (tell.has("list_directory"), tell.called()) {
        (false, _) => "Name a file.".to_owned(),
        (true, Some("read_file")) => format!("Call {look}, which shows the files in it."),
        (true, _) => match tell.holding(PATHS, path) {
            Some(place) => format!("Call {look}, then call again: set {place} to the path of a file in it."),
            None => format!("Call {look}, which shows the files in it, and name one of them."),
        },
    }
}

fn is_file(path: &str, tell: &Telling<'_>) -> String {
    let folder = path.rsplit_once('/').map_or(".", |(folder, _)| folder);
    match tell.holding(&["root"], path) {
        Some(root) => format!("Call {}, which looks in its folder.", tell.again(&[Mend::set(root, folder)])),
        None => format!(
            "Call {} to see what is in it, or name the folder that it lies in.",
            ready("read_file", &json!({ "path": named(path) }))
        ),
    }
}

/// What was there once, or is expected to be.
fn no_longer(path: &str, missing: &Missing, tell: &Telling<'_>) -> Words {
    match missing {
        Missing::TrashEntry { id } => Words::new(
            format!("There is no trash entry with the trashId {id:?}; it may have been restored or purged."),
            tell.pick(
                &[("list_trash", "Call list_trash {}, then call again: set trashId to one that it shows.")],
                "Call list_batches, and undo the batch that deleted the file.",
            ),
        ),
        Missing::Neighbour { alike } => Words::new(
            format!("expectedSha256ByPath names {path}, which does not exist.{}", spelt_alike(alike)),
            format!(
                "Leave out expectedSha256ByPath[{0}], or correct its path, then call again; \"\" as its value says that the path is to be free.",
                compact(&named(path))
            ),
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
        Missing::Change { id, batch } if *id == batch.to_string() => Words::new(
            format!("{id:?} is the batch itself, not a change of it."),
            match only_one(tell) {
                true => format!("Call {}, which means all of it.", tell.again(&[Mend::Out("changeIds".into())])),
                false => SOME_OR_ALL.to_owned(),
            },
        ),
        Missing::Change { id, batch } => Words::new(
            format!("Batch {batch} has no change with the id {id:?}."),
            match tell.has("get_patch_change") {
                true => format!(
                    "Call get_patch_change {{\"batchId\":\"{batch}\"}}, then call again: set changeIds to some that it shows."
                ),
                false => SOME_OR_ALL.to_owned(),
            },
        ),
        Missing::ChangeNotBatch { id, .. } => Words::new(
            format!("{id:?} is a batch, not a change."),
            match tell.called() {
                _ if !only_one(tell) => SOME_OR_ALL.to_owned(),
                Some("get_patch_change") => format!("Call {}.", tell.again(&as_batch(id, tell))),
                _ => format!("Call {}, which means all of it; {}.", tell.again(&as_batch(id, tell)), tell.reviewing(id)),
            },
        ),
        Missing::AnyChange { id } => Words::new(
            format!("No change, and no file's part of a batch, with the id {id:?} is on record."),
            match (tell.has("get_patch_change"), tell.given("changeIds").is_some()) {
                (true, _) => "Call list_batches {}, which shows the batches; get_patch_change with one of them shows its changes.".to_owned(),
                (false, true) => format!("Call list_batches {{}}, which shows the batches. {SOME_OR_ALL}"),
                (false, false) => "Call list_batches {}, then call again: set batchId to one that it shows.".to_owned(),
            },
        ),
        Missing::AnySession { id } => Words::new(
            format!("There is no session with the id {id:?} on record."),
            "Call list_batches {}, which shows the sessions of batches, then call again: set sessionId to one of them.",
        ),
        Missing::Session { id } => Words::new(
            format!("The session {id:?} has changed nothing that still stands."),
            "Call list_batches {\"status\":\"applied\"}, which shows what stands, then call again: leave out sessionId, set batchId to one that it shows.",
        ),
        Missing::Batch { id } => Words::new(
            format!("There is no batch with the id {id:?} on record."),
            format!(
                "Call list_batches {{}}, then call again: set {} to one that it shows.",
                tell.holding(&["batchId", "sinceBatchId", "version"], id).unwrap_or("batchId")
            ),
        ),
        _ => match path {
            Some(path) => Words::new(
                format!("No applied change of {path} is on record that could be undone."),
                "Call list_batches {}, then call again: set path to that of a file that it shows. A change made without these tools is not on record.",
            ),
            None => Words::new(
                "Nothing is on record that could be undone.",
                "Call list_batches {}, which shows what is on record; changes made without these tools are not.",
            ),
        },
    }
}

/// Where some changes were named that are not there, all of the batch is more than was asked for.
const SOME_OR_ALL: &str =
    "Correct changeIds, or leave out changeIds only if all changes of the batch are meant, then call again.";

/// Was no more than one change named?
fn only_one(tell: &Telling<'_>) -> bool {
    tell.given("changeIds").and_then(|ids| ids.as_array()).is_none_or(|ids| ids.len() == 1)
}

/// The batch alone, in place of a change of it.
fn as_batch(id: &str, tell: &Telling<'_>) -> Vec<Mend> {
    let parts = ["changeIds", "changeId", "filePatchId"].into_iter().filter(|part| tell.given(part).is_some());
    parts.map(|part| Mend::Out(part.to_owned())).chain([Mend::set("batchId", id)]).collect()
}

fn spelt_alike(alike: &[String]) -> String {
    let names: Vec<String> = alike.iter().map(|name| one_line(name)).collect();
    if names.is_empty() { String::new() } else { format!(" Spelt alike: {}.", names.join(", ")) }
}

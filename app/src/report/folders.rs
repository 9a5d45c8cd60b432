//! Words for folders that cannot go or move with everything in them.

use super::amounts::many;
use super::fields::{Fields, sort};
use super::message::{Words, thing};
use super::telling::Telling;
use super::terminal::{as_json, one_line};
use patchwright_core::refusal::{Closed, FolderFault};
use serde_json::Value;

/// What is so, and what to do about it.
pub(super) fn words(path: &str, fault: &FolderFault, tell: &Telling<'_>) -> Words {
    match fault {
        FolderFault::NotRecursive => Words::new(
            format!("{path} is a folder, and a file is needed."),
            format!(
                "Name a file in it. If the folder is meant with everything in it: call {}, then call again: set recursive to true{}.",
                listing(path),
                if tell.hashes { format!(", {BY_PATH}") } else { String::new() }
            ),
        ),
        FolderFault::Root => Words::new(
            "The workspace itself can be neither deleted nor moved.",
            "Name a folder in it; list_directory shows what is there.",
        ),
        FolderFault::IntoItself { to } => Words::new(
            format!("{path} cannot be moved to {}, which lies in it.", one_line(to)),
            "Set toPath to a path outside of that folder, then call again.",
        ),
        FolderFault::Occupied(sort) => Words::new(
            format!("{path} already exists; it is {}, and a folder takes the place of nothing.", thing(*sort)),
            format!(
                "Set toPath to a path where nothing stands, then call again; or move what is at {path} away with {}, or delete it with {} (it goes to the trash), and then repeat this call.",
                tell.moving(),
                tell.deleting()
            ),
        ),
        FolderFault::Holds { left, more } => holds(path, left, *more, tell),
        FolderFault::Closed(closed) => Words::new(
            format!("{path} holds {}{}. Nothing was changed.", what(closed), named(closed)),
            "Delete or move single files, or folders in it that hold nothing of the kind; or ask the user to see to the whole folder.",
        ),
        FolderFault::TooMany { most } => Words::new(
            format!("{path} holds more than {most} files and folders, which is more than one call takes."),
            "Delete or move the folders in it one by one; list_directory shows them.",
        ),
        FolderFault::Attributes { limit } => Words::new(
            format!(
                "{path} and the folders that go with it have more than {limit} bytes of extended attributes, which is more than can be kept to bring them back. Nothing was changed."
            ),
            "Delete or move the folders in it one by one, deepest first; or ask the user which attributes are not needed.",
        ),
        FolderFault::Unproven { missing, count } => unproven(path, missing, *count, tell),
        FolderFault::Grew => Words::new(
            format!(
                "Another program put something into {path} during this call. That was kept, and nothing was changed."
            ),
            format!("Call {} to see what is new, then repeat this call if it is still right.", listing(path)),
        ),
    }
}

/// The proof for a folder where a session's own looks do not count.
const BY_PATH: &str = "set expectedSha256ByPath to an object with each path that it shows and its sha256";

/// Files in a folder that nobody has looked at.
fn unproven(path: &str, missing: &[String], count: usize, tell: &Telling<'_>) -> Words {
    let names: Vec<String> = missing.iter().map(|path| one_line(path)).collect();
    let more = if count > names.len() { ", …" } else { "" };
    Words::new(
        format!(
            "Nothing shows that you have seen {} in {path}: {}{more}.",
            many(count, "file", "files"),
            names.join(", ")
        ),
        match tell.hashes {
            true => format!(
                "Call {} (all pages, if there are several), see that nothing in it is still needed, then call again: {BY_PATH}.",
                listing(path)
            ),
            false => format!(
                "Call {} (all pages, if there are several), see that nothing in it is still needed, then repeat this call; or give the sha256 of each in expectedSha256ByPath.",
                listing(path)
            ),
        },
    )
}

/// A folder in whose place a file is to come, although the patch leaves something in it.
fn holds(path: &str, left: &[String], more: bool, tell: &Telling<'_>) -> Words {
    let names: Vec<String> = left.iter().map(|path| one_line(path)).collect();
    let more = if more { ", …" } else { "" };
    Words::new(
        format!("{path} already exists; it is a folder, and the patch leaves in it: {}{more}.", names.join(", ")),
        format!(
            "A file takes the place of a folder only if the patch empties it: add a section *** Delete File or *** Move File for each of these{}; or choose another path than {path}.",
            tell.pick(
                &[("delete_file", " (a folder in it that is empty goes by delete_file with recursive: true first)")],
                ""
            )
        ),
    )
}

/// The call that shows everything in a folder, and counts as a look at it.
fn listing(path: &str) -> String {
    format!(
        "list_directory {{\"path\":{},\"recursive\":true,\"maxDepth\":4096,\"includeHidden\":true,\"hashes\":true}}",
        as_json(path)
    )
}

fn what(closed: &Closed) -> String {
    let kinds = [
        (closed.denied, "entry that the policy closes", "entries that the policy closes"),
        (closed.special, "device, pipe or socket", "devices, pipes or sockets"),
        (closed.mounts, "mounted file system", "mounted file systems"),
        (closed.unaddressable, "name that is not text", "names that are not text"),
    ];
    let there = kinds.iter().filter(|(count, ..)| *count > 0);
    let words: Vec<String> =
        there.map(|(count, one, more)| many(usize::try_from(*count).unwrap_or(usize::MAX), one, more)).collect();
    words.join(", ")
}

fn named(closed: &Closed) -> String {
    if closed.named.is_empty() {
        return String::new();
    }
    let names: Vec<String> = closed.named.iter().map(|path| one_line(path)).collect();
    let more = if closed.count() > names.len() as u64 { ", …" } else { "" };
    format!(" ({}{more})", names.join(", "))
}

/// The facts as fields.
pub(super) fn details(path: Option<&str>, fault: &FolderFault) -> Value {
    let fields = Fields::new().maybe("path", path);
    match fault {
        FolderFault::NotRecursive => Fields::new().put("reason", "is_directory").done(),
        FolderFault::Root => Fields::new().put("reason", "workspace_root").done(),
        FolderFault::IntoItself { to } => Fields::new().put("reason", "into_itself").put("toPath", to.as_str()).done(),
        FolderFault::Occupied(found) => Fields::new().put("type", sort(*found)).done(),
        FolderFault::Holds { left, more } => Fields::new()
            .put("type", "directory")
            .put("left", left.clone())
            .maybe("truncated", more.then_some(true))
            .done(),
        FolderFault::Closed(closed) => {
            let count = |number: u64| (number > 0).then_some(number);
            Fields::new()
                .put("reason", "closed_entries")
                .put("count", closed.count())
                .maybe("denied", count(closed.denied))
                .maybe("special", count(closed.special))
                .maybe("mounts", count(closed.mounts))
                .maybe("notText", count(closed.unaddressable))
                .put("named", closed.named.clone())
                .done()
        }
        FolderFault::TooMany { most } => Fields::new().put("reason", "too_many_entries").put("limit", *most).done(),
        FolderFault::Attributes { limit } => {
            Fields::new().put("reason", "too_many_attributes").put("limit", *limit).done()
        }
        FolderFault::Unproven { missing, count } => {
            fields.put("reason", "unproven").put("missing", missing.clone()).put("missingCount", *count).done()
        }
        FolderFault::Grew => fields.put("reason", "changed_meanwhile").done(),
    }
}

//! Words for bad news: which file, what is so, what to do. Written so that a model which sees nothing but
//! these sentences makes the right next call.

use super::matching::{self, Counted};
use super::message::{Words, thing};
use super::ready::{Mend, named, ready};
use super::telling::Telling;
use super::terminal::{as_json, one_line};
use super::{arguments, breakdown, conflicts, content, denied, doc_paths, edits, folders, missing, patches, stale};
use patchwright_core::link::climbs_after_a_name;
use patchwright_core::outcome::{DiskState, Fault};
use patchwright_core::path::{NAME_MAX, NameProblem, PATH_MAX, PathProblem};
use patchwright_core::refusal::{Missing, Refusal, Sort, Why};
use serde_json::json;

/// Words for a refusal, without who changed the file since. Those for line patches are in `trouble`.
pub(super) fn of_refusal(refusal: &Refusal, tell: &Telling<'_>) -> Words {
    let path = &refusal.path.as_deref().map_or_else(|| "the file".to_owned(), one_line);
    match &refusal.why {
        Why::Arguments(faults) => arguments::words(faults, tell),
        Why::Path(problem) => bad_path(path, *problem, tell),
        Why::LinkLeavesRoot => Words::new(
            format!(
                "{path} goes through a link that leads out of the workspace or in a circle; such links are not followed."
            ),
            "Use a path that stays inside the workspace. A link with an absolute target counts as leading out.",
        ),
        Why::LinkTarget { target, relative } => link_target(path, target, relative.as_deref()),
        Why::LinkMoved { to, target, relative } => link_moved(path, to, target, relative.as_deref(), tell),
        Why::Name(problem) => bad_name(path, *problem, tell),
        Why::NotFound(
            missing @ (Missing::Change { .. }
            | Missing::AnyChange { .. }
            | Missing::ChangeNotBatch { .. }
            | Missing::Session { .. }
            | Missing::AnySession { .. }
            | Missing::Undoable
            | Missing::Batch { .. }),
        ) => missing::not_on_record(refusal.path.as_deref(), missing, tell),
        Why::NotFound(missing) => missing::words(path, missing, tell),
        Why::AlreadyExists(sort) => exists(path, *sort, tell),
        Why::VersionOccupied(sort) => Words::new(
            exists(path, *sort, tell).message,
            format!(
                "A version comes back only where nothing stands. Move what is there away with {}, or delete it with {} (it goes to the trash), then make the same call again; to take a change of {path} back in place, use undo.",
                tell.moving(),
                tell.deleting()
            ),
        ),
        Why::Denied(denial) => denied::words(path, denial, tell),
        Why::Hidden { batch: Some(batch), count, .. } => denied::hidden(&batch.to_string(), *count),
        Why::Hidden { id, count, .. } => denied::hidden(id, *count),
        Why::ReadOnly => denied::read_only(),
        Why::NotShown { tool, group } => denied::not_shown(tool, group),
        Why::AmbiguousDoc(paths) => doc_paths::ambiguous(path, paths, tell),
        Why::Stale(stale) => stale::words(path, refusal, stale, tell),
        Why::Unseen(unseen) => stale::unseen(path, unseen, tell),
        Why::Folder(fault) => folders::words(path, fault, tell),
        Why::Conflict(conflict) => conflicts::words(conflict, tell),
        other => of_match(path, other, tell)
            .or_else(|| patches::words(path, other, tell))
            .or_else(|| edits::words(path, other, tell))
            .or_else(|| content::words(path, other, tell))
            .unwrap_or_else(|| of_file(path, other)),
    }
}

/// Exact text that is not there, or there too often.
fn of_match(path: &str, why: &Why, tell: &Telling<'_>) -> Option<Words> {
    Some(match why {
        Why::OldTextNotFound { other_charset: true, edit, .. } => {
            content::other_charset(path, &format!("edits[{edit}].oldText is not in {path}."), tell)
        }
        Why::OldTextNotFound { edit, nearest, already_at, .. } => {
            matching::not_found(path, *edit, nearest.as_deref(), already_at, tell)
        }
        Why::MultipleMatches { edit, expected, count, lines, overlapping, longer } => {
            let found = Counted { edit: *edit, expected: *expected, count: *count, lines, overlapping: *overlapping };
            matching::counted(path, &found, !matching::told_apart(*edit, longer, tell).is_empty())
        }
        Why::OverlappingEdits { edits: (a, b), lines: (at_a, at_b) } => Words::new(
            format!("edits[{a}] (line {at_a}) and edits[{b}] (line {at_b}) touch the same text of {path}."),
            format!("Join edits[{a}] and edits[{b}] into one edit whose oldText covers both places."),
        ),
        _ => return None,
    })
}

/// A link that would lead out of the workspace.
fn link_target(path: &str, target: &str, relative: Option<&str>) -> Words {
    let next = match relative {
        Some(relative) => format!("Set linkTarget to {relative:?}."),
        None => "Set linkTarget to a path that leads from the link's own folder to a place in the workspace, such as \"../lib/a.txt\".".to_owned(),
    };
    let fact = if target.starts_with('/') {
        format!(
            "{path} was not made: its target {target:?} is absolute, and links with absolute targets are not followed."
        )
    } else if climbs_after_a_name(target) {
        format!(
            "{path} was not made: its target {target:?} has \"..\" after a name, and would lead elsewhere if that name became a link."
        )
    } else {
        format!("{path} was not made: its target {target:?} leads out of the workspace, or in a circle.")
    };
    Words::new(fact, next)
}

fn link_moved(path: &str, to: &str, target: &str, relative: Option<&str>, tell: &Telling<'_>) -> Words {
    if path == to {
        return Words::new(
            format!(
                "{to} was not brought back: it is a link to {target:?}, which from there leads out of the workspace."
            ),
            "Restore it without targetPath, to where it was, or make another link in its place.",
        );
    }
    let target_there = relative.unwrap_or("a target in the workspace");
    let (from, to) = (as_json(path), as_json(&one_line(to)));
    Words::new(
        format!(
            "{path} was not moved to {to}: it is a link to {target:?}, which from there leads out of the workspace."
        ),
        match tell.has("create_file") {
            true => format!(
                "Make the link anew instead of moving it: delete_file {from}, then create_file {to} with linkTarget \
                 {target_there:?}. If its folder is to move, move that in between."
            ),
            false => format!("Leave the link where it is, or ask the user to make it anew at {to}."),
        },
    )
}

/// What stands against a file as it is, or against the call as such.
fn of_file(path: &str, why: &Why) -> Words {
    match why {
        Why::Forbidden(said) => Words::new(
            format!("The operating system does not permit this on {path}: {said}."),
            "Ask the user to change the permissions, or do without this file.",
        ),
        Why::SpecialFile => Words::new(
            format!("{path} is neither a file, a folder nor a link (a device, pipe or socket), and is never opened."),
            "Do without it; tools work on regular files only.",
        ),
        Why::TooLarge { size, limit, setting } => Words::new(
            format!("{path} has {size} bytes, and the limit is {limit} ({setting})."),
            format!(
                "Read parts of it with startLine and endLine, such as read_file {{\"path\":{},\"startLine\":1,\"endLine\":200}}, or ask the user to raise {setting} in their own settings file \
                 (~/.config/patchwright/config.toml).",
                as_json(path)
            ),
        ),
        Why::SameFileTwice { other } => {
            Words::new(format!("{path} and {other} are one and the same file."), "Name each file once in a call.")
        }
        Why::MoveOntoItself => Words::new(
            format!("{path} is both where the file is and where it is to go."),
            "Set toPath to another path (in a patch: the path after the arrow). If the file already has the name you want, nothing is left to do.",
        ),
        other => of_call(other),
    }
}

fn of_call(why: &Why) -> Words {
    match why {
        Why::KeyReused { batch } => Words::new(
            format!("This idempotencyKey belongs to an earlier call with other arguments (batch {batch})."),
            "If this is a new call, set idempotencyKey to one that was not used before, then call again. If it is that call made again, list_batches shows what came of it; its arguments, repeated exactly, give its answer again.",
        ),
        Why::Busy { waited_ms, holder } => super::holder::busy(*waited_ms, holder.as_deref()),
        Why::RootMoved { path, now } => super::holder::root_moved(path, *now),
        Why::NoHome(why) => super::home::words(why),
        Why::KeyGone => Words::new(
            "The record of changes of this workspace, or its key, was removed or moved away while it was in use. Nothing was changed.",
            "Tell the user to start again: a new Patchwright process finds the record that there is now, or begins one. Files can still be read.",
        ),
        Why::Timeout => Words::new(
            "A time limit passed. Nothing was changed.",
            "Make the call again, for less at once: a narrower root, pattern or range.",
        ),
        _ => Words::new("The call was withdrawn. Nothing was changed.", "Make the call again if it is still wanted."),
    }
}

fn bad_path(path: &str, problem: PathProblem, tell: &Telling<'_>) -> Words {
    let listed = [("list_directory", "; list_directory shows what is there")];
    let relative = format!("Use a path relative to the workspace root, such as src/main.rs{}.", tell.pick(&listed, ""));
    match problem {
        PathProblem::Empty => Words::new("The path is empty.", relative),
        PathProblem::Outside => Words::new(format!("{path} lies outside the workspace."), relative),
        PathProblem::Nul => {
            Words::new("The path holds a NUL character, which no file name can.", "Leave the NUL character out.")
        }
        PathProblem::TooLong => {
            let start: String = path.chars().take(60).collect();
            Words::new(
                format!("The path {start}… is too long: a name has at most {NAME_MAX} bytes, a path {PATH_MAX}."),
                "Use a shorter name.",
            )
        }
    }
}

fn bad_name(path: &str, problem: NameProblem, tell: &Telling<'_>) -> Words {
    let what = match problem {
        NameProblem::Backslash => {
            return Words::new(
                format!("{path} holds a backslash, which new names may not have."),
                match tell.holding(&["path", "toPath", "targetPath"], path) {
                    Some(name) => format!("Call {}.", tell.again(&[Mend::set(name, path.replace('\\', "/"))])),
                    None => "Separate folders with / instead.".to_owned(),
                },
            );
        }
        NameProblem::Control(ch) => format!("the control character U+{:04X}", u32::from(ch)),
        NameProblem::Bidi(ch) => format!("the text-reordering character U+{:04X}", u32::from(ch)),
        NameProblem::Tag(ch) => format!("the invisible tag character U+{:04X}", u32::from(ch)),
    };
    Words::new(
        format!("The name {} holds {what}, which new names may not have.", as_json(path)),
        "Choose a name without that character.",
    )
}

fn exists(path: &str, sort: Sort, tell: &Telling<'_>) -> Words {
    let elsewhere = if tell.called() == Some("restore_file") { "targetPath" } else { "path" };
    let name = tell.holding(&["path", "toPath", "targetPath"], path).unwrap_or(elsewhere);
    let next = match sort {
        _ if tell.called() == Some("apply_patch") => patches::occupied(path, sort, tell),
        Sort::File => existing_file(path, name, tell),
        Sort::Folder => format!("Set {name} to another path, perhaps a file name inside that folder, then call again."),
        Sort::Link => format!("Set {name} to another path, or delete the link first."),
        Sort::Special => format!("Set {name} to another path."),
    };
    Words::new(format!("{path} already exists; it is {}.", thing(sort)), next)
}

/// Whether the file that is there may be replaced, only the caller knows.
fn existing_file(path: &str, name: &str, tell: &Telling<'_>) -> String {
    let by_anchors = tell.has("edit") && !tell.has("edit_file") && !tell.has("apply_patch");
    let read = match by_anchors {
        true => ready("read_file", &json!({ "path": named(path), "hashes": true })),
        false => ready("read_file", &json!({ "path": named(path) })),
    };
    if tell.called() == Some("create_file") && tell.has("write_file") {
        let write = match tell.instead("write_file") {
            _ if tell.hashes => {
                "then call write_file with the same path and content, and the sha256 that it shows as expectedSha256"
                    .to_owned()
            }
            Some(write) => format!("then call {write}"),
            None => "then use write_file, whose arguments are others".to_owned(),
        };
        return format!("To replace its content: call {read}, {write}. To keep it, set path to another path.");
    }
    if tell.called() == Some("restore_file") {
        return format!("Set {name} to another path, then call again; what stands there stays.");
    }
    if tell.called() == Some("move_file") {
        return "Set toPath to another path, then call again. If what is there may go (to the trash), read it first and add overwrite: true.".to_owned();
    }
    format!(
        "To change that file: call {read}, then use {}. To keep it, set {name} to another path, then call again.",
        tell.changing()
    )
}

/// Words for a fault of the machine, or of ours.
pub(super) fn fault(fault: &Fault, tell: &Telling<'_>) -> Words {
    let Fault { path, doing, said, state, id } = fault;
    if let Some(id) = id {
        return breakdown::words(id, *state, tell);
    }
    let at = path.as_deref().map(|path| format!(" at {path}")).unwrap_or_default();
    match state {
        DiskState::Unchanged => Words::new(
            format!("The operating system failed{at} ({doing}): {said}. Nothing was changed."),
            "Tell the user what the system said; the same call may work once that is put right.",
        ),
        DiskState::Damaged => Words::new(
            "Part of the record of changes is damaged, so it cannot be looked through. Nothing was changed by this call.",
            "Tell the user: `patchwright audit verify` says where it is damaged; `patchwright adopt --fresh` moves it aside and starts a new record, which costs history, never files. Reading still works.",
        ),
        DiskState::InDoubt => Words::new(
            format!(
                "The disk failed{at} ({doing}): {said}. Whether the change was made is not known until recovery has run."
            ),
            "Make no further changes. Ask the user to run `patchwright doctor`, which recovers the workspace; then read the files again.",
        ),
        DiskState::Bug => Words::new(
            format!("Patchwright itself failed{at} ({doing}): {said}. Nothing was changed."),
            "Tell the user; this is a bug in Patchwright. Another way to make the same change may work.",
        ),
    }
}

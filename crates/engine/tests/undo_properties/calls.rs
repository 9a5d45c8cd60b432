//! Calls that are made from numbers, whatever the files are like by then.

use crate::{batch, take_back};
use patchwright_engine::core::intent::{
    ExactEdit, Executable, LineDeed, LineOperation, Occurrences, Onto, Parents, Reach,
};
use patchwright_engine::core::outcome::{Answer, Failed, Reply};
use patchwright_engine::core::tool::{
    ApplyPatch, CreateFile, DeleteFile, Edit, EditFile, Hashes, MoveFile, ReadFile, Recursive, RestoreFile, UndoWhat,
    WriteFile,
};
use patchwright_engine::{Quiet, Session};
use proptest::prelude::*;
use std::path::Path;

/// Numbers from which a call is made, whatever the files are like by then.
pub(crate) type Seed = (u8, u8, u8, u8);

const NAMES: [&str; 8] = ["a", "b", "c", "deep/d", "deep/er/e", "f", "g/k", "g/h/n"];

/// Names of folders, some of which are those of files at other times.
const FOLDERS: [&str; 10] = ["a", "deep", "deep/er", "f", "g", "g/h", "g/h/empty", "void", "void/in", "g/h/m"];

/// Numbers of calls that are about folders more often than not, or about files in them.
pub(crate) fn about_folders() -> impl Strategy<Value = Seed> {
    let kind = prop::sample::select(vec![0, 3, 4, 8, 11, 12, 12, 12, 12, 12]);
    (kind, any::<u8>(), any::<u8>(), any::<u8>())
}

fn texts(pick: u8) -> &'static str {
    ["", "x\n", "x\ny\nz\n", "x\r\ny\r\n", "one\ntwo\nthree\nfour\nfive", "\n\n}\n", "ü\n\u{feff}\n", "y\nx\n"]
        [usize::from(pick) % 8]
}

/// A call that changes what a name is: its bits, a link, a folder in its place or the reverse.
fn sorted(
    workspace: &Session,
    root: &Path,
    ((name, other), kind, more): ((&str, &str), u8, u8),
) -> Result<Reply, Failed> {
    match kind {
        9 => {
            let executable = Some(if more % 2 == 0 { Executable::Yes } else { Executable::No });
            let text = std::fs::read_to_string(root.join(name)).unwrap_or_default();
            workspace.write_file(&WriteFile { executable, ..WriteFile::new(name, text) }, &Quiet)
        }
        10 => {
            let link_target = Some(other.to_owned());
            workspace
                .create_file(&CreateFile { link_target, parents: Parents::Create, ..CreateFile::new(name, "") }, &Quiet)
        }
        _ => {
            let body = match more % 3 {
                0 => format!("*** Delete File: {name}\n*** Add File: {name}/in\n+in\n"),
                1 => format!("*** Move File: {name} -> {name}/in\n"),
                _ => format!("*** Move File: {name}/in -> {name}\n"),
            };
            let patch = format!("*** Begin Patch\n{body}*** End Patch\n");
            workspace.apply_patch(&ApplyPatch { parents: Parents::Create, ..ApplyPatch::new(patch) }, &Quiet)
        }
    }
}

/// A call about a folder with everything in it, or that brings something back from the trash under another name.
fn about_folder(workspace: &Session, (one, two, more): (u8, u8, u8)) -> Result<Reply, Failed> {
    let (name, other) = (FOLDERS[usize::from(one) % FOLDERS.len()], FOLDERS[usize::from(two) % FOLDERS.len()]);
    match more % 4 {
        0 => workspace.delete_file(&DeleteFile { recursive: Recursive::Yes, ..DeleteFile::new(name) }, &Quiet),
        1 | 2 => workspace.move_file(&MoveFile { recursive: Recursive::Yes, ..MoveFile::new(name, other) }, &Quiet),
        _ => {
            let Answer::Trash(entries) = workspace.list_trash().unwrap().answer else { panic!() };
            let id = entries.get(usize::from(one) % entries.len().max(1)).map(|entry| entry.id.clone());
            workspace.restore_file(&RestoreFile::to(id.unwrap_or_default(), other), &Quiet)
        }
    }
}

/// One call out of any dialect; nothing if it is refused.
pub(crate) fn call(workspace: &Session, root: &Path, (kind, one, two, more): Seed) -> Option<String> {
    let (name, other) = (NAMES[usize::from(one) % NAMES.len()], NAMES[usize::from(two) % NAMES.len()]);
    let seen = workspace.read_file(&ReadFile { hashes: Hashes::Yes, ..ReadFile::new(name) }, &Quiet);
    let _ = workspace.read_file(&ReadFile::new(other), &Quiet);
    let lines: Vec<String> =
        std::fs::read_to_string(root.join(name)).unwrap_or_default().lines().map(str::to_owned).collect();
    let line = lines.get(usize::from(two) % lines.len().max(1)).cloned().unwrap_or_default();
    let new = texts(more).lines().next().unwrap_or("new").to_owned();
    let done = match kind % 18 {
        0 => {
            let ask = CreateFile { parents: Parents::Create, ..CreateFile::new(name, texts(more)) };
            workspace.create_file(&ask, &Quiet)
        }
        1 => workspace.write_file(&WriteFile::new(name, texts(more)), &Quiet),
        2 => {
            let edit = ExactEdit { old: line, new: new + "\nand", occurrences: Occurrences::All };
            workspace.edit_file(&EditFile::new(name, vec![edit]), &Quiet)
        }
        3 => workspace.delete_file(&DeleteFile::new(name), &Quiet),
        4 => {
            let onto = if more % 2 == 0 { Onto::Replace } else { Onto::Nothing };
            workspace.move_file(&MoveFile { onto, ..MoveFile::new(name, other) }, &Quiet)
        }
        5 => {
            let patch = format!("*** Begin Patch\n*** Update File: {name}\n@@\n-{line}\n+{new}\n+!\n*** End Patch\n");
            workspace.apply_patch(&ApplyPatch::new(patch), &Quiet)
        }
        6 => {
            let patch = format!(
                "*** Begin Patch\n*** Delete File: {name}\n*** Add File: {other}.{more}\n+new\n*** End Patch\n"
            );
            workspace.apply_patch(&ApplyPatch::new(patch), &Quiet)
        }
        7 => {
            let view = seen.ok()?;
            let Answer::File(file) = view.answer else { return None };
            let anchor = *file.anchors?.first()?;
            let anchor = patchwright_engine::core::anchor::Anchor::parse(&anchor.to_string())?;
            let reach = Reach::Line { anchor, occurrence: None, line: None };
            let deed = [LineDeed::Replace, LineDeed::InsertAfter, LineDeed::InsertBefore, LineDeed::Delete]
                [usize::from(more) % 4];
            let lines = if deed == LineDeed::Delete { Vec::new() } else { vec![format!("anchored {more}")] };
            workspace.edit(&Edit::new(name, vec![LineOperation { deed, reach, lines, was: None }]), &Quiet)
        }
        8 => {
            let Answer::Trash(entries) = workspace.list_trash().ok()?.answer else { return None };
            let id = entries.first()?.id.clone();
            workspace.restore_file(&RestoreFile::new(id), &Quiet)
        }
        9..12 => sorted(workspace, root, ((name, other), kind % 18, more)),
        _ => about_folder(workspace, (one, two, more)),
    };
    done.ok().and_then(|reply| batch(&reply))
}

/// Takes something back that was done before: a batch, which may be an undo itself, one of its changes, a file's part,
/// everything since a batch, or all.
pub(crate) fn some_undo(
    workspace: &Session,
    done: &[String],
    (kind, one, two, more): Seed,
) -> Option<Result<Reply, Failed>> {
    let at = usize::from(two) % done.len().max(1);
    let batch = done.get(at)?.clone();
    let what = match kind % 10 {
        0..4 => UndoWhat::Batch { id: batch, changes: None },
        8.. => UndoWhat::Changes(vec![format!("b{}.{}", at + 1, more % 4 + 1)]),
        4..6 => UndoWhat::Path(NAMES[usize::from(one) % NAMES.len()].to_owned()),
        6 => UndoWhat::Since(batch),
        _ => UndoWhat::Session(workspace.id().to_owned()),
    };
    Some(take_back(workspace, what))
}

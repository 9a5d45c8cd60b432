//! Properties of taking back: any sequence of calls, undone from its end, leaves every byte, mode and name as it
//! was; and one call out of the middle either leaves what the others alone would have left, or is refused.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise and looks at the disk itself"
)]

use patchwright::core::intent::{ExactEdit, Executable, LineDeed, LineOperation, Occurrences, Onto, Parents, Reach};
use patchwright::core::outcome::{Answer, Failed, Reply, Trouble};
use patchwright::core::refusal::Kind;
use patchwright::core::tool::{
    ApplyPatch, CreateFile, DeleteFile, Edit, EditFile, Hashes, MoveFile, ReadFile, RestoreFile, Shared, Undo,
    UndoWhat, WriteFile,
};
use patchwright::{Durability, Options, Quiet, Workspace};
use patchwright_testkit::home;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Every file with its bytes and mode, every folder with its name.
type Tree = BTreeMap<String, (Option<Vec<u8>>, u32)>;

fn tree(root: &Path) -> Tree {
    let mut found = Tree::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            if name == ".patchwright" {
                continue;
            }
            let found_there = path.symlink_metadata().unwrap();
            let mode = found_there.permissions().mode();
            if found_there.is_symlink() {
                let target = std::fs::read_link(&path).unwrap();
                found.insert(name, (Some(target.into_os_string().into_encoded_bytes()), mode));
            } else if path.is_dir() {
                found.insert(name, (None, mode));
                open.push(path);
            } else {
                found.insert(name, (Some(std::fs::read(&path).unwrap()), mode));
            }
        }
    }
    found
}

fn start(files: &[(&str, &str, u32)]) -> (tempfile::TempDir, Workspace) {
    let folder = tempfile::tempdir().unwrap();
    for (path, text, mode) in files {
        let path = folder.path().join(path);
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(*mode)).unwrap();
    }
    let options = Options { durability: Durability::None, home: home::at(), ..Options::default() };
    let workspace = Workspace::open(folder.path(), options).unwrap();
    (folder, workspace)
}

fn batch(reply: &Reply) -> Option<String> {
    match &reply.answer {
        Answer::Patched(patch) => patch.batch.clone(),
        Answer::Changed(change) => change.batch.clone(),
        Answer::Edited(edit) => edit.batch.clone(),
        Answer::Settled(done) => done.batch.clone(),
        other => panic!("{other:?}"),
    }
}

fn undo(workspace: &Workspace, id: &str) -> Result<Reply, Failed> {
    let what = UndoWhat::Batch { id: id.to_owned(), changes: None };
    workspace.undo(&Undo { what, shared: Shared::default() }, &Quiet)
}

/// Numbers from which a call is made, whatever the files are like by then.
type Seed = (u8, u8, u8, u8);

const NAMES: [&str; 6] = ["a", "b", "c", "deep/d", "deep/er/e", "f"];

fn texts(pick: u8) -> &'static str {
    ["", "x\n", "x\ny\nz\n", "x\r\ny\r\n", "one\ntwo\nthree\nfour\nfive", "\n\n}\n", "ü\n\u{feff}\n", "y\nx\n"]
        [usize::from(pick) % 8]
}

/// A call that changes what a name is: its bits, a link, a folder in its place or the reverse.
fn sorted(
    workspace: &Workspace,
    root: &Path,
    ((name, other), kind, more): ((&str, &str), u8, u8),
) -> Result<Reply, Failed> {
    match kind % 12 {
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

/// One call out of any dialect; nothing if it is refused.
fn call(workspace: &Workspace, root: &Path, (kind, one, two, more): Seed) -> Option<String> {
    let (name, other) = (NAMES[usize::from(one) % NAMES.len()], NAMES[usize::from(two) % NAMES.len()]);
    let seen = workspace.read_file(&ReadFile { hashes: Hashes::Yes, ..ReadFile::new(name) }, &Quiet);
    let _ = workspace.read_file(&ReadFile::new(other), &Quiet);
    let lines: Vec<String> =
        std::fs::read_to_string(root.join(name)).unwrap_or_default().lines().map(str::to_owned).collect();
    let line = lines.get(usize::from(two) % lines.len().max(1)).cloned().unwrap_or_default();
    let new = texts(more).lines().next().unwrap_or("new").to_owned();
    let done = match kind % 12 {
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
            let anchor = patchwright::core::anchor::Anchor::parse(&anchor.to_string())?;
            let reach = Reach::Line { anchor, occurrence: None, line: None };
            let deed = [LineDeed::Replace, LineDeed::InsertAfter, LineDeed::InsertBefore, LineDeed::Delete]
                [usize::from(more) % 4];
            let lines = if deed == LineDeed::Delete { Vec::new() } else { vec![format!("anchored {more}")] };
            workspace.edit(&Edit::new(name, vec![LineOperation { deed, reach, lines }]), &Quiet)
        }
        8 => {
            let Answer::Trash(entries) = workspace.list_trash().ok()?.answer else { return None };
            let id = entries.first()?.id.clone();
            workspace.restore_file(&RestoreFile { target_path: None, ..RestoreFile::new(id) }, &Quiet)
        }
        _ => sorted(workspace, root, ((name, other), kind, more)),
    };
    done.ok().and_then(|reply| batch(&reply))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn undone_from_the_end_everything_is_as_it_was(seeds in prop::collection::vec(any::<Seed>(), 1..24)) {
        let (folder, workspace) = start(&[("a", "x\ny\nz\n", 0o644), ("b", "x\r\ny", 0o755), ("c", "", 0o600)]);
        let mut done: Vec<(String, Tree)> = Vec::new();
        for seed in seeds {
            let before = tree(folder.path());
            if let Some(id) = call(&workspace, folder.path(), seed) {
                done.push((id, before));
            }
        }
        let end = tree(folder.path());
        let mut undos = Vec::new();
        for (id, before) in done.iter().rev() {
            let now = tree(folder.path());
            let undone = undo(&workspace, id);
            prop_assert!(undone.is_ok(), "{undone:?}");
            undos.push((batch(&undone.unwrap()).unwrap(), now));
            prop_assert_eq!(&tree(folder.path()), before);
        }
        // And forward again, by undoing the undos.
        for (id, before) in undos.iter().rev() {
            let redone = undo(&workspace, id);
            prop_assert!(redone.is_ok(), "{redone:?}");
            prop_assert_eq!(&tree(folder.path()), before);
        }
        prop_assert_eq!(tree(folder.path()), end);
    }

    #[test]
    fn one_out_of_the_middle_leaves_the_others(
        seeds in prop::collection::vec((0..3_u8, any::<u8>(), 1..4_u8), 2..16),
        middle in any::<prop::sample::Index>(),
    ) {
        let tokens: Vec<String> = (0..8).map(|n| format!("line {n}")).collect();
        let (folder, workspace) = start(&[("a", &(tokens.join("\n") + "\n"), 0o644)]);
        let _ = workspace.read_file(&ReadFile::new("a"), &Quiet);
        let (mut now, mut steps): (Vec<String>, Vec<Step>) = (tokens.clone(), Vec::new());
        for (at, (kind, place, count)) in seeds.iter().enumerate() {
            let Some(anchor) = now.get(usize::from(*place) % now.len().max(1)).cloned() else { continue };
            let fresh: Vec<String> = (0..*count).map(|n| format!("new {at}.{n}")).collect();
            let lines = match kind {
                0 => fresh,
                1 => std::iter::once(anchor.clone()).chain(fresh).collect(),
                _ => Vec::new(),
            };
            if now.len() == 1 && lines.is_empty() {
                continue;
            }
            let new: String = lines.iter().map(|line| format!("{line}\n")).collect();
            let edit = ExactEdit { old: format!("{anchor}\n"), new, occurrences: Occurrences::Exactly(1) };
            let reply = workspace.edit_file(&EditFile::new("a", vec![edit]), &Quiet).unwrap();
            let step = Step { batch: batch(&reply).unwrap(), anchor, lines };
            now = step.on(&now).unwrap();
            steps.push(step);
        }
        prop_assume!(!steps.is_empty());
        let middle = middle.index(steps.len());
        let without = without(&tokens, &steps, middle);
        let before = tree(folder.path());
        match undo(&workspace, &steps[middle].batch) {
            Ok(_) => {
                let lines = std::fs::read_to_string(folder.path().join("a")).unwrap();
                prop_assert_eq!(Some(lines.lines().map(str::to_owned).collect::<Vec<_>>()), without);
            }
            Err(failed) => {
                prop_assert!(matches!(failed.trouble, Trouble::Refused(_)), "{failed:?}");
                prop_assert_eq!(failed.trouble.kind(), Kind::Conflict);
                prop_assert_eq!(tree(folder.path()), before);
                // The newest can always be taken back.
                prop_assert!(middle + 1 < steps.len());
            }
        }
    }
}

/// One token becomes others.
struct Step {
    batch: String,
    anchor: String,
    lines: Vec<String>,
}

/// What the steps but one leave, as edits of lines: what that one brought is there for the others to find, and is
/// not counted. Nothing if they change it or break it up.
fn without(tokens: &[String], steps: &[Step], middle: usize) -> Option<Vec<String>> {
    let mut lines = tokens.to_vec();
    let mut hidden: Vec<String> = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        let stays = step.lines.first() == Some(&step.anchor);
        if at == middle {
            let mut shown = Step { batch: String::new(), anchor: step.anchor.clone(), lines: step.lines.clone() };
            if !stays {
                shown.lines.insert(0, step.anchor.clone());
                hidden.extend(step.lines.iter().cloned());
            } else {
                hidden.extend(step.lines.iter().skip(1).cloned());
            }
            lines = shown.on(&lines)?;
        } else if hidden.contains(&step.anchor) && !stays {
            return None;
        } else {
            lines = step.on(&lines)?;
        }
    }
    let first = lines.iter().position(|line| hidden.contains(line));
    let together = first.is_none_or(|first| lines[first..].iter().take(hidden.len()).eq(hidden.iter()));
    if !together {
        return None;
    }
    lines.retain(|line| !hidden.contains(line));
    Some(lines)
}

impl Step {
    /// What it makes of some lines; nothing if its own is not among them.
    fn on(&self, lines: &[String]) -> Option<Vec<String>> {
        let at = lines.iter().position(|line| *line == self.anchor)?;
        let mut lines = lines.to_vec();
        lines.splice(at..=at, self.lines.iter().cloned());
        Some(lines)
    }
}

//! Properties of taking back: any sequence of calls, undone from its end, leaves every byte, mode and name as it
//! was; one call out of the middle either leaves what the others alone would have left, or is refused; and whatever was
//! done and taken back before, in whatever order, the session as a whole can be taken back.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise and looks at the disk itself"
)]

use patchwright::core::intent::{ExactEdit, Executable, LineDeed, LineOperation, Occurrences, Onto, Parents, Reach};
use patchwright::core::outcome::{Answer, BatchStatus, Failed, Reply, Trouble};
use patchwright::core::refusal::{ConflictReason, Kind, Missing, Why};
use patchwright::core::tool::{
    ApplyPatch, CreateFile, DeleteFile, Edit, EditFile, Hashes, ListBatches, MoveFile, ReadFile, Recursive,
    RestoreFile, Shared, Undo, UndoWhat, WriteFile,
};
use patchwright::{Durability, Options, Proof, Quiet, Workspace};
use patchwright_testkit::{attributes, home};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Every file with its bytes, mode and attribute, every folder with its name.
type Tree = BTreeMap<String, (Option<Vec<u8>>, u32, Option<Vec<u8>>)>;

/// The attribute that the first files have.
const MARK: &str = "user.mark";

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
                found.insert(name, (Some(target.into_os_string().into_encoded_bytes()), mode, None));
            } else if path.is_dir() {
                found.insert(name, (None, mode, None));
                open.push(path);
            } else {
                found.insert(name, (Some(std::fs::read(&path).unwrap()), mode, attributes::get(&path, MARK)));
            }
        }
    }
    found
}

fn start(files: &[(&str, &str, u32)]) -> (tempfile::TempDir, Workspace) {
    let folder = tempfile::tempdir().unwrap();
    for (path, text, mode) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        attributes::set(&path, MARK, text.as_bytes()).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(*mode)).unwrap();
    }
    let options =
        Options { durability: Durability::None, proof: Proof::Unchecked, home: home::at(), ..Options::default() };
    let workspace = Workspace::open(folder.path(), options).unwrap();
    (folder, workspace)
}

/// The same with folders: empty ones, links and a program in them.
fn start_with_folders() -> (tempfile::TempDir, Workspace) {
    let files = [("a", "x\ny\nz\n", 0o644), ("b", "x\r\ny", 0o755), ("c", "", 0o600), ("g/k", "k\n", 0o700)];
    let (folder, workspace) = start(&files);
    for empty in ["g/h/empty", "void"] {
        std::fs::create_dir_all(folder.path().join(empty)).unwrap();
    }
    std::os::unix::fs::symlink("../b", folder.path().join("g/l")).unwrap();
    (folder, workspace)
}

fn batch(reply: &Reply) -> Option<String> {
    let name = match &reply.answer {
        Answer::Patched(patch) => &patch.batch,
        Answer::Changed(change) => &change.batch,
        Answer::Edited(edit) => &edit.batch,
        Answer::Settled(done) => &done.batch,
        other => panic!("{other:?}"),
    };
    name.as_ref().map(|name| name.id.clone())
}

fn undo(workspace: &Workspace, id: &str) -> Result<Reply, Failed> {
    take_back(workspace, UndoWhat::Batch { id: id.to_owned(), changes: None })
}

fn take_back(workspace: &Workspace, what: UndoWhat) -> Result<Reply, Failed> {
    workspace.undo(&Undo { what, shared: Shared::default() }, &Quiet)
}

/// Takes something back that was done before: a batch, which may be an undo itself, one of its changes, a file's part,
/// everything since a batch, or all.
fn some_undo(workspace: &Workspace, done: &[String], (kind, one, two, more): Seed) -> Option<Result<Reply, Failed>> {
    let at = usize::from(two) % done.len().max(1);
    let batch = done.get(at)?.clone();
    let what = match kind % 10 {
        0..4 => UndoWhat::Batch { id: batch, changes: None },
        8.. => UndoWhat::Changes(vec![format!("b{}.{}", at + 1, more % 4 + 1)]),
        4..6 => UndoWhat::Path(NAMES[usize::from(one) % NAMES.len()].to_owned()),
        6 => UndoWhat::Since(batch),
        _ => UndoWhat::Session(workspace.session().to_owned()),
    };
    Some(take_back(workspace, what))
}

/// Is what a refused undo names really in the way? Where lines meet, another property tells.
fn is_real(root: &Path, failed: &Failed) -> bool {
    let Trouble::Refused(refusal) = &failed.trouble else { return false };
    let conflict = match &refusal.why {
        Why::Conflict(conflict) => conflict,
        Why::NotFound(Missing::Undoable | Missing::Session { .. } | Missing::AnyChange { .. }) => return true,
        _ => return false,
    };
    conflict.places.iter().all(|place| {
        let there = root.join(&place.path).symlink_metadata().is_ok();
        match &place.reason {
            ConflictReason::Occupied | ConflictReason::Returned => there,
            // Another file may have the name by now.
            ConflictReason::Gone => !place.by.is_empty(),
            ConflictReason::Moved | ConflictReason::Changed => there && !place.by.is_empty(),
            ConflictReason::Touched => there && place.lines.is_some(),
            ConflictReason::Status(status) => *status == BatchStatus::Undone,
            ConflictReason::Replaced => true,
            _ => false,
        }
    })
}

/// Numbers from which a call is made, whatever the files are like by then.
type Seed = (u8, u8, u8, u8);

const NAMES: [&str; 8] = ["a", "b", "c", "deep/d", "deep/er/e", "f", "g/k", "g/h/n"];

/// Names of folders, some of which are those of files at other times.
const FOLDERS: [&str; 8] = ["a", "deep", "deep/er", "f", "g", "g/h", "g/h/empty", "void"];

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
fn about_folder(workspace: &Workspace, (one, two, more): (u8, u8, u8)) -> Result<Reply, Failed> {
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
fn call(workspace: &Workspace, root: &Path, (kind, one, two, more): Seed) -> Option<String> {
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
            workspace.restore_file(&RestoreFile::new(id), &Quiet)
        }
        9..12 => sorted(workspace, root, ((name, other), kind % 18, more)),
        _ => about_folder(workspace, (one, two, more)),
    };
    done.ok().and_then(|reply| batch(&reply))
}

/// The same ones each time; with `PROPTEST_CASES` as many others.
fn config() -> ProptestConfig {
    match std::env::var("PROPTEST_CASES").ok().and_then(|given| given.parse().ok()) {
        Some(cases) => ProptestConfig::with_cases(cases),
        None => ProptestConfig { rng_seed: RngSeed::Fixed(14), ..ProptestConfig::with_cases(96) },
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn undone_from_the_end_everything_is_as_it_was(seeds in prop::collection::vec(any::<Seed>(), 1..24)) {
        let (folder, workspace) = start_with_folders();
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
    fn a_session_can_always_be_taken_back(seeds in prop::collection::vec((any::<bool>(), any::<Seed>()), 1..32)) {
        let (folder, workspace) = start_with_folders();
        prop_assert_eq!(there_and_back(&folder, &workspace, seeds), Ok(()));
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

/// Does things and takes some of them back, then takes all of them back, and does them again. What went wrong, after
/// what was done.
fn there_and_back(folder: &tempfile::TempDir, workspace: &Workspace, seeds: Vec<(bool, Seed)>) -> Result<(), String> {
    let (first, mut done) = (tree(folder.path()), Vec::new());
    for (forward, seed) in seeds {
        let before = tree(folder.path());
        if forward || done.is_empty() {
            let Some(id) = call(workspace, folder.path(), seed) else { continue };
            done.push(id.clone());
            if seed.3 >= 192 {
                done.extend(back_and_again(folder.path(), workspace, (id, before))?);
            }
            continue;
        }
        match some_undo(workspace, &done, seed) {
            Some(Ok(reply)) => done.extend(batch(&reply)),
            Some(Err(failed)) if !is_real(folder.path(), &failed) => return Err(told(workspace, &failed)),
            Some(Err(failed)) if tree(folder.path()) != before => return Err(told(workspace, &failed)),
            _ => {}
        }
    }
    let last = tree(folder.path());
    let undone = match take_back(workspace, UndoWhat::Session(workspace.session().to_owned())) {
        Ok(reply) => batch(&reply),
        Err(failed) if failed.trouble.kind() != Kind::NotFound => return Err(told(workspace, &failed)),
        Err(_) => None,
    };
    let left = standing(workspace);
    if left != 0 {
        return Err(told(workspace, &left));
    }
    same(folder.path(), workspace, &first)?;
    match undone.map(|id| undo(workspace, &id)) {
        Some(Ok(_)) => same(folder.path(), workspace, &last),
        Some(Err(failed)) => Err(told(workspace, &failed)),
        None => Ok(()),
    }
}

/// What was done last can be taken back and done again at once.
fn back_and_again(root: &Path, workspace: &Workspace, (id, before): (String, Tree)) -> Result<[String; 2], String> {
    let after = tree(root);
    let back = undo(workspace, &id).map_err(|failed| told(workspace, &failed))?;
    same(root, workspace, &before)?;
    let back = batch(&back).unwrap();
    let again = undo(workspace, &back).map_err(|failed| told(workspace, &failed))?;
    same(root, workspace, &after)?;
    Ok([back, batch(&again).unwrap()])
}

/// Is everything as it was then?
fn same(root: &Path, workspace: &Workspace, then: &Tree) -> Result<(), String> {
    let now = tree(root);
    if now == *then {
        return Ok(());
    }
    let only = |one: &Tree, other: &Tree| -> Tree {
        let differs = |(name, found): &(&String, &_)| other.get(*name) != Some(found);
        one.iter().filter(differs).map(|(name, found)| (name.clone(), found.clone())).collect()
    };
    Err(told(workspace, &(("too much", only(&now, then)), ("missing", only(then, &now)))))
}

/// How many changes stand that could be taken back.
fn standing(workspace: &Workspace) -> usize {
    let ask = ListBatches { status: Some(BatchStatus::Applied), limit: Some(1000), ..ListBatches::default() };
    let Answer::Batches(list) = workspace.list_batches(&ask).unwrap().answer else { panic!() };
    list.batches.iter().filter(|batch| batch.undoes.is_empty()).count()
}

/// Everything on record, oldest first, and what came of it.
fn told(workspace: &Workspace, end: &dyn std::fmt::Debug) -> String {
    let ask = ListBatches { limit: Some(1000), ..ListBatches::default() };
    let Answer::Batches(list) = workspace.list_batches(&ask).unwrap().answer else { panic!() };
    let rows = list.batches.iter().rev().map(|batch| {
        let files: Vec<String> = batch
            .files
            .iter()
            .map(|file| format!("{:?} {} {}", file.operation, file.path, file.to.as_deref().unwrap_or_default()))
            .collect();
        format!("{} {:?} {} undoes {:?}: {}\n", batch.name.id, batch.status, batch.tool, batch.undoes, files.join(", "))
    });
    format!("{}{end:?}", rows.collect::<String>())
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

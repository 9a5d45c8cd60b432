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

mod calls;
mod disk;

use calls::{Seed, about_folders, call, some_undo};
use disk::{Tree, start, start_with_folders, tree};
use patchwright_engine::core::batch::BatchStatus;
use patchwright_engine::core::intent::{ExactEdit, Occurrences};
use patchwright_engine::core::outcome::{Answer, Failed, Reply, Trouble};
use patchwright_engine::core::refusal::{ConflictReason, Kind, Missing, Why};
use patchwright_engine::core::tool::{EditFile, ListBatches, ReadFile, Shared, Undo, UndoWhat};
use patchwright_engine::{Quiet, Session};
use patchwright_testkit::home;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::path::Path;

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

fn undo(workspace: &Session, id: &str) -> Result<Reply, Failed> {
    take_back(workspace, UndoWhat::Batch { id: id.to_owned(), changes: None })
}

fn take_back(workspace: &Session, what: UndoWhat) -> Result<Reply, Failed> {
    workspace.undo(&Undo { what, shared: Shared::default() }, &Quiet)
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

    /// What undo refuses for want of a kept file, the doctor has said before; and of what was done last, the reverse.
    #[test]
    fn the_doctor_knows_what_cannot_be_taken_back(
        seeds in prop::collection::vec(any::<Seed>(), 1..24),
        lost in prop::collection::vec(any::<prop::sample::Index>(), 0..4),
    ) {
        let (folder, workspace) = start_with_folders();
        let done: Vec<String> = seeds.into_iter().filter_map(|seed| call(&workspace, folder.path(), seed)).collect();
        lose(folder.path(), &lost);
        let said: Vec<String> = workspace.doctor().unwrap().undo.batches.into_iter().map(|name| name.id).collect();
        for (at, id) in done.iter().rev().enumerate() {
            let undone = undo(&workspace, id);
            // What is taken back before may bring bytes that others want, too.
            if undone.is_err() || at == 0 {
                let agree = undone.is_err() == said.contains(id);
                prop_assert!(agree, "{id}: {}", told(&workspace, &(undone, said)));
            }
            if undone.is_err() {
                break;
            }
        }
    }

    #[test]
    fn folders_come_back_as_they_were(seeds in prop::collection::vec((0..3_u8, about_folders()), 1..24)) {
        let (folder, workspace) = start_with_folders();
        let seeds = seeds.into_iter().map(|(back, (kind, one, two, more))| match back {
            0 => (false, (kind.wrapping_mul(7).wrapping_add(one), one, two, more)),
            _ => (true, (kind, one, two, more)),
        });
        prop_assert_eq!(there_and_back(&folder, &workspace, seeds.collect()), Ok(()));
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
fn there_and_back(folder: &tempfile::TempDir, workspace: &Session, seeds: Vec<(bool, Seed)>) -> Result<(), String> {
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
    let undone = match take_back(workspace, UndoWhat::Session(workspace.id().to_owned())) {
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
        Some(Ok(_)) => same(folder.path(), workspace, &last)?,
        Some(Err(failed)) => return Err(told(workspace, &failed)),
        None => {}
    }
    let doctor = workspace.doctor().unwrap();
    if doctor.keeps_all() { Ok(()) } else { Err(told(workspace, &doctor)) }
}

/// What was done last can be taken back and done again at once.
fn back_and_again(root: &Path, workspace: &Session, (id, before): (String, Tree)) -> Result<[String; 2], String> {
    let after = tree(root);
    let back = undo(workspace, &id).map_err(|failed| told(workspace, &failed))?;
    same(root, workspace, &before)?;
    let back = batch(&back).unwrap();
    let again = undo(workspace, &back).map_err(|failed| told(workspace, &failed))?;
    same(root, workspace, &after)?;
    Ok([back, batch(&again).unwrap()])
}

/// Removes some of what is kept.
fn lose(root: &Path, picks: &[prop::sample::Index]) {
    let Some(record) = home::records(root).pop() else { return };
    for pick in picks {
        let shelves = ["blobs", "trash"].into_iter().filter_map(|shelf| std::fs::read_dir(record.join(shelf)).ok());
        let mut kept: Vec<_> = shelves.flatten().map(|entry| entry.unwrap().path()).collect();
        kept.sort();
        if !kept.is_empty() {
            std::fs::remove_file(pick.get(&kept)).unwrap();
        }
    }
}

/// Is everything as it was then?
fn same(root: &Path, workspace: &Session, then: &Tree) -> Result<(), String> {
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
fn standing(workspace: &Session) -> usize {
    let ask = ListBatches { status: Some(BatchStatus::Applied), limit: Some(1000), ..ListBatches::default() };
    let Answer::Batches(list) = workspace.list_batches(&ask).unwrap().answer else { panic!() };
    list.batches.iter().filter(|batch| batch.undoes.is_empty()).count()
}

/// Everything on record, oldest first, and what came of it.
fn told(workspace: &Session, end: &dyn std::fmt::Debug) -> String {
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

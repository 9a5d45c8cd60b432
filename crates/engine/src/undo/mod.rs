//! Taking changes back: which ones, what has become of their files since, and what is left once they are gone.
//!
//! Promises that a file which is as a batch left it gets its very bytes back, and that beside later changes just
//! the lines of the changes taken back are touched. What cannot be told for certain is a conflict.

mod back;
mod choose;
mod dress;
mod folders;
mod net;
mod returns;
mod world;

use crate::clock::fresh_id;
use crate::flow::{Held, Stumble};
use crate::gather::{Depth, Gather, Links};
use crate::past::Past;
use crate::proof::Proven;
use crate::replay;
use crate::settled::Draft;
use crate::trouble::index as failed_index;
use crate::watch::Watch;
use crate::workspace::Workspace;
use choose::Chosen;
use folders::Folders;
use patchwright_core::outcome::{Failed, Reply};
use patchwright_core::path::RelPath;
use patchwright_core::plan::Seen;
use patchwright_core::refusal::{Conflict, ConflictPlace, ConflictReason, Refusal, Why};
use patchwright_core::tool::{Call, Undo};
use patchwright_store::records::{ChangeRecord, Commit, FileRecord};
use std::collections::{BTreeSet, HashSet};

impl Workspace {
    /// Takes changes back.
    pub fn undo(&self, ask: &Undo, watch: &dyn Watch) -> Result<Reply, Failed> {
        let call = Call::Undo(ask.clone());
        let mut held = self.hold(watch).map_err(Failed::unrecorded)?;
        let done = self.take_back(&mut held, (&call, ask), watch);
        done.map_err(|stumble| self.stumbled(&mut held, &call, stumble))
    }

    fn take_back(&self, held: &mut Held<'_>, (call, ask): (&Call, &Undo), watch: &dyn Watch) -> Result<Reply, Stumble> {
        if let Some(reply) = replay::earlier(self, held, call)? {
            return Ok(reply);
        }
        let past = self.past_of(held)?;
        let (chosen, mut draft, mut gather) = self.draft_undo(&past, ask)?;
        let made = past.folders_made(&chosen)?;
        let batch = chosen.first().map(|batch| batch.id.as_str());
        let gone = Folders::of(&chosen).draft(&mut gather, &mut draft, (batch, made))?;
        dress::as_before(&chosen, &mut draft);
        draft.arrange(&gather)?;
        let commit = Commit { gone, ..self.undo_commit(call, &chosen, draft.records(&gather)) };
        self.settle(held, (call, watch), (draft, gather), commit)
    }

    /// What is taken back, and what that comes to.
    fn draft_undo<'a>(&'a self, past: &Past<'_>, ask: &Undo) -> Result<(Vec<Chosen>, Draft, Gather<'a>), Stumble> {
        let chosen = past.choose(&ask.what)?;
        self.permit_files(chosen.iter().flat_map(Chosen::files))?;
        let mut gather = Gather::new(&self.disk, &self.policy, self.limits);
        let mut world = past.world(&chosen)?;
        world.meet_the_disk(past, &mut gather)?;
        for one in &chosen {
            world.take_back(past, one)?;
        }
        world.open_trash(past)?;
        gather.leaving.add_folders(past.folders_made(&chosen)?);
        let mut draft = world.net(&mut gather)?;
        for folder in folders_cleared(&chosen) {
            again(&mut gather, &mut draft, &folder)?;
        }
        Ok((chosen, draft, gather))
    }

    fn undo_commit(&self, call: &Call, chosen: &[Chosen], mut files: Vec<FileRecord>) -> Commit {
        // What cancels out leaves no trace in any file, and is taken back all the same.
        let told: HashSet<String> =
            files.iter().flat_map(|file| &file.changes).flat_map(|change| change.undoes.clone()).collect();
        let untold = chosen.iter().flat_map(|batch| &batch.changes).filter(|id| !told.contains(*id)).cloned();
        files.extend(idle(chosen, untold.collect()));
        Commit {
            batch: fresh_id(),
            caller: self.caller(call.tool().name, Proven::Seen),
            files,
            verified: true,
            key: replay::key(call),
            undoes: batches(chosen),
            ..Commit::default()
        }
    }
}

/// The batches that are taken back, each once.
fn batches(chosen: &[Chosen]) -> Vec<String> {
    let mut known = HashSet::new();
    chosen.iter().map(|batch| batch.id.clone()).filter(|id| known.insert(id.clone())).collect()
}

impl Past<'_> {
    /// Folders that were made for what now goes, when it was done or done again: they go too, if nothing else is in
    /// them. The deepest first.
    fn folders_made(&self, chosen: &[Chosen]) -> Result<Vec<RelPath>, Stumble> {
        let mut made: BTreeSet<RelPath> = BTreeSet::new();
        for batch in chosen {
            made.extend(batch.commits.iter().flat_map(|(_, commit)| commit.folders.iter().cloned()));
            for again in self.index.undone_or_again(&batch.id).map_err(failed_index)? {
                made.extend(self.commit_at(again.place)?.map(|commit| commit.folders).unwrap_or_default());
            }
        }
        let mut made: Vec<RelPath> = made.into_iter().collect();
        made.sort_by_key(|folder| std::cmp::Reverse(folder.segments().count()));
        Ok(made)
    }
}

/// Folders that an undo had removed, and that come back when it is undone, parents first.
fn folders_cleared(chosen: &[Chosen]) -> Vec<RelPath> {
    let commits = chosen.iter().flat_map(|batch| &batch.commits).filter(|(_, commit)| !commit.undoes.is_empty());
    commits.flat_map(|(_, commit)| commit.gone.iter().rev().cloned()).collect()
}

/// Makes a folder again, unless something stands in its place.
fn again(gather: &mut Gather<'_>, draft: &mut Draft, folder: &RelPath) -> Result<(), Stumble> {
    gather.see_at(folder, Links::Keep, Depth::Hash)?;
    let (real, missing) = match gather.snapshot.seen(folder) {
        Seen::Absent { real, missing } => (real, missing),
        Seen::File(_) | Seen::Link { .. } if draft.vacates(folder) => (folder.clone(), Vec::new()),
        _ => return Ok(()),
    };
    if draft.brings(&real) {
        return Ok(());
    }
    missing.into_iter().chain([real]).for_each(|folder| draft.need(folder));
    Ok(())
}

/// Where nothing is left to do, the undo is on record all the same: else what it took back would stand for ever. Such a
/// record is apart from those of files that do change: it says nothing about when a file became what it is.
fn idle(chosen: &[Chosen], undoes: Vec<String>) -> Option<FileRecord> {
    let file = chosen.iter().flat_map(Chosen::files).next().filter(|_| !undoes.is_empty())?;
    let change = ChangeRecord { id: fresh_id(), before: (1, 0), after: (1, 0), undoes, ..ChangeRecord::default() };
    Some(FileRecord {
        id: fresh_id(),
        operation: "update".to_owned(),
        to: None,
        before: None,
        after: None,
        size: 0,
        before_size: 0,
        keep: None,
        trash: None,
        diff: String::new(),
        diff_cut: false,
        changes: vec![change],
        delta: None,
        ..file.clone()
    })
}

fn conflict(batch: Option<&str>, places: Vec<ConflictPlace>) -> Stumble {
    let path = places.first().map(|place| place.path.clone()).filter(|path| !path.is_empty());
    let why = Why::Conflict(Box::new(Conflict { batch: batch.map(str::to_owned), places }));
    Refusal { path, why, since: None }.into()
}

/// A conflict about a file as a whole.
pub(crate) fn about(path: &RelPath, change: Option<&str>, reason: ConflictReason) -> ConflictPlace {
    ConflictPlace {
        path: path.to_string(),
        change: change.map(str::to_owned),
        reason,
        lines: None,
        expected: Vec::new(),
        actual: Vec::new(),
        by: Vec::new(),
    }
}

//! Taking changes back: which ones, what has become of their files since, and what is left once they are gone.
//!
//! Promises that a file which is as a batch left it gets its very bytes back, and that beside later changes just
//! the lines of the changes taken back are touched. What cannot be told for certain is a conflict.

mod back;
mod choose;
mod folders;
mod net;
mod world;

use crate::clock::fresh_id;
use crate::flow::{Held, Stumble};
use crate::gather::Gather;
use crate::past::Past;
use crate::proof::Proven;
use crate::replay;
use crate::settled::Draft;
use crate::watch::Watch;
use crate::workspace::Workspace;
use choose::Chosen;
use folders::Folders;
use patchwright_core::outcome::{Failed, Reply};
use patchwright_core::path::RelPath;
use patchwright_core::refusal::{Conflict, ConflictPlace, ConflictReason, Refusal, Why};
use patchwright_core::tool::{Call, Undo};
use patchwright_store::records::{Commit, FileRecord};
use std::collections::HashSet;

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
        let (chosen, mut draft, mut gather) = self.draft_undo(&self.past_of(held)?, ask)?;
        let batch = chosen.first().map(|batch| batch.id.as_str());
        let gone = Folders::of(&chosen).draft(&mut gather, &mut draft, (batch, folders_made(&chosen)))?;
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
        let draft = world.net(&mut gather)?;
        Ok((chosen, draft, gather))
    }

    fn undo_commit(&self, call: &Call, chosen: &[Chosen], mut files: Vec<FileRecord>) -> Commit {
        // What cancels out leaves no trace in any file, and is taken back all the same.
        let told: HashSet<String> =
            files.iter().flat_map(|file| &file.changes).flat_map(|change| change.undoes.clone()).collect();
        let untold = chosen.iter().flat_map(|batch| &batch.changes).filter(|id| !told.contains(*id)).cloned();
        if let Some(first) = files.iter_mut().find_map(|file| file.changes.first_mut()) {
            first.undoes.extend(untold);
        }
        Commit {
            batch: fresh_id(),
            caller: self.caller(call.tool().name, Proven::Seen),
            files,
            verified: true,
            key: replay::key(call),
            undoes: chosen.iter().map(|batch| batch.id.clone()).collect(),
            ..Commit::default()
        }
    }
}

/// Folders that were made for what now goes: they go too, if nothing else is in them.
fn folders_made(chosen: &[Chosen]) -> Vec<RelPath> {
    let commits = chosen.iter().flat_map(|batch| &batch.commits);
    commits.flat_map(|(_, commit)| commit.folders.iter().rev().cloned()).collect()
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

//! Taking changes back: which ones, what has become of their files since, and what is left once they are gone.
//!
//! Promises that a file which is as a batch left it gets its very bytes back, and that beside later changes just
//! the lines of the changes taken back are touched. What cannot be told for certain is a conflict.

mod after;
mod back;
mod choose;
mod deeds;
mod events;
mod folders;
mod lives;
mod net;
mod newest;
mod places;
mod remains;
mod returns;
mod world;

use crate::clock::fresh_id;
use crate::flow::Stumble;
use crate::gather::Gather;
use crate::past::Past;
use crate::proof::Proven;
use crate::replay;
use crate::session::Session;
use crate::settled::Draft;
use crate::turn::Turn;
use crate::watch::Watch;
use choose::Chosen;
use folders::Folders;
use patchwright_core::outcome::{Failed, Reply};
use patchwright_core::path::RelPath;
use patchwright_core::refusal::{Conflict, ConflictPlace, ConflictReason, LineBy, Refusal, Why};
use patchwright_core::tool::{Call, Undo};
use patchwright_store::records::{ChangeRecord, Commit, FileRecord};
use std::collections::HashSet;

impl Session {
    /// Takes changes back.
    pub fn undo(&self, ask: &Undo, watch: &dyn Watch) -> Result<Reply, Failed> {
        let call = Call::Undo(ask.clone());
        let mut held = self.take_turn(watch).map_err(Failed::unrecorded)?;
        let done = self.take_back(&mut held, (&call, ask), watch);
        done.map_err(|stumble| self.stumbled(&mut held, &call, stumble))
    }

    fn take_back(&self, held: &mut Turn<'_>, (call, ask): (&Call, &Undo), watch: &dyn Watch) -> Result<Reply, Stumble> {
        if let Some(reply) = replay::earlier(self, held, call)? {
            return Ok(reply);
        }
        let past = self.past_of(held)?;
        let chosen = past.choose(&ask.what)?;
        self.permit_files(chosen.iter().flat_map(Chosen::files))?;
        let mut gather = Gather::new(&self.workspace).watched(watch);
        let (draft, gone) = past.draft_undo(&chosen, &mut gather)?;
        let commit = Commit { gone, ..self.undo_commit(call, &chosen, draft.records(&gather)) };
        self.settle(held, (call, watch), (draft, gather), commit)
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
    /// What taking changes back comes to, and which folders go if they are empty then.
    fn draft_undo(&self, chosen: &[Chosen], gather: &mut Gather<'_>) -> Result<(Draft, Vec<RelPath>), Stumble> {
        let mut world = self.world(chosen)?;
        world.meet_the_disk(self, gather)?;
        for one in chosen {
            world.take_back(self, one)?;
        }
        world.open_trash(self)?;
        gather.leaving.add(world.leaves());
        let folders = Folders::of(self, chosen, gather)?;
        gather.leaving.add_folders(folders.going());
        let mut draft = Draft::default();
        folders.make(gather, &mut draft, (world.batch.as_deref(), &world.takes()))?;
        world.net(gather, &mut draft)?;
        let gone = folders.finish(self, gather, &mut draft)?;
        draft.arrange(gather)?;
        Ok((draft, gone))
    }
}

/// Where nothing is left to do, the undo is on record all the same: else what it took back would stand for ever. Such a
/// record is apart from those of files that do change: it says nothing about when a file became what it is.
fn idle(chosen: &[Chosen], undoes: Vec<String>) -> Option<FileRecord> {
    let commits = chosen.iter().flat_map(|batch| &batch.commits).filter(|_| !undoes.is_empty());
    let file = commits.flat_map(|(_, commit)| &commit.files).next()?;
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
        folder: None,
        ..file.clone()
    })
}

fn conflict(batch: Option<&str>, places: Vec<ConflictPlace>) -> Stumble {
    let path = places.first().map(|place| place.path.clone()).filter(|path| !path.is_empty());
    let why = Why::Conflict(Box::new(Conflict { batch: batch.map(|id| id.to_owned().into()), places }));
    Refusal { path, why, since: None }.into()
}

/// A conflict about a file as a whole.
pub(crate) fn about(path: &RelPath, change: Option<&str>, reason: ConflictReason) -> ConflictPlace {
    ConflictPlace {
        path: path.to_string(),
        change: change.map(|id| id.to_owned().into()),
        reason,
        lines: None,
        expected: Vec::new(),
        actual: Vec::new(),
        by: Vec::new(),
        line_by: LineBy::Unknown,
        line: None,
    }
}

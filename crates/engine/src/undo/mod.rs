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
use crate::gather::Gather;
use crate::past::Past;
use crate::proof::Proven;
use crate::refused::Stumble;
use crate::replay;
use crate::session::Session;
use crate::settled::Draft;
use crate::transaction::Transaction;
use crate::watch::Watch;
use choose::Chosen;
use folders::Folders;
use patchwright_core::outcome::{Failed, Operation, Reply};
use patchwright_core::path::RelPath;
use patchwright_core::tool::{Call, Undo};
use patchwright_store::records::{ChangeRecord, Commit, FileRecord};
use std::collections::HashSet;

impl Session {
    /// Takes changes back.
    pub fn undo(&self, ask: &Undo, watch: &dyn Watch) -> Result<Reply, Failed> {
        let call = Call::Undo(ask.clone());
        Transaction::begin(self, &call, watch)?.run(|transaction| transaction.take_back(ask))
    }
}

impl Transaction<'_> {
    fn take_back(&mut self, ask: &Undo) -> Result<Reply, Stumble> {
        let mut gather = self.gather();
        let past = self.session.past_of(&mut self.turn)?;
        let chosen = past.choose(&ask.what)?;
        self.session.permit_files(chosen.iter().flat_map(Chosen::files))?;
        let (draft, gone) = past.draft_undo(&chosen, &mut gather)?;
        drop(past);
        let commit = Commit { gone, ..self.undo_commit(&chosen, draft.records(&gather)) };
        self.settle(draft, gather, commit)
    }

    fn undo_commit(&self, chosen: &[Chosen], mut files: Vec<FileRecord>) -> Commit {
        // What cancels out leaves no trace in any file, and is taken back all the same.
        let told: HashSet<String> =
            files.iter().flat_map(|file| &file.changes).flat_map(|change| change.undoes.clone()).collect();
        let untold = chosen.iter().flat_map(|batch| &batch.changes).filter(|id| !told.contains(*id)).cloned();
        files.extend(idle(chosen, untold.collect()));
        Commit {
            batch: fresh_id(),
            caller: self.caller(Proven::Seen),
            files,
            verified: true,
            key: replay::key(self.call),
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
        folders.make(gather, &mut draft, world.batch.as_deref(), &world.takes())?;
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
        operation: Operation::Update.name().to_owned(),
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

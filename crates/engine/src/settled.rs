//! Plans that come from the record: a proposal that is carried out, changes that are taken back. How they go
//! on record, and what is answered.

use crate::flow::Stumble;
use crate::gather::Gather;
use crate::names;
use crate::prepare::{Prepared, Wish, file_records};
use crate::remember::Wrote;
use crate::session::Session;
use crate::stories::file_view;
use crate::tree;
use crate::turn::Turn;
use crate::watch::Watch;
use patchwright_core::batch::BatchStatus;
use patchwright_core::digest::Digest;
use patchwright_core::outcome::{Answer, Concurrency, Extent, Replayed, Reply, Settled};
use patchwright_core::path::RelPath;
use patchwright_core::plan::{Act, Plan, Step, arrange};
use patchwright_core::refusal::{Refusal, Why};
use patchwright_core::tool::{Call, Run};
use patchwright_store::records::{Commit, End, FileRecord, Note, Record};
use std::collections::HashSet;

/// A plan that comes from the record.
#[derive(Default)]
pub(crate) struct Draft {
    pub(crate) plan: Plan,
    /// What each step is about, in the same order.
    wishes: Vec<Wish>,
    /// Trash entries that are used up.
    pub(crate) consumed: Vec<String>,
    /// Folders that come, go or move with their files: what goes on record after those.
    pub(crate) trees: Vec<FileRecord>,
    /// The folders that are made.
    made: HashSet<RelPath>,
}

impl Draft {
    /// Adds a step. `given` is the name under which the file was looked at.
    pub(crate) fn push(&mut self, given: &RelPath, step: Step) {
        let to = match &step.act {
            Act::Rename { to, .. } => Some(to.clone()),
            _ => None,
        };
        self.wishes.push(Wish { to, ..Wish::new("update", given.clone()) });
        self.plan.steps.push(Step { wish: self.wishes.len() - 1, ..step });
    }

    /// Puts the steps in their order, once all are there.
    pub(crate) fn arrange(&mut self, gather: &Gather<'_>) -> Result<(), Refusal> {
        arrange(&mut self.plan, gather.snapshot.emptied())
    }

    /// Has a folder made, once.
    pub(crate) fn need(&mut self, folder: RelPath) {
        if self.made.insert(folder.clone()) {
            self.plan.folders.push(folder);
        }
    }

    /// Is this folder made?
    pub(crate) fn makes(&self, folder: &RelPath) -> bool {
        self.made.contains(folder)
    }

    /// How the steps go on record.
    pub(crate) fn records(&self, gather: &Gather<'_>) -> Vec<FileRecord> {
        let mut files = file_records(&Prepared::of(Vec::new(), self.wishes.clone()), &self.plan, &gather.snapshot);
        tree::cut_diffs(&mut files, &self.trees);
        files.extend(self.trees.iter().cloned());
        files
    }
}

impl Session {
    /// Carries a draft out, or shows what would come of it.
    pub(crate) fn settle(
        &self,
        held: &mut Turn<'_>,
        (call, watch): (&Call, &dyn Watch),
        (draft, gather): (Draft, Gather<'_>),
        mut commit: Commit,
    ) -> Result<Reply, Stumble> {
        if watch.cancelled() {
            return Err(Refusal::plain(Why::Cancelled).into());
        }
        self.check_links(held, &draft.plan, &gather.snapshot)?;
        let dry = call.shared().is_some_and(|shared| shared.run == Run::Dry);
        commit.warnings.extend(draft.plan.warnings.iter().cloned());
        commit.folders.clone_from(&draft.plan.folders);
        commit.gone.splice(..0, draft.plan.gone.iter().cloned());
        let known: HashSet<RelPath> = commit.gone.iter().cloned().collect();
        commit.gone.extend(draft.plan.emptied.iter().filter(|folder| !known.contains(folder)).cloned());
        commit.also_consumed.clone_from(&draft.consumed);
        if dry || (commit.files.is_empty() && draft.plan.is_empty() && draft.trees.is_empty()) {
            let extent = if dry { Extent::Dry } else { Extent::Unchanged };
            let head = self.append(held, &Record::Note(note(&commit, extent, call)))?;
            return Ok(settled(&commit, extent, head));
        }
        let receipt = self.publish(held, (&draft.plan, &Wrote::Earlier), commit, gather.folders)?;
        let reply = settled(&receipt.commit, Extent::Done, receipt.head);
        crate::trash::retire_sometimes(self, held);
        Ok(reply)
    }
}

impl From<Refusal> for Stumble {
    fn from(refusal: Refusal) -> Stumble {
        Stumble::from(patchwright_core::outcome::Trouble::from(refusal))
    }
}

fn note(commit: &Commit, extent: Extent, call: &Call) -> Note {
    Note {
        caller: commit.caller.clone(),
        end: if extent == Extent::Dry { End::DryRun } else { End::Unchanged },
        operation: crate::flow::operation_of(call.tool().name).to_owned(),
        files: commit.files.iter().map(crate::flow::touched).collect(),
        diff: commit.files.iter().map(|file| file.diff.as_str()).collect(),
        asked: crate::asked::of_commit(commit),
    }
}

/// The answer to an undo or to a proposal that was carried out.
pub(crate) fn settled(commit: &Commit, extent: Extent, head: Digest) -> Reply {
    let is_undo = commit.proposed.is_none();
    let changes = commit.files.iter().flat_map(|file| &file.changes);
    let status = match (extent, is_undo) {
        (Extent::Done, _) | (_, true) => BatchStatus::Applied,
        _ => BatchStatus::Proposed,
    };
    let answer = Settled {
        batch: (extent == Extent::Done || !is_undo).then(|| names::of_commit(commit)),
        status,
        undone: names::by_id(&commit.undoes),
        changes: match is_undo {
            true => changes.flat_map(|change| names::by_id(&change.undoes)).collect(),
            false => changes.map(|change| change.id.clone().into()).collect(),
        },
        dropped: commit.proposed.as_ref().map(|proposed| names::by_id(&proposed.dropped)).unwrap_or_default(),
        rebased: commit.proposed.as_ref().is_some_and(|proposed| proposed.rebased),
        files: tree::told(&commit.files)
            .filter(|file| !file.is_idle())
            .map(|file| file_view(file, &|_| status))
            .collect(),
        extent,
        concurrency: if commit.verified { Concurrency::Verified } else { Concurrency::Checked },
    };
    let warnings = commit.warnings.clone();
    Reply { answer: Answer::Settled(Box::new(answer)), warnings, audit_head: Some(head), replayed: Replayed::No }
}

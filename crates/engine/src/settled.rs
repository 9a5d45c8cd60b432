//! Plans that come from the record: a proposal that is carried out, changes that are taken back. How they go
//! on record, and what is answered.

use crate::answers::Recorded;
use crate::answers::settled::settled;
use crate::gather::Gather;
use crate::operation::Purpose;
use crate::prepare::{Prepared, Wish, file_records};
use crate::recorded::cut_diffs;
use crate::refused::Stumble;
use crate::remember::Wrote;
use crate::transaction::{Publishing, Transaction};
use patchwright_core::outcome::{Extent, Operation, Reply};
use patchwright_core::path::RelPath;
use patchwright_core::plan::{Act, Plan, Step, arrange};
use patchwright_core::refusal::{Refusal, Why};
use patchwright_core::tool::Run;
use patchwright_store::records::{Commit, FileRecord};
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
        self.wishes.push(Wish { to, ..Wish::new(Operation::Update, given.clone()) });
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

    /// Puts down on a commit what is in the plan besides files.
    fn put_on(&self, commit: &mut Commit) {
        commit.warnings.extend(self.plan.warnings.iter().cloned());
        commit.folders.clone_from(&self.plan.folders);
        commit.gone.splice(..0, self.plan.gone.iter().cloned());
        let known: HashSet<RelPath> = commit.gone.iter().cloned().collect();
        commit.gone.extend(self.plan.emptied.iter().filter(|folder| !known.contains(folder)).cloned());
        commit.also_consumed.clone_from(&self.consumed);
    }

    /// How the steps go on record.
    pub(crate) fn records(&self, gather: &Gather<'_>) -> Vec<FileRecord> {
        let mut files = file_records(&Prepared::of(Vec::new(), self.wishes.clone()), &self.plan, &gather.snapshot);
        cut_diffs(&mut files, &self.trees);
        files.extend(self.trees.iter().cloned());
        files
    }
}

impl Transaction<'_> {
    /// Carries a draft out, or shows what would come of it.
    pub(crate) fn settle(&mut self, draft: Draft, gather: Gather<'_>, mut commit: Commit) -> Result<Reply, Stumble> {
        if self.watch.cancelled() {
            return Err(Refusal::plain(Why::Cancelled).into());
        }
        self.session.check_links(&mut self.turn, &draft.plan, &gather.snapshot)?;
        draft.put_on(&mut commit);
        self.check_planned(&draft.plan, &commit.gone, &gather.snapshot)?;
        let extent = match self.run_mode() {
            Run::Dry => Extent::Dry,
            _ if commit.files.is_empty() && draft.plan.is_empty() && draft.trees.is_empty() => Extent::Unchanged,
            Run::Apply | Run::Propose => Extent::Done,
        };
        if extent != Extent::Done {
            let head = self.note_commit(&commit, Purpose::of_tool(self.call.tool().name), extent)?;
            return Ok(settled(Recorded { commit: &commit, head, extent }));
        }
        let publishing = Publishing { plan: &draft.plan, wrote: Wrote::Earlier, commit, folders: gather.folders };
        let receipt = self.publish(publishing)?;
        Ok(settled(Recorded { commit: &receipt.commit, head: receipt.head, extent }))
    }
}

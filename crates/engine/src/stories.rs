//! Batches as the log tells them: every commit of a batch, or the proposal, or the purge.

use crate::names::by_id;
use crate::past::Past;
use crate::permits::may_read;
use crate::recorded::{author, batch_path, told};
use crate::trouble::index;
use patchwright_core::batch::BatchName;
use patchwright_core::outcome::{BatchSummary, Trouble};
use patchwright_store::index::BatchRow;
use patchwright_store::log::{Entry, Walk};
use patchwright_store::records::{Caller, ChangeRecord, Commit, FileRecord, Purge, Record};
use std::collections::HashSet;

/// A batch with its records.
pub(crate) struct Story {
    pub(crate) row: BatchRow,
    /// What was done, oldest first, each with its number; of a proposal, what would be done.
    pub(crate) commits: Vec<(u64, Commit)>,
    /// The purge, if it is one.
    pub(crate) purge: Option<Purge>,
    /// Files of an applied proposal with the changes that were left out of it.
    pub(crate) dropped: Vec<FileRecord>,
    /// How many of its files are left out because they may not be read.
    pub(crate) hidden: usize,
}

impl Story {
    /// The files of the batch.
    pub(crate) fn files(&self) -> impl Iterator<Item = &FileRecord> {
        self.commits.iter().flat_map(|(_, commit)| &commit.files).filter(|file| !file.is_idle())
    }

    /// The changes of those files.
    fn changes(&self) -> impl Iterator<Item = &ChangeRecord> {
        self.files().flat_map(|file| &file.changes)
    }

    /// What a list tells of it, beside the undo batches that took it back.
    pub(crate) fn summary(&self, undone_by: Vec<BatchName>) -> BatchSummary {
        let last = self.commits.last().map(|(_, commit)| commit);
        let caller = match (last, &self.purge) {
            (Some(commit), _) => commit.proposed.as_ref().map_or(&commit.caller, |proposed| &proposed.by).clone(),
            (None, Some(purge)) => purge.caller.clone(),
            (None, None) => Caller::default(),
        };
        BatchSummary {
            name: BatchName::new(self.row.id.as_str(), self.row.number),
            key: last.and_then(|commit| commit.batch_key.clone()),
            label: last.and_then(|commit| commit.label.clone()),
            tool: caller.tool.clone(),
            author: author(&caller),
            status: self.row.status,
            files: self.commits.iter().flat_map(|(_, commit)| told(&commit.files)).map(batch_path).collect(),
            changes: self.changes().count(),
            added: self.changes().map(|change| change.after.1).sum(),
            removed: self.changes().map(|change| change.before.1).sum(),
            undoes: last.map(|commit| by_id(&commit.undoes)).unwrap_or_default(),
            applied: last.filter(|commit| commit.proposed.is_some()).map(|commit| author(&commit.caller)),
            undone_by,
        }
    }
}

impl Past<'_> {
    /// The records of a batch.
    pub(crate) fn story(&self, row: BatchRow) -> Result<Option<Story>, Trouble> {
        let Some(entry) = self.entry(row.place)? else { return Ok(None) };
        let sequence = entry.sequence;
        let (commits, purge) = match entry.record {
            Record::Commit(commit) => (self.whole(sequence, commit)?, None),
            Record::Proposal(proposal) => (vec![(sequence, proposal.commit)], None),
            Record::Purge(purge) => (Vec::new(), Some(purge)),
            _ => return Ok(None),
        };
        let mut dropped = self.dropped(&row, &commits)?;
        let mut commits = commits;
        // Files that may not be read are left out, as listings do.
        let before: usize = commits.iter().map(|(_, commit)| commit.files.len()).sum();
        commits.iter_mut().for_each(|(_, commit)| commit.files.retain(|file| self.may_read(file)));
        dropped.retain(|file| self.may_read(file));
        let after: usize = commits.iter().map(|(_, commit)| commit.files.len()).sum();
        Ok(Some(Story { row, commits, purge, dropped, hidden: before - after }))
    }

    /// May somebody read the file, under either of its names?
    pub(crate) fn may_read(&self, file: &FileRecord) -> bool {
        may_read(&self.session().workspace.policy, file)
    }

    /// What was left out of a proposal when it was applied.
    fn dropped(&self, row: &BatchRow, commits: &[(u64, Commit)]) -> Result<Vec<FileRecord>, Trouble> {
        let ids = commits.iter().filter_map(|(_, commit)| commit.proposed.as_ref()).flat_map(|from| &from.dropped);
        let ids: HashSet<&str> = ids.map(String::as_str).collect();
        let Some(place) = row.proposal.filter(|_| !ids.is_empty()) else { return Ok(Vec::new()) };
        let Some(Record::Proposal(proposal)) = self.entry(place)?.map(|entry| entry.record) else {
            return Ok(Vec::new());
        };
        let mut files = proposal.commit.files;
        files.retain(|file| file.changes.iter().any(|change| ids.contains(change.id.as_str())));
        Ok(files)
    }

    /// All commits of a batch of which one is given; mostly that one alone.
    pub(crate) fn whole(&self, sequence: u64, any: Commit) -> Result<Vec<(u64, Commit)>, Trouble> {
        let Some(since) = any.patch.as_ref().and_then(|patch| patch.since) else { return Ok(vec![(sequence, any)]) };
        let place = self.index.batch(&any.batch).map_err(index)?.unwrap_or(since);
        let mut commits = Vec::new();
        self.entries(since, &mut |entry: Entry| {
            let (at, sequence) = (entry.offset, entry.sequence);
            match entry.record {
                Record::Commit(commit) if commit.batch == any.batch => commits.push((sequence, commit)),
                _ => {}
            }
            if at < place { Walk::On } else { Walk::Stop }
        })?;
        Ok(commits)
    }
}

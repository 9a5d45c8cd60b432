//! Batches as the log tells them: every commit of a batch, or the proposal, or the purge.

use crate::names::by_id;
use crate::past::Past;
use crate::permits::may_read;
use crate::trouble::index;
use patchwright_core::batch::{Author, BatchName, BatchStatus};
use patchwright_core::history::{Piece, Restored, Span};
use patchwright_core::intent::ChangeMarks;
use patchwright_core::outcome::{BatchPath, BatchSummary, ChangeLines, ChangeView, FilePatchView, Trouble};
use patchwright_core::path::RelPath;
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
            files: self
                .commits
                .iter()
                .flat_map(|(_, commit)| crate::tree::told(&commit.files))
                .map(batch_path)
                .collect(),
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
            Record::Commit(commit) => (self.whole((sequence, commit))?, None),
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
        may_read(&self.workspace().policy, file)
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
    pub(crate) fn whole(&self, any: (u64, Commit)) -> Result<Vec<(u64, Commit)>, Trouble> {
        let Some(since) = any.1.patch.as_ref().and_then(|patch| patch.since) else { return Ok(vec![any]) };
        let place = self.index.batch(&any.1.batch).map_err(index)?.unwrap_or(since);
        let mut commits = Vec::new();
        self.entries(since, &mut |entry: Entry| {
            let (at, sequence) = (entry.offset, entry.sequence);
            match entry.record {
                Record::Commit(commit) if commit.batch == any.1.batch => commits.push((sequence, commit)),
                _ => {}
            }
            if at < place { Walk::On } else { Walk::Stop }
        })?;
        Ok(commits)
    }
}

pub(crate) fn author(caller: &Caller) -> Author {
    let Caller { session, client, actor, role, time_ns, .. } = caller.clone();
    Author { session, client, actor, role, time_ns }
}

fn batch_path(file: &FileRecord) -> BatchPath {
    BatchPath {
        operation: crate::answers::operation_named(&file.operation),
        path: file.path.to_string(),
        to: file.to.as_ref().map(RelPath::to_string),
    }
}

/// A file of a batch, without the lines of its changes.
pub(crate) fn file_view(file: &FileRecord, status: &dyn Fn(&str) -> BatchStatus) -> FilePatchView {
    FilePatchView {
        id: file.id.clone(),
        key: file.key.clone(),
        label: file.label.clone(),
        doc_path: file.doc_path.clone(),
        operation: crate::answers::operation_named(&file.operation),
        path: file.path.to_string(),
        to: file.to.as_ref().map(RelPath::to_string),
        before: file.before,
        after: file.after,
        holds: crate::tree::holds(file),
        diff: file.diff.clone(),
        diff_cut: file.diff_cut,
        changes: file.changes.iter().map(|change| change_view(file, change, status)).collect(),
    }
}

fn change_view(file: &FileRecord, change: &ChangeRecord, status: &dyn Fn(&str) -> BatchStatus) -> ChangeView {
    let lines =
        |(first, count): (u64, u64)| ChangeLines { first: whole(first), count: whole(count), ..ChangeLines::default() };
    ChangeView {
        name: change.id.clone().into(),
        key: change.key.clone(),
        operation: change_operation(file, change).to_owned(),
        description: change.description.clone(),
        status: status(&change.id),
        before: lines(change.before),
        after: lines(change.after),
        undoes: by_id(&change.undoes),
        marks: marks(change),
    }
}

/// What else a caller said of a change.
pub(crate) fn marks(change: &ChangeRecord) -> ChangeMarks {
    ChangeMarks { severity: change.severity.clone(), categories: change.categories.clone(), tags: change.tags.clone() }
}

/// What a change does, in one word.
pub(crate) fn change_operation<'a>(file: &'a FileRecord, change: &ChangeRecord) -> &'a str {
    match (file.operation.as_str(), change.before.1, change.after.1) {
        ("update", 0, 0) if file.before == file.after => "mode",
        ("update", 0, _) => "insert",
        ("update", _, 0) => "delete",
        ("update", ..) => "replace",
        (other, ..) => other,
    }
}

/// The changes of a file as pieces of its lines.
pub(crate) fn pieces(file: &FileRecord) -> Vec<Piece> {
    file.changes.iter().map(piece).collect()
}

fn piece(change: &ChangeRecord) -> Piece {
    let span = |(first, count): (u64, u64)| Span { first: whole(first).saturating_sub(1), count: whole(count) };
    let restored = |(at, change, from, count): &(u64, String, u64, u64)| Restored {
        at: whole(*at),
        change: change.clone(),
        from: whole(*from),
        count: whole(*count),
    };
    Piece {
        id: change.id.clone(),
        before: span(change.before),
        after: span(change.after),
        restores: change.restores.iter().map(restored).collect(),
    }
}

pub(crate) fn whole(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

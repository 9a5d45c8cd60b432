//! Every kept file against the record: what undo, the trash and open proposals need, and which batches suffer from what
//! is missing or damaged.
//!
//! What a batch needs to be taken back is what it displaced: what it brought is displaced by whatever takes it back, and
//! kept under that. Whether bytes that are not where they were kept can be had otherwise is asked in the way that undo
//! goes ([`crate::past::Source`]), so that the two agree; taking a batch back from under later ones may need theirs too.

use crate::gather::{Depth, Gather, Links};
use crate::names::of_commit;
use crate::operation::operation;
use crate::past::{Past, STEPS, Soundness, Source};
use crate::report::{AuditCheck, Finding, KeptFiles, ProposalFiles, TrashFile, TrashFiles};
use crate::session::Session;
use crate::trouble::{Task, broken, index};
use crate::watch::Doing;
use patchwright_core::batch::{BatchName, ChangeName};
use patchwright_core::digest::Digest;
use patchwright_core::outcome::{Operation, Trouble};
use patchwright_core::path::RelPath;
use patchwright_core::plan::Seen;
use patchwright_store::content;
use patchwright_store::kept::{Condition, Folders, Kept, Shelved, Tally};
use patchwright_store::log::{Log, Walk};
use patchwright_store::real::RealDisk;
use patchwright_store::records::{Commit, FileRecord, Keep, Proposal, Record, Shelf};
use std::cell::RefCell;
use std::collections::HashMap;

/// What looking at every kept file found.
#[derive(Default)]
pub(super) struct Checked {
    pub(super) shelved: Shelved,
    pub(super) undo: KeptFiles,
    pub(super) trash: TrashFiles,
    pub(super) proposals: ProposalFiles,
}

impl Session {
    /// Hashes every kept file and holds it against the record, of which `audit` tells how far it can be read.
    pub(super) fn check_kept(&self, audit: &AuditCheck) -> Result<Checked, Trouble> {
        let failed = |halt| broken(Task::Blobs, halt);
        let damage = audit.findings.iter().find_map(|finding| match finding {
            Finding::Damaged { sequence, .. } => Some(*sequence),
            _ => None,
        });
        let log = self.log_to_read()?;
        let mut kept = Kept::default();
        if let Some(log) = &log {
            self.take_record(&mut kept, log, damage)?;
        }
        let blobs = self.workspace.disk.state_if_there(Shelf::Blobs.folder()).map_err(failed)?;
        let trash = self.workspace.disk.state_if_there(Shelf::Trash.folder()).map_err(failed)?;
        let folders = Folders { blobs: blobs.as_ref(), trash: trash.as_ref() };
        let activity = self.workspace.activity();
        let step = |done, total| activity.tell(|| Doing::CheckingKeptFiles, done, total);
        let shelved = kept.look(&self.workspace.disk, folders, &step).map_err(failed)?;
        drop(activity);
        if let Some(log) = &log {
            self.take_what_left(&mut kept, log)?;
        }
        let soundness = if damage.is_some() { Soundness::Damaged } else { Soundness::Sound };
        let Some(past) = self.past_as_it_is(soundness)? else { return Ok(Checked { shelved, ..Checked::default() }) };
        Ok(Checked { shelved, ..Judge::new(&past, &kept).judge(damage, audit.records)? })
    }

    /// What the record says is kept. Of what stands behind damage only what has left counts: that a file is missing which
    /// was brought back later is no further damage.
    fn take_record(&self, kept: &mut Kept, log: &Log<RealDisk>, damage: Option<u64>) -> Result<(), Trouble> {
        let activity = self.workspace.activity();
        let walked = log.entries_around_damage(&self.workspace.disk, &mut |entry| {
            activity.tell(|| Doing::CheckingRecord, entry.sequence, log.sequence());
            match damage {
                Some(first) if entry.sequence >= first => kept.take_leaving(&entry.record),
                _ => kept.take(entry.offset, &entry.record),
            }
            Walk::On
        });
        walked.map(drop).map_err(|halt| broken(Task::Log, halt))
    }

    /// What others brought back or let go while the files were looked at. That is on record before it is done.
    fn take_what_left(&self, kept: &mut Kept, log: &Log<RealDisk>) -> Result<(), Trouble> {
        let Some(now) = self.log_to_read()?.filter(|now| now.end() > log.end()) else { return Ok(()) };
        // Where another log stands by now, this one says nothing about it.
        let _ = now.entries(&self.workspace.disk, log.end(), &mut |entry| {
            kept.take_leaving(&entry.record);
            Walk::On
        });
        Ok(())
    }
}

/// Tells who suffers from what is missing.
struct Judge<'a> {
    past: &'a Past<'a>,
    kept: &'a Kept,
    /// The files of the workspace that were asked about, with their hashes.
    seen: RefCell<HashMap<String, Option<Digest>>>,
}

impl<'a> Judge<'a> {
    fn new(past: &'a Past<'a>, kept: &'a Kept) -> Judge<'a> {
        Judge { past, kept, seen: RefCell::default() }
    }

    fn judge(&self, damage: Option<u64>, records: u64) -> Result<Checked, Trouble> {
        let (open, for_proposals) = self.kept.for_proposals();
        let entries = self.past.index.trash().map_err(index)?.len() as u64;
        let mut checked = Checked {
            undo: files(self.kept.for_undo()),
            trash: TrashFiles { entries, count: self.kept.in_trash().needed, ..TrashFiles::default() },
            proposals: ProposalFiles { open, files: files(for_proposals) },
            ..Checked::default()
        };
        if checked.undo.is_whole() && checked.proposals.files.is_whole() {
            return Ok(checked);
        }
        self.suffering(damage, records, &mut checked)?;
        for place in self.kept.open_proposals() {
            let Some(Record::Proposal(proposal)) = self.past.entry(place)?.map(|entry| entry.record) else { continue };
            if !self.can_be_applied(&proposal)? {
                checked.proposals.files.batches.push(of_commit(&proposal.commit));
            }
        }
        Ok(checked)
    }

    /// Goes through the commits, oldest first, for those that displaced what is missing or damaged.
    fn suffering(&self, damage: Option<u64>, records: u64, checked: &mut Checked) -> Result<(), Trouble> {
        let mut failed = None;
        let activity = self.past.session().workspace.activity();
        let mut each = |commit: &Commit| -> Result<(), Trouble> {
            for file in &commit.files {
                self.file(commit, file, checked)?;
            }
            Ok(())
        };
        self.past.entries_before(damage, &mut |entry| {
            activity.tell(|| Doing::CheckingRecord, entry.sequence, records);
            if let Record::Commit(commit) = &entry.record
                && let Err(trouble) = each(commit)
            {
                failed = Some(trouble);
                return Walk::Stop;
            }
            Walk::On
        })?;
        failed.map_or(Ok(()), Err)
    }

    fn file(&self, commit: &Commit, file: &FileRecord, checked: &mut Checked) -> Result<(), Trouble> {
        let Some(condition) = self.kept.of_record(file).filter(|found| *found != Condition::Whole) else {
            return Ok(());
        };
        if let Some(id) = file.keep.as_ref().filter(|keep| keep.shelf == Shelf::Trash).map(|keep| &keep.name) {
            let told = TrashFile { id: id.clone(), change: self.change_of(file)?, path: file.path.to_string() };
            match condition {
                Condition::Missing => checked.trash.missing.push(told),
                _ => checked.trash.damaged.push(told),
            }
        }
        let name = of_commit(commit);
        let known = |batches: &[BatchName]| batches.last().is_some_and(|last| last.id == name.id);
        if !known(&checked.undo.batches) && !self.can_be_had(file)? {
            checked.undo.batches.push(name);
        }
        Ok(())
    }

    fn change_of(&self, file: &FileRecord) -> Result<ChangeName, Trouble> {
        let id = file.changes.first().map(|change| change.id.clone()).unwrap_or_default();
        let (batch, place) = self.past.index.place_of(&id).map_err(index)?.unwrap_or_default();
        Ok(ChangeName { id, batch, place })
    }

    /// Can what a record displaced be had, though it is not where it was kept?
    fn can_be_had(&self, file: &FileRecord) -> Result<bool, Trouble> {
        match file.before.filter(|_| file.link) {
            Some(target) => Ok(self.past.link_target(&file.path, target)?.is_some()),
            None => Ok(self.past.finder(self).before(file, STEPS)?.is_some()),
        }
    }

    fn can_be_applied(&self, proposal: &Proposal) -> Result<bool, Trouble> {
        let commit = &proposal.commit;
        let mut used_up = commit.consumed.iter().chain(&commit.also_consumed);
        if used_up.any(|id| self.kept.in_trash_as(id).is_some_and(|found| found != Condition::Whole)) {
            return Ok(false);
        }
        for file in commit.files.iter().filter(|file| file.folder.is_none()) {
            if !self.has_versions(file, commit)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Are the versions there that carrying out a file of a proposal takes?
    fn has_versions(&self, file: &FileRecord, commit: &Commit) -> Result<bool, Trouble> {
        let finder = self.past.finder(self);
        Ok(match operation(file) {
            Operation::Delete | Operation::Move => true,
            Operation::Restore if commit.consumed.is_some() => true,
            Operation::Create | Operation::Restore => finder.after(file, STEPS)?.is_some(),
            Operation::Update if file.before == file.after => true,
            Operation::Update => finder.before(file, STEPS)?.is_some() && finder.after(file, STEPS)?.is_some(),
        })
    }
}

/// Whether a version can be had, without taking its bytes into memory.
impl Source for Judge<'_> {
    type Found = ();

    fn on_shelf(&self, keep: &Keep, digest: Digest) -> Result<Option<()>, Trouble> {
        if let Some(known) = self.kept.holds(keep, digest) {
            return Ok(known.then_some(()));
        }
        let failed = |halt| broken(Task::Blobs, halt);
        let disk = &self.past.session().workspace.disk;
        let Some(shelf) = disk.state_if_there(keep.shelf.folder()).map_err(failed)? else { return Ok(None) };
        let found = content::digest_at(disk, &shelf, &keep.name).map_err(failed)?;
        Ok((found == Some(digest)).then_some(()))
    }

    /// What may not be looked at is not there.
    fn in_workspace(&self, path: &str, digest: Digest) -> Result<Option<()>, Trouble> {
        let mut seen = self.seen.borrow_mut();
        let now = seen.entry(path.to_owned()).or_insert_with(|| {
            let path = RelPath::parse(path, &[]).ok()?;
            let found = Gather::new(&self.past.session().workspace).peek(&path, Links::Keep, Depth::Hash).ok()?;
            match found {
                Seen::File(file) => Some(file.digest),
                _ => None,
            }
        });
        Ok((*now == Some(digest)).then_some(()))
    }

    fn made(&self, before: Option<()>, file: &FileRecord) -> Option<()> {
        match &file.delta {
            Some(_) => Some(()),
            None => before.filter(|()| file.before == file.after),
        }
    }
}

fn files(Tally { needed, bytes, missing, damaged, let_go }: Tally) -> KeptFiles {
    KeptFiles { needed, bytes, missing, damaged, let_go, batches: Vec::new() }
}

//! Publishing: the swaps, in plan order, each verified; then the directories durable, then the commit
//! record, which is the commit point. On any failure everything is taken back.

use crate::content::{self, Found};
use crate::disk::{Disk, Halt, Rename, Stat};
use crate::firm;
use crate::keep;
use crate::log::Unwritten;
use crate::records::{Abort, Commit, Deed, LeftAlone, Record, Touched, Work};
use crate::rollback::{self, Reached};
use crate::stage::{Staged, Unstaged};
use patchwright_core::digest::Digest;
use patchwright_core::path::RelPath;
use patchwright_core::refusal::{Missing, Refusal, Sort, Stale, StaleReason, Why};
use patchwright_core::warning::Warning;

/// How publishing ended.
#[derive(Debug)]
pub enum Outcome {
    /// It is done and on record.
    Committed(Receipt),
    /// Nothing has changed.
    RolledBack(Stop),
    /// The disk failed so that the result is not known until recovery runs.
    InDoubt(Unstaged),
}

/// Proof of a commit.
#[derive(Debug)]
pub struct Receipt {
    /// The head of the log.
    pub head: Digest,
    /// The record, as it stands in the log.
    pub commit: Commit,
}

/// Why publishing stopped.
#[derive(Debug)]
pub enum Stop {
    /// The files are not as they were planned for.
    Refused(Refusal),
    /// The machine failed.
    Halted(Unstaged),
}

/// Largest file that is read again before the commit; of larger ones the times are compared.
const READ_AGAIN: u64 = 1 << 20;

impl<D: Disk> Staged<'_, D> {
    /// Carries the plan out. Consumes what was staged.
    pub fn publish(mut self) -> Outcome {
        let mut displaced = Vec::new();
        if let Err(stop) = self.swap_all(&mut displaced) {
            return self.back_out(stop);
        }
        if let Err(halt) = self.sync_names() {
            self.log.poison();
            let unstaged = Unstaged { path: None, doing: "sync", halt };
            // The names are put back as far as that goes; the intent stays on record for recovery.
            let _ = self.undo();
            return Outcome::InDoubt(unstaged);
        }
        if let Err(stop) = self.check_again(&displaced) {
            return self.back_out(stop);
        }
        self.commit()
    }

    /// Takes back what was staged; nothing else was touched. What cannot be taken back now, the next
    /// open takes back.
    pub fn discard(mut self) {
        if self.undo().is_ok() && !self.log.is_poisoned() {
            self.put_abort("command_failed", Vec::new());
        }
    }

    fn swap_all(&mut self, displaced: &mut Vec<(Work, Stat)>) -> Result<(), Stop> {
        for folder in self.intent.folders.clone() {
            let made = self.make_folder(&folder);
            made.map_err(|halt| self.stopped(&folder, "mkdir", halt))?;
        }
        for work in self.intent.works.clone() {
            let found = self.swap(&work)?;
            if let (Some(found), Some(keep)) = (found, &work.keep) {
                let temp_dir = self.open(&work.temp_folder)?;
                let put = keep::put(self.disk, (&temp_dir, &work.temp), keep, self.firm);
                put.map_err(|halt| self.stopped(&work.path, "keep", halt))?;
                displaced.push((work, found.stat));
            }
        }
        Ok(())
    }

    /// One swap, verified: what came out must be what was planned for.
    fn swap(&mut self, work: &Work) -> Result<Option<Found>, Stop> {
        let dir = self.open(&work.path.parent())?;
        let temp_dir = self.open(&work.temp_folder)?;
        let (path, temp) = ((&dir, work.path.name()), (&temp_dir, work.temp.as_str()));
        let swapped = match work.deed {
            Deed::Create => self.disk.rename(temp, path, Rename::NoReplace),
            Deed::Replace => self.exchange(temp, path, work),
            Deed::Remove => self.disk.rename(path, temp, Rename::NoReplace),
            Deed::Rename => return self.rename(work, path),
        };
        swapped.map_err(|halt| self.stopped(&work.path, "swap", halt))?;
        self.swapped += 1;
        if work.deed == Deed::Create {
            return Ok(None);
        }
        self.verify(work, temp).map(Some)
    }

    fn rename(&mut self, work: &Work, from: (&D::Dir, &str)) -> Result<Option<Found>, Stop> {
        let Some(to) = &work.to else { return Ok(None) };
        let to_dir = self.open(&to.parent())?;
        let renamed = self.disk.rename(from, (&to_dir, to.name()), Rename::NoReplace);
        renamed.map_err(|halt| match halt {
            halt if halt.is_taken() => self.stopped(to, "swap", halt),
            halt => self.stopped(&work.path, "swap", halt),
        })?;
        self.swapped += 1;
        self.verify(work, (&to_dir, to.name())).map(|_| None)
    }

    /// Exchanges the two names; where that cannot be done, keeps a second name of the old file and
    /// replaces, after a last look.
    fn exchange(&mut self, temp: (&D::Dir, &str), path: (&D::Dir, &str), work: &Work) -> Result<(), Halt> {
        match self.disk.rename(temp, path, Rename::Exchange) {
            Err(Halt::Unsupported) => {}
            other => return other,
        }
        self.commit.verified = false;
        let spare = spare_name(work);
        if content::digest_at(self.disk, path.0, path.1)? != work.before {
            return Err(Halt::Os(std::io::ErrorKind::NotFound.into()));
        }
        self.disk.link(path, (temp.0, &spare))?;
        // Durable first: else a power cut could keep the replacing and forget the second name.
        firm::folders(self.disk, std::slice::from_ref(temp.0), self.firm)?;
        self.disk.rename(temp, path, Rename::Replace)?;
        self.disk.rename((temp.0, &spare), temp, Rename::NoReplace)
    }

    fn verify(&mut self, work: &Work, at: (&D::Dir, &str)) -> Result<Found, Stop> {
        let found = content::find(self.disk, at.0, at.1);
        let found = found.map_err(|halt| self.stopped(&work.path, "verify", halt))?;
        match found {
            Some(found) if found.digest == work.before => Ok(found),
            other => Err(overtaken(work, other.and_then(|found| found.digest))),
        }
    }

    fn sync_names(&mut self) -> Result<(), Halt> {
        let dirs = self.all_folders()?;
        firm::folders(self.disk, &dirs, self.firm)
    }

    /// Every folder in which a name has changed.
    fn all_folders(&mut self) -> Result<Vec<D::Dir>, Halt> {
        let mut dirs = Vec::new();
        for work in &self.intent.works {
            let shelf = work.keep.as_ref().map(|keep| self.disk.state(keep.shelf.folder())).transpose()?;
            dirs.extend(shelf);
            for folder in
                [Some(work.path.parent()), Some(work.temp_folder.clone()), work.to.as_ref().map(RelPath::parent)]
            {
                let Some(folder) = folder else { continue };
                dirs.push(self.folders.open(self.disk, &folder)?);
            }
        }
        for folder in &self.intent.folders {
            dirs.push(self.folders.open(self.disk, folder)?);
            dirs.push(self.folders.open(self.disk, &folder.parent())?);
        }
        Ok(dirs)
    }

    /// A program that still had the old file open may have written into it meanwhile.
    fn check_again(&mut self, displaced: &[(Work, Stat)]) -> Result<(), Stop> {
        for (work, stat) in displaced {
            let now = self.kept_now(work, stat);
            let now = now.map_err(|halt| self.stopped(&work.path, "verify", halt))?;
            if now != work.before {
                return Err(overtaken(work, now));
            }
        }
        Ok(())
    }

    fn kept_now(&self, work: &Work, then: &Stat) -> Result<Option<Digest>, Halt> {
        let Some(keep) = &work.keep else { return Ok(work.before) };
        let shelf = self.disk.state(keep.shelf.folder())?;
        let now = self.disk.stat(&shelf, &keep.name)?;
        let untouched = now.is_some_and(|now| now.size == then.size && now.mtime_ns == then.mtime_ns);
        if untouched && then.size > READ_AGAIN && then.sort == Sort::File {
            return Ok(work.before);
        }
        content::digest_at(self.disk, &shelf, &keep.name)
    }

    fn commit(mut self) -> Outcome {
        self.commit.warnings.append(&mut self.warnings);
        if !self.commit.verified {
            self.commit.warnings.push(Warning::CheckedOnly);
        }
        let record = Record::Commit(self.commit.clone());
        match self.log.append(self.disk, &record, self.firm) {
            Ok(head) => {
                if let Err(halt) = keep::tidy(self.disk, &self.commit, self.firm) {
                    // It is put right at the next open.
                    let reason = halt.os_kind().map_or_else(|| format!("{halt:?}"), |kind| kind.to_string());
                    self.commit.warnings.push(Warning::SettleLater { reason });
                }
                Outcome::Committed(Receipt { head, commit: self.commit })
            }
            Err(Unwritten::Not(halt)) => self.back_out(Stop::Halted(Unstaged { path: None, doing: "log", halt })),
            Err(Unwritten::Unknown(halt)) => Outcome::InDoubt(Unstaged { path: None, doing: "sync", halt }),
        }
    }

    fn back_out(mut self, stop: Stop) -> Outcome {
        match self.undo() {
            Ok(left_alone) => {
                if !self.log.is_poisoned() {
                    let kind = stop.kind();
                    self.put_abort(&kind, left_alone);
                }
                Outcome::RolledBack(stop)
            }
            Err(halt) => {
                self.log.poison();
                Outcome::InDoubt(Unstaged { path: None, doing: "rollback", halt })
            }
        }
    }

    fn undo(&mut self) -> Result<Vec<LeftAlone>, Halt> {
        let reached = Reached::Step(self.swapped);
        rollback::roll_back(self.disk, &mut self.folders, &self.intent, (reached, self.firm, &|_| true))
    }

    fn put_abort(&mut self, kind: &str, left_alone: Vec<LeftAlone>) {
        let abort = abort(&self.intent, kind, left_alone);
        // Without this record the next open finds the intent and has nothing left to take back.
        let _ = self.log.append(self.disk, &Record::Abort(abort), self.firm);
    }

    fn open(&mut self, folder: &RelPath) -> Result<D::Dir, Stop> {
        let dir = self.folders.open(self.disk, folder);
        dir.map_err(|halt| self.stopped(folder, "open", halt))
    }

    fn make_folder(&mut self, folder: &RelPath) -> Result<(), Halt> {
        let parent = self.folders.open(self.disk, &folder.parent())?;
        self.disk.make_folder(&parent, folder.name())
    }

    fn stopped(&self, path: &RelPath, doing: &'static str, halt: Halt) -> Stop {
        let why = match (&halt, doing) {
            (halt, "swap" | "mkdir") if halt.is_taken() => Why::AlreadyExists(Sort::File),
            (halt, "swap") if halt.is_missing() => return self.gone(path),
            (Halt::Escape, _) => Why::LinkLeavesRoot,
            _ => return Stop::Halted(Unstaged { path: Some(path.clone()), doing, halt }),
        };
        Stop::Refused(Refusal::at(path, why))
    }

    /// The file vanished, or is no longer what it was, between planning and the swap.
    fn gone(&self, path: &RelPath) -> Stop {
        let before = self.intent.works.iter().find(|work| work.path == *path).and_then(|work| work.before);
        match before {
            Some(before) => Stop::Refused(Refusal::at(path, Why::Stale(stale(before, None)))),
            None => Stop::Refused(Refusal::at(path, Why::NotFound(Missing::File { alike: Vec::new() }))),
        }
    }
}

impl Stop {
    /// The error kind for the record.
    pub fn kind(&self) -> String {
        match self {
            Stop::Refused(refusal) => refusal.kind().name().to_owned(),
            Stop::Halted(_) => "command_failed".to_owned(),
        }
    }
}

/// The record that an intent was taken back.
pub(crate) fn abort(intent: &crate::records::Intent, kind: &str, left_alone: Vec<LeftAlone>) -> Abort {
    let touched = |work: &Work| Touched {
        path: work.path.to_string(),
        to: work.to.as_ref().map(RelPath::to_string),
        before: work.before,
        after: work.after,
    };
    Abort {
        batch: intent.batch.clone(),
        caller: intent.caller.clone(),
        kind: kind.to_owned(),
        recovered: false,
        files: intent.works.iter().map(touched).collect(),
        left_alone,
    }
}

fn overtaken(work: &Work, actual: Option<Digest>) -> Stop {
    match work.before {
        Some(before) => Stop::Refused(Refusal::at(&work.path, Why::Stale(stale(before, actual)))),
        None => Stop::Refused(Refusal::at(&work.path, Why::AlreadyExists(Sort::File))),
    }
}

fn stale(before: Digest, actual: Option<Digest>) -> Stale {
    Stale {
        expected: Some(before.to_string()),
        actual,
        reason: StaleReason::ChangedMeanwhile,
        argument: "expectedSha256",
    }
}

/// Where the old file has its second name for a moment, on file systems that cannot exchange.
pub(crate) fn spare_name(work: &Work) -> String {
    format!("{}.old", work.temp)
}

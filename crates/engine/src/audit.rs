//! Looking at the record and at the machine: verify, doctor; what the record says entry by entry is in `entries`, which
//! entries are wanted in `export`.

mod entries;
mod export;
mod kept;

pub(crate) use entries::audit_entry;
pub use export::AuditFilter;

use crate::options::Mode;
use crate::queue::lock;
use crate::report::{Ability, AuditCheck, Doctor, Finding};
use crate::session::Session;
use crate::trouble::{Task, broken};
use crate::watch::{Doing, Quiet};
use patchwright_core::digest::Digest;
use patchwright_core::outcome::{DiskState, Fault, Trouble};
use patchwright_core::refusal::{Refusal, Why};
use patchwright_store::disk::{Halt, Writes};
use patchwright_store::log::{Check, Log, Standing};
use patchwright_store::real::RealDisk;
use patchwright_store::recover::Recovered;
use std::io;

impl Session {
    /// Reads the whole log and says whether it is whole and in order, and holds `head` if one is given.
    pub fn audit_verify(&self, head: Option<Digest>) -> Result<AuditCheck, Trouble> {
        let Some(log) = self.log_to_read()? else {
            let lost = self.is_log_lost()?.then_some(Finding::Gone);
            let findings = head.map(|_| Finding::HeadMissing).into_iter().chain(lost).collect();
            return Ok(AuditCheck { records: 0, head: None, findings });
        };
        let check = self.verify_all(&log, head).map_err(|halt| broken(Task::Log, halt))?;
        let mut findings = findings(&check);
        if head.is_some() && !check.head_seen {
            let at = usize::from(check.damage.is_some());
            findings.insert(at, Finding::HeadMissing);
        }
        let head = (check.records > 0).then_some(check.head);
        Ok(AuditCheck { records: check.records, head, findings })
    }

    /// What is wrong with the record, the first of it, if anything is: damage, a log that was put back or cut, or that is
    /// gone. What [`Session::audit_verify`] found right, or this did, is not read again for as long as the file system
    /// says that nobody else has touched it; so this can be asked with every command. It does not see what changes on the
    /// medium without the file system's knowledge.
    pub fn damage(&self) -> Result<Option<Finding>, Trouble> {
        let Some(log) = self.log_to_read()? else { return Ok(self.is_log_lost()?.then_some(Finding::Gone)) };
        let activity = self.workspace.activity();
        let step = |done, total| activity.tell(|| Doing::CheckingRecord, done, total);
        let check = log.verify_news(&self.workspace.disk, &step).map_err(|halt| broken(Task::Log, halt))?;
        // A write that was cut short never counted, and may also be one that is under way.
        Ok(findings(&check).into_iter().find(|finding| !matches!(finding, Finding::TornTail { .. })))
    }

    /// Reads the whole log, whatever was noted of it.
    pub(crate) fn verify_all(&self, log: &Log<RealDisk>, head: Option<Digest>) -> Result<Check, Halt> {
        let activity = self.workspace.activity();
        let step = |done, total| activity.tell(|| Doing::CheckingRecord, done, total);
        log.verify_all(&self.workspace.disk, head, &step)
    }

    /// Looks the workspace over: puts right what a dead writer left, checks the log and every kept file,
    /// and probes what the file system can do.
    pub fn doctor(&self) -> Result<Doctor, Trouble> {
        let abilities = match self.workspace.mode {
            Mode::ReadWrite => self.try_out()?,
            // Trying out takes files of its own.
            Mode::ReadOnly => Vec::new(),
        };
        let audit = self.audit_verify(None)?;
        let kept = self.check_kept(&audit)?;
        let mark = self.log_to_read()?.map(|log| log.mark().writes() == Writes::Yes);
        Ok(Doctor {
            mark,
            abilities,
            confinement: self.workspace.disk.try_confining(),
            audit,
            recovered: self.recovery_report(),
            blobs: (kept.shelved.count, kept.shelved.bytes),
            damaged_blobs: kept.shelved.damaged,
            undo: kept.undo,
            trash: kept.trash,
            proposals: kept.proposals,
        })
    }

    /// The log, for reading, if there is one.
    pub(crate) fn log_to_read(&self) -> Result<Option<Log<RealDisk>>, Trouble> {
        if !self.workspace.disk.key_stands().map_err(|halt| broken(Task::State, halt))? {
            return Err(Refusal::plain(Why::KeyGone).into());
        }
        let state = self.workspace.disk.state_if_there("").map_err(|halt| broken(Task::State, halt))?;
        let Some(state) = state else { return Ok(None) };
        Log::open_existing(&self.workspace.disk, &state).map_err(|halt| broken(Task::Log, halt))
    }

    /// Recovers, and tries out what commits rely on.
    fn try_out(&self) -> Result<Vec<Ability>, Trouble> {
        // Where nothing was ever changed there is nothing to recover, and no record is made.
        // Nor does looking over go on with one that was cut, put back or removed: that is a change's to do.
        let sound = || !matches!(self.damage(), Ok(Some(Finding::PutBack { .. } | Finding::Gone | Finding::Unmarked)));
        match (self.workspace.disk.has_record() && sound()).then(|| self.take_turn(&Quiet)) {
            None | Some(Ok(_) | Err(Trouble::Fault(Fault { state: DiskState::Damaged, .. }))) => {}
            // A tree that can only be read is looked over all the same.
            Some(Err(Trouble::Refused(Refusal { why: Why::Forbidden(_), .. }))) => return Ok(Vec::new()),
            Some(Err(trouble)) => return Err(trouble),
        }
        let found = match self.workspace.disk.abilities() {
            Err(halt) if halt.os_kind() == Some(io::ErrorKind::ReadOnlyFilesystem) => Vec::new(),
            found => found.map_err(|halt| broken(Task::Probe, halt))?,
        };
        Ok(found.into_iter().map(|found| Ability { name: found.name, works: found.works }).collect())
    }

    fn recovery_report(&self) -> Vec<(String, &'static str)> {
        let mut report = Vec::new();
        for done in lock(&self.workspace.recovered).iter() {
            let Recovered::RolledBack(abort) = done else { continue };
            let left = |path: &str| abort.left_alone.iter().any(|left| left.path.as_str() == path);
            for file in &abort.files {
                let what = if left(&file.path) { "left alone" } else { "rolled back" };
                report.push((file.path.clone(), what));
            }
        }
        report
    }
}

fn findings(check: &Check) -> Vec<Finding> {
    let damage = check.damage.map(|damage| Finding::Damaged { sequence: damage.sequence, what: damage.what });
    let resumed = check.resumed.iter().map(|sequence| Finding::Resumed { sequence: *sequence });
    let last = match check.standing {
        Standing::PutBack { known: Some(known) } => Some(Finding::PutBack { known: known.sequence }),
        Standing::PutBack { known: None } => Some(Finding::Unmarked),
        Standing::Current | Standing::TailLost { .. } => {
            (check.torn_bytes > 0).then_some(Finding::TornTail { bytes: check.torn_bytes })
        }
    };
    damage.into_iter().chain(resumed).chain(last).collect()
}

//! The record as it is found: made if there is none, recovered from a crashed writer, and what a person should know of it.

use crate::clock::now_ns;
use crate::options::Mode;
use crate::queue::lock;
use crate::session::Session;
use crate::trouble::{Task, broken, no_home};
use crate::watch::Quiet;
use patchwright_core::outcome::Trouble;
use patchwright_core::path::RelPath;
use patchwright_core::refusal::NoHome;
use patchwright_core::warning::Warning;
use patchwright_store::disk::Halt;
use patchwright_store::log::{Log, Standing};
use patchwright_store::own;
use patchwright_store::real::{Confinement, Founded, Lasts, RealDisk};
use patchwright_store::records::{LeftAlone, Record};
use patchwright_store::recover::{self, Recovered};
use std::io::ErrorKind;

impl Session {
    /// Keeps the calling thread, and every thread it starts from now on, to the root and to this workspace's record, as
    /// far as the kernel can. Meant for a program that does nothing but serve this workspace: there is no way back. The
    /// record is made now if there is none: later nobody could.
    pub fn confine(&self) -> Confinement {
        // What cannot be made now is told by the first change that needs it.
        let _ = self.make_record();
        self.workspace.disk.confine()
    }

    /// Makes the record of this workspace, if there is none, as the first change would. A session that only looks makes
    /// nothing.
    pub fn make_record(&self) -> Result<(), Trouble> {
        if self.workspace.mode == Mode::ReadOnly {
            return Ok(());
        }
        let Some(_held) = self.take_lock(&self.waiting(&Quiet)).map_err(|halt| broken(Task::Lock, halt))? else {
            return Ok(());
        };
        self.begin_record()
    }

    /// Makes the record of this workspace, if there is none, and says what a person should know about it. The caller holds
    /// the lock.
    pub(crate) fn begin_record(&self) -> Result<(), Trouble> {
        let failed = |halt| broken(Task::State, halt);
        match self.workspace.disk.found_record().map_err(failed)? {
            Founded::Before => {}
            Founded::Again if self.is_log_lost()? => self.tell_later(std::iter::once(Warning::RecordMadeAgain)),
            Founded::Again => {}
            Founded::Now(trouble) => {
                self.tell_founding(self.workspace.disk.beside().map_err(failed)?.len() as u64, trouble.map(no_home));
            }
        }
        Ok(())
    }

    /// Recovers from a crashed writer, as opening with [`Repair::AtOpen`](crate::Repair::AtOpen) does.
    pub fn repair(&self) -> Result<(), Trouble> {
        self.mend()
    }

    /// A reader that finds the intent of a crashed writer recovers first. If the writer is alive, and so holds the lock,
    /// the reader does not wait.
    pub(crate) fn mend(&self) -> Result<(), Trouble> {
        self.root_stands()?;
        let Ok(mut reading) = self.workspace.reading.try_lock() else { return Ok(()) };
        // Without its key the record says nothing; the next change tells.
        if !self.workspace.disk.key_stands().map_err(|halt| broken(Task::State, halt))? {
            return Ok(());
        }
        let mut known = match reading.as_mut() {
            Some(log) if log.standing() == Standing::Current && !log.is_gone(&self.workspace.disk).unwrap_or(true) => {
                log.ends_in_intent(&self.workspace.disk).ok()
            }
            // One that was put back is opened anew: each session is told, until a change has gone on with it.
            _ => None,
        };
        if known.is_none() {
            // Nothing was open yet, or somebody has removed it or cut it short.
            *reading = self.open_to_read()?;
            let log = reading.as_mut();
            known = log
                .map(|log| log.ends_in_intent(&self.workspace.disk))
                .transpose()
                .map_err(|halt| broken(Task::Log, halt))?;
        }
        let Some(log) = reading.as_mut().filter(|log| log.standing() == Standing::Current) else { return Ok(()) };
        let unfinished = known == Some(true);
        if !unfinished {
            return Ok(());
        }
        if self.workspace.mode == Mode::ReadOnly {
            self.tell_unfinished(log);
            return Ok(());
        }
        let Some(_held) = self.workspace.disk.try_lock().map_err(|halt| broken(Task::Lock, halt))? else {
            return Ok(());
        };
        let mut log = Log::open(&self.workspace.disk).map_err(|halt| broken(Task::Log, halt))?;
        let done = self.recover(&mut log).map_err(|halt| broken(Task::Recover, halt))?;
        log.renew_mark(&self.workspace.disk);
        *reading = None;
        self.note_recovery(done);
        Ok(())
    }

    /// The log, for a look at its end; and what a person should know of how it stands.
    fn open_to_read(&self) -> Result<Option<Log<RealDisk>>, Trouble> {
        let state = match self.workspace.disk.state_if_there("") {
            // Somebody else's state, which we may not see: there is nothing we could mend.
            Err(halt) if halt.os_kind() == Some(ErrorKind::PermissionDenied) => return Ok(None),
            found => found.map_err(|halt| broken(Task::State, halt))?,
        };
        let log = match state {
            Some(state) => Log::open_existing(&self.workspace.disk, &state).map_err(|halt| broken(Task::Log, halt))?,
            None => None,
        };
        if log.is_some() || self.is_log_lost()? {
            self.tell_standing(log.as_ref());
        }
        Ok(log)
    }

    /// Recovers from a crashed writer. Protected paths stay closed: a forged record must not give access to them. The allow
    /// and deny lists of whoever opens next do not apply: they are not those of the interrupted call, and must not leave it
    /// half rolled back.
    pub(crate) fn recover(&self, log: &mut Log<RealDisk>) -> Result<Recovered, Halt> {
        let may = |path: &RelPath| !self.workspace.policy.is_protected(path);
        recover::recover(&self.workspace.disk, log, now_ns(), self.workspace.firm, &may)
    }

    pub(crate) fn note_recovery(&self, done: Recovered) {
        if let Recovered::RolledBack(abort) = &done {
            let told = |left: &LeftAlone| Warning::RecoveryLeftAlone { path: left.path.to_string() };
            self.tell_later(abort.left_alone.iter().map(told));
            lock(&self.workspace.recovered).push(done);
        }
    }

    /// Is there no log although home knows of one? A record that was only just made has none yet.
    pub(crate) fn is_log_lost(&self) -> Result<bool, Trouble> {
        own::has_entries(&self.workspace.disk).map_err(|halt| broken(Task::Log, halt))
    }

    /// Says, once a session, that the record is not what it was.
    pub(crate) fn tell_standing(&self, log: Option<&Log<RealDisk>>) {
        let warning = match log.map(Log::standing) {
            Some(Standing::Current) => return,
            Some(Standing::TailLost { .. }) => Warning::RecordTailLost,
            Some(Standing::PutBack { .. }) | None => Warning::RecordPutBack,
        };
        self.tell_once(warning);
        if let Some(log) = log.filter(|log| log.standing() != Standing::Current)
            && let Ok(Some(Record::Intent(intent))) = log.last(&self.workspace.disk)
        {
            self.tell_once(Warning::UnfinishedLeft { batch: intent.batch });
        }
    }

    /// Says, once a session, that a call was not finished and is left so. The writer may also be at work still.
    fn tell_unfinished(&self, log: &Log<RealDisk>) {
        if self.workspace.disk.is_free()
            && let Ok(Some(Record::Intent(intent))) = log.last(&self.workspace.disk)
        {
            self.tell_once(Warning::UnfinishedCall { batch: intent.batch });
        }
    }

    /// Says, with the change that begins a record, what a person should know about it.
    fn tell_founding(&self, beside: u64, trouble: Option<NoHome>) {
        let others = (beside > 0).then_some(Warning::OtherRecords { count: beside });
        let short = (self.workspace.disk.home_lasts() == Some(Lasts::Session)).then(|| {
            let (home, owner) = match trouble {
                Some(NoHome::Foreign(path, owner)) => (Some(path), Some(owner)),
                Some(
                    NoHome::Relative(path) | NoHome::InWorkspace(path) | NoHome::Shared(path) | NoHome::Closed(path),
                ) => (Some(path), None),
                Some(NoHome::Unknown) | None => (None, None),
            };
            Warning::ShortLivedHome { home, owner }
        });
        self.tell_later(others.into_iter().chain(short));
    }
}

//! A turn: the workspace held for one change, with the kernel lock and the log, recovered and up to date.
//!
//! Turns are taken in order of arrival, in this process and between processes, and nobody waits longer than the limit.

use crate::clock::now_ns;
use crate::proof::Proven;
use crate::queue::Place;
use crate::session::Session;
use crate::trouble::{Task, broken, in_doubt};
use crate::watch::{Activity, Doing, Watch};
use patchwright_core::digest::Digest;
use patchwright_core::outcome::Trouble;
use patchwright_core::refusal::{Refusal, Why};
use patchwright_store::disk::Halt;
use patchwright_store::log::{Log, Unwritten};
use patchwright_store::phase::Phase;
use patchwright_store::real::{LockGuard, LockWait, RealDisk};
use patchwright_store::records::{Caller, Record};
use patchwright_store::stage::Unstaged;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// The workspace held for one change: the kernel lock and the log, recovered and up to date.
pub(crate) struct Turn<'a> {
    // Fields are dropped in this order: the next change of this process finds the kernel lock released.
    _lock: LockGuard,
    pub(crate) log: Place<'a, Option<Log<RealDisk>>>,
    disk: &'a RealDisk,
}

/// Whatever the outcome of the call, the mark at home is moved to the end of the log before the answer is given.
impl Drop for Turn<'_> {
    fn drop(&mut self) {
        if let Some(log) = self.log.as_mut() {
            log.renew_mark(self.disk);
        }
    }
}

impl Turn<'_> {
    pub(crate) fn log(&mut self) -> Result<&mut Log<RealDisk>, Trouble> {
        let closed = || broken(Task::Log, std::io::Error::other("the log is closed").into());
        self.log.as_mut().ok_or_else(closed)
    }
}

/// Waiting for a turn.
pub(crate) struct Waiting<'a> {
    begun: Instant,
    most: Duration,
    watch: &'a dyn Watch,
}

impl Waiting<'_> {
    /// How long it may go on.
    fn left(&self) -> Duration {
        self.most.saturating_sub(self.begun.elapsed())
    }

    /// Tells whoever looks on for whom it waits. Has the caller not withdrawn?
    fn goes_on(&self, activity: &Activity<'_>, disk: &RealDisk) -> bool {
        let for_whom = || Doing::Waiting { for_whom: disk.holder() };
        activity.tell(for_whom, in_ms(self.begun.elapsed()), in_ms(self.most));
        !self.watch.cancelled()
    }
}

impl Session {
    /// Takes a turn: waits for other writers, takes in what they did, and recovers from one that crashed.
    pub(crate) fn take_turn(&self, watch: &dyn Watch) -> Result<Turn<'_>, Trouble> {
        self.may_change()?;
        self.root_stands()?;
        let waiting = self.waiting(watch);
        let given_up = || if watch.cancelled() { Refusal::plain(Why::Cancelled) } else { self.busy() };
        let mut log = self.wait_in_line(&waiting).ok_or_else(given_up)?;
        if watch.cancelled() {
            return Err(Refusal::plain(Why::Cancelled).into());
        }
        let guard = self.take_lock(&waiting).map_err(|halt| broken(Task::Lock, halt))?.ok_or_else(given_up)?;
        if !self.workspace.disk.key_stands().map_err(|halt| broken(Task::State, halt))? {
            return Err(Refusal::plain(Why::KeyGone).into());
        }
        self.begin_record()?;
        self.note_holder();
        self.bring_up(&mut log)?;
        self.finish_last(&mut log)?;
        Ok(Turn { log, disk: &self.workspace.disk, _lock: guard })
    }

    /// Waits for the other changes of this process. Whoever looks on is told for whom it waits.
    fn wait_in_line(&self, waiting: &Waiting<'_>) -> Option<Place<'_, Option<Log<RealDisk>>>> {
        let (workspace, activity) = (&self.workspace, self.workspace.activity());
        let deadline = waiting.begun + waiting.most;
        workspace.writing.take(deadline, &|| waiting.goes_on(&activity, &workspace.disk))
    }

    /// Opens the log, or takes in what others appended to it.
    fn bring_up(&self, slot: &mut Option<Log<RealDisk>>) -> Result<(), Trouble> {
        let failed = |halt| broken(Task::Log, halt);
        let reusable = match slot.as_ref() {
            Some(log) => !log.is_poisoned() && log.is_current(&self.workspace.disk).map_err(failed)?,
            None => false,
        };
        if !reusable {
            let poisoned = slot.take().is_some_and(|log| log.is_poisoned());
            let fresh = Log::open(&self.workspace.disk).map_err(failed)?;
            if poisoned && fresh.verify(&self.workspace.disk, None).map_err(failed)?.damage.is_some() {
                return Err(broken(Task::Log, Halt::Damaged));
            }
            *slot = Some(fresh);
        }
        let Some(log) = slot.as_mut() else { return Ok(()) };
        log.refresh(&self.workspace.disk).map_err(failed)?;
        self.tell_standing(Some(&*log));
        Ok(())
    }

    /// Does what the last record leaves to do.
    fn finish_last(&self, slot: &mut Option<Log<RealDisk>>) -> Result<(), Trouble> {
        let failed = |halt| broken(Task::Log, halt);
        let Some(log) = slot.as_mut() else { return Ok(()) };
        let resumed = log.resume(&self.workspace.disk, now_ns(), self.workspace.firm);
        resumed.map_err(|(Unwritten::Not(halt) | Unwritten::Unknown(halt))| failed(halt))?;
        let done = self.recover(log).map_err(|halt| broken(Task::Recover, halt))?;
        self.note_recovery(done);
        Ok(())
    }

    pub(crate) fn append(&self, held: &mut Turn<'_>, record: &Record) -> Result<Digest, Trouble> {
        let firm = self.workspace.firm;
        match held.log()?.append(&self.workspace.disk, record, firm) {
            Ok(head) => {
                if is_deed(record) {
                    self.count_deed();
                }
                Ok(head)
            }
            // The record itself is the change: if it was written after all, the change is made.
            Err(Unwritten::Unknown(halt)) if is_deed(record) => {
                Err(in_doubt(Unstaged { path: None, doing: Phase::Sync, halt }))
            }
            Err(Unwritten::Not(halt) | Unwritten::Unknown(halt)) => Err(broken(Task::Log, halt)),
        }
    }

    pub(crate) fn caller(&self, tool: &str, proven: Proven) -> Caller {
        let client = self.client();
        Caller {
            time_ns: now_ns(),
            session: self.id().to_owned(),
            client: format!("{}/{}", client.name, client.version),
            tool: tool.to_owned(),
            unchecked: proven == Proven::Unchecked,
            actor: client.actor.clone(),
            door: client.door,
            role: client.role,
        }
    }

    /// Another folder may have been put in the place of the root, or the root moved away: then what a caller means by a
    /// path is not what we would do.
    pub(crate) fn root_stands(&self) -> Result<(), Trouble> {
        match self.workspace.disk.root_moved().map_err(|halt| broken(Task::Open, halt))? {
            None => Ok(()),
            Some(now) => {
                let path = self.workspace.disk.canonical().display().to_string();
                Err(Refusal::plain(Why::RootMoved { path, now }).into())
            }
        }
    }

    /// Takes the writer's lock; nothing if another has it still. Whoever looks on is told for whom it waits, and a caller
    /// that withdraws waits no longer.
    pub(crate) fn take_lock(&self, waiting: &Waiting<'_>) -> Result<Option<LockGuard>, Halt> {
        let (disk, activity) = (&self.workspace.disk, self.workspace.activity());
        let tell = |_| match waiting.goes_on(&activity, disk) {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        };
        disk.lock_with(&LockWait::new(waiting.left(), &tell))
    }

    /// Waiting for a turn, as long as the settings say: from now on, or since the call came.
    pub(crate) fn waiting<'a>(&self, watch: &'a dyn Watch) -> Waiting<'a> {
        Waiting {
            begun: watch.came().unwrap_or_else(Instant::now),
            most: Duration::from_millis(self.workspace.limits.lock_wait_ms),
            watch,
        }
    }

    /// Somebody else holds the workspace.
    pub(crate) fn busy(&self) -> Refusal {
        let holder = self.workspace.disk.holder().map(Box::new);
        Refusal::plain(Why::Busy { waited_ms: self.workspace.limits.lock_wait_ms, holder })
    }

    /// Leaves word for others that wait. The caller holds the lock.
    pub(crate) fn note_holder(&self) {
        let client = {
            let client = self.client();
            format!("{}/{}", client.name, client.version)
        };
        self.workspace.disk.note_holder(now_ns(), &client);
    }
}

/// Does a record by itself do what the caller asked for?
fn is_deed(record: &Record) -> bool {
    matches!(record, Record::Purge(_) | Record::Proposal(_) | Record::Verdict(_))
}

fn in_ms(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX)
}

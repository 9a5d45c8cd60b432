//! One writer at a time: a kernel lock on the root folder itself, released at death.
//!
//! The root is one, whatever records, homes and state directories it is used with. Where the file system cannot lock a
//! folder, a file in one fixed place serves.
//!
//! Writers take turns in order of arrival. Whoever wants the writer's lock takes the queue lock first, a kernel lock on
//! the record's folder at home, and releases it once it has the writer's lock. So only the first of the queue contends for
//! the writer's lock, and who has just released it cannot overtake those that wait. The writer's lock alone decides who
//! may write. A waiter that is stopped while it is the first is overtaken: the others find the writer's lock free for a
//! while and take it.

use super::errno::os;
use super::places::{self, Place};
use super::waiter::{Found, Line, Waiter};
use super::{RealDisk, dir, file, stat, state};
use crate::disk::Halt;
use patchwright_core::policy::STATE_DIR;
use patchwright_core::refusal::Sort;
use patchwright_core::seeded::{Bug, is_planted};
use rustix::fd::OwnedFd;
use rustix::fs::{FlockOperation, Mode};
use rustix::io::Errno;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

const NAME: &str = "lock";
/// How often a waiting caller is told, and sees whether the lock is free.
const TICK: Duration = Duration::from_millis(10);
/// Longer than a process that is awake needs to take a lock that it is granted.
const GRACE: Duration = Duration::from_millis(20);

/// The lock, held until this is dropped.
#[derive(Debug)]
#[must_use]
pub struct LockGuard {
    _held: OwnedFd,
}

/// How a caller waits for the writer's lock.
pub struct LockWait<'a> {
    /// The longest wait.
    pub limit: Duration,
    /// How long the lock must have been free before the queue is overtaken.
    pub grace: Duration,
    /// Told again and again how long the wait has been; may end it.
    pub tell: &'a dyn Fn(Duration) -> ControlFlow<()>,
}

impl<'a> LockWait<'a> {
    /// Waits this long at most.
    pub fn new(limit: Duration, tell: &'a dyn Fn(Duration) -> ControlFlow<()>) -> LockWait<'a> {
        LockWait { limit, grace: GRACE, tell }
    }
}

/// A try to take the writer's lock.
enum Try {
    Locked(LockGuard),
    /// Another has it; the file to wait for it with.
    Busy(OwnedFd),
}

/// A try to take the writer's lock without overtaking anybody.
enum Turn {
    Locked(LockGuard),
    Wait(Line),
}

impl RealDisk {
    /// Takes the writer's lock, past the queue; nothing if another has it.
    pub fn try_lock(&self) -> Result<Option<LockGuard>, Halt> {
        match self.try_writer()? {
            Try::Locked(guard) => Ok(Some(guard)),
            Try::Busy(_) => Ok(None),
        }
    }

    fn try_writer(&self) -> Result<Try, Halt> {
        // A handle of its own: a lock belongs to the opening, and this process may be its own rival.
        let root = rustix::fs::openat(self.root(), ".", dir::FOLDER, Mode::empty()).map_err(os)?;
        match rustix::fs::flock(&root, FlockOperation::NonBlockingLockExclusive) {
            _ if is_planted(Bug::NoLock) => Ok(Try::Locked(LockGuard { _held: root })),
            Ok(()) => Ok(Try::Locked(LockGuard { _held: root })),
            Err(Errno::WOULDBLOCK) => Ok(Try::Busy(root)),
            Err(Errno::BADF | Errno::INVAL | Errno::NOLCK | Errno::OPNOTSUPP | Errno::ISDIR) => self.lock_file(),
            Err(errno) => Err(os(errno)),
        }
    }

    fn lock_file(&self) -> Result<Try, Halt> {
        loop {
            let place = match self.lock_place() {
                Some(place) => place.make(self.root())?,
                None => places::make(self.root(), STATE_DIR)?,
            };
            state::ignore_itself(&place)?;
            let file = file::open_or_create(&place, NAME)?;
            match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => {}
                Err(Errno::WOULDBLOCK) => return Ok(Try::Busy(file.into())),
                Err(errno) => return Err(os(errno)),
            }
            // The name may have been given to another file meanwhile.
            let held = stat::of_file(&file)?.id;
            if stat::of_name(&place, NAME)?.is_some_and(|named| named.id == held) {
                return Ok(Try::Locked(LockGuard { _held: file.into() }));
            }
        }
    }

    /// The place of the lock file: it follows from the root alone, whatever state directory is used.
    fn lock_place(&self) -> Option<Place> {
        places::of(self.root(), &self.canonical, None).into_iter().find(|place| place.takes == places::Takes::New)
    }

    /// Does nobody hold the writer's lock? Makes nothing; where that cannot be told, somebody may.
    pub fn is_free(&self) -> bool {
        let root = rustix::fs::openat(self.root(), ".", dir::FOLDER, Mode::empty());
        root.is_ok_and(|root| rustix::fs::flock(&root, FlockOperation::NonBlockingLockExclusive).is_ok())
    }

    /// Takes the writer's lock in order of arrival, waiting this long at most; nothing if another has it still.
    pub fn lock(&self, limit: Duration) -> Result<Option<LockGuard>, Halt> {
        self.lock_with(&LockWait::new(limit, &|_| ControlFlow::Continue(())))
    }

    /// The same, for a caller that is told of the wait and may end it.
    pub fn lock_with(&self, wait: &LockWait<'_>) -> Result<Option<LockGuard>, Halt> {
        let begun = Instant::now();
        match self.take_turn()? {
            Turn::Locked(guard) => Ok(Some(guard)),
            Turn::Wait(_) if wait.limit.is_zero() => Ok(None),
            Turn::Wait(line) => Waiting { disk: self, waiter: self.waiter(line), free_since: None }.run(wait, begun),
        }
    }

    /// Takes the writer's lock if nobody has it and nobody waits for it.
    fn take_turn(&self) -> Result<Turn, Halt> {
        let queue = self.open_queue();
        let first = queue.as_ref().map(|queue| rustix::fs::flock(queue, FlockOperation::NonBlockingLockExclusive));
        if first == Some(Err(Errno::WOULDBLOCK)) {
            return Ok(Turn::Wait(Line { queue, writer: self.open_writer()? }));
        }
        // A queue that cannot be locked is none.
        let queue = queue.filter(|_| first == Some(Ok(())));
        Ok(match self.try_writer()? {
            Try::Locked(guard) => Turn::Locked(guard),
            Try::Busy(writer) => Turn::Wait(Line { queue, writer }),
        })
    }

    /// A handle for the writer's lock, not locked. Only a try tells whether the folder or the file is the one to lock.
    fn open_writer(&self) -> Result<OwnedFd, Halt> {
        match self.try_writer()? {
            Try::Locked(LockGuard { _held: writer }) => {
                rustix::fs::flock(&writer, FlockOperation::Unlock).map_err(os)?;
                Ok(writer)
            }
            Try::Busy(writer) => Ok(writer),
        }
    }

    /// A handle for the queue lock; none before there is a record.
    fn open_queue(&self) -> Option<OwnedFd> {
        let found = self.found()?;
        rustix::fs::openat(&found.own.home, ".", dir::FOLDER, Mode::empty()).ok()
    }

    fn waiter(&self, line: Line) -> Arc<Waiter> {
        self.abandoned.take_over().unwrap_or_else(|| Waiter::start(line))
    }

    /// A lock that was waited for counts unless it is on a lock file whose name has been given to another file.
    fn granted(&self, lock: OwnedFd) -> Result<Option<LockGuard>, Halt> {
        let held = stat::of_file(&lock)?;
        let place = if held.sort == Sort::File { self.lock_place() } else { None };
        let named = match place {
            Some(place) => stat::of_name(&place.open(self.root())?, NAME)?.map(|named| named.id),
            None => Some(held.id),
        };
        Ok((named == Some(held.id)).then_some(LockGuard { _held: lock }))
    }
}

/// A caller that waits; its waiter is left to the next caller if it goes without the lock.
struct Waiting<'a> {
    disk: &'a RealDisk,
    waiter: Arc<Waiter>,
    /// Since when the lock was found free at every look, although nobody in the queue took it.
    free_since: Option<Instant>,
}

impl Waiting<'_> {
    fn run(mut self, wait: &LockWait<'_>, begun: Instant) -> Result<Option<LockGuard>, Halt> {
        loop {
            let waited = begun.elapsed();
            let left = wait.limit.saturating_sub(waited);
            if left.is_zero() {
                return self.last_try();
            }
            if (wait.tell)(waited).is_break() {
                return Ok(None);
            }
            if let Some(guard) = self.tick(wait.grace, TICK.min(left))? {
                return Ok(Some(guard));
            }
        }
    }

    /// Waits for a moment, and then sees whether the queue is stuck.
    fn tick(&mut self, grace: Duration, time: Duration) -> Result<Option<LockGuard>, Halt> {
        match self.waiter.wait(time) {
            Found::Lock(lock) => self.disk.granted(lock),
            Found::Waiting => self.overtake(grace),
            Found::Nothing => {
                std::thread::sleep(time);
                self.disk.try_lock()
            }
        }
    }

    /// Takes the lock if it has been free for the whole grace: the first in the queue is stopped. One look is not enough,
    /// because between two holders the lock is free for a moment.
    fn overtake(&mut self, grace: Duration) -> Result<Option<LockGuard>, Halt> {
        let Some(guard) = self.disk.try_lock()? else {
            self.free_since = None;
            return Ok(None);
        };
        let since = *self.free_since.get_or_insert_with(Instant::now);
        Ok((since.elapsed() >= grace).then_some(guard))
    }

    /// The time is up: the lock is taken if it is to be had at all.
    fn last_try(&self) -> Result<Option<LockGuard>, Halt> {
        match self.waiter.give_up() {
            Found::Lock(lock) => self.disk.granted(lock),
            Found::Waiting | Found::Nothing => self.disk.try_lock(),
        }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        // A lock that was granted in the meantime is released here.
        if let Found::Waiting = self.waiter.give_up() {
            self.disk.abandoned.add(Arc::clone(&self.waiter));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{HomeAt, Means, Whereabouts};
    use super::*;

    #[test]
    fn a_lock_file_counts_as_long_as_it_has_its_name() {
        let (root, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let at = Whereabouts { home: HomeAt::Folder(home.path().to_owned()), ..Whereabouts::default() };
        let disk = RealDisk::open(root.path(), &at, Means::Best).unwrap();
        let Try::Locked(guard) = disk.lock_file().unwrap() else { panic!("somebody has it") };
        let Try::Busy(waiting) = disk.lock_file().unwrap() else { panic!("nobody has it") };
        drop(guard);
        let guard = disk.granted(waiting).unwrap().expect("it has its name");
        let place = disk.lock_place().unwrap().open(disk.root()).unwrap();
        file::remove(&place, NAME).unwrap();
        assert!(disk.granted(guard._held).unwrap().is_none());
        assert!(matches!(disk.lock_file().unwrap(), Try::Locked(_)));
    }
}

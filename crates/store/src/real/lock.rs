//! One writer at a time: a kernel lock on the root folder itself, released at death.
//!
//! The root is one, whatever records, homes and state directories it is used with. Where the file system cannot lock a
//! folder, a file in one fixed place serves.

use super::places::{self, Place};
use super::{RealDisk, dir, file, stat, state};
use crate::disk::Halt;
use patchwright_core::policy::STATE_DIR;
use patchwright_core::seeded::{Bug, is_planted};
use rustix::fd::OwnedFd;
use rustix::fs::{FlockOperation, Mode};
use rustix::io::Errno;
use std::time::{Duration, Instant};

const NAME: &str = "lock";
const SHORTEST: Duration = Duration::from_micros(200);
const LONGEST: Duration = Duration::from_millis(20);

/// The lock, held until this is dropped.
#[derive(Debug)]
#[must_use]
pub struct LockGuard {
    _held: OwnedFd,
}

impl RealDisk {
    /// Takes the writer's lock; nothing if another has it.
    pub fn try_lock(&self) -> Result<Option<LockGuard>, Halt> {
        // A handle of its own: a lock belongs to the opening, and this process may be its own rival.
        let root = rustix::fs::openat(self.root(), ".", dir::FOLDER, Mode::empty()).map_err(dir::os)?;
        match rustix::fs::flock(&root, FlockOperation::NonBlockingLockExclusive) {
            _ if is_planted(Bug::NoLock) => Ok(Some(LockGuard { _held: root })),
            Ok(()) => Ok(Some(LockGuard { _held: root })),
            Err(Errno::WOULDBLOCK) => Ok(None),
            Err(Errno::BADF | Errno::INVAL | Errno::NOLCK | Errno::OPNOTSUPP | Errno::ISDIR) => self.lock_file(),
            Err(errno) => Err(dir::os(errno)),
        }
    }

    fn lock_file(&self) -> Result<Option<LockGuard>, Halt> {
        loop {
            let place = match self.lock_place() {
                Some(place) => place.make(self.root())?,
                None => state::make(self.root(), STATE_DIR)?,
            };
            state::ignore_itself(&place)?;
            let file = file::open_or_create(&place, NAME)?;
            match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => {}
                Err(Errno::WOULDBLOCK) => return Ok(None),
                Err(errno) => return Err(dir::os(errno)),
            }
            // The name may have been given to another file meanwhile.
            let held = stat::of_file(&file)?.id;
            if stat::of_name(&place, NAME)?.is_some_and(|named| named.id == held) {
                return Ok(Some(LockGuard { _held: file.into() }));
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

    /// Takes the writer's lock, waiting this long at most; nothing if another has it still.
    pub fn lock(&self, wait: Duration) -> Result<Option<LockGuard>, Halt> {
        self.lock_told(wait, &|_| {})
    }

    /// The same. As long as another has it, `waiting` is told after every try how long that was.
    pub fn lock_told(&self, wait: Duration, waiting: &dyn Fn(Duration)) -> Result<Option<LockGuard>, Halt> {
        let begun = Instant::now();
        let mut pause = SHORTEST;
        loop {
            if let Some(guard) = self.try_lock()? {
                return Ok(Some(guard));
            }
            let waited = begun.elapsed();
            let left = wait.saturating_sub(waited);
            if left.is_zero() {
                return Ok(None);
            }
            waiting(waited);
            std::thread::sleep(pause.min(left));
            pause = (pause * 2).min(LONGEST);
        }
    }
}

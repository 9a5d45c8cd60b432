//! One writer at a time: a kernel lock on a file in the state folder, released at death.
//!
//! Promises that whoever holds a [`LockGuard`] holds the lock on the file that stands under that name
//! now, so that a state folder deleted and made anew does not have two holders.

use super::{RealDisk, file, stat};
use crate::disk::{Disk, Halt};
use patchwright_core::seeded::{Bug, is_planted};
use std::fs::{File, TryLockError};
use std::time::{Duration, Instant};

const NAME: &str = "lock";
const SHORTEST: Duration = Duration::from_micros(200);
const LONGEST: Duration = Duration::from_millis(20);

/// The lock, held until this is dropped.
#[derive(Debug)]
#[must_use]
pub struct LockGuard {
    _file: File,
}

impl RealDisk {
    /// Takes the writer's lock; nothing if another has it.
    pub fn try_lock(&self) -> Result<Option<LockGuard>, Halt> {
        loop {
            let dir = self.state("")?;
            let file = file::open_or_create(&dir, NAME)?;
            match file.try_lock() {
                _ if is_planted(Bug::NoLock) => {}
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(error)) => return Err(error.into()),
            }
            let held = stat::of_file(&file)?.id;
            if stat::of_name(&dir, NAME)?.is_some_and(|named| named.id == held) {
                return Ok(Some(LockGuard { _file: file }));
            }
        }
    }

    /// Takes the writer's lock, waiting this long at most; nothing if another has it still.
    pub fn lock(&self, wait: Duration) -> Result<Option<LockGuard>, Halt> {
        let begun = Instant::now();
        let mut pause = SHORTEST;
        loop {
            if let Some(guard) = self.try_lock()? {
                return Ok(Some(guard));
            }
            let left = wait.saturating_sub(begun.elapsed());
            if left.is_zero() {
                return Ok(None);
            }
            std::thread::sleep(pause.min(left));
            pause = (pause * 2).min(LONGEST);
        }
    }
}

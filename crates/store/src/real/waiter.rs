//! A thread that waits in line for a lock, so that its caller can give up.
//!
//! The kernel serves blocked exclusive requests in order of arrival (Linux since 5.0: `__locks_insert_block` in
//! `fs/locks.c` chains them), but a request with a time limit does not exist, and a blocked thread cannot be called back
//! without signals. So the thread blocks and its caller waits for the thread. A caller that gives up leaves the thread in
//! the line; the next caller takes it over and keeps the place. A lock that is granted while nobody wants it is released
//! at once.

use rustix::fd::OwnedFd;
use rustix::fs::FlockOperation;
use rustix::io::Errno;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// An interrupted request is made again this many times: then something other than a signal interrupts it.
const INTERRUPTIONS: u32 = 1000;
/// The thread makes system calls and nothing else.
const STACK: usize = 128 * 1024;

/// A place in the line: what is locked, in this order. The first lock is released as soon as the second is granted.
pub(super) struct Line {
    /// The queue lock; whoever holds it is the next to be served. None where there is no record yet.
    pub(super) queue: Option<OwnedFd>,
    /// The writer's lock.
    pub(super) writer: OwnedFd,
}

impl Line {
    /// Waits for both locks. None if a request failed, or nobody wants the lock any more once the queue lock is granted.
    fn wait(self, waiter: &Waiter) -> Option<OwnedFd> {
        if let Some(queue) = &self.queue {
            block(queue)?;
            if waiter.ends_unwanted() {
                return None;
            }
        }
        block(&self.writer)?;
        Some(self.writer)
    }
}

/// Waits until an exclusive lock is granted; None if it cannot be had that way.
fn block(file: &OwnedFd) -> Option<()> {
    for _ in 0..INTERRUPTIONS {
        match rustix::fs::flock(file, FlockOperation::LockExclusive) {
            Ok(()) => return Some(()),
            Err(Errno::INTR) => {}
            Err(_) => return None,
        }
    }
    None
}

/// The thread's end of the line, shared with its caller.
#[derive(Debug)]
pub(super) struct Waiter {
    slot: Mutex<Slot>,
    changed: Condvar,
}

#[derive(Debug)]
struct Slot {
    stage: Stage,
    wanted: bool,
}

#[derive(Debug)]
enum Stage {
    /// The thread is in the line.
    Waiting,
    /// The lock, for the caller to take.
    Granted(OwnedFd),
    /// The thread has left the line.
    Ended,
}

/// What a caller finds when it asks its waiter.
pub(super) enum Found {
    /// The lock is the caller's.
    Lock(OwnedFd),
    /// The waiter is in the line.
    Waiting,
    /// The waiter has left the line; the lock has to be polled for.
    Nothing,
}

impl Waiter {
    /// Starts a thread that waits in the line. Where none can be started, the waiter has ended from the beginning.
    pub(super) fn start(line: Line) -> Arc<Waiter> {
        let slot = Mutex::new(Slot { stage: Stage::Waiting, wanted: true });
        let waiter = Arc::new(Waiter { slot, changed: Condvar::new() });
        let own = Arc::clone(&waiter);
        let thread = thread::Builder::new().name("lock-waiter".to_owned()).stack_size(STACK);
        if thread.spawn(move || own.settle(line.wait(&own))).is_err() {
            waiter.settle(None);
        }
        waiter
    }

    /// Takes over a waiter whose caller gave up; false if it has left the line.
    pub(super) fn take_over(&self) -> bool {
        let mut slot = self.slot();
        slot.wanted = matches!(slot.stage, Stage::Waiting);
        slot.wanted
    }

    /// Waits for the lock for this long.
    pub(super) fn wait(&self, time: Duration) -> Found {
        let slot = self.slot();
        let waited = self.changed.wait_timeout_while(slot, time, |slot| matches!(slot.stage, Stage::Waiting));
        let (mut slot, _) = waited.unwrap_or_else(PoisonError::into_inner);
        slot.take()
    }

    /// The caller wants the lock no longer. What was granted up to now is still the caller's.
    pub(super) fn give_up(&self) -> Found {
        let mut slot = self.slot();
        slot.wanted = false;
        slot.take()
    }

    /// Ends the thread's wait if nobody wants the lock; no caller can take it over from then on.
    fn ends_unwanted(&self) -> bool {
        let mut slot = self.slot();
        if !slot.wanted {
            slot.stage = Stage::Ended;
        }
        !slot.wanted
    }

    fn settle(&self, granted: Option<OwnedFd>) {
        let mut slot = self.slot();
        slot.stage = match granted {
            Some(lock) if slot.wanted => Stage::Granted(lock),
            _ => Stage::Ended,
        };
        drop(slot);
        self.changed.notify_all();
    }

    fn slot(&self) -> MutexGuard<'_, Slot> {
        self.slot.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Slot {
    fn take(&mut self) -> Found {
        match std::mem::replace(&mut self.stage, Stage::Ended) {
            Stage::Granted(lock) => Found::Lock(lock),
            Stage::Ended => Found::Nothing,
            Stage::Waiting => {
                self.stage = Stage::Waiting;
                Found::Waiting
            }
        }
    }
}

/// The waiters whose callers gave up, the first in the line first.
#[derive(Debug, Default)]
pub(super) struct Abandoned(Mutex<Vec<Arc<Waiter>>>);

impl Abandoned {
    /// A waiter that was abandoned and is in the line still.
    pub(super) fn take_over(&self) -> Option<Arc<Waiter>> {
        let mut all = self.all();
        while !all.is_empty() {
            let first = all.remove(0);
            if first.take_over() {
                return Some(first);
            }
        }
        None
    }

    /// Keeps a waiter for the next caller.
    pub(super) fn add(&self, waiter: Arc<Waiter>) {
        let mut all = self.all();
        all.retain(|waiter| matches!(waiter.slot().stage, Stage::Waiting));
        all.push(waiter);
    }

    fn all(&self) -> MutexGuard<'_, Vec<Arc<Waiter>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

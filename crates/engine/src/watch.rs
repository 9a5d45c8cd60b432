//! Progress and cancellation: a caller follows its own call, may cancel it, and may bind it to what an earlier plan came
//! to; whoever opened a workspace follows what it does besides.

use crate::planned_files::PlannedFiles;
use patchwright_core::refusal::Holder;
use std::cell::Cell;
use std::fmt;
use std::time::Instant;

/// Told of progress, and asked whether to go on.
pub trait Watch: Sync {
    /// Has the caller withdrawn? Asked between steps, and never once a commit has begun.
    fn cancelled(&self) -> bool {
        false
    }

    /// So many of so many steps are done; the whole is unknown while walking a tree.
    fn progress(&self, _done: u64, _total: Option<u64>) {}

    /// When the call came, if it has waited before it was handed over: how long it may wait for others counts from then.
    fn came(&self) -> Option<Instant> {
        None
    }

    /// A changing call is planned. What it comes to is made out for whoever asks. Told before anything is staged, of dry
    /// runs as well.
    fn planned(&self, _files: &dyn Fn() -> PlannedFiles) {}

    /// What a changing call must come to. If a file is not as it was then, or would come out otherwise, the call is
    /// refused as stale and nothing changes. Asked while the call holds the lock.
    fn expects(&self) -> Option<&PlannedFiles> {
        None
    }
}

/// Nobody watches.
pub struct Quiet;

impl Watch for Quiet {}

/// Told of what takes long in a workspace, whichever call it is for.
pub trait Observer: Send + Sync {
    /// Something is under way: so much of so much is done. Told very often, from the first moment on; whoever shows it
    /// chooses when.
    fn doing(&self, what: Doing, done: u64, total: Option<u64>);

    /// What was told of last has come to an end, well or not.
    fn done(&self);
}

impl fmt::Debug for dyn Observer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Observer")
    }
}

/// What takes long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doing {
    /// The record is read and verified; in entries.
    CheckingRecord,
    /// Kept files are read and hashed; in files.
    CheckingKeptFiles,
    /// The index is made, or takes in what is new; in entries of the record.
    BuildingIndex,
    /// A checkpoint is made. Nothing tells of this yet.
    Checkpoint,
    /// A record is taken over; in files, then in entries.
    Adopting,
    /// Another program has the workspace; in milliseconds, of those that are waited at most.
    Waiting {
        /// Who that is, if it can be told.
        for_whom: Option<Holder>,
    },
}

/// One thing that takes long; ended when it is dropped.
pub(crate) struct Activity<'a> {
    observer: Option<&'a dyn Observer>,
    told: Cell<bool>,
}

impl<'a> Activity<'a> {
    /// Begins something that may take long.
    pub(crate) fn of(observer: Option<&'a dyn Observer>) -> Activity<'a> {
        Activity { observer, told: Cell::new(false) }
    }

    /// Tells how far it has come.
    pub(crate) fn tell(&self, what: impl FnOnce() -> Doing, done: u64, total: u64) {
        if let Some(observer) = self.observer {
            self.told.set(true);
            observer.doing(what(), done, Some(total));
        }
    }
}

impl Drop for Activity<'_> {
    fn drop(&mut self) {
        if let Some(observer) = self.observer.filter(|_| self.told.get()) {
            observer.done();
        }
    }
}

//! Where a trial takes place: a workspace and its state, on one small file system or on two.

use super::small::{Scarce, Small};
use crate::failure::Failure;
use crate::prove::aftermath::Door;
use crate::prove::workload::Prepared;
use std::path::Path;

/// Two small file systems; each thread has its own.
pub(super) struct Stage {
    files: Small,
    state: Small,
}

/// Which of them has no room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tight {
    /// Files and state together.
    Both,
    /// The state, elsewhere.
    State,
    /// The files; the state is elsewhere.
    Files,
}

/// What is scarce where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shortage {
    pub(super) tight: Tight,
    pub(super) of: Scarce,
}

impl Stage {
    pub(super) fn set(place: &Path) -> Result<Stage, Failure> {
        Ok(Stage { files: Small::mount(&place.join("files"))?, state: Small::mount(&place.join("state"))? })
    }

    /// Lays a workload out afresh, with all the room there is.
    pub(super) fn lay_out(&self, prepared: &Prepared, binary: &Path, tight: Tight) -> Result<Door, Failure> {
        self.free()?;
        let (root, state) = (self.files.path.join("ws"), self.state.path.join("state"));
        Door::to(prepared, binary, &root, (tight != Tight::Both).then_some(state.as_path()))
    }

    /// Leaves exactly so much.
    pub(super) fn leave(&self, shortage: Shortage, left: u64) -> Result<(), Failure> {
        match shortage.tight {
            Tight::Both | Tight::Files => self.files.leave(left, shortage.of),
            Tight::State => self.state.leave(left, shortage.of),
        }
    }

    /// Makes room again.
    pub(super) fn free(&self) -> Result<(), Failure> {
        self.files.roomy()?;
        self.state.roomy()
    }
}

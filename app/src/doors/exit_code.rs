//! Doors: how a process ends, the same for every door.

use super::call::Outcome;
use patchwright_core::outcome::Trouble;
use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It was done.
    Done,
    /// It was refused.
    Refused,
    /// It was not understood.
    Usage,
    /// The machine failed.
    Fault,
}

impl Status {
    /// The process's exit status.
    pub fn code(self) -> u8 {
        match self {
            Status::Done => 0,
            Status::Refused => 1,
            Status::Usage => 2,
            Status::Fault => 3,
        }
    }

    /// What an outcome means for the exit status.
    pub(super) fn of(outcome: &Outcome) -> Status {
        match outcome {
            Ok(_) => Status::Done,
            Err(failed) => Status::of_trouble(&failed.trouble),
        }
    }

    /// What bad news means for the exit status.
    pub(super) fn of_trouble(trouble: &Trouble) -> Status {
        match trouble {
            Trouble::Refused(_) => Status::Refused,
            Trouble::Fault(_) => Status::Fault,
        }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(status.code())
    }
}

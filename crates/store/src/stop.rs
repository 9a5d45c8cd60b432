//! Why publishing stopped: the files are not as they were planned for, or the machine failed.

use crate::disk::Halt;
use crate::phase::Phase;
use crate::records::Work;
use crate::stage::Unstaged;
use patchwright_core::digest::Digest;
use patchwright_core::path::RelPath;
use patchwright_core::refusal::{Broken, Missing, Refusal, Sort, Stale, StaleReason, Why};
use std::io;

/// Why publishing stopped.
#[derive(Debug)]
pub enum Stop {
    /// The files are not as they were planned for.
    Refused(Box<Refusal>),
    /// The machine failed.
    Halted(Unstaged),
}

impl Stop {
    /// The error kind for the record.
    pub fn kind(&self) -> String {
        match self {
            Stop::Refused(refusal) => refusal.kind().name().to_owned(),
            Stop::Halted(_) => "command_failed".to_owned(),
        }
    }

    /// The rules that were broken; none if the machine failed.
    pub(crate) fn broken(&self) -> Vec<Broken> {
        match self {
            Stop::Refused(refusal) => refusal.broken(),
            Stop::Halted(_) => Vec::new(),
        }
    }
}

/// The machine, or somebody else, stopped a step.
pub(crate) fn stopped(work: &Work, path: &RelPath, doing: Phase, halt: Halt) -> Stop {
    if doing == Phase::Swap && halt.is_missing() {
        // The file vanished, or is no longer what it was, between planning and the swap.
        return match work.before {
            Some(before) => Stop::Refused(Refusal::at(path, Why::Stale(stale(before, None))).into()),
            None => Stop::Refused(Refusal::at(path, Why::NotFound(Missing::File { alike: Vec::new() })).into()),
        };
    }
    misplaced(path, doing, halt)
}

pub(crate) fn misplaced(path: &RelPath, doing: Phase, halt: Halt) -> Stop {
    let why = match (&halt, doing) {
        (halt, Phase::Swap | Phase::Mkdir) if halt.is_taken() => Why::AlreadyExists(Sort::File),
        (halt, Phase::Turn) if halt.os_kind() == Some(io::ErrorKind::DirectoryNotEmpty) => {
            Why::AlreadyExists(Sort::Folder)
        }
        (Halt::Escape, _) => Why::LinkLeavesRoot,
        _ => return Stop::Halted(Unstaged { path: Some(path.clone()), doing, halt }),
    };
    Stop::Refused(Refusal::at(path, why).into())
}

pub(crate) fn overtaken(work: &Work, actual: Option<Digest>) -> Stop {
    match work.before {
        Some(before) => Stop::Refused(Refusal::at(&work.path, Why::Stale(stale(before, actual))).into()),
        None => Stop::Refused(Refusal::at(&work.path, Why::AlreadyExists(Sort::File)).into()),
    }
}

fn stale(before: Digest, actual: Option<Digest>) -> Stale {
    Stale {
        expected: Some(before.to_string()),
        actual,
        reason: StaleReason::ChangedMeanwhile,
        sort: Sort::File,
        argument: "expectedSha256",
    }
}

//! CLI door: how a command ends: with an exit status, or with what stopped it.

use crate::doors::exit_code::Status;
use crate::doors::open::Complaint;
use crate::wire::UnknownTool;
use patchwright_core::outcome::Trouble;
use std::io;

/// How a command ends: with a status, or with something that stopped it.
pub(super) type Ending = Result<Status, Stop>;

/// What stopped a command.
#[derive(Debug)]
pub(super) enum Stop {
    /// It could not begin.
    Complaint(Complaint),
    /// Its output could not be written.
    Output(io::Error),
}

impl From<Complaint> for Stop {
    fn from(complaint: Complaint) -> Stop {
        Stop::Complaint(complaint)
    }
}

impl From<Trouble> for Stop {
    fn from(trouble: Trouble) -> Stop {
        Stop::Complaint(Complaint::Closed(Box::new(trouble)))
    }
}

impl From<UnknownTool> for Stop {
    fn from(unknown: UnknownTool) -> Stop {
        Stop::usage(unknown.to_string())
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        Stop::Output(error)
    }
}

impl Stop {
    /// Something that cannot be done.
    pub(super) fn refused(message: impl Into<String>) -> Stop {
        Stop::Complaint(Complaint::Refused(message.into()))
    }

    /// Something that makes no sense.
    pub(super) fn usage(message: impl Into<String>) -> Stop {
        Stop::Complaint(Complaint::Usage(message.into()))
    }
}

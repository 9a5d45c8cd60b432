//! What stopped a command, and what to do about it.

use std::fmt;

/// A command that could not go on.
#[derive(Debug)]
pub(crate) struct Failure {
    what: String,
    next: String,
}

impl Failure {
    /// States the fact and the next step.
    pub(crate) fn new(what: impl Into<String>, next: impl Into<String>) -> Failure {
        Failure { what: what.into(), next: next.into() }
    }

    /// For a file or program the machine would not give us.
    pub(crate) fn io(what: impl fmt::Display, error: &std::io::Error) -> Failure {
        Failure::new(format!("{what}: {error}"), "look at the path and its permissions, then run the command again")
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "failed: {}\nnext: {}", self.what, self.next)
    }
}

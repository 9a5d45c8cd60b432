//! What a tape tells: edits of the marked version, and why a change cannot be taken back.

use super::Span;

/// What taking changes back makes of the marked version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The lines of the marked version.
    pub before: Span,
    /// The lines of the new one.
    pub after: Span,
    /// Where each of those comes from.
    pub lines: Vec<Source>,
    /// The changes that it takes back.
    pub undoes: Vec<String>,
}

/// Where a line comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// It is this line of the marked version.
    Kept(usize),
    /// It is one of those that a change replaced.
    Gone {
        /// The change.
        change: String,
        /// Which of its lines.
        at: usize,
    },
}

/// Why a change cannot be taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lost {
    /// Later changes touch it.
    Touched {
        /// The change.
        change: String,
        /// The lines now where it was, as far as that can be told.
        now: Span,
    },
    /// It shares its lines with other changes of its batch, which would have to be taken back too.
    Shared {
        /// The change.
        change: String,
        /// The others.
        others: Vec<String>,
    },
    /// Nothing is known of it.
    Unknown {
        /// The change.
        change: String,
    },
}

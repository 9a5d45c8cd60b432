//! Looking without changing: reading, listing, searching, globbing.
//!
//! Promises that everything is opened through the guard, that answers come in a stable order whatever
//! the threads do, and that memory grows with the answer, not with the files, unless anchors are asked
//! for. Leaves what may be seen to the caller's [`Sight`], and wording to others.

mod anchored;
mod decode;
mod expression;
mod glob;
mod hits;
mod kept;
mod list;
mod pattern;
mod pieces;
mod preview;
mod query;
mod queue;
mod read;
mod rules;
mod scan;
mod search;
mod simulation;
mod slice;
mod walk;

pub use glob::{Globbing, glob};
pub use list::{Depth, Hashing, Listing, list};
pub use query::{Case, Mode, Searching};
pub use read::{read, read_bytes};
pub use search::search;
pub use slice::{Anchoring, OnBinary, Reading, Slice};
pub use walk::{Hidden, Ignored};

use crate::disk::Halt;
use patchwright_core::path::RelPath;

/// What a caller lets us see, and whether it still wants the answer.
#[derive(Clone, Copy)]
pub struct Sight<'a> {
    /// May this path be shown? Asked with links followed.
    pub may: &'a (dyn Fn(&RelPath) -> bool + Sync),
    /// Told how much has been looked at (files, or bytes of one file); says whether to go on.
    pub go_on: &'a (dyn Fn(u64) -> bool + Sync),
}

impl Sight<'static> {
    /// Everything, to the end.
    pub const ALL: Sight<'static> = Sight { may: &|_| true, go_on: &|_| true };
}

/// Why a look failed.
#[derive(Debug)]
pub enum LookProblem {
    /// A regular expression that does not compile, in its compiler's words.
    BadPattern(String),
    /// A glob that does not compile, in its compiler's words.
    BadGlob(String),
    /// A cursor that no listing gave.
    BadCursor,
    /// A file where a folder is needed.
    NotFolder,
    /// Not text, and bytes were not asked for.
    Binary,
    /// Too large to be held in memory, which anchors need.
    TooLarge {
        /// Its bytes.
        size: u64,
        /// Most bytes.
        limit: u64,
    },
    /// The caller did not want the answer any more.
    Stopped,
    /// The disk's own.
    Halt(Halt),
}

impl From<Halt> for LookProblem {
    fn from(halt: Halt) -> LookProblem {
        match halt.os_kind() {
            Some(std::io::ErrorKind::NotADirectory) => LookProblem::NotFolder,
            _ => LookProblem::Halt(halt),
        }
    }
}

/// An answer, and what had to be left out of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Looked<T> {
    /// The answer.
    pub answer: T,
    /// What it lacks.
    pub left_out: LeftOut,
}

/// What an answer lacks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// How many files and folders could not be read.
    pub unreadable: u64,
    /// The first of them in the order of paths.
    pub first_unreadable: Option<String>,
    /// How many files were not searched to their end, because the expression had taken all its steps.
    pub unsearched: u64,
    /// The first of them in the order of paths.
    pub first_unsearched: Option<String>,
    /// How many names are not text, and so cannot be asked for.
    pub unaddressable: u64,
}

impl LeftOut {
    fn unread(&mut self, path: &str) {
        self.unreadable += 1;
        first(&mut self.first_unreadable, path);
    }

    fn unsearched(&mut self, path: &str) {
        self.unsearched += 1;
        first(&mut self.first_unsearched, path);
    }

    fn add(&mut self, other: LeftOut) {
        other.first_unreadable.iter().for_each(|path| first(&mut self.first_unreadable, path));
        other.first_unsearched.iter().for_each(|path| first(&mut self.first_unsearched, path));
        self.unreadable += other.unreadable;
        self.unsearched += other.unsearched;
        self.unaddressable += other.unaddressable;
    }
}

/// Keeps the path that comes first.
fn first(known: &mut Option<String>, path: &str) {
    if known.as_deref().is_none_or(|first| path < first) {
        *known = Some(path.to_owned());
    }
}

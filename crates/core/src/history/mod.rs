//! Versions of a file by their lines: which line of one version is which of another, what taking a change
//! back leaves, what an edit is worth on moved ground. Pure: the versions' bytes are handed in.
//!
//! A line keeps its identity for as long as nobody changes it, and gets it back when a change is taken
//! back. So nothing is ever placed by likeness where the record knows better.

mod compare;
mod delta;
mod parts;
mod raw;
mod rebase;
mod tape;

pub use compare::{differences, same_lines, same_runs};
pub use delta::{Cut, Delta};
pub use parts::check_spans;
pub use raw::{End, RawLines};
pub use rebase::{Clash, Rebased, rebase, with_only};
pub use tape::{Edit, Lost, Source, Tape};

/// Lines in a row, counted from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// The first.
    pub first: usize,
    /// How many.
    pub count: usize,
}

impl Span {
    /// One past the last.
    pub fn end(self) -> usize {
        self.first.saturating_add(self.count)
    }
}

/// One recorded piece of a change: these lines of one version became those of the next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Piece {
    /// Its id on record. Pieces of one version with equal spans are one, under several ids.
    pub id: String,
    /// The lines it replaced.
    pub before: Span,
    /// The lines it brought.
    pub after: Span,
    /// Those of the lines it brought that an earlier change had removed, in order; the rest is new.
    pub restores: Vec<Restored>,
}

/// Lines that came back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restored {
    /// Which of the lines that the piece brought come back, counted from the first of them.
    pub at: usize,
    /// The change that had removed them.
    pub change: String,
    /// Where they stood among the lines that it replaced.
    pub from: usize,
    /// How many.
    pub count: usize,
}

//! The facts behind a proof of sight that fails.

use super::Sort;
use crate::digest::Digest;

/// A proof of sight that fails.
#[derive(Clone, Debug, PartialEq)]
pub struct Stale {
    /// What the caller believed; nothing when no proof was given. As the caller spelt it.
    pub expected: Option<String>,
    /// What is there.
    pub actual: Option<Digest>,
    /// How it came to light.
    pub reason: StaleReason,
    /// What stands there, for which the proof was asked.
    pub sort: Sort,
    /// The argument that would have carried the proof.
    pub argument: &'static str,
}

/// How a failing proof came to light.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StaleReason {
    /// The hashes differ at planning.
    Mismatch,
    /// Neither a hash nor an earlier read of this session.
    Unproven,
    /// This session saw other bytes.
    ChangedSinceSeen,
    /// Another program was quicker, between planning and the swap.
    ChangedMeanwhile,
}

/// A file that a session has looked at, and of which it was not shown all that it is to overwrite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unseen {
    /// What is there.
    pub actual: Digest,
    /// The 1-based lines that were not shown, first and last, the first few stretches of them; none where they cannot
    /// be told.
    pub lines: Vec<(usize, usize)>,
    /// How many stretches there are in all.
    pub stretches: usize,
    /// How many lines the file has.
    pub line_count: usize,
    /// The bytes of the longest of them: a reading must be allowed as many to show it whole.
    pub longest: usize,
}

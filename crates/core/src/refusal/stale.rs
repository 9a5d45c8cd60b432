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

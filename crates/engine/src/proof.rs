//! Proof of sight: a call that changes a file shows that its author has seen the present bytes.

use crate::options::Proof;
use patchwright_core::digest::Digest;
use patchwright_core::path::RelPath;
use patchwright_core::refusal::{Refusal, Sort, Stale, StaleReason, Why};
use patchwright_core::seeded::{Bug, is_planted};

/// How a proof was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Proven {
    /// By hash or by the ledger.
    Seen,
    /// Not at all, because the caller switched it off.
    Unchecked,
}

impl Proven {
    /// Of two proofs of one call, the weaker.
    pub(crate) fn weaker(self, other: Proven) -> Proven {
        if other == Proven::Unchecked { other } else { self }
    }
}

/// Checks the proof for one existing file, of which the session has seen the version with that hash.
pub(crate) fn prove(
    path: &RelPath,
    (sort, actual): (Sort, Digest),
    (given, argument): (Option<Digest>, &'static str),
    (rule, seen): (Proof, Option<Digest>),
) -> Result<Proven, Refusal> {
    let stale = |expected: Option<Digest>, reason| {
        let expected = expected.map(|digest| digest.to_string());
        Refusal::at(path, Why::Stale(Stale { expected, actual: Some(actual), reason, sort, argument }))
    };
    match (given, rule) {
        _ if is_planted(Bug::StaleIgnored) => Ok(Proven::Seen),
        (Some(given), _) if given == actual => Ok(Proven::Seen),
        (Some(given), _) => Err(stale(Some(given), StaleReason::Mismatch)),
        (None, Proof::Unchecked) => Ok(Proven::Unchecked),
        (None, Proof::HashOnly) => Err(stale(None, StaleReason::Unproven)),
        (None, Proof::HashOrLedger) => match seen {
            None => Err(stale(None, StaleReason::Unproven)),
            Some(seen) if seen == actual => Ok(Proven::Seen),
            Some(seen) => Err(stale(Some(seen), StaleReason::ChangedSinceSeen)),
        },
    }
}

//! Proof of sight: a call that changes a file shows that its author has seen the present bytes.

use crate::gather::Gather;
use crate::options::Proof;
use crate::session::Session;
use patchwright_core::digest::{Digest, DigestPrefix};
use patchwright_core::outcome::Trouble;
use patchwright_core::path::RelPath;
use patchwright_core::plan::Seen;
use patchwright_core::refusal::{Refusal, Sort, Stale, StaleReason, Unseen, Why};
use patchwright_core::seeded::{Bug, is_planted};
use patchwright_core::text::{Charset, Document, lines};
use std::ops::Range;

/// At most this many stretches of lines are told that were not shown.
const TOLD: usize = 20;

/// The argument that carries the proof of sight in most calls.
const EXPECTED: &str = "expectedSha256";

/// The argument that carries proofs of sight by path.
pub(crate) const BY_PATH: &str = "expectedSha256ByPath";

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

/// What a caller says to have seen of a file.
#[derive(Clone, Copy)]
pub(crate) struct Claim {
    /// The hash, or its beginning; nothing if the caller gave none.
    pub(crate) given: Option<DigestPrefix>,
    /// The argument that carries it.
    pub(crate) argument: &'static str,
}

/// A file or link that is there.
#[derive(Clone, Copy)]
pub(crate) struct Present {
    sort: Sort,
    pub(crate) digest: Digest,
}

impl Present {
    /// What was seen at a path, if that is a file or link.
    pub(crate) fn of(seen: &Seen) -> Option<Present> {
        Some(Present { sort: seen.sort()?, digest: seen.digest()? })
    }
}

impl Claim {
    /// The claim in the argument that most calls have for it.
    pub(crate) fn expected(given: Option<DigestPrefix>) -> Claim {
        Claim { given, argument: EXPECTED }
    }

    /// Checks the claim against the file that is there. `seen` is the hash of the version that the session saw last.
    pub(crate) fn prove(
        self,
        path: &RelPath,
        there: Present,
        rule: Proof,
        seen: Option<Digest>,
    ) -> Result<Proven, Refusal> {
        let Present { sort, digest: actual } = there;
        let stale = |expected: Option<DigestPrefix>, reason| {
            let (expected, argument) = (expected.map(|digest| digest.to_string()), self.argument);
            Refusal::at(path, Why::Stale(Stale { expected, actual: Some(actual), reason, sort, argument }))
        };
        match (self.given, rule) {
            _ if is_planted(Bug::StaleIgnored) => Ok(Proven::Seen),
            (Some(given), _) if given.fits(actual) => Ok(Proven::Seen),
            (Some(given), _) => Err(stale(Some(given), StaleReason::Mismatch)),
            (None, Proof::Unchecked) => Ok(Proven::Unchecked),
            (None, Proof::HashOnly) => Err(stale(None, StaleReason::Unproven)),
            (None, Proof::HashOrLedger) => match seen {
                None => Err(stale(None, StaleReason::Unproven)),
                Some(seen) if seen == actual => Ok(Proven::Seen),
                Some(seen) => Err(stale(Some(seen.into()), StaleReason::ChangedSinceSeen)),
            },
        }
    }
}

impl Session {
    /// A call that writes all of a file, and is proven by the ledger alone, must have been shown all of it.
    pub(crate) fn all_shown(
        &self,
        gather: &Gather<'_>,
        path: &RelPath,
        charset: Option<Charset>,
    ) -> Result<(), Refusal> {
        let Seen::File(file) = gather.snapshot.seen(path) else { return Ok(()) };
        let bytes = file.bytes.as_deref().map_or(&[][..], |bytes| bytes);
        if file.size == 0 || is_planted(Bug::StaleIgnored) {
            return Ok(());
        }
        let text = Document::open(bytes, charset).ok();
        let long: Vec<usize> = text.iter().flat_map(|text| lines(text.text())).map(|line| line.text.len()).collect();
        let Some(missing) = self.ledger().unseen(&gather.real(path), long.len()) else { return Ok(()) };
        Err(Refusal::at(path, Why::Unseen(unseen(file.digest, &missing, &long))))
    }
}

fn unseen(actual: Digest, missing: &[Range<usize>], long: &[usize]) -> Unseen {
    let longest = missing.iter().filter_map(|gap| long.get(gap.clone())).flatten().max();
    Unseen {
        actual,
        lines: missing.iter().map(|gap| (gap.start + 1, gap.end)).take(TOLD).collect(),
        stretches: missing.len(),
        line_count: long.len(),
        longest: longest.copied().unwrap_or_default(),
    }
}

/// Checks what was said about a file.
pub(crate) fn same(path: &RelPath, value: &str, seen: &Seen) -> Result<(), Trouble> {
    let actual = seen.digest();
    if let (Some(given), Some(actual)) = (DigestPrefix::parse(value), actual)
        && given.fits(actual)
    {
        return Ok(());
    }
    let expected = Some(value.to_owned());
    let (reason, sort) = (StaleReason::Mismatch, seen.sort().unwrap_or(Sort::File));
    let stale = Stale { expected, actual, reason, sort, argument: BY_PATH };
    Err(Refusal::at(path, Why::Stale(stale)).into())
}

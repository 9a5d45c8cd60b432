//! `edit_file` on a file that others changed since the session saw it. The edit goes ahead if the version that the session
//! saw is on record and the edit does not touch what the others changed. The session then knows what it knew before and
//! its own edit; it has not seen what the others did.

use crate::gather::Gather;
use crate::ledger::View;
use crate::past::Past;
use crate::session::Session;
use crate::since::Versions;
use crate::turn::Turn;
use patchwright_core::bytes::Bytes;
use patchwright_core::digest::Digest;
use patchwright_core::history::Delta;
use patchwright_core::outcome::Trouble;
use patchwright_core::path::RelPath;
use patchwright_core::plan::{Act, Beside as BesideOthers, Plan, Seen, beside};
use patchwright_core::refusal::{Refusal, Since, Stale, StaleReason, Why};
use patchwright_core::tool::EditFile;
use patchwright_core::warning::Warning;
use std::ops::Range;

/// At most this many stretches of changed lines are told.
const TOLD: usize = 20;

/// An edit that stands apart from what others changed.
#[derive(Clone, Debug)]
pub(crate) struct Beside {
    /// The plan that the edit gives for the version that the session saw.
    pub(crate) plan: Plan,
    /// How to rebuild the version that the session knows after the edit.
    pub(crate) view: Option<View>,
    pub(crate) told: Warning,
}

/// A version that the session saw.
pub(crate) struct VersionSeen {
    pub(crate) bytes: Bytes,
    /// The version on record that it is, or is made of.
    base: (Digest, Bytes),
}

impl Session {
    /// The edit, if it does not touch what others changed in the file since the session saw it.
    pub(crate) fn beside(
        &self,
        held: &mut Turn<'_>,
        gather: &Gather<'_>,
        path: &RelPath,
        ask: &EditFile,
    ) -> Option<Beside> {
        let Seen::File(file) = gather.snapshot.seen(path) else { return None };
        let known = self.ledger().last_seen(&file.real)?;
        let past = self.past_of(held).ok()?;
        let seen = self.version_seen(&past, &file.real, known)?;
        let found = beside(path, &seen.bytes, &file, &ask.edits, ask.charset)?;
        let since = self.since_seen(&past, &file.real, Versions { known, now: Some(file.digest) });
        let told = told(path, &since.unwrap_or_default(), &found);
        let view = view(&found.plan, &seen);
        Some(Beside { plan: found.plan, view, told })
    }

    /// The bytes of a version that the session saw, if they are on record or made of what is.
    pub(crate) fn version_seen(&self, past: &Past<'_>, path: &RelPath, known: Digest) -> Option<VersionSeen> {
        let version = |digest| past.version(path.as_str(), digest).ok().flatten();
        let view = self.ledger().view(path, known);
        let Some(View { base, delta }) = view else {
            let bytes = version(known)?;
            return Some(VersionSeen { base: (known, bytes.clone()), bytes });
        };
        let from = version(base)?;
        let bytes = Bytes::new(delta.apply(&from)?);
        (Digest::of(&bytes) == known).then_some(VersionSeen { bytes, base: (base, from) })
    }
}

/// Is a call refused only because the file has changed since the session saw it?
pub(crate) fn is_behind(trouble: &Trouble) -> bool {
    let Trouble::Refused(Refusal { why: Why::Stale(Stale { reason, .. }), .. }) = trouble else { return false };
    *reason == StaleReason::ChangedSinceSeen
}

/// How to rebuild the edited version of what was seen from the version on record.
fn view(plan: &Plan, seen: &VersionSeen) -> Option<View> {
    let Act::Replace { after, .. } = &plan.steps.first()?.act else { return None };
    let (base, from) = &seen.base;
    Some(View { base: *base, delta: Delta::of(from, after)? })
}

fn told(path: &RelPath, since: &Since, found: &BesideOthers) -> Warning {
    // Of lines that only went, those around the gap, as far as there are such.
    let last = (found.count as u64).max(1);
    let lines = |range: &Range<usize>| match range.is_empty() {
        true => (range.start.max(1) as u64, (range.start as u64 + 1).min(last)),
        false => (range.start as u64 + 1, range.end as u64),
    };
    Warning::BesideOthers {
        path: path.to_string(),
        batches: since.batches.iter().map(|one| one.batch.to_string()).collect(),
        foreign: since.foreign || since.batches.is_empty(),
        lines: found.others.iter().take(TOLD).map(lines).collect(),
        stretches: found.others.len() as u64,
    }
}

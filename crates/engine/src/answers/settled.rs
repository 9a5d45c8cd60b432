//! The answer to an undo, and to a proposal that was carried out or dropped.

use super::Recorded;
use crate::names;
use crate::recorded::{file_view, told};
use patchwright_core::batch::BatchStatus;
use patchwright_core::digest::Digest;
use patchwright_core::outcome::{Answer, Concurrency, Extent, Replayed, Reply, Settled};

/// The answer to an undo or to a proposal that was carried out.
pub(crate) fn settled(recorded: Recorded<'_>) -> Reply {
    let Recorded { commit, head, extent } = recorded;
    let is_undo = commit.proposed.is_none();
    let changes = commit.files.iter().flat_map(|file| &file.changes);
    let status = match (extent, is_undo) {
        (Extent::Done, _) | (_, true) => BatchStatus::Applied,
        _ => BatchStatus::Proposed,
    };
    let answer = Settled {
        batch: (extent == Extent::Done || !is_undo).then(|| names::of_commit(commit)),
        status,
        undone: names::by_id(&commit.undoes),
        changes: match is_undo {
            true => changes.flat_map(|change| names::by_id(&change.undoes)).collect(),
            false => changes.map(|change| change.id.clone().into()).collect(),
        },
        dropped: commit.proposed.as_ref().map(|proposed| names::by_id(&proposed.dropped)).unwrap_or_default(),
        rebased: commit.proposed.as_ref().is_some_and(|proposed| proposed.rebased),
        files: told(&commit.files).filter(|file| !file.is_idle()).map(|file| file_view(file, &|_| status)).collect(),
        extent,
        concurrency: if commit.verified { Concurrency::Verified } else { Concurrency::Checked },
    };
    let warnings = commit.warnings.clone();
    Reply { answer: Answer::Settled(Box::new(answer)), warnings, audit_head: Some(head), replayed: Replayed::No }
}

/// The answer to a proposal that was dropped.
pub(crate) fn rejected(batch: &str, status: BatchStatus, extent: Extent, head: Digest) -> Reply {
    let answer = Settled {
        batch: Some(batch.to_owned().into()),
        status,
        undone: Vec::new(),
        changes: Vec::new(),
        dropped: Vec::new(),
        rebased: false,
        files: Vec::new(),
        extent,
        concurrency: Concurrency::Verified,
    };
    let answer = Answer::Settled(Box::new(answer));
    Reply { answer, warnings: Vec::new(), audit_head: Some(head), replayed: Replayed::No }
}

//! From what is on record to what a caller is told. A replayed answer is built from the same record as
//! the first one was.

use crate::prepare::Prepared;
use patchwright_core::digest::Digest;
use patchwright_core::outcome::{Answer, Changed, Concurrency, Extent, Operation, Purged, Replayed, Reply};
use patchwright_core::path::RelPath;
use patchwright_core::plan::{Seen, Snapshot};
use patchwright_core::warning::Warning;
use patchwright_store::records::{Commit, FileRecord, Purge};

/// The answer to a call that was carried out.
pub(crate) fn committed(prepared: &Prepared, commit: &Commit, head: Digest) -> Reply {
    let mut changed = changed(commit, Extent::Done);
    let shown = prepared.to.as_ref().unwrap_or(&prepared.path);
    changed.path = shown.to_string();
    reply(changed, commit, head)
}

/// The answer to a call that an earlier one already carried out.
pub(crate) fn replayed(commit: &Commit, head: Digest) -> Reply {
    Reply { replayed: Replayed::Yes, ..reply(changed(commit, Extent::Done), commit, head) }
}

/// The answer to a dry run, or to a call for what already is.
pub(crate) fn without_effect(
    prepared: &Prepared,
    snapshot: &Snapshot,
    (commit, head, extent): (&Commit, Digest, Extent),
) -> Reply {
    let mut answer = match extent {
        Extent::Unchanged => unchanged(snapshot, prepared),
        Extent::Dry | Extent::Done => changed(commit, extent),
    };
    answer.path = prepared.to.as_ref().unwrap_or(&prepared.path).to_string();
    answer.batch = None;
    answer.trash = None;
    reply(answer, commit, head)
}

/// The answer to a purge that an earlier call already carried out.
pub(crate) fn purge_replayed(purge: &Purge, head: Digest) -> Reply {
    Reply { replayed: Replayed::Yes, ..purged(purge, Extent::Done, head) }
}

/// The answer to a purge.
pub(crate) fn purged(purge: &Purge, extent: Extent, head: Digest) -> Reply {
    let batch = (extent == Extent::Done).then(|| purge.batch.clone());
    let answer = Purged { entries: purge.ids.len(), bytes: purge.bytes, ids: purge.ids.clone(), extent, batch };
    Reply { answer: Answer::Purged(answer), warnings: Vec::new(), audit_head: Some(head), replayed: Replayed::No }
}

fn reply(changed: Changed, commit: &Commit, head: Digest) -> Reply {
    let mut warnings = commit.warnings.clone();
    if changed.diff_cut {
        warnings.push(Warning::DiffCut { path: changed.path.clone() });
    }
    Reply { answer: Answer::Changed(changed), warnings, audit_head: Some(head), replayed: Replayed::No }
}

/// The batch's last file is what the call was about; what a move pushed aside comes before it.
fn changed(commit: &Commit, extent: Extent) -> Changed {
    let main = commit.files.last();
    let operation = main.map_or(Operation::Update, operation);
    let moved = main.and_then(|file| file.to.as_ref());
    Changed {
        path: moved.or(main.map(|file| &file.path)).map(RelPath::to_string).unwrap_or_default(),
        from: moved.and(main).map(|file| file.path.to_string()),
        operation,
        before: main.and_then(|file| file.before),
        after: main.and_then(|file| file.after),
        size: main.map_or(0, |file| file.size),
        diff: commit.files.iter().map(|file| file.diff.as_str()).collect(),
        diff_cut: commit.files.iter().any(|file| file.diff_cut),
        batch: Some(commit.batch.clone()),
        trash: commit.files.iter().find_map(|file| file.trash.clone()),
        extent,
        concurrency: if commit.verified { Concurrency::Verified } else { Concurrency::Checked },
    }
}

fn unchanged(snapshot: &Snapshot, prepared: &Prepared) -> Changed {
    let seen = snapshot.seen(&prepared.path);
    let size = match &seen {
        Seen::File(file) => file.size,
        _ => 0,
    };
    Changed {
        path: prepared.path.to_string(),
        from: None,
        operation: Operation::Update,
        before: seen.digest(),
        after: seen.digest(),
        size,
        diff: String::new(),
        diff_cut: false,
        batch: None,
        trash: None,
        extent: Extent::Unchanged,
        concurrency: Concurrency::Verified,
    }
}

fn operation(file: &FileRecord) -> Operation {
    match file.operation.as_str() {
        "create" => Operation::Create,
        "delete" => Operation::Delete,
        "move" => Operation::Move,
        "restore" => Operation::Restore,
        _ => Operation::Update,
    }
}

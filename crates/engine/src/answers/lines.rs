//! What a line patch came to, from its record alone: the first answer, a replayed one and that to a proposal
//! are built alike.

use super::{Recorded, concurrency};
use crate::names::{by_id, of_commit};
use crate::prepare::Prepared;
use crate::recorded::marks;
use patchwright_core::batch::{BatchStatus, ChangeName};
use patchwright_core::dialect::lines::FilePatch;
use patchwright_core::intent::{Intent, LineChange};
use patchwright_core::outcome::{
    Answer, ChangeLines, ChangeView, Concurrency, Extent, FilePatchView, LinePatched, Operation, Replayed, Reply,
};
use patchwright_core::plan::Snapshot;
use patchwright_core::warning::Warning;
use patchwright_store::records::{ChangeRecord, FileRecord};
use std::collections::HashMap;

/// The answer to a line patch on record, to a dry run of one, or to a proposal.
pub(crate) fn reply(recorded: Recorded<'_>) -> Reply {
    let Recorded { commit, extent, .. } = recorded;
    let stored = matches!(extent, Extent::Done | Extent::Proposed);
    let mut files: Vec<FilePatchView> = commit.files.iter().map(file).collect();
    if !stored {
        files.iter_mut().for_each(without_ids);
    }
    let changes = files.iter_mut().flat_map(|file| &mut file.changes);
    for (change, place) in changes.zip(1..) {
        change.status = status(extent);
        if stored {
            (change.name.batch, change.name.place) = (commit.number, place);
        }
    }
    let mut warnings = commit.warnings.clone();
    let cut = files.iter().filter(|file| file.diff_cut);
    warnings.extend(cut.map(|file| Warning::DiffCut { path: file.path.clone() }));
    told(recorded, files, warnings)
}

/// Puts what the call said of its lines into the answer to it. A replayed answer is one to the same call, so it fits.
pub(crate) fn with_lines(mut reply: Reply, asked: &[FilePatch]) -> Reply {
    let Answer::LinePatched(patch) = &mut reply.answer else { return reply };
    let by_name: HashMap<&str, &FilePatch> =
        asked.iter().filter_map(|file| Some((file.doc_path.as_deref()?, file))).collect();
    for file in &mut patch.files {
        let Some(asked) = file.doc_path.as_deref().and_then(|name| by_name.get(name)) else { continue };
        let mut edits = asked.changes.iter().zip(asked.wanted()).peekable();
        for view in &mut file.changes {
            // A change of the last line for its newline alone is in no call.
            if let Some((edit, _)) = edits.next_if(|(_, wanted)| is_of(view, wanted)) {
                view.before.lines.clone_from(&edit.expected);
                view.after.lines.clone_from(&edit.lines);
            }
        }
    }
    reply
}

/// Is this what became of a change that was asked for?
fn is_of(view: &ChangeView, asked: &LineChange) -> bool {
    let place = (asked.span.start + 1, asked.span.len(), asked.lines.len());
    place == (view.before.first, view.before.count, view.after.count)
}

/// The answer where every file already is as it should be.
pub(super) fn unchanged(prepared: &Prepared, snapshot: &Snapshot, recorded: Recorded<'_>) -> Reply {
    let same = |(intent, wish): (&Intent, &crate::prepare::Wish)| {
        let Intent::Lines { path, changes, .. } = intent else { return None };
        let digest = snapshot.seen(path).digest();
        Some(FilePatchView {
            id: String::new(),
            key: wish.key.clone(),
            label: wish.label.clone(),
            doc_path: wish.doc_path.clone(),
            operation: Operation::Update,
            path: snapshot.seen(path).real().unwrap_or(path).to_string(),
            to: None,
            before: digest,
            after: digest,
            holds: None,
            diff: String::new(),
            diff_cut: false,
            changes: changes.iter().map(idle).collect(),
        })
    };
    let files = prepared.intents.iter().zip(&prepared.wishes).filter_map(same).collect();
    told(recorded, files, recorded.commit.warnings.clone())
}

fn told(recorded: Recorded<'_>, files: Vec<FilePatchView>, warnings: Vec<Warning>) -> Reply {
    let Recorded { commit, head, extent } = recorded;
    let stored = matches!(extent, Extent::Done | Extent::Proposed);
    let answer = LinePatched {
        batch: stored.then(|| of_commit(commit)),
        key: commit.batch_key.clone(),
        label: commit.label.clone(),
        status: status(extent),
        files,
        extent,
        concurrency: if stored { concurrency(commit) } else { Concurrency::Verified },
    };
    Reply { answer: Answer::LinePatched(Box::new(answer)), warnings, audit_head: Some(head), replayed: Replayed::No }
}

fn status(extent: Extent) -> BatchStatus {
    if extent == Extent::Proposed { BatchStatus::Proposed } else { BatchStatus::Applied }
}

fn file(record: &FileRecord) -> FilePatchView {
    FilePatchView {
        id: record.id.clone(),
        key: record.key.clone(),
        label: record.label.clone(),
        doc_path: record.doc_path.clone(),
        operation: Operation::Update,
        path: record.path.to_string(),
        to: None,
        before: record.before,
        after: record.after,
        holds: None,
        diff: record.diff.clone(),
        diff_cut: record.diff_cut,
        changes: record.changes.iter().map(change).collect(),
    }
}

fn change(record: &ChangeRecord) -> ChangeView {
    ChangeView {
        name: record.id.clone().into(),
        key: record.key.clone(),
        operation: operation(record.before.1, record.after.1).to_owned(),
        description: record.description.clone(),
        status: BatchStatus::Applied,
        before: span(record.before.0, record.before.1),
        after: span(record.after.0, record.after.1),
        undoes: by_id(&record.undoes),
        marks: marks(record),
    }
}

/// A change that leaves its lines as they are.
fn idle(change: &LineChange) -> ChangeView {
    let (first, gone, come) = (change.span.start + 1, change.span.len(), change.lines.len());
    ChangeView {
        name: ChangeName::default(),
        key: change.key.clone(),
        operation: operation(gone as u64, come as u64).to_owned(),
        description: change.description.clone(),
        status: BatchStatus::Applied,
        before: ChangeLines { first, count: gone, ..ChangeLines::default() },
        after: ChangeLines { first, count: come, ..ChangeLines::default() },
        undoes: Vec::new(),
        marks: change.marks.clone(),
    }
}

/// What is done to lines, by how many go and come.
fn operation(gone: u64, come: u64) -> &'static str {
    match (gone, come) {
        (0, _) => "insert",
        (_, 0) => "delete",
        _ => "replace",
    }
}

fn span(first: u64, count: u64) -> ChangeLines {
    let number = |wide: u64| usize::try_from(wide).unwrap_or(usize::MAX);
    ChangeLines { first: number(first), count: number(count), ..ChangeLines::default() }
}

/// What is not stored has no ids.
fn without_ids(file: &mut FilePatchView) {
    file.id.clear();
    file.changes.iter_mut().for_each(|change| change.name = ChangeName::default());
}

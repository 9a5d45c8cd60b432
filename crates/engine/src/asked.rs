//! What a call asked for, as the record keeps it where nothing was changed: keys, labels, counts, and why not.

use patchwright_core::conventions::Conventions;
use patchwright_core::dialect::lines::FilePatch;
use patchwright_core::dialect::patch::read;
use patchwright_core::outcome::Trouble;
use patchwright_core::tool::{ApplyPatch, Call, WritePatch};
use patchwright_store::records::{Asked, AskedFile, Commit, Counts, FaultRecord};

/// What a dry run, or a call for what already is, would have done.
pub(crate) fn of_commit(commit: &Commit) -> Option<Box<Asked>> {
    let asked = Asked::of_commit(commit).shortened();
    (asked != Asked::default()).then(|| Box::new(asked))
}

/// What a call asks for, by its arguments alone, and by the conventions that a patch follows which does not say.
pub(crate) fn of_call(call: &Call, conventions: Conventions) -> Asked {
    let key = call.shared().and_then(|shared| shared.idempotency_key.clone());
    let one = Counts { files: 1, ..Counts::default() };
    let asked = match call {
        Call::EditFile(ask) => counted(Counts { edits: ask.edits.len() as u64, ..one }),
        Call::Edit(ask) => counted(Counts { operations: ask.operations.len() as u64, ..one }),
        Call::ApplyPatch(ask) => counted(of_patch(ask, ask.conventions.unwrap_or(conventions))),
        Call::WorkspaceWritePatch(ask) => of_lines(ask),
        Call::CreateFile(_) | Call::WriteFile(_) | Call::DeleteFile(_) | Call::MoveFile(_) | Call::RestoreFile(_) => {
            counted(one)
        }
        _ => Asked::default(),
    };
    Asked { key, ..asked }.shortened()
}

/// The same with what stands against it.
pub(crate) fn with_trouble(asked: Asked, trouble: &Trouble) -> Asked {
    match trouble {
        Trouble::Refused(refusal) => asked.broke(&refusal.broken()),
        Trouble::Fault(fault) => {
            Asked { fault: fault.id.as_deref().map(|id| FaultRecord::new(id, &fault.said)), ..asked }
        }
    }
}

fn counted(counts: Counts) -> Asked {
    Asked { counts, ..Asked::default() }
}

/// A patch that cannot be read has no sections to count.
fn of_patch(ask: &ApplyPatch, conventions: Conventions) -> Counts {
    let Ok(patch) = read(&ask.patch, conventions) else { return Counts::default() };
    let hunks = patch.wanted.iter().map(|section| section.hunks.len() as u64).sum();
    Counts { files: patch.wanted.len() as u64, hunks, ..Counts::default() }
}

fn of_lines(ask: &WritePatch) -> Asked {
    let changes = ask.files.iter().map(|file| file.changes.len() as u64).sum();
    Asked {
        batch_key: ask.key.clone(),
        label: ask.label.clone(),
        files: ask.files.iter().map(file).filter(AskedFile::is_named).collect(),
        ..counted(Counts { files: ask.files.len() as u64, changes, ..Counts::default() })
    }
}

fn file(patch: &FilePatch) -> AskedFile {
    AskedFile {
        path: None,
        doc_path: patch.doc_path.clone(),
        key: patch.key.clone(),
        label: patch.label.clone(),
        change_keys: patch.changes.iter().filter_map(|change| change.key.clone()).collect(),
    }
}

//! What records say, in the words of answers: who did it, which files, which lines. And how a folder goes on record.

use crate::names::by_id;
use crate::operation::{ChangeTool, operation};
use patchwright_core::batch::{Author, BatchStatus};
use patchwright_core::diff::DIFF_LIMIT;
use patchwright_core::history::{Piece, Restored, Span};
use patchwright_core::intent::{ChangeMarks, Tree, TreeDeed};
use patchwright_core::outcome::{BatchPath, ChangeLines, ChangeView, FilePatchView, Holds, Operation};
use patchwright_core::path::RelPath;
use patchwright_store::records::{
    Caller, ChangeRecord, Commit, EditRecord, FileRecord, FolderRecord, PatchRecord, Touched,
};
use std::collections::HashSet;

pub(crate) fn author(caller: &Caller) -> Author {
    let Caller { session, client, actor, role, time_ns, .. } = caller.clone();
    Author { session, client, actor, role, time_ns }
}

pub(crate) fn batch_path(file: &FileRecord) -> BatchPath {
    BatchPath { operation: operation(file), path: file.path.to_string(), to: file.to.as_ref().map(RelPath::to_string) }
}

/// A file of a batch, without the lines of its changes.
pub(crate) fn file_view(file: &FileRecord, status: &dyn Fn(&str) -> BatchStatus) -> FilePatchView {
    FilePatchView {
        id: file.id.clone(),
        key: file.key.clone(),
        label: file.label.clone(),
        doc_path: file.doc_path.clone(),
        operation: operation(file),
        path: file.path.to_string(),
        to: file.to.as_ref().map(RelPath::to_string),
        before: file.before,
        after: file.after,
        holds: holds(file),
        diff: file.diff.clone(),
        diff_cut: file.diff_cut,
        changes: file.changes.iter().map(|change| change_view(file, change, status)).collect(),
    }
}

fn change_view(file: &FileRecord, change: &ChangeRecord, status: &dyn Fn(&str) -> BatchStatus) -> ChangeView {
    let lines =
        |(first, count): (u64, u64)| ChangeLines { first: whole(first), count: whole(count), ..ChangeLines::default() };
    ChangeView {
        name: change.id.clone().into(),
        key: change.key.clone(),
        operation: change_operation(file, change).to_owned(),
        description: change.description.clone(),
        status: status(&change.id),
        before: lines(change.before),
        after: lines(change.after),
        undoes: by_id(&change.undoes),
        marks: marks(change),
    }
}

/// What else a caller said of a change.
pub(crate) fn marks(change: &ChangeRecord) -> ChangeMarks {
    ChangeMarks { severity: change.severity.clone(), categories: change.categories.clone(), tags: change.tags.clone() }
}

/// What a change does, in one word.
fn change_operation(file: &FileRecord, change: &ChangeRecord) -> &'static str {
    match (operation(file), change.before.1, change.after.1) {
        (Operation::Update, 0, 0) if file.before == file.after => "mode",
        (Operation::Update, 0, _) => "insert",
        (Operation::Update, _, 0) => "delete",
        (Operation::Update, ..) => "replace",
        (other, ..) => other.name(),
    }
}

/// The changes of a file as pieces of its lines.
pub(crate) fn pieces(file: &FileRecord) -> Vec<Piece> {
    file.changes.iter().map(piece).collect()
}

fn piece(change: &ChangeRecord) -> Piece {
    let span = |(first, count): (u64, u64)| Span { first: whole(first).saturating_sub(1), count: whole(count) };
    let restored = |(at, change, from, count): &(u64, String, u64, u64)| Restored {
        at: whole(*at),
        change: change.clone(),
        from: whole(*from),
        count: whole(*count),
    };
    Piece {
        id: change.id.clone(),
        before: span(change.before),
        after: span(change.after),
        restores: change.restores.iter().map(restored).collect(),
    }
}

pub(crate) fn whole(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

pub(crate) fn touched(file: &patchwright_store::records::FileRecord) -> Touched {
    Touched {
        path: file.path.to_string(),
        to: file.to.as_ref().map(RelPath::to_string),
        before: file.before,
        after: file.after,
    }
}

/// Completes the records of a folder's files: each is a part by itself, their diffs together are not too long, and the
/// folder itself comes last.
pub(crate) fn finish(records: &mut Vec<FileRecord>, tree: &Tree, id: String, change: String) {
    for (at, record) in records.iter_mut().enumerate() {
        record.wish = at as u64;
    }
    let (operation, to) = match &tree.deed {
        TreeDeed::Delete { .. } => (Operation::Delete, None),
        TreeDeed::Move { to, .. } => (Operation::Move, Some(to.clone())),
        TreeDeed::Restore { .. } => (Operation::Restore, None),
    };
    let folder = FolderRecord { folders: tree.folders.clone(), files: records.len() as u64 };
    let change = ChangeRecord::plain(change, Vec::new());
    let record = FileRecord {
        wish: records.len() as u64,
        size: records.iter().map(|record| record.size).sum(),
        ..FolderChange { operation, path: tree.path.clone(), to, folder, change }.on_record(id)
    };
    cut_diffs(records, std::slice::from_ref(&record));
    records.push(record);
}

/// What is done to a folder with everything in it.
pub(crate) struct FolderChange {
    pub(crate) operation: Operation,
    pub(crate) path: RelPath,
    /// Where it goes, of a move.
    pub(crate) to: Option<RelPath>,
    pub(crate) folder: FolderRecord,
    pub(crate) change: ChangeRecord,
}

impl FolderChange {
    /// How it goes on record. What is deleted has a trash entry under the record's own id.
    pub(crate) fn on_record(self, id: String) -> FileRecord {
        let FolderChange { operation, path, to, folder, change } = self;
        FileRecord {
            diff: folder_diff(operation, &path, to.as_ref()),
            trash: (operation == Operation::Delete).then(|| id.clone()),
            id,
            operation: operation.name().to_owned(),
            path,
            to,
            before: None,
            after: None,
            size: 0,
            before_size: 0,
            mode: folder.folders.first().map_or(0o755, |(_, mode)| *mode),
            mode_after: None,
            link: false,
            keep: None,
            diff_cut: false,
            changes: vec![change],
            wish: 0,
            key: None,
            label: None,
            doc_path: None,
            delta: None,
            came: None,
            folder: Some(Box::new(folder)),
        }
    }
}

/// What becomes of a folder, as a diff.
pub(crate) fn folder_diff(operation: Operation, path: &RelPath, to: Option<&RelPath>) -> String {
    visible(match (operation, to) {
        (Operation::Delete, _) => format!("deleted {path}/\n"),
        (_, Some(to)) => format!("rename from {path}/\nrename to {to}/\n"),
        _ => format!("restored {path}/\n"),
    })
}

/// No name can pass for a line of the diff.
fn visible(diff: String) -> String {
    let spelt = |ch: char| if ch.is_control() && ch != '\n' { '\u{fffd}' } else { ch };
    diff.chars().map(spelt).collect()
}

/// Leaves out what is too much of the diffs of files that go with a folder.
pub(crate) fn cut_diffs(files: &mut [FileRecord], trees: &[FileRecord]) {
    if trees.is_empty() {
        return;
    }
    let mut room = DIFF_LIMIT;
    for file in files {
        match room.checked_sub(file.diff.len()) {
            Some(rest) => room = rest,
            None => {
                file.diff.clear();
                file.diff_cut = true;
            }
        }
    }
}

/// What a list of files tells: those that go with a folder are told with that.
pub(crate) fn told(files: &[FileRecord]) -> impl Iterator<Item = &FileRecord> {
    let folders: HashSet<&RelPath> = files
        .iter()
        .filter(|file| file.folder.is_some())
        .flat_map(|file| std::iter::once(&file.path).chain(&file.to))
        .collect();
    let is_apart = move |file: &&FileRecord| {
        file.folder.is_some()
            || folders.is_empty()
            || !file.path.ancestors().iter().any(|above| folders.contains(above))
    };
    files.iter().filter(is_apart)
}

/// How much went with a folder, if a record is about one.
pub(crate) fn holds(file: &FileRecord) -> Option<Holds> {
    let folder = file.folder.as_ref()?;
    Some(Holds { files: folder.files, folders: folder.folders.len() as u64 })
}

/// What a commit on record is.
#[derive(Clone, Copy)]
pub(crate) enum CommitKind<'a> {
    /// An undo, or a proposal that was carried out.
    Settled,
    /// A line patch.
    Lines,
    /// A patch, or a section of one.
    Patch(&'a PatchRecord),
    /// Operations on anchors.
    Anchored(&'a EditRecord),
    /// A tool for one file or folder.
    File,
}

/// What a commit on record is. Fields that only one kind has tell it, and of line patches the tool.
pub(crate) fn kind(commit: &Commit) -> CommitKind<'_> {
    match (&commit.patch, &commit.edit) {
        _ if commit.proposed.is_some() || !commit.undoes.is_empty() => CommitKind::Settled,
        _ if ChangeTool::named(&commit.caller.tool) == Some(ChangeTool::WorkspaceWritePatch) => CommitKind::Lines,
        (Some(patch), _) => CommitKind::Patch(patch),
        (None, Some(edit)) => CommitKind::Anchored(edit),
        (None, None) => CommitKind::File,
    }
}

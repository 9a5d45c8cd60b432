//! From what is on record to what a caller is told. A replayed answer is built from the same record as
//! the first one was.

pub(crate) mod lines;
pub(crate) mod settled;

use crate::answers::settled::settled;
use crate::names;
use crate::operation::{ChangeTool, operation, operation_named};
use crate::prepare::Prepared;
use crate::recorded::{CommitKind, holds, kind};
use patchwright_core::batch::BatchName;
use patchwright_core::digest::Digest;
use patchwright_core::outcome::{
    Answer, Changed, Concurrency, EditPlace, Edited, Extent, Operation, Patched, PatchedFile, Purged, Replayed, Reply,
};
use patchwright_core::path::RelPath;
use patchwright_core::plan::{Seen, Snapshot};
use patchwright_core::tool::Atomic;
use patchwright_core::warning::Warning;
use patchwright_store::records::{Commit, EditRecord, FileRecord, PatchRecord, Purge, SectionRecord};
use std::borrow::Cow;

/// What is on record of a call: its commit, or what would be one; and how far it went.
#[derive(Clone, Copy)]
pub(crate) struct Recorded<'a> {
    pub(crate) commit: &'a Commit,
    pub(crate) head: Digest,
    pub(crate) extent: Extent,
}

/// The answer to a call that was carried out.
pub(crate) fn committed(prepared: &Prepared, commit: &Commit, head: Digest) -> Reply {
    told(Recorded { commit, head, extent: Extent::Done }, prepared.shown().map(RelPath::to_string))
}

/// The answer to a call that an earlier one already carried out, in these records.
pub(crate) fn replayed(commits: &[Commit], head: Digest) -> Option<Reply> {
    let last = commits.last()?;
    let reply = match kind(last) {
        CommitKind::Patch(_) => sections(commits, head)?,
        _ => told(Recorded { commit: last, head, extent: Extent::Done }, last.shown.clone()),
    };
    Some(Reply { replayed: Replayed::Yes, ..reply })
}

/// The answer to a call that is stored for review.
pub(crate) fn proposed(commit: &Commit, head: Digest) -> Reply {
    told(Recorded { commit, head, extent: Extent::Proposed }, commit.shown.clone())
}

/// The answer to a call that is done or stored for review, about the path that the caller knows.
fn told(recorded: Recorded<'_>, path: Option<String>) -> Reply {
    let Recorded { commit, head, extent } = recorded;
    match kind(commit) {
        CommitKind::Settled => settled(recorded),
        CommitKind::Lines => lines::reply(recorded),
        CommitKind::Patch(patch) if extent == Extent::Proposed => {
            let batch = Some(names::of_commit(commit));
            patch_reply(Patched { batch, ..unrecorded(patched(commit, patch, extent)) }, commit, head)
        }
        CommitKind::Patch(patch) => patch_reply(patched(commit, patch, extent), commit, head),
        CommitKind::Anchored(edit) => edit_reply(edited(recorded, edit, path), commit, head),
        CommitKind::File => {
            let mut changed = changed(commit, extent);
            show_as(&mut changed, path);
            if extent == Extent::Proposed {
                changed.trash = None;
            }
            reply(changed, commit, head)
        }
    }
}

/// The answer to a patch whose sections were committed one by one.
pub(crate) fn sections(commits: &[Commit], head: Digest) -> Option<Reply> {
    let patched = patched_so_far(commits)?;
    let mut warnings: Vec<Warning> = Vec::new();
    for told in commits.iter().flat_map(|commit| &commit.warnings) {
        if !warnings.contains(told) {
            warnings.push(told.clone());
        }
    }
    warnings.extend(cut_diffs(&patched));
    Some(Reply { answer: Answer::Patched(patched), warnings, audit_head: Some(head), replayed: Replayed::No })
}

/// A patch of which no section was applied.
pub(crate) fn no_section(atomic: Atomic) -> Patched {
    let (extent, concurrency) = (Extent::Unchanged, Concurrency::Verified);
    Patched { atomic, hunks: 0, batch: None, files: Vec::new(), extent, concurrency }
}

/// What the sections committed so far have done.
pub(crate) fn patched_so_far(commits: &[Commit]) -> Option<Patched> {
    let mut all: Option<Patched> = None;
    for commit in commits {
        let part = patched(commit, commit.patch.as_ref()?, Extent::Done);
        match &mut all {
            None => all = Some(part),
            Some(all) => {
                all.hunks += part.hunks;
                all.files.extend(part.files);
                if part.concurrency == Concurrency::Checked {
                    all.concurrency = part.concurrency;
                }
            }
        }
    }
    all
}

/// The answer to a dry run, or to a call for what already is.
pub(crate) fn without_effect(prepared: &Prepared, snapshot: &Snapshot, recorded: Recorded<'_>) -> Reply {
    let Recorded { commit, head, extent } = recorded;
    let path = prepared.shown().map(RelPath::to_string);
    match kind(commit) {
        CommitKind::Settled => settled(recorded),
        CommitKind::Lines if extent == Extent::Unchanged => lines::unchanged(prepared, snapshot, recorded),
        CommitKind::Lines => lines::reply(recorded),
        CommitKind::Patch(patch) => patch_reply(unrecorded(patched(commit, patch, extent)), commit, head),
        CommitKind::Anchored(edit) => {
            let seen = prepared.wishes.first().map(|wish| snapshot.seen(&wish.path));
            let mut answer = Edited { batch: None, ..edited(recorded, edit, path) };
            if let (Extent::Unchanged, Some(Seen::File(file))) = (extent, seen) {
                (answer.before, answer.after, answer.size) = (Some(file.digest), Some(file.digest), file.size);
            }
            edit_reply(answer, commit, head)
        }
        CommitKind::File => {
            let mut answer = match extent {
                Extent::Unchanged => unchanged(snapshot, prepared),
                Extent::Dry | Extent::Done | Extent::Proposed => changed(commit, extent),
            };
            show_as(&mut answer, path);
            (answer.batch, answer.trash) = (None, None);
            reply(answer, commit, head)
        }
    }
}

/// What a patch would do, without the ids that only doing it gives.
pub(crate) fn unrecorded(mut patched: Patched) -> Patched {
    patched.batch = None;
    for file in &mut patched.files {
        file.trash = None;
    }
    patched
}

fn patch_reply(patched: Patched, commit: &Commit, head: Digest) -> Reply {
    let mut warnings = commit.warnings.clone();
    warnings.extend(cut_diffs(&patched));
    Reply { answer: Answer::Patched(patched), warnings, audit_head: Some(head), replayed: Replayed::No }
}

fn cut_diffs(patched: &Patched) -> Vec<Warning> {
    let cut = patched.files.iter().filter(|file| file.diff_cut);
    cut.map(|file| Warning::DiffCut { path: file.to.as_ref().unwrap_or(&file.path).clone() }).collect()
}

/// A patch by its sections.
pub(crate) fn patched(commit: &Commit, patch: &PatchRecord, extent: Extent) -> Patched {
    Patched {
        atomic: if patch.atomic { Atomic::Whole } else { Atomic::Sections },
        hunks: usize::try_from(patch.hunks).unwrap_or(usize::MAX),
        batch: Some(names::of_commit(commit)),
        files: patched_files(commit, &patch.sections),
        extent,
        concurrency: concurrency(commit),
    }
}

/// The files of each section stand together, in the order of the sections.
fn patched_files(commit: &Commit, sections: &[SectionRecord]) -> Vec<PatchedFile> {
    let mut files = Cow::Borrowed(&commit.files);
    // Where a name changes its sort, what vacates names comes first on record.
    if !files.is_sorted_by_key(|file| file.wish) {
        files.to_mut().sort_by_key(|file| file.wish);
    }
    let mut groups = files.chunk_by(|one, next| one.wish == next.wish);
    let file = |section: &SectionRecord| {
        let files = groups.find(|group| group.first().is_some_and(|file| file.wish == section.wish))?;
        Some(patched_file(section, files))
    };
    sections.iter().map_while(file).collect()
}

/// Records that no patch made, in the manner of a section. What a move pushed aside comes first.
pub(crate) fn section_of(files: &[FileRecord]) -> SectionRecord {
    let last = files.last();
    SectionRecord {
        wish: last.map_or(0, |file| file.wish),
        operation: last.map(|file| file.operation.clone()).unwrap_or_default(),
        path: last.map(|file| file.path.to_string()).unwrap_or_default(),
        to: last.and_then(|file| file.to.as_ref()).map(RelPath::to_string),
    }
}

/// What became of one section's file. What a move or a new file pushed aside comes first in its records,
/// new content of a moved file last.
pub(crate) fn patched_file(section: &SectionRecord, files: &[FileRecord]) -> PatchedFile {
    let operation = operation_named(&section.operation);
    // A new file in the place of another is told with what was there; a move with what moved.
    let counts = |file: &&FileRecord| operation != Operation::Move || file.after.is_some();
    let main = files.iter().filter(counts);
    PatchedFile {
        path: section.path.clone(),
        real: linked(operation, &section.path, files.last()),
        operation,
        to: section.to.clone(),
        before: main.clone().next().and_then(|file| file.before),
        after: main.clone().next_back().and_then(|file| file.after),
        diff: files.iter().map(|file| file.diff.as_str()).collect(),
        diff_cut: files.iter().any(|file| file.diff_cut),
        trash: files.iter().find_map(|file| file.trash.clone()),
    }
}

/// The answer to a purge that an earlier call already carried out.
pub(crate) fn purge_replayed(purge: &Purge, head: Digest) -> Reply {
    Reply { replayed: Replayed::Yes, ..purged(purge, Extent::Done, head) }
}

/// The answer to a purge.
pub(crate) fn purged(purge: &Purge, extent: Extent, head: Digest) -> Reply {
    let batch = (extent == Extent::Done).then(|| BatchName::new(purge.batch.as_str(), purge.number));
    let answer = Purged { entries: purge.ids.len(), bytes: purge.bytes, ids: purge.ids.clone(), extent, batch };
    let warnings = purge.warnings.clone();
    Reply { answer: Answer::Purged(answer), warnings, audit_head: Some(head), replayed: Replayed::No }
}

fn reply(changed: Changed, commit: &Commit, head: Digest) -> Reply {
    let mut warnings = commit.warnings.clone();
    if changed.diff_cut {
        warnings.push(Warning::DiffCut { path: changed.path.clone() });
    }
    Reply { answer: Answer::Changed(changed), warnings, audit_head: Some(head), replayed: Replayed::No }
}

fn edit_reply(edited: Edited, commit: &Commit, head: Digest) -> Reply {
    let mut warnings = commit.warnings.clone();
    if edited.facts.diff_cut {
        warnings.push(Warning::DiffCut { path: edited.path.clone() });
    }
    Reply { answer: Answer::Edited(Box::new(edited)), warnings, audit_head: Some(head), replayed: Replayed::No }
}

/// A file whose lines were changed by their anchors, under the name that the caller knows.
fn edited(recorded: Recorded<'_>, edit: &EditRecord, path: Option<String>) -> Edited {
    let Recorded { commit, extent, .. } = recorded;
    let file = commit.files.first();
    let path = path.or_else(|| file.map(|file| file.path.to_string())).unwrap_or_default();
    Edited {
        real: linked(Operation::Update, &path, file),
        path,
        executable: file.and_then(now_executable),
        before: file.and_then(|file| file.before),
        after: file.and_then(|file| file.after),
        size: file.map_or(0, |file| file.size),
        facts: edit.facts.clone(),
        continuity: edit.continuity,
        batch: Some(names::of_commit(commit)),
        extent,
        concurrency: concurrency(commit),
    }
}

/// The batch's last file is what the call was about; what a move pushed aside comes before it.
fn changed(commit: &Commit, extent: Extent) -> Changed {
    let main = commit.files.last();
    let operation = main.map_or(Operation::Update, operation);
    let by = ChangeTool::named(&commit.caller.tool);
    let moved = main.and_then(|file| file.to.as_ref());
    Changed {
        path: moved.or(main.map(|file| &file.path)).map(RelPath::to_string).unwrap_or_default(),
        real: None,
        from: moved.and(main).map(|file| file.path.to_string()),
        operation,
        before: main.and_then(|file| file.before),
        after: main.and_then(|file| file.after),
        size: main.map_or(0, |file| file.size),
        holds: main.and_then(holds),
        places: main.filter(|_| by == Some(ChangeTool::EditFile)).map(edit_places).unwrap_or_default(),
        diff: commit.files.iter().map(|file| file.diff.as_str()).collect(),
        diff_cut: commit.files.iter().any(|file| file.diff_cut),
        batch: Some(names::of_commit(commit)),
        trash: match main.filter(|file| file.folder.is_some()) {
            Some(folder) => folder.trash.clone(),
            None => commit.files.iter().find_map(|file| file.trash.clone()),
        },
        extent,
        concurrency: concurrency(commit),
    }
}

/// The file under the name that the caller knows.
fn show_as(changed: &mut Changed, path: Option<String>) {
    let Some(path) = path else { return };
    let through = changed.operation == Operation::Update && changed.extent != Extent::Unchanged && path != changed.path;
    let real = std::mem::replace(&mut changed.path, path);
    changed.real = through.then_some(real);
}

/// May a file be run now that could not be before, or the other way round?
fn now_executable(file: &FileRecord) -> Option<bool> {
    let runs = |mode: u32| mode & 0o111 != 0;
    file.mode_after.map(runs).filter(|now| *now != runs(file.mode))
}

/// The file that new content went to, if that is not what the caller named.
fn linked(operation: Operation, path: &str, file: Option<&FileRecord>) -> Option<String> {
    let real = file.filter(|_| operation == Operation::Update)?.path.to_string();
    (real != path).then_some(real)
}

fn edit_places(file: &FileRecord) -> Vec<EditPlace> {
    let places = file.changes.iter().map(|change| EditPlace { before: change.before, after: change.after });
    places.filter(|place| (place.before.1, place.after.1) != (0, 0)).collect()
}

fn concurrency(commit: &Commit) -> Concurrency {
    if commit.verified { Concurrency::Verified } else { Concurrency::Checked }
}

fn unchanged(snapshot: &Snapshot, prepared: &Prepared) -> Changed {
    let path = prepared.wishes.first().map_or_else(RelPath::root, |wish| wish.path.clone());
    let seen = snapshot.seen(&path);
    let size = match &seen {
        Seen::File(file) => file.size,
        _ => 0,
    };
    Changed {
        path: path.to_string(),
        real: None,
        from: None,
        operation: Operation::Update,
        before: seen.digest(),
        after: seen.digest(),
        size,
        holds: None,
        places: Vec::new(),
        diff: String::new(),
        diff_cut: false,
        batch: None,
        trash: None,
        extent: Extent::Unchanged,
        concurrency: Concurrency::Verified,
    }
}

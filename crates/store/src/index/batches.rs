//! Taking in batches and their changes: what was done or proposed, to which paths, and by whom.
//! Where a batch stands after others were taken back is worked out in `undone`.

use super::since::short;
use super::{signed, undone};
use crate::log::Entry;
use crate::records::{Caller, ChangeRecord, Commit, Decision, FileRecord, Purge, Verdict};
use patchwright_core::batch::{BatchStatus, Role};
use patchwright_core::digest::Digest;
use patchwright_core::path::RelPath;
use rusqlite::{OptionalExtension, Transaction, params};
use std::collections::BTreeMap;

/// What a record says of a batch as a whole.
struct Told<'a> {
    id: &'a str,
    /// Who made it.
    author: &'a Caller,
    /// When this record was made.
    time_ns: i64,
    label: Option<&'a str>,
    is_undo: bool,
    stage: Stage,
    /// The batch's number; 0 in records that had none.
    number: u64,
}

/// How far a batch has come.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Stored for review.
    Proposed,
    /// Carried out.
    Done,
}

pub(super) fn commit(db: &Transaction<'_>, entry: &Entry, commit: &Commit) -> rusqlite::Result<()> {
    let batch = take(db, entry, &told(commit, Stage::Done))?;
    take_files(db, entry, commit, batch, Stage::Done)?;
    db.prepare_cached("DELETE FROM needs WHERE batch = ?1")?.execute([batch])?;
    let changes: Vec<&ChangeRecord> = commit.files.iter().flat_map(|file| &file.changes).collect();
    undone::commit(db, batch, &changes)
}

pub(super) fn proposal(db: &Transaction<'_>, entry: &Entry, commit: &Commit) -> rusqlite::Result<()> {
    let batch = take(db, entry, &told(commit, Stage::Proposed))?;
    take_files(db, entry, commit, batch, Stage::Proposed)?;
    let contents =
        commit.files.iter().flat_map(|file| [file.before, file.after]).flatten().map(|hash| hash.to_string());
    let trash = commit.consumed.iter().chain(&commit.also_consumed).cloned();
    let mut need = db.prepare_cached("INSERT OR IGNORE INTO needs (batch, name) VALUES (?1, ?2)")?;
    contents.chain(trash).try_for_each(|name| need.execute(params![batch, name]).map(drop))
}

pub(super) fn purge(db: &Transaction<'_>, entry: &Entry, purge: &Purge) -> rusqlite::Result<()> {
    let (author, time_ns) = (&purge.caller, purge.caller.time_ns);
    let number = purge.number;
    let told = Told { id: &purge.batch, author, time_ns, label: None, is_undo: false, stage: Stage::Done, number };
    take(db, entry, &told).map(drop)
}

/// A proposal that was carried out or dropped is no longer decided about.
pub(super) fn verdict(db: &Transaction<'_>, verdict: &Verdict) -> rusqlite::Result<()> {
    let status = match verdict.decision {
        Decision::Rejected => BatchStatus::Rejected,
        Decision::Conflicted => BatchStatus::Conflicted,
    };
    let mut update = db.prepare_cached(
        "UPDATE batches SET status = ?2 WHERE id = ?1 AND status IN ('proposed', 'conflicted') RETURNING n",
    )?;
    let batch: Option<i64> = update.query_row(params![verdict.batch, status.name()], |row| row.get(0)).optional()?;
    if let (Some(batch), BatchStatus::Rejected) = (batch, status) {
        db.prepare_cached("DELETE FROM needs WHERE batch = ?1")?.execute([batch])?;
    }
    Ok(())
}

/// Whatever still waits to be decided about is dropped.
pub(super) fn close_proposals(db: &Transaction<'_>) -> rusqlite::Result<()> {
    let mut update = db.prepare_cached("UPDATE batches SET status = ?1 WHERE status IN ('proposed', 'conflicted')")?;
    update.execute([BatchStatus::Rejected.name()])?;
    // Open proposals alone need anything.
    db.prepare_cached("DELETE FROM needs")?.execute([]).map(drop)
}

fn told(commit: &Commit, stage: Stage) -> Told<'_> {
    Told {
        id: &commit.batch,
        author: commit.proposed.as_ref().map_or(&commit.caller, |proposed| &proposed.by),
        time_ns: commit.caller.time_ns,
        label: commit.label.as_deref(),
        is_undo: !commit.undoes.is_empty(),
        stage,
        number: commit.number,
    }
}

/// Enters a batch, or its next record. Its number in the index.
fn take(db: &Transaction<'_>, entry: &Entry, told: &Told<'_>) -> rusqlite::Result<i64> {
    let status = match told.stage {
        Stage::Proposed => BatchStatus::Proposed,
        Stage::Done => BatchStatus::Applied,
    };
    let mut newest = db.prepare_cached("SELECT top_ns FROM batches ORDER BY seq DESC LIMIT 1")?;
    let top: i64 = newest.query_row([], |row| row.get(0)).optional()?.unwrap_or(i64::MIN);
    let place = signed(entry.offset);
    let mut insert = db.prepare_cached(
        "INSERT INTO batches (id, seq, place, proposal, time_ns, top_ns, session, client, tool, label, is_undo, status, number,
            person, actor)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
         ON CONFLICT (id) DO UPDATE SET seq = excluded.seq, place = excluded.place,
            proposal = coalesce(excluded.proposal, proposal), time_ns = excluded.time_ns, top_ns = excluded.top_ns,
            label = coalesce(excluded.label, label), is_undo = is_undo OR excluded.is_undo, status = excluded.status,
            number = coalesce(number, excluded.number)
         RETURNING n",
    )?;
    let row = params![
        told.id,
        signed(entry.sequence),
        place,
        (told.stage == Stage::Proposed).then_some(place),
        told.time_ns,
        top.max(told.time_ns),
        told.author.session,
        told.author.client,
        told.author.tool,
        told.label,
        told.is_undo,
        status.name(),
        (told.number > 0).then_some(signed(told.number)),
        told.author.role == Role::Person,
        told.author.actor
    ];
    let batch = insert.query_row(row, |row| row.get(0))?;
    let mut moved = db.prepare_cached("UPDATE reached SET seq = ?2 WHERE batch = ?1")?;
    moved.execute(params![batch, signed(entry.sequence)])?;
    Ok(batch)
}

fn take_files(db: &Transaction<'_>, entry: &Entry, commit: &Commit, batch: i64, stage: Stage) -> rusqlite::Result<()> {
    let seq = signed(entry.sequence);
    let mut last = db.prepare_cached("SELECT coalesce(max(ordinal), -1) FROM changes WHERE batch = ?1")?;
    let mut ordinal: i64 = last.query_row([batch], |row| row.get(0))?;
    let mut named = BTreeMap::new();
    for file in &commit.files {
        let path = match file.is_idle() {
            true => NO_PATH,
            false => note_names(db, file, &mut named)?,
        };
        let mut part = db.prepare_cached("INSERT OR IGNORE INTO parts (id, batch) VALUES (?1, ?2)")?;
        part.execute(params![file.id, batch])?;
        for change in &file.changes {
            ordinal = ordinal.saturating_add(1);
            take_change(db, change, &ChangeRowAt { batch, ordinal, path }, stage)?;
        }
    }
    if stage == Stage::Done {
        take_moves(db, seq, &commit.files)?;
    }
    for (path, (before, after)) in named {
        let mut reach = db.prepare_cached("INSERT OR IGNORE INTO reached (path, seq, batch) VALUES (?1, ?2, ?3)")?;
        reach.execute(params![path, seq, batch])?;
        if stage == Stage::Done {
            let mut touch = db.prepare_cached(
                "INSERT OR IGNORE INTO touched (path, seq, place, before, after) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?;
            touch.execute(params![path, seq, signed(entry.offset), before.map(short), after.map(short)])?;
        }
    }
    Ok(())
}

fn take_moves(db: &Transaction<'_>, seq: i64, files: &[FileRecord]) -> rusqlite::Result<()> {
    for (file, to) in files.iter().filter_map(|file| Some((file, file.to.as_ref()?))) {
        let (old, path) = (path_number(db, file.path.as_str())?, path_number(db, to.as_str())?);
        let mut insert = db.prepare_cached("INSERT OR IGNORE INTO moves (path, seq, old) VALUES (?1, ?2, ?3)")?;
        insert.execute(params![path, seq, old])?;
    }
    Ok(())
}

/// The path of changes that touch no file.
pub(super) const NO_PATH: i64 = 0;

/// By path, the hash before a commit and the one after it.
type Names = BTreeMap<i64, (Option<Digest>, Option<Digest>)>;

/// Notes the names that a file has before and after. The number of the latter.
fn note_names(db: &Transaction<'_>, file: &FileRecord, names: &mut Names) -> rusqlite::Result<i64> {
    let note = |names: &mut Names, path: &RelPath, (before, after): (Option<Digest>, Option<Digest>)| {
        let path = path_number(db, path.as_str())?;
        names.entry(path).or_insert((before, None)).1 = after;
        rusqlite::Result::Ok(path)
    };
    match &file.to {
        None => note(names, &file.path, (file.before, file.after)),
        Some(to) => {
            let path = path_number(db, file.path.as_str())?;
            match names.get_mut(&path) {
                // Another file took its name before it moved on.
                Some((before @ None, Some(_))) => *before = file.before,
                _ => drop(note(names, &file.path, (file.before, None))?),
            }
            note(names, to, (None, file.after))
        }
    }
}

/// Where a change goes in the index: its batch, its place in that, and the number of its path.
struct ChangeRowAt {
    batch: i64,
    ordinal: i64,
    path: i64,
}

fn take_change(db: &Transaction<'_>, change: &ChangeRecord, row: &ChangeRowAt, stage: Stage) -> rusqlite::Result<()> {
    let ChangeRowAt { batch, ordinal, path } = row;
    let mut insert = db.prepare_cached(
        "INSERT INTO changes (id, batch, ordinal, path, done, description) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
         ON CONFLICT (id) DO UPDATE SET path = excluded.path, done = max(done, excluded.done)
            WHERE batch = excluded.batch",
    )?;
    insert.execute(params![change.id, batch, ordinal, path, stage == Stage::Done, change.description]).map(drop)
}

pub(super) fn path_number(db: &Transaction<'_>, path: &str) -> rusqlite::Result<i64> {
    let mut find = db.prepare_cached("SELECT n FROM paths WHERE path = ?1")?;
    if let Some(found) = find.query_row([path], |row| row.get(0)).optional()? {
        return Ok(found);
    }
    db.prepare_cached("INSERT INTO paths (path) VALUES (?1)")?.execute([path])?;
    Ok(db.last_insert_rowid())
}

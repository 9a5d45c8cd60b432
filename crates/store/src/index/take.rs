//! What each record of the log means for the index.

use super::lines::Lines;
use super::{batches, signed};
use crate::log::Entry;
use crate::records::{Adopted, Caller, Commit, FileRecord, Proposal, Purge, Record, Retired, Shelf, Verdict};
use patchwright_core::digest::Digest;
use patchwright_core::path::RelPath;
use rusqlite::{Transaction, params};
use std::collections::HashMap;

pub(super) fn record(db: &Transaction<'_>, lines: &mut Lines, entry: &Entry) -> rusqlite::Result<()> {
    match &entry.record {
        Record::Commit(commit) => {
            take_commit(db, entry, commit)?;
            lines.commit(db, entry, commit)
        }
        Record::Purge(purge) => take_purge(db, entry, purge),
        Record::Retired(retired) => take_retired(db, retired),
        Record::Proposal(proposal) => take_proposal(db, entry, proposal),
        Record::Verdict(verdict) => take_verdict(db, entry, verdict),
        Record::Adopted(adopted) => take_adopted(db, adopted),
        // What was decided about proposals may be among what was lost: nobody shall carry out what was dropped.
        Record::Resumed(_) => batches::close_proposals(db),
        Record::Intent(_) | Record::Abort(_) | Record::Note(_) | Record::Other { .. } => Ok(()),
    }
}

fn take_commit(db: &Transaction<'_>, entry: &Entry, commit: &Commit) -> rusqlite::Result<()> {
    batches::commit(db, entry, commit)?;
    take_folders(db, entry, commit)?;
    take_key(db, entry, &commit.batch, &commit.caller, &commit.key)?;
    for id in commit.consumed.iter().chain(&commit.also_consumed) {
        take_out(db, id)?;
        let mut insert =
            db.prepare_cached("INSERT OR REPLACE INTO returned (trash, seq, place) VALUES (?1, ?2, ?3)")?;
        insert.execute(params![id, signed(entry.sequence), signed(entry.offset)])?;
    }
    let trees = commit.files.iter().filter(|file| file.folder.is_some());
    let trees: HashMap<&RelPath, &str> = trees.filter_map(|file| Some((&file.path, file.trash.as_deref()?))).collect();
    for file in &commit.files {
        take_tree(db, entry, &commit.caller, file)?;
        take_kept(db, entry, &commit.caller, file, tree_of(file, &trees))?;
    }
    Ok(())
}

fn take_folders(db: &Transaction<'_>, entry: &Entry, commit: &Commit) -> rusqlite::Result<()> {
    let mut insert =
        db.prepare_cached("INSERT OR IGNORE INTO folders (path, seq, made, place) VALUES (?1, ?2, ?3, ?4)")?;
    let gone = commit.gone.iter().map(|folder| (folder, false));
    for (folder, made) in gone.chain(commit.folders.iter().map(|folder| (folder, true))) {
        insert.execute(params![folder.as_str(), signed(entry.sequence), made, signed(entry.offset)])?;
    }
    Ok(())
}

/// The folder in the trash that a file went with.
fn tree_of<'t>(file: &FileRecord, trees: &HashMap<&RelPath, &'t str>) -> Option<&'t str> {
    if trees.is_empty() {
        return None;
    }
    file.path.ancestors().iter().find_map(|above| trees.get(above).copied())
}

fn take_tree(db: &Transaction<'_>, entry: &Entry, caller: &Caller, file: &FileRecord) -> rusqlite::Result<()> {
    let (Some(folder), Some(id)) = (&file.folder, &file.trash) else { return Ok(()) };
    let mut insert = db.prepare_cached(
        "INSERT OR REPLACE INTO trees (id, seq, place, path, deleted_ns, mode, by, files, folders) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?;
    let row = params![
        id,
        signed(entry.sequence),
        signed(entry.offset),
        file.path.as_str(),
        caller.time_ns,
        file.mode,
        format!("{} {}", caller.client, caller.session),
        signed(folder.files),
        signed(folder.folders.len() as u64)
    ];
    insert.execute(row).map(drop)
}

/// Something is in the trash no more.
fn take_out(db: &Transaction<'_>, id: &str) -> rusqlite::Result<()> {
    db.prepare_cached("DELETE FROM trash WHERE id = ?1")?.execute([id])?;
    db.prepare_cached("DELETE FROM trees WHERE id = ?1")?.execute([id]).map(drop)
}

fn take_proposal(db: &Transaction<'_>, entry: &Entry, proposal: &Proposal) -> rusqlite::Result<()> {
    let commit = &proposal.commit;
    batches::proposal(db, entry, commit)?;
    take_key(db, entry, &commit.batch, &commit.caller, &commit.key)?;
    for file in commit.files.iter().filter(|file| !file.link) {
        if let Some(before) = file.before {
            take_blob(db, before, file.before_size, commit.caller.time_ns)?;
        }
    }
    Ok(())
}

fn take_verdict(db: &Transaction<'_>, entry: &Entry, verdict: &Verdict) -> rusqlite::Result<()> {
    batches::verdict(db, verdict)?;
    take_key(db, entry, &verdict.batch, &verdict.caller, &verdict.key)
}

fn take_kept(
    db: &Transaction<'_>,
    entry: &Entry,
    caller: &Caller,
    file: &FileRecord,
    tree: Option<&str>,
) -> rusqlite::Result<()> {
    let (Some(keep), Some(before)) = (&file.keep, file.before) else { return Ok(()) };
    if keep.shelf == Shelf::Trash {
        let by = format!("{} {}", caller.client, caller.session);
        let mut insert = db.prepare_cached(
            "INSERT OR REPLACE INTO trash (id, seq, path, deleted_ns, sha, size, mode, link, by, tree) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        )?;
        let row = params![
            keep.name,
            signed(entry.sequence),
            file.path.as_str(),
            caller.time_ns,
            before.0,
            signed(gone_size(file)),
            file.mode,
            file.link,
            by,
            tree
        ];
        return insert.execute(row).map(drop);
    }
    take_blob(db, before, file.before_size, caller.time_ns)
}

fn take_blob(db: &Transaction<'_>, content: Digest, size: u64, time_ns: i64) -> rusqlite::Result<()> {
    // Never older than what is on record before it, whatever the clock said.
    let mut insert = db.prepare_cached(
        "INSERT OR REPLACE INTO blobs (name, size, time_ns)
         VALUES (?1, ?2, max(?3, coalesce((SELECT top_ns FROM batches ORDER BY seq DESC LIMIT 1), ?3)))",
    )?;
    insert.execute(params![content.to_string(), signed(size), time_ns]).map(drop)
}

fn take_purge(db: &Transaction<'_>, entry: &Entry, purge: &Purge) -> rusqlite::Result<()> {
    batches::purge(db, entry, purge)?;
    take_key(db, entry, &purge.batch, &purge.caller, &purge.key)?;
    purge.ids.iter().chain(&purge.inside).try_for_each(|id| take_out(db, id))
}

fn take_retired(db: &Transaction<'_>, retired: &Retired) -> rusqlite::Result<()> {
    for name in &retired.blobs {
        db.prepare_cached("DELETE FROM blobs WHERE name = ?1")?.execute([name])?;
    }
    retired.trash.iter().try_for_each(|id| take_out(db, id))
}

/// What was taken over serves looking, trash and undo: nothing of it is answered again or carried out.
fn take_adopted(db: &Transaction<'_>, adopted: &Adopted) -> rusqlite::Result<()> {
    if adopted.from.is_none() {
        return Ok(());
    }
    db.prepare_cached("DELETE FROM keys")?.execute([])?;
    batches::close_proposals(db)
}

fn take_key(
    db: &Transaction<'_>,
    entry: &Entry,
    batch: &str,
    caller: &Caller,
    key: &Option<(String, Digest)>,
) -> rusqlite::Result<()> {
    let Some((key, arguments)) = key else { return Ok(()) };
    let mut insert =
        db.prepare_cached("INSERT OR IGNORE INTO keys (tool, key, args, batch, place) VALUES (?1, ?2, ?3, ?4, ?5)")?;
    insert.execute(params![caller.tool, key, arguments.0, batch, signed(entry.offset)]).map(drop)
}

/// The size of what went: of something replaced, not that of what came.
fn gone_size(file: &FileRecord) -> u64 {
    if file.after.is_none() { file.size } else { file.before_size }
}

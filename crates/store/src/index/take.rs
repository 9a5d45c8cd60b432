//! What each record of the log means for the index.

use crate::log::Entry;
use crate::records::{Caller, Commit, FileRecord, Purge, Record, Retired, Shelf};
use patchwright_core::digest::Digest;
use rusqlite::{Transaction, params};

pub(super) fn record(db: &Transaction<'_>, entry: &Entry) -> rusqlite::Result<()> {
    match &entry.record {
        Record::Commit(commit) => take_commit(db, entry, commit),
        Record::Purge(purge) => take_purge(db, entry, purge),
        Record::Retired(retired) => take_retired(db, retired),
        Record::Intent(_) | Record::Abort(_) | Record::Note(_) => Ok(()),
    }
}

fn take_commit(db: &Transaction<'_>, entry: &Entry, commit: &Commit) -> rusqlite::Result<()> {
    take_batch(db, entry, (&commit.batch, &commit.caller))?;
    take_key(db, entry, (&commit.batch, &commit.caller, &commit.key))?;
    if let Some(id) = &commit.consumed {
        db.prepare_cached("DELETE FROM trash WHERE id = ?1")?.execute([id])?;
    }
    for file in &commit.files {
        let mut touch = db.prepare_cached("INSERT OR IGNORE INTO touched (path, seq, batch) VALUES (?1, ?2, ?3)")?;
        for path in [Some(&file.path), file.to.as_ref()].into_iter().flatten() {
            touch.execute(params![path.as_str(), signed(entry.sequence), commit.batch])?;
        }
        take_kept(db, entry, &commit.caller, file)?;
    }
    Ok(())
}

fn take_kept(db: &Transaction<'_>, entry: &Entry, caller: &Caller, file: &FileRecord) -> rusqlite::Result<()> {
    let (Some(keep), Some(before)) = (&file.keep, file.before) else { return Ok(()) };
    if keep.shelf == Shelf::Trash {
        let by = format!("{} {}", caller.client, caller.session);
        let mut insert = db.prepare_cached(
            "INSERT OR REPLACE INTO trash (id, seq, path, deleted_ns, sha, size, mode, link, by) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
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
            by
        ];
        return insert.execute(row).map(drop);
    }
    let mut insert = db.prepare_cached("INSERT OR REPLACE INTO blobs (name, size, time_ns) VALUES (?1, ?2, ?3)")?;
    insert.execute(params![before.to_string(), signed(file.before_size), caller.time_ns]).map(drop)
}

fn take_purge(db: &Transaction<'_>, entry: &Entry, purge: &Purge) -> rusqlite::Result<()> {
    take_batch(db, entry, (&purge.batch, &purge.caller))?;
    take_key(db, entry, (&purge.batch, &purge.caller, &purge.key))?;
    let mut delete = db.prepare_cached("DELETE FROM trash WHERE id = ?1")?;
    purge.ids.iter().try_for_each(|id| delete.execute([id]).map(drop))
}

fn take_retired(db: &Transaction<'_>, retired: &Retired) -> rusqlite::Result<()> {
    for name in &retired.blobs {
        db.prepare_cached("DELETE FROM blobs WHERE name = ?1")?.execute([name])?;
    }
    for id in &retired.trash {
        db.prepare_cached("DELETE FROM trash WHERE id = ?1")?.execute([id])?;
    }
    Ok(())
}

fn take_batch(db: &Transaction<'_>, entry: &Entry, (batch, caller): (&str, &Caller)) -> rusqlite::Result<()> {
    let mut insert = db.prepare_cached(
        "INSERT OR REPLACE INTO batches (id, seq, place, time_ns, session, tool) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?;
    insert
        .execute(params![
            batch,
            signed(entry.sequence),
            signed(entry.offset),
            caller.time_ns,
            caller.session,
            caller.tool
        ])
        .map(drop)
}

fn take_key(
    db: &Transaction<'_>,
    entry: &Entry,
    (batch, caller, key): (&str, &Caller, &Option<(String, Digest)>),
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

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

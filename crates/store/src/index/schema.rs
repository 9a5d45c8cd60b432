//! The index's tables, and how far it has read the log.

use super::FILE;
use patchwright_core::digest::Digest;
use rusqlite::{Connection, OpenFlags, OptionalExtension, Transaction, params};
use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::Duration;

/// Changes whenever the tables do; an index of another version is made anew.
const VERSION: i64 = 1;

const TABLES: &str = "
CREATE TABLE IF NOT EXISTS progress (one INTEGER PRIMARY KEY CHECK (one = 1), place INTEGER NOT NULL, head BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS trash (id TEXT PRIMARY KEY, seq INTEGER NOT NULL, path TEXT NOT NULL, deleted_ns INTEGER NOT NULL,
    sha BLOB NOT NULL, size INTEGER NOT NULL, mode INTEGER NOT NULL, link INTEGER NOT NULL, by TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS keys (tool TEXT NOT NULL, key TEXT NOT NULL, args BLOB NOT NULL, batch TEXT NOT NULL,
    place INTEGER NOT NULL, PRIMARY KEY (tool, key)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS batches (id TEXT PRIMARY KEY, seq INTEGER NOT NULL, place INTEGER NOT NULL, time_ns INTEGER NOT NULL,
    session TEXT NOT NULL, tool TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS touched (path TEXT NOT NULL, seq INTEGER NOT NULL, batch TEXT NOT NULL, PRIMARY KEY (path, seq, batch)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS blobs (name TEXT PRIMARY KEY, size INTEGER NOT NULL, time_ns INTEGER NOT NULL) WITHOUT ROWID;
";

pub(super) fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    make_private(path);
    let db = Connection::open_with_flags(path, flags)?;
    db.busy_timeout(Duration::from_secs(10))?;
    db.pragma_update(None, "journal_mode", "wal")?;
    db.pragma_update(None, "synchronous", "normal")?;
    let version: i64 = db.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if version != VERSION {
        db.execute_batch("DROP TABLE IF EXISTS progress; DROP TABLE IF EXISTS trash; DROP TABLE IF EXISTS keys; DROP TABLE IF EXISTS batches; DROP TABLE IF EXISTS touched; DROP TABLE IF EXISTS blobs;")?;
        db.pragma_update(None, "user_version", VERSION)?;
    }
    db.execute_batch(TABLES)?;
    Ok(db)
}

/// The library makes its file as readable as the process would, and the ones beside it alike; ours are for
/// their owner alone. What fails here shows when the database is opened.
fn make_private(path: &Path) {
    let _ = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
}

pub(super) fn in_memory() -> rusqlite::Result<Connection> {
    let db = Connection::open_in_memory()?;
    db.execute_batch(TABLES)?;
    Ok(db)
}

/// Removes the database files; failures show when it is opened again.
pub(super) fn remove(state: &Path) {
    for ending in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(state.join(format!("{FILE}{ending}")));
    }
}

pub(super) fn progress(db: &Transaction<'_>) -> rusqlite::Result<(u64, Digest)> {
    let row = db
        .query_row("SELECT place, head FROM progress", [], |row| Ok((row.get::<_, i64>(0)?, row.get(1)?)))
        .optional()?;
    let (place, head) = row.unwrap_or((0, [0; 32]));
    Ok((u64::try_from(place).unwrap_or(0), Digest(head)))
}

pub(super) fn set_progress(db: &Transaction<'_>, place: u64, head: Digest) -> rusqlite::Result<()> {
    let place = i64::try_from(place).unwrap_or(i64::MAX);
    db.execute("INSERT OR REPLACE INTO progress (one, place, head) VALUES (1, ?1, ?2)", params![place, head.0])
        .map(drop)
}

pub(super) fn clear(db: &Transaction<'_>) -> rusqlite::Result<()> {
    db.execute_batch("DELETE FROM progress; DELETE FROM trash; DELETE FROM keys; DELETE FROM batches; DELETE FROM touched; DELETE FROM blobs;")
}

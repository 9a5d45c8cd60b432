//! The index's tables, and how far it has read the log.

use super::{FILE, signed, whole};
use crate::log::HEADER;
use patchwright_core::digest::Digest;
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, OpenFlags, OptionalExtension, Row, Transaction, TransactionBehavior, params};
use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;

/// Changes whenever the tables do; an index of another version is made anew.
const VERSION: i64 = 7;

/// How many prepared statements are kept. More than there are, so that taking in a long log prepares none twice.
const STATEMENTS: usize = 96;

/// `batches` has a row for each batch, `parts` one for each of its files, `changes` one for each of its changes. `undoing` says which change takes back
/// which. `reached` finds batches by path, under the number that their row has; `touched` finds commits by
/// path, with the beginnings of the hashes before and after.
/// `moves` says which commit gave a path to what had another name before.
/// `folders` says which commits made a folder or removed one.
/// `trees` has the folders in the trash; what was in one has its id under `tree`.
/// `needs` is what open proposals rely on. `lines` has the origin of each file's lines, `grounds` what it was before
/// others wrote, `gone` that of the lines a change took away, `aside` that of files which went. `top_ns` never falls from one record to the next, whatever the clock did.
const TABLES: &str = "
CREATE TABLE IF NOT EXISTS progress (one INTEGER PRIMARY KEY CHECK (one = 1), last INTEGER NOT NULL, next INTEGER NOT NULL,
    head BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS trash (id TEXT PRIMARY KEY, seq INTEGER NOT NULL, path TEXT NOT NULL, deleted_ns INTEGER NOT NULL,
    sha BLOB NOT NULL, size INTEGER NOT NULL, mode INTEGER NOT NULL, link INTEGER NOT NULL, by TEXT NOT NULL, tree TEXT);
CREATE INDEX IF NOT EXISTS trash_tree ON trash (tree);
CREATE TABLE IF NOT EXISTS trees (id TEXT PRIMARY KEY, seq INTEGER NOT NULL, place INTEGER NOT NULL, path TEXT NOT NULL,
    deleted_ns INTEGER NOT NULL, mode INTEGER NOT NULL, by TEXT NOT NULL, files INTEGER NOT NULL, folders INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS keys (tool TEXT NOT NULL, key TEXT NOT NULL, args BLOB NOT NULL, batch TEXT NOT NULL,
    place INTEGER NOT NULL, PRIMARY KEY (tool, key)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS blobs (name TEXT PRIMARY KEY, size INTEGER NOT NULL, time_ns INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS returned (trash TEXT PRIMARY KEY, seq INTEGER NOT NULL, place INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS needs (batch INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY (batch, name)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS paths (n INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS batches (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, seq INTEGER NOT NULL, place INTEGER NOT NULL,
    proposal INTEGER, time_ns INTEGER NOT NULL, top_ns INTEGER NOT NULL, session TEXT NOT NULL, client TEXT NOT NULL,
    tool TEXT NOT NULL, label TEXT, is_undo INTEGER NOT NULL, status TEXT NOT NULL, number INTEGER,
    person INTEGER NOT NULL, actor TEXT);
CREATE UNIQUE INDEX IF NOT EXISTS batches_seq ON batches (seq);
CREATE INDEX IF NOT EXISTS batches_status ON batches (status, seq);
CREATE INDEX IF NOT EXISTS batches_session ON batches (session, seq);
CREATE INDEX IF NOT EXISTS batches_number ON batches (number);
CREATE INDEX IF NOT EXISTS batches_top ON batches (top_ns, seq);
CREATE TABLE IF NOT EXISTS reached (path INTEGER NOT NULL, seq INTEGER NOT NULL, batch INTEGER NOT NULL,
    PRIMARY KEY (path, seq)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS reached_batch ON reached (batch);
CREATE TABLE IF NOT EXISTS touched (path INTEGER NOT NULL, seq INTEGER NOT NULL, place INTEGER NOT NULL,
    before INTEGER, after INTEGER, PRIMARY KEY (path, seq)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS moves (path INTEGER NOT NULL, seq INTEGER NOT NULL, old INTEGER NOT NULL,
    PRIMARY KEY (path, seq, old)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS folders (path TEXT NOT NULL, seq INTEGER NOT NULL, made INTEGER NOT NULL, place INTEGER NOT NULL,
    PRIMARY KEY (path, seq, made)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS parts (id TEXT PRIMARY KEY, batch INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS changes (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, batch INTEGER NOT NULL, ordinal INTEGER NOT NULL,
    path INTEGER NOT NULL, done INTEGER NOT NULL, undone_by INTEGER, description TEXT);
CREATE INDEX IF NOT EXISTS changes_batch ON changes (batch, ordinal);
CREATE TABLE IF NOT EXISTS undoing (change INTEGER NOT NULL, by INTEGER NOT NULL, PRIMARY KEY (change, by)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS undoing_by ON undoing (by);
CREATE TABLE IF NOT EXISTS lines (path INTEGER PRIMARY KEY, digest BLOB NOT NULL, seq INTEGER NOT NULL, place INTEGER NOT NULL,
    runs BLOB NOT NULL, ground INTEGER);
CREATE TABLE IF NOT EXISTS grounds (n INTEGER PRIMARY KEY, digest BLOB NOT NULL, seq INTEGER NOT NULL, place INTEGER NOT NULL,
    runs BLOB NOT NULL, ground INTEGER, found BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS gone (change INTEGER PRIMARY KEY, runs BLOB NOT NULL, ground INTEGER);
CREATE TABLE IF NOT EXISTS aside (n INTEGER PRIMARY KEY, change INTEGER, trash TEXT, digest BLOB NOT NULL, runs BLOB NOT NULL, ground INTEGER);
CREATE INDEX IF NOT EXISTS aside_change ON aside (change);
CREATE INDEX IF NOT EXISTS aside_trash ON aside (trash);
";

/// Every table, of this version and of earlier ones.
const NAMES: [&str; 20] = [
    "progress", "trash", "trees", "keys", "blobs", "returned", "needs", "paths", "batches", "reached", "touched",
    "changes", "undoing", "lines", "grounds", "gone", "aside", "parts", "folders", "moves",
];

pub(super) fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    make_private(path);
    let mut db = Connection::open_with_flags(path, flags)?;
    db.busy_timeout(Duration::from_secs(3))?;
    db.pragma_update(None, "journal_mode", "wal")?;
    db.pragma_update(None, "synchronous", "normal")?;
    // Else long sorts and statements go to files outside the workspace and the state.
    db.pragma_update(None, "temp_store", "memory")?;
    db.set_prepared_statement_cache_capacity(STATEMENTS);
    distrust(&db)?;
    make_tables(&mut db)?;
    if is_ours(&db)? { Ok(db) } else { Err(rusqlite::Error::InvalidQuery) }
}

/// The file is a cache that somebody may have put there: it can say what its tables hold, and nothing else.
fn distrust(db: &Connection) -> rusqlite::Result<()> {
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    db.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
    db.set_limit(Limit::SQLITE_LIMIT_LENGTH, LONGEST_VALUE)?;
    Ok(())
}

/// No value that we put into a table comes near this many bytes.
const LONGEST_VALUE: i32 = 256 << 20;

/// Is the database laid out exactly as ours are: no view, no trigger, nothing generated?
fn is_ours(db: &Connection) -> rusqlite::Result<bool> {
    static MODEL: OnceLock<Layout> = OnceLock::new();
    let model = match MODEL.get() {
        Some(model) => model,
        None => {
            let model = Connection::open_in_memory()?;
            model.execute_batch(TABLES)?;
            let made = layout(&model)?;
            MODEL.get_or_init(|| made)
        }
    };
    Ok(layout(db)? == *model)
}

/// Sort, name and definition of everything that a database is made of.
type Layout = Vec<(String, String, Option<String>)>;

/// Everything that a database is made of, in order; no more of it than tells ours from others.
fn layout(db: &Connection) -> rusqlite::Result<Layout> {
    let mut query = db.prepare("SELECT type, name, sql FROM sqlite_schema ORDER BY type, name LIMIT 200")?;
    let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    rows.collect()
}

fn make_tables(db: &mut Connection) -> rusqlite::Result<()> {
    if version(db)? == VERSION {
        return Ok(());
    }
    // Another process may do the same: one of them is first.
    let change = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    if version(&change)? != VERSION {
        for name in NAMES {
            change.execute_batch(&format!("DROP TABLE IF EXISTS {name}"))?;
        }
        change.execute_batch(TABLES)?;
        change.pragma_update(None, "user_version", VERSION)?;
    }
    change.commit()
}

fn version(db: &Connection) -> rusqlite::Result<i64> {
    db.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// The library makes its file as readable as the process would, and the ones beside it alike; ours are for
/// their owner alone. What fails here shows when the database is opened.
fn make_private(path: &Path) {
    let _ = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
}

pub(super) fn in_memory() -> rusqlite::Result<Connection> {
    let db = Connection::open_in_memory()?;
    db.set_prepared_statement_cache_capacity(STATEMENTS);
    db.execute_batch(TABLES)?;
    Ok(db)
}

/// Removes the database files; failures show when it is opened again.
pub(super) fn remove(state: &Path) {
    for ending in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(state.join(format!("{FILE}{ending}")));
    }
}

/// How far the log was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Progress {
    /// Where the last record that was taken in begins.
    pub(super) last: u64,
    /// Where the next one will.
    pub(super) next: u64,
    /// The hash of the last; zeros if there was none.
    pub(super) head: Digest,
}

impl Progress {
    pub(super) const NONE: Progress = Progress { last: 0, next: HEADER, head: Digest([0; 32]) };
}

pub(super) fn progress(db: &Connection) -> rusqlite::Result<Progress> {
    let mut query = db.prepare_cached("SELECT last, next, head FROM progress")?;
    let row = |row: &Row<'_>| Ok(Progress { last: whole(row, 0)?, next: whole(row, 1)?, head: Digest(row.get(2)?) });
    Ok(query.query_row([], row).optional()?.unwrap_or(Progress::NONE))
}

pub(super) fn set_progress(db: &Transaction<'_>, to: Progress) -> rusqlite::Result<()> {
    let row = params![signed(to.last), signed(to.next), to.head.0];
    db.execute("INSERT OR REPLACE INTO progress (one, last, next, head) VALUES (1, ?1, ?2, ?3)", row).map(drop)
}

pub(super) fn clear(db: &Transaction<'_>) -> rusqlite::Result<()> {
    NAMES.iter().try_for_each(|name| db.execute_batch(&format!("DELETE FROM {name}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_temporary_goes_to_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let db = connect(&folder.path().join(FILE)).unwrap();
        let memory: i64 = db.pragma_query_value(None, "temp_store", |row| row.get(0)).unwrap();
        assert_eq!(memory, 2);
    }
}

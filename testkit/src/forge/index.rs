//! An index whose tables are views without end.

use patchwright_core::digest::Digest;
use rusqlite::{Connection, Error};
use std::path::Path;

/// Tables with their columns, as the index of 0.1 had them.
const TABLES: &[(&str, &str)] = &[
    ("trash", "id, seq, path, deleted_ns, sha, size, mode, link, by"),
    ("keys", "tool, key, args, batch, place"),
    ("blobs", "name, size, time_ns"),
    ("returned", "trash, seq, place"),
    ("needs", "batch, name"),
    ("paths", "n, path"),
    ("batches", "n, id, seq, place, proposal, time_ns, top_ns, session, client, tool, label, is_undo, status"),
    ("reached", "path, seq, batch"),
    ("touched", "path, seq, place, before, after"),
    ("changes", "n, id, batch, ordinal, path, done, undone_by, description"),
];

/// Makes a database that says it has read this log of 0.1, and whose other tables never end.
pub fn endless(path: &Path, log: &[u8]) -> Result<(), Error> {
    let db = Connection::open(path)?;
    let head = Digest::of(log.get(8..log.len().saturating_sub(5)).unwrap_or_default());
    db.execute_batch("CREATE TABLE progress (one INTEGER PRIMARY KEY, last INTEGER, next INTEGER, head BLOB)")?;
    let next = i64::try_from(log.len()).unwrap_or_default();
    db.execute("INSERT INTO progress VALUES (1, 0, ?1, ?2)", (next, &head.0[..]))?;
    for (table, columns) in TABLES {
        let values: Vec<&str> = columns.split(", ").map(|_| "x").collect();
        let view = format!(
            "CREATE VIEW {table} ({columns}) AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) \
             SELECT {} FROM n WHERE x < 0",
            values.join(", ")
        );
        db.execute_batch(&view)?;
    }
    db.pragma_update(None, "user_version", 3)
}

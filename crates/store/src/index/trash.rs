//! Looking up what is in the trash: files and links one by one, and folders as one entry each.

use super::{Index, Trouble, whole};
use patchwright_core::digest::Digest;
use patchwright_core::outcome::{Holds, TrashEntry};
use rusqlite::{OptionalExtension, Row};

/// A trash entry, with what restoring needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Trashed {
    /// What callers see.
    pub entry: TrashEntry,
    /// Is it a link?
    pub link: bool,
    /// When it was deleted, but no earlier than anything that is on record before it; nanoseconds since 1970 UTC.
    pub top_ns: i64,
    /// Where the record of a folder stands in the log.
    pub place: Option<u64>,
    /// The number of the record.
    seq: u64,
}

/// A trash entry's columns. Its age counts by the record's order: a clock that was set back makes nothing old.
const TRASHED: &str = "SELECT id, path, deleted_ns, sha, size, mode, link, by, max(deleted_ns, coalesce(
    (SELECT top_ns FROM batches WHERE batches.seq <= trash.seq ORDER BY batches.seq DESC LIMIT 1), deleted_ns)), seq FROM trash";

/// The same of a folder, with what is still there of it. One that lost its last file to an undo is no entry any more.
const TREES: &str = "SELECT id, path, deleted_ns, mode, by, max(deleted_ns, coalesce(
    (SELECT top_ns FROM batches WHERE batches.seq <= trees.seq ORDER BY batches.seq DESC LIMIT 1), deleted_ns)), seq, place, folders,
    (SELECT count(*) FROM trash WHERE trash.tree = trees.id) AS held,
    (SELECT coalesce(sum(size), 0) FROM trash WHERE trash.tree = trees.id) FROM trees WHERE (files = 0 OR held > 0)";

impl Index {
    /// All trash entries, newest first; what lies in a folder is told with that.
    pub fn trash(&self) -> Result<Vec<Trashed>, Trouble> {
        let mut files = self.db.prepare_cached(&format!("{TRASHED} WHERE tree IS NULL"))?;
        let mut trees = self.db.prepare_cached(TREES)?;
        let (files, trees) = (files.query_map([], trashed)?, trees.query_map([], tree)?);
        let mut all: Vec<Trashed> = files.chain(trees).collect::<Result<_, _>>()?;
        all.sort_by(|one, two| (two.seq, &two.entry.id).cmp(&(one.seq, &one.entry.id)));
        Ok(all)
    }

    /// One trash entry, be it a file or link by itself, one in a folder, or a folder.
    pub fn trash_entry(&self, id: &str) -> Result<Option<Trashed>, Trouble> {
        let mut query = self.db.prepare_cached(&format!("{TRASHED} WHERE id = ?1"))?;
        if let Some(found) = query.query_row([id], trashed).optional()? {
            return Ok(Some(found));
        }
        let mut query = self.db.prepare_cached(&format!("{TREES} AND id = ?1"))?;
        Ok(query.query_row([id], tree).optional()?)
    }

    /// Where the record stands in the log that put an entry into the trash.
    pub fn trashed_at(&self, trashed: &Trashed) -> Result<Option<u64>, Trouble> {
        if trashed.place.is_some() {
            return Ok(trashed.place);
        }
        let mut query = self.db.prepare_cached(
            "SELECT place FROM touched WHERE path = (SELECT n FROM paths WHERE path = ?1) AND seq = ?2",
        )?;
        Ok(query
            .query_row(rusqlite::params![trashed.entry.path, super::signed(trashed.seq)], |row| whole(row, 0))
            .optional()?)
    }

    /// What is in a folder that is in the trash, in the order of paths.
    pub fn trash_inside(&self, id: &str) -> Result<Vec<Trashed>, Trouble> {
        let mut query = self.db.prepare_cached(&format!("{TRASHED} WHERE tree = ?1 ORDER BY path"))?;
        let rows = query.query_map([id], trashed)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The trash entries with this content.
    pub fn trash_with(&self, content: Digest) -> Result<Vec<String>, Trouble> {
        let mut query = self.db.prepare_cached("SELECT id FROM trash WHERE sha = ?1")?;
        let rows = query.query_map([content.0], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

fn trashed(row: &Row<'_>) -> rusqlite::Result<Trashed> {
    let entry = TrashEntry {
        id: row.get(0)?,
        path: row.get(1)?,
        deleted_ns: i128::from(row.get::<_, i64>(2)?),
        sha256: Some(Digest(row.get(3)?)),
        size: whole(row, 4)?,
        mode: row.get(5)?,
        by: row.get(7)?,
        holds: None,
    };
    Ok(Trashed { entry, link: row.get(6)?, top_ns: row.get(8)?, place: None, seq: whole(row, 9)? })
}

fn tree(row: &Row<'_>) -> rusqlite::Result<Trashed> {
    let entry = TrashEntry {
        id: row.get(0)?,
        path: row.get(1)?,
        deleted_ns: i128::from(row.get::<_, i64>(2)?),
        sha256: None,
        size: whole(row, 10)?,
        mode: row.get(3)?,
        by: row.get(4)?,
        holds: Some(Holds { files: whole(row, 9)?, folders: whole(row, 8)? }),
    };
    Ok(Trashed { entry, link: false, top_ns: row.get(5)?, place: Some(whole(row, 7)?), seq: whole(row, 6)? })
}

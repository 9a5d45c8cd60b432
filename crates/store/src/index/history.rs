//! Looking up batches and changes in the index.

use super::{Index, Names, Trouble, signed, whole};
use patchwright_core::batch::BatchStatus;
use rusqlite::types::Value;
use rusqlite::{OptionalExtension, Row, params, params_from_iter};

/// What the index knows of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchRow {
    /// Its id.
    pub id: String,
    /// Its number; 0 if it has none.
    pub number: u64,
    /// The number of its last record: the commit, or the proposal as long as nobody applied it.
    pub seq: u64,
    /// Where that record stands in the log.
    pub place: u64,
    /// Where its proposal stands in the log, if it was one.
    pub proposal: Option<u64>,
    /// Where it stands.
    pub status: BatchStatus,
    /// Does it take others back?
    pub is_undo: bool,
    /// Its session.
    pub session: String,
}

/// Which batches are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BatchFilter {
    /// Those that touch any of these paths; all, if there is none.
    pub paths: Vec<String>,
    /// Those that touch any of these names; counts where no path is given.
    pub names: Option<Names>,
    /// Those of this session.
    pub session: Option<String>,
    /// Those not before this instant, in nanoseconds since 1970 UTC.
    pub since_ns: Option<i64>,
    /// Those with a later number.
    pub after_seq: Option<u64>,
    /// Those with an earlier number: where a page goes on.
    pub before_seq: Option<u64>,
    /// Those that stand so.
    pub status: Option<BatchStatus>,
}

/// What the index knows of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeRow {
    /// Its id.
    pub id: String,
    /// Its batch.
    pub batch: String,
    /// Where it stands; that of a proposal is its batch's, unless it was dropped.
    pub status: BatchStatus,
    /// The undo batch that took it back, if it stands so.
    pub undone_by: Option<String>,
}

/// A record of the log that touches a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Touch {
    /// Its number.
    pub seq: u64,
    /// Where it stands in the log.
    pub place: u64,
}

/// A commit that made or removed a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FolderEvent {
    /// The commit.
    pub by: Touch,
    /// Did it make the folder, or remove it?
    pub made: bool,
}

impl Index {
    /// One batch.
    pub fn batch_row(&self, id: &str) -> Result<Option<BatchRow>, Trouble> {
        let mut query = self.db.prepare_cached(&format!("SELECT {COLUMNS} FROM batches AS b WHERE b.id = ?1"))?;
        Ok(query.query_row([id], batch_row).optional()?)
    }

    /// The batch that a change belongs to.
    pub fn batch_of_change(&self, change: &str) -> Result<Option<BatchRow>, Trouble> {
        let mut query = self.db.prepare_cached(&format!(
            "SELECT {COLUMNS} FROM changes AS c CROSS JOIN batches AS b ON b.n = c.batch WHERE c.id = ?1"
        ))?;
        Ok(query.query_row([change], batch_row).optional()?)
    }

    /// The changes of a batch that stand, each with the number of the record since which it does: its own, or that of the
    /// last undo of an undo that brought it again. Those that touched no file do not count.
    pub fn standing_since(&self, batch: &str) -> Result<Vec<(String, u64)>, Trouble> {
        let mut query = self.db.prepare_cached(
            "WITH RECURSIVE chain (first, n) AS (
                SELECT c.n, c.n FROM batches AS b CROSS JOIN changes AS c ON c.batch = b.n
                WHERE b.id = ?1 AND c.done AND c.undone_by IS NULL
                UNION SELECT chain.first, u.by FROM chain CROSS JOIN undoing AS u ON u.change = chain.n)
             SELECT f.id, max(b.seq) FROM chain CROSS JOIN changes AS f ON f.n = chain.first
                CROSS JOIN changes AS c ON c.n = chain.n CROSS JOIN batches AS b ON b.n = c.batch
             WHERE c.path <> 0 GROUP BY chain.first",
        )?;
        let rows = query.query_map([batch], |row| Ok((row.get(0)?, whole(row, 1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The changes that a change did again by taking back what had taken them back, whether they stand or not.
    pub fn done_again(&self, change: &str) -> Result<Vec<String>, Trouble> {
        let mut query = self.db.prepare_cached(
            "WITH RECURSIVE chain (n, again) AS (
                SELECT n, 1 FROM changes WHERE id = ?1
                UNION SELECT u.change, 1 - chain.again FROM chain CROSS JOIN undoing AS u ON u.by = chain.n)
             SELECT c.id FROM chain CROSS JOIN changes AS c ON c.n = chain.n
             WHERE chain.again AND c.done AND NOT EXISTS (SELECT 1 FROM undoing WHERE undoing.by = c.n)",
        )?;
        let rows = query.query_map([change], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// What a change takes back or does again, however often it was taken back and done again before: the changes that
    /// take nothing back themselves, and whether they stand.
    pub fn origins(&self, change: &str) -> Result<Vec<(String, bool)>, Trouble> {
        let mut query = self.db.prepare_cached(
            "WITH RECURSIVE chain (n) AS (
                SELECT n FROM changes WHERE id = ?1
                UNION SELECT u.change FROM chain CROSS JOIN undoing AS u ON u.by = chain.n)
             SELECT c.id, c.undone_by IS NULL FROM chain CROSS JOIN changes AS c ON c.n = chain.n
             WHERE NOT EXISTS (SELECT 1 FROM undoing WHERE undoing.by = c.n)",
        )?;
        let rows = query.query_map([change], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The changes that were made to take a change back, whether they stand or not.
    pub fn undos_of(&self, change: &str) -> Result<Vec<String>, Trouble> {
        let mut query = self.db.prepare_cached(
            "SELECT by.id FROM changes AS c CROSS JOIN undoing AS u ON u.change = c.n CROSS JOIN changes AS by ON by.n = u.by
             WHERE c.id = ?1 AND by.done",
        )?;
        let rows = query.query_map([change], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The commits that took a batch back, in whole or in part, or did that again, and so on.
    pub fn undoing_batch(&self, batch: &str) -> Result<Vec<Touch>, Trouble> {
        let mut query = self.db.prepare_cached(
            "WITH RECURSIVE chain (n) AS (
                SELECT c.n FROM batches AS b CROSS JOIN changes AS c ON c.batch = b.n WHERE b.id = ?1
                UNION SELECT u.by FROM chain CROSS JOIN undoing AS u ON u.change = chain.n)
             SELECT DISTINCT b.seq, b.place FROM chain CROSS JOIN changes AS c ON c.n = chain.n
                CROSS JOIN batches AS b ON b.n = c.batch WHERE b.id <> ?1 AND c.done",
        )?;
        let rows = query.query_map([batch], touch)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The commits that made or removed a folder, oldest first. One that did both removed it first.
    pub fn folder_events(&self, folder: &str) -> Result<Vec<FolderEvent>, Trouble> {
        let mut query =
            self.db.prepare_cached("SELECT seq, place, made FROM folders WHERE path = ?1 ORDER BY seq, made")?;
        let event = |row: &Row<'_>| Ok(FolderEvent { by: touch(row)?, made: row.get(2)? });
        let rows = query.query_map([folder], event)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The commits that touch anything in a folder, newest first.
    pub fn touching_below(&self, folder: &str) -> Result<Vec<Touch>, Trouble> {
        // In the order of bytes `0` comes right after `/`.
        let mut query = self.db.prepare_cached(
            "SELECT DISTINCT t.seq, t.place FROM paths AS p CROSS JOIN touched AS t ON t.path = p.n
             WHERE p.path > ?1 || '/' AND p.path < ?1 || '0' ORDER BY t.seq DESC",
        )?;
        let rows = query.query_map([folder], touch)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Batches, newest first, at most so many.
    pub fn batches(&self, wanted: &BatchFilter, limit: usize) -> Result<Vec<BatchRow>, Trouble> {
        let Some((first, more)) = wanted.paths.split_first() else {
            return match &wanted.names {
                Some(names) => self.batches_among(names, wanted, limit),
                None => self.batches_at(None, wanted, limit),
            };
        };
        let mut rows = self.batches_at(Some(first), wanted, limit)?;
        for path in more {
            rows.extend(self.batches_at(Some(path), wanted, limit)?);
            rows.sort_by_key(|row| std::cmp::Reverse(row.seq));
            rows.dedup_by(|one, other| one.id == other.id);
            rows.truncate(limit);
        }
        Ok(rows)
    }

    /// The same, of those that touch one path alone.
    fn batches_at(&self, path: Option<&str>, wanted: &BatchFilter, limit: usize) -> Result<Vec<BatchRow>, Trouble> {
        let Some(search) = self.search(path, wanted)? else { return Ok(Vec::new()) };
        let conditions = search.conditions.join(" AND ");
        let (from, order) = (search.from, search.order);
        let sql = format!("SELECT {COLUMNS} FROM {from} WHERE {conditions} ORDER BY {order} DESC LIMIT ?");
        let mut values = search.values;
        values.push(Value::Integer(i64::try_from(limit).unwrap_or(i64::MAX)));
        let mut query = self.db.prepare_cached(&sql)?;
        let rows = query.query_map(params_from_iter(values), batch_row)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// How batches are looked for; nothing if there can be none.
    pub(super) fn search(&self, path: Option<&str>, wanted: &BatchFilter) -> Result<Option<Search>, Trouble> {
        let mut search = match path {
            None => Search { from: "batches AS b", order: "b.seq", conditions: Vec::new(), values: Vec::new() },
            Some(path) => {
                let Some(path) = self.path_number(path)? else { return Ok(None) };
                // The order of a cross join stands: from the path to its batches.
                let from = "reached AS r CROSS JOIN batches AS b ON b.n = r.batch";
                Search { from, order: "r.seq", conditions: vec!["r.path = ?".to_owned()], values: vec![path.into()] }
            }
        };
        let order = search.order;
        let after = wanted.after_seq.unwrap_or(0);
        search.and(format!("{order} > ?"), signed(after));
        if let Some(before) = wanted.before_seq {
            search.and(format!("{order} < ?"), signed(before));
        }
        if let Some(session) = &wanted.session {
            search.and("b.session = ?".to_owned(), session.clone());
        }
        if let Some(status) = wanted.status {
            search.and("b.status = ?".to_owned(), status.name().to_owned());
        }
        if let Some(since) = wanted.since_ns {
            let Some(first) = self.first_since(since)? else { return Ok(None) };
            search.and(format!("{order} >= ?"), first);
        }
        Ok(Some(search))
    }

    /// The first record that counts as made at this time or later: none is older than one before it.
    fn first_since(&self, since_ns: i64) -> Result<Option<i64>, Trouble> {
        let mut query =
            self.db.prepare_cached("SELECT seq FROM batches WHERE top_ns >= ?1 ORDER BY top_ns, seq LIMIT 1")?;
        Ok(query.query_row([since_ns], |row| row.get(0)).optional()?)
    }

    pub(super) fn path_number(&self, path: &str) -> Result<Option<i64>, Trouble> {
        let mut query = self.db.prepare_cached("SELECT n FROM paths WHERE path = ?1")?;
        Ok(query.query_row([path], |row| row.get(0)).optional()?)
    }

    /// Every path that was ever touched.
    pub fn paths(&self) -> Result<Vec<String>, Trouble> {
        let mut query = self.db.prepare_cached("SELECT path FROM paths ORDER BY n")?;
        let rows = query.query_map([], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The commits after a number that touch a path, oldest first.
    pub fn touching(&self, path: &str, after_seq: u64) -> Result<Vec<Touch>, Trouble> {
        let mut query = self.db.prepare_cached(
            "SELECT t.seq, t.place FROM paths AS p CROSS JOIN touched AS t ON t.path = p.n
             WHERE p.path = ?1 AND t.seq > ?2 ORDER BY t.seq",
        )?;
        let rows = query.query_map(params![path, signed(after_seq)], touch)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The commit that brought something back from the trash, if one did.
    pub fn returned(&self, trash: &str) -> Result<Option<Touch>, Trouble> {
        let mut query = self.db.prepare_cached("SELECT seq, place FROM returned WHERE trash = ?1")?;
        Ok(query.query_row([trash], touch).optional()?)
    }

    /// The changes of a batch, in the order of the record.
    pub fn changes_of(&self, batch: &str) -> Result<Vec<ChangeRow>, Trouble> {
        let mut query = self.db.prepare_cached(
            "SELECT c.id, b.id, b.status, c.done, ub.id FROM batches AS b CROSS JOIN changes AS c ON c.batch = b.n
             LEFT JOIN changes AS u ON u.n = c.undone_by LEFT JOIN batches AS ub ON ub.n = u.batch
             WHERE b.id = ?1 ORDER BY c.ordinal",
        )?;
        let rows = query.query_map([batch], change_row)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

/// A query in the making.
pub(super) struct Search {
    from: &'static str,
    order: &'static str,
    pub(super) conditions: Vec<String>,
    pub(super) values: Vec<Value>,
}

impl Search {
    fn and(&mut self, condition: String, value: impl Into<Value>) {
        self.conditions.push(condition);
        self.values.push(value.into());
    }
}

/// What [`batch_row`] reads.
pub(super) const COLUMNS: &str = "b.id, b.seq, b.place, b.proposal, b.status, b.is_undo, b.session, b.number";

pub(super) fn batch_row(row: &Row<'_>) -> rusqlite::Result<BatchRow> {
    Ok(BatchRow {
        id: row.get(0)?,
        seq: whole(row, 1)?,
        place: whole(row, 2)?,
        proposal: row.get::<_, Option<i64>>(3)?.map(|place| u64::try_from(place).unwrap_or(0)),
        status: status(row, 4)?,
        is_undo: row.get(5)?,
        session: row.get(6)?,
        number: row.get::<_, Option<i64>>(7)?.and_then(|number| u64::try_from(number).ok()).unwrap_or(0),
    })
}

fn touch(row: &Row<'_>) -> rusqlite::Result<Touch> {
    Ok(Touch { seq: whole(row, 0)?, place: whole(row, 1)? })
}

fn change_row(row: &Row<'_>) -> rusqlite::Result<ChangeRow> {
    let (batch, done, undone_by): (BatchStatus, bool, Option<String>) = (status(row, 2)?, row.get(3)?, row.get(4)?);
    let was_done = matches!(batch, BatchStatus::Applied | BatchStatus::Undone);
    let status = match (was_done, done, &undone_by) {
        (false, ..) => batch,
        (true, false, _) => BatchStatus::Rejected,
        (true, true, Some(_)) => BatchStatus::Undone,
        (true, true, None) => BatchStatus::Applied,
    };
    Ok(ChangeRow { id: row.get(0)?, batch: row.get(1)?, status, undone_by })
}

fn status(row: &Row<'_>, at: usize) -> rusqlite::Result<BatchStatus> {
    let word: String = row.get(at)?;
    BatchStatus::named(&word).ok_or(rusqlite::Error::InvalidQuery)
}

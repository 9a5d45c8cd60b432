//! Finding batches, changes and files by the beginnings of their ids, or by their numbers.
//!
//! Tells all that fit, up to a limit: whether one alone does is for the caller to judge.

use super::{Index, Trouble, signed, whole};
use rusqlite::{OptionalExtension, Row, params};

/// A part of a batch: a change, or a file with its changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartRow {
    /// Its id.
    pub id: String,
    /// Its batch's id.
    pub batch: String,
}

impl Index {
    /// The batches whose ids begin so.
    pub fn batches_beginning(&self, start: &str, most: usize) -> Result<Vec<String>, Trouble> {
        self.ids("SELECT id FROM batches WHERE id >= ?1 AND id < ?2 ORDER BY id LIMIT ?3", start, most)
    }

    /// The trash entries whose ids begin so.
    pub fn trash_beginning(&self, start: &str, most: usize) -> Result<Vec<String>, Trouble> {
        self.ids("SELECT id FROM trash WHERE id >= ?1 AND id < ?2 ORDER BY id LIMIT ?3", start, most)
    }

    /// The batches of this number; mostly one.
    pub fn batches_numbered(&self, number: u64, most: usize) -> Result<Vec<String>, Trouble> {
        let mut query = self.db.prepare_cached("SELECT id FROM batches WHERE number = ?1 ORDER BY id LIMIT ?2")?;
        let rows = query.query_map(params![signed(number), limit(most)], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The changes whose ids begin so, of one batch if that is named.
    pub fn changes_beginning(&self, start: &str, batch: Option<&str>, most: usize) -> Result<Vec<PartRow>, Trouble> {
        let mut query = self.db.prepare_cached(
            "SELECT c.id, b.id FROM changes AS c JOIN batches AS b ON b.n = c.batch
             WHERE c.id >= ?1 AND c.id < ?2 AND (?4 IS NULL OR b.id = ?4) ORDER BY c.id LIMIT ?3",
        )?;
        let rows = query.query_map(params![start, behind(start), limit(most), batch], part)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The files' parts of batches whose ids begin so, of one batch if that is named.
    pub fn files_beginning(&self, start: &str, batch: Option<&str>, most: usize) -> Result<Vec<PartRow>, Trouble> {
        let mut query = self.db.prepare_cached(
            "SELECT p.id, b.id FROM parts AS p JOIN batches AS b ON b.n = p.batch
             WHERE p.id >= ?1 AND p.id < ?2 AND (?4 IS NULL OR b.id = ?4) ORDER BY p.id LIMIT ?3",
        )?;
        let rows = query.query_map(params![start, behind(start), limit(most), batch], part)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The change that stands at this place of a batch, from 1, in the order of the record that first named the batch.
    pub fn changes_numbered(&self, batch: u64, change: u64, most: usize) -> Result<Vec<PartRow>, Trouble> {
        let mut query = self.db.prepare_cached(
            "SELECT c.id, b.id FROM batches AS b JOIN changes AS c ON c.batch = b.n
             WHERE b.number = ?1 AND c.ordinal = ?2 - 1 ORDER BY c.id LIMIT ?3",
        )?;
        let rows = query.query_map(params![signed(batch), signed(change), limit(most)], part)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The number of a batch; nothing if it has none or is not known.
    pub fn number_of(&self, batch: &str) -> Result<Option<u64>, Trouble> {
        let mut query = self.db.prepare_cached("SELECT number FROM batches WHERE id = ?1")?;
        let number: Option<Option<i64>> = query.query_row([batch], |row| row.get(0)).optional()?;
        Ok(number.flatten().and_then(|number| u64::try_from(number).ok()))
    }

    /// The number of a change's batch, and the change's place there, from 1; what [`Index::changes_numbered`] finds it by.
    pub fn place_of(&self, change: &str) -> Result<Option<(u64, u64)>, Trouble> {
        let mut query = self.db.prepare_cached(
            "SELECT b.number, c.ordinal + 1 FROM changes AS c JOIN batches AS b ON b.n = c.batch
             WHERE c.id = ?1 AND b.number IS NOT NULL",
        )?;
        Ok(query.query_row([change], |row| Ok((whole(row, 0)?, whole(row, 1)?))).optional()?)
    }

    fn ids(&self, sql: &str, start: &str, most: usize) -> Result<Vec<String>, Trouble> {
        let mut query = self.db.prepare_cached(sql)?;
        let rows = query.query_map(params![start, behind(start), limit(most)], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

/// What sorts behind everything that begins so: no id has a letter behind `f`.
fn behind(start: &str) -> String {
    format!("{start}g")
}

fn limit(most: usize) -> i64 {
    i64::try_from(most).unwrap_or(i64::MAX)
}

fn part(row: &Row<'_>) -> rusqlite::Result<PartRow> {
    Ok(PartRow { id: row.get(0)?, batch: row.get(1)? })
}

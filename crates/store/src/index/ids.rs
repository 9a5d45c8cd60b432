//! Finding batches by the beginnings of their ids, or by their numbers.
//!
//! Tells all that fit, up to a limit: whether one alone does is for the caller to judge.

use super::{Index, Trouble, signed};
use rusqlite::params;

impl Index {
    /// The batches whose ids begin so.
    pub fn batches_beginning(&self, start: &str, most: usize) -> Result<Vec<String>, Trouble> {
        let sql = "SELECT id FROM batches WHERE id >= ?1 AND id < ?2 ORDER BY id LIMIT ?3";
        let mut query = self.db.prepare_cached(sql)?;
        let rows = query.query_map(params![start, behind(start), limit(most)], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The batches of this number; mostly one.
    pub fn batches_numbered(&self, number: u64, most: usize) -> Result<Vec<String>, Trouble> {
        let mut query = self.db.prepare_cached("SELECT id FROM batches WHERE number = ?1 ORDER BY id LIMIT ?2")?;
        let rows = query.query_map(params![signed(number), limit(most)], |row| row.get(0))?;
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

//! Looking up undo batches: which ones took back any of a batch and stand, and which batches stand again.

use super::history::{COLUMNS, batch_row};
use super::{BatchRow, Index, Trouble};
use patchwright_core::batch::BatchName;
use rusqlite::{OptionalExtension, Row, params_from_iter};
use std::collections::HashMap;

/// So many batches are asked for in one query.
const AT_ONCE: usize = 256;

impl Index {
    /// By batch, the undo batches that took back any of it and stand, in the order of its changes.
    pub fn undone_by(&self, batches: &[&str]) -> Result<HashMap<String, Vec<BatchName>>, Trouble> {
        let mut found: HashMap<String, Vec<BatchName>> = HashMap::new();
        for some in batches.chunks(AT_ONCE) {
            let marks = vec!["?"; some.len()].join(", ");
            let mut query = self.db.prepare(&format!(
                "SELECT b.id, ub.id, coalesce(ub.number, 0) FROM batches AS b CROSS JOIN changes AS c ON c.batch = b.n
                    CROSS JOIN changes AS u ON u.n = c.undone_by CROSS JOIN batches AS ub ON ub.n = u.batch
                 WHERE b.id IN ({marks}) GROUP BY b.n, ub.n ORDER BY min(c.ordinal)"
            ))?;
            for row in query.query_map(params_from_iter(some), pair)? {
                let (batch, undo) = row?;
                found.entry(batch).or_default().push(undo);
            }
        }
        Ok(found)
    }

    /// The newest batch that stands and took back a batch which is no undo itself.
    pub fn newest_undo(&self) -> Result<Option<BatchRow>, Trouble> {
        let mut query = self.db.prepare_cached(&format!(
            "SELECT {COLUMNS} FROM batches AS b WHERE b.status = 'applied' AND b.is_undo AND EXISTS (
                SELECT 1 FROM changes AS c CROSS JOIN undoing AS u ON u.by = c.n
                    CROSS JOIN changes AS t ON t.n = u.change CROSS JOIN batches AS tb ON tb.n = t.batch
                WHERE c.batch = b.n AND c.done AND c.undone_by IS NULL AND NOT tb.is_undo)
             ORDER BY b.seq DESC LIMIT 1"
        ))?;
        Ok(query.query_row([], batch_row).optional()?)
    }

    /// The batches that are no undos and stand, all or some of them after they were taken back once.
    pub fn done_again_batches(&self) -> Result<Vec<BatchRow>, Trouble> {
        let mut query = self.db.prepare_cached(&format!(
            "SELECT {COLUMNS} FROM batches AS b WHERE b.status = 'applied' AND NOT b.is_undo AND b.n IN (
                SELECT c.batch FROM undoing AS u CROSS JOIN changes AS c ON c.n = u.change WHERE c.undone_by IS NULL)
             ORDER BY b.seq DESC"
        ))?;
        let rows = query.query_map([], batch_row)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

fn pair(row: &Row<'_>) -> rusqlite::Result<(String, BatchName)> {
    let id: String = row.get(1)?;
    Ok((row.get(0)?, BatchName::new(id, super::whole(row, 2)?)))
}

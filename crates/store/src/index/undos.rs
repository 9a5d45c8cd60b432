//! Looking up undo batches: which ones took back any of a batch and stand.

use super::{Index, Trouble};
use patchwright_core::outcome::BatchName;
use rusqlite::{Row, params_from_iter};
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
}

fn pair(row: &Row<'_>) -> rusqlite::Result<(String, BatchName)> {
    let id: String = row.get(1)?;
    Ok((row.get(0)?, BatchName::new(id, super::whole(row, 2)?)))
}

//! Looking up sessions.

use super::{Index, Trouble, whole};
use patchwright_core::batch::{Author, Role};
use rusqlite::{Row, params};

/// A session on record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionRow {
    /// Who made its newest batch, and when that took effect.
    pub newest: Author,
    /// How many batches it has.
    pub batches: u64,
}

impl Index {
    /// Every session, that with the newest batch first.
    pub fn sessions(&self) -> Result<Vec<SessionRow>, Trouble> {
        let mut query = self.db.prepare_cached(
            "SELECT session, client, actor, person, time_ns, count(*), max(seq) AS last FROM batches
             GROUP BY session ORDER BY last DESC",
        )?;
        let rows = query.query_map([], session)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The sessions whose ids begin so, in order, at most so many.
    pub fn sessions_beginning(&self, start: &str, most: usize) -> Result<Vec<String>, Trouble> {
        let mut query = self
            .db
            .prepare_cached("SELECT DISTINCT session FROM batches WHERE session >= ?1 ORDER BY session LIMIT ?2")?;
        let limit = i64::try_from(most).unwrap_or(i64::MAX);
        let rows = query.query_map(params![start, limit], |row| row.get(0))?;
        let mut found: Vec<String> = rows.collect::<Result<_, _>>()?;
        found.retain(|session| session.starts_with(start));
        Ok(found)
    }
}

/// Where one column is the greatest of a group, the database gives the others of that very row.
fn session(row: &Row<'_>) -> rusqlite::Result<SessionRow> {
    let role = if row.get(3)? { Role::Person } else { Role::Agent };
    let newest = Author { session: row.get(0)?, client: row.get(1)?, actor: row.get(2)?, role, time_ns: row.get(4)? };
    Ok(SessionRow { newest, batches: whole(row, 5)? })
}

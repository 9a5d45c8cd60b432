//! Looking up the origin of lines in the index. How it is worked out is in `lines`.

use super::{Index, LineHistory, Trouble, lines};
use patchwright_core::batch::Role;
use patchwright_core::digest::Digest;
use rusqlite::{OptionalExtension, Row};

/// What was known of a file before somebody else wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ground {
    /// The version that the last recorded change had left.
    pub known: LineHistory,
    /// The hash of the version that was found.
    pub found: Digest,
}

/// A change as the origin of lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeOrigin {
    /// Its id.
    pub id: String,
    /// Its batch.
    pub batch: String,
    /// The name that the file had then.
    pub path: String,
    /// What it is for: its description, or else its batch's label.
    pub description: Option<String>,
    /// The tool.
    pub tool: String,
    /// The session of the batch's author.
    pub session: String,
    /// The client of the batch's author.
    pub client: String,
    /// Is that author a person or an agent?
    pub role: Role,
    /// When it was carried out, in nanoseconds since 1970 UTC.
    pub time_ns: i64,
}

impl Index {
    /// The lines of a file, as the last recorded change left them.
    pub fn lines_of(&self, path: &str) -> Result<Option<LineHistory>, Trouble> {
        let mut query = self.db.prepare_cached(
            "SELECT l.digest, l.seq, l.place, l.runs, l.ground FROM paths AS p CROSS JOIN lines AS l ON l.path = p.n
             WHERE p.path = ?1",
        )?;
        Ok(query.query_row([path], lines::history).optional()?)
    }

    /// What was known of a file before somebody else wrote it.
    pub fn ground(&self, id: i64) -> Result<Option<Ground>, Trouble> {
        let mut query =
            self.db.prepare_cached("SELECT digest, seq, place, runs, ground, found FROM grounds WHERE n = ?1")?;
        let ground = |row: &Row<'_>| Ok(Ground { known: lines::history(row)?, found: Digest(row.get(5)?) });
        Ok(query.query_row([id], ground).optional()?)
    }

    /// A change by its number in the index.
    pub fn change_row(&self, number: i64) -> Result<Option<ChangeOrigin>, Trouble> {
        let mut query = self.db.prepare_cached(
            "SELECT c.id, b.id, p.path, coalesce(c.description, b.label), b.tool, b.session, b.client, b.time_ns,
                b.person
             FROM changes AS c JOIN batches AS b ON b.n = c.batch JOIN paths AS p ON p.n = c.path WHERE c.n = ?1",
        )?;
        let origin = |row: &Row<'_>| {
            Ok(ChangeOrigin {
                id: row.get(0)?,
                batch: row.get(1)?,
                path: row.get(2)?,
                description: row.get(3)?,
                tool: row.get(4)?,
                session: row.get(5)?,
                client: row.get(6)?,
                time_ns: row.get(7)?,
                role: if row.get(8)? { Role::Person } else { Role::Agent },
            })
        };
        Ok(query.query_row([number], origin).optional()?)
    }
}

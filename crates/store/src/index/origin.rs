//! Looking up the origin of lines in the index. How it is worked out is in `lines`.

use super::runs::OPEN;
use super::{Index, Touch, Trouble, lines};
use patchwright_core::batch::Role;
use patchwright_core::digest::Digest;
use rusqlite::{OptionalExtension, Row};

/// The lines of a file as the last recorded change left them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineHistory {
    /// The hash of that version.
    pub digest: Digest,
    /// The commit that left it.
    pub last: Touch,
    /// Its lines from the first on, run by run; the last run may stand for any number of lines.
    pub runs: Vec<Run>,
    /// What went before the version that the first of these changes was made for, if others wrote in between.
    pub ground: Option<i64>,
}

impl LineHistory {
    /// Is nothing known of it but what it stands on?
    pub fn is_bare(&self) -> bool {
        matches!(self.runs.as_slice(), [Run { lines: OPEN, from: Origin::Ground(0) }])
    }
}

/// Lines with one origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// How many; [`Run::OPEN`] for as many as there are.
    pub lines: u64,
    /// What brought them.
    pub from: Origin,
}

impl Run {
    /// The length of a run that goes on to the end of the file.
    pub const OPEN: u64 = OPEN;
}

/// What brought some lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A recorded change, by its number in the index.
    Change(i64),
    /// They are these lines of the version on which recording began, or began again: the first of them, from 0.
    Ground(u64),
    /// The same, but of another version than this file's last: one that stands on this ground, or on none.
    Older(Option<i64>, u64),
}

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

//! Who touched a path after a version that somebody knows, by the chain of hashes on record.

use super::{Index, Touch, Trouble, signed, whole};
use patchwright_core::digest::Digest;
use rusqlite::{OptionalExtension, Row, params};

/// So many commits of a path are looked through at most.
const FAR: i64 = 20_000;

/// What became of a path since a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// The last commits that changed it, oldest first.
    pub last: Vec<Touch>,
    /// How many there were in all.
    pub count: usize,
    /// Does the chain of hashes from that version to the present one break?
    pub foreign: bool,
}

/// A commit's touch of a path, with the beginnings of the hashes before and after.
struct Step {
    touch: Touch,
    before: Option<i64>,
    after: Option<i64>,
}

/// How the record last left a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// No commit touched it.
    Untouched,
    /// Otherwise than it is.
    Otherwise,
    /// As it is, by this commit.
    So(Touch),
}

impl Index {
    /// How the newest commit with a lower number left a path, held against the hash that it has.
    pub fn left(&self, path: &str, now: Digest, below_seq: u64) -> Result<Left, Trouble> {
        let mut query = self.db.prepare_cached(
            "SELECT t.seq, t.place, t.before, t.after FROM paths AS p CROSS JOIN touched AS t ON t.path = p.n
             WHERE p.path = ?1 AND t.seq < ?2 ORDER BY t.seq DESC LIMIT 1",
        )?;
        Ok(match query.query_row(params![path, signed(below_seq)], step).optional()? {
            None => Left::Untouched,
            Some(step) if step.after == Some(short(now)) => Left::So(step.touch),
            Some(_) => Left::Otherwise,
        })
    }

    /// The commits that changed a path after a version, at most so many of them, and whether anybody else did.
    /// Nothing if that version is not on record.
    pub fn changed_since(
        &self,
        path: &str,
        known: Digest,
        now: Option<Digest>,
        limit: usize,
    ) -> Result<Option<Changed>, Trouble> {
        let mut query = self.db.prepare_cached(
            "SELECT t.seq, t.place, t.before, t.after FROM paths AS p CROSS JOIN touched AS t ON t.path = p.n
             WHERE p.path = ?1 ORDER BY t.seq DESC LIMIT ?2",
        )?;
        let (known, mut next) = (Some(short(known)), now.map(short));
        let mut changed = Changed { last: Vec::new(), count: 0, foreign: false };
        for row in query.query_map(params![path, FAR], step)? {
            let Step { touch, before, after } = row?;
            changed.foreign |= after != next;
            if after == known {
                changed.last.reverse();
                return Ok(Some(changed));
            }
            changed.count += 1;
            if changed.last.len() < limit {
                changed.last.push(touch);
            }
            if before == known {
                changed.last.reverse();
                return Ok(Some(changed));
            }
            next = before;
        }
        Ok(None)
    }

    /// The newest commit that left a path with this hash.
    pub fn left_by(&self, path: &str, digest: Digest) -> Result<Option<Touch>, Trouble> {
        let mut query = self.db.prepare_cached(
            "SELECT t.seq, t.place, t.before, t.after FROM paths AS p CROSS JOIN touched AS t ON t.path = p.n
             WHERE p.path = ?1 AND t.after = ?2 AND t.before IS NOT t.after ORDER BY t.seq DESC LIMIT 1",
        )?;
        Ok(query.query_row(params![path, short(digest)], step).optional()?.map(|step| step.touch))
    }
}

fn step(row: &Row<'_>) -> rusqlite::Result<Step> {
    let touch = Touch { seq: whole(row, 0)?, place: whole(row, 1)? };
    Ok(Step { touch, before: row.get(2)?, after: row.get(3)? })
}

/// The beginning of a hash: enough to tell a file's versions apart.
pub(super) fn short(digest: Digest) -> i64 {
    digest.0.first_chunk().map_or(0, |eight| i64::from_le_bytes(*eight))
}

//! Which changes are taken back. A change is undone for as long as a change that takes it back stands; taking that
//! one back brings the first back, and so on. A batch is undone when all that it did is.

use crate::records::ChangeRecord;
use patchwright_core::batch::BatchStatus;
use rusqlite::{OptionalExtension, Transaction, params};
use std::collections::BTreeSet;

/// Works out what a commit takes back, once its changes are entered.
pub(super) fn commit(db: &Transaction<'_>, batch: i64, changes: &[&ChangeRecord]) -> rusqlite::Result<()> {
    let mut open: BTreeSet<i64> = BTreeSet::new();
    for change in changes.iter().filter(|change| !change.undoes.is_empty()) {
        let Some(by) = number(db, &change.id)? else { continue };
        for id in &change.undoes {
            // Only what was there before can be taken back; so there are no circles.
            if let Some(target) = number(db, id)?.filter(|target| *target < by) {
                let mut note = db.prepare_cached("INSERT OR IGNORE INTO undoing (change, by) VALUES (?1, ?2)")?;
                note.execute(params![target, by])?;
                open.insert(target);
            }
        }
    }
    let mut batches = BTreeSet::from([batch]);
    // From the newest on: what takes a change back is newer than it, so it is settled by then.
    while let Some(change) = open.pop_last() {
        if let Some(of) = settle(db, change)? {
            batches.insert(of);
            open.extend(taken_back(db, change)?);
        }
    }
    batches.into_iter().try_for_each(|batch| settle_batch(db, batch))
}

fn number(db: &Transaction<'_>, id: &str) -> rusqlite::Result<Option<i64>> {
    db.prepare_cached("SELECT n FROM changes WHERE id = ?1")?.query_row([id], |row| row.get(0)).optional()
}

/// Says anew whether a change is undone. Its batch, if that is news.
fn settle(db: &Transaction<'_>, change: i64) -> rusqlite::Result<Option<i64>> {
    let mut standing = db.prepare_cached(
        "SELECT undo.n FROM undoing JOIN changes AS undo ON undo.n = undoing.by
         WHERE undoing.change = ?1 AND undo.done AND undo.undone_by IS NULL ORDER BY undo.n DESC LIMIT 1",
    )?;
    let by: Option<i64> = standing.query_row([change], |row| row.get(0)).optional()?;
    let mut update =
        db.prepare_cached("UPDATE changes SET undone_by = ?2 WHERE n = ?1 AND undone_by IS NOT ?2 RETURNING batch")?;
    update.query_row(params![change, by], |row| row.get(0)).optional()
}

/// The changes that a change takes back.
fn taken_back(db: &Transaction<'_>, change: i64) -> rusqlite::Result<Vec<i64>> {
    let mut query = db.prepare_cached("SELECT change FROM undoing WHERE by = ?1")?;
    query.query_map([change], |row| row.get(0))?.collect()
}

fn settle_batch(db: &Transaction<'_>, batch: i64) -> rusqlite::Result<()> {
    let mut count = db.prepare_cached("SELECT count(*), count(undone_by) FROM changes WHERE batch = ?1 AND done")?;
    let (all, undone): (i64, i64) = count.query_row([batch], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let status = if all > 0 && all == undone { BatchStatus::Undone } else { BatchStatus::Applied };
    let mut update = db.prepare_cached(
        "UPDATE batches SET status = ?2 WHERE n = ?1 AND status IN ('applied', 'undone') AND status <> ?2",
    )?;
    update.execute(params![batch, status.name()]).map(drop)
}

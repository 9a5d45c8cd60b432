//! What `undo` and `redo` mean without a name: the newest change that stands, and the newest undo.

use crate::past::Past;
use crate::session::Session;
use crate::trouble::index as failed_index;
use patchwright_core::batch::{BatchName, BatchStatus};
use patchwright_core::outcome::Trouble;
use patchwright_store::index::{BatchFilter, BatchRow};

/// At most this many batches are looked at together.
const PAGE: usize = 64;

impl Session {
    /// The newest batch that stands and took back a batch which is no undo itself: what is to be taken back for a change
    /// to be done again. Doing a change again is an undo of an undo, so the next one asked for is the one before.
    pub fn newest_undo(&self) -> Result<Option<BatchName>, Trouble> {
        let Some(past) = self.past()? else { return Ok(None) };
        Ok(past.index.newest_undo().map_err(failed_index)?.map(name))
    }

    /// The newest batch that is no undo and no purge, and of which something that may be seen is left to take back. One
    /// that was taken back and done again, all of it, counts from then on.
    pub fn newest_change(&self) -> Result<Option<BatchName>, Trouble> {
        let Some(past) = self.past()? else { return Ok(None) };
        let made = past.newest_made()?.map(|row| (row.seq, row));
        let again = past.newest_done_again()?;
        let newest = made.into_iter().chain(again).max_by_key(|(since, _)| *since);
        Ok(newest.map(|(_, row)| name(row)))
    }
}

impl Past<'_> {
    fn newest_made(&self) -> Result<Option<BatchRow>, Trouble> {
        let status = Some(BatchStatus::Applied);
        let mut filter = BatchFilter { status, ..BatchFilter::default() };
        loop {
            let rows = self.index.batches(&filter, PAGE).map_err(failed_index)?;
            let Some(last) = rows.last().map(|row| row.seq) else { return Ok(None) };
            for row in rows.into_iter().filter(|row| !row.is_undo) {
                if self.has_changes(&row)? {
                    return Ok(Some(row));
                }
            }
            filter.before_seq = Some(last);
        }
    }

    /// The batch that stands again since the newest record, as a whole, and the number of that.
    fn newest_done_again(&self) -> Result<Option<(u64, BatchRow)>, Trouble> {
        let mut newest: Option<(u64, BatchRow)> = None;
        for row in self.index.done_again_batches().map_err(failed_index)? {
            let since = self.index.standing_since(&row.id).map_err(failed_index)?;
            let Some(since) = since.into_iter().map(|(_, since)| since).min() else { continue };
            if newest.as_ref().is_none_or(|(known, _)| since > *known) && self.has_changes(&row)? {
                newest = Some((since, row));
            }
        }
        Ok(newest)
    }

    /// Does a batch have changes that may be seen?
    fn has_changes(&self, row: &BatchRow) -> Result<bool, Trouble> {
        let story = self.story(row.clone())?;
        Ok(story.is_some_and(|story| story.files().any(|file| !file.changes.is_empty())))
    }
}

fn name(row: BatchRow) -> BatchName {
    BatchName::new(row.id, row.number)
}

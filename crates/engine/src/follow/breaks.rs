//! Where a record goes on that no longer holds an entry which was there before.

use patchwright_store::disk::Halt;
use patchwright_store::log::{Log, Met, START, Walk};
use patchwright_store::real::RealDisk;
use patchwright_store::records::{Point, Record};

/// The place behind which everything is news to whoever had read a lost entry. A log that was put back and gone on with has
/// a [`Record::Resumed`] there, one that was taken over from elsewhere a [`Record::Adopted`]. A log that has neither is
/// another one altogether: all of it is news.
pub(super) fn after_break(disk: &RealDisk, log: &Log<RealDisk>, lost: Point) -> Result<Point, Halt> {
    let (mut sure, mut likely, mut last) = (None, None, START);
    log.entries_after(disk, START, &mut |met| {
        let Met::Entry(entry) = met else { return Walk::On };
        match &entry.record {
            Record::Resumed(resumed) if resumed.found.sequence < lost.sequence => {
                // What was known then may lag behind what could be read already.
                likely = Some(last);
                if resumed.known.is_none_or(|known| known.sequence >= lost.sequence) {
                    sure = Some(last);
                }
            }
            Record::Adopted(adopted) if adopted.from.is_some() => sure = Some(entry.point()),
            _ => {}
        }
        last = entry.point();
        Walk::On
    })?;
    Ok(sure.or(likely).unwrap_or(START))
}

//! Telling a write that was cut short from a record that was changed.
//!
//! Records are written in place over zeros. A write that was cut short leaves zeros where sectors did not
//! reach the disk, at its end or within. A record without such a gap was whole once: if it does not match
//! its checksum, somebody changed it, and it must not be taken for one that never happened.

use super::frame::{self, Frame};
use patchwright_core::digest::Digest;

/// The bytes of a record's length.
const LENGTH: usize = 4;
/// What a disk writes all or nothing of.
const SECTOR: u64 = 512;

/// Was this, which is no good record, a whole one once, or is there a good one further on? `next` is what
/// a record here has to begin with: its number, and the hash of the one before.
pub(super) fn was_whole(at: u64, region: &[u8], next: (u64, Digest)) -> bool {
    let claimed = frame::length_from_head(region);
    // Where the first sector did not arrive, and with it part of the length, that says nothing.
    let followed = claimed.is_some_and(|length| length < region.len()) && !lacks_beginning(at, region);
    let closed = region.last_chunk().copied().and_then(frame::length_from_tail) == Some(region.len());
    // Of a length that did not arrive whole nothing can be said.
    let stray = (claimed.is_none() && region.len() >= LENGTH)
        || frame::place_from_head(region).is_some_and(|place| place != next);
    followed || ((closed || stray) && !has_gap(at, region)) || holds_later_record(region)
}

/// Is there a sector of nothing but zeros?
fn has_gap(at: u64, region: &[u8]) -> bool {
    let sector = usize::try_from(SECTOR).unwrap_or(1);
    lacks_beginning(at, region) || region.get(first_part(at, region)..).unwrap_or_default().chunks(sector).any(is_empty)
}

/// Is what stands in the record's first sector nothing but zeros? However little that is: it begins with the length.
fn lacks_beginning(at: u64, region: &[u8]) -> bool {
    is_empty(region.get(..first_part(at, region)).unwrap_or_default())
}

/// How many of the bytes stand in the sector that the first one stands in.
fn first_part(at: u64, region: &[u8]) -> usize {
    usize::try_from(SECTOR - at % SECTOR).unwrap_or(region.len()).min(region.len())
}

fn is_empty(part: &[u8]) -> bool {
    part.iter().all(|byte| *byte == 0)
}

/// Only somebody who builds a log by hand gets many things into it that look like records; so many bytes
/// that they would take long to check are damage in any case.
fn holds_later_record(region: &[u8]) -> bool {
    let mut budget = region.len().saturating_mul(4);
    (1..region.len()).any(|from| {
        let part = region.get(from..).unwrap_or_default();
        let length = frame::length_from_head(part).filter(|length| *length <= part.len());
        let closes = |length: usize| part.get(..length)?.last_chunk().copied().and_then(frame::length_from_tail);
        let Some(length) = length.filter(|length| closes(*length) == Some(*length)) else { return false };
        match budget.checked_sub(length) {
            None => true,
            Some(rest) => {
                budget = rest;
                Frame::decode(part).is_ok()
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(payload: usize) -> Vec<u8> {
        Frame { sequence: 1, previous: Digest::of(b""), payload: vec![7; payload] }.encode().unwrap()
    }

    fn check(at: u64, change: impl FnOnce(&mut Vec<u8>), want: bool) {
        let mut bytes = record(2000);
        change(&mut bytes);
        let used = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        assert_eq!(was_whole(at, &bytes[..used], (1, Digest::of(b""))), want);
    }

    #[test]
    fn changed_records_are_told_from_short_writes() {
        check(0, |bytes| bytes[100] ^= 1, true);
        check(300, |bytes| bytes[4] ^= 1, true);
        check(0, |bytes| bytes.truncate(1000), false);
        check(0, |bytes| bytes[512..1024].fill(0), false);
        check(212, |bytes| bytes[..300].fill(0), false);
        check(212, |bytes| bytes[..200].fill(0), true);
        check(505, |bytes| bytes[..7].fill(0), false);
        check(511, |bytes| bytes[..1].fill(0), false);
        for kept in 1..=5 {
            check(512 - kept as u64, |bytes| bytes.truncate(kept), false);
        }
    }

    #[test]
    fn what_no_record_begins_with_is_no_short_write() {
        check(0, |bytes| bytes.fill(0x55), true);
        check(0, |bytes| bytes[8] ^= 1, true);
        check(
            0,
            |bytes| {
                bytes[8] ^= 1;
                bytes.truncate(1000);
            },
            true,
        );
        check(0, |bytes| bytes.truncate(30), false);
    }

    #[test]
    fn what_is_followed_was_whole() {
        check(
            0,
            |bytes| {
                bytes[100] ^= 1;
                bytes.push(9);
            },
            true,
        );
        check(
            0,
            |bytes| {
                bytes[0] ^= 0xff;
                bytes.extend(record(10));
                bytes.push(9);
            },
            true,
        );
    }
}

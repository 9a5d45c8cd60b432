//! Real logs, and what can be done to them.

use super::{disk, note, plain};
use crate::feed::Feed;
use patchwright_core::digest::Digest;
use patchwright_store::log::{FILE, Firm, Log, START};
use patchwright_store::records::{Commit, Intent, Point, Record};
use patchwright_testkit::frames::{self, Frame, HEADER};
use std::sync::OnceLock;

/// What a disk writes all or nothing of.
const SECTOR: usize = 512;

/// A log that the product has written, without the space behind it.
fn real() -> &'static [u8] {
    static REAL: OnceLock<Vec<u8>> = OnceLock::new();
    REAL.get_or_init(|| {
        let disk = disk(b"", START);
        let written = (|| {
            let mut log = Log::open(&disk).ok()?;
            let caller = patchwright_store::records::Caller::default();
            let intent = Intent {
                batch: "b".to_owned(),
                caller,
                folders: Vec::new(),
                works: Vec::new(),
                gone: Vec::new(),
                modes: Vec::new(),
            };
            let commit = Commit { batch: "b".to_owned(), number: 1, ..Commit::default() };
            let long = "a long note\n".repeat(120);
            for record in
                [note("one"), Record::Intent(intent), Record::Commit(commit), note(&long), note("five"), note(&long)]
            {
                log.append(&disk, &record, Firm::Yes).ok()?;
            }
            let mut bytes = disk.read(&format!(".patchwright/{FILE}"))?;
            bytes.truncate(usize::try_from(log.end()).ok()?);
            Some(bytes)
        })();
        written.unwrap_or_else(|| panic!("no log could be written"))
    })
}

/// Was this written by the product?
pub(super) fn is_real(payload: &[u8]) -> bool {
    plain::chain(real()).iter().any(|frame| frame.payload == payload)
}

/// The last record that was known, as the mark has it: none, or one of the real log.
pub(super) fn seen(feed: &mut Feed<'_>) -> Point {
    let chain = plain::chain(real());
    let at = feed.below(chain.len() + 1);
    at.checked_sub(1).and_then(|at| chain.get(at)).map_or(START, point)
}

fn point(frame: &Frame) -> Point {
    Point { sequence: frame.slot.sequence, offset: frame.range.start as u64, head: frame.hash }
}

/// A log whose last record reached the disk only in part: some of its sectors are still zeros. The mark knows of
/// any record but that one.
pub(super) fn cut_short(feed: &mut Feed<'_>) -> (Vec<u8>, Point) {
    let mut bytes = real().to_vec();
    let mut chain = plain::chain(&bytes);
    chain.pop();
    let known = feed.below(chain.len() + 1);
    let seen = known.checked_sub(1).and_then(|at| chain.get(at)).map_or(START, point);
    let start = chain.last().map_or(HEADER, |frame| frame.range.end);
    let sectors: Vec<usize> = (start.div_ceil(SECTOR)..bytes.len().div_ceil(SECTOR)).collect();
    let first = feed.pick(&sectors);
    let from = first * SECTOR;
    let to = if feed.once_in(2) { bytes.len() } else { (from + SECTOR).min(bytes.len()) };
    // A sector in which less than eight bytes belong to the record may hold zeros of its own.
    if to - from >= 8 {
        bytes.iter_mut().take(to).skip(from).for_each(|byte| *byte = 0);
    } else {
        bytes.truncate(start);
    }
    (padded(feed, bytes), seen)
}

/// A log that somebody had a hand in.
pub(super) fn log(feed: &mut Feed<'_>) -> Vec<u8> {
    let mut records: Vec<Vec<u8>> = parted(real());
    let wanted = 1 + feed.below(records.len());
    records.truncate(wanted);
    for _ in 0..feed.below(3) {
        by_record(feed, &mut records);
    }
    let header = real().get(..HEADER).unwrap_or_default();
    let mut bytes = [header, &records.concat()].concat();
    for _ in 0..feed.below(4) {
        by_byte(feed, &mut bytes);
    }
    padded(feed, bytes)
}

/// Some zeros behind it, as the product lays them out.
fn padded(feed: &mut Feed<'_>, mut bytes: Vec<u8>) -> Vec<u8> {
    let zeros = feed.pick(&[SECTOR, 0, 3, 4096]);
    bytes.resize(bytes.len() + zeros, 0);
    bytes
}

fn parted(bytes: &[u8]) -> Vec<Vec<u8>> {
    plain::chain(bytes).into_iter().filter_map(|frame| bytes.get(frame.range)).map(<[u8]>::to_vec).collect()
}

/// Records dropped, doubled, swapped, and written anew with a good checksum: some with a good tag, as nobody but us could.
fn by_record(feed: &mut Feed<'_>, records: &mut Vec<Vec<u8>>) {
    let count = records.len();
    if count == 0 {
        return;
    }
    let at = feed.below(count);
    match feed.below(8) {
        0 => drop(records.remove(at)),
        1 => records.swap(at, (at + 1) % count),
        2 => records.extend(records.get(at).cloned()),
        sort => {
            let Some(frame) = records.get(at).and_then(|record| frames::at(record, 0)) else { return };
            let (mut payload, mut slot, mut tag) = (frame.payload, frame.slot, frame.tag);
            match sort {
                3 => payload = feed.byte().to_le_bytes().repeat(1 + feed.below(8)),
                4 => slot.sequence = u64::from(feed.byte()),
                5 => slot.previous = Digest::of(&[feed.byte()]),
                6 => slot.batches = u64::from(feed.byte()),
                _ => {
                    let place = feed.wide() % payload.len().max(1);
                    payload.iter_mut().skip(place).take(1).for_each(|byte| *byte ^= 1 << (place % 8));
                }
            }
            if feed.once_in(2) {
                let before: usize = records.iter().take(at).map(Vec::len).sum();
                tag = plain::seal().tag((HEADER + before) as u64, &frames::hash(&slot, &payload));
            }
            if let Some(record) = records.get_mut(at) {
                *record = frames::framed(&slot, &payload, &tag);
            }
        }
    }
}

fn by_byte(feed: &mut Feed<'_>, bytes: &mut Vec<u8>) {
    let at = feed.wide() % bytes.len().max(1);
    match feed.below(5) {
        0 => bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 << (at % 8)),
        1 => bytes.truncate(at),
        2 => {
            let many = feed.pick(&[1, 8, SECTOR]);
            bytes.iter_mut().skip(at / many * many).take(many).for_each(|byte| *byte = 0);
        }
        3 => bytes.extend_from_slice(feed.rest()),
        _ => {
            let value = feed.byte();
            bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte = value);
        }
    }
}

//! Real logs, and what can be done to them.

use super::{disk, note, plain};
use crate::feed::Feed;
use patchwright_core::digest::Digest;
use patchwright_store::log::{FILE, Firm, Log};
use patchwright_store::records::{Commit, Intent, Record};
use patchwright_testkit::tree::STATE;
use std::sync::OnceLock;

/// What a disk writes all or nothing of.
const SECTOR: usize = 512;

/// A log that the product has written, without the space behind it.
fn real() -> &'static [u8] {
    static REAL: OnceLock<Vec<u8>> = OnceLock::new();
    REAL.get_or_init(|| {
        let disk = disk(b"");
        let written = (|| {
            let mut log = Log::open(&disk).ok()?;
            let caller = patchwright_store::records::Caller::default();
            let intent =
                Intent { batch: "b".to_owned(), caller, folders: Vec::new(), works: Vec::new(), gone: Vec::new() };
            let commit = Commit { batch: "b".to_owned(), ..Commit::default() };
            let long = "a long note\n".repeat(120);
            for record in
                [note("one"), Record::Intent(intent), Record::Commit(commit), note(&long), note("five"), note(&long)]
            {
                log.append(&disk, &record, Firm::Yes).ok()?;
            }
            let mut bytes = disk.read(&format!("{STATE}/{FILE}"))?;
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

/// A log whose last record reached the disk only in part: some of its sectors are still zeros.
pub(super) fn cut_short(feed: &mut Feed<'_>) -> Vec<u8> {
    let mut bytes = real().to_vec();
    let chain = plain::chain(&bytes);
    let start = chain.iter().rev().nth(1).map_or(0, |frame| frame.end);
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
    padded(feed, bytes)
}

/// A log that somebody had a hand in.
pub(super) fn log(feed: &mut Feed<'_>) -> Vec<u8> {
    let mut records: Vec<Vec<u8>> = parted(real());
    let wanted = 1 + feed.below(records.len());
    records.truncate(wanted);
    for _ in 0..feed.below(3) {
        by_record(feed, &mut records);
    }
    let mut bytes = records.concat();
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
    let ends: Vec<usize> = std::iter::once(0).chain(plain::chain(bytes).iter().map(|frame| frame.end)).collect();
    ends.windows(2).filter_map(|pair| bytes.get(*pair.first()?..*pair.last()?)).map(<[u8]>::to_vec).collect()
}

/// Records dropped, doubled, swapped, and written anew with a good checksum.
fn by_record(feed: &mut Feed<'_>, records: &mut Vec<Vec<u8>>) {
    let count = records.len();
    if count == 0 {
        return;
    }
    let at = feed.below(count);
    match feed.below(7) {
        0 => drop(records.remove(at)),
        1 => records.swap(at, (at + 1) % count),
        2 => records.extend(records.get(at).cloned()),
        sort => {
            let Some(frame) = records.get(at).and_then(|record| plain::frame(record, 0)) else { return };
            let (mut payload, mut sequence, mut previous) = (frame.payload, frame.sequence, frame.previous);
            match sort {
                3 => payload = feed.byte().to_le_bytes().repeat(1 + feed.below(8)),
                4 => sequence = u64::from(feed.byte()),
                5 => previous = Digest::of(&[feed.byte()]),
                _ => {
                    let place = feed.wide() % payload.len().max(1);
                    payload.iter_mut().skip(place).take(1).for_each(|byte| *byte ^= 1 << (place % 8));
                }
            }
            if let Some(record) = records.get_mut(at) {
                *record = plain::sealed(sequence, previous, &payload);
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

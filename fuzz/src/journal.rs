//! Target `journal`: the log's reader, on any bytes and on real logs that were tampered with, against a reader of
//! our own.

mod plain;
mod tampered;

use crate::feed::Feed;
use patchwright_core::digest::Digest;
use patchwright_store::disk::Disk;
use patchwright_store::log::{Check, FILE, Firm, Log, Walk};
use patchwright_store::records::{Caller, End, Note, Record};
use patchwright_testkit::fake::FakeDisk;
use patchwright_testkit::tree::STATE;

pub(crate) fn run(data: &[u8]) {
    let mut feed = Feed::new(data);
    match feed.below(8) {
        0 => drop(check(feed.rest())),
        1 => {
            let found = check(&tampered::cut_short(&mut feed));
            assert!(found.damage.is_none(), "a write that was cut short is taken for damage: {found:?}");
        }
        _ => drop(check(&tampered::log(&mut feed))),
    }
}

/// A disk with such a log.
fn disk(bytes: &[u8]) -> FakeDisk {
    let disk = FakeDisk::default();
    disk.write(&format!("{STATE}/{FILE}"), bytes);
    disk
}

fn check(bytes: &[u8]) -> Check {
    let disk = disk(bytes);
    let log = opened(&disk);
    let found = log.verify(&disk, None).unwrap_or_else(|halt| panic!("it cannot be verified: {halt:?}"));
    verified(bytes, &found);
    walked(bytes, &log, &disk);
    if found.damage.is_none() {
        assert!(!log.is_damaged(), "no damage, and yet damaged");
        assert_eq!((log.sequence(), log.head()), (found.records, found.head), "opened elsewhere than it ends");
    }
    appended(&disk, &found);
    found
}

fn opened(disk: &FakeDisk) -> Log<FakeDisk> {
    let state = disk.state("").unwrap_or_else(|halt| panic!("no state folder: {halt:?}"));
    match Log::open_existing(disk, &state) {
        Ok(Some(log)) => log,
        Ok(None) => panic!("the log is not found"),
        Err(halt) => panic!("it cannot be opened: {halt:?}"),
    }
}

/// Holds what was verified against a reading of our own.
fn verified(bytes: &[u8], found: &Check) {
    let good = plain::chain(bytes);
    let count = usize::try_from(found.records).unwrap_or(usize::MAX);
    assert!(count <= good.len(), "{count} records are taken for good, {} are", good.len());
    let head = count.checked_sub(1).and_then(|at| good.get(at)).map_or(Digest([0; 32]), |frame| frame.head);
    assert_eq!(found.head, head, "the head is another");
    if let Some(frame) = good.get(count) {
        let what = found.damage.map(|damage| (damage.sequence, damage.what));
        assert_eq!(what, Some((frame.sequence, "content")), "a good record was left out");
        assert!(!tampered::is_real(&frame.payload), "what was written by us cannot be read");
        return;
    }
    let end = good.last().map_or(0, |frame| frame.end);
    let rest = bytes.get(end..).unwrap_or_default();
    let used = rest.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    if used == 0 {
        assert_eq!((found.damage, found.torn_bytes), (None, 0), "behind the last record there is nothing");
    } else if (0..used).any(|from| plain::frame(bytes, end + from).is_some()) {
        assert!(found.damage.is_some(), "a good record stands behind a bad one, and nothing is said of it");
    } else {
        let torn = (found.torn_bytes > 0) as usize;
        assert_eq!(torn + found.damage.iter().count(), 1, "{used} bytes are neither torn nor damaged: {found:?}");
        assert!(found.torn_bytes == 0 || found.torn_bytes == used as u64, "{found:?} of {used} torn bytes");
    }
}

/// Every record that is handed out is whole, and is what stands there.
fn walked(bytes: &[u8], log: &Log<FakeDisk>, disk: &FakeDisk) {
    let (mut at, mut heads) = (0, Vec::new());
    let mut sink = |entry: patchwright_store::log::Entry| {
        heads.push((entry.offset, entry.sequence, entry.previous, entry.head));
        Walk::On
    };
    let ended = log.entries(disk, 0, &mut sink);
    for (offset, sequence, previous, head) in heads {
        let Some(frame) = plain::frame(bytes, at) else { panic!("a record at {at} that is none") };
        assert_eq!((offset, sequence), (at as u64, frame.sequence));
        assert_eq!((previous, head), (frame.previous, frame.head), "record {sequence}");
        at = frame.end;
    }
    if ended.is_ok() {
        assert!(plain::frame(bytes, at).is_none(), "the walk ended before the records did");
    }
}

/// What was cut short never happened: the next record takes its place. On damage nothing is appended.
fn appended(disk: &FakeDisk, found: &Check) {
    let mut log = Log::open(disk).unwrap_or_else(|halt| panic!("it cannot be opened for writing: {halt:?}"));
    let damaged = log.is_damaged();
    let done = log.append(disk, &note(""), Firm::Yes);
    assert_eq!(done.is_err(), damaged, "appended to a damaged log, or not to a sound one: {found:?}");
    if found.damage.is_none() {
        let now = log.verify(disk, None).unwrap_or_else(|halt| panic!("{halt:?}"));
        let wanted =
            Check { records: found.records + 1, head: log.head(), damage: None, torn_bytes: 0, head_seen: false };
        assert_eq!(now, wanted, "after one more record");
    }
}

/// A record with a text in it.
fn note(text: &str) -> Record {
    let caller = Caller { session: "s".to_owned(), client: text.to_owned(), ..Caller::default() };
    Record::Note(Note {
        caller,
        end: End::DryRun,
        operation: "update".to_owned(),
        files: Vec::new(),
        diff: text.to_owned(),
    })
}

//! What was found right is not read again, and whatever was changed since is found all the same: with the note of it
//! there, after records of our own, and with a note that is broken, forged or another log's.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test says no by panicking")]

use patchwright_store::disk::Disk;
use patchwright_store::log::{Check, Firm, Log, VERIFIED_FILE};
use patchwright_store::records::{Commit, Record};
use patchwright_testkit::fake::FakeDisk;
use patchwright_testkit::frames;
use std::cell::RefCell;

const LOG: &str = ".patchwright/log";

fn open(disk: &FakeDisk) -> Log<FakeDisk> {
    disk.found_home().unwrap();
    Log::open(disk).unwrap()
}

/// Appends records as one call of another process would.
fn call(disk: &FakeDisk, records: u64) {
    let mut log = open(disk);
    log.refresh(disk).unwrap();
    for _ in 0..records {
        let number = log.batches() + 1;
        let commit = Commit { batch: format!("b{number}"), number, ..Commit::default() };
        log.append(disk, &Record::Commit(commit), Firm::Yes).unwrap();
    }
    log.renew_mark(disk);
}

/// A disk with four records.
fn used() -> FakeDisk {
    let disk = FakeDisk::default();
    call(&disk, 4);
    disk
}

/// What asking for news finds, and which records it read.
fn news(disk: &FakeDisk) -> (Check, Vec<u64>) {
    let read = RefCell::new(Vec::new());
    let check = open(disk).verify_news(disk, &|done, _| read.borrow_mut().push(done)).unwrap();
    (check, read.into_inner())
}

fn read_by_news(disk: &FakeDisk) -> Vec<u64> {
    let (check, read) = news(disk);
    assert_eq!((check.damage, check.torn_bytes, check.records), (None, 0, open(disk).sequence()));
    read
}

/// Changes one byte in the middle of a record. Which.
fn flip(disk: &FakeDisk, record: usize) -> usize {
    let at = frames::all(&disk.read(LOG).unwrap())[record].range.start + 60;
    flip_at(disk, at);
    at
}

fn flip_at(disk: &FakeDisk, at: usize) {
    let mut bytes = disk.read(LOG).unwrap();
    bytes[at] ^= 1;
    disk.write(LOG, &bytes);
}

fn damaged(disk: &FakeDisk) -> Option<u64> {
    news(disk).0.damage.map(|damage| damage.sequence)
}

fn note(disk: &FakeDisk) -> Vec<u8> {
    let home = disk.own().unwrap().unwrap().home;
    let file = disk.open(&home, VERIFIED_FILE).unwrap();
    let mut bytes = vec![0; 1000];
    let got = disk.read_at(&file, 0, &mut bytes).unwrap();
    bytes.truncate(got);
    bytes
}

fn put_note(disk: &FakeDisk, bytes: &[u8]) {
    let home = disk.own().unwrap().unwrap().home;
    let file = disk.open_state(&home, VERIFIED_FILE).unwrap();
    disk.set_len(&file, 0).unwrap();
    disk.write_at(&file, 0, bytes).unwrap();
}

#[test]
fn only_what_came_since_is_read() {
    let disk = used();
    assert_eq!(read_by_news(&disk), [1, 2, 3, 4]);
    assert_eq!(read_by_news(&disk), [0; 0]);
    call(&disk, 2);
    assert_eq!(read_by_news(&disk), [5, 6]);
    assert_eq!(read_by_news(&disk), [0; 0]);
    for _ in 0..3 {
        call(&disk, 1);
    }
    assert_eq!(read_by_news(&disk), [7, 8, 9]);
    // Space is laid out anew on the way.
    call(&disk, 2000);
    assert_eq!(read_by_news(&disk).len(), 2000);
}

#[test]
fn whoever_reads_everything_notes_it_too() {
    let disk = used();
    let log = open(&disk);
    assert_eq!(log.verify_all(&disk, None, &|_, _| {}).unwrap().records, 4);
    assert_eq!(read_by_news(&disk), [0; 0]);
}

#[test]
fn what_was_changed_since_is_found_every_time() {
    let disk = used();
    read_by_news(&disk);
    let at = flip(&disk, 1);
    for _ in 0..3 {
        assert_eq!(damaged(&disk), Some(2));
    }
    // What is appended after it is no reason to believe what is before.
    call(&disk, 1);
    assert_eq!(damaged(&disk), Some(2));
    flip_at(&disk, at);
    assert_eq!(read_by_news(&disk), [1, 2, 3, 4, 5], "it is right again");
}

/// Somebody writes between two calls of ours that both carry the note along.
#[test]
fn a_note_is_carried_past_nobody_elses_write() {
    let disk = used();
    read_by_news(&disk);
    call(&disk, 1);
    flip(&disk, 2);
    call(&disk, 1);
    call(&disk, 1);
    assert_eq!(damaged(&disk), Some(3));
    // In one session of ours, too.
    let disk = used();
    read_by_news(&disk);
    let mut log = open(&disk);
    for number in 5..8 {
        log.refresh(&disk).unwrap();
        log.append(&disk, &Record::Commit(Commit { number, ..Commit::default() }), Firm::Yes).unwrap();
        log.renew_mark(&disk);
        if number == 6 {
            flip(&disk, 0);
        }
    }
    assert_eq!(damaged(&disk), Some(1));
}

#[test]
fn what_is_new_is_read() {
    let disk = used();
    read_by_news(&disk);
    call(&disk, 3);
    flip(&disk, 5);
    assert_eq!(damaged(&disk), Some(6));
}

#[test]
fn a_log_that_was_cut_is_never_right() {
    let disk = used();
    read_by_news(&disk);
    let bytes = disk.read(LOG).unwrap();
    let end = frames::all(&bytes)[2].range.end;
    disk.write(LOG, &bytes[..end]);
    let (check, read) = news(&disk);
    assert_eq!((check.records, read.len()), (3, 3));
    assert_ne!(check.standing, patchwright_store::log::Standing::Current);
    disk.write(LOG, &bytes);
    assert_eq!(read_by_news(&disk), [1, 2, 3, 4]);
}

#[test]
fn a_note_that_is_not_whole_counts_for_nothing() {
    let disk = used();
    read_by_news(&disk);
    let whole = note(&disk);
    for at in 0..whole.len() {
        let mut bad = whole.clone();
        bad[at] ^= 1;
        put_note(&disk, &bad);
        assert_eq!(read_by_news(&disk).len(), 4, "byte {at}");
    }
    for bad in [&[][..], &whole[..40], &[whole.as_slice(), &whole].concat(), &[0; 176]] {
        put_note(&disk, bad);
        assert_eq!(read_by_news(&disk).len(), 4);
    }
    put_note(&disk, &whole);
    assert_eq!(read_by_news(&disk), [0; 0]);
}

/// A note that says what the file system says of the changed log, without the key for its tag.
#[test]
fn a_forged_note_hides_nothing() {
    let disk = used();
    read_by_news(&disk);
    let old = note(&disk);
    flip(&disk, 1);
    let state = disk.state("").unwrap();
    let now = disk.stat(&state, "log").unwrap().unwrap();
    let mut forged = old.clone();
    let numbers = [now.id.0, now.id.1, now.size].map(u64::to_le_bytes).concat();
    let times = [now.mtime_ns, now.ctime_ns].map(i128::to_le_bytes).concat();
    forged[..56].copy_from_slice(&[numbers, times].concat());
    for note in [forged, old] {
        put_note(&disk, &note);
        assert_eq!(damaged(&disk), Some(2));
    }
}

#[test]
fn a_note_of_another_log_counts_for_nothing() {
    let (disk, other) = (used(), used());
    read_by_news(&other);
    call(&disk, 1);
    put_note(&disk, &note(&other));
    assert_eq!(read_by_news(&disk).len(), 5);
}

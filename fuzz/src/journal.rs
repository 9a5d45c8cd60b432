//! Target `journal`: the log's reader, on any bytes and on real logs that were tampered with, against a reader of
//! our own.

mod plain;
mod tampered;

use crate::feed::Feed;
use patchwright_core::digest::Digest;
use patchwright_store::disk::{Disk, Halt};
use patchwright_store::log::{Check, FILE, Firm, HEADER, Log, START, Standing, Walk};
use patchwright_store::mark::{self, Marked};
use patchwright_store::records::{Caller, End, Note, Point, Record};
use patchwright_testkit::fake::FakeDisk;
use patchwright_testkit::frames::Frame;

pub(crate) fn run(data: &[u8]) {
    let mut feed = Feed::new(data);
    match feed.below(8) {
        0 => {
            let seen = tampered::seen(&mut feed);
            check(feed.rest(), seen);
        }
        1 => {
            let (bytes, seen) = tampered::cut_short(&mut feed);
            let found = check(&bytes, seen);
            let told = found.map(|found| (found.damage, found.standing));
            assert_eq!(told, Some((None, Standing::Current)), "a write that was cut short is no older copy");
        }
        _ => {
            let seen = tampered::seen(&mut feed);
            check(&tampered::log(&mut feed), seen);
        }
    }
}

/// A disk with such a log, of which this was the last record known.
fn disk(bytes: &[u8], seen: Point) -> FakeDisk {
    let disk = FakeDisk::default();
    let made = (|| {
        disk.found_home()?;
        let home = disk.own()?.map(|own| own.home).ok_or(Halt::Damaged)?;
        let file = disk.open_state(&home, mark::FILE)?;
        disk.write_at(&file, 0, &mark::encode(1, &Marked { seen, firm: seen, boot: disk.boot() }))
    })();
    made.unwrap_or_else(|halt| panic!("no home: {halt:?}"));
    disk.write(&format!(".patchwright/{FILE}"), bytes);
    disk
}

/// What verifying finds; nothing for a log of another version, which is left alone.
fn check(bytes: &[u8], seen: Point) -> Option<Check> {
    let disk = disk(bytes, seen);
    let log = opened(&disk)?;
    let (standing, story) = expected(bytes, seen);
    assert_eq!(log.standing(), standing, "{seen:?}");
    let last = story.last();
    assert_eq!((log.sequence(), log.head()), (last.map_or(0, |last| last.slot.sequence), plain::head(&story)));
    let found = log.verify(&disk, None).unwrap_or_else(|halt| panic!("it cannot be verified: {halt:?}"));
    verified(bytes, &log, &found);
    walked(bytes, &log, &disk);
    appended(&disk, &found);
    Some(found)
}

/// How the log stands, and the record at which it was entered with those that follow on it.
fn expected(bytes: &[u8], seen: Point) -> (Standing, Vec<Frame>) {
    let at = usize::try_from(seen.offset).unwrap_or(usize::MAX);
    let known = plain::record(bytes, at)
        .filter(|frame| seen.sequence > 0 && (frame.hash, frame.slot.sequence) == (seen.head, seen.sequence));
    let Some(known) = known else {
        let current = seen == START;
        let standing = if current { Standing::Current } else { Standing::PutBack { known: Some(seen) } };
        return (standing, plain::chain(bytes));
    };
    let mut story = vec![known];
    while let Some(last) = story.last()
        && let Some(frame) = plain::record(bytes, last.range.end)
        && (frame.slot.sequence, frame.slot.previous) == (last.slot.sequence + 1, last.hash)
    {
        story.push(frame);
    }
    (Standing::Current, story)
}

fn opened(disk: &FakeDisk) -> Option<Log<FakeDisk>> {
    let state = disk.state("").unwrap_or_else(|halt| panic!("no state folder: {halt:?}"));
    match Log::open_existing(disk, &state) {
        Ok(Some(log)) => Some(log),
        Ok(None) => panic!("the log is not found"),
        Err(Halt::Version(_)) => None,
        Err(halt) => panic!("it cannot be opened: {halt:?}"),
    }
}

/// Holds what was verified against a reading of our own.
fn verified(bytes: &[u8], log: &Log<FakeDisk>, found: &Check) {
    let good = plain::chain(bytes);
    if found.damage.is_some_and(|damage| damage.what == "header") {
        assert!(log.sequence() > 0 && found.records == 0);
        return;
    }
    let count = usize::try_from(found.records).unwrap_or(usize::MAX);
    assert!(count <= good.len(), "{count} records are taken for good, {} are", good.len());
    let head = count.checked_sub(1).and_then(|at| good.get(at)).map_or(Digest([0; 32]), |frame| frame.hash);
    assert_eq!(found.head, head, "the head is another");
    let end = usize::try_from(log.end()).unwrap_or(usize::MAX);
    match good.get(count).filter(|frame| frame.range.end <= end) {
        Some(frame) => {
            let what = found.damage.map(|damage| (damage.sequence, damage.what));
            assert_eq!(what, Some((frame.slot.sequence, "content")), "a good record was left out");
            assert!(!tampered::is_real(&frame.payload), "what was written by us cannot be read");
        }
        None if good.last().map_or(HEADER_AT, |frame| frame.range.end).min(end) == end => {
            assert_eq!(found.damage, None, "every record up to the end is good");
            let rest = bytes.get(end..).unwrap_or_default();
            let used = rest.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
            assert_eq!(found.torn_bytes, used as u64, "{found:?}");
        }
        None => assert!(found.damage.is_some(), "the log goes on behind a bad record, and nothing is said of it"),
    }
}

/// Where the first record begins.
const HEADER_AT: usize = patchwright_testkit::frames::HEADER;

/// Every record that is handed out is ours, and is what stands there.
fn walked(bytes: &[u8], log: &Log<FakeDisk>, disk: &FakeDisk) {
    let (mut at, mut heads) = (HEADER_AT, Vec::new());
    let mut sink = |entry: patchwright_store::log::Entry| {
        heads.push((entry.offset, entry.sequence, entry.previous, entry.head));
        Walk::On
    };
    let ended = log.entries(disk, HEADER, &mut sink);
    for (offset, sequence, previous, head) in heads {
        let Some(frame) = plain::record(bytes, at) else { panic!("a record at {at} that is none") };
        assert_eq!((offset, sequence), (at as u64, frame.slot.sequence));
        assert_eq!((previous, head), (frame.slot.previous, frame.hash), "record {sequence}");
        at = frame.range.end;
    }
    if ended.is_ok() {
        assert_eq!(at as u64, log.end(), "the walk ended before the records did");
    }
}

/// What was cut short never happened: the next record takes its place. A log that was put back says so first.
fn appended(disk: &FakeDisk, found: &Check) {
    let mut log = Log::open(disk).unwrap_or_else(|halt| panic!("it cannot be opened for writing: {halt:?}"));
    let (before, resumes) = (log.sequence(), u64::from(log.standing() != Standing::Current));
    if log.last(disk).is_err() {
        // A last record that is ours and says nothing that can be read: only whoever has the key can write one.
        return;
    }
    let done = log.resume(disk, 1, Firm::Yes).and_then(|()| log.append(disk, &note(""), Firm::Yes));
    assert!(done.is_ok(), "nobody is kept from working: {done:?}");
    assert_eq!((log.sequence(), log.standing()), (before + resumes + 1, Standing::Current));
    log.renew_mark(disk);
    let again = Log::open(disk).unwrap_or_else(|halt| panic!("it cannot be opened again: {halt:?}"));
    assert_eq!((again.standing(), again.head()), (Standing::Current, log.head()));
    if found.damage.is_none() {
        let now = log.verify(disk, None).unwrap_or_else(|halt| panic!("{halt:?}"));
        assert_eq!((now.records, now.head, now.damage, now.torn_bytes), (log.sequence(), log.head(), None, 0));
        assert_eq!(now.resumed.len() as u64, found.resumed.len() as u64 + resumes);
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
        asked: None,
    })
}

//! Does the log hold what the mark says it held? Each row of the table, on a disk that forgets, and what the next writer
//! makes of it: a torn tail is wiped, a lost one is told, and a log that was put back says so on record and goes on.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test says no by panicking")]

use patchwright_core::digest::Digest;
use patchwright_store::disk::{Disk, Flush};
use patchwright_store::log::{Firm, HEADER, Log, Standing, Walk};
use patchwright_store::mark::{self, Found, Mark, Marked};
use patchwright_store::own::{self, KEY_FILE, read_key};
use patchwright_store::records::{Caller, Commit, End, Intent, Note, Point, Record};
use patchwright_store::recover::{Recovered, recover};
use patchwright_store::seal::Seal;
use patchwright_testkit::fake::{Choice, FakeDisk};
use patchwright_testkit::frames::{self, Frame};

const LOG: &str = ".patchwright/log";

fn note(text: &str) -> Record {
    let caller = Caller { session: text.to_owned(), ..Caller::default() };
    let (operation, diff) = ("update".to_owned(), String::new());
    Record::Note(Note { caller, end: End::DryRun, operation, files: Vec::new(), diff, asked: None })
}

fn commit(number: u64) -> Record {
    Record::Commit(Commit { batch: format!("b{number}"), number, ..Commit::default() })
}

fn intent() -> Record {
    Record::Intent(Intent { batch: "open".into(), ..Intent::default() })
}

fn open(disk: &FakeDisk) -> Log<FakeDisk> {
    disk.found_home().unwrap();
    Log::open(disk).unwrap()
}

/// Appends records as one call would: the mark is renewed at its end.
fn call(disk: &FakeDisk, records: &[Record], firm: Firm) -> Point {
    let mut log = open(disk);
    for record in records {
        log.append(disk, record, firm).unwrap();
    }
    log.renew_mark(disk);
    here(disk)
}

/// The last record in the file, whoever's it is.
fn here(disk: &FakeDisk) -> Point {
    let last = frames::all(&disk.read(LOG).unwrap()).pop().unwrap();
    Point { sequence: last.slot.sequence, offset: last.range.start as u64, head: last.hash }
}

/// A disk with this many calls behind it, all durable.
fn used(calls: u64) -> FakeDisk {
    let disk = FakeDisk::default();
    for number in 1..=calls {
        call(&disk, &[commit(number)], Firm::Yes);
    }
    disk.set_up(|actor| actor.sync_everything());
    disk
}

fn standing(disk: &FakeDisk) -> Standing {
    open(disk).standing()
}

fn known(point: Point) -> Standing {
    Standing::PutBack { known: Some(point) }
}

/// Writes into the mark's own file.
fn smear(disk: &FakeDisk, bytes: &[u8]) {
    let home = disk.own().unwrap().unwrap().home;
    let file = disk.open_state(&home, mark::FILE).unwrap();
    disk.set_len(&file, 0).unwrap();
    disk.write_at(&file, 0, bytes).unwrap();
    disk.sync(Flush::File(&file)).unwrap();
}

/// The key, as only a test may have it.
fn seal(disk: &FakeDisk) -> Seal {
    let own = disk.own().unwrap().unwrap();
    Seal::new(own.id, &read_key(disk, &own.home).unwrap())
}

/// A frame that is ours, with any payload.
fn ours(disk: &FakeDisk, last: &Frame, payload: &[u8]) -> Vec<u8> {
    let tag = seal(disk).tag(last.range.end as u64, &frames::hash(&last.next(), payload));
    frames::framed(&last.next(), payload, &tag)
}

/// Puts bytes behind the last record.
fn put_behind(disk: &FakeDisk, bytes: &[u8]) {
    let mut log = disk.read(LOG).unwrap();
    let end = frames::all(&log).last().unwrap().range.end;
    log.resize(log.len().max(end + bytes.len()), 0);
    log[end..end + bytes.len()].copy_from_slice(bytes);
    disk.write(LOG, &log);
}

#[test]
fn a_log_that_holds_what_was_seen_is_current() {
    let disk = used(3);
    assert_eq!(standing(&disk), Standing::Current);
    // More than was seen: a writer died before it could note how far it came.
    let mut log = open(&disk);
    log.append(&disk, &commit(4), Firm::Yes).unwrap();
    drop(log);
    for choice in [Choice::Killed, Choice::NothingMore] {
        let left = disk.crash(&choice);
        let log = open(&left);
        assert_eq!((log.standing(), log.sequence(), log.batches()), (Standing::Current, 4, 4), "{choice:?}");
    }
    assert!(own::has_entries(&disk).unwrap());
    let new = FakeDisk::default();
    assert_eq!((standing(&new), own::has_entries(&new).unwrap()), (Standing::Current, false));
}

#[test]
fn an_unsynced_tail_that_went_with_the_power_is_lost_and_no_more() {
    let disk = used(2);
    let firm = here(&disk);
    let seen = call(&disk, &[commit(3), commit(4)], Firm::No);
    disk.set_up(|_| ()); // the mark reaches the disk …
    let gone = disk.fork();
    cut(&gone, firm); // … and the log's tail does not
    assert_eq!(standing(&gone), known(seen), "in the same boot somebody put it back");
    let after = gone.crash(&Choice::Everything);
    assert_eq!(standing(&after), Standing::TailLost { known: seen });
    let mut log = open(&after);
    assert_eq!((log.sequence(), log.batches()), (2, 2));
    log.append(&after, &commit(3), Firm::Yes).unwrap();
    log.renew_mark(&after);
    assert_eq!(standing(&after), Standing::Current, "the next change goes on without a break in the story");
    assert!(open(&after).verify(&after, None).unwrap().resumed.is_empty());
}

/// The same by the disk's own forgetting: whatever it keeps of an unsynced tail, nobody says that it was put back.
#[test]
fn no_power_cut_looks_like_an_older_copy() {
    let disk = used(2);
    call(&disk, &[commit(3), commit(4), commit(5)], Firm::No);
    let (mut current, mut lost) = (0, 0);
    for choice in disk.outcomes().into_iter().filter(|choice| *choice != Choice::Killed) {
        let left = disk.crash(&choice);
        match standing(&left) {
            Standing::Current => current += 1,
            Standing::TailLost { .. } => lost += 1,
            Standing::PutBack { known } => panic!("{choice:?}: {known:?}"),
        }
        assert!(open(&left).sequence() >= 2, "{choice:?}");
    }
    assert!(current > 0 && lost > 0, "{current} current, {lost} lost");
}

/// Cuts the log behind a record.
fn cut(disk: &FakeDisk, at: Point) {
    let log = disk.read(LOG).unwrap();
    let end = frames::at(&log, usize::try_from(at.offset).unwrap()).unwrap().range.end;
    let mut short = log[..end].to_vec();
    short.resize(log.len(), 0);
    disk.write(LOG, &short);
}

#[test]
fn a_log_that_lacks_what_was_durable_was_put_back() {
    let disk = used(3);
    let older = disk.read(LOG).unwrap();
    let seen = call(&disk, &[commit(4)], Firm::Yes);
    disk.set_up(|_| ());
    for bytes in [&older[..], b"", b"no log at all", &[0; 4096]] {
        let back = disk.fork();
        back.write(LOG, bytes);
        assert_eq!(standing(&back), known(seen));
        assert_eq!(standing(&back.crash(&Choice::Everything)), known(seen), "after a power cut too");
    }
    let none = disk.fork();
    none.set_up(|actor| actor.delete(LOG));
    assert_eq!(standing(&none), known(seen), "no log at all");
    // The right number at the right place is not enough.
    let other = disk.fork();
    let mut log = older.clone();
    let last = frames::all(&older).pop().unwrap();
    let forged = ours(&other, &last, b"\x81\xa4Note\xc0");
    log[last.range.end..last.range.end + forged.len()].copy_from_slice(&forged);
    other.write(LOG, &log);
    assert_eq!(standing(&other), known(seen));
}

#[test]
fn without_a_readable_mark_nothing_is_known() {
    let disk = used(2);
    for bytes in [&b""[..], &[0; 1024], &[0xff; 1024]] {
        let blind = disk.fork();
        smear(&blind, bytes);
        assert_eq!(standing(&blind), Standing::PutBack { known: None });
        let mut log = open(&blind);
        assert_eq!(log.sequence(), 2, "it is read from its start");
        log.renew_mark(&blind);
        assert_eq!(standing(&blind), Standing::PutBack { known: None }, "looking does not make it right");
        log.resume(&blind, 9, Firm::Yes).unwrap();
        log.renew_mark(&blind);
        assert_eq!(standing(&blind), Standing::Current);
    }
}

#[test]
fn a_slot_that_was_cut_short_leaves_the_other() {
    let disk = used(4);
    let (own, seen) = (disk.own().unwrap().unwrap(), here(&disk));
    let now = Mark::open(&disk, &own.home, own.writes).unwrap().found();
    assert!(matches!(now, Found::Mark(marked) if marked.seen == seen && marked.firm == seen), "{now:?}");
    let marked = |sequence| Marked { seen: Point { sequence, ..seen }, firm: seen, boot: disk.boot() };
    let mut slots = mark::encode(8, &marked(8));
    slots.resize(512, 0);
    slots.extend(mark::encode(9, &marked(9)));
    for (broken, left) in [(None, 9), (Some(3), 9), (Some(512 + 3), 8)] {
        let torn = disk.fork();
        let mut bytes = slots.clone();
        broken.into_iter().for_each(|at: usize| bytes[at] ^= 1);
        smear(&torn, &bytes);
        let found = Mark::open(&torn, &own.home, own.writes).unwrap().found();
        assert!(matches!(found, Found::Mark(marked) if marked.seen.sequence == left), "{broken:?}: {found:?}");
    }
}

#[test]
fn torn_bytes_are_wiped_whatever_they_look_like() {
    let disk = used(3);
    let log = disk.read(LOG).unwrap();
    let all = frames::all(&log);
    let last = all.last().unwrap();
    let whole = ours(&disk, last, &all[0].payload);
    let copied = &log[all[0].range.clone()];
    let story = &log[usize::try_from(HEADER).unwrap()..last.range.end];
    let mut wrong = whole.clone();
    *wrong.last_mut().unwrap() ^= 1;
    let skipped = frames::framed(&Frame { hash: Digest::of(b""), ..last.clone() }.next(), &all[0].payload, &[0; 32]);
    for tail in [&whole[..whole.len() - 1], &whole[..9], b"\0\0\0\x01", &[0xff; 700], copied, story, &wrong, &skipped] {
        let torn = disk.fork();
        put_behind(&torn, tail);
        let mut log = open(&torn);
        assert_eq!((log.standing(), log.sequence()), (Standing::Current, 3), "{tail:?}");
        let used = tail.iter().rposition(|byte| *byte != 0).unwrap() + 1;
        assert_eq!(log.verify(&torn, None).unwrap().torn_bytes, used as u64);
        log.append(&torn, &commit(4), Firm::Yes).unwrap();
        log.renew_mark(&torn);
        let check = open(&torn).verify(&torn, None).unwrap();
        assert_eq!((check.records, check.damage, check.torn_bytes), (4, None, 0), "{tail:?}");
    }
}

/// A genuine frame stands in the content of a file that a call writes, and the process dies over the record that holds
/// it: whatever of it reached the disk, there is no record in it.
#[test]
fn a_genuine_frame_in_content_never_becomes_a_record() {
    let disk = used(3);
    let log = disk.read(LOG).unwrap();
    let story = log[usize::try_from(HEADER).unwrap()..frames::all(&log).pop().unwrap().range.end].to_vec();
    let long = rmp_payload(&story.repeat(12));
    let last = frames::all(&log).pop().unwrap();
    let record = ours(&disk, &last, &long);
    for cut in (0..record.len()).step_by(64) {
        for (from, to) in [(0, cut), (cut, record.len())] {
            let torn = disk.fork();
            let mut tail = vec![0; record.len()];
            tail[from..to].copy_from_slice(&record[from..to]);
            put_behind(&torn, &tail);
            let log = open(&torn);
            let whole = from == 0 && to == record.len();
            assert_eq!((log.sequence(), log.standing()), (3 + u64::from(whole), Standing::Current), "{from}..{to}");
            assert_eq!(log.verify(&torn, None).unwrap().damage, None, "{from}..{to}");
        }
    }
}

/// A payload of a kind that nobody knows, with these bytes in it.
fn rmp_payload(bytes: &[u8]) -> Vec<u8> {
    let length = u32::try_from(bytes.len()).unwrap().to_be_bytes();
    [&b"\x81\xa4Futu\xc6"[..], &length, bytes].concat()
}

#[test]
fn kinds_that_nobody_knows_are_passed_over_and_chained() {
    let disk = used(2);
    let last = frames::all(&disk.read(LOG).unwrap()).pop().unwrap();
    put_behind(&disk, &ours(&disk, &last, &rmp_payload(b"later")));
    let mut log = open(&disk);
    assert_eq!((log.sequence(), log.standing()), (3, Standing::Current));
    assert!(matches!(log.last(&disk).unwrap(), Some(Record::Other { kind }) if kind == "Futu"));
    assert_eq!(recover(&disk, &mut log, 0, Firm::Yes, &|_| true).unwrap(), Recovered::Nothing);
    log.append(&disk, &commit(3), Firm::Yes).unwrap();
    let check = log.verify(&disk, None).unwrap();
    assert_eq!((check.records, check.damage, log.batches()), (4, None, 3));
    let mut kinds = Vec::new();
    log.entries(&disk, HEADER, &mut |entry| {
        kinds.push(matches!(entry.record, Record::Other { .. }));
        Walk::On
    })
    .unwrap();
    assert_eq!(kinds, [false, false, true, false]);
    // Changed, it breaks the chain like any other.
    log.renew_mark(&disk);
    let mut bytes = disk.read(LOG).unwrap();
    bytes[last.range.end + 60] ^= 1;
    disk.write(LOG, &bytes);
    assert_eq!(open(&disk).verify(&disk, None).unwrap().damage.map(|damage| damage.sequence), Some(3));
}

#[test]
fn a_log_that_was_put_back_says_so_and_goes_on() {
    let disk = used(2);
    call(&disk, &[intent()], Firm::Yes);
    let (older, found) = (disk.read(LOG).unwrap(), here(&disk));
    let seen = call(&disk, &[commit(3), commit(4)], Firm::Yes);
    disk.write(LOG, &older);
    let mut log = open(&disk);
    assert_eq!(log.standing(), known(seen));
    assert_eq!(log.batches(), 2, "numbers go on from what is left");
    log.resume(&disk, 77, Firm::Yes).unwrap();
    assert_eq!(log.standing(), Standing::Current);
    match log.last(&disk).unwrap() {
        Some(Record::Resumed(resumed)) => {
            assert_eq!((resumed.time_ns, resumed.known, resumed.found), (77, Some(seen), found));
            assert_eq!(resumed.unfinished.as_deref(), Some("open"), "the unfinished call is named and not carried out");
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(recover(&disk, &mut log, 0, Firm::Yes, &|_| true).unwrap(), Recovered::Nothing);
    log.append(&disk, &commit(log.batches() + 1), Firm::Yes).unwrap();
    log.renew_mark(&disk);
    let again = open(&disk);
    assert_eq!((again.standing(), again.batches(), again.sequence()), (Standing::Current, 3, 5));
    assert_eq!(again.verify(&disk, None).unwrap().resumed, [4]);
    log.resume(&disk, 78, Firm::Yes).unwrap();
    assert_eq!(log.sequence(), 5, "there is nothing to say a second time");
}

/// What the last record would leave to do is not done in a log that was put back.
#[test]
fn nothing_is_done_on_the_strength_of_an_older_copy() {
    for tail in [intent(), commit(3), note("x")] {
        let disk = used(2);
        call(&disk, std::slice::from_ref(&tail), Firm::Yes);
        let older = disk.read(LOG).unwrap();
        call(&disk, &[commit(9)], Firm::Yes);
        disk.write(LOG, &older);
        let (mut log, before) = (open(&disk), disk.state_tree());
        assert!(matches!(log.standing(), Standing::PutBack { .. }));
        assert_eq!(recover(&disk, &mut log, 0, Firm::Yes, &|_| true).unwrap(), Recovered::Nothing, "{tail:?}");
        assert_eq!(disk.state_tree(), before, "{tail:?}");
    }
}

#[test]
fn another_key_opens_nothing() {
    let disk = used(2);
    let seen = here(&disk);
    let home = disk.own().unwrap().unwrap().home;
    let key = disk.open_state(&home, KEY_FILE).unwrap();
    disk.write_at(&key, 0, &[9; 32]).unwrap();
    let log = open(&disk);
    assert_eq!((log.standing(), log.sequence()), (known(seen), 0));
}

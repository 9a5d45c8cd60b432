//! Clocks that stand before 1970, or are set back: nothing fails, the record keeps its order, and nothing counts as older
//! than what is on record before it.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test stops at the first surprise and looks at the disk itself"
)]

use patchwright_engine::core::outcome::Answer;
use patchwright_engine::core::tool::{
    After, Age, CreateFile, DeleteFile, ListBatches, PurgeTrash, RestoreFile, Shared, Undo, UndoWhat, WriteFile,
};
use patchwright_engine::{AuditFilter, Durability, Options, Proof, Quiet, Session, SetClock};
use patchwright_testkit::home;
use std::path::Path;

const DAY: i64 = 86_400 * 1_000_000_000;

fn open(root: &Path) -> Session {
    let options =
        Options { durability: Durability::None, proof: Proof::Unchecked, home: home::at(), ..Options::default() };
    Session::open(root, options).unwrap()
}

/// What each batch made or changed, newest first, and when it says it was.
fn batches(session: &Session) -> Vec<(String, i64)> {
    let Answer::Batches(found) = session.list_batches(&ListBatches::default()).unwrap().answer else { panic!() };
    found.batches.iter().map(|batch| (batch.files[0].path.clone(), batch.author.time_ns)).collect()
}

fn trashed(session: &Session) -> Vec<String> {
    let Answer::Trash(entries) = session.list_trash().unwrap().answer else { panic!() };
    let mut paths: Vec<String> = entries.iter().map(|entry| entry.path.clone()).collect();
    paths.sort();
    paths
}

#[test]
fn before_1970_everything_works() {
    for now in [i64::MIN, -40_000 * DAY, -1, 0] {
        let _clock = SetClock::to(now);
        let root = tempfile::tempdir().unwrap();
        let session = open(root.path());
        session.create_file(&CreateFile::new("a", "one\n"), &Quiet).unwrap();
        session.write_file(&WriteFile::new("a", "two\n"), &Quiet).unwrap();
        let undo = Undo { what: UndoWhat::Path("a".to_owned()), shared: Shared::default() };
        session.undo(&undo, &Quiet).unwrap();
        session.delete_file(&DeleteFile::new("a"), &Quiet).unwrap();
        assert_eq!(batches(&session)[0], ("a".to_owned(), now));
        let Answer::Trash(entries) = session.list_trash().unwrap().answer else { panic!() };
        session.restore_file(&RestoreFile::new(&entries[0].id), &Quiet).unwrap();
        assert_eq!(std::fs::read_to_string(root.path().join("a")).unwrap(), "one\n");
        let check = open(root.path()).audit_verify(None).unwrap();
        assert!(check.findings.is_empty(), "{check:?}");
    }
}

#[test]
fn a_clock_that_is_set_back_changes_no_order() {
    let root = tempfile::tempdir().unwrap();
    let session = open(root.path());
    for (name, day) in [("first", 100), ("second", -5), ("third", 3)] {
        let _clock = SetClock::to(day * DAY);
        session.create_file(&CreateFile::new(name, "x\n"), &Quiet).unwrap();
        session.delete_file(&DeleteFile::new(name), &Quiet).unwrap();
    }
    let order: Vec<String> = batches(&session).into_iter().map(|(path, _)| path).collect();
    assert_eq!(order, ["third", "third", "second", "second", "first", "first"]);
    let purge = |day: i64, age: &str| {
        let _clock = SetClock::to(day * DAY);
        let ask = PurgeTrash { older_than: Age::parse(age).unwrap(), shared: Shared::default() };
        session.purge_trash(&ask, &Quiet).unwrap();
        trashed(&session)
    };
    // By the wall clock all of them are old; by the record none is older than the first, which is a day old.
    assert_eq!(purge(101, "2d"), ["first", "second", "third"]);
    assert_eq!(purge(50, "1s"), ["first", "second", "third"], "the clock is back again");
    assert_eq!(purge(50, "0s"), Vec::<String>::new(), "all of it means all of it");
}

/// Times choose a stretch of the record: none counts as older than one before it.
#[test]
fn times_go_by_the_order_of_the_record() {
    let root = tempfile::tempdir().unwrap();
    let session = open(root.path());
    for (name, day) in [("a", 10), ("b", 100), ("c", 20), ("d", 110)] {
        let _clock = SetClock::to(day * DAY);
        session.create_file(&CreateFile::new(name, "x\n"), &Quiet).unwrap();
    }
    let _clock = SetClock::to(120 * DAY);
    let exported = |since: Option<i64>, until: Option<i64>| {
        let age = |day: i64| Age::Before(i128::from(day * DAY));
        let filter =
            AuditFilter { since: since.map(age).map(After::Time), until: until.map(age), ..AuditFilter::default() };
        let mut names = String::new();
        let found = session.audit_select(&filter, &mut |entry| {
            names.push_str(&entry.files[0].path);
            Ok(())
        });
        assert!(found.unwrap().is_empty());
        names
    };
    assert_eq!(exported(Some(15), None), "bcd");
    assert_eq!(exported(Some(90), None), "bcd");
    assert_eq!(exported(Some(105), None), "d");
    assert_eq!(exported(None, Some(50)), "a");
    assert_eq!(exported(None, Some(105)), "abc");
    assert_eq!(exported(Some(15), Some(105)), "bc");
    let since = ListBatches { since: Some(After::Time(Age::Before(i128::from(90 * DAY)))), ..ListBatches::default() };
    let Answer::Batches(found) = session.list_batches(&since).unwrap().answer else { panic!() };
    let names: Vec<&str> = found.batches.iter().map(|batch| batch.files[0].path.as_str()).collect();
    assert_eq!(names, ["d", "c", "b"]);
}

//! Whoever opened a workspace is told of what takes long there: what it is, how far it has come, and when it is over.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test stops at the first surprise and looks at the disk itself"
)]

use patchwright_engine::core::outcome::Trouble;
use patchwright_engine::core::policy::{Limits, Settings};
use patchwright_engine::core::refusal::{Holder, Why};
use patchwright_engine::core::tool::{CreateFile, DeleteFile, ListBatches, WriteFile};
use patchwright_engine::{Doing, Durability, Observer, Options, Proof, Quiet, Session, Unfinished, Watch};
use patchwright_testkit::home;
use std::fs::{self, File};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use tempfile::TempDir;

/// Notes what it is told; and lets go of a lock when somebody waits for it.
#[derive(Default)]
struct Notes {
    told: Mutex<Vec<Told>>,
    lock: Mutex<Option<File>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Told {
    Doing(Doing, u64, Option<u64>),
    Done,
}

impl Observer for Notes {
    fn doing(&self, what: Doing, done: u64, total: Option<u64>) {
        if matches!(what, Doing::Waiting { .. }) {
            self.lock.lock().unwrap().take();
        }
        self.told.lock().unwrap().push(Told::Doing(what, done, total));
    }

    fn done(&self) {
        self.told.lock().unwrap().push(Told::Done);
    }
}

impl Notes {
    /// What was told since this was last asked.
    fn take(&self) -> Vec<Told> {
        std::mem::take(&mut self.told.lock().unwrap())
    }

    /// What was done since, each with how often it was told of and how far it came.
    fn summary(&self) -> Vec<(Doing, u64, Option<u64>)> {
        let told = self.take();
        let parts: Vec<&[Told]> = told.split(|one| *one == Told::Done).collect();
        let (rest, parts) = parts.split_last().unwrap();
        assert!(rest.is_empty(), "it never ended: {rest:?}");
        parts.iter().map(|part| last(part)).collect()
    }
}

/// The last of some reports; all of them are about one thing, and none falls behind the one before.
fn last(part: &[Told]) -> (Doing, u64, Option<u64>) {
    let told: Vec<(Doing, u64, Option<u64>)> = part
        .iter()
        .map(|one| match one {
            Told::Doing(what, done, total) => (what.clone(), *done, *total),
            Told::Done => panic!(),
        })
        .collect();
    assert!(told.is_sorted_by_key(|(_, done, _)| *done), "{told:?}");
    let last = told.last().unwrap().clone();
    assert!(told.iter().all(|(what, ..)| *what == last.0), "{told:?}");
    last
}

fn open(root: &Path, notes: &Arc<Notes>) -> Session {
    let observer = Some(Arc::clone(notes) as Arc<dyn Observer>);
    let settings = Settings { limits: Limits { lock_wait_ms: 600_000, ..Limits::default() }, ..Settings::default() };
    let (durability, proof, home) = (Durability::None, Proof::Unchecked, home::at());
    Session::open(root, Options { settings, durability, proof, home, observer, ..Options::default() }).unwrap()
}

/// A workspace with three batches, which are six entries; two files are kept.
fn used() -> (TempDir, Arc<Notes>, Session) {
    let (folder, notes) = (tempfile::tempdir().unwrap(), Arc::<Notes>::default());
    let session = open(folder.path(), &notes);
    session.create_file(&CreateFile::new("a", "one\n"), &Quiet).unwrap();
    session.write_file(&WriteFile::new("a", "two\n"), &Quiet).unwrap();
    session.delete_file(&DeleteFile::new("a"), &Quiet).unwrap();
    notes.take();
    (folder, notes, session)
}

#[test]
fn verifying_tells_entry_by_entry() {
    let (_folder, notes, session) = used();
    session.audit_verify(None).unwrap();
    let all = (1..=6).map(|done| Told::Doing(Doing::CheckingRecord, done, Some(6)));
    assert_eq!(notes.take(), all.chain([Told::Done]).collect::<Vec<_>>());
}

#[test]
fn what_is_known_to_be_right_is_not_told_of() {
    let (_folder, notes, session) = used();
    // Where the times of files are coarse, it is known only when they are past.
    for _ in 0..100_000 {
        assert_eq!(session.damage().unwrap(), None);
        if notes.take().is_empty() {
            return;
        }
    }
    panic!("it is read again and again");
}

#[test]
fn the_doctor_tells_of_the_record_and_of_kept_files() {
    let (folder, notes, session) = used();
    session.list_trash().unwrap();
    notes.take();
    session.doctor().unwrap();
    let record = (Doing::CheckingRecord, 6, Some(6));
    let kept = (Doing::CheckingKeptFiles, 2, Some(2));
    // Whether it may be gone on with, the record itself, and what it says is kept.
    assert_eq!(notes.summary(), [record.clone(), record.clone(), record.clone(), kept]);
    fs::remove_dir_all(home::record(folder.path()).join("trash")).unwrap();
    session.doctor().unwrap();
    assert_eq!(notes.summary().last(), Some(&record), "whose they were is looked up");
}

#[test]
fn building_the_index_is_told() {
    let (folder, notes, session) = used();
    drop(session);
    for name in ["index.sqlite", "index.sqlite-wal", "index.sqlite-shm"] {
        let _ = fs::remove_file(home::kept(folder.path()).join(name));
    }
    let session = open(folder.path(), &notes);
    session.list_batches(&ListBatches::default()).unwrap();
    assert_eq!(notes.summary(), [(Doing::BuildingIndex, 6, Some(6))]);
    session.list_batches(&ListBatches::default()).unwrap();
    assert_eq!(notes.summary(), [], "there is nothing new");
    session.create_file(&CreateFile::new("b", ""), &Quiet).unwrap();
    session.list_batches(&ListBatches::default()).unwrap();
    assert_eq!(notes.summary(), [(Doing::BuildingIndex, 8, Some(8))]);
}

#[test]
fn taking_a_record_over_is_told() {
    let (theirs, ..) = used();
    let (ours, notes, session) = used();
    let from = home::record(theirs.path());
    let to = home::state_folders(ours.path()).pop().unwrap().join(from.file_name().unwrap());
    fs::rename(from, to).unwrap();
    let found = session.adoptable().unwrap();
    assert!(notes.summary().iter().all(|told| *told == (Doing::CheckingRecord, 6, Some(6))));
    session.adopt(found.others.first().unwrap(), Unfinished::Left).unwrap();
    let told = notes.take();
    assert!(told.contains(&Told::Doing(Doing::Adopting, 0, Some(1))), "a kept file: {told:?}");
    let end = [Told::Doing(Doing::Adopting, 12, Some(12)), Told::Done];
    assert!(told.ends_with(&end), "the entries of both: {told:?}");
}

#[test]
fn whoever_waits_is_told_for_whom() {
    let (folder, notes, session) = used();
    let held = File::open(folder.path()).unwrap();
    held.lock().unwrap();
    *notes.lock.lock().unwrap() = Some(held);
    session.create_file(&CreateFile::new("b", ""), &Quiet).unwrap();
    let told = notes.take();
    let pid = std::process::id();
    for one in &told {
        match one {
            Told::Doing(Doing::Waiting { for_whom: Some(Holder { pid: who, .. }) }, _, Some(600_000)) => {
                assert_eq!(*who, pid);
            }
            // Nobody has it any more once it was let go.
            Told::Doing(Doing::Waiting { for_whom: None }, _, Some(600_000)) | Told::Done => {}
            other => panic!("{other:?}"),
        }
    }
    assert!(told.len() >= 2 && told.last() == Some(&Told::Done), "{told:?}");
    session.create_file(&CreateFile::new("c", ""), &Quiet).unwrap();
    assert_eq!(notes.take(), [], "nobody had to wait");
}

/// Withdraws when it is asked for the third time.
#[derive(Default)]
struct Impatient(AtomicU32);

impl Watch for Impatient {
    fn cancelled(&self) -> bool {
        self.0.fetch_add(1, Ordering::Relaxed) >= 2
    }
}

#[test]
fn whoever_withdraws_waits_no_longer() {
    let (folder, notes, session) = used();
    let held = File::open(folder.path()).unwrap();
    held.lock().unwrap();
    let failed = session.create_file(&CreateFile::new("b", ""), &Impatient::default()).unwrap_err();
    assert!(matches!(&failed.trouble, Trouble::Refused(refusal) if refusal.why == Why::Cancelled), "{failed:?}");
    assert_eq!(notes.take().last(), Some(&Told::Done));
    held.unlock().unwrap();
    session.create_file(&CreateFile::new("b", ""), &Quiet).unwrap();
}

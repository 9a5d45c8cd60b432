//! Batches are numbered in the order in which they came to be: the first is 1, whatever the tool, and a batch has one
//! number however many records it has.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

use patchwright_engine::core::outcome::{Answer, Failed, Reply};
use patchwright_engine::core::tool::{
    Age, ApplyBatch, ApplyPatch, Atomic, CreateFile, DeleteFile, Ground, PurgeTrash, RestoreFile, Run, Shared, Undo,
    UndoWhat, WriteFile,
};
use patchwright_engine::{Durability, Options, Proof, Quiet, Session};
use patchwright_store::log::{HEADER, Log, Walk};
use patchwright_store::real::{Means, RealDisk};
use patchwright_store::records::Record;
use patchwright_testkit::home;
use std::path::Path;

fn open(root: &Path) -> Session {
    let (durability, proof) = (Durability::None, Proof::Unchecked);
    Session::open(root, Options { durability, proof, home: home::at(), ..Options::default() }).unwrap()
}

/// The numbers on record, in order, and the highest.
fn numbers(root: &Path) -> (Vec<u64>, u64) {
    let disk = RealDisk::open(root, &home::whereabouts(), Means::Best).unwrap();
    let log = Log::open_existing(&disk, &disk.state_if_there("").unwrap().unwrap()).unwrap().unwrap();
    let mut numbers = Vec::new();
    log.entries(&disk, HEADER, &mut |entry| {
        numbers.extend(entry.record.number());
        assert!(!matches!(entry.record, Record::Other { .. }));
        Walk::On
    })
    .unwrap();
    (numbers, log.batches())
}

fn batch(reply: Result<Reply, Failed>) -> String {
    match reply.unwrap().answer {
        Answer::Changed(changed) => changed.batch.unwrap().id,
        other => panic!("{other:?}"),
    }
}

fn patch(body: &str) -> String {
    format!("*** Begin Patch\n{body}*** End Patch\n")
}

#[test]
fn every_batch_has_the_next_number_and_keeps_it() {
    let root = tempfile::tempdir().unwrap();
    let session = open(root.path());
    let first = batch(session.create_file(&CreateFile::new("a", "one\n"), &Quiet));
    assert_eq!(numbers(root.path()), (vec![1], 1));
    session.write_file(&WriteFile::new("missing/a", "x"), &Quiet).unwrap_err();
    session.write_file(&WriteFile::new("a", "one\n"), &Quiet).unwrap();
    assert_eq!(numbers(root.path()), (vec![1], 1), "what changes nothing has no number");
    let undo = Undo { what: UndoWhat::Batch { id: first, changes: None }, shared: Shared::default() };
    session.undo(&undo, &Quiet).unwrap();
    assert_eq!(numbers(root.path()), (vec![1, 2], 2), "taking back is a batch too");
    // Sections that are applied one by one are one batch.
    let sections = ApplyPatch {
        atomic: Atomic::Sections,
        ..ApplyPatch::new(patch("*** Add File: s1\n+1\n*** Add File: s2\n+2\n*** Add File: s3\n+3\n"))
    };
    open(root.path()).apply_patch(&sections, &Quiet).unwrap();
    assert_eq!(numbers(root.path()), (vec![1, 2, 3, 3, 3], 3));
    // A proposal has its number from the day it was made.
    let shared = Shared { run: Run::Propose, ..Shared::default() };
    let waiting = batch(session.write_file(&WriteFile { shared, ..WriteFile::new("s1", "new\n") }, &Quiet));
    let gone = session.delete_file(&DeleteFile::new("s2"), &Quiet);
    let trash = match gone.unwrap().answer {
        Answer::Changed(changed) => changed.trash.unwrap(),
        other => panic!("{other:?}"),
    };
    let apply =
        ApplyBatch { batch: Some(waiting), changes: None, ground: Ground::MustBeTheSame, shared: Shared::default() };
    session.apply_batch(&apply, &Quiet).unwrap();
    assert_eq!(numbers(root.path()), (vec![1, 2, 3, 3, 3, 4, 5, 4], 5));
    open(root.path()).restore_file(&RestoreFile::new(&trash), &Quiet).unwrap();
    session.delete_file(&DeleteFile::new("s3"), &Quiet).unwrap();
    session.purge_trash(&PurgeTrash { older_than: Age::OlderThan(0), shared: Shared::default() }, &Quiet).unwrap();
    assert_eq!(numbers(root.path()), (vec![1, 2, 3, 3, 3, 4, 5, 4, 6, 7, 8], 8));
}

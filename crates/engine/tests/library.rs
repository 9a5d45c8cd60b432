//! The library as a Rust caller uses it: sessions and their ledger, the trash, retention, state that is
//! deleted or lies elsewhere, and the portable means.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test stops at the first surprise and looks at the disk itself"
)]

use patchwright_engine::core::digest::Digest;
use patchwright_engine::core::intent::{ExactEdit, Occurrences};
use patchwright_engine::core::outcome::{Answer, Changed, Concurrency, Extent, Failed, Reply};
use patchwright_engine::core::policy::{Retention, Settings};
use patchwright_engine::core::refusal::Kind;
use patchwright_engine::core::tool::{
    Call, CreateFile, DeleteFile, EditFile, MoveFile, ReadFile, RestoreFile, WriteFile,
};
use patchwright_engine::core::warning::Warning;
use patchwright_engine::{Durability, Finding, Options, Proof, Quiet, Session};
use patchwright_testkit::home;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

fn quick() -> Options {
    Options { durability: Durability::None, home: home::at(), ..Options::default() }
}

fn open(root: &Path) -> Session {
    Session::open(root, quick()).unwrap()
}

fn changed(reply: Result<Reply, Failed>) -> Changed {
    match reply.unwrap().answer {
        Answer::Changed(changed) => changed,
        other => panic!("{other:?}"),
    }
}

fn kind(reply: Result<Reply, Failed>) -> Kind {
    reply.unwrap_err().trouble.kind()
}

fn replace(path: &str, old: &str, new: &str) -> EditFile {
    let edit = ExactEdit { old: old.to_owned(), new: new.to_owned(), occurrences: Occurrences::Exactly(1) };
    EditFile::new(path, vec![edit])
}

#[test]
fn a_session_proves_sight_by_reading_and_by_writing() {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("a"), "one").unwrap();
    let session = open(root.path());
    assert_eq!(kind(session.edit_file(&replace("a", "one", "two"), &Quiet)), Kind::StaleFile);
    session.read_file(&ReadFile::new("a"), &Quiet).unwrap();
    changed(session.edit_file(&replace("a", "one", "two"), &Quiet));
    changed(session.edit_file(&replace("a", "two", "three"), &Quiet));
    fs::write(root.path().join("a"), "three!").unwrap();
    assert_eq!(kind(session.edit_file(&replace("a", "three", "four"), &Quiet)), Kind::StaleFile);
    assert_eq!(kind(open(root.path()).write_file(&WriteFile::new("a", "x"), &Quiet)), Kind::StaleFile);
}

#[test]
fn a_moved_file_is_still_known_to_the_session() {
    let root = tempfile::tempdir().unwrap();
    let session = open(root.path());
    changed(session.create_file(&CreateFile::new("a", "one"), &Quiet));
    changed(session.move_file(&MoveFile::new("a", "b"), &Quiet));
    changed(session.edit_file(&replace("b", "one", "two"), &Quiet));
    assert_eq!(fs::read_to_string(root.path().join("b")).unwrap(), "two");
}

#[test]
fn require_sha_takes_no_other_proof() {
    let root = tempfile::tempdir().unwrap();
    let session = Session::open(root.path(), Options { proof: Proof::HashOnly, ..quick() }).unwrap();
    changed(session.create_file(&CreateFile::new("a", "one"), &Quiet));
    assert_eq!(kind(session.edit_file(&replace("a", "one", "two"), &Quiet)), Kind::StaleFile);
    let proven = EditFile { expected: Some(Digest::of(b"one").into()), ..replace("a", "one", "two") };
    changed(session.edit_file(&proven, &Quiet));
}

#[test]
fn what_is_deleted_comes_back_with_its_mode_and_its_folder() {
    let root = tempfile::tempdir().unwrap();
    let file = root.path().join("bin/run.sh");
    fs::create_dir(root.path().join("bin")).unwrap();
    fs::write(&file, "#!/bin/sh\n").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o751)).unwrap();
    let session = open(root.path());
    session.read_file(&ReadFile::new("bin/run.sh"), &Quiet).unwrap();
    let gone = changed(session.delete_file(&DeleteFile::new("bin/run.sh"), &Quiet));
    fs::remove_dir(root.path().join("bin")).unwrap();
    let id = gone.trash.unwrap();
    changed(session.restore_file(&RestoreFile::new(id.as_str()), &Quiet));
    assert_eq!(fs::read_to_string(&file).unwrap(), "#!/bin/sh\n");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o7777, 0o751);
    assert_eq!(kind(session.restore_file(&RestoreFile::new(id.as_str()), &Quiet)), Kind::NotFound);
}

#[test]
fn a_call_for_what_already_is_changes_nothing() {
    let root = tempfile::tempdir().unwrap();
    let session = open(root.path());
    changed(session.create_file(&CreateFile::new("a", "one"), &Quiet));
    let before = fs::metadata(root.path().join("a")).unwrap().modified().unwrap();
    let same = changed(session.write_file(&WriteFile::new("a", "one"), &Quiet));
    assert_eq!((same.extent, same.batch), (Extent::Unchanged, None));
    assert_eq!(fs::metadata(root.path().join("a")).unwrap().modified().unwrap(), before);
}

#[test]
fn deleted_state_costs_history_only() {
    let root = tempfile::tempdir().unwrap();
    let session = open(root.path());
    changed(session.create_file(&CreateFile::new("a", "one"), &Quiet));
    fs::remove_dir_all(root.path().join(".patchwright")).unwrap();
    let edited = session.call(&Call::EditFile(replace("a", "one", "two")), &Quiet).unwrap();
    assert_eq!(edited.warnings, [Warning::RecordMadeAgain, Warning::RecordPutBack]);
    assert_eq!(fs::read_to_string(root.path().join("a")).unwrap(), "two");
    let check = session.audit_verify(None).unwrap();
    assert_eq!(check.findings, [Finding::Resumed { sequence: 1 }]);
    assert_eq!(check.records, 3, "what happened, and intent and commit of the second call");
}

#[test]
fn state_may_lie_elsewhere() {
    let (root, state) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let state = state.path().join("deep/state");
    let session = Session::open(root.path(), Options { state_dir: Some(state.clone()), ..quick() }).unwrap();
    changed(session.create_file(&CreateFile::new("a", "one"), &Quiet));
    changed(session.edit_file(&replace("a", "one", "two"), &Quiet));
    changed(session.delete_file(&DeleteFile::new("a"), &Quiet));
    assert!(!root.path().join(".patchwright").exists());
    let records = fs::read_dir(state).unwrap().filter(|entry| entry.as_ref().unwrap().path().join("log").is_file());
    assert_eq!(records.count(), 1);
}

#[test]
fn portable_means_carry_every_change_out_too() {
    let root = tempfile::tempdir().unwrap();
    let session = Session::open_portable(root.path(), quick()).unwrap();
    changed(session.create_file(&CreateFile::new("a", "one"), &Quiet));
    let edited = changed(session.edit_file(&replace("a", "one", "two"), &Quiet));
    assert_eq!(edited.concurrency, Concurrency::Checked);
    changed(session.move_file(&MoveFile::new("a", "b"), &Quiet));
    changed(session.delete_file(&DeleteFile::new("b"), &Quiet));
    let names: Vec<_> = fs::read_dir(root.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, [".patchwright"]);
}

#[test]
fn old_pre_images_go_over_the_quota_and_that_is_on_record() {
    let root = tempfile::tempdir().unwrap();
    let settings = Settings {
        retention: Retention { keep_days: 0, max_bytes: 100, ..Retention::default() },
        ..Settings::default()
    };
    let session = Session::open(root.path(), Options { settings, ..quick() }).unwrap();
    changed(session.create_file(&CreateFile::new("a", "text 0"), &Quiet));
    for round in 0..140 {
        let edit = replace("a", &format!("text {round}"), &format!("text {}", round + 1));
        changed(session.edit_file(&edit, &Quiet));
    }
    let kept = fs::read_dir(home::record(root.path()).join("blobs")).unwrap().count();
    assert!(kept < 40, "{kept} pre-images of 6 bytes are kept");
    let mut gone = 0;
    session
        .audit_export(&mut |entry| {
            gone += if entry.operation == "retention" { entry.files.len() } else { 0 };
            Ok(())
        })
        .unwrap();
    assert!(gone > 100, "{gone} on record");
}

#[test]
fn nothing_young_goes_whatever_the_quota() {
    let root = tempfile::tempdir().unwrap();
    let settings = Settings {
        retention: Retention { keep_days: 30, max_bytes: 0, ..Retention::default() },
        ..Settings::default()
    };
    let session = Session::open(root.path(), Options { settings, ..quick() }).unwrap();
    changed(session.create_file(&CreateFile::new("a", "text 0"), &Quiet));
    for round in 0..140 {
        changed(session.edit_file(&replace("a", &format!("text {round}"), &format!("text {}", round + 1)), &Quiet));
    }
    assert_eq!(fs::read_dir(home::record(root.path()).join("blobs")).unwrap().count(), 140);
}

//! A record that is damaged, put back or gone is told whenever somebody asks, whatever was noted of it before.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise and looks at the disk itself"
)]

use patchwright_engine::core::tool::CreateFile;
use patchwright_engine::{Durability, Finding, Mode, Options, Quiet, Session, Unfinished};
use patchwright_testkit::{frames, home};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

fn open(root: &Path, mode: Mode) -> Session {
    let durability = Durability::None;
    Session::open(root, Options { durability, mode, home: home::at(), ..Options::default() }).unwrap()
}

fn create(root: &Path, name: &str) {
    open(root, Mode::ReadWrite).create_file(&CreateFile::new(name, format!("{name}\n")), &Quiet).unwrap();
}

/// What a fresh session says.
fn damage(root: &Path) -> Option<Finding> {
    open(root, Mode::ReadWrite).damage().unwrap()
}

/// A workspace with three batches, of which it is noted that they are right.
fn used() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    ["a", "b", "c"].into_iter().for_each(|name| create(folder.path(), name));
    noted(folder.path());
    folder
}

fn note(root: &Path) -> PathBuf {
    home::kept(root).join("verified")
}

/// Asks until it is noted that all is right: where the times of files are coarse, it is noted only when they are past.
fn noted(root: &Path) {
    for _ in 0..100_000 {
        assert_eq!(damage(root), None);
        if note(root).exists() {
            return;
        }
    }
    panic!("it is never noted");
}

fn log(root: &Path) -> PathBuf {
    home::record(root).join("log")
}

/// Changes a byte in the middle of a record.
fn flip(root: &Path, record: usize) {
    let mut bytes = fs::read(log(root)).unwrap();
    let at = frames::all(&bytes)[record].range.start + 60;
    bytes[at] ^= 1;
    fs::write(log(root), bytes).unwrap();
}

#[test]
fn what_is_right_is_nothing_to_tell() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(damage(folder.path()), None, "nothing was ever done");
    let folder = used();
    for name in ["d", "e"] {
        create(folder.path(), name);
        assert_eq!(damage(folder.path()), None);
    }
    // A write that was cut short is no damage, and may be one that is under way.
    let mut bytes = fs::read(log(folder.path())).unwrap();
    let end = frames::all(&bytes).pop().unwrap().range.end;
    bytes[end..end + 50].fill(0x55);
    fs::write(log(folder.path()), bytes).unwrap();
    assert_eq!(damage(folder.path()), None);
}

#[test]
fn damage_is_told_every_time() {
    let folder = used();
    flip(folder.path(), 2);
    let session = open(folder.path(), Mode::ReadWrite);
    for _ in 0..3 {
        for found in [damage(folder.path()), session.damage().unwrap()] {
            assert!(matches!(found, Some(Finding::Damaged { sequence: 3, .. })), "{found:?}");
        }
    }
    create(folder.path(), "d");
    assert!(matches!(damage(folder.path()), Some(Finding::Damaged { sequence: 3, .. })));
}

#[test]
fn a_log_that_was_cut_put_back_or_is_gone_is_told() {
    let folder = used();
    let root = folder.path();
    let whole = fs::read(log(root)).unwrap();
    let cut = frames::all(&whole)[3].range.end;
    fs::write(log(root), &whole[..cut]).unwrap();
    assert_eq!(damage(root), Some(Finding::PutBack { known: 6 }));
    create(root, "d");
    let Some(Finding::Resumed { sequence: 5 }) = damage(root) else { panic!("{:?}", damage(root)) };
    open(root, Mode::ReadWrite).accept_record(Unfinished::Left).unwrap();
    assert_eq!(damage(root), None, "somebody has looked");
    fs::remove_file(log(root)).unwrap();
    assert_eq!(damage(root), Some(Finding::Gone));
}

#[test]
fn whoever_only_looks_notes_nothing() {
    let folder = used();
    let root = folder.path();
    fs::remove_file(note(root)).unwrap();
    let session = open(root, Mode::ReadOnly);
    for _ in 0..100 {
        assert_eq!(session.damage().unwrap(), None);
    }
    session.audit_verify(None).unwrap();
    assert!(!note(root).exists());
    flip(root, 1);
    assert!(matches!(session.damage().unwrap(), Some(Finding::Damaged { sequence: 2, .. })));
}

#[test]
fn where_nothing_can_be_noted_everything_is_verified() {
    let folder = used();
    let root = folder.path();
    fs::remove_file(note(root)).unwrap();
    fs::create_dir(note(root)).unwrap();
    assert_eq!(damage(root), None);
    create(root, "d");
    assert_eq!(damage(root), None);
    flip(root, 1);
    assert!(matches!(damage(root), Some(Finding::Damaged { sequence: 2, .. })));
}

/// The note of another workspace, and one of before.
#[test]
fn a_note_of_something_else_hides_nothing() {
    let (folder, other) = (used(), used());
    let (root, before) = (folder.path(), fs::read(note(folder.path())).unwrap());
    create(root, "d");
    flip(root, 1);
    for forged in [before, fs::read(note(other.path())).unwrap(), vec![0xff; 200], Vec::new()] {
        fs::write(note(root), forged).unwrap();
        assert!(matches!(damage(root), Some(Finding::Damaged { sequence: 2, .. })));
    }
}

//! Records that are not ours, damaged, or no files at all.

use crate::place::{create, log, next, open, open_to_look, rest, told, told_since};
use patchwright_engine::core::outcome::Trouble;
use patchwright_engine::{News, Presence, Quiet, Since, Watch};
use patchwright_testkit::{frames, home};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The record of another root, or one that nobody here has a key of, is not read.
#[test]
fn a_record_that_is_not_ours() {
    let (theirs, ours) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    create(theirs.path(), "a");
    let shipped = home::record(theirs.path());
    for id in [shipped.file_name().unwrap().to_str().unwrap(), "0123456789abcdef0123456789abcdef"] {
        let record = ours.path().join(".patchwright").join(id);
        fs::create_dir_all(&record).unwrap();
        fs::copy(shipped.join("log"), record.join("log")).unwrap();
    }
    let workspace = open_to_look(ours.path());
    let mut follow = workspace.workspace().follow(Since::Start).unwrap();
    assert_eq!(follow.next(Duration::ZERO, &Quiet).unwrap(), News::Nothing(Presence::None));
    create(ours.path(), "b");
    assert_eq!(next(&mut follow), "batch b1 create_file b", "our own is");
}

/// What stands behind damage is told; the damage itself once.
#[test]
fn damage_is_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    ["a", "b", "c"].into_iter().for_each(|name| create(root, name));
    let mut bytes = fs::read(log(root)).unwrap();
    // Each call is an intent and a commit: the fourth entry is the second commit.
    let fourth = frames::all(&bytes)[3].range.clone();
    let middle = (fourth.start + fourth.end) / 2;
    bytes[middle] ^= 1;
    fs::write(log(root), &bytes).unwrap();
    let workspace = open_to_look(root);
    let mut follow = workspace.workspace().follow(Since::Start).unwrap();
    assert_eq!(told(&mut follow), ["batch b1 create_file a", "damaged 4", "batch b3 create_file c"]);
    create(root, "d");
    assert_eq!(told(&mut follow), ["batch b4 create_file d"]);
    // Where the length itself is damaged, nothing says where the next entry stands.
    let mut bytes = fs::read(log(root)).unwrap();
    bytes[fourth.start + 2] ^= 1;
    fs::write(log(root), &bytes).unwrap();
    let mut follow = workspace.workspace().follow(Since::Start).unwrap();
    assert_eq!(told(&mut follow), ["batch b1 create_file a", "damaged 4"]);
    create(root, "e");
    assert_eq!(told(&mut follow), ["batch b5 create_file e"], "what comes later is told");
}

/// Whatever stands in the log's place, nobody hangs, and nothing is told.
#[test]
fn no_file_in_the_place_of_the_log() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    create(root, "a");
    let elsewhere = root.join("elsewhere");
    fs::copy(log(root), &elsewhere).unwrap();
    let fifo = |path: &Path| assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    let link = |path: &Path| symlink(&elsewhere, path).unwrap();
    let folder = |path: &Path| fs::create_dir(path).unwrap();
    for (name, put) in [("fifo", &fifo as &dyn Fn(&Path)), ("link", &link), ("folder", &folder)] {
        let workspace = open_to_look(root);
        let mut follow = workspace.workspace().follow(Since::Start).unwrap();
        assert_eq!(rest(&mut follow).len(), 1);
        let (log, aside) = (log(root), root.join("aside"));
        fs::rename(&log, &aside).unwrap();
        put(&log);
        let met = follow.next(Duration::ZERO, &Quiet);
        assert!(matches!(met, Err(Trouble::Refused(_) | Trouble::Fault(_))), "{name}: {met:?}");
        fs::remove_dir(&log).or_else(|_| fs::remove_file(&log)).unwrap();
        fs::rename(&aside, &log).unwrap();
        assert_eq!(told(&mut follow), Vec::<String>::new(), "{name}: and goes on");
    }
}

/// Looking writes nothing, neither beside the files nor at home.
#[test]
fn looking_makes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    create(root, "a");
    let seen = |path: &Path| {
        let mut all: Vec<_> = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
        all.sort();
        all.into_iter().map(|path| (fs::read(&path).ok(), path)).collect::<Vec<_>>()
    };
    let before = (seen(&home::record(root)), seen(&home::kept(root)));
    assert_eq!(told_since(root, Since::Start).len(), 1);
    assert_eq!((seen(&home::record(root)), seen(&home::kept(root))), before);
}

/// Whoever follows can withdraw, and is asked while nothing comes.
#[test]
fn a_wait_can_be_called_off() {
    struct Third(AtomicUsize);
    impl Watch for Third {
        fn cancelled(&self) -> bool {
            self.0.fetch_add(1, Ordering::Relaxed) >= 2
        }
    }
    let folder = tempfile::tempdir().unwrap();
    create(folder.path(), "a");
    let workspace = open(folder.path());
    for polled in [false, true] {
        let follow = workspace.workspace().follow(Since::Now).unwrap();
        let mut follow = if polled { follow.by_polling() } else { follow };
        let news = follow.next(Duration::MAX, &Third(AtomicUsize::new(0))).unwrap();
        assert_eq!(news, News::Nothing(Presence::Here));
    }
}

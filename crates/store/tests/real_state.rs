//! The state folder and the writer's lock.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test says no by panicking")]

use patchwright_core::path::RelPath;
use patchwright_store::disk::{Disk, Halt};
use patchwright_store::real::{Means, RealDisk, StateAt};
use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::Path;
use std::time::Duration;

fn open(root: &Path, state: StateAt) -> RealDisk {
    RealDisk::open(root, state, Means::Best).unwrap()
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().mode() & 0o7777
}

#[test]
fn made_on_demand_and_private() {
    let home = tempfile::tempdir().unwrap();
    let disk = open(home.path(), StateAt::Inside);
    assert!(!disk.state_exists());
    assert!(disk.read_state("", "log").unwrap().is_none());
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0, "opening makes nothing");
    let blobs = disk.state("blobs").unwrap();
    let state = home.path().join(".patchwright");
    disk.open_state(&blobs, "one").unwrap();
    assert_eq!((mode(&state), mode(&state.join("blobs")), mode(&state.join("blobs/one"))), (0o700, 0o700, 0o600));
    assert_eq!(fs::read_to_string(state.join(".gitignore")).unwrap(), "*\n");
    assert!(disk.state_exists() && disk.read_state("blobs", "one").unwrap().is_some());
    disk.make_folder(&blobs, "inner").unwrap();
    assert_eq!(mode(&state.join("blobs/inner")), 0o700);
    assert_eq!(blobs.path(), None);
}

#[test]
fn elsewhere() {
    let home = tempfile::tempdir().unwrap();
    let (root, state) = (home.path().join("ws"), home.path().join("some/state"));
    fs::create_dir(&root).unwrap();
    let disk = open(&root, StateAt::Elsewhere(state.clone()));
    disk.state("blobs").unwrap();
    assert!(state.join("blobs").is_dir() && mode(&state) == 0o700);
    assert_eq!((fs::read_dir(&root).unwrap().count(), disk.state_path()), (0, None));
    let inside = open(&root, StateAt::Elsewhere(root.join("kept")));
    assert_eq!(inside.state_path().map(RelPath::as_str), Some("kept"));
}

#[test]
fn what_a_full_disk_left_empty_is_written_later() {
    let home = tempfile::tempdir().unwrap();
    let (root, state) = (home.path().join("ws"), home.path().join("state"));
    for folder in [&root, &state] {
        fs::create_dir(folder).unwrap();
    }
    for name in ["root", ".gitignore"] {
        fs::write(state.join(name), "").unwrap();
    }
    open(&root, StateAt::Elsewhere(state.clone())).state("").unwrap();
    assert_eq!(fs::read_to_string(state.join(".gitignore")).unwrap(), "*\n");
    fs::remove_file(state.join("root")).unwrap();
    open(&root, StateAt::Elsewhere(state.clone())).state("").unwrap();
    let signed = fs::canonicalize(&root).unwrap();
    assert_eq!(fs::read(state.join("root")).unwrap(), signed.as_os_str().as_encoded_bytes());
    assert_eq!(fs::read_dir(&state).unwrap().count(), 2, "a draft was left");
    let other = RealDisk::open(home.path(), StateAt::Elsewhere(state), Means::Best);
    assert!(matches!(other, Err(Halt::Foreign)), "{other:?}");
}

#[test]
fn links_in_its_place_are_refused() {
    let home = tempfile::tempdir().unwrap();
    let root = home.path().join("ws");
    fs::create_dir_all(&root).unwrap();
    fs::create_dir_all(home.path().join("out")).unwrap();
    symlink("../out", root.join(".patchwright")).unwrap();
    let disk = open(&root, StateAt::Inside);
    assert!(disk.state("").is_err() && !disk.state_exists() && disk.try_lock().is_err());
    fs::remove_file(root.join(".patchwright")).unwrap();
    fs::write(root.join(".patchwright"), "").unwrap();
    assert!(disk.state("blobs").is_err());
    fs::remove_file(root.join(".patchwright")).unwrap();
    fs::create_dir(root.join(".patchwright")).unwrap();
    for name in ["lock", "log", "blobs"] {
        symlink("../../out/made", root.join(".patchwright").join(name)).unwrap();
    }
    assert!(disk.try_lock().is_err() && disk.state("blobs").is_err());
    assert!(disk.open_state(&disk.state("").unwrap(), "log").is_err());
    assert!(disk.read_state("", "log").is_err());
    assert_eq!(fs::read_dir(home.path().join("out")).unwrap().count(), 0, "written through a link");
}

#[test]
fn one_writer_at_a_time() {
    let home = tempfile::tempdir().unwrap();
    let (one, two) = (open(home.path(), StateAt::Inside), open(home.path(), StateAt::Inside));
    let guard = one.try_lock().unwrap().expect("free");
    assert!(two.try_lock().unwrap().is_none() && one.try_lock().unwrap().is_none());
    assert!(two.lock(Duration::from_millis(5)).unwrap().is_none());
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| two.lock(Duration::from_secs(60)).unwrap().is_some());
        drop(guard);
        assert!(waiting.join().unwrap());
    });
}

#[test]
fn a_lock_outlives_no_state_folder() {
    let home = tempfile::tempdir().unwrap();
    let disk = open(home.path(), StateAt::Inside);
    let _old = disk.try_lock().unwrap().expect("free");
    fs::remove_dir_all(home.path().join(".patchwright")).unwrap();
    let new = disk.try_lock().unwrap().expect("a new folder, a new lock");
    assert!(disk.try_lock().unwrap().is_none());
    drop(new);
}

#[test]
fn abilities_are_tried_and_leave_nothing() {
    let home = tempfile::tempdir().unwrap();
    for (means, exchange) in [(Means::Best, true), (Means::Portable, false)] {
        let disk = RealDisk::open(home.path(), StateAt::Inside, means).unwrap();
        for ability in disk.abilities().unwrap() {
            assert_eq!(ability.works, ability.name != "exchange" || exchange, "{means:?} {ability:?}");
        }
        assert_eq!(disk.names(&disk.state("").unwrap()).unwrap(), [".gitignore"]);
    }
}

#[test]
fn a_root_must_be_a_folder() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("f"), "").unwrap();
    let failed = |name: &str| RealDisk::open(&home.path().join(name), StateAt::Inside, Means::Best).unwrap_err();
    assert!(failed("none").is_missing());
    assert!(matches!(failed("f"), Halt::Os(_)));
}

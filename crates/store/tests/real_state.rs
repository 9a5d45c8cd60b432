//! Where records and keys stand, which records are ours, and the writer's lock.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test says no by panicking")]

use patchwright_core::path::RelPath;
use patchwright_store::disk::{Disk, Halt, HomeTrouble};
use patchwright_store::log::{Firm, HEADER, Log, Standing};
use patchwright_store::real::{Founded, HomeAt, Means, RealDisk, Whereabouts};
use patchwright_store::records::{Record, Retired};
use patchwright_testkit::home;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::Duration;

fn open(root: &Path) -> RealDisk {
    RealDisk::open(root, &home::whereabouts(), Means::Best).unwrap()
}

fn open_at(root: &Path, home: &Path) -> Result<RealDisk, Halt> {
    RealDisk::open(
        root,
        &Whereabouts { state: None, home: HomeAt::Folder(home.to_owned()), ..Whereabouts::default() },
        Means::Best,
    )
}

fn elsewhere(root: &Path, state: &Path) -> RealDisk {
    let at = Whereabouts { state: Some(state.to_owned()), ..home::whereabouts() };
    RealDisk::open(root, &at, Means::Best).unwrap()
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().mode() & 0o7777
}

fn count(folder: &Path) -> usize {
    fs::read_dir(folder).map_or(0, Iterator::count)
}

fn closed(disk: &RealDisk) -> Vec<&str> {
    disk.closed_folders().iter().map(RelPath::as_str).collect()
}

/// Appends one record as a call would, mark and all.
fn add(disk: &RealDisk) {
    let mut log = Log::open(disk).unwrap();
    log.append(
        disk,
        &Record::Retired(Retired { time_ns: 1, trash: Vec::new(), blobs: Vec::new(), bytes: 0 }),
        Firm::No,
    )
    .unwrap();
    log.renew_mark(disk);
}

fn length(disk: &RealDisk) -> u64 {
    Log::open(disk).unwrap().sequence()
}

#[test]
fn made_on_demand_and_private() {
    let root = tempfile::tempdir().unwrap();
    let disk = open(root.path());
    assert!(!disk.has_record() && disk.own().unwrap().is_none() && disk.index_folder().is_none());
    assert!(disk.read_state("", "log").unwrap().is_none());
    assert!(disk.state("blobs").is_err() && Log::open(&disk).is_err(), "before the record is made");
    assert_eq!(count(root.path()), 0, "opening makes nothing");
    assert_eq!(disk.found_record().unwrap(), Founded::Now(None));
    let blobs = disk.state("blobs").unwrap();
    let (place, state) = (root.path().join(".patchwright"), home::record(root.path()));
    disk.open_state(&blobs, "one").unwrap();
    for folder in [&place, &state, &state.join("blobs"), &home::home(), &home::kept(root.path())] {
        assert_eq!(mode(folder), 0o700, "{folder:?}");
    }
    for file in [&state.join("blobs/one"), &home::kept(root.path()).join("key"), &home::kept(root.path()).join("mark")]
    {
        assert_eq!(mode(file), 0o600, "{file:?}");
    }
    for folder in [&place, &state] {
        assert_eq!(fs::read_to_string(folder.join(".gitignore")).unwrap(), "*\n");
    }
    assert!(disk.has_record() && disk.read_state("blobs", "one").unwrap().is_some());
    disk.make_folder(&blobs, "inner").unwrap();
    assert_eq!(mode(&state.join("blobs/inner")), 0o700);
    assert_eq!(blobs.path(), None);
    assert_eq!(disk.index_folder(), Some(home::kept(root.path())));
    assert_eq!(fs::read(home::kept(root.path()).join("key")).unwrap().len(), 32);
    assert_eq!(disk.found_record().unwrap(), Founded::Before);
    assert_eq!(open(root.path()).found_record().unwrap(), Founded::Before);
}

#[test]
fn in_the_git_folder_where_it_is_one() {
    let root = tempfile::tempdir().unwrap();
    fs::create_dir(root.path().join(".git")).unwrap();
    let disk = open(root.path());
    assert_eq!(closed(&disk), [".git/patchwright", ".patchwright"]);
    disk.found_record().unwrap();
    assert!(home::record(root.path()).starts_with(root.path().join(".git/patchwright")));
    assert!(!root.path().join(".patchwright").exists());
    assert_eq!(count(&home::record(root.path())), 0, "git does not look into its own folder");
    // Made before there was a git folder: it is used where it stands.
    let root = tempfile::tempdir().unwrap();
    open(root.path()).found_record().unwrap();
    fs::create_dir(root.path().join(".git")).unwrap();
    assert_eq!(open(root.path()).found_record().unwrap(), Founded::Before);
    assert_eq!(home::state_folders(root.path()), [root.path().join(".patchwright")]);
    // A link is not the root's own git folder, and neither is a file that names one that does not know of it.
    for file in [false, true] {
        let root = tempfile::tempdir().unwrap();
        let git = tempfile::tempdir().unwrap();
        match file {
            false => symlink(git.path(), root.path().join(".git")).unwrap(),
            true => fs::write(root.path().join(".git"), format!("gitdir: {}\n", git.path().display())).unwrap(),
        }
        open(root.path()).found_record().unwrap();
        assert!(home::record(root.path()).starts_with(root.path().join(".patchwright")));
        assert_eq!(count(git.path()), 0);
    }
}

#[test]
fn in_the_git_folder_of_a_linked_work_tree() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path().canonicalize().unwrap();
    let (root, git) = (place.join("tree"), place.join("main/.git/worktrees/tree"));
    for folder in [&root, &git] {
        fs::create_dir_all(folder).unwrap();
    }
    fs::write(root.join(".git"), format!("gitdir: {}\n", git.display())).unwrap();
    fs::write(git.join("gitdir"), format!("{}\n", root.join(".git").display())).unwrap();
    let disk = open(&root);
    disk.found_record().unwrap();
    assert_eq!((count(&git.join("patchwright")), count(&root)), (1, 1));
    assert_eq!(open(&root).found_record().unwrap(), Founded::Before);
}

#[test]
fn where_somebody_asks_for() {
    let place = tempfile::tempdir().unwrap();
    let (root, state) = (place.path().join("ws"), place.path().join("some/state"));
    fs::create_dir(&root).unwrap();
    let disk = elsewhere(&root, &state);
    disk.found_record().unwrap();
    disk.state("blobs").unwrap();
    let record = state.join(disk.own().unwrap().unwrap().id.as_str());
    assert!(record.join("blobs").is_dir() && mode(&state) == 0o700 && mode(&record) == 0o700);
    assert_eq!((count(&root), closed(&disk).len()), (0, 0));
    assert_eq!(fs::read_to_string(state.join(".gitignore")).unwrap(), "*\n");
    assert_eq!(elsewhere(&root, &state).found_record().unwrap(), Founded::Before);
    assert_eq!(closed(&elsewhere(&root, &root.join("kept"))), ["kept"]);
    // Two roots may share the folder; each has its own record.
    let other = place.path().join("other");
    fs::create_dir(&other).unwrap();
    assert_eq!(elsewhere(&other, &state).found_record().unwrap(), Founded::Now(None));
    assert_eq!(count(&state), 3);
}

#[test]
fn what_a_full_disk_left_empty_is_written_later() {
    let root = tempfile::tempdir().unwrap();
    fs::create_dir(root.path().join(".patchwright")).unwrap();
    fs::write(root.path().join(".patchwright/.gitignore"), "").unwrap();
    let disk = open(root.path());
    disk.found_record().unwrap();
    assert_eq!(fs::read_to_string(root.path().join(".patchwright/.gitignore")).unwrap(), "*\n");
    fs::write(root.path().join(".patchwright/.gitignore"), "mine\n").unwrap();
    fs::remove_dir_all(home::record(root.path())).unwrap();
    assert_eq!(disk.found_record().unwrap(), Founded::Again);
    assert_eq!(fs::read_to_string(root.path().join(".patchwright/.gitignore")).unwrap(), "mine\n");
}

#[test]
fn links_in_its_place_are_refused() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().join("ws");
    fs::create_dir_all(&root).unwrap();
    fs::create_dir_all(place.path().join("out")).unwrap();
    symlink("../out", root.join(".patchwright")).unwrap();
    let disk = open(&root);
    assert!(disk.found_record().is_err() && !disk.has_record());
    fs::remove_file(root.join(".patchwright")).unwrap();
    fs::write(root.join(".patchwright"), "").unwrap();
    assert!(disk.found_record().is_err());
    fs::remove_file(root.join(".patchwright")).unwrap();
    disk.found_record().unwrap();
    for name in ["log", "blobs"] {
        symlink("../../../out/made", home::record(&root).join(name)).unwrap();
    }
    assert!(disk.state("blobs").is_err() && disk.read_state("", "log").is_err());
    assert!(disk.open_state(&disk.state("").unwrap(), "log").is_err());
    assert_eq!(count(&place.path().join("out")), 0, "written through a link");
    // The record's own folder: one that leads elsewhere is none, and is not made anew over it.
    let record = home::record(&root);
    let id = record.file_name().unwrap().to_owned();
    fs::rename(&record, place.path().join("out").join(&id)).unwrap();
    symlink(Path::new("../../out").join(&id), &record).unwrap();
    let again = open(&root);
    assert!(!again.has_record() && again.found_record().is_err());
    assert_eq!(count(&place.path().join("out").join(&id)), 3, "ignore file and two links");
}

#[test]
fn only_what_home_knows_is_ours() {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name);
    for name in ["ws", "other"] {
        fs::create_dir(at(name)).unwrap();
    }
    let (one, two) = (at("home one"), at("home two"));
    for home in [&one, &two] {
        let disk = open_at(&at("ws"), home).unwrap();
        assert!(!disk.has_record());
        disk.found_record().unwrap();
        add(&disk);
        add(&disk);
    }
    assert_eq!(home::records(&at("ws")).len(), 2, "each home has a record of its own");
    assert_eq!(length(&open_at(&at("ws"), &one).unwrap()), 2);
    assert_eq!(open_at(&at("ws"), &one).unwrap().beside().unwrap().len(), 1);
    // Moved: the folder is the same. Copied: neither path nor folder is.
    fs::rename(at("ws"), at("moved")).unwrap();
    assert_eq!(length(&open_at(&at("moved"), &one).unwrap()), 2);
    for record in home::records(&at("moved")) {
        let copy = at("other/.patchwright").join(record.file_name().unwrap());
        fs::create_dir_all(&copy).unwrap();
        fs::copy(record.join("log"), copy.join("log")).unwrap();
    }
    let copied = open_at(&at("other"), &one).unwrap();
    assert!(!copied.has_record() && copied.beside().unwrap().len() == 2);
    // The note was renewed: the path alone is enough now, as after an unpacked backup.
    fs::rename(at("moved"), at("old")).unwrap();
    fs::rename(at("other"), at("moved")).unwrap();
    assert_eq!(length(&open_at(&at("moved"), &one).unwrap()), 2);
    // A record of 0.1 and names that are no ids.
    fs::write(at("moved/.patchwright/log"), "x").unwrap();
    for name in ["0123456789ABCDEF0123456789ABCDEF", "x"] {
        fs::create_dir(at("moved/.patchwright").join(name)).unwrap();
    }
    assert_eq!(open_at(&at("moved"), &one).unwrap().beside().unwrap().len(), 2);
}

#[test]
fn a_key_that_others_could_read_is_nobodys() {
    let place = tempfile::tempdir().unwrap();
    let (root, own) = (place.path().join("ws"), place.path().join("home"));
    fs::create_dir(&root).unwrap();
    open_at(&root, &own).unwrap().found_record().unwrap();
    let key = own.join("ws").join(home::record(&root).file_name().unwrap()).join("key");
    fs::set_permissions(&key, fs::Permissions::from_mode(0o640)).unwrap();
    assert!(!open_at(&root, &own).unwrap().has_record());
    fs::set_permissions(&key, fs::Permissions::from_mode(0o600)).unwrap();
    fs::set_permissions(&own, fs::Permissions::from_mode(0o770)).unwrap();
    assert!(!open_at(&root, &own).unwrap().has_record());
}

#[test]
fn a_home_in_the_workspace_is_refused() {
    let root = tempfile::tempdir().unwrap();
    let refused = |home: PathBuf| open_at(root.path(), &home).map(drop);
    for home in [root.path().to_owned(), root.path().join("a/b")] {
        assert!(matches!(refused(home), Err(Halt::Home(HomeTrouble::InWorkspace { .. }))));
    }
    let link = tempfile::tempdir().unwrap();
    symlink(root.path(), link.path().join("l")).unwrap();
    assert!(matches!(refused(link.path().join("l/h")), Err(Halt::Home(HomeTrouble::InWorkspace { .. }))));
    assert_eq!(count(root.path()), 0);
}

#[test]
fn a_record_that_somebody_removed_is_made_again_and_counts_as_put_back() {
    let root = tempfile::tempdir().unwrap();
    let disk = open(root.path());
    disk.found_record().unwrap();
    add(&disk);
    let before = home::record(root.path());
    fs::remove_dir_all(root.path().join(".patchwright")).unwrap();
    let later = open(root.path());
    assert!(later.has_lost_record() && !later.has_record());
    for disk in [&disk, &later] {
        assert_eq!(disk.found_record().unwrap(), Founded::Again);
        assert!(matches!(Log::open(disk).unwrap().standing(), Standing::PutBack { known: Some(_) }));
        assert_eq!(home::record(root.path()), before);
        fs::remove_dir_all(root.path().join(".patchwright")).unwrap();
    }
    assert!(disk.key_stands());
    fs::remove_dir_all(home::home().join("ws").join(before.file_name().unwrap())).unwrap();
    assert!(!disk.key_stands());
}

#[test]
fn many_records_of_others_are_not_looked_at_one_by_one() {
    let root = tempfile::tempdir().unwrap();
    let disk = open(root.path());
    disk.found_record().unwrap();
    add(&disk);
    for name in [|nth: u32| format!("{nth:032x}"), |nth| format!("no id {nth}")] {
        for nth in 0..2_000 {
            fs::create_dir(root.path().join(".patchwright").join(name(nth))).unwrap();
        }
        let disk = open(root.path());
        assert!(disk.has_record() && length(&disk) == 1);
        for nth in 0..2_000 {
            fs::remove_dir(root.path().join(".patchwright").join(name(nth))).unwrap();
        }
    }
}

#[test]
fn one_writer_at_a_time_whatever_the_home() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().join("ws");
    fs::create_dir(&root).unwrap();
    let (one, two) = (open(&root), open_at(&root, &place.path().join("home")).unwrap());
    let guard = one.try_lock().unwrap().expect("free");
    assert!(two.try_lock().unwrap().is_none() && one.try_lock().unwrap().is_none());
    assert!(elsewhere(&root, &place.path().join("state")).try_lock().unwrap().is_none());
    assert!(two.lock(Duration::from_millis(5)).unwrap().is_none());
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| two.lock(Duration::from_secs(60)).unwrap().is_some());
        drop(guard);
        assert!(waiting.join().unwrap());
    });
    assert_eq!(count(&root), 0, "locking makes nothing");
}

#[test]
fn a_lock_outlives_the_state_folder() {
    let root = tempfile::tempdir().unwrap();
    let disk = open(root.path());
    disk.found_record().unwrap();
    let held = disk.try_lock().unwrap().expect("free");
    fs::remove_dir_all(root.path().join(".patchwright")).unwrap();
    assert!(disk.try_lock().unwrap().is_none() && open(root.path()).try_lock().unwrap().is_none());
    drop(held);
    assert!(disk.try_lock().unwrap().is_some());
}

#[test]
fn eight_at_once_make_one_record() {
    let root = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let disk = open(root.path());
                let _held = disk.lock(Duration::from_secs(60)).unwrap().expect("the lock");
                disk.found_record().unwrap();
                add(&disk);
            });
        }
    });
    let disk = open(root.path());
    assert_eq!((home::records(root.path()).len(), length(&disk)), (1, 8));
    assert_eq!(Log::open(&disk).unwrap().standing(), Standing::Current);
    assert!(fs::metadata(home::record(root.path()).join("log")).unwrap().len() > HEADER);
}

#[test]
fn what_another_process_made_is_seen() {
    let root = tempfile::tempdir().unwrap();
    let early = open(root.path());
    assert!(early.state_if_there("").unwrap().is_none());
    let other = open(root.path());
    other.found_record().unwrap();
    assert!(early.state_if_there("").unwrap().is_some());
    fs::remove_dir_all(root.path().join(".patchwright")).unwrap();
    assert!(early.state_if_there("").unwrap().is_none() && early.has_lost_record());
    other.found_record().unwrap();
    add(&other);
    assert!(early.read_state("", "log").unwrap().is_some() && !early.has_lost_record());
}

#[test]
fn abilities_are_tried_and_leave_nothing() {
    for (means, exchange) in [(Means::Best, true), (Means::Portable, false)] {
        let root = tempfile::tempdir().unwrap();
        let disk = RealDisk::open(root.path(), &home::whereabouts(), means).unwrap();
        disk.found_record().unwrap();
        for ability in disk.abilities().unwrap() {
            assert_eq!(ability.works, ability.name != "exchange" || exchange, "{means:?} {ability:?}");
        }
        assert_eq!(disk.names(&disk.state("").unwrap()).unwrap(), [".gitignore"]);
    }
}

#[test]
fn a_root_must_be_a_folder() {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("f"), "").unwrap();
    let failed = |name: &str| RealDisk::open(&place.path().join(name), &home::whereabouts(), Means::Best).unwrap_err();
    assert!(failed("none").is_missing());
    assert!(matches!(failed("f"), Halt::Os(_)));
}

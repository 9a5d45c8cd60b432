//! Homes: several on one workspace, one that can only be read, one that belongs to somebody else, and many processes
//! that begin at once. Nobody honest is refused.

use crate::place::{NOBODY, Place, Ran, is_id, is_root, kind, names};
use crate::snapshot::snapshot;
use serde_json::json;
use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};

/// Edits in turn, each home this many.
const EDITS: usize = 20;

/// Runs a command under another home.
fn under(place: &Place, home: &Path, args: &[&str]) -> Ran {
    let mut command = place.command(&place.root, args);
    command.env("PATCHWRIGHT_HOME", home);
    Ran::of(command)
}

/// The homes edit one file in turn; none is refused.
fn alternate(place: &Place, homes: &[PathBuf; 2]) {
    for round in 0..EDITS * 2 {
        let home = &homes[round % 2];
        let edits = json!([{ "oldText": "inside", "newText": format!("inside {round}") }]);
        let call = json!({ "path": "a.txt", "edits": edits }).to_string();
        under(place, home, &["call", "edit_file", &call]).is(0, &format!("edit {round}"));
    }
    let text = fs::read_to_string(place.path("a.txt")).unwrap();
    assert_eq!(text.split(' ').count(), EDITS * 2 + 1, "every edit is there: {text}");
}

fn batches(place: &Place, home: &Path) -> usize {
    crate::place::history(&under(place, home, &["call", "list_batches", r#"{"limit":200}"#])).len()
}

#[test]
fn two_homes_take_turns() {
    let place = Place::new();
    let homes = [place.at("home-a"), place.at("home-b")];
    alternate(&place, &homes);
    for home in &homes {
        under(&place, home, &["audit", "verify"]).is(0, "each has a whole record");
        assert_eq!(batches(&place, home), EDITS, "of what it did");
        assert_eq!(names(&home.join("ws")).len(), 1);
    }
    let records: Vec<String> = names(&place.path(".patchwright")).into_iter().filter(|name| is_id(name)).collect();
    assert_eq!(records.len(), 2, "side by side: {records:?}");
}

#[test]
fn two_homes_share_a_record_by_its_key() {
    let place = Place::new();
    let homes = [place.at("home-a"), place.at("home-b")];
    let key = place.at("key.txt");
    let create = r#"{"path":"one.txt","content":"x"}"#;
    under(&place, &homes[0], &["call", "create_file", create]).is(0, "the first home founds");
    under(&place, &homes[0], &["key", "export", key.to_str().unwrap()]).is(0, "exporting");
    assert_eq!(fs::metadata(&key).unwrap().permissions().mode() & 0o077, 0, "a key is its owner's alone");
    let adopt = ["adopt", "--yes", "--key", key.to_str().unwrap()];
    under(&place, &homes[1], &adopt).is(0, "the second home takes the key");
    alternate(&place, &homes);
    for home in &homes {
        under(&place, home, &["audit", "verify"]).is(0, "one record, whole for both");
        assert_eq!(batches(&place, home), EDITS * 2 + 1, "of what both did");
    }
    let records: Vec<String> = names(&place.path(".patchwright")).into_iter().filter(|name| is_id(name)).collect();
    assert_eq!(records.len(), 1, "{records:?}");
    let marks = homes.each_ref().map(|home| fs::read(home.join("ws").join(&records[0]).join("mark")).unwrap());
    assert!(!marks[0].is_empty() && !marks[1].is_empty(), "each keeps its own mark");
}

#[test]
fn a_key_that_is_none_or_another_is_refused() {
    for bytes in [&b""[..], b"not a key", &[7; 32], &[0; 4096]] {
        let place = Place::new();
        place.make("one.txt");
        place.run(&["adopt", "--help"]).is(0, "there is such a command");
        let (other, key) = (place.at("other"), place.at("key.txt"));
        fs::write(&key, bytes).unwrap();
        let before = snapshot(&place.root);
        let ran = under(&place, &other, &["adopt", "--yes", "--key", key.to_str().unwrap()]);
        assert!(matches!(ran.code, Some(1 | 2)), "{:?} by {:?}: {}", ran.code, bytes.len(), ran.told());
        assert_eq!(snapshot(&place.root), before, "nothing changed");
        under(&place, &other, &["audit", "verify"]).is(0, "there is nothing of it here");
    }
}

#[test]
fn one_lock_for_all_homes_and_state_folders() {
    let place = Place::new();
    place.make("one.txt");
    fs::write(place.path("patchwright.toml"), "[limits]\nlock_wait_ms = 1\n").unwrap();
    let lock = fs::File::open(&place.root).unwrap();
    lock.lock().unwrap();
    let call = ["call", "create_file", r#"{"path":"two.txt","content":"x"}"#];
    let (far, other) = (place.at("far"), place.at("other"));
    let elsewhere = [&["--state-dir", far.to_str().unwrap()], &call[..]].concat();
    for (home, args) in [(&place.home, &call[..]), (&other, &call), (&place.home, &elsewhere)] {
        let ran = under(&place, home, args);
        assert_eq!((ran.code, kind(&ran.answer())), (Some(1), "busy"), "{args:?}: {}", ran.told());
    }
    assert_eq!(place.run(&["read", "one.txt"]).is(0, "readers do not wait").out, "one.txt\n");
    assert!(!place.path("two.txt").exists());
    drop(lock);
    place.make("two.txt");
}

#[test]
fn eight_processes_that_begin_at_once_make_one_record() {
    let place = Place::new();
    let start = |number: usize| {
        let call = json!({ "path": format!("{number}.txt"), "content": "x" }).to_string();
        let mut command = place.command(&place.root, &["call", "create_file", &call]);
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap()
    };
    let children: Vec<_> = (0..8).map(start).collect();
    for child in children {
        let ran = child.wait_with_output().unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stdout));
    }
    let records: Vec<String> = names(&place.path(".patchwright")).into_iter().filter(|name| is_id(name)).collect();
    assert_eq!(records.len(), 1, "{records:?}");
    assert_eq!((place.history().len(), place.verify()), (8, Some(0)));
}

#[test]
fn a_home_that_can_only_be_read_serves() {
    let place = Place::of_nobody();
    place.make("one.txt");
    close(&place.home);
    let before = snapshot(&place.home);
    place.make("two.txt");
    place.make("three.txt");
    assert_eq!(snapshot(&place.home), before, "nothing was written there");
    assert_eq!((place.history().len(), place.verify()), (3, Some(0)));
    // Without its mark the log is walked from its start, and counts.
    open(&place.home);
    fs::remove_file(place.ring().join("mark")).unwrap();
    close(&place.home);
    place.make("four.txt");
    assert_eq!((place.history().len(), place.verify()), (4, Some(0)));
    open(&place.home);
}

/// Takes away every right to write, all the way down.
fn close(folder: &Path) {
    modes(folder, 0o500, 0o400);
}

fn open(folder: &Path) {
    modes(folder, 0o700, 0o600);
}

fn modes(folder: &Path, folders: u32, files: u32) {
    let set = |path: &Path, mode: u32| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    set(folder, folders);
    for path in snapshot(folder).keys().map(|path| folder.join(path)) {
        set(&path, if path.is_dir() { folders } else { files });
    }
}

#[test]
fn the_home_of_another_is_not_written() {
    if !is_root() {
        println!("only root can write in the home of another");
        return;
    }
    for (name, variable) in [("home", "PATCHWRIGHT_HOME"), ("state", "XDG_STATE_HOME"), ("user", "HOME")] {
        let place = Place::new();
        let theirs = place.at(name);
        fs::create_dir_all(&theirs).unwrap();
        chown(&theirs, Some(NOBODY), Some(NOBODY)).unwrap();
        let call = ["call", "create_file", r#"{"path":"one.txt","content":"x"}"#];
        let mut command = place.command(&place.root, &call);
        for other in ["PATCHWRIGHT_HOME", "XDG_STATE_HOME", "HOME"].into_iter().filter(|other| *other != variable) {
            command.env_remove(other);
        }
        let told = Ran::of(command).told();
        assert_eq!(names(&theirs), Vec::<String>::new(), "{variable}: {told}");
        assert!(told.contains("65534") || told.contains("nobody"), "{variable}: whose it is: {told}");
    }
}

#[test]
fn a_home_below_the_root_is_refused() {
    let place = Place::new();
    let below = place.path("d/home");
    let call = ["call", "create_file", r#"{"path":"one.txt","content":"x"}"#];
    let ran = under(&place, &below, &call);
    assert!(matches!(ran.code, Some(1 | 2)), "{:?}: {}", ran.code, ran.told());
    assert!(ran.told().contains("PATCHWRIGHT_HOME"), "{}", ran.told());
    assert!(!below.exists() && !place.path("one.txt").exists());
}

#[test]
fn a_root_that_contains_the_users_home_may_contain_ours() {
    let place = Place::new();
    let run = |args: &[&str]| {
        let mut command = place.command(&place.root, args);
        command.env("HOME", &place.root).env_remove("PATCHWRIGHT_HOME").env_remove("XDG_STATE_HOME");
        Ran::of(command)
    };
    run(&["call", "create_file", r#"{"path":"one.txt","content":"x"}"#]).is(0, "allowed");
    run(&["audit", "verify"]).is(0, "and whole");
    let ours = place.path(".local/state/patchwright/ws");
    let ids = names(&ours);
    assert_eq!(ids.len(), 1, "{ids:?}");
    for name in ["key", "mark", "root"] {
        let path = format!(".local/state/patchwright/ws/{}/{name}", ids[0]);
        for (tool, call) in [
            ("read_file", json!({ "path": path, "allowBinary": true })),
            ("write_file", json!({ "path": path, "content": "x" })),
            ("delete_file", json!({ "path": path })),
            ("move_file", json!({ "fromPath": path, "toPath": "got" })),
        ] {
            let ran = run(&["call", tool, &call.to_string()]);
            assert_eq!(kind(&ran.answer()), "permission_denied", "{tool} {path}: {}", ran.told());
        }
    }
    assert_eq!(fs::read(ours.join(&ids[0]).join("key")).unwrap().len(), 32);
}

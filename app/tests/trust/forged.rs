//! A repository that ships records: forged ones of 0.1 and of today, with the file that they would put into place and
//! the link that leads there. Whatever opens a clone of it, nothing of that is carried out.

use crate::frames::{BATCH, Seal, deleted, deletion, new_log, old_log, proposal};
use crate::git::{commit, git};
use crate::place::{Place, copy, kind};
use crate::snapshot::snapshot;
use crate::speaker::Server;
use serde_json::json;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

/// The program that the attacker wants run.
pub(crate) const SCRIPT: &[u8] = b"#!/bin/sh\ntouch owned\n";
/// The trash entry that it is shipped as.
pub(crate) const ENTRY: &str = "01a1dd75-3a9f-75e5-ba00-97c9a6a552fb";
/// An id that no home here has a key of.
pub(crate) const FOREIGN: &str = "0123456789abcdef0123456789abcdef";
const HOOK: &str = ".git/hooks/pre-commit";

/// Ships a record under each name that could be obeyed, with the program in its trash and among its kept files.
pub(crate) fn ship(folder: &Path, ids: &[&str], payload: &[u8]) {
    // A little history before it: what others did and threw away.
    let payloads = [deleted("theirs.txt", ENTRY, SCRIPT), payload.to_vec()];
    let mut records = vec![(folder.join(".patchwright"), old_log(&payloads))];
    for id in ids {
        records.push((folder.join(".patchwright").join(id), new_log(&Seal::wrong(id), &payloads)));
    }
    for (record, log) in records {
        let kept = patchwright_core::digest::Digest::of(SCRIPT).to_string();
        for path in [record.join("trash").join(ENTRY), record.join("blobs").join(kept)] {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, SCRIPT).unwrap();
            fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        fs::write(record.join("log"), log).unwrap();
    }
}

/// A place whose workspace is a fresh clone of a repository with such records, and the same clone to copy from.
fn cloned(payload: &[u8]) -> Place {
    let place = Place::new();
    let origin = place.at("origin");
    fs::create_dir(&origin).unwrap();
    git(&origin, &["init", "--quiet"]);
    fs::write(origin.join("a.txt"), "inside\n").unwrap();
    symlink(".git", origin.join("vendor")).unwrap();
    ship(&origin, &[FOREIGN], payload);
    commit(&origin, "harmless");
    git(place.dir.path(), &["clone", "--quiet", "origin", "clone"]);
    fs::create_dir_all(place.at("clone").join(".git/hooks")).unwrap();
    again(&place);
    place
}

/// Takes a fresh copy of the clone, and forgets the home.
fn again(place: &Place) {
    fs::remove_dir_all(&place.root).unwrap();
    let _none = fs::remove_dir_all(&place.home);
    copy(&place.at("clone"), &place.root);
}

/// Nothing but these files has changed, and the hook is not there.
fn only(place: &Place, before: &crate::snapshot::Snapshot, wanted: &[&str], story: &str) {
    assert!(!place.path(HOOK).exists(), "{story}: the hook was planted");
    assert_eq!(place.changes(before), wanted, "{story}");
}

fn hook() -> Vec<u8> {
    deletion("vendor/hooks/pre-commit", ENTRY, SCRIPT)
}

/// Commands that look, and do nothing else.
const LOOKS: &[&[&str]] = &[
    &["read", "a.txt"],
    &["call", "read_file", r#"{"path":"a.txt"}"#],
    &["call", "list_directory", "{}"],
    &["search", "inside"],
    &["log"],
    &["call", "list_batches", "{}"],
    &["show", BATCH],
    &["diff", BATCH],
    &["proposals"],
    &["why", "a.txt"],
    &["trash", "list"],
    &["audit", "verify"],
    &["audit", "export"],
    &["doctor"],
];

#[test]
fn looking_at_a_clone_that_ships_records_changes_nothing() {
    let place = cloned(&hook());
    for flags in [&["--read-only"][..], &[]] {
        for look in LOOKS {
            again(&place);
            let before = snapshot(&place.root);
            let ran = place.run(&[flags, look].concat());
            let story = format!("{flags:?} {look:?} told {}", ran.told());
            assert!(matches!(ran.code, Some(0 | 1)), "{:?}: {story}", ran.code);
            only(&place, &before, &[], &story);
            assert!(place.ids().is_empty(), "looking founds nothing: {story}");
        }
    }
}

#[test]
fn a_shipped_record_is_not_in_the_way_of_looking() {
    let place = cloned(&hook());
    let read = place.run(&["read", "a.txt"]).is(0, "reading");
    assert_eq!(read.out, "inside\n");
    assert_eq!(place.history(), Vec::<String>::new(), "what others did is not our history");
    let listed = place.call("list_trash", &json!({})).is(0, "the trash").answer();
    assert_eq!(listed["data"]["entries"], json!([]), "nor is theirs our trash");
    let restore = place.call("restore_file", &json!({ "trashId": ENTRY, "targetPath": "got.txt" }));
    assert_eq!(kind(&restore.answer()), "not_found", "{restore:?}");
}

#[test]
fn changes_in_such_a_clone_are_just_those_changes() {
    let place = cloned(&hook());
    let calls = [
        ("create_file", json!({ "path": "new.txt", "content": "x" }), &["new.txt"][..]),
        ("write_file", json!({ "path": "a.txt", "content": "x" }), &["a.txt"]),
        ("delete_file", json!({ "path": "a.txt" }), &["a.txt"]),
        ("purge_trash", json!({ "olderThan": "0s" }), &[]),
        ("undo", json!({ "batchId": BATCH }), &[]),
        ("apply_batch", json!({ "batchId": BATCH }), &[]),
        ("reject_batch", json!({ "batchId": BATCH }), &[]),
    ];
    for (flags, may) in [(&[][..], true), (&["--read-only"], false)] {
        for (tool, arguments, changed) in &calls {
            again(&place);
            let before = snapshot(&place.root);
            let ran = place.run(&[flags, &["call", tool, &arguments.to_string()]].concat());
            let story = format!("{flags:?} {tool} told {}", ran.told());
            assert!(matches!(ran.code, Some(0 | 1)), "{:?}: {story}", ran.code);
            only(&place, &before, if may { changed } else { &[] }, &story);
            assert!(may || place.ids().is_empty(), "founded nothing: {story}");
        }
    }
}

#[test]
fn the_first_change_begins_a_record_of_its_own_and_warns_once() {
    let place = cloned(&hook());
    let first = place.make("one.txt").warned();
    assert!(first.contains("adopt"), "it says what can be done about the others: {first}");
    assert!(first.contains("Tell the user"), "and who is to decide: {first}");
    let second = place.make("two.txt").warned();
    assert!(!second.contains("adopt"), "once is enough: {second}");
    assert_eq!(place.record().parent().unwrap(), place.path(".git/patchwright"));
    assert_eq!((place.history(), place.verify()), (vec!["one.txt".to_owned(), "two.txt".to_owned()], Some(0)));
    let status = git(&place.root, &["status", "--porcelain"]);
    assert_eq!(status, "?? one.txt\n?? two.txt\n", "version control sees the files and nothing else");
}

#[test]
fn a_server_in_such_a_clone_plants_nothing() {
    let place = cloned(&hook());
    for (flags, may) in [(&[][..], true), (&["--no-sandbox"], true), (&["--read-only"], false)] {
        again(&place);
        let before = snapshot(&place.root);
        let mut server = Server::start(&place, flags);
        only(&place, &before, &[], &format!("{flags:?}: started"));
        assert!(server.done("read_file", &json!({ "path": "a.txt" })).contains("inside"));
        server.done("list_trash", &json!({}));
        only(&place, &before, &[], &format!("{flags:?}: looked"));
        let made = server.call("create_file", &json!({ "path": "new.txt", "content": "x" }));
        assert_eq!(made.refused, !may, "{flags:?}: {}", made.text);
        only(&place, &before, if may { &["new.txt"] } else { &[] }, &format!("{flags:?}: changed"));
        server.close();
        only(&place, &before, if may { &["new.txt"] } else { &[] }, &format!("{flags:?}: ended"));
        assert!(may || place.ids().is_empty(), "{flags:?}: founded nothing");
    }
}

#[test]
fn shipped_proposals_are_not_there() {
    let place = cloned(&proposal("run.sh", SCRIPT));
    let before = snapshot(&place.root);
    let listed = place.call("list_batches", &json!({ "status": "proposed" })).is(0, "listing").answer();
    assert_eq!(listed["data"]["batches"], json!([]));
    for (tool, story) in [("apply_batch", "applied"), ("get_patch_change", "shown"), ("reject_batch", "dropped")] {
        let ran = place.call(tool, &json!({ "batchId": BATCH }));
        assert_eq!((ran.code, kind(&ran.answer())), (Some(1), "not_found"), "{story}: {}", ran.told());
        only(&place, &before, &[], story);
    }
    assert!(!place.path("run.sh").exists());
}

#[test]
fn very_many_foreign_records_are_not_in_the_way() {
    // Enough of them that opening each would show; a thousand here, for the sake of the disk.
    let place = Place::new();
    let log = new_log(&Seal::wrong(FOREIGN), &[deletion("d/planted", ENTRY, SCRIPT)]);
    for number in 0..1000 {
        let record = place.path(&format!(".patchwright/{number:032x}"));
        fs::create_dir_all(&record).unwrap();
        fs::write(record.join("log"), &log).unwrap();
    }
    let before = snapshot(&place.root);
    place.make("one.txt");
    assert_eq!(place.changes(&before), ["one.txt"]);
    assert_eq!((place.history().len(), place.verify()), (1, Some(0)));
}

#[test]
fn a_shipped_ignore_file_does_not_show_our_record() {
    // Below the root of a repository the record stands in the tree; whoever commits all must not commit it.
    let place = Place::new();
    git(&place.root, &["init", "--quiet"]);
    fs::create_dir_all(place.path("d/.patchwright")).unwrap();
    fs::write(place.path("d/.patchwright/.gitignore"), "!*\n!**/*\n").unwrap();
    commit(&place.root, "harmless");
    place.make_in(&place.path("d"), "one.txt");
    assert_eq!(place.ids().len(), 1);
    git(&place.root, &["add", "--all"]);
    let status = git(&place.root, &["status", "--porcelain"]);
    assert!(status.contains("d/one.txt") && !status.contains(&place.ids()[0]), "{status}");
}

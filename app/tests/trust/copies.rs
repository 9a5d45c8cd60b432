//! Copies of a workspace, and names that are no ids: a record is ours where its key is and the root is the one that
//! was noted; anything else is somebody's copy, and not opened.

use crate::frames::{deletion, frames, seal_of};
use crate::place::{Place, copy};
use crate::snapshot::snapshot;
use serde_json::json;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

const ENTRY: &str = "01a1dd75-3a9f-75e5-ba00-97c9a6a552fb";

/// A place whose log ends in an unfinished call: carried out, it would put a file at `d/planted`.
fn unfinished() -> Place {
    let place = Place::new();
    place.make("one.txt");
    let record = place.record();
    fs::create_dir_all(record.join("trash")).unwrap();
    fs::write(record.join("trash").join(ENTRY), "bait\n").unwrap();
    let log = fs::read(record.join("log")).unwrap();
    let made = seal_of(&place).with(&log, frames(&log).len(), &deletion("d/planted", ENTRY, b"bait\n"));
    fs::write(record.join("log"), made).unwrap();
    place
}

/// In a copy nothing is carried out; it has a history of its own from its first change on.
fn is_a_copy(place: &Place, root: &Path, story: &str) {
    assert_eq!(place.history_in(root), Vec::<String>::new(), "{story}");
    assert!(!root.join("d/planted").exists(), "{story}: looking carried it out");
    let first = place.make_in(root, "own.txt");
    assert!(first.warned().contains("adopt"), "{story}: {}", first.told());
    assert!(!root.join("d/planted").exists(), "{story}: changing carried it out");
    assert_eq!(place.history_in(root), ["own.txt"], "{story}");
    place.run_in(root, &["audit", "verify"]).is(0, story);
}

#[test]
fn a_copy_elsewhere_is_not_obeyed() {
    let place = unfinished();
    let other = place.at("copy");
    copy(&place.root, &other);
    let before = fs::read(place.record().join("log")).unwrap();
    is_a_copy(&place, &other, "the copy");
    let original = fs::read(place.path(".patchwright").join(seal_of(&place).id).join("log")).unwrap();
    assert_eq!(original, before, "the original was not touched");
    assert_eq!(place.history(), ["one.txt"]);
    assert!(place.path("d/planted").exists(), "the original is recovered");
    assert_eq!(place.verify(), Some(0));
}

#[test]
fn the_original_moved_and_a_copy_in_its_place() {
    // Either has a claim, by path or by inode; who comes first has it, and the other is a copy.
    for first in ["ws", "moved"] {
        let place = Place::new();
        place.make("one.txt");
        fs::rename(&place.root, place.at("moved")).unwrap();
        copy(&place.at("moved"), &place.root);
        let other = if first == "ws" { "moved" } else { "ws" };
        place.make_in(&place.at(first), "two.txt");
        assert_eq!(place.history_in(&place.at(first)), ["one.txt", "two.txt"], "{first}");
        is_a_copy(&place, &place.at(other), other);
        place.make_in(&place.at(first), "three.txt");
        assert_eq!(place.history_in(&place.at(first)), ["one.txt", "two.txt", "three.txt"], "{first}");
        place.run_in(&place.at(first), &["audit", "verify"]).is(0, first);
    }
}

#[test]
fn two_projects_at_one_path_with_one_home() {
    // Containers that mount different folders under one name, and share a home.
    let place = Place::new();
    place.make("one.txt");
    place.record();
    let swap = |away: &str, back: &str| {
        fs::rename(&place.root, place.at(away)).unwrap();
        match place.at(back).exists() {
            true => fs::rename(place.at(back), &place.root).unwrap(),
            false => fs::create_dir(&place.root).unwrap(),
        }
    };
    let (mut first, mut second) = (vec!["one.txt".to_owned()], Vec::new());
    for round in 0..3 {
        swap("first", "second");
        place.make(&format!("second-{round}.txt"));
        second.push(format!("second-{round}.txt"));
        assert_eq!(place.history(), second, "round {round}");
        swap("second", "first");
        place.make(&format!("first-{round}.txt"));
        first.push(format!("first-{round}.txt"));
        assert_eq!(place.history(), first, "round {round}");
    }
}

#[test]
fn what_is_no_id_is_not_opened() {
    for name in ["../x", "../../x", ".", "..", "/", "", "x", &"a".repeat(31), &"a".repeat(33), &"A".repeat(32)] {
        let place = Place::new();
        place.make("one.txt");
        place.run(&["adopt", "--help"]).is(0, "there is such a command");
        let before = snapshot(place.dir.path());
        let ran = place.run(&["adopt", name, "--yes"]);
        assert!(matches!(ran.code, Some(1 | 2)), "{name:?} ended with {:?}: {}", ran.code, ran.told());
        let changed = crate::snapshot::differing(&before, &snapshot(place.dir.path()));
        // Caches at home: the index, and how far the log was found right.
        let cache = |path: &&String| path.contains("/index.sqlite") || path.ends_with("/verified");
        let touched = changed.iter().filter(|path| !cache(path)).count();
        assert_eq!(touched, 0, "{name:?}: {changed:?}");
    }
}

#[test]
fn an_id_in_other_letters_is_another_name() {
    let place = unfinished();
    let (record, ring) = (place.record(), place.ring());
    let upper = record.file_name().unwrap().to_str().unwrap().to_uppercase();
    let shouted = record.parent().unwrap().join(&upper);
    assert_ne!(shouted, record, "an id without a letter comes once in a million");
    fs::rename(&record, &shouted).unwrap();
    copy(&ring, &ring.parent().unwrap().join(&upper));
    let before = snapshot(&shouted);
    place.call("list_batches", &json!({})).is(0, "looking");
    place.make("two.txt");
    assert_eq!(snapshot(&shouted), before);
    assert!(!place.path("d/planted").exists());
    assert_eq!(place.history(), ["two.txt"]);
}

#[test]
fn a_link_in_the_place_of_a_record_is_not_followed() {
    for whole in [false, true] {
        let place = unfinished();
        let (record, outside) = (place.record(), place.at("outside"));
        let link = if whole { place.path(".patchwright") } else { record };
        fs::rename(&link, &outside).unwrap();
        symlink(&outside, &link).unwrap();
        let before = snapshot(&outside);
        place.call("list_batches", &json!({})).is(0, "looking");
        let made = place.call("create_file", &json!({ "path": "two.txt", "content": "x" }));
        assert_eq!(snapshot(&outside), before, "{}: {}", link.display(), made.told());
        assert!(!place.path("d/planted").exists(), "{}", link.display());
    }
}

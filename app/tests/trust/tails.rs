//! What the last record leaves to be done, carried out where the log is current and nowhere else. The records are
//! made by hand with the test's own key, so that all that differs is what the mark says.

use crate::frames::{creation, deletion, frames, purge, restored, retired, seal_of};
use crate::place::Place;
use crate::snapshot::snapshot;
use patchwright_core::digest::Digest;
use serde_json::json;
use std::fs;
use std::path::PathBuf;

const ENTRY: &str = "01a1dd75-3a9f-75e5-ba00-97c9a6a552fb";
const BAIT: &[u8] = b"bait\n";

/// Where it shows that something was done.
type Seen = fn(&Place) -> PathBuf;

/// The records whose tail work can be seen, and the file that would come or go by it.
fn rows() -> Vec<(&'static str, Vec<u8>, Seen)> {
    let blob = Digest::of(BAIT).to_string();
    vec![
        ("an intent to delete", deletion("d/planted", ENTRY, BAIT), |place| place.path("d/planted")),
        ("an intent to create", creation("made.txt", BAIT), |place| place.path("made.txt")),
        ("a purge", purge(ENTRY), |place| place.record().join("trash").join(ENTRY)),
        ("a retirement", retired(ENTRY, &blob), |place| place.record().join("trash").join(ENTRY)),
        ("a commit", restored(ENTRY), |place| place.record().join("trash").join(ENTRY)),
    ]
}

/// Three changes old, with something for each record to take away.
fn baited() -> Place {
    let place = Place::new();
    for name in ["one.txt", "two.txt", "three.txt"] {
        place.make(name);
    }
    fs::write(place.path("made.txt"), BAIT).unwrap();
    let record = place.record();
    for path in [record.join("trash").join(ENTRY), record.join("blobs").join(Digest::of(BAIT).to_string())] {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, BAIT).unwrap();
    }
    place
}

/// Puts a record behind the first `keep` of the log; all of them if nothing is said.
fn end_in(place: &Place, keep: Option<usize>, payload: &[u8]) {
    let path = place.record().join("log");
    let log = fs::read(&path).unwrap();
    let keep = keep.unwrap_or_else(|| frames(&log).len());
    fs::write(path, seal_of(place).with(&log, keep, payload)).unwrap();
}

#[test]
fn the_tail_of_a_current_log_is_worked_off() {
    // The counterpart of the tests below: these records do something where they count.
    for (story, payload, seen) in rows() {
        let place = baited();
        let there = seen(&place).exists();
        end_in(&place, None, &payload);
        place.call("list_batches", &json!({})).is(0, story);
        place.make("next.txt");
        assert_eq!(seen(&place).exists(), !there, "{story} was not carried out");
        assert_eq!(place.verify(), Some(0), "{story}");
    }
}

#[test]
fn the_tail_of_a_log_that_was_put_back_is_left_alone() {
    for (story, payload, seen) in rows() {
        let place = baited();
        let there = seen(&place).exists();
        end_in(&place, Some(2), &payload);
        let before = snapshot(&place.root);
        for args in [&["log"][..], &["trash", "list"], &["doctor"], &["audit", "verify"]] {
            let told = place.run(args).told();
            assert_eq!(place.changes(&before), Vec::<String>::new(), "{story}: {args:?} told {told}");
        }
        place.make("next.txt");
        assert_eq!(place.changes(&before), ["next.txt"], "{story}");
        assert_eq!(seen(&place).exists(), there, "{story} was carried out");
        assert_eq!(place.verify(), Some(1), "{story}: until somebody has looked");
        place.run(&["adopt", "--yes"]).is(0, story);
        assert_eq!((seen(&place).exists(), place.verify()), (there, Some(0)), "{story}");
        place.make("last.txt");
        assert_eq!((seen(&place).exists(), place.verify()), (there, Some(0)), "{story}");
    }
}

#[test]
fn the_tail_of_an_unmarked_log_is_left_alone() {
    for (story, payload, seen) in rows() {
        let place = baited();
        let there = seen(&place).exists();
        end_in(&place, None, &payload);
        fs::remove_file(place.ring().join("mark")).unwrap();
        place.call("list_batches", &json!({})).is(0, story);
        place.make("next.txt");
        assert_eq!(seen(&place).exists(), there, "{story} was carried out");
        assert_eq!(place.verify(), Some(1), "{story}");
    }
}

#[test]
fn who_may_not_write_leaves_an_unfinished_call_and_says_so() {
    let place = baited();
    end_in(&place, None, &deletion("d/planted", ENTRY, BAIT));
    let (before, home) = (snapshot(&place.root), snapshot(&place.home));
    let ran = place.run(&["--read-only", "call", "list_directory", "{}"]).is(0, "looking");
    assert!(ran.warned().contains("unfinished"), "{}", ran.told());
    assert_eq!(place.changes(&before), Vec::<String>::new());
    assert_eq!(snapshot(&place.record()).get("log"), before.get(&state(&place, "log")), "nothing on record");
    let kept = ["key", "mark", "root"].map(|name| format!("ws/{}/{name}", place.ids()[0]));
    for name in kept {
        assert_eq!(snapshot(&place.home).get(&name), home.get(&name), "{name}");
    }
    place.call("list_directory", &json!({})).is(0, "looking");
    assert!(place.path("d/planted").exists(), "who may write takes it back");
}

/// A file of the record, as a path below the root.
fn state(place: &Place, name: &str) -> String {
    let record = place.record();
    format!("{}/{name}", record.strip_prefix(&place.root).unwrap().display())
}

#[test]
fn recovery_follows_no_link() {
    // A genuine intent; its folder has become a link since, as an attacker who can write files may have it.
    let place = baited();
    end_in(&place, None, &deletion("d/planted", ENTRY, BAIT));
    fs::rename(place.path("d"), place.path("elsewhere")).unwrap();
    std::os::unix::fs::symlink("elsewhere", place.path("d")).unwrap();
    let before = snapshot(&place.root);
    place.call("list_batches", &json!({})).is(0, "opening");
    place.make("next.txt");
    assert_eq!(place.changes(&before), ["next.txt"], "nothing came through the link");
}

//! Forged records. Logs as version 0.1 had them, chained and checksummed but signed by nobody, stand where that version
//! looked for them; frames as we write them, with every tag that an attacker could come by, stand behind our own. Nothing
//! of that is carried out, inside the workspace or out of it, and nobody is kept from working.

use crate::{Place, SECRET};
use patchwright_app::doors::cli::Screen;
use patchwright_core::digest::Digest;
use patchwright_testkit::frames::{self, Frame, crc32};
use patchwright_testkit::{home, journal};
use serde_json::json;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

/// The log of our record.
fn log(place: &Place) -> Vec<u8> {
    fs::read(home::record(&place.root).join("log")).unwrap()
}

fn payloads(place: &Place) -> Vec<Vec<u8>> {
    frames::all(&log(place)).into_iter().map(|frame| frame.payload).collect()
}

/// A log as version 0.1 wrote it.
fn old_log(payloads: &[Vec<u8>]) -> Vec<u8> {
    let (mut out, mut previous) = (Vec::new(), Digest([0; 32]));
    for (payload, sequence) in payloads.iter().zip(1_u64..) {
        let body = [&sequence.to_le_bytes()[..], &previous.0, payload].concat();
        let length = u32::try_from(payload.len()).unwrap().to_le_bytes();
        out.extend([&length[..], &crc32(&body).to_le_bytes(), &body, &length, &[0xA5]].concat());
        previous = Digest::of(&body);
    }
    out
}

/// Replaces a text by another of the same length, wherever it stands.
fn swapped(payload: &[u8], from: &str, to: &str) -> Vec<u8> {
    assert_eq!(from.len(), to.len(), "{from} {to}");
    let mut out = payload.to_vec();
    let places: Vec<usize> =
        (0..=out.len() - from.len()).filter(|at| payload[*at..].starts_with(from.as_bytes())).collect();
    assert!(!places.is_empty(), "{from} is not in the record");
    for at in places {
        out[at..at + from.len()].copy_from_slice(to.as_bytes());
    }
    out
}

/// The payload among these that holds a text, first or last.
fn holding<'a>(payloads: &'a [Vec<u8>], text: &str) -> &'a Vec<u8> {
    let holds = |payload: &&Vec<u8>| payload.windows(text.len()).any(|part| part == text.as_bytes());
    payloads.iter().find(holds).unwrap_or_else(|| panic!("no record holds {text}"))
}

/// Lets everything run that recovers or tidies. Nothing outside may change, and inside only what is asked for here.
fn attacked(place: &Place, story: &str) {
    let before = place.inside();
    let create = json!({ "path": "after.txt", "content": "x" }).to_string();
    let read = json!({ "path": "a.txt" }).to_string();
    for args in [
        &["call", "read_file", &read][..],
        &["--read-only", "call", "read_file", &read],
        &["audit", "verify"],
        &["call", "create_file", &create],
        &["doctor"],
        &["call", "list_trash"],
    ] {
        let ran = place.run(Screen::Pipe, args);
        let story = format!("{story}: {args:?} ended with {}: {}{}", ran.code, ran.out, ran.err);
        assert_eq!(ran.code, 0, "{story}");
        assert!(!ran.out.contains(SECRET), "{story}");
        place.is_intact(&story);
    }
    let mut after = place.inside();
    assert!(after.items.remove("after.txt").is_some(), "{story}");
    assert_eq!(before.difference(&after), Vec::<String>::new(), "{story}");
    fs::remove_file(place.path("after.txt")).unwrap();
}

/// Puts a log of 0.1 that ends in this record where 0.1 looked for it, with what lies on its shelves.
fn attack_as_before(place: &Place, payload: &[u8], story: &str) {
    let mut all = payloads(place);
    all.push(payload.to_vec());
    let (state, record) = (place.path(".patchwright"), home::record(&place.root));
    fs::write(state.join("log"), old_log(&all)).unwrap();
    for shelf in ["blobs", "trash"] {
        journal::copy(&record.join(shelf), &state.join(shelf)).unwrap();
    }
    attacked(place, &format!("{story}, in a log of 0.1"));
    // The same in a workspace that has no record of ours yet.
    fs::remove_dir_all(&record).unwrap();
    fs::remove_dir_all(home::home().join("ws").join(record.file_name().unwrap())).unwrap();
    attacked(place, &format!("{story}, in a log of 0.1 that stands alone"));
}

/// Our log and mark as they are now, to try one thing after the other.
struct Good {
    log: Vec<u8>,
    mark: Vec<u8>,
}

impl Good {
    fn of(place: &Place) -> Good {
        Good { log: log(place), mark: fs::read(home::kept(&place.root).join("mark")).unwrap() }
    }

    /// The log up to its end with something else behind, and the mark as it was.
    fn write(&self, place: &Place, tail: &[u8]) {
        let end = frames::all(&self.log).last().unwrap().range.end;
        let mut bytes = [&self.log[..end], tail].concat();
        bytes.resize(bytes.len().max(self.log.len()), 0);
        fs::write(home::record(&place.root).join("log"), bytes).unwrap();
        fs::write(home::kept(&place.root).join("mark"), &self.mark).unwrap();
    }
}

/// Appends this record to our own log, with every tag that can be had without the key.
fn attack(place: &Place, payload: &[u8], story: &str) {
    let good = Good::of(place);
    let all = frames::all(&good.log);
    let last = all.last().unwrap();
    let copied: Vec<[u8; 32]> = all.iter().map(|frame| frame.tag).collect();
    for (tag, which) in [([0; 32], "no tag"), ([7; 32], "any tag"), (last.hash.0, "a hash")]
        .into_iter()
        .chain(copied.into_iter().map(|tag| (tag, "a tag of ours")))
    {
        good.write(place, &frames::framed(&last.next(), payload, &tag));
        attacked(place, &format!("{story}, with {which}"));
    }
    good.write(place, b"");
}

#[test]
fn a_frame_of_ours_can_be_made_by_hand() {
    // The forgery is only worth something if it is one: made anew from its parts, the log is the same.
    let place = Place::new();
    place.trash_id();
    let log = log(&place);
    let all = frames::all(&log);
    let made: Vec<u8> = all.iter().flat_map(|frame| frames::framed(&frame.slot, &frame.payload, &frame.tag)).collect();
    assert_eq!(made, log[frames::HEADER..all.last().unwrap().range.end]);
    // And a log of 0.1 is what that version wrote.
    let journal = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/engine/tests/journals/v0.1-delete/state/log");
    let old = fs::read(journal).unwrap();
    let (mut at, mut payloads) = (0, Vec::new());
    while let Some(length) = old.get(at..at + 4).map(|bytes| u32::from_le_bytes(bytes.try_into().unwrap()) as usize) {
        if length == 0 {
            break;
        }
        payloads.push(old[at + 48..at + 48 + length].to_vec());
        at += 48 + length + 5;
    }
    assert!(!payloads.is_empty());
    assert_eq!(old_log(&payloads), old[..at]);
}

/// A workspace with a file that was made by us, and the intent that is on record for it.
fn baited() -> (Place, Vec<u8>) {
    let mut place = Place::new();
    fs::create_dir(place.path("aaaaaaaa")).unwrap();
    let made = json!({ "path": "aaaaaaaa/victim", "content": "bait\n" }).to_string();
    assert_eq!(place.run(Screen::Pipe, &["call", "create_file", &made]).code, 0);
    let intent = holding(&payloads(&place), "apply-patch.tmp").clone();
    // What a fooled recovery would take away, under every name that it may look for.
    symlink("../beside", place.path("linkaway")).unwrap();
    for bait in ["beside/victim", "beside/xxxxx", "victim", "besid/victim"] {
        let path = place.home.path().join(bait);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "bait\n").unwrap();
    }
    place.settle();
    (place, intent)
}

#[test]
fn forged_intents_are_not_carried_out() {
    for (from, to) in [
        ("aaaaaaaa/victim", "aaaaaaaa/victim"), // the genuine words: taking them at it would remove the file
        ("aaaaaaaa/victim", "../beside/xxxxx"), // a path that climbs
        ("aaaaaaaa/victim", "linkaway/victim"), // a path through a link
        ("aaaaaaaa", "linkaway"),               // every folder through a link
        ("aaaaaaaa", "../besid"),
        ("victim.", "../../v"), // the temporary's name
        ("victim.", "/victim"),
    ] {
        for attack in [attack, attack_as_before] {
            let (place, intent) = baited();
            attack(&place, &swapped(&intent, from, to), &format!("{from} -> {to}"));
        }
    }
}

/// The bytes of a record of ours once more, further on in the file.
#[test]
fn a_genuine_frame_elsewhere_is_no_record() {
    let (place, _) = baited();
    let good = Good::of(&place);
    for Frame { range, .. } in frames::all(&good.log) {
        good.write(&place, &good.log[range.clone()]);
        attacked(&place, "a record copied");
        good.write(&place, &good.log[frames::HEADER..range.end]);
        attacked(&place, "the beginning of the log copied");
    }
}

/// A whole record that was signed with another key, and the key with it.
#[test]
fn a_record_with_its_key_beside_it_is_not_ours() {
    let (place, intent) = baited();
    let (own, other) = (home::record(&place.root), place.path(".patchwright").join("f".repeat(32)));
    let at_home = home::kept(&place.root);
    journal::copy(&own, &other).unwrap();
    for name in ["key", "root", "mark"] {
        fs::copy(at_home.join(name), other.join(name)).unwrap();
    }
    fs::remove_dir_all(&own).unwrap();
    fs::remove_dir_all(at_home).unwrap();
    let log = fs::read(other.join("log")).unwrap();
    let last = frames::all(&log).pop().unwrap();
    let bad = [&log[..last.range.end], &frames::framed(&last.next(), &intent, &last.tag)].concat();
    fs::write(other.join("log"), bad).unwrap();
    attacked(&place, "a record that brings its key");
}

#[test]
fn forged_purges_and_commits_reach_nothing_outside() {
    for attack in [attack, attack_as_before] {
        let mut place = Place::new();
        let id = place.trash_id();
        let purge = json!({ "olderThan": "0s" }).to_string();
        assert_eq!(place.run(Screen::Pipe, &["call", "purge_trash", &purge]).code, 0);
        let all = payloads(&place);
        // As long as an id, and from either trash folder right to what lies outside.
        let climbs = ["../../../", "../../../../"].map(|up| format!("{up}{:/>1$}", "secret.txt", id.len() - up.len()));
        fs::create_dir_all(place.path(".patchwright/trash")).unwrap();
        assert!(place.path(".patchwright/trash").join(&climbs[0]).exists());
        assert!(home::record(&place.root).join("trash").join(&climbs[1]).exists());
        place.settle();
        for (payload, climb) in all.iter().rev().flat_map(|payload| climbs.iter().map(move |climb| (payload, climb))) {
            if payload.windows(id.len()).any(|part| part == id.as_bytes()) {
                attack(&place, &swapped(payload, &id, climb), "an id that climbs");
                let restore = json!({ "trashId": climb, "targetPath": "stolen.txt" }).to_string();
                let ran = place.run(Screen::Pipe, &["call", "restore_file", &restore]);
                assert!(ran.code != 0 && !place.path("stolen.txt").exists(), "{}{}", ran.out, ran.err);
                place.is_intact("restoring an id that climbs");
            }
        }
    }
}

//! Forged records: a log whose last record was written by an attacker, chained and checksummed as ours
//! are, but with names that lead elsewhere. Recovery must refuse it and touch nothing outside.

use crate::Place;
use patchwright_app::doors::cli::Screen;
use patchwright_core::digest::Digest;
use serde_json::json;
use std::fs;
use std::os::unix::fs::symlink;

const HEAD: usize = 4 + 4 + 8 + 32;
const TAIL: usize = 4 + 1;

/// The records' payloads as they lie in the log; the last one's number and hash.
fn records(log: &[u8]) -> (Vec<Vec<u8>>, u64, Digest) {
    let (mut at, mut payloads, mut last) = (0, Vec::new(), (0, Digest([0; 32])));
    while let Some(length) = log.get(at..at + 4).map(|bytes| u32::from_le_bytes(bytes.try_into().unwrap()) as usize) {
        if length == 0 {
            break;
        }
        let body = &log[at + 8..at + HEAD + length];
        last = (u64::from_le_bytes(body[..8].try_into().unwrap()), Digest::of(body));
        payloads.push(body[40..].to_vec());
        at += HEAD + length + TAIL;
    }
    (payloads, last.0, last.1)
}

/// A record as the log holds it.
fn framed(sequence: u64, previous: Digest, payload: &[u8]) -> Vec<u8> {
    let mut body = sequence.to_le_bytes().to_vec();
    body.extend(previous.0);
    body.extend(payload);
    let length = u32::try_from(payload.len()).unwrap().to_le_bytes();
    [&length[..], &crc32(&body).to_le_bytes(), &body, &length, &[0xA5]].concat()
}

fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc: u32, byte| (0..8).fold(crc ^ u32::from(*byte), step))
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

/// Puts a record at the end of the log, then lets everything run that recovers.
fn attack(place: &Place, payload: &[u8], story: &str) {
    let path = place.path(".patchwright/log");
    let mut log = fs::read(&path).unwrap();
    let (_, sequence, previous) = records(&log);
    let end = records_end(&log);
    log.truncate(end);
    log.extend(framed(sequence + 1, previous, payload));
    fs::write(&path, log).unwrap();
    let create = json!({ "path": "after.txt", "content": "x" }).to_string();
    let read = json!({ "path": "a.txt" }).to_string();
    for args in
        [&["call", "read_file", &read][..], &["call", "create_file", &create], &["doctor"], &["call", "list_trash"]]
    {
        let ran = place.run(Screen::Pipe, args);
        place.is_intact(&format!("{story}: {args:?} ended with {}: {}{}", ran.code, ran.out, ran.err));
    }
}

fn records_end(log: &[u8]) -> usize {
    records(log).0.iter().map(|payload| HEAD + payload.len() + TAIL).sum()
}

#[test]
fn a_frame_of_ours_can_be_made_by_hand() {
    // The forgery is only worth something if it is one: made anew from its parts, the log is the same.
    let place = Place::new();
    place.trash_id();
    let log = fs::read(place.path(".patchwright/log")).unwrap();
    let mut previous = Digest([0; 32]);
    let mut made = Vec::new();
    for (payload, sequence) in records(&log).0.iter().zip(1..) {
        let frame = framed(sequence, previous, payload);
        previous = Digest::of(&frame[8..HEAD + payload.len()]);
        made.extend(frame);
    }
    assert_eq!(made, log[..made.len()]);
}

#[test]
fn forged_intents_reach_nothing_outside() {
    for (from, to) in [
        ("aaaaaaaa/victim", "../beside/xxxxx"), // a path that climbs
        ("aaaaaaaa/victim", "linkaway/victim"), // a path through a link
        ("aaaaaaaa", "linkaway"),               // every folder through a link
        ("aaaaaaaa", "../besid"),
        ("victim.", "../../v"), // the temporary's name
        ("victim.", "/victim"),
    ] {
        let mut place = Place::new();
        fs::create_dir(place.path("aaaaaaaa")).unwrap();
        let made = json!({ "path": "aaaaaaaa/victim", "content": "bait\n" }).to_string();
        assert_eq!(place.run(Screen::Pipe, &["call", "create_file", &made]).code, 0);
        let log = fs::read(place.path(".patchwright/log")).unwrap();
        let payloads = records(&log).0;
        let intent = holding(&payloads, "apply-patch.tmp");
        // What a fooled recovery would take away, under every name that it may look for.
        symlink("../beside", place.path("linkaway")).unwrap();
        for bait in ["beside/victim", "beside/xxxxx", "victim", "besid/victim"] {
            let path = place.home.path().join(bait);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "bait\n").unwrap();
        }
        place.settle();
        attack(&place, &swapped(intent, from, to), &format!("{from} -> {to}"));
    }
}

#[test]
fn forged_purges_and_commits_reach_nothing_outside() {
    let mut place = Place::new();
    let id = place.trash_id();
    let purge = json!({ "olderThan": "0s" }).to_string();
    assert_eq!(place.run(Screen::Pipe, &["call", "purge_trash", &purge]).code, 0);
    let log = fs::read(place.path(".patchwright/log")).unwrap();
    let payloads = records(&log).0;
    fs::create_dir_all(place.path(".patchwright/trash")).unwrap();
    // As long as an id, and from the trash's folder right to what lies outside.
    let climb = format!("../../../{:/>1$}", "secret.txt", id.len() - "../../../".len());
    assert!(place.path(".patchwright/trash").join(&climb).exists());
    place.settle();
    for payload in payloads.iter().rev() {
        if payload.windows(id.len()).any(|part| part == id.as_bytes()) {
            attack(&place, &swapped(payload, &id, &climb), "an id that climbs");
            let restore = json!({ "trashId": climb, "targetPath": "stolen.txt" }).to_string();
            let ran = place.run(Screen::Pipe, &["call", "restore_file", &restore]);
            assert!(ran.code != 0 && !place.path("stolen.txt").exists(), "{}{}", ran.out, ran.err);
            place.is_intact("restoring an id that climbs");
        }
    }
}

//! Content that looks like records: genuine frames of this very log, copied into a file, and the log cut as a power
//! cut would cut it. A frame counts where it was written and nowhere else; and what is no record is never "damaged".

use crate::frames::{Numbers, Seal, creation, deletion, frames, note, seal_of};
use crate::place::{Place, copy, names};
use crate::snapshot::snapshot;
use serde_json::json;
use std::fs;
use std::path::Path;

/// A place where `victim.txt` was made and deleted again: the way back stands in the trash, and the intent in the log.
fn aged() -> Place {
    let place = Place::new();
    place.make("victim.txt");
    place.call("delete_file", &json!({ "path": "victim.txt" })).is(0, "deleting");
    place
}

/// Everything in a folder as it was, the folder itself the same.
fn restore(from: &Path, to: &Path) {
    for name in names(to) {
        let path = to.join(&name);
        let gone = if path.is_dir() && !path.is_symlink() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
        gone.unwrap();
    }
    for name in names(from) {
        copy(&from.join(&name), &to.join(&name));
    }
}

/// Bytes as text that is those bytes in windows-1252.
fn as_text(bytes: &[u8]) -> String {
    encoding_rs::WINDOWS_1252.decode_without_bom_handling(bytes).0.into_owned()
}

#[test]
fn genuine_frames_in_content_are_never_records_wherever_the_log_is_cut() {
    let place = aged();
    let (log, ring) = (place.record().join("log"), place.ring());
    let (before, mark) = (fs::read(&log).unwrap(), fs::read(ring.join("mark")).unwrap());
    let old = frames(&before);
    let all = &before[old[0].at..old.last().unwrap().end];
    let content = as_text(&all.repeat(6000 / all.len() + 1));
    let big = json!({ "path": "big.bin", "content": content, "encoding": "windows-1252" });
    place.call("create_file", &big).is(0, "frames as content");
    let after = fs::read(&log).unwrap();
    let (begin, end) = (old.last().unwrap().end, frames(&after).last().unwrap().end);
    assert!(after[begin..end].windows(all.len()).any(|part| part == all), "the log holds what the file holds");
    let kept = place.at("kept");
    fs::create_dir(&kept).unwrap();
    copy(&place.root, &kept.join("ws"));
    copy(&place.home, &kept.join("home"));
    let trash = names(&place.record().join("trash"));
    for cut in (begin / 512..=end / 512).map(|block| (block * 512).clamp(begin, end)).chain([end - 1]) {
        restore(&kept.join("ws"), &place.root);
        restore(&kept.join("home"), &place.home);
        let mut torn = after[..cut].to_vec();
        torn.resize(after.len(), 0);
        fs::write(&log, torn).unwrap();
        fs::write(ring.join("mark"), &mark).unwrap();
        opened(&place, &trash, &format!("cut at {cut} of {begin} to {end}"));
    }
}

/// Opens the place: the last call is whole or taken back, nothing else happens, and work goes on.
fn opened(place: &Place, trash: &[String], story: &str) {
    let before = snapshot(&place.root);
    let told = place.call("list_batches", &json!({})).is(0, story).told();
    let changed = place.changes(&before);
    assert!(changed.is_empty() || changed == ["big.bin"], "{story}: {changed:?} {told}");
    place.make("after.txt");
    assert!(!place.path("victim.txt").exists(), "{story}: an old frame was carried out");
    assert_eq!(names(&place.record().join("trash")), trash, "{story}");
    assert_eq!(place.verify(), Some(0), "{story}: {}", place.run(&["audit", "verify"]).told());
}

/// Puts bytes behind the last record, where nothing was ever written: they never counted.
fn check(place: &Place, tail: &[u8], story: &str) {
    let path = place.record().join("log");
    let mut log = fs::read(&path).unwrap();
    let end = frames(&log).last().unwrap().end;
    log.truncate(end);
    log.extend(tail);
    log.resize(log.len().max(64 * 1024), 0);
    fs::write(&path, log).unwrap();
    let (before, history) = (snapshot(&place.root), place.history());
    for args in [&["doctor"][..], &["trash", "list"], &["audit", "verify"]] {
        place.run(args).is(0, story);
    }
    assert_eq!(place.changes(&before), Vec::<String>::new(), "{story}");
    place.make("after.txt");
    assert_eq!(place.changes(&before), ["after.txt"], "{story}");
    assert_eq!(place.history(), [history, vec!["after.txt".to_owned()]].concat(), "{story}");
    assert_eq!(place.verify(), Some(0), "{story}");
    let end = frames(&fs::read(place.record().join("log")).unwrap()).last().unwrap().end;
    assert!(fs::read(place.record().join("log")).unwrap()[end..].iter().all(|byte| *byte == 0), "{story}: wiped");
}

#[test]
fn what_stands_behind_the_last_record_never_counted() {
    type Tail = fn(&Place, &[u8]) -> Vec<u8>;
    let rows: [(&str, Tail); 7] = [
        ("the record's own frames again", |_, log| {
            let all = frames(log);
            log[all[0].at..all.last().unwrap().end].to_vec()
        }),
        ("the genuine intent to delete, alone", |_, log| {
            let intent = frames(log).into_iter().rfind(|frame| frame.holds("Intent")).unwrap();
            log[intent.at..intent.end].to_vec()
        }),
        ("an intent that is right in all but its tag", |place, log| {
            let forged = Seal::wrong(&seal_of(place).id);
            behind(&forged.with(log, frames(log).len(), &deletion("d/planted", "t1", b"x")), log)
        }),
        ("the same under another record's id", |place, log| {
            let other = Seal { id: "f".repeat(32), ..seal_of(place) };
            behind(&other.with(log, frames(log).len(), &creation("a.txt", b"inside\n")), log)
        }),
        ("a frame with the right tag for another offset", |place, log| {
            let (all, seal) = (frames(log), seal_of(place));
            let last = all.last().unwrap();
            let (at, payload) = (last.end + 512, creation("a.txt", b"inside\n"));
            seal.frame(at, Numbers { sequence: last.sequence + 1, highest: last.highest }, last.hash(), &payload)
        }),
        ("a right frame out of sequence", |place, log| {
            let (all, seal) = (frames(log), seal_of(place));
            let last = all.last().unwrap();
            seal.frame(last.end, Numbers { sequence: last.sequence + 2, highest: last.highest }, last.hash(), &note())
        }),
        ("a length without end", |_, _| [&[0xff; 4][..], &[1; 200]].concat()),
    ];
    for (story, tail) in rows {
        let place = aged();
        let log = fs::read(place.record().join("log")).unwrap();
        let tail = tail(&place, &log);
        check(&place, &tail, story);
    }
}

/// What one log holds behind the last record of another.
fn behind(longer: &[u8], log: &[u8]) -> Vec<u8> {
    let (end, all) = (frames(log).last().unwrap().end, frames(longer));
    longer[end..all.last().unwrap().end].to_vec()
}

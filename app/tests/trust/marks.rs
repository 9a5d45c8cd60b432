//! What the mark at home says of the log, row by row: current, put back, or unmarked. Nobody is refused in any of
//! them; history that became shorter shows until somebody has looked.

use crate::frames::frames;
use crate::place::{Place, copy, history, names};
use crate::snapshot::snapshot;
use serde_json::json;
use std::fs;
use std::os::unix::fs::PermissionsExt;

const FILES: [&str; 3] = ["one.txt", "two.txt", "three.txt"];

/// A place with three changes, and log and mark as they were after each.
struct Aged {
    place: Place,
    logs: Vec<Vec<u8>>,
    marks: Vec<Vec<u8>>,
}

impl Aged {
    fn new() -> Aged {
        let mut aged = Aged { place: Place::new(), logs: Vec::new(), marks: Vec::new() };
        for name in FILES {
            aged.place.make(name);
            aged.logs.push(fs::read(aged.place.record().join("log")).unwrap());
            aged.marks.push(fs::read(aged.place.ring().join("mark")).unwrap());
        }
        aged
    }

    fn set_log(&self, bytes: &[u8]) {
        fs::write(self.place.record().join("log"), bytes).unwrap();
    }

    fn set_mark(&self, bytes: &[u8]) {
        fs::write(self.place.ring().join("mark"), bytes).unwrap();
    }

    fn resumed(&self) -> usize {
        let log = fs::read(self.place.record().join("log")).unwrap();
        frames(&log).iter().filter(|frame| frame.holds("Resumed")).count()
    }
}

type Harm = fn(&Aged);

/// Nothing is wrong, nothing is said, and the files named are history.
fn current(story: &str, harm: Harm, left: &[&str]) {
    let aged = Aged::new();
    harm(&aged);
    let looked = aged.place.call("list_batches", &json!({})).is(0, story);
    assert_eq!((looked.warned().as_str(), history(&looked)), ("", strings(left)), "{story}");
    assert_eq!(aged.place.verify(), Some(0), "{story}");
    let made = aged.place.make("next.txt");
    assert_eq!(made.warned(), "", "{story}");
    assert_eq!(aged.resumed(), 0, "{story}");
    assert_eq!(aged.place.history(), strings(&[left, &["next.txt"]].concat()), "{story}");
    assert_eq!(aged.place.verify(), Some(0), "{story}");
}

/// Looking works and warns; the next change goes through and is on record as what it is; adopting settles it.
fn shorter(story: &str, harm: Harm, left: &[&str]) {
    let aged = Aged::new();
    let place = &aged.place;
    harm(&aged);
    let before = snapshot(&place.root);
    let looked = place.call("list_batches", &json!({})).is(0, story);
    assert_eq!(history(&looked), strings(left), "{story}");
    assert_ne!(looked.warned(), "", "{story}: nothing was said");
    assert_eq!(place.verify(), Some(1), "{story}");
    assert_eq!(place.changes(&before), Vec::<String>::new(), "{story}");
    place.make("next.txt");
    assert_eq!(place.changes(&before), ["next.txt"], "{story}");
    assert_eq!(aged.resumed(), 1, "{story}");
    assert_eq!(place.history(), strings(&[left, &["next.txt"]].concat()), "{story}");
    assert_eq!(place.verify(), Some(1), "{story}: until somebody has looked");
    place.run(&["adopt", "--yes"]).is(0, story);
    assert_eq!(place.changes(&before), ["next.txt"], "{story}: adopting changes no file");
    assert_eq!(place.verify(), Some(0), "{story}: somebody has looked");
    place.make("last.txt");
    assert_eq!((aged.resumed(), place.verify()), (1, Some(0)), "{story}");
    assert_eq!(place.ids().len(), 1, "{story}: it is the same record still");
}

fn strings(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn a_log_that_holds_what_was_seen_is_current() {
    let rows: [(&str, Harm); 4] = [
        ("nothing happened", |_| {}),
        ("the mark of an older home", |aged| aged.set_mark(&aged.marks[0])),
        ("the mark as it was one call ago", |aged| aged.set_mark(&aged.marks[1])),
        ("the index gone", |aged| {
            for name in names(&aged.place.ring()).iter().filter(|name| name.starts_with("index")) {
                fs::remove_file(aged.place.ring().join(name)).unwrap();
            }
        }),
    ];
    for (story, harm) in rows {
        current(story, harm, &FILES);
    }
    current(
        "the whole machine rolled back",
        |aged| {
            aged.set_log(&aged.logs[0]);
            aged.set_mark(&aged.marks[0]);
        },
        &FILES[..1],
    );
}

#[test]
fn a_log_without_a_mark_is_unmarked() {
    let rows: [(&str, Harm); 5] = [
        ("the mark gone", |aged| fs::remove_file(aged.place.ring().join("mark")).unwrap()),
        ("the mark empty", |aged| aged.set_mark(b"")),
        ("the mark zeros", |aged| aged.set_mark(&vec![0; aged.marks[2].len()])),
        ("one byte of the mark left", |aged| aged.set_mark(&aged.marks[2][..1])),
        ("every byte of the mark another", |aged| {
            let flipped: Vec<u8> = aged.marks[2].iter().map(|byte| byte ^ 0x55).collect();
            aged.set_mark(&flipped);
        }),
    ];
    for (story, harm) in rows {
        shorter(story, harm, &FILES);
    }
}

#[test]
fn a_log_that_lacks_what_was_seen_was_put_back() {
    let rows: [(&str, Harm, &[&str]); 6] = [
        ("the log of one call", |aged| aged.set_log(&aged.logs[0]), &FILES[..1]),
        ("the log of two calls", |aged| aged.set_log(&aged.logs[1]), &FILES[..2]),
        ("the log gone", |aged| fs::remove_file(aged.place.record().join("log")).unwrap(), &[]),
        ("the record gone", |aged| fs::remove_dir_all(aged.place.record()).unwrap(), &[]),
        ("the log empty", |aged| aged.set_log(b""), &[]),
        ("the log something else", |aged| aged.set_log(&[0xa5; 5000]), &[]),
    ];
    for (story, harm, left) in rows {
        shorter(story, harm, left);
    }
    shorter("all state folders gone", |aged| fs::remove_dir_all(aged.place.path(".patchwright")).unwrap(), &[]);
}

#[test]
fn a_cut_shows_without_a_noted_head() {
    let aged = Aged::new();
    let whole = frames(&aged.logs[2]);
    for keep in 0..whole.len() {
        let end = keep.checked_sub(1).map_or(crate::frames::TOP, |last| whole[last].end);
        let mut cut = aged.logs[2][..end].to_vec();
        cut.resize(aged.logs[2].len(), 0);
        aged.set_log(&cut);
        assert_eq!(aged.place.verify(), Some(1), "{keep} records left");
    }
    aged.set_log(&aged.logs[2]);
    assert_eq!(aged.place.verify(), Some(0), "whole again");
}

#[test]
fn half_a_mark_costs_nothing() {
    // Of two slots one may be whole: both answers are right, losing something is not.
    for half in [0, 1] {
        let aged = Aged::new();
        let (mut mark, middle) = (aged.marks[2].clone(), aged.marks[2].len() / 2);
        match half {
            0 => mark.truncate(middle),
            _ => mark[..middle].fill(0),
        }
        aged.set_mark(&mark);
        aged.place.make("next.txt");
        assert_eq!(aged.place.history(), [&FILES[..], &["next.txt"]].concat());
        aged.place.run(&["adopt", "--yes"]).is(0, "looked");
        assert_eq!(aged.place.verify(), Some(0));
    }
}

#[test]
fn a_damaged_record_within_is_found_and_refuses_nobody() {
    let aged = Aged::new();
    let mut log = aged.logs[2].clone();
    let second = &frames(&log)[1];
    let at = second.end - 40;
    log[at] ^= 1;
    aged.set_log(&log);
    assert_eq!(aged.place.verify(), Some(1));
    aged.place.make("next.txt");
    assert_eq!(aged.place.verify(), Some(1));
}

#[test]
fn a_home_that_is_restored_whole_is_current() {
    let place = Place::new();
    place.make("one.txt");
    copy(&place.home, &place.at("older"));
    place.make("two.txt");
    fs::remove_dir_all(&place.home).unwrap();
    copy(&place.at("older"), &place.home);
    assert_eq!((place.history(), place.verify()), (strings(&FILES[..2]), Some(0)));
    place.make("three.txt");
    assert_eq!((place.history(), place.verify()), (strings(&FILES), Some(0)));
}

#[test]
fn a_lost_home_begins_a_new_record_beside() {
    let place = Place::new();
    place.make("one.txt");
    let old = place.record();
    let before = snapshot(&old);
    fs::remove_dir_all(&place.home).unwrap();
    let made = place.make("two.txt");
    assert!(made.warned().contains("adopt"), "{}", made.told());
    assert_ne!(place.record(), old);
    assert_eq!(snapshot(&old), before, "the other is left as it was");
    assert_eq!((place.history(), place.verify()), (strings(&["two.txt"]), Some(0)));
}

#[test]
fn a_mark_that_cannot_be_written_stops_no_work() {
    let place = Place::of_nobody();
    place.make("one.txt");
    let mark = place.ring().join("mark");
    fs::set_permissions(&mark, fs::Permissions::from_mode(0o400)).unwrap();
    let before = fs::read(&mark).unwrap();
    place.make("two.txt");
    assert_eq!(fs::read(&mark).unwrap(), before);
    assert_eq!((place.history(), place.verify()), (strings(&FILES[..2]), Some(0)));
    let told = place.run(&["doctor"]).told();
    assert!(told.contains("cannot be noted at home"), "{told}");
}

//! The record: every changing call stands in it, refused ones too, and nobody can change it unseen.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test sets up files and breaks when it must"
)]

use patchwright_app::doors::cli::{self, Manner, Next, NoPager, Ports, Screen};
use patchwright_app::doors::open::Surroundings;
use patchwright_testkit::{frames, home};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::fs;
use std::ops::Range;
use std::path::PathBuf;
use tempfile::TempDir;

const EMPTY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

struct Place {
    folder: TempDir,
}

impl Place {
    fn new() -> Place {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.txt"), "").unwrap();
        Place { folder }
    }

    /// A workspace with a little history; one of the calls is refused.
    fn with_history() -> Place {
        let place = Place::new();
        for (tool, arguments) in [
            ("write_file", json!({ "path": "a.txt", "content": "one\n", "expectedSha256": EMPTY })),
            ("create_file", json!({ "path": "b.txt", "content": "two\n" })),
            ("create_file", json!({ "path": "b.txt", "content": "again\n" })),
            ("create_file", json!({ "path": "c.txt", "content": "three\n" })),
        ] {
            place.call(tool, &arguments);
        }
        place
    }

    fn state(&self, name: &str) -> PathBuf {
        home::record(self.folder.path()).join(name)
    }

    fn run(&self, args: &[&str]) -> (u8, String) {
        let mut line: Vec<OsString> = vec!["patchwright".into(), "--root".into(), self.folder.path().into()];
        line.extend(args.iter().map(OsString::from));
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut input = std::io::empty();
        let mut ports = Ports {
            input: &mut input,
            output: &mut out,
            errors: &mut err,
            screen: Screen::Pipe,
            pager: &mut NoPager,
            manner: Manner::default(),
        };
        let Next::Exit(status) = cli::run(line, &mut ports, &surroundings()) else {
            panic!("{args:?} asks for a server")
        };
        out.extend(err);
        (status.code(), String::from_utf8(out).unwrap())
    }

    fn call(&self, tool: &str, arguments: &Value) -> Value {
        serde_json::from_str(&self.run(&["call", tool, &arguments.to_string()]).1).unwrap()
    }

    fn verify(&self, more: &[&str]) -> (u8, Value) {
        let (code, out) = self.run(&[&["audit", "verify", "--json"], more].concat());
        (code, serde_json::from_str(&out).unwrap_or(Value::String(out)))
    }

    fn export(&self) -> Vec<Value> {
        let (code, out) = self.run(&["audit", "export"]);
        assert_eq!(code, 0, "{out}");
        out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Where each record lies in the log.
    fn records(&self) -> Vec<Range<usize>> {
        let log = fs::read(self.state("log")).unwrap();
        frames::all(&log).into_iter().map(|frame| frame.range).collect()
    }

    /// Puts the log together anew from these of its records, and says what verifying finds.
    fn rearranged(&self, order: &[usize], more: &[&str]) -> (u8, Value) {
        let (log, ranges) = (fs::read(self.state("log")).unwrap(), self.records());
        let records = order.iter().map(|at| &log[ranges[*at].clone()]);
        let parts: Vec<&[u8]> = std::iter::once(&log[..frames::HEADER]).chain(records).collect();
        fs::write(self.state("log"), parts.concat()).unwrap();
        self.verify(more)
    }
}

fn head(answer: &Value) -> &str {
    answer["auditHead"].as_str().unwrap()
}

/// What programs read of the doctor: every kept file that is missing, and the batches that suffer from it.
#[test]
fn the_doctor_looks_at_every_kept_file() {
    let place = Place::with_history();
    let doctor = |code: u8| -> Value {
        let (ended, out) = place.run(&["doctor", "--json"]);
        assert_eq!(ended, code, "{out}");
        serde_json::from_str(&out).unwrap()
    };
    let whole = json!({ "needed": 1, "bytes": 0, "missing": 0, "damaged": 0, "letGo": 0, "batches": [] });
    let told = doctor(0);
    assert_eq!((&told["undo"], &told["trash"], &told["proposals"]["open"]), (&whole, &json!(0), &json!(0)));
    assert_eq!(told["trashFiles"], json!({ "count": 0, "missing": [], "damaged": [] }));
    fs::remove_file(place.state("blobs").join(EMPTY)).unwrap();
    let told = doctor(1);
    assert_eq!((&told["ok"], &told["undo"]["missing"]), (&json!(false), &json!(1)));
    assert_eq!(told["undo"]["batches"][0]["batch"], json!("b1"));
    let (code, out) = place.run(&["doctor"]);
    assert!(code == 1 && !out.contains("all is well") && out.contains("b1"), "{out}");
}

#[test]
fn an_untouched_record_is_whole() {
    let place = Place::with_history();
    let (code, told) = place.verify(&[]);
    assert_eq!((code, &told["ok"], &told["findings"]), (0, &json!(true), &json!([])), "{told}");
    assert_eq!(told["records"], json!(place.records().len()));
    let all: Vec<usize> = (0..place.records().len()).collect();
    assert_eq!(place.rearranged(&all, &[]).0, 0, "taken apart and put together it is the same");
}

#[test]
fn every_changed_byte_is_found() {
    let place = Place::with_history();
    let good = fs::read(place.state("log")).unwrap();
    let end = place.records().last().unwrap().end;
    let noted = place.verify(&[]).1["head"].as_str().unwrap().to_owned();
    // Every byte of the header and the first record, a sample of the rest, and every byte of the last record.
    let (first, last) = (place.records()[0].clone(), place.records().last().unwrap().clone());
    for at in (0..first.end).chain((first.end..end).step_by(37)).chain(last) {
        let mut bad = good.clone();
        bad[at] ^= 0x20;
        fs::write(place.state("log"), bad).unwrap();
        let (code, told) = place.verify(&[]);
        assert_ne!(code, 0, "byte {at}: {told}");
    }
    fs::write(place.state("log"), good).unwrap();
    assert_eq!(place.verify(&["--head", &noted]).0, 0);
}

#[test]
fn dropped_and_reordered_records_are_found() {
    let count = Place::with_history().records().len();
    let all: Vec<usize> = (0..count).collect();
    let mut orders: Vec<Vec<usize>> = Vec::new();
    for at in 0..count - 1 {
        let mut dropped = all.clone();
        dropped.remove(at);
        let mut doubled = all.clone();
        doubled.insert(at, at);
        let mut swapped = all.clone();
        swapped.swap(at, at + 1);
        orders.extend([dropped, doubled, swapped]);
    }
    for order in orders {
        let place = Place::with_history();
        let (code, told) = place.rearranged(&order, &[]);
        assert_eq!(code, 1, "{order:?}: {told}");
        assert_eq!(told["ok"], json!(false), "{order:?}: {told}");
        assert_eq!(told["findings"].as_array().map(Vec::len), Some(1), "{order:?}: {told}");
    }
}

#[test]
fn a_cut_tail_is_found_against_a_noted_head() {
    let place = Place::with_history();
    let count = place.records().len();
    let noted = place.verify(&[]).1["head"].as_str().unwrap().to_owned();
    for keep in 0..count {
        let place = Place::with_history();
        let (_, told) = place.verify(&[]);
        let noted = told["head"].as_str().unwrap().to_owned();
        let order: Vec<usize> = (0..keep).collect();
        let (code, told) = place.rearranged(&order, &["--head", &noted]);
        assert_eq!(code, 1, "{keep} records left: {told}");
        assert!(told["findings"].to_string().contains("cut off"), "{told}");
        let (code, told) = place.verify(&[]);
        assert_eq!(code, 1, "{keep} records left, and nobody has noted a head: {told}");
    }
    // Heads of other entries are met on the way; one of another workspace is not.
    assert_eq!(place.verify(&["--head", &noted]).0, 0);
    assert_eq!(place.verify(&["--head", &"0".repeat(63)]).0, 2);
    assert_eq!(place.verify(&["--head", EMPTY]).0, 1);
}

#[test]
fn a_write_that_was_cut_short_never_counted() {
    let place = Place::with_history();
    // A refusal is one record; what was cut out of a change would be rolled back first. The writer died before it
    // could note at home how far it had come.
    let mark = home::kept(place.folder.path()).join("mark");
    let noted = fs::read(&mark).unwrap();
    place.call("create_file", &json!({ "path": "c.txt", "content": "" }));
    fs::write(&mark, noted).unwrap();
    let last = place.records().last().unwrap().clone();
    let mut log = fs::read(place.state("log")).unwrap();
    log.truncate(last.end - 3);
    fs::write(place.state("log"), log).unwrap();
    let (code, told) = place.verify(&[]);
    assert_eq!(code, 0, "{told}");
    assert!(told["findings"].to_string().contains("never counted"), "{told}");
    let made = place.call("create_file", &json!({ "path": "d.txt", "content": "" }));
    assert_eq!(made["ok"], json!(true), "{made}");
    assert_eq!(place.verify(&["--head", head(&made)]).1["findings"], json!([]));
}

#[test]
fn a_record_that_was_known_and_is_gone_is_told_until_somebody_looks() {
    let place = Place::with_history();
    let last = place.records().last().unwrap().clone();
    let mut log = fs::read(place.state("log")).unwrap();
    log.truncate(last.end - 3);
    fs::write(place.state("log"), log).unwrap();
    let (code, told) = place.verify(&[]);
    assert_eq!((code, told["findings"].as_array().map(Vec::len)), (1, Some(1)), "{told}");
    let read = place.call("read_file", &json!({ "path": "a.txt" }));
    assert!(read["warnings"].to_string().contains("not what it was"), "{read}");
    assert_eq!(place.verify(&[]).1, told, "looking puts nothing right");
    let made = place.call("create_file", &json!({ "path": "d.txt", "content": "" }));
    assert_eq!(made["ok"], json!(true), "{made}");
    assert!(made["warnings"].to_string().contains("not what it was"), "{made}");
    let (code, told) = place.verify(&["--head", head(&made)]);
    assert_eq!((code, told["findings"].as_array().map(Vec::len)), (1, Some(1)), "{told}");
    let read = place.call("read_file", &json!({ "path": "a.txt" }));
    assert_eq!(read.get("warnings"), None, "{read}");
}

#[test]
fn every_answer_to_a_change_carries_the_head_it_left() {
    let place = Place::new();
    let mut heads = Vec::new();
    for (tool, arguments, ok) in [
        ("create_file", json!({ "path": "b.txt", "content": "x" }), true),
        ("create_file", json!({ "path": "b.txt", "content": "x" }), false),
        ("create_file", json!({ "path": "../b.txt", "content": "x" }), false),
        ("create_file", json!({ "path": "b.txt", "contents": "x" }), false),
        ("write_file", json!({ "path": "a.txt", "content": "y" }), false),
        ("write_file", json!({ "path": "a.txt", "content": "y", "expectedSha256": EMPTY, "dryRun": true }), true),
        ("write_file", json!({ "path": "a.txt", "content": "", "expectedSha256": EMPTY }), true),
        ("delete_file", json!({ "path": "a.txt", "expectedSha256": EMPTY }), true),
        ("purge_trash", json!({ "olderThan": "9999d" }), true),
        ("purge_trash", json!({ "olderThan": "0s" }), true),
    ] {
        let answer = place.call(tool, &arguments);
        assert_eq!(answer["ok"], json!(ok), "{tool} {arguments}: {answer}");
        heads.push(head(&answer).to_owned());
    }
    let read = place.call("read_file", &json!({ "path": "b.txt" }));
    assert_eq!(read.get("auditHead"), None, "a read carries none");
    let entries = place.export();
    let told: Vec<&str> = entries.iter().map(|entry| entry["head"].as_str().unwrap()).collect();
    assert_eq!(told, heads, "each call is one entry, and its answer gave that entry's head");
    let outcomes: Vec<&str> = entries.iter().map(|entry| entry["outcome"].as_str().unwrap()).collect();
    let wanted = [
        "committed",
        "refused",
        "refused",
        "refused",
        "refused",
        "dry_run",
        "unchanged",
        "committed",
        "unchanged",
        "committed",
    ];
    assert_eq!(outcomes, wanted);
    let kinds: Vec<&str> = entries.iter().filter_map(|entry| entry["kind"].as_str()).collect();
    assert_eq!(kinds, ["already_exists", "outside_workspace", "invalid_arguments", "stale_file"]);
    for head in &heads {
        assert_eq!(place.verify(&["--head", head]).0, 0);
    }
}

#[test]
fn an_entry_says_who_did_what_to_what() {
    let place = Place::new();
    let answer = place.call("write_file", &json!({ "path": "a.txt", "content": "one\n", "expectedSha256": EMPTY }));
    let moved = json!({ "fromPath": "a.txt", "toPath": "b.txt", "expectedSha256": answer["data"]["afterSha256"] });
    place.call("move_file", &moved);
    place.run(&["--unchecked", "call", "delete_file", r#"{"path":"b.txt"}"#]);
    let entries = place.export();
    let first = &entries[0];
    for field in [
        "sequence",
        "time",
        "session",
        "client",
        "door",
        "role",
        "tool",
        "operation",
        "files",
        "outcome",
        "diff",
        "previous",
        "head",
        "batchId",
    ] {
        assert!(first.get(field).is_some(), "no {field} in {first}");
    }
    assert_eq!((&first["door"], &first["role"], &first["actor"]), (&json!("cli"), &json!("person"), &Value::Null));
    assert_eq!((&first["tool"], &first["operation"]), (&json!("write_file"), &json!("update")));
    let file = json!({ "path": "a.txt", "beforeSha256": EMPTY, "afterSha256": answer["data"]["afterSha256"] });
    assert_eq!(first["files"], json!([file]));
    assert_eq!(first["diff"], answer["data"]["diff"]);
    assert_eq!(first["batchId"], answer["data"]["batchId"]);
    assert_eq!(entries[1]["files"][0]["to"], json!("b.txt"));
    assert_eq!((&first["unchecked"], &entries[2]["unchecked"]), (&Value::Null, &json!(true)), "{entries:?}");
    let numbers: Vec<u64> = entries.iter().map(|entry| entry["sequence"].as_u64().unwrap()).collect();
    assert!(numbers.is_sorted_by(|one, next| one < next), "{numbers:?}");
}

#[test]
fn a_refusal_names_its_path_and_hash() {
    let place = Place::new();
    place.call(
        "edit_file",
        &json!({ "path": "a.txt", "edits": [{ "oldText": "x", "newText": "y" }], "expectedSha256": EMPTY }),
    );
    place.call("create_file", &json!({ "path": ".git/hooks/x", "content": "" }));
    let entries = place.export();
    assert_eq!(entries[0]["kind"], json!("old_text_not_found"));
    assert_eq!(entries[0]["files"], json!([{ "path": "a.txt", "beforeSha256": EMPTY }]));
    assert_eq!(entries[1]["kind"], json!("permission_denied"));
    assert_eq!(entries[1]["files"], json!([{ "path": ".git/hooks/x" }]));
}

#[test]
fn a_deleted_index_costs_nothing() {
    let place = Place::new();
    let key = json!({ "path": "b.txt", "content": "x", "idempotencyKey": "k" });
    place.call("create_file", &key);
    place.call("delete_file", &json!({ "path": "a.txt", "expectedSha256": EMPTY }));
    let (trash, entries) = (place.call("list_trash", &json!({})), place.export());
    for name in ["index.sqlite", "index.sqlite-wal", "index.sqlite-shm"] {
        let _gone = fs::remove_file(home::kept(place.folder.path()).join(name));
    }
    assert_eq!(place.call("list_trash", &json!({})), trash);
    assert_eq!(place.export(), entries);
    assert_eq!(place.call("create_file", &key)["replayed"], json!(true));
    // A damaged one is made anew, too.
    fs::write(home::kept(place.folder.path()).join("index.sqlite"), "no database at all").unwrap();
    assert_eq!(place.call("list_trash", &json!({})), trash);
}

#[test]
fn deleted_state_costs_history_and_no_file() {
    let place = Place::with_history();
    let before: Vec<_> =
        ["a.txt", "b.txt", "c.txt"].map(|name| fs::read(place.folder.path().join(name)).unwrap()).to_vec();
    fs::remove_dir_all(place.folder.path().join(".patchwright")).unwrap();
    assert_eq!(place.verify(&[]).0, 1, "home knows that there was a record");
    assert_eq!(place.call("list_trash", &json!({}))["data"]["entries"], json!([]));
    let made = place.call("create_file", &json!({ "path": "d.txt", "content": "" }));
    assert_eq!(made["ok"], json!(true), "{made}");
    assert!(made["warnings"].to_string().contains("was gone"), "{made}");
    assert_eq!(place.verify(&[]).1["findings"].as_array().map(Vec::len), Some(1));
    let after = ["a.txt", "b.txt", "c.txt"].map(|name| fs::read(place.folder.path().join(name)).unwrap()).to_vec();
    assert_eq!(before, after);
}

/// No settings of the user's, and a home for tests.
fn surroundings() -> Surroundings {
    Surroundings { home: home::at(), ..Surroundings::default() }
}

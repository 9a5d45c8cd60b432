//! The commands over history, run in this process on a real workspace: what they print, to whom, and with which status
//! they end.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test sets up files and breaks when it must"
)]

use patchwright_app::doors::cli::{self, Manner, Next, NoPager, Paged, Pager, Ports, Screen};
use patchwright_app::doors::open::Surroundings;
use patchwright_testkit::home;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::path::Path;

/// What a command left behind.
struct Ran {
    code: u8,
    out: String,
    err: String,
}

fn run_with(pager: &mut dyn Pager, screen: Screen, root: &Path, args: &[&str]) -> Ran {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut line: Vec<OsString> = vec!["patchwright".into(), "--root".into(), root.into()];
    line.extend(args.iter().map(OsString::from));
    let mut ports = Ports {
        input: &mut std::io::empty(),
        output: &mut out,
        errors: &mut err,
        screen,
        pager,
        manner: Manner::default(),
    };
    let code = match cli::run(line, &mut ports, &surroundings()) {
        Next::Exit(status) => status.code(),
        Next::Serve(..) => panic!("{args:?} asks for a server"),
    };
    Ran { code, out: String::from_utf8(out).unwrap(), err: String::from_utf8(err).unwrap() }
}

fn run(root: &Path, args: &[&str]) -> Ran {
    run_with(&mut NoPager, Screen::Pipe, root, args)
}

/// On a terminal without colours, and without a pager.
fn on_terminal(root: &Path, args: &[&str]) -> Ran {
    let ran = run_with(&mut NoPager, Screen::PlainTerminal, root, args);
    // A hint leads to the same workspace.
    Ran { out: ran.out.replace(&format!("--root {} ", root.display()), ""), ..ran }
}

/// Runs a command and looks for pieces in what it prints; an empty list means that nothing is printed.
fn check(root: &Path, args: &[&str], code: u8, out: &[&str], err: &[&str]) -> Ran {
    let ran = run(root, args);
    let story = format!("{args:?} ended with {}\nout: {}\nerr: {}", ran.code, ran.out, ran.err);
    assert_eq!(ran.code, code, "{story}");
    for (text, pieces) in [(&ran.out, out), (&ran.err, err)] {
        assert_eq!(text.is_empty(), pieces.is_empty(), "{story}");
        for piece in pieces {
            assert!(text.contains(piece), "{piece:?} is missing\n{story}");
        }
    }
    ran
}

/// A call of a tool, and the data of its answer.
fn call(root: &Path, tool: &str, arguments: &Value) -> Value {
    let ran = run(root, &["--unchecked", "call", tool, &arguments.to_string()]);
    let answer: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(answer["ok"], true, "{answer}");
    answer["data"].clone()
}

fn edit(root: &Path, old: &str, new: &str, mode: &str) -> String {
    let edits = json!([{ "oldText": old, "newText": new }]);
    let data = call(root, "edit_file", &json!({ "path": "a.txt", "edits": edits, "mode": mode }));
    data["batchId"].as_str().unwrap().to_owned()
}

fn text_of(root: &Path) -> String {
    std::fs::read_to_string(root.join("a.txt")).unwrap()
}

/// A workspace with a file of three lines that nobody here wrote, and the batches that changed it.
fn workspace(words: &[(&str, &str)]) -> (tempfile::TempDir, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.txt"), "one\ntwo\nthree\n").unwrap();
    let batches = words.iter().map(|(old, new)| edit(folder.path(), old, new, "apply")).collect();
    (folder, batches)
}

#[test]
fn a_version_is_read() {
    let (folder, ids) = workspace(&[("one", "1"), ("two", "2")]);
    let root = folder.path();
    std::fs::remove_file(root.join("a.txt")).unwrap();
    for (args, out) in [
        (vec!["read", "a.txt@b1"], "1\ntwo\nthree\n"),
        (vec!["read", "a.txt@b1", "--before"], "one\ntwo\nthree\n"),
        (vec!["read", "a.txt@b2:2-3"], "2\nthree\n"),
    ] {
        assert_eq!(check(root, &args, 0, &[out], &[]).out, out, "{args:?}");
    }
    let whole = format!("a.txt@{}", ids[1]);
    check(root, &["read", &whole], 0, &["1\n2\nthree\n"], &[]);
    let json: Value = serde_json::from_str(&run(root, &["read", "a.txt@b2", "--json"]).out).unwrap();
    assert_eq!((&json["data"]["path"], &json["data"]["lineCount"]), (&json!("a.txt"), &json!(3)));
    check(root, &["read", "a.txt@b7"], 1, &[], &["b7"]);
    check(root, &["read", "b.txt@b1"], 1, &[], &["did not touch b.txt"]);
    check(root, &["read", "a.txt@b1", "--hashes"], 2, &[], &["--hashes"]);
    check(root, &["read", "a.txt@home"], 1, &[], &["a.txt@home does not exist"]);
    check(root, &["--deny-read", "a.*", "read", "a.txt@b1"], 1, &[], &["a.txt"]);
    // A file that has exactly this name is meant.
    std::fs::write(root.join("a.txt@b1"), "myself\n").unwrap();
    check(root, &["read", "a.txt@b1"], 0, &["myself\n"], &[]);
    check(root, &["read", "a.txt@b1", "--before"], 2, &[], &["--before"]);
    check(root, &["read", "a.txt", "--before"], 2, &[], &["PATH@BATCH"]);
}

#[test]
fn the_log() {
    let (folder, ids) = workspace(&[("one", "1"), ("two", "2"), ("three", "3")]);
    let root = folder.path();
    let all = check(root, &["log"], 0, &["  you  +1 -1  a.txt\n"], &[]);
    let places: Vec<usize> =
        ["b1", "b2", "b3"].iter().map(|id| all.out.find(&format!("  {id}  20")).unwrap()).collect();
    assert!(places[2] < places[1] && places[1] < places[0], "{}", all.out);
    assert_eq!(all.out.lines().count(), 3, "one line a batch: {}", all.out);
    let two = on_terminal(root, &["log", "a.txt", "-n", "2"]);
    assert!(two.out.contains("you, ") && two.out.contains("… more: patchwright log a.txt -n 8\n"), "{}", two.out);
    let one = on_terminal(root, &["log", "-n", "1"]);
    assert!(one.out.ends_with("… 2 more: patchwright log -n 3\n"), "{}", one.out);
    check(root, &["log", "b.txt"], 1, &[], &["b.txt"]);
    check(root, &["log", "--session", "nobody"], 1, &[], &["nobody"]);
    check(root, &["log", "--who", "nobody"], 1, &[], &["nobody"]);
    check(root, &["log", "--who", "you"], 0, &["b3"], &[]);
    check(root, &["log", "--status", "undone"], 0, &["No batch fits\n"], &[]);
    assert_eq!(check(root, &["log", "--since", "1h"], 0, &["b1"], &[]).out.lines().count(), 3);
    let since = check(root, &["log", "--since", &ids[1][..35]], 0, &["  b3  "], &[]);
    assert!(!since.out.contains("  b2  "), "{}", since.out);
    let session = check(root, &["log", "--session", "b2"], 0, &["  b2  "], &[]);
    assert!(!session.out.contains("  b3  "), "{}", session.out);
    let json: Value = serde_json::from_str(&run(root, &["log", "--json", "-n", "1"]).out).unwrap();
    assert_eq!(json["data"]["batches"][0]["batchId"], ids[2].as_str());
    assert!(json["data"]["nextCursor"].is_string(), "{json}");
    check(root, &["log", "--since", "noon"], 2, &[], &["\"noon\" is no time"]);
    check(root, &["log", "../x"], 1, &[], &["x"]);
    check(root, &["log", "*.txt"], 0, &["b1"], &[]);
    check(root, &["log", "*.rs"], 1, &[], &["*.rs"]);
    check(root, &["log", "--status", "odd"], 2, &[], &["proposed", "undone"]);
    check(root, &["log", "-n", "0"], 2, &[], &["0"]);
    let lines = check(root, &["log", "-p", "-n", "1"], 0, &["-three\n+3\n"], &[]);
    assert!(!lines.out.contains("+2\n"), "{}", lines.out);
}

#[test]
fn one_batch_and_one_change() {
    let (folder, ids) = workspace(&[("one", "1"), ("two", "2"), ("three", "3")]);
    let root = folder.path();
    let pieces = ["b2  applied   you, ", "   1 file +1 -1\n", "\na.txt  +1 -1\n@@ ", " @@ b2.1\n", "-two\n", "+2\n"];
    let shown = check(root, &["show", &ids[1]], 0, &pieces, &[]).out;
    assert!(!shown.contains(&ids[1]), "no id unless asked: {shown}");
    assert_eq!(check(root, &["show", &ids[1][..30].to_uppercase()], 0, &pieces, &[]).out, shown);
    check(root, &["show", "b2", "--ids"], 0, &[&ids[1]], &[]);
    assert!(!check(root, &["show", "b2", "--stat"], 0, &["a.txt  +1 -1\n"], &[]).out.contains("+2\n"));
    check(root, &["show"], 0, &["b3  applied"], &[]);
    check(root, &["show", "last"], 0, &["b3  applied"], &[]);
    let json: Value = serde_json::from_str(&run(root, &["show", &ids[1], "--json"]).out).unwrap();
    let change = json["data"]["files"][0]["changes"][0]["changeId"].as_str().unwrap();
    for given in [change, &change[..35], "b2.1"] {
        check(root, &["show", &ids[1], given], 0, &["b2  applied", "one change", "+2\n"], &[]);
    }
    // Ids begin with the time, in steps of a minute: of three made in a row two begin alike.
    check(root, &["show", &ids[1][..8]], 1, &[], &["the beginning of"]);
    check(root, &["show", "00000000-0000-7000-8000-000000000000"], 1, &[], &["no batch"]);
    check(root, &["show", "b99"], 1, &[], &["b99"]);
    check(root, &["show", "0000000"], 2, &[], &["is no batch", "b17"]);
    check(root, &["diff", &ids[1][..35]], 0, &["-two\n+2\n"], &[]);
    check(root, &["diff"], 0, &["--- a/a.txt\n+++ b/a.txt\n", "-three\n+3\n"], &[]);
    check(root, &["diff", &ids[1], "--format", "envelope"], 0, &["*** Begin Patch\n", "-two\n+2\n"], &[]);
}

/// A batch with two changes of one file and a new file: the ids of the file's part and of its second change.
fn two_changes(root: &Path, mode: &str) -> (String, String) {
    let patch = "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+1\n@@\n-three\n+3\n*** Add File: b.txt\n+new\n*** End Patch\n";
    let data = call(root, "apply_patch", &json!({ "patch": patch, "mode": mode }));
    let batch = call(root, "get_patch_change", &json!({ "batchId": data["batchId"] }));
    let id = |at: &str| batch.pointer(at).and_then(Value::as_str).unwrap().to_owned();
    (id("/files/0/filePatchId"), id("/files/0/changes/1/changeId"))
}

#[test]
fn a_change_or_a_file_by_its_id_alone() {
    let (folder, _) = workspace(&[]);
    let root = folder.path();
    let (file, change) = two_changes(root, "apply");
    for given in [&change[..], &change.to_uppercase(), "b1.2"] {
        let shown = check(root, &["diff", given], 0, &["a/a.txt", "-three\n+3\n"], &[]).out;
        assert!(!shown.contains("+1\n"), "{shown}");
        check(root, &["show", given], 0, &["b1  applied", "one change", " b1.2\n", "+3\n"], &[]);
        check(root, &["undo", given, "--dry-run", "-p"], 0, &["Would take back b1.2 ", "-3\n", "+three\n"], &[]);
    }
    check(root, &["diff", &change, "--format", "envelope"], 0, &["*** Update File: a.txt\n", "-three\n+3\n"], &[]);
    let whole = check(root, &["diff", &file], 0, &["-one\n+1\n", "-three\n+3\n"], &[]).out;
    assert!(!whole.contains("b.txt"), "{whole}");
    check(root, &["show", &file], 0, &["+1\n", "+3\n"], &[]);
    check(root, &["read", "a.txt@b1.2"], 0, &["1\ntwo\n3\n"], &[]);
    check(root, &["undo", &change], 0, &["Took back b1.2 ", "  M a.txt  +1 -1\n"], &[]);
    assert_eq!(text_of(root), "1\ntwo\nthree\n");
    check(root, &["undo", &file, "-p"], 0, &["+one\n"], &[]);
    assert!(text_of(root) == "one\ntwo\nthree\n" && root.join("b.txt").exists());
}

#[test]
fn a_proposed_change_by_its_id_alone() {
    let (folder, _) = workspace(&[]);
    let root = folder.path();
    let (_, change) = two_changes(root, "propose");
    check(root, &["reject", "b1.2"], 2, &[], &["is no proposal"]);
    check(root, &["apply-batch", &change], 0, &["Accepted b1.2 (you)  M a.txt  +1 -1\n"], &[]);
    assert!(text_of(root) == "one\ntwo\n3\n" && !root.join("b.txt").exists());
}

#[test]
fn taking_back() {
    let (folder, ids) = workspace(&[("one", "1"), ("two", "2"), ("three", "3")]);
    let root = folder.path();
    check(root, &["undo", "-n"], 0, &["Would take back b3 (you, ", "  M a.txt  +1 -1\n"], &[]);
    assert_eq!(text_of(root), "1\n2\n3\n");
    let took = on_terminal(root, &["undo", "--quiet"]);
    assert!(
        took.out.starts_with("Took back b3 (you, ") && took.out.ends_with("as b4\n  M a.txt  +1 -1\n"),
        "{}",
        took.out
    );
    assert_eq!(text_of(root), "1\n2\nthree\n");
    check(root, &["undo", &ids[0][..35]], 0, &["Took back b1 (you, "], &[]);
    assert_eq!(text_of(root), "one\n2\nthree\n");
    check(root, &["undo", &ids[0]], 1, &[], &["b1"]);
    let json: Value = serde_json::from_str(&run(root, &["undo", "a.txt", "--json"]).out).unwrap();
    assert_eq!(json["data"]["undoneBatchIds"], json!([ids[1]]));
    assert_eq!(text_of(root), "one\ntwo\nthree\n");
    check(root, &["undo"], 1, &[], &["othing"]);
    for args in [["undo", &ids[0], "--path", "a"], ["undo", "--session", "s", "--since=00000000"]] {
        check(root, &args, 2, &[], &["cannot be used with"]);
    }
    check(root, &["undo", "--change", "00000000"], 1, &[], &["no batch"]);
    check(root, &["undo", "no/such.file"], 1, &[], &["no/such.file"]);
    check(root, &["accept"], 2, &[], &["NAME"]);
}

/// `redo` goes back the way that `undo` came, and never to and fro.
#[test]
fn back_and_forth() {
    let (folder, _) = workspace(&[("one", "1"), ("two", "2")]);
    let root = folder.path();
    check(root, &["redo"], 1, &[], &["no undo"]);
    let took = on_terminal(root, &["undo"]);
    assert!(took.out.ends_with("Bring it back: patchwright redo\n"), "{}", took.out);
    check(root, &["undo"], 0, &["Took back b1 "], &[]);
    assert_eq!(text_of(root), "one\ntwo\nthree\n");
    check(root, &["redo", "-n"], 0, &["Would bring back b1 "], &[]);
    check(root, &["redo"], 0, &["Brought back b1 (you, ", "  M a.txt  +1 -1\n"], &[]);
    assert_eq!(text_of(root), "1\ntwo\nthree\n");
    check(root, &["redo"], 0, &["Brought back b2 "], &[]);
    assert_eq!(text_of(root), "1\n2\nthree\n");
    check(root, &["redo"], 1, &[], &["no undo"]);
    check(root, &["undo"], 0, &["Took back b2 "], &[]);
    assert_eq!(text_of(root), "1\ntwo\nthree\n");
}

/// Some hunks of a batch, there and back; of several batches the others where one cannot go.
#[test]
fn parts_and_the_rest() {
    let (folder, _) = workspace(&[]);
    let root = folder.path();
    two_changes(root, "apply");
    check(root, &["undo", "b1.2"], 0, &["Took back b1.2 "], &[]);
    let again = on_terminal(root, &["redo"]).out;
    assert!(again.starts_with("Brought back b1.2 ") && again.ends_with("patchwright undo b1.2\n"), "{again}");
    edit(root, "1", "eins", "apply");
    let told = on_terminal(root, &["undo", "b1", "b4", "-n"]);
    assert_eq!(told.code, 0, "{}{}", told.out, told.err);
    std::fs::write(root.join("a.txt"), "uno\ntwo\n3\n").unwrap();
    let told = on_terminal(root, &["undo", "--who", "you"]).err;
    assert!(told.contains("another program"), "{told}");
}

/// Several batches, and everything of a time, in one go.
#[test]
fn many_at_once() {
    let (folder, _) = workspace(&[("one", "1"), ("two", "2"), ("three", "3")]);
    let root = folder.path();
    check(root, &["undo", "b1", "b3", "-n"], 0, &["Would take back 2 batches, b1, b3"], &[]);
    check(root, &["undo", "--since", "1h"], 0, &["Took back 3 batches, b1-b3, as b4\n"], &[]);
    assert_eq!(text_of(root), "one\ntwo\nthree\n");
    check(root, &["redo"], 0, &["Brought back 3 batches, b1-b3"], &[]);
    assert_eq!(text_of(root), "1\n2\n3\n");
    check(root, &["undo", "--since", "b1"], 0, &["Took back 2 batches, b2-b3"], &[]);
    assert_eq!(text_of(root), "1\ntwo\nthree\n");
    check(root, &["undo", "--since", "b3"], 1, &[], &["since b3"]);
    check(root, &["undo", "you"], 2, &[], &["patchwright undo --who you"]);
    check(root, &["undo", "--who", "nobody"], 1, &[], &["nobody"]);
    check(root, &["undo", "--who", "you", "-n"], 0, &["Would take back b1 "], &[]);
    check(root, &["undo", "--session", "b1"], 0, &["Took back b1 "], &[]);
    assert_eq!(text_of(root), "one\ntwo\nthree\n");
}

/// Wherever the id of a change is taken, so is its short name, with or without the batch.
#[test]
fn short_names_of_changes() {
    let (folder, ids) = workspace(&[("one", "1"), ("two", "2")]);
    let root = folder.path();
    for command in [["log", "--since", "b1.1"].as_slice(), &["audit", "export", "--since", "b1.1"]] {
        let told = run(root, command);
        assert_eq!(told.code, 0, "{command:?} {}", told.err);
        assert!(!told.out.contains(&ids[0]) && !told.out.contains("  b1  "), "{command:?} {}", told.out);
    }
    check(root, &["undo", "--change", "b1.1"], 0, &["Took back b1 "], &[]);
    assert_eq!(text_of(root), "one\n2\nthree\n");
    edit(root, "three", "3", "propose");
    check(root, &["apply-batch", "--change", "b4.1", "-p"], 0, &["+3\n"], &[]);
    assert_eq!(text_of(root), "one\n2\n3\n");
}

#[test]
fn lines_in_the_way_are_shown() {
    let (folder, ids) = workspace(&[("two", "2"), ("2", "zwei"), ("one", "1")]);
    let root = folder.path();
    let told = check(root, &["undo", &ids[0]], 1, &[], &["a.txt:2", "zwei", "b2", "Nothing was changed."]).err;
    assert!(!told.contains("b3"), "b3 did not write that line: {told}");
    check(root, &["undo", "--since", &ids[0]], 0, &["Took back 2 batches, b2-b3"], &[]);
    assert_eq!(text_of(root), "one\n2\nthree\n");
}

#[test]
fn proposals() {
    let (folder, _) = workspace(&[]);
    let root = folder.path();
    check(root, &["review"], 0, &["Nothing waits for you\n"], &[]);
    let (first, second) = (edit(root, "one", "1", "propose"), edit(root, "two", "2", "propose"));
    let third = edit(root, "three", "3", "propose");
    assert_eq!(text_of(root), "one\ntwo\nthree\n");
    let listed = check(root, &["review"], 0, &["? b1  you ", "? b2  you ", "? b3  you "], &[]).out;
    assert!(listed.find("b3 ") < listed.find("b1 "), "{listed}");
    assert_eq!(check(root, &["proposals"], 0, &["? b1"], &[]).out, listed, "the old name");
    check(root, &["review", "b1"], 0, &["b1  proposed", "+1\n"], &[]);
    check(root, &["accept", &first, "-n", "-p"], 0, &["Would accept b1 (you)  M a.txt  +1 -1\n", "+1\n"], &[]);
    let accepted = on_terminal(root, &["accept", "b1"]);
    let want = "Accepted b1 (you)  M a.txt  +1 -1\nTake it back: patchwright undo b1\n";
    assert_eq!(accepted.out, want);
    assert_eq!(text_of(root), "1\ntwo\nthree\n");
    check(root, &["log", "-n", "1"], 0, &["b1  20", "accepted by you"], &[]);
    let before = records(root);
    check(root, &["review"], 0, &["! b3  you ", "line 1 changed"], &[]);
    assert_eq!(records(root), before, "looking puts nothing on record");
    check(root, &["accept", &third], 1, &[], &["a.txt"]);
    check(root, &["review"], 0, &["! b3", "! b2"], &[]);
    check(root, &["apply-batch", &third, "--rebase"], 0, &["Accepted b3"], &[]);
    assert_eq!(text_of(root), "1\ntwo\n3\n");
    check(root, &["reject", &second, "-n"], 0, &["Would reject b2"], &[]);
    check(root, &["reject", &second, "--reason", "no"], 0, &["Rejected b2 (you)"], &[]);
    check(root, &["accept", &second], 1, &[], &["b2"]);
    let json: Value = serde_json::from_str(&run(root, &["proposals", "--json"]).out).unwrap();
    assert_eq!(json, json!({ "ok": true, "data": { "batches": [] } }));
    check(root, &["undo", &first], 0, &["Took back b1 "], &[]);
    assert_eq!(text_of(root), "one\ntwo\n3\n");
    check(root, &["apply", "b2"], 2, &[], &["patchwright accept b2"]);
}

/// How many entries the record has.
fn records(root: &Path) -> usize {
    run(root, &["audit", "export"]).out.lines().count()
}

#[test]
fn whose_line_it_is() {
    let (folder, ids) = workspace(&[("two", "2")]);
    let root = folder.path();
    let pieces = [".   not on record  1 | one\n", "b1  you  ", "  2 | 2\n", "not on record  3 | three\n"];
    check(root, &["why", "a.txt"], 0, &pieces, &[]);
    let one = check(root, &["why", "a.txt:2"], 0, &["b1  you  ", "2 | 2\n", "  before: two\n"], &[]).out;
    assert!(!one.contains("one"), "{one}");
    check(root, &["why", "a.txt:9"], 1, &[], &["a.txt has no line 9: it has 3 lines"]);
    check(root, &["why", "b.txt"], 1, &[], &["b.txt"]);
    let json: Value = serde_json::from_str(&run(root, &["why", "a.txt:2-3", "--json"]).out).unwrap();
    assert_eq!(json["data"]["runs"][0]["batchId"], ids[0].as_str());
    let empty = tempfile::tempdir().unwrap();
    std::fs::write(empty.path().join("a.txt"), "x\n").unwrap();
    check(empty.path(), &["why", "a.txt"], 0, &["1 | x\n"], &["no record of changes stands here"]);
}

/// A pager that keeps what it is given, or cannot start.
struct Kept(Paged, Vec<String>);

impl Pager for Kept {
    fn show(&mut self, text: &[u8]) -> Paged {
        self.1.push(String::from_utf8(text.to_vec()).unwrap());
        self.0
    }
}

#[test]
fn long_output_goes_through_the_pager() {
    let (folder, ids) = workspace(&[("two", "2\u{7}")]);
    let diff = ["diff", ids[0].as_str()];
    let raw = run(folder.path(), &diff).out;
    assert!(raw.contains("+2\u{7}\n"), "{raw}");
    let at_once: &[&str] = &["--no-pager"];
    for (screen, more, starts, paged) in [
        (Screen::Pipe, &[][..], Paged::Shown, false),
        (Screen::Terminal, &[], Paged::Shown, true),
        (Screen::PlainTerminal, &[], Paged::Shown, true),
        (Screen::Terminal, at_once, Paged::Shown, false),
        (Screen::Terminal, &[], Paged::NotStarted, false),
    ] {
        let mut pager = Kept(starts, Vec::new());
        let ran = run_with(&mut pager, screen, folder.path(), &[&diff[..], more].concat());
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{screen:?}");
        assert_eq!(ran.out.is_empty(), paged, "{screen:?} {more:?} {}", ran.out);
        let text = if paged { pager.1.concat() } else { ran.out };
        let (safe, coloured) = (screen != Screen::Pipe, screen == Screen::Terminal);
        assert_eq!(text.contains("+2\\u{7}"), safe, "{screen:?}: {text}");
        assert_eq!(text.contains("\u{1b}[32m+"), coloured, "{screen:?}: {text}");
    }
}

#[test]
fn names_and_lines_cannot_take_the_terminal_over() {
    let folder = tempfile::tempdir().unwrap();
    let (root, name) = (folder.path(), "\u{1b}[2J\u{202e}.txt");
    std::fs::write(root.join(name), "one\n\u{1b}]0;two\u{7}\u{202e}\n").unwrap();
    let arguments = json!({ "path": name, "edits": [{ "oldText": "one", "newText": "\u{9b}31m1\u{2066}" }] });
    let batch = call(root, "edit_file", &arguments)["batchId"].as_str().unwrap().to_owned();
    for args in [vec!["log"], vec!["log", name], vec!["show", &batch], vec!["diff", &batch], vec!["undo"]] {
        let ran = on_terminal(root, &args);
        let story = format!("{args:?}: {}{}", ran.out.escape_unicode(), ran.err);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{story}");
        let (listed, in_diff) = ("\\u001b[2J\\u202e.txt", "\\u{1b}[2J\\u{202e}.txt");
        assert!(ran.out.contains(listed) || ran.out.contains(in_diff), "{story}");
        let acts =
            |ch: char| ch.is_control() && ch != '\n' || ('\u{2066}'..='\u{2069}').contains(&ch) || ch == '\u{202e}';
        assert!(!ran.out.contains(acts), "{story}");
    }
}

#[test]
fn short_names() {
    let (folder, _) = workspace(&[("one", "1"), ("two", "2")]);
    let root = folder.path();
    check(root, &["show", "b1"], 0, &["b1  applied"], &[]);
    check(root, &["show", "b1.1"], 0, &["b1  applied", "one change"], &[]);
    let shown = call(root, "get_patch_change", &json!({ "changeId": "b1.1" }));
    let change = shown.pointer("/files/0/changes/0/changeId").and_then(Value::as_str).unwrap();
    check(root, &["show", change], 0, &["one change"], &[]);
    check(root, &["show", "b9"], 1, &[], &["b9"]);
    check(root, &["undo", "b1.1", "--dry-run"], 0, &["Would take back"], &[]);
    check(root, &["undo", "b1.x", "--dry-run"], 1, &[], &["b1.x"]);
    check(root, &["undo", "b1", "b1.x", "--dry-run"], 2, &[], &["b17"]);
    check(root, &["log", "--since", "b1"], 0, &["b2"], &[]);
    check(root, &["diff", "b1"], 0, &["+1"], &[]);
}

#[test]
fn a_call_can_ask_for_doc_paths() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("App.rs"), "x").unwrap();
    let told =
        check(folder.path(), &["call", "list_directory", "--profile", "lines"], 0, &["\"docPath\":\"app.rs\""], &[]);
    assert!(!told.out.is_empty());
    let plain = check(folder.path(), &["call", "list_directory"], 0, &["App.rs"], &[]);
    assert!(!plain.out.contains("docPath"), "{}", plain.out);
}

#[test]
fn help_has_examples() {
    let (folder, _) = workspace(&[]);
    for command in ["log", "show", "undo", "redo", "review", "accept", "reject", "why", "diff", "trash"] {
        let told = check(folder.path(), &[command, "--help"], 0, &["atchwright ", command], &[]).out;
        assert!(!told.contains("--durability"), "only its own flags: {told}");
        check(folder.path(), &["help", command], 0, &[command], &[]);
    }
    let two = check(folder.path(), &["help"], 0, &["For people:\n", "For programs:\n", "help workspace"], &[]).out;
    assert!(
        two.find("\n  undo") < two.find("For programs") && two.find("For programs") < two.find("\n  call"),
        "{two}"
    );
    assert_eq!(check(folder.path(), &["--help"], 0, &["For people"], &[]).out, two);
    check(folder.path(), &["help", "workspace"], 0, &["--root", "--durability", "--deny-write", "--color"], &[]);
    check(folder.path(), &["help", "nothing"], 2, &[], &["nothing"]);
    check(folder.path(), &["completions", "bash"], 0, &["PATCHWRIGHT_COMPLETE"], &[]);
    for (theirs, ours) in
        [("status", "patchwright log"), ("revert", "patchwright undo"), ("blame", "patchwright why a.txt")]
    {
        check(folder.path(), &[theirs, "a.txt"], 2, &[], &[ours]);
    }
}

/// No settings of the user's, and a home for tests.
fn surroundings() -> Surroundings {
    Surroundings { home: home::at(), ..Surroundings::default() }
}

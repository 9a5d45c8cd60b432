//! Proof of sight by the ledger: a whole file is written only by a session that was shown all of it.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test sets up files and says no by panicking"
)]

use patchwright_app::report::Telling;
use patchwright_app::report::answer::answer;
use patchwright_app::report::text::text;
use patchwright_app::wire;
use patchwright_engine::{Durability, Options, Quiet, Session, Watch};
use patchwright_testkit::home;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

fn open(root: &Path) -> Session {
    Session::open(root, Options { durability: Durability::None, home: home::at(), ..Options::default() }).unwrap()
}

fn call(session: &Session, tool: &str, arguments: &Value) -> Value {
    let call = wire::call(tool, &arguments.to_string()).unwrap_or_else(|why| panic!("{tool} {arguments}: {why:?}"));
    answer(&session.call(&call, &Quiet))
}

/// A step: `tool {arguments}`, done by the session; or, done to `f` from outside, `disk TEXT`, `disk+ TEXT`; or
/// `other tool {arguments}`, done by another session that has read `f`.
fn step(root: &Path, session: &Session, step: &str) {
    let (word, rest) = step.split_once(' ').unwrap_or((step, "{}"));
    let file = root.join("f");
    match word {
        "disk" => fs::write(file, rest).unwrap(),
        "disk+" => fs::write(&file, fs::read_to_string(&file).unwrap() + rest).unwrap(),
        "other" => {
            let other = open(root);
            self::step(root, &other, "read_file {\"path\":\"f\"}");
            self::step(root, &other, rest);
        }
        "restore" => {
            let entries = call(session, "list_trash", &json!({}));
            let id = entries["data"]["entries"][0]["trashId"].clone();
            assert_eq!(call(session, "restore_file", &json!({ "trashId": id }))["ok"], true, "{entries}");
        }
        "apply" => {
            let batches = call(session, "list_batches", &json!({ "status": "proposed" }));
            let id = batches["data"]["batches"][0]["batchId"].clone();
            assert_eq!(call(session, "apply_batch", &json!({ "batchId": id }))["ok"], true, "{batches}");
        }
        tool => {
            let got = call(session, tool, &serde_json::from_str(rest).unwrap());
            let fine = got["ok"] == true || got["successful"] == true;
            assert!(fine, "{step}: {got}");
        }
    }
}

/// Takes the steps, then writes a whole file: what comes of it is `ok`, a reason, or the lines that were never shown.
fn check_at(path: &str, before: &[u8], steps: &[&str], want: &str) {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("f"), before).unwrap();
    std::os::unix::fs::symlink("f", root.path().join("link")).unwrap();
    let session = open(root.path());
    steps.iter().for_each(|one| step(root.path(), &session, one));
    let kept = fs::read(root.path().join(path)).unwrap();
    let got = call(&session, "write_file", &json!({ "path": path, "content": "mine\n" }));
    let came = match (&got["ok"], &got["error"]["details"]) {
        (Value::Bool(true), _) => "ok".to_owned(),
        (_, details) if details["unseenLines"].is_array() => details["unseenLines"].to_string(),
        (_, details) => details["reason"].as_str().unwrap_or_default().to_owned(),
    };
    assert_eq!(came, want, "{steps:?}: {got}");
    if want != "ok" {
        assert_eq!(got["error"]["kind"], "stale_file", "{steps:?}");
        assert_eq!(fs::read(root.path().join(path)).unwrap(), kept, "{steps:?}");
    }
}

fn check(steps: &[&str], want: &str) {
    check_at("f", b"l1\nl2\nl3\nl4\nl5\nl6\nl7\nl8\nl9\nl10\n", steps, want);
}

const READ: &str = r#"read_file {"path":"f"}"#;
const TO_5: &str = r#"read_file {"path":"f","endLine":5}"#;
const FROM_6: &str = r#"read_file {"path":"f","startLine":6}"#;

#[test]
fn what_readings_show() {
    check(&[], "unproven");
    check(&[READ], "ok");
    check(&[TO_5], "[[6,10]]");
    check(&[TO_5, FROM_6], "ok");
    check(&[FROM_6, TO_5], "ok");
    check(&[TO_5, r#"read_file {"path":"f","startLine":5,"endLine":8}"#], "[[9,10]]");
    check(&[r#"read_file {"path":"f","startLine":4,"endLine":5}"#], "[[1,3],[6,10]]");
    check(&[r#"read_file {"path":"f","maxBytes":1}"#], "[[1,10]]"); // not even a line
    check(&[r#"read_file {"path":"f","maxBytes":3}"#], "[[2,10]]");
    check(&[r#"read_file {"path":"f","maxBytes":7}"#], "[[3,10]]"); // the third line in part
    check(&[r#"read_file {"path":"f","maxBytes":31}"#], "ok");
    check(&[r#"read_file {"path":"f","startLine":11}"#], "[[1,10]]"); // beyond the end
    check(&[r#"read_file {"path":"f","startLine":99,"endLine":200}"#], "[[1,10]]");
    check(&[r#"read_file {"path":"f","hashes":true}"#], "ok");
    check(&[r#"read_file {"path":"f","hashes":true,"endLine":2}"#], "[[3,10]]");
    check(&[r#"read_file {"path":"f","hashes":true,"maxBytes":5}"#], "[[1,10]]");
    check(&[r#"read_file {"path":"f","hashes":true,"maxBytes":40}"#], "[[3,10]]");
    check(&[r#"read_file {"path":"link","endLine":5}"#, FROM_6], "ok"); // the same file by another name
    check(&[r#"workspace_read_file {"docPath":"f"}"#], "ok");
    check(&[r#"workspace_read_file {"docPath":"f","maxBytes":3}"#], "[[2,10]]");
    check(&[r#"read_file {"path":"f","encoding":"iso-8859-1"}"#], "ok");
    check(&[r#"read_file {"path":"f","encoding":"iso-8859-1","endLine":5}"#, FROM_6], "ok"); // the same text
    // What a wrong charset makes of it is not its text.
    check(&[r#"read_file {"path":"f","encoding":"utf-16le"}"#], "[[1,10]]");
    check(&[TO_5, r#"read_file {"path":"f","encoding":"utf-16le"}"#], "[[6,10]]");
    check_at("f", "é\n".as_bytes(), &[r#"read_file {"path":"f","encoding":"iso-8859-1"}"#], "[[1,1]]");
    check_at("f", b"\xe9\n", &[r#"read_file {"path":"f","encoding":"iso-8859-1"}"#], "ok");
    check(&[r#"read_file {"path":"f","endLine":5,"allowBinary":true}"#], "[[6,10]]");
    // Neither searches nor listings show lines.
    check(&[r#"search_files {"query":"l5","mode":"text","contextLines":10}"#], "unproven");
    check(&[r#"search_files {"query":"l","mode":"text","hashes":true}"#, TO_5], "[[6,10]]");
    check(&[r#"list_directory {"hashes":true}"#], "unproven");
    check(&[r#"list_directory {"hashes":true}"#, TO_5], "[[6,10]]");
}

#[test]
fn files_without_lines_and_with_long_ones() {
    check_at("f", b"", &[], "unproven");
    check_at("f", b"", &[r#"list_directory {"hashes":true}"#], "ok");
    check_at("f", b"", &[READ], "ok");
    check_at("f", b"", &[r#"read_file {"path":"f","startLine":7}"#], "ok");
    check_at("f", b"long line\n", &[r#"read_file {"path":"f","maxBytes":4}"#], "[[1,1]]");
    check_at("f", b"long line", &[r#"read_file {"path":"f","maxBytes":8}"#], "[[1,1]]");
    check_at("f", b"long line", &[r#"read_file {"path":"f","maxBytes":9}"#], "ok");
    check_at("f", b"a\nlong line\n", &[r#"read_file {"path":"f","startLine":2,"maxBytes":4}"#], "[[1,2]]");
    // Bytes that are no text: all of them, or none.
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("f"), b"\0\x01\x02 no text\n").unwrap();
    let session = open(root.path());
    let write = json!({ "path": "f", "content": "mine\n", "newline": "verbatim" });
    for (bytes, want) in [(1, json!(false)), (100, json!(true))] {
        call(&session, "read_file", &json!({ "path": "f", "allowBinary": true, "maxBytes": bytes }));
        assert_eq!(call(&session, "write_file", &write)["ok"], want, "{bytes}");
    }
}

#[test]
fn what_the_session_wrote_it_has_seen() {
    let edit = r#"edit_file {"path":"f","edits":[{"oldText":"l3","newText":"x\ny"}]}"#;
    let last = r#"edit_file {"path":"f","edits":[{"oldText":"l9\n","newText":""}]}"#;
    let patch =
        r#"apply_patch {"patch":"*** Begin Patch\n*** Update File: f\n@@\n l2\n-l3\n+x\n+y\n l4\n*** End Patch\n"}"#;
    check(&[READ, edit], "ok");
    check(&[READ, edit, last, patch.replace("l3", "x\\n-y").as_str()], "ok");
    check(&[TO_5, edit], "[[7,11]]"); // what was unseen stays so, and moves along
    check(&[TO_5, last], "[[6,9]]");
    check(&[FROM_6, edit], "[[1,2],[5,6]]"); // whole lines of its own
    check(&[TO_5, edit, r#"read_file {"path":"f","startLine":7}"#], "ok");
    // A part of a line that was never shown.
    check(&[FROM_6, r#"edit_file {"path":"f","edits":[{"oldText":"3","newText":"X"}]}"#], "[[1,5]]");
    check(&[patch], "[[1,2],[5,11]]"); // a patch needs no look, and shows its own lines
    check(&[READ, r#"write_file {"path":"f","content":"new\ntext\n"}"#], "ok");
    check(&[READ, r#"delete_file {"path":"f"}"#, r#"create_file {"path":"f","content":"a\nb\n"}"#], "ok");
    check(&[READ, r#"edit_file {"path":"f","edits":[{"oldText":"l3","newText":"x"}],"dryRun":true}"#], "ok");
    let far = r#"edit_file {"path":"f","edits":[{"oldText":"l2","newText":"x"},{"oldText":"l9","newText":"y"}]}"#;
    check(&[r#"read_file {"path":"f","startLine":4,"endLine":6}"#, far], "[[1,1],[3,3],[7,8],[10,10]]");
}

#[test]
fn what_others_wrote_it_has_not() {
    check(&[READ, "disk+ l11\n"], "changed_since_seen");
    check(&[READ, "disk+ l11\n", r#"read_file {"path":"f","startLine":99}"#], "[[11,11]]");
    check(&[READ, "disk+ l11\n", r#"read_file {"path":"f","startLine":11}"#], "ok");
    check(&[TO_5, "disk+ l11\n", r#"read_file {"path":"f","startLine":11}"#], "[[6,10]]");
    check(&[READ, "disk other\nl2\nl3\n", r#"read_file {"path":"f","startLine":2}"#], "[[1,1]]");
    let edit = r#"edit_file {"path":"f","edits":[{"oldText":"l5","newText":"theirs"}]}"#;
    let patch = r#"apply_patch {"patch":"*** Begin Patch\n*** Update File: f\n@@\n-l9\n+x\n*** End Patch\n"}"#;
    let theirs = format!("other {edit}");
    check(&[READ, theirs.as_str()], "changed_since_seen");
    // An edit of its own does not show a session what somebody else did.
    check(&[READ, theirs.as_str(), patch], "[[5,5]]");
    check(&[READ, theirs.as_str(), r#"read_file {"path":"f","startLine":5,"endLine":5}"#], "ok");
    check(&[READ, "disk+ l11\n", r#"list_directory {"hashes":true}"#], "changed_since_seen");
    // That lines are gone shows where those around them were read since.
    let gone = r#"other edit_file {"path":"f","edits":[{"oldText":"l5\n","newText":""}]}"#;
    let first = r#"read_file {"path":"f","endLine":1}"#;
    check(&[READ, gone, patch], "[[4,5]]");
    check(&[READ, gone, first], "[[4,5]]");
    check(&[READ, "disk l1\nl2\nl3\nl4\nl5\n", first], "[[5,5]]");
    check(&[READ, gone, first, r#"read_file {"path":"f","startLine":4,"endLine":5}"#], "ok");
}

#[test]
fn files_that_move_and_come_back() {
    let old = b"l1\nl2\nl3\n";
    let delete = r#"delete_file {"path":"f"}"#;
    let moved = r#"move_file {"fromPath":"f","toPath":"g"}"#;
    let part = r#"read_file {"path":"f","endLine":2}"#;
    let list = r#"list_directory {"hashes":true}"#;
    check_at("g", old, &[READ, moved], "ok");
    check_at("g", old, &[part, moved], "[[3,3]]");
    check_at("g", old, &[list, moved], "unproven");
    check_at("f", old, &[READ, delete, "restore"], "ok"); // the same bytes, which it has seen
    check_at("f", old, &[READ, delete, r#"undo {"path":"f"}"#], "ok");
    check_at("f", old, &[part, delete, "restore"], "[[1,3]]");
    check_at("f", old, &[list, delete, "restore"], "[[1,3]]");
    let edit = r#"edit_file {"path":"f","edits":[{"oldText":"l2","newText":"x"}]}"#;
    check_at("f", old, &[READ, edit, r#"undo {"path":"f"}"#], "ok");
    let write = r#"write_file {"path":"f","content":"mine\n"}"#;
    check_at("f", old, &[READ, write, r#"undo {"path":"f"}"#], "ok");
    check_at("f", old, &[READ, write, r#"undo {"path":"f"}"#, r#"undo {"batchId":"b2"}"#], "ok");
    check_at("f", old, &[READ, moved, r#"undo {"path":"g"}"#], "ok");
    // Another program put back what it had seen: it is told, and needs no second look at all of it.
    check_at("f", old, &[READ, write, "disk l1\nl2\nl3\n"], "changed_since_seen");
    check_at("f", old, &[READ, write, "disk l1\nl2\nl3\n", part], "ok");
    check_at("f", old, &[part, edit, r#"undo {"path":"f"}"#], "[[2,3]]");
    let proposed = r#"edit_file {"path":"f","edits":[{"oldText":"l2","newText":"x"}],"mode":"propose"}"#;
    check_at("f", old, &[READ, proposed, "apply"], "[[2,2]]");
}

/// The refusal as a model reads it, with ids and times taken out.
/// What an Add or a Move puts itself in place of was seen as it is, or never.
#[test]
fn a_patch_replaces_no_version_that_was_not_seen() {
    let add = "*** Begin Patch\n*** Add File: f\n+mine\n*** End Patch\n";
    let over = "*** Begin Patch\n*** Move File: g -> f\n*** End Patch\n";
    for (patch, steps, want) in [
        (add, &[][..], json!(true)),
        (add, &[READ], json!(true)),
        (add, &[READ, "disk theirs\n"], json!("stale_file")),
        (over, &[READ], json!(true)),
        (over, &[READ, "disk theirs\n"], json!("stale_file")),
        (over, &[READ, "disk theirs\n", READ], json!(true)),
    ] {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("f"), "one\n").unwrap();
        fs::write(root.path().join("g"), "g\n").unwrap();
        let session = open(root.path());
        steps.iter().for_each(|one| step(root.path(), &session, one));
        let kept = fs::read(root.path().join("f")).unwrap();
        let got = call(&session, "apply_patch", &json!({ "patch": patch, "conventions": "codex" }));
        let came = if got["ok"] == true { json!(true) } else { got["error"]["kind"].clone() };
        assert_eq!(came, want, "{patch} {steps:?}: {got}");
        assert_eq!(fs::read(root.path().join("f")).unwrap() == kept, want != true, "{patch} {steps:?}");
    }
}

fn refused(session: &Session, tool: &str, arguments: &Value) -> (String, Value) {
    let call = wire::call(tool, &arguments.to_string()).unwrap();
    let outcome = session.call(&call, &Quiet);
    (text(&outcome, &Telling::ALL), answer(&outcome)["error"]["details"].clone())
}

#[test]
fn a_refusal_names_the_lines_that_were_not_shown() {
    let root = tempfile::tempdir().unwrap();
    let lines: String = (1..=300).map(|line| format!("line {line}\n")).collect();
    fs::write(root.path().join("a.rs"), &lines).unwrap();
    fs::write(root.path().join("long"), format!("{}\nshort\n", "x".repeat(40_000))).unwrap();
    let session = open(root.path());
    let read = |arguments: Value| assert_eq!(call(&session, "read_file", &arguments)["ok"], true);
    let write = |path: &str| refused(&session, "write_file", &json!({ "path": path, "content": "x\n" }));

    read(json!({ "path": "a.rs", "endLine": 80 }));
    let (told, details) = write("a.rs");
    assert_eq!(
        told,
        "stale_file: Lines 81-300 of a.rs do not count as shown to you in this session, so writing the whole file could overwrite text that you have not seen. Nothing was changed.\n\
         Next step: Call read_file {\"path\":\"a.rs\",\"startLine\":81}, and then write_file again. For a small change use edit_file instead: it needs only the text that it replaces."
    );
    assert_eq!((&details["reason"], &details["unseenLines"]), (&json!("unproven"), &json!([[81, 300]])));

    read(json!({ "path": "a.rs", "startLine": 91, "endLine": 299 }));
    let (told, _) = write("a.rs");
    assert!(told.contains("Lines 81-90, 300 of a.rs do not count as shown to you in this session"), "{told}");
    assert!(told.contains("Call read_file {\"path\":\"a.rs\",\"startLine\":81}, and then write_file again."), "{told}");
    read(json!({ "path": "a.rs", "startLine": 81, "endLine": 90 }));
    assert!(write("a.rs").0.contains("Line 300 of a.rs does not count as shown to you in this session"));

    // A line that no reading shows whole unless it may be so long.
    read(json!({ "path": "long", "maxBytes": 24_576 }));
    let (told, _) = write("long");
    assert!(told.contains("The text of long does not count as shown to you in this session"), "{told}");
    assert!(told.contains("read_file {\"path\":\"long\",\"startLine\":1,\"maxBytes\":65536}"), "{told}");
    read(json!({ "path": "long", "startLine": 1, "maxBytes": 65536 }));
    assert_eq!(call(&session, "write_file", &json!({ "path": "long", "content": "x\n" }))["ok"], true);
}

#[test]
fn of_a_large_file_no_lines_are_shown() {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("f"), "large\n".repeat(60_000)).unwrap();
    let session = open(root.path());
    step(root.path(), &session, READ);
    step(root.path(), &session, "disk+ x\n");
    let (told, _) = refused(&session, "write_file", &json!({ "path": "f", "content": "mine\n" }));
    assert!(told.contains(" It is too large for the lines that changed to be shown here.\n"), "{told}");
}

/// A batch of files that may not be read is called as its caller called it.
#[test]
fn a_hidden_batch_has_its_short_name() {
    let root = tempfile::tempdir().unwrap();
    fs::create_dir(root.path().join("sec")).unwrap();
    let made = call(&open(root.path()), "create_file", &json!({ "path": "sec/k", "content": "x\n" }));
    assert_eq!(made["ok"], true, "{made}");
    let mut options = Options { durability: Durability::None, home: home::at(), ..Options::default() };
    options.settings.read.deny.push("sec/**".to_owned());
    let session = Session::open(root.path(), options).unwrap();
    let (told, _) = refused(&session, "undo", &json!({ "batchId": "b1" }));
    assert!(told.starts_with("permission_denied: b1 is about a file that may not be read here"), "{told}");
}

/// Takes the steps, then edits: what the refusal shows of the changes since, and its details.
fn check_since(steps: &[&str], expected: Option<&str>, want: &str, changed_by: usize, others: bool) {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("f"), "l1\nl2\nl3\nl4\nl5\nl6\n").unwrap();
    let session = open(root.path());
    steps.iter().for_each(|one| step(root.path(), &session, one));
    let mut ask = json!({ "path": "f", "content": "mine\n" });
    if let Some(hash) = expected {
        ask["expectedSha256"] = hash.into();
    }
    let (told, details) = refused(&session, "write_file", &ask);
    assert!(told.contains(want), "{steps:?}: {told}");
    assert!(!told.contains(details["actualSha256"].as_str().unwrap().get(..12).unwrap()), "{told}");
    assert!(told.len() < 3000, "{told}");
    assert_eq!(details["changedBy"].as_array().map_or(0, Vec::len), changed_by, "{steps:?}: {details}");
    assert_eq!(details["changedByOthers"] == true, others, "{steps:?}: {details}");
    // What the next step names shows enough to go on.
    if let Some((_, call_text)) = told.split_once("Next step: Call read_file ") {
        let reading = serde_json::from_str(
            call_text.split_once(", then").unwrap().0.trim_end_matches(", which shows what changed"),
        )
        .unwrap();
        let read = call(&session, "read_file", &reading);
        if expected.is_some() {
            ask["expectedSha256"] = read["data"]["sha256"].clone();
        }
        let again = call(&session, "write_file", &ask);
        assert_eq!(again["ok"], true, "{steps:?}: {told}\n{again}");
    }
}

#[test]
fn a_stale_file_tells_what_changed_and_by_whom() {
    let edit = r#"other edit_file {"path":"f","edits":[{"oldText":"l5","newText":"five\nsix"}]}"#;
    let own = r#"edit_file {"path":"f","edits":[{"oldText":"l1","newText":"one"}]}"#;
    let shown = "What changed since you saw it (- then, + now):\n";
    // By a batch: both sides are on record.
    let diff = format!("{shown}@@ -2,5 +2,6 @@\n l2\n l3\n l4\n-l5\n+five\n+six\n l6\nNext step: ");
    check_since(&[READ, edit], None, &diff, 1, false);
    check_since(
        &[READ, edit],
        None,
        "Call read_file {\"path\":\"f\",\"startLine\":5,\"endLine\":6}, which shows what changed, then",
        1,
        false,
    );
    // By another program: the lines that were seen are known by their hashes alone.
    let diff = format!("{shown}@@ -5,2 +5,3 @@\n l5\n l6\n+l7\nNext step: ");
    check_since(&[READ, "disk+ l7\n"], None, &diff, 0, true);
    check_since(&[READ, "disk l1\nl2\nx\nl4\nl5\nl6\n"], None, "\\ 1 line stood here before\n+x\n", 0, true);
    // By another program, after a batch of one's own.
    check_since(
        &[READ, own, "disk one\nl2\nl3\nl4\nl5\nl6\nl7\n"],
        None,
        "@@ -4,3 +4,4 @@\n l4\n l5\n l6\n+l7\n",
        0,
        true,
    );
    // What is no text of a line.
    let crlf = "disk l1\r\nl2\r\nl3\r\nl4\r\nl5\r\nl6\r\n";
    check_since(&[READ, crlf], None, " Its line ends changed from lf to crlf.\n", 0, true);
    check_since(&[READ, "disk l1\nl2\nl3\nl4\nl5\nl6"], None, " Its last line no longer ends in a newline.\n", 0, true);
    let mark = "disk \u{feff}l1\nl2\nl3\nl4\nl5\nl6\n";
    check_since(&[READ, mark], None, " It begins with a byte-order mark now.\n", 0, true);
    check_since(&[READ, own, "disk one\nl2\nl3\nl4\nl5\nl6"], None, "no longer ends in a newline.\n", 0, true);
    // A hash that nobody knows.
    check_since(
        &[READ],
        Some(&"0".repeat(64)),
        "The hash that you gave is of no version of it that is on record.",
        0,
        false,
    );
    check_since(&[READ, "disk+ l7\n"], Some(&"0".repeat(64)), "of no version", 0, false);
    // More than there is room for.
    let long = format!("disk {}", "a long line of text that is different\n".repeat(500));
    check_since(&[READ, &long], None, "and more, left out here\nNext step", 0, true);
}

fn sha256(text: &str) -> String {
    patchwright_core::digest::Digest::of(text.as_bytes()).to_string()
}

/// What comes of a call with a hash that begins so, in a session that has seen nothing.
fn check_hash(tool: &str, arguments: &Value, want: &str) {
    let root = tempfile::tempdir().unwrap();
    for (name, text) in [("f", "one\n"), ("g", "two\n")] {
        fs::write(root.path().join(name), text).unwrap();
    }
    let session = open(root.path());
    let outcome = match wire::call(tool, &arguments.to_string()) {
        Ok(call) => session.call(&call, &Quiet),
        Err(wire::Rejected::Refused(refusal)) => Err(session.record_refusal(tool, &[], refusal.into())),
        Err(other) => panic!("{other:?}"),
    };
    let (got, told) = (answer(&outcome), text(&outcome, &Telling::ALL));
    let kind = if got["ok"] == true { "ok" } else { got["error"]["kind"].as_str().unwrap() };
    assert_eq!(kind, want, "{tool} {arguments}: {told}");
    if kind == "invalid_arguments" {
        assert!(told.contains("at least the first 12"), "{told}");
    }
}

#[test]
fn a_hash_may_be_given_by_its_first_digits() {
    let (one, two) = (sha256("one\n"), sha256("two\n"));
    let cut = |digits: usize| one.get(..digits).unwrap().to_owned();
    let wrong = |digits: usize| {
        let last = if one.get(digits - 1..digits) == Some("0") { "1" } else { "0" };
        cut(digits - 1) + last
    };
    for (hash, want) in [
        (one.clone(), "ok"),
        (cut(12), "ok"),
        (cut(13), "ok"),
        (cut(63), "ok"),
        (cut(12).to_uppercase(), "ok"),
        (one.to_uppercase(), "ok"),
        (wrong(12), "stale_file"),
        (wrong(13), "stale_file"),
        (wrong(64), "stale_file"),
        (two.get(..12).unwrap().to_owned(), "stale_file"),
        ("0".repeat(12), "stale_file"),
        (cut(11), "invalid_arguments"),
        (cut(1), "invalid_arguments"),
        (String::new(), "invalid_arguments"),
        (one.clone() + "0", "invalid_arguments"),
        (cut(11) + "g", "invalid_arguments"),
        (cut(11) + " ", "invalid_arguments"),
        (cut(11) + "é", "invalid_arguments"),
    ] {
        check_hash("write_file", &json!({ "path": "f", "content": "x\n", "expectedSha256": hash }), want);
        let edit = json!([{ "oldText": "one", "newText": "x" }]);
        check_hash("edit_file", &json!({ "path": "f", "edits": edit, "expectedSha256": hash }), want);
        check_hash("delete_file", &json!({ "path": "f", "expectedSha256": hash }), want);
        let moved = json!({ "fromPath": "g", "toPath": "f", "overwrite": true, "expectedSha256": two.get(..12), "expectedTargetSha256": hash });
        check_hash("move_file", &moved, want);
        // In a map, what is no hash cannot be of the file.
        let want = if want == "invalid_arguments" { "stale_file" } else { want };
        let patch = "*** Begin Patch\n*** Update File: f\n@@\n-one\n+x\n*** End Patch\n";
        check_hash("apply_patch", &json!({ "patch": patch, "expectedSha256ByPath": { "f": hash } }), want);
    }
}

#[test]
fn a_line_patch_takes_whole_hashes_only() {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("f"), "one\n").unwrap();
    let session = open(root.path());
    let change = json!({ "operation": "replace", "startLine": 1, "endLine": 1, "expectedOriginalLines": ["one"], "newLines": ["x"] });
    let ask = |hash: &str| json!({ "files": [{ "docPath": "f", "originalSha256": hash, "changes": [change] }] });
    let whole = sha256("one\n");
    let got = call(&session, "workspace_write_patch", &ask(whole.get(..12).unwrap()));
    assert_eq!(
        (&got["successful"], &got["errors"][0]["errorCode"]),
        (&json!(false), &json!("invalid_arguments")),
        "{got}"
    );
    assert!(got["errors"][0]["message"].as_str().unwrap().contains("all 64 hexadecimal digits"), "{got}");
    assert_eq!(call(&session, "workspace_write_patch", &ask(&whole))["successful"], true);
}

/// A hash and its beginning are different arguments of one key; upper and lower case are the same.
#[test]
fn a_key_goes_with_the_hash_as_it_was_given() {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("f"), "one\n").unwrap();
    let session = open(root.path());
    let whole = sha256("one\n");
    let write = |hash: &str| {
        let ask = json!({ "path": "f", "content": "x\n", "expectedSha256": hash, "idempotencyKey": "k" });
        call(&session, "write_file", &ask)
    };
    assert_eq!(write(whole.get(..12).unwrap())["ok"], true);
    assert_eq!(write(&whole.get(..12).unwrap().to_uppercase())["replayed"], true);
    assert_eq!(write(&whole)["error"]["kind"], "invalid_arguments");
}

/// Counts how often a call asks whether to go on, and saves the file when it asks for the last time: it has looked then.
struct Rival<'a> {
    file: &'a Path,
    asked: AtomicUsize,
    last: usize,
}

impl Watch for Rival<'_> {
    fn cancelled(&self) -> bool {
        if self.asked.fetch_add(1, Ordering::Relaxed) + 1 == self.last {
            fs::write(self.file, "theirs\n").unwrap();
        }
        false
    }
}

#[test]
fn at_the_swap_the_whole_hash_counts() {
    let root = tempfile::tempdir().unwrap();
    let file = root.path().join("f");
    fs::write(&file, "one\n").unwrap();
    let session = open(root.path());
    let write = |dry: bool, last: usize| {
        let hash = sha256("one\n").get(..12).unwrap().to_owned();
        let ask = json!({ "path": "f", "content": "x\n", "expectedSha256": hash, "dryRun": dry });
        let call = wire::call("write_file", &ask.to_string()).unwrap();
        let rival = Rival { file: &file, asked: AtomicUsize::new(0), last };
        (answer(&session.call(&call, &rival)), rival.asked.into_inner())
    };
    let (_, last) = write(true, 0);
    let (got, _) = write(false, last);
    assert_eq!(got["error"]["details"]["reason"], "changed_meanwhile", "{got}");
    assert_eq!(got["error"]["details"]["expectedSha256"], sha256("one\n").as_str());
    assert_eq!(fs::read_to_string(&file).unwrap(), "theirs\n");
}

#[test]
fn a_beginning_of_a_hash_on_record_tells_what_changed() {
    let edit = r#"other edit_file {"path":"f","edits":[{"oldText":"l5","newText":"five"}]}"#;
    let before = sha256("l1\nl2\nl3\nl4\nl5\nl6\n");
    check_since(&[edit], Some(&before), "-l5\n+five\n", 1, false);
    check_since(&[edit], before.get(..12), "-l5\n+five\n", 1, false);
    check_since(&[edit], Some(&"0".repeat(12)), "of no version", 0, false);
}

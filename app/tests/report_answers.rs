//! What goes through, as JSON and as text: one golden answer for every shape, each also held against the
//! table of tools.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that fails shall panic")]

use patchwright_app::report::{Telling, answer, text};
use patchwright_core::anchor::{Form, Quality, Shown};
use patchwright_core::batch::*;
use patchwright_core::digest::Digest;
use patchwright_core::outcome::*;
use patchwright_core::refusal::Sort;
use patchwright_core::text::Cut;
use patchwright_core::text::NewlineStyle;
use patchwright_core::tool::{self, Field, Need, Shape};
use patchwright_core::warning::Warning;
use serde_json::{Value, json};

/// As a reader who can call every tool is told.
fn text(outcome: &Result<Reply, Failed>) -> String {
    text::text(outcome, &Telling::ALL)
}

const EMPTY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

fn sha() -> Digest {
    Digest::of(b"")
}

fn reply(answer: Answer) -> Reply {
    Reply { answer, warnings: Vec::new(), audit_head: None, replayed: Replayed::No }
}

fn check(tool: &str, reply: Reply, data: Value, words: &str) {
    let outcome = Ok(reply);
    let got = answer(&outcome);
    assert_eq!(got, json!({ "ok": true, "data": data }), "{tool}");
    assert_eq!(text(&outcome), words, "{tool}");
    fits(tool, tool::find(tool).unwrap().answer, &got["data"]);
}

/// Every field is in the table, and what the table promises is there.
fn fits(at: &str, fields: &[Field], value: &Value) {
    let object = value.as_object().unwrap();
    for name in object.keys() {
        assert!(fields.iter().any(|field| field.name == name), "{at}: {name} is not in the table");
    }
    for field in fields {
        match object.get(field.name) {
            Some(value) => fits_shape(&format!("{at}.{}", field.name), &field.shape, value),
            None => assert_ne!(field.need, Need::Required, "{at}: {} is missing", field.name),
        }
    }
}

fn fits_shape(at: &str, shape: &Shape, value: &Value) {
    match shape {
        Shape::Text => assert!(value.is_string(), "{at}"),
        Shape::Flag => assert!(value.is_boolean(), "{at}"),
        Shape::Whole => assert!(value.is_i64(), "{at}"),
        Shape::List(item) => value.as_array().unwrap().iter().for_each(|value| fits_shape(at, item, value)),
        Shape::Record(fields) => fits(at, fields, value),
    }
}

fn anchor(line: usize) -> Shown {
    Shown { line, form: Form::Short(0xa1b2c3), quality: Quality::High }
}

fn view() -> FileView {
    FileView {
        path: "src/a.rs".into(),
        content: ViewContent::Text("one\ntwo\n".into()),
        encoding: "utf-8".into(),
        start_line: 1,
        end_line: 2,
        line_count: 2,
        size: 8,
        sha256: sha(),
        cut: None,
        newline_style: NewlineStyle::Lf,
        has_bom: false,
        final_newline: true,
        anchors: None,
    }
}

fn viewed(change: impl Fn(&mut FileView), fields: Value, words: &str) {
    let mut view = view();
    change(&mut view);
    let mut data = json!({
        "path": "src/a.rs", "content": "one\ntwo\n", "encoding": "utf-8", "startLine": 1, "endLine": 2, "lineCount": 2, "sizeBytes": 8,
        "sha256": EMPTY, "truncated": false, "binary": false, "newlineStyle": "lf", "hasBom": false, "finalNewline": true,
    });
    for (name, value) in fields.as_object().unwrap() {
        data[name] = value.clone();
    }
    data.as_object_mut().unwrap().retain(|_, value| !value.is_null());
    check("read_file", reply(Answer::File(view)), data, words);
}

#[test]
fn files() {
    viewed(|_| {}, json!({}), "src/a.rs: lines 1-2 of 2\none\ntwo\n");
    viewed(
        |view| {
            view.cut = Some(Cut::GoOnAt(3));
            view.line_count = 9;
            view.newline_style = NewlineStyle::Crlf;
            view.has_bom = true;
        },
        json!({ "truncated": true, "nextStartLine": 3, "lineCount": 9, "newlineStyle": "crlf", "hasBom": true }),
        "src/a.rs: lines 1-2 of 9, newlines crlf, byte-order mark; cut at maxBytes, go on with startLine 3\none\ntwo\n",
    );
    viewed(
        |view| {
            view.content = ViewContent::Text(String::new());
            (view.start_line, view.end_line) = (5, 4);
            view.newline_style = NewlineStyle::Mixed;
            view.final_newline = false;
        },
        json!({ "content": "", "startLine": 5, "endLine": 4, "newlineStyle": "mixed", "finalNewline": false }),
        "src/a.rs: no lines from 5, of 2, newlines mixed, no final newline",
    );
    viewed(
        |view| {
            view.content = ViewContent::Bytes(vec![0, 1, 255]);
            view.encoding = "binary".into();
            view.newline_style = NewlineStyle::None;
        },
        json!({ "content": null, "contentBase64": "AAH/", "encoding": "binary", "binary": true, "newlineStyle": "none" }),
        "src/a.rs: base64 of 8 B\nAAH/",
    );
    viewed(
        |view| {
            view.content = ViewContent::Text("1#a1b2c3 [high]|one\n2#~0c812f1b [low]|}\n".into());
            view.anchors = Some(vec![anchor(1), anchor(2)]);
        },
        json!({
            "content": "1#a1b2c3 [high]|one\n2#~0c812f1b [low]|}\n",
            "anchorFormat": "v1",
            "recommendedAnchors": ["1#a1b2c3", "2#a1b2c3"],
        }),
        "src/a.rs: lines 1-2 of 2\n1#a1b2c3 [high]|one\n2#~0c812f1b [low]|}\n",
    );
    viewed(
        |view| view.anchors = Some(Vec::new()),
        json!({ "anchorFormat": "v1", "recommendedAnchors": [] }),
        "src/a.rs: lines 1-2 of 2\none\ntwo\n",
    );
    viewed(
        |view| view.content = ViewContent::Text("a\u{1b}[31m\u{202e}\n".into()),
        json!({ "content": "a\u{1b}[31m\u{202e}\n" }),
        "src/a.rs: lines 1-2 of 2\na\u{1b}[31m\u{202e}\n",
    );
}

fn entry(path: &str, sort: Sort, depth: usize) -> Entry {
    Entry { path: path.into(), sort, size: 3, mtime_ns: 1_500_000_000, depth, sha256: None }
}

#[test]
fn a_hash_where_no_ledger_serves() {
    let outcome = Ok(reply(Answer::File(view())));
    let told = text::text(&outcome, &Telling { hashes: true, ..Telling::ALL });
    assert_eq!(told, format!("src/a.rs: lines 1-2 of 2; sha256 {}\none\ntwo\n", &EMPTY[..12]));
}

#[test]
fn listings() {
    let entries =
        vec![entry("src/a\nb", Sort::File, 0), entry("src/d", Sort::Folder, 0), entry("src/d/l", Sort::Link, 1)];
    let row = |name: &str, path: &str, sort: &str, depth: u32| json!({ "name": name, "relativePath": path, "type": sort, "size": 3, "mtime": "1970-01-01T00:00:01.500Z", "depth": depth });
    let rows =
        [row("a\nb", "src/a\nb", "file", 0), row("d", "src/d", "directory", 0), row("l", "src/d/l", "symlink", 1)];
    check(
        "list_directory",
        reply(Answer::Listing(Listing { path: "src".into(), entries: entries.clone(), next_cursor: None })),
        json!({ "path": "src", "entries": rows, "truncated": false }),
        "src: 3 entries\n\"a\\nb\" 3 B\nd/\n  l (symlink)\n",
    );
    check(
        "list_directory",
        reply(Answer::Listing(Listing { path: ".".into(), entries: vec![], next_cursor: Some("c1".into()) })),
        json!({ "path": ".", "entries": [], "truncated": true, "nextCursor": "c1" }),
        ".: 0 entries; there are more, go on with cursor \"c1\"",
    );
    let found =
        |name: &str, sort: &str| json!({ "path": name, "type": sort, "size": 3, "mtime": "1970-01-01T00:00:01.500Z" });
    check(
        "glob",
        reply(Answer::Globbed(Globbed { matches: entries, truncated: true })),
        json!({ "matches": [found("src/a\nb", "file"), found("src/d", "directory"), found("src/d/l", "symlink")], "truncated": true }),
        "3 matches; there are more, narrow the pattern or raise maxResults\n\"src/a\\nb\" 3 B\nsrc/d/\nsrc/d/l (symlink)\n",
    );
}

#[test]
fn searches() {
    let place = Place {
        line: 7,
        column: 3,
        length: 1,
        preview: "a b".into(),
        before: vec!["x".into()],
        after: vec!["y".into(), "z".into()],
        anchor: None,
    };
    let bare = Place { before: vec![], after: vec![], ..place.clone() };
    let anchored = Place { anchor: Some(anchor(7)), ..bare.clone() };
    let matches = vec![
        Hit { path: "a.rs".into(), place: Some(place) },
        Hit { path: "b.rs".into(), place: Some(bare) },
        Hit { path: "b.rs".into(), place: Some(anchored) },
        Hit { path: "c.rs".into(), place: None },
    ];
    check(
        "search_files",
        reply(Answer::Hits(Hits { matches, truncated: true, files_scanned: 1, context_lines: 2 })),
        json!({
            "matches": [
                { "path": "a.rs", "line": 7, "column": 3, "preview": "a b", "before": ["x"], "after": ["y", "z"] },
                { "path": "b.rs", "line": 7, "column": 3, "preview": "a b", "before": [], "after": [] },
                { "path": "b.rs", "line": 7, "column": 3, "preview": "a b", "anchor": "7#a1b2c3", "before": [], "after": [] },
                { "path": "c.rs" },
            ],
            "truncated": true,
            "filesScanned": 1,
        }),
        "4 matches in 1 file searched; there are more, narrow the search or raise maxResults\n\
         a.rs\n6- x\n7: a b\n8- y\n9- z\nb.rs\n7: a b\n7#a1b2c3 [high]|a b\nc.rs\n",
    );
}

fn changed() -> Changed {
    Changed {
        path: "b.txt".into(),
        real: None,
        from: None,
        operation: Operation::Update,
        before: Some(Digest::of(b"before")),
        after: Some(sha()),
        size: 4,
        holds: None,
        places: Vec::new(),
        diff: "--- a/b.txt\n".into(),
        diff_cut: false,
        batch: Some(BatchName::new("B1", 17)),
        trash: None,
        extent: Extent::Done,
        concurrency: Concurrency::Verified,
    }
}

fn change(tool: &str, edit: impl Fn(&mut Changed), fields: Value, words: &str) {
    let mut change = changed();
    edit(&mut change);
    let mut data = json!({
        "path": "b.txt", "beforeSha256": Digest::of(b"before").to_string(), "afterSha256": EMPTY, "sizeBytes": 4,
        "diff": "--- a/b.txt\n", "batchId": "B1", "batch": "b17",
        "concurrency": "verified",
    });
    for (name, value) in fields.as_object().unwrap() {
        data[name] = value.clone();
    }
    data.as_object_mut().unwrap().retain(|_, value| !value.is_null());
    check(tool, reply(Answer::Changed(change)), data, words);
}

#[test]
fn new_content() {
    let place = |before, after| EditPlace { before, after };
    change("write_file", |_| {}, json!({}), "b17: wrote b.txt (4 B)");
    change(
        "write_file",
        |change| change.before = change.after,
        json!({ "beforeSha256": EMPTY }),
        "b17: changed the mode of b.txt",
    );
    for (places, words) in [
        (vec![place((3, 1), (3, 1))], "line 3"),
        (vec![place((3, 2), (3, 0))], "2 lines deleted after line 2; lines below 2 moved by -2"),
        (
            vec![place((3, 1), (3, 1)), place((3, 1), (3, 1)), place((9, 1), (9, 2))],
            "3 places: lines 3, 9-10; lines below 10 moved by +1",
        ),
    ] {
        change(
            "edit_file",
            |change| change.places.clone_from(&places),
            json!({}),
            &format!("b17: edited b.txt, {words}"),
        );
    }
}

#[test]
fn changes() {
    change(
        "create_file",
        |change| {
            change.operation = Operation::Create;
            change.before = None;
            change.concurrency = Concurrency::Checked;
        },
        json!({ "beforeSha256": null, "concurrency": "checked" }),
        "b17: created b.txt (4 B)",
    );
    change(
        "delete_file",
        |change| {
            change.operation = Operation::Delete;
            change.after = None;
            change.trash = Some("T1".into());
        },
        json!({ "afterSha256": null, "trashId": "T1" }),
        "b17: deleted b.txt",
    );
    change(
        "move_file",
        |change| {
            change.operation = Operation::Move;
            change.from = Some("a.txt".into());
            change.diff.clear();
        },
        json!({ "diff": "" }),
        "b17: moved a.txt to b.txt",
    );
    change(
        "write_file",
        |change| {
            change.extent = Extent::Unchanged;
            change.batch = None;
            change.diff.clear();
        },
        json!({ "unchanged": true, "batchId": null, "batch": null, "concurrency": null, "diff": "" }),
        "b.txt already is as asked for; nothing was changed",
    );
    change(
        "restore_file",
        |change| {
            change.operation = Operation::Restore;
            change.extent = Extent::Dry;
            change.batch = None;
            change.diff_cut = true;
        },
        json!({ "dryRun": true, "batchId": null, "batch": null, "concurrency": null, "diffTruncated": true }),
        "Dry run, nothing was changed: would restore b.txt (4 B)",
    );
}

#[test]
fn trash() {
    let entry = TrashEntry {
        id: "T1".into(),
        path: "a.txt".into(),
        deleted_ns: 0,
        sha256: Some(sha()),
        size: 5,
        holds: None,
        mode: 0o100_644,
        by: "cli 0.1 s1".into(),
    };
    check(
        "list_trash",
        reply(Answer::Trash(vec![entry])),
        json!({ "entries": [{
            "trashId": "T1", "path": "a.txt", "deletedAt": "1970-01-01T00:00:00Z", "sha256": EMPTY, "sizeBytes": 5, "mode": "0644", "by": "cli 0.1 s1",
        }] }),
        "1 entry in the trash\nT1 a.txt (5 B, deleted 1970-01-01 00:00 by cli 0.1)\n",
    );
    let purged = Purged {
        entries: 2,
        bytes: 10,
        ids: vec!["T1".into(), "T2".into()],
        extent: Extent::Done,
        batch: Some(BatchName::new("B1", 17)),
    };
    check(
        "purge_trash",
        reply(Answer::Purged(purged.clone())),
        json!({ "purged": 2, "freedBytes": 10, "trashIds": ["T1", "T2"], "batchId": "B1", "batch": "b17" }),
        "b17: removed 2 trash entries for good (10 B)",
    );
    check(
        "purge_trash",
        reply(Answer::Purged(Purged { entries: 0, bytes: 0, ids: vec![], extent: Extent::Unchanged, batch: None })),
        json!({ "purged": 0, "freedBytes": 0, "trashIds": [], "unchanged": true }),
        "No trash entry is that old; nothing was removed",
    );
    check(
        "purge_trash",
        reply(Answer::Purged(Purged { extent: Extent::Dry, batch: None, ..purged })),
        json!({ "purged": 2, "freedBytes": 10, "trashIds": ["T1", "T2"], "dryRun": true }),
        "Dry run, nothing was changed: would remove 2 trash entries for good (10 B)",
    );
}

#[test]
fn beside_the_data() {
    let outcome = Ok(Reply {
        answer: Answer::Trash(vec![]),
        warnings: vec![Warning::Unchecked, Warning::HardLinks { path: "a".into(), others: 2 }],
        audit_head: Some(sha()),
        replayed: Replayed::Yes,
    });
    let got = answer(&outcome);
    let keys: Vec<&String> = got.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["ok", "data", "warnings", "auditHead", "replayed"]);
    assert_eq!(got["warnings"][1], "a had 2 further hard link(s); those names keep the old bytes.");
    assert_eq!((&got["auditHead"], &got["replayed"]), (&json!(EMPTY), &json!(true)));
    let words = text(&outcome);
    assert!(
        words.starts_with(
            "0 entries in the trash (already done by an earlier call with this idempotencyKey)\nWarning: The call was"
        ),
        "{words}"
    );
}

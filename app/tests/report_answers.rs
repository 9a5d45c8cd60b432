//! What goes through, as JSON and as text: one golden answer for every shape, each also held against the
//! table of tools.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that fails shall panic")]

use patchwright_app::report::{Telling, answer, text};
use patchwright_core::anchor::{Form, Quality, Shown};
use patchwright_core::digest::Digest;
use patchwright_core::outcome::*;
use patchwright_core::refusal::Sort;
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
    viewed(
        |_| {},
        json!({}),
        &format!("src/a.rs: lines 1-2 of 2; 8 bytes, utf-8, newlines lf; sha256 {EMPTY}\none\ntwo\n"),
    );
    viewed(
        |view| {
            view.cut = Some(Cut::GoOnAt(3));
            view.line_count = 9;
            view.newline_style = NewlineStyle::Crlf;
            view.has_bom = true;
        },
        json!({ "truncated": true, "nextStartLine": 3, "lineCount": 9, "newlineStyle": "crlf", "hasBom": true }),
        &format!(
            "src/a.rs: lines 1-2 of 9; 8 bytes, utf-8, newlines crlf, byte-order mark; sha256 {EMPTY}; cut at maxBytes, go on with startLine 3\none\ntwo\n"
        ),
    );
    viewed(
        |view| {
            view.content = ViewContent::Text(String::new());
            (view.start_line, view.end_line) = (5, 4);
            view.newline_style = NewlineStyle::Mixed;
            view.final_newline = false;
        },
        json!({ "content": "", "startLine": 5, "endLine": 4, "newlineStyle": "mixed", "finalNewline": false }),
        &format!("src/a.rs: no lines from 5, of 2; 8 bytes, utf-8, newlines mixed, no final newline; sha256 {EMPTY}"),
    );
    viewed(
        |view| {
            view.content = ViewContent::Bytes(vec![0, 1, 255]);
            view.encoding = "binary".into();
            view.newline_style = NewlineStyle::None;
        },
        json!({ "content": null, "contentBase64": "AAH/", "encoding": "binary", "binary": true, "newlineStyle": "none" }),
        &format!("src/a.rs: base64; 8 bytes, binary, newlines none; sha256 {EMPTY}\nAAH/"),
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
        &format!(
            "src/a.rs: lines 1-2 of 2; 8 bytes, utf-8, newlines lf; sha256 {EMPTY}; good anchors: 1#a1b2c3, 2#a1b2c3\n1#a1b2c3 [high]|one\n2#~0c812f1b [low]|}}\n"
        ),
    );
    viewed(
        |view| view.anchors = Some(Vec::new()),
        json!({ "anchorFormat": "v1", "recommendedAnchors": [] }),
        &format!("src/a.rs: lines 1-2 of 2; 8 bytes, utf-8, newlines lf; sha256 {EMPTY}\none\ntwo\n"),
    );
    viewed(
        |view| view.content = ViewContent::Text("a\u{1b}[31m\u{202e}\n".into()),
        json!({ "content": "a\u{1b}[31m\u{202e}\n" }),
        &format!("src/a.rs: lines 1-2 of 2; 8 bytes, utf-8, newlines lf; sha256 {EMPTY}\na\u{1b}[31m\u{202e}\n"),
    );
}

fn entry(path: &str, sort: Sort, depth: usize) -> Entry {
    Entry { path: path.into(), sort, size: 3, mtime_ns: 1_500_000_000, depth, sha256: None }
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
        "src: 3 entries\nsrc/a\\u{a}b (3 bytes)\nsrc/d/\nsrc/d/l (symlink)\n",
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
        "3 matches; there are more, narrow the pattern or raise maxResults\nsrc/a\\u{a}b (3 bytes)\nsrc/d/\nsrc/d/l (symlink)\n",
    );
}

#[test]
fn searches() {
    let place = Place {
        line: 7,
        column: 3,
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
         a.rs-6- x\na.rs:7:3: a b\na.rs-8- y\na.rs-9- z\nb.rs:7:3: a b\nb.rs:7:3: 7#a1b2c3 [high]|a b\nc.rs\n",
    );
}

fn changed() -> Changed {
    Changed {
        path: "b.txt".into(),
        from: None,
        operation: Operation::Update,
        before: Some(sha()),
        after: Some(sha()),
        size: 4,
        holds: None,
        places: Vec::new(),
        diff: "--- a/b.txt\n".into(),
        diff_cut: false,
        batch: Some("B1".into()),
        trash: None,
        extent: Extent::Done,
        concurrency: Concurrency::Verified,
    }
}

fn change(tool: &str, edit: impl Fn(&mut Changed), fields: Value, words: &str) {
    let mut change = changed();
    edit(&mut change);
    let mut data = json!({
        "path": "b.txt", "beforeSha256": EMPTY, "afterSha256": EMPTY, "sizeBytes": 4, "diff": "--- a/b.txt\n", "batchId": "B1",
        "concurrency": "verified",
    });
    for (name, value) in fields.as_object().unwrap() {
        data[name] = value.clone();
    }
    data.as_object_mut().unwrap().retain(|_, value| !value.is_null());
    check(tool, reply(Answer::Changed(change)), data, words);
}

#[test]
fn changes() {
    let diff = "\n--- a/b.txt\n";
    change("edit_file", |_| {}, json!({}), &format!("Changed b.txt; sha256 {EMPTY}; batch B1{diff}"));
    change(
        "create_file",
        |change| {
            change.operation = Operation::Create;
            change.before = None;
            change.concurrency = Concurrency::Checked;
        },
        json!({ "beforeSha256": null, "concurrency": "checked" }),
        &format!("Created b.txt; sha256 {EMPTY}; batch B1{diff}"),
    );
    change(
        "delete_file",
        |change| {
            change.operation = Operation::Delete;
            change.after = None;
            change.trash = Some("T1".into());
        },
        json!({ "afterSha256": null, "trashId": "T1" }),
        &format!("Deleted b.txt; trashId T1; batch B1{diff}"),
    );
    change(
        "move_file",
        |change| {
            change.operation = Operation::Move;
            change.from = Some("a.txt".into());
            change.diff.clear();
        },
        json!({ "diff": "" }),
        &format!("Moved a.txt to b.txt; sha256 {EMPTY}; batch B1"),
    );
    change(
        "write_file",
        |change| {
            change.extent = Extent::Unchanged;
            change.batch = None;
            change.diff.clear();
        },
        json!({ "unchanged": true, "batchId": null, "concurrency": null, "diff": "" }),
        &format!("b.txt already is as asked for; nothing was changed; sha256 {EMPTY}"),
    );
    change(
        "restore_file",
        |change| {
            change.operation = Operation::Restore;
            change.extent = Extent::Dry;
            change.batch = None;
            change.diff_cut = true;
        },
        json!({ "dryRun": true, "batchId": null, "concurrency": null, "diffTruncated": true }),
        &format!("Would restore b.txt (dry run: nothing was changed); sha256 {EMPTY}{diff}"),
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
        "1 entry in the trash\nT1 a.txt (5 bytes, deleted 1970-01-01T00:00:00Z by cli 0.1 s1)\n",
    );
    let purged = Purged {
        entries: 2,
        bytes: 10,
        ids: vec!["T1".into(), "T2".into()],
        extent: Extent::Done,
        batch: Some("B1".into()),
    };
    check(
        "purge_trash",
        reply(Answer::Purged(purged.clone())),
        json!({ "purged": 2, "freedBytes": 10, "trashIds": ["T1", "T2"], "batchId": "B1" }),
        "Removed 2 trash entries for good, 10 bytes\nT1\nT2\n",
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
        "Would remove 2 trash entries for good, 10 bytes (dry run: nothing was changed)\nT1\nT2\n",
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
            "0 entries in the trash (the answer of an earlier call with this idempotencyKey)\nWarning: The call was"
        ),
        "{words}"
    );
}

//! Answers about history, as JSON and as text for a model: each held against the table of tools. And what is in the way
//! of an undo or a proposal: facts, sentences and the next step for every reason there is.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that fails shall panic")]

use patchwright_app::report::{Telling, answer, text};
use patchwright_core::batch::*;
use patchwright_core::digest::Digest;
use patchwright_core::intent::ChangeMarks;
use patchwright_core::outcome::*;
use patchwright_core::refusal::{
    Conflict, ConflictPlace, ConflictReason, LineBy, Missing, Refusal, Since, SinceBatch, Sort, Stale, StaleReason, Why,
};
use patchwright_core::tool::{self, Atomic, Field, Need, Shape};
use serde_json::{Value, json};

/// As a reader who can call every tool is told.
fn text(outcome: &Result<Reply, Failed>) -> String {
    text::text(outcome, &Telling::ALL)
}

const EMPTY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const DIFF: &str = "--- a/src/a.rs\n+++ b/src/a.rs\n@@ -3 +3,2 @@\n-old\n+new\n+newer\n";

fn reply(answer: Answer) -> Reply {
    Reply { answer, warnings: Vec::new(), audit_head: None, replayed: Replayed::No }
}

fn check(tool: &str, given: Answer, data: Value, words: &str) {
    let outcome = Ok(reply(given));
    let got = answer(&outcome);
    assert_eq!(without_names(got.clone()), json!({ "ok": true, "data": data }), "{tool}");
    assert_eq!(text(&outcome), words, "{tool}");
    fits(tool, tool::find(tool).unwrap().answer, &got["data"]);
}

/// Beside every id stands the short name of the same thing; the rest of an answer without those.
fn without_names(value: Value) -> Value {
    const BESIDE: [(&str, &str); 7] = [
        ("batchId", "batch"),
        ("changeId", "change"),
        ("undoneBatchIds", "undoneBatches"),
        ("changeIds", "changes"),
        ("droppedChangeIds", "droppedChanges"),
        ("undoneBy", "undoneByBatches"),
        ("sharedWithChangeIds", "sharedWithChanges"),
    ];
    match value {
        Value::Array(list) => list.into_iter().map(without_names).collect(),
        Value::Object(mut fields) => {
            for (id, name) in BESIDE {
                if let Some(ids) = fields.get(id).cloned() {
                    let names = fields.remove(name).unwrap_or_else(|| panic!("no {name} beside {id}"));
                    assert_eq!(names.as_array().map(Vec::len), ids.as_array().map(Vec::len), "{name}");
                }
            }
            if fields.contains_key("undoes") {
                assert!(fields.remove("undoesBatches").or_else(|| fields.remove("undoesChanges")).is_some());
            }
            fields.into_iter().map(|(key, value)| (key, without_names(value))).collect()
        }
        other => other,
    }
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

fn author() -> Author {
    Author { session: "S1".into(), client: "claude/1.2".into(), actor: None, role: Role::Agent, time_ns: 1_500_000_000 }
}

fn summary(status: BatchStatus) -> BatchSummary {
    BatchSummary {
        name: BatchName::new("B1", 17),
        added: 3,
        removed: 1,
        key: None,
        label: None,
        tool: "edit_file".into(),
        author: author(),
        status,
        files: vec![BatchPath { operation: Operation::Update, path: "src/a.rs".into(), to: None }],
        changes: 1,
        undoes: Vec::new(),
        applied: None,
        undone_by: Vec::new(),
    }
}

fn change() -> ChangeView {
    let lines = |first, lines: &[&str]| ChangeLines {
        first,
        count: lines.len(),
        skipped: 0,
        lines: Some(lines.iter().map(|line| (*line).to_owned()).collect()),
    };
    ChangeView {
        name: ChangeName { id: "C1".into(), batch: 17, place: 1 },
        key: None,
        operation: "replace".into(),
        description: Some("Say it anew".into()),
        status: BatchStatus::Applied,
        before: lines(3, &["old"]),
        after: lines(3, &["new", "newer"]),
        undoes: Vec::new(),
        marks: ChangeMarks::default(),
    }
}

fn file() -> FilePatchView {
    FilePatchView {
        id: "F1".into(),
        key: None,
        label: None,
        doc_path: None,
        operation: Operation::Update,
        path: "src/a.rs".into(),
        to: None,
        before: Some(Digest::of(b"")),
        after: Some(Digest::of(b"")),
        diff: DIFF.into(),
        holds: None,
        diff_cut: false,
        changes: vec![change()],
    }
}

fn view(status: BatchStatus) -> BatchView {
    BatchView { summary: summary(status), rebased: false, files: vec![file()], one: false, next_cursor: None }
}

#[test]
fn lists() {
    check("list_batches", Answer::Batches(BatchList::default()), json!({ "batches": [] }), "No batch on record fits");
    let odd = BatchSummary {
        key: Some("k".into()),
        label: Some("two\nlines".into()),
        files: vec![
            BatchPath { operation: Operation::Create, path: "n".into(), to: None },
            BatchPath { operation: Operation::Move, path: "o".into(), to: Some("p".into()) },
        ],
        changes: 2,
        undoes: vec!["B0".into()],
        ..summary(BatchStatus::Undone)
    };
    let time = "1970-01-01T00:00:01.500Z";
    check(
        "list_batches",
        Answer::Batches(BatchList {
            batches: vec![summary(BatchStatus::Applied), odd],
            asked_by: "S1".into(),
            next_cursor: Some("9".into()),
        }),
        json!({ "batches": [
            { "batchId": "B1", "tool": "edit_file", "time": time, "sessionId": "S1", "client": "claude/1.2", "status": "applied",
              "files": [{ "operation": "update", "path": "src/a.rs" }], "changes": 1, "linesAdded": 3, "linesRemoved": 1 },
            { "batchId": "B1", "batchKey": "k", "batchLabel": "two\nlines", "tool": "edit_file", "time": time, "sessionId": "S1",
              "client": "claude/1.2", "status": "undone",
              "files": [{ "operation": "create", "path": "n" }, { "operation": "move", "path": "o", "to": "p" }], "changes": 2,
              "linesAdded": 3, "linesRemoved": 1, "undoes": ["B0"] },
        ], "nextCursor": "9" }),
        "2 batches, newest first, times in UTC; there are more, go on with cursor \"9\"\n\
             b17 1970-01-01 00:00 edit_file M src/a.rs +3 -1\n\
             b17 1970-01-01 00:00 edit_file A n, R o -> p +3 -1 undone undoes B0 “two\\u{a}lines”\n",
    );
    let many = (0..9).map(|at| BatchPath { operation: Operation::Delete, path: format!("{at}"), to: None }).collect();
    let batch = BatchSummary { files: many, ..summary(BatchStatus::Applied) };
    let told =
        text(&Ok(reply(Answer::Batches(BatchList { batches: vec![batch], asked_by: "S1".into(), next_cursor: None }))));
    assert!(told.ends_with("edit_file D 0, D 1, D 2, D 3 and 5 more +3 -1\n"), "{told}");
    let mut other = summary(BatchStatus::Applied);
    other.author.session = "S2".into();
    let batches = vec![summary(BatchStatus::Applied), other];
    let told = text(&Ok(reply(Answer::Batches(BatchList { batches, asked_by: "S1".into(), next_cursor: None }))));
    assert_eq!(told.matches(" by another session (claude/1.2)\n").count(), 1, "{told}");
}

fn told_file() -> Value {
    json!({
        "filePatchId": "F1", "operation": "update", "path": "src/a.rs", "originalSha256": EMPTY, "newSha256": EMPTY, "diff": DIFF,
        "changes": [{
            "changeId": "C1", "operation": "replace", "description": "Say it anew", "status": "applied",
            "before": { "startLine": 3, "lineCount": 1, "lines": ["old"] },
            "after": { "startLine": 3, "lineCount": 2, "lines": ["new", "newer"] },
            "expectedOriginalLines": ["old"],
            "newLines": ["new", "newer"],
        }],
    })
}

const FILE_ROWS: &str = "M src/a.rs\n  b17.1 replace lines 3-4 (before: 3) “Say it anew”\n";

#[test]
fn batches() {
    let time = "1970-01-01T00:00:01.500Z";
    let head = "b17: applied, edit_file by claude/1.2 1970-01-01 00:00, 1 file, 1 change\n";
    let data = |more: Value| {
        let mut data = json!({
            "batchId": "B1", "tool": "edit_file", "status": "applied", "author": { "sessionId": "S1", "client": "claude/1.2" },
            "time": time, "diff": DIFF, "files": [told_file()], "truncated": false,
        });
        data.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        data
    };
    check(
        "get_patch_change",
        Answer::Batch(Box::new(view(BatchStatus::Applied))),
        data(json!({})),
        &format!("{head}{FILE_ROWS}{DIFF}"),
    );
    check(
        "get_patch_change",
        Answer::Batch(Box::new(BatchView { one: true, ..view(BatchStatus::Applied) })),
        data(json!({})),
        &format!("{head}{FILE_ROWS}{DIFF}"),
    );
    check(
        "get_patch_change",
        Answer::Batch(Box::new(BatchView {
            summary: BatchSummary {
                applied: Some(author()),
                undone_by: vec!["U1".into(), "U2".into()],
                ..summary(BatchStatus::Applied)
            },
            rebased: true,
            ..view(BatchStatus::Applied)
        })),
        data(json!({
            "applied": { "sessionId": "S1", "client": "claude/1.2", "time": time }, "rebased": true, "undoneBy": ["U1", "U2"],
        })),
        &format!(
            "{head}applied by claude/1.2 1970-01-01 00:00, on files that had changed since\ntaken back by U1, U2\n{FILE_ROWS}{DIFF}"
        ),
    );
    for status in [BatchStatus::Proposed, BatchStatus::Conflicted] {
        let told = text(&Ok(reply(Answer::Batch(Box::new(view(status))))));
        assert!(
            told.contains("\napply_batch {\"batchId\":\"b17\"} carries it out, reject_batch drops it.\n"),
            "{told}"
        );
    }
}

#[test]
fn pages() {
    // The second page of a change whose lines after are too many for one.
    let mut rest = change();
    (rest.before.skipped, rest.before.lines) = (1, Some(Vec::new()));
    (rest.after.count, rest.after.skipped) = (9, 4);
    let page = FilePatchView { diff: String::new(), changes: vec![rest], ..file() };
    let view = BatchView { files: vec![page], next_cursor: Some("8".into()), one: true, ..view(BatchStatus::Applied) };
    let outcome = Ok(reply(Answer::Batch(Box::new(view))));
    let data = answer(&outcome)["data"].clone();
    fits("get_patch_change", tool::find("get_patch_change").unwrap().answer, &data);
    let told = &data["files"][0]["changes"][0];
    assert_eq!(
        told["before"],
        json!({ "startLine": 3, "lineCount": 1, "lines": [], "linesFrom": 4, "truncated": true })
    );
    let after = json!({ "startLine": 3, "lineCount": 9, "lines": ["new", "newer"], "linesFrom": 7, "truncated": true });
    assert_eq!(told["after"], after);
    assert_eq!((told.get("newLines"), told.get("expectedOriginalLines")), (None, None));
    assert_eq!((&data["truncated"], &data["nextCursor"]), (&json!(true), &json!("8")));
    let words = text(&outcome);
    assert!(words.lines().next().unwrap().ends_with("; there is more, go on with cursor \"8\""), "{words}");
    assert!(words.ends_with("b17.1, after: lines 7-8\n+new\n+newer\n"), "{words}");
}

#[test]
fn what_is_said_of_a_change() {
    let marks = ChangeMarks {
        severity: Some("high".into()),
        categories: vec!["bugfix".into()],
        tags: vec!["api".into(), "two\nlines".into()],
    };
    let marked = FilePatchView { changes: vec![ChangeView { marks, ..change() }], ..file() };
    let view = BatchView { files: vec![marked], ..view(BatchStatus::Applied) };
    let outcome = Ok(reply(Answer::Batch(Box::new(view))));
    let told = answer(&outcome)["data"]["files"][0]["changes"][0].clone();
    assert_eq!(told["severity"], "high");
    assert_eq!(told["categories"], json!(["bugfix"]));
    assert_eq!(told["tags"], json!(["api", "two\nlines"]));
    let words = text(&outcome);
    assert!(words.contains("; severity high; categories bugfix; tags api, two"), "{words}");
    assert!(!words.contains("\nlines\n"), "{words}");
}

#[test]
fn changes_tell_where_they_are() {
    let lines = |first, count| ChangeLines { first, count, ..ChangeLines::default() };
    for (before, after, want) in [
        (lines(3, 1), lines(3, 1), "insert line 3"),
        (lines(3, 0), lines(3, 2), "insert lines 3-4"),
        (lines(3, 2), lines(3, 0), "insert lines 3-4 of the file before"),
        (lines(3, 2), lines(5, 2), "insert lines 5-6 (before: 3-4)"),
        (lines(0, 0), lines(0, 0), "insert the file"),
        (lines(usize::MAX, 9), lines(usize::MAX, usize::MAX), "insert lines 18446744073709551615"),
    ] {
        let change = ChangeView { operation: "insert".into(), key: Some("k".into()), before, after, ..change() };
        let file = FilePatchView { changes: vec![change], ..file() };
        let view = BatchView { files: vec![file], ..view(BatchStatus::Applied) };
        let told = text(&Ok(reply(Answer::Batch(Box::new(view)))));
        assert!(told.contains(&format!("  b17.1 (key k) {want} “Say it anew”\n")), "{want}: {told}");
    }
}

#[test]
fn long_diffs_are_left_out_of_the_whole() {
    let long = FilePatchView { diff: "+x\n".repeat(30_000), ..file() };
    let outcome = Ok(reply(Answer::Batch(Box::new(BatchView {
        files: vec![file(), long, file()],
        ..view(BatchStatus::Applied)
    }))));
    let data = answer(&outcome);
    assert_eq!(data["data"]["diffTruncated"], true);
    assert_eq!(data["data"]["diff"], format!("{DIFF}{DIFF}"));
    assert_eq!(data["data"]["files"][1]["diff"].as_str().unwrap().len(), 90_000);
    // What is too long for a diff is told line by line.
    assert!(text(&outcome).ends_with("b17.1, before: line 3\n-old\nb17.1, after: lines 3-4\n+new\n+newer\n"));
}

#[test]
fn what_is_left_of_a_long_diff() {
    let long = FilePatchView { operation: Operation::Delete, diff: "-x\n".repeat(3_000), ..file() };
    let shown = Some(&["undo", "read_file"][..]);
    for (operation, cut, want) in [
        (Operation::Delete, false, "… 1635 more lines of the diff\n"),
        (Operation::Delete, true, "… there is more of the diff\n"),
        (Operation::Update, true, "… there is more of the diff; read_file shows the files\n"),
    ] {
        let files = vec![FilePatchView { operation, diff_cut: cut, ..long.clone() }];
        let outcome = Ok(reply(Answer::Settled(Box::new(Settled { files, ..settled(Extent::Done) }))));
        let told = text::text(&outcome, &Telling { shown, ..Telling::ALL });
        assert!(told.ends_with(want), "{want}: {told}");
    }
}

fn settled(extent: Extent) -> Settled {
    Settled {
        batch: Some("B1".into()),
        status: BatchStatus::Applied,
        undone: Vec::new(),
        changes: vec!["C1".into()],
        dropped: Vec::new(),
        rebased: false,
        files: vec![file()],
        extent,
        concurrency: Concurrency::Verified,
    }
}

fn settles(tool: &str, given: Settled, more: Value, words: &str) {
    let mut file = told_file();
    for name in ["expectedOriginalLines", "newLines"] {
        file["changes"][0].as_object_mut().unwrap().remove(name);
    }
    for side in ["before", "after"] {
        file["changes"][0][side].as_object_mut().unwrap().remove("lines");
    }
    let mut data = json!({ "batchId": "B1", "status": "applied", "changeIds": ["C1"], "diff": DIFF, "files": [file] });
    data.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    if given.batch.is_none() {
        data["files"][0].as_object_mut().unwrap().remove("filePatchId");
        data["files"][0]["changes"][0].as_object_mut().unwrap().remove("changeId");
    }
    data.as_object_mut().unwrap().retain(|_, value| !value.is_null());
    check(tool, Answer::Settled(Box::new(given)), data, words);
}

#[test]
fn what_was_settled() {
    settles(
        "apply_batch",
        settled(Extent::Done),
        json!({ "concurrency": "verified" }),
        &format!("B1: applied 1 file, 1 change\nM src/a.rs\n{DIFF}"),
    );
    settles(
        "apply_batch",
        Settled { dropped: vec!["C2".into(), "C3".into()], rebased: true, ..settled(Extent::Dry) },
        json!({ "droppedChangeIds": ["C2", "C3"], "rebased": true, "dryRun": true }),
        &format!(
            "Dry run, nothing was changed: B1: would apply 1 file, 1 change, carried over to files that had changed since it was proposed\ndropped: C2, C3\nM src/a.rs\n{DIFF}"
        ),
    );
    settles(
        "undo",
        Settled { undone: vec!["B0".into()], ..settled(Extent::Done) },
        json!({ "undoneBatchIds": ["B0"], "concurrency": "verified" }),
        &format!("B1: undid B0: 1 file, 1 change\nM src/a.rs\n{DIFF}"),
    );
    settles(
        "undo",
        Settled { batch: None, undone: vec!["B0".into(), "B9".into()], ..settled(Extent::Dry) },
        json!({ "batchId": null, "undoneBatchIds": ["B0", "B9"], "dryRun": true }),
        &format!("Dry run, nothing was changed: would undo B0, B9: 1 file, 1 change\nM src/a.rs\n{DIFF}"),
    );
    let rejected = |extent| Settled {
        status: BatchStatus::Rejected,
        changes: Vec::new(),
        dropped: vec!["C1".into()],
        files: Vec::new(),
        ..settled(extent)
    };
    let waiting = Settled { status: BatchStatus::Conflicted, dropped: Vec::new(), ..rejected(Extent::Dry) };
    settles(
        "reject_batch",
        waiting,
        json!({ "status": "conflicted", "changeIds": [], "diff": "", "files": [], "dryRun": true }),
        "Dry run, nothing was changed: B1: would be rejected",
    );
    for (extent, more, words) in [
        (Extent::Done, json!({}), "B1: rejected; no file was changed\ndropped: C1\n"),
        (Extent::Dry, json!({ "dryRun": true }), "Dry run, nothing was changed: B1: would be rejected\ndropped: C1\n"),
    ] {
        let mut data =
            json!({ "status": "rejected", "changeIds": [], "droppedChangeIds": ["C1"], "diff": "", "files": [] });
        data.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        settles("reject_batch", rejected(extent), data, words);
    }
}

#[test]
fn whose_lines() {
    let origin = LineOrigin {
        batch: "B1".into(),
        change: "C1".into(),
        tool: "edit".into(),
        author: author(),
        description: Some("Why\tnot".into()),
        path: Some("old.rs".into()),
    };
    let runs = vec![
        LineRun { first: 1, lines: vec!["a".into(), "b".into()], origin: Some(origin) },
        LineRun { first: 3, lines: vec!["c".into()], origin: None },
    ];
    let explained = Explained { path: "a.rs".into(), line_count: 9, sha256: Digest::of(b""), runs, next_line: Some(4) };
    let time = "1970-01-01T00:00:01.500Z";
    check(
        "explain_lines",
        Answer::Explained(explained.clone()),
        json!({
            "path": "a.rs", "lineCount": 9, "sha256": EMPTY, "truncated": true, "nextStartLine": 4,
            "runs": [
                { "startLine": 1, "endLine": 2, "lines": ["a", "b"], "recorded": true, "batchId": "B1", "changeId": "C1", "tool": "edit",
                  "sessionId": "S1", "client": "claude/1.2", "time": time, "description": "Why\tnot", "path": "old.rs" },
                { "startLine": 3, "endLine": 3, "lines": ["c"], "recorded": false },
            ],
        }),
        "a.rs: lines 1-3 of 9; there are more, go on with startLine 4\n\
         1-2 C1 edit by claude/1.2 1970-01-01 00:00, when the file was old.rs “Why\\u{9}not”\n\
         3 not on record: written without these tools\n",
    );
    check(
        "explain_lines",
        Answer::Explained(Explained { runs: Vec::new(), next_line: None, ..explained }),
        json!({ "path": "a.rs", "lineCount": 9, "sha256": EMPTY, "truncated": false, "runs": [] }),
        "a.rs: no such lines, of 9",
    );
}

#[test]
fn proposals_say_that_nothing_changed() {
    let hint = "\napply_batch {\"batchId\":\"B1\"} carries it out, reject_batch drops it.\n";
    let changed = |operation, from: Option<&str>| Changed {
        path: "a".into(),
        real: None,
        from: from.map(str::to_owned),
        operation,
        before: None,
        after: Some(Digest::of(b"")),
        size: 1,
        holds: None,
        places: Vec::new(),
        diff: DIFF.into(),
        diff_cut: false,
        batch: Some("B1".into()),
        trash: None,
        extent: Extent::Proposed,
        concurrency: Concurrency::Verified,
    };
    for (operation, from, words) in [
        (Operation::Create, None, "create a (1 B)"),
        (Operation::Update, None, "write a (1 B)"),
        (Operation::Delete, None, "delete a"),
        (Operation::Move, Some("o"), "move o to a"),
        (Operation::Restore, None, "restore a (1 B)"),
    ] {
        let data = json!({ "path": "a", "afterSha256": EMPTY, "sizeBytes": 1, "diff": DIFF, "batchId": "B1", "status": "proposed" });
        check(
            "move_file",
            Answer::Changed(changed(operation, from)),
            data,
            &format!("B1: proposed, nothing has changed yet: {words}{hint}"),
        );
    }
    let patch = Patched {
        atomic: Atomic::Whole,
        hunks: 1,
        batch: Some("B1".into()),
        files: Vec::new(),
        extent: Extent::Proposed,
        concurrency: Concurrency::Verified,
    };
    check(
        "apply_patch",
        Answer::Patched(patch),
        json!({ "atomic": true, "hunkCount": 1, "batchId": "B1", "status": "proposed", "changedFiles": [] }),
        &format!("B1: proposed, nothing has changed yet: 0 files, 1 hunk{hint}"),
    );
}

fn since(batch: &str, lines: &[(usize, usize)], about: Option<&str>) -> SinceBatch {
    SinceBatch {
        batch: batch.into(),
        session: "S2".into(),
        client: "other/2".into(),
        actor: None,
        role: Role::Agent,
        tool: "edit".into(),
        time_ns: 2_000_000_000,
        lines: lines.to_vec(),
        about: about.map(str::to_owned),
    }
}

fn told(batch: &str, lines: Value) -> Value {
    json!({ "batchId": batch, "sessionId": "S2", "client": "other/2", "tool": "edit", "time": "1970-01-01T00:00:02Z", "lines": lines })
}

fn place(reason: ConflictReason) -> ConflictPlace {
    ConflictPlace {
        path: "src/a.rs".into(),
        change: None,
        reason,
        lines: None,
        expected: Vec::new(),
        actual: Vec::new(),
        by: Vec::new(),
        line_by: LineBy::Unknown,
        line: None,
    }
}

/// A refused undo or proposal: its places as fields, its message, and its next step.
fn conflicts(place: ConflictPlace, fields: Value, message: &str, next: &str) {
    let conflict = Conflict { batch: Some("B1".into()), places: vec![place] };
    let outcome = Err(Failed::unrecorded(Refusal::plain(Why::Conflict(Box::new(conflict)))));
    let got = answer(&outcome);
    let error = &got["error"];
    assert_eq!((&error["kind"], &error["recoverable"]), (&json!("conflict"), &json!(true)));
    let mut want = json!({ "path": "src/a.rs" });
    want.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    want.as_object_mut().unwrap().retain(|_, value| !value.is_null());
    let details = without_names(error["details"].clone());
    assert_eq!(details, json!({ "batchId": "B1", "conflicts": [want] }));
    assert_eq!(error["message"], message);
    assert_eq!(error["suggestedAction"], next);
    let told = text(&outcome);
    assert!(
        told.starts_with(&format!("conflict: {message}\n")) && told.ends_with(&format!("\nNext step: {next}")),
        "{told}"
    );
}

#[test]
fn later_changes_in_the_way() {
    let touched = ConflictPlace {
        change: Some("C1".into()),
        lines: Some((3, 4)),
        expected: vec!["old".into()],
        actual: vec!["new".into(), "newer".into()],
        by: vec![since("B2", &[(3, 4)], Some("faster"))],
        ..place(ConflictReason::Touched)
    };
    let mut by = told("B2", json!([[3, 4]]));
    by["about"] = "faster".into();
    conflicts(
        touched.clone(),
        json!({ "changeId": "C1", "reason": "touched", "startLine": 3, "endLine": 4, "expectedLines": ["old"],
            "actualLines": ["new", "newer"], "changedBy": [by] }),
        "Later changes touch lines 3-4 of src/a.rs, where C1 was made; since then it was changed by B2 (other/2, edit, 1970-01-01 00:00, lines 3-4: “faster”). Nothing was changed.",
        "Undo the later batch first (undo {\"batchId\":\"B2\"}), then make the same call again; or keep it, call read_file {\"path\":\"src/a.rs\",\"startLine\":3,\"endLine\":4} and edit it by hand.",
    );
    conflicts(
        ConflictPlace { lines: Some((7, 7)), ..place(ConflictReason::Touched) },
        json!({ "reason": "touched", "startLine": 7, "endLine": 7 }),
        "Later changes touch line 7 of src/a.rs. Nothing was changed.",
        "Keep what is there, call read_file {\"path\":\"src/a.rs\",\"startLine\":7,\"endLine\":7} and make the change you want by hand.",
    );
    conflicts(
        place(ConflictReason::Changed),
        json!({ "reason": "changed" }),
        "src/a.rs has changed since, and this change can only be taken back while the file is as it left it. Nothing was changed.",
        "Keep what is there, call read_file {\"path\":\"src/a.rs\"} and make the change you want by hand.",
    );
    conflicts(
        ConflictPlace {
            path: String::new(),
            by: vec![since("B4", &[], None), since("B3", &[], None), since("B2", &[], None)],
            ..place(ConflictReason::Changed)
        },
        json!({ "path": null, "reason": "changed", "changedBy": [told("B4", json!([])), told("B3", json!([])), told("B2", json!([]))] }),
        "the file has changed since, and this change can only be taken back while the file is as it left it; since then it was changed by B4 (other/2, edit, 1970-01-01 00:00), B3 (other/2, edit, 1970-01-01 00:00), B2 (other/2, edit, 1970-01-01 00:00). Nothing was changed.",
        "Undo what came later first, from the newest on (undo {\"batchId\":\"B4\"}, then B3, B2), then make the same call again; or keep it, read the file and edit it by hand.",
    );
    let conflict = Conflict { batch: None, places: vec![touched; 7] };
    let shown = text(&Err(Failed::unrecorded(Refusal::plain(Why::Conflict(Box::new(conflict))))));
    assert!(shown.contains("2 more places are in the way."), "{shown}");
    let lines = "src/a.rs, lines 3-4 (- wanted there, + there now):\n- old\n+ new\n+ newer\n";
    assert_eq!(shown.matches(lines).count(), 5, "{shown}");
}

#[test]
fn nothing_is_said_twice() {
    let by = || vec![since("B2", &[(3, 4)], None)];
    let places = |reason: ConflictReason, lines: &[usize]| -> Vec<ConflictPlace> {
        let one = |line: &usize| ConflictPlace { lines: Some((*line, *line)), by: by(), ..place(reason.clone()) };
        lines.iter().map(one).collect()
    };
    for (reason, message) in [
        (
            ConflictReason::Changed,
            "src/a.rs has changed since, and this change can only be taken back while the file is as it left it; since then it was changed by B2 (other/2, edit, 1970-01-01 00:00, lines 3-4). Nothing was changed.",
        ),
        (
            ConflictReason::Touched,
            "Later changes touch line 3 of src/a.rs; since then it was changed by B2 (other/2, edit, 1970-01-01 00:00, lines 3-4). Later changes touch line 7 of src/a.rs. Later changes touch line 9 of src/a.rs. Nothing was changed.",
        ),
    ] {
        let conflict = Conflict { batch: Some("B1".into()), places: places(reason, &[3, 7, 9]) };
        let got = answer(&Err(Failed::unrecorded(Refusal::plain(Why::Conflict(Box::new(conflict))))));
        assert_eq!(got["error"]["message"], message);
        assert_eq!(got["error"]["details"]["conflicts"].as_array().unwrap().len(), 3);
    }
}

#[test]
fn names_in_the_way() {
    let by = || vec![since("B2", &[], None)];
    conflicts(
        ConflictPlace { by: by(), ..place(ConflictReason::Gone) },
        json!({ "reason": "gone", "changedBy": [told("B2", json!([]))] }),
        "src/a.rs is no longer there; since then it was changed by B2 (other/2, edit, 1970-01-01 00:00). Nothing was changed.",
        "Bring src/a.rs back first: undo {\"batchId\":\"B2\"}, or restore_file with its trashId from list_trash; then make the same call again.",
    );
    conflicts(
        ConflictPlace { by: by(), ..place(ConflictReason::Removed { version: Some("B2".into()) }) },
        json!({ "reason": "gone", "keptVersion": "B2", "changedBy": [told("B2", json!([]))] }),
        "src/a.rs is no longer there, and no batch on record removed it: another program did. Nothing was changed.",
        "Bring it back as B2 left it: restore_file {\"path\":\"src/a.rs\",\"version\":\"B2\"}; then make the same call again.",
    );
    conflicts(
        place(ConflictReason::Removed { version: None }),
        json!({ "reason": "gone" }),
        "src/a.rs is no longer there, and no batch on record removed it: another program did. Nothing was changed.",
        "Look for src/a.rs with glob or search_files: it may have another name; move it back with move_file or *** Move File in apply_patch, then make the same call again. The bytes it held are not kept here.",
    );
    conflicts(
        ConflictPlace { by: by(), ..place(ConflictReason::Returned) },
        json!({ "reason": "returned", "changedBy": [told("B2", json!([]))] }),
        "src/a.rs is there again already; since then it was changed by B2 (other/2, edit, 1970-01-01 00:00). Nothing was changed.",
        "Leave it as it is; or take back what brought it back, from the newest on (undo {\"batchId\":\"B2\"}), and then make the same call again.",
    );
    conflicts(
        place(ConflictReason::Moved),
        json!({ "reason": "moved" }),
        "src/a.rs has another name now, or another file has this name. Nothing was changed.",
        "Move the file back with move_file or *** Move File in apply_patch, then make the same call again: list_batches {\"path\":\"src/a.rs\"} shows where the file went.",
    );
    conflicts(
        place(ConflictReason::Occupied),
        json!({ "reason": "occupied" }),
        "Something stands at src/a.rs, where the file belongs. Nothing was changed.",
        "Move what stands there away: move_file {\"fromPath\":\"src/a.rs\",\"toPath\":\"src/a.rs.other\"}, then make the same call again; or delete what stands there, if it is not needed (it goes to the trash).",
    );
}

#[test]
fn batches_that_stand_otherwise() {
    for (status, says, next) in [
        (
            BatchStatus::Undone,
            "is already undone",
            "Leave it as it is. To have it again: call list_batches {}, then call again: set batchId to the batch that took it back.",
        ),
        (
            BatchStatus::Applied,
            "is applied already",
            "Nothing is left to do. To take it back: undo {\"batchId\":\"B1\"}.",
        ),
        (
            BatchStatus::Rejected,
            "was rejected; nothing of it is in the files",
            "Make the change again, as a new call or a new proposal, if it is wanted after all.",
        ),
        (
            BatchStatus::Proposed,
            "is only proposed; nothing of it is in the files",
            "apply_batch {\"batchId\":\"B1\"} carries it out, reject_batch {\"batchId\":\"B1\"} drops it.",
        ),
        (
            BatchStatus::Conflicted,
            "is a proposal that the files no longer fit; nothing of it is in the files",
            "See what changed with apply_batch {\"batchId\":\"B1\"} and dryRun: true; apply_batch with rebase: true carries it out where nothing touches it, reject_batch {\"batchId\":\"B1\"} drops it.",
        ),
    ] {
        let fields = json!({ "reason": "status", "status": status.name() });
        conflicts(place(ConflictReason::Status(status)), fields, &format!("Batch B1 {says}."), next);
    }
    conflicts(
        ConflictPlace {
            change: Some("C1".into()),
            by: vec![since("U1", &[], None)],
            ..place(ConflictReason::Status(BatchStatus::Undone))
        },
        json!({ "changeId": "C1", "reason": "status", "status": "undone", "changedBy": [told("U1", json!([]))] }),
        "Change C1 is already undone.",
        "Leave it as it is, or undo {\"batchId\":\"U1\"}, which took it back, to have it again.",
    );
    conflicts(
        ConflictPlace { change: Some("C1".into()), ..place(ConflictReason::Shared(vec!["C2".into(), "C3".into()])) },
        json!({ "changeId": "C1", "reason": "shared", "sharedWithChangeIds": ["C2", "C3"] }),
        "In src/a.rs change C1 shares its lines with change C2, C3; they go together or not at all. Nothing was changed.",
        "Name all of them in changeIds: [\"C1\", \"C2\", \"C3\"]. Or leave changeIds out for the whole batch.",
    );
}

#[test]
fn what_cannot_be_taken_back() {
    conflicts(
        place(ConflictReason::Final),
        json!({ "reason": "final" }),
        "Batch B1 purged the trash: that is done, and cannot be taken back. Nothing was changed.",
        "Leave it: what was purged is gone for good. list_batches shows what else can be undone.",
    );
    conflicts(
        place(ConflictReason::Replaced),
        json!({ "reason": "replaced" }),
        "Batch B1 is an undo, and what it did was done by another one since: taking it back would change nothing. Nothing was changed.",
        "Leave it as it is. list_batches shows what stands; take back the newest undo of those files instead, if that is meant.",
    );
    conflicts(
        place(ConflictReason::NotKept),
        json!({ "reason": "not_kept" }),
        "The bytes of src/a.rs that would be needed are no longer kept. Nothing was changed.",
        "Edit src/a.rs by hand instead: get_patch_change {\"batchId\":\"B1\"} shows the diff of what was done.",
    );
}

#[test]
fn ground_that_moved() {
    conflicts(
        ConflictPlace {
            lines: Some((3, 5)),
            by: vec![since("B2", &[(3, 4), (9, 9)], None)],
            ..place(ConflictReason::GroundMoved)
        },
        json!({ "reason": "ground_moved", "startLine": 3, "endLine": 5, "changedBy": [told("B2", json!([[3, 4], [9, 9]]))] }),
        "src/a.rs is not what the proposal was made for: lines 3-5 have changed since; since then it was changed by B2 (other/2, edit, 1970-01-01 00:00, lines 3-4, 9). Nothing was changed.",
        "Call read_file {\"path\":\"src/a.rs\",\"startLine\":3,\"endLine\":5}; if what changed does not touch the proposal, then call apply_batch {\"batchId\":\"B1\",\"rebase\":true}; else reject_batch {\"batchId\":\"B1\"} and make a new proposal on the file as it is now.",
    );
    conflicts(
        place(ConflictReason::GroundMoved),
        json!({ "reason": "ground_moved" }),
        "src/a.rs is not what the proposal was made for. Nothing was changed.",
        "Call read_file {\"path\":\"src/a.rs\"}; if what changed does not touch the proposal, then call apply_batch {\"batchId\":\"B1\",\"rebase\":true}; else reject_batch {\"batchId\":\"B1\"} and make a new proposal on the file as it is now.",
    );
}

/// A stale call with what is known of those who changed the file, and the sentence that tells it.
fn stale(since: Since, details: Value, sentence: &str) {
    let proof = Stale {
        expected: Some("000000000000".into()),
        actual: Some(Digest::of(b"")),
        reason: StaleReason::Mismatch,
        sort: Sort::File,
        argument: "expectedSha256",
    };
    let refusal = Refusal { since: Some(Box::new(since)), ..Refusal::about("a", Why::Stale(proof)) };
    let got = answer(&Err(Failed::unrecorded(refusal)));
    let mut want =
        json!({ "path": "a", "expectedSha256": "000000000000", "actualSha256": EMPTY, "reason": "mismatch" });
    want.as_object_mut().unwrap().extend(details.as_object().unwrap().clone());
    assert_eq!(without_names(got["error"]["details"].clone()), want);
    let message = got["error"]["message"].as_str().unwrap();
    let fact = "a is not the file you have seen: its sha256 is not the expectedSha256 you gave.";
    assert_eq!(message, format!("{fact}{sentence}"));
    let action = "Re-read the file to obtain the current sha256 and re-apply your edit. Call read_file {\"path\":\"a\"}, then call again: set expectedSha256 to the sha256 that it shows.";
    assert_eq!(got["error"]["suggestedAction"], action);
}

#[test]
fn who_changed_it_since() {
    stale(Since::default(), json!({}), "");
    let mut by = told("B2", json!([[3, 5]]));
    by["about"] = "faster".into();
    by["actor"] = "ada".into();
    let for_ada = SinceBatch { actor: Some("ada".into()), ..since("B2", &[(3, 5)], Some("faster")) };
    stale(
        Since { batches: vec![for_ada], count: 1, foreign: false, ..Since::default() },
        json!({ "changedBy": [by] }),
        " Since you saw it, B2 by ada (other/2, edit, 1970-01-01 00:00, lines 3-5: “faster”) changed it.",
    );
    stale(
        Since {
            batches: vec![since("B2", &[(3, 3)], None), since("B3", &[], None)],
            count: 9,
            foreign: true,
            ..Since::default()
        },
        json!({ "changedBy": [told("B2", json!([[3, 3]])), told("B3", json!([]))], "changedByCount": 9, "changedByOthers": true }),
        " Since you saw it, 9 batches changed it, the last 2 of them B2 (other/2, edit, 1970-01-01 00:00, line 3), then B3 (other/2, edit, 1970-01-01 00:00); it was also changed by a program that does not use these tools.",
    );
    stale(
        Since { batches: Vec::new(), count: 0, foreign: true, ..Since::default() },
        json!({ "changedByOthers": true }),
        " Since you saw it, it was changed by a program that does not use these tools, so who did it is not on record.",
    );
    stale(
        Since { unknown: true, ..Since::default() },
        json!({ "unknownSha256": true }),
        " The hash that you gave is of no version of it that is on record.",
    );
    let plain = Refusal {
        since: Some(Box::new(Since { foreign: true, ..Since::default() })),
        ..Refusal::about("a", Why::Binary)
    };
    assert_eq!(answer(&Err(Failed::unrecorded(plain)))["error"]["details"], json!({ "changedByOthers": true }));
}

#[test]
fn what_is_not_on_record() {
    let check = |path: Option<&str>, missing: Missing, message: &str, next: &str| {
        let refusal = Refusal { path: path.map(str::to_owned), why: Why::NotFound(missing), since: None };
        let got = answer(&Err(Failed::unrecorded(refusal)));
        assert_eq!(got["error"]["kind"], "not_found");
        assert_eq!(got["error"]["message"], message);
        let step = got["error"]["suggestedAction"].as_str().unwrap();
        assert!(step.starts_with(next), "{step}");
    };
    let change = Missing::Change { id: "C9".into(), batch: "B1".into() };
    check(
        None,
        change,
        "Batch B1 has no change with the id \"C9\".",
        "Call get_patch_change {\"batchId\":\"B1\"}, then call again: set changeIds",
    );
    check(
        None,
        Missing::AnySession { id: "S9".into() },
        "There is no session with the id \"S9\" on record.",
        "Call list_batches {}",
    );
    check(
        None,
        Missing::Session { id: "S9".into() },
        "The session \"S9\" has changed nothing that still stands.",
        "Call list_batches",
    );
    check(
        None,
        Missing::Batch { id: "B9".into() },
        "There is no batch with the id \"B9\" on record.",
        "Call list_batches",
    );
    check(None, Missing::Undoable, "Nothing is on record that could be undone.", "Call list_batches");
    check(
        Some("a"),
        Missing::Undoable,
        "No applied change of a is on record that could be undone.",
        "Call list_batches {}, then call again: set path to that of a file that it shows.",
    );
}

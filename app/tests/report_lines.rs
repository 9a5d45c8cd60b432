//! What line patches came to, and why they were refused: the `InvokeResult`, and the text that a model reads.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use patchwright_app::report::answer;
use patchwright_app::report::{Telling, text};
use patchwright_app::wire::schema;
use patchwright_core::batch::{BatchName, BatchStatus, ChangeName};
use patchwright_core::dialect::lines::{FilePatch, LineEdit};
use patchwright_core::digest::Digest;
use patchwright_core::intent::ChangeMarks;
use patchwright_core::outcome::{
    Answer, ChangeLines, ChangeView, Concurrency, DiskState, DocView, Extent, Failed, Fault, FilePatchView,
    LinePatched, Operation, Replayed, Reply, Trouble,
};
use patchwright_core::refusal::{
    ArgumentFault, Differing, DifferingLine, Expected, Intruder, LinePlace, LineProblem, Missing, Refusal,
    RepeatedLines, Side, Sort, Stale, StaleReason, Why, Wider,
};
use patchwright_core::text::Cut;
use patchwright_core::tool::find;
use patchwright_core::warning::Warning;
use serde_json::{Value, json};

/// As a reader who can call every tool is told.
fn text(outcome: &Result<Reply, Failed>) -> String {
    text::text(outcome, &Telling::ALL)
}

fn span(first: usize, count: usize) -> ChangeLines {
    ChangeLines { first, count, ..ChangeLines::default() }
}

fn change(operation: &str, before: ChangeLines, after: ChangeLines) -> ChangeView {
    ChangeView {
        name: format!("C-{operation}").into(),
        key: Some(format!("k-{operation}")),
        operation: operation.to_owned(),
        description: Some("Why.".to_owned()),
        status: BatchStatus::Applied,
        before,
        after,
        undoes: Vec::new(),
        marks: ChangeMarks::default(),
    }
}

fn patched(extent: Extent) -> LinePatched {
    let stored = matches!(extent, Extent::Done | Extent::Proposed);
    let mut changes = vec![
        change("insert", span(1, 0), span(1, 2)),
        change("replace", span(2, 3), span(4, 1)),
        change("delete", span(7, 1), span(7, 0)),
    ];
    changes.iter_mut().filter(|_| !stored).for_each(|change| change.name = ChangeName::default());
    let file = FilePatchView {
        id: if stored { "F1".to_owned() } else { String::new() },
        key: Some("main".to_owned()),
        label: Some("Main".to_owned()),
        doc_path: Some("src/a.rs".to_owned()),
        operation: Operation::Update,
        path: "src/A.rs".to_owned(),
        to: None,
        before: Some(Digest::of(b"")),
        after: Some(Digest::of(b"x")),
        diff: "@@ -1 +1 @@\n-a\n+b\n".to_owned(),
        holds: None,
        diff_cut: false,
        changes,
    };
    LinePatched {
        batch: stored.then(|| BatchName::new("B1", 17)),
        key: Some("batch".to_owned()),
        label: None,
        status: if extent == Extent::Proposed { BatchStatus::Proposed } else { BatchStatus::Applied },
        files: vec![file],
        extent,
        concurrency: Concurrency::Verified,
    }
}

fn reply(answer: Answer) -> Result<Reply, Failed> {
    let warnings = vec![Warning::CheckedOnly];
    Ok(Reply { answer, warnings, audit_head: Some(Digest::of(b"")), replayed: Replayed::Yes })
}

/// Values by pointer into the answer. The text is the same answer.
fn check(outcome: &Result<Reply, Failed>, values: &[(&str, Value)]) {
    let (told, said) = (answer(outcome), text(outcome));
    assert_eq!(serde_json::from_str::<Value>(&said).unwrap(), told);
    for (pointer, want) in values {
        assert_eq!(told.pointer(pointer).unwrap_or(&Value::Null), want, "{pointer} in {told:#}");
    }
    let known = schema::output(find("workspace_write_patch").unwrap());
    for field in told.as_object().unwrap().keys() {
        assert!(known["properties"].get(field).is_some(), "{field} is not in the schema");
    }
}

#[test]
fn what_is_proposed() {
    check(
        &reply(Answer::LinePatched(Box::new(patched(Extent::Proposed)))),
        &[
            ("/result/status", json!("proposed")),
            ("/result/batchId", json!("B1")),
            ("/result/concurrency", Value::Null),
        ],
    );
}

#[test]
fn what_was_done() {
    check(
        &reply(Answer::LinePatched(Box::new(patched(Extent::Done)))),
        &[
            ("/successful", json!(true)),
            ("/errors", json!([])),
            ("/warnings/1", Value::Null),
            ("/replayed", json!(true)),
            ("/result/batchId", json!("B1")),
            ("/result/batchKey", json!("batch")),
            ("/result/status", json!("applied")),
            ("/result/concurrency", json!("verified")),
            ("/result/files/0/filePatchId", json!("F1")),
            ("/result/files/0/docPath", json!("src/a.rs")),
            ("/result/files/0/path", json!("src/A.rs")),
            (
                "/result/files/0/changes/0",
                json!({ "changeId": "C-insert", "change": "C-insert", "changeKey": "k-insert", "operation": "insert", "description": "Why.",
                    "afterLine": 0, "newStartLine": 1, "newLineCount": 2 }),
            ),
            ("/result/files/0/changes/1/startLine", json!(2)),
            ("/result/files/0/changes/1/endLine", json!(4)),
            ("/result/files/0/changes/2/newLineCount", json!(0)),
        ],
    );
    check(
        &reply(Answer::LinePatched(Box::new(patched(Extent::Dry)))),
        &[
            ("/result/dryRun", json!(true)),
            ("/result/batchId", Value::Null),
            ("/result/status", Value::Null),
            ("/result/files/0/filePatchId", Value::Null),
            ("/result/files/0/changes/0/changeId", Value::Null),
        ],
    );
    check(
        &reply(Answer::LinePatched(Box::new(patched(Extent::Unchanged)))),
        &[("/result/unchanged", json!(true)), ("/result/status", Value::Null)],
    );
}

#[test]
fn what_was_read() {
    let view = DocView {
        doc_path: "a.rs".to_owned(),
        path: "A.rs".to_owned(),
        content: "1|x\n".to_owned(),
        sha256: Digest::of(b""),
        line_count: 9,
        start_line: 1,
        end_line: 1,
        cut: Some(Cut::GoOnAt(2)),
    };
    check(
        &reply(Answer::Doc(view.clone())),
        &[
            ("/result/content", json!("1|x\n")),
            ("/result/lineCount", json!(9)),
            ("/result/truncated", json!(true)),
            ("/result/startLine", json!(1)),
            ("/result/endLine", json!(1)),
            ("/result/nextStartLine", json!(2)),
            ("/result/sha256", json!(Digest::of(b"").to_string())),
        ],
    );
    let whole = DocView { end_line: 9, cut: None, ..view.clone() };
    check(
        &reply(Answer::Doc(whole.clone())),
        &[("/result/truncated", json!(false)), ("/result/startLine", Value::Null), ("/result/endLine", Value::Null)],
    );
    let within = DocView { cut: Some(Cut::InLine(1)), ..view.clone() };
    let told = "Line 1 of A.rs alone is over maxBytes, and was cut: ask again with a larger maxBytes.";
    check(
        &reply(Answer::Doc(within)),
        &[("/result/truncated", json!(true)), ("/result/nextStartLine", Value::Null), ("/warnings/1", json!(told))],
    );
    let none = DocView { start_line: 12, end_line: 11, cut: None, content: String::new(), ..view };
    check(&reply(Answer::Doc(none)), &[("/result/startLine", json!(12))]);
}

fn failed(trouble: impl Into<Trouble>) -> Result<Reply, Failed> {
    Err(Failed::unrecorded(trouble).told_by(find("workspace_write_patch").unwrap()))
}

/// One problem with a change: its kind, rule and further fields, and parts of the message and of the next step.
fn check_problem(place: Option<LinePlace>, problem: LineProblem, want: (&str, &str), fields: Value, words: &[&str]) {
    let change = LineEdit { place, key: Some("k".to_owned()), ..LineEdit::default() };
    let patch = FilePatch::new("src/a.rs", Digest::of(b""), vec![change]);
    let outcome = failed(Refusal::plain(Why::LinePatch(vec![patch.fault(2, Some(0), problem)])));
    let told = answer(&outcome);
    let error = told.pointer("/errors/0").unwrap();
    let message = error["message"].as_str().unwrap();
    assert_eq!((error["errorCode"].as_str().unwrap(), error["details"]["rule"].as_str().unwrap()), want, "{error}");
    for (name, value) in fields.as_object().unwrap() {
        assert_eq!(&error["details"][name], value, "{name} in {error:#}");
    }
    assert!(message.starts_with("files[2] src/a.rs, changes[0] \"k\""), "{message}");
    for part in words {
        assert!(message.contains(part), "{part:?} in {message}");
    }
    assert_eq!(serde_json::from_str::<Value>(&text(&outcome)).unwrap(), told);
}

#[test]
fn each_problem_names_its_place_its_fact_and_its_way_out() {
    let replace = Some(LinePlace::Replace { first: 4, last: 5 });
    let insert = Some(LinePlace::Insert { after: 7 });
    let invalid = |rule: &'static str| ("invalid_arguments", rule);
    let argument =
        ArgumentFault { at: "files[2].changes[0].x".into(), expected: Expected::Type("string"), got: "5".into() };
    check_problem(
        None,
        LineProblem::Argument(argument),
        invalid("type"),
        json!({ "argument": "files[2].changes[0].x", "got": "5", "file": "src/a.rs", "fileIndex": 2, "change": 0 }),
        &["must be a string, and it is 5. Set "],
    );
    check_problem(
        replace,
        LineProblem::FieldMissing { field: "endLine", operation: "replace" },
        invalid("required_field"),
        json!({ "field": "endLine", "changeKey": "k", "startLine": 4, "endLine": 5, "operation": "replace" }),
        &["(replace lines 4-5): replace needs endLine", "Add endLine."],
    );
    check_problem(
        insert,
        LineProblem::FieldForeign { field: "startLine", operation: "insert", own: "afterLine, newLines" },
        invalid("foreign_field"),
        json!({ "field": "startLine", "afterLine": 7 }),
        &["does not belong to insert, whose fields are afterLine, newLines"],
    );
}

#[test]
fn ranges_name_the_lines_there_are() {
    let replace = Some(LinePlace::Replace { first: 4, last: 5 });
    let insert = Some(LinePlace::Insert { after: 7 });
    let invalid = |rule: &'static str| ("invalid_arguments", rule);
    check_problem(
        replace,
        LineProblem::Reversed,
        invalid("range"),
        json!({}),
        &["ends before it begins", "set files[2].changes[0].startLine to 5, set files[2].changes[0].endLine to 4"],
    );
    check_problem(
        insert,
        LineProblem::BeyondEnd { count: 3 },
        invalid("range"),
        json!({ "lineCount": 3 }),
        &["from 0 to 3"],
    );
    check_problem(
        replace,
        LineProblem::BeyondEnd { count: 3 },
        invalid("range"),
        json!({}),
        &["has 3 lines", "1 to 3"],
    );
    check_problem(
        replace,
        LineProblem::BeyondEnd { count: 0 },
        invalid("range"),
        json!({}),
        &["is empty", "afterLine 0"],
    );
    check_problem(
        replace,
        LineProblem::ExpectedCount { wanted: 2, given: 1 },
        invalid("expected_count"),
        json!({ "rangeLines": 2, "expectedLines": 1 }),
        &["the range has 2 lines, and expectedOriginalLines has 1 line"],
    );
}

#[test]
fn changes_name_each_other() {
    let replace = Some(LinePlace::Replace { first: 4, last: 5 });
    let invalid = |rule: &'static str| ("invalid_arguments", rule);
    for (what, word) in
        [(Intruder::Newline, "a line break"), (Intruder::CarriageReturn, "a carriage return"), (Intruder::Nul, "a NUL")]
    {
        let problem = LineProblem::NotOneLine { field: "newLines", index: Some(3), what };
        check_problem(replace, problem, invalid("whole_lines"), json!({ "index": 3 }), &["newLines[3] holds", word]);
    }
    let other = LinePlace::Delete { first: 9, last: 9 };
    check_problem(
        replace,
        LineProblem::Order { earlier: 1, place: other },
        invalid("order"),
        json!({ "otherChange": 1 }),
        &["above changes[1] (delete line 9)", "from top to bottom"],
    );
    check_problem(
        replace,
        LineProblem::Overlap { other: 1, place: other },
        invalid("overlap"),
        json!({ "otherChange": 1 }),
        &["overlaps changes[1] (delete line 9)", "Join"],
    );
    check_problem(
        replace,
        LineProblem::SameKey { field: "changeKey", key: "k".into(), earlier: 1 },
        invalid("unique_key"),
        json!({ "otherIndex": 1 }),
        &["\"k\" is taken by changes[1]"],
    );
}

#[test]
fn lines_that_differ_show_both() {
    let line = |quotable| DifferingLine { line: 4, expected: "\tx".into(), actual: "  x".into(), quotable };
    let differing = |instead, quotable| {
        LineProblem::Differs(Box::new(Differing { first: 4, count: 2, pairs: vec![line(quotable)], instead }))
    };
    let replace = Some(LinePlace::Replace { first: 4, last: 5 });
    let want = ("conflict", "expected_lines");
    check_problem(
        replace,
        differing(Some(8), true),
        want,
        json!({ "foundAtLine": 8, "lines": [{ "line": 4, "expected": "\tx", "actual": "  x" }], "differingLines": 2 }),
        &[
            "line 4 is \"  x\", and expectedOriginalLines has \"\\tx\" (2 lines",
            "lines 8-9: set files[2].changes[0].startLine to 8, set files[2].changes[0].endLine to 9",
        ],
    );
    check_problem(
        replace,
        differing(None, true),
        want,
        json!({ "foundAtLine": null }),
        &["exactly as the file has them"],
    );
    check_problem(replace, differing(None, false), want, json!({}), &["cannot be quoted"]);
    let insert = Some(LinePlace::Insert { after: 7 });
    let neighbour = |side, expected: Option<&str>, actual: Option<&str>, instead| LineProblem::Neighbour {
        side,
        expected: expected.map(str::to_owned),
        actual: actual.map(str::to_owned),
        instead,
    };
    check_problem(
        insert,
        neighbour(Side::Before, None, Some("a"), Some(0)),
        ("conflict", "neighbour"),
        json!({ "field": "expectedLineBefore", "expected": null, "actual": "a", "foundAfterLine": 0 }),
        &["above the insert stands \"a\", and expectedLineBefore has null", "afterLine 0"],
    );
    check_problem(
        insert,
        neighbour(Side::After, Some("b"), None, None),
        ("conflict", "neighbour"),
        json!({ "actual": null }),
        &["below the insert stands the end of the file, and expectedLineAfter has \"b\""],
    );
    check_problem(
        replace,
        neighbour(Side::Before, Some("c"), Some("a"), Some(9)),
        ("conflict", "neighbour"),
        json!({ "actual": "a", "foundAtLine": 9 }),
        &["above the replace stands \"a\"", "startLine 9 and endLine 10"],
    );
}

#[test]
fn lines_that_stand_elsewhere_too() {
    let delete = Some(LinePlace::Delete { first: 4, last: 4 });
    check_problem(
        delete,
        repeated(vec![2, 9], None),
        ("multiple_matches", "one_place"),
        json!({ "alsoAtLines": [2, 9], "lineBefore": "  a \"b\"", "lineAfter": null }),
        &[
            "from lines 2, 9, and nothing quoted beside them tells which are meant",
            "add to the delete \"expectedLineBefore\": \"  a \\\"b\\\"\", \"expectedLineAfter\": null; else",
        ],
    );
    check_problem(
        delete,
        repeated(vec![2], Some(Wider::Lines(1, 9))),
        ("multiple_matches", "one_place"),
        json!({ "uniqueRange": [1, 9] }),
        &["the same there too", "use replace with startLine 1 and endLine 9, which are in one place only"],
    );
    check_problem(
        delete,
        repeated(vec![2], Some(Wider::Far)),
        ("multiple_matches", "one_place"),
        json!({}),
        &["Take in more lines above and below"],
    );
    check_problem(
        delete,
        LineProblem::Repeated(Box::new(RepeatedLines {
            lines: vec![2],
            more: true,
            above: None,
            below: None,
            wider: None,
        })),
        ("multiple_matches", "one_place"),
        json!({ "truncated": true }),
        &["from line 2 and further ones"],
    );
}

/// Lines that stand elsewhere, below one line and at the end of the file.
fn repeated(lines: Vec<usize>, wider: Option<Wider>) -> LineProblem {
    LineProblem::Repeated(Box::new(RepeatedLines {
        lines,
        more: false,
        above: Some("  a \"b\"".to_owned()),
        below: None,
        wider,
    }))
}

#[test]
fn all_that_is_wrong_is_listed() {
    let patch = FilePatch::new("src/a.rs", Digest::of(b""), vec![LineEdit::insert(3, vec!["x".to_owned()])]);
    let stale = Stale {
        expected: Some("0".repeat(64)),
        actual: Some(Digest::of(b"")),
        reason: StaleReason::Mismatch,
        sort: Sort::File,
        argument: "originalSha256",
    };
    let stale = Refusal::about("src/A.rs", Why::Stale(stale));
    let faults = vec![
        patch.fault(0, None, LineProblem::File(Box::new(stale))),
        patch.fault(0, Some(0), LineProblem::NotOneLine { field: "newLines", index: Some(0), what: Intruder::Nul }),
        patch.fault(1, None, LineProblem::SameFile { earlier: 0, path: None }),
    ];
    check(
        &failed(Refusal::plain(Why::LinePatch(faults.clone()))),
        &[
            ("/successful", json!(false)),
            ("/result", Value::Null),
            ("/errors/0/errorCode", json!("stale_file")),
            ("/errors/0/details/rule", json!("sha256_match")),
            ("/errors/0/details/expectedSha256", json!("0".repeat(64))),
            ("/errors/0/details/actualSha256", json!(Digest::of(b"").to_string())),
            ("/errors/0/details/file", json!("src/a.rs")),
            ("/errors/1/details/change", json!(0)),
            ("/errors/2/details/otherFileIndex", json!(0)),
        ],
    );
    let many = vec![faults.last().unwrap().clone(); 501];
    let told = answer(&failed(Refusal::plain(Why::LinePatch(many))));
    assert_eq!(told["errors"].as_array().unwrap().len(), 501, "500, and one that says how many more");
    assert_eq!(told["errors"][500]["details"], json!({ "rule": "not_listed", "count": 1 }));
}

#[test]
fn other_bad_news_has_the_same_form() {
    let fault = Fault { path: None, doing: "sync", said: "EIO".into(), state: DiskState::InDoubt, id: None };
    for (trouble, kind, rule) in [
        (Trouble::from(Refusal::plain(Why::Cancelled)), "cancelled", "call"),
        (Refusal::plain(Why::KeyReused { batch: "B".into() }).into(), "invalid_arguments", "call"),
        (Refusal::about("a", Why::NotFound(Missing::File { alike: vec![] })).into(), "not_found", "file_found"),
        (Refusal::about("a", Why::AmbiguousDoc(vec!["a".into(), "A".into()])).into(), "ambiguous_path", "one_file"),
        (Refusal::argument("files[1].x", Expected::UniqueKey, "x").into(), "invalid_arguments", "unique_fields"),
        (Trouble::Fault(fault), "in_doubt", "machine"),
    ] {
        let outcome = failed(trouble);
        let told = answer(&outcome);
        let error = told.pointer("/errors/0").unwrap();
        assert_eq!((&error["errorCode"], &error["details"]["rule"]), (&json!(kind), &json!(rule)), "{told:#}");
        assert!(error["message"].as_str().is_some_and(|message| message.ends_with('.')), "{told:#}");
        assert_eq!(serde_json::from_str::<Value>(&text(&outcome)).unwrap(), told);
    }
}

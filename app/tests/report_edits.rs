//! What operations on anchors came to, and why they were refused: fields, message, listed lines, next step.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use patchwright_app::report::answer;
use patchwright_app::report::{Telling, text};
use patchwright_core::anchor::{Anchor, Quality, Shown};
use patchwright_core::batch::BatchName;
use patchwright_core::digest::Digest;
use patchwright_core::outcome::{
    Answer, Concurrency, Continuity, Correction, EditFacts, Edited, Extent, Failed, Replayed, Reply, SafetyStatus,
    StaleAnchor,
};
use patchwright_core::refusal::{
    AnchorFault, ArgumentFault, Candidate, Expected, OperationFault, OperationField, Refusal, Unknown, Why,
};
use patchwright_core::sanity::{BracketFault, Doubt};
use patchwright_core::tool::{self, Need};
use serde_json::{Value, json};

/// As a reader who can call every tool is told.
fn text(outcome: &Result<Reply, Failed>) -> String {
    text::text(outcome, &Telling::ALL)
}

fn shown(anchor: &str, quality: Quality) -> Shown {
    let Anchor { line, form } = Anchor::parse(anchor).unwrap();
    Shown { line: line.unwrap(), form, quality }
}

fn candidate(anchor: &str, preview: &str) -> Candidate {
    Candidate { shown: shown(anchor, Quality::High), preview: preview.to_owned() }
}

fn facts() -> EditFacts {
    EditFacts {
        operations: 2,
        lines_before: 30,
        lines_after: 32,
        valid_through: 11,
        diff: "@@ -12 +12,3 @@\n-12|old\n+12#a1b2c3 [high]|new\n".to_owned(),
        ..EditFacts::default()
    }
}

fn edited(facts: EditFacts, extent: Extent) -> Edited {
    Edited {
        path: "src/a.rs".to_owned(),
        real: None,
        executable: None,
        before: Some(Digest::of(b"")),
        after: Some(Digest::of(b"")),
        size: 3,
        facts,
        continuity: Continuity::Clean,
        batch: (extent == Extent::Done).then(|| BatchName::new("B1", 17)),
        extent,
        concurrency: Concurrency::Verified,
    }
}

fn reply(edit: Edited) -> Result<Reply, Failed> {
    let answer = Answer::Edited(Box::new(edit));
    Ok(Reply { answer, warnings: Vec::new(), audit_head: None, replayed: Replayed::No })
}

/// How the text begins, fields of the data, and parts of the text.
fn check(edit: Edited, begins: &str, data: &Value, words: &[&str]) {
    let outcome = reply(edit);
    let (got, told) = (answer(&outcome), text(&outcome));
    assert!(told.starts_with(begins), "{told}");
    for (name, value) in data.as_object().unwrap() {
        assert_eq!(got.pointer(&format!("/data/{name}")), (!value.is_null()).then_some(value), "{name} in {got:#}");
    }
    for part in words {
        assert!(told.contains(part), "{part:?} in {told}");
    }
    fits(&got["data"]);
}

/// The table of tools has every field, and what it promises is there.
fn fits(data: &Value) {
    let (fields, data) = (tool::find("edit").unwrap().answer, data.as_object().unwrap());
    for name in data.keys() {
        assert!(fields.iter().any(|field| field.name == name), "{name} is not in the table");
    }
    for field in fields.iter().filter(|field| field.need == Need::Required) {
        assert!(data.contains_key(field.name), "{} is missing", field.name);
    }
}

#[test]
fn the_summary_is_whole() {
    let sha = Digest::of(b"").to_string();
    let outcome = reply(edited(facts(), Extent::Done));
    assert_eq!(
        answer(&outcome)["data"],
        json!({
            "path": "src/a.rs",
            "operations_applied": 2,
            "lines_before": 30,
            "lines_after": 32,
            "net_change": 2,
            "anchors_valid_through": 11,
            "must_refresh_from_line": 12,
            "stale_anchors": [],
            "diff": "@@ -12 +12,3 @@\n-12|old\n+12#a1b2c3 [high]|new\n",
            "sha256": sha,
            "baseline_continuity": "clean",
            "writer_type": "edit",
            "auto_corrections": [],
            "safety_status": "clean",
            "safety_warnings": [],
            "batchId": "B1",
            "batch": "b17",
            "concurrency": "verified",
        })
    );
    assert_eq!(
        text(&outcome),
        "2 operations applied to src/a.rs: b17; now 32 lines (+2); anchors hold through line 11\n\
         12#a1b2c3 [high]|new\n"
    );
}

#[test]
fn how_far_it_went() {
    let one = || EditFacts { operations: 1, lines_after: 27, ..facts() };
    check(
        edited(one(), Extent::Done),
        "1 operation applied to src/a.rs: b17; now 27 lines (-3); anchors hold through line 11\n",
        &json!({ "net_change": -3, "dryRun": null, "unchanged": null }),
        &[],
    );
    check(
        edited(one(), Extent::Dry),
        "Dry run, nothing was changed: 1 operation would be applied to src/a.rs; now 27 lines (-3)\n",
        &json!({ "dryRun": true, "batchId": null, "concurrency": null, "operations_applied": 1 }),
        &["+12#a1b2c3"],
    );
    let same = EditFacts { lines_after: 30, diff: String::new(), ..facts() };
    check(
        edited(same, Extent::Unchanged),
        "src/a.rs already is as the 2 operations would make it; nothing was changed",
        &json!({ "unchanged": true, "net_change": 0, "batchId": null }),
        &[],
    );
}

#[test]
fn what_else_there_is_to_know() {
    let mixed = Edited { continuity: Continuity::Mixed, ..edited(facts(), Extent::Done) };
    check(
        mixed,
        "2 operations applied",
        &json!({ "baseline_continuity": "mixed" }),
        &["baseline_continuity: mixed (something other than edit"],
    );
    let corrections = vec![Correction::RangeSwapped { start: 791, end: 17 }];
    let detail = "start_line (791) was after end_line (17). Swapped automatically.";
    check(
        edited(EditFacts { corrections, ..facts() }, Extent::Done),
        "2 operations applied",
        &json!({ "auto_corrections": [{ "type": "range_order_swapped", "detail": detail }] }),
        &[&format!("Corrected: {detail}\n")],
    );
    let cut = EditFacts { diff_cut: true, safety: SafetyStatus::Skipped, ..facts() };
    check(
        edited(cut, Extent::Done),
        "2 operations applied",
        &json!({ "diffTruncated": true, "safety_status": "skipped" }),
        &["… cut here: read_file {\"path\":\"src/a.rs\",\"startLine\":12,\"hashes\":true} shows the new anchors\n"],
    );
}

#[test]
fn anchors_that_went_stale() {
    let stale = |line: u64| StaleAnchor {
        line,
        was: "~0c812f1b".to_owned(),
        now: "a1b2c3".to_owned(),
        quality: "high".to_owned(),
    };
    check(
        edited(EditFacts { stale: vec![stale(9)], stale_count: 1, ..facts() }, Extent::Done),
        "2 operations applied",
        &json!({
            "stale_anchors": [{ "line": 9, "was": "~0c812f1b", "anchor": "9#a1b2c3", "quality": "high" }],
            "stale_anchors_total": null,
        }),
        &["these anchors changed:\n9#a1b2c3 [high] (was ~0c812f1b)\n12#"],
    );
    check(
        edited(EditFacts { stale: (1..=25).map(stale).collect(), stale_count: 400, ..facts() }, Extent::Done),
        "2 operations applied",
        &json!({ "stale_anchors_total": 400 }),
        &[
            "changed:\n… 388 more further up",
            "\n14#a1b2c3 [high] (was ~0c812f1b)\n",
            "\n25#a1b2c3 [high] (was ~0c812f1b)\n12#",
        ],
    );
}

fn doubts() -> Vec<Doubt> {
    vec![
        Doubt::Bracket { line: 3, bracket: '{', fault: BracketFault::Unclosed },
        Doubt::Bracket { line: 4, bracket: ')', fault: BracketFault::Unopened },
        Doubt::Syntax { line: 5, column: 7, excerpt: "let = 1;".to_owned() },
        Doubt::Repeated { line: 6, other: 5, lines: 1, excerpt: "use b;".to_owned() },
        Doubt::Repeated { line: 6, other: 2, lines: 3, excerpt: "use b;".to_owned() },
        Doubt::Standing { line: 6, other: 7, lines: 1, excerpt: "use b;".to_owned() },
        Doubt::Standing { line: 6, other: 9, lines: 3, excerpt: "use b;".to_owned() },
        indented("", "    "),
        indented("\t ", "\t"),
    ]
}

fn indented(found: &str, wanted: &str) -> Doubt {
    let (found, wanted) = (found.to_owned(), wanted.to_owned());
    Doubt::Indented { line: 6, excerpt: format!("{found}b();"), found, wanted }
}

#[test]
fn results_that_look_like_a_slip() {
    let rows = [
        ("unbalanced_bracket", 3, "`{` opens here and nothing closes it, which was not so before."),
        ("unbalanced_bracket", 4, "`)` closes here and nothing opened it, which was not so before."),
        ("syntax_error", 5, "A syntax error at column 7, which was not there before: `let = 1;`."),
        ("repeated_line", 6, "This line says again what line 5 says: `use b;`."),
        ("repeated_line", 6, "3 lines from here on say again what the lines from 2 on say, beginning with `use b;`."),
        ("already_there", 6, "The line to be inserted stands right beside it already, as line 7: `use b;`."),
        ("already_there", 6, "The 3 lines to be inserted stand right beside them already, from line 9 on: `use b;`."),
        ("indentation", 6, "This line begins with no white space; its place asks for 4 spaces: `b();`."),
        ("indentation", 6, "This line begins with 1 tab and 1 space; its place asks for 1 tab: `b();`."),
    ];
    let list: Vec<Value> =
        rows.iter().map(|(sort, line, detail)| json!({ "type": sort, "line": line, "detail": detail })).collect();
    let lines: Vec<String> =
        rows.iter().map(|(sort, line, detail)| format!("Safety warning ({sort}), line {line}: {detail}\n")).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    check(
        edited(EditFacts { safety: SafetyStatus::Suspicious, doubts: doubts(), ..facts() }, Extent::Done),
        "2 operations applied",
        &json!({ "safety_status": "suspicious", "safety_warnings": list }),
        &lines,
    );
    refused(Why::Unsafe(doubts()), "safety_check_failed", &json!({ "safety_warnings": list }), &lines);
    let next = "correct the range or the content, and call again. If the result is meant to be so, call again with safety_check: \"warn\".";
    refused(
        Why::Unsafe(vec![doubts().remove(0); 30]),
        "safety_check_failed",
        &json!({}),
        &["src/a.rs", "30 places; nothing was changed", "… and 18 more safety warnings", next],
    );
    let standing = doubts().remove(5);
    refused(
        Why::Unsafe(vec![standing]),
        "safety_check_failed",
        &json!({}),
        &["If this call was sent before, it has been carried out, and nothing is left to do.", "\"warn\""],
    );
    refused(
        Why::Unsafe(vec![indented("", "  ")]),
        "safety_check_failed",
        &json!({}),
        &["if the indentation is meant, add to the operation was, the present text of its line"],
    );
}

#[test]
fn a_text_that_is_not_the_lines() {
    let line = |at: usize| candidate(&format!("{at}#a1b2c3"), "let \"a\"");
    let differs = |quotable, candidates: Vec<Candidate>, count| {
        let (said, found) = ("let b".to_owned(), Some(line(14)));
        fault(
            1,
            OperationField::Was,
            "a1b2c3",
            AnchorFault::WasDiffers { said, found, quotable, candidates, count, range: None },
        )
    };
    let found = json!({ "line": 14, "preview": "let \"a\"", "anchor": "14#a1b2c3", "quality": "high" });
    one(
        differs(true, vec![candidate("15#0c812f", "let b")], 1),
        "anchor_ambiguous",
        &json!({ "reason": "was_disagrees", "said": "let b", "line": 14, "found": found }),
        &[
            "operations[1].was says that the line is `let b`, but \"a1b2c3\" is line 14 of src/a.rs, which says `let \"a\"`. Line 15 does.",
            "\n14#a1b2c3 [high]|let \"a\"\n15#0c812f [high]|let b\n",
            "If that line is meant, use its anchor \"15#0c812f\"; if line 14 is, set \"was\": \"let \\\"a\\\"\" and",
        ],
    );
    one(
        differs(true, Vec::new(), 0),
        "anchor_ambiguous",
        &json!({}),
        &["No line says that now.", "use its anchor; if"],
    );
    one(
        differs(true, vec![line(1), line(2)], 7),
        "anchor_ambiguous",
        &json!({ "candidate_count": 7 }),
        &["7 lines do.", "… and 5 more", "use its anchor listed above"],
    );
    one(differs(false, Vec::new(), 0), "anchor_ambiguous", &json!({}), &["leave was out"]);
    let (said, candidates) = ("let b".to_owned(), Vec::new());
    one(
        fault(
            60,
            OperationField::Was,
            "a1b2c3",
            AnchorFault::WasDiffers { said, found: None, quotable: true, candidates, count: 0, range: None },
        ),
        "anchor_ambiguous",
        &json!({ "found": null }),
        &["but \"a1b2c3\" is another one.\nNext step: If another line is meant, use its anchor, else quote"],
    );
    one(
        fault(0, OperationField::Was, "a1b2c3", AnchorFault::WasLength { quoted: 3, lines: (4, 5) }),
        "anchor_ambiguous",
        &json!({ "reason": "was_length", "quoted": 3, "lines": [4, 5] }),
        &["operations[0].was quotes 3 lines, but the operation touches lines 4 to 5 of src/a.rs.", "Quote in was"],
    );
}

/// The kind, fields of the details (null: not there), and parts of the text.
fn refused(why: Why, kind: &str, details: &Value, words: &[&str]) {
    let outcome = Err(Failed::unrecorded(Refusal::about("src/a.rs", why)));
    let (got, told) = (answer(&outcome), text(&outcome));
    let error = &got["error"];
    assert_eq!((&error["kind"], &error["recoverable"]), (&json!(kind), &json!(true)));
    for (name, value) in details.as_object().unwrap() {
        assert_eq!(error["details"].get(name), (!value.is_null()).then_some(value), "{name} in {got:#}");
    }
    for part in words {
        assert!(told.contains(part), "{part:?} in {told}");
    }
    let step = error["suggestedAction"].as_str().unwrap();
    assert!(told.starts_with(kind) && told.ends_with(&format!("\nNext step: {step}")) && !step.is_empty(), "{told}");
}

fn fault(index: usize, field: OperationField, anchor: &str, fault: AnchorFault) -> OperationFault {
    OperationFault { index, field, anchor: anchor.to_owned(), fault }
}

/// One bad operation: its fields stand at the top and in the list.
fn one(bad: OperationFault, kind: &str, details: &Value, words: &[&str]) {
    let mut top = json!({ "index": bad.index, "kind": kind, "field": bad.field.name(), "hash": bad.anchor });
    top.as_object_mut().unwrap().extend(details.as_object().unwrap().clone());
    let got = answer(&Err(Failed::unrecorded(Refusal::about("src/a.rs", Why::Operations(vec![bad.clone()])))));
    let mut first = got["error"]["details"].clone();
    for of_the_call in ["unknown_hashes", "suggested_action", "operations"] {
        first.as_object_mut().unwrap().remove(of_the_call);
    }
    assert_eq!(got["error"]["details"]["operations"], json!([first]));
    refused(Why::Operations(vec![bad]), kind, &top, words);
}

#[test]
fn stale_anchors() {
    let reread = "Next step: Call read_file {\"path\":\"src/a.rs\",\"hashes\":true}, then call again with the anchors that it prints.";
    let unknown = |anchor, reason| fault(2, OperationField::Hash, anchor, AnchorFault::Unknown(reason));
    one(
        unknown("a1b2c3", Unknown::Hash),
        "anchor_stale",
        &json!({ "reason": "unknown_hash", "unknown_hashes": ["a1b2c3"], "suggested_action": "re-read_file" }),
        &[
            "operations[2].hash \"a1b2c3\": no line of src/a.rs as it is now has this hash. The file has changed",
            reread,
        ],
    );
    one(
        unknown("a1b2c3@2/5", Unknown::Places(3)),
        "anchor_stale",
        &json!({ "reason": "place_count_changed", "count": 3, "unknown_hashes": ["a1b2c3@2/5"] }),
        &["operations[2].hash \"a1b2c3@2/5\"", "is now 3", "The file has changed", reread],
    );
    one(
        unknown("a1b2c3", Unknown::EmptyFile),
        "anchor_stale",
        &json!({ "reason": "empty_file", "suggested_action": "re-read_file" }),
        &["src/a.rs is empty now", "write_file"],
    );
    one(
        unknown("a1b2c3", Unknown::Charset),
        "anchor_stale",
        &json!({ "reason": "other_charset" }),
        &["not valid text in the charset", "the same encoding"],
    );
    one(
        fault(0, OperationField::Hash, "a1b2c3@2/5", AnchorFault::EqualsMoved { line: 9, count: 5 }),
        "anchor_stale",
        &json!({ "reason": "equal_lines_moved", "line": 9, "count": 5, "suggested_action": "re-read_file" }),
        &["has 5 equal lines", "line 9 may not be the one", reread],
    );
    one(
        fault(0, OperationField::Op, "a1b2c3", AnchorFault::RangeChanged { first: 5, last: 9 }),
        "anchor_stale",
        &json!({ "reason": "range_changed", "lines": [5, 9], "unknown_hashes": null, "suggested_action": "re-read_file" }),
        &[
            "operations[0]: lines 5 to 9 of src/a.rs",
            "somebody else has changed the file since",
            "what lines 5 to 9 say now",
        ],
    );
}

#[test]
fn ambiguous_anchors() {
    let candidates = || vec![candidate("4#a1b2c3d4", "  x = 1"), candidate("9#~0c812f1b", "y")];
    let listed = json!([
        { "line": 4, "preview": "  x = 1", "anchor": "4#a1b2c3d4", "quality": "high" },
        { "line": 9, "preview": "y", "anchor": "9#~0c812f1b", "quality": "high" },
    ]);
    let rows = "\n4#a1b2c3d4 [high]|  x = 1\n9#~0c812f1b [high]|y\n";
    one(
        fault(1, OperationField::Hash, "a1b2c3", AnchorFault::Ambiguous { candidates: candidates(), count: 2 }),
        "anchor_ambiguous",
        &json!({ "candidates": listed, "candidate_count": null }),
        &[
            "operations[1].hash \"a1b2c3\" names 2 lines of src/a.rs, lines 4 and 9",
            rows,
            "Next step: Use the anchor listed above for the line you mean, or add occurrence (1 to 2,",
        ],
    );
    let context =
        |field| fault(1, field, "a1b2c3", AnchorFault::ContextAmbiguous { candidates: candidates(), count: 2 });
    one(
        context(OperationField::Hash),
        "anchor_context_ambiguous",
        &json!({ "candidates": listed }),
        &[rows, "not even their neighbours", "occurrence (1 to 2", "replace_range"],
    );
    for (field, end) in [(OperationField::StartHash, "start_hash"), (OperationField::EndHash, "end_hash")] {
        one(
            context(field),
            "anchor_context_ambiguous",
            &json!({ "candidates": listed, "field": end }),
            &[
                rows,
                &format!("operations[1].{end} \"a1b2c3\""),
                &format!("Use for {end} the anchor"),
                "another boundary",
            ],
        );
    }
    let many = (1..=25).map(|line| candidate(&format!("{line}#a1b2c3@{line}/2000"), "}")).collect();
    refused(
        Why::Operations(vec![fault(
            0,
            OperationField::Hash,
            "a1b2c3",
            AnchorFault::Ambiguous { candidates: many, count: 2000 },
        )]),
        "anchor_ambiguous",
        &json!({ "candidate_count": 2000 }),
        &["\n12#a1b2c3@12/2000 [high]|}\n… and 1988 more\nNext step"],
    );
}

#[test]
fn occurrence_and_line_that_do_not_fit() {
    let candidates = vec![candidate("4#a1b2c3d4", "x")];
    one(
        fault(
            0,
            OperationField::Hash,
            "a1b2c3",
            AnchorFault::NoSuchOccurrence { asked: 3, candidates: candidates.clone(), count: 1 },
        ),
        "anchor_ambiguous",
        &json!({ "reason": "occurrence_out_of_range", "asked": 3, "count": 1 }),
        &[
            "occurrence 3 was asked for, but src/a.rs has 1 line",
            "4#a1b2c3d4 [high]|x",
            "leave out operations[0].occurrence",
        ],
    );
    one(
        fault(0, OperationField::Hash, "a1b2c3", AnchorFault::NoSuchOccurrence { asked: 7, candidates, count: 4 }),
        "anchor_ambiguous",
        &json!({ "asked": 7, "count": 4, "candidate_count": 4 }),
        &["has 4 lines", "… and 3 more", "a number from 1 to 4"],
    );
    let disagrees = |there| AnchorFault::LineDisagrees { said: 12, found: candidate("14#a1b2c3", "x"), there };
    let found = json!({ "line": 14, "preview": "x", "anchor": "14#a1b2c3", "quality": "high" });
    let there = json!({ "line": 12, "preview": "y", "anchor": "12#0c812f", "quality": "high" });
    one(
        fault(0, OperationField::Hash, "12#a1b2c3", disagrees(Some(candidate("12#0c812f", "y")))),
        "anchor_ambiguous",
        &json!({ "reason": "line_disagrees", "said": 12, "line": 14, "found": found, "there": there }),
        &[
            "is line 14 of src/a.rs",
            "is 12",
            "\n14#a1b2c3 [high]|x\n12#0c812f [high]|y\n",
            "Look at the lines listed above",
        ],
    );
    one(
        fault(0, OperationField::Hash, "99#a1b2c3", disagrees(None)),
        "anchor_ambiguous",
        &json!({ "found": found, "there": null }),
        &["\n14#a1b2c3 [high]|x\nNext step"],
    );
}

#[test]
fn weak_anchors_and_ranges() {
    let neighbours = vec![candidate("119#c812f1", "let a"), candidate("120#a3f1b2", "let b")];
    let low =
        |content: &str, neighbours| AnchorFault::LowEntropy { line: 118, content: content.to_owned(), neighbours };
    one(
        fault(0, OperationField::Hash, "d41d8c", low("  },", neighbours)),
        "anchor_low_entropy",
        &json!({ "line": 118, "content": "  },", "neighbor_anchors": ["119#c812f1", "120#a3f1b2"] }),
        &[
            "names line 118 of src/a.rs, which is `··},`",
            "\n119#c812f1 [high]|let a\n120#a3f1b2 [high]|let b\n",
            "replace_range or delete_range from one of them to this line",
            "add occurrence: 1",
        ],
    );
    let around = vec![candidate("117#c812f1", "let a"), candidate("120#a3f1b2", "let b")];
    one(
        fault(0, OperationField::Hash, "d41d8c", low("}", around)),
        "anchor_low_entropy",
        &json!({ "neighbor_anchors": ["117#c812f1", "120#a3f1b2"] }),
        &["replace_range between one above and one below covers this line", "add occurrence: 1"],
    );
    one(
        fault(0, OperationField::Hash, "d41d8c", low("\t", Vec::new())),
        "anchor_low_entropy",
        &json!({ "neighbor_anchors": [] }),
        &["which is blank", "If this very line is meant, add occurrence: 1"],
    );
    one(
        fault(3, OperationField::Op, "a1b2c3", AnchorFault::OneLineRange { line: 7, quality: Quality::High }),
        "invalid_range_order",
        &json!({ "line": 7, "reason": "no_op_range" }),
        &[
            "operations[3]: start_hash and end_hash are both line 7",
            "no-op",
            "set operations[3].op to \"replace_line\", rename operations[3].start_hash to hash, leave out operations[3].end_hash",
        ],
    );
    one(
        fault(1, OperationField::Op, "a1b2c3", AnchorFault::Overlap { other: 0, lines: (5, 9), other_lines: (7, 7) }),
        "overlapping_operations",
        &json!({ "other": 0, "lines": [5, 9], "other_lines": [7, 7] }),
        &["operations[1] (lines 5 to 9) and operations[0] (line 7)", "Join operations[0] and operations[1] into one"],
    );
}

#[test]
fn all_bad_operations_at_once() {
    let unknown = |index, anchor| fault(index, OperationField::Hash, anchor, AnchorFault::Unknown(Unknown::Hash));
    let candidates = || vec![candidate("4#a1b2c3d4", "x"), candidate("9#~0c812f1b", "y")];
    let faults = vec![
        fault(0, OperationField::Hash, "a1b2c3", AnchorFault::Ambiguous { candidates: candidates(), count: 2 }),
        unknown(1, "ffffff"),
        unknown(4, "eeeeee"),
        unknown(4, "ffffff"),
        fault(
            5,
            OperationField::EndHash,
            "a1b2c3",
            AnchorFault::ContextAmbiguous { candidates: candidates(), count: 2 },
        ),
    ];
    refused(
        Why::Operations(faults),
        "anchor_ambiguous",
        &json!({ "index": 0, "unknown_hashes": ["ffffff", "eeeeee"], "suggested_action": "re-read_file" }),
        &[
            "Nothing was changed in src/a.rs; 5 faults:\n- operations[1].hash \"ffffff\", operations[4].hash \"eeeeee\",",
            "\n- operations[0].hash \"a1b2c3\" names",
            "\noperations[0].hash \"a1b2c3\":\n4#a1b2c3d4 [high]|x\n",
            "\noperations[5].end_hash \"a1b2c3\":\n4#a1b2c3d4 [high]|x\n",
            "Next step: For operations[0]: Use the anchor",
            "For operations[1], operations[4]: Call read_file",
            "For operations[5]: Use for end_hash",
        ],
    );
    refused(
        Why::Operations((0..25).map(|index| unknown(index, "ffffff")).collect()),
        "anchor_stale",
        &json!({ "unknown_hashes": ["ffffff"] }),
        &["25 faults", ", operations[11].hash \"ffffff\" and 13 more: no line", "\nNext step: Call read_file"],
    );
}

/// What is said about arguments of operations that do not fit.
#[test]
fn arguments_that_do_not_fit() {
    let hash = |expected, got: &str| ArgumentFault { at: "operations[0].hash".into(), expected, got: got.into() };
    for (bad, message, next) in [
        (
            hash(Expected::Anchor, "\"a1b2\""),
            "operations[0].hash must be an anchor as read_file(hashes: true) prints it",
            "Set operations[0].hash to an anchor",
        ),
        (
            hash(Expected::OtherOperation { op: "delete_range", fields: "start_hash, end_hash" }, "\"a1b2c3\""),
            "operations[0].hash does not belong to delete_range, whose fields are start_hash, end_hash",
            "If one line is meant, set operations[0].op to \"delete_line\"",
        ),
        (
            ArgumentFault { at: "operations[0].occurrence".into(), ..hash(Expected::SameOccurrence(2), "3") },
            "operations[0].occurrence must be 2, as its anchor says, or left out, and it is 3",
            "Set operations[0].occurrence to 2",
        ),
    ] {
        let refusal = Refusal::plain(Why::Arguments(vec![bad]));
        let error = answer(&Err(Failed::unrecorded(refusal)))["error"].clone();
        assert_eq!(error["kind"], "invalid_arguments");
        assert!(error["message"].as_str().unwrap().contains(message), "{error:#}");
        assert!(error["suggestedAction"].as_str().unwrap().starts_with(next), "{error:#}");
    }
}

//! Calls without an end: very many hunks, edits and files, patterns that explode, JSON without a bottom.

use crate::{Bound, SMALL, check, kind, limited, place, start, within};
use serde_json::json;
use std::fs;

#[test]
fn a_million_hunks() {
    let place = place();
    let count = 1_000_000;
    let text: String = (0..count).map(|line| format!("line {line};\n")).collect();
    fs::write(place.path().join("many"), text).unwrap();
    let hunks: String = (0..count).map(|line| format!("@@\n-line {line};\n+x {line}\n")).collect();
    let patch = format!("*** Begin Patch\n*** Update File: many\n{hunks}*** End Patch\n");
    // Forty bytes for each byte that came in.
    let bound = Bound { memory: 2_048, work: 120, answer: 200_000 };
    check(&place, ("apply_patch", &json!({ "patch": patch })), &["ok"], bound);
}

/// Each is looked for in the whole text, so the work is edits times text.
#[test]
fn very_many_edits() {
    let place = place();
    let text: String = (0..20_000).map(|line| format!("line {line};\n")).collect();
    fs::write(place.path().join("many"), text).unwrap();
    let edits: Vec<_> = (0..20_000).map(|at| json!({ "oldText": format!("line {at};"), "newText": "x" })).collect();
    let bound = Bound { answer: 200_000, ..SMALL };
    check(&place, ("edit_file", &json!({ "path": "many", "edits": edits })), &["ok"], bound);
}

/// With far fewer open files than that allowed.
#[test]
fn ten_thousand_files_in_a_patch() {
    let place = place();
    let files: String = (0..10_000).map(|at| format!("*** Add File: f{at}\n+{at}\n")).collect();
    let patch = format!("*** Begin Patch\n{files}*** End Patch\n");
    let bound = Bound { memory: 256, work: 60, answer: 4_000_000 };
    check(&place, ("apply_patch", &json!({ "patch": patch })), &["ok"], bound);
    assert_eq!(fs::read_to_string(place.path().join("f9999")).unwrap(), "9999\n");
}

#[test]
fn huge_patterns() {
    let place = place();
    fs::write(place.path().join("as"), "a".repeat(50_000)).unwrap();
    let words: Vec<_> = (0..200_000).map(|at| format!("word{at}")).collect();
    let bound = Bound { memory: 256, work: 60, answer: 20_000 };
    for query in [
        "(a+)+$".to_owned(),
        "(?:a?){500}a{500}".to_owned(),
        r"\w{1000}".repeat(20),
        r"\pL{500}{20}".to_owned(),
        words.join("|"),
        "(".repeat(100_000),
        "(?:a".repeat(5_000) + &")".repeat(5_000),
        "a".repeat(8 << 20),
    ] {
        let arguments = json!({ "query": query, "mode": "regex" });
        check(&place, ("search_files", &arguments), &["ok", "command_failed", "invalid_arguments"], bound);
    }
    for pattern in [
        "{a,b}".repeat(30),
        "{".repeat(10_000),
        "{a,".repeat(2_000) + &"}".repeat(2_000),
        "**/".repeat(5_000),
        "*a".repeat(5_000),
        "[a-z]".repeat(10_000),
        format!("{{{}}}", words.join(",")),
        "?".repeat(8 << 20),
    ] {
        check(&place, ("glob", &json!({ "pattern": pattern })), &["ok", "command_failed"], bound);
        let arguments = json!({ "query": pattern, "mode": "path" });
        check(&place, ("search_files", &arguments), &["ok", "command_failed"], bound);
    }
    let arguments = json!({ "query": "needle", "mode": "text", "includeGlobs": words });
    check(&place, ("search_files", &arguments), &["command_failed"], bound);
}

#[test]
fn json_without_a_bottom() {
    let place = place();
    let keys: Vec<_> = (0..20_000).map(|at| format!("\"k{at}\":1")).collect();
    for text in [
        "[".repeat(1_000_000) + &"]".repeat(1_000_000),
        "{\"path\":".repeat(200_000) + "1" + &"}".repeat(200_000),
        "[".repeat(2_000_000),
        r#"{"path":"a.txt","path":"a.txt"}"#.to_owned(),
        r#"{"path":"\ud800"}"#.to_owned(),
        format!("{{{}}}", keys.join(",")),
    ] {
        let mut server = limited(place.path(), SMALL.work);
        let answer = server.call_in_text("read_file", &text);
        let refused = answer.pointer("/result/structuredContent").map(kind) == Some("invalid_arguments");
        assert!(refused || answer.get("error").is_some(), "{}", start(&answer));
        within(&server, "read_file", &answer, SMALL);
        server.done("read_file", &json!({ "path": "a.txt" }));
    }
}

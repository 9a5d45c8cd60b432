//! Shapes with one reading, and what an attacker would make of them.

use super::*;
use crate::wire::{call, tool};
use patchwright_core::tool::{ALIASES, AliasValue, TOOLS};

fn read(tool_name: &str, text: &str, null_proof: NullProof) -> Canonical {
    canonical(tool(tool_name).unwrap(), parse_json(text).unwrap(), null_proof)
}

/// Both spellings are one call, and the second needs no reading.
fn check(tool_name: &str, given: &str, want: &str) {
    let got = read(tool_name, given, NullProof::LeftOut);
    let want = read(tool_name, want, NullProof::LeftOut);
    assert!(got.faults.is_empty(), "{given}: {:?}", got.faults);
    assert!(same(&got.json, &want.json), "{given}: {:?}", got.json);
    assert!(!got.readings.is_empty() && want.readings.is_empty(), "{given}: {:?}", got.readings);
    let again = canonical(tool(tool_name).unwrap(), got.json.clone(), NullProof::LeftOut);
    assert_eq!(
        again,
        Canonical { json: got.json, readings: Vec::new(), faults: Vec::new(), given: Vec::new(), flat: None },
        "{given}"
    );
}

/// A call with a place where it has two readings, or none.
fn refused(tool_name: &str, given: &str, at: &str, expected: &str) {
    let faults = read(tool_name, given, NullProof::LeftOut).faults;
    let told: Vec<String> = faults.iter().map(|fault| format!("{}: {:?}", fault.at, fault.expected)).collect();
    assert!(told.iter().any(|told| told.starts_with(&format!("{at}: ")) && told.contains(expected)), "{told:?}");
    assert!(call(tool_name, given).is_err(), "{given}");
}

/// No reading at all: the call is refused as it came.
fn untouched(tool_name: &str, given: &str) {
    let json = parse_json(given).unwrap();
    let got = read(tool_name, given, NullProof::LeftOut);
    assert_eq!(
        got,
        Canonical { json, readings: Vec::new(), faults: Vec::new(), given: Vec::new(), flat: None },
        "{given}"
    );
    assert!(call(tool_name, given).is_err(), "{given}");
}

#[test]
fn names() {
    check("read_file", r#"{"file_path": "a"}"#, r#"{"path": "a"}"#);
    check("edit", r#"{"file_path": "a", "operations": []}"#, r#"{"path": "a", "operations": []}"#);
    check("apply_patch", r#"{"input": "p"}"#, r#"{"patch": "p"}"#);
    check("move_file", r#"{"source": "a", "destination": "b"}"#, r#"{"fromPath": "a", "toPath": "b"}"#);
    check("read_file", r#"{"path": "a", "file_path": "a"}"#, r#"{"path": "a"}"#);
    check("read_file", r#"{"path": null, "file_path": "a"}"#, r#"{"path": "a"}"#);
    for (old, new) in [("old_string", "new_string"), ("old_str", "new_str"), ("oldText", "new_str")] {
        check(
            "edit_file",
            &format!(r#"{{"path": "a", "edits": [{{"{old}": "x", "{new}": "y", "replace_all": "true"}}]}}"#),
            r#"{"path": "a", "edits": [{"oldText": "x", "newText": "y", "replaceAll": true}]}"#,
        );
    }
}

#[test]
fn two_names_that_differ_are_refused() {
    refused("read_file", r#"{"path": "a", "file_path": "b"}"#, "file_path", r#"other: "path", value: "\"a\"""#);
    refused("read_file", r#"{"file_path": "b", "path": "a"}"#, "path", r#"other: "file_path""#);
    refused(
        "edit_file",
        r#"{"path": "a", "edits": [{"old_str": "x", "old_string": "y", "newText": ""}]}"#,
        "edits[0].old_string",
        r#"name: "oldText", other: "old_str""#,
    );
    refused("edit_file", r#"{"path": "a", "oldText": "x", "new_str": "y", "newText": "z"}"#, "newText", "new_str");
}

#[test]
fn lines_by_offset_and_limit() {
    let lines = |given: &str, want: &str| {
        check("read_file", &format!(r#"{{"path": "a", {given}}}"#), &format!(r#"{{"path": "a", {want}}}"#));
    };
    lines(r#""offset": 0"#, r#""startLine": 1"#);
    lines(r#""offset": 7"#, r#""startLine": 7"#);
    lines(r#""limit": 5"#, r#""endLine": 5"#);
    lines(r#""limit": 5, "offset": 0"#, r#""startLine": 1, "endLine": 5"#);
    lines(r#""limit": "5", "offset": "10""#, r#""startLine": 10, "endLine": 14"#);
    lines(r#""startLine": 10, "limit": 5"#, r#""startLine": 10, "endLine": 14"#);
    lines(r#""offset": 10, "endLine": 14"#, r#""startLine": 10, "endLine": 14"#);
    lines(r#""offset": 10, "startLine": 10, "limit": 5, "endLine": 14"#, r#""startLine": 10, "endLine": 14"#);
    lines(r#""offset": 0, "startLine": 1"#, r#""startLine": 1"#);
    lines(r#""offset": null, "limit": null, "startLine": 2"#, r#""startLine": 2"#);
    let most = i64::MAX;
    lines(&format!(r#""offset": {most}, "limit": {most}"#), &format!(r#""startLine": {most}, "endLine": {most}"#));
    let refuse = |given: &str, at: &str, expected: &str| {
        refused("read_file", &format!(r#"{{"path": "a", {given}}}"#), at, expected);
    };
    refuse(r#""offset": 3, "startLine": 4"#, "offset", r#"other: "startLine", value: "4""#);
    refuse(r#""limit": 3, "endLine": 4"#, "limit", r#"other: "endLine", value: "4""#);
    refuse(r#""offset": -1"#, "offset", "Between(0,");
    refuse(r#""limit": 0"#, "limit", "Between(1,");
    refuse(r#""limit": 1.5"#, "limit", "integer");
    refuse(r#""offset": 9223372036854775808"#, "offset", "Between(0,");
    refuse(r#""offset": "x""#, "offset", "integer");
    untouched("list_directory", r#"{"offset": 1}"#);
    untouched("search_files", r#"{"query": "a", "mode": "text", "limit": 5}"#);
}

#[test]
fn one_edit_beside_the_path() {
    let want = r#"{"path": "a", "edits": [{"oldText": "x", "newText": "y"}]}"#;
    check("edit_file", r#"{"path": "a", "oldText": "x", "newText": "y"}"#, want);
    check("edit_file", r#"{"file_path": "a", "old_string": "x", "new_string": "y"}"#, want);
    check("edit_file", r#"{"path": "a", "old_str": "x", "new_str": "y", "edits": null, "replace_all": null}"#, want);
    check(
        "edit_file",
        r#"{"path": "a", "edits": [{"newText": "y", "old_str": "x"}], "oldText": "x", "newText": "y"}"#,
        want,
    );
    check(
        "edit_file",
        r#"{"path": "a", "oldText": "x", "newText": "y", "expectedOccurrences": "2"}"#,
        r#"{"path": "a", "edits": [{"oldText": "x", "newText": "y", "expectedOccurrences": 2}]}"#,
    );
    let beside = |flat: &str, edits: &str, at: &str| {
        refused("edit_file", &format!(r#"{{"path": "a", {flat}, "edits": {edits}}}"#), at, "InList(\"edits\")");
    };
    beside(r#""oldText": "x", "newText": "z""#, r#"[{"oldText": "x", "newText": "y"}]"#, "oldText");
    beside(r#""replace_all": true"#, r#"[{"oldText": "x", "newText": "y"}]"#, "replace_all");
    beside(r#""oldText": "x""#, r#"[{"oldText": "x", "newText": "y"}]"#, "oldText");
    beside(r#""oldText": "x", "newText": "y""#, r#"[{"oldText": "x", "newText": "y"}, {}]"#, "oldText");
    untouched("write_file", r#"{"path": "a", "content": "", "oldText": "x"}"#);
}

#[test]
fn null_is_left_out() {
    check("read_file", r#"{"path": "a", "encoding": null, "maxBytes": null}"#, r#"{"path": "a"}"#);
    check("delete_file", r#"{"path": "a", "expectedSha256": null, "mode": null}"#, r#"{"path": "a"}"#);
    check("apply_patch", r#"{"patch": "p", "expectedSha256ByPath": null}"#, r#"{"patch": "p"}"#);
    check(
        "workspace_write_patch",
        r#"{"batchKey": null, "files": [{"docPath": "a", "changes": [{"changeId": null, "expectedLineBefore": null}]}]}"#,
        r#"{"files": [{"docPath": "a", "changes": [{"expectedLineBefore": null}]}]}"#,
    );
    untouched("apply_patch", r#"{"patch": "p", "expectedSha256ByPath": {"a": null}}"#);
    untouched("edit_file", r#"{"path": "a", "edits": [null]}"#);
    untouched("read_file", r#"{"path": "a", "colour": null}"#);
}

#[test]
fn null_lifts_no_proof_where_none_is_asked_for() {
    for (name, given) in [
        ("delete_file", r#"{"path": "a", "expectedSha256": null}"#),
        ("move_file", r#"{"fromPath": "a", "toPath": "b", "overwrite": true, "expectedTargetSha256": null}"#),
        ("apply_patch", r#"{"patch": "p", "expectedSha256ByPath": null}"#),
    ] {
        assert!(call(name, given).is_ok(), "{given}");
        let kept = read(name, given, NullProof::Refused);
        assert_eq!(kept.json, parse_json(given).unwrap());
        assert!(crate::wire::check(tool(name).unwrap(), kept).is_err(), "{given}");
    }
}

#[test]
fn lists_in_a_text() {
    let want = r#"{"path": "a", "edits": [{"oldText": "x", "newText": "y", "replaceAll": true}]}"#;
    let text = r#"{"path": "a", "edits": " [{\"old_string\": \"x\", \"newText\": \"y\", \"replaceAll\": \"true\"}]"}"#;
    check("edit_file", text, want);
    check("edit", r#"{"path": "a", "operations": "[{}]"}"#, r#"{"path": "a", "operations": [{}]}"#);
    check(
        "workspace_write_patch",
        r#"{"files": [{"docPath": "a", "changes": "[{\"newLines\": [\"x\"]}]"}]}"#,
        r#"{"files": [{"docPath": "a", "changes": [{"newLines": ["x"]}]}]}"#,
    );
    let refuse = |text: &str, at: &str, expected: &str| {
        let given = format!(r#"{{"path": "a", "edits": {}}}"#, serde_json::Value::from(text));
        refused("edit_file", &given, at, expected);
    };
    refuse(r#"[{"oldText": "x", "newText": "y"}"#, "edits", "Json");
    refuse(r#"[{"oldText": "x", "oldText": "z", "newText": "y"}]"#, "edits[0].oldText", "UniqueKey");
    refuse(&"[".repeat(100_000), "edits", "recursion");
    refuse(&format!("[{}{{}}]", "{},".repeat(200_001)), "edits", "AtMost(200000");
    // What is no array, what stands in a text of a text, and lines, are no lists of objects.
    untouched("edit_file", r#"{"path": "a", "edits": "{}"}"#);
    untouched("edit_file", r#"{"path": "a", "edits": "\"[]\""}"#);
    untouched("edit_file", r#"{"path": "a", "edits": {"oldText": "x", "newText": "y"}}"#);
    untouched("workspace_read_file", r#"{"docPath": ["a"]}"#);
    let deep = r#"[{"docPath": "a", "changes": "[]"}]"#;
    let given = format!(r#"{{"files": {}}}"#, serde_json::Value::from(deep));
    let got = read("workspace_write_patch", &given, NullProof::LeftOut);
    assert!(matches!(&got.json, Json::Object(_)) && format!("{:?}", got.json).contains(r#"Text("[]")"#), "{got:?}");
    let lines = r#"{"files": [{"docPath": "a", "changes": [{"newLines": "[\"x\"]", "expectedOriginalLines": "x"}]}]}"#;
    assert_eq!(read("workspace_write_patch", lines, NullProof::LeftOut).json, parse_json(lines).unwrap());
}

#[test]
fn values_in_a_text() {
    check(
        "read_file",
        r#"{"path": "a", "endLine": "5", "hashes": "false"}"#,
        r#"{"path": "a", "endLine": 5, "hashes": false}"#,
    );
    let search = |globs: &str| format!(r#"{{"query": "a", "mode": "text", "includeGlobs": {globs}}}"#);
    check("search_files", &search(r#""*.rs""#), &search(r#"["*.rs"]"#));
    check("search_files", &search(r#""[ab]*""#), &search(r#"["[ab]*"]"#));
    check("apply_batch", r#"{"batchId": "b1", "changeIds": "b1.2"}"#, r#"{"batchId": "b1", "changeIds": ["b1.2"]}"#);
    // A list in a text could be a pattern, too.
    untouched("search_files", &search(r#""[\"a\"]""#));
    for value in [r#""5.0""#, r#"" 5""#, r#""05""#, r#""+5""#, r#""1e3""#, r#""""#, r#""-0""#, r#""９""#] {
        untouched("read_file", &format!(r#"{{"path": "a", "endLine": {value}}}"#));
    }
    for value in [r#""yes""#, r#""True""#, r#""true ""#, "1", "0"] {
        untouched("read_file", &format!(r#"{{"path": "a", "hashes": {value}}}"#));
    }
    untouched("read_file", r#"{"path": 5}"#);
    untouched("workspace_write_patch", "[]");
}

#[test]
fn nothing_else_is_a_proof() {
    for name in ["sha256", "hash", "expected_sha256", "expectedSha", "originalSha256", "expected_target_sha256"] {
        untouched("delete_file", &format!(r#"{{"path": "a", "{name}": "x"}}"#));
    }
    untouched("apply_patch", r#"{"patch": "p", "expected_sha256_by_path": {}}"#);
}

#[test]
fn a_call_of_the_examples_needs_no_reading() {
    for tool in TOOLS {
        for example in tool.examples {
            let json = parse_json(example.arguments).unwrap();
            let want = Canonical {
                json: json.clone(),
                readings: Vec::new(),
                faults: Vec::new(),
                given: Vec::new(),
                flat: None,
            };
            assert_eq!(canonical(tool, json, NullProof::Refused), want, "{}", example.about);
        }
    }
}

/// Every way in which the fields of an object may be written otherwise; each gives an object again.
fn otherwise(tool: &Tool, params: &'static [Param], given: &[(String, Json)]) -> Vec<Vec<(String, Json)>> {
    let mut made = Vec::new();
    for (at, (name, value)) in given.iter().enumerate() {
        let with = |field: (String, Json)| {
            let mut fields = given.to_vec();
            fields[at] = field;
            fields
        };
        let said = |value: Json| with((name.clone(), value));
        let names = ALIASES.iter().filter(|row| row.name == name && tool.alias(row.given, params) == Some(*row));
        let same = |row: &&Alias| matches!(row.value, AliasValue::Same | AliasValue::Deprecated);
        for row in names.filter(same) {
            made.push(with((row.given.to_owned(), value.clone())));
            made.push([given, &[(row.given.to_owned(), value.clone())]].concat());
        }
        let Some(param) = params.iter().find(|param| param.name == name) else { continue };
        match value {
            Json::Whole(number) => made.push(said(Json::Text(number.to_string()))),
            Json::Flag(flag) => made.push(said(Json::Text(flag.to_string()))),
            Json::List(items) if param.takes_one_string() && items.len() == 1 => made.push(said(items[0].clone())),
            Json::List(items) => {
                let Some(inner) = param.kind.of_objects() else { continue };
                made.push(said(Json::Text(spelt(value))));
                for (index, item) in items.iter().enumerate() {
                    let Json::Object(fields) = item else { panic!("{item:?}") };
                    for fields in otherwise(tool, inner, fields) {
                        // Of a text in a text nothing is read.
                        let holds =
                            |name: &str| inner.iter().any(|one| one.name == name && one.kind.of_objects().is_some());
                        let nested = fields.iter().any(|(name, value)| holds(name) && matches!(value, Json::Text(_)));
                        let mut items = items.clone();
                        items[index] = Json::Object(fields);
                        if !nested {
                            made.push(said(Json::Text(spelt(&Json::List(items.clone())))));
                        }
                        made.push(said(Json::List(items)));
                    }
                    if items.len() == 1 && tool.flat().is_some_and(|(list, _)| list.name == name) {
                        let rest = given.iter().filter(|(known, _)| known != name);
                        made.push(rest.chain(fields).cloned().collect());
                        made.push([given, &fields[..]].concat());
                    }
                }
            }
            _ => {}
        }
    }
    let absent = |param: &&Param| given.iter().all(|(name, _)| name != param.name);
    for param in params.iter().filter(absent).filter(|param| !matches!(param.kind, ParamKind::TextOrNull)) {
        made.push([given, &[(param.name.to_owned(), Json::Null)]].concat());
    }
    made
}

fn spelt(json: &Json) -> String {
    match json {
        Json::Null => "null".to_owned(),
        Json::Flag(flag) => flag.to_string(),
        Json::Whole(number) => number.to_string(),
        Json::Number(number) => number.clone(),
        Json::Text(text) => serde_json::Value::from(text.as_str()).to_string(),
        Json::List(items) => format!("[{}]", items.iter().map(spelt).collect::<Vec<_>>().join(",")),
        Json::Object(fields) => {
            let field =
                |(name, value): &(String, Json)| format!("{}:{}", spelt(&Json::Text(name.clone())), spelt(value));
            format!("{{{}}}", fields.iter().map(field).collect::<Vec<_>>().join(","))
        }
    }
}

#[test]
fn every_other_way_to_write_an_example_is_the_same_call() {
    let mut tried = 0;
    for tool in TOOLS {
        for example in tool.examples {
            let plain = call(tool.name, example.arguments).unwrap();
            let Json::Object(fields) = parse_json(example.arguments).unwrap() else { panic!("{}", example.arguments) };
            for fields in otherwise(tool, tool.parameters, &fields) {
                let text = spelt(&Json::Object(fields));
                let odd = call(tool.name, &text).unwrap_or_else(|why| panic!("{text}: {why:?}"));
                assert_eq!((odd.fingerprint(), &odd), (plain.fingerprint(), &plain), "{text}");
                assert!(!read(tool.name, &text, NullProof::LeftOut).readings.is_empty(), "{text}");
                tried += 1;
            }
        }
    }
    assert!(tried > 300, "{tried}");
}

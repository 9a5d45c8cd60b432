//! Every statement that models must be told about anchors and about line patches: in the tools' descriptions and in
//! the instructions, as the built server gives them, and in the printed prompt; and none of it where the tool is
//! not shown.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test sets up files and breaks when it must"
)]

use patchwright_core::tool::TOOLS;
use patchwright_testkit::home;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

/// What is stated, and words that state it, all of them in this order.
const STATEMENTS: &[(&str, &[&str])] = &[
    (
        "apply at once",
        &[
            "after you have read a file with read_file(hashes: true)",
            "in the same response turn or in the immediate next turn",
        ],
    ),
    (
        "not A, B, then A",
        &["Do not read file A, then read file B and edit file A later", "stale", "cross-version conflicts"],
    ),
    ("one file completely", &["Process one file completely (read → edit) before you read the anchors of another file"]),
    ("prefer unique lines", &["prefer lines with unique, distinctive content"]),
    ("avoid empty lines", &["Avoid empty lines"]),
    ("avoid closing braces", &["Avoid", "closing braces (`}`)"]),
    ("avoid boilerplate", &["Avoid", "boilerplate that repeats often"]),
    ("boilerplate in CSS", &["`position: fixed;`", "`display: flex;`", "in CSS"]),
    ("boilerplate in HTML", &["`</div>` in HTML"]),
    (
        "ranges in repetitive files",
        &["repetitive content use replace_range with two unique boundary anchors instead of replace_line"],
    ),
    ("ranges enforce uniqueness", &["both ends of a range must be unique", "ambiguous one is refused"]),
    (
        "occurrence and line together",
        &[
            "replace_line matches several lines",
            "`occurrence` (counted from 1) and `line` (the advisory line number) together",
        ],
    ),
    ("occurrence alone picks", &["`occurrence` alone picks the line", "`line` is checked against it and never picks"]),
    ("matrix: a line", &["| Change a single line with unique content | replace_line |"]),
    ("matrix: a block", &["| Change a contiguous block of lines | replace_range |"]),
    ("matrix: an insert", &["| Insert new content between two existing lines | insert_after / insert_before |"]),
    ("matrix: a line goes", &["| Remove a single unique line | delete_line |"]),
    ("matrix: a block goes", &["| Remove a contiguous block of lines | delete_range |"]),
    (
        "matrix: repetitive lines",
        &["repetitive (an empty line, `}`, boilerplate) | replace_range around it, between unique neighbor anchors |"],
    ),
    ("file by file", &["complete all operations on one file before you go on to the next"]),
    ("one call a file", &["Put the operations on one file into a single edit call where you can"]),
    ("one snapshot", &["all operations of a call are atomic and see the same snapshot"]),
    ("no interleaving", &["Do not interleave reads and edits of different files"]),
    ("the order", &["read A → edit A → read B → edit B, not read A → read B → edit A → edit B"]),
    ("path", &["`path` names the file"]),
    ("file_path", &["`file_path` is a deprecated alias", "will be rejected"]),
    ("one anchor", &["replace_line, delete_line, insert_after and insert_before take `hash` (one anchor)"]),
    ("two anchors", &["replace_range and delete_range take `start_hash` and `end_hash` (two anchors)"]),
    ("no mixing", &["Mixing these (such as `start_hash` on a replace_line) fails validation"]),
    ("numbers are advice", &["line number is advisory only, a position in the snapshot"]),
    ("hashes are identity", &["the hash is the authoritative identity for edit operations"]),
];

/// The same for line patches.
const LINES: &[(&str, &[&str])] = &[
    ("read first", &["read each file with workspace_read_file", "right before you patch it"]),
    ("copy the hash", &["copy its `sha256` into originalSha256", "never make up a hash"]),
    (
        "the present text alone",
        &["from that whole, current text alone, never from search results, snippets or an earlier version"],
    ),
    ("lower case", &["docPath is the file's path in lower case"]),
    ("stale", &["If the file has changed since, the patch is refused: read it again"]),
    ("whole lines", &["Changes are whole lines", "To change part of a line, replace the whole line"]),
    ("inserts", &["`insert` puts newLines below afterLine (0 is the top)"]),
    ("expected lines", &["every one of those lines quoted in expectedOriginalLines, exactly"]),
    ("numbers", &["All numbers are those of the file as you read it"]),
    ("minimal", &["Keep changes minimal"]),
    ("ordered and apart", &["List them from top to bottom; they must not overlap"]),
    (
        "neighbours",
        &[
            "quote its neighbours in expectedLineBefore and expectedLineAfter (null at the edge of the file)",
            "not that you counted right",
        ],
    ),
    ("descriptions", &["Give each change a `description` that says why"]),
    ("one call", &["Send one call with all files of a task, each file once", "applied together or not at all"]),
    ("ids", &["an id for the batch, for each file and for each change, beside your own keys"]),
    ("going on", &["newSha256, which is the originalSha256 of your next patch"]),
];

fn check(place: &str, text: &str) {
    check_for(STATEMENTS, place, text);
}

fn check_for(statements: &[(&str, &[&str])], place: &str, text: &str) {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for (about, words) in statements {
        let mut rest = text.as_str();
        for part in *words {
            rest = match rest.split_once(part) {
                Some((_, rest)) => rest,
                None => panic!("{place} does not say of `{about}`: {part}\n{text}"),
            };
        }
    }
}

fn line(root: &std::path::Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_patchwright"));
    command.env("XDG_CONFIG_HOME", "/nonexistent");
    command.env("PATCHWRIGHT_HOME", home::home());
    command.args(args).arg("--root").arg(root).stdin(Stdio::piped()).stdout(Stdio::piped());
    command
}

/// What a client is told by the server of a profile: the instructions, and the description of `edit` if that is shown.
fn served(profile: &str) -> (String, Option<String>) {
    served_with(profile, "edit")
}

/// The same with the description of another tool.
fn served_with(profile: &str, tool: &str) -> (String, Option<String>) {
    let folder = tempfile::tempdir().unwrap();
    let mut child = line(folder.path(), &["mcp", "--profile", profile]).spawn().unwrap();
    let (mut input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    for message in [
        json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": { "protocolVersion": "2025-06-18",
            "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } } }),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }),
    ] {
        input.write_all(format!("{message}\n").as_bytes()).unwrap();
    }
    // An end of input would end the server before it has answered everything.
    let answers: Vec<Value> =
        output.lines().take(2).map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect();
    drop(input);
    child.wait().unwrap();
    let told = |pointer: &str| answers.iter().find_map(|answer| answer.pointer(pointer)).unwrap();
    let tools = told("/result/tools").as_array().unwrap();
    let shown = tools.iter().find(|listed| listed.get("name") == Some(&json!(tool)));
    let description = shown.map(|tool| tool.pointer("/description").unwrap().as_str().unwrap().to_owned());
    (told("/result/instructions").as_str().unwrap().to_owned(), description)
}

fn prompt(args: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let done = line(folder.path(), &[&["prompt"], args].concat()).output().unwrap();
    assert!(done.status.success());
    String::from_utf8(done.stdout).unwrap()
}

#[test]
fn where_edit_is_shown_everything_is_said() {
    for profile in ["all", "anchors"] {
        let (instructions, description) = served(profile);
        check(&format!("the description in {profile}"), &description.unwrap());
        check(&format!("the instructions of {profile}"), &instructions);
        check(&format!("the prompt of {profile}"), &prompt(&["--profile", profile]));
    }
}

#[test]
fn a_client_that_nobody_knows_is_told_of_exact_texts() {
    assert_eq!(prompt(&[]), prompt(&["--profile", "strings"]));
}

/// No text sends a model to a tool that it cannot call.
#[test]
fn only_tools_that_are_shown_are_named() {
    let every: Vec<&str> = TOOLS.iter().map(|tool| tool.name).filter(|name| name.contains('_')).collect();
    for flags in [
        &["--profile", "strings"][..],
        &["--profile", "envelope"],
        &["--profile", "lines"],
        &["--read-only"],
        &["--tools", "+trash"],
        &["--tools", "+review,+why"],
        &["--tools", "read_file"],
    ] {
        let shown = tools(flags);
        let text = prompt(flags);
        let named = |name: &str| text.split(|ch: char| !ch.is_alphanumeric() && ch != '_').any(|word| word == name);
        for name in every.iter().filter(|name| named(name)) {
            assert!(shown.iter().any(|shown| shown == name), "{flags:?} names {name}: {text}");
        }
    }
}

/// The names of the tools that are listed.
fn tools(flags: &[&str]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let done = line(folder.path(), &[&["tools"], flags].concat()).output().unwrap();
    let table: Value = serde_json::from_slice(&done.stdout).unwrap();
    let tools = table.pointer("/tools").and_then(Value::as_array).unwrap();
    tools.iter().map(|tool| tool.pointer("/name").and_then(Value::as_str).unwrap().to_owned()).collect()
}

#[test]
fn where_line_patches_are_shown_everything_is_said() {
    for profile in ["all", "lines"] {
        let (instructions, description) = served_with(profile, "workspace_write_patch");
        check_for(LINES, &format!("the description in {profile}"), &description.unwrap());
        check_for(LINES, &format!("the instructions of {profile}"), &instructions);
        check_for(LINES, &format!("the prompt of {profile}"), &prompt(&["--profile", profile]));
    }
}

#[test]
fn where_it_is_not_nothing_is_said() {
    for (profile, own) in [("strings", "edit_file"), ("envelope", "apply_patch"), ("lines", "sha256")] {
        let (instructions, description) = served(profile);
        assert_eq!(description, None, "{profile}");
        for text in [instructions, prompt(&["--profile", profile])] {
            assert!(text.contains(own), "{profile}: {text}");
            for word in ["anchor", "hashes: true", "replace_range", "start_hash", "edit call"] {
                assert!(!text.contains(word), "{profile} speaks of {word}: {text}");
            }
        }
    }
    for (profile, others) in [
        ("anchors", ["edit_file", "apply_patch", "workspace_write_patch"]),
        ("strings", ["apply_patch", "*** ", "docPath"]),
        ("envelope", ["edit_file", "oldText", "docPath"]),
        ("lines", ["edit_file", "apply_patch", "oldText"]),
    ] {
        let text = prompt(&["--profile", profile]);
        for other in others {
            assert!(!text.contains(other), "{profile} speaks of {other}: {text}");
        }
    }
}

#[test]
fn the_prompt_is_what_the_server_says() {
    for profile in ["auto", "all", "anchors", "strings", "envelope", "lines"] {
        let (instructions, _) = served(profile);
        assert_eq!(prompt(&["--profile", profile]).trim_end(), instructions, "{profile}");
    }
}

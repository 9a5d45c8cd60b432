//! Every statement that models must be told about anchors and about line patches: shortly in the tools' descriptions,
//! as the built server gives them, and at length in the printed prompt and where the operator asks for long
//! descriptions; and none of it where the tool is not shown.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test sets up files and breaks when it must"
)]

mod served;

use patchwright_core::tool::TOOLS;
use patchwright_testkit::home;
use serde_json::{Value, json};
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

/// The same in few words: what the description of `edit` says where it is short.
const SHORTLY: &[(&str, &[&str])] = &[
    ("apply at once", &["Edit right after reading", "older anchors go stale"]),
    ("one file completely", &["one file completely before the next (read A, edit A, read B, edit B)"]),
    ("prefer unique lines", &["Prefer distinctive lines, marked [high]"]),
    ("avoid the rest", &["avoid empty lines, `}` and boilerplate such as `</div>`"]),
    ("ranges in repetitive files", &["a line that repeats: replace_range between unique neighbours"]),
    ("ranges enforce uniqueness", &["both ends must be unique"]),
    ("occurrence alone picks", &["`occurrence` (from 1) picks; `line` is only checked"]),
    ("matrix: a line", &["Change a unique line: replace_line"]),
    ("one call a file", &["put all of one file into one call"]),
    ("one snapshot", &["All operations of a call see the same snapshot"]),
    ("one anchor", &["hash: replace_line, insert_after, insert_before, delete_line"]),
    ("two anchors", &["start_hash and end_hash: replace_range, delete_range"]),
    ("no mixing", &["Do not mix them"]),
    ("numbers are advice", &["the number 12 is advice only"]),
    ("hashes are identity", &["the hash is the line's identity"]),
];

/// The same in few words: what the description of `workspace_write_patch` says where it is short.
const LINES_SHORTLY: &[(&str, &[&str])] = &[
    ("read first", &["files that you have just read with workspace_read_file"]),
    ("copy the hash", &["originalSha256: copied from the reading, all 64 digits"]),
    ("whole lines", &["Change whole lines, by number"]),
    ("inserts", &["newLines below afterLine (0: at the top)"]),
    ("expected lines", &["each of these lines quoted exactly in expectedOriginalLines"]),
    ("minimal", &["no more lines than change"]),
    (
        "neighbours",
        &["Quote its neighbours in expectedLineBefore and expectedLineAfter (null at the edge of the file)"],
    ),
    ("one call", &["all files together or not at all, each file once"]),
    ("going on", &["newSha256 is the originalSha256 of your next patch"]),
];

/// The statements at length for line patches.
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

/// What a client is told by a server with these flags: the instructions, and the description of a tool if that is
/// shown.
fn served(flags: &[&str], tool: &str) -> (String, Option<String>) {
    let (tools, instructions) = served::shown("test", flags);
    let shown = tools.iter().find(|listed| listed.get("name") == Some(&json!(tool)));
    let description = shown.map(|tool| tool.pointer("/description").unwrap().as_str().unwrap().to_owned());
    (instructions, description)
}

fn prompt(args: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let done = line(folder.path(), &[&["prompt"], args].concat()).output().unwrap();
    assert!(done.status.success());
    String::from_utf8(done.stdout).unwrap()
}

#[test]
fn where_edit_is_shown_everything_is_said() {
    for flags in [&["--profile", "all"] as &[&str], &["--profile", "anchors"]] {
        check_for(SHORTLY, &format!("the description with {flags:?}"), &served(flags, "edit").1.unwrap());
        let long = [flags, &["--descriptions", "long"]].concat();
        let (instructions, description) = served(&long, "edit");
        check_for(STATEMENTS, &format!("the description with {long:?}"), &description.unwrap());
        check_for(STATEMENTS, &format!("the instructions with {long:?}"), &instructions);
        check_for(STATEMENTS, &format!("the prompt with {flags:?}"), &prompt(flags));
    }
}

#[test]
fn where_line_patches_are_shown_everything_is_said() {
    for flags in [&["--profile", "all"] as &[&str], &["--profile", "lines"]] {
        let tool = "workspace_write_patch";
        check_for(LINES_SHORTLY, &format!("the description with {flags:?}"), &served(flags, tool).1.unwrap());
        let long = [flags, &["--descriptions", "long"]].concat();
        let (instructions, description) = served(&long, tool);
        check_for(LINES, &format!("the description with {long:?}"), &description.unwrap());
        check_for(LINES, &format!("the instructions with {long:?}"), &instructions);
        check_for(LINES, &format!("the prompt with {flags:?}"), &prompt(flags));
    }
}

#[test]
fn where_it_is_not_nothing_is_said() {
    for profile in ["strings", "envelope", "lines"] {
        let (instructions, description) = served(&["--profile", profile], "edit");
        assert_eq!(description, None, "{profile}");
        for text in [instructions, prompt(&["--profile", profile])] {
            for word in ["anchor", "hashes: true", "replace_range", "start_hash", "edit call"] {
                assert!(!text.contains(word), "{profile} speaks of {word}: {text}");
            }
        }
    }
    for (profile, own, others) in [
        ("anchors", "start_hash", ["edit_file", "apply_patch", "workspace_write_patch", "list_trash"]),
        ("strings", "edit_file", ["apply_patch", "*** ", "docPath", "apply_batch"]),
        ("envelope", "apply_patch", ["edit_file", "oldText", "docPath", "restore_file"]),
        ("lines", "sha256", ["edit_file", "apply_patch", "oldText", "get_patch_change"]),
    ] {
        let text = prompt(&["--profile", profile]);
        assert!(text.contains(own), "{profile}: {text}");
        for other in others {
            assert!(!text.contains(other), "{profile} speaks of {other}: {text}");
        }
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
        let listed = line(tempfile::tempdir().unwrap().path(), &[&["tools"], flags].concat()).output().unwrap();
        let table: Value = serde_json::from_slice(&listed.stdout).unwrap();
        let tools = table.pointer("/tools").and_then(Value::as_array).unwrap();
        let mut texts = vec![prompt(flags), served(flags, "").0];
        texts.extend(tools.iter().map(|tool| tool.pointer("/description").unwrap().as_str().unwrap().to_owned()));
        let shown: Vec<&str> = tools.iter().map(|tool| tool.pointer("/name").unwrap().as_str().unwrap()).collect();
        for text in texts {
            let named = |name: &str| text.split(|ch: char| !ch.is_alphanumeric() && ch != '_').any(|word| word == name);
            for name in every.iter().filter(|name| named(name)) {
                assert!(shown.contains(name), "{flags:?} names {name}: {text}");
            }
        }
    }
}

#[test]
fn proof_is_told_as_it_is_asked_for() {
    let by_hash = served(&["--require-sha"], "edit_file").0;
    assert!(by_hash.contains("expectedSha256") && !by_hash.contains("needs no hash"), "{by_hash}");
    let by_reading = served(&[], "edit_file").0;
    assert!(by_reading.contains("needs no hash"), "{by_reading}");
    let looking = served(&["--read-only"], "read_file").0;
    assert!(!looking.contains("change it"), "{looking}");
}

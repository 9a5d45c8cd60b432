//! Arguments that a tool does not have: what it has instead, and that leaving one out may change what the call means.

use super::super::ready::{named as path_value, ready};
use super::super::telling::Telling;
use super::mends::{folded, last, looks, may_be_proof, parent};
use super::named;
use patchwright_core::refusal::ArgumentFault;
use serde_json::{Value, json};

/// What to do about an argument that is not known, and stands for no other.
pub(super) fn unknown(fault: &ArgumentFault, tell: &Telling<'_>) -> String {
    let name = named(&fault.at);
    let only = format!("leave out {name} only if the call means the same without it");
    if let Some(hint) = meaning(name, tell) {
        return format!("{hint}; {only}");
    }
    if may_be_proof(name) && !looks(tell) {
        let proof = match tell.called() {
            Some("apply_patch") => "expectedSha256ByPath",
            Some("workspace_write_patch") => "originalSha256 of each file",
            _ => "expectedSha256",
        };
        return format!(
            "give {proof} instead of {name} if that says what you have seen of the files (the one proof that there is), or {only}"
        );
    }
    only
}

/// What the tool, or another one, has for it.
fn meaning(at: &str, tell: &Telling<'_>) -> Option<String> {
    let whole_file = matches!(tell.called(), Some("write_file" | "create_file"));
    let part = "edit_file changes a part of a file";
    Some(match folded(at).as_str() {
        "caseinsensitive" | "ignorecase" if tell.called() == Some("search_files") => {
            format!("set caseSensitive to false in place of {at}")
        }
        "viewrange" | "range" | "lines" | "linerange" if tell.called() == Some("read_file") => {
            format!("give startLine and endLine in place of {at}")
        }
        "old" | "oldtext" | "oldline" | "oldlines" | "before" | "expect" | "expected" | "original"
            if at.starts_with("operations[") =>
        {
            format!("rename {at} to was if it is what the line says now")
        }
        "occurrence" | "occurrences" | "index" | "nth" | "line" | "startline" | "endline"
            if at.starts_with("edits[") =>
        {
            format!("take neighbouring lines into {}.oldText until only the place that is meant fits", parent(at))
        }
        "append" | "prepend" | "mode" if whole_file => {
            format!("write the whole text into content{}", tell.pick(&[("edit_file", "; edit_file adds to a file: the text beside it as oldText, that text and the new one as newText")], ""))
        }
        "startline" | "endline" | "line" | "offset" | "limit" | "range" if whole_file => {
            format!(
                "give the whole text of the file in content{}",
                if tell.has("edit_file") { format!("; {part}") } else { String::new() }
            )
        }
        "overwrite" | "force" | "replace" | "ifexists" | "exclusive" if whole_file => {
            "write_file replaces a file that is there, create_file never does: call the one that is meant".to_owned()
        }
        _ => return None,
    })
}

/// What to do about a field of another operation.
pub(super) fn other_operation(at: &str, op: &str, tell: &Telling<'_>) -> String {
    let (operation, single) = (parent(at), op.ends_with("_line"));
    let to = |op: &str| format!("set {operation}.op to \"{op}\"");
    let lacks = |name: &str| tell.given(&format!("{operation}.{name}")).is_none();
    match last(at) {
        "content" => format!(
            "if lines are to go, leave out {at}; if content is to stand in their place, {}",
            to(if single { "replace_line" } else { "replace_range" })
        ),
        "start_hash" if lacks("hash") && lacks("end_hash") => {
            format!("if one line is meant, rename {at} to hash; if a range is, {} and add end_hash", to(&ranged(op)))
        }
        "hash" if lacks("start_hash") && lacks("end_hash") => format!(
            "if one line is meant, {}; if a range is, rename {at} to start_hash and add end_hash",
            to(&op.replace("_range", "_line"))
        ),
        "start_hash" | "end_hash" if op == "replace_line" || op == "delete_line" => {
            format!(
                "if a range is meant, {} and give start_hash and end_hash alone; if one line is, hash alone",
                to(&ranged(op))
            )
        }
        _ => format!("leave out {at} only if the operation means the same without it"),
    }
}

fn ranged(op: &str) -> String {
    op.replace("_line", "_range")
}

/// What to do about a hash that is none: look, and give that of the file. What was meant to be proven is not left out.
pub(super) fn proof(at: &str, tell: &Telling<'_>) -> String {
    if tell.called() == Some("workspace_write_patch") && tell.has("workspace_read_file") {
        let file = tell.given_text(&format!("{}.docPath", parent(at)));
        let read = file.map_or_else(
            || "workspace_read_file for the file".to_owned(),
            |file| ready("workspace_read_file", &json!({ "docPath": path_value(file) })),
        );
        return format!("call {read}, then call again: set {at} to the sha256 that it shows");
    }
    if at == "expectedSha256ByPath" {
        return format!(
            "set {at} to an object with the path of each file and its sha256, which list_directory shows with hashes: true"
        );
    }
    let of_map: Option<String> =
        at.strip_prefix("expectedSha256ByPath[").and_then(|key| serde_json::from_str(key.strip_suffix(']')?).ok());
    let path = ["path", "fromPath"].iter().find_map(|name| tell.given_text(name)).or(of_map.as_deref());
    let read = match (tell.called(), path, tell.given_text("toPath")) {
        (Some("move_file"), _, Some(to)) if at == "expectedTargetSha256" => Some(to),
        (_, path, _) => path,
    };
    let read = read.map_or_else(
        || "read_file for the file".to_owned(),
        |path| ready("read_file", &json!({ "path": path_value(path) })),
    );
    let by_session = ["write_file", "edit_file", "edit", "delete_file", "move_file"];
    match tell.hashes {
        // What a session has read is proven by that.
        false if tell.called().is_some_and(|tool| by_session.contains(&tool)) && !at.contains('[') => {
            format!("call {read}, then call again: leave out {at} (what you have read in this session needs no hash)")
        }
        true => format!("call {read}, then call again: set {at} to the sha256 that it shows"),
        false => format!(
            "call {read}, then call again: set {at} to the sha256 of what you have read (list_directory shows it with hashes: true)"
        ),
    }
}

/// Several values where the argument takes one.
pub(super) fn one_of_many(at: &str, meant: &str, tell: &Telling<'_>) -> Option<String> {
    let several = matches!(tell.given(at), Some(Value::Array(_))) && at == format!("{meant}s");
    several.then(|| format!("call once for each of {at}, with that one as {meant}"))
}

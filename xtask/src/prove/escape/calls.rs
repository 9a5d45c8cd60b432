//! A path through every argument of every tool that could take one, as a path or as any other word.

use super::place::SECRET;
use patchwright_engine::core::anchor::line_hash;
use patchwright_engine::core::tool::TOOLS;
use serde_json::{Value, json};

/// A call with a path in it.
pub(super) struct Call {
    pub(super) tool: &'static str,
    pub(super) arguments: Value,
    pub(super) role: Role,
}

/// What the path is to the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A path that is followed: one that leads outside must be refused.
    Followed,
    /// The name of an entry: of a link, the link itself is meant.
    Named,
    /// No path at all, but a pattern, an id, an age, a key.
    Word,
}

/// Every call with this path. `trash` is the id of something in the trash.
pub(super) fn all(path: &str, trash: &str) -> Vec<Call> {
    let mut all = looks(path);
    all.extend(changes(path, trash));
    all.extend(patches(path));
    all.extend(words(path));
    all
}

/// So many calls there are for each path.
pub(super) fn count() -> usize {
    all("x", "x").len()
}

/// One call of the n-th tool; which, goes round with `turn`.
pub(super) fn of_tool(tool: usize, turn: usize, path: &str, trash: &str) -> Option<Call> {
    let name = TOOLS.get(tool).map(|tool| tool.name)?;
    let mut calls: Vec<Call> = all(path, trash).into_iter().filter(|call| call.tool == name).collect();
    let at = turn.checked_rem(calls.len())?;
    Some(calls.swap_remove(at))
}

fn followed(tool: &'static str, arguments: Value) -> Call {
    Call { tool, arguments, role: Role::Followed }
}

fn named(tool: &'static str, arguments: Value) -> Call {
    Call { tool, arguments, role: Role::Named }
}

fn word(tool: &'static str, arguments: Value) -> Call {
    Call { tool, arguments, role: Role::Word }
}

fn looks(path: &str) -> Vec<Call> {
    vec![
        followed("read_file", json!({"path": path})),
        followed("read_file", json!({"path": path, "hashes": true, "allowBinary": true})),
        followed("list_directory", json!({"path": path, "recursive": true, "includeHidden": true})),
        followed("search_files", json!({"query": "S", "mode": "text", "root": path})),
        followed("glob", json!({"pattern": "**", "root": path})),
        followed("workspace_read_file", json!({"docPath": path.to_lowercase()})),
        followed("explain_lines", json!({"path": path})),
        word("list_batches", json!({"path": path})),
    ]
}

fn changes(path: &str, trash: &str) -> Vec<Call> {
    let edits = json!([{"oldText": "inside", "newText": "x"}]);
    // The line that lies outside: an edit that got there would find it.
    let hash = format!("{:06x}", line_hash(SECRET.as_bytes()) >> 40);
    let operations = json!([{"op": "replace_line", "hash": hash, "content": "x"}]);
    let outside = patchwright_engine::core::digest::Digest::of(format!("{SECRET}\ninside\n").as_bytes()).to_string();
    let lines = json!([{"operation": "insert", "afterLine": 0, "newLines": ["x"]}]);
    vec![
        named("create_file", json!({"path": path, "content": "x", "createParentDirectories": true})),
        followed("write_file", json!({"path": path, "content": "x"})),
        followed("edit_file", json!({"path": path, "edits": edits})),
        followed("edit", json!({"path": path, "operations": operations})),
        followed("edit", json!({"file_path": path, "operations": operations})),
        followed(
            "workspace_write_patch",
            json!({"files": [{"docPath": path.to_lowercase(), "originalSha256": outside, "changes": lines}]}),
        ),
        named("delete_file", json!({"path": path})),
        named("move_file", json!({"fromPath": path, "toPath": "stolen.txt", "overwrite": true})),
        named("move_file", json!({"fromPath": "a.txt", "toPath": path, "overwrite": true})),
        named("restore_file", json!({"trashId": trash, "targetPath": path})),
        word("undo", json!({"path": path})),
    ]
}

fn patches(path: &str) -> Vec<Call> {
    let patch =
        |body: String| json!({"patch": format!("*** Begin Patch\n{body}\n*** End Patch\n"), "conventions": "codex"});
    let strict = |body: String| json!({"patch": format!("*** Begin Patch\n{body}\n*** End Patch\n"), "createParentDirectories": true});
    let sure = json!({"patch": "*** Begin Patch\n*** Delete File: a.txt\n*** End Patch\n", "expectedSha256ByPath": {path: "0"}});
    vec![
        named("apply_patch", patch(format!("*** Add File: {path}\n+x"))),
        named("apply_patch", strict(format!("*** Add File: {path}\n+x"))),
        followed("apply_patch", patch(format!("*** Update File: {path}\n@@\n-inside\n+x"))),
        named("apply_patch", patch(format!("*** Delete File: {path}"))),
        named("apply_patch", patch(format!("*** Move File: {path} -> stolen.txt"))),
        named("apply_patch", patch(format!("*** Move File: a.txt -> {path}\n@@\n-inside\n+x"))),
        named("apply_patch", strict(format!("*** Update File: a.txt\n*** Move to: {path}"))),
        followed("apply_patch", sure),
    ]
}

fn words(path: &str) -> Vec<Call> {
    vec![
        word("glob", json!({"pattern": path})),
        word("search_files", json!({"query": path, "mode": "path"})),
        word("search_files", json!({"query": "S", "mode": "text", "includeGlobs": [path]})),
        word("restore_file", json!({"trashId": path})),
        word("purge_trash", json!({"olderThan": path})),
        word("list_trash", json!({})),
        word("get_patch_change", json!({"batchId": path})),
        word("undo", json!({"batchId": path})),
        word("apply_batch", json!({"batchId": path})),
        word("reject_batch", json!({"batchId": path})),
        word("create_file", json!({"path": "keyed.txt", "content": "x", "idempotencyKey": path})),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_is_called() {
        let called: Vec<&str> = all("x", "y").iter().map(|call| call.tool).collect();
        for tool in TOOLS {
            assert!(called.contains(&tool.name), "{}", tool.name);
        }
    }
}

//! Wrong calls: each is refused with its kind, and nothing changes.

use super::driver::{Driver, patch};
use serde_json::{Value, json};

pub(super) fn step(driver: &mut Driver) -> Result<(), String> {
    let Some((path, text)) = driver.some_file() else { return Ok(()) };
    let table = table(&path, &text.sha256(), text.lines.first().map_or("", String::as_str));
    let at = driver.dice.below(table.len());
    match table.into_iter().nth(at) {
        Some((tool, arguments, kind)) => driver.refused(tool, &arguments, &[kind]),
        None => Ok(()),
    }
}

/// Tool, arguments, and the kind that it must be refused with.
fn table(path: &str, sha: &str, line: &str) -> Vec<(&'static str, Value, &'static str)> {
    let (stale, id) = ("0".repeat(64), "019a0000-0000-7000-8000-000000000001");
    let large = "x".repeat(300_000);
    let twice = format!("*** Delete File: {path}\n*** Delete File: {path}\n");
    let lines = json!({"docPath": path, "originalSha256": stale, "changes": [{"operation": "delete", "startLine": 1, "endLine": 1, "expectedOriginalLines": ["x"]}]});
    vec![
        ("read_file", json!({}), "invalid_arguments"),
        ("read_file", json!({"path": "none.txt"}), "not_found"),
        ("read_file", json!({"path": path, "startLine": 9, "endLine": 3}), "invalid_arguments"),
        ("read_file", json!({"path": "../secret"}), "outside_workspace"),
        ("create_file", json!({"path": path, "content": large}), "already_exists"),
        ("create_file", json!({"path": "none/none.txt", "content": "x"}), "not_found"),
        ("create_file", json!({"path": "/etc/x", "content": large}), "outside_workspace"),
        ("create_file", json!({"path": ".git/hooks/x", "content": "x"}), "permission_denied"),
        ("write_file", json!({"path": path, "content": "x", "expectedSha256": stale}), "stale_file"),
        ("write_file", json!({"path": path, "content": "x", "expectedSha": sha}), "invalid_arguments"),
        ("edit_file", json!({"path": path, "expectedSha256": sha, "edits": []}), "invalid_arguments"),
        (
            "edit_file",
            json!({"path": path, "expectedSha256": sha, "edits": [{"oldText": large, "newText": ""}]}),
            "old_text_not_found",
        ),
        (
            "edit_file",
            json!({"path": path, "expectedSha256": sha, "edits": [{"oldText": "line", "newText": ""}]}),
            "multiple_matches",
        ),
        (
            "edit_file",
            json!({"path": path, "expectedSha256": sha, "edits": [{"oldText": line, "newText": "x"}, {"oldText": line, "newText": "y"}]}),
            "overlapping_edits",
        ),
        ("apply_patch", json!({"patch": large}), "patch_parse_error"),
        ("apply_patch", patch(&format!("*** Update File: {path}\n@@\n-no such line\n+x\n")), "patch_apply_error"),
        ("apply_patch", patch(&twice), "patch_apply_error"),
        ("edit", json!({"path": path, "operations": [{"op": "delete_line", "hash": "000000"}]}), "anchor_stale"),
        ("workspace_write_patch", json!({"files": [lines]}), "stale_file"),
        ("delete_file", json!({"path": path, "expectedSha256": stale}), "stale_file"),
        ("move_file", json!({"fromPath": path, "toPath": path, "expectedSha256": sha}), "command_failed"),
        ("restore_file", json!({"trashId": id}), "not_found"),
        ("undo", json!({"batchId": id}), "not_found"),
        ("apply_batch", json!({"batchId": id}), "not_found"),
        ("get_patch_change", json!({"batchId": id}), "not_found"),
        ("search_files", json!({"query": "(", "mode": "regex"}), "command_failed"),
        ("purge_trash", json!({"olderThan": "soon"}), "invalid_arguments"),
    ]
}

//! Right calls that change nothing; what they show must be what the model has.

use super::driver::Driver;
use serde_json::{Value, json};

pub(super) fn step(driver: &mut Driver) -> Result<(), String> {
    let Some((path, text)) = driver.some_file() else { return Ok(()) };
    let line = text.lines.first().cloned().unwrap_or_default();
    match driver.dice.below(11) {
        0 => whole(driver, "read_file", "path", &path),
        1 => whole(driver, "workspace_read_file", "docPath", &path),
        2 => driver.done("read_file", &json!({"path": path, "hashes": true})).map(drop),
        3 => shows(driver, "search_files", json!({"query": line, "mode": "text"}), &path),
        4 => shows(
            driver,
            "search_files",
            json!({"query": format!("^{line}"), "mode": "regex", "contextLines": 2, "hashes": true}),
            &path,
        ),
        5 => names(driver, "list_directory", &json!({}), "entries"),
        6 => names(driver, "glob", &json!({"pattern": "**"}), "matches"),
        7 => driver.done("list_trash", &json!({})).map(drop),
        8 => driver.done("list_batches", &json!({"limit": 20, "path": path})).map(drop),
        9 => driver.done("explain_lines", &json!({"path": path, "endLine": 50})).map(drop),
        _ => match driver.newest.as_ref().map(|(batch, _)| batch.clone()) {
            Some(batch) => driver.done("get_patch_change", &json!({"batchId": batch})).map(drop),
            None => Ok(()),
        },
    }
}

fn whole(driver: &mut Driver, tool: &str, field: &str, path: &str) -> Result<(), String> {
    let answer = driver.done(tool, &json!({field: path, "maxBytes": 8_000_000}))?;
    let Some(text) = driver.model.files.get(path) else { return Ok(()) };
    let right = answer.text("/sha256") == Some(&text.sha256()) && answer.text("/content") == Some(&text.shown());
    if right { Ok(()) } else { Err(format!("{tool} shows another {path} than the model has")) }
}

/// A hit in this file, and only there: no line stands in two files, unless it was moved or copied.
fn shows(driver: &mut Driver, tool: &str, arguments: Value, path: &str) -> Result<(), String> {
    let answer = driver.done(tool, &arguments)?;
    let hits = answer.payload("/matches").and_then(Value::as_array).cloned().unwrap_or_default();
    let found = hits.iter().any(|hit| hit.get("path").and_then(Value::as_str) == Some(path));
    if found { Ok(()) } else { Err(format!("{tool} {arguments} does not show {path}: {}", answer.0)) }
}

/// Exactly the names that the model has.
fn names(driver: &mut Driver, tool: &str, arguments: &Value, list: &str) -> Result<(), String> {
    let answer = driver.done(tool, arguments)?;
    let entries = answer.payload(&format!("/{list}")).and_then(Value::as_array).cloned().unwrap_or_default();
    let path =
        |entry: &Value| ["path", "relativePath"].iter().find_map(|key| entry.get(*key)?.as_str().map(str::to_owned));
    let mut found: Vec<String> = entries.iter().filter_map(path).collect();
    found.sort();
    let right = found.iter().eq(driver.model.files.keys());
    if right { Ok(()) } else { Err(format!("{tool} shows {found:?}")) }
}

//! Right calls that change files, in every dialect.

use super::driver::{Driver, patch, with};
use super::model::Text;
use serde_json::{Value, json};

pub(super) fn step(driver: &mut Driver) -> Result<(), String> {
    let (path, text) = match driver.some_file() {
        Some(file) if driver.model.files.len() > 6 => file,
        _ => return create(driver),
    };
    match driver.dice.below(11) {
        0 => create(driver),
        1 => write(driver, &path, &text),
        2 => exact(driver, &path, text),
        3 => hunk(driver, &path, text),
        4 => anchored(driver, &path, text),
        5 => numbered(driver, &path, text),
        6 => delete(driver, &path, text),
        7 => rename(driver, &path, text),
        8 => dry(driver, &path, &text),
        9 => two_sections(driver, &path, text),
        _ => repeated(driver),
    }
}

fn create(driver: &mut Driver) -> Result<(), String> {
    let Some(path) = driver.free_name() else { return Ok(()) };
    let text = driver.text();
    let content = String::from_utf8_lossy(&text.bytes()).into_owned();
    driver.change("create_file", &json!({"path": path, "content": content}), &path, text)
}

fn write(driver: &mut Driver, path: &str, old: &Text) -> Result<(), String> {
    let text = Text { crlf: old.crlf, ..driver.text() };
    let arguments = json!({"path": path, "content": text.shown(), "expectedSha256": old.sha256()});
    driver.change("write_file", &arguments, path, text)
}

/// Replaces one line; the line before it, and the text after.
fn replaced(driver: &mut Driver, text: &Text) -> (usize, String, String, Text) {
    let at = driver.dice.below(text.lines.len());
    let (mut new, line) = (text.clone(), driver.line());
    let old = new.lines.get(at).cloned().unwrap_or_default();
    if let Some(slot) = new.lines.get_mut(at) {
        slot.clone_from(&line);
    }
    (at, old, line, new)
}

fn exact(driver: &mut Driver, path: &str, text: Text) -> Result<(), String> {
    let (_, old, line, new) = replaced(driver, &text);
    let arguments =
        json!({"path": path, "edits": [{"oldText": old, "newText": line}], "expectedSha256": text.sha256()});
    driver.change("edit_file", &arguments, path, new)
}

fn hunk(driver: &mut Driver, path: &str, text: Text) -> Result<(), String> {
    let (_, old, line, new) = replaced(driver, &text);
    driver.change("apply_patch", &patch(&format!("*** Update File: {path}\n@@\n-{old}\n+{line}\n")), path, new)
}

fn numbered(driver: &mut Driver, path: &str, text: Text) -> Result<(), String> {
    let (at, old, line, new) = replaced(driver, &text);
    let number = at.saturating_add(1);
    let change = json!({"operation": "replace", "startLine": number, "endLine": number, "expectedOriginalLines": [old], "newLines": [line]});
    let arguments = json!({"files": [{"docPath": path, "originalSha256": text.sha256(), "changes": [change]}]});
    driver.change("workspace_write_patch", &arguments, path, new)
}

fn anchored(driver: &mut Driver, path: &str, text: Text) -> Result<(), String> {
    let (at, _, line, new) = replaced(driver, &text);
    let number = at.saturating_add(1);
    let slice = json!({"path": path, "hashes": true, "startLine": number, "endLine": number});
    let read = driver.done("read_file", &slice)?;
    let shown = read.text("/content").unwrap_or_default();
    let anchor = shown.split_once(' ').map(|(anchor, _)| anchor.to_owned()).unwrap_or_default();
    let operations = json!([{"op": "replace_line", "hash": anchor, "content": line}]);
    driver.change("edit", &json!({"path": path, "operations": operations}), path, new)
}

fn delete(driver: &mut Driver, path: &str, text: Text) -> Result<(), String> {
    let before = driver.model.clone();
    let answer = driver.done("delete_file", &json!({"path": path, "expectedSha256": text.sha256()}))?;
    let (Some(id), Some(batch)) = (answer.text("/trashId"), answer.text("/batchId")) else {
        return Err(format!("delete_file answered {}", answer.0));
    };
    driver.trash.push((id.to_owned(), path.to_owned(), text));
    driver.newest = Some((batch.to_owned(), before));
    driver.model.files.remove(path);
    Ok(())
}

fn rename(driver: &mut Driver, path: &str, text: Text) -> Result<(), String> {
    let Some(to) = driver.free_name() else { return Ok(()) };
    let before = driver.model.clone();
    let answer = match driver.dice.coin() {
        true => driver.done("move_file", &json!({"fromPath": path, "toPath": to, "expectedSha256": text.sha256()}))?,
        false => driver.done("apply_patch", &patch(&format!("*** Move File: {path} -> {to}\n")))?,
    };
    driver.newest = answer.text("/batchId").map(|batch| (batch.to_owned(), before));
    driver.model.files.remove(path);
    driver.model.files.insert(to, text);
    Ok(())
}

/// A change that is only tried: the files stay as they are.
fn dry(driver: &mut Driver, path: &str, old: &Text) -> Result<(), String> {
    let text = driver.text();
    let arguments = json!({"path": path, "content": text.shown(), "expectedSha256": old.sha256(), "dryRun": true});
    driver.done("write_file", &arguments).map(drop)
}

/// One patch that changes a file and makes another.
fn two_sections(driver: &mut Driver, path: &str, text: Text) -> Result<(), String> {
    let Some(added) = driver.free_name() else { return Ok(()) };
    let (_, old, line, new) = replaced(driver, &text);
    let fresh = Text { lines: vec![driver.line(), driver.line()], crlf: false };
    let body: String = fresh.lines.iter().map(|line| format!("+{line}\n")).collect();
    let sections = format!("*** Update File: {path}\n@@\n-{old}\n+{line}\n*** Add File: {added}\n{body}");
    let before = driver.model.clone();
    driver.change("apply_patch", &patch(&sections), path, new)?;
    driver.model.files.insert(added, fresh);
    driver.newest = driver.newest.take().map(|(batch, _)| (batch, before));
    Ok(())
}

/// The same call twice under one key: the second is told what the first was.
fn repeated(driver: &mut Driver) -> Result<(), String> {
    let Some(path) = driver.free_name() else { return Ok(()) };
    let text = Text { crlf: false, ..driver.text() };
    let key = driver.line();
    let arguments = with(json!({"path": path, "content": text.shown()}), "idempotencyKey", json!(key));
    driver.change("create_file", &arguments, &path, text)?;
    let again = driver.done("create_file", &arguments)?;
    match again.0.get("replayed") {
        Some(Value::Bool(true)) => Ok(()),
        _ => Err(format!("a repeated key was answered {}", again.0)),
    }
}

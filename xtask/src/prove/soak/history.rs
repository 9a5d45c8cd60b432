//! Undo, trash and proposals.

use super::driver::{Driver, with};
use super::model::Text;
use serde_json::json;

pub(super) fn step(driver: &mut Driver) -> Result<(), String> {
    match driver.dice.below(10) {
        0..=2 => undo(driver),
        3 | 4 => restore(driver),
        5 => purge(driver),
        6 | 7 => propose(driver),
        8 => apply(driver),
        _ => reject(driver),
    }
}

/// Takes the newest batch back: everything is as it was before it.
fn undo(driver: &mut Driver) -> Result<(), String> {
    let Some((batch, before)) = driver.newest.take() else { return Ok(()) };
    driver.done("undo", &json!({"batchId": batch}))?;
    // What came out of the trash is in it no longer.
    driver.trash.retain(|(_, path, _)| driver.model.files.contains_key(path) || !before.files.contains_key(path));
    driver.model = before;
    Ok(())
}

fn restore(driver: &mut Driver) -> Result<(), String> {
    let at = driver.dice.below(driver.trash.len());
    let Some((id, path, text)) = driver.trash.get(at).cloned() else { return Ok(()) };
    if driver.model.files.contains_key(&path) {
        driver.refused("restore_file", &json!({"trashId": id}), &["already_exists"])?;
        let Some(other) = driver.free_name() else { return Ok(()) };
        driver.done("restore_file", &json!({"trashId": id, "targetPath": other}))?;
        driver.model.files.insert(other, text);
    } else {
        driver.done("restore_file", &json!({"trashId": id}))?;
        driver.model.files.insert(path, text);
    }
    driver.trash.remove(at);
    driver.newest = None;
    Ok(())
}

fn purge(driver: &mut Driver) -> Result<(), String> {
    if driver.dice.below(4) != 0 {
        return driver.done("purge_trash", &json!({"olderThan": "3650d"})).map(drop);
    }
    driver.done("purge_trash", &json!({"olderThan": "0s"}))?;
    driver.trash.clear();
    driver.newest = None;
    Ok(())
}

fn propose(driver: &mut Driver) -> Result<(), String> {
    let Some((path, old)) = driver.some_file() else { return Ok(()) };
    if driver.open.len() > 20 {
        return reject(driver);
    }
    let new = Text { lines: vec![driver.line(), driver.line()], crlf: old.crlf };
    let arguments = json!({"path": path, "content": new.shown(), "expectedSha256": old.sha256()});
    let answer = driver.done("write_file", &with(arguments, "mode", json!("propose")))?;
    let Some(batch) = answer.text("/batchId") else { return Err(format!("a proposal was answered {}", answer.0)) };
    driver.open.push((batch.to_owned(), path, old, new));
    Ok(())
}

/// Applies a proposal if its file is still what it was made for; else it must be refused.
fn apply(driver: &mut Driver) -> Result<(), String> {
    let at = driver.dice.below(driver.open.len());
    let Some((batch, path, old, new)) = driver.open.get(at).cloned() else { return Ok(()) };
    driver.open.remove(at);
    let arguments = json!({"batchId": batch});
    if driver.model.files.get(&path) != Some(&old) {
        return driver.refused("apply_batch", &arguments, &["conflict", "not_found", "stale_file"]);
    }
    let before = driver.model.clone();
    driver.done("apply_batch", &arguments)?;
    driver.model.files.insert(path, new);
    driver.newest = Some((batch, before));
    Ok(())
}

fn reject(driver: &mut Driver) -> Result<(), String> {
    let Some((batch, ..)) = driver.open.pop() else { return Ok(()) };
    driver.done("reject_batch", &json!({"batchId": batch}))?;
    driver.refused("apply_batch", &json!({"batchId": batch}), &["conflict", "not_found", "invalid_arguments"])
}

//! Writing down what a case came to: `reply.json` with placeholders where values differ from run to run,
//! and `after/` where the tree changed. For whoever adds a case, and then reads what was written.

use super::reply::{hash, is_sha256, is_time, is_uuid};
use super::{Case, Door, Finished};
use crate::tree::{Item, Tree};
use serde_json::Value;
use std::fs;

/// Runs a case through a door and writes its expectations down.
pub fn bless(case: &Case, door: &mut dyn Door) -> Result<(), String> {
    let finished = Finished::of(case, door)?;
    let reply = marked(&finished.answer.reply, &finished);
    let text = serde_json::to_string_pretty(&reply).map_err(|error| error.to_string())?;
    let written = fs::write(case.folder.join("reply.json"), text + "\n").and_then(|()| write_after(case, &finished));
    written.map_err(|error| format!("{}: {error}", case.name))
}

fn write_after(case: &Case, finished: &Finished) -> std::io::Result<()> {
    let after = case.folder.join("after");
    if after.exists() {
        fs::remove_dir_all(&after)?;
    }
    if finished.before == finished.found || !case.expect_tree.is_empty() {
        return Ok(());
    }
    let mut fixture = Tree::default();
    for (path, item) in &finished.found.items {
        let from_setup = finished.before.items.contains_key(path) && !case.before.items.contains_key(path);
        if matches!(item, Item::File { .. }) && !from_setup {
            fixture.items.insert(path.clone(), item.clone());
        }
    }
    fs::create_dir_all(&after)?;
    fixture.write(&after)
}

fn marked(value: &Value, finished: &Finished) -> Value {
    match value {
        Value::Object(fields) => fields.iter().map(|(key, field)| (key.clone(), marked(field, finished))).collect(),
        Value::Array(list) => list.iter().map(|one| marked(one, finished)).collect(),
        Value::String(text) => Value::String(marked_text(text, finished)),
        other => other.clone(),
    }
}

fn marked_text(text: &str, finished: &Finished) -> String {
    if is_sha256(text) {
        let named = |tree: &Tree| tree.items.keys().find(|path| hash(tree, path).as_deref() == Some(text)).cloned();
        return match (named(&finished.found), named(&finished.before)) {
            (Some(path), _) => format!("$sha256:{path}"),
            (None, Some(path)) => format!("$before:{path}"),
            (None, None) => "$SHA256".to_owned(),
        };
    }
    match text {
        text if is_uuid(text) => "$UUID".to_owned(),
        text if is_time(text) => "$TIME".to_owned(),
        text => text.replace(&finished.root_text(), "$ROOT"),
    }
}

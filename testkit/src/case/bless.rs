//! Writing down what a case came to: `reply.json` with placeholders where values differ from run to run,
//! and `after/` where the tree changed. For whoever adds a case, and then reads what was written.

use super::many::lists;
use super::reply::{Facts, difference, hash, is_sha256, is_time, is_uuid};
use super::{Case, Door, Finished};
use crate::tree::{Item, Tree};
use serde_json::{Map, Value};
use std::fs;

/// Runs a case through a door and writes its expectations down.
pub fn bless(case: &Case, door: &mut dyn Door) -> Result<(), String> {
    let finished = Finished::of(case, door)?;
    let expected = finished.expected(case)?;
    let root = finished.root_text();
    let facts = Facts { root: &root, before: &finished.before, after: &expected };
    let fits = difference(&case.reply, &finished.answer.reply, &facts).is_empty();
    let written = match fits {
        // What still fits stays as a person has put it.
        true => Ok(()),
        false => write_reply(case, &mended(&case.written, &finished.answer.reply, &finished, &facts)),
    };
    let written =
        written.and_then(|()| write_text(case, &finished)).and_then(|()| match expected.difference(&finished.found) {
            same if same.is_empty() => Ok(()),
            _ => write_after(case, &finished),
        });
    written.map_err(|error| format!("{}: {error}", case.name))
}

fn write_reply(case: &Case, reply: &Value) -> std::io::Result<()> {
    let text = serde_json::to_string_pretty(reply).map_err(std::io::Error::other)?;
    fs::write(case.folder.join("reply.json"), text + "\n")
}

/// The text ends in a newline there, whether or not it does by itself.
fn write_text(case: &Case, finished: &Finished) -> std::io::Result<()> {
    let path = case.folder.join("reply.txt");
    match finished.marked_text(case) {
        Some(text) => fs::write(path, format!("{}\n", text.trim_end_matches('\n'))),
        None if path.exists() && finished.answer.text.is_some() => fs::remove_file(path),
        None => Ok(()),
    }
}

/// An expectation with everything put right that does not fit. What fits stays as it is.
fn mended(written: &Value, found: &Value, finished: &Finished, facts: &Facts<'_>) -> Value {
    let fits = |whole: Value| difference(&whole, found, facts).is_empty();
    if lists(written).is_ok_and(fits) {
        return written.clone();
    }
    match (written, found) {
        (Value::Object(wanted), Value::Object(got))
            if !wanted.contains_key("$contains") && !wanted.contains_key("$each") =>
        {
            let more = wanted.get("$more") == Some(&Value::Bool(true));
            let field = |(key, value): (&String, &Value)| match wanted.get(key) {
                Some(known) => Some((key.clone(), mended(known, value, finished, facts))),
                None if more => None,
                None => Some((key.clone(), marked(value, finished))),
            };
            let mut fields: Map<String, Value> = got.iter().filter_map(field).collect();
            if more {
                fields.insert("$more".to_owned(), true.into());
            }
            Value::Object(fields)
        }
        (Value::Array(wanted), Value::Array(got)) if wanted.len() == got.len() => {
            wanted.iter().zip(got).map(|(one, other)| mended(one, other, finished, facts)).collect()
        }
        _ => marked(found, finished),
    }
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

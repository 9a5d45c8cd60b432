//! What was really done in a workspace before anybody tampers with it, and in another one of the same user.

use super::ground::Ground;
use super::{fail, ground::Where};
use crate::failure::Failure;
use patchwright_testkit::forge::{Seal, creation, frames};
use patchwright_testkit::snapshot::{Snapshot, snapshot};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// See above.
#[derive(Default)]
pub(super) struct Past {
    /// The id of our record; empty where there is none.
    pub(super) id: String,
    /// The record's folder after each call, the last one as it is.
    pub(super) stages: Vec<Snapshot>,
    /// The batches: the path that each made, changed or removed, and its id.
    pub(super) batches: Vec<(&'static str, String)>,
    /// What was deleted and lies in the trash.
    pub(super) trash: String,
    /// The other workspace's record, and its id.
    pub(super) other: (String, Snapshot),
}

/// What the files were and are: a path, and what an undo may make of it.
pub(super) const VALUES: &[(&str, &[Option<&str>])] = &[
    ("one.txt", &[None]),
    ("two.txt", &[None]),
    ("victim.txt", &[None, Some("victim\n")]),
    ("a.txt", &[Some("inside\n"), Some("beside\n")]),
    ("last.txt", &[None]),
    ("proposed.txt", &[None]),
];

pub(super) const VICTIM: &str = "victim\n";

/// Uses a workspace, and another one.
pub(super) fn live(ground: &Ground) -> Result<Past, Failure> {
    let mut past = Past::default();
    if ground.at != Where::FreshGit {
        for (path, tool, mut arguments) in calls() {
            if tool == "reject_batch" {
                arguments = json!({ "batchId": past.batch(path) });
            }
            let answer = made(ground, &ground.root, tool, &arguments)?;
            let text = |name: &str| {
                answer.pointer(&format!("/data/{name}")).and_then(Value::as_str).unwrap_or_default().to_owned()
            };
            past.batches.push((path, text("batchId")));
            if !text("trashId").is_empty() {
                past.trash = text("trashId");
            }
            past.id = names(&ground.home().join("ws")).pop().unwrap_or_default();
            past.stages.push(snapshot(&ground.places.first().unwrap_or(&ground.root).join(&past.id)));
        }
    }
    past.other = other(ground, &past.id)?;
    Ok(past)
}

fn calls() -> Vec<(&'static str, &'static str, Value)> {
    let create = |path: &str, content: &str| json!({ "path": path, "content": content });
    let propose = |path: &str| json!({ "path": path, "content": "no\n", "mode": "propose" });
    vec![
        ("no-1.txt", "create_file", propose("no-1.txt")),
        ("no-2.txt", "create_file", propose("no-2.txt")),
        ("no-1.txt", "reject_batch", Value::Null),
        ("no-2.txt", "reject_batch", Value::Null),
        ("one.txt", "create_file", create("one.txt", "one\n")),
        ("two.txt", "create_file", create("two.txt", "two\n")),
        ("victim.txt", "create_file", create("victim.txt", VICTIM)),
        ("victim.txt", "delete_file", json!({ "path": "victim.txt" })),
        ("a.txt", "edit_file", json!({ "path": "a.txt", "edits": [{ "oldText": "inside", "newText": "beside" }] })),
        ("proposed.txt", "create_file", json!({ "path": "proposed.txt", "content": "p\n", "mode": "propose" })),
        ("last.txt", "create_file", create("last.txt", "last\n")),
    ]
}

/// Another workspace of the same user, with a call that was never finished: its intent is genuine, and stands last.
fn other(ground: &Ground, own: &str) -> Result<(String, Snapshot), Failure> {
    let root = ground.folder.join("other");
    made(ground, &root, "create_file", &json!({ "path": "three.txt", "content": "three\n" }))?;
    made(ground, &root, "delete_file", &json!({ "path": "b.txt" }))?;
    let ids = names(&ground.home().join("ws"));
    let id = ids.into_iter().find(|id| id != own).unwrap_or_default();
    let (record, ring) = (root.join(".patchwright").join(&id), ground.home().join("ws").join(&id));
    let log = record.join("log");
    let bytes = fs::read(&log).map_err(fail(&log))?;
    let seal = Seal::kept(&ring).map_err(fail(&ring))?;
    let intent = creation("a.txt", b"inside\n");
    fs::write(&log, seal.with(&bytes, frames(&bytes).len(), &intent)).map_err(fail(&log))?;
    Ok((id, snapshot(&record)))
}

fn made(ground: &Ground, root: &Path, tool: &str, arguments: &Value) -> Result<Value, Failure> {
    let words = ["call", tool, &arguments.to_string()];
    let out = crate::run::output(ground.command_in(root, &words), "run it by hand")?;
    Ok(serde_json::from_slice(&out).unwrap_or_default())
}

/// What a folder holds, sorted; nothing if it is not there.
pub(super) fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().map_while(Result::ok);
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

impl Past {
    /// The id of the batch that was about this path.
    pub(super) fn batch(&self, path: &str) -> &str {
        self.batches.iter().find(|(about, _)| *about == path).map_or("", |(_, id)| id.as_str())
    }
}

/// The log of a record.
pub(super) fn log_of(record: &Path) -> Result<(PathBuf, Vec<u8>), Failure> {
    let log = record.join("log");
    let bytes = fs::read(&log).map_err(fail(&log))?;
    Ok((log, bytes))
}

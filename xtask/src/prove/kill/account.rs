//! All that can be seen of a workspace by its front door: the tree, the batches, the trash. What a call did is in all
//! three or in none of them.

use super::talk::Talk;
use crate::prove::answer::Wrong;
use crate::prove::workload;
use patchwright_testkit::tree::Tree;
use serde_json::{Value, json};
use std::path::Path;

/// What a workspace says of itself. Ids and times are left out: they differ from run to run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Account {
    pub(super) tree: Tree,
    /// Newest first.
    pub(super) batches: Vec<String>,
    pub(super) trash: Vec<String>,
}

/// The ids that belong to an account.
#[derive(Debug, Default)]
pub(super) struct Ids {
    /// Newest first.
    pub(super) batches: Vec<String>,
    /// Files and links by themselves.
    pub(super) trash: Vec<String>,
    /// How many lie in folders besides, under ids that no list names.
    pub(super) inside: u64,
}

/// Asks for it.
pub(super) fn account(talk: &mut Talk, root: &Path) -> Result<(Account, Ids), Wrong> {
    let batches = talk.call("list_batches", &json!({}));
    let trash = talk.call("list_trash", &json!({}));
    Ok(read(workload::read(root)?, &batches, &trash)?)
}

fn read(tree: Tree, batches: &Value, trash: &Value) -> Result<(Account, Ids), String> {
    let (batches, trash) = (list("list_batches", batches, "batches")?, list("list_trash", trash, "entries")?);
    let all = |entries: &[Value], key: &str| entries.iter().map(|entry| text(entry, key)).collect();
    let (folders, single): (Vec<Value>, Vec<Value>) =
        trash.iter().cloned().partition(|entry| text(entry, "type") == "directory");
    let inside = folders.iter().filter_map(|entry| entry.get("files").and_then(Value::as_u64)).sum();
    let ids = Ids { batches: all(batches, "batchId"), trash: all(&single, "trashId"), inside };
    let line = |entry: &Value, keys: &[&str]| keys.iter().map(|key| text(entry, key)).collect::<Vec<_>>().join(" ");
    let shown = |entries: &[Value], keys: &[&str]| entries.iter().map(|entry| line(entry, keys)).collect();
    let mut account = Account {
        tree,
        batches: shown(batches, &["tool", "status", "files", "changes"]),
        trash: shown(trash, &["path", "sha256", "sizeBytes", "mode"]),
    };
    account.trash.sort();
    Ok((account, ids))
}

fn list<'a>(tool: &str, answer: &'a Value, key: &str) -> Result<&'a [Value], String> {
    let found = answer.pointer(&format!("/data/{key}")).and_then(Value::as_array);
    found.map(Vec::as_slice).ok_or_else(|| format!("{tool} answers {answer}"))
}

fn text(entry: &Value, key: &str) -> String {
    match entry.get(key) {
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => String::new(),
    }
}

impl Account {
    /// In what `found` is not as it is here; empty if it is the same.
    pub(super) fn difference(&self, found: &Account) -> Vec<String> {
        let mut lines = self.tree.difference(&found.tree);
        if self.batches != found.batches {
            lines.push(format!("batches: expected {:?}, found {:?}", self.batches, found.batches));
        }
        if self.trash != found.trash {
            lines.push(format!("trash: expected {:?}, found {:?}", self.trash, found.trash));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(batches: &Value, trash: &Value, expected: Option<(&[&str], &[&str])>) {
        let found = read(Tree::default(), batches, trash).ok().map(|(account, _)| (account.batches, account.trash));
        let expected = expected.map(|(batches, trash)| {
            let owned = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
            (owned(batches), owned(trash))
        });
        assert_eq!(found, expected);
    }

    #[test]
    fn answers() {
        let none = json!({"ok": true, "data": {"batches": [], "entries": []}});
        check(&none, &none, Some((&[], &[])));
        check(&Value::Null, &none, None);
        check(&none, &json!({"ok": false, "error": {}}), None);
        let batch = json!({"data": {"batches": [{"batchId": "x", "tool": "t", "status": "applied", "files": []}]}});
        check(&batch, &none, Some((&["t applied [] "], &[])));
        let trash = json!({"data": {"entries": [{"trashId": "2", "path": "b"}, {"trashId": "1", "path": "a"}]}});
        check(&none, &trash, Some((&[], &["a   ", "b   "])));
    }
}

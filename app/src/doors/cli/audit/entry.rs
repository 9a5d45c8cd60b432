//! CLI door: one entry of the audit as a line of JSON. What it does not have is left out; `docs/record.md` tells what each
//! field says, and a test here compares the two.

use crate::report::time::rfc3339;
use patchwright_core::digest::Digest;
use patchwright_engine::{AuditEntry, AuditFile, BrokenRule, Counts};
use serde_json::{Map, Value, json};

/// An entry as JSON.
pub(super) fn exported(entry: &AuditEntry) -> Value {
    let rules: Vec<Value> = entry.broken.iter().map(rule).collect();
    let fault = entry.fault.as_ref().map(|fault| json!({ "id": fault.id, "said": fault.said }));
    filled([
        ("sequence", json!(entry.sequence)),
        ("time", json!(rfc3339(entry.time_ns))),
        ("session", json!(entry.session)),
        ("client", json!(entry.client)),
        ("actor", json!(entry.actor)),
        ("door", json!(entry.door)),
        ("role", json!(entry.role)),
        ("tool", json!(entry.tool)),
        ("operation", json!(entry.operation)),
        ("outcome", json!(entry.outcome)),
        ("kind", json!(entry.kind)),
        ("rule", json!(entry.broken.first().map(|broken| &broken.rule))),
        ("rules", json!((!rules.is_empty()).then_some(rules))),
        ("rulesLeftOut", some(entry.broken_more)),
        ("fault", json!(fault)),
        ("batchId", json!(entry.batch)),
        ("batchKey", json!(entry.batch_key)),
        ("batchLabel", json!(entry.label)),
        ("idempotencyKey", json!(entry.key)),
        ("counts", counts(entry.counts)),
        ("unchecked", json!(entry.unchecked.then_some(true))),
        ("reason", json!(entry.reason)),
        ("files", entry.files.iter().map(file).collect()),
        ("diff", json!(entry.diff)),
        ("previous", json!(entry.previous.to_string())),
        ("head", json!(entry.head.to_string())),
    ])
}

fn file(file: &AuditFile) -> Value {
    let hash = |digest: Option<Digest>| json!(digest.map(|digest| digest.to_string()));
    filled([
        ("path", json!(file.path)),
        ("to", json!(file.to)),
        ("beforeSha256", hash(file.before)),
        ("afterSha256", hash(file.after)),
        ("docPath", json!(file.doc_path)),
        ("fileKey", json!(file.key)),
        ("fileLabel", json!(file.label)),
        ("changeKeys", json!((!file.change_keys.is_empty()).then_some(&file.change_keys))),
    ])
}

fn rule(broken: &BrokenRule) -> Value {
    filled([
        ("rule", json!(broken.rule)),
        ("at", json!(broken.at)),
        ("path", json!(broken.path)),
        ("docPath", json!(broken.doc_path)),
        ("key", json!(broken.key)),
        ("setting", json!(broken.setting)),
        ("pattern", json!(broken.pattern)),
        ("hunkIndex", json!(broken.hunk)),
        ("patchLine", json!(broken.patch_line)),
    ])
}

/// How much it was; nothing where there is nothing to count.
fn counts(counts: Counts) -> Value {
    if counts == Counts::default() {
        return Value::Null;
    }
    filled([
        ("files", json!(counts.files)),
        ("changes", some(counts.changes)),
        ("hunks", some(counts.hunks)),
        ("edits", some(counts.edits)),
        ("operations", some(counts.operations)),
        ("linesAdded", some(counts.lines_added)),
        ("linesRemoved", some(counts.lines_removed)),
    ])
}

/// A count, if it is not none.
fn some(count: u64) -> Value {
    json!((count > 0).then_some(count))
}

/// An object of the fields that hold something.
fn filled<const N: usize>(fields: [(&str, Value); N]) -> Value {
    let there = fields.into_iter().filter(|(_, value)| !value.is_null());
    Value::Object(there.map(|(name, value)| (name.to_owned(), value)).collect::<Map<_, _>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use patchwright_engine::FaultRecord;
    use std::collections::{BTreeMap, BTreeSet};

    /// An entry in which every field says something. No literal here may end in `..`: a new field must be filled too.
    fn full() -> AuditEntry {
        let text = |text: &str| text.to_owned();
        let some = |text: &str| Some(text.to_owned());
        let hash = Digest::of(b"x");
        AuditEntry {
            sequence: 7,
            time_ns: 1,
            session: text("s"),
            client: text("c/1"),
            actor: some("ada"),
            door: "cli",
            role: "person",
            tool: text("edit_file"),
            operation: text("update"),
            files: vec![AuditFile {
                path: text("a"),
                to: some("b"),
                before: Some(hash),
                after: Some(hash),
                doc_path: some("a"),
                key: some("fk"),
                label: some("fl"),
                change_keys: vec![text("ck")],
            }],
            outcome: "refused",
            kind: some("internal"),
            batch: some("b"),
            key: some("ik"),
            batch_key: some("bk"),
            label: some("bl"),
            counts: Counts {
                files: 1,
                changes: 2,
                hunks: 3,
                edits: 4,
                operations: 5,
                lines_added: 6,
                lines_removed: 7,
            },
            broken: vec![BrokenRule {
                rule: text("deny"),
                at: some("edits[0]"),
                path: some("a"),
                doc_path: some("a"),
                key: some("ck"),
                setting: some("write.deny"),
                pattern: some("*"),
                hunk: Some(0),
                patch_line: Some(1),
            }],
            broken_more: 8,
            fault: Some(FaultRecord { id: text("f"), said: text("burst") }),
            unchecked: true,
            reason: some("no"),
            diff: text("+x"),
            previous: hash,
            head: hash,
        }
    }

    /// The names of an object's fields, and of the objects in it under theirs.
    fn names(owner: &str, value: &Value, all: &mut BTreeMap<String, BTreeSet<String>>) {
        for (name, inner) in value.as_object().into_iter().flatten() {
            all.entry(owner.to_owned()).or_default().insert(name.clone());
            names(name, inner, all);
            inner.as_array().into_iter().flatten().for_each(|item| names(name, item, all));
        }
    }

    #[test]
    #[allow(clippy::disallowed_methods, reason = "the page stands in the repository")]
    fn the_page_tells_every_field() {
        let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/record.md")).unwrap();
        let (_, page) = page.split_once("\n## Audit entries\n").unwrap();
        let (page, _) = page.split_once("\n## Events\n").unwrap();
        let mut told: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for section in page.split("\n### `").skip(1) {
            let (owner, rows) = section.split_once('`').unwrap();
            let cells = rows.lines().filter_map(|row| Some(row.strip_prefix("| `")?.split_once('`')?.0.to_owned()));
            told.insert(owner.to_owned(), cells.collect());
        }
        let mut exported = BTreeMap::new();
        names("entry", &super::exported(&full()), &mut exported);
        for (owner, names) in &exported {
            let rows = told.remove(owner).unwrap_or_default();
            let missing: Vec<_> = names.difference(&rows).collect();
            let idle: Vec<_> = rows.difference(names).collect();
            assert!(missing.is_empty(), "docs/record.md, Audit entries, `{owner}`: no row for {missing:?}");
            assert!(idle.is_empty(), "docs/record.md, Audit entries, `{owner}`: no entry has {idle:?}");
        }
        assert!(told.is_empty(), "docs/record.md, Audit entries: no entry has {told:?}");
    }
}

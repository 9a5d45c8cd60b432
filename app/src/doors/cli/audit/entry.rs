//! CLI door: one entry of the audit as a line of JSON. What it does not have is left out; `docs/record.md` tells what each
//! field says, and a test here compares the two.

use crate::report::time::rfc3339;
use patchwright::{AuditEntry, AuditFile, BrokenRule, Counts};
use patchwright_core::digest::Digest;
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

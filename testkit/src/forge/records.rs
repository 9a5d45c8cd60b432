//! Records as an attacker would write them, in the form that the log keeps them in.

use patchwright_core::digest::Digest;
use serde_json::{Value, json};

/// JSON as the message pack that records are kept in; `{"sha256": hex}` is a hash.
pub fn pack(value: &Value) -> Vec<u8> {
    let long = |mark: u8, length: usize| [&[mark][..], &super::short(length).to_be_bytes()].concat();
    match value {
        Value::Null => vec![0xc0],
        Value::Bool(is) => vec![if *is { 0xc3 } else { 0xc2 }],
        Value::Number(number) => [&[0xcf][..], &number.as_u64().unwrap_or_default().to_be_bytes()].concat(),
        Value::String(text) => [long(0xdb, text.len()), text.clone().into_bytes()].concat(),
        Value::Array(items) => [long(0xdd, items.len()), items.iter().flat_map(pack).collect()].concat(),
        Value::Object(fields) => match fields.get("sha256").and_then(Value::as_str).and_then(Digest::parse) {
            Some(digest) => [&[0xc4, 32][..], &digest.0].concat(),
            None => {
                let field = |(name, value): (&String, &Value)| [pack(&json!(name)), pack(value)].concat();
                [long(0xdf, fields.len()), fields.iter().flat_map(field).collect()].concat()
            }
        },
    }
}

/// Bytes as the hash that a record names.
pub fn sha(bytes: &[u8]) -> Value {
    json!({ "sha256": Digest::of(bytes).to_string() })
}

/// Who called, on record.
pub fn caller(tool: &str) -> Value {
    json!({ "time_ns": 1_700_000_000_000_000_000_u64, "session": "s", "client": "c", "tool": tool, "unchecked": false })
}

/// The id of every batch that is made by hand here.
pub const BATCH: &str = "01a1dd75-3a5a-75ad-9aa4-7d69a23fbecc";

/// An unfinished call that had deleted `path`, whose bytes are in the trash as `id`: taking it back puts them there.
pub fn deletion(path: &str, id: &str, bytes: &[u8]) -> Vec<u8> {
    let work = json!({
        "deed": "Remove", "path": path, "to": null, "temp_folder": "", "temp": "x.0123456789abcdef.apply-patch.tmp",
        "keep": { "shelf": "Trash", "name": id }, "before": sha(bytes), "after": null
    });
    pack(&json!({ "Intent": {
        "batch": BATCH, "caller": caller("delete_file"), "folders": [], "works": [work], "gone": []
    }}))
}

/// An unfinished call that had made `path` with these bytes: taking it back removes it.
pub fn creation(path: &str, bytes: &[u8]) -> Vec<u8> {
    let work = json!({
        "deed": "Create", "path": path, "to": null, "temp_folder": "", "temp": "x.0123456789abcdef.apply-patch.tmp",
        "keep": null, "before": null, "after": sha(bytes)
    });
    pack(&json!({ "Intent": {
        "batch": BATCH, "caller": caller("create_file"), "folders": [], "works": [work], "gone": []
    }}))
}

/// Trash entries that went for good: the tail work removes them.
pub fn purge(id: &str) -> Vec<u8> {
    pack(&json!({ "Purge": { "batch": BATCH, "caller": caller("purge_trash"), "ids": [id], "files": [], "bytes": 1 } }))
}

/// Kept files that went because of their age: the tail work removes them.
pub fn retired(trash: &str, blob: &str) -> Vec<u8> {
    let time = 1_700_000_000_000_000_000_u64;
    pack(&json!({ "Retired": { "time_ns": time, "blobs": [blob], "trash": [trash], "bytes": 1 } }))
}

/// A restore that used a trash entry up: the tail work removes it.
pub fn restored(id: &str) -> Vec<u8> {
    pack(&json!({ "Commit": commit("restore_file", json!([]), Some(id)) }))
}

/// A file that went to the trash as `id`, all done.
pub fn deleted(path: &str, id: &str, bytes: &[u8]) -> Vec<u8> {
    let file = json!({
        "id": "01a1dd75-3a5a-75ad-9aa4-000000000002", "operation": "delete", "path": path, "before": sha(bytes),
        "size": bytes.len(), "mode": 0o755, "keep": { "shelf": "Trash", "name": id }, "trash": id, "diff": ""
    });
    let mut done = commit("delete_file", json!([file]), None);
    done["batch"] = json!("01a1dd75-3a5a-75ad-9aa4-000000000003");
    pack(&json!({ "Commit": done }))
}

/// A stored proposal whose diff says one thing and whose bytes are another.
pub fn proposal(path: &str, bytes: &[u8]) -> Vec<u8> {
    let file = json!({
        "id": "01a1dd75-3a5a-75ad-9aa4-000000000001", "operation": "create", "path": path, "after": sha(bytes),
        "size": bytes.len(), "mode": 0o755, "diff": "--- /dev/null\n+++ b/harmless.txt\n@@ -0,0 +1 @@\n+harmless\n"
    });
    pack(&json!({ "Proposal": { "commit": commit("create_file", json!([file]), None), "asides": [false] } }))
}

/// A refused call: nothing is left to do after it.
pub fn note() -> Vec<u8> {
    let end = json!({ "Refused": "not_found" });
    pack(&json!({ "Note": { "caller": caller("delete_file"), "end": end, "operation": "delete" } }))
}

/// A call that was carried out.
pub fn commit(tool: &str, files: Value, consumed: Option<&str>) -> Value {
    json!({ "batch": BATCH, "caller": caller(tool), "files": files, "verified": true, "consumed": consumed })
}

//! A story in which every tool has its part, through a server.

use crate::server::Server;
use patchwright_core::tool::TOOLS;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use tempfile::TempDir;

/// The teller notes which tools had their part.
struct Teller {
    server: Server,
    used: BTreeSet<String>,
}

impl Teller {
    fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        self.used.insert(tool.to_owned());
        self.server.done(tool, arguments)
    }

    fn word(&mut self, tool: &str, arguments: &Value, pointer: &str) -> String {
        let answer = self.call(tool, arguments);
        answer.pointer(pointer).and_then(Value::as_str).unwrap_or_else(|| panic!("no {pointer} in {answer}")).to_owned()
    }
}

/// Every tool does its work, moves between folders and a state that is not there yet among it.
pub(crate) fn of_every_tool(home: &TempDir, flags: &[&str]) {
    let root = home.path().join("ws");
    let mut teller = Teller { server: Server::start(&root, flags), used: BTreeSet::new() };
    looking(&mut teller);
    changing(&mut teller);
    deleting(&mut teller);
    history(&mut teller);
    let all: BTreeSet<String> = TOOLS.iter().map(|tool| tool.name.to_owned()).collect();
    assert_eq!(teller.used, all, "a tool that had no part");
    assert_eq!(teller.server.close(), "");
    assert_eq!(fs::read_to_string(root.join("far/moved.txt")).unwrap(), "ONE\n2\nthree\n4\n");
    assert_eq!(fs::read_to_string(root.join("d/many/63")).unwrap(), "63\n", "undone");
}

fn looking(teller: &mut Teller) {
    teller.call("list_directory", &json!({ "recursive": true }));
    teller.call("search_files", &json!({ "query": "tw.", "mode": "regex" }));
    teller.call("glob", &json!({ "pattern": "**/*.txt" }));
    teller.call("read_file", &json!({ "path": "a.txt" }));
}

fn changing(teller: &mut Teller) {
    teller.call("create_file", &json!({ "path": "far/new.txt", "content": "new\n", "createParentDirectories": true }));
    teller.call("write_file", &json!({ "path": "a.txt", "content": "one\ntwo\nthree\nfour\n" }));
    teller.call("edit_file", &json!({ "path": "a.txt", "edits": [{ "oldText": "one", "newText": "ONE" }] }));
    let many: String = (0..64).map(|n| format!("*** Add File: d/many/{n}\n+{n}\n")).collect();
    let patch = format!("*** Begin Patch\n{many}*** Update File: a.txt\n@@\n-two\n+2\n*** End Patch\n");
    teller.call("apply_patch", &json!({ "patch": patch, "createParentDirectories": true }));
    let read = teller.word("read_file", &json!({ "path": "a.txt", "hashes": true, "startLine": 4 }), "/data/content");
    let anchor = read.split([' ', '|']).next().unwrap();
    let operation = json!({ "op": "replace_line", "hash": anchor, "content": "4" });
    teller.call("edit", &json!({ "path": "a.txt", "operations": [operation] }));
    teller.call("move_file", &json!({ "fromPath": "a.txt", "toPath": "far/moved.txt" }));
}

fn deleting(teller: &mut Teller) {
    let id = teller.word("delete_file", &json!({ "path": "far/new.txt" }), "/data/trashId");
    teller.call("list_trash", &json!({}));
    teller.call("restore_file", &json!({ "trashId": id, "targetPath": "d/back.txt" }));
    teller.call("purge_trash", &json!({ "olderThan": "2001-01-01T00:00:00Z" }));
}

fn history(teller: &mut Teller) {
    let sha = teller.word("workspace_read_file", &json!({ "docPath": "d/back.txt" }), "/result/sha256");
    let change = json!({ "operation": "insert", "afterLine": 1, "newLines": ["more"] });
    let files = json!([{ "docPath": "d/back.txt", "originalSha256": sha, "changes": [change] }]);
    let proposal = json!({ "files": files, "mode": "propose" });
    for verb in ["apply_batch", "reject_batch"] {
        let sha = teller.word("workspace_read_file", &json!({ "docPath": "d/back.txt" }), "/result/sha256");
        let mut proposal = proposal.clone();
        *proposal.pointer_mut("/files/0/originalSha256").unwrap() = json!(sha);
        let id = teller.word("workspace_write_patch", &proposal, "/result/batchId");
        teller.call(verb, &json!({ "batchId": id }));
        teller.call("get_patch_change", &json!({ "batchId": id }));
    }
    teller.call("explain_lines", &json!({ "path": "d/back.txt" }));
    let gone: String = (0..64).map(|n| format!("*** Delete File: d/many/{n}\n")).collect();
    let patch = format!("*** Begin Patch\n{gone}*** End Patch\n");
    let id = teller.word("apply_patch", &json!({ "patch": patch }), "/data/batchId");
    teller.call("undo", &json!({ "batchId": id }));
    teller.call("list_batches", &json!({}));
}

//! A call as a model writes it, in one of the dialects, and the same as JSON for our tools.

use super::draft::{Block, Hunk, Sign};
use patchwright_engine::core::digest::Digest;
use serde_json::{Value, json};
use std::ops::Range;

/// In what an edit is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Dialect {
    /// `apply_patch`
    Envelope,
    /// `read_file(hashes)` and `edit`
    Anchors,
    /// `edit_file`
    Strings,
    /// `workspace_write_patch`
    Lines,
    /// `write_file`
    Whole,
    /// A unified diff, as others read it: its numbers may pick.
    Unified,
    /// `apply_patch` with a unified diff as git writes it
    Diff,
    /// `apply_patch` with the Codex conventions, where `@@` names a block
    Scopes,
    /// `edit` without `was`, though the guidance asks for it.
    BareAnchors,
    /// `workspace_write_patch` without neighbours, though the guidance asks for them.
    BareLines,
}

impl Dialect {
    /// Those that our tools speak.
    pub(super) const OURS: [Dialect; 9] = [
        Dialect::Envelope,
        Dialect::Anchors,
        Dialect::Strings,
        Dialect::Lines,
        Dialect::Whole,
        Dialect::Diff,
        Dialect::Scopes,
        Dialect::BareAnchors,
        Dialect::BareLines,
    ];

    /// The dialect that it is a careless way of; most are their own.
    pub(super) fn root(self) -> Dialect {
        match self {
            Dialect::BareAnchors => Dialect::Anchors,
            Dialect::BareLines => Dialect::Lines,
            other => other,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Dialect::Envelope => "envelope",
            Dialect::Anchors => "anchors",
            Dialect::Strings => "strings",
            Dialect::Lines => "lines",
            Dialect::Whole => "whole",
            Dialect::Unified => "unified",
            Dialect::Diff => "diff",
            Dialect::Scopes => "scopes",
            Dialect::BareAnchors => "anchors without was",
            Dialect::BareLines => "lines, no neighbours",
        }
    }
}

/// A call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ask {
    /// The text of an envelope or of a unified diff.
    Patch(String),
    /// The text of an envelope for the Codex conventions.
    Codex(String),
    Anchors(Vec<Operation>),
    /// Old and new texts.
    Strings(Vec<(String, String)>),
    Lines(Vec<Change>),
    Whole(String),
}

/// One operation on anchored lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Operation {
    pub(super) deed: Deed,
    pub(super) first: Name,
    /// The other end of a range.
    pub(super) last: Option<Name>,
    pub(super) content: Vec<String>,
    /// What the first line is said to be.
    pub(super) was: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Deed {
    Replace,
    Delete,
    After,
    Before,
}

/// An anchor as it is written: `N#form`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) number: usize,
    pub(super) form: String,
}

/// One change of lines by their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Change {
    /// The first line, from 0; an insert stands before it.
    pub(super) start: usize,
    /// What the lines that go say.
    pub(super) expected: Vec<String>,
    pub(super) new: Vec<String>,
    /// How many lines go, as the call says.
    pub(super) count: usize,
    /// What stands above and below it; nothing where that is not said.
    pub(super) around: Option<(Option<String>, Option<String>)>,
}

/// Says of a patch how it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Prefix {
    Kept,
    /// Lines that stay have lost the blank before them.
    Lost,
}

/// The envelope of these blocks. Models like to put line numbers behind `@@`.
pub(super) fn envelope(path: &str, blocks: &[Block], prefix: Prefix) -> String {
    let hunk = |block: &Block| format!("@@ -{} @@\n{}", block.at + 1, body(block, prefix));
    let hunks: String = blocks.iter().map(hunk).collect();
    format!("*** Begin Patch\n*** Update File: {path}\n{hunks}*** End Patch\n")
}

/// The unified diff of these blocks.
pub(super) fn unified(path: &str, blocks: &[Block], prefix: Prefix) -> String {
    let mut text = format!("--- a/{path}\n+++ b/{path}\n");
    let mut shift = 0_isize;
    for block in blocks {
        let (old, new) = (block.old_lines().len(), block.new_lines().len());
        let start = if old == 0 { block.at } else { block.at + 1 };
        let there = (start as isize + shift).max(0);
        text.push_str(&format!("@@ -{start},{old} +{there},{new} @@\n{}", body(block, prefix)));
        shift += new as isize - old as isize;
    }
    text
}

/// The same as git writes it.
pub(super) fn diff(path: &str, blocks: &[Block], prefix: Prefix) -> String {
    format!("diff --git a/{path} b/{path}\nindex 1111111..2222222 100644\n{}", unified(path, blocks, prefix))
}

/// The envelope of these blocks, each with the line that begins the block of code around it.
pub(super) fn scoped(path: &str, blocks: &[(&Block, &str)], prefix: Prefix) -> String {
    let hunk = |(block, header): &(&Block, &str)| format!("@@ {header}\n{}", body(block, prefix));
    let hunks: String = blocks.iter().map(hunk).collect();
    format!("*** Begin Patch\n*** Update File: {path}\n{hunks}*** End Patch\n")
}

fn body(block: &Block, prefix: Prefix) -> String {
    let mut text = String::new();
    for line in &block.lines {
        match (line.sign, prefix) {
            (Sign::Stays, Prefix::Kept) => text.push(' '),
            (Sign::Stays, Prefix::Lost) => {}
            (Sign::Goes, _) => text.push('-'),
            (Sign::Comes, _) => text.push('+'),
        }
        text.push_str(&line.text);
        text.push('\n');
    }
    text
}

/// What stands above and below some lines.
fn around(lines: &[String], span: &Range<usize>) -> Option<(Option<String>, Option<String>)> {
    let above = span.start.checked_sub(1).and_then(|at| lines.get(at)).cloned();
    Some((above, lines.get(span.end).cloned()))
}

impl Change {
    /// A run of lines as a change of its own.
    pub(super) fn of_run(run: &Hunk, lines: &[String]) -> Change {
        let expected = lines.get(run.old.clone()).unwrap_or_default().to_vec();
        let (start, count) = (run.old.start, run.old.len());
        Change { start, expected, new: run.new.clone(), count, around: around(lines, &run.old) }
    }

    /// A block with all its lines as one change.
    pub(super) fn of_block(block: &Block, lines: &[String]) -> Change {
        let expected = block.old_lines();
        let count = expected.len();
        let around = around(lines, &(block.at..block.at + count));
        Change { start: block.at, expected, new: block.new_lines(), count, around }
    }

    fn json(&self) -> Value {
        let (first, last) = (self.start + 1, self.start + self.count);
        let mut fields = match (self.count, self.new.is_empty()) {
            (0, _) => json!({"operation": "insert", "afterLine": self.start, "newLines": self.new}),
            (_, true) => json!({"operation": "delete", "startLine": first, "endLine": last,
                "expectedOriginalLines": self.expected}),
            (_, false) => json!({"operation": "replace", "startLine": first, "endLine": last,
                "expectedOriginalLines": self.expected, "newLines": self.new}),
        };
        if let (Some((above, below)), Some(fields)) = (&self.around, fields.as_object_mut()) {
            fields.insert("expectedLineBefore".to_owned(), json!(above));
            fields.insert("expectedLineAfter".to_owned(), json!(below));
        }
        fields
    }
}

impl Operation {
    fn json(&self) -> Value {
        let mut fields = serde_json::Map::new();
        let name = |name: &Name| Value::from(format!("{}#{}", name.number, name.form));
        let word = match (self.deed, &self.last) {
            (Deed::Replace, None) => "replace_line",
            (Deed::Replace, Some(_)) => "replace_range",
            (Deed::Delete, None) => "delete_line",
            (Deed::Delete, Some(_)) => "delete_range",
            (Deed::After, _) => "insert_after",
            (Deed::Before, _) => "insert_before",
        };
        fields.insert("op".to_owned(), word.into());
        match &self.last {
            None => drop(fields.insert("hash".to_owned(), name(&self.first))),
            Some(last) => {
                fields.insert("start_hash".to_owned(), name(&self.first));
                fields.insert("end_hash".to_owned(), name(last));
            }
        }
        if let Some(was) = &self.was {
            fields.insert("was".to_owned(), was.as_str().into());
        }
        if self.deed != Deed::Delete {
            // One newline at the end ends the last line and adds none.
            fields.insert("content".to_owned(), format!("{}\n", self.content.join("\n")).into());
        }
        Value::Object(fields)
    }
}

impl Ask {
    /// The tool and its arguments; with the hash of the file as the caller knows it, where it gives one.
    pub(super) fn call(&self, path: &str, hash: Option<Digest>) -> (&'static str, Value) {
        let (tool, mut arguments) = match self {
            Ask::Patch(text) | Ask::Codex(text) => {
                let mut arguments = match self {
                    Ask::Codex(_) => json!({"patch": text, "conventions": "codex"}),
                    _ => json!({"patch": text}),
                };
                if let (Some(hash), Some(fields)) = (hash, arguments.as_object_mut()) {
                    fields.insert("expectedSha256ByPath".to_owned(), json!({path: hash.to_string()}));
                }
                return ("apply_patch", arguments);
            }
            Ask::Lines(changes) => {
                let changes: Vec<Value> = changes.iter().map(Change::json).collect();
                let hash = hash.map(|hash| hash.to_string());
                let file = json!({"docPath": path, "originalSha256": hash, "changes": changes});
                return ("workspace_write_patch", json!({"files": [file]}));
            }
            Ask::Anchors(operations) => {
                let operations: Vec<Value> = operations.iter().map(Operation::json).collect();
                ("edit", json!({"path": path, "operations": operations}))
            }
            Ask::Strings(edits) => {
                let edits: Vec<Value> =
                    edits.iter().map(|(old, new)| json!({"oldText": old, "newText": new})).collect();
                ("edit_file", json!({"path": path, "edits": edits}))
            }
            Ask::Whole(content) => ("write_file", json!({"path": path, "content": content})),
        };
        if let (Some(hash), Some(fields)) = (hash, arguments.as_object_mut()) {
            fields.insert("expectedSha256".to_owned(), hash.to_string().into());
        }
        (tool, arguments)
    }
}

//! The work in each dialect of Patchwright.

use super::bill::{Bill, Kind};
use super::server::Server;
use super::work::{Edit, Work};
use crate::agents::relay::texts;
use crate::failure::Failure;
use crate::{home, run};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// How many digits of a hash a text shows, where it does not show all.
const SHORT: usize = 12;

/// A dialect, under the name of its profile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Dialect {
    Strings,
    Envelope,
    Anchors,
    Lines,
}

pub(super) const ALL: &[Dialect] = &[Dialect::Strings, Dialect::Envelope, Dialect::Anchors, Dialect::Lines];

impl Dialect {
    fn profile(self) -> &'static str {
        match self {
            Dialect::Strings => "strings",
            Dialect::Envelope => "envelope",
            Dialect::Anchors => "anchors",
            Dialect::Lines => "lines",
        }
    }
}

/// Does all of it in `folder`, which holds the files.
pub(super) fn bill(binary: &Path, folder: &Path, dialect: Dialect, work: &Work) -> Result<Bill, Failure> {
    let mut command = home::patchwright(binary, folder);
    command.arg("--root").arg(folder).args(["mcp", "--profile", dialect.profile()]);
    let mut server = Server::start(&format!("Patchwright, {}", dialect.profile()), command, folder)?;
    server.bill.ours = true;
    let mut hashes = BTreeMap::new();
    for path in work.before.keys() {
        let (tool, arguments) = match dialect {
            Dialect::Strings | Dialect::Envelope => ("read_file", json!({"path": path})),
            Dialect::Anchors => ("read_file", json!({"path": path, "hashes": true})),
            Dialect::Lines => ("workspace_read_file", json!({"docPath": path, "numbered": true})),
        };
        let answer = server.call(Kind::Read, tool, &arguments)?;
        if dialect == Dialect::Lines {
            hashes.insert(path.clone(), hash(binary, folder, path, &answer)?);
        }
    }
    for edit in &work.edits {
        let known = hashes.get(&edit.path).cloned().unwrap_or_default();
        let (tool, arguments) = match dialect {
            Dialect::Strings => strings(edit),
            Dialect::Envelope => envelope(edit),
            Dialect::Anchors => anchors(edit, &shown(binary, folder, &edit.path)?)?,
            Dialect::Lines => lines(edit, &known),
        };
        let answer = server.call(Kind::Edit, tool, &arguments)?;
        if dialect == Dialect::Lines {
            hashes.insert(edit.path.clone(), hash(binary, folder, &edit.path, &answer)?);
        }
    }
    server.close()
}

fn strings(edit: &Edit) -> (&'static str, Value) {
    let (old, new) = edit.quoted();
    ("edit_file", json!({"path": edit.path, "edits": [{"oldText": old, "newText": new}]}))
}

fn envelope(edit: &Edit) -> (&'static str, Value) {
    let mut patch = format!("*** Begin Patch\n*** Update File: {}\n@@\n", edit.path);
    let context = edit.before.get(edit.start()..edit.at).unwrap_or_default();
    for (sign, lines) in [(' ', context), ('-', &edit.old), ('+', &edit.new)] {
        patch.extend(lines.iter().map(|line| format!("{sign}{line}\n")));
    }
    patch.push_str("*** End Patch");
    ("apply_patch", json!({"patch": patch}))
}

fn lines(edit: &Edit, hash: &str) -> (&'static str, Value) {
    let first = edit.at.saturating_add(1);
    let change = match (edit.old.len(), edit.new.len()) {
        (0, _) => {
            json!({"operation": "insert", "afterLine": edit.at, "newLines": edit.new, "expectedLineBefore": edit.above()})
        }
        (_, 0) => {
            json!({"operation": "delete", "startLine": first, "endLine": edit.end(), "expectedOriginalLines": edit.old})
        }
        _ => json!({"operation": "replace", "startLine": first, "endLine": edit.end(),
            "expectedOriginalLines": edit.old, "newLines": edit.new}),
    };
    let file = json!({"docPath": edit.path, "originalSha256": hash, "changes": [change]});
    ("workspace_write_patch", json!({"files": [file]}))
}

/// `anchors` are those of the file's lines, which the model has from its reading and from answers since.
fn anchors(edit: &Edit, anchors: &[String]) -> Result<(&'static str, Value), Failure> {
    let anchor = |line: usize| {
        let missing = || Failure::new(format!("{} shows no anchor for line {line}", edit.path), "look at read_file");
        anchors.get(line).ok_or_else(missing)
    };
    let content = edit.new.join("\n");
    let last = edit.end().saturating_sub(1);
    let operation = match (edit.old.len(), edit.new.len()) {
        (0, _) => json!({"op": "insert_after", "hash": anchor(edit.at.saturating_sub(1))?, "content": content}),
        (1, 0) => json!({"op": "delete_line", "hash": anchor(edit.at)?}),
        (_, 0) => json!({"op": "delete_range", "start_hash": anchor(edit.at)?, "end_hash": anchor(last)?}),
        (1, _) => json!({"op": "replace_line", "hash": anchor(edit.at)?, "content": content}),
        _ => {
            json!({"op": "replace_range", "start_hash": anchor(edit.at)?, "end_hash": anchor(last)?, "content": content})
        }
    };
    Ok(("edit", json!({"path": edit.path, "operations": [operation]})))
}

/// Calls a tool beside the work, at nobody's cost.
fn beside(binary: &Path, folder: &Path, tool: &str, arguments: &Value) -> Result<Value, Failure> {
    let mut command = home::patchwright(binary, folder);
    command.arg("--root").arg(folder).args(["call", tool, &arguments.to_string()]);
    Ok(serde_json::from_slice(&run::output(command, "see what it answers")?).unwrap_or_default())
}

/// The anchors of a file as it is now.
fn shown(binary: &Path, folder: &Path, path: &str) -> Result<Vec<String>, Failure> {
    let answer = beside(binary, folder, "read_file", &json!({"path": path, "hashes": true}))?;
    let content = answer.pointer("/data/content").and_then(Value::as_str).unwrap_or_default();
    Ok(content.lines().filter_map(anchor_of).collect())
}

/// `12#a1b2c3 [high]|text` has the anchor `a1b2c3`.
fn anchor_of(line: &str) -> Option<String> {
    let (_, rest) = line.split_once('#')?;
    rest.split_once(' ').map(|(anchor, _)| anchor.to_owned())
}

/// The hash of a file as it is now, in the form in which an answer gave it to the model.
fn hash(binary: &Path, folder: &Path, path: &str, answer: &Value) -> Result<String, Failure> {
    let read = beside(binary, folder, "workspace_read_file", &json!({"docPath": path}))?;
    let whole = read.pointer("/result/sha256").or_else(|| read.pointer("/data/result/sha256"));
    let whole = whole.and_then(Value::as_str).unwrap_or_default();
    given(&texts(answer), whole).map(str::to_owned).ok_or_else(|| {
        Failure::new(
            format!("an answer about {path} does not give the hash that the next change needs"),
            "give it there",
        )
    })
}

/// The whole hash if the text has it, else its first digits.
fn given<'a>(text: &str, whole: &'a str) -> Option<&'a str> {
    [Some(whole), whole.get(..SHORT)].into_iter().flatten().find(|hash| !hash.is_empty() && text.contains(*hash))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_of_lines() {
        for (line, want) in [
            ("12#a1b2c3 [high]|fn main() {", Some("a1b2c3")),
            ("3#~01234567 [low]|}", Some("~01234567")),
            ("4#aaaaaa@1/2 [med]|x # y", Some("aaaaaa@1/2")),
            ("plain", None),
        ] {
            assert_eq!(anchor_of(line).as_deref(), want, "{line}");
        }
    }

    #[test]
    fn hashes_in_answers() {
        let whole = "0123456789abcdef";
        assert_eq!(given("sha256 0123456789abcdef", whole), Some(whole));
        assert_eq!(given("sha256 0123456789ab", whole), Some("0123456789ab"));
        assert_eq!(given("sha256 999999999999", whole), None);
        assert_eq!(given("", ""), None);
    }
}

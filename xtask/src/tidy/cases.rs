//! The folders under `cases/`: each is numbered once and holds a call, its reply and the text that a model reads.

use super::Complaint;
use super::tree::Tree;
use crate::failure::Failure;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn check(tree: &Tree) -> Result<Vec<Complaint>, Failure> {
    let mut found = Vec::new();
    let mut numbers: BTreeMap<&str, &str> = BTreeMap::new();
    for folder in folders(tree) {
        let path = format!("cases/{folder}");
        for part in ["call.json", "reply.json"] {
            if !tree.has(&format!("{path}/{part}")) {
                found.push(Complaint::about(&path, format!("has no {part}")));
            }
        }
        if text_is_due(tree, &path)? && !tree.has(&format!("{path}/reply.txt")) {
            found.push(Complaint::about(&path, "has no reply.txt"));
        }
        match number(folder) {
            None => found.push(Complaint::about(&path, "is not named like 0001-what-it-shows")),
            Some(number) => {
                if let Some(other) = numbers.insert(number, folder) {
                    found.push(Complaint::about(&path, format!("has the number of cases/{other}")));
                }
            }
        }
    }
    Ok(found)
}

/// Does the case go through the MCP door, with a tool whose text is more than its answer as JSON?
fn text_is_due(tree: &Tree, path: &str) -> Result<bool, Failure> {
    let file = format!("{path}/call.json");
    if !tree.has(&file) {
        return Ok(false);
    }
    let call: Value = serde_json::from_str(&tree.text(&file)?).unwrap_or_default();
    let spoken = call.get("doors").and_then(Value::as_array).is_none_or(|doors| doors.contains(&"mcp".into()));
    let json = call.get("tool").and_then(Value::as_str).is_some_and(|tool| tool.starts_with("workspace_"));
    Ok(spoken && !json)
}

fn folders(tree: &Tree) -> BTreeSet<&str> {
    let inside = tree.files().filter_map(|file| file.strip_prefix("cases/"));
    inside.filter_map(|rest| rest.split_once('/')).map(|(folder, _)| folder).collect()
}

fn number(folder: &str) -> Option<&str> {
    let (number, name) = folder.split_once('-')?;
    let plain = name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    (number.len() == 4 && number.chars().all(|c| c.is_ascii_digit()) && !name.is_empty() && plain).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::super::scratch::{Bed, Plant, expect, expect_none};
    use super::*;

    const BED: Bed = Bed {
        check,
        needs: |path| path.starts_with("cases/") && path.contains("/call.json") || path.contains("/reply."),
    };

    #[test]
    fn a_broken_case_is_found() {
        let call = Plant::Write("cases/9998-planted/call.json", "{}");
        expect(&BED, &[call], &["cases/9998-planted: has no reply.json"]);
        expect(&BED, &[Plant::Write("cases/9998-planted/reply.json", "{}")], &["has no call.json"]);
        for name in ["planted", "98-planted", "9998-", "9998-Planted"] {
            let file = format!("cases/{name}/call.json");
            expect(&BED, &[Plant::Write(&file, "{}")], &["is not named like"]);
        }
        let whole = ["9998-a/call.json", "9998-a/reply.json", "9998-b/call.json", "9998-b/reply.json"]
            .map(|name| format!("cases/{name}"));
        let plants: Vec<Plant<'_>> = whole.iter().map(|file| Plant::Write(file, "{}")).collect();
        expect(&BED, &plants, &["has no reply.txt", "has the number of cases/9998-a", "has no reply.txt"]);
    }

    #[test]
    fn a_text_is_due_where_a_model_reads_one() {
        let case = |call: &'static str| {
            [Plant::Write("cases/9998-a/call.json", call), Plant::Write("cases/9998-a/reply.json", "{}")]
        };
        expect(&BED, &case(r#"{"tool": "glob"}"#), &["cases/9998-a: has no reply.txt"]);
        expect(&BED, &case(r#"{"tool": "glob", "doors": ["library", "mcp"]}"#), &["has no reply.txt"]);
        expect_none(&BED, &case(r#"{"tool": "glob", "doors": ["command line"]}"#));
        expect_none(&BED, &case(r#"{"tool": "workspace_read_file"}"#));
    }

    #[test]
    fn a_whole_case_passes() {
        let plants = [
            Plant::Write("cases/9998-a/call.json", "{}"),
            Plant::Write("cases/9998-a/reply.json", "{}"),
            Plant::Write("cases/9998-a/reply.txt", "x"),
            Plant::Write("cases/README.md", "x"),
        ];
        expect_none(&BED, &plants);
    }
}

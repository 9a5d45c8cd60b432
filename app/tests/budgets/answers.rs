//! Answers: what real calls cost, and the refusals of all cases.

use patchwright_app::report::Telling;
use patchwright_app::report::text::text;
use patchwright_app::wire;
use patchwright_engine::{Client, Durability, Options, Quiet, Session};
use patchwright_testkit::case::{self, Case};
use patchwright_testkit::home;
use patchwright_testkit::tokens::count;
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::Path;

/// A refusal that shows candidates or changed lines may be this long, any other [`PLAIN`].
const SHOWING: usize = 1_000;
const PLAIN: usize = 250;

/// A file of about so many bytes, like source text.
fn source(bytes: usize) -> String {
    let mut text = String::new();
    for number in 1.. {
        if text.len() >= bytes {
            break;
        }
        writeln!(
            text,
            "    let total_{number} = sum(&entries[{number}..], Limit::new({})); // step {number}",
            number * 7
        )
        .unwrap();
    }
    text
}

struct Desk {
    session: Session,
    _root: tempfile::TempDir,
    table: Vec<(String, usize, usize)>,
}

impl Desk {
    fn new(files: &[(&str, &str)]) -> Desk {
        let root = tempfile::tempdir().unwrap();
        for (path, content) in files {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, content).unwrap();
        }
        let client = Client { name: "budgets".into(), version: "1".into(), ..Client::default() };
        let options = Options { durability: Durability::None, home: home::at(), client, ..Options::default() };
        Desk { session: Session::open(root.path(), options).unwrap(), _root: root, table: Vec::new() }
    }

    /// Makes a call, and holds its answer to a ceiling.
    fn call(&mut self, what: &str, tool: &str, arguments: &Value, most: usize) -> String {
        let call = wire::call(tool, &arguments.to_string()).unwrap();
        let answer = text(&self.session.call(&call, &Quiet), &Telling::ALL);
        self.table.push((what.to_owned(), count(&answer), most));
        answer
    }

    fn check(self) {
        let mut over = Vec::new();
        println!("{:>8} {:>8}  answer", "tokens", "ceiling");
        for (what, tokens, most) in self.table {
            println!("{tokens:>8} {most:>8}  {what}");
            if tokens > most {
                over.push(format!("{what}: {tokens} tokens, over {most}"));
            }
        }
        assert!(over.is_empty(), "{}", over.join("\n"));
    }
}

#[test]
fn answers_of_changes() {
    let four = source(4096);
    let long = "src/engine/commands/handler_registry.rs";
    let line = "let handler = registry.find(&request.name).ok_or(Failure::Unknown(request.name.clone()))?; // 100";
    let text = format!("fn one() {{\n{line}\n}}\n");
    let mut desk = Desk::new(&[(long, &text), ("old.rs", &four), ("gone.rs", &four), ("from.rs", &four)]);
    desk.call("create_file, 4 KB", "create_file", &json!({"path": "src/new.rs", "content": four}), 60);
    for path in ["old.rs", "gone.rs", "from.rs", long] {
        desk.call(&format!("read_file {path}"), "read_file", &json!({"path": path}), usize::MAX);
    }
    desk.call("write_file, 4 KB", "write_file", &json!({"path": "old.rs", "content": four.replace("sum", "max")}), 60);
    desk.call("delete_file, 4 KB", "delete_file", &json!({"path": "gone.rs"}), 60);
    desk.call("move_file, 4 KB", "move_file", &json!({"fromPath": "from.rs", "toPath": "src/to.rs"}), 60);
    let edits = json!([{"oldText": line, "newText": line.replace("100", "10")}]);
    desk.call("edit_file, one line", "edit_file", &json!({"path": long, "edits": edits}), 120);
    let read = desk.call("read_file with anchors", "read_file", &json!({"path": long, "hashes": true}), usize::MAX);
    let anchor = read.lines().find(|row| row.contains("let handler")).unwrap().split(' ').next().unwrap().to_owned();
    let operations = json!([{"op": "replace_line", "hash": anchor, "content": line}]);
    desk.call("edit, one line", "edit", &json!({"path": long, "operations": operations}), 120);
    let patch = format!("*** Begin Patch\n*** Update File: {long}\n@@\n-fn one() {{\n+fn two() {{\n*** End Patch\n");
    desk.call("apply_patch, one line", "apply_patch", &json!({"patch": patch}), 60);
    desk.call("undo, one line", "undo", &json!({"path": long}), 150);
    desk.call("restore_file", "restore_file", &json!({"path": "gone.rs", "version": "b3", "side": "before"}), 60);
    desk.call("list_batches", "list_batches", &json!({}), 300);
    desk.call("list_directory", "list_directory", &json!({"recursive": true}), 120);
    desk.check();
}

#[test]
fn a_read_costs_little_more_than_the_text() {
    let four = source(4096);
    let own = count(&four);
    let mut desk = Desk::new(&[("src/engine/commands/handler_registry.rs", &four)]);
    let most = own + own / 50;
    desk.call(
        &format!("read_file, 4 KB of {own} tokens"),
        "read_file",
        &json!({"path": "src/engine/commands/handler_registry.rs"}),
        most,
    );
    desk.check();
}

#[test]
fn what_is_long_comes_by_pages() {
    let big = source(34 << 10);
    let mut desk = Desk::new(&[("a.rs", "fn main() {}\n")]);
    desk.call("create_file, 34 KB", "create_file", &json!({"path": "big.rs", "content": big}), 60);
    let answer = desk.call("get_patch_change, 34 KB", "get_patch_change", &json!({"batchId": "b1"}), 4_500);
    assert!(answer.lines().next().unwrap().contains("go on with cursor"), "{answer}");
    desk.call("explain_lines, 34 KB", "explain_lines", &json!({"path": "big.rs"}), 4_500);
    for number in (1..500).step_by(2) {
        let (old, new) = (format!("; // step {number}\n"), format!("; // Step {number}\n"));
        let edits = json!([{"oldText": old, "newText": new}]);
        if big.contains(&old) {
            desk.call("", "edit_file", &json!({"path": "big.rs", "edits": edits}), 120);
        }
    }
    desk.table.retain(|(what, ..)| !what.is_empty());
    desk.call("explain_lines, many runs", "explain_lines", &json!({"path": "big.rs"}), 5_000);
    desk.call("undo, 34 KB", "undo", &json!({"sinceBatchId": "b1"}), 2_500);
    desk.check();
}

#[test]
fn what_is_found_is_bounded() {
    let names: Vec<String> = (0..2_000).map(|at| format!("src/part_{}/module_of_number_{at}.rs", at / 100)).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "let total = sum(&entries);\n")).collect();
    let mut desk = Desk::new(&files);
    let most = 16_000;
    let mut ask = json!({"path": "src", "recursive": true});
    let mut listed = 0;
    for page in 1.. {
        let answer = desk.call(&format!("list_directory, page {page}"), "list_directory", &ask, most);
        let head = answer.lines().next().unwrap();
        listed += answer.lines().skip(1).filter(|row| row.contains("module_of_number")).count();
        match head.split_once("go on with cursor ") {
            Some((_, cursor)) => ask["cursor"] = serde_json::from_str(cursor).unwrap(),
            None => break,
        }
    }
    assert_eq!(listed, names.len());
    let all = json!({"pattern": "**/*.rs", "maxResults": 10_000});
    let answer = desk.call("glob", "glob", &all, most);
    assert!(answer.starts_with("2000 matches, the first ") && answer.len() < 25 << 10, "{answer}");
    let all = json!({"query": "total", "mode": "text", "maxResults": 10_000});
    let answer = desk.call("search_files", "search_files", &all, most);
    assert!(answer.starts_with("2000 matches in 2000 files searched, the first "), "{answer}");
    desk.check();
}

/// Does this text show candidates, changed lines or an excerpt between its message and its next step?
fn shows(text: &str) -> bool {
    let lines = text.lines().filter(|line| !line.starts_with("Warning: "));
    lines.count() > 2
}

#[test]
fn refusals_of_all_cases() {
    let cases: Vec<Case> = case::all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../cases")).unwrap();
    let mut over = Vec::new();
    let (mut most, mut refusals) = (0, 0);
    for case in &cases {
        let refused = ["ok", "successful"].iter().any(|word| case.reply.get(*word) == Some(&Value::Bool(false)));
        let Some(text) = case.text.as_deref().filter(|_| refused) else { continue };
        let (tokens, ceiling) = (count(text), if shows(text) { SHOWING } else { PLAIN });
        (refusals, most) = (refusals + 1, most.max(tokens));
        if tokens > ceiling {
            over.push(format!("{}: {tokens} tokens, over {ceiling}", case.name));
        }
    }
    println!("{refusals} refusals, the longest of {most} tokens");
    assert!(refusals > 300, "{refusals} refusals");
    assert!(over.is_empty(), "{} over:\n{}", over.len(), over.join("\n"));
}

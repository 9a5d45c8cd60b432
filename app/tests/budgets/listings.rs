//! What a session costs before its first call: the tools and the instructions that the built server shows.

use crate::{Table, tokens};
use patchwright_testkit::home;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

/// What a server with these flags shows to a client of this name: the tools, and the instructions.
fn shown(client: &str, flags: &[&str]) -> (Vec<Value>, String) {
    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_patchwright"))
        .env("XDG_CONFIG_HOME", "/nonexistent")
        .env("PATCHWRIGHT_HOME", home::home())
        .arg("mcp")
        .args(flags)
        .arg("--root")
        .arg(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    for message in [
        json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": { "protocolVersion": "2025-06-18",
            "capabilities": {}, "clientInfo": { "name": client, "version": "1" } } }),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }),
    ] {
        input.write_all(format!("{message}\n").as_bytes()).unwrap();
    }
    let answers: Vec<Value> =
        output.lines().take(2).map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect();
    drop(input);
    child.wait().unwrap();
    let told = |pointer: &str| answers.iter().find_map(|answer| answer.pointer(pointer)).unwrap().clone();
    (told("/result/tools").as_array().unwrap().clone(), told("/result/instructions").as_str().unwrap().to_owned())
}

/// What a model is sent of a tool.
fn compact(tool: &Value) -> String {
    json!({ "name": tool["name"], "description": tool["description"], "inputSchema": tool["inputSchema"] }).to_string()
}

fn check(client: &str, flags: &[&str], (most_tokens, most_bytes): (usize, usize)) {
    let (tools, instructions) = shown(client, flags);
    let mut table = Table::new(&format!("{client} {}", flags.join(" ")));
    for tool in &tools {
        table.add(tool["name"].as_str().unwrap(), &compact(tool));
    }
    table.add("instructions", &instructions);
    table.print();
    assert!(table.tokens() <= most_tokens, "{}: {} tokens", table.name(), table.tokens());
    assert!(table.bytes() <= most_bytes, "{}: {} bytes", table.name(), table.bytes());
    assert!(instructions.chars().count() <= 2000, "{instructions}");
    for tool in &tools {
        let (name, words) = (tool["name"].as_str().unwrap(), tool["description"].as_str().unwrap());
        let most = if name == "edit" { 1500 } else { 1000 };
        assert!(words.chars().count() <= most, "{name}: {} characters", words.chars().count());
        assert_eq!(tool.get("outputSchema"), None, "{name}");
        assert!(!compact(tool).contains("\"additionalProperties\":false"), "{name}");
    }
}

#[test]
fn what_is_shown_by_default() {
    for client in ["somebody", "claude-code", "codex-mcp-client"] {
        check(client, &[], (2000, 9000));
    }
    for flags in [
        &["--profile", "strings"] as &[&str],
        &["--profile", "envelope"],
        &["--profile", "anchors"],
        &["--profile", "lines"],
        &["--require-sha"],
        &["--read-only"],
    ] {
        check("somebody", flags, (2000, 9000));
    }
}

#[test]
fn what_is_shown_of_everything() {
    check("somebody", &["--tools", "all"], (5000, 24_000));
}

/// Some clients cut the instructions after about 2,000 characters and others show the beginning only.
#[test]
fn the_first_words_stand_alone() {
    let (_, instructions) = shown("somebody", &[]);
    let first: String = instructions.chars().take(500).collect();
    for must in ["exactly or not at all", "relative to the workspace", "Read a file before you change it", "next step"]
    {
        assert!(first.contains(must), "{first}");
    }
    assert!(first.len() == instructions.len() || first.trim_end().ends_with(['.', ':']), "{first}");
    assert!(tokens(&first) <= 130);
}

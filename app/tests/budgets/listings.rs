//! What a session costs before its first call: the tools and the instructions that the built server shows.

use crate::served::shown;
use crate::{Table, tokens};
use serde_json::{Value, json};

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
        &["--profile", "envelope", "--conventions", "codex"],
        &["--profile", "envelope", "--require-sha"],
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

/// What is told of patches is what holds for them.
#[test]
fn descriptions_go_by_conventions_and_proof() {
    let patch = |flags: &[&str]| {
        let flags = [&["--profile", "envelope"], flags].concat();
        let (tools, instructions) = shown("somebody", &flags);
        let told = tools.iter().find(|tool| tool["name"] == "apply_patch").unwrap()["description"].to_string();
        (told, instructions)
    };
    let (strict, codex) = (patch(&[]).0, patch(&["--conventions", "codex"]).0);
    assert!(strict.contains("does not narrow it") && !codex.contains("does not narrow it"), "{codex}");
    assert!(codex.contains("names a line") && codex.contains("may replace a file"), "{codex}");
    let (_, by_hash) = patch(&["--require-sha"]);
    assert!(by_hash.contains("expectedSha256ByPath"), "{by_hash}");
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

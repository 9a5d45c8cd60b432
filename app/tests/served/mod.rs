//! What the built server shows to a client.

use patchwright_testkit::home;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

/// What a server with these flags shows to a client of this name: the tools, and the instructions.
pub(crate) fn shown(client: &str, flags: &[&str]) -> (Vec<Value>, String) {
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
    // An end of input would end the server before it has answered everything.
    let answers: Vec<Value> =
        output.lines().take(2).map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect();
    drop(input);
    child.wait().unwrap();
    let told = |pointer: &str| answers.iter().find_map(|answer| answer.pointer(pointer)).unwrap().clone();
    (told("/result/tools").as_array().unwrap().clone(), told("/result/instructions").as_str().unwrap().to_owned())
}

//! Nobody reads any more: a command ends as if somebody had, and a server ends in good order.

use crate::place::Place;
use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Stdio};

/// The end of a pipe that nobody reads from.
fn nowhere() -> Stdio {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    writer.into()
}

fn status(mut command: Command) -> Option<i32> {
    command.stdout(nowhere()).stderr(nowhere()).status().unwrap().code()
}

#[test]
fn a_command_ends_with_what_it_came_to() {
    let place = Place::new();
    let many: String = (0..5000).map(|line| format!("line {line} of many\n")).collect();
    std::fs::write(place.path("many.txt"), many).unwrap();
    let arguments = |value: &Value| value.to_string();
    let made = arguments(&json!({ "path": "new.txt", "content": "x\n" }));
    for (args, code) in [
        (vec!["call", "create_file", &made], 0),
        (vec!["call", "create_file", &made], 1),
        (vec!["read", "many.txt"], 0),
        (vec!["read", "none.txt"], 1),
        (vec!["log"], 0),
        (vec!["watch", "--from-start"], 0),
        (vec!["watch", "--json", "--from-start"], 0),
        (vec!["--help"], 0),
        (vec!["no-such-command"], 2),
    ] {
        assert_eq!(status(place.command(&place.root, &args)), Some(code), "{args:?}");
    }
    assert_eq!((place.history(), place.verify()), (vec!["new.txt".to_owned()], Some(0)));
}

#[test]
fn a_server_that_nobody_reads_from_ends_in_good_order() {
    let place = Place::new();
    let mut command = place.command(&place.root, &["mcp", "--tools", "all", "--answers", "structured"]);
    let mut child = command.stdin(Stdio::piped()).stdout(nowhere()).stderr(nowhere()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let client = json!({ "name": "test", "version": "1" });
    let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client });
    let call = json!({ "name": "create_file", "arguments": { "path": "new.txt", "content": "x\n" } });
    for message in [
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello }),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call }),
    ] {
        // It may have ended already.
        let _written = input.write_all(format!("{message}\n").as_bytes());
    }
    // The input stays open: it ends by itself.
    assert_eq!(child.wait().unwrap().code(), Some(0));
    drop(input);
    place.make("next.txt");
    assert_eq!(place.verify(), Some(0));
}

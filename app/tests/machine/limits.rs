//! A file that grows beyond what the process may write (`ulimit -f`): the call is taken back and told, and the next one
//! is carried out. The signal that comes with it ends nobody.

use crate::place::{BINARY, Place, Ran};
use crate::snapshot::snapshot;
use crate::speaker::Server;
use serde_json::{Value, json};
use std::fs;
use std::process::Command;

/// Half a mebibyte, in the blocks that shells count in.
const BLOCKS: &str = "1024";
const TOO_MUCH: usize = 600 * 1024;

/// The same command, from a shell that has set the limit.
fn limited(command: &Command, blocks: &str) -> Command {
    let mut limited = Command::new("sh");
    limited.args(["-c", "ulimit -f \"$0\" && exec \"$@\"", blocks]).arg(command.get_program()).args(command.get_args());
    limited.env_clear().envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    limited
}

fn file(path: &str, size: usize) -> Value {
    json!({ "path": path, "content": "x".repeat(size) })
}

#[test]
fn a_server_goes_on_after_a_file_that_is_too_large() {
    let place = Place::new();
    let before = snapshot(&place.root);
    let command = place.command(&place.root, &["mcp", "--tools", "all", "--answers", "structured"]);
    let mut server = Server::greet(limited(&command, BLOCKS));
    for tool in ["create_file", "write_file"] {
        let path = if tool == "create_file" { "large.txt" } else { "a.txt" };
        let said = server.call(tool, &file(path, TOO_MUCH));
        assert!(said.refused && said.text.contains("File too large"), "{tool}: {}", said.text);
        assert_eq!(place.changes(&before), Vec::<String>::new(), "{tool}");
    }
    server.done("create_file", &file("small.txt", 10));
    server.close();
    assert_eq!((place.history(), place.verify()), (vec!["small.txt".to_owned()], Some(0)));
}

#[test]
fn nothing_can_be_written_at_all() {
    let place = Place::new();
    place.make("first.txt");
    let before = snapshot(&place.root);
    let arguments = file("second.txt", 10).to_string();
    let command = place.command(&place.root, &["call", "create_file", &arguments]);
    let ran = Ran::of(limited(&command, "0"));
    assert_ne!(ran.code, Some(0), "{}", ran.told());
    assert!(ran.code.is_some(), "ended by a signal: {}", ran.told());
    assert_eq!(place.changes(&before), Vec::<String>::new());
    place.make("third.txt");
    assert_eq!((place.history(), place.verify()), (vec!["first.txt".to_owned(), "third.txt".to_owned()], Some(0)));
    assert!(fs::metadata(BINARY).unwrap().len() > 0);
}

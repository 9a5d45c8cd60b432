//! Input made to exhaust the machine, one row each. What is asserted is memory (the server's own peak, as the kernel
//! counted it) and work (processor seconds, after which the kernel kills it), never the time on the clock. The bounds are
//! wide: what grows with the square of its input is over them by far. `GUARANTEES.md` has the table.

#![cfg(target_os = "linux")]
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test sets up files and breaks when it must"
)]

mod calls;
mod files;
mod growth;
#[allow(dead_code, reason = "the sandbox's tests use all of it")]
#[path = "../sandbox/server.rs"]
mod server;
mod unread;

use patchwright_testkit::home;
use serde_json::Value;
use server::Server;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// What a call may cost.
#[derive(Clone, Copy)]
struct Bound {
    /// Peak memory of the whole server, in mebibytes.
    memory: u64,
    /// Processor seconds, of an unoptimised build.
    work: u32,
    /// Bytes of the answer.
    answer: usize,
}

const MEBI: u64 = 1 << 20;

/// Small in every way: what most calls must be.
const SMALL: Bound = Bound { memory: 96, work: 20, answer: 100_000 };

/// A workspace with one small file.
fn place() -> TempDir {
    let place = tempfile::tempdir().unwrap();
    std::fs::write(place.path().join("a.txt"), "needle\n").unwrap();
    place
}

/// A server that dies when it works longer than `work` or opens more files than a small machine allows.
fn limited(root: &Path, work: u32) -> Server {
    let script = r#"ulimit -t "$2" && ulimit -n 256 && exec "$0" mcp --tools all --answers structured --unchecked --durability none --root "$1""#;
    let mut command = Command::new("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_patchwright")]).arg(root).arg(work.to_string());
    command.env("PATCHWRIGHT_HOME", home::home());
    Server::run(command)
}

/// Makes one call of a server of its own; it ends in one of `kinds`, within the bound, and the server lives on.
fn check(place: &TempDir, (tool, arguments): (&str, &Value), kinds: &[&str], bound: Bound) {
    let mut server = limited(place.path(), bound.work);
    let answer = server.call(tool, arguments);
    let found = kind(&answer);
    assert!(kinds.contains(&found), "{tool} ended in {found}: {}", start(&answer));
    within(&server, tool, &answer, bound);
    server.done("glob", &serde_json::json!({ "pattern": "a.txt" }));
}

fn within(server: &Server, tool: &str, answer: &Value, bound: Bound) {
    let length = answer.to_string().len();
    assert!(length <= bound.answer, "{tool} answered with {length} bytes, over {}", bound.answer);
    let peak = peak(server);
    assert!(peak <= bound.memory, "{tool} took {peak} MiB, over {}", bound.memory);
}

/// The most memory the server ever had, in mebibytes.
fn peak(server: &Server) -> u64 {
    let marks = server.marks("VmHWM:");
    marks.first().and_then(|mark| mark.split(' ').next()?.parse::<u64>().ok()).unwrap() / 1024
}

/// The kind of a refusal; `ok` if it is none.
fn kind(answer: &Value) -> &str {
    let invoked = answer.pointer("/errors/0/errorCode");
    answer.pointer("/error/kind").or(invoked).and_then(Value::as_str).unwrap_or("ok")
}

fn start(answer: &Value) -> String {
    answer.to_string().chars().take(300).collect()
}

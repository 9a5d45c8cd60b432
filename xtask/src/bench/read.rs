//! Reading 4 KB over MCP, and starting up, against two other servers through the same client.

use super::figures::{self, Times};
use super::{Bench, peers};
use crate::client::Client;
use crate::failure::Failure;
use crate::{say, syncs};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

const WARM_UP: usize = 200;
const READS: usize = 2000;
const STARTS: usize = 15;

/// What the others call the same tool, best first.
const TOOLS: &[&str] = &["read_text_file", "read_file"];

type Server = fn(&Bench, &Path) -> Result<Command, Failure>;

/// Ours first: ratios are against it.
const SERVERS: &[(&str, Server)] = &[
    ("patchwright", |bench, folder| Ok(bench.server(folder))),
    ("rust-mcp-filesystem", peers::rust_server),
    ("server-filesystem (node)", peers::node_server),
];

/// A server that is being timed.
struct Contender {
    client: Client,
    tool: String,
    arguments: Value,
    times: Times,
}

pub(super) fn measure(bench: &Bench) -> Result<(), Failure> {
    let folder = bench.folder("read")?;
    let file = folder.join("note.txt");
    std::fs::write(&file, syncs::page("a page")).map_err(|error| Failure::io(file.display(), &error))?;
    reads(bench, &folder)?;
    floor().map_err(|error| Failure::io("cat", &error))?;
    starts(bench, &folder)
}

/// What two pipes and a change of process cost by themselves: `cat` gives back a line of 8 KB, about the
/// length of our answer.
fn floor() -> std::io::Result<()> {
    let mut child = Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else { return Ok(()) };
    let mut output = BufReader::with_capacity(1 << 16, output);
    let text = format!("{}\n", "x".repeat(8191));
    let mut line = String::new();
    let mut times = Times::new("cat, the floor");
    for turn in 0..WARM_UP.saturating_add(READS) {
        line.clear();
        let begun = Instant::now();
        input.write_all(text.as_bytes())?;
        output.read_line(&mut line)?;
        if turn >= WARM_UP {
            times.add(begun.elapsed());
        }
    }
    figures::tell("read 4 KB", &[&times]);
    drop(input);
    child.wait().map(drop)
}

fn reads(bench: &Bench, folder: &Path) -> Result<(), Failure> {
    let mut contenders = Vec::new();
    for (name, server) in SERVERS {
        let mut one = Contender::start(name, server(bench, folder)?, folder)?;
        for _ in 0..WARM_UP {
            one.client.call(&one.tool, &one.arguments)?;
        }
        contenders.push(one);
    }
    for _ in 0..READS {
        for one in &mut contenders {
            let time = one.client.time(&one.tool, &one.arguments)?;
            one.times.add(time);
        }
    }
    figures::tell("read 4 KB", &contenders.iter().map(|one| &one.times).collect::<Vec<_>>());
    contenders.into_iter().try_for_each(|one| one.client.close())
}

fn starts(bench: &Bench, folder: &Path) -> Result<(), Failure> {
    let mut times: Vec<Times> = SERVERS.iter().map(|(name, _)| Times::new(*name)).collect();
    for _ in 0..STARTS {
        for ((name, server), times) in SERVERS.iter().zip(&mut times) {
            let command = server(bench, folder)?;
            let begun = Instant::now();
            let mut client = Client::start(name, command)?;
            client.ask("tools/list", json!({}))?;
            times.add(begun.elapsed());
            client.close()?;
        }
    }
    figures::tell("start to tools/list", &times.iter().collect::<Vec<_>>());
    Ok(())
}

impl Contender {
    fn start(name: &str, command: Command, folder: &Path) -> Result<Contender, Failure> {
        let mut client = Client::start(name, command)?;
        let list = client.ask("tools/list", json!({}))?;
        let tools = list.get("tools").and_then(Value::as_array).cloned().unwrap_or_default();
        let has = |tool: &str| tools.iter().any(|one| one.get("name").and_then(Value::as_str) == Some(tool));
        let Some(tool) = TOOLS.iter().find(|tool| has(tool)) else {
            return Err(Failure::new(format!("{name} has no tool for reading"), "look at its tools/list"));
        };
        let arguments = json!({"path": folder.join("note.txt").display().to_string()});
        say::line(&format!("{name} reads with {tool}"));
        Ok(Contender { client, tool: (*tool).to_owned(), arguments, times: Times::new(name) })
    }
}

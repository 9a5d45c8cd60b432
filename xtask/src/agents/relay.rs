//! A relay between a program and the server: passes every line on unchanged and writes it down, so that what the server
//! said can be compared with what the model was shown.

use crate::failure::Failure;
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};

/// The hidden verb of xtask: `relay LOG PROGRAM ARGUMENTS…`.
pub(crate) const VERB: &str = "relay";

/// Runs the server and passes lines both ways until either side ends.
pub(crate) fn run(words: &[String]) -> Result<(), Failure> {
    let [log, program, arguments @ ..] = words else {
        return Err(Failure::new("the relay needs a log and a server", "let `cargo xtask agents` start it"));
    };
    let failed = |error: std::io::Error| Failure::io(program, &error);
    let mut child =
        Command::new(program).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(failed)?;
    let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(Failure::new(format!("{program} has no streams"), "run it again"));
    };
    let (ours, theirs) = (open(log)?, open(log)?);
    std::thread::spawn(move || pass(std::io::stdin(), input, ours, "client"));
    pass(output, std::io::stdout(), theirs, "server");
    child.wait().map(drop).map_err(failed)
}

fn open(log: &str) -> Result<File, Failure> {
    File::options().create(true).append(true).open(log).map_err(|error| Failure::io(log, &error))
}

/// One line of the log is written at once: both directions append to it.
fn pass(from: impl Read, mut to: impl Write, mut log: File, who: &str) {
    let mut lines = BufReader::new(from);
    let mut line = Vec::new();
    while lines.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
        let message: Value = serde_json::from_slice(&line).unwrap_or_default();
        let entry = format!("{}\n", json!({"server": std::process::id(), "from": who, "message": message}));
        let _ = log.write_all(entry.as_bytes());
        if to.write_all(&line).and_then(|()| to.flush()).is_err() {
            return;
        }
        line.clear();
    }
}

/// A tool as the server lists it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Listed {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) structured: bool,
}

/// A call that reached the server, with its answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Called {
    pub(crate) tool: String,
    pub(crate) arguments: Value,
    /// All texts of the answer, one below the other.
    pub(crate) text: String,
    pub(crate) structured: Option<Value>,
    pub(crate) refused: bool,
}

/// What passed between a program and the server.
#[derive(Debug, Default)]
pub(crate) struct Talk {
    /// How the program introduced itself.
    pub(crate) client: String,
    pub(crate) instructions: String,
    pub(crate) listed: Vec<Listed>,
    pub(crate) calls: Vec<Called>,
}

impl Talk {
    /// Reads a relay's log; an empty talk where none was written.
    pub(crate) fn read(log: &Path) -> Result<Talk, Failure> {
        match std::fs::read_to_string(log) {
            Ok(text) => Ok(Talk::of(&text)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Talk::default()),
            Err(error) => Err(Failure::io(log.display(), &error)),
        }
    }

    fn of(log: &str) -> Talk {
        let mut talk = Talk::default();
        let mut asked: Vec<(Value, Value)> = Vec::new();
        for entry in log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
            let message = entry.get("message").unwrap_or(&Value::Null);
            let key = json!([entry.get("server"), message.get("id")]);
            if entry.get("from") == Some(&json!("client")) {
                asked.push((key, message.clone()));
            } else if let Some((_, question)) = asked.iter().rev().find(|(one, _)| *one == key) {
                talk.add(question, message.get("result").unwrap_or(&Value::Null));
            }
        }
        talk
    }

    fn add(&mut self, question: &Value, answer: &Value) {
        let text =
            |pointer: &str, from: &Value| from.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
        match question.get("method").and_then(Value::as_str) {
            Some("initialize") => {
                self.client = text("/params/clientInfo/name", question);
                self.instructions = text("/instructions", answer);
            }
            // The first message of the revision without sessions.
            Some("server/discover") => {
                self.client = text("/params/_meta/io.modelcontextprotocol~1clientInfo/name", question);
                self.instructions = text("/instructions", answer);
            }
            Some("tools/list") => {
                let tools = answer.get("tools").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
                let listed = |tool: &Value| Listed {
                    name: text("/name", tool),
                    description: text("/description", tool),
                    structured: tool.get("outputSchema").is_some(),
                };
                self.listed = tools.iter().map(listed).collect();
            }
            Some("tools/call") => self.calls.push(Called {
                tool: text("/params/name", question),
                arguments: question.pointer("/params/arguments").cloned().unwrap_or_default(),
                text: texts(answer),
                structured: answer.get("structuredContent").cloned(),
                refused: answer.get("isError") == Some(&Value::Bool(true)),
            }),
            _ => {}
        }
    }
}

/// All texts of a tool's answer.
pub(crate) fn texts(answer: &Value) -> String {
    let parts = answer.get("content").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let texts: Vec<&str> = parts.iter().filter_map(|part| part.get("text")?.as_str()).collect();
    texts.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_talk_is_read_back() {
        let client = |id: u64, method: &str, params: Value| {
            json!({"server": 1, "from": "client", "message": {"id": id, "method": method, "params": params}})
                .to_string()
        };
        let server = |id: u64, result: Value| {
            json!({"server": 1, "from": "server", "message": {"id": id, "result": result}}).to_string()
        };
        let log = [
            client(0, "initialize", json!({"clientInfo": {"name": "codex"}})),
            server(0, json!({"instructions": "be good"})),
            client(1, "tools/list", json!({})),
            server(1, json!({"tools": [{"name": "glob", "description": "d", "outputSchema": {}}]})),
            client(2, "tools/call", json!({"name": "glob", "arguments": {"pattern": "*"}})),
            "half a li".to_owned(),
            server(2, json!({"content": [{"type": "text", "text": "a.txt"}], "isError": true})),
        ];
        let talk = Talk::of(&log.join("\n"));
        assert_eq!((&*talk.client, &*talk.instructions), ("codex", "be good"));
        assert_eq!(talk.listed, [Listed { name: "glob".into(), description: "d".into(), structured: true }]);
        let call = &talk.calls[0];
        assert_eq!((&*call.tool, &*call.text, call.refused), ("glob", "a.txt", true));
        assert_eq!(call.structured, None);
    }
}

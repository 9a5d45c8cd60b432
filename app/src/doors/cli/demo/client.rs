//! CLI door, demo: a small MCP client over a child's standard streams. One request at a time; it waits for the
//! answer, and passes over every line that is none.

use super::upset::{Upset, failed};
use serde_json::{Value, json};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread::{self, JoinHandle};

/// The variable that says where keys are.
pub(super) const HOME: &str = "PATCHWRIGHT_HOME";

/// A running server that has been greeted.
pub(super) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    last_id: u64,
}

/// What a call was answered.
pub(super) struct Told {
    /// What a model reads.
    pub(super) text: String,
    /// What a program reads.
    pub(super) data: Value,
    /// Was it refused?
    pub(super) refused: bool,
}

/// Whatever the user has set: a demo shows the defaults.
pub(super) fn no_settings(root: &Path) -> PathBuf {
    root.join(".no-settings")
}

impl Client {
    /// Starts `program` as a server on `root`, with its keys in `home`, and shakes hands; the second value is what it
    /// said of itself.
    pub(super) fn start(program: &Path, root: &Path, home: &Path) -> Result<(Client, Value), Upset> {
        let mut child = Command::new(program)
            .env("XDG_CONFIG_HOME", no_settings(root))
            .env(HOME, home)
            .args(["mcp", "--tools", "all", "--answers", "structured", "--root"])
            .arg(root)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(failed("starting the server"))?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let Some(output) = output else { return Err(Upset::Claim("the server has no standard output".to_owned())) };
        let mut client = Client { child, input, output: BufReader::new(output), last_id: 0 };
        let greeted = client.ask("initialize", &hello())?;
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok((client, greeted))
    }

    /// Asks, waits, and gives back `result`.
    pub(super) fn ask(&mut self, method: &str, params: &Value) -> Result<Value, Upset> {
        let id = self.request(method, params)?;
        match answer_to(id, &mut self.output).map_err(failed("reading the server's answer"))? {
            Some(mut answer) => match answer.get_mut("result") {
                Some(result) => Ok(result.take()),
                None => Err(Upset::Claim(format!("the server answered {method} with {answer}"))),
            },
            None => Err(Upset::Claim(format!("the server ended without an answer to {method}"))),
        }
    }

    /// Calls a tool.
    pub(super) fn call(&mut self, tool: &str, arguments: &Value) -> Result<Told, Upset> {
        let mut result = self.ask("tools/call", &json!({"name": tool, "arguments": arguments}))?;
        let text = result.pointer("/content/0/text").and_then(Value::as_str).unwrap_or_default().to_owned();
        let refused = result.get("isError") == Some(&Value::Bool(true));
        let data = result.get_mut("structuredContent").map(Value::take).unwrap_or_default();
        Ok(Told { text, data, refused })
    }

    /// Calls a tool and does not wait: the server is to die over it.
    pub(super) fn call_and_leave(mut self, tool: &str, arguments: &Value) -> Result<Doomed, Upset> {
        let id = self.request("tools/call", &json!({"name": tool, "arguments": arguments}))?;
        let Client { child, input, mut output, .. } = self;
        let reader = thread::spawn(move || answer_to(id, &mut output));
        Ok(Doomed { child, _input: input, reader })
    }

    fn request(&mut self, method: &str, params: &Value) -> Result<u64, Upset> {
        self.last_id = self.last_id.saturating_add(1);
        self.send(&json!({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params}))?;
        Ok(self.last_id)
    }

    fn send(&mut self, message: &Value) -> Result<(), Upset> {
        let Some(input) = self.input.as_mut() else { return Err(Upset::Claim("the server is closed".to_owned())) };
        let written = input.write_all(format!("{message}\n").as_bytes()).and_then(|()| input.flush());
        written.map_err(failed("writing to the server"))
    }

    /// Closes the server's input and waits for its end.
    pub(super) fn close(mut self) -> Result<(), Upset> {
        drop(self.input.take());
        self.child.wait().map(drop).map_err(failed("waiting for the server's end"))
    }
}

fn hello() -> Value {
    let client = json!({"name": "patchwright-demo", "version": env!("CARGO_PKG_VERSION")});
    json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
}

/// The answer to the request of this id; nothing if the server ended first.
fn answer_to(id: u64, output: &mut BufReader<ChildStdout>) -> io::Result<Option<Value>> {
    let mut line = String::new();
    loop {
        line.clear();
        if output.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let message: Value = serde_json::from_str(&line).unwrap_or_default();
        if message.get("id").and_then(Value::as_u64) == Some(id) {
            return Ok(Some(message));
        }
    }
}

/// A server with a call under way, about to be killed.
pub(super) struct Doomed {
    child: Child,
    /// Held open: a server whose input ends would finish in peace.
    _input: Option<ChildStdin>,
    reader: JoinHandle<io::Result<Option<Value>>>,
}

impl Doomed {
    /// Has it answered, or ended?
    pub(super) fn has_spoken(&self) -> bool {
        self.reader.is_finished()
    }

    /// Kills it on the spot (SIGKILL: it cannot notice) and gives back the answer, if it was quicker.
    pub(super) fn kill(mut self) -> Result<Option<Value>, Upset> {
        self.child.kill().map_err(failed("killing the server"))?;
        self.child.wait().map_err(failed("waiting for the server's end"))?;
        match self.reader.join() {
            Ok(read) => read.map_err(failed("reading the server's last words")),
            Err(_) => Err(Upset::Claim("the thread that reads the answer broke down".to_owned())),
        }
    }
}

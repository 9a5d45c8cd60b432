//! A small MCP client over a child's standard streams: enough to drive any file server alike.
//!
//! One request at a time. Lines that are no answer to it (notifications, logs) are passed over.

use crate::failure::Failure;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// A running server that has been greeted.
pub(crate) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    line: String,
    last_id: u64,
    name: String,
}

impl Client {
    /// Starts the server and shakes hands.
    pub(crate) fn start(name: &str, command: Command) -> Result<Client, Failure> {
        let mut client = Client::spawn(name, command)?;
        client.greet()?;
        Ok(client)
    }

    /// Starts the server, and says nothing yet.
    pub(crate) fn spawn(name: &str, mut command: Command) -> Result<Client, Failure> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| Failure::io(name, &error))?;
        let input = child.stdin.take();
        let Some(output) = child.stdout.take() else {
            return Err(Failure::new(format!("{name} has no standard output"), "run it again"));
        };
        let output = BufReader::with_capacity(1 << 16, output);
        Ok(Client { child, input, output, line: String::new(), last_id: 0, name: name.to_owned() })
    }

    /// Shakes hands.
    pub(crate) fn greet(&mut self) -> Result<(), Failure> {
        self.shake_hands().map(drop)
    }

    /// The same, with what the server says about itself.
    pub(crate) fn shake_hands(&mut self) -> Result<Value, Failure> {
        let about = self.ask("initialize", json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "xtask", "version": "0"}}))?;
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(about)
    }

    /// Asks, waits, and gives back `result`.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Result<Value, Failure> {
        self.last_id = self.last_id.saturating_add(1);
        let id = self.last_id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        loop {
            let mut answer = self.receive()?;
            if answer.get("id").and_then(Value::as_u64) != Some(id) {
                continue;
            }
            return match answer.get_mut("result") {
                Some(result) => Ok(result.take()),
                None => Err(Failure::new(
                    format!("{} answered {method} with {answer}", self.name),
                    "look at the server's log",
                )),
            };
        }
    }

    /// How long a call takes, from the first byte of the request to the last of the answer. Making the
    /// one and reading the other are not counted: they are the client's work, not the server's.
    pub(crate) fn time(&mut self, tool: &str, arguments: &Value) -> Result<Duration, Failure> {
        self.last_id = self.last_id.saturating_add(1);
        let id = self.last_id;
        let params = json!({"name": tool, "arguments": arguments});
        let request = line(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}));
        let begun = Instant::now();
        self.write(&request)?;
        loop {
            self.read_line()?;
            let time = begun.elapsed();
            let answer: Value = serde_json::from_str(&self.line).unwrap_or_default();
            if answer.get("id").and_then(Value::as_u64) != Some(id) {
                continue;
            }
            let failed = answer.get("result").is_none_or(|result| result.get("isError") == Some(&Value::Bool(true)));
            return if failed { Err(self.refused(tool, &answer)) } else { Ok(time) };
        }
    }

    /// Calls a tool, which must succeed.
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Result<Value, Failure> {
        let result = self.ask("tools/call", json!({"name": tool, "arguments": arguments}))?;
        if result.get("isError") == Some(&Value::Bool(true)) {
            return Err(self.refused(tool, &result));
        }
        Ok(result)
    }

    /// The process, for a look at its memory.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Closes the server's input and waits for its end.
    pub(crate) fn close(self) -> Result<(), Failure> {
        self.ended().map(drop)
    }

    /// Closes the server's input and waits for its end; how it ended.
    pub(crate) fn ended(mut self) -> Result<ExitStatus, Failure> {
        drop(self.input.take());
        self.child.wait().map_err(|error| Failure::io(&self.name, &error))
    }

    fn refused(&self, tool: &str, answer: &Value) -> Failure {
        Failure::new(format!("{} refused {tool}: {answer}", self.name), "look at the arguments")
    }

    fn send(&mut self, message: &Value) -> Result<(), Failure> {
        self.write(&line(message))
    }

    fn write(&mut self, text: &str) -> Result<(), Failure> {
        let name = &self.name;
        let Some(input) = self.input.as_mut() else {
            return Err(Failure::new(format!("{name} is closed"), "start it again"));
        };
        input.write_all(text.as_bytes()).and_then(|()| input.flush()).map_err(|error| Failure::io(name, &error))
    }

    fn read_line(&mut self) -> Result<(), Failure> {
        self.line.clear();
        let read = self.output.read_line(&mut self.line).map_err(|error| Failure::io(&self.name, &error))?;
        if read == 0 {
            let next = "run it by hand and read what it says";
            return Err(Failure::new(format!("{} ended without an answer", self.name), next));
        }
        Ok(())
    }

    fn receive(&mut self) -> Result<Value, Failure> {
        loop {
            self.read_line()?;
            if let Ok(value) = serde_json::from_str(&self.line) {
                return Ok(value);
            }
        }
    }
}

fn line(message: &Value) -> String {
    format!("{message}\n")
}

impl Drop for Client {
    fn drop(&mut self) {
        drop(self.input.take());
        if !matches!(self.child.try_wait(), Ok(Some(_))) {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

//! A conversation with a program that may die, or hang, in the middle of it.
//!
//! What it says comes line by line through a thread of its own, so that waiting has an end. A program that takes
//! longer than [`LIMIT`] is stopped, and that is a finding, not a failure of ours.

use crate::failure::Failure;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// Longer than any of it can take, on a busy machine too.
const LIMIT: Duration = Duration::from_secs(60);

/// A running program.
pub(super) struct Talk {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    last_id: u64,
}

/// How a program ended.
#[derive(Debug)]
pub(super) struct Ended {
    /// Its last whole line that is JSON, or null.
    pub(super) answer: Value,
    pub(super) how: How,
}

/// How it came to its end.
#[derive(Debug)]
pub(super) enum How {
    Itself(ExitStatus),
    /// It did not end in time, and was stopped.
    Stopped,
}

/// What came next.
enum Next {
    Line(String),
    End,
    Late,
}

/// Runs a program with `input` to its end.
pub(super) fn once(command: Command, input: &str) -> Result<Ended, Failure> {
    let mut talk = Talk::begin(command)?;
    talk.write(input);
    drop(talk.input.take());
    let mut answer = Value::Null;
    loop {
        match talk.next() {
            Next::Line(line) => answer = serde_json::from_str(&line).unwrap_or(answer),
            Next::End => return talk.end(answer),
            Next::Late => return Ok(Ended { answer, how: How::Stopped }),
        }
    }
}

impl Talk {
    /// Starts a server and shakes hands. If it dies over that, the next call finds out.
    pub(super) fn greeted(command: Command) -> Result<Talk, Failure> {
        let mut talk = Talk::begin(command)?;
        let about = json!({"protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "xtask", "version": "0"}});
        talk.ask("initialize", &about);
        Ok(talk)
    }

    /// Calls a tool: the answer as the command line would give it, null if there is none.
    pub(super) fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        let mut result = self.ask("tools/call", &json!({"name": tool, "arguments": arguments}));
        result.get_mut("structuredContent").map(Value::take).unwrap_or_default()
    }

    /// Closes the program's input and waits for its end.
    pub(super) fn end(mut self, answer: Value) -> Result<Ended, Failure> {
        drop(self.input.take());
        loop {
            match self.next() {
                Next::Line(_) => {}
                Next::End => break,
                Next::Late => return Ok(Ended { answer, how: How::Stopped }),
            }
        }
        let status = self.child.wait().map_err(|error| Failure::io("a program under test", &error))?;
        Ok(Ended { answer, how: How::Itself(status) })
    }

    fn begin(mut command: Command) -> Result<Talk, Failure> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child =
            command.spawn().map_err(|error| Failure::io(command.get_program().to_string_lossy(), &error))?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (say, lines) = channel();
        if let Some(output) = output {
            std::thread::spawn(move || {
                let mut output = BufReader::new(output);
                let mut line = String::new();
                // A line without an end was cut off: nobody has been told anything by it.
                while output.read_line(&mut line).is_ok_and(|read| read > 0) && line.ends_with('\n') {
                    if say.send(std::mem::take(&mut line)).is_err() {
                        return;
                    }
                }
            });
        }
        Ok(Talk { child, input, lines, last_id: 0 })
    }

    /// Asks and waits: the result, null if there is none.
    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.last_id = self.last_id.saturating_add(1);
        let id = self.last_id;
        let mut text = format!("{}\n", json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        if id == 2 {
            text.insert_str(0, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n");
        }
        self.write(&text);
        while let Next::Line(line) = self.next() {
            let mut answer: Value = serde_json::from_str(&line).unwrap_or_default();
            if answer.get("id").and_then(Value::as_u64) == Some(id) {
                return answer.get_mut("result").map(Value::take).unwrap_or_default();
            }
        }
        Value::Null
    }

    fn write(&mut self, text: &str) {
        if let Some(input) = self.input.as_mut() {
            // A program that died does not read; its silence will tell.
            let _ = input.write_all(text.as_bytes()).and_then(|()| input.flush());
        }
    }

    fn next(&self) -> Next {
        match self.lines.recv_timeout(LIMIT) {
            Ok(line) => Next::Line(line),
            Err(RecvTimeoutError::Disconnected) => Next::End,
            Err(RecvTimeoutError::Timeout) => Next::Late,
        }
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        drop(self.input.take());
        if !matches!(self.child.try_wait(), Ok(Some(_))) {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

impl Ended {
    /// Did it end by itself and well?
    pub(super) fn is_well(&self) -> bool {
        matches!(self.how, How::Itself(status) if status.success())
    }
}

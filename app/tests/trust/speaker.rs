//! A server as a client starts it, spoken to in lines. Answers are taken as a model sees them: text, and whether it
//! is bad news.

use crate::place::Place;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

pub(crate) struct Server {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

/// What a call came to.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) refused: bool,
    pub(crate) text: String,
}

impl Server {
    /// Starts a server on the place's root and greets it.
    pub(crate) fn start(place: &Place, flags: &[&str]) -> Server {
        Server::start_in(place, &place.root, flags)
    }

    pub(crate) fn start_in(place: &Place, root: &Path, flags: &[&str]) -> Server {
        Server::greet(place.command(root, &[&["mcp", "--tools", "all", "--answers", "structured"], flags].concat()))
    }

    /// Starts this command, which is to be a server, and greets it.
    pub(crate) fn greet(mut command: Command) -> Server {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        let mut server = Server { child, input, output };
        let client = json!({ "name": "test", "version": "1" });
        server.ask("initialize", &json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client }));
        server.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        server
    }

    /// The process's number.
    #[allow(dead_code, reason = "not every test that speaks with a server asks for it")]
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    fn send(&mut self, message: &Value) {
        self.input.as_mut().unwrap().write_all(format!("{message}\n").as_bytes()).unwrap();
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.send(&json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }));
        loop {
            let mut line = String::new();
            self.output.read_line(&mut line).unwrap();
            let answer: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("{method}: {line:?}"));
            if answer.get("id") == Some(&json!(1)) {
                return answer;
            }
        }
    }

    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Said {
        let answer = self.ask("tools/call", &json!({ "name": tool, "arguments": arguments }));
        let result = answer.get("result").unwrap_or_else(|| panic!("{tool} {arguments}: {answer}"));
        let parts = result.get("content").and_then(Value::as_array).unwrap_or_else(|| panic!("{answer}"));
        let text = parts.iter().filter_map(|part| part.get("text").and_then(Value::as_str)).collect();
        Said { refused: result.get("isError") == Some(&json!(true)), text }
    }

    /// Makes a call that must work; what it said.
    pub(crate) fn done(&mut self, tool: &str, arguments: &Value) -> String {
        let said = self.call(tool, arguments);
        assert!(!said.refused, "{tool} {arguments}: {}", said.text);
        said.text
    }

    /// Ends it; what it said on standard error.
    pub(crate) fn close(mut self) -> String {
        drop(self.input.take());
        let mut said = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert!(self.child.wait().unwrap().success(), "{said}");
        said
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _gone = self.child.kill();
        let _ended = self.child.wait();
    }
}

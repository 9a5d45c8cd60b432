//! A server as a client starts it, spoken to in lines; what it says on standard error is kept.

use patchwright_testkit::home;
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

pub(crate) struct Server {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Server {
    pub(crate) fn start(root: &Path, flags: &[&str]) -> Server {
        let mut command = Command::new(env!("CARGO_BIN_EXE_patchwright"));
        command.env("XDG_CONFIG_HOME", "/nonexistent");
        command.env("PATCHWRIGHT_HOME", home::home());
        command.args(["mcp", "--tools", "all", "--answers", "structured", "--root"]).arg(root).args(flags);
        Server::run(command)
    }

    /// Runs a server and greets it.
    pub(crate) fn run(mut command: Command) -> Server {
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = piped.spawn().unwrap();
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        let mut server = Server { child, input, output };
        let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } });
        server.ask("initialize", &hello);
        server.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        server
    }

    fn send(&mut self, message: &Value) {
        self.input.as_mut().unwrap().write_all(format!("{message}\n").as_bytes()).unwrap();
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.send(&json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }));
        self.next(method)
    }

    /// The answer to what was asked just now.
    fn next(&mut self, asked: &str) -> Value {
        loop {
            let mut line = String::new();
            self.output.read_line(&mut line).unwrap();
            let answer: Value =
                serde_json::from_str(&line).unwrap_or_else(|_| panic!("{asked} was answered with {line:?}"));
            if answer.get("id") == Some(&json!(1)) {
                return answer;
            }
        }
    }

    /// Makes a call whose arguments are this text, JSON or not; the whole answer.
    pub(crate) fn call_in_text(&mut self, tool: &str, text: &str) -> Value {
        let head = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{tool}","arguments":"#);
        self.input.as_mut().unwrap().write_all(format!("{head}{text}}}}}\n").as_bytes()).unwrap();
        self.next(tool)
    }

    /// Makes a call and withdraws it.
    pub(crate) fn call_off(&mut self, tool: &str, arguments: &Value) {
        let params = json!({ "name": tool, "arguments": arguments });
        self.send(&json!({ "jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": params }));
        self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 9 } }));
    }

    /// Its process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Its way in, for a client that does not wait for answers.
    pub(crate) fn take_input(&mut self) -> ChildStdin {
        self.input.take().unwrap()
    }

    /// The next line that it says.
    pub(crate) fn next_line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        line
    }

    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        let answer = self.ask("tools/call", &json!({ "name": tool, "arguments": arguments }));
        answer.pointer("/result/structuredContent").unwrap_or_else(|| panic!("{answer}")).clone()
    }

    /// Makes a call that must succeed; the answer.
    pub(crate) fn done(&mut self, tool: &str, arguments: &Value) -> Value {
        let answer = self.call(tool, arguments);
        let fine = answer.get("ok").or_else(|| answer.get("successful"));
        assert_eq!(fine, Some(&json!(true)), "{tool} {arguments} answered {answer}");
        answer
    }

    /// What the kernel says of each of its threads under this heading.
    pub(crate) fn marks(&self, heading: &str) -> Vec<String> {
        let tasks = fs::read_dir(format!("/proc/{}/task", self.child.id())).unwrap();
        // A thread may end while it is looked at.
        let status = tasks.filter_map(|task| fs::read_to_string(task.unwrap().path().join("status")).ok());
        let mark =
            |text: String| text.lines().find_map(|line| line.strip_prefix(heading)).map(|mark| mark.trim().to_owned());
        status.filter_map(mark).collect()
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
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

//! Calls as agents make them: through a server that stays, or by a command line for each.
//!
//! An answer comes back whatever it says. No answer at all (a server that died, hung, or answered something that
//! is none) is the one thing that comes back as an error: it is for the suite to call that a broken promise.

use super::setting::Setting;
use super::watch::{self, Watch};
use crate::client::Client;
use crate::failure::Failure;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Somebody who calls tools on one workspace.
pub(crate) struct Caller {
    door: Door,
    watch: Watch,
}

enum Door {
    Mcp(Box<Client>),
    Cli { binary: PathBuf, root: PathBuf, options: Vec<String> },
}

/// What a tool answered.
#[derive(Clone, Debug)]
pub(crate) struct Answer(pub(crate) Value);

impl Caller {
    /// One server for all calls.
    pub(crate) fn mcp(setting: &Setting, root: &Path, options: &[&str]) -> Result<Caller, Failure> {
        Caller::served(server(setting, root, options))
    }

    /// A server that is started by this command.
    pub(crate) fn served(command: Command) -> Result<Caller, Failure> {
        let (mut client, watch) = (Client::spawn("patchwright mcp", command)?, Watch::new());
        watch.over(client.pid(), || client.greet())?;
        Ok(Caller { door: Door::Mcp(Box::new(client)), watch })
    }

    /// A process for each call.
    pub(crate) fn cli(setting: &Setting, root: &Path, options: &[&str]) -> Caller {
        let options = options.iter().map(|&word| word.to_owned()).collect();
        let door = Door::Cli { binary: setting.binary.clone(), root: root.to_owned(), options };
        Caller { door, watch: Watch::new() }
    }

    /// Calls a tool; what it answered, or why there is no answer.
    pub(crate) fn ask(&mut self, tool: &str, arguments: &Value) -> Result<Answer, String> {
        match &mut self.door {
            Door::Mcp(client) => {
                let params = json!({"name": tool, "arguments": arguments});
                let asked = self.watch.over(client.pid(), || client.ask("tools/call", params));
                let why = |failure: Failure| self.watch.complaint().unwrap_or_else(|| failure.to_string());
                let mut result = asked.map_err(|failure| format!("{tool} {arguments}: {}", why(failure)))?;
                whole(tool, arguments, result.get_mut("structuredContent").map(Value::take).unwrap_or_default())
            }
            Door::Cli { binary, root, options } => {
                let mut command = crate::home::patchwright(binary, root);
                command.args(["call", tool, "--root"]).arg(root).args(options).arg("-");
                let done =
                    watch::output(command, &arguments.to_string()).map_err(|error| format!("{tool}: {error}"))?;
                whole(tool, arguments, serde_json::from_slice(&done.stdout).unwrap_or_default())
            }
        }
    }

    /// The server's process, for a look at what it holds; nothing where each call has its own.
    pub(crate) fn pid(&self) -> Option<u32> {
        match &self.door {
            Door::Mcp(client) => Some(client.pid()),
            Door::Cli { .. } => None,
        }
    }

    /// Lets the server go, and waits until it has; what is wrong with its end, if anything.
    pub(crate) fn close(self) -> Result<(), String> {
        let Caller { door, watch } = self;
        let Door::Mcp(client) = door else { return Ok(()) };
        let ended = watch.over(client.pid(), || client.ended()).map_err(|failure| failure.to_string())?;
        match watch.complaint() {
            Some(what) => Err(format!("a server whose input was closed: {what}")),
            None if !ended.success() => Err(format!("a server whose input was closed ended with {ended}")),
            None => Ok(()),
        }
    }
}

impl Answer {
    /// Was the call carried out?
    pub(crate) fn is_ok(&self) -> bool {
        [self.0.get("ok"), self.0.get("successful")].contains(&Some(&Value::Bool(true)))
    }

    /// The kind of a refusal; `ok` if it is none.
    pub(crate) fn kind(&self) -> &str {
        let plain = self.0.pointer("/error/kind").or_else(|| self.0.pointer("/errors/0/errorCode"));
        if self.is_ok() { "ok" } else { plain.and_then(Value::as_str).unwrap_or("no kind at all") }
    }

    /// A text of the answer's payload, by its pointer below it.
    pub(crate) fn text(&self, pointer: &str) -> Option<&str> {
        self.payload(pointer).and_then(Value::as_str)
    }

    /// A part of the answer's payload, by its pointer below it.
    pub(crate) fn payload(&self, pointer: &str) -> Option<&Value> {
        self.0.get("data").or_else(|| self.0.get("result")).and_then(|payload| payload.pointer(pointer))
    }
}

/// The command that serves a workspace.
pub(crate) fn server(setting: &Setting, root: &Path, options: &[&str]) -> Command {
    let mut command = setting.patchwright(root);
    command.args(["mcp", "--tools", "all", "--answers", "structured", "--root"]).arg(root).args(options);
    command
}

/// The record of a workspace, as `audit export` tells it.
pub(crate) fn record(setting: &Setting, root: &Path) -> Result<Vec<Value>, Failure> {
    let mut command = setting.patchwright(root);
    command.args(["audit", "export", "--root"]).arg(root);
    let out = crate::run::output(command, "run it by hand")?;
    let lines = out.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    Ok(lines.map(|line| serde_json::from_slice(line).unwrap_or_default()).collect())
}

/// Does the log verify? If not, what the command said.
pub(crate) fn verified(setting: &Setting, root: &Path) -> Result<(), String> {
    let mut command = setting.patchwright(root);
    command.args(["audit", "verify", "--json", "--root"]).arg(root);
    crate::run::output(command, "").map(drop).map_err(|failure| format!("the log does not verify: {failure}"))
}

/// An answer has one of the two forms, or is none.
fn whole(tool: &str, arguments: &Value, answer: Value) -> Result<Answer, String> {
    let told = answer.get("ok").or_else(|| answer.get("successful")).is_some_and(Value::is_boolean);
    let answer = Answer(answer);
    match told && answer.kind() != "no kind at all" && answer.kind() != "internal" {
        true => Ok(answer),
        false => Err(format!("{tool} {arguments} answered {}", answer.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, kind: Option<&str>) {
        let answer = whole("t", &Value::Null, serde_json::from_str(text).unwrap());
        assert_eq!(answer.ok().as_ref().map(Answer::kind), kind, "{text}");
    }

    #[test]
    fn kinds_of_answers() {
        check(r#"{"ok": true, "data": {}}"#, Some("ok"));
        check(r#"{"ok": false, "error": {"kind": "busy"}}"#, Some("busy"));
        check(r#"{"successful": true, "result": {}}"#, Some("ok"));
        check(r#"{"successful": false, "errors": [{"errorCode": "conflict"}]}"#, Some("conflict"));
        check(r#"{"ok": false, "error": {"kind": "internal"}}"#, None);
        check(r#"{"ok": false}"#, None);
        check(r#"{"data": {}}"#, None);
        check("null", None);
    }
}

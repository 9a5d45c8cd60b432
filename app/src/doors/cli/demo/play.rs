//! CLI door, demo: the session as it stands between two steps, and how the agent speaks.

use super::client::{Client, HOME, Told, no_settings};
use super::files::Files;
use super::show::Show;
use super::upset::{Upset, claim, failed};
use patchwright_engine::Scratch;
use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;

/// The session between two steps.
pub(super) struct Play<'a> {
    /// This program.
    pub(super) program: PathBuf,
    /// The throw-away workspace.
    pub(super) scratch: &'a Scratch,
    /// Where its keys are, to be thrown away too.
    pub(super) home: &'a Scratch,
    /// Where all is shown.
    pub(super) show: Show<'a>,
    /// What must be on the disk by now.
    pub(super) files: Files,
    /// What was there at first, with what others saved since: what undoing everything must give.
    pub(super) at_first: Files,
    /// The agent's connection.
    pub(super) agent: Client,
    /// The batches the agent made, by what they were for.
    pub(super) batches: Vec<(&'static str, String)>,
}

impl<'a> Play<'a> {
    /// Lays the files out and connects the agent.
    pub(super) fn begin(
        program: PathBuf,
        scratch: &'a Scratch,
        home: &'a Scratch,
        mut show: Show<'a>,
    ) -> Result<Play<'a>, Upset> {
        let files = Files::lay_out(scratch)?;
        show.say(&format!("A throw-away workspace in {}", scratch.path().display()))?;
        show.say("An agent connects over MCP: patchwright mcp --tools all --answers structured --root …")?;
        let (agent, greeted) = Client::start(&program, scratch.path(), home.path())?;
        let version = greeted.pointer("/serverInfo/version").and_then(Value::as_str).unwrap_or("?");
        let protocol = greeted.get("protocolVersion").and_then(Value::as_str).unwrap_or("?");
        show.say(&format!("Connected to patchwright {version}, protocol {protocol}"))?;
        let at_first = files.clone();
        Ok(Play { program, scratch, home, show, files, at_first, agent, batches: Vec::new() })
    }

    /// A call, shown with its answer.
    pub(super) fn call(&mut self, tool: &str, arguments: &Value) -> Result<Told, Upset> {
        self.show.request(tool, arguments)?;
        let told = self.agent.call(tool, arguments)?;
        self.show.answer(&told.text)?;
        Ok(told)
    }

    /// A call that must succeed.
    pub(super) fn done(&mut self, tool: &str, arguments: &Value) -> Result<Value, Upset> {
        let told = self.call(tool, arguments)?;
        claim(!told.refused, || format!("{tool} was refused: {}", first_line(&told.text)))?;
        Ok(told.data)
    }

    /// A call that must be refused as `kind`; gives back the error.
    pub(super) fn refused(&mut self, tool: &str, arguments: &Value, kind: &str) -> Result<Value, Upset> {
        let told = self.call(tool, arguments)?;
        let error = told.data.get("error").cloned().unwrap_or_default();
        let given = text(&error, "/kind");
        claim(told.refused && given == kind, || format!("{tool} answered {given:?} where {kind:?} was due"))?;
        claim(told.text.contains("Next step: "), || format!("the refusal of {tool} names no next step"))?;
        Ok(error)
    }

    /// A command that a person types; it must succeed. What it prints is shown as `shortened` gives it.
    pub(super) fn command(&mut self, words: &str, shortened: fn(&str) -> String) -> Result<(), Upset> {
        let mut command = Command::new(&self.program);
        command.args(words.split(' ')).arg("--root").arg(self.scratch.path()).env(HOME, self.home.path());
        command.env("XDG_CONFIG_HOME", no_settings(self.scratch.path()));
        let ran = command.output().map_err(failed(words))?;
        let printed = String::from_utf8_lossy(&ran.stdout).into_owned();
        self.show.command(&format!("patchwright {words} --root …"), &shortened(&printed))?;
        claim(ran.status.success(), || format!("`patchwright {words}` ended with {}", ran.status))
    }

    /// A change that must succeed; its batch is remembered under `what`.
    pub(super) fn change(&mut self, what: &'static str, tool: &str, arguments: &Value) -> Result<Value, Upset> {
        let answer = self.done(tool, arguments)?;
        // Line patches answer in an envelope of their own.
        let batch = ["/data/batchId", "/result/batchId"].iter().map(|at| text(&answer, at)).find(|id| !id.is_empty());
        let Some(batch) = batch else { return Err(Upset::Claim(format!("{tool} named no batch"))) };
        self.batches.push((what, batch.to_owned()));
        Ok(answer)
    }

    /// The batch that was made for this.
    pub(super) fn batch(&self, what: &str) -> Result<String, Upset> {
        let found = self.batches.iter().find(|(name, _)| *name == what);
        found.map(|(_, id)| id.clone()).ok_or_else(|| Upset::Claim(format!("there is no batch of the {what}")))
    }

    /// Is every file as it must be by now?
    pub(super) fn compare(&self) -> Result<(), Upset> {
        self.files.compare(self.scratch)
    }
}

/// The text at a place of an answer; empty if there is none.
pub(super) fn text<'v>(value: &'v Value, pointer: &str) -> &'v str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

/// The entries of the list at a place of an answer.
pub(super) fn list<'v>(value: &'v Value, pointer: &str) -> &'v [Value] {
    value.pointer(pointer).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

//! Every folder under `cases/`, through the library, the command line and MCP: the same call, the same
//! answer, the same tree, and a log that verifies afterwards.
//!
//! `BLESS_CASES=0042` writes down what the library answers to the cases whose names begin so.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test sets up files and says no by panicking"
)]

use patchwright_app::doors::open::{Opening, Surroundings};
use patchwright_app::report::answer::answer_to;
use patchwright_app::report::text::text;
use patchwright_app::report::{Sent, Telling};
use patchwright_app::wire::{self, NullProof};
use patchwright_core::outcome::{Failed, Reply, Trouble};
use patchwright_core::policy::{Guarded, Layer, SetProtect};
use patchwright_core::reading::Told;
use patchwright_core::tool::{Effect, TOOLS};
use patchwright_core::warning::Warning;
use patchwright_engine::{Client, Durability, Mode, Options, Proof, Quiet, Repair, Session};
use patchwright_testkit::case::{self, Answer, Case, Door, Finished, Flags};
use patchwright_testkit::home;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use tempfile::TempDir;

fn all() -> Vec<Case> {
    case::all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../cases")).unwrap()
}

/// Runs every case that uses this door, and reports all that is wrong at once.
fn check(door: &mut dyn Door) {
    let cases: Vec<Case> = all().into_iter().filter(|case| case.uses(door.name())).collect();
    assert!(!cases.is_empty(), "no cases for {}", door.name());
    let wrong: Vec<String> = cases.iter().filter_map(|case| case::run(case, door).err()).collect();
    assert!(wrong.is_empty(), "{} of {} cases:\n\n{}", wrong.len(), cases.len(), wrong.join("\n\n"));
}

#[test]
fn library() {
    let mut door = Library::default();
    match std::env::var("BLESS_CASES") {
        Ok(prefix) => {
            let chosen = all().into_iter().filter(|case| case.uses("library") && case.name.starts_with(&prefix));
            chosen.for_each(|case| case::bless(&case, &mut door).unwrap());
        }
        Err(_) => check(&mut door),
    }
}

/// No text sends a model to a tool that it is not shown, whatever it is shown.
#[test]
fn texts_name_only_tools_that_are_shown() {
    let cases: Vec<Case> = all().into_iter().filter(|case| case.uses("library") && case.has_text()).collect();
    let mut door = Library { sets: true, ..Library::default() };
    let wrong: Vec<String> = cases.iter().filter_map(|case| Finished::of(case, &mut door).err()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(door.misled.is_empty(), "{} texts:\n{}", door.misled.len(), door.misled.join("\n"));
}

#[test]
fn command_line() {
    check(&mut CommandLine::default());
}

#[test]
fn mcp() {
    check(&mut Mcp::default());
}

/// The engine called directly, its outcome put into JSON as every door does.
#[derive(Default)]
struct Library {
    root: PathBuf,
    config: Option<ConfigHome>,
    session: Option<Session>,
    told: Told,
    /// Do texts tell hashes?
    hashes: bool,
    /// Are texts looked over for tools that are not shown?
    sets: bool,
    /// Those that name such tools.
    misled: Vec<String>,
}

/// What a model may be shown: ways to look, one dialect, and the history.
const SETS: [&[&str]; 4] = [
    &["create_file", "write_file", "edit_file", "delete_file", "move_file"],
    &["apply_patch"],
    &["edit", "create_file", "delete_file", "move_file"],
    &["workspace_read_file", "workspace_write_patch"],
];
const ALWAYS: &[&str] = &["read_file", "list_directory", "search_files", "glob", "list_batches", "undo"];

/// The tools that a text names besides those that are shown and the one that was called.
fn named_though_hidden(outcome: &Result<Reply, Failed>, called: &str, call: Option<&Sent>) -> Vec<String> {
    let mut found = Vec::new();
    for set in SETS {
        let mut shown: Vec<&str> = ALWAYS.iter().chain(set).copied().collect();
        shown.push(called);
        let told = text(outcome, &Telling { shown: Some(&shown), call, ..Telling::ALL });
        let said = told.rsplit_once("\nNext step: ").map_or(told.as_str(), |(_, next)| next);
        let words: Vec<&str> = said.split(|letter: char| !letter.is_alphanumeric() && letter != '_').collect();
        let hidden = TOOLS.iter().map(|tool| tool.name).filter(|name| name.contains('_') && !shown.contains(name));
        found.extend(hidden.filter(|name| words.contains(name)).map(|name| format!("{name} in: {said}")));
    }
    found
}

impl Door for Library {
    fn name(&self) -> &'static str {
        "library"
    }

    fn open(&mut self, root: &Path, flags: &Flags) -> Result<(), String> {
        self.config = Some(ConfigHome::new(flags));
        let user_settings = self.config.as_ref().map(ConfigHome::file);
        let guard = |what: &str| flags.unprotect.iter().any(|known| known == what).then_some(Guarded::No);
        let protect = SetProtect { git: guard("git"), secrets: guard("secrets"), except: Vec::new() };
        let opening = Opening {
            mode: if flags.read_only { Mode::ReadOnly } else { Mode::ReadWrite },
            flags: Layer { protect, ..Layer::default() },
            surroundings: Surroundings { user_settings, home: home::at(), ..Surroundings::default() },
            root: root.to_owned(),
            durability: durability(flags),
            proof: match flags {
                Flags { unchecked: true, .. } => Proof::Unchecked,
                Flags { require_sha: true, .. } => Proof::HashOnly,
                _ => Proof::HashOrLedger,
            },
            ..Opening::default()
        };
        let opened = opening.open(client(), Repair::AtOpen).map_err(|complaint| format!("{complaint:?}"))?;
        root.clone_into(&mut self.root);
        self.hashes = flags.require_sha || flags.unchecked;
        self.session = Some(opened.session);
        self.told = Told::default();
        Ok(())
    }

    fn call(&mut self, tool: &str, arguments: &str) -> Result<Answer, String> {
        let session = self.session.as_ref().ok_or("not open")?;
        let null_proof = if session.proof() == Proof::Unchecked { NullProof::Refused } else { NullProof::LeftOut };
        let outcome = match wire::call_noted(tool, arguments, null_proof) {
            Ok(wire::Noted { call, readings }) => session.call(&call, &Quiet).map(|mut reply| {
                reply.warnings.extend(Warning::of_readings(self.told.news(&readings)));
                reply
            }),
            Err(wire::Rejected::Refused(refusal)) => match wire::tool(tool).unwrap().effect {
                Effect::Looks => Err(Failed::unrecorded(refusal).told_by(wire::tool(tool).unwrap())),
                Effect::Adds | Effect::Changes => Err(session.record_refusal(tool, &[], refusal.into())),
            },
            Err(other) => return Err(format!("{other:?}")),
        };
        let exit = match &outcome {
            Ok(_) => 0,
            Err(Failed { trouble: Trouble::Refused(_), .. }) => 1,
            Err(Failed { trouble: Trouble::Fault(_), .. }) => 3,
        };
        let sent = sent(tool, arguments, &outcome);
        if self.sets && outcome.is_err() {
            let hidden = named_though_hidden(&outcome, tool, sent.as_ref());
            self.misled.extend(hidden.into_iter().map(|what| format!("{tool}: {what}")));
        }
        let tell = Telling { hashes: self.hashes, call: sent.as_ref(), ..Telling::ALL };
        let reply = answer_to(&outcome, &Telling { hashes: true, ..tell });
        Ok(Answer { reply, text: Some(text(&outcome, &tell)), exit: Some(exit) })
    }

    fn close(&mut self) -> Result<(), String> {
        self.session = None;
        verify(&self.root)
    }
}

/// The call that was refused, as its refusal speaks of it.
fn sent(tool: &str, arguments: &str, outcome: &Result<Reply, Failed>) -> Option<Sent> {
    let tool = wire::tool(tool).unwrap();
    let given = wire::parse_json(arguments).ok().filter(|_| arguments.len() <= wire::LONGEST_REPEATED)?;
    let arguments = wire::refused_arguments(tool, &given, outcome)?;
    Some(Sent { tool: tool.name, arguments, fits: wire::fits })
}

/// The caller, as the server's client introduces itself.
fn client() -> Client {
    Client { name: "cases".into(), version: "1".into(), ..Client::default() }
}

/// The built binary, once for every call: there is no session.
#[derive(Default)]
struct CommandLine {
    root: PathBuf,
    config: Option<ConfigHome>,
    flags: Vec<String>,
}

impl Door for CommandLine {
    fn name(&self) -> &'static str {
        "command line"
    }

    fn open(&mut self, root: &Path, flags: &Flags) -> Result<(), String> {
        root.clone_into(&mut self.root);
        self.config = Some(ConfigHome::new(flags));
        self.flags = as_arguments(flags);
        Ok(())
    }

    fn call(&mut self, tool: &str, arguments: &str) -> Result<Answer, String> {
        let mut child = binary((&self.root, self.config.as_ref()), &self.flags)
            .args(["call", tool, "-"])
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| error.to_string())?;
        child.stdin.take().unwrap().write_all(arguments.as_bytes()).map_err(|error| error.to_string())?;
        let ended = child.wait_with_output().map_err(|error| error.to_string())?;
        let text = String::from_utf8(ended.stdout).map_err(|error| error.to_string())?;
        if text.lines().count() > 1 {
            return Err(format!("more than one line: {text}"));
        }
        let reply = if text.is_empty() { Ok(Value::Null) } else { serde_json::from_str(&text) };
        let reply = reply.map_err(|error| format!("{error}: {text}"))?;
        Ok(Answer { reply, text: None, exit: ended.status.code() })
    }

    fn close(&mut self) -> Result<(), String> {
        verify(&self.root)
    }
}

/// The built binary as a server, one connection for each case.
#[derive(Default)]
struct Mcp {
    root: PathBuf,
    config: Option<ConfigHome>,
    server: Option<(Child, BufReader<ChildStdout>)>,
}

impl Mcp {
    fn ask(&mut self, line: &str) -> Result<Value, String> {
        let (child, output) = self.server.as_mut().ok_or("not open")?;
        let input = child.stdin.as_mut().ok_or("input closed")?;
        input.write_all(format!("{line}\n").as_bytes()).map_err(|error| error.to_string())?;
        let mut answer = String::new();
        output.read_line(&mut answer).map_err(|error| error.to_string())?;
        serde_json::from_str(&answer).map_err(|error| format!("{error}: {answer:?}"))
    }
}

impl Door for Mcp {
    fn name(&self) -> &'static str {
        "mcp"
    }

    fn open(&mut self, root: &Path, flags: &Flags) -> Result<(), String> {
        root.clone_into(&mut self.root);
        self.config = Some(ConfigHome::new(flags));
        let mut command = binary((root, self.config.as_ref()), &as_arguments(flags));
        let served = ["mcp", "--tools", "all", "--answers", "structured"];
        let mut child = command.args(served).spawn().map_err(|error| error.to_string())?;
        let output = BufReader::new(child.stdout.take().ok_or("no output")?);
        self.server = Some((child, output));
        let client = json!({"name": "cases", "version": "1"});
        let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
        self.ask(&json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}).to_string())?;
        let input = self.server.as_mut().and_then(|(child, _)| child.stdin.as_mut()).ok_or("input closed")?;
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        writeln!(input, "{ready}").map_err(|error| error.to_string())
    }

    fn call(&mut self, tool: &str, arguments: &str) -> Result<Answer, String> {
        // Written by hand: a JSON value could not hold what some cases have, such as duplicate keys.
        let arguments = arguments.replace('\n', " ");
        let params = format!(r#"{{"name":{},"arguments":{arguments}}}"#, json!(tool));
        let answer = self.ask(&format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#))?;
        let result = answer.get("result").ok_or_else(|| format!("no result: {answer}"))?;
        let reply = result.get("structuredContent").cloned().ok_or_else(|| format!("nothing structured: {answer}"))?;
        let failed = reply.get("ok").or_else(|| reply.get("successful")) != Some(&Value::Bool(true));
        let text = result.pointer("/content/0/text").and_then(Value::as_str).unwrap_or_default();
        if (result.get("isError") == Some(&Value::Bool(true))) != failed {
            return Err(format!("isError and the answer disagree: {answer}"));
        }
        if case::answers_json(tool) {
            let said: Result<Value, _> = serde_json::from_str(text);
            if said.ok().as_ref() != Some(&reply) {
                return Err(format!("a text that is not the answer: {text:?}"));
            }
        } else if failed && !text.lines().last().is_some_and(|last| last.starts_with("Next step: ")) {
            return Err(format!("a refusal that does not end in a next step: {text:?}"));
        }
        Ok(Answer { reply, text: Some(text.to_owned()), exit: None })
    }

    fn close(&mut self) -> Result<(), String> {
        let (mut child, _) = self.server.take().ok_or("not open")?;
        drop(child.stdin.take());
        let status = child.wait().map_err(|error| error.to_string())?;
        if !status.success() {
            return Err(format!("the server ended with {status}"));
        }
        verify(&self.root)
    }
}

impl Drop for Mcp {
    fn drop(&mut self) {
        if let Some((mut child, _)) = self.server.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// The folder that `XDG_CONFIG_HOME` names; never the real one.
struct ConfigHome(TempDir);

impl ConfigHome {
    fn new(flags: &Flags) -> ConfigHome {
        let home = ConfigHome(TempDir::new().unwrap());
        if let Some(text) = &flags.user_settings {
            std::fs::create_dir(home.0.path().join("patchwright")).unwrap();
            std::fs::write(home.file(), text).unwrap();
        }
        home
    }

    fn file(&self) -> PathBuf {
        self.0.path().join("patchwright/config.toml")
    }
}

fn binary((root, config): (&Path, Option<&ConfigHome>), flags: &[String]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_patchwright"));
    command.env("PATCHWRIGHT_HOME", home::home());
    command.envs(config.map(|home| ("XDG_CONFIG_HOME", home.0.path())));
    command.arg("--root").arg(root).args(flags).stdin(Stdio::piped()).stdout(Stdio::piped());
    command
}

fn durability(flags: &Flags) -> Durability {
    match flags.durability.as_deref() {
        None | Some("full") => Durability::Full,
        Some("process") => Durability::Process,
        Some("none") => Durability::None,
        Some(other) => panic!("no such durability: {other}"),
    }
}

fn as_arguments(flags: &Flags) -> Vec<String> {
    let mut arguments = Vec::new();
    arguments.extend(flags.unchecked.then(|| "--unchecked".to_owned()));
    arguments.extend(flags.require_sha.then(|| "--require-sha".to_owned()));
    arguments.extend(flags.read_only.then(|| "--read-only".to_owned()));
    arguments.extend(flags.unprotect.iter().map(|what| format!("--unprotect={what}")));
    arguments.extend(flags.durability.as_ref().map(|level| format!("--durability={level}")));
    arguments
}

/// The log that the calls left is whole. A state folder that a case makes itself is not looked into.
fn verify(root: &Path) -> Result<(), String> {
    if home::records(root).is_empty() {
        return Ok(());
    }
    let options = Options { home: home::at(), ..Options::default() };
    let session = Session::open(root, options).map_err(|trouble| format!("{trouble:?}"))?;
    let check = session.audit_verify(None).map_err(|trouble| format!("{trouble:?}"))?;
    if check.findings.is_empty() { Ok(()) } else { Err(format!("the log: {:?}", check.findings)) }
}

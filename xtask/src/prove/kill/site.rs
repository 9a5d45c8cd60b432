//! A workload that is known through and through: what is there before its call and after it, and every system call
//! on the way.

use super::account::{Account, account};
use super::shelves;
use super::talk::{Talk, once};
use crate::failure::Failure;
use crate::home;
use crate::prove::answer::Wrong;
use crate::prove::findings::Violation;
use crate::prove::strace::{self, Seen};
use crate::prove::workload::{self, Prepared, Workload};
use patchwright_testkit::tree::Tree;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A workload, learnt.
pub(super) struct Site {
    pub(super) ready: Prepared,
    pub(super) before: Account,
    pub(super) after: Account,
    /// The tree once the newest batch has been taken back; nothing where that is refused.
    pub(super) undone: Option<Tree>,
    /// What kept bytes may be, by their digest.
    pub(super) contents: BTreeSet<String>,
    /// Blobs that were there before the call, and must be there whatever happens.
    pub(super) needed: BTreeSet<String>,
    /// Where the call can be killed, made by the command line.
    pub(super) line: Run,
    /// The same through a server, in the same words; empty where it was not asked for.
    pub(super) server: Run,
}

/// Whether the call is also learnt through a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Server {
    Too,
    Not,
}

/// The system calls of one run.
#[derive(Debug, Default)]
pub(super) struct Run {
    pub(super) calls: Vec<Seen>,
    /// Where in it the workspace is first touched.
    pub(super) touched: usize,
}

impl Site {
    /// Lays the workload out below `place`, and watches it once.
    pub(super) fn learn(workload: &Workload, binary: &Path, place: &Path, server: Server) -> Result<Site, Failure> {
        let ready = workload.prepare(binary, place)?;
        let scratch = |what: &str| place.join(format!("{}.{what}", workload.name));
        let needed = blobs_of(&ready.copy(&scratch("before"))?)?;
        let before = look(binary, &scratch("before"))?.0;
        let root = ready.copy(&scratch("after"))?;
        let line = trace_line(&ready, binary, &root)?;
        let (after, undone) = look(binary, &root)?;
        let kept = blobs_of(&root)?;
        let server = match server {
            Server::Too => trace_server(&ready, binary, &ready.copy(&root)?)?,
            Server::Not => Run::default(),
        };
        for what in ["before", "after"] {
            workload::remove(&scratch(what))?;
        }
        let mut contents = shelves::contents(&[&before.tree, &after.tree]);
        contents.extend(needed.iter().chain(&kept).cloned());
        Ok(Site { ready, before, after, undone, contents, needed, line, server })
    }

    /// Left in peace, a call that changed files can be taken back, and then all is as before; what is not so.
    pub(super) fn flaw(&self) -> Option<Violation> {
        let applied = |line: &String| line.split(' ').nth(1) == Some("applied");
        if self.before.tree == self.after.tree || !self.after.batches.first().is_some_and(applied) {
            return None;
        }
        let unlike = self.undone.as_ref().map(|undone| self.before.tree.difference(undone));
        let what = match unlike {
            Some(unlike) if unlike.is_empty() => return None,
            Some(unlike) => format!("{}, left in peace and undone: {}", self.ready.name, unlike.join("; ")),
            None => format!("{}, left in peace, cannot be undone", self.ready.name),
        };
        Some(Violation { before: Some(self.before.tree.clone()), found: self.undone.clone(), ..Violation::new(what) })
    }

    /// What sort of workload it is.
    pub(super) fn kind(&self) -> &str {
        self.ready.name.split('-').next().unwrap_or_default()
    }
}

impl Run {
    /// What a trace says, from where a call's text has `mark`.
    pub(super) fn read(log: &Path, mark: &str) -> Result<Run, Failure> {
        let calls = strace::calls(log)?;
        let touched = calls.iter().position(|call| call.name != "execve" && call.text.contains(mark));
        let missing = || Failure::new(format!("{}: no call has {mark}", log.display()), "see whether strace may trace");
        let touched = touched.ok_or_else(missing)?;
        Ok(Run { calls, touched })
    }

    /// From where the workspace is touched to the end.
    pub(super) fn working(&self) -> &[Seen] {
        self.calls.get(self.touched..).unwrap_or_default()
    }

    /// What a program does before it comes to anything of ours.
    pub(super) fn starting(&self) -> &[Seen] {
        self.calls.get(1..self.touched).unwrap_or_default()
    }
}

/// A server in `root`.
pub(super) fn server(binary: &Path, root: &Path) -> Command {
    let mut command = home::patchwright(binary, root);
    command.args(["mcp", "--tools", "all", "--answers", "structured", "--root"]).arg(root);
    command
}

/// The account of a workspace that nobody has disturbed, and the tree once its newest batch has been taken back.
fn look(binary: &Path, root: &Path) -> Result<(Account, Option<Tree>), Failure> {
    let mut talk = Talk::greeted(server(binary, root))?;
    let (found, ids) = account(&mut talk, root).map_err(Wrong::into_failure)?;
    let undone = match ids.batches.first() {
        Some(batch) => talk.call("undo", &json!({"batchId": batch})),
        None => Value::Null,
    };
    talk.end(Value::Null)?;
    let undone = is_ok(&undone).then(|| workload::read(root)).transpose()?;
    Ok((found, undone))
}

fn blobs_of(root: &Path) -> Result<BTreeSet<String>, Failure> {
    Ok(shelves::blobs(&shelves::shelves(root)?))
}

fn trace_line(ready: &Prepared, binary: &Path, root: &Path) -> Result<Run, Failure> {
    let log = beside(root, "trace");
    let ended = once(strace::traced(&ready.call.command(binary, root), &log), &ready.call.arguments.to_string())?;
    succeeded(ready, &ended.answer)?;
    Run::read(&log, &root.display().to_string())
}

fn trace_server(ready: &Prepared, binary: &Path, root: &Path) -> Result<Run, Failure> {
    let log = beside(root, "trace");
    let mut talk = Talk::greeted(strace::traced(&server(binary, root), &log))?;
    let answer = talk.call(ready.call.tool, &ready.call.arguments);
    talk.end(Value::Null)?;
    succeeded(ready, &answer)?;
    Run::read(&log, "notifications/initialized")
}

fn succeeded(ready: &Prepared, answer: &Value) -> Result<(), Failure> {
    let refused = || Failure::new(format!("{} under strace answers {answer}", ready.name), "look at the workload");
    is_ok(answer).then_some(()).ok_or_else(refused)
}

pub(super) fn is_ok(answer: &Value) -> bool {
    answer.get("ok").or_else(|| answer.get("successful")) == Some(&Value::Bool(true))
}

/// A name beside a folder.
pub(super) fn beside(folder: &Path, what: &str) -> PathBuf {
    let mut name = folder.as_os_str().to_owned();
    name.push(".");
    name.push(what);
    PathBuf::from(name)
}

//! One trial: a fresh copy, a call that is killed at one system call, and the judgement.

use super::judge::{Opener, Told, answered, judge};
use super::site::{Site, beside, server};
use super::talk::{Ended, How, Talk, once};
use crate::failure::Failure;
use crate::prove::answer::Wrong;
use crate::prove::findings::Violation;
use crate::prove::strace::{self, Injection};
use crate::prove::workload::{self, Answered};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is killed, where, and who comes after.
pub(super) struct Trial<'a> {
    pub(super) site: &'a Site,
    pub(super) victim: Victim<'a>,
    pub(super) at: Injection,
    pub(super) opener: Opener,
    pub(super) ground: Ground,
}

/// Who is killed.
#[derive(Clone, Copy)]
pub(super) enum Victim<'a> {
    /// The call, made by the command line.
    Line,
    /// The call, made through a server.
    Server,
    /// Recovery from what an earlier kill left.
    Recovery(&'a State),
}

/// What a killed call left, and who is going to recover from it.
pub(super) struct State {
    pub(super) folder: PathBuf,
    pub(super) answer: Value,
    /// How it came about.
    pub(super) killed: String,
    pub(super) recoverer: Recoverer,
}

/// Who recovers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Recoverer {
    Doctor,
    /// The next call, which only reads.
    Reader,
}

/// On what a trial runs. A killed process needs no disk, but some trials are made on one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ground {
    Memory,
    Disk,
}

/// What came of a trial.
pub(super) struct Tried {
    pub(super) reached: Reached,
    pub(super) verdict: Result<(), Violation>,
}

/// Did the process live to see the call at which it is killed? With several threads no two runs are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reached {
    Yes,
    No,
}

impl Trial<'_> {
    /// Runs it in a folder of its own at `root`.
    pub(super) fn run(&self, binary: &Path, root: &Path) -> Result<Tried, Failure> {
        match self.victim {
            Victim::Recovery(state) => workload::copy(&state.folder, root)?,
            Victim::Line | Victim::Server => self.site.ready.copy(root)?,
        };
        let ended = self.kill(binary, root)?;
        let reached = match ended.how {
            How::Itself(status) if strace::was_killed(status) => Reached::Yes,
            _ => Reached::No,
        };
        let verdict = match self.verdict(binary, root, &ended) {
            Ok(()) => Ok(()),
            Err(Wrong::Promise(what)) => Err(self.violation(&what, root, &ended.answer)?),
            Err(Wrong::Harness(failure)) => return Err(failure),
        };
        Ok(Tried { reached, verdict })
    }

    /// What the killed process said, and how it ended.
    pub(super) fn kill(&self, binary: &Path, root: &Path) -> Result<Ended, Failure> {
        let log = beside(root, "killed");
        let call = &self.site.ready.call;
        match self.victim {
            Victim::Line => {
                let command = strace::injected(&call.command(binary, root), &self.at, &log);
                once(command, &call.arguments.to_string())
            }
            Victim::Server => {
                let mut talk = Talk::greeted(strace::injected(&server(binary, root), &self.at, &log))?;
                let answer = talk.call(call.tool, &call.arguments);
                talk.end(answer)
            }
            Victim::Recovery(state) => {
                once(strace::injected(&state.recoverer.command(binary, root), &self.at, &log), "")
            }
        }
    }

    fn verdict(&self, binary: &Path, root: &Path, ended: &Ended) -> Result<(), Wrong> {
        let answer = match self.victim {
            Victim::Recovery(state) => &state.answer,
            Victim::Line | Victim::Server => &ended.answer,
        };
        let told = Told { answered: answered(answer), answer };
        match (&ended.how, self.victim) {
            (How::Stopped, _) => return Err("it hangs".to_owned().into()),
            (How::Itself(status), Victim::Line | Victim::Server)
                if !strace::was_killed(*status) && told.answered != Answered::Done =>
            {
                return Err(format!("it was not killed, ended with {status}, and answered {answer}").into());
            }
            _ => {}
        }
        judge(self.site, binary, root, &told, self.opener)
    }

    fn violation(&self, what: &str, root: &Path, answer: &Value) -> Result<Violation, Failure> {
        let (name, at, call) = (&self.site.ready.name, &self.at, &self.site.ready.call);
        let who = match self.victim {
            Victim::Line => format!("{name} by the command line, {at}"),
            Victim::Server => format!("{name} through a server, {at}"),
            Victim::Recovery(state) => {
                format!("{name}, {}, then recovery by {:?}, {at}", state.killed, state.recoverer)
            }
        };
        Ok(Violation {
            what: format!("{who}, opened by {:?}: {what}", self.opener),
            before: Some(self.site.before.tree.clone()),
            call: Some(json!({"tool": call.tool, "arguments": call.arguments})),
            found: Some(workload::read(root)?),
            more: vec![("answer.json".to_owned(), answer.to_string().into_bytes())],
        })
    }
}

impl Recoverer {
    pub(super) fn command(self, binary: &Path, root: &Path) -> Command {
        let mut command = crate::home::patchwright(binary, root);
        match self {
            Recoverer::Doctor => command.args(["doctor", "--json"]),
            Recoverer::Reader => command.args(["call", "read_file", r#"{"path":"untouched"}"#]),
        };
        command.arg("--root").arg(root);
        command
    }
}

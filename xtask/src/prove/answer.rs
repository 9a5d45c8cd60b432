//! What the binary answered, held against the form that every answer has: one line of JSON, a kind of the closed
//! list, an exit status that fits, no panic, and all of it within a generous time.

use super::watch;
use super::workload::{Answered, Call};
use crate::failure::Failure;
use patchwright_engine::core::refusal::Kind;
use serde_json::Value;
use std::io::ErrorKind;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Output};

/// Bad news of a trial: two kinds that must not be mixed up.
#[derive(Debug)]
pub(crate) enum Wrong {
    /// A promise was broken; how.
    Promise(String),
    /// The trial could not be made.
    Harness(Failure),
}

/// An answer of the right form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    /// The error kind, of a refusal or fault.
    pub(crate) kind: Option<String>,
    /// All of it.
    pub(crate) value: Value,
}

/// Makes the call by this command, its arguments on standard input. Whatever hangs is killed, children and all.
pub(crate) fn ask(call: &Call, command: Command) -> Result<Output, Wrong> {
    watch::output(command, &call.arguments.to_string()).map_err(|error| match error.kind() {
        ErrorKind::TimedOut => Wrong::Promise(format!("{}: {error}", call.tool)),
        _ => Wrong::Harness(Failure::io(call.tool, &error)),
    })
}

impl Wrong {
    /// Where nobody has interfered, a broken promise means that nothing can be tried.
    pub(crate) fn into_failure(self) -> Failure {
        match self {
            Wrong::Promise(what) => Failure::new(what, "run it by hand"),
            Wrong::Harness(failure) => failure,
        }
    }
}

impl From<String> for Wrong {
    fn from(what: String) -> Wrong {
        Wrong::Promise(what)
    }
}

impl From<Failure> for Wrong {
    fn from(failure: Failure) -> Wrong {
        Wrong::Harness(failure)
    }
}

impl Answer {
    /// Reads it; what is wrong with its form, if anything.
    pub(crate) fn read(done: &Output) -> Result<Answer, String> {
        let complaint = String::from_utf8_lossy(&done.stderr);
        if done.status.signal().is_some() || done.status.code().is_none_or(|code| code > 3) {
            return Err(format!("no answer: it broke down ({}): {}", done.status, complaint.trim()));
        }
        if complaint.contains("panicked") {
            return Err(format!("a panic: {}", complaint.trim()));
        }
        let text = String::from_utf8_lossy(&done.stdout);
        let mut lines = text.lines();
        let (Some(line), None, true) = (lines.next(), lines.next(), text.ends_with('\n')) else {
            return Err(format!("not one line of JSON but {text:?}; {}", complaint.trim()));
        };
        let value: Value = serde_json::from_str(line).map_err(|error| format!("no JSON ({error}): {line}"))?;
        Answer::of(value, done.status.code())
    }

    fn of(value: Value, status: Option<i32>) -> Result<Answer, String> {
        // Line patches answer in a form of their own.
        let kind = value.pointer("/error/kind").or_else(|| value.pointer("/errors/0/errorCode"));
        let kind = kind.and_then(Value::as_str).map(str::to_owned);
        let ok = value.get("ok").or_else(|| value.get("successful")).and_then(Value::as_bool);
        let fits = match (ok, &kind) {
            (Some(true), None) => status == Some(0),
            (Some(false), Some(kind)) => {
                let known = Kind::ALL.iter().any(|known| known.name() == kind) && kind != Kind::Internal.name();
                known && matches!(status, Some(1 | 3))
            }
            _ => false,
        };
        if fits {
            Ok(Answer { kind, value })
        } else {
            Err(format!("an answer that cannot be: {value}, exit {status:?}"))
        }
    }

    /// What it promises.
    pub(crate) fn says(&self) -> Answered {
        match self.kind.as_deref() {
            None => Answered::Done,
            Some("in_doubt") => Answered::Unknown,
            Some(_) => Answered::Refused,
        }
    }

    /// The kind, or that it succeeded.
    pub(crate) fn name(&self) -> &str {
        self.kind.as_deref().unwrap_or("success")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::ExitStatus;

    fn check(stdout: &str, stderr: &str, status: i32, expected: Option<&str>) {
        let status = ExitStatus::from_raw(status << 8);
        let done = Output { status, stdout: stdout.into(), stderr: stderr.into() };
        let found = Answer::read(&done);
        assert_eq!(found.as_ref().ok().map(Answer::name), expected, "{stdout} {stderr} {found:?}");
    }

    #[test]
    fn forms() {
        let busy = "{\"ok\":false,\"error\":{\"kind\":\"busy\"}}\n";
        check("{\"ok\":true}\n", "", 0, Some("success"));
        check(busy, "", 1, Some("busy"));
        check(busy, "", 3, Some("busy"));
        check("{\"successful\":true,\"errors\":[]}\n", "", 0, Some("success"));
        check("{\"successful\":false,\"errors\":[{\"errorCode\":\"busy\"}]}\n", "", 1, Some("busy"));
        check(busy, "", 0, None);
        check("{\"ok\":true}\n", "", 1, None);
        check("{\"ok\":true}\n", "thread 'main' panicked at x", 0, None);
        check("{\"ok\":true}\n{\"ok\":true}\n", "", 0, None);
        check("{\"ok\":true}", "", 0, None);
        check("", "", 3, None);
        check("{\"ok\":false,\"error\":{\"kind\":\"internal\"}}\n", "", 3, None);
        check("{\"ok\":false,\"error\":{\"kind\":\"oops\"}}\n", "", 3, None);
        check("{\"ok\":true}\n", "", 137, None);
    }
}

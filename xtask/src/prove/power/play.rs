//! Making a voyage's calls, and what the caller knows at each moment: that is what must still be so afterwards.

use super::voyage::{Granted, Rehearsed};
use crate::failure::Failure;
use crate::prove::answer::Wrong;
use crate::prove::caller::Caller;
use crate::prove::workload::{Answered, Ids};
use serde_json::Value;
use std::path::Path;

/// What a caller has been told.
#[derive(Clone, Default)]
pub(crate) struct Known {
    /// So many calls have been answered.
    pub(crate) answered: usize,
    /// Has a further one begun, of which nothing is known?
    pub(crate) next: Next,
    /// The head of the log in the last answer that had one.
    pub(crate) head: Option<String>,
    /// The batch of each answered call.
    pub(crate) batches: Vec<Option<String>>,
    pub(crate) ids: Ids,
}

/// What became of the call after the last answered one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Next {
    #[default]
    NotBegun,
    Unknown,
}

/// Who makes the calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Door {
    /// One MCP server for all of them.
    Server,
    /// A process each.
    CommandLine,
}

/// A caller at work; a server lives as long as this.
pub(crate) struct Player<'a> {
    pub(crate) binary: &'a Path,
    pub(crate) rehearsed: &'a Rehearsed,
    root: &'a Path,
    server: Option<Caller>,
}

impl Known {
    /// Takes note of a whole answer.
    pub(crate) fn learn(&mut self, answer: &Value) {
        self.ids.learn(answer);
        self.answered = self.answered.saturating_add(1);
        self.next = Next::NotBegun;
        self.batches.push(answer.pointer("/data/batchId").and_then(Value::as_str).map(str::to_owned));
        self.hear(answer);
    }

    /// Takes note of the head alone.
    pub(crate) fn hear(&mut self, answer: &Value) {
        let head = answer.get("auditHead").and_then(Value::as_str).map(str::to_owned);
        self.head = head.or_else(|| self.head.take());
    }
}

impl<'a> Player<'a> {
    pub(crate) fn new(
        binary: &'a Path,
        rehearsed: &'a Rehearsed,
        root: &'a Path,
        door: Door,
    ) -> Result<Player<'a>, Failure> {
        let server = match door {
            Door::Server => {
                let mut command = crate::home::patchwright(binary, root);
                command.args(["mcp", "--tools", "all", "--answers", "structured", "--root"]).arg(root);
                Some(Caller::served(command)?)
            }
            Door::CommandLine => None,
        };
        Ok(Player { binary, rehearsed, root, server })
    }

    /// Makes the next call, undisturbed. It must be answered as it was in the rehearsal.
    pub(crate) fn call(&mut self, known: &mut Known) -> Result<(), Wrong> {
        let at = known.answered;
        let (Some(call), Some(granted)) = (self.rehearsed.voyage.calls.get(at), self.rehearsed.granted.get(at)) else {
            return Err(Failure::new("a voyage has no further call", "look at the suite").into());
        };
        let call = call.with(&known.ids);
        let answer = match &mut self.server {
            Some(server) => server.ask(call.tool, &call.arguments)?.0,
            None => call.asked(call.command(self.binary, self.root))?,
        };
        if Granted::of(&answer) != *granted {
            return Err(format!("{} was answered unlike in its rehearsal: {answer}", call.tool).into());
        }
        known.learn(&answer);
        Ok(())
    }
}

/// What an answer says about a call of which the disk died.
pub(crate) fn told(answer: &Value) -> Answered {
    let kind = answer.pointer("/error/kind").and_then(Value::as_str);
    match (Granted::of(answer), kind) {
        (Granted::Yes, _) => Answered::Done,
        (Granted::No, None | Some("in_doubt")) => Answered::Unknown,
        (Granted::No, Some(_)) => Answered::Refused,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(answer: Value, expected: Answered) {
        assert_eq!(told(&answer), expected, "{answer}");
    }

    #[test]
    fn only_a_plain_word_counts() {
        check(json!({"ok": true, "data": {}}), Answered::Done);
        check(json!({"ok": false, "error": {"kind": "command_failed"}}), Answered::Refused);
        check(json!({"ok": false, "error": {"kind": "in_doubt"}}), Answered::Unknown);
        check(Value::Null, Answered::Unknown);
    }
}

//! After the power is back: is everything there that was answered, and can it still be taken back?

use super::play::{Known, Next};
use super::voyage::Rehearsed;
use crate::failure::Failure;
use crate::home;
use crate::prove::findings::Violation;
use crate::prove::watch;
use crate::prove::workload::{self, Call};
use patchwright_testkit::tree::{TEMPORARY, Tree};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

/// How many calls are taken back, from the last one on.
const STEPS_BACK: usize = 4;

/// The workspace as it was found.
pub(crate) struct Judge<'a> {
    pub(crate) binary: &'a Path,
    pub(crate) root: &'a Path,
    pub(crate) rehearsed: &'a Rehearsed,
    pub(crate) known: &'a Known,
}

/// What came of a trial.
pub(crate) type Judged = Result<(), Box<Violation>>;

/// What is wrong, and the tree in which it was seen.
struct Wrong {
    what: String,
    found: Option<Tree>,
}

impl Judge<'_> {
    /// Opens the workspace, which recovers it, and looks at everything.
    pub(crate) fn judge(&self, trial: &str) -> Judged {
        self.look().map_err(|wrong| {
            let answered = self.known.answered;
            let calls: Vec<Value> = self.rehearsed.voyage.calls.iter().map(shown).collect();
            let head = self.known.head.clone().unwrap_or_default();
            Box::new(Violation {
                what: format!("{trial}: {}", wrong.what),
                before: self.rehearsed.trees.get(answered).cloned(),
                call: self.rehearsed.voyage.calls.get(answered).map(shown),
                found: wrong.found,
                more: vec![
                    ("calls.json".to_owned(), format!("{:#}\n", Value::Array(calls)).into_bytes()),
                    ("known.txt".to_owned(), format!("{answered} answered, head {head}\n").into_bytes()),
                ],
            })
        })
    }

    fn look(&self) -> Result<(), Wrong> {
        let batches = self.ask("list_batches", json!({}))?;
        let landed = self.tree()?;
        self.whole_log()?;
        let mut undone = self.known.batches.clone();
        undone.truncate(landed);
        if landed > self.known.answered {
            let newest = batches.pointer("/data/batches/0/batchId").and_then(Value::as_str);
            undone.push(newest.map(str::to_owned));
        }
        self.take_back(&undone)?;
        self.ask("create_file", json!({"path": "after the cut.txt", "content": "work goes on\n"}))?;
        self.state()
    }

    /// So many calls have landed. It may be one more than were answered, and must not be fewer.
    fn tree(&self) -> Result<usize, Wrong> {
        let found = self.read()?;
        let litter = found.litter().join(", ");
        if !litter.is_empty() {
            return Err(Wrong { what: format!("litter: {litter}"), found: Some(found) });
        }
        let answered = self.known.answered;
        let further = answered.saturating_add(usize::from(self.known.next == Next::Unknown));
        let mut unlike = Vec::new();
        for landed in answered..=further {
            match self.rehearsed.trees.get(landed).map(|tree| tree.difference(&found)) {
                Some(lines) if lines.is_empty() => return Ok(landed),
                Some(lines) => unlike.push(format!("unlike after {landed} calls: {}", lines.join("; "))),
                None => {}
            }
        }
        Err(Wrong { what: format!("{answered} answered. {}", unlike.join(". ")), found: Some(found) })
    }

    /// The log is whole, and still holds the last head that the caller was given.
    fn whole_log(&self) -> Result<(), Wrong> {
        let mut verify = home::patchwright(self.binary, self.root);
        verify.args(["audit", "verify", "--root"]).arg(self.root);
        if let Some(head) = &self.known.head {
            verify.args(["--head", head]);
        }
        self.succeeds(verify)
    }

    /// Takes back what was answered, from the last call on: what is kept for that must have survived too.
    fn take_back(&self, batches: &[Option<String>]) -> Result<(), Wrong> {
        if self.rehearsed.voyage.calls.get(batches.len()).is_some_and(|call| call.tool == "purge_trash") {
            // The one that was cut short may have thrown everything away.
            return Ok(());
        }
        for (at, batch) in batches.iter().enumerate().rev().take(STEPS_BACK) {
            let call = self.rehearsed.voyage.calls.get(at);
            let (Some(before), Some(after)) =
                (self.rehearsed.trees.get(at), self.rehearsed.trees.get(at.saturating_add(1)))
            else {
                continue;
            };
            if call.is_some_and(|call| call.tool == "purge_trash") {
                // What it threw away was to be gone for good.
                return Ok(());
            }
            let (Some(batch), false) = (batch, before == after) else { continue };
            self.ask("undo", json!({"batchId": batch}))?;
            let found = self.read()?;
            let unlike = before.difference(&found);
            if !unlike.is_empty() {
                let what = format!("call {} taken back: {}", at.saturating_add(1), unlike.join("; "));
                return Err(Wrong { what, found: Some(found) });
            }
        }
        Ok(())
    }

    /// After a further change nothing unfinished is left in the state folder either.
    fn state(&self) -> Result<(), Wrong> {
        let mut doctor = home::patchwright(self.binary, self.root);
        doctor.args(["doctor", "--root"]).arg(self.root);
        self.succeeds(doctor)?;
        for folder in patchwright_testkit::home::state_folders(self.root).into_iter().chain([home::of(self.root)]) {
            let state = Tree::read(&folder).map_err(|error| wrong(format!("the state: {error}")))?;
            if let Some(path) = state.items.keys().find(|path| path.ends_with(TEMPORARY)) {
                return Err(wrong(format!("litter in the state: {path}")));
            }
        }
        Ok(())
    }

    /// A call that must be granted.
    fn ask(&self, tool: &'static str, arguments: Value) -> Result<Value, Wrong> {
        let call = Call { tool, arguments };
        let answer =
            call.asked(call.command(self.binary, self.root)).map_err(|error| self.unable(error.into_failure()))?;
        match answer.get("ok") {
            Some(Value::Bool(true)) => Ok(answer),
            _ => Err(Wrong { what: format!("{tool} afterwards answers {answer}"), found: self.read().ok() }),
        }
    }

    fn succeeds(&self, command: Command) -> Result<(), Wrong> {
        let line = format!("{command:?}");
        let done = watch::output(command, "").map_err(|error| wrong(format!("{line}: {error}")))?;
        if done.status.success() {
            return Ok(());
        }
        let said = [done.stdout, done.stderr].concat();
        Err(Wrong { what: format!("{line}: {}", String::from_utf8_lossy(&said).trim()), found: self.read().ok() })
    }

    fn read(&self) -> Result<Tree, Wrong> {
        workload::read(self.root).map_err(|failure| wrong(format!("the tree cannot be read: {failure}")))
    }

    fn unable(&self, failure: Failure) -> Wrong {
        Wrong { what: failure.to_string(), found: self.read().ok() }
    }
}

fn wrong(what: String) -> Wrong {
    Wrong { what, found: None }
}

fn shown(call: &Call) -> Value {
    json!({"tool": call.tool, "arguments": call.arguments})
}

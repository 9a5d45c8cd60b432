//! A workspace after its call was disturbed and the disturbance is over: opened again, looked over, and put to
//! use once more.
//!
//! Promises to compare everything a caller can see: files, modes and names, batches and where they stand, the
//! trash, the log, the kept bytes. Leaves the disturbing, and judging the kind of the answer, to the suites.

use super::answer::{self, Answer, Wrong};
use super::findings::{Findings, Violation};
use super::workload::{self, Answered, Call, Prepared};
use crate::failure::Failure;
use crate::{home, run};
use patchwright_testkit::tree::{TEMPORARY, Tree};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

/// How the binary is led to a workspace.
#[derive(Clone, Debug)]
pub(crate) struct Door {
    pub(crate) binary: PathBuf,
    pub(crate) root: PathBuf,
    /// The state folder, where it lies elsewhere.
    pub(crate) state: Option<PathBuf>,
}

/// What the record tells of a workspace, without ids and times: batches with their files and where they stand,
/// and the trash.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Story(Vec<String>);

/// What is seen before a call and after it.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) before: Story,
    pub(crate) after: Story,
}

/// Which of the two a workspace turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Before,
    After,
    /// The call changes nothing that can be seen.
    Both,
}

impl Door {
    pub(crate) fn inside(binary: &Path, root: &Path) -> Door {
        Door { binary: binary.to_owned(), root: root.to_owned(), state: None }
    }

    /// Lays a workload out afresh at `root`, its state inside or where it is wanted.
    pub(crate) fn to(prepared: &Prepared, binary: &Path, root: &Path, state: Option<&Path>) -> Result<Door, Failure> {
        let door = Door { state: state.map(Path::to_owned), ..Door::inside(binary, &prepared.copy(root)?) };
        let Some(state) = state else { return Ok(door) };
        workload::remove(state)?;
        let inside = door.root.join(".patchwright");
        if inside.exists() {
            let mut away = Command::new("mv");
            away.arg(&inside).arg(state);
            run::output(away, "look at the two file systems")?;
        }
        Ok(door)
    }

    /// The command line of a call.
    pub(crate) fn command(&self, call: &Call) -> Command {
        let mut command = call.command(&self.binary, &self.root);
        self.add_state(&mut command);
        command
    }

    /// Makes a call, undisturbed.
    pub(crate) fn ask(&self, call: &Call) -> Result<Answer, Wrong> {
        Ok(Answer::read(&answer::ask(call, self.command(call))?)?)
    }

    /// Opens the workspace, which takes back what was left half-done, and has it looked over.
    pub(crate) fn doctor(&self) -> Result<Value, Wrong> {
        let mut command = home::patchwright(&self.binary, &self.root);
        command.args(["doctor", "--json", "--root"]).arg(&self.root);
        self.add_state(&mut command);
        let done = answer::ask(&Call { tool: "doctor", arguments: Value::Null }, command)?;
        let said: Value = serde_json::from_slice(&done.stdout).unwrap_or(Value::Null);
        if done.status.success() && said.get("ok") == Some(&Value::Bool(true)) {
            return Ok(said);
        }
        let complaint = String::from_utf8_lossy(&done.stderr);
        Err(Wrong::Promise(format!("doctor: {} {said} {}", done.status, complaint.trim())))
    }

    /// What the record tells.
    pub(crate) fn story(&self) -> Result<Story, Wrong> {
        let mut lines = Vec::new();
        for (tool, list) in [("list_batches", "batches"), ("list_trash", "entries")] {
            let answer = self.ask(&Call { tool, arguments: json!({}) })?;
            match answer.kind {
                None => lines.extend(told(&answer.value, list)),
                Some(_) => return Err(Wrong::Promise(format!("{tool} was refused: {}", answer.value))),
            }
        }
        Ok(Story(lines))
    }

    fn add_state(&self, command: &mut Command) {
        if let Some(state) = &self.state {
            command.arg("--state-dir").arg(state);
        }
    }
}

fn told(answer: &Value, list: &str) -> Vec<String> {
    let entries = answer.pointer(&format!("/data/{list}")).and_then(Value::as_array);
    let fields = ["tool", "status", "files", "changes", "path", "sha256", "sizeBytes", "mode"];
    let line = |entry: &Value| {
        let kept = fields.iter().filter_map(|name| entry.get(name));
        kept.map(Value::to_string).collect::<Vec<_>>().join(" ")
    };
    entries.into_iter().flatten().map(line).collect()
}

impl Known {
    /// Plays the call on a copy, and looks at the record before and after.
    pub(crate) fn of(prepared: &Prepared, binary: &Path, place: &Path) -> Result<Known, Failure> {
        let root = prepared.copy(place)?;
        let door = Door::inside(binary, &root);
        let wrong = |why| match why {
            Wrong::Harness(failure) => failure,
            Wrong::Promise(what) => Failure::new(format!("{}: {what}", prepared.name), "look at the workload"),
        };
        let before = door.story().map_err(wrong)?;
        let root = prepared.copy(&root)?;
        let answer = door.ask(&prepared.call).map_err(wrong)?;
        if answer.says() != Answered::Done || prepared.after != workload::read(&root)? {
            return Err(wrong(Wrong::Promise(format!("it does not come out the same twice: {}", answer.value))));
        }
        let after = door.story().map_err(wrong)?;
        workload::remove(&root)?;
        Ok(Known { before, after })
    }
}

/// The tree right after the answer, before anybody opens the workspace again. Staged files may lie about still
/// where the call was not done.
pub(crate) fn at_once(prepared: &Prepared, mut found: Tree, answer: &Answer) -> Result<(), String> {
    let staged = |path: &str| [TEMPORARY, ".apply-patch.tmp.old"].iter().any(|end| path.ends_with(end));
    match answer.says() {
        Answered::Done => {}
        Answered::Refused => {
            found.items.retain(|path, _| !staged(path));
            found.dress.retain(|path, _| !staged(path));
        }
        Answered::Unknown => return Ok(()),
    }
    prepared.judge(&found, answer.says()).map_err(|why| format!("right after the answer: {why}"))
}

/// Opens the workspace again, compares everything, and where the call was not done makes it once more.
pub(crate) fn reopened(door: &Door, prepared: &Prepared, known: &Known, answered: Answered) -> Result<(), Wrong> {
    door.doctor()?;
    let (found, story) = (workload::read(&door.root)?, door.story()?);
    match side(prepared, known, &found, &story, answered)? {
        Side::Before => again(door, prepared, known),
        Side::After | Side::Both => Ok(()),
    }
}

fn side(prepared: &Prepared, known: &Known, found: &Tree, story: &Story, answered: Answered) -> Result<Side, String> {
    prepared.judge(found, answered)?;
    let tree = (prepared.before == *found, prepared.after == *found);
    let told = (known.before == *story, known.after == *story);
    let could = match answered {
        Answered::Done => (false, true),
        Answered::Refused => (true, false),
        Answered::Unknown => (true, true),
    };
    match (tree.0 && told.0 && could.0, tree.1 && told.1 && could.1) {
        (true, true) => Ok(Side::Both),
        (true, false) => Ok(Side::Before),
        (false, true) => Ok(Side::After),
        (false, false) => Err(format!(
            "the answer ({answered:?}), the files and the record do not go together. Record: {story:?}, before {:?}, after {:?}",
            known.before, known.after
        )),
    }
}

/// The same call, now undisturbed, must be done.
fn again(door: &Door, prepared: &Prepared, known: &Known) -> Result<(), Wrong> {
    let answer = door.ask(&prepared.call)?;
    if answer.says() != Answered::Done {
        return Err(Wrong::Promise(format!("made again it was refused: {}", answer.value)));
    }
    prepared.judge(&workload::read(&door.root)?, Answered::Done).map_err(|why| format!("made again: {why}"))?;
    let story = door.story()?;
    if story == known.after {
        return Ok(());
    }
    Err(Wrong::Promise(format!("made again, the record tells {story:?}, not {:?}", known.after)))
}

/// A trial as findings, with what is needed to look at it where a promise was broken.
pub(crate) fn noted(
    result: Result<(), Wrong>,
    trial: &str,
    door: &Door,
    prepared: &Prepared,
    log: &Path,
) -> Result<Findings, Failure> {
    let mut findings = Findings::default();
    findings.note(match result {
        Ok(()) => Ok(()),
        Err(Wrong::Harness(failure)) => return Err(failure),
        Err(Wrong::Promise(what)) => Err(Violation {
            what: format!("{trial}: {what}"),
            before: Some(prepared.before.clone()),
            call: Some(json!({"tool": prepared.call.tool, "arguments": prepared.call.arguments})),
            found: workload::read(&door.root).ok(),
            more: vec![("trace.txt".to_owned(), std::fs::read(log).unwrap_or_default())],
        }),
    });
    Ok(findings)
}

//! A call made with no room left, then with a little more, until it succeeds.

use super::Ground;
use super::stage::{Shortage, Stage};
use crate::failure::Failure;
use crate::prove::aftermath::{self, Door};
use crate::prove::answer::Wrong;
use crate::prove::findings::{Findings, Violation};
use crate::prove::setting::Setting;
use crate::prove::workload::{self, Answered, Call};
use serde_json::json;

/// A call that needs more room than this is no workload for small disks.
const TOP: u64 = 600;

/// How one step ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Refused,
    Done,
}

/// Climbs until the call has succeeded.
pub(super) fn climb(
    setting: &Setting,
    stage: &Stage,
    ground: &Ground,
    shortage: Shortage,
) -> Result<Findings, Failure> {
    let mut findings = Findings::default();
    let (name, Shortage { tight, of }) = (&ground.prepared.name, shortage);
    let mut left = 0;
    while left < TOP {
        let door = stage.lay_out(&ground.prepared, &setting.binary, tight)?;
        let step = step(stage, &door, ground, shortage, left);
        let done = matches!(step, Ok(Step::Done) | Err(_));
        let trial = format!("{name} with {left} {of:?} left, {tight:?} tight");
        let nowhere = setting.scratch().join("no trace");
        findings.add(aftermath::noted(step.map(drop), &trial, &door, &ground.prepared, &nowhere)?);
        if done {
            return Ok(findings);
        }
        left = higher(left);
    }
    findings.note(Err(Violation::new(format!("{name}: {TOP} {of:?} are not enough, {tight:?} tight"))));
    Ok(findings)
}

/// One more each time where records and small files are written; then in strides, for large ones.
fn higher(left: u64) -> u64 {
    if left < 24 { left.saturating_add(1) } else { left.saturating_add(11) }
}

fn step(stage: &Stage, door: &Door, ground: &Ground, shortage: Shortage, left: u64) -> Result<Step, Wrong> {
    let prepared = &ground.prepared;
    stage.leave(shortage, left)?;
    if left == 0 {
        readable(door)?;
    }
    let answer = door.ask(&prepared.call)?;
    let told = |why: String| format!("{why}; the answer was {}", answer.value);
    let found = workload::read(&door.root)?;
    prepared.judge(&found, answer.says()).map_err(|why| told(format!("on the full disk: {why}")))?;
    if !matches!(answer.name(), "success" | "command_failed" | "patch_apply_error") {
        return Err(Wrong::Promise(told("a full disk is no such thing".to_owned())));
    }
    if left == 0 {
        readable(door)?;
    }
    stage.free()?;
    match aftermath::reopened(door, prepared, &ground.known, answer.says()) {
        Err(Wrong::Promise(what)) => Err(Wrong::Promise(told(what))),
        other => other.map(|()| if answer.says() == Answered::Done { Step::Done } else { Step::Refused }),
    }
}

/// Whoever only looks needs no room.
fn readable(door: &Door) -> Result<(), Wrong> {
    for (tool, arguments) in [
        ("read_file", json!({"path": "untouched", "allowBinary": true})),
        ("list_directory", json!({"recursive": true})),
        ("search_files", json!({"query": "file", "mode": "text"})),
    ] {
        let answer = door.ask(&Call { tool, arguments })?;
        if answer.says() != Answered::Done {
            return Err(Wrong::Promise(format!("{tool} was refused on a full disk: {}", answer.value)));
        }
    }
    Ok(())
}

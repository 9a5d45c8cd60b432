//! A call killed half-way, a disk that is full when the workspace is opened again, and then has room once more.

use super::Ground;
use super::stage::{Shortage, Stage};
use crate::failure::Failure;
use crate::prove::aftermath::{self, Door};
use crate::prove::answer::{self, Wrong};
use crate::prove::findings::Findings;
use crate::prove::setting::Setting;
use crate::prove::shuffle::shuffle;
use crate::prove::strace::{self, Injection};
use crate::prove::workload::{Answered, Call};
use patchwright_testkit::dice::Dice;
use serde_json::json;
use std::path::Path;

/// A system call in place of which the process dies.
pub(super) type Point = Injection;

/// How many points a short run tries of each workload.
const SHORT: usize = 14;

/// Calls after which something is left to take back.
const CALLS: &[&str] =
    &["renameat2", "unlinkat", "mkdirat", "fsync", "fdatasync", "syncfs", "pwrite64", "fchmod", "write"];

/// Where the workload is killed: at every call that changes something, or at some of them.
pub(super) fn points(setting: &Setting, ground: &Ground, dice: &mut Dice) -> Result<Vec<Point>, Failure> {
    let place = setting.scratch().join("traced");
    let root = ground.prepared.copy(&place)?;
    let log = setting.scratch().join("calm-trace");
    let command = Door::inside(&setting.binary, &root).command(&ground.prepared.call);
    answer::ask(&ground.prepared.call, strace::traced(&command, &log)).map_err(Wrong::into_failure)?;
    let calls = strace::calls(&log)?;
    let mut points: Vec<Point> = calls
        .iter()
        .filter(|call| CALLS.contains(&call.name.as_str()))
        .map(|call| Injection::kill(&call.name, call.nth))
        .collect();
    if setting.sized(true, false) {
        shuffle(&mut points, dice);
        points.truncate(SHORT);
    }
    Ok(points)
}

/// A call that is killed, and a disk without room when the workspace is opened again.
pub(super) struct Recovery<'a> {
    pub(super) ground: &'a Ground,
    pub(super) point: Point,
    pub(super) shortage: Shortage,
}

impl Recovery<'_> {
    /// One trial.
    pub(super) fn run(&self, setting: &Setting, stage: &Stage, log: &Path) -> Result<Findings, Failure> {
        let Recovery { ground, point, shortage: Shortage { tight, of } } = self;
        let door = stage.lay_out(&ground.prepared, &setting.binary, *tight)?;
        let trial = format!("{} under {point}, then opened without {of:?}, {tight:?} tight", ground.prepared.name);
        let result = self.killed(stage, &door, log);
        aftermath::noted(result, &trial, &door, &ground.prepared, log)
    }

    fn killed(&self, stage: &Stage, door: &Door, log: &Path) -> Result<(), Wrong> {
        let prepared = &self.ground.prepared;
        let done = answer::ask(&prepared.call, strace::injected(&door.command(&prepared.call), &self.point, log))?;
        let answered = if done.stdout.is_empty() { Answered::Unknown } else { Answered::Done };
        stage.leave(self.shortage, 0)?;
        // Whoever opens it now may be refused, but must say so, and must not make it worse.
        let looked =
            door.ask(&Call { tool: "read_file", arguments: json!({"path": "untouched", "allowBinary": true}) })?;
        if !matches!(looked.name(), "success" | "command_failed") {
            return Err(Wrong::Promise(format!("a full disk is no such thing: {}", looked.value)));
        }
        let more = json!({"path": "more", "content": "more\n", "dryRun": true});
        let planned = door.ask(&Call { tool: "create_file", arguments: more })?;
        if !matches!(planned.name(), "success" | "command_failed") {
            return Err(Wrong::Promise(format!("a full disk is no such thing: {}", planned.value)));
        }
        stage.free()?;
        aftermath::reopened(door, prepared, &self.ground.known, answered)
    }
}

//! Suite: a disk without room, for bytes or for names, at every point of a call and of recovery.
//!
//! Each call is made with nothing left, with one block left, with two, and so on until it succeeds; so it runs out of
//! room in every write that it makes. And calls are killed half-way, the disk is filled, and the workspace is
//! opened on the full disk. Promises to check that a full disk is told as such, changes nothing, is never a reason
//! for doubt, keeps nobody from reading, and is forgotten once there is room again. Needs root, for the mounts.

mod ladder;
mod recovery;
mod small;
mod stage;

use super::aftermath::Known;
use super::findings::Findings;
use super::setting::Setting;
use super::shuffle::shuffle;
use super::strace;
use super::turns;
use super::workload::{self, Prepared};
use crate::failure::Failure;
use crate::machine;
use recovery::Recovery;
use small::Scarce;
use stage::{Shortage, Stage, Tight};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Workloads of a short run, and those whose recovery is tried in one.
const SHORT: &[&str] = &["update-1", "mixed-4", "undo-1", "purge", "delete_file", "move-folder", "restore-folder"];
const SHORT_RECOVERY: &[&str] = &["mixed-4"];

/// A workload and what comes of it.
struct Ground {
    prepared: Prepared,
    known: Known,
}

/// What is done in one turn.
enum Turn<'a> {
    /// From no room at all up to enough.
    Climb(&'a Ground, Shortage),
    /// Killed at every so many calls, and opened again without room.
    Recover(Recovery<'a>),
}

pub(crate) fn run(setting: &Setting, findings: &mut Findings) -> Result<(), Failure> {
    if !cfg!(target_os = "linux") || !machine::is_root() {
        findings.not_here("it needs root on Linux, to mount small file systems");
        return Ok(());
    }
    strace::probe()?;
    let grounds = grounds(setting)?;
    let stages = (0..turns::threads()).map(|at| Stage::set(&setting.scratch().join(format!("stage-{at}"))));
    let stages: Vec<Mutex<Stage>> = stages.map(|stage| stage.map(Mutex::new)).collect::<Result<_, _>>()?;
    let todo = todo(setting, &grounds)?;
    let (climbs, recoveries) = counted(&todo);
    let ended = turns::each(setting, findings, todo.len(), |thread, at| {
        let (Some(turn), Some(stage)) = (todo.get(at), stages.get(thread)) else { return Ok(Findings::default()) };
        let stage = stage.lock().unwrap_or_else(PoisonError::into_inner);
        let log = setting.scratch().join(format!("trace-{thread}"));
        turn.take(setting, &stage, &log)
    });
    let count = grounds.len();
    findings
        .figures
        .push(format!("{count} workloads, {climbs} climbs from no room to enough, {recoveries} recoveries"));
    ended
}

impl Turn<'_> {
    fn take(&self, setting: &Setting, stage: &Stage, log: &Path) -> Result<Findings, Failure> {
        match self {
            Turn::Climb(ground, shortage) => ladder::climb(setting, stage, ground, *shortage),
            Turn::Recover(recovery) => recovery.run(setting, stage, log),
        }
    }
}

fn grounds(setting: &Setting) -> Result<Vec<Ground>, Failure> {
    let mut all = workload::all();
    all.retain(|workload| setting.sized(SHORT.contains(&workload.name.as_str()), workload.files <= 10));
    let (scratch, place) = (setting.scratch(), setting.scratch().join("played"));
    let ground = |workload: workload::Workload| {
        let prepared = workload.prepare(&setting.binary, scratch)?;
        let known = Known::of(&prepared, &setting.binary, &place)?;
        Ok(Ground { prepared, known })
    };
    all.into_iter().map(ground).collect()
}

fn todo<'a>(setting: &Setting, grounds: &'a [Ground]) -> Result<Vec<Turn<'a>>, Failure> {
    let mut todo = Vec::new();
    for ground in grounds {
        for tight in [Tight::Both, Tight::State, Tight::Files] {
            for of in [Scarce::Blocks, Scarce::Inodes] {
                todo.push(Turn::Climb(ground, Shortage { tight, of }));
            }
        }
    }
    let mut dice = setting.dice("full");
    for ground in grounds {
        let name = ground.prepared.name.as_str();
        if setting.sized(!SHORT_RECOVERY.contains(&name), ground.prepared.files > 4) {
            continue;
        }
        for point in recovery::points(setting, ground, &mut dice)? {
            let tight = *dice.pick(&[Tight::Both, Tight::State, Tight::Files]).unwrap_or(&Tight::Both);
            let of = if dice.coin() { Scarce::Blocks } else { Scarce::Inodes };
            todo.push(Turn::Recover(Recovery { ground, point, shortage: Shortage { tight, of } }));
        }
    }
    if setting.sized(false, true) {
        shuffle(&mut todo, &mut dice);
    }
    Ok(todo)
}

fn counted(todo: &[Turn<'_>]) -> (usize, usize) {
    let climbs = todo.iter().filter(|turn| matches!(turn, Turn::Climb(..))).count();
    (climbs, todo.len().saturating_sub(climbs))
}

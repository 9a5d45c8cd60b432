//! Suite: every system call that touches the workspace or its state fails, in every way its manual page names, once
//! and from then on.
//!
//! Promises to hold each answer against the error, the files, the record and the calls that were made: a refusal
//! only where nothing changed, a success only where all is done, the kind that `spec/errors.md` gives, no success
//! after a failed sync, no hang, no panic, no litter, and a workspace that works again afterwards.

mod losses;
mod sites;
mod table;
mod verdict;

use super::aftermath::{self, Door};
use super::answer::{self, Answer, Wrong};
use super::findings::Findings;
use super::scratch;
use super::setting::Setting;
use super::strace::{self, Times};
use super::turns;
use super::workload::{self, file};
use crate::failure::Failure;
use sites::{Ground, Place, StateAt, Trial, in_turns, names, traced};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use table::{SWAPS, SYNCS};
use tempfile::TempDir;
use verdict::Run;

/// How many trials of the sample a short run makes, besides those that it always makes.
const SHORT: usize = 150;

/// Workloads of a short run.
const SHORT_WORKLOADS: &[&str] = &[
    "update-1",
    "mixed-4",
    "create-in-new-folders",
    "undo-1",
    "restore",
    "purge",
    "propose-4",
    "reject-proposal",
    "delete-2",
    "index-rebuild-undo",
    "mixed-10",
    "delete-folder",
    "move-folder",
    "restore-folder",
    "undo-folder-becomes-file",
];

/// Workloads whose every write, swap and sync fails once in every short run.
const THOROUGH: &[&str] = &["update-1", "mixed-4"];

/// Workloads whose every sync fails once in every short run: their record is the deed.
const SYNCED: &[&str] = &["purge", "propose-4", "reject-proposal"];

/// Workloads that are tried with their state on another file system too.
const ELSEWHERE: &[&str] = &["mixed-4", "update-1", "undo-mixed-4", "restore", "delete-2", "purge", "propose-4"];

/// What all trials share.
struct Bench<'a> {
    setting: &'a Setting,
    /// A folder on another file system, if there is one.
    other: Option<TempDir>,
    grounds: Vec<Ground>,
    trials: Vec<Trial>,
    /// How many errors never came, because the run took another way that time.
    missed: AtomicU64,
}

pub(crate) fn run(setting: &Setting, findings: &mut Findings) -> Result<(), Failure> {
    strace::probe()?;
    let mut bench = Bench {
        setting,
        other: scratch::in_memory(),
        grounds: Vec::new(),
        trials: Vec::new(),
        missed: AtomicU64::new(0),
    };
    bench.grounds = bench.grounds()?;
    bench.trials = bench.trials();
    let ended = turns::each(setting, findings, bench.trials.len(), |thread, at| match bench.trials.get(at) {
        Some(trial) => bench.tried(trial, &bench.place(&format!("thread-{thread}"))?),
        None => Ok(Findings::default()),
    });
    findings.figures.push(bench.figure(findings.trials));
    ended?;
    let missed = bench.missed.into_inner();
    if missed.saturating_mul(10) > findings.trials {
        let what = format!("{missed} of {} errors never came", findings.trials);
        return Err(Failure::new(what, "look whether the workloads make the same system calls each time"));
    }
    Ok(())
}

impl Bench<'_> {
    fn grounds(&self) -> Result<Vec<Ground>, Failure> {
        let short = self.setting.sized(true, false);
        let wanted = |name: &str, files: usize| match files {
            _ if short => SHORT_WORKLOADS.contains(&name),
            ..=4 => true,
            _ => name.ends_with("-10") || name.ends_with("-folder"),
        };
        let calm = self.place("calm")?;
        let mut grounds = Vec::new();
        for mut workload in workload::all().into_iter().filter(|one| wanted(&one.name, one.files)) {
            // A lock that is never free must not cost ten seconds each time.
            let settings = file("[limits]\nlock_wait_ms = 200\n", 0o644);
            workload.before.items.insert("patchwright.toml".to_owned(), settings);
            let prepare = |place: &str| workload.prepare(&self.setting.binary, &self.place(place)?.here);
            let binary = self.setting.binary.as_path();
            grounds.push(Ground::of(prepare("inside")?, StateAt::Inside, binary, &calm)?);
            if self.other.is_some()
                && ELSEWHERE.iter().take(if short { 1 } else { 9 }).any(|name| *name == workload.name)
            {
                grounds.push(Ground::of(prepare("elsewhere")?, StateAt::Elsewhere, binary, &calm)?);
            }
        }
        Ok(grounds)
    }

    /// Folders of this name, on both file systems.
    fn place(&self, name: &str) -> Result<Place, Failure> {
        let here = self.setting.scratch().join(name);
        let there = self.other.as_ref().map(|other| other.path().join(name));
        for folder in std::iter::once(&here).chain(&there) {
            std::fs::create_dir_all(folder).map_err(|error| Failure::io(folder.display(), &error))?;
        }
        Ok(Place { here, there })
    }

    fn trials(&self) -> Vec<Trial> {
        let mut dice = self.setting.dice("errno");
        let all = in_turns(&self.grounds, &mut dice);
        if self.setting.sized(false, true) {
            return all;
        }
        let always = |trial: &&Trial| self.grounds.get(trial.ground).is_some_and(|ground| is_must(ground, trial));
        let sample = all.iter().filter(|trial| !always(trial)).take(SHORT);
        all.iter().filter(always).chain(sample).cloned().collect()
    }

    /// One trial at `place`.
    fn tried(&self, trial: &Trial, place: &Place) -> Result<Findings, Failure> {
        let Some(ground) = self.grounds.get(trial.ground) else { return Ok(Findings::default()) };
        let door = place.lay_out(&ground.prepared, ground.state, &self.setting.binary)?;
        let log = place.here.join("trace");
        let result = self.disturbed(&door, ground, trial, &log);
        let what = format!("{} under {}", ground.name(), trial.injection());
        aftermath::noted(result, &what, &door, &ground.prepared, &log)
    }

    fn disturbed(&self, door: &Door, ground: &Ground, trial: &Trial, log: &Path) -> Result<(), Wrong> {
        let prepared = &ground.prepared;
        let command =
            traced(&door.command(&prepared.call), &shown(trial), &["-e", &trial.injection().to_string()], log);
        let answer = Answer::read(&answer::ask(&prepared.call, command)?)?;
        let calls = strace::calls(log)?;
        if !strace::was_injected(log)? {
            self.missed.fetch_add(1, Ordering::Relaxed);
        }
        let run = Run { call: trial.call, error: trial.error, often: trial.often, calls: &calls, answer: &answer };
        run.judge()?;
        let told = |why: String| format!("{why}; the answer was {}", answer.value);
        let found = workload::read(&door.root)?;
        let prepared = &losses::as_told(prepared, &found, &answer, trial);
        aftermath::at_once(prepared, found, &answer).map_err(told)?;
        if verdict::closed_the_mark(&calls) {
            // Then the record says, rightly and until somebody looks, that nobody could tell how far it had come.
            return Ok(());
        }
        match aftermath::reopened(door, prepared, &ground.known, answer.says()) {
            Err(Wrong::Promise(what)) => Err(Wrong::Promise(told(what))),
            other => other,
        }
    }

    fn figure(&self, made: u64) -> String {
        let mut calls: BTreeMap<&str, usize> = BTreeMap::new();
        for trial in self.trials.iter().take(usize::try_from(made).unwrap_or(usize::MAX)) {
            *calls.entry(trial.call).or_default() += 1;
        }
        let list: Vec<String> = calls.iter().map(|(call, count)| format!("{call} {count}")).collect();
        let (grounds, of, missed) = (self.grounds.len(), self.trials.len(), self.missed.load(Ordering::Relaxed));
        format!("{grounds} workloads, {made} of {of} trials, {missed} missed; {}", list.join(", "))
    }
}

/// Is it among what every short run tries?
fn is_must(ground: &Ground, trial: &Trial) -> bool {
    let (name, call) = (ground.prepared.name.as_str(), trial.call);
    let changes = SYNCS.contains(&call) || SWAPS.contains(&call) || matches!(call, "unlinkat" | "mkdirat" | "pwrite64");
    let wanted = match ground.state {
        StateAt::Inside if THOROUGH.contains(&name) => changes,
        StateAt::Inside => SYNCED.contains(&name) && SYNCS.contains(&call),
        StateAt::Elsewhere => SYNCS.contains(&call),
    };
    wanted && trial.error == "EIO" && trial.often == Times::Once
}

/// The calls that judging needs to see.
fn shown(trial: &Trial) -> String {
    names(|name| name == trial.call || name == "openat" || SYNCS.contains(&name) || SWAPS.contains(&name))
}

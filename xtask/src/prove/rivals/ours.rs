//! Sixteen of ours at once: half of them servers, half a process for each call, all in the same few files.
//!
//! Whoever is told that somebody was quicker tries again. In the end every answered line stands in its file once,
//! in the order of the log; the counter has counted every answered step; and the log leads from the first hash of
//! every file to its last without a gap.

use super::account::{self, Done, World};
use super::lines::{self, WAYS, Way};
use super::tally::Tally;
use crate::failure::Failure;
use crate::prove::caller::{self, Answer, Caller};
use crate::prove::findings::{Findings, Violation};
use crate::prove::setting::Setting;
use crate::prove::workload;
use patchwright_testkit::dice::Dice;
use serde_json::json;
use std::path::Path;

const WORKERS: usize = 16;
const FILES: &[&str] = &["one.txt", "two.txt", "d/three.txt"];
const COUNTER: &str = "counter.txt";
/// So often somebody else may be quicker before we call it a hang.
const TRIES: usize = 500;
/// What may be answered when somebody else was quicker.
const QUICKER: &[&str] = &["stale_file", "busy", "conflict", "anchor_stale", "patch_apply_error"];

/// One of the sixteen.
struct Worker {
    number: usize,
    caller: Caller,
    dice: Dice,
    /// Shared with the neighbour, who throws the same.
    twins: Dice,
    done: Vec<Done>,
    again: usize,
}

pub(super) fn round(setting: &Setting, round: usize, seen: &mut Tally) -> Result<Findings, Failure> {
    let root = super::workspace(setting, "ours")?;
    lay_out(&root)?;
    let before = workload::read(&root)?;
    let mut workers = (0..WORKERS).map(|at| Worker::new(setting, round, at, &root)).collect::<Result<Vec<_>, _>>()?;
    let deeds = setting.sized(14, 40);
    let ended: Vec<Result<(), String>> = std::thread::scope(|scope| {
        let running: Vec<_> = workers.iter_mut().map(|worker| scope.spawn(|| worker.work(deeds))).collect();
        let panicked = || Err("a worker gave up".to_owned());
        running.into_iter().map(|thread| thread.join().unwrap_or_else(|_| panicked())).collect()
    });
    let mut findings = Findings::default();
    for what in ended.into_iter().filter_map(Result::err) {
        findings.note(Err(violation(round, what, &root)));
    }
    let again = workers.iter().map(|worker| worker.again).sum();
    let done: Vec<Done> = workers.into_iter().flat_map(|worker| worker.done).collect();
    seen.add("ours: edits answered", done.len());
    seen.add("ours: tried again because another was quicker", again);
    findings.trials = findings.trials.saturating_add(u64::try_from(done.len()).unwrap_or_default());
    let broken = match caller::record(setting, &root) {
        Ok(record) => account::broken(&World { before, found: workload::read(&root)?, record }, &done, COUNTER),
        Err(failure) => vec![format!("the log cannot be read: {failure}")],
    };
    let broken = broken.into_iter().chain(caller::verified(setting, &root).err());
    findings.violations.extend(broken.map(|what| violation(round, what, &root)));
    Ok(findings)
}

fn violation(round: usize, what: String, root: &Path) -> Violation {
    let log = crate::home::log(root);
    let found = workload::read(root).ok();
    let what = format!("ours, round {round}: {what}");
    Violation { found, more: vec![("log".to_owned(), log)], ..Violation::new(what) }
}

fn lay_out(root: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(root.join("d")).map_err(super::io(root))?;
    for file in FILES {
        std::fs::write(root.join(file), "begin\nend\n").map_err(super::io(root))?;
    }
    std::fs::write(root.join(COUNTER), "count 0\nend\n").map_err(super::io(root))
}

impl Worker {
    fn new(setting: &Setting, round: usize, number: usize, root: &Path) -> Result<Worker, Failure> {
        let durability = if number % 4 < 2 { "full" } else { "process" };
        let options = ["--durability", durability];
        let caller = match number % 2 {
            0 => Caller::mcp(setting, root, &options)?,
            _ => Caller::cli(setting, root, &options),
        };
        let dice = setting.dice(&format!("ours {round} {number}"));
        let twins = setting.dice(&format!("twins {round} {}", number / 2));
        Ok(Worker { number, caller, dice, twins, done: Vec::new(), again: 0 })
    }

    fn work(&mut self, deeds: usize) -> Result<(), String> {
        for at in 0..deeds {
            match at % 7 {
                2 | 5 => self.count()?,
                3 => self.twin(at)?,
                6 => self.two_files(at)?,
                _ => self.line(at)?,
            }
        }
        Ok(())
    }

    /// A line in one file.
    fn line(&mut self, at: usize) -> Result<(), String> {
        let file = self.dice.pick(FILES).copied().unwrap_or_default();
        let mut way = self.dice.pick(WAYS).copied().unwrap_or(Way::Patch);
        if way == Way::Ledger && self.caller.pid().is_none() {
            way = Way::Exact;
        }
        let line = format!("w{}-{at}", self.number);
        let answer = self.again(|caller| Ok(lines::add(caller, way, file, &line)?.answer))?;
        self.note(&answer, line, &[file])
    }

    /// One patch that adds a line to two files.
    fn two_files(&mut self, at: usize) -> Result<(), String> {
        let first = self.dice.below(FILES.len());
        let files = [first, first.saturating_add(1) % FILES.len()].map(|at| FILES.get(at).copied().unwrap_or_default());
        let line = format!("w{}-{at}", self.number);
        let section = |file: &str| format!("*** Update File: {file}\n@@\n+{line}\n end\n");
        let patch = format!("*** Begin Patch\n{}*** End Patch\n", files.map(section).concat());
        let answer = self.again(|caller| caller.ask("apply_patch", &json!({"patch": patch})))?;
        self.note(&answer, line, &files)
    }

    /// The same call under the same key as our neighbour makes it: one of the two is carried out.
    fn twin(&mut self, at: usize) -> Result<(), String> {
        let file = self.twins.pick(FILES).copied().unwrap_or_default();
        let line = format!("twins{}-{at}", self.number / 2);
        let patch = format!("*** Begin Patch\n*** Update File: {file}\n@@\n+{line}\n end\n*** End Patch\n");
        let arguments = json!({"patch": patch, "idempotencyKey": line});
        let answer = self.again(|caller| caller.ask("apply_patch", &arguments))?;
        self.note(&answer, line, &[file])
    }

    /// One more in the counter.
    fn count(&mut self) -> Result<(), String> {
        let answer = self.again(|caller| {
            let seen = match lines::read(caller, COUNTER)? {
                Ok(seen) => seen,
                Err(answer) => return Ok(answer),
            };
            let now: u64 = account::counted(&seen.text).ok_or_else(|| format!("the counter reads {:?}", seen.text))?;
            let edit =
                json!({"oldText": format!("count {now}\n"), "newText": format!("count {}\n", now.saturating_add(1))});
            caller.ask("edit_file", &json!({"path": COUNTER, "edits": [edit], "expectedSha256": seen.sha256}))
        })?;
        self.note(&answer, String::new(), &[COUNTER])
    }

    /// Asks until nobody else was quicker.
    fn again(&mut self, ask: impl Fn(&mut Caller) -> Result<Answer, String>) -> Result<Answer, String> {
        for _ in 0..TRIES {
            let answer = ask(&mut self.caller)?;
            match answer.kind() {
                "ok" => return Ok(answer),
                kind if QUICKER.contains(&kind) => self.again = self.again.saturating_add(1),
                _ => return Err(format!("worker {} was answered {}", self.number, answer.0)),
            }
        }
        Err(format!("worker {} tried {TRIES} times, and somebody else was always quicker", self.number))
    }

    fn note(&mut self, answer: &Answer, line: String, files: &[&'static str]) -> Result<(), String> {
        let batch = answer.text("/batchId").ok_or_else(|| format!("an answer without a batch: {}", answer.0))?;
        self.done.push(Done { line, batch: batch.to_owned(), files: files.to_vec() });
        Ok(())
    }
}

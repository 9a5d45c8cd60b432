//! Another program saves in bursts while two of ours edit the same file. After each burst, when all is quiet, every
//! save and every edit is accounted for by [`judge`].

mod judge;
mod shelves;

pub(super) use shelves::{Kept, Shelves};

use super::editors::{self, Editor, Saved};
use super::lines::{self, Way};
use super::tally::Tally;
use crate::failure::Failure;
use crate::prove::caller::{self, Caller};
use crate::prove::findings::{Findings, Violation};
use crate::prove::setting::Setting;
use crate::prove::workload;
use judge::{Aftermath, Attempt, Outcome};
use patchwright_engine::core::digest::Digest;
use patchwright_testkit::dice::Dice;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

const WAYS: &[Way] = &[Way::Write, Way::Exact, Way::Ledger, Way::Patch, Way::PatchProven, Way::Anchor];
const EDITORS: &[Editor] = &[Editor::Renames, Editor::Truncates, Editor::Appends];
/// How often version control was done while we edited, for the report; it must happen.
pub(super) const CHECKED_OUT: &str = "foreign: checkouts while we edited";
/// Version control writes all of these.
const TRACKED: &[&str] = &["v1.txt", "v2.txt", "v3.txt"];
const COMMITS: usize = 30;

/// A workspace, two of ours, and a program that saves.
struct Stage {
    root: PathBuf,
    callers: [Caller; 2],
    dice: Dice,
    /// How long our last edit took, in microseconds.
    pace: AtomicU64,
}

/// What happened in a burst.
struct Burst {
    name: String,
    editor: Editor,
    /// By file: what it was before, and what was saved.
    files: Vec<(String, String, Vec<Saved>)>,
    attempts: Vec<Attempt>,
}

pub(super) fn round(setting: &Setting, round: usize, seen: &mut Tally, findings: &mut Findings) -> Result<(), Failure> {
    for &editor in EDITORS {
        let mut stage = Stage::new(setting, editor, round)?;
        for at in 0..setting.sized(60, 250) {
            let name = format!("{} {round}/{at}", editor.name());
            note(findings, stage.burst(editor, &name), &stage.root, &name, seen);
            if !setting.goes_on(findings) {
                break;
            }
        }
        findings.violations.extend(caller::verified(setting, &stage.root).err().map(Violation::new));
    }
    checkouts(setting, round, seen, findings)
}

fn checkouts(setting: &Setting, round: usize, seen: &mut Tally, findings: &mut Findings) -> Result<(), Failure> {
    let mut stage = Stage::new(setting, Editor::ChecksOut, round)?;
    let words: Vec<String> = (0..COMMITS).map(|at| format!("g{round}-{at}")).collect();
    editors::history(&stage.root, TRACKED, &words)?;
    for at in 0..setting.sized(8, 40) {
        let name = format!("checks out {round}/{at}");
        let (first, start) = stage.start(&words)?;
        let burst = stage.checkouts(&words, first, start, &name);
        let made = burst.iter().flat_map(|burst| &burst.files).map(|(_, _, saves)| saves);
        seen.add(CHECKED_OUT, made.map(|saves| saves.iter().filter(|save| save.done).count()).max().unwrap_or(0));
        note(findings, burst, &stage.root, &name, seen);
        if !setting.goes_on(findings) {
            break;
        }
    }
    findings.violations.extend(caller::verified(setting, &stage.root).err().map(Violation::new));
    Ok(())
}

/// Judges a burst, file by file.
fn note(findings: &mut Findings, burst: Result<Burst, String>, root: &Path, name: &str, seen: &mut Tally) {
    let mut burst = match burst {
        Ok(burst) => burst,
        Err(what) => return findings.note(Err(Violation::new(format!("{name}: {what}")))),
    };
    let shelves = Shelves::of(root);
    for attempt in &burst.attempts {
        seen.add(attempt.outcome.name(), 1);
    }
    for (file, first, saves) in std::mem::take(&mut burst.files) {
        let now = std::fs::read(root.join(&file)).ok();
        let attempts: Vec<&Attempt> = burst.attempts.iter().filter(|attempt| attempt.file == file).collect();
        let aftermath =
            Aftermath { editor: burst.editor, first: &first, saves: &saves, attempts: &attempts, now: now.as_deref() };
        let judged = judge::judge(&aftermath, &shelves);
        seen.add("foreign: saves", saves.len());
        seen.add(
            "foreign: written through a handle after our commit, kept on the shelf",
            *judged.as_ref().unwrap_or(&0),
        );
        findings.note(judged.map(drop).map_err(|what| Violation {
            found: workload::read(root).ok(),
            more: vec![("story.txt".to_owned(), aftermath.story().into_bytes())],
            ..Violation::new(format!("{}: {file}: {what}", burst.name))
        }));
    }
}

impl Stage {
    fn new(setting: &Setting, editor: Editor, round: usize) -> Result<Stage, Failure> {
        let root = super::workspace(setting, editor.name())?;
        let callers = [
            Caller::mcp(setting, &root, &["--durability", "full"])?,
            Caller::mcp(setting, &root, &["--durability", "process"])?,
        ];
        let dice = setting.dice(&format!("foreign {} {round}", editor.name()));
        Ok(Stage { root, callers, dice, pace: AtomicU64::new(5_000) })
    }

    /// Saves to a file of its own, and edits of ours meanwhile.
    fn burst(&mut self, editor: Editor, name: &str) -> Result<Burst, String> {
        let file = format!("f{}.txt", name.rsplit('/').next().unwrap_or_default());
        let (path, first) = (self.root.join(&file), "begin\nfirst\nend\n".to_owned());
        std::fs::write(&path, &first).map_err(|error| error.to_string())?;
        let plans: Vec<(u64, String, String)> = (0..self.dice.below(9).saturating_add(1))
            .map(|at| {
                let word = format!("s{}-{at}", Digest::of(name.as_bytes()).to_string().get(..12).unwrap_or_default());
                let text = editor.text(&word, self.dice.below(2_000));
                (pause(&mut self.dice), word, text)
            })
            .collect();
        let saving = |pace: &AtomicU64| -> std::io::Result<Vec<Saved>> {
            let save = |(pause, word, text): &(u64, String, String)| {
                let pause = pace.load(Ordering::Relaxed).saturating_mul(*pause) / 100;
                std::thread::sleep(Duration::from_micros(pause));
                editor.save(&path, word, text.clone())
            };
            plans.iter().map(save).collect()
        };
        let deletes = [Editor::Renames, Editor::Truncates].contains(&editor);
        let (saves, attempts) =
            self.meanwhile(saving, &[&file], if deletes { Deletes::Some } else { Deletes::None })?;
        Ok(Burst { name: name.to_owned(), editor, files: vec![(file, first, saves)], attempts })
    }

    /// Checks some commit out while nobody edits; that must succeed.
    fn start(&mut self, words: &[String]) -> Result<(usize, Vec<Saved>), Failure> {
        let first = self.dice.below(words.len());
        let word = words.get(first).map_or("", String::as_str);
        let saves = editors::check_out(&self.root, TRACKED, first, word).map_err(super::io(&self.root))?;
        match saves.iter().all(|save| save.done) {
            true => Ok((first, saves)),
            false => Err(Failure::new("git checkout failed though nobody stood in its way", "run it by hand")),
        }
    }

    /// Checks further commits out, and edits of ours meanwhile.
    fn checkouts(&mut self, words: &[String], first: usize, start: Vec<Saved>, name: &str) -> Result<Burst, String> {
        let count = self.dice.below(4).saturating_add(2);
        let chosen: Vec<usize> = (0..count).map(|at| first.saturating_add(at) % words.len()).collect();
        let root = self.root.clone();
        let one = |at: usize| editors::check_out(&root, TRACKED, at, words.get(at).map_or("", String::as_str));
        let saving =
            |_: &AtomicU64| chosen.iter().skip(1).map(|at| one(*at)).collect::<std::io::Result<Vec<Vec<Saved>>>>();
        let (saves, attempts) = self.meanwhile(saving, TRACKED, Deletes::None)?;
        let of = |at: usize| saves.iter().filter_map(|saves| saves.get(at).cloned()).collect();
        let texts = start.into_iter().map(|save| save.text);
        let files = TRACKED.iter().zip(texts).enumerate().map(|(at, (file, text))| ((*file).to_owned(), text, of(at)));
        Ok(Burst { name: name.to_owned(), editor: Editor::ChecksOut, files: files.collect(), attempts })
    }

    /// Lets both of ours edit as long as somebody else saves.
    fn meanwhile<T: Send>(
        &mut self,
        saving: impl FnOnce(&AtomicU64) -> std::io::Result<T> + Send,
        files: &[&str],
        deletes: Deletes,
    ) -> Result<(T, Vec<Attempt>), String> {
        let (over, pace) = (AtomicBool::new(false), &self.pace);
        let editing = Editing { files, deletes, over: &over, pace };
        let dice = [self.dice.throw(), self.dice.throw()].map(Dice::new);
        let (saved, attempts) = std::thread::scope(|scope| {
            let ours: Vec<_> = (self.callers.iter_mut().zip(dice))
                .map(|(caller, dice)| scope.spawn(|| edits(caller, dice, &editing)))
                .collect();
            let saved = saving(pace);
            over.store(true, Ordering::Relaxed);
            let gave_up = |_| Err("a caller gave up".to_owned());
            (saved, ours.into_iter().map(|thread| thread.join().unwrap_or_else(gave_up)).collect::<Vec<_>>())
        });
        let attempts = attempts.into_iter().collect::<Result<Vec<_>, _>>()?;
        let saved = saved.map_err(|error| format!("the other program could not save: {error}"))?;
        Ok((saved, attempts.into_iter().flatten().collect()))
    }
}

/// May files be deleted, too?
#[derive(Clone, Copy, PartialEq, Eq)]
enum Deletes {
    Some,
    None,
}

/// How long to wait before the next save, in hundredths of what an edit takes: a save is to fall into the middle of one.
fn pause(dice: &mut Dice) -> u64 {
    if dice.below(4) == 0 { 0 } else { u64::try_from(dice.below(150)).unwrap_or_default() }
}

/// What ours do while somebody else saves.
struct Editing<'a> {
    files: &'a [&'a str],
    deletes: Deletes,
    /// The other has saved for the last time.
    over: &'a AtomicBool,
    /// How long the last edit took, in microseconds.
    pace: &'a AtomicU64,
}

fn edits(caller: &mut Caller, mut dice: Dice, editing: &Editing<'_>) -> Result<Vec<Attempt>, String> {
    let Editing { files, deletes, over, pace } = *editing;
    let mut attempts = Vec::new();
    while attempts.is_empty() || !over.load(Ordering::Relaxed) {
        let file = dice.pick(files).copied().unwrap_or_default();
        let way = dice.pick(WAYS).copied().unwrap_or(Way::Patch);
        let line = format!("ours-{:016x}", dice.throw());
        let begun = Instant::now();
        attempts.push(match deletes == Deletes::Some && dice.below(12) == 0 {
            true => delete(caller, file, begun)?,
            false => {
                let tried = lines::add(caller, way, file, &line)?;
                let outcome = Outcome::of(&tried.answer);
                let (before, after) = (tried.before().map(str::to_owned), tried.after().map(str::to_owned));
                Attempt { file: file.to_owned(), line, outcome, before, after, begun, ended: Instant::now() }
            }
        });
        pace.store(u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }
    Ok(attempts)
}

fn delete(caller: &mut Caller, file: &str, begun: Instant) -> Result<Attempt, String> {
    let read = lines::read(caller, file)?;
    let answer = match &read {
        Ok(seen) => caller.ask("delete_file", &json!({"path": file, "expectedSha256": seen.sha256}))?,
        Err(answer) => answer.clone(),
    };
    let before = answer.text("/beforeSha256").map(str::to_owned);
    let outcome = Outcome::of(&answer);
    Ok(Attempt {
        file: file.to_owned(),
        line: "(deletes)".to_owned(),
        outcome,
        before,
        after: None,
        begun,
        ended: Instant::now(),
    })
}

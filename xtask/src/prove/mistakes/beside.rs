//! Real edits of files that others changed since they were read, sent without a hash.
//!
//! Promises that whatever lands is what the commit and `git merge-file` have, and that the rest is refused as stale
//! and nothing changed. Where a change stood near, or the text could have meant two places, nothing may land. What
//! others did stays unseen: the session that edited beside it cannot write the whole file.

use super::Source;
use super::ask::{Ask, Dialect};
use super::case::Clean;
use super::draft::{Hunk, applied};
use super::garble::with_other_word;
use super::judge::Told;
use super::literal::beside::{NEAR, edited, place};
use super::ours::{Ours, clear, lay, look, scratch, told};
use super::sample::Sample;
use super::source::MADE_UP;
use super::text::Text;
use crate::failure::Failure;
use crate::machine;
use crate::prove::findings::{Findings, Violation};
use crate::prove::setting::Setting;
use patchwright_testkit::dice::Dice;
use patchwright_testkit::tree::{Item, Tree};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use tempfile::TempDir;

/// So many units a short run tries.
const SHORT_UNITS: usize = 12;
/// So many edits are cut out of a step.
const SAMPLES: usize = 3;
/// A session ends after so many edits, for its record grows.
const SESSION: usize = 12;

/// What has become of the file meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum World {
    /// The rest of the same commit was made.
    Rest,
    /// A part of that.
    Part,
    /// All of the commit, the edit too.
    All,
    /// A line near the edit was changed.
    Near,
    /// The place stood twice, and the one that was meant has gone.
    Copy,
}

const WORLDS: [World; 5] = [World::Rest, World::Part, World::All, World::Near, World::Copy];

/// Who changed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Who {
    Session,
    /// Another program; what was read is on record.
    Program,
    /// Another program; what was read is on record only if another file had the same bytes.
    Unrecorded,
}

/// What came of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Came {
    Landed,
    Refused,
}

/// Calls that were written for a file as it was read.
struct Trial {
    world: World,
    who: Who,
    path: String,
    name: String,
    seen: Text,
    disk: Text,
    /// What others changed of it; nothing where no result can be right.
    others: Option<Vec<Hunk>>,
    /// Each is written for the file as the earlier ones leave it.
    calls: Vec<Asked>,
}

/// Hunks of the file that was read, and the exact texts for them.
type Asked = (Vec<Hunk>, Vec<(String, String)>);

/// Where the edit and what others changed come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Origin {
    /// Both are parts of one real commit, or of a step between versions of a package.
    Commit,
    MadeUp,
}

type Counts = BTreeMap<(World, Who, Came, Origin), u64>;

pub(crate) fn run(setting: &Setting, findings: &mut Findings) -> Result<(), Failure> {
    let source = Source::of(setting)?;
    let next = AtomicUsize::new(0);
    let hands = std::thread::available_parallelism().map_or(1, usize::from);
    let results: Vec<Result<(Findings, Counts), Failure>> = std::thread::scope(|scope| {
        let work = || Worker::new(setting, &source)?.work(&next);
        let hands: Vec<_> = (0..hands).map(|_| scope.spawn(work)).collect();
        let died = || Failure::new("a worker panicked", "see its message above");
        hands.into_iter().map(|hand| hand.join().unwrap_or_else(|_| Err(died()))).collect()
    });
    let mut counts = Counts::new();
    for result in results {
        let (found, counted) = result?;
        findings.add(found);
        counted.into_iter().for_each(|(key, count)| *counts.entry(key).or_default() += count);
    }
    findings.figures.push(source.told);
    if machine::find("git").is_none() {
        findings.figures.push("not compared with git merge-file: git is not installed".to_owned());
    }
    findings.figures.extend(lines(&counts));
    Ok(())
}

/// How many landed and how many were refused, by what had become of the file.
fn lines(counts: &Counts) -> Vec<String> {
    let sum = |which: &dyn Fn(World, Who, Origin) -> bool, came: Came| -> u64 {
        let asked = counts.iter().filter(|((world, who, one, origin), _)| which(*world, *who, *origin) && *one == came);
        asked.map(|(_, count)| count).sum()
    };
    let row = |name: &str, which: &dyn Fn(World, Who, Origin) -> bool| {
        format!("{name:<44}{:>9}{:>9}", sum(which, Came::Landed), sum(which, Came::Refused))
    };
    let mut lines = vec![format!("{:<44}{:>9}{:>9}", "changed meanwhile", "landed", "refused")];
    let worlds = [
        (World::Rest, "the rest of the commit"),
        (World::Part, "a part of it"),
        (World::All, "all of it, the edit too"),
        (World::Near, "a line near the edit"),
        (World::Copy, "the copy that was meant is gone"),
    ];
    lines.extend(worlds.map(|(world, name)| row(name, &|one, _, _| one == world)));
    let whose = [
        (Who::Session, "all of these, by another session"),
        (Who::Program, "by a program, what was read is on record"),
        (Who::Unrecorded, "by a program, nothing on record of the file"),
    ];
    lines.extend(whose.map(|(who, name)| row(name, &|_, one, _| one == who)));
    lines.push(row("stale by a real commit", &|_, _, origin| origin == Origin::Commit));
    lines.push(row("in all", &|_, _, _| true));
    lines
}

/// One of those who work through the units.
struct Worker<'a> {
    setting: &'a Setting,
    source: &'a Source,
    ours: Ours,
    merge: Option<TempDir>,
    tried: usize,
    findings: Findings,
    counts: Counts,
}

impl<'a> Worker<'a> {
    fn new(setting: &'a Setting, source: &'a Source) -> Result<Worker<'a>, Failure> {
        let merge = machine::find("git").map(|_| scratch()).transpose()?;
        let (findings, counts) = (Findings::default(), Counts::new());
        Ok(Worker { setting, source, ours: Ours::open()?, merge, tried: 0, findings, counts })
    }

    fn work(mut self, next: &AtomicUsize) -> Result<(Findings, Counts), Failure> {
        while self.setting.goes_on(&self.findings) {
            let turn = next.fetch_add(1, Ordering::Relaxed);
            if turn >= self.setting.sized(SHORT_UNITS, usize::MAX) || self.source.units() == 0 {
                break;
            }
            let mut dice = self.setting.dice(&format!("beside {turn}"));
            for step in self.source.unit(turn % self.source.units(), &mut dice)? {
                for sample in step.samples(SAMPLES, &mut dice) {
                    self.sample(&sample, &mut dice)?;
                }
            }
        }
        Ok((self.findings, self.counts))
    }

    /// Tries an edit in every world.
    fn sample(&mut self, sample: &Sample, dice: &mut Dice) -> Result<(), Failure> {
        self.tried += 1;
        if self.tried.is_multiple_of(SESSION) {
            self.ours = Ours::open()?;
        }
        for world in WORLDS {
            let mut dice = Dice::new(dice.throw());
            let path = format!("c{}/{}", self.findings.trials, sample.file);
            if self.setting.goes_on(&self.findings)
                && let Some(trial) = Trial::of(sample, world, path, &mut dice)
            {
                self.trial(&trial)?;
            }
        }
        Ok(())
    }

    fn trial(&mut self, trial: &Trial) -> Result<(), Failure> {
        self.set_up(trial)?;
        let mut there = trial.disk.bytes();
        let mut landed: Vec<Hunk> = Vec::new();
        for (at, (hunks, edits)) in trial.calls.iter().enumerate() {
            let pairs: Vec<Value> = edits.iter().map(|(old, new)| json!({"oldText": old, "newText": new})).collect();
            let call = json!({"path": trial.path, "edits": pairs});
            let came = told(&self.ours.workspace, "edit_file", &call)?;
            let (found, stray) = look(self.ours.place.path(), &trial.path)?;
            let wrong = match (&came, stray) {
                (_, Some(stray)) => Some(stray),
                (Told::Refused(kind), _) if *kind != "stale_file" => Some(format!("refused as {kind}")),
                (Told::Refused(_), _) if found != there => Some("refused, and yet something changed".to_owned()),
                (Told::Refused(_), _) => None,
                (Told::Done, _) => {
                    landed.extend(hunks.iter().cloned());
                    self.wrong(trial, at, &landed, &found)?
                }
            };
            let kind = if came == Told::Done { Came::Landed } else { Came::Refused };
            *self.counts.entry((trial.world, trial.who, kind, trial.origin())).or_default() += 1;
            let broken = wrong.map(|what| trial.violation(what, &there, &found, call));
            self.findings.note(broken.map_or(Ok(()), Err));
            there = found;
            if kind == Came::Refused {
                break;
            }
        }
        self.still_unseen(trial, &there)?;
        clear(self.ours.place.path(), &trial.path)
    }

    /// The file as it is read, and then as others have changed it.
    fn set_up(&self, trial: &Trial) -> Result<(), Failure> {
        let place = self.ours.place.path();
        if trial.who == Who::Program {
            lay(place, &trial.path, b"")?;
            self.ours.other_writes(&trial.path, &trial.seen)?;
        } else {
            lay(place, &trial.path, &trial.seen.bytes())?;
        }
        told(&self.ours.workspace, "read_file", &json!({"path": trial.path}))?;
        match trial.who {
            Who::Session => self.ours.other_writes(&trial.path, &trial.disk),
            Who::Program | Who::Unrecorded => lay(place, &trial.path, &trial.disk.bytes()),
        }
    }

    /// What is wrong about an edit that landed.
    fn wrong(&self, trial: &Trial, at: usize, landed: &[Hunk], found: &[u8]) -> Result<Option<String>, Failure> {
        let Some(others) = &trial.others else {
            return Ok(Some("landed, though it had to be refused".to_owned()));
        };
        let right = applied(&trial.seen, &together(others, landed)).bytes();
        if found != right {
            return Ok(Some("silently wrong".to_owned()));
        }
        // Later calls are held against what the session knows by then.
        let first = trial.calls.first().filter(|_| at == 0);
        if let Some((_, edits)) = first
            && edited(edits, &trial.seen, &trial.disk).is_none()
        {
            return Ok(Some("landed near a change, or where its text stood twice".to_owned()));
        }
        let mine = applied(&trial.seen, &together(&[], landed)).bytes();
        let merged = self.merged([&trial.disk.bytes(), &trial.seen.bytes(), &mine])?;
        Ok(merged.filter(|merged| merged != found).map(|_| "not what git merge-file has".to_owned()))
    }

    /// What git makes of the two changes; nothing where it is not at hand.
    fn merged(&self, versions: [&[u8]; 3]) -> Result<Option<Vec<u8>>, Failure> {
        let Some(place) = &self.merge else { return Ok(None) };
        for (name, bytes) in ["theirs", "base", "mine"].iter().zip(versions) {
            let file = place.path().join(name);
            std::fs::write(&file, bytes).map_err(|error| Failure::io(file.display(), &error))?;
        }
        let mut command = Command::new("git");
        command.args(["merge-file", "-p", "theirs", "base", "mine"]).current_dir(place.path());
        let done = command.output().map_err(|error| Failure::io("git merge-file", &error))?;
        Ok(Some(done.stdout))
    }

    /// The session has not seen what others did, and cannot write over it.
    fn still_unseen(&mut self, trial: &Trial, there: &[u8]) -> Result<(), Failure> {
        let call = json!({"path": trial.path, "content": "all mine\n"});
        let came = told(&self.ours.workspace, "write_file", &call)?;
        let (found, _) = look(self.ours.place.path(), &trial.path)?;
        if came != Told::Refused("stale_file".to_owned()) || found != there {
            let what = "written over what others did, unseen".to_owned();
            self.findings.violations.push(trial.violation(what, there, &found, call));
        }
        Ok(())
    }
}

/// Hunks of one text, in order.
fn together(some: &[Hunk], others: &[Hunk]) -> Vec<Hunk> {
    let mut all: Vec<Hunk> = some.iter().chain(others).cloned().collect();
    all.sort_by_key(|hunk| (hunk.old.start, hunk.old.end));
    all
}

/// The edit as exact texts.
fn asked(sample: &Sample, path: &str, dice: &mut Dice) -> Option<Vec<(String, String)>> {
    match Clean::of(sample, Dialect::Strings, path, dice)?.ask() {
        Ask::Strings(edits) => Some(edits.clone()),
        _ => None,
    }
}

/// A call for each hunk, written for the file as the earlier ones leave it.
fn one_by_one(sample: &Sample, path: &str, dice: &mut Dice) -> Option<Vec<Asked>> {
    let mut calls = Vec::new();
    for (at, hunk) in sample.ours.iter().enumerate() {
        let earlier = sample.ours.get(..at)?;
        let moved = |line: usize| {
            let by: isize = earlier.iter().map(|one| one.new.len() as isize - one.old.len() as isize).sum();
            line.checked_add_signed(by)
        };
        let ours = vec![Hunk { old: moved(hunk.old.start)?..moved(hunk.old.end)?, new: hunk.new.clone() }];
        let part = Sample { before: applied(&sample.before, earlier), ours, ..sample.clone() };
        calls.push((vec![hunk.clone()], asked(&part, path, dice)?));
    }
    Some(calls)
}

impl Trial {
    fn of(sample: &Sample, world: World, path: String, dice: &mut Dice) -> Option<Trial> {
        let who = match dice.below(8) {
            0 => Who::Unrecorded,
            1 | 2 => Who::Program,
            _ => Who::Session,
        };
        // All at once, or a call for each hunk.
        let mut calls = match dice.coin() {
            true => vec![(sample.ours.clone(), asked(sample, &path, dice)?)],
            false => one_by_one(sample, &path, dice)?,
        };
        if world == World::Copy {
            // The others have no copy.
            calls.truncate(1);
        }
        let (seen, others, right) = world.others(sample, &calls, dice)?;
        let disk = applied(&seen, &others);
        let all: Vec<Hunk> = together(&others, &[]);
        let sound = Text::of(&disk.bytes()).as_ref() == Some(&disk) && disk != seen && disk.is_sound();
        let others = right.then_some(all);
        let name = sample.name.clone();
        sound.then_some(Trial { world, who, path, name, seen, disk, others, calls })
    }

    fn origin(&self) -> Origin {
        let made_up = matches!(self.world, World::Near | World::Copy) || self.name.starts_with(MADE_UP);
        if made_up { Origin::MadeUp } else { Origin::Commit }
    }

    fn violation(&self, what: String, before: &[u8], found: &[u8], call: Value) -> Violation {
        let tree = |bytes: &[u8]| {
            let mut tree = Tree::default();
            tree.items.insert(self.path.clone(), Item::File { bytes: bytes.to_vec(), mode: 0o644 });
            Some(tree)
        };
        Violation {
            what: format!("{what}: {:?}, {:?}; {}", self.world, self.who, self.name),
            before: tree(before),
            call: Some(call),
            found: tree(found),
            more: vec![("seen".to_owned(), self.seen.bytes())],
        }
    }
}

impl World {
    /// The file as it is read, what others change of it, and whether any result can be right then.
    fn others(self, sample: &Sample, calls: &[Asked], dice: &mut Dice) -> Option<(Text, Vec<Hunk>, bool)> {
        let (seen, rest) = (sample.before.clone(), sample.others.clone());
        match self {
            World::Rest => Some((seen, rest, true)),
            World::Part => {
                let mut part = rest;
                part.retain(|_| dice.coin());
                Some((seen, part, true))
            }
            World::All => Some((seen, together(&rest, &sample.ours), false)),
            World::Near => {
                let (_, edits) = calls.first()?;
                let hunk = near(&seen, &edits.first()?.0, dice)?;
                let meets = |one: &Hunk| one.old.start <= hunk.old.end && hunk.old.start <= one.old.end;
                (!sample.ours.iter().any(meets)).then(|| (seen, vec![hunk.clone()], true))
            }
            World::Copy => {
                let (_, edits) = calls.first()?;
                let lines = place(&edits.first()?.0, &seen)?;
                let copy = seen.lines.get(lines.clone())?.to_vec();
                let parting = (1..=NEAR + 1).map(|line| format!("// The same once more, {line}:"));
                let mut all = seen.lines.clone();
                // A line below it: the last line of a file may have no newline, and then would be no copy.
                all.extend(parting.chain(copy.iter().cloned()).chain(["// So far.".to_owned()]));
                let seen = seen.with(all);
                let end = seen.lines.len() - 1;
                let gone = if dice.coin() { end - copy.len()..end } else { lines };
                let new = if dice.coin() { vec!["// One of them is gone.".to_owned()] } else { Vec::new() };
                let sound = seen.is_sound() && Text::of(&seen.bytes()).as_ref() == Some(&seen);
                sound.then(|| (seen, vec![Hunk { old: gone, new }], false))
            }
        }
    }
}

/// A change of a line up to twice as far from a text as counts as near.
fn near(seen: &Text, old: &str, dice: &mut Dice) -> Option<Hunk> {
    let lines = place(old, seen)?;
    let far = 1 + dice.below(2 * NEAR);
    let at = if dice.coin() { lines.start.checked_sub(far)? } else { lines.end + far - 1 };
    let line = with_other_word(&format!("{} too", seen.lines.get(at)?));
    Some(match dice.below(3) {
        0 => Hunk { old: at..at + 1, new: Vec::new() },
        1 => Hunk { old: at..at, new: vec![line] },
        _ => Hunk { old: at..at + 1, new: vec![line] },
    })
}

//! The swap of a folder for a link to outside, over and over, while tools write, make, delete, move and patch below it.
//!
//! What the link leads to looks like the folder itself, name by name and byte by byte, so that a tool which got there
//! would find what it looks for. Nothing there may ever change.

use super::place::Place;
use crate::failure::Failure;
use crate::prove::caller::{self, Caller};
use crate::prove::findings::{Findings, Violation};
use crate::prove::setting::{Length, Setting};
use patchwright_testkit::dice::Dice;
use rustix::fs::{Mode, OFlags, RenameFlags, openat, renameat_with};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Which part of the attempts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Share {
    /// All of the short version; of a long one, a quarter of the time.
    First,
    /// Of a long version, whatever time is left.
    Rest,
}

/// So many attempts in one place; then everything is made anew.
const ATTEMPTS: usize = 1_000;
/// How often the outside is looked at.
const LOOK: usize = 25;

pub(super) fn run(setting: &Setting, share: Share) -> Result<Findings, Failure> {
    let mut findings = Findings::default();
    let (begun, mut swaps, mut done) = (Instant::now(), 0_u64, 0_u64);
    for round in 0_u32.. {
        let over = match (setting.length, share) {
            (Length::Short, Share::First) => round >= 2,
            (Length::Short, Share::Rest) => true,
            (Length::Long(time), Share::First) => begun.elapsed() > time.mul_f64(0.25),
            (Length::Long(_), Share::Rest) => false,
        };
        if over || !setting.goes_on(&findings) {
            break;
        }
        let purpose = format!("race {} {round}", share == Share::First);
        let (found, swapped, answered) = round_of(setting, setting.dice(&purpose))?;
        findings.add(found);
        swaps = swaps.saturating_add(swapped);
        done = done.saturating_add(answered);
    }
    if findings.trials > 0 {
        let trials = findings.trials;
        findings.figures.push(format!("race: {trials} attempts, {done} of them carried out inside, {swaps} swaps"));
    }
    Ok(findings)
}

fn round_of(setting: &Setting, mut dice: Dice) -> Result<(Findings, u64, u64), Failure> {
    let home = setting.scratch().join("race");
    let mut place = Place::new(&home, &[])?;
    lay_out(&place).map_err(|error| Failure::io(home.display(), &error))?;
    place.settle()?;
    let mut caller = Caller::mcp(setting, &place.root, &super::options(setting)?)?;
    let (over, swaps) = (AtomicBool::new(false), AtomicU64::new(0));
    let (mut findings, mut answered) = (Findings::default(), 0_u64);
    let pauses = Dice::new(dice.throw());
    let played: Result<(), Failure> = std::thread::scope(|scope| {
        let swapper = scope.spawn(|| swap(&place.root, pauses, &over, &swaps));
        let mut ids = Ids::default();
        let mut recent = Vec::new();
        let mut attempt = || -> Result<(), Failure> {
            for at in 0..ATTEMPTS {
                let (tool, arguments) = ids.call(&mut dice, at);
                recent.push(format!("{tool} {arguments}"));
                match caller.ask(tool, &arguments) {
                    Ok(answer) => {
                        answered = answered.saturating_add(u64::from(answer.is_ok()));
                        ids.learn(&answer);
                    }
                    Err(what) => {
                        findings.note(Err(Violation::new(format!("race: {what}"))));
                        return Ok(());
                    }
                }
                let look = recent.len() >= LOOK || at.saturating_add(1) == ATTEMPTS;
                let touched = if look { place.touched()? } else { None };
                let story = if look { std::mem::take(&mut recent).join("\n") } else { String::new() };
                let broken = touched.map(|what| Violation {
                    more: vec![("calls.txt".to_owned(), story.into_bytes())],
                    ..Violation::new(format!("race: {what}"))
                });
                let is_broken = broken.is_some();
                findings.note(broken.map_or(Ok(()), Err));
                if is_broken {
                    return Ok(());
                }
            }
            Ok(())
        };
        let done = attempt();
        over.store(true, Ordering::Relaxed);
        let gave_up = |_| Err(Failure::new("the swapper gave up", "run it again"));
        done.and(swapper.join().unwrap_or_else(gave_up))
    });
    played?;
    findings.violations.extend(caller.close().err().map(Violation::new));
    findings.violations.extend(caller::verified(setting, &place.root).err().map(Violation::new));
    Ok((findings, swaps.into_inner(), answered))
}

/// The folder `x`, the link `y` to its likeness outside, and a folder `z` that stays.
fn lay_out(place: &Place) -> std::io::Result<()> {
    for folder in [place.root.join("x"), place.home.join("likeness")] {
        fs::create_dir_all(folder.join("sub"))?;
        for name in ["f.txt", "g.txt", "h.txt", "sub/f.txt", "sub/g.txt"] {
            fs::write(folder.join(name), "inside\n")?;
        }
    }
    fs::create_dir_all(place.root.join("z"))?;
    fs::write(place.root.join("z/s.txt"), "inside\n")?;
    std::os::unix::fs::symlink("../likeness", place.root.join("y"))
}

/// Exchanges `x` and `y` until it is over.
fn swap(root: &Path, mut pauses: Dice, over: &AtomicBool, swaps: &AtomicU64) -> Result<(), Failure> {
    let failed = |error: rustix::io::Errno| Failure::io(root.display(), &error.into());
    let folder = openat(rustix::fs::CWD, root, OFlags::PATH | OFlags::DIRECTORY, Mode::empty()).map_err(failed)?;
    while !over.load(Ordering::Relaxed) {
        renameat_with(&folder, "x", &folder, "y", RenameFlags::EXCHANGE).map_err(failed)?;
        swaps.fetch_add(1, Ordering::Relaxed);
        match pauses.below(4) {
            0 => std::thread::sleep(Duration::from_micros(u64::try_from(pauses.below(400)).unwrap_or_default())),
            1 => std::thread::yield_now(),
            _ => {}
        }
    }
    Ok(())
}

/// Ids from earlier answers.
#[derive(Default)]
struct Ids {
    batch: Option<String>,
    trash: Option<String>,
}

impl Ids {
    fn learn(&mut self, answer: &caller::Answer) {
        self.batch = answer.text("/batchId").map(str::to_owned).or(self.batch.take());
        self.trash = answer.text("/trashId").map(str::to_owned).or(self.trash.take());
    }

    /// Some call below the folder that is swapped.
    fn call(&self, dice: &mut Dice, at: usize) -> (&'static str, Value) {
        let folder = if dice.coin() { "x" } else { "x/sub" };
        let name = ["f.txt", "g.txt"].get(dice.below(2)).copied().unwrap_or_default();
        let path = format!("{folder}/{name}");
        let (from, to) = if dice.coin() { ("inside", "changed") } else { ("changed", "inside") };
        let trash = self.trash.clone().unwrap_or_default();
        let patch = |body: String| json!({"patch": format!("*** Begin Patch\n{body}\n*** End Patch\n"), "createParentDirectories": true});
        match dice.below(13) {
            0 => ("write_file", json!({"path": path, "content": format!("{to}\n")})),
            1 => ("edit_file", json!({"path": path, "edits": [{"oldText": from, "newText": to}]})),
            2 => ("create_file", json!({"path": format!("{folder}/new-{at}.txt"), "content": "new\n"})),
            3 => (
                "create_file",
                json!({"path": format!("{folder}/n{at}/new.txt"), "content": "new\n", "createParentDirectories": true}),
            ),
            4 => ("delete_file", json!({"path": path})),
            5 => ("restore_file", json!({"trashId": trash, "targetPath": path})),
            6 => ("move_file", json!({"fromPath": path, "toPath": format!("z/m{at}.txt")})),
            7 => ("move_file", json!({"fromPath": "z/s.txt", "toPath": format!("{folder}/m{at}.txt")})),
            8 => ("move_file", json!({"fromPath": path, "toPath": format!("{folder}/h.txt"), "overwrite": true})),
            9 => (
                "apply_patch",
                patch(format!("*** Update File: {path}\n@@\n-{from}\n+{to}\n*** Add File: {folder}/p{at}.txt\n+new")),
            ),
            10 => ("apply_patch", patch(format!("*** Delete File: {path}\n*** Add File: z/p{at}.txt\n+new"))),
            11 => ("undo", json!({"batchId": self.batch.clone().unwrap_or_default()})),
            _ => ("create_file", json!({"path": path, "content": "inside\n"})),
        }
    }
}

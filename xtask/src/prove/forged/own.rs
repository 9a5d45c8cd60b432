//! Our own record, tampered with by somebody who has no key: what is genuine put elsewhere, left out, brought back.

use super::ground::Ground;
use super::past::names;
use super::plan::Harm;
use super::plant::{payloads, stuff, unlink};
use patchwright_testkit::dice::Dice;
use patchwright_testkit::forge::{Frame, Seal, TOP, frames, new_log, old_log};
use patchwright_testkit::snapshot::{Snapshot, Thing, restore};
use std::fs;
use std::io;

/// Does it.
pub(super) fn harm(ground: &Ground, harm: Harm, dice: &mut Dice) -> io::Result<()> {
    let (record, path) = (ground.record(), ground.record().join("log"));
    if record.is_symlink() || !record.is_dir() {
        return Ok(());
    }
    match harm {
        Harm::OlderWhole => return restore(&record, stage(ground, dice)),
        Harm::Gone => return unlink(&path),
        Harm::Stuffed => return stuff(&record),
        Harm::Older => {
            let older = log_of(stage(ground, dice));
            return write(&path, &older);
        }
        _ => {}
    }
    let log = ground.past.stages.last().map(log_of).unwrap_or_default();
    let made = match harm {
        Harm::Replaced if dice.coin() => old_log(&payloads(ground, dice.throw())),
        Harm::Replaced => new_log(&Seal::wrong(&ground.past.id), &payloads(ground, dice.throw())),
        Harm::Garbage => vec![0xa5; dice.below(20_000)],
        harm => changed(&log, harm, dice),
    };
    if harm == Harm::Revived {
        names(&ground.ring())
            .iter()
            .filter(|name| name.starts_with("index"))
            .try_for_each(|name| unlink(&ground.ring().join(name)))?;
    }
    stuff(&record)?;
    write(&path, &made)
}

fn write(path: &std::path::Path, bytes: &[u8]) -> io::Result<()> {
    unlink(path)?;
    fs::write(path, bytes)
}

/// The record as it was at some time.
fn stage<'a>(ground: &'a Ground, dice: &mut Dice) -> &'a Snapshot {
    static NONE: Snapshot = Snapshot::new();
    ground.past.stages.get(dice.below(ground.past.stages.len())).unwrap_or(&NONE)
}

fn log_of(stage: &Snapshot) -> Vec<u8> {
    match stage.get("log") {
        Some(Thing::File { bytes, .. }) => bytes.clone(),
        _ => Vec::new(),
    }
}

/// Another log of the same genuine records.
fn changed(log: &[u8], harm: Harm, dice: &mut Dice) -> Vec<u8> {
    let all = frames(log);
    let end = all.last().map_or(TOP, |last| last.end);
    let part = |frame: &Frame| log.get(frame.at..frame.end).unwrap_or_default().to_vec();
    let mut parts: Vec<Vec<u8>> = all.iter().map(part).collect();
    match harm {
        Harm::Truncated => return log.get(..dice.below(end.saturating_add(1))).unwrap_or_default().to_vec(),
        Harm::Flipped => {
            let mut bad = log.to_vec();
            if let Some(byte) = bad.get_mut(dice.below(end)) {
                *byte ^= 1 << dice.below(8);
            }
            return bad;
        }
        Harm::Cut => parts.truncate(dice.below(parts.len())),
        Harm::Doubled => {
            let from = dice.below(parts.len());
            parts.extend_from_within(from..);
        }
        Harm::Dropped => drop(parts.remove(dice.below(parts.len()))),
        Harm::Revived => {
            let verdicts: Vec<usize> =
                (0..all.len()).filter(|at| all.get(*at).is_some_and(|frame| frame.holds("Verdict"))).collect();
            if let [one, two] = verdicts.as_slice()
                && let Some(second) = parts.get(*two).cloned()
                && let Some(first) = parts.get_mut(*one)
            {
                *first = second;
            }
        }
        Harm::Exchanged => {
            let (one, two) = alike(&all).unwrap_or_default();
            parts.swap(one, two);
        }
        _ => parts.swap(dice.below(all.len()), dice.below(all.len())),
    }
    let mut made = log.get(..TOP).unwrap_or_default().to_vec();
    made.extend(parts.concat());
    made.resize(made.len().max(log.len()), 0);
    made
}

/// The first two commits of the same length: everything else stays where it was.
fn alike(all: &[Frame]) -> Option<(usize, usize)> {
    let commits = all.iter().enumerate().filter(|(_, frame)| frame.holds("Commit"));
    let commits: Vec<(usize, usize)> = commits.map(|(at, frame)| (at, frame.payload.len())).collect();
    let mut pairs = commits.iter().flat_map(|one| commits.iter().map(move |two| (one, two)));
    pairs.find(|(one, two)| one.0 < two.0 && one.1 == two.1).map(|(one, two)| (one.0, two.0))
}

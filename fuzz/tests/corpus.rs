//! Everything that was ever worth keeping goes through its target again, and so do some thousand changed copies of
//! it, the same each time. `PATCHWRIGHT_FUZZ_ROUNDS` asks for more of those.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test stops at the first surprise and reads the corpus itself"
)]

use patchwright_fuzz::{TARGETS, Target};
use patchwright_testkit::dice::Dice;
use std::fs;
use std::path::Path;

/// Changed copies for each target.
const ROUNDS: usize = 4_000;

/// All inputs of a target, in the order of their names.
fn kept(target: &Target) -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    for folder in ["corpus", "regressions"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join(target.name);
        let entries = if folder.is_dir() { fs::read_dir(&folder).unwrap().collect() } else { Vec::new() };
        for entry in entries {
            let path = entry.unwrap().path();
            all.push((path.display().to_string(), fs::read(&path).unwrap()));
        }
    }
    all.sort();
    all
}

/// A copy with some bytes changed, put in, taken out, or taken from another input.
fn changed(dice: &mut Dice, input: &[u8], other: &[u8]) -> Vec<u8> {
    let mut bytes = input.to_vec();
    for _ in 0..=dice.below(4) {
        let at = dice.below(bytes.len() + 1);
        let byte = u8::try_from(dice.below(256)).unwrap();
        match dice.below(5) {
            0 => bytes.insert(at, byte),
            1 if at < bytes.len() => drop(bytes.remove(at)),
            2 => bytes.truncate(at),
            3 => bytes.extend_from_slice(&other[dice.below(other.len() + 1)..]),
            _ => bytes.iter_mut().skip(at).take(1).for_each(|old| *old = byte),
        }
    }
    bytes
}

fn random(dice: &mut Dice) -> Vec<u8> {
    (0..dice.below(160)).map(|_| u8::try_from(dice.below(256)).unwrap()).collect()
}

/// Says which input it was before the panic goes on.
fn run(target: &Target, name: &str, input: &[u8]) {
    let done = std::panic::catch_unwind(|| (target.run)(input));
    assert!(done.is_ok(), "{}: {name}: {}", target.name, input.escape_ascii());
}

#[test]
fn what_was_kept_holds_and_so_do_changed_copies() {
    let asked = std::env::var("PATCHWRIGHT_FUZZ_ROUNDS").ok().and_then(|rounds| rounds.parse().ok());
    let only = std::env::var("PATCHWRIGHT_FUZZ_TARGET").ok();
    for (seed, target) in (1..).zip(TARGETS) {
        if only.as_ref().is_some_and(|only| only != target.name) {
            continue;
        }
        let kept = kept(target);
        kept.iter().for_each(|(name, input)| run(target, name, input));
        let mut dice = Dice::new(seed);
        for round in 0..asked.unwrap_or(ROUNDS) {
            let input = match (kept.is_empty(), dice.below(4)) {
                (true, _) | (false, 0) => random(&mut dice),
                _ => {
                    let (one, two) = (dice.below(kept.len()), dice.below(kept.len()));
                    changed(&mut dice, &kept[one].1, &kept[two].1)
                }
            };
            run(target, &format!("round {round}"), &input);
        }
    }
}

/// The proof takes the targets from the folders of the corpus.
#[test]
fn every_target_has_its_corpus() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut found: Vec<String> =
        fs::read_dir(corpus).unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    let mut wanted: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
    found.sort();
    wanted.sort_unstable();
    assert_eq!(found, wanted);
    assert!(TARGETS.iter().all(|target| !kept(target).is_empty()));
}

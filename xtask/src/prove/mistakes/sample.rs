//! Real edits of one file, one or a few hunks each, cut out of the steps of its history.

use super::draft::{Hunk, applied, hunks};
use super::text::Text;
use crate::replay::edit::{Change, Edit};
use patchwright_testkit::dice::Dice;

/// A file before and after a step.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// Where it comes from, for showing.
    pub(super) name: String,
    /// The file's own name, in lower case.
    pub(super) file: String,
    pub(super) before: Text,
    pub(super) after: Text,
}

/// An edit that a model might have been asked for.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    pub(super) name: String,
    pub(super) file: String,
    pub(super) before: Text,
    /// The edit, in order.
    pub(super) ours: Vec<Hunk>,
    /// What else the step changed.
    pub(super) others: Vec<Hunk>,
}

/// Files above this are left out: every tool is tried on each many times.
const MOST_BYTES: usize = 40_000;
/// Nobody asks a model for a hunk of more lines.
const MOST_LINES: usize = 60;

/// The plain text files that an edit changes.
pub(super) fn steps(edit: &Edit) -> Vec<Step> {
    let step = |change: &Change| match change {
        Change::Update { path, before, after } => step(&edit.name, path, &before.bytes, &after.bytes),
        _ => None,
    };
    edit.changes.iter().filter_map(step).collect()
}

/// A file before and after, if both are plain texts of a fit size.
pub(super) fn step(name: &str, path: &str, before: &[u8], after: &[u8]) -> Option<Step> {
    let fits = before.len().max(after.len()) <= MOST_BYTES;
    let (before, after) = fits.then(|| Some((Text::of(before)?, Text::of(after)?)))??;
    let file = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let plain = file.starts_with(|letter: char| letter.is_ascii_alphanumeric())
        && file.chars().all(|letter| letter.is_ascii_alphanumeric() || "._-".contains(letter))
        // Names that the policy takes for secrets.
        && !file.ends_with(".pem") && !file.ends_with(".key") && !file.starts_with("id_rsa");
    plain.then(|| Step { name: format!("{name}: {path}"), file, before, after })
}

impl Step {
    /// Up to so many edits out of it: hunks that stand together, up to three each.
    pub(super) fn samples(&self, most: usize, dice: &mut Dice) -> Vec<Sample> {
        let all = hunks(&self.before.lines, &self.after.lines);
        let mut samples = Vec::new();
        for _ in 0..most.min(all.len()) {
            let from = dice.below(all.len());
            let count = 1 + dice.below(3).min(all.len() - from - 1);
            samples.extend(self.sample(&all, from, count));
        }
        samples.dedup_by(|one, two| one.ours == two.ours);
        samples
    }

    fn sample(&self, all: &[Hunk], from: usize, count: usize) -> Option<Sample> {
        let ours = all.get(from..from + count)?.to_vec();
        let small = ours.iter().all(|hunk| hunk.old.len() + hunk.new.len() <= MOST_LINES);
        let after = applied(&self.before, &ours);
        let fit = small && self.before.is_sound() && after.is_sound() && !self.before.lines.is_empty();
        let others = all.iter().enumerate().filter(|(at, _)| *at < from || *at >= from + count);
        let others = others.map(|(_, hunk)| hunk.clone()).collect();
        fit.then(|| Sample {
            name: format!("{}, hunk {}", self.name, from + 1),
            file: self.file.clone(),
            before: self.before.clone(),
            ours,
            others,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_parts_of_their_step() {
        let (before, after) = (b"a\nb\nc\nd\ne\n", b"A\nb\nC\nd\nE\n");
        let step = step("x", "src/F.rs", before, after).unwrap();
        assert_eq!(step.file, "f.rs");
        let samples = step.samples(9, &mut Dice::new(1));
        assert!(!samples.is_empty());
        for sample in samples {
            assert_eq!(sample.ours.len() + sample.others.len(), 3, "{sample:?}");
        }
    }

    #[test]
    fn what_is_left_out() {
        let check = |path: &str, before: &[u8], fits: bool| {
            assert_eq!(step("x", path, before, b"a\n").is_some(), fits, "{path}");
        };
        check("a.rs", b"b\n", true);
        check(".env", b"b\n", false);
        check("a.key", b"b\n", false);
        check("a b", b"b\n", false);
        check("a.rs", b"\0", false);
        check("a.rs", &[b'x'; MOST_BYTES + 1], false);
    }
}

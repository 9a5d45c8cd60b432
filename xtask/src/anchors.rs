//! `cargo xtask anchors FILE…`: how the anchor scheme does on real files.
//!
//! Each file is read with anchors, then changed in the ways that files change under a model: lines come and
//! go above, blocks are indented, a word changes, boilerplate is added, a range is rewritten. Every anchor of
//! the old reading is then resolved in the new text and compared with where its line really went. One that
//! resolves to another line is wrong, and fails the command, unless both lines say the same and the anchor
//! was the only one of its kind when it was printed.

mod mutate;
mod tally;

use crate::failure::Failure;
use crate::replay::chance::Chance;
use crate::say;
use mutate::{Mutated, SORTS, Sort};
use patchwright_engine::core::anchor::{Anchors, Shown};
use std::fs;
use tally::{Figures, Verdict};

/// Each sort of change is made so often to each file.
const ROUNDS: u64 = 3;

/// Measures the files that the words name.
pub(crate) fn all(files: &[String]) -> Result<(), Failure> {
    if files.is_empty() {
        return Err(Failure::new("no file was named", "cargo xtask anchors FILE…"));
    }
    let mut figures = Figures::default();
    for file in files {
        let bytes = fs::read(file).map_err(|error| Failure::io(file, &error))?;
        match patchwright_engine::core::text::Document::open(bytes, None) {
            Ok(text) => measure(text.text(), &mut figures),
            Err(_) => say::line(&format!("{file} is not text: left out")),
        }
    }
    figures.lines().iter().for_each(|line| say::line(line));
    match figures.wrong() {
        0 => Ok(()),
        wrong => Err(Failure::new(format!("{wrong} anchors resolved to another line"), "each is a bug")),
    }
}

/// One file, changed in every way.
pub(crate) fn measure(text: &[u8], figures: &mut Figures) {
    let before = Anchors::of(text);
    let shown = before.slice(1..=before.count());
    figures.read(text, &before, &shown);
    for sort in SORTS {
        for round in 0..ROUNDS {
            let mut chance = Chance::new(round + 1);
            let mutated = mutate::mutate(*sort, &before, &mut chance);
            resolve(*sort, &before, &shown, &mutated, figures);
        }
    }
}

fn resolve(sort: Sort, before: &Anchors<'_>, shown: &[Shown], mutated: &Mutated, figures: &mut Figures) {
    let after = Anchors::of(&mutated.text);
    for old in shown {
        let found = after.find(&old.form);
        let verdict = match (found.as_slice(), mutated.went(old.line)) {
            ([line], Some(went)) if *line == went => Verdict::Right,
            ([line], _) if after.text(*line) == before.text(old.line) => Verdict::Twin,
            ([_], _) => Verdict::Wrong,
            ([], None) => Verdict::Gone,
            (_, None) => Verdict::Gone,
            ([], Some(_)) | (_, Some(_)) => Verdict::Refused,
        };
        figures.note(sort, old.quality, verdict);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_anchor_resolves_to_another_line() {
        let mut text = String::new();
        for part in 0..40 {
            text.push_str(&format!(
                "fn part{part}() {{\n    let x = {part};\n\n    if x > 1 {{\n        done();\n    }}\n}}\n\n"
            ));
        }
        let mut figures = Figures::default();
        measure(text.as_bytes(), &mut figures);
        assert_eq!(figures.wrong(), 0, "{:?}", figures.lines());
        assert!(figures.lines().iter().any(|line| line.starts_with("inserted above")), "{:?}", figures.lines());
    }
}

//! The papers at the top of the project, as far as a machine can judge them.

use super::Complaint;
use super::tree::Tree;
use crate::failure::Failure;

/// A file, a line it must hold, and why. An empty line asks only for the file.
const MUST_HOLD: &[(&str, &str, &str)] = &[
    ("CHANGELOG.md", "## Unreleased", "what a user will notice next goes there"),
    ("README.md", "cargo xtask test", "a newcomer must find the test command"),
    ("CONTRIBUTING.md", "cargo xtask test", "a contributor must find the test command"),
    (".ci/run", "cargo xtask test", "CI runs the same command as a person"),
    ("LICENSE-MIT", "The Patchwright contributors", "the licence names its holders"),
    ("LICENSE-APACHE", "Apache License", "the licence is dual"),
    ("GUARANTEES.md", "", "it says what a commit promises and what not"),
];

pub(super) fn check(tree: &Tree) -> Result<Vec<Complaint>, Failure> {
    let mut found = Vec::new();
    for (file, line, why) in MUST_HOLD {
        if !tree.has(file) {
            found.push(Complaint::about(file, format!("is missing: {why}")));
        } else if !tree.text(file)?.contains(line) {
            found.push(Complaint::about(file, format!("lacks `{line}`: {why}")));
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::super::scratch::{Bed, Plant, expect};
    use super::*;

    const BED: Bed = Bed { check, needs: |path| MUST_HOLD.iter().any(|(file, _, _)| *file == path) };

    #[test]
    fn a_missing_paper_and_a_missing_line_are_found() {
        let held = || MUST_HOLD.iter().filter(|(_, line, _)| !line.is_empty());
        let emptied: Vec<Plant<'_>> = held().map(|(file, _, _)| Plant::Write(file, "nothing here\n")).collect();
        let lacking: Vec<String> = held().map(|(file, line, _)| format!("{file}: lacks `{line}`")).collect();
        expect(&BED, &emptied, &lacking);
        let removed: Vec<Plant<'_>> = held().map(|(file, _, _)| Plant::Remove(file)).collect();
        let missing: Vec<String> = held().map(|(file, _, _)| format!("{file}: is missing")).collect();
        expect(&BED, &removed, &missing);
    }
}

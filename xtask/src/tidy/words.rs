//! Words that belong to somebody's machine or desk, not into the project.

use super::Complaint;
use super::tree::Tree;
use crate::failure::Failure;

/// Folders of one machine. Written in parts, so that this file passes its own check.
const MACHINE: &[&str] = &[concat!("/wor", "k/"), concat!("/roo", "t/")];

/// Homes other than the one that documents use for anybody's.
const HOME: &str = concat!("/ho", "me/");
const ANYBODY: &str = "user";

/// Turns of phrase about how a text came to be, in lower case.
const DESK: &[&str] = &[
    concat!("sub", "agent"),
    concat!("as an ", "ai "),
    concat!("co-authored", "-by"),
    concat!("generated ", "by an ai"),
];

pub(super) fn check(tree: &Tree) -> Result<Vec<Complaint>, Failure> {
    let mut found = Vec::new();
    for file in tree.files().filter(|file| *file != "Cargo.lock") {
        for (at, line) in tree.text(file)?.lines().enumerate() {
            if let Some(word) = fault(line) {
                found.push(Complaint::at(
                    file,
                    at.saturating_add(1),
                    format!("`{word}` is about somebody's machine or desk: say it without"),
                ));
            }
        }
    }
    Ok(found)
}

fn fault(line: &str) -> Option<&'static str> {
    let machine = MACHINE.iter().copied().find(|folder| begins_at(line, folder).next().is_some());
    let home = begins_at(line, HOME).any(|after| !after.starts_with(ANYBODY)).then_some(HOME);
    let lower = line.to_lowercase();
    let desk = DESK.iter().copied().find(|word| lower.contains(word));
    machine.or(home).or(desk)
}

/// What follows `folder` wherever it begins an absolute path.
fn begins_at<'a>(line: &'a str, folder: &'a str) -> impl Iterator<Item = &'a str> {
    line.match_indices(folder).filter_map(move |(at, _)| {
        let before = line.get(..at)?.chars().next_back();
        let inside = before.is_some_and(|c| c.is_alphanumeric() || "._-*}>$~/".contains(c));
        if inside { None } else { line.get(at.checked_add(folder.len())?..) }
    })
}

#[cfg(test)]
mod tests {
    use super::super::scratch::{Bed, Plant, expect};
    use super::*;

    const BED: Bed = Bed { check, needs: |path| !path.starts_with("cases/") || path.ends_with("call.json") };

    fn check_line(line: &str, faulty: Option<&str>) {
        assert_eq!(fault(line), faulty, "{line}");
    }

    #[test]
    fn absolute_places_are_told_from_parts_of_paths() {
        let (work, root) = (concat!("/wor", "k/"), concat!("/roo", "t/"));
        check_line(&format!("see {work}main"), Some(work));
        check_line(&format!("`{root}x`"), Some(root));
        check_line(&format!("/proc/self{root}x"), None);
        check_line(&format!("at{work}x"), None);
        check_line(&format!("{HOME}user/x"), None);
        check_line(&format!("{HOME}maria/x"), Some(HOME));
        check_line("the workspace / the root", None);
        check_line(&format!("a {} did it", DESK[0].to_uppercase()), Some(DESK[0]));
    }

    #[test]
    fn every_word_is_found_in_any_file() {
        for file in ["README.md", "crates/core/src/planted.rs", "cases/0001-planted/call.json"] {
            let words: Vec<&str> = MACHINE.iter().chain(DESK).copied().chain([HOME]).collect();
            let text: String = words.iter().map(|word| format!("\nsee {word} x\n")).collect();
            let expected: Vec<String> = words.iter().map(|word| format!("`{word}` is about")).collect();
            expect(&BED, &[Plant::Append(file, &text)], &expected);
        }
    }
}

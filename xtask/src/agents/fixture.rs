//! The files of the fresh workspace, and how they must look at the end.

use super::steps::LADDER;
use std::collections::BTreeMap;

pub(crate) const SMALL: &str = "small.txt";
pub(crate) const SHARED: &str = "shared.txt";
pub(crate) const DOOMED: &str = "doomed.txt";
pub(crate) const MADE: &str = "made.txt";

/// The file with so many KB.
pub(crate) fn rung(kilobytes: usize) -> String {
    format!("read-{kilobytes:03}.txt")
}

/// Lines with a number and the name of their file, `bytes` in all (rounded up to a line).
pub(crate) fn lines(name: &str, bytes: usize) -> String {
    let mut text = String::new();
    let mut number = 1_usize;
    while text.len() < bytes {
        text.push_str(&format!("{name} line {number:05}: all work and no play\n"));
        number = number.saturating_add(1);
    }
    text
}

/// The workspace at the start.
pub(crate) fn before() -> BTreeMap<String, String> {
    let small = [(SMALL, 400), (SHARED, 400), (DOOMED, 400)];
    let mut files: BTreeMap<String, String> =
        small.iter().map(|(name, bytes)| ((*name).to_owned(), lines(name, *bytes))).collect();
    files.extend(LADDER.iter().map(|size| (rung(*size), lines(&rung(*size), size << 10))));
    files
}

/// The line of [`SMALL`] that is edited, and what it becomes.
pub(crate) fn edited_line() -> (String, String) {
    let line = |play: &str| format!("{SMALL} line 00003: all work and {play}\n");
    (line("no play"), line("some play"))
}

/// [`SMALL`] after the one-line edit.
pub(crate) fn edited() -> String {
    let (old, new) = edited_line();
    lines(SMALL, 400).replace(&old, &new)
}

/// [`SMALL`] after it was overwritten.
pub(crate) fn overwritten() -> String {
    lines("overwritten", 500)
}

/// [`SHARED`] after somebody else has been there.
pub(crate) fn meddled() -> String {
    lines(SHARED, 400).replace("line 00002", "LINE 00002")
}

/// What is created, 4 KB.
pub(crate) fn created() -> String {
    lines(MADE, 4 << 10)
}

/// The workspace at the end.
pub(crate) fn after() -> BTreeMap<String, String> {
    let mut files = before();
    files.insert(SMALL.to_owned(), overwritten());
    files.insert(SHARED.to_owned(), meddled());
    files.insert(MADE.to_owned(), created());
    files
}

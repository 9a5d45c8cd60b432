//! Other writers in the same files: processes of ours, editors, version control; and readers that look all the time.
//!
//! Every edit and every save carries a word of its own, so that afterwards each of them can be accounted for:
//! it is in the file, or somebody who had seen it changed that, or it is kept. What cannot be promised (a program
//! that writes through a handle which it opened before our swap) is allowed exactly where it can have happened,
//! and counted.

mod account;
mod editors;
mod foreign;
mod holders;
mod lines;
mod ours;
mod readers;
mod tally;

use super::findings::Findings;
use super::setting::Setting;
use crate::failure::Failure;
use std::path::{Path, PathBuf};
use tally::Tally;

pub(crate) fn run(setting: &Setting, findings: &mut Findings) -> Result<(), Failure> {
    let mut seen = Tally::default();
    let ended = rounds(setting, findings, &mut seen);
    findings.figures.extend(seen.lines());
    ended?;
    // Whoever never came cannot have been in anybody's way.
    let missing = [foreign::CHECKED_OUT, holders::NOTICED].into_iter().find(|name| seen.count(name) == 0);
    match missing.filter(|_| findings.violations.is_empty()) {
        Some(name) => Err(Failure::new(format!("{name}: never"), "look at the rivals: they do not do their part")),
        None => Ok(()),
    }
}

fn rounds(setting: &Setting, findings: &mut Findings, seen: &mut Tally) -> Result<(), Failure> {
    for round in 0_usize.. {
        findings.add(ours::round(setting, round, seen)?);
        foreign::round(setting, round, seen, findings)?;
        findings.add(holders::round(setting, round, seen)?);
        findings.add(readers::round(setting, round, seen)?);
        if round.saturating_add(1) >= setting.sized(1, usize::MAX) || !setting.goes_on(findings) {
            break;
        }
    }
    Ok(())
}

/// A fresh folder for one part of a round.
fn workspace(setting: &Setting, name: &str) -> Result<PathBuf, Failure> {
    let root = setting.scratch().join(name);
    super::workload::remove(&root)?;
    std::fs::create_dir_all(&root).map_err(|error| Failure::io(root.display(), &error))?;
    Ok(root)
}

fn io(path: &Path) -> impl Fn(std::io::Error) -> Failure {
    move |error| Failure::io(path.display(), &error)
}

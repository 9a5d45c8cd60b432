//! `cargo xtask bench`: figures as ratios within one run, so that a slow machine does not change them.
//!
//! Each measurement runs ours and the others in turns. Nothing is asserted here: a person reads it.

mod anchors;
mod apply;
mod corpus;
mod edit;
mod figures;
mod history;
mod memory;
mod mount;
pub(crate) mod peers;
mod read;
mod search;
mod versus;

use crate::failure::Failure;
use crate::size::{self, Build};
use crate::{home, machine, run, say};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a measurement works with.
struct Bench {
    /// The release build of our binary.
    binary: PathBuf,
    /// Where other people's servers are installed.
    peers: PathBuf,
    /// A folder of our own, gone afterwards.
    scratch: tempfile::TempDir,
}

type Measure = fn(&Bench) -> Result<(), Failure>;

const ALL: &[(&str, Measure)] = &[
    ("read", read::measure),
    ("edit", edit::measure),
    ("apply", apply::measure),
    ("anchors", anchors::measure),
    ("search", search::measure),
    ("memory", memory::measure),
    ("history", history::measure),
    ("versus", versus::measure),
];

/// Runs the named measurements, or all.
pub(crate) fn all(root: &Path, names: &[String]) -> Result<(), Failure> {
    if let Some(name) = names.iter().find(|name| !ALL.iter().any(|(known, _)| known == name)) {
        return Err(Failure::new(
            format!("no measurement is called {name}"),
            "take read, edit, apply, anchors, search, memory, history or versus",
        ));
    }
    machine::provide(machine::FOR_BENCH)?;
    let scratch = tempfile::tempdir().map_err(|error| Failure::io("a temporary folder", &error))?;
    let bench =
        Bench { binary: size::binary(root, Build::Release)?, peers: size::target(root)?.join("peers"), scratch };
    introduce(bench.scratch.path());
    for (name, measure) in ALL.iter().filter(|(known, _)| names.is_empty() || names.iter().any(|name| name == known)) {
        say::line(&format!("\n== {name}"));
        measure(&bench)?;
    }
    Ok(())
}

impl Bench {
    /// Our MCP server on `folder`.
    fn server(&self, folder: &Path) -> Command {
        let mut command = self.ours();
        command.arg("mcp").arg("--root").arg(folder);
        command
    }

    /// Our binary, to be given words; one home serves all measurements.
    fn ours(&self) -> Command {
        let mut command = Command::new(&self.binary);
        command.env(home::VARIABLE, self.scratch.path().join("home"));
        command
    }

    /// A fresh folder below the scratch folder.
    fn folder(&self, name: &str) -> Result<PathBuf, Failure> {
        let place = self.scratch.path().join(name);
        std::fs::create_dir_all(&place).map_err(|error| Failure::io(place.display(), &error))?;
        Ok(place)
    }
}

/// The machine and the file system that the figures are from.
fn introduce(scratch: &Path) {
    let cores = std::thread::available_parallelism().map_or(0, std::num::NonZero::get);
    let said = |mut command: Command, words: &[&str]| {
        command.args(words);
        run::output(command, "").map(|bytes| String::from_utf8_lossy(&bytes).trim().to_owned()).unwrap_or_default()
    };
    let kernel = said(Command::new("uname"), &["-sr"]);
    let place = scratch.display().to_string();
    let system = said(Command::new("stat"), &["-f", "-c", "%T", &place]);
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split_whitespace().next().unwrap_or("unknown").to_owned();
    say::line(&format!("machine: {cores} cores, {kernel}, load {load}; temporary files on {system}"));
}

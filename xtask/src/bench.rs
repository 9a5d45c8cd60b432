//! `cargo xtask bench`: figures as ratios within one run, so that a slow machine does not change them.
//!
//! Each measurement runs ours and the others in turns. Nothing is asserted here: a person reads it.

mod anchors;
mod apply;
mod arguments;
mod contention;
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
use crate::machine::Tool;
use crate::size::{self, Build};
use crate::{home, machine, run, say};
use arguments::Arguments;
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
    /// How many writers `contention` starts, and how many calls they make together.
    load: contention::Load,
}

/// One measurement.
struct Measurement {
    name: &'static str,
    /// One line for the usage text.
    about: &'static str,
    /// What the machine must have for it.
    tools: &'static [Tool],
    run: fn(&Bench) -> Result<(), Failure>,
}

const fn measurement(name: &'static str, about: &'static str, run: fn(&Bench) -> Result<(), Failure>) -> Measurement {
    Measurement { name, about, tools: machine::FOR_BENCH, run }
}

const ALL: &[Measurement] = &[
    measurement("read", "reading a file, beside other servers", read::measure),
    measurement("edit", "a durable edit against the least that durable can mean", edit::measure),
    measurement("apply", "patches, beside git and patch", apply::measure),
    measurement("anchors", "edits by anchors", anchors::measure),
    measurement("search", "search and glob, beside ripgrep and fd", search::measure),
    measurement("memory", "memory of one server", memory::measure),
    measurement("history", "a workspace with 100,000 edits on record", history::measure),
    measurement("versus", "other servers", versus::measure),
    Measurement {
        tools: &[],
        ..measurement("contention", "several processes that edit one workspace at once", contention::measure)
    },
];

/// Runs the named measurements, or all.
pub(crate) fn all(root: &Path, words: &[String]) -> Result<(), Failure> {
    if words.iter().any(|word| word == "--help") {
        say::line(&arguments::usage());
        return Ok(());
    }
    let asked = Arguments::read(words)?;
    for measurement in &asked.measurements {
        machine::provide(measurement.tools)?;
    }
    let bench = Bench::new(root, &asked)?;
    introduce(bench.scratch.path());
    for measurement in &asked.measurements {
        say::line(&format!("\n== {}", measurement.name));
        (measurement.run)(&bench)?;
    }
    Ok(())
}

impl Bench {
    fn new(root: &Path, asked: &Arguments) -> Result<Bench, Failure> {
        let built = || size::binary(root, Build::Release);
        Ok(Bench {
            binary: asked.binary.clone().map_or_else(built, Ok)?,
            peers: size::target(root)?.join("peers"),
            scratch: tempfile::tempdir().map_err(|error| Failure::io("a temporary folder", &error))?,
            load: asked.load,
        })
    }

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

//! Searching, globbing and listing a large checkout, against ripgrep and fd: whole processes, in turns.
//!
//! The rivals get the flags that mean the same: hidden files in, ignore files honoured.

use super::figures::{self, Times};
use super::{Bench, corpus};
use crate::failure::Failure;
use crate::{run, say};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

const WARM_UP: usize = 2;
const RUNS: usize = 11;

/// A page of `list_directory` holds this many; the listing compares one full tree below that.
const PAGE: usize = 5_000;

pub(super) fn measure(bench: &Bench) -> Result<(), Failure> {
    let place = bench.folder("corpus")?;
    corpus::build(&place)?;
    let path = place.display().to_string();
    search(bench, &path)?;
    glob(bench, &path)?;
    listing(bench, &place)
}

fn search(bench: &Bench, path: &str) -> Result<(), Failure> {
    let arguments = json!({"query": corpus::RARE, "mode": "text"});
    let flags =
        ["--no-config", "--hidden", "--fixed-strings", "--line-number", "--column", "--no-heading", corpus::RARE, path];
    let ours = || call(bench, "search_files", path, &arguments);
    let theirs = || lines(program("rg", &flags));
    versus("search", ("patchwright search_files", &ours), ("rg", &theirs))
}

fn glob(bench: &Bench, path: &str) -> Result<(), Failure> {
    let arguments = json!({"pattern": "**/*.rs", "maxResults": 100_000});
    let ours = || call(bench, "glob", path, &arguments);
    let theirs = || lines(program("fdfind", &["--hidden", "--glob", "*.rs", path]));
    versus("glob", ("patchwright glob", &ours), ("fdfind", &theirs))
}

/// fd names the entries; ours also looks each one up for its size and time, so fd's `--list-details`
/// would be the nearer rival, but that runs `ls`: the plain one is the stricter.
fn listing(bench: &Bench, place: &Path) -> Result<(), Failure> {
    let folder = subtree(place)?;
    let path = folder.display().to_string();
    let arguments = json!({"path": ".", "recursive": true, "maxDepth": 100, "includeHidden": true});
    let ours = || call(bench, "list_directory", &path, &arguments);
    let theirs = || lines(program("fdfind", &["--unrestricted", ".", &path]));
    versus("list", ("patchwright list_directory", &ours), ("fdfind", &theirs))
}

/// A folder tree that fits into one page but not by far: files are hard links into the corpus.
fn subtree(place: &Path) -> Result<std::path::PathBuf, Failure> {
    let root = place.with_file_name("listing");
    for (number, file) in corpus::files(place)?.iter().take(PAGE.saturating_sub(200)).enumerate() {
        let folder = root.join(format!("folder{:03}", number / 50));
        let fail = |error: std::io::Error| Failure::io(folder.display(), &error);
        std::fs::create_dir_all(&folder).map_err(fail)?;
        std::fs::hard_link(file, folder.join(format!("file{number}"))).map_err(fail)?;
    }
    Ok(root)
}

/// A run of one contender: how long it took and how many results it gave.
type Contender<'a> = (&'a str, &'a dyn Fn() -> Result<(Duration, usize), Failure>);

fn versus(what: &str, ours: Contender<'_>, theirs: Contender<'_>) -> Result<(), Failure> {
    let mut times = [Times::new(ours.0), Times::new(theirs.0)];
    let mut counts = [0_usize; 2];
    for turn in 0..WARM_UP.saturating_add(RUNS) {
        for ((_, contender), (times, count)) in [&ours, &theirs].into_iter().zip(times.iter_mut().zip(&mut counts)) {
            let (time, results) = contender()?;
            *count = results;
            if turn >= WARM_UP {
                times.add(time);
            }
        }
    }
    let [first, second] = &times;
    figures::tell(what, &[first, second]);
    let speed = figures::ratio(second.median(), first.median());
    say::line(&format!("{what}: results {counts:?}; speed {speed:.2} × {}", second.name));
    Ok(())
}

/// One call through our command line; counts matches or entries.
fn call(bench: &Bench, tool: &str, path: &str, arguments: &Value) -> Result<(Duration, usize), Failure> {
    let mut command = bench.ours();
    command.args(["call", tool, "--root", path]).arg(arguments.to_string());
    let (time, bytes) = timed(command)?;
    let answer: Value = serde_json::from_slice(&bytes)
        .map_err(|error| Failure::new(format!("{tool} wrote no JSON: {error}"), "run it by hand"))?;
    let data = answer.get("data");
    let list = ["matches", "entries"].iter().find_map(|key| data?.get(key)?.as_array());
    Ok((time, list.map_or(0, Vec::len)))
}

fn lines(command: Command) -> Result<(Duration, usize), Failure> {
    let (time, bytes) = timed(command)?;
    Ok((time, bytes.iter().filter(|byte| **byte == b'\n').count()))
}

fn program(name: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(name);
    command.args(arguments);
    command
}

fn timed(command: Command) -> Result<(Duration, Vec<u8>), Failure> {
    let begun = Instant::now();
    let bytes = run::output(command, "run it by hand and see what it says")?;
    Ok((begun.elapsed(), bytes))
}

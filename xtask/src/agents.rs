//! `cargo xtask agents`: real agent programs, driven by a scripted model, make a fixed list of calls through the server;
//! a table tells what the model was shown and what it cost.

pub(crate) mod api;
mod arguments;
pub(crate) mod endpoint;
mod finding;
mod fixture;
mod http;
pub(crate) mod install;
mod measure;
pub(crate) mod programs;
pub(crate) mod relay;
mod script;
mod steps;
pub(crate) mod table;
pub(crate) mod trial;
pub(crate) mod turns;

use crate::failure::Failure;
use crate::size::{self, Build};
use crate::{home, say};
use arguments::Arguments;
use endpoint::Endpoint;
use finding::Finding;
use programs::Program;
use relay::Talk;
use script::Script;
use std::path::{Path, PathBuf};
use steps::Dialect;
use trial::Ground;

/// Runs the programs that the words name and prints the tables.
pub(crate) fn all(root: &Path, words: &[String]) -> Result<(), Failure> {
    let arguments = Arguments::of(words)?;
    let binary = match &arguments.binary {
        Some(binary) => binary.clone(),
        None => size::binary(root, Build::Debug)?,
    };
    // The programs start it from a folder of their own.
    let binary = std::path::absolute(&binary).map_err(|error| Failure::io(binary.display(), &error))?;
    let cache = size::target(root)?.join("agents");
    install::node()?;
    let mut findings = Vec::new();
    for program in arguments.programs() {
        findings.push(one(&cache, program, &binary)?);
    }
    let tables = table::all(&findings);
    say::line(&tables);
    if let Some(file) = &arguments.out {
        std::fs::write(file, &tables).map_err(|error| Failure::io(file.display(), &error))?;
    }
    judge(&findings)
}

/// The short run, for the test command.
pub(crate) fn short(root: &Path) -> Result<(), Failure> {
    all(root, &["--short".to_owned()])
}

fn one(cache: &Path, program: &Program, binary: &Path) -> Result<Finding, Failure> {
    let bin = install::program(cache, program)?;
    let ground = Ground::new()?;
    for (name, text) in fixture::before() {
        ground.lay(&name, &text)?;
    }
    // The envelope comes from this program's own tool of that name.
    let favourite = if program.bin == "codex" { Dialect::Envelope } else { Dialect::Strings };
    let script = Script::new(ground.workspace(), ground.relay(), favourite);
    let endpoint = Endpoint::start(script, &ground.requests(), trial::REQUESTS)?;
    let begun = std::time::Instant::now();
    trial::run(program, &bin, &ground, &endpoint, Some(server(&ground, binary)?))?;
    let talk = Talk::read(&ground.relay())?;
    let finding = endpoint.with(|script| Finding::of(program, script, &talk, &ground.workspace()));
    let kept: PathBuf = cache.join("logs").join(program.name);
    ground.keep(&kept)?;
    let (calls, time) = (finding.exchanges.len(), begun.elapsed().as_secs_f64());
    say::line(&format!("{}: {calls} calls in {time:.0} s", finding.name));
    Ok(finding)
}

/// The command that starts the server behind a relay. Its home is in the run's own folder.
fn server(ground: &Ground, binary: &Path) -> Result<Vec<String>, Failure> {
    let xtask = own_program()?;
    let workspace = ground.workspace();
    let place = format!("{}={}", home::VARIABLE, home::of(&workspace).display());
    let words = ["env", &place].map(str::to_owned).into_iter();
    let paths = [xtask.as_path(), Path::new(relay::VERB), &ground.relay(), binary, Path::new("--root"), &workspace];
    let paths = paths.map(|path| path.to_string_lossy().into_owned());
    Ok(words.chain(paths).chain(["mcp".to_owned()]).collect())
}

/// This program. A build may have put another of the same name in its place meanwhile, which the system then says.
fn own_program() -> Result<PathBuf, Failure> {
    let running = std::env::current_exe().map_err(|error| Failure::io("xtask", &error))?;
    let named = running.to_string_lossy().strip_suffix(" (deleted)").map(PathBuf::from);
    Ok(named.unwrap_or(running))
}

fn judge(findings: &[Finding]) -> Result<(), Failure> {
    let mut faults = 0_usize;
    for finding in findings {
        for complaint in &finding.complaints {
            say::error(&format!("{}: {complaint}", finding.name));
            faults = faults.saturating_add(1);
        }
    }
    if faults == 0 {
        return Ok(());
    }
    let what = format!("{faults} things did not go with the agents as the script has it");
    Err(Failure::new(what, "look at the logs in target/agents/logs: what the model was sent, and what the server said"))
}

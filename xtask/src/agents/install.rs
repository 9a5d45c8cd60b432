//! Getting the programs from their registry, one prefix each, at a fixed version; what is there is used again.

use super::programs::Program;
use crate::failure::Failure;
use crate::machine::{self, Tool};
use crate::{run, say};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What runs the programs.
const NODE: &[Tool] = &[Tool { program: "node", package: "nodejs" }, Tool { program: "npm", package: "npm" }];

/// The oldest Node that all programs start with.
const OLDEST: u32 = 20;

/// Makes sure that Node is there.
pub(crate) fn node() -> Result<(), Failure> {
    machine::provide(NODE)?;
    let mut ask = Command::new("node");
    ask.arg("--version");
    let said = run::output(ask, "install Node.js")?;
    let said = String::from_utf8_lossy(&said).trim().to_owned();
    match major(&said) {
        Some(found) if found >= OLDEST => Ok(()),
        _ => Err(Failure::new(
            format!("this machine has Node {said}, and the agent programs need {OLDEST} or later"),
            format!("install Node.js {OLDEST} or later"),
        )),
    }
}

/// `v20.1.2` is 20.
fn major(version: &str) -> Option<u32> {
    version.strip_prefix('v')?.split('.').next()?.parse().ok()
}

/// The program's executable below `cache`, installed if need be.
pub(crate) fn program(cache: &Path, program: &Program) -> Result<PathBuf, Failure> {
    package(&cache.join(program.bin), program.package, program.version, program.bin)
}

/// The executable `bin` of a package, in a prefix of its own.
pub(crate) fn package(prefix: &Path, name: &str, version: &str, bin: &str) -> Result<PathBuf, Failure> {
    let file = prefix.join("node_modules/.bin").join(bin);
    if file.is_file() && installed(prefix, name).as_deref() == Some(version) {
        return Ok(file);
    }
    say::line(&format!("installing {name} {version}"));
    std::fs::create_dir_all(prefix).map_err(|error| Failure::io(prefix.display(), &error))?;
    let mut npm = Command::new("npm");
    npm.args(["install", "--no-audit", "--no-fund", "--loglevel=error", "--fetch-retries=1", "--prefix"]).arg(prefix);
    npm.arg(format!("{name}@{version}"));
    let next =
        "the agents come from npm's registry: run this on a machine that reaches it, or has them in target/agents";
    run::output(npm, next).map_err(|failure| {
        Failure::new(format!("npm could not install {name} {version}: {}", reason(&failure.to_string())), next)
    })?;
    if file.is_file() { Ok(file) } else { Err(Failure::new(format!("{name} {version} brings no `{bin}`"), next)) }
}

/// The line that says what went wrong, out of all that npm says.
fn reason(said: &str) -> &str {
    let lines = || said.lines().filter_map(|line| line.split_once("npm error ")).map(|(_, rest)| rest);
    lines().find(|line| !line.starts_with("code")).or_else(|| said.lines().next()).unwrap_or_default()
}

fn installed(prefix: &Path, name: &str) -> Option<String> {
    let text = std::fs::read_to_string(prefix.join("node_modules").join(name).join("package.json")).ok()?;
    let about: Value = serde_json::from_str(&text).ok()?;
    Some(about.get("version")?.as_str()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_npm_says() {
        let said = "`npm …` ended with 1: npm error code ECONNREFUSED\nnpm error request to x failed\nnpm error more";
        assert_eq!(reason(said), "request to x failed");
        assert_eq!(reason("npm: not found"), "npm: not found");
    }

    #[test]
    fn versions_of_node() {
        for (said, want) in [("v20.1.2", Some(20)), ("v9", Some(9)), ("20.1", None), ("", None)] {
            assert_eq!(major(said), want, "{said}");
        }
    }
}

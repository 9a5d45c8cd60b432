//! Other people's programs, installed once below the target folder.
//!
//! Versions are fixed, so that a figure means the same thing next month.

use super::{Bench, corpus};
use crate::failure::Failure;
use crate::{run, say};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A program of somebody else.
#[derive(Clone, Copy)]
pub(crate) struct Package {
    pub(crate) name: &'static str,
    pub(crate) version: &'static str,
}

/// The Rust server and its version.
pub(crate) const RUST: Package = Package { name: "rust-mcp-filesystem", version: "0.4.5" };

/// The rival with line hashes, and its version.
const HASHLINE: Package = Package { name: "hashline", version: "0.2.1" };

/// The reference server and its version.
pub(crate) const NODE: Package = Package { name: "@modelcontextprotocol/server-filesystem", version: "2026.8.31" };

/// The rival whose envelope ours grew from, and its version.
pub(crate) const CODEX: Package = Package { name: "@openai/codex", version: "0.166.0" };

/// The name under which it does nothing but apply a patch.
const APPLY: &str = "apply_patch";

/// `rust-mcp-filesystem`, serving `folder`.
pub(super) fn rust_server(bench: &Bench, folder: &Path) -> Result<Command, Failure> {
    rust_server_at(&bench.peers, folder)
}

/// The same, installed below `peers`.
pub(crate) fn rust_server_at(peers: &Path, folder: &Path) -> Result<Command, Failure> {
    let mut command = Command::new(cargo(peers, RUST)?);
    command.arg(folder);
    Ok(command)
}

/// The rival command line for reading with line hashes.
pub(super) fn hashline(bench: &Bench) -> Result<PathBuf, Failure> {
    cargo(&bench.peers, HASHLINE)
}

fn cargo(peers: &Path, package: Package) -> Result<PathBuf, Failure> {
    let Package { name, version } = package;
    let program = peers.join("bin").join(name);
    if !program.is_file() {
        say::line(&format!("installing {name} {version}, which takes some minutes"));
        let mut install = Command::new("cargo");
        install.args(["install", "--quiet", "--locked", "--version", version, "--root"]).arg(peers).arg(name);
        run::plainly(install, "look at why cargo could not install it")?;
    }
    Ok(program)
}

/// The reference server on node, serving `folder`.
pub(super) fn node_server(bench: &Bench, folder: &Path) -> Result<Command, Failure> {
    node_server_at(&bench.peers, folder)
}

/// The same, installed below `peers`.
pub(crate) fn node_server_at(peers: &Path, folder: &Path) -> Result<Command, Failure> {
    let program = peers.join("node_modules/.bin/mcp-server-filesystem");
    if !program.is_file() {
        npm(peers, NODE)?;
    }
    let mut command = Command::new(program);
    command.arg(folder);
    Ok(command)
}

/// The rival's own executable, not its wrapper, under the name that makes it apply a patch.
pub(super) fn codex(bench: &Bench) -> Result<PathBuf, Failure> {
    codex_at(&bench.peers)
}

/// The same, installed below `peers`.
pub(crate) fn codex_at(peers: &Path) -> Result<PathBuf, Failure> {
    let program = peers.join(APPLY);
    if program.is_file() {
        return Ok(program);
    }
    let Package { name, version } = CODEX;
    npm(peers, CODEX)?;
    let files = corpus::files(&peers.join("node_modules/@openai"))?;
    let Some(native) = files.iter().find(|file| file.ends_with("bin/codex")) else {
        return Err(Failure::new(format!("{name} {version} has no executable for this machine"), "measure elsewhere"));
    };
    std::os::unix::fs::symlink(native, &program).map_err(|error| Failure::io(program.display(), &error))?;
    Ok(program)
}

fn npm(peers: &Path, package: Package) -> Result<(), Failure> {
    let Package { name, version } = package;
    say::line(&format!("installing {name} {version}"));
    std::fs::create_dir_all(peers).map_err(|error| Failure::io(peers.display(), &error))?;
    let mut install = Command::new("npm");
    install
        .args(["install", "--silent", "--no-audit", "--no-fund", "--prefix"])
        .arg(peers)
        .arg(format!("{name}@{version}"));
    run::plainly(install, "look at why npm could not install it")
}

//! Other people's file servers, installed once below the target folder.
//!
//! Versions are fixed, so that a figure means the same thing next month.

use super::Bench;
use crate::failure::Failure;
use crate::{run, say};
use std::path::Path;
use std::process::Command;

/// The Rust server and its version.
const RUST: (&str, &str) = ("rust-mcp-filesystem", "0.4.5");

/// The reference server and its version.
const NODE: (&str, &str) = ("@modelcontextprotocol/server-filesystem", "2026.8.31");

/// `rust-mcp-filesystem`, serving `folder`.
pub(super) fn rust_server(bench: &Bench, folder: &Path) -> Result<Command, Failure> {
    let (name, version) = RUST;
    let program = bench.peers.join("bin").join(name);
    if !program.is_file() {
        say::line(&format!("installing {name} {version}, which takes some minutes"));
        let mut install = Command::new("cargo");
        install.args(["install", "--quiet", "--locked", "--version", version, "--root"]).arg(&bench.peers).arg(name);
        run::plainly(install, "look at why cargo could not install it")?;
    }
    let mut command = Command::new(program);
    command.arg(folder);
    Ok(command)
}

/// The reference server on node, serving `folder`.
pub(super) fn node_server(bench: &Bench, folder: &Path) -> Result<Command, Failure> {
    let (name, version) = NODE;
    let program = bench.peers.join("node_modules/.bin/mcp-server-filesystem");
    if !program.is_file() {
        say::line(&format!("installing {name} {version}"));
        std::fs::create_dir_all(&bench.peers).map_err(|error| Failure::io(bench.peers.display(), &error))?;
        let mut install = Command::new("npm");
        install
            .args(["install", "--silent", "--no-audit", "--no-fund", "--prefix"])
            .arg(&bench.peers)
            .arg(format!("{name}@{version}"));
        run::plainly(install, "look at why npm could not install it")?;
    }
    let mut command = Command::new(program);
    command.arg(folder);
    Ok(command)
}

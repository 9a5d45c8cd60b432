//! Other people's tools on the same cases, each in the dialect that it speaks.

use super::ask::{Ask, Dialect};
use super::binary::fed;
use super::case::Case;
use super::judge::{Told, Tried};
use super::ours::{clear, lay, scratch};
use super::slip::Slip;
use crate::bench::peers::{CODEX, NODE, RUST, codex_at, node_server_at, rust_server_at};
use crate::client::Client;
use crate::failure::Failure;
use crate::machine;
use crate::prove::setting::{Length, Setting};
use crate::size;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A tool.
pub(super) enum Peer {
    GitApply,
    GnuPatch,
    /// The rival's program.
    Codex(PathBuf),
    /// A file server that edits by exact texts, running.
    Server(&'static str, Box<Client>),
    /// What most agents do themselves: the old text must stand there once.
    Exact,
}

/// Those that can be had here, with a folder for them.
pub(super) struct Peers {
    pub(super) all: Vec<Peer>,
    place: TempDir,
}

/// Which tools can be had, found once for all workers.
pub(super) struct Known {
    folder: PathBuf,
    pub(super) absent: Vec<String>,
    /// The versions of those that can be had, by name.
    pub(super) versions: Vec<(&'static str, String)>,
    with_network: bool,
}

/// The names under which they stand in the table.
const GIT: &str = "git apply";
const PATCH: &str = "GNU patch";
const APPLY_PATCH: &str = "codex apply_patch";
const NODE_SERVER: &str = "server-filesystem edit_file";
const RUST_SERVER: &str = "rust-mcp-filesystem edit_file";

impl Known {
    /// Looks for the tools; in a long run installs those that come over the network.
    pub(super) fn of(setting: &Setting) -> Result<Known, Failure> {
        let folder = size::target(&setting.project)?.join("peers");
        let mut known = Known { folder, absent: Vec::new(), versions: Vec::new(), with_network: false };
        for (program, name) in [("git", GIT), ("patch", PATCH)] {
            match machine::find(program) {
                Some(_) => known.versions.push((name, version_of(program)?)),
                None => known.absent.push(format!("{program} is not installed")),
            }
        }
        if setting.length == Length::Short {
            return Ok(known);
        }
        known.with_network = true;
        let node = node_server_at(&known.folder, &known.folder).map(drop);
        let rust = rust_server_at(&known.folder, &known.folder).map(drop);
        let installed = [
            (APPLY_PATCH, CODEX.version, codex_at(&known.folder).map(drop)),
            (NODE_SERVER, NODE.version, node),
            (RUST_SERVER, RUST.version, rust),
        ];
        for (name, version, found) in installed {
            match found {
                Ok(()) => known.versions.push((name, version.to_owned())),
                Err(failure) => known.absent.push(format!("{name} could not be had ({failure})").replace('\n', "; ")),
            }
        }
        Ok(known)
    }

    /// A set for one worker.
    pub(super) fn open(&self) -> Result<Peers, Failure> {
        let place = scratch()?;
        let mut all = vec![Peer::Exact];
        all.extend(machine::find("git").map(|_| Peer::GitApply));
        all.extend(machine::find("patch").map(|_| Peer::GnuPatch));
        let has = |name: &str| self.with_network && self.versions.iter().any(|(one, _)| *one == name);
        if has(APPLY_PATCH) {
            all.push(Peer::Codex(codex_at(&self.folder)?));
        }
        if has(NODE_SERVER) {
            let client = Client::start(NODE_SERVER, node_server_at(&self.folder, place.path())?)?;
            all.push(Peer::Server(NODE_SERVER, Box::new(client)));
        }
        if has(RUST_SERVER) {
            let mut command = rust_server_at(&self.folder, place.path())?;
            command.arg("--allow-write");
            all.push(Peer::Server(RUST_SERVER, Box::new(Client::start(RUST_SERVER, command)?)));
        }
        Ok(Peers { all, place })
    }
}

impl Peers {
    /// Tries a case with one of them.
    pub(super) fn attempt(&mut self, at: usize, case: &Case) -> Result<Option<Tried>, Failure> {
        let Some(peer) = self.all.get_mut(at).filter(|peer| peer.speaks(case)) else { return Ok(None) };
        lay(self.place.path(), &case.path, &case.disk.bytes())?;
        let told = peer.call(case, self.place.path())?;
        let file = self.place.path().join(&case.path);
        let found = std::fs::read(&file).map_err(|error| Failure::io(file.display(), &error))?;
        clear(self.place.path(), &case.path)?;
        Ok(Some(Tried { told, found, stray: None }))
    }
}

impl Peer {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Peer::GitApply => GIT,
            Peer::GnuPatch => PATCH,
            Peer::Codex(_) => APPLY_PATCH,
            Peer::Server(name, _) => name,
            Peer::Exact => "exact unique replacement",
        }
    }

    fn speaks(&self, case: &Case) -> bool {
        match self {
            Peer::GitApply | Peer::GnuPatch => case.dialect == Dialect::Unified,
            // It takes what stands behind `@@` for a line of the file: numbers are none of its slips.
            Peer::Codex(_) => case.dialect == Dialect::Envelope && case.slip != Slip::NumbersOff,
            Peer::Server(..) | Peer::Exact => case.dialect == Dialect::Strings,
        }
    }

    fn call(&mut self, case: &Case, root: &Path) -> Result<Told, Failure> {
        match (self, &case.ask) {
            (Peer::GitApply, Ask::Patch(text)) => {
                let mut command = Command::new("git");
                command.args(["apply", "-"]).current_dir(root);
                ended(command, text)
            }
            (Peer::GnuPatch, Ask::Patch(text)) => {
                let mut command = Command::new("patch");
                command.args(["-p1", "--forward", "--silent", "--reject-file=-", "--no-backup-if-mismatch"]);
                command.current_dir(root);
                ended(command, text)
            }
            (Peer::Codex(program), Ask::Patch(text)) => {
                let mut command = Command::new(program);
                command.arg(plain(text)).current_dir(root);
                ended(command, "")
            }
            (Peer::Server(_, client), Ask::Strings(edits)) => {
                let edits: Vec<Value> =
                    edits.iter().map(|(old, new)| json!({"oldText": old, "newText": new})).collect();
                let arguments = json!({"path": root.join(&case.path), "edits": edits});
                let result = client.ask("tools/call", json!({"name": "edit_file", "arguments": arguments}))?;
                let refused = result.get("isError") == Some(&Value::Bool(true));
                Ok(if refused { Told::Refused(String::new()) } else { Told::Done })
            }
            (_, Ask::Strings(edits)) => exact(&root.join(&case.path), edits),
            _ => Err(Failure::new("a tool was given a dialect that it does not speak", "look at the suite")),
        }
    }
}

/// The version that a program tells, which is the last word of its first line.
fn version_of(program: &str) -> Result<String, Failure> {
    let mut command = Command::new(program);
    command.arg("--version");
    let (_, said) = fed(command, "")?;
    Ok(said.lines().next().and_then(|line| line.split_whitespace().last()).unwrap_or_default().to_owned())
}

fn ended(command: Command, input: &str) -> Result<Told, Failure> {
    let (exit, said) = fed(command, input)?;
    Ok(if exit == Some(0) { Told::Done } else { Told::Refused(said) })
}

/// The envelope without the numbers behind `@@`.
fn plain(patch: &str) -> String {
    let line =
        |line: &str| if line.starts_with("@@ -") && line.ends_with(" @@") { "@@".to_owned() } else { line.to_owned() };
    let lines: Vec<String> = patch.split('\n').map(line).collect();
    lines.join("\n")
}

fn exact(file: &Path, edits: &[(String, String)]) -> Result<Told, Failure> {
    let fail = |error: std::io::Error| Failure::io(file.display(), &error);
    let mut text = std::fs::read_to_string(file).map_err(fail)?;
    for (old, new) in edits {
        if text.matches(old.as_str()).count() != 1 {
            return Ok(Told::Refused(String::new()));
        }
        text = text.replacen(old.as_str(), new, 1);
    }
    std::fs::write(file, text).map_err(fail)?;
    Ok(Told::Done)
}

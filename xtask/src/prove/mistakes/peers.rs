//! Other people's tools on the same cases, each in the dialect that it speaks.

use super::ask::{Ask, Dialect};
use super::binary::fed;
use super::case::Case;
use super::judge::{Told, Tried};
use super::ours::{clear, lay, scratch};
use super::slip::Slip;
use crate::bench::peers::{codex_at, node_server_at};
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
    /// The reference server, running.
    Server(Box<Client>),
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
    with_network: bool,
}

impl Known {
    /// Looks for the tools; in a long run installs those that come over the network.
    pub(super) fn of(setting: &Setting) -> Result<Known, Failure> {
        let folder = size::target(&setting.project)?.join("peers");
        let mut known = Known { folder, absent: Vec::new(), with_network: false };
        for program in ["git", "patch"] {
            if machine::find(program).is_none() {
                known.absent.push(format!("{program} is not installed"));
            }
        }
        if setting.length == Length::Short {
            return Ok(known);
        }
        known.with_network = true;
        let server = node_server_at(&known.folder, &known.folder).map(drop);
        for (name, found) in [("codex", codex_at(&known.folder).map(drop)), ("server-filesystem", server)] {
            if let Err(failure) = found {
                known.absent.push(format!("{name} could not be had ({failure})").replace('\n', "; "));
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
        let has = |name: &str| self.with_network && !self.absent.iter().any(|one| one.starts_with(name));
        if has("codex") {
            all.push(Peer::Codex(codex_at(&self.folder)?));
        }
        if has("server-filesystem") {
            let client = Client::start("server-filesystem", node_server_at(&self.folder, place.path())?)?;
            all.push(Peer::Server(Box::new(client)));
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
            Peer::GitApply => "git apply",
            Peer::GnuPatch => "GNU patch",
            Peer::Codex(_) => "codex apply_patch",
            Peer::Server(_) => "server-filesystem edit_file",
            Peer::Exact => "exact unique replacement",
        }
    }

    fn speaks(&self, case: &Case) -> bool {
        match self {
            Peer::GitApply | Peer::GnuPatch => case.dialect == Dialect::Unified,
            // It takes what stands behind `@@` for a line of the file: numbers are none of its slips.
            Peer::Codex(_) => case.dialect == Dialect::Envelope && case.slip != Slip::NumbersOff,
            Peer::Server(_) | Peer::Exact => case.dialect == Dialect::Strings,
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
            (Peer::Server(client), Ask::Strings(edits)) => {
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

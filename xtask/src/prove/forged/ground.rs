//! A workspace with all that surrounds it: home, neighbours, a folder outside. It has a past, made by the binary itself,
//! and can be brought back to where it was at any time.

use super::fail;
use super::past::{self, Past};
use crate::failure::Failure;
use crate::prove::{SEEDED_BUG, watch};
use crate::run;
use patchwright_testkit::snapshot::{Snapshot, restore, snapshot};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// What sort of root it is, and with that where its record stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Where {
    /// A plain folder: in the tree.
    Plain,
    /// A repository: in its git folder.
    Git,
    /// A folder in a repository: in the tree.
    Sub,
    /// A linked worktree: in its own git folder.
    Linked,
    /// In a folder that was asked for.
    Given,
    /// A repository that nobody has used yet.
    FreshGit,
    /// A plain folder, used by nobody, and no home either.
    FreshPlain,
}

pub(super) const WHERES: &[Where] =
    &[Where::Plain, Where::Git, Where::Sub, Where::Linked, Where::Given, Where::FreshGit, Where::FreshPlain];

/// Folders in which everything counts; the others are the business of the machine or of home.
pub(super) const WATCHED: [&str; 5] = ["ws", "outside", "linked", "far", "other"];
const FOLDERS: [&str; 11] =
    ["ws", "outside", "linked", "far", "other", "home", "user", "run", "state", "config", "tmp"];

/// See above.
pub(super) struct Ground {
    pub(super) at: Where,
    /// The folder that all of it is in.
    pub(super) folder: PathBuf,
    pub(super) root: PathBuf,
    /// Where records may stand, the place of our own first.
    pub(super) places: Vec<PathBuf>,
    pub(super) past: Past,
    /// Every folder as it was, by name.
    kept: Vec<(&'static str, Snapshot)>,
    binary: PathBuf,
}

/// What a command came to.
#[derive(Debug)]
pub(super) struct Ran {
    /// Nothing if it was killed.
    pub(super) code: Option<i32>,
    pub(super) out: String,
    pub(super) err: String,
}

impl Ran {
    pub(super) fn told(&self) -> String {
        let told: String = format!("{}{}", self.out, self.err).chars().take(1200).collect();
        format!("{:?} {told}", self.code)
    }
}

impl From<Output> for Ran {
    fn from(done: Output) -> Ran {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ran { code: done.status.code(), out: text(&done.stdout), err: text(&done.stderr) }
    }
}

impl Ground {
    /// Makes one, with a past where it is to have one.
    pub(super) fn new(folder: &Path, binary: &Path, at: Where) -> Result<Ground, Failure> {
        let oops = fail(folder);
        fs::create_dir_all(folder).map_err(&oops)?;
        for name in FOLDERS.iter().filter(|name| (at, **name) != (Where::FreshPlain, "home")) {
            fs::create_dir_all(folder.join(name)).map_err(&oops)?;
            fs::set_permissions(folder.join(name), fs::Permissions::from_mode(0o700)).map_err(&oops)?;
        }
        let root = match at {
            Where::Sub => folder.join("ws/d"),
            Where::Linked => folder.join("linked"),
            _ => folder.join("ws"),
        };
        furnish(folder, at).map_err(&oops)?;
        versioned(folder, at)?;
        let places = places(folder, &root, at);
        let (binary, past, kept) = (binary.to_owned(), Past::default(), Vec::new());
        let mut ground = Ground { at, folder: folder.to_owned(), root, places, past, kept, binary };
        if at != Where::FreshPlain {
            ground.past = past::live(&ground)?;
        }
        let kept = FOLDERS.iter().filter(|name| folder.join(name).is_dir());
        ground.kept = kept.map(|name| (*name, snapshot(&folder.join(name)))).collect();
        Ok(ground)
    }

    /// Everything as it was.
    pub(super) fn again(&self) -> Result<(), Failure> {
        for name in FOLDERS {
            let place = self.folder.join(name);
            match self.kept.iter().find(|(kept, _)| *kept == name) {
                Some((_, kept)) => restore(&place, kept).map_err(fail(&place))?,
                None if place.exists() => fs::remove_dir_all(&place).map_err(fail(&place))?,
                None => {}
            }
        }
        Ok(())
    }

    /// Everything that counts, by its path below the folder.
    pub(super) fn watched(&self) -> Snapshot {
        let below = |name: &str| {
            snapshot(&self.folder.join(name))
                .into_iter()
                .map(move |(path, thing)| (format!("{name}/{path}"), thing))
                .collect::<Vec<_>>()
        };
        WATCHED.iter().flat_map(|name| below(name)).collect()
    }

    /// A path in the root as [`Ground::watched`] names it.
    pub(super) fn name(&self, path: &str) -> String {
        self.named(&self.root.join(path))
    }

    pub(super) fn named(&self, path: &Path) -> String {
        path.strip_prefix(&self.folder).unwrap_or(path).display().to_string()
    }

    pub(super) fn home(&self) -> PathBuf {
        self.folder.join("home")
    }

    /// Has the root a record of ours?
    pub(super) fn is_used(&self) -> bool {
        !self.past.id.is_empty()
    }

    /// Our record.
    pub(super) fn record(&self) -> PathBuf {
        self.places.first().unwrap_or(&self.root).join(&self.past.id)
    }

    /// Its folder at home.
    pub(super) fn ring(&self) -> PathBuf {
        self.home().join("ws").join(&self.past.id)
    }

    /// The binary, about to be run on the root, with nothing of the real surroundings.
    pub(super) fn command(&self, words: &[&str]) -> Command {
        self.command_in(&self.root, words)
    }

    pub(super) fn command_in(&self, root: &Path, words: &[&str]) -> Command {
        let mut command = Command::new(&self.binary);
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
        if let Some(bug) = std::env::var_os(SEEDED_BUG) {
            command.env(SEEDED_BUG, bug);
        }
        command.env("PATCHWRIGHT_HOME", self.home());
        let folders = [("HOME", "user"), ("XDG_RUNTIME_DIR", "run"), ("XDG_STATE_HOME", "state")];
        for (name, folder) in folders.into_iter().chain([("XDG_CONFIG_HOME", "config"), ("TMPDIR", "tmp")]) {
            command.env(name, self.folder.join(folder));
        }
        command.current_dir(self.folder.join("tmp")).args(["--unchecked", "--root"]).arg(root);
        if self.at == Where::Given && root == self.root {
            command.arg("--state-dir").arg(self.folder.join("far/state"));
        }
        command.args(words);
        command
    }

    /// Runs it; an error is a promise broken: it hangs, or cannot be run at all.
    pub(super) fn run(&self, words: &[&str]) -> Result<Ran, String> {
        let done = watch::output(self.command(words), "").map_err(|error| format!("{words:?}: {error}"))?;
        Ok(Ran::from(done))
    }

    pub(super) fn call(&self, tool: &str, arguments: &Value) -> Result<Ran, String> {
        self.run(&["call", tool, &arguments.to_string()])
    }
}

/// Puts something into the folders. Links lead to the git folder and outside.
fn furnish(folder: &Path, at: Where) -> std::io::Result<()> {
    for root in ["ws", "ws/d", "other"] {
        fs::create_dir_all(folder.join(root).join("d"))?;
        for name in ["a.txt", "b.txt", "d/c.txt"] {
            fs::write(folder.join(root).join(name), "inside\n")?;
        }
    }
    for root in ["ws", "ws/d"] {
        symlink(".git", folder.join(root).join("vendor"))?;
        symlink(folder.join("outside"), folder.join(root).join("way-out"))?;
    }
    fs::create_dir_all(folder.join("outside/d"))?;
    fs::write(folder.join("outside/precious.txt"), "outside\n")?;
    fs::write(folder.join("outside/d/c.txt"), "inside\n")?;
    if at == Where::Given {
        fs::create_dir_all(folder.join("far/state"))?;
    }
    Ok(())
}

/// Makes a repository where there is to be one.
fn versioned(folder: &Path, at: Where) -> Result<(), Failure> {
    if matches!(at, Where::Plain | Where::FreshPlain) {
        return Ok(());
    }
    let ws = folder.join("ws");
    git(&ws, &["init", "--quiet", "--template="])?;
    git(&ws, &["add", "--all"])?;
    git(&ws, &["commit", "--quiet", "--message", "first"])?;
    fs::create_dir_all(ws.join(".git/hooks")).map_err(fail(&ws))?;
    if at == Where::Linked {
        git(&ws, &["worktree", "add", "--quiet", "--force", "../linked"])?;
    }
    Ok(())
}

fn git(folder: &Path, words: &[&str]) -> Result<(), Failure> {
    let mut command = Command::new("git");
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("GIT_")) {
        command.env_remove(name);
    }
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
    let settings = ["user.name=T", "user.email=t@example.org", "init.defaultBranch=main", "commit.gpgSign=false"];
    command.args(settings.iter().flat_map(|setting| ["-c", setting])).current_dir(folder).args(words);
    run::output(command, "install git").map(drop)
}

/// Where records of a root may stand, the place of our own first.
fn places(folder: &Path, root: &Path, at: Where) -> Vec<PathBuf> {
    let own = match at {
        Where::Git | Where::FreshGit => Some(root.join(".git/patchwright")),
        Where::Linked => Some(folder.join("ws/.git/worktrees/linked/patchwright")),
        Where::Given => return vec![folder.join("far/state")],
        Where::Plain | Where::Sub | Where::FreshPlain => None,
    };
    own.into_iter().chain([root.join(".patchwright")]).collect()
}

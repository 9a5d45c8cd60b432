//! A workspace with a home of its own, and the binary run in it as a person or a program would.

use crate::snapshot::{Snapshot, differing, snapshot};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Whoever tests run as where they may be anybody, and a mode is to count.
pub(crate) const NOBODY: u32 = 65534;

pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_patchwright");

/// A folder with a workspace `ws` and a home `home` in it, and everything else that a process looks for.
pub(crate) struct Place {
    pub(crate) dir: TempDir,
    pub(crate) root: PathBuf,
    pub(crate) home: PathBuf,
    /// Run as this user, if not as oneself.
    user: Option<u32>,
}

/// What a command came to.
#[derive(Debug)]
pub(crate) struct Ran {
    /// Nothing if it was killed.
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    pub(crate) fn of(mut command: Command) -> Ran {
        let ran = command.output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ran { code: ran.status.code(), out: text(&ran.stdout), err: text(&ran.stderr) }
    }

    /// Everything it said.
    pub(crate) fn told(&self) -> String {
        format!("{}{}", self.out, self.err)
    }

    /// It ended with this status.
    pub(crate) fn is(self, code: i32, story: &str) -> Ran {
        assert_eq!(self.code, Some(code), "{story}: {}{}", self.out, self.err);
        self
    }

    /// The answer to a call.
    pub(crate) fn answer(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|_| panic!("no answer: {self:?}"))
    }

    /// What it warned of, in the answer or on standard error.
    pub(crate) fn warned(&self) -> String {
        let answer: Value = serde_json::from_str(&self.out).unwrap_or_default();
        let warnings = answer.get("warnings").map(Value::to_string).unwrap_or_default();
        format!("{warnings}{}", self.err)
    }
}

/// The kind of a refusal; `ok` if it is none.
pub(crate) fn kind(answer: &Value) -> &str {
    answer.pointer("/error/kind").and_then(Value::as_str).unwrap_or("ok")
}

impl Place {
    /// `ws/` with two files, and a home that is not there yet.
    pub(crate) fn new() -> Place {
        let dir = tempfile::tempdir().unwrap();
        let real = fs::canonicalize(dir.path()).unwrap();
        let place = Place { root: real.join("ws"), home: real.join("home"), dir, user: None };
        for folder in ["ws/d", "user", "run", "state", "config", "tmp"] {
            fs::create_dir_all(place.at(folder)).unwrap();
        }
        fs::set_permissions(place.at("run"), fs::Permissions::from_mode(0o700)).unwrap();
        fs::write(place.root.join("a.txt"), "inside\n").unwrap();
        fs::write(place.root.join("d/b.txt"), "inside\n").unwrap();
        place
    }

    /// The same, used by somebody for whom modes count: root is not such a one.
    pub(crate) fn of_nobody() -> Place {
        let mut place = Place::new();
        if is_root() {
            place.user = Some(NOBODY);
            place.give(place.dir.path(), NOBODY);
            // Where it was built may be closed to others. The link comes last: it has the owner of the real one.
            let program = place.at("patchwright");
            fs::hard_link(BINARY, &program).or_else(|_| fs::copy(BINARY, &program).map(drop)).unwrap();
        }
        place
    }

    /// The same surroundings, with another folder for a root.
    pub(crate) fn rooted(self, root: PathBuf) -> Place {
        Place { root, ..self }
    }

    /// Gives a folder and all below it to a user.
    pub(crate) fn give(&self, folder: &Path, user: u32) {
        chown(folder, Some(user), Some(user)).unwrap();
        for path in snapshot(folder).keys() {
            std::os::unix::fs::lchown(folder.join(path), Some(user), Some(user)).unwrap();
        }
    }

    /// The user that processes here run as.
    pub(crate) fn uid(&self) -> u32 {
        self.user.unwrap_or_else(|| rustix::process::geteuid().as_raw())
    }

    /// Something beside the workspace.
    pub(crate) fn at(&self, below: &str) -> PathBuf {
        fs::canonicalize(self.dir.path()).unwrap().join(below)
    }

    /// Something in the workspace.
    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.root.join(below)
    }

    /// The binary, about to be run on a root, with nothing of the real surroundings.
    pub(crate) fn command(&self, root: &Path, args: &[&str]) -> Command {
        let program = if self.user.is_some() { self.at("patchwright") } else { BINARY.into() };
        let mut command = Command::new(program);
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("PATCHWRIGHT_HOME", &self.home).env("HOME", self.at("user"));
        command.env("XDG_RUNTIME_DIR", self.at("run")).env("XDG_STATE_HOME", self.at("state"));
        command.env("XDG_CONFIG_HOME", self.at("config")).env("TMPDIR", self.at("tmp"));
        command.current_dir(self.dir.path()).stdin(Stdio::null());
        if let Some(user) = self.user {
            command.uid(user).gid(user);
        }
        command.args(["--unchecked", "--root"]).arg(root).args(args);
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        self.run_in(&self.root, args)
    }

    pub(crate) fn run_in(&self, root: &Path, args: &[&str]) -> Ran {
        Ran::of(self.command(root, args))
    }

    pub(crate) fn call(&self, tool: &str, arguments: &Value) -> Ran {
        self.run(&["call", tool, &arguments.to_string()])
    }

    /// Makes a file; that must work.
    pub(crate) fn make(&self, path: &str) -> Ran {
        self.make_in(&self.root, path)
    }

    pub(crate) fn make_in(&self, root: &Path, path: &str) -> Ran {
        let arguments = json!({ "path": path, "content": format!("{path}\n") });
        let ran = self.run_in(root, &["call", "create_file", &arguments.to_string()]);
        let ran = ran.is(0, &format!("making {path}"));
        assert_eq!(fs::read_to_string(root.join(path)).unwrap(), format!("{path}\n"));
        ran
    }

    /// The files that history tells of, oldest first.
    pub(crate) fn history(&self) -> Vec<String> {
        self.history_in(&self.root)
    }

    pub(crate) fn history_in(&self, root: &Path) -> Vec<String> {
        history(&self.run_in(root, &["call", "list_batches", r#"{"limit":200}"#]))
    }

    /// Checks the record; the status.
    pub(crate) fn verify(&self) -> Option<i32> {
        self.run(&["audit", "verify"]).code
    }

    /// The ids of the workspaces that this home knows.
    pub(crate) fn ids(&self) -> Vec<String> {
        names(&self.home.join("ws"))
    }

    /// The folder of the only record here that this home has a key of.
    pub(crate) fn record(&self) -> PathBuf {
        let ids = self.ids();
        let places = [".git/patchwright", ".patchwright"].map(|place| self.root.join(place));
        let folders = places.iter().flat_map(|place| ids.iter().map(move |id| place.join(id)));
        let found: Vec<PathBuf> = folders.filter(|folder| folder.join("log").is_file()).collect();
        let [one] = &found[..] else {
            panic!("one record of ours expected, found {found:?}; the home knows {ids:?}");
        };
        assert!(is_id(one.file_name().unwrap().to_str().unwrap()), "{}", one.display());
        one.clone()
    }

    /// The folder at home that belongs to the record.
    pub(crate) fn ring(&self) -> PathBuf {
        self.home.join("ws").join(self.record().file_name().unwrap())
    }

    /// What in the workspace is not as it was, without what is our own state.
    pub(crate) fn changes(&self, before: &Snapshot) -> Vec<String> {
        let ids = self.ids();
        let state = [".patchwright", ".patchwright/.gitignore", ".git/patchwright"];
        let ours = |path: &String| {
            state.contains(&path.as_str()) || path.split('/').any(|part| ids.iter().any(|id| id == part))
        };
        let mut changed = differing(before, &snapshot(&self.root));
        changed.retain(|path| !ours(path));
        changed
    }
}

/// The files that a list of batches tells of, oldest first.
pub(crate) fn history(ran: &Ran) -> Vec<String> {
    let answer = ran.answer();
    assert_eq!(answer["ok"], json!(true), "{answer}");
    let batches = answer.pointer("/data/batches").and_then(Value::as_array).unwrap_or_else(|| panic!("{answer}"));
    let path = |batch: &Value| batch.pointer("/files/0/path").and_then(Value::as_str).unwrap_or("").to_owned();
    batches.iter().rev().map(path).collect()
}

/// 32 hex digits, lower case.
pub(crate) fn is_id(name: &str) -> bool {
    name.len() == 32 && name.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'))
}

/// What a folder holds; nothing if it is not there.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

pub(crate) fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Copies a file or folder with all that belongs to it.
pub(crate) fn copy(from: &Path, to: &Path) {
    let status = Command::new("cp").arg("-a").args([from, to]).status().unwrap();
    assert!(status.success(), "{} to {}", from.display(), to.display());
}

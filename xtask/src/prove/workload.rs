//! Calls that are worth being interrupted, and workspaces made ready for them.
//!
//! A [`Workload`] is a tree, some calls made beforehand and the one call that is put to the test. [`Prepared`] is
//! one laid out on the disk: it knows the tree before the call and after it, and copies itself for each trial.

mod kinds;

use super::answer::{self, Wrong};
use crate::failure::Failure;
use crate::{home, run};
use patchwright_testkit::tree::{Item, Tree};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) use kinds::all;

/// A call, and what must be there for it.
pub(crate) struct Workload {
    pub(crate) name: String,
    pub(crate) before: Tree,
    /// Calls made before, undisturbed.
    pub(crate) earlier: Vec<Call>,
    /// The call that is put to the test.
    pub(crate) call: Call,
    /// How many files it touches.
    pub(crate) files: usize,
    /// Does the index have to be built again for it?
    pub(crate) index: Index,
}

/// What becomes of the index before the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Index {
    Kept,
    /// Deleted, so that the call builds it again.
    Deleted,
}

/// A tool and its arguments. In them `$BATCH` and `$TRASH` stand for the ids that the calls before answered last.
#[derive(Clone)]
pub(crate) struct Call {
    pub(crate) tool: &'static str,
    pub(crate) arguments: Value,
}

/// A workload on the disk.
#[derive(Clone)]
pub(crate) struct Prepared {
    pub(crate) name: String,
    pub(crate) files: usize,
    /// The call, its ids filled in.
    pub(crate) call: Call,
    /// The tree before the call and after it.
    pub(crate) before: Tree,
    pub(crate) after: Tree,
    folder: PathBuf,
}

/// Ids from earlier answers.
#[derive(Clone, Default)]
pub(crate) struct Ids {
    batch: String,
    trash: String,
}

impl Workload {
    /// Lays it out below `place`, and plays the call once on a copy to learn what comes of it.
    pub(crate) fn prepare(&self, binary: &Path, place: &Path) -> Result<Prepared, Failure> {
        let folder = place.join(&self.name);
        std::fs::create_dir_all(&folder).and_then(|()| self.before.write(&folder)).map_err(io(&folder))?;
        let (first, mut ids) = (read(&folder)?, Ids::default());
        for call in &self.earlier {
            ids.learn(&call.with(&ids).made(binary, &folder)?);
        }
        if self.index == Index::Deleted {
            for record in home::records(&folder) {
                for name in ["index.sqlite", "index.sqlite-wal", "index.sqlite-shm"] {
                    let _ = std::fs::remove_file(record.join(name));
                }
            }
        }
        let (call, before) = (self.call.with(&ids), read(&folder)?);
        let mut ready =
            Prepared { name: self.name.clone(), files: self.files, call, before, after: Tree::default(), folder };
        let played = ready.copy(&place.join(format!("{}.played", self.name)))?;
        ready.call.made(binary, &played)?;
        ready.after = read(&played)?;
        remove(&played)?;
        if let Some(path) = undressed(&ready.before, &ready.after) {
            let what =
                format!("{}: {path} has lost attributes or its access list, though nothing went wrong", self.name);
            return Err(Failure::new(what, "look at what the call does to a file's looks"));
        }
        let unlike = first.difference(&ready.after);
        if self.takes_all_back() && !unlike.is_empty() {
            let what = format!("{}: not as at first, though nothing went wrong: {}", self.name, unlike.join("; "));
            return Err(Failure::new(what, "look at what taking back does"));
        }
        Ok(ready)
    }

    /// Does the call take back all that was done before it?
    fn takes_all_back(&self) -> bool {
        let undoes = self.call.tool == "undo" && self.call.arguments.get("batchId").is_some();
        self.earlier.len() == 1 && (undoes || self.name == "restore-folder")
    }
}

impl Prepared {
    /// A fresh copy, state and all, at `to`; whatever was there goes.
    pub(crate) fn copy(&self, to: &Path) -> Result<PathBuf, Failure> {
        copy(&self.folder, to)
    }

    /// Is a tree what it was before, or what it is after? An answered call must be done.
    pub(crate) fn judge(&self, found: &Tree, answered: Answered) -> Result<(), String> {
        let litter = found.litter();
        let (before, after) = (self.before.difference(found), self.after.difference(found));
        match answered {
            _ if !litter.is_empty() => Err(format!("litter: {}", litter.join(", "))),
            Answered::Done if !after.is_empty() => Err(format!("answered, yet not done: {}", after.join("; "))),
            Answered::Refused if !before.is_empty() => Err(format!("refused, yet done: {}", before.join("; "))),
            _ if before.is_empty() || after.is_empty() => Ok(()),
            _ => Err(format!("between. To before: {}. To after: {}", before.join("; "), after.join("; "))),
        }
    }
}

/// What the caller was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answered {
    /// Done.
    Done,
    /// Refused or failed, with nothing changed.
    Refused,
    /// Nothing, or that it cannot be known yet.
    Unknown,
}

impl Call {
    /// The command line that makes the call in `root`; arguments come on standard input.
    pub(crate) fn command(&self, binary: &Path, root: &Path) -> Command {
        let mut command = home::patchwright(binary, root);
        command.args(["call", self.tool, "--root"]).arg(root).arg("-");
        command
    }

    /// Makes the call by the command line, undisturbed; it must succeed.
    fn made(&self, binary: &Path, root: &Path) -> Result<Value, Failure> {
        let answer = self.asked(self.command(binary, root)).map_err(Wrong::into_failure)?;
        match answer.get("ok").or_else(|| answer.get("successful")).and_then(Value::as_bool) {
            Some(true) => Ok(answer),
            _ => Err(Failure::new(format!("{} was refused: {answer}", self.tool), "look at the workload")),
        }
    }

    /// Runs a command with the arguments on its standard input; what it answered, null if nothing. One that hangs
    /// breaks a promise.
    pub(crate) fn asked(&self, command: Command) -> Result<Value, Wrong> {
        let done = answer::ask(self, command)?;
        Ok(serde_json::from_slice(&done.stdout).unwrap_or(Value::Null))
    }

    /// The same call with the ids filled in.
    pub(crate) fn with(&self, ids: &Ids) -> Call {
        let text = self.arguments.to_string().replace("$BATCH", &ids.batch).replace("$TRASH", &ids.trash);
        Call { tool: self.tool, arguments: serde_json::from_str(&text).unwrap_or(Value::Null) }
    }
}

impl Ids {
    /// Takes note of the ids in an answer.
    pub(crate) fn learn(&mut self, answer: &Value) {
        let found = |key: &str| answer.pointer(&format!("/data/{key}")).and_then(Value::as_str).map(str::to_owned);
        self.batch = found("batchId").unwrap_or_else(|| self.batch.clone());
        let trash = found("trashId").or_else(|| found("changedFiles/0/trashId"));
        self.trash = trash.unwrap_or_else(|| self.trash.clone());
    }
}

/// A file that a call has left under its name or moved, but not with its looks. What is learned from an undisturbed call must
/// be right, or a disturbed one could be as wrong.
pub(crate) fn undressed(before: &Tree, after: &Tree) -> Option<String> {
    let gone: Vec<&String> = before.items.keys().filter(|path| !after.items.contains_key(*path)).collect();
    let looks = |path: &String| before.dress.get(path);
    // A file that was moved over another brings its own looks along.
    let stays_unlike = |path: &String| {
        let now = after.dress.get(path);
        looks(path) != now && !gone.iter().any(|from| looks(from) == now)
    };
    let moved_unlike = |path: &String| {
        let from = gone.iter().find(|from| before.bytes(from).is_some_and(|bytes| after.bytes(path) == Some(bytes)));
        from.is_some_and(|from| looks(from) != after.dress.get(path))
    };
    let sort = |tree: &Tree, path: &String| tree.items.get(path).map(std::mem::discriminant);
    let wrong = |path: &&String| match sort(before, path) {
        // A folder in the place of a file, or the reverse, is something else. What comes back so is compared as a whole.
        Some(was) if sort(after, path) != Some(was) => false,
        Some(_) => stays_unlike(path),
        None => moved_unlike(path),
    };
    after.items.keys().find(wrong).cloned()
}

/// The workspace's tree, its state left out.
pub(crate) fn read(root: &Path) -> Result<Tree, Failure> {
    Tree::read_with_looks(root).map_err(io(root))
}

/// A copy of a workspace with all below it, modes and times too, and of its home; whatever was at `to` goes.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<PathBuf, Failure> {
    remove(to)?;
    for (from, to) in [(from, to), (&home::of(from), &home::of(to))] {
        if from.exists() {
            let mut copy = Command::new("cp");
            copy.args(["-a", "--reflink=auto"]).arg(from).arg(to);
            run::output(copy, "look for free space")?;
        }
    }
    home::settle(to)?;
    Ok(to.to_owned())
}

/// Removes a workspace and all below it, and its home, if they are there.
pub(crate) fn remove(folder: &Path) -> Result<(), Failure> {
    remove_one(&home::of(folder))?;
    remove_one(folder)
}

fn remove_one(folder: &Path) -> Result<(), Failure> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(Failure::io(folder.display(), &error)),
        _ => Ok(()),
    }
}

fn io(path: &Path) -> impl Fn(std::io::Error) -> Failure {
    move |error| Failure::io(path.display(), &error)
}

/// A file for a tree.
pub(crate) fn file(text: impl Into<Vec<u8>>, mode: u32) -> Item {
    Item::File { bytes: text.into(), mode }
}

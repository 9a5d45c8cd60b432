//! Where the workspaces of the project's own commands have their keys, marks and indexes: beside each of them, so that
//! they go with it, lie on the same device, and nothing is left in the home of whoever runs this.

use crate::failure::Failure;
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The variable that says where home is.
pub(crate) const VARIABLE: &str = "PATCHWRIGHT_HOME";

/// The home of a workspace.
pub(crate) fn of(root: &Path) -> PathBuf {
    let mut name = OsString::from(root.as_os_str());
    name.push(".home");
    PathBuf::from(name)
}

/// The binary, to be given words about this workspace.
pub(crate) fn patchwright(binary: &Path, root: &Path) -> Command {
    let mut command = Command::new(binary);
    command.env(VARIABLE, of(root));
    command
}

/// Adds a command to the words of another that runs it, with all that is set for it.
pub(crate) fn wrap(mut outer: Command, inner: &Command) -> Command {
    outer.arg(inner.get_program()).args(inner.get_args());
    if let Some(folder) = inner.get_current_dir() {
        outer.current_dir(folder);
    }
    for (name, value) in inner.get_envs() {
        match value {
            Some(value) => outer.env(name, value),
            None => outer.env_remove(name),
        };
    }
    outer
}

/// The records' folders at home.
pub(crate) fn records(root: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(of(root).join("ws")).into_iter().flatten().map_while(Result::ok);
    entries.map(|entry| entry.path()).filter(|path| path.join("key").is_file()).collect()
}

/// Tells a home that was copied along with its workspace where that is now: else its records would be a stranger's.
pub(crate) fn settle(root: &Path) -> Result<(), Failure> {
    let failed = |error| Failure::io(root.display(), &error);
    let (path, meta) = (root.canonicalize().map_err(failed)?, std::fs::metadata(root).map_err(failed)?);
    let mut note = format!("{} {}\n", meta.dev(), meta.ino()).into_bytes();
    note.extend_from_slice(path.as_os_str().as_bytes());
    records(root).iter().try_for_each(|record| std::fs::write(record.join("root"), &note)).map_err(failed)
}

/// The log of a workspace's record, for a look from outside; empty where there is none.
pub(crate) fn log(root: &Path) -> Vec<u8> {
    let record = patchwright_testkit::home::records(root).into_iter().next();
    record.and_then(|record| std::fs::read(record.join("log")).ok()).unwrap_or_default()
}

//! Where the state of the workspaces of tests is: a home of the process's own, and the record of a root.
//!
//! No test may use the home of whoever runs it. [`home`] lies below the build directory, so that nothing of it is left
//! behind elsewhere; homes of processes that have ended are removed by the next one.

use patchwright_store::real::{HomeAt, Whereabouts};
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The home of this process, made afresh when first asked for.
///
/// # Panics
/// Where it cannot be made.
pub fn home() -> PathBuf {
    static HOME: OnceLock<PathBuf> = OnceLock::new();
    HOME.get_or_init(|| match made() {
        Ok(home) => home,
        Err(error) => panic!("no home for this test: {error}"),
    })
    .clone()
}

fn made() -> io::Result<PathBuf> {
    let homes = build_directory().join("homes");
    fs::create_dir_all(&homes)?;
    for old in fs::read_dir(&homes)?.flatten() {
        if !Path::new("/proc").join(old.file_name()).exists() {
            // Another process may be removing it too.
            let _ = fs::remove_dir_all(old.path());
        }
    }
    let own = homes.join(std::process::id().to_string());
    if own.exists() {
        fs::remove_dir_all(&own)?;
    }
    DirBuilder::new().mode(0o700).create(&own)?;
    Ok(own)
}

/// [`home`], as a workspace wants to be told.
pub fn at() -> HomeAt {
    HomeAt::Folder(home())
}

/// How a test opens a disk: records where they usually are, and the keys at [`home`].
pub fn whereabouts() -> Whereabouts {
    Whereabouts { state: None, home: at(), ..Whereabouts::default() }
}

/// The folder that cargo builds in. Programs that lie elsewhere, such as doc tests, have the one of this crate's sources.
fn build_directory() -> PathBuf {
    let program = std::env::current_exe().unwrap_or_default();
    let marked = program.ancestors().find(|above| above.join("CACHEDIR.TAG").is_file());
    let usual = || Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("target");
    marked.map_or_else(usual, Path::to_owned).join("tmp")
}

/// The folders in which records of a root may stand, as far as they are there.
pub fn state_folders(root: &Path) -> Vec<PathBuf> {
    let places = [root.join(".git/patchwright"), root.join(".patchwright")];
    places.into_iter().filter(|place| place.symlink_metadata().is_ok_and(|found| found.is_dir())).collect()
}

/// All record folders of a root, whosever they are.
pub fn records(root: &Path) -> Vec<PathBuf> {
    let entries = state_folders(root).into_iter().filter_map(|place| fs::read_dir(place).ok()).flatten().flatten();
    let mut all: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| is_record(path)).collect();
    all.sort();
    all
}

fn is_record(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    path.is_dir() && patchwright_store::seal::Id::parse(name).is_some()
}

/// The record folder of a root.
///
/// # Panics
/// If there is none, or more than one.
pub fn record(root: &Path) -> PathBuf {
    match records(root).as_slice() {
        [only] => only.clone(),
        all => panic!("{}: expected one record, found {all:?}", root.display()),
    }
}

/// The folder of the only record of a root at [`home`]: its key, mark and index.
///
/// # Panics
/// If there is no such record, or more than one.
pub fn kept(root: &Path) -> PathBuf {
    home().join("ws").join(record(root).file_name().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_home_is_one_and_records_are_found_in_both_places() {
        assert_eq!(home(), home());
        assert!(home().is_dir() && home().ancestors().any(|above| above.ends_with("target/tmp")), "{:?}", home());
        let root = tempfile::tempdir().unwrap();
        assert!(records(root.path()).is_empty() && state_folders(root.path()).is_empty());
        let id = "0123456789abcdef0123456789abcdef";
        for place in [".patchwright", ".git/patchwright"] {
            fs::create_dir_all(root.path().join(place).join("other")).unwrap();
            fs::create_dir_all(root.path().join(place).join(id)).unwrap();
        }
        assert_eq!((records(root.path()).len(), state_folders(root.path()).len()), (2, 2));
        fs::remove_dir_all(root.path().join(".git")).unwrap();
        assert_eq!(record(root.path()), root.path().join(".patchwright").join(id));
    }
}

//! Finding the workspace that a folder lies in, by looking upwards.
//!
//! Promises to make and to note nothing, here or at home, and to obey nothing that stands in the tree: only a record of
//! ours counts, and no folder is looked at that somebody else owns, nor any above that.

use super::{Means, RealDisk, Visit, Whereabouts};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The nearest folder upwards that has a record of ours, else the nearest one that has a `.git`, else the folder itself;
/// links followed. The folder itself is looked at whoever owns it.
pub fn find_root(start: &Path, at: &Whereabouts) -> PathBuf {
    let Ok(start) = start.canonicalize() else { return start.to_owned() };
    let at = Whereabouts { visit: Visit::Looks, ..at.clone() };
    let folders = own_folders(&start);
    let recorded = folders.iter().find(|folder| has_record(folder, &at));
    let found = recorded.or_else(|| folders.iter().find(|folder| has_git(folder)));
    found.map_or(start.clone(), |folder| (*folder).to_owned())
}

/// The folder and those above it, up to the first that is somebody else's.
fn own_folders(start: &Path) -> Vec<&Path> {
    let user = rustix::process::geteuid().as_raw();
    let is_own = |folder: &Path| folder.metadata().is_ok_and(|found| found.uid() == user);
    if !is_own(start) {
        return vec![start];
    }
    start.ancestors().take_while(|folder| is_own(folder)).collect()
}

/// Does a record of ours stand in a folder? One that cannot be told is none: whoever opens the workspace is told why.
fn has_record(folder: &Path, at: &Whereabouts) -> bool {
    RealDisk::open(folder, at, Means::Best).is_ok_and(|disk| disk.found().is_some())
}

fn has_git(folder: &Path) -> bool {
    folder.join(".git").metadata().is_ok_and(|found| found.is_dir() || found.is_file())
}

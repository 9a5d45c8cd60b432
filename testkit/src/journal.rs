//! What a killed process left: the folders under `crates/engine/tests/journals`, each with a `tree`, the `state` folder
//! that stood in it, and the tree that recovery must bring back.

use crate::home;
use patchwright_store::disk::Halt;
use patchwright_store::log::{self, Firm, Log, Unwritten};
use patchwright_store::real::{Means, RealDisk};
use patchwright_store::records;
use std::fs;
use std::io;
use std::path::Path;

/// Copies a folder and all below it.
pub fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if source.is_dir() {
            copy(&source, &target)?;
        } else {
            fs::copy(source, target).map(drop)?;
        }
    }
    Ok(())
}

/// Leaves a root as if the writer that a journal tells of had been killed there, with a record that is ours: each of the
/// journal's records is appended to the log of the root's own.
///
/// # Panics
/// Where that cannot be done.
pub fn leave(journal: &Path, root: &Path) {
    if let Err(what) = left(journal, root) {
        panic!("{}: {what}", journal.display());
    }
}

fn left(journal: &Path, root: &Path) -> Result<(), String> {
    let told = |halt: Halt| format!("{halt:?}");
    let unwritten = |(Unwritten::Not(halt) | Unwritten::Unknown(halt))| told(halt);
    copy(&journal.join("tree"), root).map_err(|error| error.to_string())?;
    let disk = RealDisk::open(root, &home::whereabouts(), Means::Best).map_err(told)?;
    disk.found_record().map_err(told)?;
    let bytes = fs::read(journal.join("state").join(log::FILE)).map_err(|error| error.to_string())?;
    let mut log = Log::open(&disk).map_err(told)?;
    log.resume(&disk, 0, Firm::No).map_err(unwritten)?;
    for (_, payload) in log::read_old(&bytes).payloads {
        let record = records::decode(&payload).map_err(|error| error.to_string())?;
        log.append(&disk, &record, Firm::No).map_err(unwritten)?;
    }
    log.renew_mark(&disk);
    for shelf in ["blobs", "trash"].map(|shelf| journal.join("state").join(shelf)) {
        if shelf.is_dir() {
            let to = home::record(root).join(shelf.file_name().unwrap_or_default());
            copy(&shelf, &to).map_err(|error| error.to_string())?;
        }
    }
    Ok(())
}

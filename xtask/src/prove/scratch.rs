//! Folders of our own, on the disk and in memory, and the clearing up after runs that were ended from outside.
//!
//! A folder's name holds the number of the process that made it: one whose process is gone belongs to nobody.
//! Names are lower case and known beforehand.

use crate::failure::Failure;
use crate::{machine, run};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use tempfile::TempDir;

/// Memory has a file system of its own on every Linux.
const MEMORY: &str = "/dev/shm";
const PREFIX: &str = "patchwright-prove-";

/// A new folder on the disk; it goes with its owner.
pub(crate) fn on_disk() -> Result<TempDir, Failure> {
    made(&std::env::temp_dir()).map_err(|error| Failure::io("a temporary folder", &error))
}

/// A new folder in memory, where there is such a thing.
pub(crate) fn in_memory() -> Option<TempDir> {
    made(Path::new(MEMORY)).ok()
}

fn made(place: &Path) -> std::io::Result<TempDir> {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    let name = format!("{PREFIX}{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    tempfile::Builder::new().prefix(&name).rand_bytes(0).tempdir_in(place)
}

/// Removes what runs left that were ended before they could. Made before any folder of this run.
pub(crate) fn sweep() -> Result<(), Failure> {
    if !Path::new("/proc/self").exists() {
        return Ok(());
    }
    for place in [std::env::temp_dir(), PathBuf::from(MEMORY)] {
        let entries = std::fs::read_dir(place).into_iter().flatten().map_while(Result::ok);
        for folder in entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())) {
            let owner = folder.file_name().to_str().and_then(owner);
            if owner.is_some_and(|owner| owner == std::process::id() || !is_alive(owner)) {
                clear(&folder.path())?;
            }
        }
    }
    Ok(())
}

/// The process that made a folder of this name.
fn owner(name: &str) -> Option<u32> {
    name.strip_prefix(PREFIX)?.split_once('-')?.0.parse().ok()
}

fn is_alive(process: u32) -> bool {
    Path::new(&format!("/proc/{process}")).exists()
}

/// Unmounts all that is below, lets go of devices made of files there, and removes the folder. What belongs to
/// somebody else stays.
fn clear(folder: &Path) -> Result<(), Failure> {
    let mounts = || std::fs::read("/proc/mounts").map_err(|error| Failure::io("/proc/mounts", &error));
    for place in below(&String::from_utf8_lossy(&mounts()?), folder) {
        if !quietly("umount", &[], &place) {
            quietly("umount", &["-l"], &place);
        }
    }
    for device in devices(folder) {
        quietly("losetup", &["-d"], &device);
    }
    if below(&String::from_utf8_lossy(&mounts()?), folder).is_empty() {
        let _ = std::fs::remove_dir_all(folder);
    }
    Ok(())
}

/// Where something is mounted below a folder, innermost first: the last that was mounted goes first.
fn below(mounts: &str, folder: &Path) -> Vec<PathBuf> {
    let place = |line: &str| line.split(' ').nth(1).map(|place| PathBuf::from(place.replace("\\040", " ")));
    mounts.lines().rev().filter_map(place).filter(|place| place.starts_with(folder)).collect()
}

/// Loop devices made of files below a folder.
fn devices(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir("/sys/block").into_iter().flatten().map_while(Result::ok);
    let of_ours = |block: &Path| {
        let file = std::fs::read_to_string(block.join("loop/backing_file"));
        file.is_ok_and(|file| Path::new(file.trim_end()).starts_with(folder))
    };
    let ours = entries.filter(|block| of_ours(&block.path()));
    ours.map(|block| Path::new("/dev").join(block.file_name())).collect()
}

fn quietly(program: &str, words: &[&str], place: &Path) -> bool {
    let mut command = machine::find(program).map_or_else(|| Command::new(program), Command::new);
    command.args(words).arg(place);
    run::output(command, "").is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, expected: Option<u32>) {
        assert_eq!(owner(name), expected, "{name}");
    }

    #[test]
    fn owners() {
        check("patchwright-prove-12-3", Some(12));
        check("patchwright-prove-aB3xYz", None);
        check("patchwright-prove-x-1", None);
        check("other-12-3", None);
    }

    #[test]
    fn the_innermost_mount_goes_first() {
        let mounts = "a /t/p-1-1/memory tmpfs rw 0 0\nb /t/p-1-10 ext4 rw 0 0\nc /t/p-1-1/memory/a\\040b ext4 rw 0 0\n";
        let found = below(mounts, Path::new("/t/p-1-1"));
        assert_eq!(found, [PathBuf::from("/t/p-1-1/memory/a b"), PathBuf::from("/t/p-1-1/memory")]);
    }
}

//! A folder swapped for a link to the outside while paths are resolved and opened: nothing escapes.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test says no by panicking")]

use patchwright_core::path::RelPath;
use patchwright_store::disk::{At, Disk, Rename};
use patchwright_store::real::{Means, RealDisk, Resolved};
use patchwright_testkit::home;
use rustix::fs::{CWD, RenameFlags, renameat_with};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// So many rounds at most, until one read was let through.
const MOST: usize = 100 * ROUNDS;
const ROUNDS: usize = 4_000;

/// Exchanges two names until told to stop.
fn swap(one: &Path, two: &Path, stop: &AtomicBool) {
    while !stop.load(Ordering::Relaxed) {
        renameat_with(CWD, one, CWD, two, RenameFlags::EXCHANGE).unwrap();
    }
}

fn read(disk: &RealDisk, found: &Resolved) -> Option<Vec<u8>> {
    let file = disk.open(&found.dir, &found.name).ok()?;
    let mut bytes = vec![0; 64];
    let count = disk.read_at(&file, 0, &mut bytes).ok()?;
    Some(bytes[..count].to_vec())
}

fn check(means: Means, target: &str, through: &str) {
    let home = tempfile::tempdir().unwrap();
    let root = home.path().join("ws");
    fs::create_dir_all(root.join("d/e")).unwrap();
    fs::create_dir_all(home.path().join("out/e")).unwrap();
    for name in ["f", "e/f"] {
        fs::write(root.join("d").join(name), "inside").unwrap();
        fs::write(home.path().join("out").join(name), "outside").unwrap();
    }
    symlink(target.replace("$HOME", home.path().to_str().unwrap()), root.join("evil")).unwrap();
    let disk = RealDisk::open(&root, &home::whereabouts(), means).unwrap();
    let path = RelPath::parse(through, &[]).unwrap();
    let stop = AtomicBool::new(false);
    let mut inside = 0;
    std::thread::scope(|scope| {
        scope.spawn(|| swap(&root.join("d"), &root.join("evil"), &stop));
        for round in 0..MOST {
            // On a busy machine the other thread may have the folder away whenever we look: then go on for longer.
            if round >= ROUNDS && inside > 0 {
                break;
            }
            if let Ok(found) = disk.resolve(&path) {
                match read(&disk, &found) {
                    Some(bytes) if bytes == b"inside" => inside += 1,
                    Some(bytes) => assert_eq!(bytes, b"inside", "read outside in round {round}"),
                    None => {}
                }
                let name = format!("new{round}");
                if disk.create(&found.dir, &name).is_ok() {
                    disk.rename(At::new(&found.dir, &name), At::new(&found.dir, "last"), Rename::Replace).unwrap();
                }
            }
        }
        stop.store(true, Ordering::Relaxed);
    });
    let strangers = fs::read_dir(home.path().join("out")).unwrap().count()
        + fs::read_dir(home.path().join("out/e")).unwrap().count();
    assert_eq!(strangers, 3, "something was created outside");
    assert!(inside > 0, "the race never let a read through: it proves nothing");
}

#[test]
fn parent_swapped_for_a_link() {
    check(Means::Best, "../out", "d/f");
    check(Means::Best, "$HOME/out", "d/f");
}

#[test]
fn grandparent_swapped_for_a_link() {
    check(Means::Best, "../out", "d/e/f");
}

#[test]
fn without_the_kernels_help() {
    check(Means::Portable, "../out", "d/e/f");
}

//! Big files on a real disk: read and hashed side by side, compared instead of hashed, with the same result.

#![allow(clippy::unwrap_used, reason = "a test says no by panicking")]

use patchwright_core::digest::Digest;
use patchwright_core::path::RelPath;
use patchwright_store::content::{self, Held, Whole};
use patchwright_store::disk::{Disk, Halt};
use patchwright_store::real::{Dir, Means, RealDisk};
use patchwright_testkit::home;
use std::fs;
use tempfile::TempDir;

const MB: usize = 1 << 20;

fn holding(bytes: &[u8]) -> (TempDir, RealDisk, Dir) {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("f"), bytes).unwrap();
    let disk = RealDisk::open(home.path(), &home::whereabouts(), Means::Best).unwrap();
    let root = disk.folder(&RelPath::root()).unwrap();
    (home, disk, root)
}

/// So many bytes, of which no two stretches are alike.
fn bytes(len: usize) -> Vec<u8> {
    (0_u64..).flat_map(u64::to_le_bytes).take(len).collect()
}

/// Reads a file that was said to have `size` bytes.
fn check_read(len: usize, (size, limit): (usize, usize), want: usize) {
    let all = bytes(len);
    let (_home, disk, root) = holding(&all);
    let file = disk.open(&root, "f").unwrap();
    let Whole { bytes, digest, trail } = content::read_hashed(&disk, &file, size as u64, limit as u64).unwrap();
    assert!(bytes == all[..want], "{len} {size} {limit}");
    assert_eq!(digest, Digest::of(&bytes), "{len} {size} {limit}");
    if let Some(trail) = trail {
        let (mut hasher, done) = trail.up_to(bytes.len());
        hasher.update(&bytes[done..]);
        assert_eq!(hasher.finish(), digest, "{len} {size} {limit}");
    }
}

#[test]
fn reading_and_hashing_side_by_side() {
    check_read(0, (0, MB), 0);
    check_read(5, (0, MB), 5); // a file system that knows no sizes
    check_read(5, (5, MB), 5);
    check_read(4 * MB, (4 * MB, 9 * MB), 4 * MB);
    check_read(6 * MB + 17, (6 * MB + 17, 9 * MB), 6 * MB + 17);
    check_read(7 * MB, (5 * MB + 1, 9 * MB), 5 * MB + 1); // grew meanwhile
    check_read(5 * MB + 1, (7 * MB, 9 * MB), 5 * MB + 1); // shrank
}

/// A part of a file is never handed out, nor hashed, in its place.
fn check_too_large(len: usize, (size, limit): (usize, usize)) {
    let (_home, disk, root) = holding(&bytes(len));
    let file = disk.open(&root, "f").unwrap();
    let bounds = (size as u64, limit as u64);
    let hashed = content::read_hashed(&disk, &file, bounds.0, bounds.1).map(|whole| whole.bytes.len());
    assert!(matches!(hashed, Err(Halt::TooLarge { .. })), "{len} {size} {limit}: {hashed:?}");
    let read = content::read_sized(&disk, &file, bounds.0, bounds.1).map(|bytes| bytes.len());
    assert!(matches!(read, Err(Halt::TooLarge { .. })), "{len} {size} {limit}: {read:?}");
}

#[test]
fn what_is_over_the_limit_is_not_taken_in_part() {
    check_too_large(6, (6, 5));
    check_too_large(6 * MB, (6 * MB, 5 * MB));
    check_too_large(6, (0, 5)); // a file system that knows no sizes
    check_too_large(3 * MB, (0, 2 * MB));
}

/// Looks at a file that should hold something else, perhaps.
fn check_held(there: &[u8], expected: &[u8]) {
    let (_home, disk, root) = holding(there);
    let file = disk.open(&root, "f").unwrap();
    let id = disk.stat_file(&file).unwrap().id;
    let held = Held { file, id, expected: Some((expected.to_vec().into(), Digest::of(expected))) };
    let found = content::find_held(&disk, &root, "f", Some(&held)).unwrap().unwrap();
    assert_eq!(found.digest, Some(Digest::of(there)), "{} {}", there.len(), expected.len());
}

#[test]
fn comparing_tells_what_hashing_would() {
    for len in [0, 1, 300_000, 4 * MB - 1, 4 * MB, 5 * MB + 3] {
        let all = bytes(len);
        check_held(&all, &all);
        check_held(&all, &bytes(len + 1));
        check_held(&bytes(len + 1), &all);
        for at in [0, len / 3, len / 2, len.saturating_sub(1)] {
            let mut other = all.clone();
            if let Some(byte) = other.get_mut(at) {
                *byte ^= 1;
                check_held(&other, &all);
            }
        }
    }
}

#[test]
fn another_file_under_the_name_is_not_taken_for_the_held_one() {
    let (home, disk, root) = holding(b"old");
    let file = disk.open(&root, "f").unwrap();
    let id = disk.stat_file(&file).unwrap().id;
    fs::write(home.path().join("g"), b"new").unwrap();
    fs::rename(home.path().join("g"), home.path().join("f")).unwrap();
    let held = Held { file, id, expected: Some((b"old".to_vec().into(), Digest::of(b"old"))) };
    let found = content::find_held(&disk, &root, "f", Some(&held)).unwrap().unwrap();
    assert_eq!(found.digest, Some(Digest::of(b"new")));
}

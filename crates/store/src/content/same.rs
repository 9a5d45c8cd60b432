//! Does a file hold these very bytes? Comparing is quicker than hashing, and proves more.
//!
//! Promises that a file is read from its beginning to the size it was said to have, big ones by two threads, a half
//! each.

use crate::disk::{Disk, Halt};
use std::panic::resume_unwind;

/// So much is read at once: it still lies in the processor's cache when it is compared.
const PIECE: usize = 256 << 10;
/// From this size on a second thread is worth its while.
const BIG: usize = 4 << 20;

/// Compares an open file, of which the size was asked just now, with bytes.
pub(super) fn holds<D: Disk>(disk: &D, file: &D::File, size: u64, bytes: &[u8]) -> Result<bool, Halt> {
    if usize::try_from(size) != Ok(bytes.len()) {
        return Ok(false);
    }
    if bytes.len() < BIG {
        return part_holds(disk, file, 0, bytes);
    }
    let (first, second) = bytes.split_at_checked(bytes.len() / 2).unwrap_or((bytes, &[]));
    let compare_second = || part_holds(disk, file, first.len(), second);
    std::thread::scope(|scope| {
        let other = std::thread::Builder::new().spawn_scoped(scope, compare_second);
        let same = part_holds(disk, file, 0, first)?;
        let other = match other {
            // A bug over there is a bug here: it must not pass for a file that is as it was.
            Ok(thread) => thread.join().unwrap_or_else(|why| resume_unwind(why)),
            // Where no thread can be had, the caller's own hands do.
            Err(_) => compare_second(),
        };
        Ok(same && other?)
    })
}

fn part_holds<D: Disk>(disk: &D, file: &D::File, offset: usize, bytes: &[u8]) -> Result<bool, Halt> {
    let mut buffer = vec![0; PIECE.min(bytes.len())];
    let mut at = offset as u64;
    for wanted in bytes.chunks(PIECE) {
        let Some(part) = buffer.get_mut(..wanted.len()) else { return Ok(false) };
        let got = disk.read_at(file, at, part)?;
        if part.get(..got) != Some(wanted) {
            return Ok(false);
        }
        at = at.saturating_add(got as u64);
    }
    Ok(true)
}

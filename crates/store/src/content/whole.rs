//! All of a file's bytes and their hash. Big files are hashed while they are read: one thread reads, another
//! hashes what has come already.
//!
//! Promises the same result as reading first and hashing then, and no thread for a small file.

use super::{PIECE, check_size, read_sized};
use crate::disk::{Disk, Halt};
use patchwright_core::digest::{Digest, Tracer, Trail};
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, channel};

/// From this size on a second thread is worth its while.
const BIG: u64 = 4 << 20;

/// A file's bytes, their hash, and the way to it where they are many.
pub struct Whole {
    /// All of them.
    pub bytes: Vec<u8>,
    /// Their hash.
    pub digest: Digest,
    /// The way to it.
    pub trail: Option<Trail>,
}

/// All bytes of an open file, as many as it has now, and their hash; [`Halt::TooLarge`] if these are more than the
/// limit. Its size was asked just now.
pub fn read_hashed<D: Disk>(disk: &D, file: &D::File, size: u64, limit: u64) -> Result<Whole, Halt> {
    check_size(size, limit)?;
    if size < BIG {
        let bytes = read_sized(disk, file, size, limit)?;
        return Ok(Whole { digest: Digest::of(&bytes), bytes, trail: None });
    }
    let mut bytes = vec![0; usize::try_from(size).unwrap_or(usize::MAX)];
    let (got, (digest, trail)) = side_by_side(disk, file, &mut bytes)?;
    bytes.truncate(got);
    Ok(Whole { bytes, digest, trail: Some(trail) })
}

/// Fills the bytes from the file and hashes them behind; how many there were.
fn side_by_side<D: Disk>(disk: &D, file: &D::File, bytes: &mut [u8]) -> Result<(usize, (Digest, Trail)), Halt> {
    std::thread::scope(|scope| {
        let (come, coming) = channel();
        let hashing = std::thread::Builder::new().spawn_scoped(scope, move || hash_all(&coming));
        let (mut got, mut alone) = (0, Tracer::default());
        for part in bytes.chunks_mut(usize::try_from(PIECE).unwrap_or(usize::MAX)) {
            let count = disk.read_at(file, got as u64, part)?;
            let (wanted, read) = (part.len(), &*part);
            let read = read.get(..count).unwrap_or(read);
            match &hashing {
                // It is there as long as something may come.
                Ok(_) => drop(come.send(read)),
                // Where no thread can be had, the caller's own hands do.
                Err(_) => alone.update(read),
            }
            got += count;
            if count < wanted {
                break;
            }
        }
        drop(come);
        let hashed = match hashing {
            // A bug over there is a bug here: it must not pass for a hash.
            Ok(thread) => thread.join().unwrap_or_else(|why| resume_unwind(why)),
            Err(_) => alone.finish(),
        };
        Ok((got, hashed))
    })
}

fn hash_all(coming: &Receiver<&[u8]>) -> (Digest, Trail) {
    let mut tracer = Tracer::default();
    coming.iter().for_each(|part| tracer.update(part));
    tracer.finish()
}

//! What stands under a name, by content. Everything that decides about a file decides by its hash,
//! never by time or size.

mod pieces;
mod same;
mod whole;

pub(crate) use pieces::write;
pub use whole::{Whole, read_hashed};

use crate::disk::{Disk, Halt, Stat};
use patchwright_core::bytes::Bytes;
use patchwright_core::digest::{Digest, Hasher};
use patchwright_core::refusal::Sort;

/// What stands under a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// What it is like.
    pub stat: Stat,
    /// The hash of a file's bytes or a link's target; nothing for anything else.
    pub digest: Option<Digest>,
}

/// A file that is held open, and which one it is.
pub struct Held<F> {
    /// The open file.
    pub file: F,
    /// Device and inode. While the file is held no other can have them.
    pub id: (u64, u64),
    /// What it should hold, and the hash of that, where the bytes are at hand.
    pub expected: Option<(Bytes, Digest)>,
}

/// Looks under a name and hashes what is there.
pub fn find<D: Disk>(disk: &D, dir: &D::Dir, name: &str) -> Result<Option<Found>, Halt> {
    find_held(disk, dir, name, None)
}

/// Looks under a name and hashes what is there. Where that is the file that is held, it is not opened again.
pub fn find_held<D: Disk>(
    disk: &D,
    dir: &D::Dir,
    name: &str,
    held: Option<&Held<D::File>>,
) -> Result<Option<Found>, Halt> {
    let Some(stat) = disk.stat(dir, name)? else { return Ok(None) };
    let digest = match (stat.sort, held) {
        (Sort::File, Some(held)) if held.id == stat.id => Some(hash_held(disk, held, stat.size)?),
        (Sort::File, _) => match disk.open(dir, name) {
            Ok(file) => Some(hash_sized(disk, &file, stat.size)?),
            Err(halt) if halt.is_missing() => return Ok(None),
            Err(halt) => return Err(halt),
        },
        (Sort::Link, _) => Some(Digest::of(&disk.read_link(dir, name)?)),
        (Sort::Folder | Sort::Special, _) => None,
    };
    Ok(Some(Found { stat, digest }))
}

/// The hash of a held file, which need not be computed where it holds what it should.
fn hash_held<D: Disk>(disk: &D, held: &Held<D::File>, size: u64) -> Result<Digest, Halt> {
    match &held.expected {
        Some((bytes, digest)) if same::holds(disk, &held.file, size, bytes)? => Ok(*digest),
        _ => hash_sized(disk, &held.file, size),
    }
}

/// The hash under a name; nothing if nothing is there or it is neither file nor link.
pub fn digest_at<D: Disk>(disk: &D, dir: &D::Dir, name: &str) -> Result<Option<Digest>, Halt> {
    Ok(find(disk, dir, name)?.and_then(|found| found.digest))
}

/// Hashes an open file from its beginning.
pub fn hash<D: Disk>(disk: &D, file: &D::File) -> Result<Digest, Halt> {
    hash_sized(disk, file, disk.stat_file(file)?.size)
}

/// Hashes an open file from its beginning; nothing if that was called off in between.
pub fn hash_unless<D: Disk>(disk: &D, file: &D::File, called_off: &dyn Fn() -> bool) -> Result<Option<Digest>, Halt> {
    hash_asking(disk, file, disk.stat_file(file)?.size, called_off)
}

/// Files are read in pieces of this size at most where not all of them is needed at once.
const PIECE: u64 = 1 << 20;

/// Hashes so many bytes of an open file from its beginning: its size, asked just before, so that its end need
/// not be looked for. Some file systems know no sizes and say 0; there the end is looked for.
fn hash_sized<D: Disk>(disk: &D, file: &D::File, size: u64) -> Result<Digest, Halt> {
    let called_off = || Halt::from(std::io::Error::from(std::io::ErrorKind::Interrupted));
    hash_asking(disk, file, size, &|| false)?.ok_or_else(called_off)
}

fn hash_asking<D: Disk>(
    disk: &D,
    file: &D::File,
    size: u64,
    called_off: &dyn Fn() -> bool,
) -> Result<Option<Digest>, Halt> {
    let most = if size == 0 { u64::MAX } else { size };
    let mut hasher = Hasher::default();
    let mut buffer = vec![0; usize::try_from(if size == 0 { 1 } else { size.min(PIECE) }).unwrap_or(1)];
    let mut offset = 0;
    while offset < most {
        if called_off() {
            return Ok(None);
        }
        let wanted = usize::try_from(most - offset).unwrap_or(usize::MAX).min(buffer.len());
        let Some(part) = buffer.get_mut(..wanted) else { break };
        let got = disk.read_at(file, offset, part)?;
        hasher.update(part.get(..got).unwrap_or_default());
        offset += got as u64;
        if got < wanted {
            break;
        }
        if size == 0 {
            buffer.resize(usize::try_from(PIECE).unwrap_or(1), 0);
        }
    }
    Ok(Some(hasher.finish()))
}

/// All bytes of an open file, as many as it has now; [`Halt::TooLarge`] if these are more than the limit. Some file
/// systems know no sizes and say 0; there the end is looked for.
pub fn read<D: Disk>(disk: &D, file: &D::File, limit: u64) -> Result<Vec<u8>, Halt> {
    read_sized(disk, file, disk.stat_file(file)?.size, limit)
}

/// The same of a file whose size was asked just now.
pub fn read_sized<D: Disk>(disk: &D, file: &D::File, size: u64, limit: u64) -> Result<Vec<u8>, Halt> {
    check_size(size, limit)?;
    if size == 0 {
        return read_on(disk, file, limit);
    }
    let mut bytes = vec![0; usize::try_from(size).unwrap_or(usize::MAX)];
    let got = disk.read_at(file, 0, &mut bytes)?;
    bytes.truncate(got);
    Ok(bytes)
}

/// A file is taken as a whole or not at all: the hash of a part would pass for that of the file.
fn check_size(size: u64, limit: u64) -> Result<(), Halt> {
    if size > limit { Err(Halt::TooLarge { size, limit }) } else { Ok(()) }
}

/// Reads until the file ends.
fn read_on<D: Disk>(disk: &D, file: &D::File, limit: u64) -> Result<Vec<u8>, Halt> {
    let mut bytes = vec![0; 1];
    let mut filled = 0;
    while let Some(rest) = bytes.get_mut(filled..) {
        let wanted = rest.len();
        let got = disk.read_at(file, filled as u64, rest)?;
        filled += got;
        check_size(filled as u64, limit)?;
        if got < wanted {
            break;
        }
        bytes.resize(bytes.len().saturating_mul(2), 0);
    }
    bytes.truncate(filled);
    Ok(bytes)
}

/// Copies an open file's bytes into a new one.
pub fn copy<D: Disk>(disk: &D, from: &D::File, to: &D::File) -> Result<(), Halt> {
    let mut buffer = vec![0; 1 << 20];
    let mut offset = 0;
    loop {
        let got = disk.read_at(from, offset, &mut buffer)?;
        disk.write_at(to, offset, buffer.get(..got).unwrap_or(&buffer))?;
        offset += got as u64;
        if got < buffer.len() {
            return Ok(());
        }
    }
}

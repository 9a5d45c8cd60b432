//! What stands under a name, by content. Everything that decides about a file decides by its hash,
//! never by time or size.

use crate::disk::{Disk, Halt, Stat};
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

/// Looks under a name and hashes what is there.
pub fn find<D: Disk>(disk: &D, dir: &D::Dir, name: &str) -> Result<Option<Found>, Halt> {
    let Some(stat) = disk.stat(dir, name)? else { return Ok(None) };
    let digest = match stat.sort {
        Sort::File => match disk.open(dir, name) {
            Ok(file) => Some(hash(disk, &file)?),
            Err(halt) if halt.is_missing() => return Ok(None),
            Err(halt) => return Err(halt),
        },
        Sort::Link => Some(Digest::of(&disk.read_link(dir, name)?)),
        Sort::Folder | Sort::Special => None,
    };
    Ok(Some(Found { stat, digest }))
}

/// The hash under a name; nothing if nothing is there or it is neither file nor link.
pub fn digest_at<D: Disk>(disk: &D, dir: &D::Dir, name: &str) -> Result<Option<Digest>, Halt> {
    Ok(find(disk, dir, name)?.and_then(|found| found.digest))
}

/// Hashes an open file from its beginning.
pub fn hash<D: Disk>(disk: &D, file: &D::File) -> Result<Digest, Halt> {
    let mut hasher = Hasher::default();
    let mut buffer = vec![0; 64 * 1024];
    let mut offset = 0;
    loop {
        let got = disk.read_at(file, offset, &mut buffer)?;
        hasher.update(buffer.get(..got).unwrap_or(&buffer));
        offset += got as u64;
        if got < buffer.len() {
            return Ok(hasher.finish());
        }
        if buffer.len() < 1 << 20 {
            buffer.resize(1 << 20, 0);
        }
    }
}

/// All bytes of an open file. The limit was checked before; a file that grew past it is cut there.
pub fn read<D: Disk>(disk: &D, file: &D::File, limit: u64) -> Result<Vec<u8>, Halt> {
    let size = disk.stat_file(file)?.size.min(limit);
    let mut bytes = vec![0; usize::try_from(size).unwrap_or(usize::MAX).saturating_add(1)];
    let mut filled = 0;
    while let Some(rest) = bytes.get_mut(filled..) {
        let wanted = rest.len();
        let got = disk.read_at(file, filled as u64, rest)?;
        filled += got;
        if got < wanted || filled as u64 > limit {
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

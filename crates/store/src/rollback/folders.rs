//! Folders on the way back: those that went are made again as they were, those that were made go.
//!
//! A folder that is made again is closed to everybody else until everything is back in it. Whoever does this may die
//! over it, and the next one goes on.

use super::present;
use crate::disk::{Disk, Dress, Halt};
use crate::folders::Folders;
use patchwright_core::path::RelPath;

/// Makes a folder again that has gone, closed if its permission bits are known. Where it was made.
pub(super) fn make_again<D: Disk>(
    disk: &D,
    folders: &mut Folders<D>,
    (folder, mode): (&RelPath, Option<u32>),
) -> Result<Option<D::Dir>, Halt> {
    let parent = match present(folders.open(disk, &folder.parent())) {
        Err(Halt::Escape) | Ok(None) => return Ok(None),
        Ok(Some(parent)) => parent,
        Err(halt) => return Err(halt),
    };
    let made = match mode {
        Some(_) => disk.make_closed_folder(&parent, folder.name()),
        None => disk.make_folder(&parent, folder.name()),
    };
    match made {
        Ok(()) => Ok(Some(parent)),
        Err(halt) if halt.is_taken() => Ok(None),
        Err(halt) => Err(halt),
    }
}

/// The permission bits of a folder that was made again, until it has those it had.
const CLOSED: u32 = 0o700;

/// Gives a folder that was made again the permission bits it had. Whoever made it may have died before that, so it is
/// known by the bits it was made with. The folder, if anything changed.
pub(super) fn dress_again<D: Disk>(
    disk: &D,
    folders: &mut Folders<D>,
    (folder, mode): (&RelPath, u32),
) -> Result<Option<D::Dir>, Halt> {
    let dir = match present(folders.open(disk, folder)) {
        Err(Halt::Escape) | Ok(None) => return Ok(None),
        Ok(Some(dir)) => dir,
        Err(halt) => return Err(halt),
    };
    let parent = folders.open(disk, &folder.parent())?;
    let now = disk.stat(&parent, folder.name())?.map(|stat| stat.mode & 0o7777);
    if mode == CLOSED || now != Some(CLOSED) {
        return Ok(None);
    }
    disk.dress_folder(&dir, &Dress::Mode(Some(mode)))?;
    Ok(Some(dir))
}

/// What became of a folder that was to be removed.
pub(crate) enum Cleared<D> {
    /// It is gone from this one.
    Gone(D),
    /// It was not there.
    Absent,
    /// Something is in it, or it is no folder any more.
    Stays,
}

/// Removes a folder that was made, if it is there and empty.
pub(crate) fn remove_folder<D: Disk>(
    disk: &D,
    folders: &mut Folders<D>,
    folder: &RelPath,
) -> Result<Cleared<D::Dir>, Halt> {
    let parent = match present(folders.open(disk, &folder.parent())) {
        Err(Halt::Escape) | Ok(None) => return Ok(Cleared::Absent),
        Ok(Some(parent)) => parent,
        Err(halt) => return Err(halt),
    };
    folders.forget(folder);
    match disk.remove_folder(&parent, folder.name()) {
        Ok(()) => Ok(Cleared::Gone(parent)),
        Err(halt) if halt.is_missing() => Ok(Cleared::Absent),
        // Not empty, or no folder at all by now: then it is not the one that was made.
        Err(halt)
            if matches!(
                halt.os_kind(),
                Some(std::io::ErrorKind::DirectoryNotEmpty | std::io::ErrorKind::NotADirectory)
            ) =>
        {
            Ok(Cleared::Stays)
        }
        Err(halt) => Err(halt),
    }
}

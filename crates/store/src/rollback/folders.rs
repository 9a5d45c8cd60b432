//! Folders on the way back: those that went are made again as they were, those that were made go.
//!
//! A folder that is made again is closed to everybody else until everything is back in it. Whoever does this may die
//! over it, and the next one goes on.

use super::present;
use crate::disk::{CLOSED, Disk, Halt};
use crate::folders::Folders;
use crate::records::Intent;
use patchwright_core::folder::FolderMeta;
use patchwright_core::path::RelPath;
use std::collections::{HashMap, HashSet};

/// The folders of an intent that went.
pub(super) struct Gone<'a> {
    /// What they were like, where that is on record.
    metas: HashMap<&'a RelPath, FolderMeta>,
    /// Those that were made again.
    made: HashSet<&'a RelPath>,
}

impl<'a> Gone<'a> {
    pub(super) fn of(intent: &'a Intent) -> Gone<'a> {
        Gone { metas: intent.folder_metas(), made: HashSet::new() }
    }

    /// Makes a folder again that has gone, closed if it can be dressed later. Where it was made.
    pub(super) fn make_again<D: Disk>(
        &mut self,
        disk: &D,
        folders: &mut Folders<D>,
        folder: &'a RelPath,
    ) -> Result<Option<D::Dir>, Halt> {
        let Some(parent) = reached(folders.open(disk, &folder.parent()))? else { return Ok(None) };
        let made = match self.metas.contains_key(folder) {
            true => disk.make_closed_folder(&parent, folder.name()),
            false => disk.make_folder(&parent, folder.name()),
        };
        match made {
            Ok(()) => {
                self.made.insert(folder);
                Ok(Some(parent))
            }
            Err(halt) if halt.is_taken() => Ok(None),
            Err(halt) => Err(halt),
        }
    }

    /// Makes a folder that was made again be what it was like. The folder, if anything changed.
    pub(super) fn dress_again<D: Disk>(
        &self,
        disk: &D,
        folders: &mut Folders<D>,
        folder: &RelPath,
    ) -> Result<Option<D::Dir>, Halt> {
        let Some(meta) = self.metas.get(folder) else { return Ok(None) };
        if !self.made.contains(folder) {
            let Some(parent) = reached(folders.open(disk, &folder.parent()))? else { return Ok(None) };
            let now = disk.stat(&parent, folder.name())?.map_or(0, |stat| stat.mode);
            if !waits_for_its_dress(now, meta) {
                return Ok(None);
            }
        }
        dress(disk, folders, folder, meta)
    }
}

/// Makes a folder be like this, if it is there. The folder.
pub(super) fn dress<D: Disk>(
    disk: &D,
    folders: &mut Folders<D>,
    folder: &RelPath,
    meta: &FolderMeta,
) -> Result<Option<D::Dir>, Halt> {
    let Some(dir) = reached(folders.open(disk, folder))? else { return Ok(None) };
    disk.dress_folder(&dir, meta)?;
    Ok(Some(dir))
}

/// Nothing for a folder that is not there, or that is no folder of the workspace any more.
fn reached<T>(found: Result<T, Halt>) -> Result<Option<T>, Halt> {
    match present(found) {
        Err(Halt::Escape) => Ok(None),
        found => found,
    }
}

/// Was a folder with these permission bits made again by somebody who died before it was dressed? The default list of the
/// folder above may have taken rights of the owner away. Earlier versions gave such a folder no sticky bit.
fn waits_for_its_dress(now: u32, meta: &FolderMeta) -> bool {
    let (now, wanted) = (now & 0o1777, meta.mode & 0o1777);
    now | 0o700 == CLOSED || (now == 0o700 && wanted != 0o700)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_waits_for_its_dress_is_known() {
        let check = |now: u32, wanted: u32, waits: bool| {
            assert_eq!(waits_for_its_dress(now, &FolderMeta::of_mode(wanted)), waits, "{now:o}, to be {wanted:o}");
        };
        check(0o41700, 0o755, true);
        check(0o41700, 0o700, true);
        check(0o43700, 0o2755, true); // below a folder that hands its group on
        check(0o43600, 0o755, true); // and whose default list gives the owner less
        check(0o40700, 0o755, true); // made by an earlier version
        check(0o42700, 0o2755, true);
        check(0o40700, 0o700, false); // it never went
        check(0o42700, 0o2700, false);
        check(0o40755, 0o755, false);
        check(0o40750, 0o755, false); // somebody else's by now
        check(0, 0o755, false);
    }

    #[test]
    fn old_records_say_the_permission_bits_alone() {
        let folder = RelPath::parse("d", &[]).unwrap_or_else(|_| RelPath::root());
        let old = Intent { modes: vec![(folder.clone(), 0o750)], ..Intent::default() };
        assert_eq!(Gone::of(&old).metas.get(&folder), Some(&FolderMeta::of_mode(0o750)));
    }
}

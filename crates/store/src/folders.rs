//! Held directories. Each folder of a call is resolved once, through the guard, and then held; nothing
//! walks a path twice.

use crate::disk::{Disk, Halt};
use patchwright_core::path::RelPath;
use std::collections::HashMap;

/// The folders that a call has opened so far.
pub struct Folders<D: Disk> {
    held: HashMap<RelPath, D::Dir>,
}

impl<D: Disk> Default for Folders<D> {
    fn default() -> Folders<D> {
        Folders { held: HashMap::new() }
    }
}

impl<D: Disk> Folders<D> {
    /// Holds a folder that was resolved elsewhere.
    pub fn hold(&mut self, path: RelPath, dir: D::Dir) {
        self.held.entry(path).or_insert(dir);
    }

    /// The folder, opened now if it was not yet.
    pub fn open(&mut self, disk: &D, path: &RelPath) -> Result<D::Dir, Halt> {
        if let Some(dir) = self.held.get(path) {
            return Ok(dir.clone());
        }
        let dir = disk.folder(path)?;
        self.held.insert(path.clone(), dir.clone());
        Ok(dir)
    }

    /// Lets go of a folder that is no longer there.
    pub fn forget(&mut self, path: &RelPath) {
        self.held.remove(path);
    }
}

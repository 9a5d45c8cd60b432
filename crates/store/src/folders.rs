//! What a call holds open. Each folder is resolved once, through the guard, and then held; nothing walks a
//! path twice. Files that were looked at may be held too, so that what is swapped need not be opened again.

use crate::disk::{Disk, Halt};
use patchwright_core::path::RelPath;
use std::collections::HashMap;

/// The folders that a call has opened so far, and files it has read.
pub struct Folders<D: Disk> {
    held: HashMap<RelPath, D::Dir>,
    files: HashMap<RelPath, D::File>,
    /// How many may be held in all.
    room: usize,
    links: Links,
}

/// Whether links are followed on the way to a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Links {
    /// Inside the root.
    Followed,
    /// Not at all: what an intent names is real already.
    Refused,
}

/// So many may be held open anywhere, without asking.
const PLENTY: usize = 128;

impl<D: Disk> Default for Folders<D> {
    fn default() -> Folders<D> {
        Folders { held: HashMap::new(), files: HashMap::new(), room: PLENTY, links: Links::Followed }
    }
}

impl<D: Disk> Folders<D> {
    /// For recovery: whoever put a link into the way since leads nowhere.
    pub fn without_links() -> Folders<D> {
        Folders { links: Links::Refused, ..Folders::default() }
    }

    /// Holds a folder that was resolved elsewhere.
    pub fn hold(&mut self, disk: &D, path: RelPath, dir: D::Dir) {
        self.make_room(disk);
        self.held.entry(path).or_insert(dir);
    }

    /// Sees to it that one more can be held, where that is allowed. How many may be held in all.
    fn make_room(&mut self, disk: &D) -> usize {
        let count = self.files.len() + self.held.len() + 1;
        if count > self.room {
            self.room = disk.room_for_files(count * 2);
        }
        self.room
    }

    /// The folder, if it is held.
    pub fn held(&self, path: &RelPath) -> Option<&D::Dir> {
        self.held.get(path)
    }

    /// The folder, opened now if it was not yet.
    pub fn open(&mut self, disk: &D, path: &RelPath) -> Result<D::Dir, Halt> {
        if let Some(dir) = self.held.get(path) {
            return Ok(dir.clone());
        }
        self.make_room(disk);
        let dir = match self.links {
            Links::Followed => disk.folder(path)?,
            Links::Refused => disk.folder_straight(path)?,
        };
        self.held.insert(path.clone(), dir.clone());
        Ok(dir)
    }

    /// Lets go of a folder that is no longer there.
    pub fn forget(&mut self, path: &RelPath) {
        self.held.remove(path);
    }

    /// Holds a file that was read, as long as there is room for it.
    pub fn hold_file(&mut self, disk: &D, path: &RelPath, file: D::File) {
        if self.files.len() + self.held.len() < self.make_room(disk) {
            self.files.insert(path.clone(), file);
        }
    }

    /// Hands over a file that was held.
    pub fn take_file(&mut self, path: &RelPath) -> Option<D::File> {
        self.files.remove(path)
    }
}

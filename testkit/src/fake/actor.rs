//! A foreign program: an editor, a formatter, git. It knows nothing of us, follows no protocol and
//! syncs nothing. Its verbs answer with nothing where the file is not there.

use super::pending::{Change, Edit, Ino};
use super::world::{Entries, Kind, ROOT, World};
use patchwright_store::disk::Halt;
use std::sync::Arc;

/// Another program's access to the tree.
pub struct Actor<'a> {
    world: &'a mut World,
}

/// A file that a foreign program holds open, whatever its name is by now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept(Ino);

impl<'a> Actor<'a> {
    pub(crate) fn new(world: &'a mut World) -> Actor<'a> {
        Actor { world }
    }

    /// The bytes under a path now.
    pub fn read(&self, path: &str) -> Option<Vec<u8>> {
        let (_, ino) = self.entry(path)?;
        self.world.content(ino).ok().map(|content| content.live().to_vec())
    }

    /// Saves as many editors do: truncates the file and writes into it, the inode staying the same.
    /// Makes the file, and the folders above it, where there is none.
    pub fn save_in_place(&mut self, path: &str, bytes: &[u8]) {
        match self.open(path) {
            Some(kept) => self.write_through(kept, bytes),
            None => drop(self.make(path, Kind::File(Arc::default()), 0o644).map(|ino| self.fill(ino, bytes))),
        }
    }

    /// Saves as careful editors do: writes a new file and renames it over the old one.
    pub fn save_by_rename(&mut self, path: &str, bytes: &[u8]) {
        self.delete(path);
        if let Ok(ino) = self.make(path, Kind::File(Arc::default()), 0o644) {
            self.fill(ino, bytes);
        }
    }

    /// Removes a file or link.
    pub fn delete(&mut self, path: &str) {
        if let Some((dir, name)) = self.place(path)
            && self.world.need(dir, &name).is_ok()
        {
            let gone = Change::new(vec![Edit::new(dir, &name, None)]);
            drop(self.world.change(gone));
        }
    }

    /// Renames, replacing what is there.
    pub fn rename(&mut self, from: &str, to: &str) {
        let moved = self.entry(from).zip(self.place(from)).zip(self.place(to));
        if let Some((((_, ino), (from_dir, from_name)), (to_dir, to_name))) = moved {
            let edits = vec![Edit::new(from_dir, &from_name, None), Edit::new(to_dir, &to_name, Some(ino))];
            drop(self.world.change(Change::new(edits)));
        }
    }

    /// Opens a file and keeps it open.
    pub fn open(&self, path: &str) -> Option<Kept> {
        let (_, ino) = self.entry(path)?;
        self.world.content(ino).is_ok().then_some(Kept(ino))
    }

    /// Truncates and writes a file that was kept open, wherever it is by now.
    pub fn write_through(&mut self, kept: Kept, bytes: &[u8]) {
        if let Ok(content) = self.world.content_mut(kept.0) {
            content.set_len(0);
            content.write_at(0, bytes);
        }
    }

    /// Does a file that is held open still have a name anywhere? One without a name is lost when it is
    /// closed, whoever writes into it.
    pub fn is_named(&self, kept: Kept) -> bool {
        self.world.stat(kept.0).is_ok_and(|stat| stat.links > 0)
    }

    /// The names in a folder; none if it is not one.
    pub fn names(&self, path: &str) -> Vec<String> {
        let dir = if path.is_empty() { Some(ROOT) } else { self.entry(path).map(|(_, ino)| ino) };
        let entries = dir.and_then(|dir| self.world.entries(dir).ok());
        entries.map(|entries| entries.live.keys().cloned().collect()).unwrap_or_default()
    }

    /// Does a folder stand there?
    pub fn is_folder(&self, path: &str) -> bool {
        self.entry(path).is_some_and(|(_, ino)| self.world.entries(ino).is_ok())
    }

    /// Makes a folder, and those above it.
    pub fn make_folder(&mut self, path: &str) {
        drop(self.make(path, Kind::Folder(Entries::default()), 0o755));
    }

    /// Makes a link.
    pub fn make_link(&mut self, path: &str, target: &[u8]) {
        drop(self.make(path, Kind::Link(target.to_vec()), 0o777));
    }

    /// Makes something that is neither file, folder nor link.
    pub fn make_special(&mut self, path: &str) {
        drop(self.make(path, Kind::Special, 0o644));
    }

    /// Gives a file or folder these permission bits.
    pub fn set_mode(&mut self, path: &str, mode: u32) {
        if let Some((_, ino)) = self.entry(path)
            && let Ok(inode) = self.world.inode_mut(ino)
        {
            inode.dress.mode = mode;
        }
    }

    /// Gives a file or folder to this user and group.
    pub fn set_owner(&mut self, path: &str, owner: (u32, u32)) {
        if let Some((_, ino)) = self.entry(path)
            && let Ok(inode) = self.world.inode_mut(ino)
        {
            inode.dress.owner = owner;
        }
    }

    /// Gives a file or folder an extended attribute.
    pub fn set_attribute(&mut self, path: &str, name: &str, value: &[u8]) {
        if let Some((_, ino)) = self.entry(path)
            && let Ok(inode) = self.world.inode_mut(ino)
        {
            inode.dress.attributes.insert(name.to_owned(), value.to_vec());
        }
    }

    /// Everything done so far reaches the disk.
    pub fn sync_everything(&mut self) {
        self.world.settle(|_| true);
        self.world.settle_files(|_| true);
    }

    fn fill(&mut self, ino: Ino, bytes: &[u8]) {
        if let Ok(content) = self.world.content_mut(ino) {
            content.write_at(0, bytes);
        }
    }

    fn make(&mut self, path: &str, kind: Kind, mode: u32) -> Result<Ino, Halt> {
        let mut dir = ROOT;
        let (above, name) = path.rsplit_once('/').unwrap_or(("", path));
        for folder in above.split('/').filter(|folder| !folder.is_empty()) {
            dir = match self.world.find(dir, folder)? {
                Some((_, ino)) => ino,
                None => self.world.make(dir, folder, Kind::Folder(Entries::default()), 0o755)?,
            };
        }
        self.world.make(dir, name, kind, mode)
    }

    fn place(&self, path: &str) -> Option<(Ino, String)> {
        match path.rsplit_once('/') {
            Some((above, name)) => Some((self.entry(above)?.1, name.to_owned())),
            None => Some((ROOT, path.to_owned())),
        }
    }

    fn entry(&self, path: &str) -> Option<(String, Ino)> {
        let mut found = (String::new(), ROOT);
        for name in path.split('/') {
            found = self.world.find(found.1, name).ok()??;
        }
        Some(found)
    }
}

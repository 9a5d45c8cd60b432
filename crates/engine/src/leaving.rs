//! Names that a call leaves free: what may come in their place, and in the place of folders in which nothing else is.
//!
//! Nothing is looked at before a name is wanted whose folder is a file, or that is a folder itself.

use patchwright_core::path::RelPath;
use patchwright_core::refusal::Sort;
use patchwright_store::disk::Disk;
use patchwright_store::real::RealDisk;
use std::collections::HashSet;
use std::sync::OnceLock;

/// A refusal names no more of what is left in a folder.
const TOLD: usize = 10;

/// The names of files and links that a call removes or moves away.
#[derive(Default)]
pub(crate) struct Leaving {
    given: Vec<RelPath>,
    /// Folders that go with them, also if they are empty already.
    folders: HashSet<RelPath>,
    known: OnceLock<Known>,
}

/// Where those really are.
struct Known {
    names: HashSet<RelPath>,
    /// What they are called in their folders.
    last: HashSet<String>,
    /// The folders that they are in, and those above.
    above: HashSet<RelPath>,
}

impl Leaving {
    pub(crate) fn add(&mut self, paths: impl IntoIterator<Item = RelPath>) {
        self.given.extend(paths);
        self.known = OnceLock::new();
    }

    /// Folders that an undo removes if nothing is in them.
    pub(crate) fn add_folders(&mut self, folders: impl IntoIterator<Item = RelPath>) {
        self.folders.extend(folders);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.given.is_empty()
    }

    /// Is what stands at a path, links in its folders followed, one of them?
    pub(crate) fn has(&self, disk: &RealDisk, path: &RelPath) -> bool {
        if self.given.is_empty() {
            return false;
        }
        let known = self.known(disk);
        // Looking where a path leads takes long for deep ones, and there may be very many.
        known.last.contains(path.name()) && known.names.contains(&real(disk, path))
    }

    /// Is a folder empty once they are gone, and the folders in it that go too?
    pub(crate) fn clears(&self, disk: &RealDisk, folder: &RelPath, goes: &dyn Fn(&RelPath) -> bool) -> bool {
        let Ok(dir) = disk.folder_straight(folder) else { return false };
        let Ok(names) = disk.names(&dir) else { return false };
        let known = self.known(disk);
        names.iter().filter_map(|name| folder.join(name)).all(|child| known.names.contains(&child) || goes(&child))
    }

    /// The folders that go if something comes in the place of this one, deepest first; nothing if anything would be
    /// left in them. Each must have had something of the call in it, or be one that an undo removes: a folder that was empty
    /// before is somebody's.
    pub(crate) fn empties(&self, disk: &RealDisk, folder: &RelPath) -> Option<Vec<RelPath>> {
        if self.given.is_empty() && self.folders.is_empty() {
            return None;
        }
        let known = self.known(disk);
        let (mut open, mut found) = (vec![folder.clone()], Vec::new());
        while let Some(at) = open.pop() {
            if !known.above.contains(&at) && !self.folders.contains(&at) {
                return None;
            }
            let dir = disk.folder_straight(&at).ok()?;
            for name in disk.names(&dir).ok()? {
                let child = at.join(&name)?;
                let sort = disk.stat(&dir, &name).ok()?.map(|stat| stat.sort);
                match sort {
                    Some(Sort::Folder) => open.push(child),
                    Some(_) if !known.names.contains(&child) => return None,
                    Some(_) | None => {}
                }
            }
            found.push(at);
        }
        found.reverse();
        Some(found)
    }

    /// What the call leaves in a folder from which it takes something, the first few of it; and whether there is more.
    /// What `shown` does not let through is only counted.
    pub(crate) fn left_in(
        &self,
        disk: &RealDisk,
        folder: &RelPath,
        shown: impl Fn(&RelPath) -> bool,
    ) -> Option<(Vec<String>, bool)> {
        let known = self.known(disk);
        let (mut open, mut left, mut more) = (vec![folder.clone()], Vec::new(), false);
        if self.given.is_empty() || !known.above.contains(folder) {
            return None;
        }
        while let (Some(at), true) = (open.pop(), left.len() < TOLD) {
            let dir = disk.folder_straight(&at).ok()?;
            let names = disk.names(&dir).ok()?;
            let children: Vec<RelPath> = names.iter().filter_map(|name| at.join(name)).collect();
            more |= children.len() < names.len();
            if names.is_empty() {
                left.push(format!("{at}/"));
            }
            for child in children.into_iter().filter(|child| !known.names.contains(child)) {
                let sort = disk.stat(&dir, child.name()).ok().flatten().map(|stat| stat.sort);
                match sort {
                    Some(Sort::Folder) => open.push(child),
                    Some(_) if shown(&child) => left.push(child.to_string()),
                    _ => more = true,
                }
            }
        }
        more |= !open.is_empty() || left.len() > TOLD;
        left.sort();
        left.truncate(TOLD);
        Some((left, more))
    }

    fn known(&self, disk: &RealDisk) -> &Known {
        self.known.get_or_init(|| {
            let names: HashSet<RelPath> = self.given.iter().map(|path| real(disk, path)).collect();
            let last = names.iter().map(|path| path.name().to_owned()).collect();
            let mut above = HashSet::new();
            for path in &names {
                let mut folder = path.parent();
                while !folder.is_root() && above.insert(folder.clone()) {
                    folder = folder.parent();
                }
            }
            Known { names, last, above }
        })
    }
}

/// Where a path is, links in its folders followed. One that is gone already is where it says.
fn real(disk: &RealDisk, path: &RelPath) -> RelPath {
    disk.resolve_no_follow(path).map_or_else(|_| path.clone(), |at| at.real)
}

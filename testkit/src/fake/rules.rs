//! What Linux would say: walking down to a folder, and whether a rename may happen.

use super::pending::{Edit, Ino};
use super::switches::Ability;
use super::world::{EINVAL, EISDIR, ELOOP, ENOTDIR, ENOTEMPTY, EXDEV, Kind, ROOT, World, os};
use patchwright_store::disk::{Halt, Rename};

/// A name in a folder.
#[derive(Clone, Copy)]
pub(super) struct Name<'a> {
    pub(super) folder: Ino,
    pub(super) name: &'a str,
}

impl World {
    /// Walks down to a folder on a way that has no links.
    pub(super) fn resolve_straight(&self, path: &str) -> Result<Ino, Halt> {
        path.split('/').filter(|name| !name.is_empty()).try_fold(ROOT, |dir, name| {
            let (_, ino) = self.need(dir, name)?;
            match &self.inode(ino)?.kind {
                Kind::Folder(_) => Ok(ino),
                Kind::Link(_) => Err(Halt::Escape),
                Kind::File(_) | Kind::Special => Err(os(ENOTDIR)),
            }
        })
    }

    /// Walks down to a folder. Links are followed inside the root and nowhere else.
    pub(super) fn resolve(&self, path: &str) -> Result<Ino, Halt> {
        let mut trail = vec![ROOT];
        let mut todo: Vec<String> = path.split('/').rev().map(str::to_owned).collect();
        let mut hops = 0;
        while let Some(name) = todo.pop() {
            match name.as_str() {
                "" | "." => continue,
                ".." if trail.len() > 1 => drop(trail.pop()),
                ".." => return Err(Halt::Escape),
                _ => {
                    let (_, ino) = self.need(trail.last().copied().unwrap_or(ROOT), &name)?;
                    match &self.inode(ino)?.kind {
                        Kind::Folder(_) => trail.push(ino),
                        Kind::Link(_) if hops == 40 => return Err(os(ELOOP)),
                        Kind::Link(target) => {
                            hops += 1;
                            todo.extend(steps(target)?);
                        }
                        Kind::File(_) | Kind::Special => return Err(os(ENOTDIR)),
                    }
                }
            }
        }
        Ok(trail.last().copied().unwrap_or(ROOT))
    }

    pub(super) fn must_be_file(&self, ino: Ino) -> Result<(), Halt> {
        match &self.inode(ino)?.kind {
            Kind::File(_) => Ok(()),
            Kind::Link(_) => Err(os(ELOOP)),
            Kind::Folder(_) => Err(os(EISDIR)),
            Kind::Special => Err(Halt::Special),
        }
    }

    pub(super) fn must_share_device(&self, one: Ino, other: Ino) -> Result<(), Halt> {
        if self.inode(one)?.device == self.inode(other)?.device { Ok(()) } else { Err(os(EXDEV)) }
    }

    /// The changes of names that a rename comes to.
    pub(super) fn renamed(&self, from: Name<'_>, to: Name<'_>, how: Rename) -> Result<Vec<Edit>, Halt> {
        let cannot = match how {
            Rename::NoReplace => self.switches.no_replace == Ability::Missing,
            Rename::Exchange => self.switches.exchange == Ability::Missing,
            Rename::Replace => false,
        };
        if cannot {
            return Err(Halt::Unsupported);
        }
        let (from_name, moved) = self.need(from.folder, from.name)?;
        self.must_share_device(from.folder, to.folder)?;
        self.must_not_swallow(moved, to.folder)?;
        let there = match how {
            Rename::NoReplace => self.must_be_free(to.folder, to.name).map(|()| None)?,
            Rename::Exchange => Some(self.need(to.folder, to.name)?),
            Rename::Replace => self.find(to.folder, to.name)?,
        };
        if let (Rename::Replace, Some((_, target))) = (how, &there) {
            self.must_be_replaceable(moved, *target)?;
        }
        let back = there.as_ref().filter(|_| how == Rename::Exchange).map(|(_, ino)| *ino);
        let to_name = there.map_or_else(|| to.name.to_owned(), |(name, _)| name);
        Ok(vec![Edit::new(from.folder, &from_name, back), Edit::new(to.folder, &to_name, Some(moved))])
    }

    fn must_be_replaceable(&self, moved: Ino, target: Ino) -> Result<(), Halt> {
        match (self.entries(moved).is_ok(), self.entries(target)) {
            (false, Err(_)) => Ok(()),
            (true, Ok(entries)) if entries.live.is_empty() => Ok(()),
            (true, Ok(_)) => Err(os(ENOTEMPTY)),
            (true, Err(_)) => Err(os(ENOTDIR)),
            (false, Ok(_)) => Err(os(EISDIR)),
        }
    }

    /// A folder cannot be moved below itself.
    fn must_not_swallow(&self, moved: Ino, dir: Ino) -> Result<(), Halt> {
        let mut open = vec![moved];
        while let Some(ino) = open.pop() {
            if ino == dir {
                return Err(os(EINVAL));
            }
            if let Ok(entries) = self.entries(ino) {
                open.extend(entries.live.values());
            }
        }
        Ok(())
    }

    /// A folder's number, and its name where it has one: for traces.
    pub(super) fn path_of(&self, dir: Ino) -> String {
        let folders = self.inodes.values().filter_map(|inode| match &inode.kind {
            Kind::Folder(entries) => entries.live.iter().find(|(_, to)| **to == dir),
            _ => None,
        });
        folders.map(|(name, _)| name.clone()).next().unwrap_or_else(|| ".".to_owned())
    }
}

/// The names of a link's target, last first.
fn steps(target: &[u8]) -> Result<Vec<String>, Halt> {
    let text = String::from_utf8_lossy(target);
    if text.starts_with('/') {
        return Err(Halt::Escape);
    }
    Ok(text.split('/').rev().map(str::to_owned).collect())
}

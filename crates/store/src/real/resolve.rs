//! From a path of the workspace to a held folder and a name in it.
//!
//! Promises that the name stands in the folder that is held, and that links were followed only inside
//! the root. A link swapped in later changes nothing: whoever opens the name does not follow it.
//! What is refused is said with the folder that is to blame.

use super::dir::Dir;
use super::errno::os;
use super::{Means, RealDisk, file, stat};
use crate::disk::{Halt, Stat};
use patchwright_core::path::RelPath;
use patchwright_core::refusal::Sort;
use rustix::io::Errno;
use std::fs::File;
use std::io::ErrorKind;

/// As many links in a row as the kernel follows.
const MOST_LINKS: usize = 40;

/// A path, resolved.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// As it was asked for.
    pub given: RelPath,
    /// Where that is, links followed. Of a dangling link, where it points.
    pub real: RelPath,
    /// The folder that holds [`Resolved::name`].
    pub dir: Dir,
    /// The last name; `.` for the root. Of a dangling link, the link's own: nothing can be created
    /// through it.
    pub name: String,
    /// What stands there.
    pub leaf: Leaf,
}

/// What stands under the last name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// This.
    There(Stat),
    /// Nothing.
    Absent,
    /// A link that points to nothing.
    Dangling,
}

/// Why a path could not be resolved.
#[derive(Debug)]
pub enum Unresolved {
    /// This folder on the way is not there; it is the first that is not.
    NoFolder(RelPath),
    /// This stands where a folder is needed.
    NotFolder(RelPath),
    /// Anything else.
    Halt(Halt),
}

impl From<Halt> for Unresolved {
    fn from(halt: Halt) -> Unresolved {
        Unresolved::Halt(halt)
    }
}

impl Resolved {
    /// What is known of what stands there.
    pub fn stat(&self) -> Option<Stat> {
        match self.leaf {
            Leaf::There(stat) => Some(stat),
            Leaf::Absent | Leaf::Dangling => None,
        }
    }

    /// Did a link lead here?
    pub fn through_link(&self) -> bool {
        self.given != self.real
    }
}

impl RealDisk {
    /// For reading and editing: links are followed, in the last name too.
    pub fn resolve(&self, path: &RelPath) -> Result<Resolved, Unresolved> {
        self.follow_all(self.resolve_no_follow(path)?)
    }

    /// The same for a path whose folder is held. Links are followed on the way there no more.
    pub fn resolve_in(&self, dir: &Dir, path: &RelPath) -> Result<Resolved, Unresolved> {
        self.follow_all(self.resolve_no_follow_in(dir, path)?)
    }

    fn follow_all(&self, mut at: Resolved) -> Result<Resolved, Unresolved> {
        for _ in 0..MOST_LINKS {
            match at.leaf {
                Leaf::There(stat) if stat.sort == Sort::Link => at = self.follow(at)?,
                _ => return Ok(at),
            }
        }
        Err(os(Errno::LOOP).into())
    }

    /// Opens for reading what was just resolved to a regular file.
    pub fn open_resolved(&self, at: &Resolved) -> Result<File, Halt> {
        file::open_known(&at.dir, &at.name)
    }

    /// For creating, deleting and moving: links are followed on the way, not in the last name.
    pub fn resolve_no_follow(&self, path: &RelPath) -> Result<Resolved, Unresolved> {
        let Some((parent, name)) = path.split() else {
            return Ok(self.resolved_root(path));
        };
        let dir = self.hold(&parent).map_err(|halt| self.blame(&parent, halt))?;
        self.at_name(path, dir, name)
    }

    /// The same for a path whose folder is held.
    pub fn resolve_no_follow_in(&self, dir: &Dir, path: &RelPath) -> Result<Resolved, Unresolved> {
        self.at_name(path, dir.clone(), path.name())
    }

    fn at_name(&self, given: &RelPath, dir: Dir, name: &str) -> Result<Resolved, Unresolved> {
        let leaf = stat::of_name(&dir, name)?.map_or(Leaf::Absent, Leaf::There);
        let real = dir.path().and_then(|path| path.join(name)).ok_or_else(|| os(Errno::NAMETOOLONG))?;
        Ok(Resolved { given: given.clone(), real, dir, name: name.to_owned(), leaf })
    }

    fn resolved_root(&self, given: &RelPath) -> Resolved {
        let leaf = stat::of_file(self.root()).map_or(Leaf::Absent, Leaf::There);
        Resolved { given: given.clone(), real: RelPath::root(), dir: self.root().clone(), name: ".".to_owned(), leaf }
    }

    /// Where a link with this target would lead if it stood in this folder, which is there and has no link on its way.
    pub fn leads_to(&self, folder: &RelPath, target: &str) -> Result<Resolved, Unresolved> {
        let dir = self.hold(folder).map_err(|halt| self.blame(folder, halt))?;
        let (given, real, name) = (folder.clone(), folder.clone(), ".".to_owned());
        self.follow_all(self.step_to(Resolved { given, real, dir, name, leaf: Leaf::Dangling }, target)?)
    }

    /// Takes one step from a link to where it points.
    fn follow(&self, link: Resolved) -> Result<Resolved, Unresolved> {
        let target = match file::read_link(&link.dir, &link.name) {
            Ok(target) => target,
            // No link any more: look at what stands there now.
            Err(Halt::Os(error)) if matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::NotFound) => {
                return self.at_name(&link.given, link.dir.clone(), &link.name);
            }
            Err(halt) => return Err(halt.into()),
        };
        let target = String::from_utf8(target).map_err(|_| os(Errno::ILSEQ))?;
        self.step_to(link, &target)
    }

    fn step_to(&self, link: Resolved, target: &str) -> Result<Resolved, Unresolved> {
        if target.starts_with('/') || self.means() == Means::Portable {
            return Err(Halt::Escape.into());
        }
        let from = link.dir.path().map(RelPath::as_str).unwrap_or_default();
        let (folder, name) = match target.rsplit_once('/') {
            Some((folder, name)) => (format!("./{from}/{folder}"), name),
            None => (format!("./{from}"), target),
        };
        if matches!(name, "" | "." | "..") {
            return self.follow_to_folder(&link, &format!("./{from}/{target}"));
        }
        match self.hold_linked(&folder) {
            Ok(dir) => self.arrive(link, dir, name),
            Err(halt) => dangling(link, &format!("{folder}/{name}"), halt),
        }
    }

    fn arrive(&self, link: Resolved, dir: Dir, name: &str) -> Result<Resolved, Unresolved> {
        let there = self.at_name(&link.given, dir, name)?;
        Ok(match there.leaf {
            Leaf::Absent => Resolved { real: there.real, leaf: Leaf::Dangling, ..link },
            _ => there,
        })
    }

    /// A link whose text ends in a folder's own name for itself or its parent.
    fn follow_to_folder(&self, link: &Resolved, spelling: &str) -> Result<Resolved, Unresolved> {
        let dir = match self.hold_linked(spelling) {
            Ok(dir) => dir,
            Err(halt) => return dangling(link.clone(), spelling, halt),
        };
        let real = dir.path().cloned().unwrap_or_else(RelPath::root);
        let folder = self.resolve_no_follow(&real)?;
        Ok(Resolved { given: link.given.clone(), ..folder })
    }

    /// Finds the first folder on the way that is to blame.
    fn blame(&self, folder: &RelPath, halt: Halt) -> Unresolved {
        let kind = halt.os_kind();
        if !matches!(kind, Some(ErrorKind::NotFound | ErrorKind::NotADirectory)) {
            return halt.into();
        }
        let way = folder.ancestors().into_iter().chain([folder.clone()]);
        for step in way {
            match self.hold(&step) {
                Ok(_) => {}
                Err(why) if why.is_missing() => return Unresolved::NoFolder(step),
                Err(why) if why.os_kind() == Some(ErrorKind::NotADirectory) => return Unresolved::NotFolder(step),
                Err(why) => return why.into(),
            }
        }
        halt.into()
    }
}

/// A link whose target is not there, and how far it can be said where that would be.
fn dangling(link: Resolved, spelling: &str, halt: Halt) -> Result<Resolved, Unresolved> {
    match halt.os_kind() {
        Some(ErrorKind::NotFound | ErrorKind::NotADirectory) => {}
        _ => return Err(halt.into()),
    }
    let real = RelPath::parse(spelling, &[]).map_err(|_| Halt::Escape)?;
    Ok(Resolved { real, leaf: Leaf::Dangling, ..link })
}

//! Where a workspace's records may stand: in its `.git`, which clones and branches cannot bring along, else in the root.
//!
//! Promises to tell the places, the best first, and to make nothing. An existing record is looked for in all of them; a
//! new one goes to the first where it can be written.

use super::dir::{Dir, FOLDER, Room};
use super::errno::os;
use super::path::make_path;
use super::{file, stat};
use crate::disk::Halt;
use patchwright_core::policy::STATE_DIR;
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The folder of records in a git folder.
const IN_GIT: &str = "patchwright";
const GIT: &str = ".git";
/// A `.git` file is one short line.
const GIT_FILE_MAX: u64 = 8192;

/// A place for records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The folder that the place stands in.
    base: Base,
    /// Is it a place for new records, or only one in which to look for old ones?
    pub(super) takes: Takes,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Base {
    /// The root's own `.git` folder.
    Git,
    /// The git folder that the root's `.git` file names.
    Elsewhere(PathBuf),
    /// The root.
    Root,
    /// A folder that somebody asked for.
    Given(PathBuf),
}

/// What a place takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    /// New records too.
    New,
    /// Only those that are there.
    Old,
}

/// The places of a root, the best first.
pub(super) fn of(root: &Dir, canonical: &Path, given: Option<&Path>) -> Vec<Place> {
    if let Some(given) = given {
        return vec![Place { base: Base::Given(given.to_owned()), takes: Takes::New }];
    }
    let mut all = Vec::new();
    if git_folder(root).is_ok() {
        all.push(Place { base: Base::Git, takes: Takes::New });
    } else if let Some(folder) = linked_git_folder(root, canonical) {
        let takes = if is_worktree_of(&folder, canonical) { Takes::New } else { Takes::Old };
        all.push(Place { base: Base::Elsewhere(folder), takes });
    }
    all.push(Place { base: Base::Root, takes: Takes::New });
    all
}

/// Where a record of this root may have stood that is gone: `.git` may be gone with it.
pub(super) fn once(canonical: &Path, given: Option<&Path>) -> Vec<PathBuf> {
    match given {
        Some(given) => vec![Place { base: Base::Given(given.to_owned()), takes: Takes::New }.path(canonical)],
        None => vec![canonical.join(GIT).join(IN_GIT), canonical.join(STATE_DIR)],
    }
}

impl Place {
    /// The place, if it is there.
    pub(super) fn open(&self, root: &Dir) -> Result<Dir, Halt> {
        match &self.base {
            Base::Given(path) => outside(path),
            base => base.open(root).and_then(|base| enter(&base, self.name())),
        }
    }

    /// The place, made if it is not there.
    pub(super) fn make(&self, root: &Dir) -> Result<Dir, Halt> {
        if let Base::Given(path) = &self.base {
            make_path(path)?;
            return outside(path);
        }
        let base = self.base.open(root)?;
        match rustix::fs::mkdirat(&base, self.name(), Mode::RWXU) {
            Ok(()) | Err(Errno::EXIST) => enter(&base, self.name()),
            Err(errno) => Err(os(errno)),
        }
    }

    /// The folder that the place stands in.
    pub(super) fn base(&self, root: &Dir) -> Result<Dir, Halt> {
        match &self.base {
            // Whoever named the folder may have come to it through a link.
            Base::Given(path) => {
                let fd = rustix::fs::open(path.parent().unwrap_or(path), FOLDER, Mode::empty()).map_err(os)?;
                Ok(Dir::new(fd, Room::State))
            }
            base => base.open(root),
        }
    }

    /// Where it is, below the root, if its path tells.
    pub(super) fn path(&self, canonical: &Path) -> PathBuf {
        match &self.base {
            Base::Git => canonical.join(GIT).join(IN_GIT),
            Base::Elsewhere(folder) => folder.join(IN_GIT),
            Base::Root => canonical.join(STATE_DIR),
            Base::Given(path) => path.canonicalize().unwrap_or_else(|_| path.clone()),
        }
    }

    /// May other roots keep their records there too?
    pub(super) fn is_shared(&self) -> bool {
        matches!(self.base, Base::Given(_))
    }

    /// Must it ignore itself? Git looks into the root, not into its own folder.
    pub(super) fn is_seen_by_git(&self) -> bool {
        matches!(self.base, Base::Root | Base::Given(_))
    }

    fn name(&self) -> &'static str {
        if self.base == Base::Root { STATE_DIR } else { IN_GIT }
    }
}

impl Base {
    fn open(&self, root: &Dir) -> Result<Dir, Halt> {
        match self {
            Base::Git => git_folder(root),
            Base::Elsewhere(path) | Base::Given(path) => outside(path),
            Base::Root => Ok(root.clone()),
        }
    }
}

/// The root's `.git`, if it is a folder, no link, on the root's own file system.
fn git_folder(root: &Dir) -> Result<Dir, Halt> {
    let git = enter(root, GIT)?;
    if git.id()?.0 == root.id()?.0 { Ok(git) } else { Err(os(Errno::XDEV)) }
}

/// The folder that the root's `.git` file names.
fn linked_git_folder(root: &Dir, canonical: &Path) -> Option<PathBuf> {
    let text = short_text(file::open(root, GIT).ok()?)?;
    let named = text.strip_prefix("gitdir:")?.trim();
    canonical.join(named).canonicalize().ok()
}

/// Does a git folder say that it belongs to this work tree, and is it the user's own? A `.git` file can name any folder.
fn is_worktree_of(folder: &Path, canonical: &Path) -> bool {
    // Through a handle, so that nothing but a regular file is opened: a pipe would hold us up for ever.
    let named = outside(folder).and_then(|dir| file::open(&dir, "gitdir")).ok().and_then(short_text);
    let named = named.map(|text| folder.join(text.trim()));
    let back = named.and_then(|path| path.parent()?.canonicalize().ok());
    let own = folder.metadata().is_ok_and(|found| found.uid() == rustix::process::geteuid().as_raw());
    own && back.as_deref() == Some(canonical)
}

fn short_text(file: std::fs::File) -> Option<String> {
    let mut text = String::new();
    file.take(GIT_FILE_MAX).read_to_string(&mut text).ok()?;
    Some(text)
}

fn outside(path: &Path) -> Result<Dir, Halt> {
    let fd = rustix::fs::open(path, FOLDER | OFlags::NOFOLLOW, Mode::empty()).map_err(os)?;
    Ok(Dir::new(fd, Room::State))
}

/// Opens a folder of ours; a link or a file in its place is an error.
pub(super) fn enter(dir: &Dir, name: &str) -> Result<Dir, Halt> {
    if matches!(name, "." | "..") || name.contains('/') {
        return Err(Halt::Escape);
    }
    let fd = rustix::fs::openat(dir, name, FOLDER | OFlags::NOFOLLOW, Mode::empty()).map_err(os)?;
    Ok(Dir::new(fd, Room::State))
}

/// Opens a folder of ours, and makes it if it is not there.
pub(super) fn make(dir: &Dir, name: &str) -> Result<Dir, Halt> {
    match rustix::fs::mkdirat(dir, name, Mode::RWXU) {
        Ok(()) | Err(Errno::EXIST) => enter(dir, name),
        Err(errno) => Err(os(errno)),
    }
}

/// Does a folder stand under this name?
pub(super) fn has(dir: &Dir, name: &str) -> bool {
    use patchwright_core::refusal::Sort;
    matches!(stat::of_name(dir, name), Ok(Some(found)) if found.sort == Sort::Folder)
}

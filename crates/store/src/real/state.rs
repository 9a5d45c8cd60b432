//! The state folder: where it is, making it, opening its files without making anything.
//!
//! Promises 0700 for its folders, 0600 for its files, that it ignores itself in version control, and
//! that nothing in it is reached through a link.

use super::dir::{Dir, FOLDER, Room, os};
use super::{RealDisk, StateAt, file, rename, stat};
use crate::disk::{Halt, Rename};
use patchwright_core::path::RelPath;
use patchwright_core::policy::STATE_DIR;
use patchwright_core::refusal::Sort;
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use std::fs::{DirBuilder, File};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

/// Where the state folder is.
#[derive(Clone, Debug)]
pub(super) enum Home {
    Inside(RelPath),
    Elsewhere(PathBuf, Option<RelPath>),
}

impl Home {
    pub(super) fn new(root: &Path, state: StateAt) -> Result<Home, Halt> {
        match state {
            StateAt::Inside => RelPath::root().join(STATE_DIR).map(Home::Inside).ok_or(Halt::Escape),
            StateAt::Elsewhere(path) => {
                let path = std::path::absolute(path)?;
                let inside = within(root, &path);
                Ok(Home::Elsewhere(path, inside))
            }
        }
    }

    pub(super) fn inside(&self) -> Option<&RelPath> {
        match self {
            Home::Inside(path) => Some(path),
            Home::Elsewhere(_, path) => path.as_ref(),
        }
    }
}

/// In a state folder that was put elsewhere: the workspace it belongs to.
const OWNER: &str = "root";

impl Home {
    /// A state folder elsewhere serves one workspace: another one's records would mean nothing here.
    pub(super) fn check_owner(&self, root: &Path) -> Result<(), Halt> {
        let Home::Elsewhere(path, _) = self else { return Ok(()) };
        match std::fs::read(path.join(OWNER)) {
            // An empty one is a power cut's: nobody ever signed with nothing.
            Ok(owner) if !owner.is_empty() && owner != root.as_os_str().as_bytes() => Err(Halt::Foreign),
            _ => Ok(()),
        }
    }
}

impl RealDisk {
    /// Has the state folder been made?
    pub fn state_exists(&self) -> bool {
        self.state_root().is_ok()
    }

    /// Where the state folder is, for the embedded database, which opens its files by path.
    pub fn state_folder_path(&self) -> PathBuf {
        match &self.state {
            Home::Inside(_) => self.canonical.join(STATE_DIR),
            Home::Elsewhere(path, _) => std::fs::canonicalize(path).unwrap_or_else(|_| path.clone()),
        }
    }

    /// Opens a state file for reading, making nothing; nothing if it or its folder is not there.
    pub fn read_state(&self, folder: &str, name: &str) -> Result<Option<File>, Halt> {
        let opened = self.state_below(folder).and_then(|dir| file::open(&dir, name));
        match opened {
            Ok(file) => Ok(Some(file)),
            Err(halt) if halt.is_missing() => Ok(None),
            Err(halt) => Err(halt),
        }
    }

    /// A folder of the state, held, if it is there; nothing is made.
    pub fn state_if_there(&self, folder: &str) -> Result<Option<Dir>, Halt> {
        match self.state_below(folder) {
            Ok(dir) => Ok(Some(dir)),
            Err(halt) if halt.is_missing() => Ok(None),
            Err(halt) => Err(halt),
        }
    }

    fn state_below(&self, folder: &str) -> Result<Dir, Halt> {
        segments(folder).try_fold(self.state_root()?, |dir, name| enter(&dir, name))
    }

    pub(super) fn state_folder(&self, folder: &str) -> Result<Dir, Halt> {
        let home = match self.state_root() {
            Err(halt) if halt.is_missing() => self.make_state_root()?,
            answer => answer?,
        };
        if self.tidy.get().is_none() {
            ignore_itself(&home)?;
            self.sign(&home)?;
            self.tidy.get_or_init(|| ());
        }
        segments(folder).try_fold(home, |dir, name| match enter(&dir, name) {
            Err(halt) if halt.is_missing() => make(&dir, name, self.of_new_folders()),
            answer => answer,
        })
    }

    /// A state that this process makes is synced as a whole when its log is founded, before anything relies on
    /// it. A folder that is made later, because somebody removed it, must outlive a power cut by itself.
    fn of_new_folders(&self) -> Names {
        if self.founding.get().is_some() { Names::SyncedLater } else { Names::Synced }
    }

    /// Writes down whose state this is, where its place does not tell.
    fn sign(&self, home: &Dir) -> Result<(), Halt> {
        if matches!(self.state, Home::Inside(_)) || stat::of_name(home, OWNER)?.is_some() {
            return self.state.check_owner(&self.canonical);
        }
        // Half a name would be another workspace's for ever: it is written elsewhere, and shown whole.
        let draft = format!("{OWNER}.{}", std::process::id());
        let name = self.canonical.as_os_str().as_bytes();
        let written = file::open_or_create(home, &draft).and_then(|made| file::write_at(&made, 0, name));
        let shown =
            written.and_then(|()| rename::rename((home, &draft), (home, OWNER), Rename::NoReplace, self.means()));
        if shown.is_err() {
            let _ = file::remove(home, &draft);
        }
        match shown {
            Err(halt) if halt.is_taken() => self.state.check_owner(&self.canonical),
            other => other,
        }
    }

    fn state_root(&self) -> Result<Dir, Halt> {
        match &self.state {
            Home::Inside(_) => enter(self.root(), STATE_DIR),
            Home::Elsewhere(path, _) => {
                let fd = rustix::fs::open(path, FOLDER | OFlags::NOFOLLOW, Mode::empty()).map_err(os)?;
                Ok(Dir::new(fd, Room::State))
            }
        }
    }

    /// The state folder, if it has a place of its own, made if need be.
    pub(super) fn state_elsewhere(&self) -> Result<Option<Dir>, Halt> {
        match (&self.state, self.state_root()) {
            (Home::Inside(_), _) => Ok(None),
            (Home::Elsewhere(..), Err(halt)) if halt.is_missing() => self.make_state_root().map(Some),
            (Home::Elsewhere(..), found) => found.map(Some),
        }
    }

    fn make_state_root(&self) -> Result<Dir, Halt> {
        match &self.state {
            Home::Inside(_) => {
                self.founding.get_or_init(|| ());
                make(self.root(), STATE_DIR, Names::SyncedLater)
            }
            Home::Elsewhere(path, _) => {
                DirBuilder::new().recursive(true).mode(0o700).create(path)?;
                let parent = path.parent().unwrap_or(path);
                File::open(parent)?.sync_all()?;
                self.state_root()
            }
        }
    }
}

fn segments(folder: &str) -> impl Iterator<Item = &str> {
    folder.split('/').filter(|name| !name.is_empty())
}

/// Opens a folder of the state; a link or a file in its place is an error.
fn enter(dir: &Dir, name: &str) -> Result<Dir, Halt> {
    if matches!(name, "." | "..") {
        return Err(Halt::Escape);
    }
    let fd = rustix::fs::openat(dir, name, FOLDER | OFlags::NOFOLLOW, Mode::empty()).map_err(os)?;
    Ok(Dir::new(fd, Room::State))
}

/// Who makes a new name durable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Names {
    /// It is done at once.
    Synced,
    /// The log does, when it is founded.
    SyncedLater,
}

fn make(dir: &Dir, name: &str, names: Names) -> Result<Dir, Halt> {
    match rustix::fs::mkdirat(dir, name, Mode::RWXU) {
        Ok(()) if names == Names::SyncedLater => enter(dir, name),
        Ok(()) => dir.sync().and_then(|()| enter(dir, name)),
        Err(Errno::EXIST) => enter(dir, name),
        Err(errno) => Err(os(errno)),
    }
}

fn ignore_itself(home: &Dir) -> Result<(), Halt> {
    // An empty one was made when there was no room to write into it.
    match stat::of_name(home, ".gitignore")? {
        Some(there) if there.size > 0 || there.sort != Sort::File => Ok(()),
        _ => file::open_or_create(home, ".gitignore").and_then(|made| file::write_at(&made, 0, b"*\n")),
    }
}

/// The path of a state folder that was put elsewhere but lies in the workspace all the same.
fn within(root: &Path, state: &Path) -> Option<RelPath> {
    let real = std::fs::canonicalize(state).or_else(|_| {
        let (parent, name) = (state.parent().unwrap_or(state), state.file_name().unwrap_or_default());
        std::fs::canonicalize(parent).map(|parent| parent.join(name))
    });
    let below = real.ok()?.strip_prefix(root).ok()?.to_str()?.to_owned();
    if below.is_empty() { Some(RelPath::root()) } else { RelPath::parse(&below, &[]).ok() }
}

//! The guard: the one place where a path becomes a folder.
//!
//! Promises that the folder lies below the root at the moment it is opened, and that the path
//! remembered with it has no link in it. The kernel does the walking (`openat2`, beneath the held
//! root, no magic links); where it cannot, every name is opened on its own and any link is refused,
//! because it could not be proved where it leads. Leaves files to [`super::file`].

use super::dir::{Dir, FOLDER, Room};
use super::errno::os;
use super::{Means, RealDisk, stat};
use crate::disk::Halt;
use patchwright_core::path::RelPath;
use patchwright_core::seeded::{Bug, is_planted};
use rustix::fd::{AsFd, AsRawFd, OwnedFd};
use rustix::fs::{Mode, OFlags, ResolveFlags};
use rustix::io::Errno;

/// The kernel gives up with `EAGAIN` when a rename elsewhere makes it unsure; then it is asked again.
const PATIENCE: usize = 64;
/// How often a folder that moves while its path is looked up is followed.
const CHASES: usize = 16;

const BENEATH: ResolveFlags = ResolveFlags::BENEATH.union(ResolveFlags::NO_MAGICLINKS);
const STRAIGHT: ResolveFlags = BENEATH.union(ResolveFlags::NO_SYMLINKS);

/// Does the kernel resolve below a handle?
pub(super) fn kernel_resolves(root: &Dir) -> bool {
    ask(root, ".", FOLDER, STRAIGHT).is_ok()
}

impl RealDisk {
    /// Resolves a folder and holds it.
    pub(super) fn hold(&self, path: &RelPath) -> Result<Dir, Halt> {
        if path.is_root() {
            return Ok(self.root().clone());
        }
        match self.means() {
            Means::Portable => step_by_step(self.root(), path.as_str()),
            Means::Best => self.hold_straight(path),
        }
    }

    /// Resolves a folder whose path has no link in it, and holds it; a link there is an escape.
    pub(crate) fn open_straight(&self, path: &RelPath) -> Result<Dir, Halt> {
        // The root gets a handle of its own: its reading position is not shared.
        if path.is_root() { super::dir::reopen(self.root()) } else { self.hold_without_links(path) }
    }

    /// The same, where the reading position does not matter.
    pub(super) fn hold_without_links(&self, path: &RelPath) -> Result<Dir, Halt> {
        if path.is_root() {
            return Ok(self.root().clone());
        }
        match self.means() {
            Means::Portable => step_by_step(self.root(), path.as_str()),
            Means::Best => match ask(self.root(), path.as_str(), FOLDER, STRAIGHT) {
                Ok(fd) => Ok(Dir::new(fd, Room::Workspace(path.clone()))),
                Err(Errno::LOOP) => Err(Halt::Escape),
                Err(errno) => Err(halt(errno)),
            },
        }
    }

    fn hold_straight(&self, path: &RelPath) -> Result<Dir, Halt> {
        match ask(self.root(), path.as_str(), FOLDER, STRAIGHT) {
            Ok(fd) => Ok(Dir::new(fd, Room::Workspace(path.clone()))),
            Err(Errno::LOOP) => self.hold_linked(path.as_str()),
            Err(errno) => Err(halt(errno)),
        }
    }

    /// Resolves a folder whose spelling may hold links and, from a link's text, `..`.
    pub(super) fn hold_linked(&self, spelling: &str) -> Result<Dir, Halt> {
        if self.means() == Means::Portable {
            return step_by_step(self.root(), spelling);
        }
        for _ in 0..CHASES {
            let found =
                ask(self.root(), spelling, FOLDER, BENEATH).map_err(|errno| self.why_linked(spelling, errno))?;
            let path = self.path_of(&found)?;
            if let Some(dir) = self.confirm(&found, path)? {
                return Ok(dir);
            }
        }
        Err(os(Errno::AGAIN))
    }

    /// A loop and a forbidden magic link look alike; asked without that ban, the latter is an escape.
    fn why_linked(&self, spelling: &str, errno: Errno) -> Halt {
        if errno != Errno::LOOP {
            return halt(errno);
        }
        match ask(self.root(), spelling, OFlags::PATH | OFlags::CLOEXEC, ResolveFlags::BENEATH) {
            Err(Errno::LOOP) => os(Errno::LOOP),
            Err(Errno::NOENT) => os(Errno::NOENT),
            _ => Halt::Escape,
        }
    }

    /// Opens the path straight and sees whether it is the folder that the links led to. Whoever moved
    /// it meanwhile makes us look again.
    fn confirm(&self, found: &OwnedFd, path: RelPath) -> Result<Option<Dir>, Halt> {
        if path.is_root() {
            return Ok(Some(self.root().clone()));
        }
        match ask(self.root(), path.as_str(), FOLDER, STRAIGHT) {
            Ok(fd) if stat::id(&fd)? == stat::id(found)? => Ok(Some(Dir::new(fd, Room::Workspace(path)))),
            Ok(_) | Err(Errno::LOOP | Errno::NOENT | Errno::NOTDIR) => Ok(None),
            Err(errno) => Err(halt(errno)),
        }
    }

    /// Where an open folder is, below the root, as the kernel knows it.
    fn path_of(&self, found: &OwnedFd) -> Result<RelPath, Halt> {
        let root = known_path(self.root())?;
        let path = known_path(found)?;
        let below = match path.strip_prefix(root.as_slice()) {
            Some(rest) if root == b"/" || rest.is_empty() || rest.starts_with(b"/") => rest,
            _ => return Err(Halt::Escape),
        };
        let below = std::str::from_utf8(below).map_err(|_| os(Errno::ILSEQ))?;
        let below = below.trim_start_matches('/');
        let path = if below.is_empty() { Ok(RelPath::root()) } else { RelPath::parse(below, &[]) };
        path.map_err(|_| os(Errno::NAMETOOLONG))
    }
}

fn known_path(fd: &impl AsFd) -> Result<Vec<u8>, Halt> {
    let link = format!("/proc/self/fd/{}", fd.as_fd().as_raw_fd());
    let path = rustix::fs::readlink(link, Vec::new()).map_err(os)?;
    Ok(path.into_bytes())
}

fn ask(root: &Dir, path: &str, how: OFlags, within: ResolveFlags) -> Result<OwnedFd, Errno> {
    let within = if is_planted(Bug::LinksFollowed) { ResolveFlags::empty() } else { within };
    for _ in 0..PATIENCE {
        match rustix::fs::openat2(root, path, how, Mode::empty(), within) {
            // Stale: what the kernel remembered of a folder on the way is no longer so.
            Err(Errno::AGAIN | Errno::INTR | Errno::STALE) => {}
            answer => return answer,
        }
    }
    Err(Errno::AGAIN)
}

/// Without the kernel's help: every name on its own, no link.
fn step_by_step(root: &Dir, spelling: &str) -> Result<Dir, Halt> {
    let mut at = root.clone();
    for name in spelling.split('/').filter(|name| !matches!(*name, "" | ".")) {
        let here = at.path().cloned().unwrap_or_else(RelPath::root);
        // `..` only comes from the text of a link, and those are refused before.
        let path = here.join(name).ok_or(Halt::Escape)?;
        let fd = step(&at, name)?;
        at = Dir::new(fd, Room::Workspace(path));
    }
    Ok(at)
}

fn step(at: &Dir, name: &str) -> Result<OwnedFd, Halt> {
    rustix::fs::openat(at, name, FOLDER | OFlags::NOFOLLOW, Mode::empty()).map_err(|errno| match errno {
        // A link opened as a folder without following is "not a directory" on Linux, a loop elsewhere.
        Errno::NOTDIR | Errno::LOOP if is_link(at, name) => Halt::Escape,
        errno => os(errno),
    })
}

fn is_link(at: &Dir, name: &str) -> bool {
    use patchwright_core::refusal::Sort;
    matches!(stat::of_name(at, name), Ok(Some(stat)) if stat.sort == Sort::Link)
}

/// Beneath a root, the kernel reports what leads out as "another device".
fn halt(errno: Errno) -> Halt {
    if errno == Errno::XDEV { Halt::Escape } else { os(errno) }
}

//! A folder that was resolved once and is held open from then on.
//!
//! Promises that two handles are equal exactly if they are one folder, and that what is done through
//! a handle is done in that folder, wherever its name went. Leaves resolving to [`super::guard`].

use super::errno::os;
use super::stat;
use crate::disk::Halt;
use patchwright_core::path::RelPath;
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{FileType, Mode, OFlags, RawDir};
use rustix::io::Errno;
use std::hash::{Hash, Hasher};
use std::mem::MaybeUninit;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// Flags for every folder that is opened: readable, because only a readable one can be synced.
pub(super) const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// A held folder.
#[derive(Clone, Debug)]
pub struct Dir(Arc<Held>);

#[derive(Debug)]
struct Held {
    fd: OwnedFd,
    room: Room,
    id: OnceLock<(u64, u64)>,
}

/// Whose folder it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Room {
    /// The workspace's, at this path without links.
    Workspace(RelPath),
    /// Our own state's.
    State,
}

impl Dir {
    pub(super) fn new(fd: OwnedFd, room: Room) -> Dir {
        Dir(Arc::new(Held { fd, room, id: OnceLock::new() }))
    }

    pub(super) fn open_root(path: &Path) -> Result<Dir, Halt> {
        let fd = rustix::fs::open(path, FOLDER, Mode::empty()).map_err(os)?;
        Ok(Dir::new(fd, Room::Workspace(RelPath::root())))
    }

    /// Where it is in the workspace, links followed; nothing for folders of the state.
    pub fn path(&self) -> Option<&RelPath> {
        match &self.0.room {
            Room::Workspace(path) => Some(path),
            Room::State => None,
        }
    }

    pub(super) fn room(&self) -> &Room {
        &self.0.room
    }

    /// Device and inode.
    pub fn id(&self) -> Result<(u64, u64), Halt> {
        if let Some(id) = self.0.id.get() {
            return Ok(*id);
        }
        let id = stat::id(self.as_fd())?;
        Ok(*self.0.id.get_or_init(|| id))
    }

    /// The names in it that are text.
    pub fn names(&self) -> Result<Vec<String>, Halt> {
        let mut buffer = Vec::with_capacity(16 * 1024);
        let mut names = Vec::new();
        self.each_entry(buffer.spare_capacity_mut(), |name, _| {
            names.extend(std::str::from_utf8(name).ok().map(str::to_owned));
        })?;
        Ok(names)
    }

    /// The names in it that are text, and how many are not.
    pub fn all_names(&self) -> Result<(Vec<String>, u64), Halt> {
        let mut buffer = Vec::with_capacity(16 * 1024);
        let (mut names, mut others) = (Vec::new(), 0);
        self.each_entry(buffer.spare_capacity_mut(), |name, _| match std::str::from_utf8(name) {
            Ok(name) => names.push(name.to_owned()),
            Err(_) => others += 1,
        })?;
        Ok((names, others))
    }

    /// The names in it that are text, as many as this at most, whichever come first.
    pub(super) fn some_names(&self, most: usize) -> Result<Vec<String>, Halt> {
        let mut buffer = Vec::with_capacity(16 * 1024);
        let folder = reopen(self)?;
        let mut entries = RawDir::new(&folder, buffer.spare_capacity_mut());
        let mut names = Vec::new();
        while names.len() < most
            && let Some(entry) = entries.next()
        {
            let entry = entry.map_err(os)?;
            match entry.file_name().to_str() {
                Ok("." | "..") | Err(_) => {}
                Ok(name) => names.push(name.to_owned()),
            }
        }
        Ok(names)
    }

    /// Hands over every entry, with what the folder itself says of its sort.
    pub(crate) fn each_entry(
        &self,
        buffer: &mut [MaybeUninit<u8>],
        see: impl FnMut(&[u8], FileType),
    ) -> Result<(), Halt> {
        // A shared handle would share its reading position with other threads.
        read_entries(reopen(self)?, buffer, see)
    }

    pub(super) fn sync(&self) -> Result<(), Halt> {
        rustix::fs::fsync(self.as_fd()).map_err(unsyncable)
    }

    pub(super) fn sync_file_system(&self) -> Result<(), Halt> {
        rustix::fs::syncfs(self.as_fd()).map_err(unsyncable)
    }
}

impl AsFd for Dir {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.fd.as_fd()
    }
}

/// The same folder, whatever names led to it. A folder that cannot be asked is equal to none but its
/// own handle.
impl PartialEq for Dir {
    fn eq(&self, other: &Dir) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || matches!((self.id(), other.id()), (Ok(one), Ok(two)) if one == two)
    }
}

impl Eq for Dir {}

impl Hash for Dir {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id().ok().hash(state);
    }
}

/// Another handle of the same folder, with a reading position of its own.
pub(super) fn reopen(dir: &Dir) -> Result<Dir, Halt> {
    let fd = rustix::fs::openat(dir, ".", FOLDER, Mode::empty()).map_err(os)?;
    Ok(Dir::new(fd, dir.room().clone()))
}

/// Hands over every entry of an open folder from where its reading position is.
pub(crate) fn read_entries(
    folder: impl AsFd,
    buffer: &mut [MaybeUninit<u8>],
    mut see: impl FnMut(&[u8], FileType),
) -> Result<(), Halt> {
    let mut entries = RawDir::new(folder, buffer);
    while let Some(entry) = entries.next() {
        let entry = entry.map_err(os)?;
        match entry.file_name().to_bytes() {
            b"." | b".." => {}
            name => see(name, entry.file_type()),
        }
    }
    Ok(())
}

/// Some file systems do not know how to sync a folder, and say that the argument is wrong.
fn unsyncable(errno: Errno) -> Halt {
    match errno {
        Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP => Halt::Unsupported,
        errno => os(errno),
    }
}

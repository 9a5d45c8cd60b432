//! The seam between the commit engine and the machine: a dozen verbs over held directories.
//!
//! [`Disk`] is what publishing, recovery and the log are written against. The real one goes through
//! the guard ([`crate::real`]); the fake one in the test kit forgets what was not synced. A directory
//! is resolved once and then held; every other verb is relative to a held directory and a single name,
//! so nothing walks a path twice. No verb follows a link in its last name.

use crate::seal::Id;
use patchwright_core::folder::FolderMeta;
use patchwright_core::path::RelPath;
use patchwright_core::refusal::Sort;
use std::hash::Hash;
use std::io;
use std::path::PathBuf;

/// Files and folders below one root, and the state folder beside them.
pub trait Disk: Sync {
    /// A held directory. Two are equal if they are the same directory.
    type Dir: Clone + Eq + Hash + Send + Sync;
    /// An open regular file.
    type File: Send + Sync;

    /// Resolves a folder of the workspace, through the guard: never outside the root. Fails with
    /// [`Halt::Escape`] where a link leads out, with `NotFound` or `NotADirectory` as the system does.
    fn folder(&self, path: &RelPath) -> Result<Self::Dir, Halt>;

    /// The same for a path in which no link may stand: one on the way is [`Halt::Escape`].
    fn folder_straight(&self, path: &RelPath) -> Result<Self::Dir, Halt>;

    /// A folder of our record (`""`, `"blobs"`); made if it is not there. The record itself must have been made.
    fn state(&self, name: &str) -> Result<Self::Dir, Halt>;

    /// Our record, with its folder at home; nothing before the first change.
    fn own(&self) -> Result<Option<Own<Self::Dir>>, Halt>;

    /// A folder in a held folder of ours; a link is not followed.
    fn enter(&self, dir: &Self::Dir, name: &str) -> Result<Self::Dir, Halt>;

    /// Makes the names of a new record's folders durable, up to a folder that was there before.
    fn sync_record_names(&self) -> Result<(), Halt>;

    /// Which start of the machine this is.
    fn boot(&self) -> Boot;

    /// What stands under this name, links not followed; nothing if nothing does.
    fn stat(&self, dir: &Self::Dir, name: &str) -> Result<Option<Stat>, Halt>;

    /// Opens a regular file for reading. Never blocks on, and never opens, anything else.
    fn open(&self, dir: &Self::Dir, name: &str) -> Result<Self::File, Halt>;

    /// Reads from an offset until the buffer is full or the file ends; how many bytes came.
    fn read_at(&self, file: &Self::File, offset: u64, into: &mut [u8]) -> Result<usize, Halt>;

    /// What an open file is like now.
    fn stat_file(&self, file: &Self::File) -> Result<Stat, Halt>;

    /// What an open file is like now; nothing if its next change might not show in its times. Where the clock of files is
    /// coarse, two changes in a row can have one time.
    fn stat_settled(&self, file: &Self::File) -> Result<Option<Stat>, Halt> {
        self.stat_file(file).map(Some)
    }

    /// Creates a file that must not be there (0600, for reading and writing).
    fn create(&self, dir: &Self::Dir, name: &str) -> Result<Self::File, Halt>;

    /// Creates a file that must not be there, as any program would: its mode, group and access list are what its folder
    /// and the process give to a new file.
    fn create_plain(&self, dir: &Self::Dir, name: &str) -> Result<Self::File, Halt> {
        let file = self.create(dir, name)?;
        self.dress(&file, &Dress::Mode(None))?;
        Ok(file)
    }

    /// Opens a state file for reading and writing, and makes it (0600) if it is not there.
    fn open_state(&self, dir: &Self::Dir, name: &str) -> Result<Self::File, Halt>;

    /// Writes all bytes at an offset.
    fn write_at(&self, file: &Self::File, offset: u64, bytes: &[u8]) -> Result<(), Halt>;

    /// Cuts or extends a file to this length.
    fn set_len(&self, file: &Self::File, len: u64) -> Result<(), Halt>;

    /// Gives a new file the mode, owner and attributes of a model; what could not be kept.
    fn dress(&self, file: &Self::File, like: &Dress<'_, Self::File>) -> Result<Vec<NotKept>, Halt>;

    /// Creates a file that must not be there, dressed like another before it holds anything.
    fn create_like(&self, dir: &Self::Dir, name: &str, model: &Self::File) -> Result<Made<Self::File>, Halt> {
        let stat = self.stat_file(model)?;
        let file = self.create(dir, name)?;
        let lost = self.dress(&file, &Dress::Like(model))?;
        Ok(Made { file, lost, model: stat })
    }

    /// How many of so many files may be held open at once besides everything else.
    fn room_for_files(&self, wanted: usize) -> usize {
        wanted
    }

    /// The target text of a link.
    fn read_link(&self, dir: &Self::Dir, name: &str) -> Result<Vec<u8>, Halt>;

    /// Makes a link that must not be there.
    fn make_link(&self, dir: &Self::Dir, name: &str, target: &[u8]) -> Result<(), Halt>;

    /// Makes a folder that must not be there.
    fn make_folder(&self, dir: &Self::Dir, name: &str) -> Result<(), Halt>;

    /// The same, closed to everybody but its owner until it is dressed: with the permission bits [`CLOSED`], and those
    /// that the folder above gives.
    fn make_closed_folder(&self, dir: &Self::Dir, name: &str) -> Result<(), Halt>;

    /// What a folder is like besides what is in it.
    fn folder_meta(&self, dir: &Self::Dir) -> Result<FolderMeta, Halt>;

    /// Gives a new folder these permission bits, owner and attributes, as far as they are known; what could not be kept.
    fn dress_folder(&self, dir: &Self::Dir, meta: &FolderMeta) -> Result<Vec<NotKept>, Halt>;

    /// Gives an entry another name, within or across directories.
    fn rename(&self, from: At<'_, Self::Dir>, to: At<'_, Self::Dir>, how: Rename) -> Result<(), Halt>;

    /// A second name for a file; the new name must not be there.
    fn link(&self, from: At<'_, Self::Dir>, to: At<'_, Self::Dir>) -> Result<(), Halt>;

    /// Removes a file or link.
    fn remove(&self, dir: &Self::Dir, name: &str) -> Result<(), Halt>;

    /// Removes an empty folder; whether there was one to remove. A folder that is not empty stays.
    fn remove_folder(&self, dir: &Self::Dir, name: &str) -> Result<(), Halt>;

    /// The names in a directory.
    fn names(&self, dir: &Self::Dir) -> Result<Vec<String>, Halt>;

    /// Which file system a directory lies on.
    fn device(&self, _dir: &Self::Dir) -> Result<u64, Halt> {
        Ok(0)
    }

    /// Makes things durable.
    fn sync(&self, what: Flush<'_, Self>) -> Result<(), Halt>;
}

/// Which start of the machine this is; zeros where that cannot be told.
pub type Boot = [u8; 16];

/// A record that is ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Own<Dir> {
    /// Its id.
    pub id: Id,
    /// Its folder at home.
    pub home: Dir,
    /// May that folder be written?
    pub writes: Writes,
}

/// May the mark of a record be renewed?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writes {
    /// Yes.
    Yes,
    /// The folder of the key can only be read.
    No,
    /// It could be, but whoever opened it only looks.
    Left,
    /// It should be possible and has failed.
    Failed,
}

/// A name in a held folder.
#[derive(Debug)]
pub struct At<'a, Dir> {
    /// The folder.
    pub dir: &'a Dir,
    /// The name.
    pub name: &'a str,
}

impl<'a, Dir> At<'a, Dir> {
    /// This name in this folder.
    pub fn new(dir: &'a Dir, name: &'a str) -> At<'a, Dir> {
        At { dir, name }
    }
}

impl<Dir> Clone for At<'_, Dir> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<Dir> Copy for At<'_, Dir> {}

/// The permission bits of a folder that is not dressed yet. Hardly anybody gives a folder that nobody else may enter the
/// sticky bit: so it is known again after a crash.
pub const CLOSED: u32 = 0o1700;

/// What is made durable.
pub enum Flush<'a, D: Disk + ?Sized> {
    /// A file's bytes and whatever is needed to read them back.
    Data(&'a D::File),
    /// A file's bytes and all its attributes.
    File(&'a D::File),
    /// A directory's names.
    Dir(&'a D::Dir),
    /// Everything on the file system that holds this directory.
    Everything(&'a D::Dir),
}

/// How a name is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rename {
    /// The target must not be there.
    NoReplace,
    /// The two names change places; both must be there.
    Exchange,
    /// Whatever is there is lost: only for names of our own, and where nothing better works.
    Replace,
}

/// What a new file should look like besides its bytes.
pub enum Dress<'a, F> {
    /// Like this open file: mode (without set-id bits), owner, extended attributes.
    Like(&'a F),
    /// A new file: these permission bits, or what the process would give.
    Mode(Option<u32>),
    /// An old file: just these permission bits, set-id bits too.
    Bits(u32),
}

/// A new file that is dressed like another.
pub struct Made<F> {
    /// The new file.
    pub file: F,
    /// What could not be carried over.
    pub lost: Vec<NotKept>,
    /// What the other is like.
    pub model: Stat,
}

/// Something of a file's dress that could not be carried over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotKept {
    /// The owner or group.
    Owner,
    /// An extended attribute or access list.
    Attributes,
    /// Set-id bits, dropped on purpose.
    SetId,
}

/// What stands under a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stat {
    /// What it is.
    pub sort: Sort,
    /// Its size in bytes.
    pub size: u64,
    /// Permission bits.
    pub mode: u32,
    /// How many names it has.
    pub links: u64,
    /// Device and inode: two names with the same are one file.
    pub id: (u64, u64),
    /// Last change of content, nanoseconds since 1970 UTC.
    pub mtime_ns: i128,
    /// Last change of anything, nanoseconds since 1970 UTC.
    pub ctime_ns: i128,
}

/// Why a verb failed.
#[derive(Debug)]
pub enum Halt {
    /// The operating system's error.
    Os(io::Error),
    /// A link on the way leads out of the workspace.
    Escape,
    /// Neither file, folder nor link: not opened.
    Special,
    /// More bytes than may be taken into memory. A part of a file is never handed out in its place.
    TooLarge {
        /// How many there are, at least.
        size: u64,
        /// How many may be taken.
        limit: u64,
    },
    /// More attributes of folders than can go on record.
    Attributes {
        /// How many bytes of them may.
        limit: usize,
    },
    /// This file system cannot do that at all (exchange, no-replace, hard links).
    Unsupported,
    /// There is no folder for the key.
    Home(HomeTrouble),
    /// The record, or its key, was removed or moved away while it was in use.
    RecordGone,
    /// The log is of another version.
    Version(u32),
    /// The log does not add up: what was done last cannot be told.
    Damaged,
    /// The fake disk lost its power, or the test withdrew: nothing more happens.
    PowerCut,
}

/// Why there is no folder for keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HomeTrouble {
    /// `PATCHWRIGHT_HOME` is not an absolute path.
    Relative {
        /// What it is.
        path: PathBuf,
    },
    /// It lies in the workspace.
    InWorkspace {
        /// Where.
        path: PathBuf,
    },
    /// It is, or would be, another user's.
    Foreign {
        /// Where.
        path: PathBuf,
        /// The user's number.
        owner: u32,
    },
    /// Other users may write there.
    Shared {
        /// Where.
        path: PathBuf,
    },
    /// It can neither be made nor written.
    Closed {
        /// Where.
        path: PathBuf,
    },
    /// Nothing says where it should be.
    Unknown,
}

impl Halt {
    /// The system's error kind, if it is one of its errors.
    pub fn os_kind(&self) -> Option<io::ErrorKind> {
        match self {
            Halt::Os(error) => Some(error.kind()),
            _ => None,
        }
    }

    /// Is it that nothing stands under that name?
    pub fn is_missing(&self) -> bool {
        self.os_kind() == Some(io::ErrorKind::NotFound)
    }

    /// Is it that something stands under that name already?
    pub fn is_taken(&self) -> bool {
        self.os_kind() == Some(io::ErrorKind::AlreadyExists)
    }
}

impl From<io::Error> for Halt {
    fn from(error: io::Error) -> Halt {
        Halt::Os(error)
    }
}

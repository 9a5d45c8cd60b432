//! The machine behind the guard: [`RealDisk`] over an open handle of the root.
//!
//! Promises that nothing leaves the root, whatever links do meanwhile: folders are resolved by the
//! kernel below the held root, then held, and every later call is relative to a held folder and one
//! name whose link is not followed. Where the kernel cannot do that, links are refused altogether.
//! Leaves the order of calls (staging, syncing, undoing) to the commit engine.

mod ability;
mod alarm;
mod beside;
mod confine;
mod dir;
mod dress;
mod errno;
mod file;
mod guard;
mod holder;
mod home;
mod lock;
mod path;
mod places;
mod record;
mod rename;
mod resolve;
mod room;
mod stat;
mod state;
mod upwards;
mod waiter;

pub use ability::Ability;
pub use alarm::{Alarm, Woken};
pub use beside::Beside;
pub use confine::{Confinement, Wall, WhyFree};
pub use dir::Dir;
pub(crate) use dir::read_entries;
pub use home::{HomeAt, Lasts};
pub use lock::{LockGuard, LockWait};
pub(crate) use path::real_path;
pub use record::Founded;
pub use resolve::{Leaf, Resolved, Unresolved};
pub use upwards::find_root;

pub(crate) use stat::sort_of;

use crate::disk::{At, Boot, Disk, Dress, Flush, Halt, Made, NotKept, Own, Rename, Stat};
use crate::phase::Phase;
use patchwright_core::folder::FolderMeta;
use patchwright_core::path::RelPath;
use patchwright_core::refusal::RootNow;
use patchwright_core::seeded::{Bug, is_planted};
use rustix::io::Errno;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, RwLock};

/// Where state and keys are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Whereabouts {
    /// The only place for records; if not given, the root's `.git` or the root.
    pub state: Option<PathBuf>,
    /// Keys, marks and indexes.
    pub home: HomeAt,
    /// What the visitor means to do.
    pub visit: Visit,
}

/// What a visitor means to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Visit {
    /// To change files, perhaps.
    #[default]
    Works,
    /// Only to look: nothing is noted, neither here nor at home.
    Looks,
}

/// Which means of the system are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Means {
    /// The best there are here.
    Best,
    /// Only what every Unix has: no link is followed, no names are exchanged. Chosen by itself where
    /// the kernel has nothing better, and on request so that it is tested.
    Portable,
}

/// Files and folders below an open root.
#[derive(Debug)]
pub struct RealDisk {
    root: Dir,
    means: Means,
    spellings: Vec<String>,
    canonical: PathBuf,
    places: Vec<places::Place>,
    /// Where records may have stood that are gone.
    once: Vec<PathBuf>,
    homes: home::Homes,
    /// Folders below the root in which state or keys lie.
    closed: Vec<RelPath>,
    boot: Boot,
    visit: Visit,
    /// The kernel's list of locks, where it could not be opened later.
    locks: OnceLock<File>,
    /// Our record, once it was found or made.
    record: RwLock<Option<Arc<state::Found>>>,
    /// Places in the queue for the writer's lock that callers gave up.
    abandoned: waiter::Abandoned,
}

impl RealDisk {
    /// Opens a root, and finds our record if there is one. Makes nothing.
    pub fn open(root: &Path, at: &Whereabouts, means: Means) -> Result<RealDisk, Halt> {
        let held = Dir::open_root(root)?;
        let canonical = std::fs::canonicalize(root)?;
        let spellings = spellings(root, &canonical);
        let given = at.state.as_ref().map(std::path::absolute).transpose()?;
        let places = places::of(&held, &canonical, given.as_deref());
        let once = places::once(&canonical, given.as_deref());
        let homes = home::Homes::new(&at.home, &canonical)?;
        let means = if means == Means::Best && guard::kernel_resolves(&held) { Means::Best } else { Means::Portable };
        let closed = state::closed(&canonical, &places, &homes);
        let (boot, visit) = (home::boot(), at.visit);
        let (locks, record, abandoned) = (OnceLock::new(), RwLock::default(), waiter::Abandoned::default());
        let disk = RealDisk {
            root: held,
            means,
            spellings,
            canonical,
            places,
            once,
            homes,
            closed,
            boot,
            visit,
            locks,
            record,
            abandoned,
        };
        disk.find_record()?;
        Ok(disk)
    }

    /// The absolute spellings of the root, for reading absolute paths.
    pub fn roots(&self) -> Vec<&str> {
        self.spellings.iter().map(String::as_str).collect()
    }

    /// The means in use.
    pub fn means(&self) -> Means {
        self.means
    }

    /// The root, held.
    pub fn root(&self) -> &Dir {
        &self.root
    }

    /// Where the root was when it was opened.
    pub fn canonical(&self) -> &Path {
        &self.canonical
    }

    /// What stands where the root was, if that is not the root any more. Where that cannot be told, it is.
    pub fn root_moved(&self) -> Result<Option<RootNow>, Halt> {
        match rustix::fs::stat(&self.canonical) {
            Ok(there) if stat::convert(&there).id == self.root.id()? => Ok(None),
            Ok(_) | Err(Errno::NOTDIR) => Ok(Some(RootNow::Another)),
            Err(Errno::NOENT) => Ok(Some(RootNow::Nothing)),
            Err(_) => Ok(None),
        }
    }

    /// Opens what its folder has just called a regular file.
    pub(crate) fn open_known(&self, dir: &Dir, name: &str) -> Result<File, Halt> {
        file::open_known(dir, name)
    }
}

/// The text of a file directly in a root; nothing if it is not there. One of more than this many bytes is not read at
/// all: what stands at its end may be what matters. On failure, what was being done.
pub fn text_in(root: &Path, name: &str, most: u64) -> Result<Option<String>, (Phase, Halt)> {
    let root = Dir::open_root(root).map_err(|halt| (Phase::Open, halt))?;
    match file::open(&root, name) {
        Ok(file) => {
            let mut bytes = Vec::new();
            file.take(most.saturating_add(1))
                .read_to_end(&mut bytes)
                .map_err(|error| (Phase::Settings, error.into()))?;
            if bytes.len() as u64 > most {
                return Err((Phase::Settings, unfit(format!("it is longer than {most} bytes"))));
            }
            Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
        }
        Err(halt) if halt.is_missing() => Ok(None),
        Err(Halt::Os(error)) if error.raw_os_error() == Some(Errno::LOOP.raw_os_error()) => {
            Err((Phase::Settings, unfit("it is a link, and none is followed here".to_owned())))
        }
        Err(Halt::Special) => Err((Phase::Settings, unfit("it is not a regular file".to_owned()))),
        Err(halt) => Err((Phase::Settings, halt)),
    }
}

fn unfit(said: String) -> Halt {
    Halt::Os(io::Error::new(io::ErrorKind::InvalidInput, said))
}

/// The root as it was given, made absolute, and as the system knows it.
fn spellings(given: &Path, canonical: &Path) -> Vec<String> {
    let climbs = given.components().any(|part| part == std::path::Component::ParentDir);
    let absolute = std::path::absolute(given).ok().filter(|_| !climbs);
    let mut all: Vec<String> = [Some(canonical.to_owned()), absolute]
        .into_iter()
        .flatten()
        .filter_map(|path| path.to_str().map(|text| text.trim_end_matches('/').to_owned()))
        .collect();
    all.dedup();
    all
}

impl Disk for RealDisk {
    type Dir = Dir;
    type File = File;

    fn folder(&self, path: &RelPath) -> Result<Dir, Halt> {
        self.hold(path)
    }

    fn folder_straight(&self, path: &RelPath) -> Result<Dir, Halt> {
        if is_planted(Bug::RecoveryFollowsLinks) { self.hold(path) } else { self.hold_without_links(path) }
    }

    fn state(&self, name: &str) -> Result<Dir, Halt> {
        self.state_folder(name)
    }

    fn own(&self) -> Result<Option<Own<Dir>>, Halt> {
        Ok(self.own_record())
    }

    fn enter(&self, dir: &Dir, name: &str) -> Result<Dir, Halt> {
        places::enter(dir, leaf(name)?)
    }

    fn sync_record_names(&self) -> Result<(), Halt> {
        self.sync_names()
    }

    fn boot(&self) -> Boot {
        self.boot
    }

    fn stat(&self, dir: &Dir, name: &str) -> Result<Option<Stat>, Halt> {
        stat::of_name(dir, leaf(name)?)
    }

    fn open(&self, dir: &Dir, name: &str) -> Result<File, Halt> {
        file::open(dir, leaf(name)?)
    }

    fn read_at(&self, file: &File, offset: u64, into: &mut [u8]) -> Result<usize, Halt> {
        file::read_at(file, offset, into)
    }

    fn stat_file(&self, file: &File) -> Result<Stat, Halt> {
        stat::of_file(file)
    }

    fn stat_settled(&self, file: &File) -> Result<Option<Stat>, Halt> {
        stat::settled(file)
    }

    fn create(&self, dir: &Dir, name: &str) -> Result<File, Halt> {
        file::create(dir, leaf(name)?)
    }

    fn create_plain(&self, dir: &Dir, name: &str) -> Result<File, Halt> {
        file::create_plain(dir, leaf(name)?)
    }

    fn open_state(&self, dir: &Dir, name: &str) -> Result<File, Halt> {
        file::open_or_create(dir, leaf(name)?)
    }

    fn write_at(&self, file: &File, offset: u64, bytes: &[u8]) -> Result<(), Halt> {
        file::write_at(file, offset, bytes)
    }

    fn set_len(&self, file: &File, len: u64) -> Result<(), Halt> {
        Ok(file.set_len(len)?)
    }

    fn dress(&self, file: &File, like: &Dress<'_, File>) -> Result<Vec<NotKept>, Halt> {
        match like {
            Dress::Like(model) => dress::like(file, model),
            Dress::Mode(mode) => dress::fresh(file, *mode),
            Dress::Bits(mode) => dress::bits(file, *mode),
        }
    }

    fn create_like(&self, dir: &Dir, name: &str, model: &File) -> Result<Made<File>, Halt> {
        dress::create_like(dir, leaf(name)?, model)
    }

    fn room_for_files(&self, wanted: usize) -> usize {
        room::for_files(wanted, self.root())
    }

    fn read_link(&self, dir: &Dir, name: &str) -> Result<Vec<u8>, Halt> {
        file::read_link(dir, leaf(name)?)
    }

    fn make_link(&self, dir: &Dir, name: &str, target: &[u8]) -> Result<(), Halt> {
        file::make_link(dir, leaf(name)?, target)
    }

    fn make_folder(&self, dir: &Dir, name: &str) -> Result<(), Halt> {
        file::make_folder(dir, leaf(name)?)
    }

    fn make_closed_folder(&self, dir: &Dir, name: &str) -> Result<(), Halt> {
        file::make_closed_folder(dir, leaf(name)?)
    }

    fn folder_meta(&self, dir: &Dir) -> Result<FolderMeta, Halt> {
        dress::folder_meta(dir)
    }

    fn dress_folder(&self, dir: &Dir, meta: &FolderMeta) -> Result<Vec<NotKept>, Halt> {
        dress::folder_as(dir, meta)
    }

    fn rename(&self, from: At<'_, Dir>, to: At<'_, Dir>, how: Rename) -> Result<(), Halt> {
        rename::rename(inside(from)?, inside(to)?, how, self.means)
    }

    fn link(&self, from: At<'_, Dir>, to: At<'_, Dir>) -> Result<(), Halt> {
        rename::link(inside(from)?, inside(to)?)
    }

    fn remove(&self, dir: &Dir, name: &str) -> Result<(), Halt> {
        file::remove(dir, leaf(name)?)
    }

    fn remove_folder(&self, dir: &Dir, name: &str) -> Result<(), Halt> {
        file::remove_folder(dir, leaf(name)?)
    }

    fn names(&self, dir: &Dir) -> Result<Vec<String>, Halt> {
        dir.names()
    }

    fn device(&self, dir: &Dir) -> Result<u64, Halt> {
        dir.id().map(|(device, _)| device)
    }

    fn sync(&self, what: Flush<'_, Self>) -> Result<(), Halt> {
        match what {
            Flush::Data(_) if is_planted(Bug::LogNotSynced) => Ok(()),
            Flush::File(_) if is_planted(Bug::FilesNotSynced) => Ok(()),
            Flush::Dir(_) if is_planted(Bug::FoldersNotSynced) => Ok(()),
            Flush::Data(file) if is_planted(Bug::SyncRetried) => Ok(file.sync_data().or_else(|_| file.sync_data())?),
            Flush::Data(file) => Ok(file.sync_data()?),
            Flush::File(file) => Ok(file.sync_all()?),
            Flush::Dir(dir) => dir.sync(),
            Flush::Everything(dir) => dir.sync_file_system(),
        }
    }
}

/// A single name. One that climbs or goes on would leave the held folder, wherever it came from.
fn leaf(name: &str) -> Result<&str, Halt> {
    if name == ".." || name.contains('/') { Err(Halt::Escape) } else { Ok(name) }
}

fn inside(at: At<'_, Dir>) -> Result<At<'_, Dir>, Halt> {
    leaf(at.name).map(|_| at)
}

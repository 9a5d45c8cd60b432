//! Home: the folder outside every workspace in which keys, marks and indexes stand, one folder a workspace.
//!
//! Promises that a home is the user's own and that nobody else can write there. Where it cannot be had, a folder that
//! goes with the session serves, and that is told; where there is none either, nothing is made at all.

use super::dir::{Dir, FOLDER, Room};
use super::errno::os;
use super::path::{is_closed, make_path, nearest, real_path};
use super::{file, places, rename, stat};
use crate::disk::{Boot, Halt, HomeTrouble, Writes};
use crate::seal::Id;
use patchwright_core::digest::Digest;
use rustix::fd::OwnedFd;
use rustix::fs::{Access, AtFlags, Mode, OFlags};
use rustix::io::Errno;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Where home is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum HomeAt {
    /// `$PATCHWRIGHT_HOME`, else `$XDG_STATE_HOME/patchwright`, else `~/.local/state/patchwright`.
    #[default]
    Environment,
    /// This folder.
    Folder(PathBuf),
}

/// The name of the folder of all workspaces in a home.
const ALL: &str = "ws";
/// In it, which record was last made for which path.
const BY_PATH: &str = "by-path";
/// Nobody else may write.
const OTHERS_WRITE: u32 = 0o022;
/// In folders that everybody may write to, nobody else may do anything.
const OTHERS_ENTER: u32 = 0o077;

/// How long a home lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lasts {
    /// Until somebody removes it.
    Long,
    /// As long as the machine runs, or the user is logged in.
    Session,
}

/// The homes of a user, the best first.
#[derive(Clone, Debug)]
pub(super) struct Homes {
    all: Vec<Planned>,
}

/// A folder that is to be a home, whether it is there or not.
#[derive(Clone, Debug)]
struct Planned {
    path: PathBuf,
    /// The same, links followed.
    real: PathBuf,
    lasts: Lasts,
    lies: Lies,
}

impl Planned {
    fn new(path: PathBuf, lasts: Lasts, root: &Path) -> Result<Planned, Halt> {
        let real = real_path(&path)?;
        let lies = if real.starts_with(root) { Lies::InRoot } else { Lies::Outside };
        Ok(Planned { path, real, lasts, lies })
    }
}

/// A home that is there and is the user's own.
#[derive(Clone, Debug)]
pub(super) struct Home {
    /// The folder itself.
    base: Dir,
    /// The folder of all workspaces in it.
    pub(super) all: Dir,
    /// Where that is.
    pub(super) path: PathBuf,
    pub(super) lasts: Lasts,
    pub(super) lies: Lies,
    pub(super) writes: Writes,
}

/// Where a home lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lies {
    /// Where no clone, branch or tool reaches.
    Outside,
    /// In the workspace, which holds the user's whole home directory.
    InRoot,
}

/// A root and the path that it has.
pub(super) struct RootAt<'a> {
    pub(super) path: &'a Path,
    pub(super) dir: &'a Dir,
}

impl Home {
    /// The record that was last made for a root at this path in this place, if it is still that very folder: one that was
    /// made since can have its inode, but not the time when it was made.
    pub(super) fn id_of(&self, root: &RootAt<'_>, place: &Path) -> Option<Id> {
        let mut text = String::new();
        let notes = places::enter(&self.base, BY_PATH).ok()?;
        file::open(&notes, &short(root.path, place)).ok()?.take(128).read_to_string(&mut text).ok()?;
        let (id, born) = text.split_once(' ')?;
        (born == stat::born(root.dir)?.to_string()).then(|| Id::parse(id)).flatten()
    }

    /// Notes which record was made for a root at this path in this place.
    pub(super) fn note_id(&self, root: &RootAt<'_>, place: &Path, id: &Id, means: super::Means) -> Result<(), Halt> {
        let Some(born) = stat::born(root.dir) else { return Ok(()) };
        let notes = places::make(&self.base, BY_PATH)?;
        rename::replace(&notes, &short(root.path, place), format!("{id} {born}").as_bytes(), means)
    }

    /// Forgets that.
    pub(super) fn forget_id(&self, root: &Path, place: &Path) -> Result<(), Halt> {
        file::remove(&places::enter(&self.base, BY_PATH)?, &short(root, place))
    }
}

/// A name for a root and a place.
fn short(root: &Path, place: &Path) -> String {
    let both = [root.as_os_str().as_bytes(), place.as_os_str().as_bytes()];
    Digest::of(&both.join(&0)).to_string()
}

impl Homes {
    /// Where home is to be, for a workspace with this root.
    pub(super) fn new(at: &HomeAt, root: &Path) -> Result<Homes, Halt> {
        let user = variable("HOME");
        let main = match at {
            HomeAt::Folder(path) => Some(std::path::absolute(path)?),
            HomeAt::Environment => from_environment(user.as_deref())?,
        };
        let mut all = Vec::new();
        if let Some(main) = main {
            let main = Planned::new(main, Lasts::Long, root)?;
            refuse_below(root, &main, user.as_deref())?;
            all.push(main);
        }
        for path in for_the_session() {
            let planned = Planned::new(path, Lasts::Session, root)?;
            // In the workspace, anybody may have put a key there.
            if planned.lies == Lies::Outside {
                all.push(planned);
            }
        }
        Ok(Homes { all })
    }

    /// Where they are to be, links followed.
    pub(crate) fn real_paths(&self) -> impl Iterator<Item = &Path> {
        self.all.iter().map(|planned| planned.real.as_path())
    }

    /// Those that are there already. One that cannot be told for now is an error: its records must not be taken for
    /// missing.
    pub(super) fn there(&self) -> Result<Vec<Home>, Halt> {
        let mut there = Vec::new();
        for planned in &self.all {
            match open(planned) {
                Ok(home) => there.push(home),
                Err(Halt::Home(_)) => {}
                Err(halt) => return Err(halt),
            }
        }
        Ok(there)
    }

    /// The first, made if need be, in which `put` can put something; what that gave, and why the best one could not serve.
    pub(super) fn make<T>(
        &self,
        put: impl Fn(&Home) -> Result<T, Halt>,
    ) -> Result<(Home, T, Option<HomeTrouble>), Halt> {
        let mut first = None;
        for planned in &self.all {
            let trouble = match make(&planned.path, planned.lasts).and_then(|()| open(planned)) {
                // A home that fails, or is full, is told as that: a short-lived one must not serve in its place.
                Ok(home) if home.writes == Writes::Yes => {
                    return put(&home).map(|made| (home, made, first));
                }
                Ok(_) => HomeTrouble::Closed { path: planned.path.clone() },
                Err(Halt::Home(trouble)) => trouble,
                Err(halt) => return Err(halt),
            };
            first.get_or_insert(trouble);
        }
        Err(Halt::Home(first.unwrap_or(HomeTrouble::Unknown)))
    }
}

fn from_environment(user: Option<&Path>) -> Result<Option<PathBuf>, Halt> {
    if let Some(given) = variable("PATCHWRIGHT_HOME") {
        return if given.is_absolute() {
            Ok(Some(given))
        } else {
            Err(Halt::Home(HomeTrouble::Relative { path: given }))
        };
    }
    let state = variable("XDG_STATE_HOME").filter(|path| path.is_absolute());
    let state = state.or_else(|| user.map(|user| user.join(".local/state")));
    Ok(state.map(|state| state.join("patchwright")))
}

/// For a user without a home: what goes when the session or the machine ends.
fn for_the_session() -> impl Iterator<Item = PathBuf> {
    let runtime = variable("XDG_RUNTIME_DIR").filter(|path| path.is_absolute());
    let own = format!("patchwright-{}", rustix::process::geteuid().as_raw());
    runtime.map(|runtime| runtime.join("patchwright")).into_iter().chain([std::env::temp_dir().join(own)])
}

fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// A home in the workspace would bring the keys to where tools and branches reach. A root that holds the user's whole
/// home directory cannot avoid it; there the folder is closed to every tool.
fn refuse_below(root: &Path, home: &Planned, user: Option<&Path>) -> Result<(), Halt> {
    let holds_user = user.and_then(|user| user.canonicalize().ok()).is_some_and(|user| user.starts_with(root));
    if home.lies == Lies::InRoot && !holds_user {
        return Err(Halt::Home(HomeTrouble::InWorkspace { path: home.path.clone() }));
    }
    Ok(())
}

/// Makes a home, unless it is there. Root never makes one in another user's folder.
fn make(path: &Path, lasts: Lasts) -> Result<(), Halt> {
    let closed = |error| closed(path, error);
    let all = path.join(ALL);
    match all.metadata() {
        Ok(found) if found.is_dir() => return Ok(()),
        Err(error) if !is_closed(&error) => return Err(Halt::Os(error)),
        _ => {}
    }
    let above = nearest(path)?;
    if above == path {
        base(path, lasts)?;
    } else if lasts == Lasts::Session && path.parent() != Some(above) {
        return Err(Halt::Home(HomeTrouble::Closed { path: path.to_owned() }));
    }
    let owner = above.metadata().map_err(closed)?.uid();
    if rustix::process::geteuid().is_root() && owner != 0 {
        return Err(Halt::Home(HomeTrouble::Foreign { path: path.to_owned(), owner }));
    }
    make_path(&all).map_err(closed)
}

/// What cannot be had here at all is another thing than what fails this time.
fn closed(path: &Path, error: io::Error) -> Halt {
    if is_closed(&error) { Halt::Home(HomeTrouble::Closed { path: path.to_owned() }) } else { Halt::Os(error) }
}

fn open(planned: &Planned) -> Result<Home, Halt> {
    let Planned { path, lasts, lies, .. } = planned;
    let home = base(path, *lasts)?;
    let all = rustix::fs::openat(&home, ALL, FOLDER | OFlags::NOFOLLOW, Mode::empty());
    let all = all.map_err(|errno| closed(path, errno.into()))?;
    let writes = match rustix::fs::accessat(&all, ".", Access::WRITE_OK, AtFlags::EACCESS) {
        Ok(()) => Writes::Yes,
        Err(_) => Writes::No,
    };
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned()).join(ALL);
    let (base, all) = (Dir::new(home, Room::State), Dir::new(all, Room::State));
    Ok(Home { base, all, path, lasts: *lasts, lies: *lies, writes })
}

/// A home that is there, if it is the user's own and closed to others.
fn base(path: &Path, lasts: Lasts) -> Result<OwnedFd, Halt> {
    let closed = |errno: Errno| closed(path, errno.into());
    // In a folder that everybody may write to, a link may be somebody else's.
    let how = if lasts == Lasts::Session { FOLDER | OFlags::NOFOLLOW } else { FOLDER };
    let home = rustix::fs::open(path, how, Mode::empty()).map_err(closed)?;
    let found = rustix::fs::fstat(&home).map_err(closed)?;
    let owner = found.st_uid;
    if owner != rustix::process::geteuid().as_raw() {
        return Err(Halt::Home(HomeTrouble::Foreign { path: path.to_owned(), owner }));
    }
    let others = if lasts == Lasts::Session { OTHERS_ENTER } else { OTHERS_WRITE };
    if found.st_mode & others != 0 {
        return Err(Halt::Home(HomeTrouble::Shared { path: path.to_owned() }));
    }
    Ok(home)
}

/// Does a folder lie on a network file system? The embedded database must not work there.
pub(super) fn is_remote(dir: &Dir) -> bool {
    const REMOTE: [i128; 4] = [0x6969, 0x517b, 0xff53_4d42, 0xfe53_4d42];
    rustix::fs::fstatfs(dir).is_ok_and(|found| REMOTE.contains(&(i128::from(found.f_type) & 0xffff_ffff)))
}

/// Is a file in a home the user's own, and closed to everybody else?
pub(super) fn is_private(file: &File) -> Result<bool, Halt> {
    let found = rustix::fs::fstat(file).map_err(os)?;
    Ok(found.st_uid == rustix::process::geteuid().as_raw() && found.st_mode & 0o077 == 0)
}

/// Random bits from the system.
pub(super) fn random<const N: usize>() -> Result<[u8; N], Halt> {
    let mut bytes = [0; N];
    let mut filled = 0;
    while let Some(rest) = bytes.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match rustix::rand::getrandom(rest, rustix::rand::GetRandomFlags::empty()) {
            Ok(got) => filled += got,
            Err(Errno::INTR) => {}
            Err(errno) => return Err(os(errno)),
        }
    }
    Ok(bytes)
}

/// Which start of the machine this is.
pub(super) fn boot() -> Boot {
    let text = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let digits: String = text.chars().filter(char::is_ascii_hexdigit).collect();
    u128::from_str_radix(&digits, 16).map(u128::to_be_bytes).unwrap_or_default()
}

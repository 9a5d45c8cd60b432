//! The fake file system itself: inodes, names and what of them is durable. It knows paths, kinds and
//! errors as Linux gives them; counting, stopping and failing are [`super::control`]'s.

use super::content::{Content, Mark};
use super::pending::{Change, Edit, Ino, closure};
use super::switches::{Names, StateAt, Switches};
use patchwright_core::folder::{Attribute, FolderMeta};
use patchwright_core::refusal::Sort;
use patchwright_store::disk::{Halt, Stat};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::Arc;

pub(crate) const ROOT: Ino = 1;
pub(crate) const STATE_NAME: &str = ".patchwright";
const ELSEWHERE: Ino = 2;
/// The folder of all records at home, on a file system of its own.
pub(crate) const HOME: Ino = 3;
/// User and group of whatever is made.
const OURS: (u32, u32) = (1000, 1000);
/// Some instant of 2023, so that times look like times.
const EPOCH_NS: i128 = 1_700_000_000_000_000_000;

#[derive(Clone, Debug)]
pub(crate) struct World {
    pub(crate) inodes: BTreeMap<Ino, Inode>,
    pub(crate) pending: Vec<Change>,
    pub(crate) switches: Switches,
    /// Which of the folders at home is that of the record in the workspace.
    pub(crate) own: Option<u64>,
    /// How often the machine was started.
    pub(crate) boots: u64,
    next: Ino,
    clock: i128,
}

#[derive(Clone, Debug)]
pub(crate) struct Inode {
    pub(crate) kind: Kind,
    pub(crate) device: u64,
    pub(crate) dress: Dress,
    pub(crate) durable_dress: Dress,
    mtime: i128,
    ctime: i128,
}

/// What a file has besides its bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Dress {
    pub(crate) mode: u32,
    pub(crate) owner: (u32, u32),
    pub(crate) attributes: BTreeMap<String, Vec<u8>>,
}

impl Dress {
    pub(crate) fn meta(&self) -> FolderMeta {
        let attribute =
            |(name, value): (&String, &Vec<u8>)| Attribute { name: name.clone().into(), value: value.clone() };
        let attributes = Some(self.attributes.iter().map(attribute).collect());
        FolderMeta { mode: self.mode, owner: Some(self.owner), attributes }
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    /// Shared until written, so that copies of a world are cheap.
    File(Arc<Content>),
    Link(Vec<u8>),
    Folder(Entries),
    Special,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Entries {
    pub(crate) live: BTreeMap<String, Ino>,
    pub(crate) durable: BTreeMap<String, Ino>,
}

impl World {
    pub(crate) fn new(switches: Switches) -> World {
        let mut world =
            World { inodes: BTreeMap::new(), pending: Vec::new(), switches, own: None, boots: 1, next: 4, clock: 0 };
        world.put(ROOT, Kind::Folder(Entries::default()), 1, 0o755);
        world.put(HOME, Kind::Folder(Entries::default()), 3, 0o700);
        if switches.state == StateAt::OtherFileSystem {
            world.put(ELSEWHERE, Kind::Folder(Entries::default()), 2, 0o700);
        }
        world
    }

    fn put(&mut self, ino: Ino, kind: Kind, device: u64, mode: u32) {
        let dress = Dress { mode, owner: OURS, attributes: BTreeMap::new() };
        let (durable_dress, now) = (dress.clone(), self.tick());
        self.inodes.insert(ino, Inode { kind, device, dress, durable_dress, mtime: now, ctime: now });
    }

    /// Makes something and gives it a name that must be free.
    pub(crate) fn make(&mut self, dir: Ino, name: &str, kind: Kind, mode: u32) -> Result<Ino, Halt> {
        self.must_be_free(dir, name)?;
        let (ino, device) = (self.next, self.inode(dir)?.device);
        self.next += 1;
        self.put(ino, kind, device, mode);
        self.change(Change::new(vec![Edit::new(dir, name, Some(ino))]))?;
        Ok(ino)
    }

    pub(crate) fn inode(&self, ino: Ino) -> Result<&Inode, Halt> {
        self.inodes.get(&ino).ok_or_else(|| os(ESTALE))
    }

    pub(crate) fn inode_mut(&mut self, ino: Ino) -> Result<&mut Inode, Halt> {
        self.inodes.get_mut(&ino).ok_or_else(|| os(ESTALE))
    }

    pub(crate) fn entries(&self, dir: Ino) -> Result<&Entries, Halt> {
        match &self.inode(dir)?.kind {
            Kind::Folder(entries) => Ok(entries),
            _ => Err(os(ENOTDIR)),
        }
    }

    /// The name as it is written in the folder, and what it leads to.
    pub(crate) fn find(&self, dir: Ino, name: &str) -> Result<Option<(String, Ino)>, Halt> {
        let live = &self.entries(dir)?.live;
        let found = match self.switches.names {
            Names::Exact => live.get_key_value(name),
            Names::CaseIgnored => live.iter().find(|(key, _)| key.to_lowercase() == name.to_lowercase()),
        };
        Ok(found.map(|(key, ino)| (key.clone(), *ino)))
    }

    pub(crate) fn need(&self, dir: Ino, name: &str) -> Result<(String, Ino), Halt> {
        self.find(dir, name)?.ok_or_else(|| os(ENOENT))
    }

    pub(crate) fn must_be_free(&self, dir: Ino, name: &str) -> Result<(), Halt> {
        if name.is_empty() || name.contains(['/', '\0']) || matches!(name, "." | "..") {
            return Err(os(EINVAL));
        }
        if name.len() > 255 {
            return Err(os(ENAMETOOLONG));
        }
        if self.find(dir, name)?.is_some() { Err(os(EEXIST)) } else { Ok(()) }
    }

    /// Carries a change of names out, for now only in the running system.
    pub(crate) fn change(&mut self, change: Change) -> Result<(), Halt> {
        let now = self.tick();
        for edit in &change.edits {
            let inode = self.inode_mut(edit.dir)?;
            (inode.mtime, inode.ctime) = (now, now);
            if let Kind::Folder(entries) = &mut inode.kind {
                set(&mut entries.live, edit);
            }
            if let Some(moved) = edit.to {
                self.inode_mut(moved)?.ctime = now;
            }
        }
        self.pending.push(change);
        Ok(())
    }

    pub(crate) fn content_mut(&mut self, ino: Ino) -> Result<&mut Content, Halt> {
        let now = self.tick();
        let inode = self.inode_mut(ino)?;
        (inode.mtime, inode.ctime) = (now, now);
        match &mut inode.kind {
            Kind::File(content) => Ok(Arc::make_mut(content)),
            _ => Err(os(EBADF)),
        }
    }

    pub(crate) fn content(&self, ino: Ino) -> Result<&Content, Halt> {
        match &self.inode(ino)?.kind {
            Kind::File(content) => Ok(content),
            _ => Err(os(EBADF)),
        }
    }

    pub(crate) fn set_dress(&mut self, ino: Ino, dress: Dress) -> Result<(), Halt> {
        let now = self.tick();
        let inode = self.inode_mut(ino)?;
        (inode.dress, inode.ctime) = (dress, now);
        Ok(())
    }

    /// Makes these changes, and what they need, durable.
    pub(crate) fn settle(&mut self, chosen: impl Fn(&Change) -> bool) {
        let numbered = self.pending.iter().enumerate();
        let wanted: BTreeSet<usize> = numbered.filter(|(_, change)| chosen(change)).map(|(at, _)| at).collect();
        let whole = closure(&self.pending, wanted);
        for (at, change) in std::mem::take(&mut self.pending).into_iter().enumerate() {
            if whole.contains(&at) {
                self.settle_one(&change);
            } else {
                self.pending.push(change);
            }
        }
    }

    fn settle_one(&mut self, change: &Change) {
        for edit in &change.edits {
            if let Some(Inode { kind: Kind::Folder(entries), .. }) = self.inodes.get_mut(&edit.dir) {
                set(&mut entries.durable, edit);
            }
        }
    }

    /// A sync of this folder failed: the system forgets that there was something to write.
    pub(crate) fn sync_failed(&mut self, chosen: impl Fn(&Change) -> bool) {
        for change in self.pending.iter_mut().filter(|change| chosen(change)) {
            change.mark = Mark::Stuck;
        }
    }

    pub(crate) fn stat(&self, ino: Ino) -> Result<Stat, Halt> {
        let inode = self.inode(ino)?;
        let (sort, size) = match &inode.kind {
            Kind::File(content) => (Sort::File, content.live().len()),
            Kind::Link(target) => (Sort::Link, target.len()),
            Kind::Folder(_) => (Sort::Folder, 4096),
            Kind::Special => (Sort::Special, 0),
        };
        Ok(Stat {
            sort,
            size: u64::try_from(size).unwrap_or(u64::MAX),
            mode: inode.dress.mode,
            links: self.links(ino),
            id: (inode.device, ino),
            mtime_ns: inode.mtime,
            ctime_ns: inode.ctime,
        })
    }

    fn links(&self, ino: Ino) -> u64 {
        let folders = self.inodes.values().filter_map(|inode| match &inode.kind {
            Kind::Folder(entries) => Some(entries.live.values()),
            _ => None,
        });
        folders.flatten().filter(|to| **to == ino).map(|_| 1).sum()
    }

    /// Does a name lead to this folder?
    pub(crate) fn is_named(&self, dir: Ino) -> bool {
        matches!(dir, ROOT | HOME | ELSEWHERE) || self.links(dir) > 0
    }

    /// The state folder, if it is there.
    pub(crate) fn state_root(&self) -> Result<Option<Ino>, Halt> {
        match self.switches.state {
            StateAt::OtherFileSystem => Ok(Some(ELSEWHERE)),
            StateAt::Inside => Ok(self.find(ROOT, STATE_NAME)?.map(|(_, ino)| ino)),
        }
    }

    /// Does a record stand in the workspace? The next process knows its own by that.
    pub(crate) fn has_record(&self) -> bool {
        let root = self.state_root().ok().flatten();
        root.and_then(|root| self.entries(root).ok()).is_some_and(|entries| !entries.live.is_empty())
    }

    fn tick(&mut self) -> i128 {
        self.clock += 1;
        EPOCH_NS + self.clock * 1_000
    }
}

pub(crate) fn set(entries: &mut BTreeMap<String, Ino>, edit: &Edit) {
    match edit.to {
        Some(ino) => entries.insert(edit.name.clone(), ino),
        None => entries.remove(&edit.name),
    };
}

/// The system's error with this number.
pub(crate) fn os(number: i32) -> Halt {
    Halt::Os(io::Error::from_raw_os_error(number))
}

// Numbers as Linux has them: the standard library names no kind for some of these.
pub(crate) const ENOENT: i32 = 2;
pub(crate) const EBADF: i32 = 9;
pub(crate) const EEXIST: i32 = 17;
pub(crate) const EXDEV: i32 = 18;
pub(crate) const ENOTDIR: i32 = 20;
pub(crate) const EISDIR: i32 = 21;
pub(crate) const EINVAL: i32 = 22;
pub(crate) const ENAMETOOLONG: i32 = 36;
pub(crate) const ENOTEMPTY: i32 = 39;
pub(crate) const ELOOP: i32 = 40;
pub(crate) const ESTALE: i32 = 116;

//! The verbs of `Disk`, as the fake carries them out. Each checks as Linux would, then asks whether it
//! may happen at all, then changes the running system; only a sync makes anything durable.

use super::control::Verb;
use super::pending::{Change, Edit, Ino};
use super::rules::Name;
use super::switches::{Ability, Moves, StateAt};
use super::syncs::Extent;
use super::world::{EBADF, EINVAL, EISDIR, ENOTEMPTY, Entries, HOME, Kind, ROOT, STATE_NAME, os};
use super::{FakeDisk, Inner};
use patchwright_core::folder::FolderMeta;
use patchwright_core::path::RelPath;
use patchwright_store::disk::{At, Boot, CLOSED, Disk, Dress, Flush, Halt, NotKept, Own, Rename, Stat, Writes};
use patchwright_store::own::{self, New};
use patchwright_store::seal::{Id, Key};
use std::sync::Arc;

/// A held folder of a fake disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FakeDir(pub(super) Ino);

/// An open file of a fake disk.
#[derive(Debug)]
pub struct FakeFile {
    pub(super) ino: Ino,
    access: Access,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Access {
    Read,
    Write,
}

const SET_ID: u32 = 0o6000;

impl Disk for FakeDisk {
    type Dir = FakeDir;
    type File = FakeFile;

    fn folder(&self, path: &RelPath) -> Result<FakeDir, Halt> {
        let inner = self.begin(Verb::Folder)?;
        inner.world.resolve(path.as_str()).map(FakeDir)
    }

    fn folder_straight(&self, path: &RelPath) -> Result<FakeDir, Halt> {
        let inner = self.begin(Verb::FolderStraight)?;
        inner.world.resolve_straight(path.as_str()).map(FakeDir)
    }

    fn own(&self) -> Result<Option<Own<FakeDir>>, Halt> {
        let inner = self.begin(Verb::Enter)?;
        let Some(id) = inner.world.own.map(|nth| Id::new(nth.into())) else { return Ok(None) };
        let (_, home) = inner.world.need(HOME, id.as_str())?;
        Ok(Some(Own { id, home: FakeDir(home), writes: Writes::Yes }))
    }

    fn enter(&self, dir: &FakeDir, name: &str) -> Result<FakeDir, Halt> {
        let inner = self.begin(Verb::Enter)?;
        let (_, ino) = inner.world.need(dir.0, name)?;
        inner.world.entries(ino).map(|_| FakeDir(ino))
    }

    fn sync_record_names(&self) -> Result<(), Halt> {
        let stands_in = match self.switches().state {
            StateAt::Inside => ROOT,
            StateAt::OtherFileSystem => return Ok(()),
        };
        self.sync_dir(stands_in)
    }

    fn boot(&self) -> Boot {
        u128::from(self.lock().world.boots).to_be_bytes()
    }

    fn state(&self, name: &str) -> Result<FakeDir, Halt> {
        let mut inner = self.begin(Verb::State)?;
        let root = match inner.world.state_root()? {
            Some(root) => root,
            None => inner.make_state(ROOT, STATE_NAME)?,
        };
        if name.is_empty() {
            return inner.world.entries(root).map(|_| FakeDir(root));
        }
        let found = inner.world.find(root, name)?;
        let dir = match found {
            Some((_, ino)) => ino,
            None => inner.make_state(root, name)?,
        };
        inner.world.entries(dir).map(|_| FakeDir(dir))
    }

    fn stat(&self, dir: &FakeDir, name: &str) -> Result<Option<Stat>, Halt> {
        let inner = self.begin(Verb::Stat)?;
        let found = inner.world.find(dir.0, name)?;
        found.map(|(_, ino)| inner.world.stat(ino)).transpose()
    }

    fn open(&self, dir: &FakeDir, name: &str) -> Result<FakeFile, Halt> {
        let inner = self.begin(Verb::Open)?;
        let (_, ino) = inner.world.need(dir.0, name)?;
        inner.world.must_be_file(ino)?;
        Ok(FakeFile { ino, access: Access::Read })
    }

    fn read_at(&self, file: &FakeFile, offset: u64, into: &mut [u8]) -> Result<usize, Halt> {
        let inner = self.begin(Verb::ReadAt)?;
        let bytes = inner.world.content(file.ino)?.live();
        let rest = usize::try_from(offset).ok().and_then(|at| bytes.get(at..)).unwrap_or_default();
        let got = rest.len().min(into.len());
        if let (Some(place), Some(bytes)) = (into.get_mut(..got), rest.get(..got)) {
            place.copy_from_slice(bytes);
        }
        Ok(got)
    }

    fn stat_file(&self, file: &FakeFile) -> Result<Stat, Halt> {
        self.begin(Verb::StatFile)?.world.stat(file.ino)
    }

    fn create(&self, dir: &FakeDir, name: &str) -> Result<FakeFile, Halt> {
        let mut inner = self.begin(Verb::Create)?;
        inner.world.must_be_free(dir.0, name)?;
        inner.control.act(Verb::Create, name.to_owned())?;
        let ino = inner.world.make(dir.0, name, Kind::File(Arc::default()), 0o600)?;
        Ok(FakeFile { ino, access: Access::Write })
    }

    fn open_state(&self, dir: &FakeDir, name: &str) -> Result<FakeFile, Halt> {
        let mut inner = self.begin(Verb::OpenState)?;
        let ino = match inner.world.find(dir.0, name)? {
            Some((_, ino)) => ino,
            None => {
                inner.control.act(Verb::OpenState, name.to_owned())?;
                inner.world.make(dir.0, name, Kind::File(Arc::default()), 0o600)?
            }
        };
        inner.world.must_be_file(ino)?;
        Ok(FakeFile { ino, access: Access::Write })
    }

    fn write_at(&self, file: &FakeFile, offset: u64, bytes: &[u8]) -> Result<(), Halt> {
        let mut inner = self.begin(Verb::WriteAt)?;
        let at = writable(file).and_then(|()| usize::try_from(offset).map_err(|_| os(EINVAL)))?;
        let answer = inner.control.act(Verb::WriteAt, format!("{} bytes at {at}", bytes.len()));
        match &answer {
            Ok(()) => inner.world.content_mut(file.ino)?.write_at(at, bytes),
            // A full disk takes what fits before it says no.
            Err(Halt::Os(_)) => {
                let fits = bytes.get(..bytes.len() / 2).unwrap_or_default();
                inner.world.content_mut(file.ino)?.write_at(at, fits);
            }
            Err(_) => {}
        }
        answer
    }

    fn set_len(&self, file: &FakeFile, len: u64) -> Result<(), Halt> {
        let mut inner = self.begin(Verb::SetLen)?;
        let len = writable(file).and_then(|()| usize::try_from(len).map_err(|_| os(EINVAL)))?;
        inner.control.act(Verb::SetLen, len.to_string())?;
        inner.world.content_mut(file.ino)?.set_len(len);
        Ok(())
    }

    fn dress(&self, file: &FakeFile, like: &Dress<'_, FakeFile>) -> Result<Vec<NotKept>, Halt> {
        let mut inner = self.begin(Verb::Dress)?;
        inner.control.act(Verb::Dress, String::new())?;
        let mut dress = inner.world.inode(file.ino)?.dress.clone();
        match like {
            Dress::Like(model) => dress = inner.world.inode(model.ino)?.dress.clone(),
            Dress::Mode(mode) => dress.mode = mode.unwrap_or(0o644),
            Dress::Bits(mode) => {
                dress.mode = *mode;
                return inner.world.set_dress(file.ino, dress).map(|()| Vec::new());
            }
        }
        let dropped = dress.mode & SET_ID;
        dress.mode &= !SET_ID;
        inner.world.set_dress(file.ino, dress)?;
        Ok(if dropped == 0 { Vec::new() } else { vec![NotKept::SetId] })
    }

    fn read_link(&self, dir: &FakeDir, name: &str) -> Result<Vec<u8>, Halt> {
        let inner = self.begin(Verb::ReadLink)?;
        let (_, ino) = inner.world.need(dir.0, name)?;
        match &inner.world.inode(ino)?.kind {
            Kind::Link(target) => Ok(target.clone()),
            _ => Err(os(EINVAL)),
        }
    }

    fn make_link(&self, dir: &FakeDir, name: &str, target: &[u8]) -> Result<(), Halt> {
        let mut inner = self.begin(Verb::MakeLink)?;
        inner.world.must_be_free(dir.0, name)?;
        inner.control.act(Verb::MakeLink, name.to_owned())?;
        inner.world.make(dir.0, name, Kind::Link(target.to_vec()), 0o777).map(drop)
    }

    fn make_folder(&self, dir: &FakeDir, name: &str) -> Result<(), Halt> {
        let mut inner = self.begin(Verb::MakeFolder)?;
        inner.world.must_be_free(dir.0, name)?;
        inner.control.act(Verb::MakeFolder, name.to_owned())?;
        inner.world.make(dir.0, name, Kind::Folder(Entries::default()), 0o755).map(drop)
    }

    fn make_closed_folder(&self, dir: &FakeDir, name: &str) -> Result<(), Halt> {
        let mut inner = self.begin(Verb::MakeFolder)?;
        inner.world.must_be_free(dir.0, name)?;
        inner.control.act(Verb::MakeFolder, name.to_owned())?;
        inner.world.make(dir.0, name, Kind::Folder(Entries::default()), CLOSED).map(drop)
    }

    fn folder_meta(&self, dir: &FakeDir) -> Result<FolderMeta, Halt> {
        let inner = self.begin(Verb::Stat)?;
        inner.world.entries(dir.0)?;
        Ok(inner.world.inode(dir.0)?.dress.meta())
    }

    fn dress_folder(&self, dir: &FakeDir, meta: &FolderMeta) -> Result<Vec<NotKept>, Halt> {
        let mut inner = self.begin(Verb::Dress)?;
        inner.world.entries(dir.0)?;
        inner.control.act(Verb::Dress, String::new())?;
        let mut dress = inner.world.inode(dir.0)?.dress.clone();
        dress.mode = meta.mode;
        dress.owner = meta.owner.unwrap_or(dress.owner);
        if let Some(all) = &meta.attributes {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            dress.attributes = all.iter().map(|one| (text(&one.name), one.value.clone())).collect();
        }
        inner.world.set_dress(dir.0, dress)?;
        Ok(Vec::new())
    }

    fn rename(&self, from: At<'_, FakeDir>, to: At<'_, FakeDir>, how: Rename) -> Result<(), Halt> {
        let mut inner = self.begin(Verb::Rename)?;
        let mut edits = inner.world.renamed(
            Name { folder: from.dir.0, name: from.name },
            Name { folder: to.dir.0, name: to.name },
            how,
        )?;
        inner.control.act(Verb::Rename, format!("{how:?} {} -> {}", from.name, to.name))?;
        let moved = edits.last().and_then(|edit| edit.to);
        if how == Rename::NoReplace && inner.world.switches.moves == Moves::ByTwoNames {
            let second = edits.split_off(1);
            inner.world.change(Change { into: Some(to.dir.0), ..Change::new(second) })?;
            inner.control.act(Verb::Remove, from.name.to_owned())?;
            return inner.world.change(Change { left: moved, ..Change::new(edits) });
        }
        inner.world.change(Change::new(edits))
    }

    fn link(&self, from: At<'_, FakeDir>, to: At<'_, FakeDir>) -> Result<(), Halt> {
        let mut inner = self.begin(Verb::Link)?;
        if inner.world.switches.hard_links == Ability::Missing {
            return Err(Halt::Unsupported);
        }
        let (_, ino) = inner.world.need(from.dir.0, from.name)?;
        inner.world.must_share_device(from.dir.0, to.dir.0)?;
        inner.world.must_be_free(to.dir.0, to.name)?;
        inner.control.act(Verb::Link, format!("{} -> {}", from.name, to.name))?;
        inner.world.change(Change::new(vec![Edit::new(to.dir.0, to.name, Some(ino))]))
    }

    fn remove(&self, dir: &FakeDir, name: &str) -> Result<(), Halt> {
        let mut inner = self.begin(Verb::Remove)?;
        let (name, ino) = inner.world.need(dir.0, name)?;
        if inner.world.entries(ino).is_ok() {
            return Err(os(EISDIR));
        }
        inner.control.act(Verb::Remove, name.clone())?;
        inner.world.change(Change::new(vec![Edit::new(dir.0, &name, None)]))
    }

    fn remove_folder(&self, dir: &FakeDir, name: &str) -> Result<(), Halt> {
        let mut inner = self.begin(Verb::RemoveFolder)?;
        let (name, ino) = inner.world.need(dir.0, name)?;
        if !inner.world.entries(ino)?.live.is_empty() {
            return Err(os(ENOTEMPTY));
        }
        inner.control.act(Verb::RemoveFolder, name.clone())?;
        let gone = Change { removed: Some(ino), ..Change::new(vec![Edit::new(dir.0, &name, None)]) };
        inner.world.change(gone)
    }

    fn names(&self, dir: &FakeDir) -> Result<Vec<String>, Halt> {
        let inner = self.begin(Verb::Names)?;
        Ok(inner.world.entries(dir.0)?.live.keys().cloned().collect())
    }

    fn device(&self, dir: &FakeDir) -> Result<u64, Halt> {
        Ok(self.lock().world.inode(dir.0)?.device)
    }

    fn sync(&self, what: Flush<'_, FakeDisk>) -> Result<(), Halt> {
        match what {
            Flush::Data(file) => self.sync_file(file, Extent::Bytes),
            Flush::File(file) => self.sync_file(file, Extent::BytesAndDress),
            Flush::Dir(dir) => self.sync_dir(dir.0),
            Flush::Everything(dir) => self.sync_device(dir.0),
        }
    }
}

impl FakeDisk {
    /// Makes the record's folder at home, as whoever makes the first change does, unless it is there. A record in the
    /// workspace without one would be somebody else's.
    pub fn found_home(&self) -> Result<(), Halt> {
        if self.own()?.is_none() {
            let taken = self.names(&FakeDir(HOME))?;
            let is_free = |nth: &u64| !taken.contains(&Id::new((*nth).into()).as_str().to_owned());
            let nth = (0..).find(is_free).unwrap_or_default();
            let new = New { id: &Id::new(nth.into()), key: &Key([7; 32]), root: b"" };
            own::make(self, &FakeDir(HOME), &new)?;
            self.lock().world.own = Some(nth);
        }
        Ok(())
    }

    /// Does home hold a key?
    pub fn has_key(&self) -> bool {
        let own = self.own().ok().flatten();
        own.is_some_and(|own| own::read_key(self, &own.home).is_ok())
    }
}

impl Inner {
    /// A folder of the state directory, private to its owner.
    fn make_state(&mut self, dir: Ino, name: &str) -> Result<Ino, Halt> {
        self.control.act(Verb::State, name.to_owned())?;
        self.world.make(dir, name, Kind::Folder(Entries::default()), 0o700)
    }
}

fn writable(file: &FakeFile) -> Result<(), Halt> {
    if file.access == Access::Write { Ok(()) } else { Err(os(EBADF)) }
}

//! Syncing: the only way in which anything on the fake disk becomes durable. A sync that fails leaves
//! everything as unsure as it was, and the system believing it clean.

use super::FakeDisk;
use super::content::Mark;
use super::control::Verb;
use super::pending::{Change, Ino};
use super::switches::Honesty;
use super::verbs::FakeFile;
use super::world::{ESTALE, Inode, Kind, os};
use patchwright_store::disk::Halt;
use std::sync::Arc;

/// How much of a file is synced.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    Bytes,
    BytesAndDress,
}

impl FakeDisk {
    pub(super) fn sync_file(&self, file: &FakeFile, extent: Extent) -> Result<(), Halt> {
        let mut inner = self.begin(Verb::SyncFile)?;
        let answer = inner.control.act(Verb::SyncFile, String::new());
        let lie = match extent {
            Extent::Bytes => Honesty::DataNotSynced,
            Extent::BytesAndDress => Honesty::FilesNotSynced,
        };
        if inner.world.switches.honesty == lie {
            return answer;
        }
        let inode = inner.world.inode_mut(file.ino)?;
        match (&answer, &mut inode.kind) {
            (Ok(()), Kind::File(content)) => {
                Arc::make_mut(content).sync();
                if extent == Extent::BytesAndDress {
                    inode.durable_dress = inode.dress.clone();
                }
            }
            (Err(Halt::Os(_)), Kind::File(content)) => Arc::make_mut(content).sync_failed(),
            _ => {}
        }
        answer
    }

    pub(super) fn sync_dir(&self, dir: Ino) -> Result<(), Halt> {
        let mut inner = self.begin(Verb::SyncDir)?;
        let about = inner.world.path_of(dir);
        if !inner.world.is_named(dir) {
            // Some file systems let it pass; FUSE does not.
            return Err(os(ESTALE));
        }
        let answer = inner.control.act(Verb::SyncDir, about);
        let chosen = |change: &Change| change.mark == Mark::Dirty && change.touches(dir);
        match &answer {
            Ok(()) if inner.world.switches.honesty == Honesty::FoldersNotSynced => {}
            Ok(()) => {
                inner.world.settle(chosen);
                if let Ok(inode) = inner.world.inode_mut(dir) {
                    inode.durable_dress = inode.dress.clone();
                }
            }
            Err(halt) if is_stale(halt) => {}
            Err(Halt::Os(_)) => inner.world.sync_failed(chosen),
            Err(_) => {}
        }
        answer
    }

    pub(super) fn sync_device(&self, dir: Ino) -> Result<(), Halt> {
        let mut inner = self.begin(Verb::SyncEverything)?;
        let about = inner.world.path_of(dir);
        let answer = inner.control.act(Verb::SyncEverything, about);
        let device = inner.world.inode(dir)?.device;
        let same = inner.world.inodes.iter().filter(|(_, inode)| inode.device == device);
        let dirs: Vec<Ino> = same.map(|(ino, _)| *ino).collect();
        let here = |change: &Change| change.mark == Mark::Dirty && dirs.iter().any(|dir| change.touches(*dir));
        match &answer {
            Ok(()) if inner.world.switches.honesty == Honesty::FoldersNotSynced => {}
            Ok(()) => {
                inner.world.settle(here);
                inner.world.settle_files(|inode: &Inode| inode.device == device);
            }
            Err(Halt::Os(_)) => {
                inner.world.sync_failed(here);
                inner.world.files_sync_failed(|inode: &Inode| inode.device == device);
            }
            Err(_) => {}
        }
        answer
    }
}

/// A stale handle is no failed write.
fn is_stale(halt: &Halt) -> bool {
    matches!(halt, Halt::Os(error) if error.raw_os_error() == Some(ESTALE))
}

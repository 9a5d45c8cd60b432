//! The folders of our record: reaching them, making them again, and whether they still stand where they stood.
//!
//! Promises 0700 for folders, 0600 for files, that records in the work tree are ignored by version control, and that
//! nothing in them is reached through a link. Which record is ours, and making the first, is [`super::record`]'s to say.

use super::dir::Dir;
use super::errno::os;
use super::home::{Homes, Lasts};
use super::places::{self, Place, enter};
use super::{RealDisk, file, home, stat};
use crate::disk::{Halt, Own, Writes};
use crate::own::KEY_FILE;
use crate::seal::Id;
use patchwright_core::path::RelPath;
use patchwright_core::policy::STATE_DIR;
use patchwright_core::refusal::Sort;
use rustix::io::Errno;
use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

/// Our record, found.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) own: Own<Dir>,
    pub(super) place: Place,
    /// Its folder in its place; nothing if somebody has removed that.
    pub(super) state: Option<Stands>,
    /// Where its folder at home is, for the embedded database, which opens its files by path.
    pub(super) home_path: PathBuf,
    /// Held, so that it shows when somebody removes it or puts it aside.
    pub(super) key: File,
    pub(super) lasts: Lasts,
}

/// The folder of a record, held with the place it stands in and the folder around that: a process that is kept in cannot
/// open those again.
#[derive(Clone, Debug)]
pub(super) struct Stands {
    pub(super) folder: Dir,
    pub(super) place: Dir,
    pub(super) base: Dir,
}

impl Found {
    /// The same record with this folder.
    pub(super) fn with_state(&self, state: Option<Stands>) -> Result<Found, Halt> {
        let (own, place, key) = (self.own.clone(), self.place.clone(), self.key.try_clone()?);
        Ok(Found { own, place, state, home_path: self.home_path.clone(), key, lasts: self.lasts })
    }

    /// Is the key still where it was?
    pub(super) fn key_stands(&self) -> Result<bool, Halt> {
        let there = stat::of_name(&self.own.home, KEY_FILE)?;
        Ok(there.map(|there| there.id) == Some(stat::of_file(&self.key)?.id))
    }
}

impl RealDisk {
    /// Has a record of ours been found or made?
    pub fn has_record(&self) -> bool {
        self.found().is_some_and(|found| found.state.is_some())
    }

    /// Was there a record of ours for this very folder, of which only the key is left?
    pub fn has_lost_record(&self) -> bool {
        self.found().is_some_and(|found| found.state.is_none())
    }

    /// How long its home lasts.
    pub fn home_lasts(&self) -> Option<Lasts> {
        self.found().map(|found| found.lasts)
    }

    /// The id of our record.
    pub fn id(&self) -> Option<Id> {
        self.found().map(|found| found.own.id.clone())
    }

    /// Where the index may be: beside the key, unless that can only be read or lies across a network.
    pub fn index_folder(&self) -> Option<PathBuf> {
        let found = self.found()?;
        let writes = matches!(found.own.writes, Writes::Yes | Writes::Left);
        (writes && !home::is_remote(&found.own.home)).then(|| found.home_path.clone())
    }

    /// Is the key still where it was? Somebody may have removed it, or put the record aside, while this process holds it.
    pub fn key_stands(&self) -> Result<bool, Halt> {
        self.found().map_or(Ok(true), |found| found.key_stands())
    }

    /// The folders below the root in which state or keys lie, or would lie.
    pub fn closed_folders(&self) -> &[RelPath] {
        &self.closed
    }

    /// Is this a folder of state or keys, ours or anybody's? Listings and searches pass it over.
    pub fn is_state(&self, path: &RelPath) -> bool {
        path.name() == STATE_DIR || self.closed.contains(path)
    }

    /// Opens a file of the record for reading, making nothing; nothing if it or its folder is not there.
    pub fn read_state(&self, folder: &str, name: &str) -> Result<Option<File>, Halt> {
        let Some(dir) = self.state_if_there(folder)? else { return Ok(None) };
        missing_is_none(file::open(&dir, name))
    }

    /// A folder of the record, held, if it is there; nothing is made.
    pub fn state_if_there(&self, folder: &str) -> Result<Option<Dir>, Halt> {
        self.look_again()?;
        let Some(state) = self.state_root() else { return Ok(None) };
        missing_is_none(segments(folder).try_fold(state, |dir, name| enter(&dir, name)))
    }

    /// A folder of the record, made if it is not there. The record itself must have been made.
    pub(super) fn state_folder(&self, folder: &str) -> Result<Dir, Halt> {
        let state = self.state_root().ok_or_else(|| os(Errno::NOENT))?;
        segments(folder).try_fold(state, |dir, name| match enter(&dir, name) {
            Err(halt) if halt.is_missing() => places::make(&dir, name).and_then(|made| dir.sync().map(|()| made)),
            answer => answer,
        })
    }

    fn state_root(&self) -> Option<Dir> {
        self.found().and_then(|found| found.state.as_ref().map(|state| state.folder.clone()))
    }

    pub(super) fn own_record(&self) -> Option<Own<Dir>> {
        self.found().map(|found| found.own.clone())
    }

    pub(super) fn sync_names(&self) -> Result<(), Halt> {
        let Some(state) = self.found().and_then(|found| found.state.clone()) else { return Ok(()) };
        state.place.sync()?;
        state.base.sync()
    }

    /// The record's folder and its folder at home.
    pub(super) fn record_folders(&self) -> Option<(Dir, Dir)> {
        let found = self.found()?;
        Some((found.state.as_ref()?.folder.clone(), found.own.home.clone()))
    }

    pub(super) fn found(&self) -> Option<Arc<Found>> {
        self.record.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn keep(&self, found: Option<Found>) {
        *self.record.write().unwrap_or_else(PoisonError::into_inner) = found.map(Arc::new);
    }

    /// Another process may have made our record since we looked, or its folder again after somebody removed that.
    fn look_again(&self) -> Result<(), Halt> {
        let Some(found) = self.found() else { return self.find_record() };
        if !self.stands(&found)? {
            let there = absent_is_none(self.enter_in(&found.place, &found.own.id))?;
            self.keep(Some(found.with_state(there)?));
        }
        Ok(())
    }

    /// Is the record's folder still where it was?
    pub(super) fn stands(&self, found: &Found) -> Result<bool, Halt> {
        let Some(state) = &found.state else { return Ok(false) };
        let place = match found.place.open(self.root()) {
            Ok(place) => place,
            // A process that is kept in.
            Err(halt) if halt.os_kind() == Some(ErrorKind::PermissionDenied) => state.place.clone(),
            failed => match absent_is_none(failed)? {
                Some(place) => place,
                None => return Ok(false),
            },
        };
        let there = stat::of_name(&place, found.own.id.as_str())?;
        Ok(there.map(|there| there.id) == Some(state.folder.id()?))
    }

    /// The folder of a record in a place, if it is there.
    pub(super) fn enter_in(&self, place: &Place, id: &Id) -> Result<Stands, Halt> {
        let dir = place.open(self.root())?;
        Ok(Stands { folder: enter(&dir, id.as_str())?, place: dir, base: place.base(self.root())? })
    }

    /// Makes the folder of a record in a place.
    pub(super) fn make_in(&self, place: &Place, id: &Id) -> Result<Stands, Halt> {
        let dir = place.make(self.root())?;
        if place.is_seen_by_git() {
            ignore_itself(&dir)?;
        }
        let folder = places::make(&dir, id.as_str())?;
        if place.is_seen_by_git() {
            ignore_itself(&folder)?;
        }
        Ok(Stands { folder, place: dir, base: place.base(self.root())? })
    }
}

/// Those of the places and homes that lie below the root.
pub(super) fn closed(canonical: &Path, places: &[Place], homes: &Homes) -> Vec<RelPath> {
    let places = places.iter().map(|place| place.path(canonical));
    let homes = homes.real_paths().map(Path::to_owned);
    let below = places.chain(homes).filter_map(|path| {
        let below = path.strip_prefix(canonical).ok()?.to_str()?.to_owned();
        if below.is_empty() { Some(RelPath::root()) } else { RelPath::parse(&below, &[]).ok() }
    });
    below.collect()
}

pub(super) fn missing_is_none<T>(answer: Result<T, Halt>) -> Result<Option<T>, Halt> {
    match answer {
        Ok(found) => Ok(Some(found)),
        Err(halt) if halt.is_missing() => Ok(None),
        Err(halt) => Err(halt),
    }
}

/// What is not there for us, for good: missing, closed to us, or something else than it should be. Any other failure is
/// one: what cannot be told for now must not be taken for missing.
pub(super) fn absent_is_none<T>(answer: Result<T, Halt>) -> Result<Option<T>, Halt> {
    use ErrorKind::{IsADirectory, NotADirectory, NotFound, PermissionDenied};
    match answer {
        Err(Halt::Special) => Ok(None),
        Err(Halt::Os(error))
            if matches!(error.kind(), IsADirectory | NotADirectory | NotFound | PermissionDenied)
                || error.raw_os_error() == Some(Errno::LOOP.raw_os_error())
                || error.raw_os_error() == Some(Errno::XDEV.raw_os_error()) =>
        {
            Ok(None)
        }
        answer => answer.map(Some),
    }
}

fn segments(folder: &str) -> impl Iterator<Item = &str> {
    folder.split('/').filter(|name| !name.is_empty())
}

pub(super) fn ignore_itself(home: &Dir) -> Result<(), Halt> {
    // An empty one was made when there was no room to write into it.
    match stat::of_name(home, ".gitignore")? {
        Some(there) if there.size > 0 || there.sort != Sort::File => Ok(()),
        _ => file::open_or_create(home, ".gitignore").and_then(|made| file::write_at(&made, 0, b"*\n")),
    }
}

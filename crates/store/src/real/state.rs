//! The record of this workspace that is ours: finding it, making it, reaching its folders.
//!
//! A record is ours if its id has a key at home, and the home notes this root for it, by its path or by its device and
//! inode. Any other record that stands in the same place is not opened. Promises 0700 for folders, 0600 for files, that
//! records in the work tree are ignored by version control, and that nothing in them is reached through a link.

use super::dir::{Dir, os};
use super::home::{self, Home, Lasts};
use super::places::{self, Place, Takes, enter};
use super::{RealDisk, file, rename, stat};
use crate::disk::{Halt, HomeTrouble, Rename};
use crate::mark::Writes;
use crate::own::{self, KEY_FILE, New, Own, ROOT_FILE};
use crate::seal::{Id, Key};
use patchwright_core::path::RelPath;
use patchwright_core::policy::STATE_DIR;
use patchwright_core::refusal::Sort;
use patchwright_core::seeded::{Bug, is_planted};
use rustix::fs::Mode;
use rustix::io::Errno;
use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

/// Records beyond so many in one place are not looked at one by one: home is asked instead which are ours.
const MANY: usize = 256;
/// A note is a path and two numbers.
const NOTE_MAX: u64 = 16 * 1024;

/// Our record, found.
#[derive(Debug)]
pub(super) struct Found {
    own: Own<Dir>,
    place: Place,
    /// Its folder in its place; nothing if somebody has removed that.
    state: Option<Dir>,
    /// Where its folder at home is, for the embedded database, which opens its files by path.
    home_path: PathBuf,
    /// Held, so that it shows when somebody removes it.
    key: File,
    lasts: Lasts,
}

impl Found {
    /// The same record with this folder.
    fn with_state(&self, state: Option<Dir>) -> Result<Found, Halt> {
        let (own, place, key) = (self.own.clone(), self.place.clone(), self.key.try_clone()?);
        Ok(Found { own, place, state, home_path: self.home_path.clone(), key, lasts: self.lasts })
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

    /// Where the index may be: beside the key, unless that can only be read or lies across a network.
    pub fn index_folder(&self) -> Option<PathBuf> {
        let found = self.found()?;
        (found.own.writes == Writes::Yes && !is_remote(&found.own.home)).then(|| found.home_path.clone())
    }

    /// Is the key still where it was? Somebody may have removed it while this process holds it.
    pub fn key_stands(&self) -> bool {
        self.found().is_none_or(|found| stat::of_file(&found.key).is_ok_and(|stat| stat.links > 0))
    }

    /// The folders below the root in which state or keys lie, or would lie.
    pub fn closed_folders(&self) -> &[RelPath] {
        &self.closed
    }

    /// Is this a folder of state or keys, ours or anybody's? Listings and searches pass it over.
    pub(crate) fn is_state(&self, path: &RelPath) -> bool {
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
        let Some(state) = self.found().and_then(|found| found.state.clone()) else { return Ok(None) };
        missing_is_none(segments(folder).try_fold(state, |dir, name| enter(&dir, name)))
    }

    /// A folder of the record, made if it is not there. The record itself must have been made.
    pub(super) fn state_folder(&self, folder: &str) -> Result<Dir, Halt> {
        let state = self.found().and_then(|found| found.state.clone()).ok_or_else(|| os(Errno::NOENT))?;
        segments(folder).try_fold(state, |dir, name| match enter(&dir, name) {
            Err(halt) if halt.is_missing() => make(&dir, name).and_then(|made| dir.sync().map(|()| made)),
            answer => answer,
        })
    }

    pub(super) fn own_record(&self) -> Option<Own<Dir>> {
        self.found().map(|found| found.own.clone())
    }

    pub(super) fn sync_names(&self) -> Result<(), Halt> {
        let Some(found) = self.found() else { return Ok(()) };
        let place = found.place.open(self.root())?;
        place.sync()?;
        found.place.sync_name(self.root())
    }

    /// The record's folder and its folder at home.
    pub(super) fn record_folders(&self) -> Option<(Dir, Dir)> {
        self.found().and_then(|found| Some((found.state.clone()?, found.own.home.clone())))
    }

    /// The id of our record.
    pub fn id(&self) -> Option<Id> {
        self.found().map(|found| found.own.id.clone())
    }

    pub(super) fn own_place(&self) -> Option<(Place, Id)> {
        self.found().map(|found| (found.place.clone(), found.own.id.clone()))
    }

    pub(super) fn forget_record(&self) {
        self.keep(None);
    }

    fn found(&self) -> Option<Arc<Found>> {
        self.record.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn keep(&self, found: Option<Found>) {
        *self.record.write().unwrap_or_else(PoisonError::into_inner) = found.map(Arc::new);
    }

    /// Looks for our record. Makes nothing.
    pub(super) fn find_record(&self) -> Result<(), Halt> {
        for home in self.homes.there() {
            for place in &self.places {
                let Ok(dir) = place.open(self.root()) else { continue };
                if let Some(found) = self.find_in(&home, place, &dir)? {
                    self.keep(Some(found));
                    return Ok(());
                }
            }
        }
        self.keep(self.find_lost()?);
        Ok(())
    }

    /// Another process may have made our record since we looked, or its folder again after somebody removed that.
    fn look_again(&self) -> Result<(), Halt> {
        let Some(found) = self.found() else { return self.find_record() };
        if !self.stands(&found)? {
            let there = found.place.open(self.root()).and_then(|place| enter(&place, found.own.id.as_str()));
            self.keep(Some(found.with_state(there.ok())?));
        }
        Ok(())
    }

    /// A record that home knows for this very folder, and that stands nowhere.
    fn find_lost(&self) -> Result<Option<Found>, Halt> {
        let Some(place) = self.places.iter().find(|place| place.takes == Takes::New) else { return Ok(None) };
        for home in self.homes.there() {
            let Some(id) = home.id_of(&self.canonical) else { continue };
            let Some((own, key)) = own_folder(&home, &id)? else { continue };
            if missing_is_none(file::open(&own, ROOT_FILE))?.and_then(read_note) == Some(self.root_note()?) {
                let (home_path, lasts) = (home.path.join(id.as_str()), home.lasts);
                let own = Own { id, home: own, writes: home.writes };
                return Ok(Some(Found { own, place: place.clone(), state: None, home_path, key, lasts }));
            }
        }
        Ok(None)
    }

    fn find_in(&self, home: &Home, place: &Place, dir: &Dir) -> Result<Option<Found>, Halt> {
        let mut ids = some_ids(dir, MANY)?;
        if ids.len() >= MANY {
            ids = some_ids(&home.all, usize::MAX)?;
            ids.retain(|id| places::has(dir, id.as_str()));
        }
        for id in ids {
            if let Some(found) = self.ours(home, place, (dir, id))? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// The record with this id, if it is ours.
    fn ours(&self, home: &Home, place: &Place, (dir, id): (&Dir, Id)) -> Result<Option<Found>, Halt> {
        let Ok(state) = enter(dir, id.as_str()) else { return Ok(None) };
        let found = match file::open(&state, KEY_FILE) {
            Ok(key) if is_planted(Bug::KeyInTree) => Some((state.clone(), key)),
            _ => own_folder(home, &id)?,
        };
        let Some((own, key)) = found else { return Ok(None) };
        if !self.is_noted(home, &own)? {
            return Ok(None);
        }
        let home_path = home.path.join(id.as_str());
        let own = Own { id, home: own, writes: home.writes };
        Ok(Some(Found { own, place: place.clone(), state: Some(state), home_path, key, lasts: home.lasts }))
    }

    /// Is this the root that the record belongs to? Path or device and inode must be as noted; the note is then renewed.
    /// Neither is stable or unique by itself.
    fn is_noted(&self, home: &Home, own: &Dir) -> Result<bool, Halt> {
        let now = self.root_note()?;
        let Some(noted) = missing_is_none(file::open(own, ROOT_FILE))?.and_then(read_note) else {
            return Ok(is_planted(Bug::KeyInTree));
        };
        let same_path = path_of(&noted) == path_of(&now);
        let same_folder = folder_of(&noted) == folder_of(&now);
        if same_path != same_folder && home.writes == Writes::Yes {
            replace(own, ROOT_FILE, &now, self.means())?;
        }
        Ok(same_path || same_folder)
    }

    pub(super) fn root_note(&self) -> Result<Vec<u8>, Halt> {
        let (device, inode) = self.root().id()?;
        let mut note = format!("{device} {inode}\n").into_bytes();
        note.extend_from_slice(self.canonical.as_os_str().as_bytes());
        Ok(note)
    }

    /// Sees to it that our record can be used for a change: makes one if there is none, and its folder again if somebody
    /// removed that. The caller holds the lock. Whether one was made.
    pub fn found_record(&self) -> Result<Founded, Halt> {
        if let Some(found) = self.found() {
            if self.stands(&found)? {
                return Ok(Founded::Before);
            }
            self.find_record()?;
            return if self.has_record() { Ok(Founded::Before) } else { self.make_again(&found) };
        }
        // Another process may have been quicker.
        self.find_record()?;
        match self.found() {
            Some(found) if found.state.is_none() => return self.make_again(&found),
            Some(_) => return Ok(Founded::Before),
            None => {}
        }
        let (home, trouble) = self.homes.make()?;
        let id = Id::new(u128::from_be_bytes(home::random()?));
        let (key, note) = (Key(home::random()?), self.root_note()?);
        let own = own::make(self, &home.all, &New { id: &id, key: &key, root: &note })?;
        let (place, state) = self.place_record(&id)?;
        let key = file::open(&own, KEY_FILE)?;
        // Only a hint for the day when the record is gone.
        let _ = home.note_id(&self.canonical, &id, self.means());
        let home_path = home.path.join(id.as_str());
        let own = Own { id, home: own, writes: home.writes };
        self.keep(Some(Found { own, place, state: Some(state), home_path, key, lasts: home.lasts }));
        Ok(Founded::Now(trouble))
    }

    /// Is the record's folder still where it was?
    fn stands(&self, found: &Found) -> Result<bool, Halt> {
        let Ok(place) = found.place.open(self.root()) else { return Ok(false) };
        let there = stat::of_name(&place, found.own.id.as_str())?;
        let held = found.state.as_ref().map(Dir::id).transpose()?;
        Ok(held.is_some() && there.map(|there| there.id) == held)
    }

    /// Makes the folder of a record again whose key is still there.
    fn make_again(&self, gone: &Found) -> Result<Founded, Halt> {
        let (place, state) = self.place_record(&gone.own.id)?;
        self.keep(Some(Found { place, ..gone.with_state(Some(state))? }));
        Ok(Founded::Again)
    }

    /// Makes a record's folder in the first place that can be written.
    fn place_record(&self, id: &Id) -> Result<(Place, Dir), Halt> {
        let mut first = None;
        for place in self.places.iter().filter(|place| place.takes == Takes::New) {
            match self.make_in(place, id) {
                Ok(state) => return Ok((place.clone(), state)),
                Err(halt) => drop(first.get_or_insert(halt)),
            }
        }
        Err(first.unwrap_or(os(Errno::NOENT)))
    }

    fn make_in(&self, place: &Place, id: &Id) -> Result<Dir, Halt> {
        let dir = place.make(self.root())?;
        if place.is_seen_by_git() {
            ignore_itself(&dir)?;
        }
        let state = make(&dir, id.as_str())?;
        if place.is_seen_by_git() {
            ignore_itself(&state)?;
        }
        Ok(state)
    }
}

/// Those of the places and homes that lie below the root.
pub(super) fn closed(canonical: &Path, places: &[Place], homes: &home::Homes) -> Vec<RelPath> {
    let places = places.iter().map(|place| place.path(canonical));
    let homes = homes.paths().map(home::real_path);
    let below = places.chain(homes).filter_map(|path| {
        let below = path.strip_prefix(canonical).ok()?.to_str()?.to_owned();
        if below.is_empty() { Some(RelPath::root()) } else { RelPath::parse(&below, &[]).ok() }
    });
    below.collect()
}

/// Whether a record had to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Founded {
    /// It was there.
    Before,
    /// It is new; with what kept its key from a lasting home, if anything did.
    Now(Option<HomeTrouble>),
    /// Its folder was gone, and has been made again.
    Again,
}

/// A record's folder at home and its key, if they are there and nobody else's.
pub(super) fn own_folder(home: &Home, id: &Id) -> Result<Option<(Dir, File)>, Halt> {
    let Ok(own) = enter(&home.all, id.as_str()) else { return Ok(None) };
    let Ok(key) = file::open(&own, KEY_FILE) else { return Ok(None) };
    Ok(home::is_private(&key)?.then_some((own, key)))
}

/// The ids among a folder's names, sorted; no more than so many are looked at.
pub(super) fn some_ids(dir: &Dir, most: usize) -> Result<Vec<Id>, Halt> {
    let mut ids: Vec<Id> = dir.some_names(most)?.iter().filter_map(|name| Id::parse(name)).collect();
    ids.sort();
    Ok(ids)
}

fn read_note(file: File) -> Option<Vec<u8>> {
    let mut note = Vec::new();
    file.take(NOTE_MAX).read_to_end(&mut note).ok()?;
    Some(note)
}

/// The part of a note behind its first line.
fn path_of(note: &[u8]) -> Option<&[u8]> {
    note.iter().position(|byte| *byte == b'\n').and_then(|end| note.get(end + 1..))
}

/// The first line of a note.
fn folder_of(note: &[u8]) -> Option<&[u8]> {
    note.split(|byte| *byte == b'\n').next()
}

/// Writes a file of ours anew; whoever looks sees the old or the new one.
pub(super) fn replace(dir: &Dir, name: &str, bytes: &[u8], means: super::Means) -> Result<(), Halt> {
    let draft = format!("{name}.{}", std::process::id());
    let _ = file::remove(dir, &draft);
    let written = file::create(dir, &draft).and_then(|made| file::write_at(&made, 0, bytes));
    let shown = written.and_then(|()| rename::rename((dir, &draft), (dir, name), Rename::Replace, means));
    shown.inspect_err(|_| drop(file::remove(dir, &draft)))
}

/// Does a folder lie on a network file system? The embedded database must not work there.
fn is_remote(dir: &Dir) -> bool {
    const REMOTE: [i128; 4] = [0x6969, 0x517b, 0xff53_4d42, 0xfe53_4d42];
    rustix::fs::fstatfs(dir).is_ok_and(|found| REMOTE.contains(&(i128::from(found.f_type) & 0xffff_ffff)))
}

fn missing_is_none<T>(answer: Result<T, Halt>) -> Result<Option<T>, Halt> {
    match answer {
        Ok(found) => Ok(Some(found)),
        Err(halt) if halt.is_missing() => Ok(None),
        Err(halt) => Err(halt),
    }
}

fn segments(folder: &str) -> impl Iterator<Item = &str> {
    folder.split('/').filter(|name| !name.is_empty())
}

pub(super) fn make(dir: &Dir, name: &str) -> Result<Dir, Halt> {
    match rustix::fs::mkdirat(dir, name, Mode::RWXU) {
        Ok(()) | Err(Errno::EXIST) => enter(dir, name),
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

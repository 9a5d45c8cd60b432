//! Which record is ours, and making the first one.
//!
//! A record is ours if its id has a key at home, and the home notes this root for it, by its path or by its device and
//! inode. Any other record that stands in the same place is not opened.

use super::dir::Dir;
use super::home::{self, Home, Lies, RootAt};
use super::places::{self, Place, Takes, enter};
use super::rename::replace;
use super::state::{Found, absent_is_none, missing_is_none};
use super::{RealDisk, Visit, file, stat};
use crate::disk::{Halt, HomeTrouble, Own, Writes};
use crate::mark;
use crate::own::{self, KEY_FILE, New, ROOT_FILE};
use crate::seal::{Id, Key};
use patchwright_core::seeded::{Bug, is_planted};
use std::fs::File;
use std::io::{Error, ErrorKind, Read};
use std::os::unix::ffi::OsStrExt;

/// Names beyond so many in one place are not looked at one by one: home is asked instead which are ours.
const MANY: usize = 256;
/// A note is a path and two numbers.
const NOTE_MAX: u64 = 16 * 1024;
/// Beside a key that lies in the workspace: which file it is, so that one that was brought along does not count.
const HERE: &str = "here";

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

/// A record's folder at home, and its key.
struct Keyed {
    id: Id,
    own: Dir,
    key: File,
}

impl RealDisk {
    /// Looks for our record. Makes nothing.
    pub(super) fn find_record(&self) -> Result<(), Halt> {
        let homes = self.homes.there()?;
        for home in &homes {
            for place in &self.places {
                let Some(dir) = absent_is_none(place.open(self.root()))? else { continue };
                if let Some(found) = self.find_in(home, place, &dir)? {
                    self.keep(Some(found));
                    return Ok(());
                }
            }
        }
        self.keep(self.find_lost(&homes)?);
        Ok(())
    }

    /// A record that home knows for this very folder and one of its places, and that does not stand there.
    fn find_lost(&self, homes: &[Home]) -> Result<Option<Found>, Halt> {
        let new = |place: &&Place| place.takes == Takes::New;
        let Some(first) = self.places.iter().find(new) else { return Ok(None) };
        for home in homes {
            for path in &self.once {
                let Some(id) = home.id_of(&self.root_at(), path) else { continue };
                let Some((own, key)) = own_folder(home, &id)? else { continue };
                if read_note(&own)? == Some(self.root_note()?) {
                    let same = self.places.iter().filter(new).find(|place| place.path(&self.canonical) == *path);
                    return Ok(Some(self.found_with(home, same.unwrap_or(first), Keyed { id, own, key })));
                }
            }
        }
        Ok(None)
    }

    fn found_with(&self, home: &Home, place: &Place, keyed: Keyed) -> Found {
        let Keyed { id, own, key } = keyed;
        let home_path = home.path.join(id.as_str());
        let own = Own { id, home: own, writes: self.writes(home) };
        Found { own, place: place.clone(), state: None, home_path, key, lasts: home.lasts }
    }

    /// May what is at home be renewed? Not by whoever only looks.
    fn writes(&self, home: &Home) -> Writes {
        match (home.writes, self.visit) {
            (Writes::Yes, Visit::Looks) => Writes::Left,
            (writes, _) => writes,
        }
    }

    fn find_in(&self, home: &Home, place: &Place, dir: &Dir) -> Result<Option<Found>, Halt> {
        let names = dir.some_names(MANY)?;
        let ids = if names.len() < MANY {
            ids(&names)
        } else {
            let own = ids(&home.all.names()?);
            own.into_iter().filter(|id| places::has(dir, id.as_str())).collect()
        };
        for id in ids {
            if let Some(found) = self.ours(home, place, dir, id)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// The record with this id, if it is ours.
    fn ours(&self, home: &Home, place: &Place, dir: &Dir, id: Id) -> Result<Option<Found>, Halt> {
        let Some(state) = absent_is_none(enter(dir, id.as_str()))? else { return Ok(None) };
        let found = match file::open(&state, KEY_FILE) {
            Ok(key) if is_planted(Bug::KeyInTree) => Some((state.clone(), key)),
            _ => own_folder(home, &id)?,
        };
        let Some((own, key)) = found else { return Ok(None) };
        if !self.is_noted(home, place, &id, &own)? {
            return Ok(None);
        }
        let stands = self.enter_in(place, &id)?;
        self.found_with(home, place, Keyed { id, own, key }).with_state(Some(stands)).map(Some)
    }

    /// Is this the root that the record belongs to? Path or device and inode must be as noted; the note is then renewed.
    /// Neither is stable or unique by itself.
    fn is_noted(&self, home: &Home, place: &Place, id: &Id, own: &Dir) -> Result<bool, Halt> {
        let now = self.root_note()?;
        let Some(noted) = read_note(own)? else { return Ok(is_planted(Bug::KeyInTree)) };
        let same_path = path_of(&noted) == path_of(&now);
        let same_folder = folder_of(&noted) == folder_of(&now);
        if same_path != same_folder && self.writes(home) == Writes::Yes {
            // Whoever cannot renew it now, for want of room, is not kept from working.
            let _ = replace(own, ROOT_FILE, &now, self.means());
            let _ = self.note_id(home, place, id);
        }
        Ok(same_path || same_folder)
    }

    pub(super) fn note_id(&self, home: &Home, place: &Place, id: &Id) -> Result<(), Halt> {
        home.note_id(&self.root_at(), &place.path(&self.canonical), id, self.means())
    }

    fn root_at(&self) -> RootAt<'_> {
        RootAt { path: &self.canonical, dir: self.root() }
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
            if found.state.is_some() {
                return self.make_again(&found);
            }
        }
        // Another process may have been quicker.
        let held = self.found();
        self.find_record()?;
        match (self.found(), held) {
            (Some(found), _) if found.state.is_none() => self.make_again(&found),
            (Some(_), _) => Ok(Founded::Before),
            // A process that is kept in finds nothing at home that it does not hold; what it holds is still its own.
            (None, Some(held)) if held.key_stands()? => {
                self.keep(Some(held.with_state(None)?));
                self.make_again(&held)
            }
            (None, _) => self.make_first(),
        }
    }

    /// Makes the folder of a record again whose key is still there, where it was. A process that is kept in may not be able
    /// to.
    fn make_again(&self, gone: &Found) -> Result<Founded, Halt> {
        let denied = |halt: &Halt| halt.os_kind() == Some(ErrorKind::PermissionDenied);
        let stands = match self.enter_in(&gone.place, &gone.own.id) {
            Ok(stands) => return self.keep_at(gone, stands, Founded::Before),
            Err(halt) if denied(&halt) => return Err(Halt::RecordGone),
            Err(halt) => absent_is_none::<()>(Err(halt)).and_then(|_| self.make_in(&gone.place, &gone.own.id)),
        };
        match stands {
            Err(halt) if denied(&halt) => Err(Halt::RecordGone),
            stands => self.keep_at(gone, stands?, Founded::Again),
        }
    }

    fn keep_at(&self, gone: &Found, stands: super::state::Stands, founded: Founded) -> Result<Founded, Halt> {
        self.keep(Some(gone.with_state(Some(stands))?));
        Ok(founded)
    }

    fn make_first(&self) -> Result<Founded, Halt> {
        let id = Id::new(u128::from_be_bytes(home::random()?));
        let (home, own, trouble) = self.homes.make(|home| self.make_key(home, &id))?;
        let (place, stands) = self.place_record(&id).inspect_err(|_| {
            // Nobody will ever ask for this key.
            let _ = forget_key(&home, &id);
        })?;
        // Only a hint for the day when the record is gone.
        let _ = self.note_id(&home, &place, &id);
        let key = file::open(&own, KEY_FILE)?;
        self.keep(Some(self.found_with(&home, &place, Keyed { id, own, key }).with_state(Some(stands))?));
        Ok(Founded::Now(trouble))
    }

    /// Makes the folder of a new record at home.
    fn make_key(&self, home: &Home, id: &Id) -> Result<Dir, Halt> {
        let (key, note) = (Key(home::random()?), self.root_note()?);
        let made = own::make(self, &home.all, &New { id, key: &key, root: &note });
        made.and_then(|own| bind(home, &own).map(|()| own)).inspect_err(|_| drop(forget_key(home, id)))
    }

    /// Makes a record's folder in the first place that can be written.
    fn place_record(&self, id: &Id) -> Result<(Place, super::state::Stands), Halt> {
        let mut first = None;
        for place in self.places.iter().filter(|place| place.takes == Takes::New) {
            match self.make_in(place, id) {
                Ok(stands) => return Ok((place.clone(), stands)),
                Err(halt) => drop(first.get_or_insert((place.path(&self.canonical), halt))),
            }
        }
        match first {
            Some((path, Halt::Os(error))) => {
                let said = format!("there is no place for the record of changes: {}: {error}", path.display());
                Err(Halt::Os(Error::new(error.kind(), said)))
            }
            Some((_, halt)) => Err(halt),
            None => Err(Halt::Os(ErrorKind::NotFound.into())),
        }
    }
}

/// A record's folder at home and its key, if they are there and nobody else's.
pub(super) fn own_folder(home: &Home, id: &Id) -> Result<Option<(Dir, File)>, Halt> {
    let Some(own) = absent_is_none(enter(&home.all, id.as_str()))? else { return Ok(None) };
    let Some(key) = absent_is_none(file::open(&own, KEY_FILE))? else { return Ok(None) };
    let counts = home::is_private(&key)? && (home.lies == Lies::Outside || is_bound(&own)?);
    Ok(counts.then_some((own, key)))
}

/// Notes which file the key is, where it lies in the workspace: a clone or an archive can bring a key there, but not under
/// this inode with this time of its last change.
pub(super) fn bind(home: &Home, own: &Dir) -> Result<(), Halt> {
    match home.lies {
        Lies::Outside => Ok(()),
        Lies::InRoot => file::create(own, HERE).and_then(|made| file::write_at(&made, 0, which_key(own)?.as_bytes())),
    }
}

fn is_bound(own: &Dir) -> Result<bool, Halt> {
    let mut noted = String::new();
    let Some(file) = missing_is_none(file::open(own, HERE))? else { return Ok(false) };
    Ok(file.take(128).read_to_string(&mut noted).is_ok() && noted == which_key(own)?)
}

fn which_key(own: &Dir) -> Result<String, Halt> {
    let found = stat::of_name(own, KEY_FILE)?.map(|key| format!("{} {} {}", key.id.0, key.id.1, key.ctime_ns));
    found.ok_or_else(|| Halt::Os(ErrorKind::NotFound.into()))
}

/// Removes the folder of a record at home.
pub(super) fn forget_key(home: &Home, id: &Id) -> Result<(), Halt> {
    let own = enter(&home.all, id.as_str())?;
    for name in [KEY_FILE, ROOT_FILE, mark::FILE, HERE] {
        // What is not there need not go.
        let _ = file::remove(&own, name);
    }
    file::remove_folder(&home.all, id.as_str())
}

/// The ids among these names, sorted.
pub(super) fn ids(names: &[String]) -> Vec<Id> {
    let mut ids: Vec<Id> = names.iter().filter_map(|name| Id::parse(name)).collect();
    ids.sort();
    ids
}

/// The note of the root that a record belongs to.
pub(super) fn read_note(own: &Dir) -> Result<Option<Vec<u8>>, Halt> {
    let Some(file) = absent_is_none(file::open(own, ROOT_FILE))? else { return Ok(None) };
    let mut note = Vec::new();
    file.take(NOTE_MAX).read_to_end(&mut note)?;
    Ok(Some(note))
}

/// The part of a note behind its first line: the path.
pub(super) fn path_of(note: &[u8]) -> Option<&[u8]> {
    note.iter().position(|byte| *byte == b'\n').and_then(|end| note.get(end + 1..))
}

/// The first line of a note: device and inode.
pub(super) fn folder_of(note: &[u8]) -> Option<&[u8]> {
    note.split(|byte| *byte == b'\n').next()
}

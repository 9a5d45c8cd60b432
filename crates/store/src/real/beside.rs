//! Records that stand beside ours, for whoever takes one over: looking at them, and moving one aside. None of it is
//! reached by a tool.

use super::dir::Dir;
use super::places::{Place, enter};
use super::record::{self, own_folder};
use super::state::missing_is_none;
use super::{RealDisk, rename, stat};
use crate::disk::{At, Halt, Rename};
use crate::log::HEADER;
use crate::own::{self, KEY_FILE, New};
use crate::seal::{Id, Key, Seal};
use std::ffi::OsStr;
use std::io::{Error, ErrorKind};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Names beyond so many in one place are not looked at.
const MANY: usize = 256;
/// So many names are tried for something that is moved aside.
const TRIES: u32 = 1000;
/// What a key is called whose record was moved aside.
const KEY_ASIDE: &str = "key.aside";

/// A record beside ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beside {
    /// Its id; nothing for a log of version 0.1, which stood in the place itself.
    pub id: Option<Id>,
    /// Where it stands.
    pub path: PathBuf,
    place: Place,
}

impl RealDisk {
    /// The records with entries that stand beside ours, as far as a short look tells. Those of other roots that keep
    /// theirs in the same place are not among them.
    pub fn beside(&self) -> Result<Vec<Beside>, Halt> {
        let mut all = Vec::new();
        for place in &self.places {
            let Ok(dir) = place.open(self.root()) else { continue };
            if has_log(&dir, 0)? {
                all.push(Beside { id: None, path: place.path(&self.canonical), place: place.clone() });
            }
            for id in record::ids(&dir.some_names(MANY)?) {
                all.extend(self.beside_in(place, &dir, id)?);
            }
        }
        Ok(all)
    }

    /// The record with this id, if it stands beside ours.
    pub fn beside_named(&self, id: &Id) -> Result<Option<Beside>, Halt> {
        for place in &self.places {
            let Ok(dir) = place.open(self.root()) else { continue };
            if let Some(beside) = self.beside_in(place, &dir, id.clone())? {
                return Ok(Some(beside));
            }
        }
        Ok(None)
    }

    fn beside_in(&self, place: &Place, dir: &Dir, id: Id) -> Result<Option<Beside>, Halt> {
        let Ok(folder) = enter(dir, id.as_str()) else { return Ok(None) };
        if Some(&id) == self.id().as_ref() || !has_log(&folder, HEADER)? {
            return Ok(None);
        }
        if place.is_shared() && self.is_of_another_root(&id)? {
            return Ok(None);
        }
        let path = place.path(&self.canonical).join(id.as_str());
        Ok(Some(Beside { id: Some(id), path, place: place.clone() }))
    }

    /// Does home note another root for this record, that is still there?
    fn is_of_another_root(&self, id: &Id) -> Result<bool, Halt> {
        let now = self.root_note()?;
        for home in self.homes.there()? {
            let Some((own, _)) = own_folder(&home, id)? else { continue };
            let Some(noted) = record::read_note(&own)? else { continue };
            let path = record::path_of(&noted).map(|path| Path::new(OsStr::from_bytes(path)).to_owned());
            let there = path.and_then(|path| path.metadata().ok());
            let folder = there.map(|there| format!("{} {}", there.dev(), there.ino()).into_bytes());
            if record::path_of(&noted) != record::path_of(&now) && folder.as_deref() == record::folder_of(&noted) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The folder of a record beside ours. No link is followed.
    pub fn open_beside(&self, beside: &Beside) -> Result<Dir, Halt> {
        let place = beside.place.open(self.root())?;
        match &beside.id {
            Some(id) => enter(&place, id.as_str()),
            None => Ok(place),
        }
    }

    /// The seal of a record that home has a key for, whatever root it belongs to.
    pub fn seal_at_home(&self, id: &Id) -> Option<Seal> {
        let homes = self.homes.there().unwrap_or_default();
        let mut folders = homes.iter().filter_map(|home| enter(&home.all, id.as_str()).ok());
        folders.find_map(|folder| {
            let key = own::read_key(self, &folder).or_else(|_| own::read_key_named(self, &folder, KEY_ASIDE));
            key.ok().map(|key| Seal::new(id.clone(), &key))
        })
    }

    /// Moves a record beside ours to a name that nobody looks for.
    pub fn set_beside_aside(&self, beside: &Beside) -> Result<PathBuf, Halt> {
        let place = beside.place.open(self.root())?;
        let name = beside.id.as_ref().map_or(crate::log::FILE, Id::as_str);
        let aside = self.rename_aside(&place, name)?;
        Ok(beside.place.path(&self.canonical).join(aside))
    }

    /// Moves our own record to a name that nobody looks for, and forgets it. Its key gets another name too, so that a process
    /// that still has it open notices.
    pub fn set_own_aside(&self) -> Result<Option<PathBuf>, Halt> {
        let Some(found) = self.found() else { return Ok(None) };
        let place = found.place.path(&self.canonical);
        for home in self.homes.there()? {
            // It is only a hint.
            let _ = home.forget_id(&self.canonical, &place);
        }
        let id = found.own.id.as_str();
        let moved = found.place.open(self.root()).and_then(|dir| self.rename_aside(&dir, id));
        let aside = missing_is_none(moved)?.map(|aside| place.join(aside));
        let home = &found.own.home;
        missing_is_none(rename::rename(
            At::new(home, KEY_FILE),
            At::new(home, KEY_ASIDE),
            Rename::Replace,
            self.means(),
        ))?;
        self.keep(None);
        Ok(aside)
    }

    fn rename_aside(&self, place: &Dir, name: &str) -> Result<String, Halt> {
        for turn in 0..TRIES {
            let aside = format!("{name}.aside-{turn}");
            match rename::rename(At::new(place, name), At::new(place, &aside), Rename::NoReplace, self.means()) {
                Err(halt) if halt.is_taken() => {}
                Err(halt) => return Err(halt),
                Ok(()) => return place.sync().map(|()| aside),
            }
        }
        Err(Halt::Os(ErrorKind::AlreadyExists.into()))
    }

    /// Takes the key of a record beside ours, which another home made: it can be ours too from then on. The caller holds
    /// the lock.
    pub fn take_key(&self, id: &Id, key: &Key) -> Result<(), Halt> {
        let note = self.root_note()?;
        let make = |home: &super::home::Home| match own_folder(home, id)? {
            Some((own, _)) if own::read_key(self, &own)? == *key => {
                super::rename::replace(&own, own::ROOT_FILE, &note, self.means())?;
                Ok(own)
            }
            Some(_) => Err(Halt::Os(Error::new(ErrorKind::AlreadyExists, "this home has another key for that record"))),
            None => {
                record::forget_key(home, id).or_else(|halt| if halt.is_missing() { Ok(()) } else { Err(halt) })?;
                let own = own::make(self, &home.all, &New { id, key, root: &note })?;
                record::bind(home, &own).map(|()| own)
            }
        };
        let (home, ..) = self.homes.make(make)?;
        if let Some(place) = self.beside_anywhere(id) {
            let _ = self.note_id(&home, place, id);
        }
        Ok(())
    }

    fn beside_anywhere(&self, id: &Id) -> Option<&Place> {
        let has = |place: &&Place| place.open(self.root()).is_ok_and(|dir| super::places::has(&dir, id.as_str()));
        self.places.iter().find(has)
    }

    /// Looks for our record again, after a key came or a record was moved aside.
    pub fn look_for_record(&self) -> Result<(), Halt> {
        self.find_record()
    }

    /// Our record's id and key, to be taken to another home.
    pub fn export_key(&self) -> Result<Option<(Id, Key)>, Halt> {
        let Some(own) = self.own_record() else { return Ok(None) };
        Ok(Some((own.id, own::read_key(self, &own.home)?)))
    }

    /// Does a path lie below the root, links followed as far as it is there? Where that cannot be told, it may.
    pub fn is_below_root(&self, path: &Path) -> bool {
        let real = std::path::absolute(path).and_then(|path| super::real_path(&path));
        real.map_or(true, |real| real.starts_with(&self.canonical))
    }
}

/// Is there a log with something in it?
fn has_log(folder: &Dir, beyond: u64) -> Result<bool, Halt> {
    use patchwright_core::refusal::Sort;
    let found = stat::of_name(folder, crate::log::FILE)?;
    Ok(found.is_some_and(|found| found.sort == Sort::File && found.size > beyond))
}

//! Records that stand beside ours, for whoever takes one over: looking at them, and moving one aside. None of it is
//! reached by a tool.

use super::dir::Dir;
use super::places::{Place, enter};
use super::{RealDisk, rename, stat, state};
use crate::disk::{Halt, Rename};
use crate::own::{self, New};
use crate::seal::{Id, Key, Seal};
use std::io::{Error, ErrorKind};
use std::path::PathBuf;

/// Records beyond so many in one place are not looked at one by one.
const MANY: usize = 256;
/// So many names are tried for something that is moved aside.
const TRIES: u32 = 1000;

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
    /// The records that stand beside ours, as far as a short look tells.
    pub fn beside(&self) -> Result<Vec<Beside>, Halt> {
        let own = self.id();
        let mut all = Vec::new();
        for place in &self.places {
            let Ok(dir) = place.open(self.root()) else { continue };
            let path = place.path(&self.canonical);
            if stat::of_name(&dir, crate::log::FILE)?.is_some() {
                all.push(Beside { id: None, path: path.clone(), place: place.clone() });
            }
            let others = state::some_ids(&dir, MANY)?.into_iter().filter(|id| Some(id) != own.as_ref());
            let beside = |id: Id| Beside { path: path.join(id.as_str()), id: Some(id), place: place.clone() };
            all.extend(others.map(beside));
        }
        Ok(all)
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
        let homes = self.homes.there();
        let mut folders = homes.iter().filter_map(|home| state::own_folder(home, id).ok().flatten());
        let (folder, _) = folders.next()?;
        own::read_key(self, &folder).ok().map(|key| Seal::new(id.clone(), &key))
    }

    /// Moves a record beside ours to a name that nobody looks for.
    pub fn set_beside_aside(&self, beside: &Beside) -> Result<PathBuf, Halt> {
        let place = beside.place.open(self.root())?;
        let name = beside.id.as_ref().map_or(crate::log::FILE, Id::as_str);
        let aside = self.rename_aside(&place, name)?;
        Ok(beside.place.path(&self.canonical).join(aside))
    }

    /// Moves our own record to a name that nobody looks for, and forgets it. Its key stays.
    pub fn set_own_aside(&self) -> Result<Option<PathBuf>, Halt> {
        let Some((place, id)) = self.own_place() else { return Ok(None) };
        for home in self.homes.there() {
            // It is only a hint.
            let _ = home.forget_id(&self.canonical);
        }
        let aside = match place.open(self.root()).and_then(|dir| self.rename_aside(&dir, id.as_str())) {
            Ok(aside) => Some(place.path(&self.canonical).join(aside)),
            Err(halt) if halt.is_missing() => None,
            Err(halt) => return Err(halt),
        };
        self.forget_record();
        Ok(aside)
    }

    fn rename_aside(&self, place: &Dir, name: &str) -> Result<String, Halt> {
        for turn in 0..TRIES {
            let aside = format!("{name}.aside-{turn}");
            match rename::rename((place, name), (place, &aside), Rename::NoReplace, self.means()) {
                Err(halt) if halt.is_taken() => {}
                Err(halt) => return Err(halt),
                Ok(()) => return place.sync().map(|()| aside),
            }
        }
        Err(Halt::Os(ErrorKind::AlreadyExists.into()))
    }

    /// Takes the key of a record beside ours, which another home made: from now on it is ours too.
    pub fn take_key(&self, id: &Id, key: &Key) -> Result<(), Halt> {
        let (home, _) = self.homes.make()?;
        match own::make(self, &home.all, &New { id, key, root: &self.root_note()? }) {
            Err(halt) if halt.is_taken() => {
                Err(Halt::Os(Error::new(ErrorKind::AlreadyExists, "this home has a key for that record already")))
            }
            made => made.map(drop),
        }?;
        let _ = home.note_id(&self.canonical, id, self.means());
        self.find_record()
    }

    /// Our record's id and key, to be taken to another home.
    pub fn export_key(&self) -> Result<Option<(Id, Key)>, Halt> {
        let Some(own) = self.own_record() else { return Ok(None) };
        Ok(Some((own.id, own::read_key(self, &own.home)?)))
    }
}

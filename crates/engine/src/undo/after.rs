//! The folders that should exist once some changes are taken back, and later changes that block that.

use super::deeds::{By, Deed, FolderLife, Left, NOW, Standing, Status, best};
use super::lives::Lives;
use patchwright_core::folder::FolderMeta;
use patchwright_core::path::RelPath;
use patchwright_store::records::{Commit, FileRecord};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Folders as they should be once some changes are taken back.
pub(super) struct After {
    at: HashMap<RelPath, usize>,
    places: Vec<Option<RelPath>>,
    /// The last commit that removed the folder at a name.
    gone: HashMap<RelPath, Left>,
    standing: Standing,
}

impl After {
    /// The last commit that removed the folder at a name; 0 if none was there to begin with.
    pub(super) fn gone_since(&self, folder: &RelPath) -> Left {
        self.gone.get(folder).copied().unwrap_or_default()
    }
}

/// What should become of a folder.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    /// It should be there, as this one.
    There(usize),
    /// It should not.
    Gone,
}

/// A later deed that keeps an earlier one from being taken back.
pub(super) struct Later<'l> {
    pub(super) commit: &'l Commit,
    /// What the folder is called now, or was when it went.
    pub(super) name: RelPath,
    pub(super) moved: bool,
    pub(super) is_gone: bool,
}

impl Lives {
    /// How folders should be once some changes are taken back.
    pub(super) fn after(&self, off: &HashSet<String>) -> After {
        let mut standing = self.standing.clone();
        for (id, stands) in self.effect(off) {
            // A change that is taken back does not stand, whatever else is taken back.
            let stands = stands && !off.contains(&id);
            standing.set(id, Status { stands, since: NOW });
        }
        let places: Vec<Option<RelPath>> = self.lives.iter().map(|life| life.place(&standing)).collect();
        let mut should: HashMap<RelPath, BTreeSet<usize>> = HashMap::new();
        for (life, place) in places.iter().enumerate() {
            if let Some(place) = place {
                should.entry(place.clone()).or_default().insert(life);
            }
        }
        let at = should.iter().filter_map(|(name, all)| Some((name.clone(), best(&self.lives, &standing, Some(all))?)));
        let mut gone: HashMap<RelPath, Left> = HashMap::new();
        for (from, since) in self.lives.iter().flat_map(|life| life.left(&standing)) {
            gone.entry(from.clone()).and_modify(|known| *known = since.max(*known)).or_insert(since);
        }
        After { at: at.collect(), places, gone, standing }
    }

    /// What should become of a folder; nothing if it is not on record, or if another program has made or removed it since.
    pub(super) fn target(&self, after: &After, folder: &RelPath, is_there: bool) -> Option<Target> {
        if !self.names.contains(folder) || self.at.contains_key(folder) != is_there {
            return None;
        }
        Some(after.at.get(folder).map_or(Target::Gone, |life| Target::There(*life)))
    }

    /// The names that folders should have then and now, of those that should be elsewhere then.
    pub(super) fn stirred(&self, after: &After) -> Vec<RelPath> {
        let both = self.lives.iter().map(|life| &life.place).zip(&after.places);
        both.filter(|(now, then)| now != then).flat_map(|(now, then)| now.iter().chain(then).cloned()).collect()
    }

    /// Is this the folder that has a name?
    pub(super) fn is_at(&self, folder: &RelPath, life: usize) -> bool {
        self.at.get(folder) == Some(&life)
    }

    /// What a folder that should have a name is like, or else the one that left it last.
    pub(super) fn look(&self, after: &After, folder: &RelPath) -> Option<&FolderMeta> {
        let left = |life: &&usize| {
            let Some(life) = self.lives.get(**life) else { return false };
            // A folder without deeds existed only for what was in it.
            life.deeds.is_empty() || life.left(&after.standing).into_iter().any(|(at, _)| at == folder)
        };
        let life = after.at.get(folder).or_else(|| self.last.get(folder).filter(left))?;
        self.lives.get(*life)?.look.as_ref()
    }

    /// What a folder is like that stays for what is in it, where another has its name.
    pub(super) fn lingering_look(&self, folder: &RelPath) -> Option<&FolderMeta> {
        let life = *self.lingers.get(folder).filter(|life| !self.is_at(folder, **life))?;
        self.lives.get(life)?.look.as_ref()
    }

    /// A later deed on the folder of a record, which would have to be taken back first.
    pub(super) fn later(&self, after: &After, file: &FileRecord, seq: u64) -> Option<Later<'_>> {
        let change = file.changes.first()?;
        // An undo is about the same folder as what it takes back or does again.
        let origin = || self.effects.get(&change.id)?.iter().find_map(|(id, _)| self.root.get(id));
        let life = self.lives.get(*self.root.get(&change.id).or_else(origin)?)?;
        self.later_deed(after, life, seq)
    }

    /// The same of an undo: folders that were moved, removed or brought back after it are no longer those that it left.
    pub(super) fn later_than_undo(&self, after: &After) -> Option<Later<'_>> {
        let undone = |deed: &Deed| match &deed.by {
            By::Tree(change) if deed.since(&after.standing) == Some(NOW) => {
                self.standing.changed.get(change).filter(|now| !now.stands).map(|now| now.since)
            }
            _ => None,
        };
        let again = self.lives.iter().flat_map(|life| life.deeds.iter().filter_map(undone).map(move |at| (life, at)));
        let later = again.filter_map(|(life, undone)| self.later_deed(after, life, undone));
        later.min_by(|one, other| one.name.cmp(&other.name))
    }

    fn later_deed(&self, after: &After, life: &FolderLife, than: u64) -> Option<Later<'_>> {
        // Deeds that stood at that time came before it.
        let came = |deed: &&Deed| deed.seq != than && !deed.stood(&self.standing, than);
        let stays = |deed: &&Deed| came(deed) && deed.since(&after.standing).is_some_and(|since| since != NOW);
        let deed = life.deeds.iter().filter(stays).max_by_key(|deed| deed.seq)?;
        let commit = self.commits.get(&deed.seq).filter(|commit| commit.undoes.is_empty())?;
        if matches!(deed.by, By::Outside) {
            return None;
        }
        let (moved, is_gone) = (deed.from.is_some() && deed.to.is_some(), life.place.is_none());
        Some(Later { commit, name: deed.to.clone().or_else(|| deed.from.clone())?, moved, is_gone })
    }
}

//! Between the steps that vacate names and all others: folders go that files take the place of, and folders come, also
//! in the place of files.
//!
//! Promises that what was vacated is durable before anything else takes its name. A plan in which no name changes its
//! sort only has its folders made here. Leaves taking back to [`crate::rollback`].

use crate::disk::{At, Disk, Rename};
use crate::firm;
use crate::phase::Phase;
use crate::records::Intent;
use crate::stage::{Staged, Unstaged};
use crate::stop::{Stop, misplaced, stopped};
use crate::swap::Displaced;
use std::collections::BTreeMap;

impl Intent {
    /// How many steps come before folders go and come.
    pub(crate) fn works_ahead(&self) -> usize {
        usize::try_from(self.ahead).unwrap_or(usize::MAX).min(self.works.len())
    }

    /// Does a name change its sort?
    pub(crate) fn turns(&self) -> bool {
        self.ahead > 0 || !self.emptied.is_empty()
    }
}

impl<D: Disk> Staged<'_, D> {
    /// Carries out the steps that come first, removes and makes folders. What was displaced.
    pub(crate) fn turn(&mut self, ahead: usize) -> Result<Vec<Displaced>, Stop> {
        if !self.intent.turns() {
            return self.make_folders().map(|()| Vec::new());
        }
        let (displaced, changing) = self.swap_some(0..ahead)?;
        self.make_durable(&changing.dirs())?;
        let mut changed = BTreeMap::new();
        for folder in &self.intent.emptied {
            let failed = |halt| misplaced(folder, Phase::Turn, halt);
            let parent = self.folders.open(self.disk, &folder.parent()).map_err(failed)?;
            self.folders.forget(folder);
            self.disk.remove_folder(&parent, folder.name()).map_err(failed)?;
            // What is gone cannot be synced everywhere.
            changed.remove(folder);
            changed.insert(folder.parent(), parent);
        }
        self.make_durable(&changed.into_values().collect::<Vec<_>>())?;
        self.make_folders()?;
        self.settle_waiting()?;
        Ok(displaced)
    }

    fn make_folders(&mut self) -> Result<(), Stop> {
        for folder in &self.intent.folders {
            let parent = self.folders.open(self.disk, &folder.parent());
            let made = parent.and_then(|parent| match self.dress.contains_key(folder) {
                true => self.disk.make_closed_folder(&parent, folder.name()),
                false => self.disk.make_folder(&parent, folder.name()),
            });
            made.map_err(|halt| misplaced(folder, Phase::Mkdir, halt))?;
        }
        self.make_folders_firm()
    }

    /// Moves what waited under its temporary name to its new one.
    fn settle_waiting(&mut self) -> Result<(), Stop> {
        let mut dirs = Vec::new();
        for work in self.intent.works.iter().filter(|work| work.via) {
            let Some(to) = &work.to else { continue };
            let mut open =
                |folder: &_| self.folders.open(self.disk, folder).map_err(|halt| misplaced(to, Phase::Open, halt));
            let (temp_dir, to_dir) = (open(&work.temp_folder)?, open(&to.parent())?);
            let renamed =
                self.disk.rename(At::new(&temp_dir, &work.temp), At::new(&to_dir, to.name()), Rename::NoReplace);
            renamed.map_err(|halt| stopped(work, to, Phase::Swap, halt))?;
            dirs.extend([temp_dir, to_dir]);
        }
        self.make_durable(&dirs)
    }

    fn make_durable(&self, dirs: &[D::Dir]) -> Result<(), Stop> {
        let unsynced = |halt| Stop::Halted(Unstaged { path: None, doing: Phase::Sync, halt });
        firm::folders(self.disk, dirs, self.firm).map_err(unsynced)
    }
}

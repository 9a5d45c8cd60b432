//! Folders that came and went in the midst of a call, taken back: between the steps that came after and those that came
//! before.

use super::{Cleared, Rollback, Scene, Undoing, remove_folder};
use crate::content;
use crate::disk::{At, Disk, Halt};
use crate::firm;
use crate::folders::Folders;
use crate::log::Firm;
use crate::records::{Intent, LeftAlone, Work};
use patchwright_core::path::RelPath;
use std::collections::{HashMap, HashSet};

/// Takes what waited in between out of its new place, removes folders that were made, and makes those again that went.
/// Where a name changes its sort, all that was taken back so far is made durable first.
pub(super) fn back<D: Disk>(
    rollback: &Rollback<'_, D>,
    folders: &mut Folders<D>,
    dirs: &mut Vec<D::Dir>,
    undoing: &mut Undoing<'_>,
) -> Result<Vec<LeftAlone>, Halt> {
    let Rollback { shelves, firm, may } = *rollback;
    let (disk, intent) = (shelves.disk, undoing.intent);
    let mut left = Vec::new();
    let waited = |work: &&Work| work.via && [Some(&work.path), work.to.as_ref()].into_iter().flatten().all(may);
    let mut scenes = Vec::new();
    for work in intent.works.iter().rev().filter(waited) {
        match Scene::of(rollback, folders, work, &undoing.names) {
            Ok(Some(scene)) => scenes.push((scene.stands()?, scene)),
            Ok(None) | Err(Halt::Escape) => {}
            Err(halt) => return Err(halt),
        }
    }
    let landed = have_landed(&scenes);
    for (stands, scene) in &scenes {
        left.extend(scene.take_out(*stands, landed)?);
        dirs.extend(scene.folders()?);
    }
    settle(disk, dirs, intent, firm)?;
    remove_made(disk, folders, dirs, intent.folders.iter().rev().filter(|folder| may(folder)))?;
    settle(disk, dirs, intent, firm)?;
    for folder in intent.emptied.iter().rev().filter(|folder| may(folder)) {
        dirs.extend(undoing.gone.make_again(disk, folders, folder)?);
    }
    settle(disk, dirs, intent, firm)?;
    Ok(left)
}

/// Removes folders that were made, children first, as far as they are empty. What is gone cannot be synced everywhere, so
/// it is taken out of what has to be.
fn remove_made<'a, D: Disk>(
    disk: &D,
    folders: &mut Folders<D>,
    dirs: &mut Vec<D::Dir>,
    made: impl Iterator<Item = &'a RelPath>,
) -> Result<(), Halt> {
    let mut removed = HashSet::new();
    for folder in made {
        let held = folders.held(folder).cloned();
        if let Cleared::Gone(parent) = remove_folder(disk, folders, folder)? {
            removed.extend(held);
            dirs.push(parent);
        }
    }
    dirs.retain(|dir| !removed.contains(dir));
    Ok(())
}

fn settle<D: Disk>(disk: &D, dirs: &mut Vec<D::Dir>, intent: &Intent, firm: Firm) -> Result<(), Halt> {
    if !intent.turns() {
        return Ok(());
    }
    firm::folders(disk, dirs, firm)?;
    dirs.clear();
    Ok(())
}

/// Where a file that waits in between is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stands {
    /// Under its old name, or nowhere that is known.
    Home,
    /// Under its temporary name.
    Waiting,
    /// Under its temporary name and its new one: a move without overwriting, done by hand and cut in the middle.
    Between,
    /// Under its new name.
    There,
    /// Something with its content is under both names: one of them is another file that moves.
    Unclear,
    /// Something else is under its new name, and nothing of it anywhere.
    Replaced,
}

/// Have files come to their new names already? All leave their old ones before the first does, and on the way back all
/// leave their new ones before the first gets its old one: so one that is known tells for those that are not.
fn have_landed<D: Disk>(scenes: &[(Stands, Scene<'_, D>)]) -> bool {
    let taken: HashMap<&RelPath, Stands> =
        scenes.iter().filter_map(|(stands, scene)| Some((scene.work.to.as_ref()?, *stands))).collect();
    scenes.iter().any(|(stands, scene)| match stands {
        Stands::There | Stands::Between => true,
        // What has its old name must be another that came there.
        Stands::Waiting => taken.get(&scene.work.path) == Some(&Stands::Unclear),
        Stands::Home | Stands::Unclear | Stands::Replaced => false,
    })
}

impl<D: Disk> Scene<'_, D> {
    fn stands(&self) -> Result<Stands, Halt> {
        let there = match (&self.work.to, &self.to_dir) {
            (Some(to), Some(dir)) => content::find(self.disk, dir, to.name())?,
            _ => None,
        };
        let temp = self.at_temp()?;
        let Some(there) = there else { return Ok(if temp.is_some() { Stands::Waiting } else { Stands::Home }) };
        let is_home = self.at_path()?.is_some_and(|at| at.digest == self.work.before);
        let is_its_own = there.digest == self.work.before;
        Ok(match temp {
            Some(temp) if temp.stat.id == there.stat.id => Stands::Between,
            Some(_) => Stands::Waiting,
            None if is_home && is_its_own => Stands::Unclear,
            None if is_home => Stands::Home,
            None if is_its_own => Stands::There,
            None => Stands::Replaced,
        })
    }

    /// Moves a file from its new name back to where it waited; from there it gets its old name.
    fn take_out(&self, stands: Stands, landed: bool) -> Result<Option<LeftAlone>, Halt> {
        let (Some(to), Some(dir)) = (&self.work.to, &self.to_dir) else { return Ok(None) };
        match stands {
            Stands::Between => self.disk.remove(dir, to.name()).map(|()| None),
            Stands::There => self.move_entry(At::new(dir, to.name()), self.temp()).map(|()| None),
            Stands::Unclear if landed => self.move_entry(At::new(dir, to.name()), self.temp()).map(|()| None),
            Stands::Replaced => Ok(Some(self.left(None))),
            Stands::Home | Stands::Waiting | Stands::Unclear => Ok(None),
        }
    }
}

//! Folders that came and went in the midst of a call, taken back: between the steps that came after and those that came
//! before.

use super::folders::Gone;
use super::names::Names;
use super::{Cleared, Done, May, Scene, remove_folder};
use crate::content;
use crate::disk::{Disk, Halt};
use crate::firm;
use crate::folders::Folders;
use crate::keep::Shelves;
use crate::log::Firm;
use crate::records::{Intent, LeftAlone, Work};
use patchwright_core::path::RelPath;
use std::collections::HashSet;

/// Takes what waited in between out of its new place, removes folders that were made, and makes those again that went.
/// Where a name changes its sort, all that was taken back so far is made durable first.
pub(super) fn back<'a, D: Disk>(
    (disk, shelves): (&D, &Shelves<'_, D>),
    (folders, dirs): (&mut Folders<D>, &mut Vec<D::Dir>),
    (intent, names, gone): (&'a Intent, &Names<'_>, &mut Gone<'a>),
    (firm, may): (Firm, May<'_>),
) -> Result<Vec<LeftAlone>, Halt> {
    let mut left = Vec::new();
    let waited = |work: &&Work| work.via && [Some(&work.path), work.to.as_ref()].into_iter().flatten().all(may);
    for work in intent.works.iter().rev().filter(waited) {
        match Scene::of((disk, shelves), folders, (work, names), firm) {
            Ok(Some(scene)) => {
                left.extend(scene.take_out()?);
                dirs.extend(scene.folders()?);
            }
            Ok(None) | Err(Halt::Escape) => {}
            Err(halt) => return Err(halt),
        }
    }
    settle(disk, dirs, intent, firm)?;
    remove_made((disk, folders), dirs, intent.folders.iter().rev().filter(|folder| may(folder)))?;
    settle(disk, dirs, intent, firm)?;
    for folder in intent.emptied.iter().rev().filter(|folder| may(folder)) {
        dirs.extend(gone.make_again(disk, folders, folder)?);
    }
    settle(disk, dirs, intent, firm)?;
    Ok(left)
}

/// Removes folders that were made, children first, as far as they are empty. What is gone cannot be synced everywhere, so
/// it is taken out of what has to be.
fn remove_made<'a, D: Disk>(
    (disk, folders): (&D, &mut Folders<D>),
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

impl<D: Disk> Scene<'_, D> {
    /// Moves a file from its new name back to where it waited; from there it gets its old name.
    fn take_out(&self) -> Result<Option<LeftAlone>, Halt> {
        let (Some(to), Some(dir)) = (&self.work.to, &self.to_dir) else { return Ok(None) };
        let Some(there) = content::find(self.disk, dir, to.name())? else { return Ok(None) };
        let is_home = self.at_path()?.is_some_and(|at| at.digest == self.work.before);
        match self.at_temp()? {
            _ if is_home || self.done == Done::No => Ok(None),
            // Two names of one file: a move without overwriting, done by hand and cut in the middle.
            Some(temp) if temp.stat.id == there.stat.id => self.disk.remove(dir, to.name()).map(|()| None),
            Some(_) => Ok(None),
            None if there.digest == self.work.before => self.move_entry((dir, to.name()), self.temp()).map(|()| None),
            None => Ok(Some(self.left(None))),
        }
    }
}

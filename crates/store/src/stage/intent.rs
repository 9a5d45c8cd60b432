//! What a plan will do, name by name, as it goes on record before anything is touched.
//!
//! Promises that every temporary name is one that no other call uses, and that two steps never share one.
//! Looks at the shelf of pre-images, and changes nothing.

use super::{Order, TEMP_SUFFIX, Unstaged};
use crate::crew;
use crate::disk::{Disk, Halt};
use crate::folders::Folders;
use crate::keep::Shelves;
use crate::phase::Phase;
use crate::records::{Deed, FolderTable, Intent, Keep, Shelf, Work};
use patchwright_core::folder::FolderMeta;
use patchwright_core::path::{NAME_MAX, RelPath};
use patchwright_core::plan::{Act, Aside, Plan, Step};
use std::collections::HashSet;

/// The intent of a plan. Every folder that a temporary will stand in is opened and held.
pub(crate) fn intent<D: Disk>(
    plan: &Plan,
    order: &Order,
    folders: &mut Folders<D>,
    shelves: &Shelves<'_, D>,
) -> Result<Intent, Unstaged> {
    let disk = shelves.disk;
    let passing: HashSet<&RelPath> = plan.folders.iter().chain(&plan.emptied).collect();
    let waiting = plan.waiting();
    let mut works = Vec::with_capacity(plan.steps.len());
    for (at, step) in plan.steps.iter().enumerate() {
        let mut temp_folder = step.path.parent();
        while passing.contains(&temp_folder) {
            temp_folder = temp_folder.parent();
        }
        let failed = |halt| Unstaged { path: Some(step.path.clone()), doing: Phase::Open, halt };
        folders.open(disk, &temp_folder).map_err(failed)?;
        works.push(Work { via: waiting.contains(&at), ..work(step, at, order, temp_folder) });
    }
    name_blobs(&mut works, disk, shelves)?;
    let emptied: HashSet<&RelPath> = plan.emptied.iter().collect();
    let gone: Vec<RelPath> = order.commit.gone.iter().filter(|gone| !emptied.contains(gone)).cloned().collect();
    let mut dress = going(&gone, disk, folders)?;
    let gone = dress.iter().map(|(folder, _)| folder.clone()).collect();
    dress.extend(going(&plan.emptied, disk, folders)?);
    let made: HashSet<&RelPath> = plan.folders.iter().collect();
    let stay = plan.dress.iter().map(|(folder, _)| folder).filter(|folder| !made.contains(folder));
    let stay: Vec<RelPath> = stay.cloned().collect();
    Ok(Intent {
        batch: order.commit.batch.clone(),
        caller: order.commit.caller.clone(),
        folders: plan.folders.clone(),
        works,
        gone,
        ahead: plan.ahead as u64,
        emptied: plan.emptied.clone(),
        modes: Vec::new(),
        dress: bounded(dress)?,
        altered: bounded(going(&stay, disk, folders)?)?,
    })
}

/// Those of the folders that are there, with what they are like: only these may have to be made again.
fn going<D: Disk>(
    gone: &[RelPath],
    disk: &D,
    folders: &mut Folders<D>,
) -> Result<Vec<(RelPath, FolderMeta)>, Unstaged> {
    let mut going = Vec::new();
    for folder in gone {
        match folders.open(disk, folder).and_then(|dir| disk.folder_meta(&dir)) {
            Ok(meta) => going.push((folder.clone(), meta)),
            // Not there, a file by now, or a link that leads elsewhere: not the folder that was made.
            Err(Halt::Escape) => {}
            Err(halt) if halt.is_missing() || halt.os_kind() == Some(std::io::ErrorKind::NotADirectory) => {}
            Err(halt) => return Err(Unstaged { path: Some(folder.clone()), doing: Phase::Open, halt }),
        }
    }
    Ok(going)
}

/// So many bytes of attributes of folders go on record in one call; those of folders that are alike count once.
const MOST_ATTRIBUTES: usize = 4 << 20;

/// What goes on record of the folders that go. What does not fit could not come back, so these folders stay.
fn bounded(going: Vec<(RelPath, FolderMeta)>) -> Result<FolderTable, Unstaged> {
    let table: FolderTable = going.into_iter().collect();
    let mut size = 0;
    for (at, meta) in table.metas.iter().enumerate() {
        size += meta.size();
        if size > MOST_ATTRIBUTES {
            let halt = Halt::Attributes { limit: MOST_ATTRIBUTES };
            let first = table.folders.iter().find(|(_, number)| *number == at as u64);
            return Err(Unstaged { path: first.map(|(folder, _)| folder.clone()), doing: Phase::Attributes, halt });
        }
    }
    Ok(table)
}

/// A pre-image goes under its content's name at once where that is free and no other step of the plan takes it.
fn name_blobs<D: Disk>(works: &mut [Work], disk: &D, shelves: &Shelves<'_, D>) -> Result<(), Unstaged> {
    let proper = crew::each(works, |_, work| {
        let blob = work.keep.as_ref().filter(|keep| keep.shelf == Shelf::Blobs);
        let Some((keep, before)) = blob.zip(work.before) else { return Ok(None) };
        let name = before.to_string();
        let there = shelves.open(keep.shelf).and_then(|shelf| disk.stat(&shelf, &name));
        match there {
            Ok(there) => Ok(Some(name).filter(|_| there.is_none())),
            Err(halt) => Err(Unstaged { path: Some(work.path.clone()), doing: Phase::Keep, halt }),
        }
    })?;
    let mut taken = HashSet::new();
    for (work, name) in works.iter_mut().zip(proper) {
        if let (Some(keep), Some(before), Some(name)) = (&mut work.keep, work.before, name)
            && taken.insert(before)
        {
            keep.name = name;
        }
    }
    Ok(())
}

fn work(step: &Step, at: usize, order: &Order, temp_folder: RelPath) -> Work {
    let (deed, to) = match &step.act {
        Act::Create(_) => (Deed::Create, None),
        Act::Replace { .. } => (Deed::Replace, None),
        Act::Mode { .. } => (Deed::Mode, None),
        Act::Remove { .. } => (Deed::Remove, None),
        Act::Rename { to, .. } => (Deed::Rename, Some(to.clone())),
    };
    let mark = format!("{:016x}{at:x}", order.salt);
    let before = step.act.before();
    let keep = match (&step.act, before) {
        (Act::Replace { aside: Aside::Kept, .. }, Some(before)) => {
            Some(Keep { shelf: Shelf::Blobs, name: format!("{before}.{mark}") })
        }
        (Act::Replace { .. } | Act::Remove { .. }, _) => {
            order.commit.files.get(at).map(|file| Keep { shelf: Shelf::Trash, name: file.id.clone() })
        }
        _ => None,
    };
    let temp = temp_name(step.path.name(), &mark);
    let modes = match step.act {
        Act::Mode { from, to, .. } => Some((from, to)),
        _ => None,
    };
    let (path, after) = (step.path.clone(), step.act.after());
    Work { deed, path, to, temp_folder, temp, keep, before, after, modes, via: false }
}

/// `<name>.<mark>.apply-patch.tmp`, the name cut where the whole, with four letters to spare, would be too long. What a
/// call left behind whose folder was out of reach is a file like any other, and gets a mark in place of the one it has.
fn temp_name(name: &str, mark: &str) -> String {
    let name = unmarked(name);
    let room = NAME_MAX.saturating_sub(mark.len() + TEMP_SUFFIX.len() + 1 + 4);
    let cut = (0..=room.min(name.len())).rev().find(|at| name.is_char_boundary(*at)).unwrap_or(0);
    format!("{}.{mark}{TEMP_SUFFIX}", name.get(..cut).unwrap_or_default())
}

/// The name that a temporary was made for; any other name as it is.
fn unmarked(name: &str) -> &str {
    let split = name.strip_suffix(TEMP_SUFFIX).and_then(|rest| rest.rsplit_once('.'));
    match split {
        Some((stem, mark)) if !stem.is_empty() && mark.bytes().all(|byte| byte.is_ascii_hexdigit()) => stem,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn temporary_names_fit() {
        assert_eq!(temp_name("a.txt", "00ff"), "a.txt.00ff.apply-patch.tmp");
        let again = temp_name(&temp_name("a.txt", "00ff"), "0001");
        assert_eq!(again, "a.txt.0001.apply-patch.tmp", "no temporary of a temporary");
        for other in [".apply-patch.tmp", ".00ff.apply-patch.tmp", "a.xyz.apply-patch.tmp"] {
            assert_eq!(temp_name(other, "1"), format!("{other}.1.apply-patch.tmp"));
        }
        let long = temp_name(&"ü".repeat(127), "00ff");
        assert!(long.len() <= NAME_MAX && long.ends_with(".00ff.apply-patch.tmp"), "{long}");
    }
}

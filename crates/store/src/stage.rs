//! Staging: the intent goes on record, then new bytes are laid beside the old ones and made durable.
//! Nothing that anybody asked for has changed yet.
//!
//! The intent comes first, so that every temporary name is on record before it exists: whatever happens,
//! recovery finds it, and no litter stays.

use crate::content::Held;
use crate::crew;
use crate::disk::{Disk, Dress, Flush, Halt, NotKept};
use crate::firm::{self, FEW};
use crate::folders::Folders;
use crate::keep::{self, Shelves};
use crate::log::{Firm, Log, Unwritten};
use crate::records::{Caller, Commit, Deed, Intent, Keep, Shelf, Work};
use patchwright_core::digest::Digest;
use patchwright_core::intent::Kept;
use patchwright_core::path::{NAME_MAX, RelPath};
use patchwright_core::plan::{Act, Aside, Fresh, Plan, Step};
use patchwright_core::warning::Warning;
use std::collections::{HashMap, HashSet};

/// The ending of every temporary name.
pub const TEMP_SUFFIX: &str = ".apply-patch.tmp";

/// What a call wants on record, besides the plan.
pub struct Order {
    /// The commit record, its files in step with the plan's; where things are kept is filled in here.
    pub commit: Commit,
    /// Makes temporary names differ from those of any other call.
    pub salt: u64,
}

/// New bytes beside the old ones, and the intent on record. Must be published or discarded.
#[must_use = "staged bytes must be published or discarded"]
pub struct Staged<'a, D: Disk> {
    pub(crate) disk: &'a D,
    pub(crate) log: &'a mut Log<D>,
    pub(crate) firm: Firm,
    pub(crate) intent: Intent,
    pub(crate) commit: Commit,
    pub(crate) folders: Folders<D>,
    pub(crate) shelves: Shelves<'a, D>,
    /// The files that will be displaced, in step with the intent's works, as far as they are held open.
    pub(crate) old: Vec<Option<Held<D::File>>>,
    pub(crate) warnings: Vec<Warning>,
    /// How many steps have been carried out.
    pub(crate) swapped: usize,
}

/// Staging failed; nothing has changed.
#[derive(Debug)]
pub struct Unstaged {
    /// The path at hand.
    pub path: Option<RelPath>,
    /// What was being done.
    pub doing: &'static str,
    /// What went wrong.
    pub halt: Halt,
}

impl<D: Disk> std::fmt::Debug for Staged<'_, D> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Staged").field("intent", &self.intent).finish_non_exhaustive()
    }
}

/// Puts the intent on record and stages the plan's new bytes. The caller holds the workspace lock.
pub fn stage<'a, D: Disk>(
    disk: &'a D,
    log: &'a mut Log<D>,
    firm: Firm,
    plan: &Plan,
    (order, mut folders): (Order, Folders<D>),
) -> Result<Staged<'a, D>, Unstaged> {
    let shelves = Shelves::new(disk);
    let intent = intent(plan, &order, (disk, &mut folders), &shelves)?;
    let mut commit = order.commit;
    for (file, work) in commit.files.iter_mut().zip(&intent.works) {
        file.keep = work.keep.clone();
        let trash = work.keep.as_ref().filter(|keep| keep.shelf == Shelf::Trash);
        file.trash = trash.map(|keep| keep.name.clone());
    }
    let unwritten = |halt| Unstaged { path: None, doing: "log", halt };
    match log.append_intent(disk, &intent, firm) {
        Ok(_) => {}
        Err(Unwritten::Not(halt) | Unwritten::Unknown(halt)) => return Err(unwritten(halt)),
    }
    let (warnings, old) = (Vec::new(), Vec::new());
    let mut staged = Staged { disk, log, firm, intent, commit, folders, shelves, old, warnings, swapped: 0 };
    match staged.write_all(plan) {
        Ok(()) => Ok(staged),
        Err(unstaged) => {
            staged.discard();
            Err(unstaged)
        }
    }
}

/// One file laid beside the old one.
struct Laid<F> {
    /// The new file; nothing for steps that bring no new bytes.
    new: Option<F>,
    /// The file it will displace.
    old: Option<Held<F>>,
    lost: Vec<NotKept>,
    /// How many other names the old file has.
    others: u64,
}

/// Where a step is staged.
struct Spot<'a, D: Disk> {
    step: &'a Step,
    work: &'a Work,
    /// The folder of the temporary.
    dir: D::Dir,
    /// Where the file to be displaced stands until the swaps.
    old_dir: D::Dir,
    old_name: &'a str,
    /// The file to be displaced, if somebody has it open already.
    old: std::sync::Mutex<Option<D::File>>,
}

impl<D: Disk> Staged<'_, D> {
    fn write_all(&mut self, plan: &Plan) -> Result<(), Unstaged> {
        let mut spots = Vec::with_capacity(plan.steps.len());
        let moved = moved(plan);
        for (step, work) in plan.steps.iter().zip(&self.intent.works) {
            let failed = |halt| Unstaged { path: Some(step.path.clone()), doing: "stage", halt };
            let dir = self.folders.open(self.disk, &work.temp_folder).map_err(failed)?;
            let from = moved.get(&step.path).copied().filter(|_| matches!(step.act, Act::Replace { .. }));
            let old_dir = match from {
                Some(from) => self.folders.open(self.disk, &from.parent()).map_err(failed)?,
                None => dir.clone(),
            };
            let from = from.unwrap_or(&step.path);
            let old = self.folders.take_file(from).into();
            spots.push(Spot { step, work, dir, old_dir, old_name: from.name(), old });
        }
        let (count, room) = (spots.len(), self.disk.room_for_files(spots.len()));
        let laid = crew::each(&spots, |at, spot| {
            let failed = |halt| Unstaged { path: Some(spot.step.path.clone()), doing: "stage", halt };
            let mut laid = self.write(spot).map_err(failed)?;
            laid.new = laid.new.filter(|_| count <= FEW);
            laid.old = laid.old.filter(|_| at < room);
            Ok(laid)
        })?;
        let dirs: Vec<D::Dir> = spots.into_iter().map(|spot| spot.dir).collect();
        let mut written = Vec::new();
        for (step, laid) in plan.steps.iter().zip(laid) {
            written.extend(laid.new);
            self.old.push(laid.old);
            self.warn_of(step, &laid.lost, laid.others);
        }
        let failed = |halt| Unstaged { path: None, doing: "sync", halt };
        self.make_firm(&dirs, &written).inspect_err(|_| self.log.poison()).map_err(failed)
    }

    fn write(&self, spot: &Spot<'_, D>) -> Result<Laid<D::File>, Halt> {
        let (disk, dir, temp) = (self.disk, &spot.dir, spot.work.temp.as_str());
        let mut laid = Laid { new: None, old: None, lost: Vec::new(), others: 0 };
        match &spot.step.act {
            Act::Create(Fresh::Kept(Kept { id, mode, .. })) => {
                let keep = Keep { shelf: Shelf::Trash, name: id.clone() };
                laid.new = keep::copy_out(&self.shelves, &keep, (dir, temp))?;
                if let Some(file) = &laid.new {
                    laid.lost = disk.dress(file, &Dress::Mode(Some(*mode)))?;
                }
            }
            Act::Create(Fresh::File { bytes, .. }) => {
                let file = disk.create(dir, temp)?;
                disk.write_at(&file, 0, bytes)?;
                disk.dress(&file, &Dress::Mode(None))?;
                laid.new = Some(file);
            }
            Act::Replace { after, .. } => {
                let held = spot.old.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
                let old = held.map_or_else(|| disk.open(&spot.old_dir, spot.old_name), Ok)?;
                let made = disk.create_like(dir, temp, &old)?;
                disk.write_at(&made.file, 0, after)?;
                laid.new = Some(made.file);
                laid.old = Some(Held { file: old, id: made.model.id });
                laid.lost = made.lost;
                laid.others = made.model.links.saturating_sub(1);
            }
            Act::Remove { .. } | Act::Rename { .. } => {}
        }
        Ok(laid)
    }

    fn warn_of(&mut self, step: &Step, lost: &[NotKept], others: u64) {
        for what in lost {
            let path = step.path.to_string();
            self.warnings.push(match what {
                NotKept::SetId => Warning::DroppedSetId { path },
                NotKept::Owner => Warning::MetaNotKept { path, what: "owner".to_owned() },
                NotKept::Attributes => Warning::MetaNotKept { path, what: "extended attributes".to_owned() },
            });
        }
        if others > 0 {
            self.warnings.push(Warning::HardLinks { path: step.path.to_string(), others });
        }
    }

    fn make_firm(&self, dirs: &[D::Dir], written: &[D::File]) -> Result<(), Halt> {
        if self.firm == Firm::No {
            return Ok(());
        }
        if dirs.len() <= FEW {
            return written.iter().try_for_each(|file| self.disk.sync(Flush::File(file)));
        }
        firm::everything(self.disk, dirs)
    }
}

/// Where files that get new bytes under a new name stand until then.
fn moved(plan: &Plan) -> HashMap<&RelPath, &RelPath> {
    let renames = plan.steps.iter().filter_map(|step| match &step.act {
        Act::Rename { to, .. } => Some((to, &step.path)),
        _ => None,
    });
    renames.collect()
}

fn intent<D: Disk>(
    plan: &Plan,
    order: &Order,
    (disk, folders): (&D, &mut Folders<D>),
    shelves: &Shelves<'_, D>,
) -> Result<Intent, Unstaged> {
    let fresh_folders: HashSet<&RelPath> = plan.folders.iter().collect();
    let mut named = HashSet::new();
    let mut works = Vec::with_capacity(plan.steps.len());
    for (at, step) in plan.steps.iter().enumerate() {
        let mut temp_folder = step.path.parent();
        while fresh_folders.contains(&temp_folder) {
            temp_folder = temp_folder.parent();
        }
        let failed = |halt| Unstaged { path: Some(step.path.clone()), doing: "open", halt };
        folders.open(disk, &temp_folder).map_err(failed)?;
        let mut work = work(step, at, order, temp_folder);
        name_blob(&mut work, (disk, shelves), &mut named).map_err(failed)?;
        works.push(work);
    }
    let caller: Caller = order.commit.caller.clone();
    Ok(Intent { batch: order.commit.batch.clone(), caller, folders: plan.folders.clone(), works })
}

/// A pre-image goes under its content's name at once where that is free and no other step of the plan takes it.
fn name_blob<D: Disk>(
    work: &mut Work,
    (disk, shelves): (&D, &Shelves<'_, D>),
    named: &mut HashSet<Digest>,
) -> Result<(), Halt> {
    let keep = work.keep.as_mut().filter(|keep| keep.shelf == Shelf::Blobs);
    let (Some(before), Some(keep)) = (work.before, keep) else { return Ok(()) };
    let proper = before.to_string();
    if named.insert(before) && disk.stat(&shelves.open(keep.shelf)?, &proper)?.is_none() {
        keep.name = proper;
    }
    Ok(())
}

fn work(step: &Step, at: usize, order: &Order, temp_folder: RelPath) -> Work {
    let (deed, to) = match &step.act {
        Act::Create(_) => (Deed::Create, None),
        Act::Replace { .. } => (Deed::Replace, None),
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
    Work { deed, path: step.path.clone(), to, temp_folder, temp, keep, before, after: step.act.after() }
}

/// `<name>.<mark>.apply-patch.tmp`, the name cut where the whole, with four letters to spare, would be too long.
fn temp_name(name: &str, mark: &str) -> String {
    let room = NAME_MAX.saturating_sub(mark.len() + TEMP_SUFFIX.len() + 1 + 4);
    let cut = (0..=room.min(name.len())).rev().find(|at| name.is_char_boundary(*at)).unwrap_or(0);
    format!("{}.{mark}{TEMP_SUFFIX}", name.get(..cut).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn temporary_names_fit() {
        assert_eq!(temp_name("a.txt", "00ff"), "a.txt.00ff.apply-patch.tmp");
        let long = temp_name(&"ü".repeat(127), "00ff");
        assert!(long.len() <= NAME_MAX && long.ends_with(".00ff.apply-patch.tmp"), "{long}");
    }
}

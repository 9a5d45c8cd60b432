//! Staging: the intent goes on record, then new bytes are laid beside the old ones and made durable.
//! Nothing that anybody asked for has changed yet.
//!
//! The intent comes first, so that every temporary name is on record before it exists: whatever happens,
//! recovery finds it, and no litter stays.

use crate::disk::{Disk, Dress, Flush, Halt, NotKept};
use crate::firm::{self, FEW};
use crate::folders::Folders;
use crate::keep;
use crate::log::{Firm, Log, Unwritten};
use crate::records::{Caller, Commit, Deed, Intent, Keep, Record, Shelf, Work};
use patchwright_core::intent::Kept;
use patchwright_core::path::{NAME_MAX, RelPath};
use patchwright_core::plan::{Act, Fresh, Plan, Step};
use patchwright_core::warning::Warning;

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
    let intent = intent(plan, &order, disk, &mut folders)?;
    let mut commit = order.commit;
    for (file, work) in commit.files.iter_mut().zip(&intent.works) {
        file.keep = work.keep.clone();
        let trash = work.keep.as_ref().filter(|keep| keep.shelf == Shelf::Trash);
        file.trash = trash.map(|keep| keep.name.clone());
    }
    let unwritten = |halt| Unstaged { path: None, doing: "log", halt };
    match log.append(disk, &Record::Intent(intent.clone()), firm) {
        Ok(_) => {}
        Err(Unwritten::Not(halt) | Unwritten::Unknown(halt)) => return Err(unwritten(halt)),
    }
    let mut staged = Staged { disk, log, firm, intent, commit, folders, warnings: Vec::new(), swapped: 0 };
    match staged.write_all(plan) {
        Ok(()) => Ok(staged),
        Err(unstaged) => {
            staged.discard();
            Err(unstaged)
        }
    }
}

impl<D: Disk> Staged<'_, D> {
    fn write_all(&mut self, plan: &Plan) -> Result<(), Unstaged> {
        let works = self.intent.works.clone();
        let mut written = Vec::new();
        for (step, work) in plan.steps.iter().zip(&works) {
            let failed = |halt| Unstaged { path: Some(step.path.clone()), doing: "stage", halt };
            let file = self.write(step, work).map_err(failed)?;
            written.extend(file.filter(|_| works.len() <= FEW));
        }
        let failed = |halt| Unstaged { path: None, doing: "sync", halt };
        self.make_firm(&works, &written).inspect_err(|_| self.log.poison()).map_err(failed)
    }

    /// Lays one file beside the old one; nothing for steps that bring no new bytes.
    fn write(&mut self, step: &Step, work: &Work) -> Result<Option<D::File>, Halt> {
        let dir = self.folders.open(self.disk, &work.temp_folder)?;
        match &step.act {
            Act::Create(Fresh::Kept(Kept { id, mode, .. })) => {
                let keep = Keep { shelf: Shelf::Trash, name: id.clone() };
                let file = keep::copy_out(self.disk, &keep, (&dir, &work.temp))?;
                if let Some(file) = &file {
                    let lost = self.disk.dress(file, &Dress::Mode(Some(*mode)))?;
                    self.warn_of(step, &lost, 0);
                }
                Ok(file)
            }
            Act::Create(Fresh::File { bytes, .. }) => {
                let file = self.disk.create(&dir, &work.temp)?;
                self.disk.write_at(&file, 0, bytes)?;
                self.disk.dress(&file, &Dress::Mode(None))?;
                Ok(Some(file))
            }
            Act::Replace { after, .. } => {
                let file = self.disk.create(&dir, &work.temp)?;
                self.disk.write_at(&file, 0, after)?;
                let old = self.disk.open(&dir, step.path.name())?;
                let lost = self.disk.dress(&file, &Dress::Like(&old))?;
                let others = self.disk.stat_file(&old)?.links.saturating_sub(1);
                self.warn_of(step, &lost, others);
                Ok(Some(file))
            }
            Act::Remove { .. } | Act::Rename { .. } => Ok(None),
        }
    }

    fn warn_of(&mut self, step: &Step, lost: &[NotKept], others: u64) {
        let path = step.path.to_string();
        for what in lost {
            self.warnings.push(match what {
                NotKept::SetId => Warning::DroppedSetId { path: path.clone() },
                NotKept::Owner => Warning::MetaNotKept { path: path.clone(), what: "owner".to_owned() },
                NotKept::Attributes => {
                    Warning::MetaNotKept { path: path.clone(), what: "extended attributes".to_owned() }
                }
            });
        }
        if others > 0 {
            self.warnings.push(Warning::HardLinks { path, others });
        }
    }

    fn make_firm(&mut self, works: &[Work], written: &[D::File]) -> Result<(), Halt> {
        if self.firm == Firm::No {
            return Ok(());
        }
        if works.len() <= FEW {
            return written.iter().try_for_each(|file| self.disk.sync(Flush::File(file)));
        }
        let dirs: Result<Vec<_>, _> =
            works.iter().map(|work| self.folders.open(self.disk, &work.temp_folder)).collect();
        firm::everything(self.disk, &dirs?)
    }
}

fn intent<D: Disk>(plan: &Plan, order: &Order, disk: &D, folders: &mut Folders<D>) -> Result<Intent, Unstaged> {
    let mut works = Vec::with_capacity(plan.steps.len());
    for (at, step) in plan.steps.iter().enumerate() {
        let mut temp_folder = step.path.parent();
        while plan.folders.contains(&temp_folder) {
            temp_folder = temp_folder.parent();
        }
        let failed = |halt| Unstaged { path: Some(step.path.clone()), doing: "open", halt };
        folders.open(disk, &temp_folder).map_err(failed)?;
        works.push(work(step, at, order, temp_folder));
    }
    let caller: Caller = order.commit.caller.clone();
    Ok(Intent { batch: order.commit.batch.clone(), caller, folders: plan.folders.clone(), works })
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
    let keep = match (deed, before) {
        (Deed::Replace, Some(before)) => Some(Keep { shelf: Shelf::Blobs, name: format!("{before}.{mark}") }),
        (Deed::Remove, _) => order.commit.files.get(at).map(|file| Keep { shelf: Shelf::Trash, name: file.id.clone() }),
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

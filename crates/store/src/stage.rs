//! Staging: the intent goes on record, then new bytes are laid beside the old ones and made durable.
//! Nothing that anybody asked for has changed yet.
//!
//! The intent comes first, so that every temporary name is on record before it exists: whatever happens,
//! recovery finds it, and no litter stays.

mod intent;

use crate::content::{self, Held};
use crate::crew;
use crate::disk::{At, Disk, Dress, Flush, Halt, NotKept, Stat};
use crate::firm::{self, FEW};
use crate::folders::Folders;
use crate::keep::{self, Shelves};
use crate::log::{Firm, Log, Unwritten};
use crate::phase::Phase;
use crate::records::{Commit, Intent, Keep, Shelf, Work};
use intent::intent;
use patchwright_core::bytes::Bytes;
use patchwright_core::digest::Digest;
use patchwright_core::intent::KeptIn;
use patchwright_core::path::RelPath;
use patchwright_core::plan::{Act, FolderDress, Fresh, Plan, Step};
use patchwright_core::seeded::{Bug, is_planted};
use patchwright_core::warning::Warning;
use std::collections::{HashMap, HashSet};

/// The ending of every temporary name.
pub const TEMP_SUFFIX: &str = ".apply-patch.tmp";

/// Most steps of one call. Each is on record before it is carried out, and is looked at again where the call has to be
/// taken back; so whoever opens the workspace after a crash waits for this many at most, and no record that somebody
/// made up makes an adopter wait longer.
pub const MOST_WORKS: usize = 200_000;

/// What a call wants on record, besides the plan.
pub struct Order {
    /// The commit record, its files in step with the plan's; where things are kept is filled in here.
    pub commit: Commit,
    /// Makes temporary names differ from those of any other call.
    pub salt: u64,
    /// Whether what is staged and recorded is made durable.
    pub firm: Firm,
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
    /// What folders that are made are to be like.
    pub(crate) dress: HashMap<RelPath, FolderDress>,
    /// Folders that must go.
    pub(crate) must_go: HashSet<RelPath>,
}

/// Staging failed; nothing has changed.
#[derive(Debug)]
pub struct Unstaged {
    /// The path at hand.
    pub path: Option<RelPath>,
    /// What was being done.
    pub doing: Phase,
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
    plan: &Plan,
    order: Order,
    mut folders: Folders<D>,
) -> Result<Staged<'a, D>, Unstaged> {
    let shelves = Shelves::new(disk);
    let intent = intent(plan, &order, &mut folders, &shelves)?;
    let Order { mut commit, firm, .. } = order;
    for (file, work) in commit.files.iter_mut().zip(&intent.works) {
        file.keep = work.keep.clone();
        let trash = work.keep.as_ref().filter(|keep| keep.shelf == Shelf::Trash);
        file.trash = trash.map(|keep| keep.name.clone());
    }
    let unwritten = |halt| Unstaged { path: None, doing: Phase::Log, halt };
    if !is_planted(Bug::NoIntent) {
        let appended = log.append_intent(disk, &intent, firm);
        appended.map_err(|(Unwritten::Not(halt) | Unwritten::Unknown(halt))| unwritten(halt))?;
    }
    let (warnings, old) = (Vec::new(), Vec::new());
    let (dress, must_go) = (plan.dress.iter().cloned().collect(), plan.gone.iter().cloned().collect());
    let mut staged =
        Staged { disk, log, firm, intent, commit, folders, shelves, old, warnings, swapped: 0, dress, must_go };
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
    /// The file it will displace, if it was opened for this.
    old: Option<F>,
    /// What that is like.
    model: Option<Stat>,
    lost: Vec<NotKept>,
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
    /// That file, if it is open already.
    old: Option<D::File>,
}

impl<D: Disk> Staged<'_, D> {
    fn write_all(&mut self, plan: &Plan) -> Result<(), Unstaged> {
        let mut spots = Vec::with_capacity(plan.steps.len());
        let moved = moved(plan);
        for (step, work) in plan.steps.iter().zip(&self.intent.works) {
            let failed = |halt| Unstaged { path: Some(step.path.clone()), doing: Phase::Stage, halt };
            let dir = self.folders.open(self.disk, &work.temp_folder).map_err(failed)?;
            let from = moved.get(&step.path).copied().filter(|_| matches!(step.act, Act::Replace { .. }));
            let old_dir = match from {
                Some(from) => self.folders.open(self.disk, &from.parent()).map_err(failed)?,
                None => dir.clone(),
            };
            let from = from.unwrap_or(&step.path);
            let old = self.folders.take_file(from);
            spots.push(Spot { step, work, dir, old_dir, old_name: from.name(), old });
        }
        let (count, room) = (spots.len(), self.disk.room_for_files(spots.len()));
        let laid = crew::each(&spots, |at, spot| {
            let failed = |halt| Unstaged { path: Some(spot.step.path.clone()), doing: Phase::Stage, halt };
            let mut laid = self.write(spot).map_err(failed)?;
            laid.new = laid.new.filter(|_| count <= FEW);
            laid.old = laid.old.filter(|_| at < room);
            Ok(laid)
        })?;
        let (mut dirs, mut written) = (Vec::with_capacity(count), Vec::new());
        for (step, (spot, laid)) in plan.steps.iter().zip(spots.into_iter().zip(laid)) {
            self.warnings.extend(warnings(step, &laid));
            let old = spot.old.or(laid.old).zip(laid.model);
            self.old.push(old.map(|(file, model)| Held { file, id: model.id, expected: expected(&step.act) }));
            dirs.push(spot.dir);
            written.extend(laid.new);
        }
        let failed = |halt| Unstaged { path: None, doing: Phase::Sync, halt };
        self.make_firm(&dirs, &written).inspect_err(|_| self.log.poison()).map_err(failed)
    }

    fn write(&self, spot: &Spot<'_, D>) -> Result<Laid<D::File>, Halt> {
        let (disk, dir, temp) = (self.disk, &spot.dir, spot.work.temp.as_str());
        let mut laid = Laid { new: None, old: None, model: None, lost: Vec::new() };
        match &spot.step.act {
            Act::Create(Fresh::Kept(kept)) => {
                let keep = Keep { shelf: shelf(kept.place), name: kept.id.clone() };
                let copied = match &kept.rewritten {
                    Some(bytes) => keep::make_like(&self.shelves, &keep, At::new(dir, temp), bytes)?,
                    None => keep::copy_out(&self.shelves, &keep, At::new(dir, temp))?,
                };
                if let Some(file) = &copied.file {
                    laid.lost = dress_kept(disk, file, &copied.lost, kept.mode)?;
                }
                laid.new = copied.file;
            }
            // Where no mode is asked for, the folder decides: its default access list, its group. Folders that are yet to be
            // made hand both down unchanged, so the folder of the temporary speaks for them.
            Act::Create(Fresh::File { bytes, mode, .. }) => {
                let file = match mode {
                    Some(_) => disk.create(dir, temp)?,
                    None => disk.create_plain(dir, temp)?,
                };
                disk.write_at(&file, 0, bytes)?;
                if mode.is_some() {
                    laid.lost = disk.dress(&file, &Dress::Mode(*mode))?;
                }
                if let Some(bits) = spot.step.bits {
                    let mode = bits.applied_to(disk.stat_file(&file)?.mode);
                    disk.dress(&file, &Dress::Mode(Some(mode)))?;
                }
                laid.new = Some(file);
            }
            Act::Create(Fresh::Link { target, .. }) => disk.make_link(dir, temp, target)?,
            Act::Replace { after, .. } => {
                if spot.old.is_none() {
                    laid.old = Some(disk.open(&spot.old_dir, spot.old_name)?);
                }
                let Some(old) = spot.old.as_ref().or(laid.old.as_ref()) else { return Ok(laid) };
                let made = disk.create_like(dir, temp, old)?;
                content::write(disk, &made.file, after)?;
                if let Some(bits) = spot.step.bits {
                    disk.dress(&made.file, &Dress::Mode(Some(bits.applied_to(made.model.mode))))?;
                }
                laid.new = Some(made.file);
                laid.model = Some(made.model);
                laid.lost = made.lost;
            }
            Act::Mode { .. } | Act::Remove { .. } | Act::Rename { .. } => {}
        }
        Ok(laid)
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

/// Gives the copy of a kept file the mode it had. Without its access list the group gets nothing: the mode says what the
/// list allowed at most. What could not be kept.
fn dress_kept<D: Disk>(disk: &D, file: &D::File, lost: &[NotKept], mode: u32) -> Result<Vec<NotKept>, Halt> {
    let group = if lost.contains(&NotKept::Attributes) { 0 } else { 0o070 };
    let set_id = disk.dress(file, &Dress::Mode(Some(mode & (!0o070 | group))))?;
    Ok(lost.iter().filter(|what| **what != NotKept::SetId).copied().chain(set_id).collect())
}

/// The folder that a kept file lies in.
fn shelf(place: KeptIn) -> Shelf {
    match place {
        KeptIn::Trash => Shelf::Trash,
        KeptIn::Blobs => Shelf::Blobs,
    }
}

/// The bytes that a file must hold until it is replaced, where the plan still has them, and their hash.
fn expected(act: &Act) -> Option<(Bytes, Digest)> {
    match act {
        Act::Replace { before, after, .. } => after.edit().map(|(old, ..)| (old.clone(), *before)),
        Act::Create(_) | Act::Mode { .. } | Act::Remove { .. } | Act::Rename { .. } => None,
    }
}

/// What the caller should know of a file that will be replaced.
fn warnings<F>(step: &Step, laid: &Laid<F>) -> Vec<Warning> {
    let path = || step.path.to_string();
    let lost = laid.lost.iter().map(|what| match what {
        NotKept::SetId => Warning::DroppedSetId { path: path() },
        NotKept::Owner => Warning::MetaNotKept { path: path(), what: "owner".to_owned() },
        NotKept::Attributes => Warning::MetaNotKept { path: path(), what: "extended attributes".to_owned() },
    });
    let set_id = matches!(step.act, Act::Mode { from, to, .. } if from & !to & 0o6000 != 0);
    let lost = lost.chain(set_id.then(|| Warning::DroppedSetId { path: path() }));
    let others = laid.model.map_or(0, |model| model.links.saturating_sub(1));
    lost.chain((others > 0).then(|| Warning::HardLinks { path: path(), others })).collect()
}

/// Where files that get new bytes under a new name stand until then.
fn moved(plan: &Plan) -> HashMap<&RelPath, &RelPath> {
    let renames = plan.steps.iter().filter_map(|step| match &step.act {
        Act::Rename { to, .. } => Some((to, &step.path)),
        _ => None,
    });
    renames.collect()
}

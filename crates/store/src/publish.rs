//! Publishing: the swaps, in plan order, each verified; then the directories durable, then the commit
//! record, which is the commit point. On any failure everything is taken back.

pub use crate::stop::Stop;

use crate::content;
use crate::crew::{self, Line};
use crate::disk::{Disk, Halt, NotKept, Stat};
use crate::firm;
use crate::log::{Sealed, Unwritten};
use crate::phase::Phase;
use crate::records::{Abort, Asked, Commit, LeftAlone, Record, Touched, Work};
use crate::rollback::{self, Cleared, Reached, Rollback};
use crate::stage::{Staged, Unstaged};
use crate::stop::{misplaced, overtaken, stopped};
use crate::swap::{Displaced, Floor, Place};
use crate::tidy::{self, Known};
use patchwright_core::digest::Digest;
use patchwright_core::path::RelPath;
use patchwright_core::plan::FolderDress;
use patchwright_core::refusal::{Broken, FolderFault, Refusal, Sort, Why};
use patchwright_core::seeded::{Bug, is_planted};
use patchwright_core::warning::Warning;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::io;
use std::ops::Range;

/// How publishing ended.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "there is one of it at a time, and it is moved once")]
pub enum Outcome {
    /// It is done and on record.
    Committed(Receipt),
    /// Nothing has changed, but for what other programs saved meanwhile; that was left alone.
    RolledBack(Stop, Vec<LeftAlone>),
    /// The disk failed so that the result is not known until recovery runs.
    InDoubt(Unstaged),
}

/// Proof of a commit.
#[derive(Debug)]
pub struct Receipt {
    /// The head of the log.
    pub head: Digest,
    /// The record, as it stands in the log.
    pub commit: Commit,
}

/// The folders of every step.
type Places<D> = (Vec<Place<D>>, Changing<D>);

/// Each folder in which a name will change.
pub(crate) struct Changing<D: Disk> {
    /// Of the workspace.
    folders: BTreeMap<RelPath, D::Dir>,
    /// Those that things are kept in.
    shelves: Vec<D::Dir>,
}

impl<D: Disk> Changing<D> {
    pub(crate) fn dirs(self) -> Vec<D::Dir> {
        self.shelves.into_iter().chain(self.folders.into_values()).collect()
    }
}

/// Largest file that is read again before the commit; of larger ones the times are compared.
const READ_AGAIN: u64 = 1 << 20;

impl<D: Disk> Staged<'_, D> {
    /// Carries the plan out. Consumes what was staged.
    pub fn publish(mut self) -> Outcome {
        let (displaced, dirs) = match self.swap_all() {
            Ok(swapped) => swapped,
            Err(Stop::Halted(unstaged)) if unstaged.doing == Phase::Sync => return self.unsure(unstaged),
            Err(stop) => return self.back_out(stop),
        };
        if let Err(halt) = firm::folders(self.disk, &dirs, self.firm) {
            return self.unsure(Unstaged { path: None, doing: Phase::Sync, halt });
        }
        self.commit.warnings.append(&mut self.warnings);
        if !self.commit.verified {
            self.commit.warnings.push(Warning::CheckedOnly);
        }
        match self.check_again(&displaced) {
            Ok((kept, record)) => self.commit(&kept, record),
            Err(stop) => self.back_out(stop),
        }
    }

    /// A sync failed: what is on the disk is not known. The names are put back as far as that goes; the intent stays
    /// on record for recovery.
    fn unsure(mut self, unstaged: Unstaged) -> Outcome {
        self.log.poison();
        let _ = self.undo();
        Outcome::InDoubt(unstaged)
    }

    /// Takes back what was staged; nothing else was touched. What cannot be taken back now, the next
    /// open takes back.
    pub fn discard(mut self) {
        if self.undo().is_ok() && !self.log.is_poisoned() {
            self.put_abort("command_failed", Vec::new(), &[]);
        }
    }

    /// What was displaced, and every folder in which a name has changed.
    fn swap_all(&mut self) -> Result<(Vec<Displaced>, Vec<D::Dir>), Stop> {
        let ahead = self.intent.works_ahead();
        let mut displaced = self.turn(ahead)?;
        let (more, mut changing) = self.swap_some(ahead..self.intent.works.len())?;
        displaced.extend(more);
        let made = self.intent.folders.iter().flat_map(|folder| [folder.clone(), folder.parent()]);
        let altered = self.intent.altered.folders.iter().map(|(folder, _)| folder.clone());
        for folder in made.chain(altered) {
            let dir = self.folders.open(self.disk, &folder).map_err(|halt| misplaced(&folder, Phase::Open, halt))?;
            changing.folders.insert(folder, dir);
        }
        self.dress_folders()?;
        let changing = self.clear_folders(changing)?;
        Ok((displaced, changing.dirs()))
    }

    /// Carries out some of the steps. What was displaced, and every folder in which a name has changed.
    pub(crate) fn swap_some(&mut self, steps: Range<usize>) -> Result<(Vec<Displaced>, Changing<D>), Stop> {
        let (places, changing) = self.places(steps.clone())?;
        let floor = Floor {
            disk: self.disk,
            shelves: &self.shelves,
            firm: self.firm,
            works: self.intent.works.get(steps.clone()).unwrap_or_default(),
            places: &places,
            old: self.old.get(steps.clone()).unwrap_or_default(),
        };
        let mut swaps = floor.carry_out();
        self.swapped = steps.start + swaps.swapped;
        self.commit.verified &= swaps.exchanged;
        swaps.ended?;
        swaps.displaced.iter_mut().for_each(|one| one.at += steps.start);
        Ok((swaps.displaced, changing))
    }

    /// New folders in new folders are durable before a file that was there moves into them: a power cut may keep the move
    /// and forget the folder above.
    pub(crate) fn make_folders_firm(&mut self) -> Result<(), Stop> {
        let made: HashSet<&RelPath> = self.intent.folders.iter().collect();
        let nested = |folder: &RelPath| made.contains(folder) && made.contains(&folder.parent());
        let targets = self.intent.works.iter().filter_map(|work| work.to.as_ref());
        if !targets.map(RelPath::parent).any(|folder| nested(&folder)) {
            return Ok(());
        }
        let parents: BTreeSet<RelPath> = self.intent.folders.iter().map(RelPath::parent).collect();
        let mut dirs = Vec::with_capacity(parents.len());
        for folder in parents {
            dirs.push(self.folders.open(self.disk, &folder).map_err(|halt| misplaced(&folder, Phase::Open, halt))?);
        }
        let failed = |halt| Stop::Halted(Unstaged { path: None, doing: Phase::Sync, halt });
        firm::folders(self.disk, &dirs, self.firm).inspect_err(|_| self.log.poison()).map_err(failed)
    }

    /// Gives folders the dress they are to have, now that everything is in them.
    fn dress_folders(&mut self) -> Result<(), Stop> {
        let altered = self.intent.altered.folders.iter().map(|(folder, _)| folder);
        let mut folders: Vec<&RelPath> = self.intent.folders.iter().chain(altered).collect();
        folders.sort();
        // Children first: a parent may be closed to us once it is as it should be.
        for folder in folders.into_iter().rev() {
            let Some(like) = self.dress.get(folder) else { continue };
            let failed = |halt| misplaced(folder, Phase::Dress, halt);
            let made = self.folders.open(self.disk, folder).map_err(failed)?;
            let meta = match like {
                FolderDress::As(meta) => meta.clone(),
                FolderDress::Like(model) => {
                    let model = self.folders.open(self.disk, model).map_err(failed)?;
                    self.disk.folder_meta(&model).map_err(failed)?
                }
            };
            let lost = self.disk.dress_folder(&made, &meta).map_err(failed)?;
            self.warnings.extend(lost.into_iter().map(|what| not_kept(folder, what)));
        }
        Ok(())
    }

    /// Removes the folders that go with what was in them. Which folders have to be synced then.
    fn clear_folders(&mut self, mut changing: Changing<D>) -> Result<Changing<D>, Stop> {
        // On record are those that went: only these come back when the undo is undone.
        self.commit.gone.clone_from(&self.intent.emptied);
        for folder in &self.intent.gone {
            let must_go = self.must_go.contains(folder);
            let parent = match rollback::remove_folder(self.disk, &mut self.folders, folder) {
                // A mount point, or a folder that is not ours to change: that must not keep the files from coming back.
                Err(halt) if stays(&halt) && !must_go => {
                    let reason = format!("{folder} could not be removed");
                    self.warnings.push(Warning::SettleLater { reason });
                    continue;
                }
                other => other.map_err(|halt| misplaced(folder, Phase::Rmdir, halt))?,
            };
            match parent {
                Cleared::Gone(parent) => {
                    self.commit.gone.push(folder.clone());
                    changing.folders.remove(folder);
                    changing.folders.insert(folder.parent(), parent);
                }
                Cleared::Absent => {
                    changing.folders.remove(folder);
                }
                // Somebody put something there since the plan was made: it is not ours to take away.
                Cleared::Stays if must_go => {
                    return Err(Stop::Refused(Refusal::at(folder, Why::Folder(FolderFault::Grew)).into()));
                }
                Cleared::Stays => {}
            }
        }
        let gone: HashSet<&RelPath> = self.commit.gone.iter().collect();
        let went = self.intent.dress.iter().filter(|(folder, _)| gone.contains(folder));
        let went = went.chain(self.intent.altered.iter());
        self.commit.dress = went.map(|(folder, meta)| (folder.clone(), meta.clone())).collect();
        Ok(changing)
    }

    /// The folders of every step, and each folder in which a name will change.
    fn places(&mut self, steps: Range<usize>) -> Result<Places<D>, Stop> {
        let (disk, folders) = (self.disk, &mut self.folders);
        let mut open =
            |folder: RelPath| folders.open(disk, &folder).map_err(|halt| misplaced(&folder, Phase::Open, halt));
        let mut places = Vec::with_capacity(steps.len());
        let mut changing = Changing { folders: BTreeMap::new(), shelves: Vec::new() };
        for work in self.intent.works.get(steps).unwrap_or_default() {
            // What waits in between has no folder to go to yet.
            let to = work.to.as_ref().filter(|_| !work.via);
            let place: Place<D> = Place {
                dir: open(work.path.parent())?,
                temp_dir: open(work.temp_folder.clone())?,
                to_dir: to.map(|to| open(to.parent())).transpose()?,
            };
            if let Some(keep) = &work.keep {
                let shelf =
                    self.shelves.open(keep.shelf).map_err(|halt| stopped(work, &work.path, Phase::Keep, halt))?;
                if !changing.shelves.contains(&shelf) {
                    changing.shelves.push(shelf);
                }
            }
            changing.folders.entry(work.path.parent()).or_insert_with(|| place.dir.clone());
            changing.folders.entry(work.temp_folder.clone()).or_insert_with(|| place.temp_dir.clone());
            if let (Some(to), Some(dir)) = (&work.to, &place.to_dir) {
                changing.folders.entry(to.parent()).or_insert_with(|| dir.clone());
            }
            places.push(place);
        }
        Ok((places, changing))
    }

    /// A program that still had the old file open may have written into it meanwhile. What each is like now, in
    /// step with the works; and the commit record, made ready at the same time.
    fn check_again(&self, displaced: &[Displaced]) -> Result<(Vec<Option<Stat>>, Sealed), Stop> {
        let mut record = None;
        let prepare = |line: &Line| {
            line.offer(displaced.len());
            record = Some(self.log.seal_commit(&self.commit).map_err(unrecorded)?);
            Ok(())
        };
        let (checked, ended) = crew::follow(displaced.len(), prepare, |at| match displaced.get(at) {
            Some(one) => self.check_one(one).map(|stat| (one.at, stat)),
            None => Ok((at, None)),
        });
        ended?;
        let mut kept = vec![None; self.intent.works.len()];
        for (at, stat) in checked {
            if let Some(slot) = kept.get_mut(at) {
                *slot = stat;
            }
        }
        let record = record.map_or_else(|| self.log.seal_commit(&self.commit).map_err(unrecorded), Ok)?;
        Ok((kept, record))
    }

    fn check_one(&self, one: &Displaced) -> Result<Option<Stat>, Stop> {
        let Some(work) = self.intent.works.get(one.at) else { return Ok(None) };
        let (stat, now) = self.kept_now(work, one).map_err(|halt| stopped(work, &work.path, Phase::Verify, halt))?;
        if now == work.before || is_planted(Bug::DisplacedNotVerified) { Ok(stat) } else { Err(overtaken(work, now)) }
    }

    fn kept_now(&self, work: &Work, then: &Displaced) -> Result<(Option<Stat>, Option<Digest>), Halt> {
        let Some(keep) = &work.keep else { return Ok((None, work.before)) };
        let shelf = self.shelves.open(keep.shelf)?;
        if then.stat.size > READ_AGAIN && then.stat.sort == Sort::File {
            let now = self.disk.stat(&shelf, &keep.name)?;
            let marks = |stat: &Stat| (stat.size, stat.mtime_ns);
            if now.as_ref().map(marks) == Some(marks(&then.stat)) {
                return Ok((now, work.before));
            }
        }
        let held = self.old.get(then.at).and_then(Option::as_ref);
        let found = content::find_held(self.disk, &shelf, &keep.name, held)?;
        Ok((found.map(|found| found.stat), found.and_then(|found| found.digest)))
    }

    fn commit(mut self, kept: &[Option<Stat>], record: Sealed) -> Outcome {
        if is_planted(Bug::AnswerWithoutCommit) {
            return Outcome::Committed(Receipt { head: self.log.head(), commit: self.commit });
        }
        match self.log.append_sealed(self.disk, record, self.firm) {
            Ok(head) => {
                if let Err(halt) = self.tidy(kept) {
                    // It is put right at the next open.
                    let reason = halt.os_kind().map_or_else(|| format!("{halt:?}"), |kind| kind.to_string());
                    self.commit.warnings.push(Warning::SettleLater { reason });
                }
                Outcome::Committed(Receipt { head, commit: self.commit })
            }
            Err(Unwritten::Not(halt)) => self.back_out(Stop::Halted(Unstaged { path: None, doing: Phase::Log, halt })),
            Err(Unwritten::Unknown(halt)) => Outcome::InDoubt(Unstaged { path: None, doing: Phase::Sync, halt }),
        }
    }

    fn tidy(&self, kept: &[Option<Stat>]) -> Result<(), Halt> {
        let known = |at: usize| {
            let stat = kept.get(at).copied().flatten()?;
            Some(Known { stat, held: self.old.get(at).and_then(Option::as_ref) })
        };
        tidy::after_commit_known(&self.shelves, &self.commit, self.firm, &known)
    }

    fn back_out(mut self, stop: Stop) -> Outcome {
        match self.undo() {
            Ok(left_alone) => {
                if !self.log.is_poisoned() {
                    let kind = stop.kind();
                    self.put_abort(&kind, left_alone.clone(), &stop.broken());
                }
                Outcome::RolledBack(stop, left_alone)
            }
            Err(halt) => {
                self.log.poison();
                Outcome::InDoubt(Unstaged { path: None, doing: Phase::Rollback, halt })
            }
        }
    }

    fn undo(&mut self) -> Result<Vec<LeftAlone>, Halt> {
        let reached = Reached::Step(self.swapped);
        let rollback = Rollback { shelves: &self.shelves, firm: self.firm, may: &|_| true };
        rollback.run(&mut self.folders, &self.intent, reached)
    }

    fn put_abort(&mut self, kind: &str, left_alone: Vec<LeftAlone>, rules: &[Broken]) {
        let mut abort = abort(&self.intent, kind, left_alone);
        abort.asked = Some(Box::new(Asked::of_commit(&self.commit).broke(rules).shortened()));
        // Without this record the next open finds the intent and has nothing left to take back.
        let _ = self.log.append(self.disk, &Record::Abort(abort), self.firm);
    }
}

/// What of a folder's dress could not be carried over.
fn not_kept(folder: &RelPath, what: NotKept) -> Warning {
    let what = if what == NotKept::Owner { "owner" } else { "extended attributes" };
    Warning::MetaNotKept { path: folder.to_string(), what: what.to_owned() }
}

/// Is it that a folder is in use or closed to us?
fn stays(halt: &Halt) -> bool {
    matches!(halt.os_kind(), Some(io::ErrorKind::ResourceBusy | io::ErrorKind::PermissionDenied))
}

fn unrecorded(unwritten: Unwritten) -> Stop {
    let (Unwritten::Not(halt) | Unwritten::Unknown(halt)) = unwritten;
    Stop::Halted(Unstaged { path: None, doing: Phase::Log, halt })
}

/// The record that an intent was taken back.
pub(crate) fn abort(intent: &crate::records::Intent, kind: &str, left_alone: Vec<LeftAlone>) -> Abort {
    let touched = |work: &Work| Touched {
        path: work.path.to_string(),
        to: work.to.as_ref().map(RelPath::to_string),
        before: work.before,
        after: work.after,
    };
    Abort {
        batch: intent.batch.clone(),
        caller: intent.caller.clone(),
        kind: kind.to_owned(),
        recovered: false,
        files: intent.works.iter().map(touched).collect(),
        left_alone,
        asked: None,
    }
}

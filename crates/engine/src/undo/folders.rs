//! Folders in an undo: which are made, which are removed, and how that is recorded.
//!
//! Promises that folders which should exist are made as they were, and that of the others only empty ones are removed.
//! Their files are taken back like any others. Which folders should exist follows from their history: [`super::lives`].

use super::after::{After, Later, Target};
use super::choose::Chosen;
use super::lives::Lives;
use super::remains::{Remains, Undos, concerned, note_above};
use crate::clock::fresh_id;
use crate::conflicts::{about, conflict};
use crate::gather::{Gather, Place};
use crate::operation::operation;
use crate::past::Past;
use crate::recorded::FolderChange;
use crate::refused::Stumble;
use crate::settled::Draft;
use crate::since;
use crate::trouble::index as failed_index;
use patchwright_core::outcome::Operation;
use patchwright_core::path::RelPath;
use patchwright_core::plan::{FolderDress, rebased};
use patchwright_core::refusal::{ConflictPlace, ConflictReason, Sort};
use patchwright_store::records::{ChangeRecord, FileRecord, FolderRecord};
use std::collections::{BTreeSet, HashSet};

/// What taking back comes to for folders.
pub(super) struct Folders {
    /// Those that should be there and are not.
    come: BTreeSet<RelPath>,
    /// Those that should not be there and are: they go, if nothing is in them.
    go: BTreeSet<RelPath>,
    /// Those that are there and should be others.
    differ: BTreeSet<RelPath>,
    lives: Lives,
    after: After,
    /// What goes on record of it.
    records: Vec<FileRecord>,
    /// Trash entries of folders that come back.
    trash: Vec<String>,
    /// The changes that are taken back.
    off: HashSet<String>,
    /// Are there undos among them?
    undos: Undos,
}

impl Folders {
    /// What taking back some changes, newest first, comes to.
    pub(super) fn of(past: &Past<'_>, chosen: &[Chosen], gather: &Gather<'_>) -> Result<Folders, Stumble> {
        let off: HashSet<String> = chosen.iter().flat_map(|batch| &batch.changes).cloned().collect();
        let commits = || chosen.iter().flat_map(|batch| batch.commits.iter().rev().map(move |one| (batch, one)));
        let undos = if commits().any(|(_, (_, one))| !one.undoes.is_empty()) { Undos::Yes } else { Undos::No };
        let mut names: HashSet<RelPath> = HashSet::new();
        for (batch, (_, commit)) in commits() {
            names.extend(concerned(batch.taken(commit)));
            if !commit.undoes.is_empty() {
                let altered = commit.dress.iter().map(|(folder, _)| folder);
                names.extend(commit.folders.iter().chain(&commit.gone).chain(altered).cloned());
            }
        }
        let lives = Lives::of(past.folder_events(names.iter().cloned())?);
        let after = lives.after(&off);
        let (come, go, differ) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        let (records, trash) = (Vec::new(), Vec::new());
        let mut folders = Folders { come, go, differ, lives, after, records, trash, off, undos };
        for (batch, (seq, commit)) in commits() {
            for file in batch.taken(commit) {
                let Some(folder) = &file.folder else { continue };
                folders.still_stands(&batch.id, *seq, file)?;
                folders.tell(file, folder);
            }
        }
        if let Some(later) = folders.lives.later_than_undo(&folders.after) {
            let batch = chosen.first().map(|batch| batch.id.as_str());
            return Err(conflict(batch, vec![in_the_way(&later, None)]));
        }
        names.extend(folders.lives.stirred(&folders.after));
        names.into_iter().for_each(|name| folders.aim(name, gather));
        Ok(folders)
    }

    /// Sorts out what becomes of a name.
    fn aim(&mut self, name: RelPath, gather: &Gather<'_>) {
        let is_there = gather.is_folder(&name);
        match (self.lives.target(&self.after, &name, is_there), is_there) {
            (Some(Target::There(_)), false) => self.come.insert(name),
            (Some(Target::There(life)), true) if !self.lives.is_at(&name, life) => self.differ.insert(name),
            (Some(Target::Gone), true) => self.go.insert(name),
            _ => false,
        };
    }

    /// Refuses to take back what was done to a folder without files if it was removed, moved or restored again since: that
    /// has to be taken back first. Where there are files in a folder, they show the conflict.
    fn still_stands(&self, batch: &str, seq: u64, file: &FileRecord) -> Result<(), Stumble> {
        let has_files = file.folder.as_ref().is_none_or(|folder| folder.files > 0);
        let later = if has_files { None } else { self.lives.later(&self.after, file, seq) };
        let change = file.changes.first().map(|change| change.id.as_str());
        later.map_or(Ok(()), |later| Err(conflict(Some(batch), vec![in_the_way(&later, change)])))
    }

    /// Records the reverse of a removal, move or restore of a whole folder.
    fn tell(&mut self, file: &FileRecord, folder: &FolderRecord) {
        let ids = file.changes.iter().map(|change| change.id.clone()).filter(|id| self.off.contains(id)).collect();
        let change = ChangeRecord::plain(fresh_id(), ids);
        let (path, same) = (file.path.clone(), folder.clone());
        let back = match (operation(file), &file.to) {
            (Operation::Delete, _) => {
                self.trash.extend(file.trash.clone());
                FolderChange { operation: Operation::Restore, path, to: None, folder: same, change }
            }
            (_, Some(to)) => {
                let there = |(one, mode): &(RelPath, u32)| Some((rebased(one, &path, to)?, *mode));
                let folders = folder.folders.iter().filter_map(there).collect();
                let folder = FolderRecord { folders, files: folder.files };
                FolderChange { operation: Operation::Move, path: to.clone(), to: Some(path), folder, change }
            }
            _ => FolderChange { operation: Operation::Delete, path, to: None, folder: same, change },
        };
        self.records.push(FileRecord { size: file.size, ..back.on_record(fresh_id()) });
    }

    /// The folders that go, if nothing is in them.
    pub(super) fn going(&self) -> impl Iterator<Item = RelPath> + '_ {
        self.go.iter().cloned()
    }

    /// Adds the folders that are to be made to the plan, except where a file takes the name.
    pub(super) fn make(
        &self,
        gather: &mut Gather<'_>,
        draft: &mut Draft,
        batch: Option<&str>,
        taken: &HashSet<RelPath>,
    ) -> Result<(), Stumble> {
        let occupied = |at: &RelPath| conflict(batch, vec![about(at, None, ConflictReason::Occupied)]);
        for folder in self.come.iter().filter(|folder| !taken.contains(folder)) {
            if draft.makes(&folder.parent()) {
                gather.permit_folder(folder)?;
                draft.need(folder.clone());
                continue;
            }
            if let Some(in_the_way) = gather.blocked(folder) {
                return Err(occupied(&in_the_way));
            }
            match gather.see_folder_place(folder)? {
                Place::Taken(Sort::Folder) => {}
                Place::Taken(_) if gather.leaves(folder) => draft.need(folder.clone()),
                Place::Taken(_) => return Err(occupied(folder)),
                Place::Free { real, missing } => missing.into_iter().chain([real]).for_each(|one| draft.need(one)),
            }
        }
        Ok(())
    }

    /// Completes the plan, once the files are in it. Returns the folders to remove if they are empty, children first.
    pub(super) fn finish(
        mut self,
        past: &Past<'_>,
        gather: &Gather<'_>,
        draft: &mut Draft,
    ) -> Result<Vec<RelPath>, Stumble> {
        let unwanted = self.go.clone();
        self.clear(gather, draft);
        Remains::of(past, &self.off, self.undos).keep_filled(&mut self.go, &self.after)?;
        self.dress(draft, unwanted.difference(&self.go));
        let used: HashSet<String> = draft.consumed.iter().cloned().collect();
        for id in self.trash {
            // What is still deleted of it can still be had from the trash.
            let inside = past.index.trash_inside(&id).map_err(failed_index)?;
            draft.consumed.extend(inside.iter().all(|one| used.contains(&one.entry.id)).then_some(id));
        }
        // A folder that came and went within the changes that are taken back needs no record.
        let happens = |record: &FileRecord| match (operation(record), &record.to) {
            (Operation::Restore, _) => draft.makes(&record.path),
            (_, Some(to)) => draft.makes(to) || self.go.contains(&record.path),
            _ => self.go.contains(&record.path),
        };
        let records: Vec<FileRecord> = self.records.into_iter().filter(happens).collect();
        draft.trees.extend(records);
        Ok(self.go.into_iter().rev().collect())
    }

    /// Plans the metadata of folders: of those that are made, that take the place of others, or that stay because something
    /// is in them.
    fn dress<'f>(&self, draft: &mut Draft, stay: impl Iterator<Item = &'f RelPath>) {
        let taken: HashSet<&RelPath> = draft.plan.steps.iter().filter_map(|step| step.takes()).collect();
        let differ = self.differ.iter().filter(|folder| !taken.contains(folder) && !draft.makes(folder));
        let looks = draft.plan.folders.iter().chain(differ);
        let looks = looks.filter_map(|folder| Some((folder, self.lives.look(&self.after, folder)?)));
        let stay = stay.filter(|folder| !taken.contains(folder));
        let looks = looks.chain(stay.filter_map(|folder| Some((folder, self.lives.lingering_look(folder)?))));
        let dress: Vec<(RelPath, FolderDress)> =
            looks.map(|(folder, meta)| (folder.clone(), FolderDress::As(meta.clone()))).collect();
        draft.plan.dress.extend(dress);
    }

    /// Keeps the folders in which something is left or is put.
    fn clear(&mut self, gather: &Gather<'_>, draft: &Draft) {
        let mut filled = HashSet::new();
        for name in draft.plan.steps.iter().filter_map(|step| step.takes()).chain(&draft.plan.folders) {
            note_above(&mut filled, name);
            filled.insert(name.clone());
        }
        for folder in self.go.iter().rev() {
            let goes = |child: &RelPath| self.go.contains(child) && !filled.contains(child);
            if !filled.contains(folder) && !gather.empties(folder, &goes) {
                note_above(&mut filled, folder);
                filled.insert(folder.clone());
            }
        }
        self.go.retain(|folder| !filled.contains(folder));
    }
}

/// A folder that is no longer what a change left, since something else was done to it.
fn in_the_way(Later { commit, name, moved, is_gone }: &Later<'_>, change: Option<&str>) -> ConflictPlace {
    let reason = match (moved, is_gone) {
        (true, _) => ConflictReason::Moved,
        (false, true) => ConflictReason::Gone,
        (false, false) => ConflictReason::Returned,
    };
    ConflictPlace { by: vec![since::batch(commit, name)], ..about(name, change, reason) }
}

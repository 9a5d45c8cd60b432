//! Folders, as changes are taken back: which are made, which go, and what goes on record of it.
//!
//! Promises that those which should be there come, and that of those which should not only the empty ones go. Their files
//! are taken back like any others. Which folders should be there is worked out in [`super::remains`]; an undo that is
//! undone leaves those that it found.

use super::choose::Chosen;
use super::remains::{Remains, Undos, concerned, decided, modes, note_above};
use super::{about, conflict};
use crate::clock::fresh_id;
use crate::flow::Stumble;
use crate::gather::{Gather, Place};
use crate::past::Past;
use crate::settled::Draft;
use crate::tree::folder_record;
use crate::trouble::index as failed_index;
use patchwright_core::folder::FolderMeta;
use patchwright_core::path::RelPath;
use patchwright_core::plan::{FolderDress, rebased};
use patchwright_core::refusal::{ConflictReason, Sort};
use patchwright_store::records::{ChangeRecord, Commit, FileRecord, FolderRecord};
use std::collections::{BTreeSet, HashMap, HashSet};

/// What taking back comes to for folders.
#[derive(Default)]
pub(super) struct Folders {
    /// Those that should be there and are not.
    come: BTreeSet<RelPath>,
    /// Those that should not be there and are: they go, if nothing is in them.
    go: BTreeSet<RelPath>,
    /// Those of them that the undo which is undone had made.
    made_by_undo: BTreeSet<RelPath>,
    /// What is known of permission bits.
    modes: HashMap<RelPath, u32>,
    /// What goes on record of it.
    records: Vec<FileRecord>,
    /// Trash entries of folders that come back.
    trash: Vec<String>,
    /// The changes that are taken back.
    off: (HashSet<String>, Undos),
}

impl Folders {
    /// What taking back some changes, newest first, comes to.
    pub(super) fn of(past: &Past<'_>, chosen: &[Chosen], gather: &Gather<'_>) -> Result<Folders, Stumble> {
        let off: HashSet<String> = chosen.iter().flat_map(|batch| &batch.changes).cloned().collect();
        let commits = || chosen.iter().flat_map(|batch| batch.commits.iter().rev().map(move |(_, one)| (batch, one)));
        let undos = if commits().any(|(_, one)| !one.undoes.is_empty()) { Undos::Yes } else { Undos::No };
        let mut folders = Folders::default();
        let mut remains = Remains::of(past, (&off, undos));
        let mut names = HashSet::new();
        for (batch, commit) in commits() {
            names.extend(concerned(batch.taken(commit)));
            if !commit.undoes.is_empty() {
                folders.undo_again(batch, commit);
            }
            let trees = batch.taken(commit).filter_map(|file| Some((file, file.folder.as_deref()?)));
            trees.for_each(|(file, folder)| folders.tell(file, (folder, &off)));
        }
        let is_there = |folder: &RelPath| gather.is_folder(folder);
        names.retain(|folder| !folders.come.contains(folder) && !folders.go.contains(folder));
        for folder in names {
            if let Some(target) = remains.target(&folder, || is_there(&folder))? {
                folders.modes.extend(target.mode.map(|mode| (folder.clone(), mode)));
                folders.set(folder, target.there);
            }
        }
        folders.come.retain(|folder| !is_there(folder));
        folders.go.retain(is_there);
        Ok(Folders { off: (off, undos), ..folders })
    }

    /// Undoing an undo: the folders that it found, as far as the changes that are chosen of it concern them.
    fn undo_again(&mut self, batch: &Chosen, commit: &Commit) {
        let mut changes = commit.files.iter().flat_map(|file| &file.changes);
        let all = changes.all(|change| batch.changes.contains(&change.id));
        let decided = if all { HashSet::new() } else { decided(commit, batch.taken(commit)) };
        let concerned = |folder: &&RelPath| all || decided.contains(folder);
        commit.folders.iter().filter(concerned).for_each(|folder| self.set(folder.clone(), false));
        self.made_by_undo.extend(commit.folders.iter().filter(concerned).cloned());
        commit.gone.iter().filter(concerned).for_each(|folder| self.set(folder.clone(), true));
        self.modes.extend(modes(commit));
    }

    fn set(&mut self, folder: RelPath, there: bool) {
        let (to, from) = if there { (&mut self.come, &mut self.go) } else { (&mut self.go, &mut self.come) };
        from.remove(&folder);
        to.insert(folder);
    }

    /// Has the record of a folder that went, moved or came back as a whole told the other way round.
    fn tell(&mut self, file: &FileRecord, (folder, off): (&FolderRecord, &HashSet<String>)) {
        let ids = file.changes.iter().map(|change| change.id.clone()).filter(|id| off.contains(id)).collect();
        let change = ChangeRecord::plain(fresh_id(), ids);
        let (path, same) = (file.path.clone(), folder.clone());
        let record = match (file.operation.as_str(), &file.to) {
            ("delete", _) => {
                self.trash.extend(file.trash.clone());
                folder_record((fresh_id(), "restore"), (path, None), (same, change))
            }
            (_, Some(to)) => {
                let there = |(one, mode): &(RelPath, u32)| Some((rebased(one, (&path, to))?, *mode));
                let folders = folder.folders.iter().filter_map(there).collect();
                let folder = FolderRecord { folders, files: folder.files };
                folder_record((fresh_id(), "move"), (to.clone(), Some(path)), (folder, change))
            }
            _ => folder_record((fresh_id(), "delete"), (path, None), (same, change)),
        };
        self.records.push(FileRecord { size: file.size, ..record });
    }

    /// The folders that go, if nothing is in them.
    pub(super) fn going(&self) -> impl Iterator<Item = RelPath> + '_ {
        self.go.iter().cloned()
    }

    /// Has the folders made that come, but those whose name a file takes.
    pub(super) fn make(
        &self,
        gather: &mut Gather<'_>,
        draft: &mut Draft,
        (batch, taken): (Option<&str>, &HashSet<RelPath>),
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

    /// Completes the plan, once the files are in it. Which folders go then if they are empty, children first.
    pub(super) fn finish(
        mut self,
        past: &Past<'_>,
        gather: &Gather<'_>,
        draft: &mut Draft,
    ) -> Result<Vec<RelPath>, Stumble> {
        self.clear(gather, draft);
        let (sure, mut unsure) = self.go.into_iter().partition(|folder| self.made_by_undo.contains(folder));
        let (off, undos) = self.off;
        Remains::of(past, (&off, undos)).keep_filled(&mut unsure)?;
        self.go = sure;
        self.go.extend(unsure);
        for folder in &draft.plan.folders {
            if let Some(mode) = self.modes.get(folder) {
                draft.plan.dress.push((folder.clone(), FolderDress::As(FolderMeta::of_mode(*mode))));
            }
        }
        let used: HashSet<String> = draft.consumed.iter().cloned().collect();
        for id in self.trash {
            // What is still deleted of it can still be had from the trash.
            let inside = past.index.trash_inside(&id).map_err(failed_index)?;
            draft.consumed.extend(inside.iter().all(|one| used.contains(&one.entry.id)).then_some(id));
        }
        // What came and went again within what is taken back leaves nothing to tell.
        let happens = |record: &FileRecord| match (record.operation.as_str(), &record.to) {
            ("restore", _) => draft.makes(&record.path),
            (_, Some(to)) => draft.makes(to) || self.go.contains(&record.path),
            _ => self.go.contains(&record.path),
        };
        let records: Vec<FileRecord> = self.records.into_iter().filter(happens).collect();
        draft.trees.extend(records);
        Ok(self.go.into_iter().rev().collect())
    }

    /// Leaves the folders in which something is left, or comes.
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

//! Folders that went, moved or came back with everything in them, as that is taken back: which are made and which go.
//!
//! Their files are taken back like any others. Of a batch only some of whose changes are taken back the folders that
//! are needed come, with the permission bits they had; the empty ones come with the folder's own change.

use super::choose::Chosen;
use super::{about, conflict};
use crate::clock::fresh_id;
use crate::flow::Stumble;
use crate::gather::{Gather, Place};
use crate::settled::Draft;
use crate::tree::folder_record;
use patchwright_core::folder::FolderMeta;
use patchwright_core::path::RelPath;
use patchwright_core::plan::{FolderDress, rebased};
use patchwright_core::refusal::{ConflictReason, Sort};
use patchwright_store::records::{ChangeRecord, FileRecord, FolderRecord};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// What taking back comes to for folders.
#[derive(Default)]
pub(super) struct Folders {
    /// Those that come, with their permission bits.
    come: BTreeMap<RelPath, u32>,
    /// Those that go, if nothing else is in them.
    go: BTreeSet<RelPath>,
    /// What is known of permission bits.
    modes: HashMap<RelPath, u32>,
    /// Trash entries that are used up.
    consumed: Vec<String>,
    /// What goes on record of it.
    records: Vec<FileRecord>,
}

impl Folders {
    /// Takes back, newest first, what is chosen of the records of folders.
    pub(super) fn of(chosen: &[Chosen]) -> Folders {
        let mut folders = Folders::default();
        for batch in chosen {
            for (_, commit) in batch.commits.iter().rev() {
                let made: HashSet<&RelPath> = commit.folders.iter().collect();
                // Those that were made on the way go too: one that is to come for an earlier batch need not then.
                folders.come.retain(|folder, _| !made.contains(folder));
                for file in commit.files.iter().rev() {
                    let Some(folder) = &file.folder else { continue };
                    folders.modes.extend(folder.folders.iter().cloned());
                    let ids: Vec<String> = file.changes.iter().map(|change| change.id.clone()).collect();
                    if ids.iter().any(|id| batch.changes.contains(id)) {
                        folders.take_back(file, (folder, ids));
                    }
                }
            }
        }
        let Folders { come, go, records, .. } = &mut folders;
        // What came and went again within what is taken back leaves nothing to tell.
        records.retain(|record| match &record.to {
            Some(to) => go.contains(&record.path) || come.contains_key(to),
            None => go.contains(&record.path) || come.contains_key(&record.path),
        });
        folders
    }

    fn take_back(&mut self, file: &FileRecord, (folder, ids): (&FolderRecord, Vec<String>)) {
        let change = ChangeRecord::plain(fresh_id(), ids);
        let (path, same) = (file.path.clone(), folder.clone());
        let record = match (file.operation.as_str(), &file.to) {
            ("delete", _) => {
                folder.folders.iter().for_each(|(one, mode)| self.comes(one, *mode));
                self.consumed.extend(file.trash.clone());
                folder_record((fresh_id(), "restore"), (path, None), (same, change))
            }
            (_, Some(to)) => {
                let there = |one: &RelPath| rebased(one, (&path, to));
                let moved: Vec<(RelPath, u32)> =
                    folder.folders.iter().filter_map(|(one, mode)| Some((there(one)?, *mode))).collect();
                moved.iter().for_each(|(one, _)| self.goes(one));
                folder.folders.iter().for_each(|(one, mode)| self.comes(one, *mode));
                let folder = FolderRecord { folders: moved, files: folder.files };
                folder_record((fresh_id(), "move"), (to.clone(), Some(path)), (folder, change))
            }
            _ => {
                folder.folders.iter().for_each(|(one, _)| self.goes(one));
                folder_record((fresh_id(), "delete"), (path, None), (same, change))
            }
        };
        self.records.push(FileRecord { size: file.size, ..record });
    }

    fn comes(&mut self, folder: &RelPath, mode: u32) {
        if !self.go.remove(folder) {
            self.come.insert(folder.clone(), mode);
        }
    }

    fn goes(&mut self, folder: &RelPath) {
        if self.come.remove(folder).is_none() {
            self.go.insert(folder.clone());
        }
    }

    /// Puts it into the plan. Which folders go if they are empty then, children first; `made` are others that go so.
    pub(super) fn draft(
        self,
        gather: &mut Gather<'_>,
        draft: &mut Draft,
        (batch, made): (Option<&str>, Vec<RelPath>),
    ) -> Result<Vec<RelPath>, Stumble> {
        for folder in self.come.keys() {
            match gather.see_folder_place(folder)? {
                Place::Taken(Sort::Folder) => {}
                Place::Taken(_) if draft.vacates(folder) => draft.need(folder.clone()),
                Place::Taken(_) => {
                    return Err(conflict(batch, vec![about(folder, None, ConflictReason::Occupied)]));
                }
                Place::Free { real, missing } => missing.into_iter().chain([real]).for_each(|one| draft.need(one)),
            }
        }
        for folder in &draft.plan.folders {
            if let Some(mode) = self.come.get(folder).or_else(|| self.modes.get(folder)) {
                draft.plan.dress.push((folder.clone(), FolderDress::As(FolderMeta::of_mode(*mode))));
            }
        }
        draft.consumed.extend(self.consumed);
        draft.trees.extend(self.records);
        let mut go = self.go;
        go.extend(made);
        go.retain(|folder| !draft.makes(folder));
        Ok(go.into_iter().rev().collect())
    }
}

//! A stored plan for a folder with everything in it, against the folder as it is. It is carried out as a whole: what
//! others added or changed in it since is a conflict.

use super::{Job, Making, same};
use crate::conflicts::{about, place};
use crate::gather::{Inside, Place};
use crate::operation::operation;
use crate::refused::Stumble;
use patchwright_core::intent::{Intent, Parents, Tree, TreeDeed};
use patchwright_core::outcome::{Operation, Trouble};
use patchwright_core::path::RelPath;
use patchwright_core::plan::{Plan, Seen, Step, plan_one};
use patchwright_core::refusal::{ConflictPlace, ConflictReason, Refusal, Sort, Why};
use patchwright_store::records::FileRecord;
use std::collections::HashMap;

impl Job<'_> {
    /// The folder that the proposal is about, if it is wanted as a whole.
    pub(super) fn whole_tree(&self) -> Option<&FileRecord> {
        let files = &self.proposal.commit.files;
        let all = files.iter().flat_map(|file| &file.changes).all(|change| self.wanted.contains(&change.id));
        files.last().filter(|file| file.folder.is_some() && all)
    }

    pub(super) fn tree(&self, making: &mut Making<'_>, folder: &FileRecord) -> Result<(), Stumble> {
        let tree = match operation(folder) {
            Operation::Restore => self.back_from_trash(making, folder)?,
            _ => self.as_it_is(making, folder)?,
        };
        let Some(tree) = tree else { return Ok(()) };
        let plan = plan_one(&making.gather.snapshot, 0, &Intent::Tree(Box::new(tree)))?;
        if self.is_the_same(making, &plan) {
            self.take_over(making, plan);
            making.draft.trees.push(folder.clone());
        }
        Ok(())
    }

    /// The folder as it is, for one that goes or moves.
    fn as_it_is(&self, making: &mut Making<'_>, folder: &FileRecord) -> Result<Option<Tree>, Stumble> {
        if making.gather.stands(&folder.path) != Some(Sort::Folder) {
            making.places.push(place(folder, ConflictReason::Gone));
            return Ok(None);
        }
        let (path, Inside { folders, files }) = making.gather.see_tree(&folder.path)?;
        let Some(to) = &folder.to else {
            return Ok(Some(Tree { deed: TreeDeed::Delete { files }, path, folders }));
        };
        if !free(making, folder, to)? {
            return Ok(None);
        }
        Ok(Some(Tree { deed: TreeDeed::Move { files, to: to.clone() }, path, folders }))
    }

    fn back_from_trash(&self, making: &mut Making<'_>, folder: &FileRecord) -> Result<Option<Tree>, Stumble> {
        if !free(making, folder, &folder.path)? {
            return Ok(None);
        }
        let (past, consumed) = (self.past, self.proposal.commit.consumed.as_deref());
        let trashed = consumed.map(|id| past.index.trash_entry(id)).transpose();
        let trashed = trashed.map_err(crate::trouble::index)?.flatten();
        let Some(trashed) = trashed else {
            making.places.push(place(folder, ConflictReason::NotKept));
            return Ok(None);
        };
        let found = past.tree_in_trash(&trashed)?;
        let tree = past.session().tree_from_trash(&found, &folder.path, Parents::Create);
        match tree {
            Ok(tree) => {
                making
                    .draft
                    .consumed
                    .extend(found.inside.into_iter().map(|one| one.entry.id).chain([trashed.entry.id]));
                Ok(Some(tree))
            }
            Err(Trouble::Refused(Refusal { why: Why::NotFound(_), .. })) => {
                making.places.push(place(folder, ConflictReason::NotKept));
                Ok(None)
            }
            Err(trouble) => Err(trouble.into()),
        }
    }

    /// Is everything in the folder what the proposal was made for? What is not becomes a place of a conflict.
    fn is_the_same(&self, making: &mut Making<'_>, plan: &Plan) -> bool {
        let mut known: HashMap<&RelPath, &FileRecord> = self.files().map(|file| (&file.path, file)).collect();
        let mut places = Vec::new();
        for step in &plan.steps {
            match known.remove(&step.path) {
                Some(file) if (file.before, file.after) == (step.act.before(), step.act.after()) => {}
                Some(file) => places.push(place(file, ConflictReason::Outdated)),
                None => {
                    let new = about(&step.path, None, ConflictReason::Outdated);
                    places.push(new);
                }
            }
        }
        let mut gone: Vec<_> = known.into_values().map(|file| place(file, ConflictReason::Gone)).collect();
        gone.sort_by(|one, two| one.path.cmp(&two.path));
        places.extend(gone);
        places.truncate(super::PLACES);
        let same = places.is_empty();
        making.places.extend(places);
        same
    }

    /// The plan's steps with the changes that were proposed.
    fn take_over(&self, making: &mut Making<'_>, plan: Plan) {
        let known: HashMap<&RelPath, &FileRecord> = self.files().map(|file| (&file.path, file)).collect();
        for step in plan.steps {
            let changes = known.get(&step.path).map(|file| same(file)).unwrap_or_default();
            let given = step.path.clone();
            making.push(&given, Step { changes, ..step });
        }
        plan.folders.into_iter().for_each(|folder| making.draft.need(folder));
        making.draft.plan.dress.extend(plan.dress);
        making.draft.plan.gone.extend(plan.gone);
    }

    fn files(&self) -> impl Iterator<Item = &FileRecord> {
        self.proposal.commit.files.iter().filter(|file| file.folder.is_none())
    }
}

/// Is the place of a folder free? Else that is a conflict.
fn free(making: &mut Making<'_>, folder: &FileRecord, at: &RelPath) -> Result<bool, Stumble> {
    match making.gather.see_folder_place(at)? {
        Place::Free { real, missing } => {
            making.gather.snapshot.add(at.clone(), Seen::Absent { real, missing });
            Ok(true)
        }
        Place::Taken(_) => {
            let occupied = place(folder, ConflictReason::Occupied);
            making.places.push(ConflictPlace { path: at.to_string(), ..occupied });
            Ok(false)
        }
    }
}

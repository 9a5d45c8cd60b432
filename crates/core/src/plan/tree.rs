//! A folder with everything in it: one step a file or link, and the folders that go or are made.
//!
//! Each file is planned for with its own hash, so that whatever holds for one file (stale checks at the swap, recovery
//! by content, undo) holds for all of them. Folders that go must be empty by then: what others put there meanwhile
//! keeps the whole call from being carried out.

use super::build::{Draft, entry, removed};
use super::{Act, Change, FolderDress, Fresh};
use crate::folder::FolderMeta;
use crate::intent::{Kept, Parents, Tree, TreeDeed};
use crate::path::RelPath;
use crate::refusal::{FolderFault, Refusal, Why};
use std::collections::{HashMap, HashSet};

/// So many files, links and folders go or move with one folder in one call.
pub const MOST_ENTRIES: usize = 100_000;

impl Draft<'_> {
    pub(super) fn tree(&mut self, tree: &Tree) -> Result<(), Refusal> {
        match &tree.deed {
            TreeDeed::Delete { files } => self.delete_tree(tree, files),
            TreeDeed::Move { files, to } => self.move_tree(tree, files, to),
            TreeDeed::Restore { files, parents, dress } => self.restore_tree(tree, files, dress, *parents),
        }
    }

    fn delete_tree(&mut self, tree: &Tree, files: &[RelPath]) -> Result<(), Refusal> {
        for path in files {
            let seen = self.snapshot.seen(path);
            let (real, before) = entry(&seen, path)?;
            self.push(real, Act::Remove { before }, vec![removed(&seen)]);
        }
        self.plan.gone.extend(deepest_first(tree));
        Ok(())
    }

    fn move_tree(&mut self, tree: &Tree, files: &[RelPath], to: &RelPath) -> Result<(), Refusal> {
        let target = self.snapshot.seen(to);
        let place = self.free_place(&target, to, Parents::MustExist)?;
        if place.is_within(&tree.path) {
            return Err(Refusal::at(&tree.path, Why::Folder(FolderFault::IntoItself { to: to.to_string() })));
        }
        for (folder, _) in &tree.folders {
            let there = rebased(folder, &tree.path, &place).ok_or_else(|| too_long(folder))?;
            self.plan.folders.push(there.clone());
            self.plan.dress.push((there, FolderDress::Like(folder.clone())));
        }
        for path in files {
            let (real, before) = entry(&self.snapshot.seen(path), path)?;
            let to = rebased(path, &tree.path, &place).ok_or_else(|| too_long(path))?;
            self.push(real, Act::Rename { to, before }, vec![Change::default()]);
        }
        self.plan.gone.extend(deepest_first(tree));
        Ok(())
    }

    fn restore_tree(
        &mut self,
        tree: &Tree,
        files: &[(RelPath, Kept)],
        dress: &HashMap<RelPath, FolderMeta>,
        parents: Parents,
    ) -> Result<(), Refusal> {
        let place = self.free_place(&self.snapshot.seen(&tree.path), &tree.path, parents)?;
        let mut known: HashSet<RelPath> = self.plan.folders.iter().cloned().collect();
        for (folder, mode) in &tree.folders {
            let there = rebased(folder, &tree.path, &place).ok_or_else(|| too_long(folder))?;
            let meta = dress.get(folder).cloned().unwrap_or_else(|| FolderMeta::of_mode(*mode));
            self.plan.dress.push((there.clone(), FolderDress::As(meta)));
            if known.insert(there.clone()) {
                self.plan.folders.push(there);
            }
        }
        for (path, kept) in files {
            let path = rebased(path, &tree.path, &place).ok_or_else(|| too_long(path))?;
            let fresh = Fresh::Kept(kept.clone());
            let changes = vec![Change::whole(&[], &fresh.text())];
            self.push(path, Act::Create(fresh), changes);
        }
        Ok(())
    }
}

fn deepest_first(tree: &Tree) -> impl Iterator<Item = RelPath> {
    tree.folders.iter().rev().map(|(folder, _)| folder.clone())
}

/// A path below one folder as it is below another; nothing if it is not there, or would be too long.
pub fn rebased(path: &RelPath, from: &RelPath, to: &RelPath) -> Option<RelPath> {
    if !path.is_within(from) {
        return None;
    }
    path.segments().skip(from.segments().count()).try_fold(to.clone(), |at, name| at.join(name))
}

fn too_long(path: &RelPath) -> Refusal {
    Refusal::at(path, Why::Path(crate::path::PathProblem::TooLong))
}

//! What the record tells of some folders: every commit that made, removed or moved them under any of their names, and
//! every undo of those.

use crate::operation::operation;
use crate::past::Past;
use crate::refused::Stumble;
use crate::trouble::index as failed_index;
use patchwright_core::outcome::Operation;
use patchwright_core::path::RelPath;
use patchwright_core::plan::rebased;
use patchwright_store::index::Touch;
use patchwright_store::records::{Commit, FileRecord};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The part of the record that concerns some folders.
#[derive(Default)]
pub(super) struct Events {
    /// The commits, oldest first.
    pub(super) commits: BTreeMap<u64, Commit>,
    /// All names of those folders. Was one there before the record tells of it?
    pub(super) names: BTreeMap<RelPath, bool>,
    /// What was called otherwise before a commit or later, by commit: the one name and the other.
    renames: HashMap<u64, Vec<(RelPath, RelPath)>>,
    /// The batches of which all undos are known.
    whole: HashSet<String>,
}

impl Past<'_> {
    /// What the record tells of the folders with these names, and of whatever was moved there or away.
    pub(super) fn folder_events(&self, names: impl IntoIterator<Item = RelPath>) -> Result<Events, Stumble> {
        let mut events = Events::default();
        let mut open: Vec<RelPath> = names.into_iter().collect();
        while let Some(name) = open.pop() {
            if events.names.contains_key(&name) {
                continue;
            }
            let found = self.index.folder_events(name.as_str()).map_err(failed_index)?;
            let Some(first) = found.first() else { continue };
            events.names.insert(name.clone(), !first.made);
            for event in found {
                self.take_in_events(&mut events, event.by)?;
                let renames = events.renames.get(&event.by.seq).into_iter().flatten();
                open.extend(renames.filter_map(|(from, to)| rebased(&name, from, to)));
            }
        }
        Ok(events)
    }

    /// Takes a commit in, and all that took it back or did it again; of an undo also what it took back.
    fn take_in_events(&self, events: &mut Events, by: Touch) -> Result<(), Stumble> {
        if events.renames.contains_key(&by.seq) {
            return Ok(());
        }
        self.take_in_commit(events, by)?;
        let Some(commit) = events.commits.get(&by.seq) else { return Ok(()) };
        let mut renames = Vec::new();
        for file in commit.files.iter().filter(|file| file.folder.is_some()) {
            renames.extend(self.renames(commit, file)?);
        }
        let mut open = vec![commit.batch.clone()];
        events.renames.insert(by.seq, renames);
        while let Some(batch) = open.pop() {
            if !events.whole.insert(batch.clone()) {
                continue;
            }
            let Some(row) = self.index.batch_row(&batch).map_err(failed_index)? else { continue };
            self.take_in_commit(events, Touch { seq: row.seq, place: row.place })?;
            let Some(commit) = events.commits.get(&row.seq) else { continue };
            if commit.undoes.is_empty() {
                if commit.patch.as_ref().is_some_and(|patch| patch.since.is_some()) {
                    events.commits.extend(self.whole(row.seq, commit.clone())?);
                }
                for undo in self.index.undoing_batch(&batch).map_err(failed_index)? {
                    self.take_in_commit(events, undo)?;
                }
            }
            open.extend(events.commits.get(&row.seq).into_iter().flat_map(|commit| commit.undoes.clone()));
        }
        Ok(())
    }

    fn take_in_commit(&self, events: &mut Events, by: Touch) -> Result<(), Stumble> {
        if !events.commits.contains_key(&by.seq)
            && let Some(commit) = self.commit_at(by.place)?
        {
            events.commits.insert(by.seq, commit);
        }
        Ok(())
    }

    /// The other names that a folder has by the record of one that went, moved or came as a whole.
    fn renames(&self, commit: &Commit, file: &FileRecord) -> Result<Vec<(RelPath, RelPath)>, Stumble> {
        let (path, mut found) = (&file.path, Vec::new());
        found.extend(file.to.iter().flat_map(|to| [(path.clone(), to.clone()), (to.clone(), path.clone())]));
        if let Some(trash) = &file.trash
            && let Some(by) = self.index.returned(trash).map_err(failed_index)?
            && let Some(back) = self.commit_at(by.place)?
        {
            let back =
                back.files.into_iter().filter(|back| back.folder.is_some() && operation(back) == Operation::Restore);
            found.extend(back.map(|back| (path.clone(), back.path)));
        }
        if let Some(trash) = commit.consumed.as_ref().filter(|_| operation(file) == Operation::Restore) {
            found.extend(self.in_trash_as(trash)?.map(|from| (path.clone(), from)));
        }
        Ok(found)
    }

    /// The name of a folder when it went into the trash, though it may have left that since.
    fn in_trash_as(&self, trash: &str) -> Result<Option<RelPath>, Stumble> {
        let part = self.index.files_beginning(trash, None, 1).map_err(failed_index)?.into_iter().next();
        let Some(part) = part else { return Ok(None) };
        let Some(row) = self.index.batch_row(&part.batch).map_err(failed_index)? else { return Ok(None) };
        let files = self.commit_at(row.place)?.map(|commit| commit.files).unwrap_or_default();
        Ok(files.into_iter().find(|file| file.id == trash && file.folder.is_some()).map(|file| file.path))
    }
}

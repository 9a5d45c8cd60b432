//! What stands once some changes are taken back.

use super::after::After;
use super::choose::Chosen;
use crate::conflicts::{about, conflict};
use crate::operation::operation;
use crate::past::Past;
use crate::refused::Stumble;
use crate::trouble::index as failed_index;
use patchwright_core::batch::BatchStatus;
use patchwright_core::outcome::{Operation, Trouble};
use patchwright_core::path::RelPath;
use patchwright_core::plan::rebased;
use patchwright_core::refusal::{ConflictPlace, ConflictReason};
use patchwright_store::index::Touch;
use patchwright_store::records::{Commit, FileRecord};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

/// What stands, some changes being taken back.
pub(super) struct Remains<'a> {
    past: &'a Past<'a>,
    /// The changes that are taken back.
    off: &'a HashSet<String>,
    /// Which changes of a batch stand now, by batch.
    applied: HashMap<String, Rc<HashSet<String>>>,
    /// Are there undos among the changes that are taken back? Then others come to stand.
    undos: Undos,
    /// The folders in which a commit put something that stands, by where the commit stands.
    filled: HashMap<u64, Rc<Filled>>,
}

/// Are undos taken back?
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Undos {
    Yes,
    #[default]
    No,
}

/// The folders in which a commit put something that stands.
struct Filled {
    folders: HashSet<RelPath>,
    is_undo: bool,
}

impl<'a> Remains<'a> {
    pub(super) fn of(past: &'a Past<'a>, off: &'a HashSet<String>, undos: Undos) -> Remains<'a> {
        Remains { past, off, undos, applied: HashMap::new(), filled: HashMap::new() }
    }

    /// Would taking an undo back change whether any of its origins stands? Not if later undos have done that already.
    fn alters(&self, origins: &[(String, bool)]) -> Result<bool, Stumble> {
        for (origin, stood) in origins {
            if self.stands_then(origin)? != *stood {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Keeps those folders into which a change that stands put something, whatever became of that since.
    pub(super) fn keep_filled(&mut self, go: &mut BTreeSet<RelPath>, after: &After) -> Result<(), Stumble> {
        let mut filled = HashSet::new();
        let mut top: Option<(RelPath, Vec<Touch>)> = None;
        for folder in go.iter() {
            let (_, touching) = match top.take().filter(|(top, _)| folder.is_within(top)) {
                Some(known) => top.insert(known),
                None => {
                    let touching = self.past.index.touching_below(folder.as_str()).map_err(failed_index)?;
                    top.insert((folder.clone(), touching))
                }
            };
            let since = after.gone_since(folder);
            for touch in touching.iter().take_while(|touch| touch.seq > since.since) {
                let done = self.filled(*touch)?;
                if done.folders.contains(folder) && !(since.again && done.is_undo) {
                    filled.insert(folder.clone());
                    break;
                }
            }
        }
        go.retain(|folder| !filled.contains(folder));
        Ok(())
    }

    fn filled(&mut self, by: Touch) -> Result<Rc<Filled>, Stumble> {
        if let Some(known) = self.filled.get(&by.place) {
            return Ok(Rc::clone(known));
        }
        let commit = self.past.commit_at(by.place)?.unwrap_or_default();
        let mut filled = HashSet::new();
        for file in commit.files.iter().filter(|file| file.folder.is_none() && file.after.is_some()) {
            let name = match &file.to {
                Some(to) => to,
                None if matches!(operation(file), Operation::Create | Operation::Restore) => &file.path,
                None => continue,
            };
            if self.stands(&commit, file)? {
                note_above(&mut filled, name);
            }
        }
        let filled = Rc::new(Filled { folders: filled, is_undo: !commit.undoes.is_empty() });
        self.filled.insert(by.place, Rc::clone(&filled));
        Ok(filled)
    }

    /// Does what a record did stand, or of an undo all that it did again?
    fn stands(&mut self, commit: &Commit, file: &FileRecord) -> Result<bool, Stumble> {
        if commit.undoes.is_empty() && self.undos == Undos::No {
            let applied = self.applied(&commit.batch)?;
            return Ok(file
                .changes
                .iter()
                .any(|change| applied.contains(&change.id) && !self.off.contains(&change.id)));
        }
        let mut did = false;
        for change in &file.changes {
            for id in self.past.index.done_again(&change.id).map_err(failed_index)? {
                did = self.stands_then(&id)?;
                if did == commit.undoes.is_empty() {
                    return Ok(did);
                }
            }
        }
        Ok(did)
    }

    /// Does a change stand once those that are chosen are taken back? It does if none of its undos stands. A chain of
    /// undos may be longer than the stack is deep.
    fn stands_then(&self, change: &str) -> Result<bool, Stumble> {
        let mut open = vec![self.still_asked(change)?];
        let mut stands = false;
        while let Some(undos) = open.last_mut() {
            match undos.as_mut().and_then(Vec::pop) {
                Some(undo) => {
                    let more = self.still_asked(&undo)?;
                    open.push(more);
                }
                None => {
                    stands = undos.is_some();
                    open.pop();
                    // An undo that stands settles what it takes back.
                    if let (true, Some(undone)) = (stands, open.last_mut()) {
                        *undone = None;
                    }
                }
            }
        }
        Ok(stands)
    }

    /// The undos of a change that are yet to be asked; nothing if the change is taken back, whatever they are.
    fn still_asked(&self, change: &str) -> Result<Option<Vec<String>>, Stumble> {
        if self.off.contains(change) {
            return Ok(None);
        }
        Ok(Some(self.past.index.undos_of(change).map_err(failed_index)?))
    }

    fn applied(&mut self, batch: &str) -> Result<Rc<HashSet<String>>, Trouble> {
        if let Some(known) = self.applied.get(batch) {
            return Ok(Rc::clone(known));
        }
        let rows = self.past.index.changes_of(batch).map_err(failed_index)?;
        let stand = rows.into_iter().filter(|row| row.status == BatchStatus::Applied).map(|row| row.id);
        let stand: Rc<HashSet<String>> = Rc::new(stand.collect());
        self.applied.insert(batch.to_owned(), Rc::clone(&stand));
        Ok(stand)
    }
}

impl Past<'_> {
    /// Leaves undos out whose origins would stand as they do: others have taken them back, or done them again, since.
    /// So a change never has two undos that stand, and what stands tells what the files are.
    pub(super) fn leave_out_replaced(&self, chosen: &mut Vec<Chosen>) -> Result<(), Stumble> {
        if chosen.iter().flat_map(|batch| &batch.commits).all(|(_, commit)| commit.undoes.is_empty()) {
            return Ok(());
        }
        let first = chosen.first().map(|batch| batch.id.clone());
        let off = chosen.iter().flat_map(|batch| batch.changes.iter().cloned()).collect();
        let remains = Remains::of(self, &off, Undos::Yes);
        for batch in chosen.iter_mut() {
            for id in std::mem::take(&mut batch.changes) {
                let origins = self.index.origins(&id).map_err(failed_index)?;
                let is_undo = origins.iter().all(|(origin, _)| *origin != id);
                if !is_undo || remains.alters(&origins)? {
                    batch.changes.insert(id);
                }
            }
        }
        chosen.retain(|batch| !batch.changes.is_empty());
        let replaced = about(&RelPath::root(), None, ConflictReason::Replaced);
        let nothing = || conflict(first.as_deref(), vec![ConflictPlace { path: String::new(), ..replaced }]);
        if chosen.is_empty() { Err(nothing()) } else { Ok(()) }
    }
}

/// The folders that some records may concern: those above their names, those that had their names, and those that went,
/// moved or came as a whole.
pub(super) fn concerned<'f>(files: impl Iterator<Item = &'f FileRecord>) -> HashSet<RelPath> {
    let mut found = HashSet::new();
    for file in files {
        for name in std::iter::once(&file.path).chain(&file.to) {
            note_above(&mut found, name);
            found.insert(name.clone());
        }
        for (name, _) in file.folder.iter().flat_map(|folder| &folder.folders) {
            let there = file.to.as_ref().and_then(|to| rebased(name, &file.path, to));
            for name in std::iter::once(name.clone()).chain(there) {
                note_above(&mut found, &name);
                found.insert(name);
            }
        }
    }
    found
}

/// Adds the folders above a name. If one of them is known already, so are all above it.
pub(super) fn note_above(known: &mut HashSet<RelPath>, name: &RelPath) {
    let mut above = name.parent();
    while !above.is_root() && known.insert(above.clone()) {
        above = above.parent();
    }
}

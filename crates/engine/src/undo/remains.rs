//! Which folders there should be once some changes are taken back.
//!
//! Every commit has on record which folders it made and which it removed. That is told again in order, without what does
//! not stand then. Where the record does not fit together, another program made or removed the folder in between: what it
//! did stands.

use super::choose::Chosen;
use super::{about, conflict};
use crate::flow::Stumble;
use crate::past::Past;
use crate::trouble::index as failed_index;
use patchwright_core::outcome::{BatchStatus, Trouble};
use patchwright_core::path::RelPath;
use patchwright_core::plan::rebased;
use patchwright_core::refusal::{ConflictPlace, ConflictReason};
use patchwright_store::index::Touch;
use patchwright_store::records::{Commit, FileRecord};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

/// A folder as it should be.
#[derive(Clone, Copy, Default)]
pub(super) struct Target {
    /// Should it be there?
    pub(super) there: bool,
    /// Its permission bits, as far as they are on record.
    pub(super) mode: Option<u32>,
    /// The commit since which this is so at the latest; 0 if it was so at first.
    since: u64,
}

/// What the record says of folders, some changes being taken back.
pub(super) struct Remains<'a> {
    past: &'a Past<'a>,
    /// The changes that are taken back.
    off: &'a HashSet<String>,
    /// Which changes of a batch stand now, by batch.
    applied: HashMap<String, Rc<HashSet<String>>>,
    /// Are there undos among the changes that are taken back? Then others come to stand.
    undos: Undos,
    /// What was done to folders, by where the commit stands.
    done: HashMap<u64, Rc<Done>>,
}

/// Are undos taken back?
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Undos {
    Yes,
    #[default]
    No,
}

/// What one commit did to folders.
struct Done {
    is_undo: bool,
    /// The folders about which what it did stands.
    stands: HashSet<RelPath>,
    /// The folders in which it put something that stands.
    filled: HashSet<RelPath>,
    /// Permission bits of folders that it moved, removed or brought back.
    modes: HashMap<RelPath, u32>,
}

impl<'a> Remains<'a> {
    pub(super) fn of(past: &'a Past<'a>, (off, undos): (&'a HashSet<String>, Undos)) -> Remains<'a> {
        Remains { past, off, undos, applied: HashMap::new(), done: HashMap::new() }
    }

    /// Does any of the changes that an undo is about come to stand, or no longer, if it is taken back? Not if others have
    /// seen to that since.
    fn alters(&self, origins: &[(String, bool)]) -> Result<bool, Stumble> {
        for (origin, stood) in origins {
            if self.stands_then(origin)? != *stood {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What a folder should be; nothing if no commit ever made or removed it. `is_there` tells what the disk has now.
    pub(super) fn target(
        &mut self,
        folder: &RelPath,
        is_there: impl FnOnce() -> bool,
    ) -> Result<Option<Target>, Stumble> {
        let events = self.past.index.folder_events(folder.as_str()).map_err(failed_index)?;
        let Some(first) = events.first() else { return Ok(None) };
        let (mut was_there, mut target) = (!first.made, Target { there: !first.made, ..Target::default() });
        // Is what was there the folder that should be, not another in its place?
        let mut is_same = true;
        for event in &events {
            if event.made == was_there {
                let since = event.by.seq.saturating_sub(1);
                (target, is_same) = (Target { there: !event.made, since, ..Target::default() }, true);
            }
            was_there = event.made;
            let done = self.done(event.by)?;
            let mode = done.modes.get(folder).copied();
            match (done.stands.contains(folder), event.made) {
                (true, there) => (target, is_same) = (Target { there, mode, since: event.by.seq }, true),
                (false, true) => is_same = done.is_undo,
                (false, false) if is_same => target.mode = mode.or(target.mode),
                (false, false) => {}
            }
        }
        let there = is_there();
        Ok(Some(if there == was_there { target } else { Target { there, ..Target::default() } }))
    }

    /// Leaves those folders that changes put something into which stand: whatever became of that, the folders were there
    /// for it.
    pub(super) fn keep_filled(&mut self, go: &mut BTreeSet<RelPath>) -> Result<(), Stumble> {
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
            let since = self.target(folder, || true)?.map_or(0, |target| target.since);
            for touch in touching.iter().take_while(|touch| touch.seq > since) {
                if self.done(*touch)?.filled.contains(folder) {
                    filled.insert(folder.clone());
                    break;
                }
            }
        }
        go.retain(|folder| !filled.contains(folder));
        Ok(())
    }

    fn done(&mut self, by: Touch) -> Result<Rc<Done>, Stumble> {
        if let Some(known) = self.done.get(&by.place) {
            return Ok(Rc::clone(known));
        }
        let commit = self.past.commit_at(by.place)?.unwrap_or_default();
        let mut standing = Vec::with_capacity(commit.files.len());
        for file in &commit.files {
            standing.push(self.stands(&commit, file)?);
        }
        let files = || commit.files.iter().zip(&standing).filter(|(_, stands)| **stands).map(|(file, _)| file);
        let mut filled = HashSet::new();
        for file in files().filter(|file| file.folder.is_none() && file.after.is_some()) {
            match &file.to {
                Some(to) => note_above(&mut filled, to),
                None if matches!(file.operation.as_str(), "create" | "restore") => note_above(&mut filled, &file.path),
                None => {}
            }
        }
        let is_undo = !commit.undoes.is_empty();
        let done = Rc::new(Done { is_undo, stands: decided(&commit, files()), filled, modes: modes(&commit) });
        self.done.insert(by.place, Rc::clone(&done));
        Ok(done)
    }

    /// Does anything stand of what a record did, or did again?
    fn stands(&mut self, commit: &Commit, file: &FileRecord) -> Result<bool, Stumble> {
        if commit.undoes.is_empty() && self.undos == Undos::No {
            let applied = self.applied(&commit.batch)?;
            return Ok(file
                .changes
                .iter()
                .any(|change| applied.contains(&change.id) && !self.off.contains(&change.id)));
        }
        for change in &file.changes {
            for id in self.past.index.done_again(&change.id).map_err(failed_index)? {
                if self.stands_then(&id)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
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
        let remains = Remains::of(self, (&off, Undos::Yes));
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
        for (name, _) in tree(file) {
            note_above(&mut found, &name);
            found.insert(name);
        }
    }
    found
}

/// Those of them about which the records decide: folders that went, moved or came as a whole are the matter of the
/// record of that alone.
pub(super) fn decided<'f>(commit: &Commit, files: impl Iterator<Item = &'f FileRecord> + Clone) -> HashSet<RelPath> {
    let whole: HashSet<RelPath> = files.clone().flat_map(tree).map(|(name, _)| name).collect();
    let mut found = concerned(files);
    for (name, _) in commit.files.iter().flat_map(tree) {
        if !whole.contains(&name) {
            found.remove(&name);
        }
    }
    found
}

/// What a record says of folders that went, moved or came as a whole: their names before and after, and permission bits.
fn tree(file: &FileRecord) -> Vec<(RelPath, u32)> {
    let folders = || file.folder.iter().flat_map(|folder| &folder.folders);
    let there = |(one, mode): &(RelPath, u32)| Some((rebased(one, (&file.path, file.to.as_ref()?))?, *mode));
    folders().filter_map(there).chain(folders().cloned()).collect()
}

/// What a commit says of the permission bits of folders.
pub(super) fn modes(commit: &Commit) -> HashMap<RelPath, u32> {
    commit.files.iter().flat_map(tree).collect()
}

/// Notes the folders above a name. Above one that is known all are.
pub(super) fn note_above(known: &mut HashSet<RelPath>, name: &RelPath) {
    let mut above = name.parent();
    while !above.is_root() && known.insert(above.clone()) {
        above = above.parent();
    }
}

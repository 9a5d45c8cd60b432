//! What is left to do once all changes are taken back: each file once, from what is on the disk to what it
//! becomes, so that an undo of many batches is one plan like any other.

use super::about;
use super::world::{Life, OnDisk, World};
use crate::clock::fresh_id;
use crate::flow::Stumble;
use crate::gather::{Depth, Gather, Links};
use crate::settled::Draft;
use patchwright_core::history::{Edit, Restored, Source};
use patchwright_core::intent::{Bytes, Kept};
use patchwright_core::path::RelPath;
use patchwright_core::plan::{Act, Aside, Change, Fresh, Seen, Step};
use patchwright_core::refusal::{ConflictPlace, ConflictReason};
use std::collections::HashSet;

impl World {
    /// The plan. Removals come first and returns last, so that names are free when they are needed.
    pub(super) fn net(&mut self, gather: &mut Gather<'_>) -> Result<Draft, Stumble> {
        let mut draft = Draft::default();
        let touched: Vec<usize> = (0..self.files.len()).filter(|at| self.is_touched(*at)).collect();
        let lives = || touched.iter().filter_map(|at| self.files.get(*at));
        let mut vacated: HashSet<RelPath> = HashSet::new();
        for life in lives() {
            if let (Some(disk), None) = (&life.disk, &life.place) {
                vacated.insert(disk.path.clone());
                let act = Act::Remove { before: disk.digest };
                draft.push(&disk.path, step(&disk.path, act, vec![whole_change(life)]));
            }
        }
        self.no_circles(&touched)?;
        for life in lives() {
            if let (Some(disk), Some(place)) = (&life.disk, &life.place)
                && disk.path != *place
            {
                self.free(gather, &mut draft, (place, &vacated), life)?;
                vacated.insert(disk.path.clone());
                let act = Act::Rename { to: place.clone(), before: disk.digest };
                let change = Change { undoes: life.undone.clone(), ..Change::default() };
                draft.push(&disk.path, step(&disk.path, act, vec![change]));
            }
        }
        for life in lives() {
            if let (Some(disk), Some(place), Some(bytes)) = (&life.disk, &life.place, &life.bytes)
                && life.digest != Some(disk.digest)
            {
                let act = replace(disk, bytes, life);
                draft.push(&disk.path, step(place, act, changes(life, disk, bytes)));
            }
        }
        for life in lives() {
            if let (None, Some(place)) = (&life.disk, &life.place) {
                self.free(gather, &mut draft, (place, &vacated), life)?;
                let fresh = self.fresh(life, place)?;
                if let Fresh::Kept(Kept { id, .. }) = &fresh {
                    draft.consumed.push(id.clone());
                }
                draft.push(place, step(place, Act::Create(fresh), vec![whole_change(life)]));
            }
        }
        Ok(draft)
    }

    fn is_touched(&self, at: usize) -> bool {
        self.files.get(at).is_some_and(|life| !life.undone.is_empty() || !life.undone_lines.is_empty())
    }

    /// A name that one file leaves and another takes, while both move, would need a third name in between.
    fn no_circles(&self, touched: &[usize]) -> Result<(), Stumble> {
        let lives = || touched.iter().filter_map(|at| self.files.get(*at));
        let moves = || {
            lives().filter_map(|life| {
                let (disk, place) = (life.disk.as_ref()?, life.place.as_ref()?);
                (disk.path != *place).then_some((&disk.path, place))
            })
        };
        let left: HashSet<&RelPath> = moves().map(|(from, _)| from).collect();
        match moves().find(|(_, to)| left.contains(to)) {
            Some((_, to)) => Err(self.conflict(about(to, None, ConflictReason::Circle))),
            None => Ok(()),
        }
    }

    /// What comes back: the trash entry itself where it holds the version wanted.
    fn fresh(&self, life: &Life, place: &RelPath) -> Result<Fresh, Stumble> {
        let not_kept = || self.conflict(about(place, life.undone.first().map(String::as_str), ConflictReason::NotKept));
        match (&life.bytes, &life.kept) {
            (Some(bytes), _) => {
                let digest = patchwright_core::digest::Digest::of(bytes);
                Ok(Fresh::File { bytes: bytes.clone(), digest, mode: Some(life.mode & 0o7777) })
            }
            (None, Some(kept)) => Ok(Fresh::Kept(kept.clone())),
            (None, None) => Err(not_kept()),
        }
    }
    fn conflict(&self, place: ConflictPlace) -> Stumble {
        super::conflict(self.batch.as_deref(), vec![place])
    }

    /// Sees to it that a name is free, or becomes so, and that its folders will be there.
    fn free(
        &self,
        gather: &mut Gather<'_>,
        draft: &mut Draft,
        (place, vacated): (&RelPath, &HashSet<RelPath>),
        life: &Life,
    ) -> Result<(), Stumble> {
        if vacated.contains(place) {
            return Ok(());
        }
        gather.see_at(place, Links::Keep, Depth::Hash)?;
        let Seen::Absent { missing, .. } = gather.snapshot.seen(place) else {
            let change = life.undone.first().map(String::as_str);
            return Err(self.conflict(about(place, change, ConflictReason::Occupied)));
        };
        missing.into_iter().for_each(|folder| draft.need(folder));
        Ok(())
    }
}

fn step(path: &RelPath, act: Act, changes: Vec<Change>) -> Step {
    Step { path: path.clone(), act, changes, wish: 0 }
}

fn replace(disk: &OnDisk, bytes: &Bytes, life: &Life) -> Act {
    let digest = life.digest.unwrap_or(disk.digest);
    Act::Replace { before: disk.digest, after: bytes.clone().into(), digest, aside: Aside::Kept }
}

/// All that was taken back of a file, in one change.
fn whole_change(life: &Life) -> Change {
    let lines = |bytes: Option<&Bytes>| bytes.map_or(0, |bytes| patchwright_core::history::RawLines::of(bytes).len());
    let gone = life.disk.as_ref().filter(|_| life.place.is_none()).and_then(|disk| disk.file.as_ref());
    let came = match (&life.bytes, &life.kept) {
        (Some(bytes), _) => lines(Some(bytes)),
        (None, kept) => lines(kept.as_ref().and_then(|kept| kept.text.as_ref())),
    };
    Change {
        before_line: 1,
        before_lines: lines(gone.and_then(|file| file.bytes.as_ref())),
        after_line: 1,
        after_lines: if life.place.is_some() { came } else { 0 },
        undoes: life.undone.iter().chain(&life.undone_lines).cloned().collect(),
        ..Change::default()
    }
}

/// The changes of a file's lines, as far as they are known line by line.
fn changes(life: &Life, disk: &OnDisk, bytes: &Bytes) -> Vec<Change> {
    let edits = life.tape.edits();
    let told: usize = edits.iter().map(|edit| edit.undoes.len()).sum();
    if told < life.undone_lines.len() {
        let old = disk.file.as_ref().and_then(|file| file.bytes.clone()).unwrap_or_default();
        return vec![Change { undoes: life.undone_lines.clone(), ..Change::whole(&old, bytes) }];
    }
    edits.iter().map(change).collect()
}

fn change(edit: &Edit) -> Change {
    let own = fresh_id();
    let mut restores: Vec<Restored> = Vec::new();
    for (at, line) in edit.lines.iter().enumerate() {
        // A line that stays between others keeps its identity: it is one of those that this very change replaces.
        let (change, from) = match line {
            Source::Gone { change, at } => (change, at),
            Source::Kept(line) => (&own, &line.saturating_sub(edit.before.first)),
        };
        match restores.last_mut() {
            Some(last) if last.change == *change && last.at + last.count == at && last.from + last.count == *from => {
                last.count += 1;
            }
            _ => restores.push(Restored { at, change: change.clone(), from: *from, count: 1 }),
        }
    }
    Change {
        before_line: edit.before.first + 1,
        before_lines: edit.before.count,
        after_line: edit.after.first + 1,
        after_lines: edit.after.count,
        id: Some(own.clone()),
        undoes: edit.undoes.clone(),
        restores,
        ..Change::default()
    }
}

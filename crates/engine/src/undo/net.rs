//! The plan of an undo: one step for each file, from what is on disk to what it becomes, however many batches are taken
//! back.

use super::world::{Life, OnDisk, World};
use crate::clock::fresh_id;
use crate::conflicts::{about, conflict};
use crate::gather::{Depth, Gather, Links};
use crate::refused::Stumble;
use crate::settled::Draft;
use patchwright_core::bytes::Bytes;
use patchwright_core::digest::Digest;
use patchwright_core::history::{Edit, Restored, Source};
use patchwright_core::intent::Kept;
use patchwright_core::path::RelPath;
use patchwright_core::plan::{Act, Aside, Bits, Change, Fresh, Seen, Step};
use patchwright_core::refusal::{ConflictPlace, ConflictReason};
use std::collections::HashSet;

impl World {
    /// The names that files leave.
    pub(super) fn leaves(&self) -> impl Iterator<Item = RelPath> {
        let found = self.taken_back().filter_map(|(_, life)| Some((life, &life.disk.as_ref()?.path)));
        found.filter(|(life, at)| life.place.as_ref() != Some(at)).map(|(_, at)| at.clone())
    }

    /// The names that files have in the end.
    pub(super) fn takes(&self) -> HashSet<RelPath> {
        self.taken_back().filter_map(|(_, life)| life.place.clone()).collect()
    }

    /// The plan. Removals come first and returns last, so that names are free when they are needed.
    pub(super) fn net(&self, gather: &mut Gather<'_>, draft: &mut Draft) -> Result<(), Stumble> {
        let vacated: HashSet<RelPath> = self.leaves().collect();
        for (_, life) in self.taken_back() {
            if let (Some(disk), None) = (&life.disk, &life.place) {
                let act = Act::Remove { before: disk.digest };
                draft.push(&disk.path, step(&disk.path, act, vec![whole_change(life)]));
            }
        }
        self.no_clashes()?;
        for (at, life) in self.taken_back() {
            if let (Some(disk), Some(place)) = (&life.disk, &life.place)
                && disk.path != *place
            {
                self.free(gather, draft, &vacated, at)?;
                let act = Act::Rename { to: place.clone(), before: disk.digest };
                let change = Change { undoes: life.undone.clone(), ..Change::default() };
                draft.push(&disk.path, step(&disk.path, act, vec![change]));
            }
        }
        for (_, life) in self.taken_back() {
            if let (Some(disk), Some(place), Some(bytes)) = (&life.disk, &life.place, &life.bytes)
                && life.digest != Some(disk.digest)
            {
                let act = replace(disk, bytes, life);
                let step = step(place, act, changes(life, disk, bytes));
                draft.push(&disk.path, Step { bits: life.other_bits(), ..step });
            } else if let (Some(disk), Some(place), Some(bits)) = (&life.disk, &life.place, life.other_bits())
                && let Some(file) = &disk.file
            {
                let (from, to) = (file.mode & 0o7777, bits.applied_to(file.mode));
                let change = Change { undoes: life.undone_bits.clone(), ..Change::nothing() };
                let act = Act::Mode { before: disk.digest, from, to };
                draft.push(&disk.path, Step { bits: Some(bits), ..step(place, act, vec![change]) });
            }
        }
        for (at, life) in self.taken_back() {
            if let (None, Some(place)) = (&life.disk, &life.place) {
                self.free(gather, draft, &vacated, at)?;
                let fresh = self.fresh(life, place)?;
                if let Fresh::Kept(Kept { id, rewritten: None, .. }) = &fresh {
                    draft.consumed.push(id.clone());
                }
                draft.push(place, step(place, Act::Create(fresh), vec![whole_change(life)]));
            }
        }
        Ok(())
    }

    /// The files of which anything is taken back.
    fn taken_back(&self) -> impl Iterator<Item = (usize, &Life)> {
        let touched =
            |life: &Life| [&life.undone, &life.undone_lines, &life.undone_bits].iter().any(|ids| !ids.is_empty());
        self.files.iter().enumerate().filter(move |(_, life)| touched(life))
    }

    /// Two files that would get the same name.
    fn no_clashes(&self) -> Result<(), Stumble> {
        let mut taken: HashSet<&RelPath> = HashSet::new();
        for (at, life) in self.taken_back() {
            if let Some(place) = &life.place
                && !taken.insert(place)
            {
                return Err(self.occupied(at, life, place));
            }
        }
        Ok(())
    }

    /// The conflict that something else has the name of a file.
    fn occupied(&self, at: usize, life: &Life, place: &RelPath) -> Stumble {
        let Some((batch, told)) = &life.put_by else {
            let change = life.undone.first().map(String::as_str);
            return self.conflict(about(place, change, ConflictReason::Occupied));
        };
        let found = self.in_the_way(at, told, ConflictReason::Occupied);
        conflict(Some(batch), vec![ConflictPlace { path: place.to_string(), ..found }])
    }

    /// The file to restore: the trash entry itself if it holds the wanted version, else its owner and attributes with the
    /// wanted bytes. A link whose entry is gone is made again.
    fn fresh(&self, life: &Life, place: &RelPath) -> Result<Fresh, Stumble> {
        let not_kept = || self.conflict(about(place, life.undone.first().map(String::as_str), ConflictReason::NotKept));
        let mode = life.mode & 0o7777;
        if let Some(target) = &life.target {
            return Ok(Fresh::Link { digest: Digest::of(target), target: target.clone() });
        }
        match (&life.bytes, &life.kept) {
            (Some(bytes), kept) => {
                let (digest, bytes) = (Digest::of(bytes), bytes.clone());
                let Some(kept) = kept else {
                    return Ok(Fresh::File { bytes, digest, mode: Some(mode) });
                };
                let (size, text) = (bytes.len() as u64, Some(bytes.clone()));
                Ok(Fresh::Kept(Kept { digest, size, mode, text, rewritten: Some(bytes), ..kept.clone() }))
            }
            (None, Some(kept)) => {
                let mode = if life.bits_back { life.mode & 0o1777 } else { kept.mode };
                Ok(Fresh::Kept(Kept { mode, ..kept.clone() }))
            }
            (None, None) => Err(not_kept()),
        }
    }

    fn conflict(&self, place: ConflictPlace) -> Stumble {
        conflict(self.batch.as_deref(), vec![place])
    }

    /// Checks that the new name of a file is free or becomes free, and has missing folders made.
    fn free(
        &self,
        gather: &mut Gather<'_>,
        draft: &mut Draft,
        vacated: &HashSet<RelPath>,
        at: usize,
    ) -> Result<(), Stumble> {
        let Some(life) = self.files.get(at) else { return Ok(()) };
        let Some(place) = &life.place else { return Ok(()) };
        if vacated.contains(place) {
            return Ok(());
        }
        if draft.makes(&place.parent()) {
            return Ok(gather.see_in_new_folder(place)?);
        }
        if let Some(in_the_way) = gather.blocked(place) {
            return Err(self.occupied(at, life, &in_the_way));
        }
        gather.see_at(place, Links::Keep, Depth::Hash)?;
        let Seen::Absent { missing, .. } = gather.snapshot.seen(place) else {
            return Err(self.occupied(at, life, place));
        };
        missing.into_iter().for_each(|folder| draft.need(folder));
        Ok(())
    }
}

impl Life {
    /// The permission bits that it gets, where they are not those on the disk.
    fn other_bits(&self) -> Option<Bits> {
        let now = self.disk.as_ref()?.file.as_ref()?.mode & 0o7777;
        (self.bits_back && self.mode != now).then_some(Bits::Exactly(self.mode))
    }
}

fn step(path: &RelPath, act: Act, changes: Vec<Change>) -> Step {
    Step { path: path.clone(), act, changes, wish: 0, bits: None }
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
        undoes: life.undone.iter().chain(&life.undone_lines).chain(&life.undone_bits).cloned().collect(),
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

//! Files that come back: told again from the record with what they were before they went, and looked up where they are
//! kept.

use super::world::{Asleep, Life, Told, World, changes_lines};
use crate::operation::operation;
use crate::past::Past;
use crate::recorded::pieces;
use crate::refused::Stumble;
use crate::trouble::index as failed_index;
use patchwright_core::batch::BatchStatus;
use patchwright_core::history::{RawLines, Tape};
use patchwright_core::outcome::{Operation, Trouble};
use patchwright_core::refusal::ConflictReason;
use patchwright_store::records::FileRecord;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

impl World {
    /// Something new, or something that comes back.
    pub(super) fn created(&mut self, past: &Past<'_>, told: &Rc<Told>) -> Result<usize, Stumble> {
        let file = &told.file;
        let life = match self.coming_back(told) {
            Some(life) => {
                self.wake(past, life, told)?;
                life
            }
            None => match self.at.get(&file.path).copied().filter(|_| operation(file) == Operation::Restore) {
                // An earlier version of what another program has removed.
                Some(life) => {
                    let bytes = past.after_bytes(file)?;
                    self.catch_up(past, life, file.after, bytes.as_ref())?;
                    life
                }
                None => {
                    let mut tape = Tape::new(0);
                    tape.step(&pieces(file));
                    self.born(tape)
                }
            },
        };
        self.put(life, file.path.clone());
        Ok(life)
    }

    /// The file that a record brings back: the one whose removal it takes back, or that a trash entry holds.
    fn coming_back(&self, told: &Told) -> Option<usize> {
        let file = &told.file;
        let dead = |life: &usize| self.files.get(*life).is_some_and(|life| life.place.is_none());
        let undone = file.changes.iter().flat_map(|change| &change.undoes);
        let back = undone.filter_map(|id| self.of_change.get(id).copied()).find(dead);
        back.or_else(|| {
            let all = || told.commit.consumed.iter().chain(&told.commit.also_consumed);
            // Of many that come back with a folder, each knows its own.
            let used_up: Vec<&String> = file.came.as_ref().map_or_else(|| all().collect(), |id| vec![id]);
            let lives = used_up.into_iter().filter_map(|id| self.buried.get(id).copied());
            let same = |life: &usize| self.files.get(*life).is_some_and(|life| life.digest == file.after);
            lives.filter(dead).find(same)
        })
    }

    /// Goes on with a file that comes back. What an undo took back of its lines on the way is taken back here too.
    fn wake(&mut self, past: &Past<'_>, life: usize, told: &Told) -> Result<(), Stumble> {
        let file = &told.file;
        let undone: Vec<(String, Vec<String>)> = self.undone_lines(life, file);
        let Some(one) = self.files.get_mut(life) else { return Ok(()) };
        one.note_state(file);
        if let Some(as_removed) = one.removed_by(file) {
            one.sleep(as_removed);
        }
        if one.blank || one.digest == file.after {
            return Ok(());
        }
        let told_all = undone.iter().all(|(_, ids)| one.tape.take_back(ids).is_ok());
        let lines = past.after_bytes(file)?.map_or(0, |bytes| RawLines::of(&bytes).len());
        if undone.is_empty() || !told_all || one.tape.len() != lines {
            one.tape.forget(lines);
        }
        Ok(())
    }

    /// The changes of a file's lines that a record takes back, by the records that made them, newest first.
    fn undone_lines(&self, life: usize, file: &FileRecord) -> Vec<(String, Vec<String>)> {
        let mut found: Vec<(String, Vec<String>)> = Vec::new();
        let undone: HashSet<&String> = file.changes.iter().flat_map(|change| &change.undoes).collect();
        let told = self.files.get(life).map(|life| life.told.as_slice()).unwrap_or_default();
        for one in told.iter().rev().filter(|one| changes_lines(&one.file)) {
            let ids = one.file.changes.iter().map(|change| &change.id).filter(|id| undone.contains(id));
            let ids: Vec<String> = ids.cloned().collect();
            if !ids.is_empty() {
                found.push((one.file.id.clone(), ids));
            }
        }
        found
    }

    /// What a file was before it came back, if that return is what a record takes back and it has other content by then:
    /// it came back with other content, or what was done to it since is taken back with the return.
    pub(super) fn before_return(&self, life: usize, file: &FileRecord) -> Option<Asleep> {
        let undone = || file.changes.iter().flat_map(|change| &change.undoes);
        let life = self.files.get(life)?;
        let (returned, asleep) = undone().filter_map(|id| Some((id, life.asleep.get(id)?))).next()?;
        if asleep.digest.is_none() || asleep.digest == file.before {
            return None;
        }
        let returned = self.records.get(returned)?;
        if returned.file.after == file.before {
            return Some(asleep.clone());
        }
        let since = life.told.iter().rev().take_while(|one| one.file.id != returned.file.id);
        let mut changes = since.filter(|one| changes_lines(&one.file)).flat_map(|one| &one.file.changes);
        let with_it = changes.all(|change| undone().any(|id| *id == change.id));
        with_it.then(|| Asleep { trash: file.trash.clone(), ..asleep.clone() })
    }

    /// Looks up what comes back from the trash. Where the entry is gone, the version may be had otherwise.
    pub(super) fn open_trash(&mut self, past: &Past<'_>) -> Result<(), Stumble> {
        for life in &mut self.files {
            if life.disk.is_some() || life.place.is_none() || life.undone.is_empty() {
                continue;
            }
            if let Some(id) = &life.trash {
                life.kept = past.session().kept_in_trash(&past.index, id)?;
            }
            let as_kept = life.kept.as_ref().map(|kept| kept.digest);
            if let (None, Some(digest), Some((_, told))) = (&life.bytes, life.digest, &life.put_by)
                && as_kept != Some(digest)
            {
                match told.file.link {
                    true => life.target = past.link_target(&told.file.path, digest)?,
                    false => life.bytes = past.version(told.file.path.as_str(), digest)?,
                }
                // Other bytes than those that were there are worse than none.
                life.kept = life.kept.take().filter(|_| life.bytes.is_some());
            }
        }
        Ok(())
    }

    /// Has a file been left alone since a record, but for changes that were taken back? A change that is only in the
    /// way of itself is none.
    pub(super) fn only_taken_back_since(&self, past: &Past<'_>, at: usize, told: &Told) -> Result<bool, Trouble> {
        let Some(life) = self.files.get(at) else { return Ok(false) };
        let Some((since, later)) = self.done_since(life, told) else { return Ok(false) };
        if life.foreign.iter().any(|after| *after > since) {
            return Ok(false);
        }
        for later in later.into_iter().filter(|later| changes_lines(&later.file)) {
            if self.stands(past, later, life)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Have its permission bits alone been changed since a record, by a change that stands? That one goes first: on a file
    /// that is gone it could never be taken back. What brings back what an undo took away counts as what was done then.
    pub(super) fn bits_set_since(&self, past: &Past<'_>, at: usize, told: &Told) -> Result<bool, Trouble> {
        let Some(life) = self.files.get(at) else { return Ok(false) };
        for one in self.done_by(told) {
            let later = self.done_since(life, one).map(|(_, later)| later).unwrap_or_default();
            for later in later.into_iter().filter(|later| later.file.before == later.file.after) {
                if later.file.mode_after.is_some() && self.stands(past, later, life)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// What a file has become since a record, if it was moved, removed or brought back by changes that stand: those go
    /// first. Else they could never be taken back.
    pub(super) fn went_or_came_since(
        &self,
        past: &Past<'_>,
        at: usize,
        told: &Told,
    ) -> Result<Option<ConflictReason>, Trouble> {
        let Some(life) = self.files.get(at) else { return Ok(None) };
        // What was done again together goes together.
        let together = life.told.iter().filter(|one| one.commit.batch == told.commit.batch);
        let together: Vec<&Rc<Told>> = together.flat_map(|one| self.done_again_by(one)).collect();
        let is_apart = |later: &Rc<Told>| together.iter().all(|one| one.file.id != later.file.id);
        for done in self.done_by(told) {
            let later = self.done_since(life, done).map(|(_, later)| later).unwrap_or_default();
            for later in later.into_iter().filter(|later| !changes_lines(&later.file) && is_apart(later)) {
                if self.stands(past, later, life)? {
                    let reason = match operation(&later.file) {
                        Operation::Move => ConflictReason::Moved,
                        _ if life.place.is_none() => ConflictReason::Gone,
                        _ => ConflictReason::Returned,
                    };
                    return Ok(Some(reason));
                }
            }
        }
        Ok(None)
    }

    /// The records whose doing a record is: itself, or what it did again.
    fn done_by<'t>(&'t self, told: &'t Told) -> Vec<&'t Told> {
        match told.commit.undoes.is_empty() {
            true => vec![told],
            false => self.done_again_by(told).into_iter().map(Rc::as_ref).collect(),
        }
    }

    /// Since when what each of a file's records did stands: since that record, or since the last that did it again. What
    /// was done again together stands in its first order.
    fn ages(&self, life: &Life) -> Vec<(usize, usize)> {
        let mut again: HashMap<&str, usize> = HashMap::new();
        for (at, one) in life.told.iter().enumerate() {
            again.extend(self.done_again_by(one).into_iter().map(|told| (told.file.id.as_str(), at)));
        }
        let age = |(at, one): (usize, &Rc<Told>)| (again.get(one.file.id.as_str()).copied().unwrap_or(at), at);
        life.told.iter().enumerate().map(age).collect()
    }

    /// The records whose doing came to stand after that of one of them; no undos. With them, since when that one stands.
    fn done_since<'a>(&self, life: &'a Life, told: &Told) -> Option<(usize, Vec<&'a Rc<Told>>)> {
        let ages = self.ages(life);
        let at = life.told.iter().position(|one| one.file.id == told.file.id)?;
        let own = *ages.get(at)?;
        let later = life.told.iter().zip(&ages).filter(|(one, age)| one.commit.undoes.is_empty() && **age > own);
        Some((own.0, later.map(|(one, _)| one).collect()))
    }

    /// What a record has done again, by taking back an undo of it.
    fn done_again_by(&self, told: &Told) -> Vec<&Rc<Told>> {
        let undone = |told: &Told| -> Vec<&Rc<Told>> {
            let ids = told.file.changes.iter().flat_map(|change| change.undoes.clone());
            ids.filter_map(|id| self.records.get(&id)).collect()
        };
        let (mut found, mut open) =
            (Vec::new(), undone(told).into_iter().flat_map(|undo| undone(undo)).collect::<Vec<_>>());
        while let Some(again) = open.pop() {
            if again.commit.undoes.is_empty() {
                found.push(again);
            } else {
                open.extend(undone(again).into_iter().flat_map(|undo| undone(undo)));
            }
        }
        found
    }

    /// Does any of a record's changes stand, and is not being taken back?
    pub(super) fn stands(&self, past: &Past<'_>, told: &Told, life: &Life) -> Result<bool, Trouble> {
        let applied = self.applied(past, &told.commit.batch)?;
        let taken =
            |id: &String| [&life.undone, &life.undone_lines, &life.undone_bits].iter().any(|all| all.contains(id));
        Ok(told.file.changes.iter().any(|change| applied.contains(&change.id) && !taken(&change.id)))
    }

    /// The changes of a batch that stand; asked once a batch, since a batch may have very many files.
    fn applied(&self, past: &Past<'_>, batch: &str) -> Result<Rc<HashSet<String>>, Trouble> {
        if let Some(known) = self.applied.borrow().get(batch) {
            return Ok(Rc::clone(known));
        }
        let rows = past.index.changes_of(batch).map_err(failed_index)?;
        let stand = rows.into_iter().filter(|row| row.status == BatchStatus::Applied).map(|row| row.id);
        let stand: Rc<HashSet<String>> = Rc::new(stand.collect());
        self.applied.borrow_mut().insert(batch.to_owned(), Rc::clone(&stand));
        Ok(stand)
    }
}

impl Life {
    /// Keeps what the file is now under the changes of a record.
    pub(super) fn note_state(&mut self, file: &FileRecord) {
        for change in &file.changes {
            let now = self.asleep_now();
            self.asleep.insert(change.id.clone(), now);
        }
    }

    /// What the file was when a removal that a record takes back removed it, if it comes back so.
    fn removed_by(&self, file: &FileRecord) -> Option<Asleep> {
        let undone = file.changes.iter().flat_map(|change| &change.undoes);
        undone.filter_map(|id| self.asleep.get(id)).find(|state| state.digest == file.after).cloned()
    }

    /// As the file was when the last of its records removed it.
    pub(super) fn as_removed(&mut self, file: &FileRecord) {
        let last = self.told.last().is_some_and(|last| last.file.id == file.id);
        let state = file.changes.first().filter(|_| last).and_then(|change| self.asleep.get(&change.id)).cloned();
        if let Some(state) = state {
            self.sleep(state);
        }
    }

    fn asleep_now(&self) -> Asleep {
        let Life { tape, digest, last, trash, mode, blank, .. } = self;
        let (tape, last, trash) = (tape.clone(), last.clone(), trash.clone());
        Asleep { tape, digest: *digest, last, trash, mode: *mode, blank: *blank }
    }

    pub(super) fn sleep(&mut self, as_before: Asleep) {
        let Asleep { tape, digest, last, trash, mode, blank } = as_before;
        (self.tape, self.digest, self.last, self.trash) = (tape, digest, last, trash);
        (self.mode, self.blank) = (mode, blank);
    }
}

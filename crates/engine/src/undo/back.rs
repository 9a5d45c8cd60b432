//! Taking the changes of one batch back, from its last file to its first.

use super::choose::Chosen;
use super::world::{Life, Told, World};
use crate::conflicts::conflict;
use crate::names::of_commit;
use crate::operation::operation;
use crate::past::Past;
use crate::recorded::pieces;
use crate::refused::Stumble;
use patchwright_core::bytes::Bytes;
use patchwright_core::digest::Digest;
use patchwright_core::history::{End, RawLines, Source, check_spans};
use patchwright_core::outcome::{Operation, Trouble};
use patchwright_core::path::RelPath;
use patchwright_core::refusal::{ConflictPlace, ConflictReason};
use patchwright_store::records::FileRecord;
use std::collections::HashMap;
use std::rc::Rc;

type Back = Result<(), Stuck>;

/// By change: what it found, and where the lines that it replaced begin there.
type Sources = HashMap<String, (Bytes, usize)>;

/// Why something cannot be taken back.
enum Stuck {
    /// The files are no longer as the change left them.
    Conflict(Vec<ConflictPlace>),
    /// The machine failed before that could be told.
    Failed(Trouble),
}

impl From<Vec<ConflictPlace>> for Stuck {
    fn from(places: Vec<ConflictPlace>) -> Stuck {
        Stuck::Conflict(places)
    }
}

impl From<Trouble> for Stuck {
    fn from(trouble: Trouble) -> Stuck {
        Stuck::Failed(trouble)
    }
}

impl World {
    /// Takes the changes of one batch back. Later batches that are to be taken back have been already.
    pub(super) fn take_back(&mut self, past: &Past<'_>, chosen: &Chosen) -> Result<(), Stumble> {
        let files = chosen.commits.iter().rev().flat_map(|(_, commit)| commit.files.iter().rev());
        let mut places = Vec::new();
        for file in files {
            let ids: Vec<String> =
                file.changes.iter().map(|change| change.id.clone()).filter(|id| chosen.changes.contains(id)).collect();
            let Some(told) = ids.first().and_then(|id| self.records.get(id)).cloned() else { continue };
            let back = match operation(file) {
                Operation::Create | Operation::Restore => self.uncreate(past, &told, ids),
                Operation::Delete => self.undelete(past, &told, &chosen.id, ids),
                Operation::Move => self.unmove(past, &told, &chosen.id, ids),
                Operation::Update => self.unchange(past, &told, ids),
            };
            match back {
                Ok(()) => {}
                Err(Stuck::Conflict(more)) => places.extend(more),
                Err(Stuck::Failed(trouble)) => return Err(trouble.into()),
            }
        }
        if places.is_empty() { Ok(()) } else { Err(conflict(Some(&chosen.id), places)) }
    }

    fn life_of(&self, id: &str) -> Option<(usize, &Life)> {
        let at = *self.of_change.get(id)?;
        Some((at, self.files.get(at)?))
    }

    fn uncreate(&mut self, past: &Past<'_>, told: &Rc<Told>, ids: Vec<String>) -> Back {
        let file = &told.file;
        let Some((at, life)) = ids.first().and_then(|id| self.life_of(id)) else { return Ok(()) };
        let reason = match &life.place {
            // What another program has removed is gone, as it should be; what a batch removed is that batch's to bring back.
            None if told.commit.undoes.is_empty() => self.went_or_came_since(past, at, told)?,
            None => Some(self.gone(past, at)?),
            Some(place) if *place != file.path => Some(ConflictReason::Moved),
            Some(_) if life.digest != file.after && !self.only_taken_back_since(past, at, told)? => {
                Some(ConflictReason::Changed)
            }
            Some(_) if self.bits_set_since(past, at, told)? => Some(ConflictReason::Changed),
            Some(_) => self.went_or_came_since(past, at, told)?,
        };
        match reason {
            Some(ConflictReason::Changed) => return Err(self.changed_since(past, at, told).into()),
            Some(reason) => return Err(vec![self.in_the_way(at, told, reason)].into()),
            None => {}
        }
        self.settle(at, None, ids);
        Ok(())
    }

    /// Whether the name is free is checked at the end: the file that has it may be removed by the same undo.
    fn undelete(&mut self, past: &Past<'_>, told: &Rc<Told>, batch: &str, ids: Vec<String>) -> Back {
        let file = &told.file;
        let Some((at, life)) = ids.first().and_then(|id| self.life_of(id)) else { return Ok(()) };
        let reason = match &life.place {
            Some(_) => Some(ConflictReason::Returned),
            None => self.went_or_came_since(past, at, told)?,
        };
        if let Some(reason) = reason {
            return Err(vec![self.in_the_way(at, told, reason)].into());
        }
        if let Some(life) = self.files.get_mut(at) {
            life.as_removed(file);
            let digest = life.last.as_ref().and_then(|last| last.file.after).filter(|_| life.bytes.is_none());
            // Nobody may have told of it before it was removed.
            life.digest = life.digest.or(digest).or(file.before);
            life.came_as = life.digest;
            life.trash = life.trash.take().or_else(|| file.trash.clone());
            life.mode = file.mode;
            life.put_by = Some((batch.to_owned(), told.clone()));
        }
        self.settle(at, Some(file.path.clone()), ids);
        Ok(())
    }

    fn unmove(&mut self, past: &Past<'_>, told: &Rc<Told>, batch: &str, ids: Vec<String>) -> Back {
        let file = &told.file;
        let Some((at, life)) = ids.first().and_then(|id| self.life_of(id)) else { return Ok(()) };
        let reason = match &life.place {
            None => Some(self.gone(past, at)?),
            Some(place) if Some(place) != file.to.as_ref() => Some(ConflictReason::Moved),
            Some(_) => self.went_or_came_since(past, at, told)?,
        };
        if let Some(reason) = reason {
            return Err(vec![self.in_the_way(at, told, reason)].into());
        }
        if let Some(life) = self.files.get_mut(at) {
            life.put_by = Some((batch.to_owned(), told.clone()));
        }
        self.settle(at, Some(file.path.clone()), ids);
        Ok(())
    }

    /// Why a file is not there: somebody on record removed it, or another program did. Then the last version on record
    /// can be brought back, if it is kept.
    fn gone(&self, past: &Past<'_>, at: usize) -> Result<ConflictReason, Trouble> {
        let Some(last) = self.files.get(at).and_then(|life| life.told.last()) else { return Ok(ConflictReason::Gone) };
        if operation(&last.file) == Operation::Delete {
            return Ok(ConflictReason::Gone);
        }
        let kept = past.after_bytes(&last.file)?.is_some();
        Ok(ConflictReason::Removed { version: kept.then(|| of_commit(&last.commit)) })
    }

    fn settle(&mut self, at: usize, place: Option<RelPath>, ids: Vec<String>) {
        if let Some(life) = self.files.get_mut(at) {
            life.place = place;
            life.undone.extend(ids);
        }
    }

    fn unchange(&mut self, past: &Past<'_>, told: &Rc<Told>, ids: Vec<String>) -> Back {
        let file = &told.file;
        let Some((at, life)) = ids.first().and_then(|id| self.life_of(id)) else { return Ok(()) };
        if life.place.is_none() {
            return Err(vec![self.in_the_way(at, told, self.gone(past, at)?)].into());
        }
        self.set_bits_back(past, at, told)?;
        let Some((at, life)) = ids.first().and_then(|id| self.life_of(id)) else { return Ok(()) };
        if file.before == file.after {
            if let Some(life) = self.files.get_mut(at) {
                life.undone_bits.extend(ids);
            }
            return Ok(());
        }
        let is_whole = ids.len() == file.changes.len();
        let untouched = life.digest == file.after;
        let Some(before) = past.before_bytes(file)? else {
            return Err(vec![self.in_the_way(at, told, ConflictReason::NotKept)].into());
        };
        let exact = is_whole && untouched;
        if !exact && (life.astray || !separable(past, file, &before)?) {
            return Err(vec![self.in_the_way(at, told, ConflictReason::Inseparable)].into());
        }
        let lost = self.files.get_mut(at).and_then(|life| life.tape.take_back(&ids).err());
        match (lost, exact) {
            (lost, true) => {
                if let Some(life) = self.files.get_mut(at) {
                    life.astray |= lost.is_some();
                }
                self.hold(at, before, ids);
            }
            (None, false) => {
                let (sources, now) = (self.sources(past, at)?, self.at_hand(past, at, told)?);
                let bytes = sources.zip(now).and_then(|(sources, now)| self.assembled(at, &sources, &now));
                let Some(bytes) = bytes else {
                    return Err(vec![self.in_the_way(at, told, ConflictReason::NotKept)].into());
                };
                self.hold(at, bytes, ids);
            }
            (Some(lost), false) => {
                return Err(self.touched(past, at, told, lost)?.into());
            }
        }
        Ok(())
    }

    /// Takes back what a record did to permission bits, keeping what other changes that still stand set and cleared. If
    /// another program has changed them too, only the difference is taken back: permission bits never block an undo.
    fn set_bits_back(&mut self, past: &Past<'_>, at: usize, told: &Told) -> Result<(), Trouble> {
        let Some(after) = told.file.mode_after else { return Ok(()) };
        let set = match told.commit.undoes.is_empty() {
            true => BitsSet { from: self.bits(past, at, Some(&told.file.id))?, to: self.bits(past, at, None)? },
            // What it took back was not always whole changes of bits.
            false => BitsSet { from: told.file.mode, to: after },
        };
        if let Some(life) = self.files.get_mut(at) {
            life.mode = if life.mode == set.to { set.from } else { set.taken_back_from(life.mode) };
            life.bits_back = true;
        }
        Ok(())
    }

    /// The permission bits that result from the changes that stand, without those of one record.
    fn bits(&self, past: &Past<'_>, at: usize, but: Option<&String>) -> Result<u32, Trouble> {
        let Some(life) = self.files.get(at) else { return Ok(0) };
        let sets = |one: &&Rc<Told>| one.commit.undoes.is_empty() && one.file.mode_after.is_some();
        let mut told = life.told.iter().filter(sets).peekable();
        let mut mode = told.peek().map_or(life.mode, |first| first.file.mode);
        for one in told {
            if let Some(after) = one.file.mode_after
                && Some(&one.file.id) != but
                && self.stands(past, one, life)?
            {
                mode = (mode | (after & !one.file.mode)) & !(one.file.mode & !after);
            }
        }
        Ok(mode)
    }

    fn hold(&mut self, at: usize, bytes: Bytes, ids: Vec<String>) {
        if let Some(life) = self.files.get_mut(at) {
            life.digest = Some(Digest::of(&bytes));
            life.bytes = Some(bytes);
            life.undone_lines.extend(ids);
        }
    }

    /// For each change that had replaced lines which come back: what it found, and where those lines begin there.
    /// Nothing if one of them is no longer kept.
    fn sources(&self, past: &Past<'_>, at: usize) -> Result<Option<Sources>, Trouble> {
        let mut sources = Sources::new();
        let Some(life) = self.files.get(at) else { return Ok(None) };
        for line in life.tape.edits().iter().flat_map(|edit| &edit.lines) {
            let Source::Gone { change, .. } = line else { continue };
            if !sources.contains_key(change) {
                let Some((file, first)) = self.replaced_lines(change) else { return Ok(None) };
                let Some(bytes) = past.before_bytes(file)? else { return Ok(None) };
                sources.insert(change.clone(), (bytes, first));
            }
        }
        Ok(Some(sources))
    }

    /// The bytes of a file on disk; of a file that is restored, those that it had when it was removed.
    fn at_hand(&self, past: &Past<'_>, at: usize, told: &Told) -> Result<Option<Bytes>, Trouble> {
        let Some(life) = self.files.get(at) else { return Ok(None) };
        if let Some(disk) = &life.disk {
            return Ok(disk.file.as_ref().and_then(|file| file.bytes.clone()));
        }
        let Some(digest) = life.came_as else { return Ok(None) };
        if let Some(kept) = life.trash.as_ref().map(|id| past.session().kept_in_trash(&past.index, id)).transpose()?
            && let Some(kept) = kept.filter(|kept| kept.digest == digest)
            && kept.text.is_some()
        {
            return Ok(kept.text);
        }
        past.version(told.file.path.as_str(), digest)
    }

    /// A version, put together from the lines at hand and those that changes had replaced.
    fn assembled(&self, at: usize, sources: &Sources, at_hand: &Bytes) -> Option<Bytes> {
        let life = self.files.get(at)?;
        let now = RawLines::of(at_hand);
        let edits = life.tape.edits();
        let split: HashMap<&str, (RawLines<'_>, usize)> =
            sources.iter().map(|(id, (bytes, first))| (id.as_str(), (RawLines::of(bytes), *first))).collect();
        let (mut lines, mut done, mut own_end) = (Vec::new(), 0, None);
        for edit in &edits {
            lines.extend((done..edit.before.first).map(|at| now.raw(at)));
            for line in &edit.lines {
                match line {
                    Source::Kept(at) => lines.push(now.raw(*at)),
                    Source::Gone { change, at } => {
                        let (text, first) = split.get(change.as_str())?;
                        lend_terminator(&mut lines, text, first + at);
                        lines.push(text.raw(first + at));
                        own_end = (first + at + 1 == text.len()).then_some(lines.len());
                    }
                }
            }
            done = edit.before.end();
        }
        lines.extend((done..now.len()).map(|at| now.raw(at)));
        let own_end = own_end == Some(lines.len());
        // A version without lines says nothing of how they end; the one before the change does.
        let source = edits.iter().flat_map(|edit| &edit.lines).find_map(|line| match line {
            Source::Gone { change, .. } => split.get(change.as_str()).map(|(text, _)| text),
            Source::Kept(_) => None,
        });
        let model = source.filter(|_| now.is_empty()).unwrap_or(&now);
        let end = match (own_end, model.ends_in_newline()) {
            (true, _) => End::AsGiven,
            (false, true) => End::Newline,
            (false, false) => End::Bare,
        };
        let like = source.filter(|text| now.len() < 2 && text.len() > 1).unwrap_or(&now);
        Some(Bytes::new(now.joined_like(&lines, end, like)))
    }
}

/// Restores the terminator of a line that had become the last one and lost it, from the version in which the line that
/// now follows it stood there.
fn lend_terminator<'a>(lines: &mut [&'a [u8]], text: &RawLines<'a>, below: usize) {
    let Some(above) = below.checked_sub(1) else { return };
    if let Some(last) = lines.last_mut()
        && text.terminator(last).is_empty()
        && *last == text.text(above)
    {
        *last = text.raw(above);
    }
}

/// Do the changes of a record account for everything that it did to its file, line by line? If the version that it left is
/// no longer kept, the record is trusted.
fn separable(past: &Past<'_>, file: &FileRecord, before: &Bytes) -> Result<bool, Trouble> {
    let after = past.after_bytes(file)?;
    Ok(after.is_none_or(|after| check_spans(before, &after, &pieces(file))))
}

/// A change of permission bits.
struct BitsSet {
    from: u32,
    to: u32,
}

impl BitsSet {
    /// Takes the change back from the bits that a file has now, which were changed again since: clears the execute bits that
    /// it set, and sets those that it cleared for everyone who may read the file, unless some of them are set again already.
    fn taken_back_from(&self, now: u32) -> u32 {
        const RUN: u32 = 0o111;
        let (came, went) = (self.to & !self.from & RUN, self.from & !self.to & RUN);
        let returns = if now & went == 0 { went & (now >> 2) } else { 0 };
        (now & !came) | returns
    }
}

#[cfg(test)]
mod tests {
    use super::BitsSet;

    #[test]
    fn bits_that_others_set_stay() {
        for (from, to, now, want) in [
            (0o604, 0o705, 0o640, 0o640),
            (0o604, 0o705, 0o750, 0o650),
            (0o604, 0o705, 0o711, 0o610),
            (0o644, 0o755, 0o700, 0o600),
            (0o644, 0o755, 0o775, 0o664),
            (0o754, 0o755, 0o700, 0o700),
            (0o755, 0o644, 0o600, 0o700),
            (0o755, 0o644, 0o744, 0o744),
            (0o750, 0o640, 0o644, 0o754),
            (0o755, 0o644, 0o200, 0o200),
        ] {
            assert_eq!(BitsSet { from, to }.taken_back_from(now), want, "{from:o} {to:o} {now:o}");
        }
    }
}

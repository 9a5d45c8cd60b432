//! Conflicts between an undo and later changes: each place, and who changed it.

use super::world::{Life, Told, World};
use crate::conflicts::{Stretch, about, lines_place};
use crate::names::by_id;
use crate::past::Past;
use crate::recorded::whole;
use crate::since::batch;
use crate::trail::{Known, Met, Step, Trail};
use patchwright_core::history::{Lost, RawLines, Span, differences};
use patchwright_core::outcome::Trouble;
use patchwright_core::path::RelPath;
use patchwright_core::refusal::{ConflictPlace, ConflictReason, SinceBatch};

/// At most this many places of a conflict are shown.
const PLACES: usize = 20;

/// At most this many later batches are named.
const NAMED: usize = 3;

impl World {
    /// Where changes of lines cannot be taken back, because others changed them since.
    pub(super) fn touched(
        &self,
        past: &Past<'_>,
        at: usize,
        told: &Told,
        lost: Vec<Lost>,
    ) -> Result<Vec<ConflictPlace>, Trouble> {
        let after = past.after_bytes(&told.file)?.unwrap_or_default();
        let Some(life) = self.files.get(at) else { return Ok(Vec::new()) };
        let disk = life.disk.as_ref().and_then(|disk| disk.file.as_ref());
        let bytes = disk.and_then(|file| file.bytes.clone()).unwrap_or_default();
        let from = Known { digest: told.file.after, bytes: &after };
        let now = Known { digest: life.disk.as_ref().map(|disk| disk.digest), bytes: &bytes };
        let trail = Trail::new(past, from, now, since(life, told), &life.undone_lines);
        let place = |lost: Lost| match lost {
            Lost::Touched { change, now } => touched_lines(&trail, told, &change, now),
            Lost::Shared { change, others } => {
                let shared = ConflictReason::Shared(by_id(&others));
                ConflictPlace { change: Some(change.into()), ..self.in_the_way(at, told, shared) }
            }
            Lost::Unknown { change } => {
                ConflictPlace { change: Some(change.into()), ..self.in_the_way(at, told, ConflictReason::Inseparable) }
            }
        };
        let by = self.later(at, told);
        let name =
            |place: ConflictPlace| ConflictPlace { path: self.name_of(at, told).to_string(), by: by.clone(), ..place };
        Ok(lost.into_iter().map(place).map(name).collect())
    }

    /// Where a file is no longer what a record left.
    pub(super) fn changed_since(&self, past: &Past<'_>, at: usize, told: &Told) -> Vec<ConflictPlace> {
        let whole = || vec![self.in_the_way(at, told, ConflictReason::Changed)];
        let Some(life) = self.files.get(at) else { return whole() };
        let disk = life.disk.as_ref().and_then(|disk| disk.file.as_ref());
        let (Some(now), Ok(Some(left))) = (disk.and_then(|file| file.bytes.clone()), past.after_bytes(&told.file))
        else {
            return whole();
        };
        let digest = life.disk.as_ref().map(|disk| disk.digest);
        let from = Known { digest: told.file.after, bytes: &left };
        let trail = Trail::new(past, from, Known { digest, bytes: &now }, since(life, told), &life.undone_lines);
        let (now, left) = (RawLines::of(&now), RawLines::of(&left));
        let change = told.file.changes.first().map(|change| change.id.as_str());
        let places: Vec<ConflictPlace> = differences(&left, &now)
            .into_iter()
            .take(PLACES)
            .map(|(was, is)| {
                let (path, by) = (self.name_of(at, told).to_string(), self.later(at, told));
                let Met { by: line_by, line, .. } = trail.different(was, is);
                let (was, is) = (Stretch { text: &left, span: was }, Stretch { text: &now, span: is });
                let place = lines_place(&told.file, change, ConflictReason::Changed, was, is);
                ConflictPlace { path, by, line_by, line, ..place }
            })
            .collect();
        if places.is_empty() { whole() } else { places }
    }

    pub(super) fn in_the_way(&self, at: usize, told: &Told, reason: ConflictReason) -> ConflictPlace {
        let change = told.file.changes.first().map(|change| change.id.as_str());
        ConflictPlace { by: self.later(at, told), ..about(self.name_of(at, told), change, reason) }
    }

    /// What a file is called now, or was when it was last there.
    fn name_of<'a>(&'a self, at: usize, told: &'a Told) -> &'a RelPath {
        let Some(life) = self.files.get(at) else { return &told.file.path };
        let last = life.told.last().map_or(&told.file, |last| &last.file);
        life.place.as_ref().unwrap_or_else(|| last.to.as_ref().unwrap_or(&last.path))
    }

    /// The batches that changed a file after a record, newest first.
    fn later(&self, at: usize, told: &Told) -> Vec<SinceBatch> {
        let Some(life) = self.files.get(at) else { return Vec::new() };
        let after = life.told.iter().rev().take_while(|one| one.file.id != told.file.id);
        let mut batches: Vec<SinceBatch> = Vec::new();
        for one in after {
            let commit = &one.commit;
            if batches.iter().any(|known| known.batch.id == commit.batch) {
                continue;
            }
            batches.push(batch(commit, one.file.to.as_ref().unwrap_or(&one.file.path)));
            if batches.len() == NAMED {
                break;
            }
        }
        batches
    }
}

/// The records of a file after one of them, oldest first.
fn since<'a>(life: &'a Life, told: &Told) -> Vec<Step<'a>> {
    let behind = life.told.iter().position(|one| one.file.id == told.file.id).map_or(life.told.len(), |at| at + 1);
    life.told.iter().skip(behind).map(|one| Step::of_file(&one.commit, &one.file)).collect()
}

/// The lines of a change that others touched, and who.
fn touched_lines(trail: &Trail<'_>, told: &Told, change: &str, now: Span) -> ConflictPlace {
    let was = brought(told, change);
    let Met { by: line_by, line, moved } = trail.touched(was, now);
    let (before, after) = (trail.lines_before(), trail.lines_now());
    let was = Stretch { text: &before, span: was };
    let is = Stretch { text: &after, span: moved.unwrap_or(now) };
    ConflictPlace { line_by, line, ..lines_place(&told.file, Some(change), ConflictReason::Touched, was, is) }
}

/// The lines that a change left.
fn brought(told: &Told, change: &str) -> Span {
    let record = told.file.changes.iter().find(|one| one.id == change);
    record.map_or(Span::default(), |record| Span {
        first: whole(record.after.0).saturating_sub(1),
        count: whole(record.after.1),
    })
}

//! One record of a file, by what it did to the lines.

use crate::recorded::pieces;
use patchwright_core::history::{Piece, Restored, Span};
use patchwright_core::path::RelPath;
use patchwright_store::records::{Commit, FileRecord};
use std::collections::BTreeMap;

/// A record of a file.
pub(crate) struct Step<'a> {
    pub(super) commit: &'a Commit,
    pub(super) file: &'a FileRecord,
    pub(super) turn: Turn,
}

/// What it did to the lines.
pub(super) enum Turn {
    /// Nothing: the file got another name, or other permission bits.
    Kept,
    /// The file came.
    Came,
    /// The file went.
    Went,
    /// Some of them became others, in the order of the lines.
    Changed(Vec<Part>),
}

/// Lines that became others.
pub(super) struct Part {
    /// The changes, which are one under several ids.
    pub(super) ids: Vec<String>,
    pub(super) before: Span,
    pub(super) after: Span,
    pub(super) restores: Vec<Restored>,
}

/// Where a line is in another version.
pub(super) enum Place {
    /// There, as it was.
    Same(usize),
    /// Among the lines of this part that became others, so far behind the first.
    Inside {
        /// Which part.
        part: usize,
        /// How far behind its first line.
        offset: usize,
    },
}

impl<'a> Step<'a> {
    /// A record of a file, whatever it is called.
    pub(crate) fn of_file(commit: &'a Commit, file: &'a FileRecord) -> Step<'a> {
        let turn = match (file.before, file.after) {
            _ if file.to.is_some() => Turn::Kept,
            (None, _) => Turn::Came,
            (_, None) => Turn::Went,
            (before, after) if before == after => Turn::Kept,
            _ => Turn::Changed(parts(file)),
        };
        Step { commit, file, turn }
    }

    /// A record of whatever has a name; nothing if it is about others.
    pub(crate) fn of_name(commit: &'a Commit, file: &'a FileRecord, name: &RelPath) -> Option<Step<'a>> {
        match &file.to {
            _ if file.is_idle() => None,
            Some(to) if to == name => Some(Step { commit, file, turn: Turn::Came }),
            Some(_) if file.path == *name => Some(Step { commit, file, turn: Turn::Went }),
            None if file.path == *name => Some(Step::of_file(commit, file)),
            _ => None,
        }
    }

    /// The parts of it.
    pub(super) fn parts(&self) -> &[Part] {
        match &self.turn {
            Turn::Changed(parts) => parts,
            _ => &[],
        }
    }

    /// Its changes.
    pub(super) fn ids(&self) -> Vec<String> {
        self.file.changes.iter().map(|change| change.id.clone()).collect()
    }
}

impl Part {
    /// The change that had removed a line which this brings back, and which of its lines that was.
    pub(super) fn restored(&self, offset: usize) -> Option<(&str, usize)> {
        let back = self.restores.iter().find(|back| offset >= back.at && offset - back.at < back.count)?;
        Some((&back.change, back.from.saturating_add(offset - back.at)))
    }
}

/// Pieces with equal lines are one.
fn parts(file: &FileRecord) -> Vec<Part> {
    let mut parts: BTreeMap<[usize; 4], Part> = BTreeMap::new();
    for Piece { id, before, after, restores } in pieces(file) {
        if before.count == 0 && after.count == 0 {
            continue;
        }
        let place = [before.first, after.first, before.count, after.count];
        let part = parts.entry(place).or_insert(Part { ids: Vec::new(), before, after, restores });
        part.ids.push(id);
    }
    parts.into_values().collect()
}

/// Where a line is, past lines that became others: these in order.
pub(super) fn follow(spans: impl Iterator<Item = (Span, Span)>, line: usize) -> Place {
    let mut shifted = line;
    for (part, (from, to)) in spans.enumerate().take_while(|(_, (from, _))| from.first <= line) {
        if line < from.end() {
            return Place::Inside { part, offset: line - from.first };
        }
        shifted = shifted.saturating_add(to.count).saturating_sub(from.count);
    }
    Place::Same(shifted)
}

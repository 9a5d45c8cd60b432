//! Changes of whole lines by their numbers, applied together.
//!
//! Promises that lines nobody names stay byte for byte, that new lines end as those in their place did, and that
//! the file goes on ending as it did, or ends as it is asked to. Leaves holding the changes against the file to `dialect::lines`.

use super::edits::Edited;
use super::placed::{self, Placed};
use super::snapshot::SnapshotFile;
use super::unseen::lossy;
use super::{Change, ending, unseen};
use crate::intent::{ExactEdit, LineChange, LineDeed, Occurrences};
use crate::path::RelPath;
use crate::refusal::Refusal;
use crate::text::encoding::Charset;
use crate::text::{Document, FinalNewline, LineIndex, Splices, TextProblem};
use crate::warning::Warning;

pub(super) fn edit(
    path: &RelPath,
    file: &SnapshotFile,
    changes: &[LineChange],
    charset: Option<Charset>,
    last: FinalNewline,
) -> Result<Edited, Refusal> {
    let raw = file.bytes.clone().unwrap_or_default();
    let refused = |problem| Refusal::of_text(path, charset, problem);
    let document = Document::open(&raw[..], charset).map_err(refused)?;
    let index = LineIndex::of(document.text());
    let placed = placed(changes);
    let outside = || refused(TextProblem::OutOfBounds);
    let mut parts = placed::splices(&index, &placed).ok_or_else(outside)?;
    let ended = ending::settle(&index, &placed, &mut parts, last);
    let mut warnings = warnings(path, &document, changes);
    warnings.extend(ending::not_without(path, document.text(), &parts, last));
    let splices = Splices::new(parts).map_err(|_| outside())?;
    let bytes = document.rewrite_shared(&raw, splices).map_err(refused)?;
    let mut told = named(&placed, changes);
    if let Some(ended) = ended {
        let below = told.iter().position(|change| change.before_line > ended.before_line);
        told.insert(below.unwrap_or(told.len()), ended);
    }
    Ok(Edited { bytes, changes: told, warnings })
}

/// In the order of the text: of changes that begin at one place, inserts first and in the order of the call.
fn placed(changes: &[LineChange]) -> Vec<Placed<'_>> {
    let mut all: Vec<Placed<'_>> = changes.iter().enumerate().map(|(index, change)| one(index, change)).collect();
    all.sort_by_key(|one| (one.span.start, !one.span.is_empty(), one.index));
    all
}

fn one(index: usize, change: &LineChange) -> Placed<'_> {
    Placed {
        index,
        span: change.span.clone(),
        lines: &change.lines,
        deed: if change.span.is_empty() { LineDeed::InsertBefore } else { LineDeed::Replace },
        correction: None,
    }
}

/// The record of each change, with what its author calls it.
fn named(placed: &[Placed<'_>], changes: &[LineChange]) -> Vec<Change> {
    let records = placed::changes(placed).into_iter().zip(changes);
    records
        .map(|(record, asked)| Change {
            key: asked.key.clone(),
            description: asked.description.clone(),
            marks: asked.marks.clone(),
            ..record
        })
        .collect()
}

fn warnings(path: &RelPath, document: &Document<'_>, changes: &[LineChange]) -> Vec<Warning> {
    let mut warnings: Vec<Warning> = document.is_lossy().then(|| lossy(path)).into_iter().collect();
    let plain = |line: &&String| line.bytes().all(|byte| (0x20..0x7f).contains(&byte));
    // Brought by a line or by an exact edit, hidden characters are the same.
    let edit = |new: &String| ExactEdit { old: String::new(), new: new.clone(), occurrences: Occurrences::All };
    let lines = changes.iter().flat_map(|change| &change.lines);
    let edits: Vec<ExactEdit> = lines.filter(|line| !plain(line)).map(edit).collect();
    warnings.extend(unseen::in_edits(path, &edits, document.text()));
    warnings
}

//! Hunks of whole lines: each is found in the file as the earlier ones left it, exactly once.
//!
//! Promises that two candidates are a refusal, that only lines a hunk removes or adds are changed, and
//! near-linear time in file and hunks together. One hunk in a big file copies nothing of it. Leaves reading
//! patches to the dialects, and the choice of files to its caller.

mod apply;
mod find;
mod finish;
mod index;
mod overlap;
mod place;
mod refuse;
mod roll;
#[cfg(test)]
mod tests;
mod walk;

use super::build::lossy;
use super::edits::Edited;
use super::snapshot::SnapshotFile;
use super::{spans, unseen};
use crate::intent::{ExactEdit, Hunk, HunkLine, Occurrences};
use crate::path::RelPath;
use crate::refusal::Refusal;
use crate::text::encoding::Charset;
use crate::text::{Document, Splices, TextProblem};
use crate::warning::Warning;
use refuse::Desk;
use roll::{Roll, Way};

/// Up to so many hunks the text is looked through for each, which needs no preparation.
const FEW: usize = 8;

pub(super) fn patch(
    path: &RelPath,
    file: &SnapshotFile,
    hunks: &[Hunk],
    charset: Option<Charset>,
) -> Result<Edited, Refusal> {
    let way = if hunks.len() > FEW { Way::Indexed } else { Way::Through };
    patch_by(way, (path, file), hunks, charset)
}

fn patch_by(
    way: Way,
    (path, file): (&RelPath, &SnapshotFile),
    hunks: &[Hunk],
    charset: Option<Charset>,
) -> Result<Edited, Refusal> {
    let raw = file.bytes.clone().unwrap_or_default();
    let refused = |problem| Refusal::of_text(path, charset, problem);
    let document = Document::open(&raw[..], charset).map_err(refused)?;
    let desk = Desk { path, hunks, document: &document };
    let mut roll = Roll::of(document.text(), way);
    for (number, hunk) in hunks.iter().enumerate() {
        match roll.place(hunk) {
            Ok(place) => roll.apply(number, hunk, place),
            Err(miss) => return Err(desk.refusal(roll, number, miss)),
        }
    }
    let mut finished = roll.finish(hunks.len());
    drop(roll);
    spans::settle(&mut finished.changes);
    let splices = Splices::new(finished.splices).map_err(|_| refused(TextProblem::OutOfBounds))?;
    let bytes = document.rewrite_shared(&raw, splices).map_err(refused)?;
    Ok(Edited { bytes, changes: finished.changes, warnings: warnings(path, hunks, &document) })
}

fn warnings(path: &RelPath, hunks: &[Hunk], document: &Document<'_>) -> Vec<Warning> {
    let added = hunks.iter().flat_map(|hunk| &hunk.lines).filter_map(|line| match line {
        HunkLine::Add(text) if !text.bytes().all(|byte| (0x20..0x7f).contains(&byte)) => Some(text.clone()),
        _ => None,
    });
    // Brought by a hunk or by an exact edit, hidden characters are the same.
    let edit = |new| ExactEdit { old: String::new(), new, occurrences: Occurrences::All };
    let edits: Vec<ExactEdit> = added.map(edit).collect();
    let mut warnings: Vec<Warning> = document.is_lossy().then(|| lossy(path)).into_iter().collect();
    warnings.extend(unseen::in_edits(path, &edits, document.text()));
    warnings
}

//! Hunks of whole lines: each is found in the file as the earlier ones left it, exactly once.
//!
//! Promises that two candidates are a refusal, that only lines a hunk removes or adds are changed, and
//! near-linear time in file and hunks together. One hunk in a big file copies nothing of it. Leaves reading
//! patches to the dialects, and the choice of files to its caller.

mod apply;
mod block;
mod ends;
mod find;
mod finish;
mod index;
mod overlap;
mod place;
mod refuse;
mod roll;
mod scope;
mod sections;
#[cfg(test)]
mod tests;
mod walk;

use super::edits::Edited;
use super::snapshot::SnapshotFile;
use super::unseen::lossy;
use super::{spans, unseen};
use crate::digest::Digest;
use crate::intent::{ExactEdit, Hunk, HunkLine, Occurrences};
use crate::path::RelPath;
use crate::refusal::{HunkRef, Misfit, Refusal, Why};
use crate::text::encoding::Charset;
use crate::text::{Document, Splices, TextProblem, lines};
use crate::warning::Warning;
use refuse::Desk;
use roll::{Roll, Way};
pub(super) use sections::patch;
use std::sync::Arc;

/// The text that hunks make of a new one.
pub fn patched_text(path: &RelPath, text: &str, hunks: &[Hunk]) -> Result<String, Refusal> {
    if hunks.is_empty() {
        return Ok(text.to_owned());
    }
    let bytes = text.as_bytes().to_vec();
    let (digest, size) = (Digest::of(&bytes), bytes.len() as u64);
    let bytes = Some(Arc::new(bytes));
    let file = SnapshotFile { real: path.clone(), bytes, digest, size, mode: 0, id: (0, 0) };
    let edited = patch(path, &file, hunks, Some(Charset::Utf8))?;
    Ok(String::from_utf8_lossy(&edited.bytes.whole()).into_owned())
}

/// Refuses hunks that do not take away everything that a file holds. `at` is the line of the patch that says so.
pub fn check_emptied(
    path: &RelPath,
    file: &SnapshotFile,
    hunks: &[Hunk],
    charset: Option<Charset>,
    at: usize,
) -> Result<(), Refusal> {
    let edited = patch(path, file, hunks, charset)?;
    let bytes = edited.bytes.whole();
    let left = Document::open(&bytes[..], charset).map_err(|problem| Refusal::of_text(path, charset, problem))?;
    match lines(left.text()).count() {
        0 => Ok(()),
        count => {
            let hunk = HunkRef { index: 0, at };
            Err(Refusal::at(path, Why::HunkMisfit { hunk, misfit: Misfit::LinesLeft(count) }))
        }
    }
}

/// The file that hunks are for, by the path that the call gives, and the charset that it is read in.
#[derive(Clone, Copy)]
struct Target<'a> {
    path: &'a RelPath,
    file: &'a SnapshotFile,
    charset: Option<Charset>,
}

/// `left` says how many lines may be read to find places.
fn patch_by(way: Way, target: Target<'_>, hunks: &[Hunk], left: &mut usize) -> Result<Edited, Refusal> {
    let Target { path, file, charset } = target;
    let raw = file.bytes.clone().unwrap_or_default();
    let refused = |problem| Refusal::of_text(path, charset, problem);
    let document = Document::open(&raw[..], charset).map_err(refused)?;
    let desk = Desk { path, hunks, document: &document };
    let mut roll = Roll::of(path.as_str(), document.text(), way);
    // A section takes the text apart and puts it together again.
    roll.left.set(left.saturating_sub(document.text().len() / 8));
    for (number, hunk) in hunks.iter().enumerate() {
        match roll.place(hunk) {
            Ok(place) => match roll.ends_otherwise(hunk, place) {
                Some(misfit) => return Err(desk.misfit(number, misfit)),
                None => roll.apply(number, hunk, place),
            },
            Err(miss) => return Err(desk.refusal(roll, number, miss)),
        }
    }
    *left = roll.left.get();
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

//! What an undo came to, or a proposal that was applied or dropped, worded line by line.

use super::rows::{Row, diffs, files, listed_names, names};
use super::{extent, only_shown};
use patchwright_core::outcome::{BatchStatus, Extent, Settled};

pub(super) fn rows(settled: &Settled) -> Vec<Row> {
    let mut rows = vec![Row::Summary(sum(settled))];
    let mut note = |words: Option<String>| rows.extend(words.map(Row::Note));
    note((!settled.dropped.is_empty()).then(|| format!("dropped: change {}", listed_names(&settled.dropped))));
    if is_rejection(settled) {
        return rows;
    }
    if only_shown(settled) {
        rows.extend(settled.files.iter().map(|file| Row::Part(names(file.operation, &file.path, file.to.as_deref()))));
        rows.extend(diffs(&settled.files));
    } else {
        rows.extend(files(&settled.files));
    }
    rows
}

/// Was a proposal dropped? A dry run leaves it as it stands, and has nothing else to show.
pub(super) fn is_rejection(settled: &Settled) -> bool {
    let nothing = settled.files.is_empty() && settled.changes.is_empty() && settled.undone.is_empty();
    settled.status == BatchStatus::Rejected || (settled.extent == Extent::Dry && nothing)
}

/// One line of summary.
fn sum(settled: &Settled) -> String {
    let id = settled.batch.as_ref().map(ToString::to_string).unwrap_or_default();
    let what = extent(&settled.files);
    let undone = listed_names(&settled.undone);
    let batches = if settled.undone.len() == 1 { "batch" } else { "batches" };
    let carried = if settled.rebased { ", carried over to files that had changed since it was proposed" } else { "" };
    match (settled.undone.is_empty(), is_rejection(settled), settled.extent) {
        (_, _, Extent::Unchanged) => "There is nothing to do; nothing was changed".to_owned(),
        (true, true, Extent::Dry) => format!("Would reject batch {id} (dry run: nothing was changed)"),
        (true, true, _) => format!("Rejected batch {id}; no file was changed"),
        (true, _, Extent::Dry) => {
            format!("Would apply batch {id}: {what}{carried} (dry run: nothing was changed)")
        }
        (true, _, _) => format!("Applied batch {id}: {what}{carried}"),
        (false, _, Extent::Done) if settled.files.is_empty() => {
            format!("Took back {batches} {undone}: no file had to change; batch {id}")
        }
        (false, _, Extent::Dry) => format!("Would take back {batches} {undone}: {what} (dry run: nothing was changed)"),
        (false, _, _) => format!("Took back {batches} {undone}: {what}; batch {id}"),
    }
}

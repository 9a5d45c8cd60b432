//! Batches, changes and the origin of lines. `fields` gives them as JSON, `told` as the text that a model reads. What people see is
//! in `report::people`.

mod fields;
mod rows;
mod settled;
mod told;

pub(super) use rows::about;

use super::amounts::many;
use super::telling::Telling;
use patchwright_core::outcome::{Answer, Extent, FilePatchView, Settled};
use serde_json::{Value, json};

/// Of all diffs together no more than this much is shown; each file has its own.
const SHOWN: usize = 64 * 1024;

/// The data of an answer about history.
pub(super) fn data(answer: &Answer) -> Value {
    match answer {
        Answer::Batches(list) => fields::batches(list),
        Answer::Batch(view) => fields::batch(view),
        Answer::Settled(settled) => fields::settled(settled),
        Answer::Explained(explained) => fields::explained(explained),
        _ => json!({}),
    }
}

/// For a model: a summary line, and the payload.
pub(super) fn told(answer: &Answer, tell: &Telling<'_>) -> (String, String) {
    match answer {
        Answer::Batches(list) => told::batches(list),
        Answer::Batch(view) => told::batch(view, tell),
        Answer::Settled(settled) => told::settled(settled, tell),
        Answer::Explained(explained) => told::explained(explained),
        _ => (String::new(), String::new()),
    }
}

/// The diffs of all files up to a limit; a diff is shown whole or not at all.
struct Joined {
    text: String,
    /// How many are left out.
    left_out: usize,
    /// Is any of those shown cut?
    cut: bool,
}

fn joined(files: &[FilePatchView]) -> Joined {
    let mut joined = Joined { text: String::new(), left_out: 0, cut: false };
    for file in files {
        if joined.text.len().saturating_add(file.diff.len()) > SHOWN && !joined.text.is_empty() {
            joined.left_out += 1;
        } else {
            joined.text.push_str(&file.diff);
            joined.cut |= file.diff_cut;
        }
    }
    joined
}

/// Is it an undo that was not made?
fn only_shown(settled: &Settled) -> bool {
    settled.batch.is_none() && settled.extent == Extent::Dry
}

/// So many files and folders with so many changes.
fn extent(files: &[FilePatchView]) -> String {
    let changes = files.iter().map(|file| file.changes.len()).sum();
    let folders = files.iter().filter(|file| file.holds.is_some()).count();
    let plain = files.len().saturating_sub(folders);
    let (plain_told, folders_told) = (many(plain, "file", "files"), many(folders, "folder", "folders"));
    let what = match (plain, folders) {
        (_, 0) => plain_told,
        (0, _) => folders_told,
        _ => format!("{plain_told} and {folders_told}"),
    };
    format!("{what}, {}", many(changes, "change", "changes"))
}

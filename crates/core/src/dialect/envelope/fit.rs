//! Tries out whether changes of whole lines give the bytes that are wanted.
//!
//! Sections say nothing about terminators: new lines take those of their place. So some changes cannot
//! be written, and the plain way to know is to make them. Leaves finding the place of a hunk to `window`.

use crate::diff::script::Change;
use crate::text::{Document, FinalNewline, LineIndex, Splices, replace_lines};

/// Whether the changes turn the first document into the second, byte for byte.
pub(super) fn fits(
    before: &Document<'_>,
    after: &Document<'_>,
    changes: &[Change],
    new: &[&[u8]],
    ending: FinalNewline,
) -> bool {
    let index = LineIndex::of(before.text());
    let splice = |change: &Change| replace_lines(&index, change.old.clone(), new.get(change.new.clone())?, ending);
    let splices: Option<Vec<_>> = changes.iter().map(splice).collect();
    let made = splices.and_then(|splices| Splices::new(splices).ok());
    made.and_then(|edit| before.rewrite(&edit).ok()).is_some_and(|bytes| bytes == after.raw())
}

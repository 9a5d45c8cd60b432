//! What stands in the way of a proposal or an undo, place by place.

use crate::refused::Stumble;
use patchwright_core::batch::BatchStatus;
use patchwright_core::history::{RawLines, Span};
use patchwright_core::path::RelPath;
use patchwright_core::refusal::{Conflict, ConflictPlace, ConflictReason, LineBy, Refusal, Why};
use patchwright_store::records::FileRecord;

/// So many lines of each side are shown.
const LINES: usize = 12;

/// A refusal for everything that stands in the way.
pub(crate) fn conflict(batch: Option<&str>, places: Vec<ConflictPlace>) -> Stumble {
    let path = places.first().map(|place| place.path.clone()).filter(|path| !path.is_empty());
    let why = Why::Conflict(Box::new(Conflict { batch: batch.map(|id| id.to_owned().into()), places }));
    Refusal { path, why, since: None }.into()
}

/// A conflict about a file as a whole.
pub(crate) fn about(path: &RelPath, change: Option<&str>, reason: ConflictReason) -> ConflictPlace {
    ConflictPlace { path: path.to_string(), change: change.map(|id| id.to_owned().into()), ..nowhere(reason) }
}

/// A conflict about a file on record, by its first change.
pub(crate) fn place(file: &FileRecord, reason: ConflictReason) -> ConflictPlace {
    about(&file.path, file.changes.first().map(|change| change.id.as_str()), reason)
}

/// A batch that does not stand as it must for this.
pub(crate) fn standing(batch: &str, status: BatchStatus) -> Refusal {
    of_batch(batch, ConflictReason::Status(status))
}

/// A purge, of which nothing can come back.
pub(crate) fn nothing_left(batch: &str) -> Refusal {
    of_batch(batch, ConflictReason::Final)
}

fn of_batch(batch: &str, reason: ConflictReason) -> Refusal {
    let conflict = Conflict { batch: Some(batch.to_owned().into()), places: vec![nowhere(reason)] };
    Refusal::plain(Why::Conflict(Box::new(conflict)))
}

/// A reason without a file.
fn nowhere(reason: ConflictReason) -> ConflictPlace {
    ConflictPlace {
        path: String::new(),
        change: None,
        reason,
        lines: None,
        expected: Vec::new(),
        actual: Vec::new(),
        by: Vec::new(),
        line_by: LineBy::Unknown,
        line: None,
    }
}

/// A place with its lines, as they should be and as they are.
pub(crate) fn lines_place(
    file: &FileRecord,
    change: Option<&str>,
    reason: ConflictReason,
    was: Stretch<'_>,
    is: Stretch<'_>,
) -> ConflictPlace {
    let first = is.span.first + 1;
    let lines = Some((first, is.span.end().max(first)));
    let (expected, actual) = (was.shown(), is.shown());
    ConflictPlace { change: change.map(|id| id.to_owned().into()), lines, expected, actual, ..place(file, reason) }
}

/// Some lines of a version.
#[derive(Clone, Copy)]
pub(crate) struct Stretch<'a> {
    pub(crate) text: &'a RawLines<'a>,
    pub(crate) span: Span,
}

impl Stretch<'_> {
    /// Its bytes, with the byte order mark that the text begins with.
    pub(crate) fn bytes(self) -> Vec<u8> {
        let Stretch { text, span } = self;
        let lines: Vec<&[u8]> = (span.first..span.end().min(text.len())).map(|at| text.raw(at)).collect();
        [text.mark(), &lines.concat()].concat()
    }

    /// The lines for people, not too many.
    fn shown(self) -> Vec<String> {
        let Stretch { text, span } = self;
        (span.first..span.end().min(text.len())).take(LINES).map(|at| text.shown(at)).collect()
    }
}

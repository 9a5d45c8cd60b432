//! Answers about what was done: batches, their changes, and who wrote which line.

use super::{Concurrency, Extent, Holds, Operation};
use crate::batch::{Author, BatchName, BatchStatus, ChangeName};
use crate::digest::Digest;
use crate::intent::ChangeMarks;
use crate::text::Cut;

/// A batch in a list.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchSummary {
    /// Its name.
    pub name: BatchName,
    /// The caller's key for it.
    pub key: Option<String>,
    /// The caller's words for it.
    pub label: Option<String>,
    /// The tool that made it.
    pub tool: String,
    /// Who made it.
    pub author: Author,
    /// Where it stands.
    pub status: BatchStatus,
    /// Its files.
    pub files: Vec<BatchPath>,
    /// How many changes it has.
    pub changes: usize,
    /// How many lines they bring.
    pub added: u64,
    /// How many lines go.
    pub removed: u64,
    /// The batches it takes back, if it is an undo.
    pub undoes: Vec<BatchName>,
    /// Who accepted it and when, of a proposal that was applied.
    pub applied: Option<Author>,
    /// The undo batches that took back any of it and stand.
    pub undone_by: Vec<BatchName>,
}

/// A file of a batch in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchPath {
    /// What was done.
    pub operation: Operation,
    /// Its name before; of something new, its name.
    pub path: String,
    /// Its new name, if it was moved.
    pub to: Option<String>,
}

/// Batches, newest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BatchList {
    /// The batches.
    pub batches: Vec<BatchSummary>,
    /// The session that asked.
    pub asked_by: String,
    /// Where the next page begins, if there is one.
    pub next_cursor: Option<String>,
}

/// A stored batch with all its changes.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchView {
    /// What a list tells of it.
    pub summary: BatchSummary,
    /// Was it applied on moved ground?
    pub rebased: bool,
    /// Its files.
    pub files: Vec<FilePatchView>,
    /// Is it only a part of the batch: the one change that was asked for?
    pub one: bool,
    /// Where the next page begins, if there is one.
    pub next_cursor: Option<String>,
}

/// What a batch did to one file.
#[derive(Clone, Debug, PartialEq)]
pub struct FilePatchView {
    /// Its id.
    pub id: String,
    /// The caller's key for it.
    pub key: Option<String>,
    /// The caller's words for it.
    pub label: Option<String>,
    /// The name under which a line patch knows it.
    pub doc_path: Option<String>,
    /// What was done.
    pub operation: Operation,
    /// Its name before; of something new, its name.
    pub path: String,
    /// Its new name, if it was moved.
    pub to: Option<String>,
    /// Hash before.
    pub before: Option<Digest>,
    /// Hash after.
    pub after: Option<Digest>,
    /// What it holds, if it is a folder.
    pub holds: Option<Holds>,
    /// Unified diff; where one change was asked for, of that.
    pub diff: String,
    /// Was it cut?
    pub diff_cut: bool,
    /// The changes.
    pub changes: Vec<ChangeView>,
}

/// One change of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangeView {
    /// Its name; without an id where nothing is stored.
    pub name: ChangeName,
    /// The caller's key for it.
    pub key: Option<String>,
    /// `insert`, `replace`, `delete` of lines; `create`, `delete`, `move`, `restore` of a file.
    pub operation: String,
    /// Why, in the caller's words.
    pub description: Option<String>,
    /// Where it stands.
    pub status: BatchStatus,
    /// First line before, from 1, and the lines; nothing if they are no longer kept.
    pub before: ChangeLines,
    /// First line after, from 1, and the lines.
    pub after: ChangeLines,
    /// The changes it takes back.
    pub undoes: Vec<ChangeName>,
    /// What else the caller says of it.
    pub marks: ChangeMarks,
}

/// Lines of a change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangeLines {
    /// The first, from 1.
    pub first: usize,
    /// How many.
    pub count: usize,
    /// How many of them come before those below: they are on an earlier page.
    pub skipped: usize,
    /// What they say, without terminators, as far as they are on this page; nothing if that is no longer kept or is
    /// no text.
    pub lines: Option<Vec<String>>,
}

impl ChangeLines {
    /// What they say, if all of it is here.
    pub fn whole(&self) -> Option<&[String]> {
        self.lines.as_deref().filter(|lines| lines.len() == self.count)
    }

    /// Are some of them on other pages?
    pub fn is_cut(&self) -> bool {
        self.lines.as_ref().is_some_and(|lines| lines.len() < self.count)
    }
}

/// What `apply_batch`, `reject_batch` or `undo` came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Settled {
    /// The batch on record: the proposal, or the undo. Nothing for a dry run of an undo.
    pub batch: Option<BatchName>,
    /// Where the batch stands now.
    pub status: BatchStatus,
    /// The batches that an undo takes back, newest first.
    pub undone: Vec<BatchName>,
    /// The changes that it takes back; of a proposal, those that were applied.
    pub changes: Vec<ChangeName>,
    /// The changes of a proposal that were dropped.
    pub dropped: Vec<ChangeName>,
    /// Was it carried over to moved ground?
    pub rebased: bool,
    /// What became of the files.
    pub files: Vec<FilePatchView>,
    /// How far it went.
    pub extent: Extent,
    /// How foreign writers were dealt with.
    pub concurrency: Concurrency,
}

/// Who wrote the lines of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Explained {
    /// The file.
    pub path: String,
    /// Lines in the whole file.
    pub line_count: usize,
    /// Its hash.
    pub sha256: Digest,
    /// Runs of lines with one origin, in order.
    pub runs: Vec<LineRun>,
    /// Is there more behind the last run, from this line on?
    pub next_line: Option<usize>,
}

/// Lines in a row that came together.
#[derive(Clone, Debug, PartialEq)]
pub struct LineRun {
    /// The first, from 1.
    pub first: usize,
    /// What they say.
    pub lines: Vec<String>,
    /// Who brought them; nothing for lines that nobody here wrote.
    pub origin: Option<LineOrigin>,
}

/// What brought some lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineOrigin {
    /// The batch.
    pub batch: BatchName,
    /// The change.
    pub change: ChangeName,
    /// The tool.
    pub tool: String,
    /// Who and when.
    pub author: Author,
    /// The change's description, or else the batch's label.
    pub description: Option<String>,
    /// The name the file had then, if it is another now.
    pub path: Option<String>,
}

/// What a line patch came to.
#[derive(Clone, Debug, PartialEq)]
pub struct LinePatched {
    /// The batch on record.
    pub batch: Option<BatchName>,
    /// The caller's key for it.
    pub key: Option<String>,
    /// The caller's words for it.
    pub label: Option<String>,
    /// Where it stands.
    pub status: BatchStatus,
    /// Its files, in the order of the call.
    pub files: Vec<FilePatchView>,
    /// How far it went.
    pub extent: Extent,
    /// How foreign writers were dealt with.
    pub concurrency: Concurrency,
}

/// A file as `workspace_read_file` shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct DocView {
    /// The name it was asked for.
    pub doc_path: String,
    /// The file.
    pub path: String,
    /// Its text, with numbers if they were asked for.
    pub content: String,
    /// Of the whole file.
    pub sha256: Digest,
    /// Lines in the whole file.
    pub line_count: usize,
    /// The first line of the content.
    pub start_line: usize,
    /// The last line of the content; one less than the first if there is none.
    pub end_line: usize,
    /// Was the content cut, and where does it go on?
    pub cut: Option<Cut>,
}

//! What a call came to: typed answers for every tool, and the two kinds of bad news. Without sentences;
//! the binary words them, and all doors word them alike because they start from these values.

mod edits;
mod failed;
mod history;
mod naming;

pub use edits::{Continuity, Correction, EditFacts, Edited, SafetyStatus, StaleAnchor};
pub use failed::{Failed, Form};
pub use history::{
    BatchList, BatchPath, BatchSummary, BatchView, ChangeLines, ChangeView, DocView, Explained, FilePatchView,
    LineOrigin, LinePatched, LineRun, Settled,
};
pub use naming::{Naming, name_all};

use crate::anchor::Shown;
use crate::batch::BatchName;
use crate::digest::Digest;
use crate::refusal::{Kind, Refusal, Sort};
use crate::text::Cut;
use crate::text::line::NewlineStyle;
use crate::tool::Atomic;
use crate::warning::Warning;

/// A call that went through.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// What it answers.
    pub answer: Answer,
    /// What else the caller should know.
    pub warnings: Vec<Warning>,
    /// The head of the log after this call; nothing for calls that only look.
    pub audit_head: Option<Digest>,
    /// Did an earlier call with the same idempotency key already do this?
    pub replayed: Replayed,
}

/// Whether an answer is an earlier one, given again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replayed {
    /// It is this call's own.
    No,
    /// It is an earlier call's.
    Yes,
}

/// The two kinds of bad news.
#[derive(Clone, Debug, PartialEq)]
pub enum Trouble {
    /// Nothing changed, and the caller can know why.
    Refused(Refusal),
    /// The machine failed.
    Fault(Fault),
}

/// The machine failed; what is known about the disk.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// The path at hand, if one was.
    pub path: Option<String>,
    /// What was being done, as a fixed word such as `sync` or `log`.
    pub doing: &'static str,
    /// What the system said.
    pub said: String,
    /// What that means for the files.
    pub state: DiskState,
    /// Under which id it is on record, if it is a bug of ours.
    pub id: Option<String>,
}

/// What a fault means for the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiskState {
    /// Nothing changed.
    Unchanged,
    /// Not known until recovery runs at the next open.
    InDoubt,
    /// Nothing changed: the record of changes is damaged, and nothing is added to it.
    Damaged,
    /// Nothing changed, and the fault is a bug of ours.
    Bug,
}

impl Trouble {
    /// The kind on the wire.
    pub fn kind(&self) -> Kind {
        match self {
            Trouble::Refused(refusal) => refusal.kind(),
            Trouble::Fault(Fault { state: DiskState::Unchanged | DiskState::Damaged, .. }) => Kind::CommandFailed,
            Trouble::Fault(Fault { state: DiskState::InDoubt, .. }) => Kind::InDoubt,
            Trouble::Fault(Fault { state: DiskState::Bug, .. }) => Kind::Internal,
        }
    }
}

impl From<Refusal> for Trouble {
    fn from(refusal: Refusal) -> Trouble {
        Trouble::Refused(refusal)
    }
}

/// The answers, tool by tool.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// `read_file`
    File(FileView),
    /// `list_directory`
    Listing(Listing),
    /// `search_files`
    Hits(Hits),
    /// `glob`
    Globbed(Globbed),
    /// Every tool that changes one file.
    Changed(Changed),
    /// `apply_patch`
    Patched(Patched),
    /// `edit`
    Edited(Box<Edited>),
    /// `list_trash`
    Trash(Vec<TrashEntry>),
    /// `purge_trash`
    Purged(Purged),
    /// `workspace_write_patch`
    LinePatched(Box<LinePatched>),
    /// `workspace_read_file`
    Doc(DocView),
    /// `list_batches`
    Batches(BatchList),
    /// `get_patch_change`
    Batch(Box<BatchView>),
    /// `apply_batch`, `reject_batch`, `undo`
    Settled(Box<Settled>),
    /// `explain_lines`
    Explained(Explained),
    /// Any of these, to be told with the `docPath` of every path that it lists.
    WithDocPaths(Box<Answer>),
}

impl Reply {
    /// The same, told with the `docPath`s of what it lists. What lists nothing stays as it is.
    pub fn with_doc_paths(self) -> Reply {
        let answer = match self.answer {
            listed @ (Answer::Listing(_)
            | Answer::Hits(_)
            | Answer::Globbed(_)
            | Answer::Trash(_)
            | Answer::Batches(_)
            | Answer::Batch(_)
            | Answer::Settled(_)) => Answer::WithDocPaths(Box::new(listed)),
            other => other,
        };
        Reply { answer, ..self }
    }
}

/// A file, or a slice of one.
#[derive(Clone, Debug, PartialEq)]
pub struct FileView {
    /// Relative to the workspace.
    pub path: String,
    /// The text, or the bytes of a binary file.
    pub content: ViewContent,
    /// `utf-8`, `utf-16le`, …, or `binary`.
    pub encoding: String,
    /// First line returned.
    pub start_line: usize,
    /// Last line returned; one less than `start_line` if there is none.
    pub end_line: usize,
    /// Lines in the whole file.
    pub line_count: usize,
    /// Bytes on disk.
    pub size: u64,
    /// Of the whole file.
    pub sha256: Digest,
    /// Was the content cut, and where does it go on?
    pub cut: Option<Cut>,
    /// Line ends on disk.
    pub newline_style: NewlineStyle,
    /// Begins with a byte-order mark.
    pub has_bom: bool,
    /// Ends in a newline; an empty file counts as doing so.
    pub final_newline: bool,
    /// The best anchors of the slice, if it was read with anchors; the content then shows all of them.
    pub anchors: Option<Vec<Shown>>,
}

/// What a read shows.
#[derive(Clone, Debug, PartialEq)]
pub enum ViewContent {
    /// Text with `\n` line ends, without mark.
    Text(String),
    /// Raw bytes.
    Bytes(Vec<u8>),
}

/// A folder's entries.
#[derive(Clone, Debug, PartialEq)]
pub struct Listing {
    /// The folder.
    pub path: String,
    /// Sorted by relative path.
    pub entries: Vec<Entry>,
    /// Where the next page begins, if there is one.
    pub next_cursor: Option<String>,
}

impl Listing {
    /// Where a page begins that follows this entry of this folder. Opaque to callers: they should not build cursors, nor
    /// take them for paths.
    pub fn cursor_after(folder: &str, entry: &str) -> String {
        let below = entry.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/')).unwrap_or(entry);
        below.bytes().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// One entry of a listing or a glob.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Relative to the workspace.
    pub path: String,
    /// What it is.
    pub sort: Sort,
    /// Bytes; of a link, its target text's.
    pub size: u64,
    /// Last change, in nanoseconds since 1970 UTC.
    pub mtime_ns: i128,
    /// 0 for direct children of the folder listed.
    pub depth: usize,
    /// Of a file's bytes or a link's target text, where it was asked for.
    pub sha256: Option<Digest>,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct Hits {
    /// In the order of paths, then lines.
    pub matches: Vec<Hit>,
    /// Were there more?
    pub truncated: bool,
    /// How many files were looked into.
    pub files_scanned: usize,
    /// How many lines were asked for on either side.
    pub context_lines: usize,
}

/// One hit.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// Relative to the workspace.
    pub path: String,
    /// Where in the file; nothing in mode `path`.
    pub place: Option<Place>,
}

/// Where a hit is, and what stands there.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// How many characters the hit has.
    pub length: usize,
    /// The line, cut around the hit when it is long.
    pub preview: String,
    /// Lines above.
    pub before: Vec<String>,
    /// Lines below.
    pub after: Vec<String>,
    /// The line's anchor, if it was asked for.
    pub anchor: Option<Shown>,
}

/// What a glob matched.
#[derive(Clone, Debug, PartialEq)]
pub struct Globbed {
    /// Sorted by path.
    pub matches: Vec<Entry>,
    /// Were there more?
    pub truncated: bool,
}

/// One file that a call changed, or would change.
#[derive(Clone, Debug, PartialEq)]
pub struct Changed {
    /// The file; of a move, its new name.
    pub path: String,
    /// The file that was written, if the path is a link to it.
    pub real: Option<String>,
    /// Where it came from, if it was moved.
    pub from: Option<String>,
    /// What was done.
    pub operation: Operation,
    /// Hash before.
    pub before: Option<Digest>,
    /// Hash after.
    pub after: Option<Digest>,
    /// Size in bytes now; of a deleted file, what it had; of a folder, that of all files in it.
    pub size: u64,
    /// What a folder held, if it was one.
    pub holds: Option<Holds>,
    /// Of an edit: which lines it replaced, from the top; nothing for calls that write a file as a whole.
    pub places: Vec<EditPlace>,
    /// Unified diff.
    pub diff: String,
    /// Was it cut?
    pub diff_cut: bool,
    /// The batch on record.
    pub batch: Option<BatchName>,
    /// Where the removed or replaced file went.
    pub trash: Option<String>,
    /// How far it went.
    pub extent: Extent,
    /// How foreign writers were dealt with.
    pub concurrency: Concurrency,
}

/// Lines that an edit replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EditPlace {
    /// The first line before, from 1, and how many there were.
    pub before: (u64, u64),
    /// The first line now, from 1, and how many there are.
    pub after: (u64, u64),
}

/// How much a folder holds, with all folders in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Holds {
    /// Files and links.
    pub files: u64,
    /// Folders, itself included.
    pub folders: u64,
}

/// What a patch changed, or would change.
#[derive(Clone, Debug, PartialEq)]
pub struct Patched {
    /// All sections or none, or one by one?
    pub atomic: Atomic,
    /// How many hunks the sections below have.
    pub hunks: usize,
    /// The batch on record.
    pub batch: Option<BatchName>,
    /// One for each section that changes something, in the order of the patch.
    pub files: Vec<PatchedFile>,
    /// How far it went.
    pub extent: Extent,
    /// How foreign writers were dealt with.
    pub concurrency: Concurrency,
}

/// One section's file.
#[derive(Clone, Debug, PartialEq)]
pub struct PatchedFile {
    /// The file; of a move, its old name.
    pub path: String,
    /// The file that was written, if the path is a link to it.
    pub real: Option<String>,
    /// What was done: create, update, delete or move.
    pub operation: Operation,
    /// Its new name, if it was moved.
    pub to: Option<String>,
    /// Hash before.
    pub before: Option<Digest>,
    /// Hash after.
    pub after: Option<Digest>,
    /// Unified diff.
    pub diff: String,
    /// Was it cut?
    pub diff_cut: bool,
    /// Where the removed or replaced file went.
    pub trash: Option<String>,
}

/// What was done to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// A new file.
    Create,
    /// New content.
    Update,
    /// Gone to the trash.
    Delete,
    /// Another name.
    Move,
    /// Back from the trash.
    Restore,
}

impl Operation {
    /// The word for it, on record and in answers.
    pub fn name(self) -> &'static str {
        match self {
            Operation::Create => "create",
            Operation::Update => "update",
            Operation::Delete => "delete",
            Operation::Move => "move",
            Operation::Restore => "restore",
        }
    }
}

/// How far a change went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// It is done.
    Done,
    /// It would be done.
    Dry,
    /// There was nothing to do.
    Unchanged,
    /// It is stored for review.
    Proposed,
}

/// How other programs' simultaneous saves were dealt with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Concurrency {
    /// None was lost: what was displaced was what had been read.
    Verified,
    /// Checked just before the swap; this file system can do no better.
    Checked,
}

/// Something in the trash.
#[derive(Clone, Debug, PartialEq)]
pub struct TrashEntry {
    /// Its id.
    pub id: String,
    /// Where it was.
    pub path: String,
    /// When it was removed, in nanoseconds since 1970 UTC.
    pub deleted_ns: i128,
    /// Of its bytes; of a link, of its target text; nothing for a folder.
    pub sha256: Option<Digest>,
    /// Its size; of a folder, that of all that is still there of it.
    pub size: u64,
    /// What it holds, if it is a folder.
    pub holds: Option<Holds>,
    /// Its permission bits.
    pub mode: u32,
    /// Who removed it: client and session.
    pub by: String,
}

/// What a purge removed for good.
#[derive(Clone, Debug, PartialEq)]
pub struct Purged {
    /// How many entries.
    pub entries: usize,
    /// Bytes that became free.
    pub bytes: u64,
    /// Their ids.
    pub ids: Vec<String>,
    /// How far it went.
    pub extent: Extent,
    /// The batch on record.
    pub batch: Option<BatchName>,
}

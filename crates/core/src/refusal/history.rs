//! The facts behind refused undos, proposals and line patches: what meets what, and who changed a file since.

use crate::batch::{BatchName, BatchStatus, ChangeName, Role};
use crate::text::NewlineStyle;

/// Something made for other content than is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The batch that was to be undone or applied, if one was.
    pub batch: Option<BatchName>,
    /// Why, place by place; never empty.
    pub places: Vec<ConflictPlace>,
}

/// One place where things meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConflictPlace {
    /// The file, as it is called now.
    pub path: String,
    /// The change that does not go in, if it is one.
    pub change: Option<ChangeName>,
    /// What is in the way.
    pub reason: ConflictReason,
    /// The 1-based lines now, first and last; nothing where no lines are meant.
    pub lines: Option<(usize, usize)>,
    /// What should stand there, the first lines of it.
    pub expected: Vec<String>,
    /// What stands there, the first lines of it.
    pub actual: Vec<String>,
    /// The batches that brought what stands there, newest first.
    pub by: Vec<SinceBatch>,
    /// Who wrote the very line that stands there.
    pub line_by: LineBy,
    /// That line.
    pub line: Option<ConflictLine>,
}

/// The first line of a place that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConflictLine {
    /// Its 1-based number now, or of what stands where it was; nothing if that is not known.
    pub number: Option<usize>,
    /// What it should say; nothing if no line should stand there.
    pub expected: Option<String>,
    /// What it says; nothing if none stands there.
    pub actual: Option<String>,
}

/// Who wrote a line that is in the way: the first that is not as it should be, or that would have to be there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum LineBy {
    /// No single line is meant, or it cannot be told.
    #[default]
    Unknown,
    /// Nobody on record: another program.
    Foreign,
    /// The batch that wrote that very line, or took it away.
    Batch(SinceBatch),
}

/// What is in the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConflictReason {
    /// Later changes touch the same lines.
    Touched,
    /// The file was changed, and it can only be taken back as a whole.
    Changed,
    /// The file is no longer there: a batch removed it.
    Gone,
    /// The file is no longer there, and no batch removed it.
    Removed {
        /// The batch that left the last version on record, if that can be brought back.
        version: Option<BatchName>,
    },
    /// The file is there again already.
    Returned,
    /// The file has another name now, or another file has this one.
    Moved,
    /// Something stands where the file belongs.
    Occupied,
    /// The changes of the batch in this file cannot be told apart line by line.
    Inseparable,
    /// The change shares its lines with others of its batch.
    Shared(Vec<ChangeName>),
    /// The batch, or the change, has this status already.
    Status(BatchStatus),
    /// Nothing that could be taken back, such as a purge.
    Final,
    /// What the undo took back was taken back by others since, or what it did again was done again.
    Replaced,
    /// The bytes that would be needed are no longer kept.
    NotKept,
    /// The file is not what a proposal was made for, which may be carried over to it.
    GroundMoved,
    /// The same, of a proposal that cannot be carried over, such as to delete the file.
    Outdated,
}

impl ConflictReason {
    /// Its word in answers and on record, which never changes.
    pub fn word(&self) -> &'static str {
        match self {
            ConflictReason::Touched => "touched",
            ConflictReason::Changed => "changed",
            ConflictReason::Inseparable => "inseparable",
            ConflictReason::Gone | ConflictReason::Removed { .. } => "gone",
            ConflictReason::Returned => "returned",
            ConflictReason::Moved => "moved",
            ConflictReason::Occupied => "occupied",
            ConflictReason::Shared(_) => "shared",
            ConflictReason::Status(_) => "status",
            ConflictReason::Final => "final",
            ConflictReason::Replaced => "replaced",
            ConflictReason::NotKept => "not_kept",
            ConflictReason::GroundMoved | ConflictReason::Outdated => "ground_moved",
        }
    }
}

/// Why there is no such version of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoVersion {
    /// The batch is not about that file.
    Untouched {
        /// The batch.
        batch: BatchName,
        /// Files that it is about, the first of them.
        paths: Vec<String>,
    },
    /// The batch left nothing under that name.
    NotAfter {
        /// The batch.
        batch: BatchName,
        /// The name that it gave the file; nothing if it deleted it.
        moved: Option<String>,
    },
    /// The batch found nothing under that name.
    NotBefore {
        /// The batch.
        batch: BatchName,
        /// The name that the file had; nothing if the batch made it.
        moved: Option<String>,
    },
    /// It is a folder: versions are of files.
    Folder {
        /// The batch.
        batch: BatchName,
        /// The folder's entry in the trash, if the batch deleted it and it is still there.
        trash: Option<String>,
        /// Files below it that the batch is about, the first of them.
        below: Vec<String>,
    },
    /// The batch changed no bytes, and nobody has those that the file had.
    SameBytes {
        /// The batch.
        batch: BatchName,
        /// Did it move the file? Else it changed permission bits.
        moved: bool,
    },
}

/// Who changed a file since a version that a caller knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Since {
    /// The batches, oldest first, the last few of them.
    pub batches: Vec<SinceBatch>,
    /// How many there were in all.
    pub count: usize,
    /// Did anybody change it who is not on record?
    pub foreign: bool,
    /// Is the version that the caller named of no file that is known?
    pub unknown: bool,
    /// What is different now, where that can be shown.
    pub changes: Option<ChangedLines>,
    /// What is different beside the text of the lines.
    pub form: Vec<FormChange>,
    /// Was the version that the caller knows too large for its lines to be remembered?
    pub too_large: bool,
}

/// What is different in a file beside the text of its lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormChange {
    /// Its line ends, from one style to another.
    LineEnds(NewlineStyle, NewlineStyle),
    /// Its last line ends in a newline now.
    FinalNewlineCame,
    /// Its last line no longer does.
    FinalNewlineWent,
    /// It begins with a byte-order mark now.
    MarkCame,
    /// It no longer does.
    MarkWent,
}

/// What is different in a file since a version that a caller knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangedLines {
    /// A unified diff without its head, a few lines of context around each change. Where the lines as they were are not
    /// on record, a line that begins with a backslash says how many there were.
    pub diff: String,
    /// Is it only the beginning of that?
    pub cut: bool,
    /// The first and the last 1-based line of the present file that is different, or next to what is gone.
    pub lines: (usize, usize),
    /// How many lines the file has now.
    pub line_count: usize,
}

/// One batch that changed a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SinceBatch {
    /// Its name.
    pub batch: BatchName,
    /// Its session.
    pub session: String,
    /// Its client.
    pub client: String,
    /// The person or agent it was made for, if that was said.
    pub actor: Option<String>,
    /// A person or an agent?
    pub role: Role,
    /// Its tool.
    pub tool: String,
    /// When, in nanoseconds since 1970 UTC.
    pub time_ns: i64,
    /// The 1-based lines it brought, first and last, in the file as it left it.
    pub lines: Vec<(usize, usize)>,
    /// What it says it is for.
    pub about: Option<String>,
}

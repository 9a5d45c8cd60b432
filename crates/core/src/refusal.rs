//! Why a call was not carried out: kinds and facts, without sentences.
//!
//! A [`Refusal`] means: nothing changed, and the caller can know why. The binary words it. The list of
//! kinds is closed, and a kind never changes its meaning.

mod anchors;
mod arguments;
mod broken;
mod folder;
mod history;
mod holder;
mod home;
mod lines;
mod missing;
mod patch;
mod stale;

pub use anchors::{AnchorFault, Candidate, OperationFault, OperationField, Unknown, WasRange};
pub use arguments::{ArgumentFault, Expected, Many};
pub use broken::Broken;
pub use folder::{Closed, FolderFault};
pub use history::{
    ChangedLines, Conflict, ConflictLine, ConflictPlace, ConflictReason, FormChange, LineBy, NoVersion, Since,
    SinceBatch,
};
pub use holder::{Holder, RootNow};
pub use home::NoHome;
pub use lines::{
    Differing, DifferingLine, Intruder, LineFault, LinePlace, LineProblem, RepeatedLines, Side, Wider, argument_rule,
    line_patch_place, line_patch_rule,
};
pub use missing::Missing;
pub use patch::{Absolute, Counts, Grammar, HunkRef, Misfit, Sought, Syntax, Unread};
pub use stale::{Stale, StaleReason, Unseen};

use crate::batch::BatchName;
use crate::locate::longer::Longer;
use crate::locate::nearest::Nearest;
use crate::path::{NameProblem, PathProblem, RelPath};
use crate::policy::Denial;
use crate::sanity::Doubt;
use crate::text::TextProblem;
use crate::text::encoding::Charset;

macro_rules! kinds {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $recoverable:expr;)*) => {
        /// The closed list of error kinds.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Kind { $($(#[$doc])* $variant,)* }

        impl Kind {
            /// Every kind, in the order of the specification.
            pub const ALL: &'static [Kind] = &[$(Kind::$variant,)*];

            /// The name on the wire and in the log.
            pub fn name(self) -> &'static str {
                match self { $(Kind::$variant => $name,)* }
            }

            /// Can the caller do better in the next call?
            pub fn recoverable(self) -> bool {
                match self { $(Kind::$variant => $recoverable,)* }
            }
        }
    };
}

kinds! {
    /// The arguments do not fit the tool's schema.
    InvalidArguments = "invalid_arguments", true;
    /// A file, folder, trash entry or id is absent, or of the wrong sort.
    NotFound = "not_found", true;
    /// Something stands where something new was to be put.
    AlreadyExists = "already_exists", true;
    /// Policy or the operating system forbids it.
    PermissionDenied = "permission_denied", false;
    /// The path leaves the workspace.
    OutsideWorkspace = "outside_workspace", false;
    /// The operating system failed, or the request cannot be carried out as it stands.
    CommandFailed = "command_failed", true;
    /// A text tool met a binary file.
    BinaryFile = "binary_file", true;
    /// The text cannot be decoded and encoded again without loss.
    UnsupportedEncoding = "unsupported_encoding", true;
    /// Over the configured limit.
    FileTooLarge = "file_too_large", false;
    /// The caller's proof of sight does not match the file.
    StaleFile = "stale_file", true;
    /// An undo, proposal or line patch meets other content than it was made for.
    Conflict = "conflict", true;
    /// Two files share one `docPath`.
    AmbiguousPath = "ambiguous_path", true;
    /// The exact text is not in the file.
    OldTextNotFound = "old_text_not_found", true;
    /// The exact text is in the file another number of times than expected.
    MultipleMatches = "multiple_matches", true;
    /// Two edits of one call touch the same text.
    OverlappingEdits = "overlapping_edits", true;
    /// The patch text does not follow its grammar.
    PatchParseError = "patch_parse_error", true;
    /// A well-formed patch does not fit the files.
    PatchApplyError = "patch_apply_error", true;
    /// An anchor names no line of the file as it is now.
    AnchorStale = "anchor_stale", true;
    /// An anchor names several lines; a longer form would tell them apart.
    AnchorAmbiguous = "anchor_ambiguous", true;
    /// An anchor names several lines, and no form tells them apart.
    AnchorContextAmbiguous = "anchor_context_ambiguous", true;
    /// An anchor names a line without letters or digits.
    AnchorLowEntropy = "anchor_low_entropy", true;
    /// A range that begins and ends on one line.
    InvalidRangeOrder = "invalid_range_order", true;
    /// Two operations claim the same line.
    OverlappingOperations = "overlapping_operations", true;
    /// The edit would leave brackets, syntax or lines in a state that looks like a slip.
    SafetyCheckFailed = "safety_check_failed", true;
    /// Another writer held the workspace for too long.
    Busy = "busy", true;
    /// A time limit passed.
    Timeout = "timeout", true;
    /// The caller withdrew the call.
    Cancelled = "cancelled", true;
    /// The disk failed in a way that leaves the result unknown until recovery runs.
    InDoubt = "in_doubt", false;
    /// A bug of ours.
    Internal = "internal", false;
}

/// A call that changes nothing, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// The path it is about, where there is one, as it is known in the workspace or as the caller spelt it.
    pub path: Option<String>,
    /// The facts.
    pub why: Why,
    /// Who changed the file since the caller saw it, if that is on record.
    pub since: Option<Box<Since>>,
}

/// The facts behind a refusal.
#[derive(Clone, Debug, PartialEq)]
pub enum Why {
    /// Arguments that do not fit, all of them.
    Arguments(Vec<ArgumentFault>),
    /// A spelling that is no workspace path.
    Path(PathProblem),
    /// A link on the way leads out of the workspace.
    LinkLeavesRoot,
    /// A link that was to be made would lead out of the workspace.
    LinkTarget {
        /// Its target text.
        target: String,
        /// The same place, told plainly from the link's folder, where the target is absolute or climbs after a name.
        relative: Option<String>,
    },
    /// A link would lead out of the workspace from the place that it is moved or brought back to. The refusal's path is
    /// where it is now, if anywhere.
    LinkMoved {
        /// That place.
        to: String,
        /// Its target text.
        target: String,
        /// The target that leads from there to where it leads now, if that is in the workspace.
        relative: Option<String>,
    },
    /// A name that nothing new may have.
    Name(NameProblem),
    /// Nothing there, or something of another sort.
    NotFound(Missing),
    /// Something is there already.
    AlreadyExists(Sort),
    /// Something stands where a version on record is to come back.
    VersionOccupied(Sort),
    /// Policy forbids it.
    Denied(Denial),
    /// A batch or trash entry, known by its id, is about files that may not be read. Their names are not told.
    Hidden {
        /// The id.
        id: String,
        /// The batch's name, if it is one.
        batch: Option<BatchName>,
        /// How many files.
        count: usize,
    },
    /// The session only looks: nothing may be changed at all.
    ReadOnly,
    /// This connection is not shown the tool, and so is not served it.
    NotShown {
        /// The tool.
        tool: &'static str,
        /// A group that has it.
        group: &'static str,
    },
    /// The operating system forbids it, in its own words.
    Forbidden(String),
    /// Neither file, folder nor link: never opened.
    SpecialFile,
    /// More than a text tool takes.
    TooLarge {
        /// Its size in bytes.
        size: u64,
        /// The limit that applies.
        limit: u64,
        /// The setting that holds the limit.
        setting: &'static str,
    },
    /// Not text.
    Binary,
    /// The file is no UTF-8, and in which charset the new text is to be has to be said.
    CharsetUnnamed,
    /// This line, or the new text, cannot go through the encoding unharmed.
    Encoding {
        /// The charset's name.
        charset: String,
        /// The 1-based line, if one is to blame.
        line: Option<usize>,
        /// The character that cannot be written, if one is to blame.
        unencodable: Option<char>,
    },
    /// The proof of sight fails.
    Stale(Stale),
    /// Lines that are to be overwritten do not count as shown.
    Unseen(Unseen),
    /// An exact text that is not there.
    OldTextNotFound {
        /// Which edit, from 0.
        edit: usize,
        /// The closest place, if any is close.
        nearest: Option<Box<Nearest>>,
        /// The lines where the new text already stands.
        already_at: Vec<usize>,
        /// Is the file no valid text in the charset that it was taken for, so that another one may be the reason?
        other_charset: bool,
    },
    /// An exact text found another number of times than expected.
    MultipleMatches {
        /// Which edit, from 0.
        edit: usize,
        /// How often it was expected; nothing when every occurrence was asked for.
        expected: Option<usize>,
        /// How often it stands there.
        count: usize,
        /// The 1-based lines, the first hundred.
        lines: Vec<usize>,
        /// Do occurrences overlap each other?
        overlapping: bool,
        /// What tells each from the others, where one is to be changed and there are few.
        longer: Vec<Longer>,
    },
    /// Two edits that touch the same text.
    OverlappingEdits {
        /// The two edits, from 0.
        edits: (usize, usize),
        /// The 1-based lines where each begins.
        lines: (usize, usize),
    },
    /// A patch that does not follow its grammar.
    Syntax(Box<Syntax>),
    /// A hunk whose old lines are not where they must be.
    HunkMisfit {
        /// The hunk.
        hunk: HunkRef,
        /// What does not fit.
        misfit: Misfit,
    },
    /// A hunk that would fit in several places.
    HunkMany {
        /// The hunk.
        hunk: HunkRef,
        /// What stands there several times.
        sought: Sought,
        /// How often.
        count: usize,
        /// The 1-based lines in the file as the earlier hunks leave it, the first hundred thousand.
        lines: Vec<usize>,
        /// The same in the file on disk. A place that an earlier hunk brings is shown by the line above it.
        disk: Vec<usize>,
    },
    /// A hunk that changes what an earlier one of its section has changed.
    HunkOverlap {
        /// The hunk.
        hunk: HunkRef,
        /// The earlier one.
        earlier: HunkRef,
        /// The 1-based line of the file on disk where they meet.
        line: usize,
    },
    /// A hunk of additions alone, for a file that is not empty.
    HunkBare {
        /// The hunk.
        hunk: HunkRef,
    },
    /// Operations on anchors that cannot be carried out, all of them, by operation.
    Operations(Vec<OperationFault>),
    /// The result looks like a slip.
    Unsafe(Vec<Doubt>),
    /// Rules of line patches that are broken, all of them.
    LinePatch(Vec<LineFault>),
    /// Other content than an undo or a proposal was made for.
    Conflict(Box<Conflict>),
    /// A `docPath` that several files share.
    AmbiguousDoc(Vec<String>),
    /// Two sections of a patch touch one file.
    DuplicatePath {
        /// The other spelling.
        other: String,
    },
    /// The disk failed while a patch was carried out; everything was taken back.
    CommitFailed {
        /// What was being done, as a fixed word.
        doing: &'static str,
        /// What the system said.
        said: String,
    },
    /// An absolute path in a patch, and how to write it, if it lies in the workspace.
    AbsolutePath(Option<Box<Absolute>>),
    /// Hunks for a symbolic link that is to be moved.
    HunksForLink,
    /// One plan names one file twice.
    SameFileTwice {
        /// The other spelling.
        other: String,
    },
    /// Source and target of a move are one.
    MoveOntoItself,
    /// A folder that cannot go or move with everything in it.
    Folder(FolderFault),
    /// A pattern that does not compile, with the compiler's own message.
    Pattern(String),
    /// A glob that does not compile, with the compiler's own message.
    Glob(String),
    /// The same idempotency key came with other arguments.
    KeyReused {
        /// The batch that used it.
        batch: BatchName,
    },
    /// Another writer held the workspace for too long.
    Busy {
        /// So long it was waited for, in milliseconds.
        waited_ms: u64,
        /// Who it is, if that can be told.
        holder: Option<Box<Holder>>,
    },
    /// The workspace's folder is no longer where it was when it was opened.
    RootMoved {
        /// Where that was.
        path: String,
        /// What stands there now.
        now: RootNow,
    },
    /// There is no folder for the key of the record.
    NoHome(NoHome),
    /// The key of the record was removed while the workspace was in use.
    KeyGone,
    /// The caller withdrew.
    Cancelled,
    /// A limit passed.
    Timeout,
}

/// What sort of thing stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link.
    Link,
    /// Anything else.
    Special,
}

impl Refusal {
    /// A refusal about a path of the workspace.
    pub fn at(path: &RelPath, why: Why) -> Refusal {
        Refusal { path: Some(path.to_string()), why, since: None }
    }

    /// A refusal about a path as the caller spelt it.
    pub fn about(path: &str, why: Why) -> Refusal {
        Refusal { path: Some(path.to_owned()), why, since: None }
    }

    /// A refusal of the call as such.
    pub fn plain(why: Why) -> Refusal {
        Refusal { path: None, why, since: None }
    }

    /// One argument that does not fit.
    pub fn argument(at: impl Into<String>, expected: Expected, got: impl Into<String>) -> Refusal {
        Refusal::plain(Why::Arguments(vec![ArgumentFault { at: at.into(), expected, got: got.into() }]))
    }

    /// Text that cannot be read or written in its charset.
    pub fn of_text(path: &RelPath, charset: Option<Charset>, problem: TextProblem) -> Refusal {
        let charset = charset.map_or("utf-8", Charset::name).to_owned();
        let why = match problem {
            TextProblem::Binary => Why::Binary,
            TextProblem::Unnamed => Why::CharsetUnnamed,
            TextProblem::Lossy { line } => Why::Encoding { charset, line: Some(line), unencodable: None },
            TextProblem::Unencodable { ch, line } => Why::Encoding { charset, line: Some(line), unencodable: Some(ch) },
            TextProblem::OutOfBounds => Why::Encoding { charset, line: None, unencodable: None },
        };
        Refusal::at(path, why)
    }

    /// The kind on the wire.
    pub fn kind(&self) -> Kind {
        match &self.why {
            Why::Path(PathProblem::Outside) | Why::LinkLeavesRoot | Why::LinkTarget { .. } | Why::LinkMoved { .. } => {
                Kind::OutsideWorkspace
            }
            Why::Arguments(_) | Why::Path(_) | Why::Name(_) | Why::SameFileTwice { .. } | Why::KeyReused { .. } => {
                Kind::InvalidArguments
            }
            Why::NotFound(_) => Kind::NotFound,
            Why::AlreadyExists(_) | Why::VersionOccupied(_) => Kind::AlreadyExists,
            Why::Denied(_) | Why::Hidden { .. } | Why::ReadOnly | Why::NotShown { .. } => Kind::PermissionDenied,
            Why::Forbidden(_) | Why::SpecialFile => Kind::PermissionDenied,
            Why::TooLarge { .. } => Kind::FileTooLarge,
            Why::Binary => Kind::BinaryFile,
            Why::Encoding { .. } | Why::CharsetUnnamed => Kind::UnsupportedEncoding,
            Why::Stale(_) | Why::Unseen(_) => Kind::StaleFile,
            Why::Folder(fault) => match fault {
                FolderFault::NotRecursive => Kind::NotFound,
                FolderFault::Occupied(_) | FolderFault::Holds { .. } => Kind::AlreadyExists,
                FolderFault::Closed(_) => Kind::PermissionDenied,
                FolderFault::Unproven { .. } | FolderFault::Grew => Kind::StaleFile,
                FolderFault::Root
                | FolderFault::IntoItself { .. }
                | FolderFault::TooMany { .. }
                | FolderFault::Attributes { .. } => Kind::CommandFailed,
            },
            Why::OldTextNotFound { .. } => Kind::OldTextNotFound,
            Why::MultipleMatches { .. } => Kind::MultipleMatches,
            Why::OverlappingEdits { .. } => Kind::OverlappingEdits,
            Why::Syntax(_) => Kind::PatchParseError,
            Why::HunkMisfit { .. } | Why::HunkBare { .. } | Why::DuplicatePath { .. } | Why::CommitFailed { .. } => {
                Kind::PatchApplyError
            }
            Why::Operations(faults) => faults.first().map_or(Kind::Internal, |first| first.fault.kind()),
            Why::Unsafe(_) => Kind::SafetyCheckFailed,
            Why::LinePatch(faults) => faults.first().map_or(Kind::InvalidArguments, |first| first.problem.kind()),
            Why::Conflict(_) => Kind::Conflict,
            Why::AmbiguousDoc(_) => Kind::AmbiguousPath,
            Why::HunkMany { .. } => Kind::MultipleMatches,
            Why::HunkOverlap { .. } => Kind::OverlappingEdits,
            Why::MoveOntoItself | Why::Pattern(_) | Why::Glob(_) | Why::AbsolutePath(_) | Why::HunksForLink => {
                Kind::CommandFailed
            }
            Why::Busy { .. } => Kind::Busy,
            Why::NoHome(_) | Why::KeyGone | Why::RootMoved { .. } => Kind::PermissionDenied,
            Why::Cancelled => Kind::Cancelled,
            Why::Timeout => Kind::Timeout,
        }
    }
}

//! The facts behind arguments that do not fit.

use crate::batch::BatchName;

/// One argument that does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentFault {
    /// Where: `edits[0].oldText`; empty for the arguments as a whole.
    pub at: String,
    /// What was expected there.
    pub expected: Expected,
    /// What came, shortened.
    pub got: String,
}

/// What a call may have too many of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Many {
    /// Edits of one file.
    Edits,
    /// Edits of a file as large as this one: each is looked for in all of it.
    EditsOfThisFile,
    /// Hunks for a file as large as this one.
    HunksOfThisFile,
    /// Files that are created, changed, moved or deleted.
    Files,
    /// Objects in one list.
    Entries,
}

/// What an argument should have been.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// A value of this type: `string`, `integer`, `boolean`, `array`, `object`.
    Type(&'static str),
    /// A field that has to be given; with its type.
    Present(&'static str),
    /// A field that has to be given, as one of these words.
    Chosen(Vec<String>),
    /// One of these words.
    OneOf(Vec<String>),
    /// A whole number from..=to.
    Between(i64, i64),
    /// At least one element or character.
    NotEmpty,
    /// One of these fields; perhaps this one was meant.
    Field {
        /// All fields known here.
        known: Vec<String>,
        /// The closest.
        meant: Option<String>,
    },
    /// Each key once.
    UniqueKey,
    /// Valid JSON; the reader's message.
    Json(String),
    /// 64 hex digits.
    Sha256,
    /// The same, or the beginning of one.
    Sha256Start,
    /// A charset's label.
    Charset,
    /// A file that the patch is about.
    PatchedFile,
    /// A number not below `startLine`.
    FromStartLine(i64),
    /// A path of a file, without a slash at its end.
    FilePath,
    /// Nothing: a folder has no hash of its own; its files have theirs in `expectedSha256ByPath`.
    HashesByPath,
    /// A duration such as `30d`, or an RFC 3339 time.
    Age,
    /// The same, or a batch's id.
    AgeOrBatch,
    /// Exactly one of these fields.
    ExactlyOne(Vec<&'static str>),
    /// At least one of these fields.
    AnyOf(Vec<&'static str>),
    /// An id that fits one thing alone; these fit what was given.
    OneId(Vec<String>),
    /// The name of a file in lower case, as given here.
    LowerCase(String),
    /// The same file that the argument of this name means, which is this.
    SameFile {
        /// The argument.
        name: &'static str,
        /// Its file.
        path: String,
    },
    /// The same as under another name of the same argument, or left out.
    SameAs {
        /// The argument.
        name: &'static str,
        /// The other name under which it was given.
        other: String,
        /// What was given there, shortened.
        value: String,
    },
    /// An element of this list, which is given too: one written flat beside it has two readings.
    InList(&'static str),
    /// A batch as a whole, this one, and not a part of it.
    WholeBatch(BatchName),
    /// `batchId`, since changes belong to a batch.
    BatchWithChanges,
    /// A cursor that an earlier answer gave.
    Cursor,
    /// Nothing that could be stored for review.
    NoProposal,
    /// Only one of two fields.
    Without(&'static str),
    /// At least one line of text.
    Lines,
    /// Text without NUL characters.
    WithoutNul,
    /// Text of at most so many bytes.
    BytesAtMost(usize),
    /// Text that stands in not too many places, and is not replaced by too much.
    Places {
        /// So many places change in one call at most.
        most: usize,
        /// So many bytes of new text come at most.
        bytes: usize,
    },
    /// Not more than so many of them in one call.
    AtMost(usize, Many),
    /// An anchor as a reading printed it.
    Anchor,
    /// Nothing: the field belongs to operations of another sort, and with this one go these fields.
    OtherOperation {
        /// The operation.
        op: &'static str,
        /// Its fields.
        fields: &'static str,
    },
    /// The same occurrence that the anchor names.
    SameOccurrence(usize),
}

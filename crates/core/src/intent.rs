//! What a caller wants of the files, free of any dialect. Every tool that changes something, of every
//! dialect, ends in a list of these; planning starts from them.

use crate::digest::Digest;
use crate::path::RelPath;
use crate::text::encoding::Charset;
use std::sync::Arc;

/// What a file must be like for a change to go ahead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expect {
    /// The caller did not look, and that is allowed here.
    Anything,
    /// It must not be there.
    Absent,
    /// Exactly these bytes.
    Exactly(Digest),
}

/// One wish.
#[derive(Clone, Debug, PartialEq)]
pub enum Intent {
    /// A new file with this content.
    Create {
        /// Where.
        path: RelPath,
        /// What.
        content: Content,
        /// Make missing folders on the way?
        parents: Parents,
    },
    /// New content for a whole file.
    Write {
        /// Which.
        path: RelPath,
        /// The new text.
        text: String,
        /// How its line ends are written.
        newline: Newline,
        /// The charset, where the caller names one.
        charset: Option<Charset>,
    },
    /// Exact replacements in a file, all against its present text.
    Edit {
        /// Which.
        path: RelPath,
        /// The replacements.
        edits: Vec<ExactEdit>,
        /// The charset, where the caller names one.
        charset: Option<Charset>,
    },
    /// Into the trash.
    Delete {
        /// Which.
        path: RelPath,
    },
    /// To another name.
    Move {
        /// From here.
        from: RelPath,
        /// To there.
        to: RelPath,
        /// What to do about something that stands there.
        onto: Onto,
        /// Make missing folders on the way?
        parents: Parents,
    },
}

/// What a new file holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// These bytes.
    Bytes(Vec<u8>),
    /// What a trash entry holds.
    Kept(Kept),
}

/// What a trash entry holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// The entry.
    pub id: String,
    /// The hash of its bytes, or of a link's target text.
    pub digest: Digest,
    /// Its size.
    pub size: u64,
    /// The permission bits it had.
    pub mode: u32,
    /// Its text, where it is worth showing.
    pub text: Option<Arc<[u8]>>,
}

/// One exact replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExactEdit {
    /// The text to find, never empty.
    pub old: String,
    /// What to put there.
    pub new: String,
    /// How often it must stand there.
    pub occurrences: Occurrences,
}

/// How often an exact text must be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occurrences {
    /// Just so often.
    Exactly(usize),
    /// At least once, and all are replaced.
    All,
}

/// Whether missing folders are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parents {
    /// A missing folder is a refusal.
    MustExist,
    /// Missing folders are made, and taken back if the call fails.
    Create,
}

/// How whole-file text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Newline {
    /// With the mark, the encoding and the majority terminator of the old file.
    Preserve,
    /// Byte for byte as given.
    Verbatim,
}

/// What a move does about its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Onto {
    /// Anything there is a refusal.
    Nothing,
    /// A file there goes to the trash.
    Replace,
}

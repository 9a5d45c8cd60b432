//! One change of a tree as a value: files before and after, wherever they come from.
//!
//! Says which parts of a change no envelope can hold, and why. Leaves making the envelope to `written`.

use patchwright_engine::core::dialect::envelope::generate::Inexpressible;

/// A regular file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct File {
    pub(crate) bytes: Vec<u8>,
    pub(crate) mode: Mode,
}

/// All that git keeps of a file's mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Plain,
    Executable,
}

/// What becomes of one file.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    Add { path: String, after: File },
    Update { path: String, before: File, after: File },
    Delete { path: String, before: File },
    Move { from: String, to: String, before: File, after: File },
}

/// What becomes of a tree.
#[derive(Clone, Debug, Default)]
pub(crate) struct Edit {
    /// The commit, or the two versions.
    pub(crate) name: String,
    pub(crate) changes: Vec<Change>,
    /// Files that are there and stay as they are.
    pub(crate) bystanders: Vec<(String, File)>,
    /// Changes that were not even looked at, and why.
    pub(crate) left_out: Vec<Reason>,
}

/// Why something of a change cannot be in an envelope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reason {
    Binary,
    NotText,
    LineEnds,
    Mark,
    Path,
    /// Nothing but the mode changes.
    ModeOnly,
    /// The mode changes too, or a new file is executable; the content is in the envelope.
    ModeToo,
    Link,
    Submodule,
    /// A file becomes a link, or the reverse.
    TypeChange,
    TooLarge,
}

impl Reason {
    pub(crate) fn words(self) -> &'static str {
        match self {
            Reason::Binary => "binary",
            Reason::NotText => "lines that are not UTF-8",
            Reason::LineEnds => "line ends",
            Reason::Mark => "byte-order mark or charset",
            Reason::Path => "path",
            Reason::ModeOnly => "mode only",
            Reason::ModeToo => "mode (content applied)",
            Reason::Link => "symbolic link",
            Reason::Submodule => "submodule",
            Reason::TypeChange => "type change",
            Reason::TooLarge => "over --max-file-bytes",
        }
    }
}

impl From<Inexpressible> for Reason {
    fn from(why: Inexpressible) -> Reason {
        match why {
            Inexpressible::NotText => Reason::NotText,
            Inexpressible::Binary => Reason::Binary,
            Inexpressible::LineEnds => Reason::LineEnds,
            Inexpressible::Mark => Reason::Mark,
            Inexpressible::Path => Reason::Path,
            Inexpressible::Sort => Reason::TypeChange,
        }
    }
}

/// A run of edits that workers take by number.
pub(crate) trait Edits: Sync {
    /// What each worker holds open.
    type Reader;

    fn count(&self) -> usize;

    fn reader(&self) -> Result<Self::Reader, crate::failure::Failure>;

    fn edit(&self, at: usize, reader: &mut Self::Reader) -> Result<Edit, crate::failure::Failure>;
}

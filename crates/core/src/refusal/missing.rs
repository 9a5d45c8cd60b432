//! What is not there.

use super::NoVersion;
use crate::batch::BatchName;

/// What is missing.
#[derive(Clone, Debug, PartialEq)]
pub enum Missing {
    /// No such file; with existing paths that are spelt alike.
    File {
        /// Close spellings, best first.
        alike: Vec<String>,
    },
    /// A link that points to nothing.
    LinkTarget,
    /// The folder to put it in.
    Parent {
        /// The nearest missing folder.
        folder: String,
    },
    /// A folder, where a file is needed.
    IsFolder,
    /// A file, where a folder is needed.
    IsFile,
    /// A trash entry.
    TrashEntry {
        /// The id that was asked for.
        id: String,
    },
    /// A file that a patch names only among those it expects to be there; with close spellings.
    Neighbour {
        /// Close spellings, best first.
        alike: Vec<String>,
    },
    /// A batch.
    Batch {
        /// The id that was asked for.
        id: String,
    },
    /// A change of a batch.
    Change {
        /// The id that was asked for.
        id: String,
        /// The batch.
        batch: BatchName,
    },
    /// A change, or a file's part of a batch, whichever batch it is of.
    AnyChange {
        /// The id that was asked for.
        id: String,
    },
    /// A change: the id is that of a batch.
    ChangeNotBatch {
        /// The id that was asked for.
        id: String,
        /// The batch that it names.
        batch: BatchName,
    },
    /// A session that is on record.
    AnySession {
        /// The id that was asked for.
        id: String,
    },
    /// A session that has changed nothing, or nothing that still stands.
    Session {
        /// The id that was asked for.
        id: String,
    },
    /// A batch that could be undone.
    Undoable,
    /// A stored pre-image that was purged or damaged.
    Kept,
    /// A version of a file.
    Version(NoVersion),
    /// The text of a version that was a link.
    LinkVersion,
}

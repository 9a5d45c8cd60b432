//! Planning: a snapshot and intents become a [`Plan`], or a refusal. Pure: nothing is read or written
//! here, so a dry run is simply stopping after this.

mod anchored;
mod beside;
mod build;
mod clash;
mod edits;
mod ending;
mod executable;
mod hunks;
mod lines;
mod placed;
mod preview;
mod snapshot;
mod spans;
mod tree;
mod turn;
mod unseen;

pub use beside::{Beside, NEAR, beside};
pub use build::{join, plan, plan_one};
pub use clash::check as check_apart;
pub use executable::make_executable;
pub use hunks::{check_emptied, patched_text};
pub use preview::preview;
pub use snapshot::{Seen, Snapshot, SnapshotFile};
pub use tree::{MOST_ENTRIES, rebased};
pub use turn::arrange;

use crate::bytes::Bytes;
use crate::digest::Digest;
use crate::folder::FolderMeta;
use crate::history::Restored;
use crate::intent::{ChangeMarks, Executable, Kept};
use crate::outcome::EditFacts;
use crate::path::RelPath;
use crate::text::splice::Pieces;
use crate::warning::Warning;
use std::sync::Arc;

/// What is to be done, checked against a snapshot. Steps are carried out in order, all or none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// In the order of the intents.
    pub steps: Vec<Step>,
    /// Folders to make first, parents before children.
    pub folders: Vec<RelPath>,
    /// What some of those are to be like; the others are as the process makes them. Folders that are not made here are
    /// there already, and become so in place.
    pub dress: Vec<(RelPath, FolderDress)>,
    /// Folders that must be empty after the last step and go then, children before parents.
    pub gone: Vec<RelPath>,
    /// What the caller should know.
    pub warnings: Vec<Warning>,
    /// What operations on anchors came to.
    pub facts: Option<Box<EditFacts>>,
    /// The hashes of the lines that they leave.
    pub lines: Option<Arc<[u64]>>,
    /// So many steps come before folders are removed and made: they vacate names that change their sort.
    pub ahead: usize,
    /// Folders that those steps leave empty and that go then, deepest first: their names are wanted for files.
    pub emptied: Vec<RelPath>,
}

impl Plan {
    /// Is there nothing to do?
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty() && self.gone.is_empty() && self.dress.is_empty()
    }
}

/// What a folder that is made should be like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FolderDress {
    /// With these permission bits, and what else is known.
    As(FolderMeta),
    /// Like this other one, which goes.
    Like(RelPath),
}

/// One change of one name.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The file, where links lead.
    pub path: RelPath,
    /// What happens to it.
    pub act: Act,
    /// The pieces it is made of, for the record: each has an id there.
    pub changes: Vec<Change>,
    /// Which of the intents it comes from.
    pub wish: usize,
    /// The permission bits that the file gets, where they are asked for.
    pub bits: Option<Bits>,
}

/// Permission bits for a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bits {
    /// Those it has, or a new file gets, but that it may or may not be run.
    Executable(Executable),
    /// Just these.
    Exactly(u32),
}

impl Bits {
    /// What becomes of a file with these permission bits; never set-id.
    pub fn applied_to(self, mode: u32) -> u32 {
        match self {
            Bits::Executable(executable) => executable.applied_to(mode),
            Bits::Exactly(mode) => mode & 0o1777,
        }
    }
}

/// What happens to a name.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    /// Something new.
    Create(Fresh),
    /// New bytes for an old file.
    Replace {
        /// What it must be until the swap.
        before: Digest,
        /// The new bytes.
        after: Pieces,
        /// Their hash.
        digest: Digest,
        /// Where the old file goes.
        aside: Aside,
    },
    /// Other permission bits for a file that stays as it is.
    Mode {
        /// What it must be until then.
        before: Digest,
        /// The permission bits it must have until then.
        from: u32,
        /// Those it gets.
        to: u32,
    },
    /// Away, into the keep.
    Remove {
        /// What it must be until then.
        before: Digest,
    },
    /// Another name, in the same or another folder.
    Rename {
        /// The new name.
        to: RelPath,
        /// What it must be until then.
        before: Digest,
    },
}

/// Where a replaced file goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aside {
    /// Among the kept pre-images.
    Kept,
    /// Into the trash: the new file has nothing to do with it.
    Trash,
}

/// Something new under a free name.
#[derive(Clone, Debug, PartialEq)]
pub enum Fresh {
    /// A file.
    File {
        /// Its bytes.
        bytes: Bytes,
        /// Their hash.
        digest: Digest,
        /// Its permission bits, where they are known.
        mode: Option<u32>,
    },
    /// A kept file, with its mode, owner and attributes.
    Kept(Kept),
    /// A symbolic link.
    Link {
        /// Its target text.
        target: Bytes,
        /// The hash of that.
        digest: Digest,
    },
}

/// One piece of a change, by lines of the file before and after.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// First line concerned before, from 1.
    pub before_line: usize,
    /// How many lines it replaces.
    pub before_lines: usize,
    /// First line concerned after, from 1.
    pub after_line: usize,
    /// How many lines it brings.
    pub after_lines: usize,
    /// Why, in the caller's words.
    pub description: Option<String>,
    /// The caller's key for it.
    pub key: Option<String>,
    /// What else the caller says of it.
    pub marks: ChangeMarks,
    /// Its id, where it has one already.
    pub id: Option<String>,
    /// The changes that it takes back.
    pub undoes: Vec<String>,
    /// Those of its new lines that an earlier change had removed.
    pub restores: Vec<Restored>,
}

impl Act {
    /// The hash the name must have until the swap; nothing for something new.
    pub fn before(&self) -> Option<Digest> {
        match self {
            Act::Create(_) => None,
            Act::Replace { before, .. }
            | Act::Mode { before, .. }
            | Act::Remove { before }
            | Act::Rename { before, .. } => Some(*before),
        }
    }

    /// The hash it will have; nothing when it goes away.
    pub fn after(&self) -> Option<Digest> {
        match self {
            Act::Create(Fresh::File { digest, .. } | Fresh::Kept(Kept { digest, .. }) | Fresh::Link { digest, .. }) => {
                Some(*digest)
            }
            Act::Replace { digest, .. } => Some(*digest),
            Act::Mode { before, .. } | Act::Rename { before, .. } => Some(*before),
            Act::Remove { .. } => None,
        }
    }
}

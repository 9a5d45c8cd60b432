//! The facts behind a folder that cannot go or move with everything in it.

use super::Sort;

/// Why a folder stays.
#[derive(Clone, Debug, PartialEq)]
pub enum FolderFault {
    /// The call did not say that everything in it is meant.
    NotRecursive,
    /// It is the workspace itself.
    Root,
    /// It would go into itself.
    IntoItself {
        /// Where to.
        to: String,
    },
    /// Something stands where it would go, and a folder replaces nothing.
    Occupied(Sort),
    /// A file is to come in its place, and the call leaves something in it.
    Holds {
        /// Some of what is left.
        left: Vec<String>,
        /// Is there more?
        more: bool,
    },
    /// It holds what may not be touched, or cannot.
    Closed(Box<Closed>),
    /// It holds more than one call takes.
    TooMany {
        /// So many entries one call takes.
        most: usize,
    },
    /// The folders that go have more attributes than can be kept to bring them back.
    Attributes {
        /// So many bytes can.
        limit: usize,
    },
    /// Files of which the caller has shown no sight.
    Unproven {
        /// Some of them.
        missing: Vec<String>,
        /// How many in all.
        count: usize,
    },
    /// Somebody put something into it meanwhile.
    Grew,
}

/// What a folder holds that keeps it where it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Closed {
    /// Entries that the policy closes.
    pub denied: u64,
    /// Devices, pipes and sockets.
    pub special: u64,
    /// Folders on which another file system is mounted.
    pub mounts: u64,
    /// Names that are not text, and so cannot go on record.
    pub unaddressable: u64,
    /// Some of all these by name, as far as they may be read.
    pub named: Vec<String>,
}

impl Closed {
    /// How many entries in all.
    pub fn count(&self) -> u64 {
        self.denied.saturating_add(self.special).saturating_add(self.mounts).saturating_add(self.unaddressable)
    }
}

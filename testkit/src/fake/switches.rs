//! What a fake file system can and cannot do, and what goes wrong on it when.

/// What the file system is like. The default can do everything, as ext4 can.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Switches {
    /// Can two names change places?
    pub exchange: Ability,
    /// Can a rename refuse to replace?
    pub no_replace: Ability,
    /// Can a file have two names?
    pub hard_links: Ability,
    /// How a file moves to a name that must be free.
    pub moves: Moves,
    /// How names are compared.
    pub names: Names,
    /// Where the state folder is.
    pub state: StateAt,
    /// Which syncs do what they say.
    pub honesty: Honesty,
}

/// Whether something works.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ability {
    /// It does.
    #[default]
    Works,
    /// It is answered with `Unsupported`.
    Missing,
}

/// How a file moves to a name that must be free.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Moves {
    /// At once.
    #[default]
    Whole,
    /// It gets its second name, and then loses its first: somebody may be killed in between, and a power cut may keep
    /// the one and forget the other. So it is where a rename cannot refuse to replace; and btrfs may leave the same of a
    /// rename across folders.
    ByTwoNames,
}

/// How names are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Names {
    /// Byte for byte.
    #[default]
    Exact,
    /// Without regard to case, and kept as first written.
    CaseIgnored,
}

/// Which syncs do what they say. The lies are for tests of the tests: a harness that does not notice
/// them would not notice a forgotten sync either.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Honesty {
    /// All of them.
    #[default]
    Honest,
    /// Syncs of a file with its attributes do nothing.
    FilesNotSynced,
    /// Syncs of a file's bytes alone do nothing.
    DataNotSynced,
    /// Syncs of folders, and of everything, do nothing.
    FoldersNotSynced,
}

/// Where the state folder is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StateAt {
    /// In the root, as `.patchwright`; made when first asked for.
    #[default]
    Inside,
    /// On a file system of its own: renames across fail.
    OtherFileSystem,
}

/// One thing that goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure {
    /// At the n-th verb that changes or syncs something, counted from 1.
    pub at: u64,
    /// In this way.
    pub error: Errno,
    /// For so long.
    pub lasts: Lasts,
}

/// The system's errors that matter here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Errno {
    /// ENOSPC. For ever, it strikes only verbs that need space: removing, exchanging and renaming do not.
    NoSpace,
    /// EIO.
    Io,
    /// EROFS: the file system was remounted for reading only.
    ReadOnly,
    /// EACCES.
    Denied,
    /// EMFILE.
    TooManyOpen,
    /// ESTALE: what a handle led to is not there any more. Nothing was written, and nothing lost.
    Stale,
}

/// How long a failure lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lasts {
    /// For that verb.
    Once,
    /// From that verb on.
    ForEver,
}

impl Errno {
    /// Its number on Linux.
    pub fn number(self) -> i32 {
        match self {
            Errno::NoSpace => 28,
            Errno::Io => 5,
            Errno::ReadOnly => 30,
            Errno::Denied => 13,
            Errno::TooManyOpen => 24,
            Errno::Stale => 116,
        }
    }
}

//! What a caller wants of the files, free of any dialect. Every tool that changes something, of every
//! dialect, ends in a list of these; planning starts from them.

use crate::anchor::Anchor;
use crate::bytes::Bytes;
use crate::digest::Digest;
use crate::folder::FolderMeta;
use crate::path::RelPath;
use crate::text::FinalNewline;
use crate::text::encoding::Charset;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// One wish.
#[derive(Clone, Debug, PartialEq)]
pub enum Intent {
    /// A new file with this content.
    Create {
        /// Where.
        path: RelPath,
        /// What.
        content: Content,
        /// What to do about something that stands there.
        onto: Onto,
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
    /// Hunks of whole lines in a file, each found in what the earlier ones left of it.
    Patch {
        /// Which.
        path: RelPath,
        /// The hunks, never empty.
        hunks: Vec<Hunk>,
        /// The charset, where the caller names one.
        charset: Option<Charset>,
    },
    /// Operations on lines that anchors name, all against the file's present text.
    Anchored {
        /// Which.
        path: RelPath,
        /// The operations, never empty.
        operations: Vec<LineOperation>,
        /// What to do about a result that looks like a slip.
        safety: Safety,
        /// What the caller knows of the file.
        knows: Knows,
        /// The charset, where the caller names one.
        charset: Option<Charset>,
        /// Whether the file ends in a newline afterwards.
        last: FinalNewline,
    },
    /// Changes of whole lines by their numbers, all against the file's present text.
    Lines {
        /// Which.
        path: RelPath,
        /// The changes, never empty, in the order of the text and apart.
        changes: Vec<LineChange>,
        /// The charset, where the caller names one.
        charset: Option<Charset>,
        /// Whether the file ends in a newline afterwards.
        last: FinalNewline,
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
        /// Changes of its content on the way; mostly none.
        hunks: Vec<Hunk>,
        /// The charset for those, where the caller names one.
        charset: Option<Charset>,
    },
    /// A folder with everything in it.
    Tree(Box<Tree>),
}

/// A folder with everything in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    /// What is to become of it.
    pub deed: TreeDeed,
    /// Where it is, or comes back to, without links.
    pub path: RelPath,
    /// Itself and every folder in it, parents first, with their permission bits.
    pub folders: Vec<(RelPath, u32)>,
}

/// What becomes of a folder with everything in it.
#[derive(Clone, Debug, PartialEq)]
pub enum TreeDeed {
    /// Into the trash.
    Delete {
        /// The files and links in it.
        files: Vec<RelPath>,
    },
    /// To another name.
    Move {
        /// The files and links in it.
        files: Vec<RelPath>,
        /// There.
        to: RelPath,
    },
    /// Out of the trash.
    Restore {
        /// What comes back, and under which name.
        files: Vec<(RelPath, Kept)>,
        /// Make missing folders on the way?
        parents: Parents,
        /// What the folders were like, by their names in the tree, as far as that is on record.
        dress: HashMap<RelPath, FolderMeta>,
    },
}

/// What a new file holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// These bytes.
    Bytes(Vec<u8>),
    /// What is kept of an earlier file.
    Kept(Kept),
    /// The bytes of an earlier version of which no file is kept.
    Version {
        /// The bytes.
        bytes: Bytes,
        /// The permission bits it had, where they are known.
        mode: Option<u32>,
    },
    /// No bytes: a symbolic link with this target text, which was seen to stay inside.
    Link(String),
}

/// Whether a file may be run as a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Executable {
    /// By everybody who may read it.
    Yes,
    /// By nobody.
    No,
}

impl Executable {
    /// What a file with these permission bits is.
    pub fn of(mode: u32) -> Executable {
        if mode & 0o100 == 0 { Executable::No } else { Executable::Yes }
    }

    /// These permission bits, and whoever may read may run too, or nobody may. Set-id bits go: who may run a file as
    /// somebody else is not for an editor to say.
    pub fn applied_to(self, mode: u32) -> u32 {
        match self {
            Executable::Yes => mode & 0o1777 | (mode & 0o444) >> 2,
            Executable::No => mode & 0o1666,
        }
    }
}

/// A kept file that comes back.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// Its name where it is kept; of a trash entry, the entry's id.
    pub id: String,
    /// Where it is kept.
    pub place: KeptIn,
    /// The hash of the bytes that come back, or of a link's target text.
    pub digest: Digest,
    /// Their size.
    pub size: u64,
    /// The permission bits it had.
    pub mode: u32,
    /// Their text, where it is worth showing.
    pub text: Option<Bytes>,
    /// The target text, if it is a link.
    pub target: Option<Bytes>,
    /// Bytes that come back in place of those that are kept; owner and attributes are the kept file's.
    pub rewritten: Option<Bytes>,
}

/// Where a displaced file is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeptIn {
    /// In the trash; an entry that comes back as it is, is used up.
    Trash,
    /// Among the pre-images, where it stays.
    Blobs,
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

/// Some lines of a file, and what becomes of them. Lines have neither terminators nor line breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk {
    /// Context, removals and additions, in order.
    pub lines: Vec<HunkLine>,
    /// Where in the file its old lines may stand.
    pub place: HunkPlace,
    /// What it says about the end of the file.
    pub end: HunkEnd,
    /// What it means if it has no old lines.
    pub bare: BareHunk,
    /// How its lines end where a diff shows it, one by one; empty where nothing is shown.
    pub ends: Vec<ShownEnd>,
    /// The 1-based line of the patch on which it begins, for refusals.
    pub at: usize,
    /// Which text its old lines are of.
    pub old_of: OldOf,
    /// Which of several sections about its file it is of; those of a later one see what the earlier ones made of it.
    pub section: usize,
}

/// Which text the old lines of a hunk are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OldOf {
    /// The file as the earlier hunks left it.
    Left,
    /// The file as it was before any hunk, as in a diff: no line that an earlier hunk brought can be one of them.
    First,
}

/// How a diff shows the end of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShownEnd {
    /// In `\r\n`, or not; nothing where it does not end.
    pub returns: Option<bool>,
    /// The 1-based line of the diff.
    pub at: usize,
}

/// One line of a hunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HunkLine {
    /// It is there and stays.
    Context(String),
    /// It is there and goes.
    Remove(String),
    /// It comes.
    Add(String),
}

/// Where in a file the old lines of a hunk may stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HunkPlace {
    /// Anywhere, but only once.
    Anywhere,
    /// The same. These headers decide nothing; a refusal may tell what they would decide.
    Hinted(Vec<String>),
    /// In the block of the line that the last of these headers names, once there. Each names one line in the block of
    /// the header before it.
    Within(Vec<String>),
}

/// What a hunk says about the end of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HunkEnd {
    /// Nothing: the file goes on ending as it did.
    Silent,
    /// Its old lines are the last of the file, which goes on ending as it did.
    Last,
    /// Its old lines are the last of the file, and a marker tells how it ends.
    Marked {
        /// How the file ends now.
        old: OldEnd,
        /// How it ends afterwards.
        new: FinalNewline,
    },
}

/// What a hunk says about the present end of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OldEnd {
    /// Nothing.
    Unsaid,
    /// The last line has no newline.
    Unterminated,
}

/// What a hunk of additions alone means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BareHunk {
    /// The content of an empty file; in any other it could go anywhere, and is refused.
    EmptyFileOnly,
    /// Lines for the end of the file.
    Append,
}

/// One change of whole lines by their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineChange {
    /// The lines that go, from 0, half-open. Empty for an insert, which stands before its start.
    pub span: Range<usize>,
    /// The lines that come, without terminators.
    pub lines: Vec<String>,
    /// The caller's key for it.
    pub key: Option<String>,
    /// Why, in the caller's words.
    pub description: Option<String>,
    /// What else the caller says of it.
    pub marks: ChangeMarks,
}

/// What a caller says of a change for those who look through them. It is kept and shown, and decides nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangeMarks {
    /// How much it matters.
    pub severity: Option<String>,
    /// Which sorts of change it is.
    pub categories: Vec<String>,
    /// Further words to find it by.
    pub tags: Vec<String>,
}

/// One operation on lines that anchors name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineOperation {
    /// What to do.
    pub deed: LineDeed,
    /// Where.
    pub reach: Reach,
    /// The new lines, without terminators; none for a deletion, never none for another deed.
    pub lines: Vec<String>,
    /// What the caller says the first line that it touches is now, or all lines of a range; of an insert, the
    /// anchor's line. Checked, never used to pick.
    pub was: Option<Vec<String>>,
}

/// What an operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineDeed {
    /// New lines in place of the old.
    Replace,
    /// New lines below a line.
    InsertAfter,
    /// New lines above a line.
    InsertBefore,
    /// No more lines there.
    Delete,
}

/// The lines an operation is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// One line.
    Line {
        /// Its anchor.
        anchor: Anchor,
        /// Which of the lines that the anchor names, from 1.
        occurrence: Option<usize>,
        /// Where the caller believes it to be. Advice, never a choice.
        line: Option<usize>,
    },
    /// All lines from one to another, both included.
    Range {
        /// The first line.
        start: Anchor,
        /// The last line.
        end: Anchor,
    },
}

/// What to do about a result that looks like a slip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Safety {
    /// Refuse it.
    #[default]
    Strict,
    /// Carry it out and warn.
    Warn,
    /// Do not look.
    Off,
}

/// What a caller knows of a file's lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Knows {
    /// Has it been shown the numbers of the lines as they are, beside their anchors?
    pub numbers: Numbers,
    /// What it knows, where somebody else changed the file and it has not seen all of that.
    pub earlier: Option<Earlier>,
}

/// Whether a caller has been shown line numbers beside anchors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Numbers {
    /// Not those of the file as it is.
    #[default]
    Unseen,
    /// They are on record.
    Seen,
}

/// What a caller knows of a file that somebody else has changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Earlier {
    /// The hashes of all lines of the last version it knew as a whole, where they are known.
    pub whole: Option<Arc<[u64]>>,
    /// Those of stretches of lines that it has seen or written since.
    pub parts: Vec<Arc<[u64]>>,
}

/// How often an exact text must be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occurrences {
    /// Once: nothing was said of it.
    Once,
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

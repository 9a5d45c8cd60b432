//! The facts behind refused patches: where the text cannot be read, and why a hunk has no place.

use crate::locate::nearest::Nearest;

/// A hunk of a patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HunkRef {
    /// Its place in its section, from 0.
    pub index: usize,
    /// The 1-based line of the patch on which it begins.
    pub at: usize,
}

/// What of a hunk does not fit.
#[derive(Clone, Debug, PartialEq)]
pub enum Misfit {
    /// Its old lines are nowhere in the file.
    Nowhere {
        /// The closest place, if any is close.
        nearest: Option<Box<Nearest>>,
        /// The 1-based lines where its new lines already stand.
        already_at: Vec<usize>,
        /// Is the file no valid text in the charset that it was taken for, so that another one may be the reason?
        other_charset: bool,
    },
    /// Its old lines are in the file, at these 1-based lines, but not at its end as the hunk says.
    NotAtEnd(Vec<usize>),
    /// A marker says that the file ends without a newline, and it ends with one.
    EndsInNewline,
    /// A header names a line that is not there, or not in the block of the header before it.
    NoHeader {
        /// The header.
        header: String,
        /// Lines that begin so and go on, by their 1-based numbers.
        near: Vec<(usize, String)>,
    },
    /// Its old lines are in the file, but not in the block that its headers name.
    OutOfScope {
        /// The last header.
        header: String,
        /// The first and last 1-based line of the block.
        scope: (usize, usize),
        /// The 1-based lines where the old lines stand.
        lines: Vec<usize>,
    },
    /// The section deletes the file, and so many of its lines are not among the `-` lines.
    LinesLeft(usize),
    /// Of a diff: a new line would end otherwise than the diff shows it.
    LineEnds {
        /// The 1-based line of the patch.
        at: usize,
        /// Would it end in `\r\n`?
        returns: bool,
    },
}

/// What was looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sought {
    /// The context and removals of a hunk.
    OldLines {
        /// The 1-based line on which they begin in the block that the hunk's headers name, if that is just one.
        settled: Option<usize>,
    },
    /// The line that a header names.
    Header(String),
}

/// Where and why a patch cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Syntax {
    /// The 1-based line.
    pub line: usize,
    /// What should stand there.
    pub expected: Grammar,
    /// What stands there, cut when it is long; nothing at the end of the patch.
    pub found: Option<String>,
    /// The lines around it, with their numbers.
    pub excerpt: Vec<(usize, String)>,
}

/// What the grammar of a patch expects at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grammar {
    /// `*** Begin Patch`
    Begin,
    /// `*** End Patch`, or another section.
    SectionOrEnd,
    /// A first section.
    Section,
    /// Nothing but blank lines, after `*** End Patch`.
    Nothing,
    /// A path after the colon.
    Path,
    /// `from -> to`, with one arrow.
    FromTo,
    /// A `+` line of a new file, its end marker, another section, or the end.
    AddLine,
    /// The first hunk of an update.
    Hunk,
    /// A first line of a hunk after its `@@`.
    FirstHunkLine,
    /// A line of a hunk, another hunk, another section, or the end.
    HunkLine,
    /// Another section or the end: this one has no body.
    NoBody,
    /// A line above the marker that has no newline.
    LineAboveMarker,
    /// The marker under the last line only.
    MarkerAtEnd,
    /// The closing word of a heredoc.
    HeredocEnd,
    /// Of a unified diff: the first line of another file, or nothing more.
    DiffFile,
    /// `+++ NAME` under `--- NAME`.
    DiffNewName,
    /// A name that can be read, of one file of the workspace.
    DiffName,
    /// The same file as the other lines of the section name.
    DiffSameFile,
    /// `--- /dev/null`, since the section says that the file is new.
    DiffOldNull,
    /// `+++ /dev/null`, since the section says that the file goes.
    DiffNewNull,
    /// `@@ -a,b +c,d @@`
    DiffHunk,
    /// A line of a hunk.
    DiffLine,
    /// As many lines below the `@@` as it says.
    DiffCounts(Counts),
    /// Nothing but `+` lines, in one hunk: the file is new.
    DiffNewFile,
    /// Nothing but `-` lines, in one hunk: the file goes.
    DiffGoneFile,
    /// A line end after a last `+` line.
    DiffEnd,
    /// A line that tells whether `a/` and `b/` are folders.
    DiffPrefixes,
    /// New lines that end as those around them do.
    DiffLineEnds,
    /// Something that diffs may say and no tool here does.
    DiffWithout(Unread),
}

/// How many lines a hunk of a diff has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Where its old and new lines begin, as its `@@` says.
    pub starts: (u64, u64),
    /// Its context and `-` lines, and its context and `+` lines, as its `@@` says.
    pub said: (u64, u64),
    /// The same as counted.
    pub counted: (u64, u64),
}

/// What a diff may say and is not read here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unread {
    /// Other permission bits for a file.
    Mode,
    /// A new file with other than plain permission bits.
    NewMode,
    /// A symbolic link.
    Link,
    /// A submodule.
    Submodule,
    /// Content that is no text.
    Binary,
    /// A copy of a file.
    Copy,
    /// A diff against several versions at once.
    Combined,
}

/// An absolute path in a patch, and how to write it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Absolute {
    /// The path relative to the workspace.
    pub relative: String,
    /// The 1-based line of the patch.
    pub line: usize,
    /// That line with the relative path.
    pub header: String,
    /// The whole patch with relative paths, where it is short.
    pub patch: Option<String>,
}

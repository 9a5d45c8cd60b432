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
    /// A header names a line that is not there (or not below the header before it).
    NoHeader(String),
}

/// What was looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sought {
    /// The context and removals of a hunk.
    OldLines,
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
}

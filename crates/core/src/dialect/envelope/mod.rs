//! The patch envelope: one text that adds, updates, deletes and moves files.
//!
//! Promises that `parse` takes linear time, that every fault names its line and what was expected, and
//! that a patch which was printed is read back as the same value. `generate` makes sections from files
//! before and after. Left to others: whether paths are fit, whether two sections meet (`plan`), and
//! where in a file a hunk belongs (`plan`, `locate`).

mod body;
mod cursor;
mod fit;
pub mod generate;
mod heredoc;
mod marker;
mod parse;
mod print;
mod reading;
mod window;

pub use parse::parse;
pub use print::{print, print_section};
pub(super) use reading::Notes;
pub use reading::{HunkSpan, Noted, Parsed, Reading, SectionSpan, Span};

/// The line that says that the line above it has no newline.
pub const NO_NEWLINE: &str = "\\ No newline at end of file";

/// A whole patch.
///
/// It can be printed if it has a section, and if no text in it holds a `\n`; see the parts for what else
/// must be so. What [`parse`] gives can always be printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patch {
    /// What happens to each file, in order.
    pub sections: Vec<Section>,
}

/// What happens to one file. Paths are as written: not empty, and without blanks at their ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Section {
    /// A new file.
    Add {
        /// Where.
        path: String,
        /// Its lines, without their `+`.
        lines: Vec<String>,
        /// How it ends.
        end: AddEnd,
    },
    /// Changes in a file.
    Update {
        /// Which.
        path: String,
        /// The new name, where `*** Move to:` gives one.
        move_to: Option<String>,
        /// The changes; none only where there is a new name.
        hunks: Vec<Hunk>,
    },
    /// A file goes.
    Delete {
        /// Which.
        path: String,
    },
    /// A file gets another name, and perhaps changes. Its paths hold no ` -> `.
    Move {
        /// The old name.
        from: String,
        /// The new name.
        to: String,
        /// The changes on the way; mostly none.
        hunks: Vec<Hunk>,
    },
}

/// How a new file ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddEnd {
    /// By the rule: a newline is added if the last line is not empty.
    Ruled,
    /// Without a newline being added, as a marker says. Only where there is a line.
    Bare,
}

/// Some lines of a file, and what becomes of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk {
    /// What stands after each `@@`, without the space before it. Only a first hunk may have none.
    pub headers: Vec<String>,
    /// Context, removals and additions; never empty.
    pub lines: Vec<Line>,
    /// Whether it says that it ends the file.
    pub closes: Closes,
}

/// Whether a hunk says that its old lines are the last of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closes {
    /// It does not say.
    Open,
    /// `*** End of File` stands under it.
    EndOfFile,
}

/// One line of a hunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What becomes of it.
    pub sign: Sign,
    /// Its text, without sign and line end.
    pub text: String,
    /// Whether the marker stands under it. Never under an empty line, and only under the last of a side.
    pub marker: Marker,
}

/// What becomes of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// It is there and stays.
    Context,
    /// It is there and goes.
    Remove,
    /// It comes.
    Add,
}

/// What is said about the newline of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    /// Nothing.
    Unmarked,
    /// It has none, and so ends the file.
    NoNewline,
}

impl Section {
    /// The hunks of the section; none for those that have no hunks.
    pub fn hunks(&self) -> &[Hunk] {
        match self {
            Section::Update { hunks, .. } | Section::Move { hunks, .. } => hunks,
            Section::Add { .. } | Section::Delete { .. } => &[],
        }
    }
}

impl Sign {
    /// The character that stands for it.
    pub fn symbol(self) -> char {
        match self {
            Sign::Context => ' ',
            Sign::Remove => '-',
            Sign::Add => '+',
        }
    }
}

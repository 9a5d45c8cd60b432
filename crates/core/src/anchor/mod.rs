//! Anchors: lines known by what they say, not by where they stand.
//!
//! Promises that whatever form is printed for a line resolves to that line of the same text and to no
//! other. Works on text as `text::Document` gives it: UTF-8 without mark, lines with their own
//! terminators, which no hash takes in. Leaves what to do with a line to planning.
//!
//! The hash of a line is XXH3-64 with seed 0 of its bytes. Its first six hex digits are the short form,
//! its first eight the long one. The context form is the first eight digits of the hash of the line and
//! its nearest non-empty neighbours. Where even that is shared, the short form counts its place among
//! equals.

mod around;
mod count;
mod ends;
mod hash;
mod index;
mod judge;
mod lead;
mod marks;
mod parse;
mod render;
mod shown;
mod spliced;
mod stretch;

pub use around::Stretch;
pub use hash::{is_blank, is_low, line_hash};
pub(crate) use hash::{long, short};
pub use index::{Anchors, recommended};
pub use parse::Anchor;
pub use render::{Rendered, render};
pub use shown::{Quality, Shown};
pub use stretch::{LineHashes, cut, first_line, last_filled};

use std::fmt;

/// The version of the printed form.
pub const FORMAT: &str = "v1";

/// How a line is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// Six digits of the line's own hash.
    Short(u32),
    /// Eight digits of it.
    Long(u32),
    /// Eight digits of the hash of the line between its neighbours.
    Context(u32),
    /// The short form, and which of all lines that share it.
    Place {
        /// Six digits of the line's own hash.
        short: u32,
        /// Which of them, from 1.
        at: usize,
        /// How many there are.
        of: usize,
    },
}

impl fmt::Display for Form {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Form::Short(digits) => write!(to, "{digits:06x}"),
            Form::Long(digits) => write!(to, "{digits:08x}"),
            Form::Context(digits) => write!(to, "~{digits:08x}"),
            Form::Place { short, at, of } => write!(to, "{short:06x}@{at}/{of}"),
        }
    }
}

//! Text as bytes: lines with their own terminators, edits as values, charsets.
//!
//! Promises that bytes no edit claims come out as they went in. Leaves reading and writing
//! files to the store, and choosing what to edit to the dialects.

mod cut;
pub mod document;
pub mod encoding;
pub mod line;
pub mod newline;
mod problem;
mod rewrite;
pub mod splice;
pub mod terminate;
mod view;

pub use cut::Cut;
pub use document::{Document, encode_like, encode_new, is_binary};
pub use encoding::Charset;
pub use line::{Line, LineIndex, NewlineStyle, Numbered, Terminator, final_newline, lines};
pub use newline::{LfView, to_lf};
pub use problem::TextProblem;
pub use splice::{Bias, Splice, SpliceError, Splices};
pub use terminate::{FinalNewline, fit_terminators, replace_lines, with_terminator};

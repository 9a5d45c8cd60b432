//! What a search looks for, and where.

use super::slice::Anchoring;
use super::walk::Ignored;
use patchwright_core::path::RelPath;

/// What to look for.
#[derive(Clone, Debug)]
pub struct Searching {
    /// The text, expression or glob.
    pub query: String,
    /// Which of these it is.
    pub mode: Mode,
    /// The folder to look in.
    pub root: RelPath,
    /// Only files that one of these matches; all if empty. Relative to `root`.
    pub include: Vec<String>,
    /// No file that one of these matches, and nothing in a folder that one of these matches.
    pub exclude: Vec<String>,
    /// Most hits in the answer.
    pub max_results: usize,
    /// Lines to show on either side.
    pub context_lines: usize,
    /// Do capitals matter?
    pub case: Case,
    /// Whether ignored files are seen.
    pub ignored: Ignored,
    /// Whether hits come with their lines' anchors; hits in files that are too large for it do not.
    pub anchors: Anchoring,
}

/// How a query is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// As a glob over paths relative to the root of the search.
    Path,
    /// As the very text to find.
    Text,
    /// As a regular expression over lines.
    Regex,
}

/// Whether capitals matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// They do.
    Sensitive,
    /// They do not.
    Insensitive,
}

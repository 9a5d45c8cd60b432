//! What is asked for when a file is read, and what comes back.

use patchwright_core::outcome::FileView;
use patchwright_core::path::RelPath;
use patchwright_core::text::Charset;
use std::sync::Arc;

/// What to read.
#[derive(Clone, Copy, Debug)]
pub struct Reading<'a> {
    /// The path to show.
    pub path: &'a RelPath,
    /// First line, from 1.
    pub start_line: usize,
    /// Last line, inclusive; nothing for the end of the file.
    pub end_line: Option<usize>,
    /// Most bytes of content.
    pub max_bytes: usize,
    /// What to do with a binary file.
    pub on_binary: OnBinary,
    /// The charset, if the caller names one.
    pub charset: Option<Charset>,
    /// Whether lines come with their anchors.
    pub anchors: Anchoring,
}

/// What to do with a binary file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnBinary {
    /// Refuse it, as [`LookProblem::Binary`](super::LookProblem::Binary).
    Refuse,
    /// Show its bytes.
    Bytes,
}

/// What was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Slice {
    /// The file as it is shown.
    pub view: FileView,
    /// Are there bytes that are not text in this charset?
    pub lossy: bool,
    /// The hashes of all lines of the file, where it was read with anchors or is small.
    pub hashes: Option<Arc<[u64]>>,
}

/// Whether lines come with their anchors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchoring {
    /// Without.
    Without,
    /// With. Memory grows with the file then, so a larger one than this is refused.
    UpTo(u64),
}

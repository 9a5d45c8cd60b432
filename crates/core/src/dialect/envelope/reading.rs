//! What reading a patch gives beside the patch: where everything stood, and what was read kindly.
//!
//! Promises that the notes do not grow with the patch: each kind is kept once, with its count.

use super::Patch;

/// A patch that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// The patch.
    pub patch: Patch,
    /// Where its sections stood, one for each.
    pub places: Vec<SectionSpan>,
    /// What the grammar does not have and was read all the same, by first line.
    pub readings: Vec<Noted>,
}

/// Lines of the patch text, by 1-based numbers, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The first line.
    pub first: usize,
    /// The last line.
    pub last: usize,
}

/// Where a section stood. The n-th line of a new file stands n lines below the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionSpan {
    /// The whole section, without empty lines after it.
    pub span: Span,
    /// Its hunks, one for each.
    pub hunks: Vec<HunkSpan>,
}

/// Where a hunk stood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HunkSpan {
    /// The whole hunk, with its `@@` lines.
    pub span: Span,
    /// The number of each of its lines.
    pub lines: Vec<usize>,
}

/// Something that the plain grammar does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// `*** Move to:` under an update.
    MoveTo,
    /// `*** End of File` under a hunk.
    EndOfFile,
    /// A first hunk without `@@`.
    NoAt,
    /// More than one `@@` above a hunk.
    SeveralAt,
    /// An empty line taken for an empty context line.
    EmptyContext,
    /// An empty line skipped at the end of a hunk or of a section.
    SkippedBlank,
    /// A blank line skipped beside `*** Begin Patch` or `*** End Patch`.
    BlankAroundMarker,
    /// Lines that end in `\r\n`.
    CrLf,
    /// Blanks around a marker or its path.
    PaddedMarker,
    /// A heredoc around the patch.
    Heredoc,
    /// A unified diff in the place of an envelope.
    UnifiedDiff,
}

/// A kind of reading, where it was first needed and how often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Noted {
    /// What.
    pub reading: Reading,
    /// The 1-based line of the first.
    pub line: usize,
    /// How many there are; `\r\n` counts once for the whole patch.
    pub count: usize,
}

/// Notes while reading.
#[derive(Clone, Debug, Default)]
pub(in crate::dialect) struct Notes(Vec<Noted>);

impl Notes {
    pub(in crate::dialect) fn add(&mut self, reading: Reading, line: usize) {
        self.add_many(reading, line, 1);
    }

    pub(in crate::dialect) fn add_many(&mut self, reading: Reading, line: usize, count: usize) {
        match self.0.iter_mut().find(|noted| noted.reading == reading) {
            _ if count == 0 => {}
            Some(noted) => noted.count = noted.count.saturating_add(count),
            None => self.0.push(Noted { reading, line, count }),
        }
    }

    pub(in crate::dialect) fn into_sorted(mut self) -> Vec<Noted> {
        self.0.sort_by_key(|noted| noted.line);
        self.0
    }
}

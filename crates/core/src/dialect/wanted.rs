//! What the sections of an envelope want, free of its syntax: the step from an envelope to intents.

use super::envelope::{AddEnd, Closes, Conventions, Hunk, HunkSpan, Line, Marker, Parsed, Section, Sign};
use crate::intent::{self, BareHunk, HunkEnd, HunkLine, HunkPlace, OldEnd};
use crate::text::FinalNewline;

/// What one section wants.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    /// Which sort of change.
    pub what: What,
    /// The file, as it is spelt in the envelope.
    pub path: String,
    /// Its new name, of a move.
    pub to: Option<String>,
    /// Changes of its content.
    pub hunks: Vec<intent::Hunk>,
}

/// A sort of change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// A new file with this text.
    Add(String),
    /// New content.
    Update,
    /// Into the trash.
    Delete,
    /// Another name, perhaps with new content.
    Move,
}

/// What each section of an envelope wants, in order.
pub fn wanted(parsed: &Parsed, conventions: Conventions) -> Vec<Wanted> {
    let sections = parsed.patch.sections.iter().zip(&parsed.places);
    sections.map(|(section, places)| one(section, &places.hunks, conventions)).collect()
}

fn one(section: &Section, places: &[HunkSpan], conventions: Conventions) -> Wanted {
    let to_hunks = |hunks: &[Hunk]| -> Vec<intent::Hunk> {
        hunks.iter().zip(places).map(|(hunk, place)| to_hunk(hunk, place, conventions)).collect()
    };
    let (what, path, to, hunks) = match section {
        Section::Add { path, lines, end } => (What::Add(new_text(lines, *end, conventions)), path, None, Vec::new()),
        Section::Update { path, hunks, move_to: None } => (What::Update, path, None, to_hunks(hunks)),
        Section::Update { path, hunks, move_to: Some(to) } => (What::Move, path, Some(to), to_hunks(hunks)),
        Section::Delete { path } => (What::Delete, path, None, Vec::new()),
        Section::Move { from, to, hunks } => (What::Move, from, Some(to), to_hunks(hunks)),
    };
    Wanted { what, path: path.clone(), to: to.cloned(), hunks }
}

/// The text of a new file.
fn new_text(lines: &[String], end: AddEnd, conventions: Conventions) -> String {
    let mut text = lines.join("\n");
    let ends = match conventions {
        Conventions::Codex => !lines.is_empty(),
        Conventions::Strict => lines.last().is_some_and(|last| !last.is_empty()),
    };
    if ends && end == AddEnd::Ruled {
        text.push('\n');
    }
    text
}

fn to_hunk(hunk: &Hunk, places: &HunkSpan, conventions: Conventions) -> intent::Hunk {
    let headers = || hunk.headers.iter().filter(|header| !header.trim().is_empty()).cloned().collect::<Vec<_>>();
    let place = match conventions {
        Conventions::Codex if !headers().is_empty() => HunkPlace::Below(headers()),
        _ => HunkPlace::Anywhere,
    };
    let bare = match conventions {
        Conventions::Codex => BareHunk::Append,
        Conventions::Strict => BareHunk::EmptyFileOnly,
    };
    intent::Hunk { lines: hunk.lines.iter().map(line).collect(), place, end: end(hunk), bare, at: places.span.first }
}

fn line(line: &Line) -> HunkLine {
    match line.sign {
        Sign::Context => HunkLine::Context(line.text.clone()),
        Sign::Remove => HunkLine::Remove(line.text.clone()),
        Sign::Add => HunkLine::Add(line.text.clone()),
    }
}

/// What the markers of a hunk say about the end of the file.
fn end(hunk: &Hunk) -> HunkEnd {
    let marked =
        |signs: [Sign; 2]| hunk.lines.iter().any(|line| line.marker == Marker::NoNewline && signs.contains(&line.sign));
    let old = marked([Sign::Context, Sign::Remove]);
    let new = marked([Sign::Context, Sign::Add]);
    match (old, new, hunk.closes) {
        (false, false, Closes::Open) => HunkEnd::Silent,
        (false, false, Closes::EndOfFile) => HunkEnd::Last,
        _ => HunkEnd::Marked {
            old: if old { OldEnd::Unterminated } else { OldEnd::Unsaid },
            new: if new { FinalNewline::Without } else { FinalNewline::With },
        },
    }
}

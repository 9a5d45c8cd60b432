//! What the sections of a patch want, free of its syntax: the step from an envelope or a diff to intents.

use super::envelope::{AddEnd, Closes, Hunk, Line, Marker, Parsed, Section, SectionSpan, Sign};
use super::range::is_range;
use crate::conventions::Conventions;
use crate::intent::{self, BareHunk, HunkEnd, HunkLine, HunkPlace, OldEnd, OldOf};
use crate::text::FinalNewline;

/// What one section wants.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    /// Which sort of change.
    pub what: What,
    /// The file, as it is spelt in the patch.
    pub path: String,
    /// Its new name, of a move.
    pub to: Option<String>,
    /// Changes of its content.
    pub hunks: Vec<intent::Hunk>,
    /// The other file that the section could be about: a diff alone does not tell whether `b/` is a folder.
    pub otherwise: Option<String>,
    /// The 1-based line of the patch on which it begins.
    pub at: usize,
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
    /// Into the trash, if its hunks are all that it holds.
    DeleteText,
    /// Another name, perhaps with new content.
    Move,
}

/// What each section of an envelope wants, in order.
pub fn wanted(parsed: &Parsed, conventions: Conventions) -> Vec<Wanted> {
    let sections = parsed.patch.sections.iter().zip(&parsed.places);
    sections.map(|(section, places)| one(section, places, conventions)).collect()
}

fn one(section: &Section, places: &SectionSpan, conventions: Conventions) -> Wanted {
    let to_hunks = |hunks: &[Hunk]| -> Vec<intent::Hunk> {
        let placed = hunks.iter().zip(&places.hunks);
        placed.map(|(hunk, place)| to_hunk(hunk, place.span.first, conventions)).collect()
    };
    let (what, path, to, hunks) = match section {
        Section::Add { path, lines, end } => (What::Add(new_text(lines, *end, conventions)), path, None, Vec::new()),
        Section::Update { path, hunks, move_to: None } => (What::Update, path, None, to_hunks(hunks)),
        Section::Update { path, hunks, move_to: Some(to) } => (What::Move, path, Some(to), to_hunks(hunks)),
        Section::Delete { path } => (What::Delete, path, None, Vec::new()),
        Section::Move { from, to, hunks } => (What::Move, from, Some(to), to_hunks(hunks)),
    };
    Wanted { what, path: path.clone(), to: to.cloned(), hunks, otherwise: None, at: places.span.first }
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

/// A hunk of a diff: what stands behind its `@@` never says where it belongs.
pub(super) fn of_diff(hunk: &Hunk, at: usize) -> intent::Hunk {
    intent::Hunk { old_of: OldOf::First, ..to_hunk(hunk, at, Conventions::Strict) }
}

fn to_hunk(hunk: &Hunk, at: usize, conventions: Conventions) -> intent::Hunk {
    let headers: Vec<String> = hunk.headers.iter().filter(|header| !header.trim().is_empty()).cloned().collect();
    // Line numbers are no text of the file, in whatever patch they stand.
    let names: Vec<String> = headers.iter().filter(|header| !is_range(header)).cloned().collect();
    let place = match conventions {
        Conventions::Codex if !names.is_empty() => HunkPlace::Within(names),
        _ if headers.is_empty() => HunkPlace::Anywhere,
        _ => HunkPlace::Hinted(headers),
    };
    let bare = match conventions {
        Conventions::Codex => BareHunk::Append,
        Conventions::Strict => BareHunk::EmptyFileOnly,
    };
    let lines = hunk.lines.iter().map(line).collect();
    intent::Hunk { lines, place, end: end(hunk), bare, ends: Vec::new(), at, old_of: OldOf::Left, section: 0 }
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

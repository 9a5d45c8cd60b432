//! Exact replacements: each old text is found in the file as it is, all are applied together.

use super::snapshot::SnapshotFile;
use super::unseen::lossy;
use super::{Change, spans, unseen};
use crate::intent::{ExactEdit, Occurrences};
use crate::locate::{All, Edges, Needle, find_all, longer, nearest};
use crate::path::RelPath;
use crate::refusal::{Expected, Many, Refusal, Why};
use crate::seeded::{Bug, is_planted};
use crate::text::encoding::Charset;
use crate::text::splice::Pieces;
use crate::text::{Document, LfView, LineIndex, Splice, SpliceError, Splices, fit_terminators, to_lf};
use crate::warning::Warning;
use std::ops::Range;

/// So many places change in one call at most: each becomes a change on record. A call of more edits changes more places.
const PLACES_MAX: usize = 100_000;
/// Edits times bytes of the text, at most: each edit is looked for in all of it. So many bytes take some ten seconds.
const SOUGHT_MAX: usize = 1 << 36;
/// So many bytes of new text come in one call at most, however often it is repeated.
const NEW_MAX: usize = 256 << 20;

/// How many places a refusal lists.
const SHOWN: usize = 100;

/// A file after its edits.
pub(super) struct Edited {
    pub(super) bytes: Pieces,
    pub(super) changes: Vec<Change>,
    pub(super) warnings: Vec<Warning>,
}

/// Where in a file the old texts of its edits stand.
pub(super) struct Stood {
    /// The lines of each, from 0, half-open.
    pub(super) lines: Vec<Range<usize>>,
    /// How many lines the file has.
    pub(super) of: usize,
}

pub(super) fn edit(
    path: &RelPath,
    file: &SnapshotFile,
    edits: &[ExactEdit],
    charset: Option<Charset>,
) -> Result<Edited, Refusal> {
    placed(path, file, edits, charset).map(|(edited, _)| edited)
}

/// The same, with where the old texts stood.
pub(super) fn placed(
    path: &RelPath,
    file: &SnapshotFile,
    edits: &[ExactEdit],
    charset: Option<Charset>,
) -> Result<(Edited, Stood), Refusal> {
    let raw = file.bytes.clone().unwrap_or_default();
    let refused = |problem| Refusal::of_text(path, charset, problem);
    let document = Document::open(&raw[..], charset).map_err(refused)?;
    let lossy_text = if document.is_lossy() { Lossy::Yes } else { Lossy::No };
    let desk =
        Desk { path, lossy: lossy_text, view: LfView::of(document.text()), index: LineIndex::of(document.text()) };
    check_count(edits.len(), desk.view.text().len())?;
    let (mut splices, mut claims, mut owners) = (Vec::new(), Vec::new(), Vec::new());
    let mut new_bytes = 0_usize;
    for (at, edit) in edits.iter().enumerate() {
        let places = desk.places(at, edit)?;
        new_bytes = new_bytes.saturating_add(edit.new.len().saturating_mul(places.len()));
        if splices.len().saturating_add(places.len()) > PLACES_MAX || new_bytes > NEW_MAX {
            return Err(too_many(at, &format!("{} places", places.len())));
        }
        for range in places {
            claims.push(Splice { range: desk.view.source_range(range.clone()), text: Vec::new() });
            owners.push(at);
            splices.push(desk.splice(range, &edit.new));
        }
    }
    Splices::new(claims.clone()).map_err(|error| desk.overlap(&error, &claims, &owners))?;
    let splices = Splices::new(splices).map_err(|error| desk.overlap(&error, &claims, &owners))?;
    let changes = spans::changes(&desk.index, &splices);
    let stood =
        Stood { lines: claims.iter().map(|claim| desk.lines_of(&claim.range)).collect(), of: desk.index.count() };
    let bytes = document.rewrite_shared(&raw, splices).map_err(refused)?;
    let mut warnings: Vec<Warning> = document.is_lossy().then(|| lossy(path)).into_iter().collect();
    warnings.extend(unseen::in_edits(path, edits, document.text()));
    Ok((Edited { bytes, changes, warnings }, stood))
}

/// Refuses very many edits before the first of them is looked for.
fn check_count(edits: usize, text: usize) -> Result<(), Refusal> {
    let fit = SOUGHT_MAX.checked_div(text).unwrap_or(usize::MAX).max(1);
    let expected = match edits {
        _ if edits > PLACES_MAX => Expected::AtMost(PLACES_MAX, Many::Edits),
        _ if edits > fit => Expected::AtMost(fit, Many::EditsOfThisFile),
        _ => return Ok(()),
    };
    Err(Refusal::argument("edits", expected, format!("an array of {edits}")))
}

fn too_many(at: usize, got: &str) -> Refusal {
    Refusal::argument(format!("edits[{at}].oldText"), Expected::Places { most: PLACES_MAX, bytes: NEW_MAX }, got)
}

/// One file's text, open for matching.
struct Desk<'a> {
    path: &'a RelPath,
    lossy: Lossy,
    view: LfView<'a>,
    index: LineIndex<'a>,
}

impl Desk<'_> {
    /// All places of one edit's old text, in the view.
    fn places(&self, at: usize, edit: &ExactEdit) -> Result<Vec<Range<usize>>, Refusal> {
        let old = to_lf(edit.old.as_bytes());
        let Some(needle) = Needle::new(&old) else {
            return Err(Refusal::argument(format!("edits[{at}].oldText"), Expected::NotEmpty, "\"\""));
        };
        let wanted = match edit.occurrences {
            Occurrences::Once => Some(1),
            Occurrences::Exactly(count) => Some(count),
            Occurrences::All => None,
        };
        match find_all(self.view.text(), needle) {
            All::Disjoint(mut ranges) if is_planted(Bug::FirstMatch) && !ranges.is_empty() => {
                ranges.truncate(1);
                Ok(ranges)
            }
            All::Disjoint(ranges) if ranges.is_empty() => Err(self.nowhere(at, edit, &old)),
            All::Disjoint(ranges) if wanted.is_none_or(|count| count == ranges.len()) => Ok(ranges),
            All::Disjoint(ranges) => {
                let starts: Vec<usize> = ranges.iter().map(|range| range.start).collect();
                let refusal =
                    self.many(at, wanted, &Matches { count: starts.len(), starts: &starts, overlap: Overlap::No });
                Err(if wanted == Some(1) { self.told_apart(refusal, &ranges) } else { refusal })
            }
            All::TooMany { count, .. } if wanted.is_none_or(|wanted| wanted == count) => {
                Err(too_many(at, &format!("{count} places")))
            }
            All::TooMany { count, starts } => {
                Err(self.many(at, wanted, &Matches { count, starts: &starts, overlap: Overlap::No }))
            }
            All::SelfOverlapping { starts } => {
                Err(self.many(at, wanted, &Matches { count: starts.len(), starts: &starts, overlap: Overlap::Yes }))
            }
        }
    }

    /// The replacement of one place. Whole lines that old and new text share at their ends are left out
    /// of it, so that in a file of mixed line ends they keep their own.
    fn splice(&self, range: Range<usize>, new: &str) -> Splice {
        let old = self.view.text().get(range.clone()).unwrap_or_default();
        let before = range.start.checked_sub(1).and_then(|at| self.view.text().get(at));
        let begins = if before.is_none_or(|byte| *byte == b'\n') { Begins::Line } else { Begins::Inside };
        let (lead, trail) = shared_lines(old, new.as_bytes(), begins);
        let range = self.view.source_range(range.start + lead..range.end - trail);
        let new = new.as_bytes().get(lead..new.len() - trail).unwrap_or_default();
        let text = fit_terminators(&self.index, range.clone(), new);
        Splice { range, text }
    }

    fn nowhere(&self, edit: usize, exact: &ExactEdit, old: &[u8]) -> Refusal {
        // Replacement characters were copied from a reading; the file holds other bytes there.
        if self.lossy == Lossy::Yes && exact.old.contains('\u{fffd}') {
            let why = Why::Encoding { charset: "utf-8".to_owned(), line: None, unencodable: None };
            return Refusal::at(self.path, why);
        }
        let new = to_lf(exact.new.as_bytes());
        let already_at = match Needle::new(&new).map(|needle| find_all(self.view.text(), needle)) {
            Some(All::Disjoint(ranges)) => {
                self.lines(ranges.iter().filter(|range| self.tells(range)).map(|range| range.start))
            }
            _ => Vec::new(),
        };
        let nearest = nearest(self.view.text(), old, Edges::Open).map(Box::new);
        // Plain letters are the same in nearly every charset.
        let other_charset = self.lossy == Lossy::Yes && !old.is_ascii();
        Refusal::at(self.path, Why::OldTextNotFound { edit, nearest, already_at, other_charset })
    }

    /// Does a text that stands there say that an edit was made before? Whole lines with a letter or digit do; part of a
    /// line, or a lone bracket, may stand anywhere.
    fn tells(&self, range: &Range<usize>) -> bool {
        let text = self.view.text();
        let (before, found, after) = (text.get(..range.start), text.get(range.clone()), text.get(range.end..));
        let before = before.unwrap_or_default().rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
        let ends = found.is_some_and(|found| found.ends_with(b"\n"));
        let after = after.unwrap_or_default().split(|byte| *byte == b'\n').next().unwrap_or_default();
        let blank = |part: &[u8]| part.iter().all(u8::is_ascii_whitespace);
        let says = |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii();
        blank(before) && (ends || blank(after)) && found.is_some_and(|found| found.iter().any(says))
    }

    fn many(&self, edit: usize, expected: Option<usize>, matches: &Matches<'_>) -> Refusal {
        let lines = self.lines(matches.starts.iter().copied());
        let why = Why::MultipleMatches {
            edit,
            expected,
            count: matches.count,
            lines,
            overlapping: matches.overlap == Overlap::Yes,
            longer: Vec::new(),
        };
        Refusal::at(self.path, why)
    }

    /// With what tells the places from each other.
    fn told_apart(&self, mut refusal: Refusal, ranges: &[Range<usize>]) -> Refusal {
        if let Why::MultipleMatches { longer, lines, .. } = &mut refusal.why {
            *longer = longer::longer(self.view.text(), ranges, lines);
        }
        refusal
    }

    fn lines(&self, starts: impl Iterator<Item = usize>) -> Vec<usize> {
        starts.take(SHOWN).map(|start| self.index.line_at(self.view.source_offset(start))).collect()
    }

    /// The lines on which some bytes of the text stand, from 0, half-open.
    fn lines_of(&self, range: &Range<usize>) -> Range<usize> {
        let last = range.end.saturating_sub(1).max(range.start);
        self.index.line_at(range.start).saturating_sub(1)..self.index.line_at(last)
    }

    fn overlap(&self, error: &SpliceError, splices: &[Splice], owners: &[usize]) -> Refusal {
        let (first, second) = match error {
            SpliceError::Overlap { first, second } => (*first, *second),
            SpliceError::Reversed { index } => (*index, *index),
        };
        let owner = |at: usize| owners.get(at).copied().unwrap_or(0);
        let line = |at: usize| splices.get(at).map_or(0, |splice| self.index.line_at(splice.range.start));
        let why = Why::OverlappingEdits { edits: (owner(first), owner(second)), lines: (line(first), line(second)) };
        Refusal::at(self.path, why)
    }
}

/// How many bytes of whole lines two texts share at their beginning and at their end. A text with
/// carriage returns shares none: its line ends are not bytes of the view.
fn shared_lines(old: &[u8], new: &[u8], begins: Begins) -> (usize, usize) {
    if new.contains(&b'\r') {
        return (0, 0);
    }
    let same = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let lead = old.get(..same).and_then(|part| memchr::memrchr(b'\n', part)).map_or(0, |at| at + 1);
    let (old, new) = (old.get(lead..).unwrap_or_default(), new.get(lead..).unwrap_or_default());
    let same = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
    let tail = old.get(old.len() - same..).unwrap_or_default();
    let fresh = lead > 0 || begins == Begins::Line;
    let line_start = |text: &[u8]| text.len().checked_sub(same + 1).map_or(fresh, |at| text.get(at) == Some(&b'\n'));
    if line_start(old) && line_start(new) {
        return (lead, same);
    }
    (lead, memchr::memchr(b'\n', tail).map_or(0, |at| tail.len() - at - 1))
}

/// Where in its line a place begins.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Begins {
    Line,
    Inside,
}

/// Does the file hold bytes that are not text?
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lossy {
    No,
    Yes,
}

/// The places of an old text that stands in more of them than it may.
struct Matches<'a> {
    count: usize,
    /// Where the first of them begin, in the view.
    starts: &'a [usize],
    overlap: Overlap,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Overlap {
    No,
    Yes,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn very_many_edits_are_counted_first() {
        for (edits, text, want) in [
            (PLACES_MAX, 0, true),
            (PLACES_MAX + 1, 0, false),
            (PLACES_MAX, SOUGHT_MAX / PLACES_MAX, true),
            (PLACES_MAX, SOUGHT_MAX / PLACES_MAX + 1, false),
            (1, usize::MAX, true),
            (2, usize::MAX, false),
        ] {
            assert_eq!(check_count(edits, text).is_ok(), want, "{edits} in {text} bytes");
        }
    }
}

//! Exact replacements in a file that others changed since their author saw it.
//!
//! Promises that an edit is carried over only where nothing is to be guessed: each old text stands just once in the
//! version that was seen and just once now, nothing near it has changed, and applying the edit now comes to the same
//! bytes as a merge of the two changes.

use super::edits::{Edited, Stood, placed};
use super::snapshot::SnapshotFile;
use super::{Act, Aside, Change, Plan, Step};
use crate::bytes::Bytes;
use crate::digest::Digest;
use crate::history::{Piece, RawLines, Span, differences, rebase};
use crate::intent::{ExactEdit, Occurrences};
use crate::path::RelPath;
use crate::refusal::Why;
use crate::seeded::{Bug, is_planted};
use crate::text::encoding::Charset;
use std::ops::Range;

/// So many lines on either side of an old text must be as they were.
pub const NEAR: usize = 3;

/// An edit that stands apart from what others changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Beside {
    /// What the edit would have made of the version that was seen.
    pub plan: Plan,
    /// What others changed, from 0, half-open: lines of the file as the edit leaves it. Empty where lines only went.
    pub others: Vec<Range<usize>>,
    /// How many lines the edit leaves.
    pub count: usize,
}

/// Carries exact replacements over from the version that their author saw to the present one; nothing where any doubt
/// is left.
pub fn beside(
    path: &RelPath,
    seen: &Bytes,
    file: &SnapshotFile,
    edits: &[ExactEdit],
    charset: Option<Charset>,
) -> Option<Beside> {
    if edits.iter().any(|edit| edit.occurrences != Occurrences::Once) {
        return None;
    }
    let earlier =
        SnapshotFile { bytes: Some(seen.clone()), digest: Digest::of(seen), size: seen.len() as u64, ..file.clone() };
    let now = file.bytes.as_ref()?;
    if CharsetFacts::of(seen, charset) != CharsetFacts::of(now, charset) {
        return None;
    }
    let (new, stands) = placed(path, file, edits, charset).ok()?;
    let (old, stood) = match placed(path, &earlier, edits, charset) {
        Ok(old) => old,
        Err(refusal) if is_planted(Bug::SeenNotUnique) && matches!(refusal.why, Why::MultipleMatches { .. }) => {
            return Some(Beside { plan: Plan::default(), others: Vec::new(), count: 0 });
        }
        Err(_) => return None,
    };
    let (before, after) = (old.bytes.whole().into_owned(), new.bytes.whole());
    if before == **seen || !is_apart(&Version { bytes: seen, places: &stood }, &Version { bytes: now, places: &stands })
    {
        return None;
    }
    let pieces: Vec<Piece> = old.changes.iter().enumerate().map(|(at, change)| piece(at, change)).collect();
    let carried = rebase(seen, now, &before, &pieces).ok()?;
    if carried.bytes != *after {
        return None;
    }
    let others = differences(&RawLines::of(&before), &RawLines::of(&after));
    let others = others.into_iter().map(|(_, came)| came.first..came.end()).collect();
    let count = RawLines::of(&after).len();
    Some(Beside { plan: planned(&earlier, old), others, count })
}

/// What the bytes of a file say of its charset. Where that has changed, an edit would mix two charsets in one file.
#[derive(PartialEq)]
struct CharsetFacts {
    mark: Option<Charset>,
    is_utf8: bool,
    /// Only asked where the edit brings a charset of its own: an ASCII file may be in that or in UTF-8.
    is_ascii: bool,
}

impl CharsetFacts {
    fn of(bytes: &[u8], asked: Option<Charset>) -> CharsetFacts {
        let marked = |charset: &Charset| bytes.starts_with(charset.mark());
        CharsetFacts {
            mark: [Charset::Utf8, Charset::Utf16Le, Charset::Utf16Be].into_iter().find(marked),
            is_utf8: std::str::from_utf8(bytes).is_ok(),
            is_ascii: matches!(asked, Some(charset) if charset != Charset::Utf8) && bytes.is_ascii(),
        }
    }
}

/// One version of a file, and where the edits find their old texts in it.
struct Version<'a> {
    bytes: &'a [u8],
    places: &'a Stood,
}

/// Is everything that is different between two versions away from the places of the edits, in both of them?
fn is_apart(seen: &Version<'_>, now: &Version<'_>) -> bool {
    let (was, is) = (RawLines::of(seen.bytes), RawLines::of(now.bytes));
    // In a charset of its own a text may have other lines than its bytes.
    if (seen.places.of, now.places.of) != (was.len(), is.len()) {
        return false;
    }
    let changed = differences(&was, &is);
    let apart = |places: &Stood, side: fn(&(Span, Span)) -> Span| {
        places.lines.iter().all(|place| changed.iter().all(|one| is_far(place, side(one))))
    };
    is_planted(Bug::NearChangeIgnored) || apart(seen.places, |one| one.0) && apart(now.places, |one| one.1)
}

fn is_far(place: &Range<usize>, changed: Span) -> bool {
    changed.end().saturating_add(NEAR) <= place.start || place.end.saturating_add(NEAR) <= changed.first
}

fn piece(at: usize, change: &Change) -> Piece {
    let span = |line: usize, count| Span { first: line.saturating_sub(1), count };
    Piece {
        id: at.to_string(),
        before: span(change.before_line, change.before_lines),
        after: span(change.after_line, change.after_lines),
        restores: Vec::new(),
    }
}

fn planned(earlier: &SnapshotFile, Edited { bytes, changes, .. }: Edited) -> Plan {
    let digest = bytes.digest(None);
    let act = Act::Replace { before: earlier.digest, after: bytes, digest, aside: Aside::Kept };
    let step = Step { path: earlier.real.clone(), act, changes, wish: 0, bits: None };
    Plan { steps: vec![step], ..Plan::default() }
}

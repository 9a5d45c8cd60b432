//! Operations on lines that anchors name: all resolved in the file as it is, all applied together.
//!
//! Promises that an operation lands on the line its anchor names or not at all, that every bad operation
//! of a call is told at once, and that lines nobody names stay byte for byte. Leaves writing to the store.

mod guard;
mod indented;
mod overlap;
mod prefix;
mod resolve;
mod show;
mod stale;
mod standing;
mod was;

use super::edits::Edited;
use super::placed::{self, Placed};
use super::snapshot::SnapshotFile;
use super::unseen::lossy;
use super::{ending, unseen};
use crate::anchor::Anchors;
use crate::intent::{ExactEdit, Knows, LineOperation, Occurrences, Safety};
use crate::outcome::{EditFacts, SafetyStatus};
use crate::path::RelPath;
use crate::refusal::{AnchorFault, Refusal, Why};
use crate::sanity::{self, Doubt, Means, Touched};
use crate::text::encoding::Charset;
use crate::text::{Document, FinalNewline, Splices, TextProblem};
use crate::warning::Warning;
use indented::{Habit, Indented};
use standing::Core;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// What is wanted of one file.
pub(super) struct Wanted<'a> {
    pub(super) operations: &'a [LineOperation],
    pub(super) safety: Safety,
    pub(super) knows: &'a Knows,
    pub(super) charset: Option<Charset>,
    pub(super) last: FinalNewline,
}

/// A file after its operations.
pub(super) struct Anchored {
    pub(super) edited: Edited,
    pub(super) facts: EditFacts,
    /// The hashes of the lines it has then.
    pub(super) lines: Arc<[u64]>,
}

/// The lines of a file before its operations and after them.
#[derive(Clone, Copy)]
struct Versions<'a> {
    before: &'a Anchors<'a>,
    after: &'a Anchors<'a>,
}

pub(super) fn edit(path: &RelPath, file: &SnapshotFile, wanted: &Wanted<'_>) -> Result<Anchored, Refusal> {
    let raw = file.bytes.clone().unwrap_or_default();
    let refused = |problem| Refusal::of_text(path, wanted.charset, problem);
    let document = Document::open(&raw[..], wanted.charset).map_err(refused)?;
    let before = Anchors::of(document.text());
    let placed = places(path, &document, &before, wanted)?;
    let outside = || refused(TextProblem::OutOfBounds);
    let mut parts = placed::splices(&before, &placed).ok_or_else(outside)?;
    let ended = ending::settle(&before, &placed, &mut parts, wanted.last);
    let mut warnings = warnings(path, &document, wanted);
    warnings.extend(ending::not_without(path, document.text(), &parts, wanted.last));
    let splices = Splices::new(parts).map_err(|_| outside())?;
    let all = placed::touched(&placed);
    let text = splices.apply(document.text()).ok_or_else(outside)?;
    let replaced: Vec<(Range<usize>, usize)> =
        all.iter().map(|block| (block.before.clone(), block.after.len())).collect();
    let after = before.spliced(&text, &replaced);
    let versions = Versions { before: &before, after: &after };
    let touched: Vec<Touched> = all.into_iter().filter(|block| differs(versions, block)).collect();
    let found = doubts(&placed, wanted, &indented::Texts { versions, habit: Habit::of(document.text()) });
    let effect = Effect { before: document.text(), after: &text, touched: &touched };
    let looked = look_over(path, &effect, found, wanted.safety)?;
    let changed: Vec<Touched> = touched.iter().map(|block| show::trimmed(versions, block)).collect();
    let facts = facts(versions, &placed, &changed, looked);
    let bytes = document.rewrite_shared(&raw, splices).map_err(refused)?;
    let changes = placed::changes(&placed).into_iter().chain(ended).collect();
    Ok(Anchored { edited: Edited { bytes, changes, warnings }, facts, lines: after.hashes().into() })
}

/// Do other lines come than go?
fn differs(versions: Versions<'_>, block: &Touched) -> bool {
    versions.before.hashes().get(block.before.clone()) != versions.after.hashes().get(block.after.clone())
}

/// Where all operations go, in the order of the text.
fn places<'a>(
    path: &RelPath,
    document: &Document<'_>,
    before: &Anchors<'_>,
    wanted: &Wanted<'a>,
) -> Result<Vec<Placed<'a>>, Refusal> {
    let (knows, faults, apart) = (wanted.knows, Vec::new(), HashMap::new());
    let shorts = resolve::shorts(before, wanted.operations);
    let (room, searches) = (resolve::LISTED, resolve::SOUGHT);
    let mut desk =
        resolve::Desk { anchors: before, knows, lossy: document.is_lossy(), room, apart, shorts, faults, searches };
    let found = wanted.operations.iter().enumerate().filter_map(|(index, operation)| desk.place(index, operation));
    let mut placed: Vec<Placed<'a>> = found.collect();
    let mut faults = desk.faults;
    placed.sort_by_key(|one| (one.span.start, !one.is_insert(), one.index));
    overlap::find(&placed, wanted.operations, &mut faults);
    let overlaps = faults.iter().any(|fault| matches!(fault.fault, AnchorFault::Overlap { .. }));
    if let (Some(earlier), false) = (&knows.earlier, overlaps) {
        faults.extend(guard::find(earlier, before.hashes(), &placed, wanted.operations));
    }
    if faults.is_empty() {
        return Ok(placed);
    }
    faults.sort_by_key(|fault| fault.index);
    Err(Refusal::at(path, Why::Operations(faults)))
}

/// What the operations themselves give reason to doubt.
struct Found {
    plain: Vec<Doubt>,
    indented: Indented,
}

fn doubts(placed: &[Placed<'_>], wanted: &Wanted<'_>, texts: &indented::Texts<'_>) -> Found {
    let starts = placed::shifted(placed);
    let core = |(one, start): (&Placed<'_>, &usize)| Core::of(texts.versions, one, *start);
    let cores: Vec<Core> = placed.iter().zip(&starts).map(core).collect();
    let mut plain = prefix::find(placed, &starts);
    plain.extend(standing::find(texts.versions, &cores));
    Found { plain, indented: indented::find(texts, placed, &cores, wanted.operations) }
}

/// What operations do to a text.
struct Effect<'a> {
    before: &'a [u8],
    after: &'a [u8],
    touched: &'a [Touched],
}

/// Whether a result was looked over, and what looks like a slip.
struct LookedOver {
    safety: SafetyStatus,
    doubts: Vec<Doubt>,
}

/// Was the result looked over, and what looks like a slip? A refusal where that is strict; but for an indentation where
/// the call says what the line was. Repeated lines are looked for in any text; a file of which nothing more is known
/// does not count as looked over.
fn look_over(path: &RelPath, effect: &Effect<'_>, found: Found, asked: Safety) -> Result<LookedOver, Refusal> {
    if asked == Safety::Off || effect.touched.is_empty() {
        return Ok(LookedOver { safety: SafetyStatus::Skipped, doubts: Vec::new() });
    }
    let verdict = sanity::check(path.as_str(), effect.before, effect.after, effect.touched);
    let mut doubts = found.plain;
    let new = |doubt: &Doubt| !doubts.iter().any(|known| says_already(known, doubt));
    let more: Vec<Doubt> = verdict.doubts.into_iter().filter(new).collect();
    doubts.extend(more);
    doubts.extend(found.indented.bare);
    if asked == Safety::Strict && !doubts.is_empty() {
        doubts.extend(found.indented.vouched);
        return Err(Refusal::at(path, Why::Unsafe(doubts)));
    }
    doubts.extend(found.indented.vouched);
    let safety = match verdict.means {
        _ if !doubts.is_empty() => SafetyStatus::Suspicious,
        Means::LinesOnly => SafetyStatus::Skipped,
        _ => SafetyStatus::Clean,
    };
    Ok(LookedOver { safety, doubts })
}

/// Is a repeated line one of those that stand there already?
fn says_already(known: &Doubt, doubt: &Doubt) -> bool {
    match (known, doubt) {
        (Doubt::Standing { line, lines, .. }, Doubt::Repeated { line: at, .. }) => (*line..line + lines).contains(at),
        _ => false,
    }
}

fn facts(versions: Versions<'_>, placed: &[Placed<'_>], touched: &[Touched], looked: LookedOver) -> EditFacts {
    let Versions { before, after } = versions;
    let valid = touched.first().map_or(before.count(), |first| first.before.start);
    let stale = stale::find(versions, touched, valid);
    let (diff, diff_cut) = show::diff(versions, touched);
    let mut corrections: Vec<&Placed<'_>> = placed.iter().filter(|one| one.correction.is_some()).collect();
    corrections.sort_by_key(|one| one.index);
    EditFacts {
        operations: placed.len() as u64,
        lines_before: before.count() as u64,
        lines_after: after.count() as u64,
        valid_through: valid as u64,
        stale_count: stale.count as u64,
        stale: stale.nearest,
        diff,
        diff_cut,
        corrections: corrections.into_iter().filter_map(|one| one.correction).collect(),
        safety: looked.safety,
        doubts: looked.doubts,
    }
}

fn warnings(path: &RelPath, document: &Document<'_>, wanted: &Wanted<'_>) -> Vec<Warning> {
    let mut warnings: Vec<Warning> = document.is_lossy().then(|| lossy(path)).into_iter().collect();
    // Brought by an operation or by an exact edit, hidden characters are the same.
    let edit = |new: &String| ExactEdit { old: String::new(), new: new.clone(), occurrences: Occurrences::All };
    let plain = |line: &&String| line.bytes().all(|byte| (0x20..0x7f).contains(&byte));
    let lines = wanted.operations.iter().flat_map(|operation| &operation.lines);
    let edits: Vec<ExactEdit> = lines.filter(|line| !plain(line)).map(edit).collect();
    warnings.extend(unseen::in_edits(path, &edits, document.text()));
    if wanted.knows.earlier.is_some() {
        warnings.push(Warning::ChangedSinceSeen { path: path.to_string() });
    }
    warnings
}

//! Operations on lines that anchors name: all resolved in the file as it is, all applied together.
//!
//! Promises that an operation lands on the line its anchor names or not at all, that every bad operation
//! of a call is told at once, and that lines nobody names stay byte for byte. Leaves writing to the store.

pub(super) mod apply;
mod guard;
mod indented;
mod overlap;
mod prefix;
mod resolve;
mod show;
mod stale;
mod standing;
mod was;

use super::build::lossy;
use super::snapshot::SnapshotFile;
use super::{Change, ending, unseen};
use crate::anchor::Anchors;
use crate::intent::{ExactEdit, Knows, LineDeed, LineOperation, Occurrences, Safety};
use crate::outcome::{Correction, EditFacts, SafetyStatus};
use crate::path::RelPath;
use crate::refusal::{AnchorFault, Refusal, Why};
use crate::sanity::{self, Doubt, Means, Touched};
use crate::text::encoding::Charset;
use crate::text::splice::Pieces;
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
pub(super) struct Edited {
    pub(super) bytes: Pieces,
    pub(super) changes: Vec<Change>,
    pub(super) facts: EditFacts,
    /// The hashes of the lines it has then.
    pub(super) lines: Arc<[u64]>,
    pub(super) warnings: Vec<Warning>,
}

/// An operation whose place is known.
pub(super) struct Placed<'a> {
    /// Which operation of the call, from 0.
    pub(super) index: usize,
    /// The lines that go, from 0, half-open; empty for an insert.
    pub(super) span: Range<usize>,
    /// The lines that come.
    pub(super) lines: &'a [String],
    pub(super) deed: LineDeed,
    /// What was put right.
    pub(super) correction: Option<Correction>,
}

impl Placed<'_> {
    fn is_insert(&self) -> bool {
        matches!(self.deed, LineDeed::InsertAfter | LineDeed::InsertBefore)
    }
}

pub(super) fn edit(path: &RelPath, file: &SnapshotFile, wanted: &Wanted<'_>) -> Result<Edited, Refusal> {
    let raw = file.bytes.clone().unwrap_or_default();
    let refused = |problem| Refusal::of_text(path, wanted.charset, problem);
    let document = Document::open(&raw[..], wanted.charset).map_err(refused)?;
    let before = Anchors::of(document.text());
    let placed = places(path, (&before, document.is_lossy()), wanted)?;
    let outside = || refused(TextProblem::OutOfBounds);
    let mut parts = apply::splices(&before, &placed).ok_or_else(outside)?;
    let ended = ending::settle(&before, &placed, &mut parts, wanted.last);
    let mut warnings = warnings(path, &document, wanted);
    warnings.extend(ending::not_without(path, document.text(), &parts, wanted.last));
    let splices = Splices::new(parts).map_err(|_| outside())?;
    let all = apply::touched(&placed);
    let text = splices.apply(document.text()).ok_or_else(outside)?;
    let replaced: Vec<(Range<usize>, usize)> =
        all.iter().map(|block| (block.before.clone(), block.after.len())).collect();
    let after = before.spliced(&text, &replaced);
    let touched: Vec<Touched> = all.into_iter().filter(|block| differs((&before, &after), block)).collect();
    let found =
        doubts(&placed, wanted, &indented::Texts { before: &before, after: &after, habit: Habit::of(document.text()) });
    let looked = look_over(path, (document.text(), &text), (&touched, found), wanted.safety)?;
    let changed: Vec<Touched> = touched.iter().map(|block| show::trimmed((&before, &after), block)).collect();
    let facts = facts((&before, &after), &placed, &changed, looked);
    let bytes = document.rewrite_shared(&raw, splices).map_err(refused)?;
    let changes = apply::changes(&placed).into_iter().chain(ended).collect();
    Ok(Edited { bytes, changes, facts, lines: after.hashes().into(), warnings })
}

/// Do other lines come than go?
fn differs((before, after): (&Anchors<'_>, &Anchors<'_>), block: &Touched) -> bool {
    before.hashes().get(block.before.clone()) != after.hashes().get(block.after.clone())
}

/// Where all operations go, in the order of the text.
fn places<'a>(
    path: &RelPath,
    (before, lossy): (&Anchors<'_>, bool),
    wanted: &Wanted<'a>,
) -> Result<Vec<Placed<'a>>, Refusal> {
    let (knows, faults, apart) = (wanted.knows, Vec::new(), HashMap::new());
    let shorts = resolve::shorts(before, wanted.operations);
    let (room, searches) = (resolve::LISTED, resolve::SOUGHT);
    let mut desk = resolve::Desk { anchors: before, knows, lossy, room, apart, shorts, faults, searches };
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
    let starts = apply::shifted(placed);
    let core = |(one, start): (&Placed<'_>, &usize)| Core::of((texts.before, texts.after), one, *start);
    let cores: Vec<Core> = placed.iter().zip(&starts).map(core).collect();
    let mut plain = prefix::find(placed, &starts);
    plain.extend(standing::find((texts.before, texts.after), &cores));
    Found { plain, indented: indented::find(texts, placed, &cores, wanted.operations) }
}

/// Was the result looked over, and what looks like a slip? A refusal where that is strict; but for an indentation where
/// the call says what the line was. Repeated lines are looked for in any text; a file of which nothing more is known
/// does not count as looked over.
fn look_over(
    path: &RelPath,
    (before, after): (&[u8], &[u8]),
    (touched, found): (&[Touched], Found),
    safety: Safety,
) -> Result<(SafetyStatus, Vec<Doubt>), Refusal> {
    if safety == Safety::Off || touched.is_empty() {
        return Ok((SafetyStatus::Skipped, Vec::new()));
    }
    let verdict = sanity::check(path.as_str(), before, after, touched);
    let mut doubts = found.plain;
    let new = |doubt: &Doubt| !doubts.iter().any(|known| says_already(known, doubt));
    let more: Vec<Doubt> = verdict.doubts.into_iter().filter(new).collect();
    doubts.extend(more);
    doubts.extend(found.indented.bare);
    if safety == Safety::Strict && !doubts.is_empty() {
        doubts.extend(found.indented.vouched);
        return Err(Refusal::at(path, Why::Unsafe(doubts)));
    }
    doubts.extend(found.indented.vouched);
    match verdict.means {
        _ if !doubts.is_empty() => Ok((SafetyStatus::Suspicious, doubts)),
        Means::LinesOnly => Ok((SafetyStatus::Skipped, doubts)),
        _ => Ok((SafetyStatus::Clean, doubts)),
    }
}

/// Is a repeated line one of those that stand there already?
fn says_already(known: &Doubt, doubt: &Doubt) -> bool {
    match (known, doubt) {
        (Doubt::Standing { line, lines, .. }, Doubt::Repeated { line: at, .. }) => (*line..line + lines).contains(at),
        _ => false,
    }
}

fn facts(
    (before, after): (&Anchors<'_>, &Anchors<'_>),
    placed: &[Placed<'_>],
    touched: &[Touched],
    (safety, doubts): (SafetyStatus, Vec<Doubt>),
) -> EditFacts {
    let valid = touched.first().map_or(before.count(), |first| first.before.start);
    let stale = stale::find((before, after), touched, valid);
    let (diff, diff_cut) = show::diff((before, after), touched);
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
        safety,
        doubts,
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

//! Changes on moved ground: a part of a recorded change, and a change made for another version than the one
//! at hand.
//!
//! Promises never to guess: lines a change was made for must stand as they stood, and a merge by another hand
//! must come to the same bytes. Where pieces do not tell the whole difference, all of them go or none.

use super::parts::{check_spans, grouped};
use super::{End, Lost, Piece, RawLines, Span};
use crate::diff::script;
use similar::TextMerge;
use std::collections::{HashMap, HashSet};

/// A change carried over to another version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rebased {
    /// The other version with the change.
    pub bytes: Vec<u8>,
    /// Its pieces, by the lines of that version before and after.
    pub pieces: Vec<Piece>,
}

/// Pieces that meet what others changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clash {
    /// The change.
    pub change: String,
    /// The lines it was made for, in the version it was made for.
    pub base: Span,
    /// What stands there now, in the version at hand.
    pub now: Span,
}

/// More lines than this that differ are not merged: comparing them takes too long.
const MOST_DIFFERENCES: usize = 20_000;

/// The version that only some of the pieces between two versions make of the first. `Err` names pieces that
/// share their lines with others, which would have to go along, and pieces that are not to be told apart.
///
/// ```
/// use patchwright_core::history::{Piece, Span, with_only};
/// let line = |first| Span { first, count: 1 };
/// let piece = |id: &str, at| Piece { id: id.into(), before: line(at), after: line(at), restores: Vec::new() };
/// let (one, two) = (piece("one", 0), piece("two", 2));
/// let part = with_only(b"a\nb\nc\n", b"x\nb\ny\n", &[one, two.clone()], &["two".into()]).unwrap();
/// assert_eq!((part.bytes, part.pieces), (b"a\nb\ny\n".to_vec(), vec![two]));
/// ```
pub fn with_only(before: &[u8], after: &[u8], pieces: &[Piece], wanted: &[String]) -> Result<Rebased, Vec<Lost>> {
    let asked: HashSet<&str> = wanted.iter().map(String::as_str).collect();
    let is_wanted = |piece: &Piece| asked.contains(piece.id.as_str());
    refuse(unknown(pieces, wanted))?;
    if pieces.iter().all(is_wanted) {
        return Ok(Rebased { bytes: after.to_vec(), pieces: pieces.to_vec() });
    }
    if wanted.is_empty() {
        return Ok(Rebased { bytes: before.to_vec(), pieces: Vec::new() });
    }
    let groups = grouped(pieces);
    refuse(groups.iter().flat_map(|group| shared(group, &asked)).collect())?;
    if !check_spans(before, after, pieces) {
        return Err(wanted.iter().map(|change| Lost::Unknown { change: change.clone() }).collect());
    }
    let (old, new) = (RawLines::of(before), RawLines::of(after));
    let chosen: Vec<Vec<&Piece>> =
        groups.into_iter().filter(|group| group.first().is_some_and(|piece| is_wanted(piece))).collect();
    let own = chosen.iter().filter_map(|group| group.first()).map(|piece| piece.before).collect::<Vec<_>>();
    Ok(patched(&old, &old, &new, &chosen, &own))
}

fn refuse(lost: Vec<Lost>) -> Result<(), Vec<Lost>> {
    if lost.is_empty() { Ok(()) } else { Err(lost) }
}

fn unknown(pieces: &[Piece], wanted: &[String]) -> Vec<Lost> {
    let known: HashSet<&str> = pieces.iter().map(|piece| piece.id.as_str()).collect();
    let strange = wanted.iter().filter(|id| !known.contains(id.as_str()));
    strange.map(|change| Lost::Unknown { change: change.clone() }).collect()
}

/// The wanted ones of a group of which others are not.
fn shared(group: &[&Piece], asked: &HashSet<&str>) -> Vec<Lost> {
    let (some, others): (Vec<&Piece>, Vec<&Piece>) = group.iter().partition(|piece| asked.contains(piece.id.as_str()));
    if others.is_empty() {
        return Vec::new();
    }
    let others: Vec<String> = others.iter().map(|piece| piece.id.clone()).collect();
    some.iter().map(|piece| Lost::Shared { change: piece.id.clone(), others: others.clone() }).collect()
}

/// A version with the lines that groups bring at these spans of it. The groups were made for the first of the
/// two versions and are put into the second.
fn patched(
    base: &RawLines<'_>,
    ours: &RawLines<'_>,
    theirs: &RawLines<'_>,
    groups: &[Vec<&Piece>],
    spans: &[Span],
) -> Rebased {
    let (mut lines, mut pieces, mut done): (Vec<&[u8]>, Vec<Piece>, usize) = (Vec::new(), Vec::new(), 0);
    let mut ends = ours;
    for (group, span) in groups.iter().zip(spans) {
        let Some(first) = group.first() else { continue };
        lines.extend((done..span.first).map(|at| ours.raw(at)));
        let after = Span { first: lines.len(), count: first.after.count };
        lines.extend((first.after.first..first.after.end()).map(|at| theirs.raw(at)));
        done = span.end();
        pieces.extend(group.iter().map(|piece| Piece { before: *span, after, ..(*piece).clone() }));
        // An empty version says nothing about how the last line ends.
        if !theirs.is_empty() && (first.before.end() == base.len() || first.after.end() == theirs.len()) {
            ends = theirs;
        }
    }
    lines.extend((done..ours.len()).map(|at| ours.raw(at)));
    let end = if ends.ends_in_newline() { End::Newline } else { End::Bare };
    Rebased { bytes: ours.joined(&lines, end), pieces }
}

/// Carries a change over from the version it was made for to the one at hand.
///
/// ```
/// use patchwright_core::history::{Piece, Span, rebase};
/// let span = |first, count| Span { first, count };
/// let piece = Piece { id: "p".into(), before: span(2, 1), after: span(2, 1), restores: Vec::new() };
/// let carried = rebase(b"a\nb\nc\n", b"new\na\nb\nc\n", b"a\nb\nC\n", &[piece.clone()]).unwrap();
/// assert_eq!(carried.bytes, b"new\na\nb\nC\n");
/// assert_eq!((carried.pieces[0].before, carried.pieces[0].after), (span(3, 1), span(3, 1)));
/// assert!(rebase(b"a\nb\nc\n", b"a\nb\nx\n", b"a\nb\nC\n", &[piece]).is_err());
/// ```
pub fn rebase(base: &[u8], ours: &[u8], theirs: &[u8], pieces: &[Piece]) -> Result<Rebased, Vec<Clash>> {
    if ours == base {
        return Ok(Rebased { bytes: theirs.to_vec(), pieces: pieces.to_vec() });
    }
    let ground = Ground { base: RawLines::of(base), ours: RawLines::of(ours), theirs: RawLines::of(theirs) };
    let all = [base, ours, theirs];
    let is_text = |bytes: &&[u8]| !RawLines::is_wide(bytes) && memchr::memchr(0, bytes).is_none();
    let same_mark = ground.base.mark() == ground.ours.mark() && ground.base.mark() == ground.theirs.mark();
    if !same_mark || !all.iter().all(is_text) || !check_spans(base, theirs, pieces) {
        return Err(ground.everything(pieces));
    }
    let kept = ground.kept();
    let groups = grouped(pieces);
    let spans = ground.spans(&groups, &kept)?;
    let carried = patched(&ground.base, &ground.ours, &ground.theirs, &groups, &spans);
    if kept.changed.saturating_add(size(pieces)) > MOST_DIFFERENCES {
        return Err(ground.everything(pieces));
    }
    let merge = TextMerge::from_lines(base, ours, theirs);
    let mut merged = Vec::new();
    let told = !merge.is_conflicted() && merge.to_writer(&mut merged).is_ok();
    if told && merged == carried.bytes { Ok(carried) } else { Err(ground.disputed(&merge, &groups, &spans)) }
}

fn size(pieces: &[Piece]) -> usize {
    pieces.iter().fold(0, |sum, piece| sum.saturating_add(piece.before.count).saturating_add(piece.after.count))
}

/// Three versions: the one a change was made for, the one at hand, and the first with the change.
struct Ground<'a> {
    base: RawLines<'a>,
    ours: RawLines<'a>,
    theirs: RawLines<'a>,
}

/// Which lines of the base are still there, and where.
struct Kept {
    now: Vec<Option<usize>>,
    /// How many lines differ.
    changed: usize,
}

impl Ground<'_> {
    /// Compares the base with the version at hand, terminators included.
    fn kept(&self) -> Kept {
        let mut numbers: HashMap<&[u8], usize> = HashMap::new();
        let mut number = |line| {
            let next = numbers.len();
            *numbers.entry(line).or_insert(next)
        };
        let old: Vec<usize> = self.base.iter().map(&mut number).collect();
        let new: Vec<usize> = self.ours.iter().map(&mut number).collect();
        let (mut now, mut changed, mut at) = (Vec::with_capacity(old.len()), 0, 0);
        for change in script::changes(&old, &new) {
            now.extend((at..change.new.start).map(Some));
            now.resize(change.old.end, None);
            at = change.new.end;
            changed += change.old.len() + change.new.len();
        }
        now.extend((at..new.len()).map(Some));
        Kept { now, changed }
    }

    /// Where the lines stand now that groups were made for.
    fn spans(&self, groups: &[Vec<&Piece>], kept: &Kept) -> Result<Vec<Span>, Vec<Clash>> {
        let (mut spans, mut clashes) = (Vec::new(), Vec::new());
        for group in groups {
            let Some(first) = group.first() else { continue };
            let around = self.around(first.before, kept);
            let is_nothing = first.before.count == 0 && first.after.count == 0;
            match stands(first.before, around, kept) {
                None if is_nothing => spans.push(Span { count: 0, ..around }),
                Some(span) => spans.push(span),
                None => clashes.extend(clash(group, around)),
            }
        }
        if clashes.is_empty() { Ok(spans) } else { Err(clashes) }
    }

    /// The lines now from the nearest line above that is still there to the nearest below.
    fn around(&self, span: Span, kept: &Kept) -> Span {
        let above = kept.now.iter().take(span.first).rev().find_map(|now| *now).map_or(0, |at| at + 1);
        let below = kept.now.iter().skip(span.end()).find_map(|now| *now).unwrap_or(self.ours.len());
        Span { first: above, count: below.saturating_sub(above) }
    }

    /// Every piece clashes, over the whole file.
    fn everything(&self, pieces: &[Piece]) -> Vec<Clash> {
        let whole = |lines: &RawLines<'_>| Span { first: 0, count: lines.len() };
        let clash = |change: String| Clash { change, base: whole(&self.base), now: whole(&self.ours) };
        if pieces.is_empty() {
            return vec![clash(String::new())];
        }
        pieces.iter().map(|piece| clash(piece.id.clone())).collect()
    }

    /// The groups in a merge's conflicts; all of them where that cannot be told.
    fn disputed(&self, merge: &TextMerge<'_, '_, '_, [u8]>, groups: &[Vec<&Piece>], spans: &[Span]) -> Vec<Clash> {
        let same_lines = merge.base_len() == self.base.len() && merge.ours_len() == self.ours.len();
        let mut clashes = Vec::new();
        for region in merge.conflicts().filter(|_| same_lines) {
            let (base, ours) = (region.base_range(), region.ours_range());
            let meets = |piece: &&&Piece| piece.before.first <= base.end && base.start <= piece.before.end();
            for group in groups.iter().filter(|group| group.first().is_some_and(|piece| meets(&piece))) {
                clashes.extend(clash(group, Span { first: ours.start, count: ours.len() }));
            }
        }
        if clashes.is_empty() {
            clashes.extend(groups.iter().zip(spans).flat_map(|(group, span)| clash(group, *span)));
        }
        let mut seen = HashSet::new();
        clashes.retain(|clash| seen.insert(clash.change.clone()));
        if clashes.is_empty() { self.everything(&[]) } else { clashes }
    }
}

fn clash(group: &[&Piece], now: Span) -> Vec<Clash> {
    group.iter().map(|piece| Clash { change: piece.id.clone(), base: piece.before, now }).collect()
}

/// Where these lines stand now, if they stand together; of no lines, if the neighbours do.
fn stands(span: Span, around: Span, kept: &Kept) -> Option<Span> {
    if span.count == 0 {
        let above = span.first.checked_sub(1).is_none_or(|at| kept.now.get(at).is_some_and(Option::is_some));
        let below = kept.now.get(span.first).is_none_or(Option::is_some);
        return (above && below && around.count == 0).then_some(around);
    }
    let first = kept.now.get(span.first).copied().flatten()?;
    let lines = kept.now.get(span.first..span.end())?;
    let together = lines.iter().zip(first..).all(|(now, at)| *now == Some(at));
    together.then_some(Span { first, count: span.count })
}

//! What is wrong with a batch in itself, whatever the files hold: keys and files named twice, ranges that are
//! none, lines that are none, order and overlap.

use super::place::{is_insert, rank, span};
use super::{FilePatch, LineEdit, doc};
use crate::refusal::{Intruder, LineFault, LinePlace, LineProblem};
use std::collections::HashMap;

/// Every rule that a batch breaks by itself.
///
/// ```
/// use patchwright_core::dialect::lines::{FilePatch, LineEdit, shape};
/// use patchwright_core::digest::Digest;
/// let line = || vec!["x".to_owned()];
/// let changes = vec![LineEdit::insert(5, line()), LineEdit::insert(2, line())];
/// let faults = shape::faults(&[FilePatch::new("a.txt", Digest::of(b""), changes)]);
/// assert_eq!(faults[0].problem.rule(), "order");
/// ```
pub fn faults(files: &[FilePatch]) -> Vec<LineFault> {
    let mut found = named_twice(files);
    for (file, patch) in files.iter().enumerate() {
        let mut problems: Vec<(Option<usize>, LineProblem)> =
            capitals(patch).map(|problem| (None, problem)).into_iter().collect();
        problems.extend(keys(patch).into_iter().map(|(change, problem)| (Some(change), problem)));
        for (change, edit) in patch.changes.iter().enumerate() {
            problems.extend(of_change(edit).into_iter().map(|problem| (Some(change), problem)));
        }
        problems.extend(order(patch).into_iter().map(|(change, problem)| (Some(change), problem)));
        problems.extend(overlaps(patch).into_iter().map(|(change, problem)| (Some(change), problem)));
        found.extend(problems.into_iter().map(|(change, problem)| patch.fault(file, change, problem)));
    }
    found
}

/// Files and file keys that come a second time.
fn named_twice(files: &[FilePatch]) -> Vec<LineFault> {
    let mut found = Vec::new();
    let (mut paths, mut keys) = (HashMap::new(), HashMap::new());
    for (at, patch) in files.iter().enumerate() {
        if let Some(path) = &patch.doc_path
            && let Some(earlier) = earlier(&mut paths, path, at)
        {
            found.push(patch.fault(at, None, LineProblem::SameFile { earlier, path: None }));
        }
        if let Some(key) = &patch.key
            && let Some(earlier) = earlier(&mut keys, key, at)
        {
            let problem = LineProblem::SameKey { field: "fileKey", key: key.clone(), earlier };
            found.push(patch.fault(at, None, problem));
        }
    }
    found
}

/// Where this stood before, if it did.
fn earlier<'a>(known: &mut HashMap<&'a str, usize>, name: &'a str, at: usize) -> Option<usize> {
    let first = *known.entry(name).or_insert(at);
    (first != at).then_some(first)
}

fn capitals(patch: &FilePatch) -> Option<LineProblem> {
    let path = patch.doc_path.as_deref().filter(|path| !doc::is_lower(path))?;
    Some(LineProblem::UpperCase { lower: path.to_lowercase() })
}

fn keys(patch: &FilePatch) -> Vec<(usize, LineProblem)> {
    let mut known = HashMap::new();
    let mut found = Vec::new();
    for (at, edit) in patch.changes.iter().enumerate() {
        if let Some(key) = &edit.key
            && let Some(earlier) = earlier(&mut known, key, at)
        {
            found.push((at, LineProblem::SameKey { field: "changeKey", key: key.clone(), earlier }));
        }
    }
    found
}

fn of_change(edit: &LineEdit) -> Vec<LineProblem> {
    let mut found = Vec::new();
    if let Some(place) = edit.place {
        match (span(place), &edit.expected) {
            (None, _) => found.push(LineProblem::Reversed),
            (Some(span), Some(expected)) if !is_insert(place) && span.len() != expected.len() => {
                found.push(LineProblem::ExpectedCount { wanted: span.len(), given: expected.len() });
            }
            _ => {}
        }
        if !matches!(place, LinePlace::Delete { .. }) && edit.lines.as_ref().is_some_and(Vec::is_empty) {
            found.push(LineProblem::FieldMissing { field: "newLines", operation: place.operation() });
        }
    }
    for (index, line) in edit.lines.iter().flatten().enumerate() {
        let what = intruder(line);
        found.extend(what.map(|what| LineProblem::NotOneLine { field: "newLines", index: Some(index), what }));
    }
    let expected = edit.expected.iter().flatten().enumerate();
    let quoted = expected.map(|(index, line)| ("expectedOriginalLines", Some(index), line));
    let beside = [("expectedLineBefore", &edit.above), ("expectedLineAfter", &edit.below)];
    let beside = beside.into_iter().filter_map(|(field, quoted)| Some((field, None, quoted.line()?)));
    for (field, index, line) in quoted.chain(beside) {
        // A carriage return or a NUL may well stand in the file.
        if line.contains('\n') {
            found.push(LineProblem::NotOneLine { field, index, what: Intruder::Newline });
        }
    }
    found
}

fn intruder(line: &str) -> Option<Intruder> {
    match line {
        line if line.contains('\n') => Some(Intruder::Newline),
        line if line.contains('\0') => Some(Intruder::Nul),
        line if line.ends_with('\r') => Some(Intruder::CarriageReturn),
        _ => None,
    }
}

/// Changes that stand above the one before them.
fn order(patch: &FilePatch) -> Vec<(usize, LineProblem)> {
    let mut found = Vec::new();
    let mut last: Option<(usize, LinePlace)> = None;
    for (at, place) in places(patch) {
        if let Some((earlier, before)) = last
            && rank(place) < rank(before)
        {
            found.push((at, LineProblem::Order { earlier, place: before }));
        }
        last = Some((at, place));
    }
    found
}

/// Changes that touch the same lines as another.
fn overlaps(patch: &FilePatch) -> Vec<(usize, LineProblem)> {
    let mut all: Vec<(usize, LinePlace)> = places(patch).filter(|(_, place)| span(*place).is_some()).collect();
    all.sort_by_key(|(at, place)| (span(*place).map_or(0, |span| span.start), !is_insert(*place), *at));
    let mut found = Vec::new();
    let mut widest: Option<(usize, LinePlace)> = None;
    for (at, place) in all {
        if let Some((other, claimed)) = widest
            && touch(claimed, place)
        {
            let (later, earlier, where_) = if at > other { (at, other, claimed) } else { (other, at, place) };
            found.push((later, LineProblem::Overlap { other: earlier, place: where_ }));
        }
        let end = |place: LinePlace| span(place).map_or(0, |span| span.end);
        if !is_insert(place) && widest.is_none_or(|(_, claimed)| end(place) > end(claimed)) {
            widest = Some((at, place));
        }
    }
    found.sort_by_key(|(at, _)| *at);
    found
}

/// Of two changes in the order of the text: does the second begin within the first? An insert at the edge of a
/// range does not.
fn touch(first: LinePlace, second: LinePlace) -> bool {
    let (Some(claimed), Some(next)) = (span(first), span(second)) else { return false };
    match is_insert(second) {
        true => claimed.start < next.start && next.start < claimed.end,
        false => next.start < claimed.end,
    }
}

fn places(patch: &FilePatch) -> impl Iterator<Item = (usize, LinePlace)> {
    patch.changes.iter().enumerate().filter_map(|(at, edit)| Some((at, edit.place?)))
}

//! Texts changed in the ways that they change under a model, with where each line went.

use crate::replay::chance::Chance;
use patchwright_engine::core::anchor::Anchors;
use std::ops::Range;

/// A way to change a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Inserted,
    Deleted,
    Reindented,
    Token,
    Boilerplate,
    Rewritten,
}

pub(super) const SORTS: &[Sort] =
    &[Sort::Inserted, Sort::Deleted, Sort::Reindented, Sort::Token, Sort::Boilerplate, Sort::Rewritten];

impl Sort {
    /// What is done, in the table of figures.
    pub(super) fn name(self) -> &'static str {
        match self {
            Sort::Inserted => "inserted above",
            Sort::Deleted => "lines deleted",
            Sort::Reindented => "block reindented",
            Sort::Token => "a token changed",
            Sort::Boilerplate => "boilerplate added",
            Sort::Rewritten => "range rewritten",
        }
    }
}

/// A changed text.
pub(super) struct Mutated {
    pub(super) text: Vec<u8>,
    /// By old line, from 0: the new line, from 1; none if it is gone or says something else.
    lines: Vec<Option<usize>>,
}

impl Mutated {
    /// Where an old line is now, both from 1.
    pub(super) fn went(&self, line: usize) -> Option<usize> {
        line.checked_sub(1).and_then(|at| self.lines.get(at)).copied().flatten()
    }
}

/// A line of the new text: an old one, or another.
enum Row {
    Old(usize),
    New(Vec<u8>),
}

pub(super) fn mutate(sort: Sort, before: &Anchors<'_>, chance: &mut Chance) -> Mutated {
    let count = before.count();
    let text = |at: usize| before.text(at + 1).to_vec();
    let from = chance.below(count.max(1));
    let len = (1 + chance.below(8)).min(count - from.min(count));
    let block = from..from + len;
    let mut rows = Vec::new();
    for at in 0..count {
        let inside = block.contains(&at);
        if at == from {
            rows.extend(brought(sort, before, block.clone(), chance).into_iter().map(Row::New));
        }
        rows.push(match sort {
            Sort::Deleted | Sort::Rewritten if inside => continue,
            Sort::Reindented if inside => Row::New([b"    ", &text(at)[..]].concat()),
            Sort::Token if at == from => Row::New(with_other_token(&text(at))),
            _ => Row::Old(at),
        });
    }
    put_together(before, rows)
}

/// The lines that come before the block, or in its place.
fn brought(sort: Sort, before: &Anchors<'_>, block: Range<usize>, chance: &mut Chance) -> Vec<Vec<u8>> {
    match sort {
        Sort::Inserted => (0..block.len()).map(|at| format!("// a new line, number {at}").into_bytes()).collect(),
        // What a model adds most: lines that the file has already.
        Sort::Boilerplate => (0..block.len() * 2)
            .map(|_| before.text(1 + chance.below(before.count())).to_vec())
            .chain([Vec::new(), b"}".to_vec()])
            .collect(),
        Sort::Rewritten => {
            let mut lines: Vec<Vec<u8>> = block.map(|at| with_other_token(before.text(at + 1))).collect();
            lines.push(b"    return None;".to_vec());
            lines
        }
        Sort::Deleted | Sort::Reindented | Sort::Token => Vec::new(),
    }
}

/// The line with its first word written another way; a line without words gets one.
fn with_other_token(line: &[u8]) -> Vec<u8> {
    let mut line = line.to_vec();
    match line.iter().position(u8::is_ascii_alphanumeric) {
        Some(at) => line.insert(at, b'q'),
        None => line.extend_from_slice(b" q"),
    }
    line
}

fn put_together(before: &Anchors<'_>, rows: Vec<Row>) -> Mutated {
    let mut mutated = Mutated { text: Vec::new(), lines: vec![None; before.count()] };
    for (at, row) in rows.into_iter().enumerate() {
        match row {
            Row::Old(old) => {
                mutated.text.extend_from_slice(before.text(old + 1));
                if let Some(slot) = mutated.lines.get_mut(old) {
                    *slot = Some(at + 1);
                }
            }
            Row::New(text) => mutated.text.extend_from_slice(&text),
        }
        mutated.text.push(b'\n');
    }
    mutated
}

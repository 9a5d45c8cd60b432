//! The version from which edits are told, and what was done to it, as edits that are sorted and apart.

use super::ids::{Id, is_line};
use super::{Edit, Source, Span};
use std::collections::HashMap;

#[derive(Clone, Debug, Default)]
pub(super) struct Marked {
    at: HashMap<Id, usize>,
    patches: Vec<Patch>,
    sources: HashMap<Id, (String, usize)>,
}

/// Lines of the marked version that are others now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Patch {
    before: Span,
    now: usize,
    undoes: Vec<String>,
}

/// Lines of the present version that become others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Turn {
    pub(super) span: Span,
    pub(super) becomes: usize,
    pub(super) undoes: Vec<String>,
}

/// A patch or a turn, by the lines that it has in the marked, the present and the next version.
struct Item {
    first: usize,
    was: usize,
    is: usize,
    becomes: usize,
    undoes: Vec<String>,
    is_turn: bool,
}

impl Item {
    fn end(&self) -> usize {
        self.first.saturating_add(self.is)
    }

    fn overlaps(&self, next: &Item) -> bool {
        self.first < next.end() && next.first < self.end()
    }

    /// Do both stand between the same two lines?
    fn is_beside(&self, next: &Item) -> bool {
        self.is == 0 && next.is == 0 && self.first == next.first
    }

    /// Both as one. In the marked and in the next version each line outside the other is there too.
    fn join(&mut self, next: Item) {
        let end = self.end().max(next.end());
        let shared = self.is.saturating_add(next.is).saturating_sub(end.saturating_sub(self.first));
        self.was = self.was.saturating_add(next.was).saturating_sub(shared);
        self.becomes = self.becomes.saturating_add(next.becomes).saturating_sub(shared);
        self.is = end.saturating_sub(self.first);
        self.undoes.extend(next.undoes);
    }
}

impl Marked {
    /// Edits are told from this version on.
    pub(super) fn new(ids: &[Id]) -> Marked {
        let at = ids.iter().copied().filter(|id| is_line(*id)).zip(0..).collect();
        Marked { at, ..Marked::default() }
    }

    /// Remembers which change had removed a line.
    pub(super) fn came_back(&mut self, line: Id, change: &str, at: usize) {
        self.sources.insert(line, (change.to_owned(), at));
    }

    /// Notes what becomes of the present version. The turns are sorted and apart.
    pub(super) fn turn(&mut self, turns: Vec<Turn>) {
        let mut shift = 0_isize;
        let patches = std::mem::take(&mut self.patches).into_iter().map(|patch| {
            let first = patch.before.first.saturating_add_signed(shift);
            shift = shift.saturating_add(signed(patch.now) - signed(patch.before.count));
            Item {
                first,
                was: patch.before.count,
                is: patch.now,
                becomes: patch.now,
                undoes: patch.undoes,
                is_turn: false,
            }
        });
        let turns = turns.into_iter().map(|turn| {
            let Span { first, count } = turn.span;
            Item { first, was: count, is: count, becomes: turn.becomes, undoes: turn.undoes, is_turn: true }
        });
        let mut items: Vec<Item> = patches.chain(turns).collect();
        items.sort_by_key(|item| (item.first, item.end()));
        let mut shift = 0_isize;
        self.patches = joined(items).into_iter().map(|item| item.patch(&mut shift)).collect();
    }

    /// What has become of the marked version.
    pub(super) fn edits(&self, ids: &[Id]) -> Vec<Edit> {
        let lines: Vec<Id> = ids.iter().copied().filter(|id| is_line(*id)).collect();
        let mut shift = 0_isize;
        let mut edits = Vec::new();
        for patch in &self.patches {
            let after = Span { first: patch.before.first.saturating_add_signed(shift), count: patch.now };
            let now = lines.get(after.first..after.end()).unwrap_or_default();
            let lines = now.iter().map(|id| self.source(*id)).collect();
            shift = shift.saturating_add(signed(patch.now) - signed(patch.before.count));
            edits.push(Edit { before: patch.before, after, lines, undoes: patch.undoes.clone() });
        }
        edits
    }

    fn source(&self, id: Id) -> Source {
        match (self.at.get(&id), self.sources.get(&id)) {
            (Some(at), _) => Source::Kept(*at),
            (None, Some((change, at))) => Source::Gone { change: change.clone(), at: *at },
            (None, None) => Source::Gone { change: String::new(), at: 0 },
        }
    }
}

impl Item {
    /// As a patch; `shift` is by how many lines the present version is ahead of the marked one above it.
    fn patch(self, shift: &mut isize) -> Patch {
        let first = self.first.saturating_add_signed(shift.saturating_neg());
        *shift = shift.saturating_add(signed(self.is) - signed(self.was));
        Patch { before: Span { first, count: self.was }, now: self.becomes, undoes: self.undoes }
    }
}

/// Makes one of those that overlap. So it does of patches and turns between the same two lines, for which of
/// them comes first nobody knows; of patches alone, and of turns alone, the order is known.
fn joined(items: Vec<Item>) -> Vec<Item> {
    let mut joined: Vec<Item> = Vec::with_capacity(items.len());
    for item in items {
        let open = |last: &Item| last.is_beside(&item) && !last.is_turn && item.is_turn;
        let from = match joined.last() {
            Some(last) if last.overlaps(&item) => joined.len() - 1,
            Some(last) if open(last) => joined.iter().rposition(|one| !one.is_beside(&item)).map_or(0, |at| at + 1),
            _ => {
                joined.push(item);
                continue;
            }
        };
        let mut rest = joined.split_off(from).into_iter().chain([item]);
        let Some(mut first) = rest.next() else { continue };
        rest.for_each(|next| first.join(next));
        joined.push(first);
    }
    joined
}

fn signed(number: usize) -> isize {
    isize::try_from(number).unwrap_or(isize::MAX)
}

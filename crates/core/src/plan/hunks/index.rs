//! Which lines of a file are alike: from a line's text to the nodes that hold it.
//!
//! Promises the number of living nodes of a text at once, and chains in which dead nodes never outnumber
//! the living for long. Leaves the nodes themselves to `roll`.

use std::collections::HashMap;

/// The end of a chain.
const NONE: u32 = u32::MAX;

#[derive(Default)]
pub(super) struct Index<'a> {
    kinds: HashMap<&'a [u8], Kind>,
    /// By node: the next of the same text.
    same: Vec<u32>,
}

/// The nodes of one text.
#[derive(Clone, Copy)]
struct Kind {
    head: u32,
    live: usize,
    chained: usize,
}

impl<'a> Index<'a> {
    pub(super) fn add(&mut self, text: &'a [u8], node: u32) {
        let kind = self.kinds.entry(text).or_insert(Kind { head: NONE, live: 0, chained: 0 });
        set(&mut self.same, node, kind.head);
        *kind = Kind { head: node, live: kind.live + 1, chained: kind.chained + 1 };
    }

    /// A node of this text has died; `is_live` tells of any node.
    pub(super) fn drop_one(&mut self, text: &[u8], is_live: impl Fn(u32) -> bool) {
        let Some(kind) = self.kinds.get_mut(text) else { return };
        kind.live = kind.live.saturating_sub(1);
        if kind.chained <= 2 * kind.live + 8 {
            return;
        }
        let (mut walk, mut kept) = (kind.head, NONE);
        (kind.head, kind.chained) = (NONE, kind.live);
        while walk != NONE {
            let next = self.same.get(walk as usize).copied().unwrap_or(NONE);
            if is_live(walk) {
                set(&mut self.same, walk, NONE);
                match kept {
                    NONE => kind.head = walk,
                    _ => set(&mut self.same, kept, walk),
                }
                kept = walk;
            }
            walk = next;
        }
    }

    /// How many living nodes have this text.
    pub(super) fn live(&self, text: &[u8]) -> usize {
        self.kinds.get(text).map_or(0, |kind| kind.live)
    }

    /// The nodes of this text, some dead among them, latest first: new lines, then the old ones upwards.
    pub(super) fn nodes(&self, text: &[u8]) -> impl Iterator<Item = u32> {
        let head = self.kinds.get(text).map(|kind| kind.head);
        let chained = |node: &u32| *node != NONE;
        std::iter::successors(head.filter(chained), move |node| self.same.get(*node as usize).copied().filter(chained))
    }
}

fn set(same: &mut Vec<u32>, node: u32, next: u32) {
    let at = node as usize;
    if same.len() <= at {
        same.resize(at + 1, NONE);
    }
    if let Some(slot) = same.get_mut(at) {
        *slot = next;
    }
}

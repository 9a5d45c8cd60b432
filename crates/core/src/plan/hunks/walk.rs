//! Up and down the lines of a file between two hunks, old and new ones alike.
//!
//! Promises that a step costs no more than reading the line. Leaves the nodes to `roll`.

use super::roll::{At, EDGE, Held, Roll, Row};
use crate::text::{Terminator, lines};

impl<'a> Roll<'a> {
    pub(super) fn first(&self) -> Option<At> {
        self.head(self.below(EDGE))
    }

    pub(super) fn last(&self) -> Option<At> {
        self.tail(self.above(EDGE))
    }

    pub(super) fn row(&self, at: At) -> Row<'a> {
        match self.held(at.node) {
            Held::New { text, ends, .. } => Row { text, ends },
            Held::Old { end, .. } => {
                let line = self.text.get(at.offset..end).and_then(|rest| lines(rest).next());
                line.map_or(Row { text: b"", ends: Terminator::None }, |line| Row {
                    text: line.text,
                    ends: line.terminator,
                })
            }
        }
    }

    /// Where in the old text the line ends, or the new line stands.
    pub(super) fn end_of(&self, at: At) -> usize {
        match self.held(at.node) {
            Held::New { at, .. } => at,
            Held::Old { end, .. } => {
                let rest = self.text.get(at.offset..end).unwrap_or_default();
                memchr::memchr(b'\n', rest).map_or(end, |len| at.offset + len + 1)
            }
        }
    }

    /// Where in the old text the line begins, or the new line stands.
    pub(super) fn start_of(&self, at: At) -> usize {
        match self.held(at.node) {
            Held::New { at, .. } => at,
            Held::Old { .. } => at.offset,
        }
    }

    pub(super) fn next(&self, at: At) -> Option<At> {
        if let Held::Old { end, .. } = self.held(at.node) {
            let offset = self.end_of(at);
            if offset < end {
                return Some(At { node: at.node, offset });
            }
        }
        self.head(self.below(at.node))
    }

    pub(super) fn previous(&self, at: At) -> Option<At> {
        match self.held(at.node) {
            Held::Old { start, .. } if start < at.offset => Some(self.last_line(at.node, start, at.offset)),
            _ => self.tail(self.above(at.node)),
        }
    }

    /// Does `late` stand below `early`? Both are live.
    pub(super) fn is_below(&self, late: At, early: At) -> bool {
        let rank = |at: At| match self.held(at.node) {
            Held::New { at, .. } => (at, 0),
            Held::Old { .. } => (at.offset, 1),
        };
        let (one, two) = (rank(early), rank(late));
        if one != two || one.1 == 1 {
            return one < two;
        }
        let mut walk = self.next(early);
        while let Some(at) = walk.filter(|at| rank(*at) == one) {
            if at == late {
                return true;
            }
            walk = self.next(at);
        }
        false
    }

    /// The first line of a node.
    pub(super) fn head(&self, node: u32) -> Option<At> {
        match self.held(node) {
            _ if node == EDGE => None,
            Held::Old { start, .. } => Some(At { node, offset: start }),
            Held::New { .. } => Some(At { node, offset: 0 }),
        }
    }

    /// The last line of a node.
    pub(super) fn tail(&self, node: u32) -> Option<At> {
        match self.held(node) {
            _ if node == EDGE => None,
            Held::Old { start, end } => Some(self.last_line(node, start, end)),
            Held::New { .. } => Some(At { node, offset: 0 }),
        }
    }

    fn last_line(&self, node: u32, start: usize, end: usize) -> At {
        let lines = self.text.get(start..end.saturating_sub(1)).unwrap_or_default();
        At { node, offset: start + memchr::memrchr(b'\n', lines).map_or(0, |at| at + 1) }
    }
}

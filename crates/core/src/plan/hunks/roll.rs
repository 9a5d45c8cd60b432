//! A file's lines between two hunks: what is left of the old text and what has been added, in order.
//!
//! Promises that a step up or down, a removal and an insertion cost the same however many hunks there
//! were, and that nothing of the old text is copied. A node is a stretch of old lines or one new line; a
//! stretch is cut when a change falls into it. With a line index every stretch is one line from the start.
//! Leaves walking to `walk`, finding places to `find`, changes to `apply` and bytes to `finish`.

use super::index::Index;
use crate::sanity;
use crate::text::{Terminator, final_newline, lines};
use std::cell::{Cell, OnceCell};

/// The node above the first and below the last.
pub(super) const EDGE: u32 = 0;

/// So many lines are read at most to find the places of all hunks of one file. That takes some ten seconds.
pub(super) const READ_MAX: usize = 1 << 28;

/// How places are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// By looking through the text for each hunk: no preparation, for a few hunks.
    Through,
    /// By an index of all lines, for many hunks.
    Indexed,
}

/// What a node holds.
#[derive(Clone, Copy, Debug)]
pub(super) enum Held<'a> {
    /// Whole lines of the old text.
    Old { start: usize, end: usize },
    /// A line that a hunk added, between the old lines that end and begin at this offset.
    New { text: &'a [u8], ends: Terminator, at: usize, by: u32 },
}

#[derive(Clone, Copy, Debug)]
struct Node<'a> {
    held: Held<'a>,
    above: u32,
    below: u32,
    live: bool,
}

/// A line: the node, and where in the old text the line begins (0 for a new line).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct At {
    pub(super) node: u32,
    pub(super) offset: usize,
}

/// The lines of a text that change how many brackets are open, or begin in a string, by where they begin.
pub(super) type Rows = Vec<(usize, sanity::Row)>;

/// What stands on a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<'a> {
    pub(super) text: &'a [u8],
    pub(super) ends: Terminator,
}

/// Whether the file ends in a newline, as the hunks so far leave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    Newline,
    Bare,
}

/// A hunk that changed no line, or the end of one, for the record of changes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    pub(super) offset: usize,
    pub(super) lines: usize,
    pub(super) by: u32,
}

pub(super) struct Roll<'a> {
    /// The file's name, which tells its language.
    pub(super) path: &'a str,
    pub(super) text: &'a [u8],
    nodes: Vec<Node<'a>>,
    pub(super) index: Option<Index<'a>>,
    /// The index for headers, once one was looked for.
    pub(super) headings: OnceCell<Index<'a>>,
    /// What lines of the old text do to brackets, once they were asked for.
    pub(super) rows: OnceCell<Rows>,
    /// How many more lines may be read to find places.
    pub(super) left: Cell<usize>,
    /// Nodes in the order in which hunks removed or added them.
    log: Vec<u32>,
    /// Where in the log each hunk begins.
    marks: Vec<usize>,
    pub(super) touches: Vec<Touch>,
    pub(super) ending: Ending,
}

impl<'a> Roll<'a> {
    pub(super) fn of(path: &'a str, text: &'a [u8], way: Way) -> Self {
        let edge = Node { held: Held::Old { start: 0, end: 0 }, above: EDGE, below: EDGE, live: false };
        let ending = if final_newline(text) { Ending::Newline } else { Ending::Bare };
        let mut roll = Self {
            path,
            text,
            nodes: vec![edge],
            index: None,
            headings: OnceCell::new(),
            rows: OnceCell::new(),
            left: Cell::new(READ_MAX),
            log: Vec::new(),
            marks: Vec::new(),
            touches: Vec::new(),
            ending,
        };
        match way {
            Way::Through if text.is_empty() => {}
            Way::Through => drop(roll.put_above(EDGE, Held::Old { start: 0, end: text.len() })),
            Way::Indexed => roll.spread(),
        }
        roll
    }

    /// One node a line, all of them in the index.
    fn spread(&mut self) {
        let mut index = Index::default();
        for line in lines(self.text) {
            let range = line.range();
            let node = self.put_above(EDGE, Held::Old { start: range.start, end: range.end });
            index.add(line.text, node);
        }
        self.index = Some(index);
    }

    fn node(&self, id: u32) -> Node<'a> {
        let nothing = Node { held: Held::Old { start: 0, end: 0 }, above: EDGE, below: EDGE, live: false };
        self.nodes.get(id as usize).copied().unwrap_or(nothing)
    }

    pub(super) fn held(&self, id: u32) -> Held<'a> {
        self.node(id).held
    }

    pub(super) fn below(&self, id: u32) -> u32 {
        self.node(id).below
    }

    pub(super) fn above(&self, id: u32) -> u32 {
        self.node(id).above
    }

    /// Is the node part of the file as it is now?
    pub(super) fn is_live(&self, id: u32) -> bool {
        self.node(id).live
    }

    /// Cuts so that a node begins with this line, and names it.
    pub(super) fn cut(&mut self, at: At) -> u32 {
        let Held::Old { start, end } = self.held(at.node) else { return at.node };
        if at.offset <= start {
            return at.node;
        }
        let below = self.below(at.node);
        self.hold(at.node, Held::Old { start, end: at.offset });
        self.put_above(below, Held::Old { start: at.offset, end })
    }

    /// Adds a node directly above another.
    pub(super) fn put_above(&mut self, below: u32, held: Held<'a>) -> u32 {
        // Ids run out only for more lines than memory could hold; then the edge stands for all.
        let id = u32::try_from(self.nodes.len()).unwrap_or(EDGE);
        self.nodes.push(Node { held, above: self.above(below), below, live: false });
        self.link(id);
        id
    }

    fn hold(&mut self, id: u32, held: Held<'a>) {
        self.alter(id, |node| node.held = held);
    }

    /// Puts a node between the neighbours that it names.
    pub(super) fn link(&mut self, id: u32) {
        let Node { above, below, .. } = self.node(id);
        self.alter(above, |node| node.below = id);
        self.alter(below, |node| node.above = id);
        self.alter(id, |node| node.live = true);
    }

    /// Takes a node out; it goes on naming its neighbours, so that `link` in reverse order brings all back.
    pub(super) fn unlink(&mut self, id: u32) {
        let Node { above, below, .. } = self.node(id);
        self.alter(above, |node| node.below = below);
        self.alter(below, |node| node.above = above);
        self.alter(id, |node| node.live = false);
    }

    fn alter(&mut self, id: u32, change: impl FnOnce(&mut Node<'a>)) {
        if let Some(node) = self.nodes.get_mut(id as usize) {
            change(node);
        }
    }

    /// A line was read to find a place.
    pub(super) fn pay(&self) {
        self.left.set(self.left.get().saturating_sub(1));
    }

    /// Begins the next hunk's part of the log.
    pub(super) fn begin(&mut self) {
        self.marks.push(self.log.len());
    }

    pub(super) fn note(&mut self, node: u32) {
        self.log.push(node);
    }

    /// The nodes that a hunk removed or added, in order.
    pub(super) fn noted(&self, hunk: usize) -> &[u32] {
        let start = self.marks.get(hunk).copied().unwrap_or(self.log.len());
        let end = self.marks.get(hunk + 1).copied().unwrap_or(self.log.len());
        self.log.get(start..end).unwrap_or_default()
    }
}

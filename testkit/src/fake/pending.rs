//! Changes of names that a power cut may still undo, and what must be kept with what.
//!
//! One rename is one [`Change`]: it survives as a whole or not at all. Between changes no order is
//! assumed, with four exceptions without which a file system would lose files on its own account:
//! changes of the same name keep their order; what is moved into a new folder does not outlive that
//! folder's own making; a removed folder takes along what emptied it; a file does not lose its first name before it has
//! its second.

use super::content::Mark;
use std::collections::BTreeSet;

/// A file, folder or link, by number.
pub(crate) type Ino = u64;

/// One atomic change of names.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub(crate) edits: Vec<Edit>,
    pub(crate) mark: Mark,
    /// The folder that this change removed.
    pub(crate) removed: Option<Ino>,
    /// The file that this change leaves with the name it got just before: the one does not outlive the other.
    pub(crate) left: Option<Ino>,
    /// The folder that this change moves something into.
    pub(crate) into: Option<Ino>,
}

/// One name in one folder now leads here, or nowhere.
#[derive(Clone, Debug)]
pub(crate) struct Edit {
    pub(crate) dir: Ino,
    pub(crate) name: String,
    pub(crate) to: Option<Ino>,
}

impl Edit {
    pub(crate) fn new(dir: Ino, name: &str, to: Option<Ino>) -> Edit {
        Edit { dir, name: name.to_owned(), to }
    }
}

impl Change {
    pub(crate) fn new(edits: Vec<Edit>) -> Change {
        Change { edits, mark: Mark::Dirty, removed: None, left: None, into: None }
    }

    pub(crate) fn touches(&self, dir: Ino) -> bool {
        self.edits.iter().any(|edit| edit.dir == dir)
    }

    fn needs(&self, earlier: &Change) -> bool {
        self.shares_name(earlier)
            || self.moves_into(earlier)
            || self.removed.is_some_and(|dir| earlier.touches(dir))
            || self.left.is_some_and(|file| earlier.edits.iter().any(|edit| edit.to == Some(file)))
    }

    fn shares_name(&self, earlier: &Change) -> bool {
        let same = |edit: &Edit| earlier.edits.iter().any(|other| (other.dir, &other.name) == (edit.dir, &edit.name));
        self.edits.iter().any(same)
    }

    fn moves_into(&self, earlier: &Change) -> bool {
        let across = self.edits.iter().any(|edit| Some(edit.dir) != self.edits.first().map(|first| first.dir));
        let makes = |dir: Ino| earlier.edits.iter().any(|made| made.to == Some(dir));
        self.into.is_some_and(makes) || across && self.edits.iter().any(|edit| makes(edit.dir))
    }
}

/// The chosen changes and all that they cannot be without.
pub(crate) fn closure(pending: &[Change], chosen: BTreeSet<usize>) -> BTreeSet<usize> {
    let mut whole = chosen;
    for (at, change) in pending.iter().enumerate().rev() {
        if whole.contains(&at) {
            let earlier = pending.iter().enumerate().take(at);
            whole.extend(earlier.filter(|(_, other)| change.needs(other)).map(|(index, _)| index));
        }
    }
    whole
}

//! Which step of an intent moves a file to a name, and which folders it made.

use crate::records::{Intent, Work};
use patchwright_core::path::RelPath;
use std::collections::{HashMap, HashSet};

/// The names of an intent, so that each is found at once: a forged one may have very many steps.
pub(super) struct Names<'a> {
    /// The first step that moves something to a name.
    moved: HashMap<&'a RelPath, (usize, &'a Work)>,
    /// Folders that were made.
    made: HashSet<&'a RelPath>,
    /// Names that were vacated before folders came.
    vacated: HashSet<&'a RelPath>,
}

impl<'a> Names<'a> {
    pub(super) fn of(intent: &'a Intent) -> Names<'a> {
        let mut moved = HashMap::new();
        for (at, work) in intent.works.iter().enumerate() {
            if let Some(to) = &work.to {
                moved.entry(to).or_insert((at, work));
            }
        }
        let ahead = intent.works.iter().take(intent.works_ahead());
        Names { moved, made: intent.folders.iter().collect(), vacated: ahead.map(|work| &work.path).collect() }
    }

    /// The step before the n-th that moves a file to where that one replaces it.
    pub(super) fn moved_before(&self, at: usize, work: &Work) -> Option<&'a Work> {
        self.moved.get(&work.path).filter(|(earlier, _)| *earlier < at).map(|(_, earlier)| *earlier)
    }

    /// Does a folder lie in one that came, or was to come, in the place of something else?
    pub(super) fn is_turned(&self, folder: &RelPath) -> bool {
        let above = folder.ancestors();
        self.vacated.contains(folder) || above.iter().any(|above| self.vacated.contains(above))
    }

    /// Does a folder lie in one that was made, or is it one?
    pub(super) fn is_made(&self, folder: &RelPath) -> bool {
        let above = folder.ancestors();
        self.made.contains(folder) || above.iter().any(|above| self.made.contains(above))
    }
}

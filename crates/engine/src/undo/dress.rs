//! What folders that come back are like: just as they were when they went, as far as that is on record.

use super::choose::Chosen;
use crate::settled::Draft;
use patchwright_core::folder::FolderMeta;
use patchwright_core::path::RelPath;
use patchwright_core::plan::FolderDress;
use std::collections::HashMap;

/// Has the folders that are made be as they were before what is taken back, newest first.
pub(super) fn as_before(chosen: &[Chosen], draft: &mut Draft) {
    let commits = chosen.iter().flat_map(|batch| batch.commits.iter().rev());
    let known: HashMap<&RelPath, &FolderMeta> = commits.flat_map(|(_, commit)| commit.dress.iter()).collect();
    let made = draft.plan.folders.iter();
    let dress = made.filter_map(|folder| Some((folder.clone(), FolderDress::As((*known.get(folder)?).clone()))));
    let dress: Vec<_> = dress.collect();
    // The last word on a folder counts.
    draft.plan.dress.extend(dress);
}

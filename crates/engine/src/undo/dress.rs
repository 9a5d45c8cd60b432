//! What folders that come back are like: just as they were when they went, as far as that is on record.

use super::choose::Chosen;
use crate::flow::Stumble;
use crate::past::Past;
use crate::settled::Draft;
use crate::trouble::index as failed_index;
use patchwright_core::folder::FolderMeta;
use patchwright_core::path::RelPath;
use patchwright_core::plan::FolderDress;
use patchwright_store::records::Commit;
use std::collections::HashMap;

/// Has the folders that are made be as they were before what is taken back; those that something else removed, as they
/// were then.
pub(super) fn as_before(past: &Past<'_>, chosen: &[Chosen], draft: &mut Draft) -> Result<(), Stumble> {
    let commits = chosen.iter().flat_map(|batch| batch.commits.iter().rev());
    let known: HashMap<&RelPath, &FolderMeta> = commits.flat_map(|(_, commit)| commit.dress.iter()).collect();
    let (mut dress, mut commit) = (Vec::new(), (u64::MAX, Commit::default()));
    for folder in &draft.plan.folders {
        let meta = match known.get(folder) {
            Some(meta) => Some((*meta).clone()),
            None => removed_as(past, folder, &mut commit)?,
        };
        dress.extend(meta.map(|meta| (folder.clone(), FolderDress::As(meta))));
    }
    // The last word on a folder counts.
    draft.plan.dress.extend(dress);
    Ok(())
}

/// What a folder was like when the last commit about it removed it. The commit is kept: one may have removed many.
fn removed_as(
    past: &Past<'_>,
    folder: &RelPath,
    (place, commit): &mut (u64, Commit),
) -> Result<Option<FolderMeta>, Stumble> {
    let events = past.index.folder_events(folder.as_str()).map_err(failed_index)?;
    let Some(removed) = events.last().filter(|event| !event.made) else { return Ok(None) };
    if *place != removed.by.place {
        (*place, *commit) = (removed.by.place, past.commit_at(removed.by.place)?.unwrap_or_default());
    }
    Ok(commit.dress.iter().find(|(one, _)| *one == folder).map(|(_, meta)| meta.clone()))
}

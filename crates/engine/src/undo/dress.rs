//! What folders that come back are like: just as they were when they went, as far as that is on record.

use super::choose::Chosen;
use crate::flow::Stumble;
use crate::gather::Gather;
use crate::past::Past;
use crate::settled::Draft;
use crate::trouble::index as failed_index;
use patchwright_core::folder::FolderMeta;
use patchwright_core::path::RelPath;
use patchwright_core::plan::FolderDress;
use patchwright_store::records::Commit;
use std::collections::{BTreeMap, HashSet};

/// Has the folders that are made be as they were before what is taken back; those that something else removed, as they
/// were then. So have folders that stand in the place of those that were there.
pub(super) fn as_before(
    past: &Past<'_>,
    chosen: &[Chosen],
    (gather, draft): (&Gather<'_>, &mut Draft),
    gone: &[RelPath],
) -> Result<(), Stumble> {
    let commits = || chosen.iter().flat_map(|batch| batch.commits.iter().rev()).map(|(_, commit)| commit);
    // What each was like, and whether it went then or stayed and became otherwise. The oldest counts.
    let mut known: BTreeMap<&RelPath, (&FolderMeta, bool)> = BTreeMap::new();
    for commit in commits() {
        let gone: HashSet<&RelPath> = commit.gone.iter().collect();
        known.extend(commit.dress.iter().map(|(folder, meta)| (folder, (meta, gone.contains(folder)))));
    }
    let (mut dress, mut last) = (Vec::new(), (u64::MAX, Commit::default()));
    for folder in &draft.plan.folders {
        let meta = match known.get(folder) {
            Some((meta, _)) => Some((*meta).clone()),
            None => removed_as(past, folder, &mut last)?,
        };
        dress.extend(meta.map(|meta| (folder.clone(), FolderDress::As(meta))));
    }
    let goes: HashSet<&RelPath> = gone.iter().collect();
    let ids: HashSet<&str> = commits().map(|commit| commit.batch.as_str()).collect();
    for (folder, (meta, went)) in known {
        if goes.contains(folder) || draft.makes(folder) || !gather.is_folder(folder) {
            continue;
        }
        if !went || is_another(past, folder, &ids, &mut last)? {
            dress.push((folder.clone(), FolderDress::As(meta.clone())));
        }
    }
    // The last word on a folder counts.
    draft.plan.dress.extend(dress);
    Ok(())
}

/// Was the folder that stands made by a call that is taken back, and not to be the one that went?
fn is_another(
    past: &Past<'_>,
    folder: &RelPath,
    taken_back: &HashSet<&str>,
    last: &mut (u64, Commit),
) -> Result<bool, Stumble> {
    let events = past.index.folder_events(folder.as_str()).map_err(failed_index)?;
    let Some(made) = events.last().filter(|event| event.made) else { return Ok(false) };
    let commit = at(past, made.by.place, last)?;
    Ok(taken_back.contains(commit.batch.as_str()) && commit.undoes.is_empty() && commit.caller.tool != "restore_file")
}

/// What a folder was like when the last commit about it removed it.
fn removed_as(past: &Past<'_>, folder: &RelPath, last: &mut (u64, Commit)) -> Result<Option<FolderMeta>, Stumble> {
    let events = past.index.folder_events(folder.as_str()).map_err(failed_index)?;
    let Some(removed) = events.last().filter(|event| !event.made) else { return Ok(None) };
    let commit = at(past, removed.by.place, last)?;
    Ok(commit.dress.iter().find(|(one, _)| *one == folder).map(|(_, meta)| meta.clone()))
}

/// A commit. The last one is kept: one may have made or removed many folders.
fn at<'c>(past: &Past<'_>, place: u64, (known, commit): &'c mut (u64, Commit)) -> Result<&'c Commit, Stumble> {
    if *known != place {
        (*known, *commit) = (place, past.commit_at(place)?.unwrap_or_default());
    }
    Ok(commit)
}

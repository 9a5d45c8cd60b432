//! What folders that go were like, so that they can come back just so.

use patchwright_core::folder::FolderMeta;
use patchwright_core::path::RelPath;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Folders and what each was like. Many of one tree are alike: these share an entry.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FolderTable {
    /// The folders, each with the number of its entry, from 0.
    #[serde(rename = "folders")]
    pub folders: Vec<(RelPath, u64)>,
    /// What they were like.
    #[serde(rename = "metas")]
    pub metas: Vec<FolderMeta>,
}

impl FolderTable {
    /// Every folder with what it was like.
    pub fn iter(&self) -> impl Iterator<Item = (&RelPath, &FolderMeta)> {
        self.folders.iter().filter_map(|(folder, at)| Some((folder, self.metas.get(usize::try_from(*at).ok()?)?)))
    }
}

impl FromIterator<(RelPath, FolderMeta)> for FolderTable {
    fn from_iter<T: IntoIterator<Item = (RelPath, FolderMeta)>>(all: T) -> FolderTable {
        let mut table = FolderTable::default();
        let mut known: HashMap<FolderMeta, u64> = HashMap::new();
        for (folder, meta) in all {
            let at = *known.entry(meta).or_insert_with_key(|meta| {
                table.metas.push(meta.clone());
                table.metas.len() as u64 - 1
            });
            table.folders.push((folder, at));
        }
        table
    }
}

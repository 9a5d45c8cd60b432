//! Looking back at a batch: what each file held before it and after it, as far as that is still kept.

use crate::gather::{Depth, Gather, Links};
use crate::replay::{entry_at, whole_batch};
use crate::trouble::{halted, index};
use crate::watch::Quiet;
use crate::workspace::Workspace;
use patchwright_core::digest::Digest;
use patchwright_core::outcome::{PatchedFile, Trouble};
use patchwright_core::path::RelPath;
use patchwright_core::plan::Seen;
use patchwright_core::refusal::{Missing, Refusal, Why};
use patchwright_store::content;
use patchwright_store::disk::Disk;
use patchwright_store::records::{Commit, FileRecord, Keep, Record, Shelf};
use std::collections::HashMap;

/// What a batch did to one file.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchFile {
    /// Names, operation, hashes and diff.
    pub change: PatchedFile,
    /// Where its earlier bytes are kept, if anywhere but under their hash.
    kept: Option<Keep>,
}

impl Workspace {
    /// What a batch did, file by file.
    pub fn batch(&self, id: &str) -> Result<Vec<BatchFile>, Trouble> {
        let mut held = self.hold(&Quiet)?;
        let absent = || Refusal::plain(Why::NotFound(Missing::Batch { id: id.to_owned() }));
        let place = self.index(&mut held)?.batch(id).map_err(index)?.ok_or_else(absent)?;
        let entry = entry_at(self, &mut held, place)?.ok_or_else(absent)?;
        let Record::Commit(last) = entry.record else { return Err(absent().into()) };
        let commits = whole_batch(self, &mut held, last)?;
        Ok(commits.iter().flat_map(files).collect())
    }

    /// The bytes of a file before a batch; nothing if there was none.
    pub fn bytes_before(&self, file: &BatchFile) -> Result<Option<Vec<u8>>, Trouble> {
        match (file.change.before, &file.kept) {
            (None, _) => Ok(None),
            (Some(digest), Some(keep)) => match self.on_shelf(keep, digest)? {
                Some(bytes) => Ok(Some(bytes)),
                None => self.kept_somewhere(&file.change.path, digest).map(Some),
            },
            (Some(digest), None) => self.kept_somewhere(&file.change.path, digest).map(Some),
        }
    }

    /// The bytes of a file after a batch; nothing if it was deleted.
    pub fn bytes_after(&self, file: &BatchFile) -> Result<Option<Vec<u8>>, Trouble> {
        let path = file.change.to.as_ref().unwrap_or(&file.change.path);
        file.change.after.map(|digest| self.kept_somewhere(path, digest)).transpose()
    }

    /// Bytes by their hash: in the workspace as it is, or among what later changes displaced.
    fn kept_somewhere(&self, path: &str, digest: Digest) -> Result<Vec<u8>, Trouble> {
        if let Ok(path) = RelPath::parse(path, &[])
            && let Ok(Seen::File(seen)) =
                Gather::new(&self.disk, &self.policy, self.limits).peek(&path, Links::Keep, Depth::Bytes)
            && seen.digest == digest
            && let Some(bytes) = seen.bytes
        {
            return Ok(bytes.to_vec());
        }
        let blob = Keep { shelf: Shelf::Blobs, name: digest.to_string() };
        if let Some(bytes) = self.on_shelf(&blob, digest)? {
            return Ok(bytes);
        }
        let trash = self.index(&mut self.hold(&Quiet)?)?.trash().map_err(index)?;
        for trashed in trash.into_iter().filter(|trashed| trashed.entry.sha256 == digest) {
            let keep = Keep { shelf: Shelf::Trash, name: trashed.entry.id };
            if let Some(bytes) = self.on_shelf(&keep, digest)? {
                return Ok(bytes);
            }
        }
        Err(Refusal::about(path, Why::NotFound(Missing::Kept)).into())
    }

    fn on_shelf(&self, keep: &Keep, digest: Digest) -> Result<Option<Vec<u8>>, Trouble> {
        let failed = |halt| halted(None, "blobs", halt);
        let shelf = self.disk.state(keep.shelf.folder()).map_err(failed)?;
        let file = match self.disk.open(&shelf, &keep.name) {
            Ok(file) => file,
            Err(halt) if halt.is_missing() => return Ok(None),
            Err(halt) => return Err(failed(halt)),
        };
        let bytes = content::read(&self.disk, &file, self.limits.max_file_bytes).map_err(failed)?;
        Ok((Digest::of(&bytes) == digest).then_some(bytes))
    }
}

/// The files of one commit, each wish's records taken together.
fn files(commit: &Commit) -> Vec<BatchFile> {
    let named: HashMap<u64, _> =
        commit.patch.iter().flat_map(|patch| &patch.sections).map(|section| (section.wish, section.clone())).collect();
    let file = |records: &[FileRecord]| {
        let last = records.last()?;
        let section = named.get(&last.wish).cloned().unwrap_or_else(|| crate::answers::section_of(records));
        let change = crate::answers::patched_file(&section, records);
        let kept = records.iter().find(|record| record.before == change.before).and_then(|record| record.keep.clone());
        Some(BatchFile { change, kept: kept.filter(|keep| keep.shelf == Shelf::Trash) })
    };
    commit.files.chunk_by(|one, next| one.wish == next.wish).filter_map(file).collect()
}

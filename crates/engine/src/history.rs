//! Looking back at a batch: what each file held before it and after it, as far as that is still kept.

use crate::workspace::Workspace;
use patchwright_core::outcome::{PatchedFile, Trouble};
use patchwright_core::refusal::{Missing, Refusal, Why};
use patchwright_store::records::{Commit, FileRecord};
use std::collections::HashMap;

/// What a batch did, or would do, to one file.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchFile {
    /// Names, operation, hashes and diff.
    pub change: PatchedFile,
    /// How it stands on record, one after the other.
    records: Vec<FileRecord>,
}

impl Workspace {
    /// What a batch did, or would do, file by file.
    pub fn batch(&self, id: &str) -> Result<Vec<BatchFile>, Trouble> {
        let absent = || Refusal::plain(Why::NotFound(Missing::Batch { id: id.to_owned() }));
        let past = self.past()?.ok_or_else(absent)?;
        let row = past.batch_named("batchId", id)?;
        let story = past.story(row)?.ok_or_else(absent)?;
        Ok(story.commits.iter().flat_map(|(_, commit)| files(commit)).collect())
    }

    /// The bytes of a file before a batch; nothing if there was none.
    pub fn bytes_before(&self, file: &BatchFile) -> Result<Option<Vec<u8>>, Trouble> {
        let record = file.records.iter().find(|record| record.before == file.change.before);
        let (Some(record), Some(_)) = (record, file.change.before) else { return Ok(None) };
        self.kept_version(record, Side::Before).map(Some)
    }

    /// The bytes of a file after a batch; nothing if it was deleted.
    pub fn bytes_after(&self, file: &BatchFile) -> Result<Option<Vec<u8>>, Trouble> {
        let record = file.records.iter().rev().find(|record| record.after == file.change.after);
        let (Some(record), Some(_)) = (record, file.change.after) else { return Ok(None) };
        self.kept_version(record, Side::After).map(Some)
    }

    fn kept_version(&self, record: &FileRecord, side: Side) -> Result<Vec<u8>, Trouble> {
        let gone = || Refusal::at(record.to.as_ref().unwrap_or(&record.path), Why::NotFound(Missing::Kept));
        let past = self.past()?.ok_or_else(gone)?;
        let bytes = match side {
            Side::Before => past.before_bytes(record)?,
            Side::After => past.after_bytes(record)?,
        };
        Ok(bytes.ok_or_else(gone)?.to_vec())
    }
}

/// Which version of a file.
#[derive(Clone, Copy)]
enum Side {
    Before,
    After,
}

/// The files of one commit, each wish's records taken together.
fn files(commit: &Commit) -> Vec<BatchFile> {
    let named: HashMap<u64, _> =
        commit.patch.iter().flat_map(|patch| &patch.sections).map(|section| (section.wish, section.clone())).collect();
    let file = |records: &[FileRecord]| {
        let last = records.last()?;
        let section = named.get(&last.wish).cloned().unwrap_or_else(|| crate::answers::section_of(records));
        let change = crate::answers::patched_file(&section, records);
        Some(BatchFile { change, records: records.to_vec() })
    };
    commit.files.chunk_by(|one, next| one.wish == next.wish).filter_map(file).collect()
}

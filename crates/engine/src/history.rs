//! Looking back at a batch: what each file held before it and after it, as far as that is still kept.

use crate::ids::Part;
use crate::past::Past;
use crate::recorded::pieces;
use crate::session::Session;
use patchwright_core::diff::unified;
use patchwright_core::history::with_only;
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
    /// What it holds after the one change that is asked for.
    after_one: Option<Vec<u8>>,
}

impl Session {
    /// What a batch did, or would do, file by file; or one of its changes, or a file's part, if the id is that of one.
    pub fn batch(&self, id: &str) -> Result<Vec<BatchFile>, Trouble> {
        let absent = || Refusal::plain(Why::NotFound(Missing::Batch { id: id.to_owned() }));
        let past = self.past()?.ok_or_else(absent)?;
        let (row, part) = past.batch_or_part("batchId", id)?;
        let story = past.story(row)?.ok_or_else(absent)?;
        let all = story.commits.iter().flat_map(|(_, commit)| files(commit));
        match part {
            None => Ok(all.collect()),
            Some(Part::File(row)) => Ok(all.filter(|file| file.records.iter().any(|part| part.id == row.id)).collect()),
            Some(Part::Change(row)) => all.filter_map(|file| only(&past, file, &row.id).transpose()).collect(),
        }
    }

    /// The bytes of a file before a batch; nothing if there was none.
    pub fn bytes_before(&self, file: &BatchFile) -> Result<Option<Vec<u8>>, Trouble> {
        let record = file.records.iter().find(|record| record.before == file.change.before);
        let (Some(record), Some(_)) = (record, file.change.before) else { return Ok(None) };
        self.kept_version(record, Side::Before).map(Some)
    }

    /// The bytes of a file after a batch; nothing if it was deleted.
    pub fn bytes_after(&self, file: &BatchFile) -> Result<Option<Vec<u8>>, Trouble> {
        if file.after_one.is_some() {
            return Ok(file.after_one.clone());
        }
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

/// A file with one of its changes alone; nothing if that is none of its.
fn only(past: &Past<'_>, mut file: BatchFile, id: &str) -> Result<Option<BatchFile>, Trouble> {
    let has = |record: &&FileRecord| record.changes.iter().any(|change| change.id == id);
    let Some(record) = file.records.iter().find(has) else { return Ok(None) };
    if let (true, Some(before), Some(after)) =
        (record.changes.len() > 1, past.before_bytes(record)?, past.after_bytes(record)?)
        && let Ok(part) = with_only(&before, &after, &pieces(record), &[id.to_owned()])
    {
        let names = (format!("a/{}", record.path), format!("b/{}", record.to.as_ref().unwrap_or(&record.path)));
        let diff = unified(&names.0, &names.1, &before, &part.bytes, usize::MAX);
        (file.change.diff, file.change.diff_cut) = (diff.text, diff.truncated);
        file.after_one = Some(part.bytes);
    }
    Ok(Some(file))
}

/// The files of one commit, each wish's records taken together.
fn files(commit: &Commit) -> Vec<BatchFile> {
    let named: HashMap<u64, _> =
        commit.patch.iter().flat_map(|patch| &patch.sections).map(|section| (section.wish, section.clone())).collect();
    let file = |records: &[FileRecord]| {
        let last = records.last()?;
        let section = named.get(&last.wish).cloned().unwrap_or_else(|| crate::answers::section_of(records));
        let change = crate::answers::patched_file(&section, records);
        Some(BatchFile { change, records: records.to_vec(), after_one: None })
    };
    commit.files.chunk_by(|one, next| one.wish == next.wish).filter_map(file).collect()
}

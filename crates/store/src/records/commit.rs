//! What was done, or would have been: the commit and what it is made of, proposals and what became of them.

use super::{Caller, FolderTable, Keep, is_default};
use patchwright_core::digest::Digest;
use patchwright_core::history::Delta;
use patchwright_core::outcome::{Continuity, EditFacts};
use patchwright_core::path::RelPath;
use patchwright_core::warning::Warning;
use serde::{Deserialize, Serialize};

/// It is done.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Commit {
    /// The batch's id.
    #[serde(rename = "batch")]
    pub batch: String,
    /// The batch's number, counted from 1; 0 in records of 0.1, which had none.
    #[serde(rename = "number", default, skip_serializing_if = "is_default")]
    pub number: u64,
    /// Who and when.
    #[serde(rename = "caller")]
    pub caller: Caller,
    /// The files, in plan order.
    #[serde(rename = "files")]
    pub files: Vec<FileRecord>,
    /// What the answer warned of.
    #[serde(rename = "warnings", default)]
    pub warnings: Vec<Warning>,
    /// The path that the answer of a one-file tool names.
    #[serde(rename = "shown", default)]
    pub shown: Option<String>,
    /// Could foreign writers be excluded, or only checked for?
    #[serde(rename = "verified")]
    pub verified: bool,
    /// The idempotency key and the hash of the arguments it came with.
    #[serde(rename = "key", default)]
    pub key: Option<(String, Digest)>,
    /// The trash entry that a restore used up.
    #[serde(rename = "consumed", default)]
    pub consumed: Option<String>,
    /// What the answer to a patch tells besides its files.
    #[serde(rename = "patch", default)]
    pub patch: Option<PatchRecord>,
    /// What the answer to operations on anchors tells besides its file.
    #[serde(rename = "edit", default)]
    pub edit: Option<Box<EditRecord>>,
    /// The caller's key for the batch.
    #[serde(rename = "batch_key", default)]
    pub batch_key: Option<String>,
    /// The caller's words for the batch.
    #[serde(rename = "label", default)]
    pub label: Option<String>,
    /// Folders that were made, parents first.
    #[serde(rename = "folders", default)]
    pub folders: Vec<RelPath>,
    /// Folders that go with the last thing in them, deepest first.
    #[serde(rename = "gone", default)]
    pub gone: Vec<RelPath>,
    /// What the folders that went were like.
    #[serde(rename = "dress", default, skip_serializing_if = "is_default")]
    pub dress: FolderTable,
    /// Further trash entries that were used up.
    #[serde(rename = "also_consumed", default)]
    pub also_consumed: Vec<String>,
    /// The batches that it takes back, if it is an undo.
    #[serde(rename = "undoes", default)]
    pub undoes: Vec<String>,
    /// The proposal that it carries out.
    #[serde(rename = "proposed", default)]
    pub proposed: Option<Box<Proposed>>,
}

/// The proposal that a commit carries out; the batch is the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Proposed {
    /// Who proposed it, and when.
    #[serde(rename = "by")]
    pub by: Caller,
    /// Was it carried over to files that had changed?
    #[serde(rename = "rebased")]
    pub rebased: bool,
    /// The changes that were left out.
    #[serde(rename = "dropped")]
    pub dropped: Vec<String>,
}

/// A change that is stored for review.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Proposal {
    /// What the commit would have been. What was there is kept among the blobs, under its hash.
    #[serde(rename = "commit")]
    pub commit: Commit,
    /// Is what stands at the target of a file to go to the trash? By file, in the same order.
    #[serde(rename = "asides", default)]
    pub asides: Vec<bool>,
}

/// What was decided about a proposal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// The proposal's batch.
    #[serde(rename = "batch")]
    pub batch: String,
    /// Who and when.
    #[serde(rename = "caller")]
    pub caller: Caller,
    /// Dropped, or found not to fit?
    #[serde(rename = "decision")]
    pub decision: Decision,
    /// Why, in the caller's words.
    #[serde(rename = "reason", default)]
    pub reason: Option<String>,
    /// The idempotency key and the hash of the arguments it came with.
    #[serde(rename = "key", default)]
    pub key: Option<(String, Digest)>,
}

/// What was decided about a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Decision {
    /// It was dropped.
    #[serde(rename = "Rejected")]
    Rejected,
    /// The files are not what it was made for.
    #[serde(rename = "Conflicted")]
    Conflicted,
}

/// Operations on anchors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EditRecord {
    /// What they came to.
    #[serde(rename = "facts")]
    pub facts: EditFacts,
    /// Who else wrote the file.
    #[serde(rename = "continuity")]
    pub continuity: Continuity,
}

/// A patch, or a section of one that is applied section by section.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PatchRecord {
    /// Were all sections to be applied or none?
    #[serde(rename = "atomic")]
    pub atomic: bool,
    /// How many hunks its sections have.
    #[serde(rename = "hunks")]
    pub hunks: u64,
    /// Where in the log the batch begins, if this record is not all of it.
    #[serde(rename = "since", default)]
    pub since: Option<u64>,
    /// Which section of the patch this is, if they are committed one by one.
    #[serde(rename = "section", default)]
    pub section: Option<u64>,
    /// Are more sections to come?
    #[serde(rename = "goes_on", default)]
    pub goes_on: bool,
    /// The sections that change something.
    #[serde(rename = "sections")]
    pub sections: Vec<SectionRecord>,
}

/// One section of a patch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SectionRecord {
    /// Which of the call's wishes this is; its files have the same number.
    #[serde(rename = "wish")]
    pub wish: u64,
    /// `create`, `update`, `delete` or `move`.
    #[serde(rename = "operation")]
    pub operation: String,
    /// The file as the caller named it.
    #[serde(rename = "path")]
    pub path: String,
    /// Its new name, of a move, as the caller named it.
    #[serde(rename = "to", default)]
    pub to: Option<String>,
}

/// One file of a batch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FileRecord {
    /// The file patch's id.
    #[serde(rename = "id")]
    pub id: String,
    /// `create`, `update`, `delete`, `move`, `restore`.
    #[serde(rename = "operation")]
    pub operation: String,
    /// The name before; of something new, its name.
    #[serde(rename = "path")]
    pub path: RelPath,
    /// The new name, of a move.
    #[serde(rename = "to", default)]
    pub to: Option<RelPath>,
    /// Hash before.
    #[serde(rename = "before", default)]
    pub before: Option<Digest>,
    /// Hash after.
    #[serde(rename = "after", default)]
    pub after: Option<Digest>,
    /// Size after; of something removed, its size.
    #[serde(rename = "size")]
    pub size: u64,
    /// Size before; 0 of something new.
    #[serde(rename = "before_size", default)]
    pub before_size: u64,
    /// Permission bits of what was there before, or of what is new.
    #[serde(rename = "mode")]
    pub mode: u32,
    /// Permission bits that it was given, if the call changed them; of something new, if the call named them.
    #[serde(rename = "mode_after", default, skip_serializing_if = "is_default")]
    pub mode_after: Option<u32>,
    /// Is it a link?
    #[serde(rename = "link", default)]
    pub link: bool,
    /// Where the pre-image is kept.
    #[serde(rename = "keep", default)]
    pub keep: Option<Keep>,
    /// The trash entry, if it can be restored from there.
    #[serde(rename = "trash", default)]
    pub trash: Option<String>,
    /// Unified diff, cut at 64 KiB.
    #[serde(rename = "diff")]
    pub diff: String,
    /// Was it cut?
    #[serde(rename = "diff_cut", default)]
    pub diff_cut: bool,
    /// The pieces.
    #[serde(rename = "changes", default)]
    pub changes: Vec<ChangeRecord>,
    /// Which of the call's wishes it belongs to, from 0.
    #[serde(rename = "wish", default)]
    pub wish: u64,
    /// The caller's key for it.
    #[serde(rename = "key", default)]
    pub key: Option<String>,
    /// The caller's words for it.
    #[serde(rename = "label", default)]
    pub label: Option<String>,
    /// The name under which a line patch knows it.
    #[serde(rename = "doc_path", default)]
    pub doc_path: Option<String>,
    /// What turns the bytes before into those after, if that is not too much.
    #[serde(rename = "delta", default)]
    pub delta: Option<Delta>,
    /// The trash entry that it came from.
    #[serde(rename = "came", default, skip_serializing_if = "is_default")]
    pub came: Option<String>,
    /// What went, moved or came with it, if it is a folder. Such a record stands after those of the files.
    #[serde(rename = "folder", default, skip_serializing_if = "is_default")]
    pub folder: Option<Box<FolderRecord>>,
}

/// A folder that went, moved or came back with everything in it. The files have records of their own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FolderRecord {
    /// Itself and every folder in it, parents first, with their permission bits; of a move by their names before.
    #[serde(rename = "folders")]
    pub folders: Vec<(RelPath, u32)>,
    /// How many files and links there were in it.
    #[serde(rename = "files")]
    pub files: u64,
}

impl ChangeRecord {
    /// A change without lines, which takes these others back.
    pub fn plain(id: String, undoes: Vec<String>) -> ChangeRecord {
        ChangeRecord { id, undoes, ..ChangeRecord::default() }
    }
}

impl FileRecord {
    /// Does it change nothing? Such a record stands for changes that cancelled each other out when they were taken back.
    pub fn is_idle(&self) -> bool {
        let touches = |change: &ChangeRecord| change.before.1 > 0 || change.after.1 > 0;
        self.before.is_none() && self.after.is_none() && self.operation == "update" && !self.changes.iter().any(touches)
    }
}

/// One piece of a file's change.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangeRecord {
    /// Its id.
    #[serde(rename = "id")]
    pub id: String,
    /// First line and number of lines before.
    #[serde(rename = "before")]
    pub before: (u64, u64),
    /// First line and number of lines after.
    #[serde(rename = "after")]
    pub after: (u64, u64),
    /// Why, in the caller's words.
    #[serde(rename = "description", default)]
    pub description: Option<String>,
    /// The caller's key for it.
    #[serde(rename = "key", default)]
    pub key: Option<String>,
    /// The changes that it takes back.
    #[serde(rename = "undoes", default)]
    pub undoes: Vec<String>,
    /// Those of its new lines that an earlier change had removed: which of them, the change, which of its lines,
    /// how many.
    #[serde(rename = "restores", default)]
    pub restores: Vec<(u64, String, u64, u64)>,
    /// How much it matters, in the caller's words.
    #[serde(rename = "severity", default, skip_serializing_if = "is_default")]
    pub severity: Option<String>,
    /// Which sorts of change it is, in the caller's words.
    #[serde(rename = "categories", default, skip_serializing_if = "is_default")]
    pub categories: Vec<String>,
    /// The caller's further words for it.
    #[serde(rename = "tags", default, skip_serializing_if = "is_default")]
    pub tags: Vec<String>,
}

//! What stands in the log. Field names are part of the format: a later version must read what an
//! earlier one wrote, so fields are only ever added, with a default.

use patchwright_core::digest::Digest;
use patchwright_core::history::Delta;
use patchwright_core::outcome::{Continuity, EditFacts};
use patchwright_core::path::RelPath;
use patchwright_core::warning::Warning;
use serde::{Deserialize, Serialize};

/// One record of the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Record {
    /// What is about to be done; durable before anything is touched.
    Intent(Intent),
    /// It is done: the commit point, and the audit entry.
    Commit(Commit),
    /// It was taken back, in the same process or by recovery.
    Abort(Abort),
    /// A call that changed nothing: refused, dry, or without effect.
    Note(Note),
    /// Trash entries removed for good.
    Purge(Purge),
    /// Kept pre-images that went because of their age and the quota.
    Retired(Retired),
    /// A change that is stored for review; nothing was done.
    Proposal(Proposal),
    /// What was decided about a proposal, other than applying it.
    Verdict(Verdict),
}

/// Who called, what, and when.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caller {
    /// Nanoseconds since 1970 UTC.
    pub time_ns: i64,
    /// The session's id.
    pub session: String,
    /// Client name and version.
    pub client: String,
    /// The tool.
    pub tool: String,
    /// Was proof of sight switched off?
    #[serde(default)]
    pub unchecked: bool,
}

/// What is about to be done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Intent {
    /// The batch's id.
    pub batch: String,
    /// Who and when.
    pub caller: Caller,
    /// Folders that will be made, parents first.
    pub folders: Vec<RelPath>,
    /// The steps, in order.
    pub works: Vec<Work>,
    /// Folders that are there and will go if the steps leave nothing in them, deepest first.
    #[serde(default)]
    pub gone: Vec<RelPath>,
}

/// One step, with the names it uses on the way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Work {
    /// What happens.
    pub deed: Deed,
    /// The name concerned.
    pub path: RelPath,
    /// The new name, of a rename.
    #[serde(default)]
    pub to: Option<RelPath>,
    /// The folder the temporary stands in.
    pub temp_folder: RelPath,
    /// The temporary's name.
    pub temp: String,
    /// Where what was there goes.
    #[serde(default)]
    pub keep: Option<Keep>,
    /// Its hash before.
    #[serde(default)]
    pub before: Option<Digest>,
    /// Its hash after.
    #[serde(default)]
    pub after: Option<Digest>,
}

/// What happens to a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Deed {
    /// Something new.
    Create,
    /// New bytes.
    Replace,
    /// Away.
    Remove,
    /// Another name.
    Rename,
}

/// Where a displaced file is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Keep {
    /// The state folder: `blobs` or `trash`.
    pub shelf: Shelf,
    /// The name in it.
    pub name: String,
}

/// A state folder for displaced files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Shelf {
    /// Pre-images of edits, by content hash.
    Blobs,
    /// Deleted and replaced files, by trash id.
    Trash,
}

impl Shelf {
    /// The folder's name in the state directory.
    pub fn folder(self) -> &'static str {
        match self {
            Shelf::Blobs => "blobs",
            Shelf::Trash => "trash",
        }
    }
}

/// It is done.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Commit {
    /// The batch's id.
    pub batch: String,
    /// Who and when.
    pub caller: Caller,
    /// The files, in plan order.
    pub files: Vec<FileRecord>,
    /// What the answer warned of.
    #[serde(default)]
    pub warnings: Vec<Warning>,
    /// The path that the answer of a one-file tool names.
    #[serde(default)]
    pub shown: Option<String>,
    /// Could foreign writers be excluded, or only checked for?
    pub verified: bool,
    /// The idempotency key and the hash of the arguments it came with.
    #[serde(default)]
    pub key: Option<(String, Digest)>,
    /// The trash entry that a restore used up.
    #[serde(default)]
    pub consumed: Option<String>,
    /// What the answer to a patch tells besides its files.
    #[serde(default)]
    pub patch: Option<PatchRecord>,
    /// What the answer to operations on anchors tells besides its file.
    #[serde(default)]
    pub edit: Option<Box<EditRecord>>,
    /// The caller's key for the batch.
    #[serde(default)]
    pub batch_key: Option<String>,
    /// The caller's words for the batch.
    #[serde(default)]
    pub label: Option<String>,
    /// Folders that were made, parents first.
    #[serde(default)]
    pub folders: Vec<RelPath>,
    /// Folders that go with the last thing in them, deepest first.
    #[serde(default)]
    pub gone: Vec<RelPath>,
    /// Further trash entries that were used up.
    #[serde(default)]
    pub also_consumed: Vec<String>,
    /// The batches that it takes back, if it is an undo.
    #[serde(default)]
    pub undoes: Vec<String>,
    /// The proposal that it carries out.
    #[serde(default)]
    pub proposed: Option<Box<Proposed>>,
}

/// The proposal that a commit carries out; the batch is the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Proposed {
    /// Who proposed it, and when.
    pub by: Caller,
    /// Was it carried over to files that had changed?
    pub rebased: bool,
    /// The changes that were left out.
    pub dropped: Vec<String>,
}

/// A change that is stored for review.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Proposal {
    /// What the commit would have been. What was there is kept among the blobs, under its hash.
    pub commit: Commit,
    /// Is what stands at the target of a file to go to the trash? By file, in the same order.
    #[serde(default)]
    pub asides: Vec<bool>,
}

/// What was decided about a proposal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// The proposal's batch.
    pub batch: String,
    /// Who and when.
    pub caller: Caller,
    /// Dropped, or found not to fit?
    pub decision: Decision,
    /// Why, in the caller's words.
    #[serde(default)]
    pub reason: Option<String>,
    /// The idempotency key and the hash of the arguments it came with.
    #[serde(default)]
    pub key: Option<(String, Digest)>,
}

/// What was decided about a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Decision {
    /// It was dropped.
    Rejected,
    /// The files are not what it was made for.
    Conflicted,
}

/// Operations on anchors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EditRecord {
    /// What they came to.
    pub facts: EditFacts,
    /// Who else wrote the file.
    pub continuity: Continuity,
}

/// A patch, or a section of one that is applied section by section.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PatchRecord {
    /// Were all sections to be applied or none?
    pub atomic: bool,
    /// How many hunks its sections have.
    pub hunks: u64,
    /// Where in the log the batch begins, if this record is not all of it.
    #[serde(default)]
    pub since: Option<u64>,
    /// Which section of the patch this is, if they are committed one by one.
    #[serde(default)]
    pub section: Option<u64>,
    /// Are more sections to come?
    #[serde(default)]
    pub goes_on: bool,
    /// The sections that change something.
    pub sections: Vec<SectionRecord>,
}

/// One section of a patch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SectionRecord {
    /// Which of the call's wishes this is; its files have the same number.
    pub wish: u64,
    /// `create`, `update`, `delete` or `move`.
    pub operation: String,
    /// The file as the caller named it.
    pub path: String,
    /// Its new name, of a move, as the caller named it.
    #[serde(default)]
    pub to: Option<String>,
}

/// One file of a batch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FileRecord {
    /// The file patch's id.
    pub id: String,
    /// `create`, `update`, `delete`, `move`, `restore`.
    pub operation: String,
    /// The name before; of something new, its name.
    pub path: RelPath,
    /// The new name, of a move.
    #[serde(default)]
    pub to: Option<RelPath>,
    /// Hash before.
    #[serde(default)]
    pub before: Option<Digest>,
    /// Hash after.
    #[serde(default)]
    pub after: Option<Digest>,
    /// Size after; of something removed, its size.
    pub size: u64,
    /// Size before; 0 of something new.
    #[serde(default)]
    pub before_size: u64,
    /// Permission bits of what was there before, or of what is new.
    pub mode: u32,
    /// Is it a link?
    #[serde(default)]
    pub link: bool,
    /// Where the pre-image is kept.
    #[serde(default)]
    pub keep: Option<Keep>,
    /// The trash entry, if it can be restored from there.
    #[serde(default)]
    pub trash: Option<String>,
    /// Unified diff, cut at 64 KiB.
    pub diff: String,
    /// Was it cut?
    #[serde(default)]
    pub diff_cut: bool,
    /// The pieces.
    #[serde(default)]
    pub changes: Vec<ChangeRecord>,
    /// Which of the call's wishes it belongs to, from 0.
    #[serde(default)]
    pub wish: u64,
    /// The caller's key for it.
    #[serde(default)]
    pub key: Option<String>,
    /// The caller's words for it.
    #[serde(default)]
    pub label: Option<String>,
    /// The name under which a line patch knows it.
    #[serde(default)]
    pub doc_path: Option<String>,
    /// What turns the bytes before into those after, if that is not too much.
    #[serde(default)]
    pub delta: Option<Delta>,
}

/// One piece of a file's change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangeRecord {
    /// Its id.
    pub id: String,
    /// First line and number of lines before.
    pub before: (u64, u64),
    /// First line and number of lines after.
    pub after: (u64, u64),
    /// Why, in the caller's words.
    #[serde(default)]
    pub description: Option<String>,
    /// The caller's key for it.
    #[serde(default)]
    pub key: Option<String>,
    /// The changes that it takes back.
    #[serde(default)]
    pub undoes: Vec<String>,
    /// Those of its new lines that an earlier change had removed: which of them, the change, which of its lines,
    /// how many.
    #[serde(default)]
    pub restores: Vec<(u64, String, u64, u64)>,
}

/// It was taken back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Abort {
    /// The batch that was not.
    pub batch: String,
    /// Who called, and when it was taken back.
    pub caller: Caller,
    /// The error kind.
    pub kind: String,
    /// By recovery, not by the process that began it?
    pub recovered: bool,
    /// The paths concerned, with hashes before and after as they were meant.
    pub files: Vec<Touched>,
    /// Paths whose content was not known: left as found, and what was displaced saved.
    #[serde(default)]
    pub left_alone: Vec<LeftAlone>,
}

/// A path with what it was and what it was to become.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Touched {
    /// The name, as the caller spelt it where it is no workspace path.
    pub path: String,
    /// The new name, of a move.
    #[serde(default)]
    pub to: Option<String>,
    /// Hash before.
    #[serde(default)]
    pub before: Option<Digest>,
    /// Hash after.
    #[serde(default)]
    pub after: Option<Digest>,
}

/// Something recovery did not recognise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftAlone {
    /// The path.
    pub path: RelPath,
    /// Where the version it displaced was saved, if there was one.
    pub saved: Option<Keep>,
}

/// A call that changed nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Note {
    /// Who and when.
    pub caller: Caller,
    /// How it ended.
    pub end: End,
    /// What was wanted: `create`, `update`, …; empty where it is not known.
    #[serde(default)]
    pub operation: String,
    /// The files it was about.
    #[serde(default)]
    pub files: Vec<Touched>,
    /// The diff of a dry run, cut at 64 KiB.
    #[serde(default)]
    pub diff: String,
}

/// How a call that changed nothing ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum End {
    /// Refused, with this error kind.
    Refused(String),
    /// It was a dry run.
    DryRun,
    /// Everything already was as asked for.
    Unchanged,
    /// An earlier call with the same idempotency key, this batch, had done it.
    Replayed(String),
}

/// Trash entries removed for good.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Purge {
    /// The batch's id.
    pub batch: String,
    /// Who and when.
    pub caller: Caller,
    /// The entries.
    pub ids: Vec<String>,
    /// What they held, in the same order.
    #[serde(default)]
    pub files: Vec<Touched>,
    /// Bytes they took.
    pub bytes: u64,
    /// The idempotency key and the hash of the arguments it came with.
    #[serde(default)]
    pub key: Option<(String, Digest)>,
    /// What the answer warned of.
    #[serde(default)]
    pub warnings: Vec<Warning>,
}

/// Kept pre-images that went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Retired {
    /// When, nanoseconds since 1970 UTC.
    pub time_ns: i64,
    /// The names in `blobs`.
    pub blobs: Vec<String>,
    /// The entries in `trash`.
    pub trash: Vec<String>,
    /// Bytes they took.
    pub bytes: u64,
}

//! What looking at the record and at the machine's abilities yields.

use patchwright_core::batch::{BatchName, ChangeName};
use patchwright_core::digest::Digest;
use patchwright_store::real::Confinement;
use patchwright_store::records::{BrokenRule, Counts, FaultRecord};

/// What verifying the log found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditCheck {
    /// Records read that are whole and in order.
    pub records: u64,
    /// The head of the chain.
    pub head: Option<Digest>,
    /// What is wrong; empty when the log is whole.
    pub findings: Vec<Finding>,
}

/// One thing wrong with the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// A record whose bytes do not match its checksum or its place in the chain.
    Damaged {
        /// Its sequence number as far as it can be told.
        sequence: u64,
        /// What does not fit, as a fixed word: `checksum`, `chain`, `sequence`, `length`, `tag`, `content`, or `rest` where
        /// nothing behind the record can be read.
        what: &'static str,
    },
    /// The log does not hold the last record that was known: an older one was put back in its place, or it was cut.
    PutBack {
        /// The number of the last record that was known.
        known: u64,
    },
    /// There was a log, and it is gone.
    Gone,
    /// Nothing says how far the log had come.
    Unmarked,
    /// The log had been put back before this record, and nobody has accepted that yet.
    Resumed {
        /// The record's number.
        sequence: u64,
    },
    /// The head asked for is not in the log: a tail was cut off.
    HeadMissing,
    /// Bytes after the last whole record: a write that was cut short, and never counted.
    TornTail {
        /// How many bytes.
        bytes: u64,
    },
}

/// One entry of the audit log.
#[derive(Clone, Debug, PartialEq)]
pub struct AuditEntry {
    /// Place in the log.
    pub sequence: u64,
    /// Nanoseconds since 1970 UTC.
    pub time_ns: i128,
    /// The session's id.
    pub session: String,
    /// Client name and version.
    pub client: String,
    /// The name of the person or agent, where it was given.
    pub actor: Option<String>,
    /// The way in: `library`, `cli`, `stdio`, `http`, `page`.
    pub door: &'static str,
    /// `agent` or `person`.
    pub role: &'static str,
    /// The tool called.
    pub tool: String,
    /// `create`, `update`, `delete`, `move`, `restore`, `patch`, `purge`, `undo`, `apply`, `reject`, `recover`,
    /// `retention`, `resume`, `adopt`.
    pub operation: String,
    /// The files, with hashes before and after.
    pub files: Vec<AuditFile>,
    /// `committed`, `refused`, `dry_run`, `unchanged`, `replayed`, `rolled_back`, `recovered`, `proposed`, `rejected`,
    /// `conflicted`, `resumed`, `adopted`.
    pub outcome: &'static str,
    /// The error kind of a refused call.
    pub kind: Option<String>,
    /// The batch, if one was made.
    pub batch: Option<String>,
    /// The idempotency key.
    pub key: Option<String>,
    /// The caller's key for the batch.
    pub batch_key: Option<String>,
    /// The caller's words for the batch.
    pub label: Option<String>,
    /// How much was changed, or was to be.
    pub counts: Counts,
    /// The rules that a refused call broke, the first fifty.
    pub broken: Vec<BrokenRule>,
    /// How many more it broke.
    pub broken_more: u64,
    /// The fault of ours that ended the call.
    pub fault: Option<FaultRecord>,
    /// Was the call made without proof of sight?
    pub unchecked: bool,
    /// Why a proposal was dropped, in the caller's words.
    pub reason: Option<String>,
    /// The unified diff, cut at 64 KiB.
    pub diff: String,
    /// Hash of the record before.
    pub previous: Digest,
    /// Hash of this record.
    pub head: Digest,
}

/// One file of an audit entry.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AuditFile {
    /// The file.
    pub path: String,
    /// Its new name, if it was moved.
    pub to: Option<String>,
    /// Hash before.
    pub before: Option<Digest>,
    /// Hash after.
    pub after: Option<Digest>,
    /// The name under which a line patch knows it.
    pub doc_path: Option<String>,
    /// The caller's key for it.
    pub key: Option<String>,
    /// The caller's words for it.
    pub label: Option<String>,
    /// The caller's keys for its changes.
    pub change_keys: Vec<String>,
}

/// What a look-over found.
#[derive(Clone, Debug, PartialEq)]
pub struct Doctor {
    /// Can it be noted at home how far the record has come? Nothing where there is no record.
    pub mark: Option<bool>,
    /// What the file system and the kernel can do here.
    pub abilities: Vec<Ability>,
    /// How far a server is kept in here, as tried out.
    pub confinement: Confinement,
    /// The log.
    pub audit: AuditCheck,
    /// What recovery put right at this open, a line each: path and what was done.
    pub recovered: Vec<(String, &'static str)>,
    /// Kept pre-images: how many and how many bytes.
    pub blobs: (u64, u64),
    /// Blobs whose bytes do not match their name.
    pub damaged_blobs: Vec<String>,
    /// The kept files that undo and redo need.
    pub undo: KeptFiles,
    /// What is in the trash.
    pub trash: TrashFiles,
    /// The kept files that open proposals need.
    pub proposals: ProposalFiles,
}

impl Doctor {
    /// Is every kept file there and whole?
    pub fn keeps_all(&self) -> bool {
        self.damaged_blobs.is_empty()
            && self.undo.is_whole()
            && self.trash.is_whole()
            && self.proposals.files.is_whole()
    }
}

/// Kept files by what the record says of them. Of a damaged record only what stands before the damage counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeptFiles {
    /// How many files are to be there.
    pub needed: u64,
    /// How many bytes they have.
    pub bytes: u64,
    /// How many of them are not there.
    pub missing: u64,
    /// How many of them hold something else, or cannot be read.
    pub damaged: u64,
    /// How many more would be needed but were let go on purpose, by retention or a purge. That is no damage.
    pub let_go: u64,
    /// The batches that cannot be taken back or carried out for want of what is missing or damaged, oldest first. A batch
    /// whose bytes can be had otherwise, such as from the record or the file itself, is none of them.
    pub batches: Vec<BatchName>,
}

impl KeptFiles {
    /// Is everything there that should be?
    pub fn is_whole(&self) -> bool {
        self.missing == 0 && self.damaged == 0 && self.batches.is_empty()
    }
}

/// What is in the trash.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrashFiles {
    /// How many entries a list shows; a folder is one.
    pub entries: u64,
    /// How many files and links these are.
    pub count: u64,
    /// Those that are not there, oldest first.
    pub missing: Vec<TrashFile>,
    /// Those that hold something else, or cannot be read, oldest first.
    pub damaged: Vec<TrashFile>,
}

impl TrashFiles {
    /// Is everything there that should be?
    pub fn is_whole(&self) -> bool {
        self.missing.is_empty() && self.damaged.is_empty()
    }
}

/// A file or link in the trash.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrashFile {
    /// Its id in the trash.
    pub id: String,
    /// The change that removed it.
    pub change: ChangeName,
    /// The path that it had.
    pub path: String,
}

/// What open proposals need.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProposalFiles {
    /// How many proposals are open.
    pub open: u64,
    /// The versions they were made for and would leave, as far as these are kept, and what they would bring back.
    pub files: KeptFiles,
}

/// Something the machine can or cannot do here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ability {
    /// A fixed word: `openat2`, `exchange`, `no_replace`, `sync`, `lock`.
    pub name: &'static str,
    /// Does it work here?
    pub works: bool,
}

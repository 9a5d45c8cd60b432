//! Calls that changed nothing or were taken back, and what went for good.

use super::{Asked, Caller, Keep, is_default};
use patchwright_core::digest::Digest;
use patchwright_core::path::RelPath;
use patchwright_core::warning::Warning;
use serde::{Deserialize, Serialize};

/// It was taken back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Abort {
    /// The batch that was not.
    #[serde(rename = "batch")]
    pub batch: String,
    /// Who called, and when it was taken back.
    #[serde(rename = "caller")]
    pub caller: Caller,
    /// The error kind.
    #[serde(rename = "kind")]
    pub kind: String,
    /// By recovery, not by the process that began it?
    #[serde(rename = "recovered")]
    pub recovered: bool,
    /// The paths concerned, with hashes before and after as they were meant.
    #[serde(rename = "files")]
    pub files: Vec<Touched>,
    /// Paths whose content was not known: left as found, and what was displaced saved.
    #[serde(rename = "left_alone", default)]
    pub left_alone: Vec<LeftAlone>,
    /// What was asked for, and the rules that it broke; not known after a crash.
    #[serde(rename = "asked", default, skip_serializing_if = "is_default")]
    pub asked: Option<Box<Asked>>,
}

/// A path with what it was and what it was to become.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Touched {
    /// The name, as the caller spelt it where it is no workspace path.
    #[serde(rename = "path")]
    pub path: String,
    /// The new name, of a move.
    #[serde(rename = "to", default)]
    pub to: Option<String>,
    /// Hash before.
    #[serde(rename = "before", default)]
    pub before: Option<Digest>,
    /// Hash after.
    #[serde(rename = "after", default)]
    pub after: Option<Digest>,
}

/// Something recovery did not recognise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftAlone {
    /// The path.
    #[serde(rename = "path")]
    pub path: RelPath,
    /// Where the version it displaced was saved, if there was one.
    #[serde(rename = "saved")]
    pub saved: Option<Keep>,
}

/// A call that changed nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Note {
    /// Who and when.
    #[serde(rename = "caller")]
    pub caller: Caller,
    /// How it ended.
    #[serde(rename = "end")]
    pub end: End,
    /// What was wanted: `create`, `update`, …; empty where it is not known.
    #[serde(rename = "operation", default)]
    pub operation: String,
    /// The files it was about.
    #[serde(rename = "files", default)]
    pub files: Vec<Touched>,
    /// The diff of a dry run, cut at 64 KiB.
    #[serde(rename = "diff", default)]
    pub diff: String,
    /// What was asked for, and the rules that it broke.
    #[serde(rename = "asked", default, skip_serializing_if = "is_default")]
    pub asked: Option<Box<Asked>>,
}

/// How a call that changed nothing ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum End {
    /// Refused, with this error kind.
    #[serde(rename = "Refused")]
    Refused(String),
    /// It was a dry run.
    #[serde(rename = "DryRun")]
    DryRun,
    /// Everything already was as asked for.
    #[serde(rename = "Unchanged")]
    Unchanged,
    /// An earlier call with the same idempotency key, this batch, had done it.
    #[serde(rename = "Replayed")]
    Replayed(String),
}

/// Trash entries removed for good.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Purge {
    /// The batch's id.
    #[serde(rename = "batch")]
    pub batch: String,
    /// The batch's number, counted from 1; 0 in records of 0.1, which had none.
    #[serde(rename = "number", default, skip_serializing_if = "is_default")]
    pub number: u64,
    /// Who and when.
    #[serde(rename = "caller")]
    pub caller: Caller,
    /// The entries.
    #[serde(rename = "ids")]
    pub ids: Vec<String>,
    /// What lay in those that are folders, by the names on the shelf.
    #[serde(rename = "inside", default, skip_serializing_if = "is_default")]
    pub inside: Vec<String>,
    /// What they held, in the same order.
    #[serde(rename = "files", default)]
    pub files: Vec<Touched>,
    /// Bytes they took.
    #[serde(rename = "bytes")]
    pub bytes: u64,
    /// The idempotency key and the hash of the arguments it came with.
    #[serde(rename = "key", default)]
    pub key: Option<(String, Digest)>,
    /// What the answer warned of.
    #[serde(rename = "warnings", default, skip_serializing_if = "is_default")]
    pub warnings: Vec<Warning>,
}

/// Kept pre-images that went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Retired {
    /// When, nanoseconds since 1970 UTC.
    #[serde(rename = "time_ns")]
    pub time_ns: i64,
    /// The names in `blobs`.
    #[serde(rename = "blobs")]
    pub blobs: Vec<String>,
    /// The entries in `trash`.
    #[serde(rename = "trash")]
    pub trash: Vec<String>,
    /// Bytes they took.
    #[serde(rename = "bytes")]
    pub bytes: u64,
}

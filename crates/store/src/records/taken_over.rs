//! Breaks in a log's own story: it went on from another state than the last one known, or a person took it over.

use super::{Caller, is_default};
use patchwright_core::digest::Digest;
use serde::{Deserialize, Serialize};

/// A place in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Point {
    /// The record's number.
    #[serde(rename = "sequence")]
    pub sequence: u64,
    /// Where it begins.
    #[serde(rename = "offset")]
    pub offset: u64,
    /// Its hash.
    #[serde(rename = "head")]
    pub head: Digest,
}

/// Bytes of a log before its first record.
pub const HEADER: u64 = 32;

/// Before the first record.
pub const START: Point = Point { sequence: 0, offset: HEADER, head: Digest([0; 32]) };

/// The log went on from a state that was not the last one known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resumed {
    /// When, nanoseconds since 1970 UTC.
    #[serde(rename = "time_ns")]
    pub time_ns: i64,
    /// The last record that was known, if any was.
    #[serde(rename = "known", default, skip_serializing_if = "Option::is_none")]
    pub known: Option<Point>,
    /// The last record that was there.
    #[serde(rename = "found")]
    pub found: Point,
    /// The batch that it left unfinished; it stays so.
    #[serde(rename = "unfinished", default, skip_serializing_if = "Option::is_none")]
    pub unfinished: Option<String>,
}

/// A person took over a record, or has looked at their own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adopted {
    /// When, nanoseconds since 1970 UTC.
    #[serde(rename = "time_ns")]
    pub time_ns: i64,
    /// Who.
    #[serde(rename = "caller")]
    pub caller: Caller,
    /// The id or name of the record that was taken over; nothing where a person has looked at their own.
    #[serde(rename = "from", default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// How many records there were.
    #[serde(rename = "records")]
    pub records: u64,
    /// The hash of the last of them.
    #[serde(rename = "head", default, skip_serializing_if = "Option::is_none")]
    pub head: Option<Digest>,
    /// What shows who wrote them.
    #[serde(rename = "proven", default, skip_serializing_if = "is_default")]
    pub proven: Proven,
    /// The batch that they left unfinished.
    #[serde(rename = "unfinished", default, skip_serializing_if = "Option::is_none")]
    pub unfinished: Option<String>,
    /// Was it taken back?
    #[serde(rename = "taken_back", default, skip_serializing_if = "is_default")]
    pub taken_back: TakenBack,
}

/// What shows who wrote the records that were taken over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Proven {
    /// Nothing does.
    #[default]
    #[serde(rename = "nothing")]
    Nothing,
    /// Their tags fit a key of this user.
    #[serde(rename = "key")]
    Key,
}

/// What became of an unfinished batch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum TakenBack {
    /// There was none, or the files stay as they were found.
    #[default]
    #[serde(rename = "no")]
    No,
    /// The files are as they were before it.
    #[serde(rename = "yes")]
    Yes,
}

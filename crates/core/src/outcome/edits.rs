//! What operations on anchors came to.

use super::{Concurrency, Extent};
use crate::digest::Digest;
use crate::sanity::Doubt;
use serde::{Deserialize, Serialize};

/// A file that operations on anchors changed, or would change.
#[derive(Clone, Debug, PartialEq)]
pub struct Edited {
    /// The file.
    pub path: String,
    /// Hash before.
    pub before: Option<Digest>,
    /// Hash after.
    pub after: Option<Digest>,
    /// Size in bytes now.
    pub size: u64,
    /// What the operations came to.
    pub facts: EditFacts,
    /// Who else wrote the file.
    pub continuity: Continuity,
    /// The batch on record.
    pub batch: Option<String>,
    /// How far it went.
    pub extent: Extent,
    /// How foreign writers were dealt with.
    pub concurrency: Concurrency,
}

/// What operations on anchors came to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EditFacts {
    /// How many operations there were.
    pub operations: u64,
    /// Lines before.
    pub lines_before: u64,
    /// Lines after.
    pub lines_after: u64,
    /// Up to this line nothing changed.
    pub valid_through: u64,
    /// Anchors up to there that no longer name their line, with what names it now.
    pub stale: Vec<StaleAnchor>,
    /// How many there are, if that is more than the list has.
    pub stale_count: u64,
    /// The change with the anchors of the new text.
    pub diff: String,
    /// Was it cut?
    pub diff_cut: bool,
    /// What was put right without asking.
    pub corrections: Vec<Correction>,
    /// Was the result looked over, and does it look like a slip?
    pub safety: SafetyStatus,
    /// What looks like one.
    pub doubts: Vec<Doubt>,
}

/// An anchor of an unchanged line that no longer names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StaleAnchor {
    /// The line.
    pub line: u64,
    /// The anchor it had, without number.
    pub was: String,
    /// The anchor it has.
    pub now: String,
    /// `low`, `med` or `high`.
    pub quality: String,
}

/// Something that was put right without asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Correction {
    /// A range whose ends came in the wrong order.
    RangeSwapped {
        /// The line that was given as its start.
        start: u64,
        /// The line that was given as its end.
        end: u64,
    },
}

/// What looking over the result came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum SafetyStatus {
    /// Nothing was found.
    #[default]
    Clean,
    /// Something looks like a slip.
    Suspicious,
    /// Nobody looked.
    Skipped,
}

/// Who wrote a file since this session first saw it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Continuity {
    /// Nobody but `edit` of this session.
    #[default]
    Clean,
    /// Another tool or another program, too.
    Mixed,
}

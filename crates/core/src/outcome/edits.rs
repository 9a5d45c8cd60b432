//! What operations on anchors came to.

use super::{Concurrency, Extent};
use crate::batch::BatchName;
use crate::digest::Digest;
use crate::sanity::Doubt;
use serde::{Deserialize, Serialize};

/// A file that operations on anchors changed, or would change.
#[derive(Clone, Debug, PartialEq)]
pub struct Edited {
    /// The file.
    pub path: String,
    /// The file that was written, if the path is a link to it.
    pub real: Option<String>,
    /// May it be run now, if that has changed?
    pub executable: Option<bool>,
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
    pub batch: Option<BatchName>,
    /// How far it went.
    pub extent: Extent,
    /// How foreign writers were dealt with.
    pub concurrency: Concurrency,
}

/// What operations on anchors came to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EditFacts {
    /// How many operations there were.
    #[serde(rename = "operations")]
    pub operations: u64,
    /// Lines before.
    #[serde(rename = "lines_before")]
    pub lines_before: u64,
    /// Lines after.
    #[serde(rename = "lines_after")]
    pub lines_after: u64,
    /// Up to this line nothing changed.
    #[serde(rename = "valid_through")]
    pub valid_through: u64,
    /// Anchors up to there that no longer name their line, with what names it now.
    #[serde(rename = "stale")]
    pub stale: Vec<StaleAnchor>,
    /// How many there are, if that is more than the list has.
    #[serde(rename = "stale_count")]
    pub stale_count: u64,
    /// The change with the anchors of the new text.
    #[serde(rename = "diff")]
    pub diff: String,
    /// Was it cut?
    #[serde(rename = "diff_cut")]
    pub diff_cut: bool,
    /// What was put right without asking.
    #[serde(rename = "corrections")]
    pub corrections: Vec<Correction>,
    /// Was the result looked over, and does it look like a slip?
    #[serde(rename = "safety")]
    pub safety: SafetyStatus,
    /// What looks like one.
    #[serde(rename = "doubts")]
    pub doubts: Vec<Doubt>,
}

/// An anchor of an unchanged line that no longer names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StaleAnchor {
    /// The line.
    #[serde(rename = "line")]
    pub line: u64,
    /// The anchor it had, without number.
    #[serde(rename = "was")]
    pub was: String,
    /// The anchor it has.
    #[serde(rename = "now")]
    pub now: String,
    /// `low`, `med` or `high`.
    #[serde(rename = "quality")]
    pub quality: String,
}

/// Something that was put right without asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Correction {
    /// A range whose ends came in the wrong order.
    #[serde(rename = "RangeSwapped")]
    RangeSwapped {
        /// The line that was given as its start.
        #[serde(rename = "start")]
        start: u64,
        /// The line that was given as its end.
        #[serde(rename = "end")]
        end: u64,
    },
}

/// What looking over the result came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum SafetyStatus {
    /// Nothing was found.
    #[default]
    #[serde(rename = "Clean")]
    Clean,
    /// Something looks like a slip.
    #[serde(rename = "Suspicious")]
    Suspicious,
    /// Nobody looked.
    #[serde(rename = "Skipped")]
    Skipped,
}

/// Who wrote a file, by the record of changes and by what the session saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Continuity {
    /// Nobody but `edit`.
    #[default]
    #[serde(rename = "Clean")]
    Clean,
    /// Another tool or another program, too.
    #[serde(rename = "Mixed")]
    Mixed,
}

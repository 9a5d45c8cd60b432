//! What stands in the log. Names of kinds, fields and choices are part of the format, so each is spelt out and a golden
//! test holds it: a later version must read what an earlier one wrote. Fields are only ever added, with a default;
//! fields and kinds that a reader does not know are passed over.

mod asked;
mod commit;
mod ends;
mod folders;
mod intent;
mod kinds;
mod taken_over;

pub use asked::{Asked, AskedFile, BrokenRule, Counts, FaultRecord, RULES};
pub use commit::{
    ChangeRecord, Commit, Decision, EditRecord, FileRecord, FolderRecord, PatchRecord, Proposal, Proposed,
    SectionRecord, Verdict,
};
pub use ends::{Abort, End, LeftAlone, Note, Purge, Retired, Touched};
pub use folders::FolderTable;
pub use intent::{Deed, Intent, Keep, Shelf, Work};
pub use kinds::{RESERVED, decode};
pub use taken_over::{Adopted, HEADER, Point, Proven, Resumed, START, TakenBack};

pub use patchwright_core::batch::Role;

use serde::{Deserialize, Serialize};

/// One record of the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Record {
    /// What is about to be done; durable before anything is touched.
    #[serde(rename = "Intent")]
    Intent(Intent),
    /// It is done: the commit point, and the audit entry.
    #[serde(rename = "Commit")]
    Commit(Commit),
    /// It was taken back, in the same process or by recovery.
    #[serde(rename = "Abort")]
    Abort(Abort),
    /// A call that changed nothing: refused, dry, or without effect.
    #[serde(rename = "Note")]
    Note(Note),
    /// Trash entries removed for good.
    #[serde(rename = "Purge")]
    Purge(Purge),
    /// Kept pre-images that went because of their age and the quota.
    #[serde(rename = "Retired")]
    Retired(Retired),
    /// A change that is stored for review; nothing was done.
    #[serde(rename = "Proposal")]
    Proposal(Proposal),
    /// What was decided about a proposal, other than applying it.
    #[serde(rename = "Verdict")]
    Verdict(Verdict),
    /// The log went on from a state that was not the last one known.
    #[serde(rename = "Resumed")]
    Resumed(Resumed),
    /// A person took over a record, or has looked at their own.
    #[serde(rename = "Adopted")]
    Adopted(Adopted),
    /// A kind that this version does not know, or only keeps a name for. It stays in the chain and means nothing
    /// here; it is never written.
    #[serde(skip)]
    Other {
        /// Its name.
        kind: String,
    },
}

impl Record {
    /// The number of the batch that the record names, if batches were numbered when it was written.
    pub fn number(&self) -> Option<u64> {
        let number = match self {
            Record::Commit(commit) => commit.number,
            Record::Proposal(proposal) => proposal.commit.number,
            Record::Purge(purge) => purge.number,
            _ => 0,
        };
        (number > 0).then_some(number)
    }
}

/// Who called, what, and when.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caller {
    /// Nanoseconds since 1970 UTC.
    #[serde(rename = "time_ns")]
    pub time_ns: i64,
    /// The session's id.
    #[serde(rename = "session")]
    pub session: String,
    /// Client name and version.
    #[serde(rename = "client")]
    pub client: String,
    /// The tool.
    #[serde(rename = "tool")]
    pub tool: String,
    /// Was proof of sight switched off?
    #[serde(rename = "unchecked", default)]
    pub unchecked: bool,
    /// A person's or an agent's name.
    #[serde(rename = "actor", default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<String>,
    /// The way in.
    #[serde(rename = "door", default, skip_serializing_if = "is_default")]
    pub door: Door,
    /// A person or an agent?
    #[serde(rename = "role", default, skip_serializing_if = "is_default")]
    pub role: Role,
}

/// The way in by which a call came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Door {
    /// A program that holds the workspace itself.
    #[default]
    #[serde(rename = "library")]
    Library,
    /// The command line.
    #[serde(rename = "cli")]
    Cli,
    /// A protocol over standard input and output.
    #[serde(rename = "stdio")]
    Stdio,
    /// A protocol over HTTP.
    #[serde(rename = "http")]
    Http,
    /// The page in a browser.
    #[serde(rename = "page")]
    Page,
}

impl Door {
    /// The name it has on record.
    pub fn name(self) -> &'static str {
        match self {
            Door::Library => "library",
            Door::Cli => "cli",
            Door::Stdio => "stdio",
            Door::Http => "http",
            Door::Page => "page",
        }
    }
}

/// What a field left out means need not be written.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

//! The engine behind `patchwright` and `patchwright-lib`: edits that land exactly or not at all.
//!
//! A [`Workspace`] is what sessions share; a [`Session`] has a typed verb for every tool. It joins the pure planning
//! of the core and the disk work of the store, and knows nothing of JSON, argv or sockets. Every change is one
//! transaction: take a turn, look, plan, stage, publish, answer.

mod adopt;
mod alike;
mod answers;
mod asked;
mod audit;
mod batches;
mod beside;
mod call;
mod changes;
mod clock;
mod conflicts;
mod continuity;
mod docs;
mod explain;
mod follow;
mod gather;
mod history;
mod ids;
mod label;
mod leaving;
mod ledger;
mod lines;
mod links;
mod look;
mod names;
mod newline;
mod operation;
mod options;
mod past;
mod patch;
mod permits;
mod planned_files;
mod prepare;
mod proof;
mod proposals;
mod queue;
mod recorded;
mod recovery;
mod refused;
mod remember;
mod replay;
mod report;
mod retire;
mod sections;
mod session;
mod settled;
mod since;
mod stories;
mod trail;
mod transaction;
mod trash;
mod tree;
mod trouble;
mod turn;
mod undo;
mod versions;
mod watch;
mod workspace;

pub use adopt::{Adoptable, Adopting, NotAdopted, OtherRecord, Unfinished};
pub use audit::AuditFilter;
pub use batches::SessionSummary;
#[doc(hidden)]
pub use clock::{SetClock, now_ns};
pub use follow::{Cursor, Event, EventKind, Follow, News, Presence, Ruling, Since};
pub use history::BatchFile;
pub use label::{BadLabel, Name, SessionId};
pub use options::{Client, Durability, Mode, Options, Proof, Repair, SessionOptions};
pub use patchwright_core as core;
pub use patchwright_store::outside::{
    is_below as is_outside_below, is_folder as is_outside_folder, read as read_outside,
    read_if_there as read_outside_if_there, real_path, write_private as write_outside,
};
pub use patchwright_store::real::{Confinement, HomeAt, Wall, WhyFree};
pub use patchwright_store::records::TakenBack;
pub use patchwright_store::records::{BrokenRule, Counts, Door, FaultRecord, Role};
pub use patchwright_store::scratch::Scratch;
pub use planned_files::{PlannedFiles, Versions};
pub use report::{
    Ability, AuditCheck, AuditEntry, AuditFile, Doctor, Finding, KeptFiles, ProposalFiles, TrashFile, TrashFiles,
};
pub use session::Session;
pub use trash::TrashItem;
pub use watch::{Doing, Observer, Quiet, Watch};
pub use workspace::Workspace;

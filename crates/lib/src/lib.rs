//! Edit files so that a change lands exactly where it was meant, or not at all.
//!
//! A [`Workspace`] is a folder whose changes are on record. A [`Session`] is one caller on it, which remembers what it
//! has read: a file may be changed only by a session that has seen its present bytes. Every change is planned first,
//! which changes no file; [`Planned::commit`] then makes just the change that was shown, or none.
//!
//! ```
//! # use patchwright_lib::{Error, Workspace};
//! # fn front_page() -> Result<(), Error> {
//! let workspace = Workspace::open(".")?;
//! let session = workspace.session("my-agent");
//! let file = session.read("src/main.rs")?;                        // FileView: text, sha256, lines
//! let planned = session.edit("src/main.rs").replace("3000", "4000").plan()?;
//! println!("{}", planned.diff());                                 // nothing has changed yet
//! let change = planned.commit()?;                                 // or .propose()
//! session.undo(change.batch())?.commit()?;
//! # Ok(())
//! # }
//! ```
//!
//! # What is promised
//!
//! - A commit changes all files of a call or none, through crashes and power cuts ([`Durability`]).
//! - Nothing is guessed: a text that stands twice, or not at all, is an error. So is a file that somebody else has
//!   changed since it was seen or planned for ([`ErrorKind::StaleFile`]).
//! - No path leaves the workspace, by its spelling or by links.
//! - Every change is on record, and can be taken back ([`Session::undo`]); what is deleted goes to the trash.
//!
//! There is one [`Error`], with a [`kind`](Error::kind), a [`path`](Error::path) and one sentence. Unless it says
//! otherwise ([`DiskState`]), nothing has changed.
//!
//! Planning is on record, too, refused or not: the first plan or change founds the record (`.git/patchwright` or
//! `.patchwright`, see [`Options::state_dir`]), and each waits for its turn among the writers of all processes
//! ([`Options::lock_wait`], [`ErrorKind::Busy`]). Looking founds nothing and waits for nobody.
//!
//! # What is left to the program `patchwright`
//!
//! Settings files, JSON and MCP; edits by anchors and numbered lines; patches that are applied section by section;
//! idempotency keys; reading binary files and versions on record; purging the trash; audit, doctor and taking over other
//! records; progress. Whoever needs one of these from Rust should ask for a verb here: the crates below this one are
//! published only for its sake, and change without notice.
//!
//! # Features
//!
//! `grammars` (default): compiles in syntax trees for common languages. They serve the check of anchored edits, which
//! this library does not offer so far: no verb here gives another result without them. `default-features = false` builds
//! faster and smaller.

#![deny(missing_docs)]

mod cancel;
mod change;
mod charset;
mod error;
mod find;
mod follow;
mod history;
mod ids;
mod look;
mod options;
mod planned;
mod proposal;
mod session;
mod sha256;
mod undo;
mod warning;
mod workspace;

pub use cancel::CancelToken;
pub use change::{Create, Delete, Edit, Patch, Rename, Restore, Side, Write};
pub use error::{DiskState, Error, ErrorKind};
pub use find::{Found, Glob, Match, Search};
pub use follow::{Cursor, Event, EventKind, Follow, News, Since};
pub use history::{Batch, BatchView, Batches, ChangeView, LineOrigin, LineRun, Status, TrashEntry};
pub use ids::{Author, BatchId, ChangeId, Role};
pub use look::{CutAt, Entry, EntryKind, FileView, LineEnds, List, Reader};
pub use options::{Durability, Options, ProofOfSight, Protection};
pub use planned::{Change, FileChange, Operation, Planned, PlannedCommit, Touch};
pub use proposal::Proposal;
pub use session::{Session, SessionBuilder};
pub use sha256::Sha256;
pub use undo::Undo;
pub use warning::Warning;
pub use workspace::Workspace;

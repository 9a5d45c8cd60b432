//! Patchwright's disk: the only room that may change a file.
//!
//! [`disk`] is the seam: a trait of about a dozen verbs over held directories. [`real`] is the machine
//! behind the guard. [`look`] reads, lists and searches. [`stage`] lays new bytes beside the old,
//! [`publish`] carries a plan out, all or nothing, [`rollback`] takes it back and [`recover`] does so
//! after a crash. [`log`] is the append-only record that all rely on, [`records`] what stands in it,
//! [`index`] a deletable view of it. [`keep`] is where displaced files go, and [`tidy`]
//! what is done with them after a commit.
//! What is absent: dialects, tools, JSON, and sentences for people.

pub mod adopt;
pub mod content;
pub mod crew;
pub mod disk;
pub mod firm;
pub mod folders;
pub mod index;
pub mod keep;
pub mod kept;
pub mod log;
pub mod look;
pub mod mark;
pub mod outside;
pub mod own;
pub mod phase;
pub mod publish;
pub mod real;
pub mod records;
pub mod recover;
pub mod retention;
pub mod rollback;
pub mod scratch;
pub mod seal;
pub mod stage;
pub mod step;
mod stop;
mod swap;
pub mod tidy;
mod turn;

//! Dialects: the texts in which callers write down a change.
//!
//! Promises that reading and writing a dialect is pure and never guesses. Leaves what the change means
//! for the files to `plan`, and the shape of the call around it to `tool`.

pub mod envelope;
mod fault;
pub mod lines;
pub mod patch;
mod range;
pub mod unified;
pub mod wanted;

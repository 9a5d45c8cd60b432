//! Report: the one place that words what a call came to. From the same typed outcome come the JSON answer,
//! the text a model reads and the lines a person reads, so every door says the same.
//!
//! Leans on the core alone. Decides nothing, and knows neither the wire nor the doors.

mod amounts;
pub mod answer;
mod arguments;
mod bare;
mod base64;
mod breakdown;
mod changed;
mod conflicts;
mod content;
mod denied;
mod details;
mod diffs;
mod doc_paths;
pub mod docs;
pub mod edits;
mod fields;
mod folders;
pub mod guidance;
pub mod history;
mod holder;
mod home;
mod invoke;
mod line_range;
mod lists;
mod looks;
mod matching;
mod message;
mod missing;
pub mod patched;
mod patches;
pub mod people;
mod ready;
mod stale;
mod telling;
pub mod terminal;
pub mod text;
pub mod time;
mod trouble;
mod versions;
pub mod warnings;
mod words;

pub use answer::{Told, answer, answer_to};
pub use breakdown::fault_line;
pub use message::Words;
pub use telling::{Sent, Telling};
pub use terminal::for_terminal;
pub use trouble::trouble;

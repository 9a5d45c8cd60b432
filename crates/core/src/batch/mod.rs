//! What is known of a batch wherever one is named: what it is called, where it stands and who made it. Answers,
//! refusals and the arguments of tools are made of it; it knows none of them.

mod author;
mod names;
mod status;

pub use author::{Author, Role};
pub use names::{BatchName, ChangeName};
pub use status::BatchStatus;

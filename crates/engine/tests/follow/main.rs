//! Following the record: every event once and in order, whoever writes, and whatever becomes of the record meanwhile.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise and looks at the disk itself"
)]

mod breaks;
mod odd;
mod place;
mod sorts;
mod writers;

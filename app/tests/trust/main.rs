//! Whom to obey: the built binary in places that somebody else has prepared. Nothing that stands in the work tree is
//! obeyed unless this user wrote it on this machine; and nobody honest is locked out. Each test has a home, a
//! runtime folder and a temporary folder of its own: nothing real is touched. Which attack is shown by which test:
//! `spec/attacks.md`.

#![cfg(target_os = "linux")]
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test sets up files and breaks when it must"
)]

mod adopting;
mod checkouts;
mod closed;
mod copies;
mod cuts;
mod forged;
mod frames;
mod git;
mod homes;
mod indexes;
mod marks;
mod no_home;
mod place;
mod places;
mod reviewed;
mod reviewed_places;
mod serving;
mod snapshot;
mod speaker;
mod tails;

//! The machine: access lists and groups, limits and closed pipes, odd clocks, folders that are taken away under a server,
//! and who holds the workspace. All of it on the built binary, each test with a home of its own.

#![cfg(target_os = "linux")]
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    dead_code,
    reason = "a test sets up files and breaks when it must; what it borrows from others it need not use up"
)]

#[path = "../trust/git.rs"]
mod git;
#[path = "../trust/place.rs"]
mod place;
#[path = "../trust/snapshot.rs"]
mod snapshot;
#[path = "../trust/speaker.rs"]
mod speaker;

mod closed_pipes;
mod dress;
mod early_times;
mod holders;
mod limits;
mod roots;

//! What a model pays, counted in tokens. `cargo test -p patchwright-app --test budgets -- --nocapture` prints a table.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test sets up files, prints its table and says no by panicking"
)]

#[path = "budgets/answers.rs"]
mod answers;

//! Bad news in two parts: what is so, and what to do about it.

use patchwright_core::refusal::Sort;

/// What is so, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words {
    /// What is so.
    pub message: String,
    /// The next step, where there is one.
    pub next: String,
}

impl Words {
    pub(super) fn new(message: impl Into<String>, next: impl Into<String>) -> Words {
        Words { message: message.into(), next: next.into() }
    }
}

/// What stands at a path, as a noun.
pub(super) fn thing(sort: Sort) -> &'static str {
    match sort {
        Sort::File => "a file",
        Sort::Folder => "a folder",
        Sort::Link => "a symbolic link",
        Sort::Special => "neither a file nor a folder",
    }
}

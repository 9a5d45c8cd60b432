//! What a model pays, counted by a real tokenizer (`o200k_base`, the table of the crate `tiktoken-rs`): for the tools
//! and instructions before its first call, and for each answer. `cargo test -p patchwright --test budgets --
//! --nocapture` prints every cost.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a test breaks where it must, and prints what was counted"
)]

#[path = "budgets/answers.rs"]
mod answers;
#[path = "budgets/listings.rs"]
mod listings;
mod served;

use patchwright_testkit::tokens::count as tokens;

/// What the parts of something cost.
struct Table {
    name: String,
    rows: Vec<(String, usize, usize)>,
}

impl Table {
    fn new(name: &str) -> Table {
        Table { name: name.trim_end().to_owned(), rows: Vec::new() }
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn add(&mut self, part: &str, text: &str) {
        self.rows.push((part.to_owned(), tokens(text), text.len()));
    }

    fn tokens(&self) -> usize {
        self.rows.iter().map(|(_, tokens, _)| tokens).sum()
    }

    fn bytes(&self) -> usize {
        self.rows.iter().map(|(_, _, bytes)| bytes).sum()
    }

    fn print(&self) {
        println!("{}: {} tokens, {} bytes", self.name, self.tokens(), self.bytes());
        for (part, tokens, bytes) in &self.rows {
            println!("  {tokens:6} {bytes:7}  {part}");
        }
    }
}

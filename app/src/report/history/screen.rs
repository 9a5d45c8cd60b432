//! The rows of an answer about history as a person sees them: in colour where the terminal has it, and with everything
//! made visible that could fool a reader.

use super::super::for_terminal;
use super::super::patched::{Looks, show_diffs};
use super::rows::Row;
use patchwright_core::outcome::{Answer, BatchStatus};
use std::io::{self, Write};

/// Writes an answer about history.
pub fn show(answer: &Answer, looks: Looks, out: &mut dyn Write) -> io::Result<()> {
    super::rows_of(answer).iter().try_for_each(|row| one(row, looks, out))
}

fn one(row: &Row, looks: Looks, out: &mut dyn Write) -> io::Result<()> {
    match row {
        Row::Summary(text) => painted(text, Some("1"), looks, out),
        Row::Batch(status, text) => painted(text, Some(colour(*status)), looks, out),
        Row::Part(text) | Row::File(text) => painted(text, Some("1"), looks, out),
        Row::Origin(text) => painted(text, Some("36"), looks, out),
        Row::Note(text) => painted(text, None, looks, out),
        Row::Line(number, text) if looks == Looks::Raw => writeln!(out, "{number:>6}| {text}"),
        Row::Line(number, text) => writeln!(out, "{number:>6}| {}", for_terminal(text)),
        Row::Diff(text) => show_diffs(std::iter::once(text.as_str()), looks, out),
    }
}

/// The colour of a batch's line, as terminals number them.
fn colour(status: BatchStatus) -> &'static str {
    match status {
        BatchStatus::Applied => "32",
        BatchStatus::Proposed => "33",
        BatchStatus::Conflicted => "31",
        BatchStatus::Rejected | BatchStatus::Undone => "2",
    }
}

fn painted(text: &str, colour: Option<&str>, looks: Looks, out: &mut dyn Write) -> io::Result<()> {
    let text = for_terminal(text);
    match (looks, colour) {
        (Looks::Coloured, Some(colour)) => writeln!(out, "\u{1b}[{colour}m{text}\u{1b}[0m"),
        _ => writeln!(out, "{text}"),
    }
}

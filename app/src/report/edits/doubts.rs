//! Results that look like a slip: as fields, and line by line.

use super::super::amounts::many;
use patchwright_core::locate::visible;
use patchwright_core::sanity::{BracketFault, Doubt};
use serde_json::{Value, json};

/// The doubts as data.
pub(super) fn list(doubts: &[Doubt]) -> Vec<Value> {
    doubts.iter().map(|doubt| json!({ "type": word(doubt), "line": line(doubt), "detail": detail(doubt) })).collect()
}

/// A line for each doubt.
pub(super) fn rows(doubts: &[Doubt]) -> String {
    let row = |doubt: &Doubt| format!("Safety warning ({}), line {}: {}\n", word(doubt), line(doubt), detail(doubt));
    let shown: String = doubts.iter().take(super::LISTED).map(row).collect();
    match doubts.len().saturating_sub(super::LISTED) {
        0 => shown,
        more => format!("{shown}… and {more} more safety warnings\n"),
    }
}

fn word(doubt: &Doubt) -> &'static str {
    match doubt {
        Doubt::Bracket { .. } => "unbalanced_bracket",
        Doubt::Syntax { .. } => "syntax_error",
        Doubt::Repeated { .. } => "repeated_line",
        Doubt::Prefixed { .. } => "anchor_in_content",
        Doubt::Standing { .. } => "already_there",
        Doubt::Indented { .. } => "indentation",
    }
}

fn line(doubt: &Doubt) -> usize {
    match doubt {
        Doubt::Bracket { line, .. }
        | Doubt::Syntax { line, .. }
        | Doubt::Repeated { line, .. }
        | Doubt::Standing { line, .. }
        | Doubt::Indented { line, .. }
        | Doubt::Prefixed { line, .. } => *line,
    }
}

fn detail(doubt: &Doubt) -> String {
    match doubt {
        Doubt::Bracket { bracket, fault: BracketFault::Unclosed, .. } => {
            format!("`{bracket}` opens here and nothing closes it, which was not so before.")
        }
        Doubt::Bracket { bracket, fault: BracketFault::Unopened, .. } => {
            format!("`{bracket}` closes here and nothing opened it, which was not so before.")
        }
        Doubt::Syntax { column, excerpt, .. } => {
            format!("A syntax error at column {column}, which was not there before: `{}`.", visible(excerpt))
        }
        Doubt::Prefixed { excerpt, .. } => format!(
            "The content begins with an anchor as a reading shows it, `{}`; give the lines without it.",
            visible(excerpt)
        ),
        Doubt::Standing { other, lines: 1, excerpt, .. } => {
            format!("The line to be inserted stands right beside it already, as line {other}: `{}`.", visible(excerpt))
        }
        Doubt::Standing { other, lines, excerpt, .. } => format!(
            "The {lines} lines to be inserted stand right beside them already, from line {other} on: `{}`.",
            visible(excerpt)
        ),
        Doubt::Indented { found, wanted, excerpt, .. } => format!(
            "This line begins with {}; its place asks for {}: `{}`.",
            blanks(found),
            blanks(wanted),
            visible(excerpt.trim_start_matches([' ', '\t']))
        ),
        Doubt::Repeated { other, lines: 1, excerpt, .. } => {
            format!("This line says again what line {other} says: `{}`.", visible(excerpt))
        }
        Doubt::Repeated { other, lines, excerpt, .. } => format!(
            "{lines} lines from here on say again what the lines from {other} on say, beginning with `{}`.",
            visible(excerpt)
        ),
    }
}

/// White space in words.
fn blanks(white: &str) -> String {
    let (tabs, blanks) = (white.matches('\t').count(), white.matches(' ').count());
    match (tabs, blanks) {
        (0, 0) => "no white space".to_owned(),
        (0, _) => many(blanks, "space", "spaces"),
        (_, 0) => many(tabs, "tab", "tabs"),
        _ => format!("{} and {}", many(tabs, "tab", "tabs"), many(blanks, "space", "spaces")),
    }
}

//! A line of a patch that cannot be read, with the lines around it.

use crate::refusal::{Grammar, Refusal, Syntax, Why};

/// How many lines an excerpt shows on either side.
const AROUND: usize = 2;
/// How many characters of a line a fault shows.
const WIDTH: usize = 200;

/// The line with this 1-based number is not what the grammar expects.
pub(super) fn fault_at(lines: &[&str], line: usize, expected: Grammar) -> Refusal {
    let index = line.saturating_sub(1);
    let from = index.saturating_sub(AROUND);
    let shown = lines.iter().enumerate().skip(from).take(index.saturating_sub(from) + AROUND + 1);
    Refusal::plain(Why::Syntax(Box::new(Syntax {
        line,
        expected,
        found: lines.get(index).map(|text| cut(text)),
        excerpt: shown.map(|(at, text)| (at.saturating_add(1), cut(text))).collect(),
    })))
}

fn cut(line: &str) -> String {
    line.chars().take(WIDTH).collect()
}

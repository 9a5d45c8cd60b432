//! Pieces of the text about history that a model reads: names, paths and places, each on one line.

use super::super::terminal::{label, one_line};
use patchwright_core::intent::ChangeMarks;
use patchwright_core::outcome::{ChangeLines, Operation};

/// Short names, one after the other.
pub(super) fn listed_names(names: &[impl ToString]) -> String {
    names.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// What somebody said it is for, in quotes.
pub(in super::super) fn about(words: &str) -> String {
    format!("“{}”", label(words))
}

/// `A`, `M`, `D` or `R`, and the path.
pub(super) fn names(operation: Operation, path: &str, to: Option<&str>) -> String {
    let sign = match operation {
        Operation::Create | Operation::Restore => 'A',
        Operation::Update => 'M',
        Operation::Delete => 'D',
        Operation::Move => 'R',
    };
    let to = to.map(|to| format!(" -> {}", one_line(to))).unwrap_or_default();
    format!("{sign} {}{to}", one_line(path))
}

/// What else the caller said of a change: `severity high; categories bugfix; tags api, urgent`.
pub(super) fn marks(marks: &ChangeMarks) -> Option<String> {
    let list = |name: &str, words: &[String]| {
        let words: Vec<String> = words.iter().map(|word| label(word)).collect();
        (!words.is_empty()).then(|| format!("{name} {}", words.join(", ")))
    };
    let severity = marks.severity.as_deref().map(|word| format!("severity {}", label(word)));
    let said = [severity, list("categories", &marks.categories), list("tags", &marks.tags)];
    let said: Vec<String> = said.into_iter().flatten().collect();
    (!said.is_empty()).then(|| said.join("; "))
}

/// Where the lines were and are.
pub(super) fn places(before: &ChangeLines, after: &ChangeLines) -> String {
    match (before.count, after.count) {
        (0, 0) => "the file as a whole".to_owned(),
        (0, _) => lines(after),
        (_, 0) => format!("{} of the file before", lines(before)),
        _ if range(before) == range(after) => lines(after),
        _ => format!("{} (before: {})", lines(after), range(before)),
    }
}

fn lines(lines: &ChangeLines) -> String {
    format!("{} {}", if lines.count == 1 { "line" } else { "lines" }, range(lines))
}

fn range(lines: &ChangeLines) -> String {
    span(lines.first, lines.first.saturating_add(lines.count).saturating_sub(1))
}

pub(super) fn span(first: usize, last: usize) -> String {
    if last <= first { first.to_string() } else { format!("{first}-{last}") }
}

//! Who wrote which lines of a file, worded line by line: a row for each run, and below it the lines.

use super::super::terminal::one_line;
use super::rows::{Row, about, made, span};
use patchwright_core::outcome::{Explained, LineOrigin, LineRun};

pub(super) fn rows(explained: &Explained) -> Vec<Row> {
    let path = one_line(&explained.path);
    let shown = match (explained.runs.first(), explained.runs.last()) {
        (Some(head), Some(tail)) if last(tail) <= head.first => {
            format!("line {} of {}", head.first, explained.line_count)
        }
        (Some(head), Some(tail)) => format!("lines {} of {}", span(head.first, last(tail)), explained.line_count),
        _ => format!("no such lines, of {}", explained.line_count),
    };
    let more = explained.next_line.map(|line| format!("; there are more, go on with startLine {line}"));
    let summary = format!("{path}: {shown}; sha256 {}{}", explained.sha256, more.unwrap_or_default());
    std::iter::once(Row::Summary(summary)).chain(explained.runs.iter().flat_map(run)).collect()
}

/// The last line of a run.
pub(super) fn last(run: &LineRun) -> usize {
    run.first.saturating_add(run.lines.len()).saturating_sub(1)
}

fn run(run: &LineRun) -> Vec<Row> {
    let place = match run.lines.len() {
        0 | 1 => format!("line {}", run.first),
        _ => format!("lines {}", span(run.first, last(run))),
    };
    let head = match &run.origin {
        Some(origin) => format!("{place}: {}", brought(origin)),
        None => format!("{place}: not on record; nobody wrote this with these tools"),
    };
    let lines = run.lines.iter().enumerate().map(|(at, line)| Row::Line(run.first.saturating_add(at), line.clone()));
    std::iter::once(Row::Origin(head)).chain(lines).collect()
}

fn brought(origin: &LineOrigin) -> String {
    let words = origin.description.as_deref().map(|words| format!(": {}", about(words))).unwrap_or_default();
    let path = origin.path.as_deref().map(|path| format!(", when the file was {}", one_line(path))).unwrap_or_default();
    format!("{}, {}{path}{words}", origin.change, made(&origin.tool, &origin.author))
}

//! Stored batches, worded line by line. The first row sums the answer up. Ids always stand whole, and names, labels and
//! descriptions, which others chose, on one line. What was settled and who wrote which lines is worded beside this.

use super::super::terminal::{label, one_line};
use super::super::text::many;
use super::super::time::to_the_second;
use super::{extent, joined};
use patchwright_core::intent::ChangeMarks;
use patchwright_core::outcome::{
    Author, BatchList, BatchPath, BatchStatus, BatchSummary, BatchView, ChangeLines, ChangeView, FilePatchView,
    Operation,
};

/// A list names no more files of a batch than this.
const NAMED: usize = 6;

/// One row, or a diff of many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Row {
    /// What the answer comes to.
    Summary(String),
    /// A batch, with where it stands.
    Batch(BatchStatus, String),
    /// A file of a batch in a list.
    Part(String),
    /// A file with its changes below.
    File(String),
    /// Who brought the lines below.
    Origin(String),
    /// A line of a file, with its number before it.
    Line(usize, String),
    /// Something said in passing.
    Note(String),
    /// A unified diff.
    Diff(String),
}

pub(super) fn batches(list: &BatchList) -> Vec<Row> {
    let more = list
        .next_cursor
        .as_deref()
        .map(|cursor| format!("; there are more, go on with cursor {cursor:?}"))
        .unwrap_or_default();
    let summary = match list.batches.len() {
        0 => format!("No batch on record fits{more}"),
        count => format!("{}, newest first{more}", many(count, "batch", "batches")),
    };
    std::iter::once(Row::Summary(summary)).chain(list.batches.iter().flat_map(listed)).collect()
}

fn listed(batch: &BatchSummary) -> Vec<Row> {
    let head = format!(
        "{} {} {} {}, {}",
        batch.name,
        batch.status.name(),
        to_the_second(batch.author.time_ns),
        label(&batch.tool),
        many(batch.changes, "change", "changes")
    );
    let mut rows = vec![Row::Batch(batch.status, head), Row::Note(format!("  by {}", whom(&batch.author)))];
    rows.extend(quoted(batch.label.as_deref(), batch.key.as_deref()).map(|words| Row::Note(format!("  {words}"))));
    rows.extend(undoes("batch", &batch.undoes).map(|words| Row::Note(format!("  {words}"))));
    rows.extend(batch.files.iter().take(NAMED).map(|file| Row::Part(format!("  {}", named(file)))));
    let more = batch.files.len().saturating_sub(NAMED);
    rows.extend((more > 0).then(|| Row::Note(format!("  … and {}", many(more, "more file", "more files")))));
    rows
}

/// `edit_file by claude/1.2 (session S) at T`
pub(super) fn made(tool: &str, author: &Author) -> String {
    format!("{} {}", label(tool), by(author))
}

/// `by claude/1.2 (session S) at T`
fn by(author: &Author) -> String {
    format!("by {} at {}", whom(author), to_the_second(author.time_ns))
}

/// `claude/1.2 (session S)`, `patchwright/0.1 for ada (session S)`
fn whom(author: &Author) -> String {
    let actor = author.actor.as_deref().map(|actor| format!(" for {}", label(actor))).unwrap_or_default();
    format!("{}{actor} (session {})", label(&author.client), label(&author.session))
}

/// Short names, one after the other.
pub(super) fn listed_names(names: &[impl ToString]) -> String {
    names.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// What somebody said it is for, in quotes.
pub(in super::super) fn about(words: &str) -> String {
    format!("“{}”", label(words))
}

fn quoted(label: Option<&str>, key: Option<&str>) -> Option<String> {
    match (label.map(about), key.map(one_line)) {
        (Some(label), Some(key)) => Some(format!("{label} (key {key})")),
        (Some(label), None) => Some(label),
        (None, Some(key)) => Some(format!("key {key}")),
        (None, None) => None,
    }
}

fn undoes(what: &str, names: &[impl ToString]) -> Option<String> {
    (!names.is_empty()).then(|| format!("takes back {what} {}", listed_names(names)))
}

fn named(file: &BatchPath) -> String {
    names(file.operation, &file.path, file.to.as_deref())
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

pub(super) fn batch(view: &BatchView) -> Vec<Row> {
    let batch = &view.summary;
    let part = if view.one { "one change of batch" } else { "batch" };
    let page = if view.next_cursor.is_some() { " on this page" } else { "" };
    let head = format!("{part} {}: {}; {}{page}", batch.name, batch.status.name(), extent(&view.files));
    let made = format!("made with {}", made(&batch.tool, &batch.author));
    let mut rows = vec![Row::Batch(batch.status, head), Row::Note(made)];
    let mut note = |words: Option<String>| rows.extend(words.map(Row::Note));
    note(quoted(batch.label.as_deref(), batch.key.as_deref()));
    note(batch.applied.as_ref().map(|author| format!("applied {}{}", by(author), on_moved(view.rebased))));
    note(undoes("batch", &batch.undoes));
    note(
        (!batch.undone_by.is_empty())
            .then(|| format!("taken back, all or some of it, by {}", listed_names(&batch.undone_by))),
    );
    rows.extend(files(&view.files));
    // What no diff shows is shown line by line.
    let undiffed = |file: &&FilePatchView| file.diff.is_empty() || file.diff_cut;
    rows.extend(view.files.iter().filter(undiffed).flat_map(|file| file.changes.iter().flat_map(said)));
    rows
}

/// The lines of a change that are on the page, those that go and those that come.
fn said(change: &ChangeView) -> Vec<Row> {
    let head = |side: &str, lines: &ChangeLines, said: &[String]| {
        let first = lines.first.saturating_add(lines.skipped);
        let last = first.saturating_add(said.len()).saturating_sub(1);
        Row::Note(format!("change {}, {side}: lines {} of {}", change.name, span(first, last), range(lines)))
    };
    let mut rows = Vec::new();
    for (side, sign, lines) in [("before", '-', &change.before), ("after", '+', &change.after)] {
        if let Some(said) = lines.lines.as_deref().filter(|said| !said.is_empty()) {
            rows.push(head(side, lines, said));
            rows.push(Row::Diff(said.iter().map(|line| format!("{sign}{line}\n")).collect()));
        }
    }
    rows
}

fn on_moved(rebased: bool) -> &'static str {
    if rebased { ", carried over to files that had changed since it was proposed" } else { "" }
}

/// The files with their changes, then the diffs, as many as are fit to read.
pub(super) fn files(files: &[FilePatchView]) -> Vec<Row> {
    files.iter().flat_map(file).chain(diffs(files)).collect()
}

pub(super) fn diffs(files: &[FilePatchView]) -> Vec<Row> {
    let diffs = joined(files);
    let left_out = || Row::Note(format!("… the diffs of {} are left out here", many(diffs.left_out, "file", "files")));
    let left_out = (diffs.left_out > 0).then(left_out);
    (!diffs.text.is_empty()).then_some(Row::Diff(diffs.text)).into_iter().chain(left_out).collect()
}

fn file(file: &FilePatchView) -> Vec<Row> {
    let head = Row::File(names(file.operation, &file.path, file.to.as_deref()));
    let label = quoted(file.label.as_deref(), file.key.as_deref()).map(|words| Row::Note(format!("  {words}")));
    std::iter::once(head).chain(label).chain(file.changes.iter().flat_map(change)).collect()
}

fn change(change: &ChangeView) -> Vec<Row> {
    let key = change.key.as_deref().map(|key| format!(" (key {})", label(key))).unwrap_or_default();
    let mut rows = vec![Row::Note(format!(
        "  change {}{key}: {} {}, {}",
        change.name,
        label(&change.operation),
        places(&change.before, &change.after),
        change.status.name()
    ))];
    rows.extend(change.description.as_deref().map(|words| Row::Note(format!("    {}", about(words)))));
    rows.extend(marks(&change.marks).map(|words| Row::Note(format!("    {words}"))));
    rows.extend(undoes("change", &change.undoes).map(|words| Row::Note(format!("    {words}"))));
    rows
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

//! Stored batches and the origin of lines as the short text that a model reads: short names, no ids, a line a thing.
//! What is long comes by pages.

use super::super::changed::{named, pending};
use super::super::patched::diffs;
use super::super::telling::Telling;
use super::super::terminal::one_line;
use super::super::text::{head, many};
use super::super::time::to_the_minute;
use super::extent;
use super::origins::last;
use super::rows::{about, listed_names, marks, names, places, span};
use super::settled::is_rejection;
use patchwright_core::outcome::{
    Author, BatchList, BatchPath, BatchStatus, BatchSummary, BatchView, ChangeLines, ChangeView, Explained, Extent,
    FilePatchView, LineOrigin, LineRun, Settled,
};

/// A list names so many files of a batch.
const NAMED: usize = 4;

/// So many bytes of diffs, lines or runs make a page.
const PAGE: usize = 8 << 10;

/// `list_batches`: a line a batch.
pub(super) fn batches(list: &BatchList) -> (String, String) {
    let more = list.next_cursor.as_deref().map(|cursor| format!("; there are more, go on with cursor {cursor:?}"));
    let more = more.unwrap_or_default();
    let summary = match list.batches.len() {
        0 => format!("No batch on record fits{more}"),
        count => format!("{}, newest first, times in UTC{more}", many(count, "batch", "batches")),
    };
    let first = list.batches.first().map(|batch| &batch.author.session);
    let others = list.batches.iter().any(|batch| Some(&batch.author.session) != first);
    (summary, list.batches.iter().map(|batch| listed(batch, others)).collect())
}

/// `b17 2026-01-31 12:00 edit_file M src/a.rs +3 -1`, with the author where there are several.
fn listed(batch: &BatchSummary, others: bool) -> String {
    let files: Vec<String> = batch.files.iter().take(NAMED).map(file_names).collect();
    let more = match batch.files.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let files = if files.is_empty() { String::new() } else { format!(" {}{more}", files.join(", ")) };
    let count = |sign: char, lines: u64| if lines > 0 { format!(" {sign}{lines}") } else { String::new() };
    let status = match batch.status {
        BatchStatus::Applied => String::new(),
        other => format!(" {}", other.name()),
    };
    let undoes = match batch.undoes.as_slice() {
        [] => String::new(),
        names => format!(" undoes {}", listed_names(names)),
    };
    let by = if others { format!(" by {}", whom(&batch.author)) } else { String::new() };
    let label = batch.label.as_deref().map(|label| format!(" {}", about(label))).unwrap_or_default();
    format!(
        "{} {} {}{files}{}{}{status}{undoes}{by}{label}\n",
        batch.name,
        to_the_minute(batch.author.time_ns.into()),
        one_line(&batch.tool),
        count('+', batch.added),
        count('-', batch.removed),
    )
}

fn file_names(file: &BatchPath) -> String {
    names(file.operation, &file.path, file.to.as_deref())
}

/// `claude/1.2`, `patchwright/0.1 for ada`
fn whom(author: &Author) -> String {
    let actor = author.actor.as_deref().map(|actor| format!(" for {}", one_line(actor))).unwrap_or_default();
    format!("{}{actor}", one_line(&author.client))
}

/// `get_patch_change`: the batch, its changes, and what they say.
pub(super) fn batch(view: &BatchView, tell: &Telling<'_>) -> (String, String) {
    let batch = &view.summary;
    let more = view.next_cursor.as_deref().map(|cursor| format!("; there is more, go on with cursor {cursor:?}"));
    let summary = format!(
        "{}: {}, {} by {} {}, {}{}",
        batch.name,
        batch.status.name(),
        one_line(&batch.tool),
        whom(&batch.author),
        to_the_minute(batch.author.time_ns.into()),
        extent(&view.files),
        more.unwrap_or_default()
    );
    let mut out = String::new();
    out.extend(batch.label.as_deref().map(|label| format!("{}\n", about(label))));
    out.extend(view.applied.as_ref().map(|author| {
        let moved = if view.rebased { ", on files that had changed since" } else { "" };
        format!("applied by {} {}{moved}\n", whom(author), to_the_minute(author.time_ns.into()))
    }));
    out.extend((!batch.undoes.is_empty()).then(|| format!("takes back {}\n", listed_names(&batch.undoes))));
    out.extend((!view.undone_by.is_empty()).then(|| format!("taken back by {}\n", listed_names(&view.undone_by))));
    match batch.status {
        BatchStatus::Proposed | BatchStatus::Conflicted => out.push_str(&pending(Some(&batch.name), tell)),
        BatchStatus::Applied | BatchStatus::Rejected | BatchStatus::Undone => {}
    }
    out.extend(view.files.iter().map(|one| file(one, batch.status)));
    out.push_str(&said(view));
    (summary, out)
}

fn file(file: &FilePatchView, batch: BatchStatus) -> String {
    let label = file.label.as_deref().map(|label| format!(" {}", about(label))).unwrap_or_default();
    let changes: String = file.changes.iter().map(|one| change(one, batch)).collect();
    format!("{}{label}\n{changes}", names(file.operation, &file.path, file.to.as_deref()))
}

/// `  b17.3 replace lines 4-6 “why”`
fn change(change: &ChangeView, batch: BatchStatus) -> String {
    let status = if change.status == batch { String::new() } else { format!(", {}", change.status.name()) };
    let why = change.description.as_deref().map(|words| format!(" {}", about(words))).unwrap_or_default();
    let undoes = match change.undoes.as_slice() {
        [] => String::new(),
        names => format!(", takes back {}", listed_names(names)),
    };
    let key = change.key.as_deref().map(|key| format!(" (key {})", one_line(key))).unwrap_or_default();
    let place = places(&change.before, &change.after);
    let marks = marks(&change.marks).map(|marks| format!("; {marks}")).unwrap_or_default();
    format!("  {}{key} {} {place}{status}{undoes}{why}{marks}\n", change.name, one_line(&change.operation))
}

/// What the changes say: the diffs, or where those are too long the lines of this page.
fn said(view: &BatchView) -> String {
    let whole = |file: &FilePatchView| !file.diff.is_empty() && !file.diff_cut;
    let length: usize = view.files.iter().map(|file| file.diff.len()).sum();
    if view.next_cursor.is_none() && length <= PAGE && view.files.iter().all(whole) {
        return view.files.iter().map(|file| file.diff.as_str()).collect();
    }
    view.files.iter().flat_map(|file| &file.changes).map(lines_of).collect()
}

/// The lines of a change that are on the page, those that go and those that come.
fn lines_of(change: &ChangeView) -> String {
    let side = |sign: char, lines: &ChangeLines| {
        let Some(said) = lines.lines.as_deref().filter(|said| !said.is_empty()) else { return String::new() };
        let first = lines.first.saturating_add(lines.skipped);
        let end = first.saturating_add(said.len()).saturating_sub(1);
        let rows: String = said.iter().map(|line| format!("{sign}{line}\n")).collect();
        let when = if sign == '-' { "before" } else { "after" };
        format!("{}, {when}: lines {}\n{rows}", change.name, span(first, end))
    };
    side('-', &change.before) + &side('+', &change.after)
}

/// `undo`, `apply_batch`, `reject_batch`: what became of the files.
pub(super) fn settled(settled: &Settled, tell: &Telling<'_>) -> (String, String) {
    let dropped = match settled.dropped.as_slice() {
        [] => String::new(),
        names => format!("dropped: {}\n", listed_names(names)),
    };
    if is_rejection(settled) {
        return (sum(settled), dropped);
    }
    let files = settled.files.iter().map(|file| names(file.operation, &file.path, file.to.as_deref()) + "\n");
    let files: String = files.collect();
    let batch = settled.batch.as_ref().filter(|_| settled.extent != Extent::Dry);
    let diffs = diffs(settled.files.iter().map(|file| file.diff.as_str()), batch, tell);
    (sum(settled), format!("{dropped}{files}{diffs}"))
}

fn sum(settled: &Settled) -> String {
    let (name, undone) = (named(settled.batch.as_ref()), listed_names(&settled.undone));
    let what = extent(&settled.files);
    let carried = if settled.rebased { ", carried over to files that had changed since it was proposed" } else { "" };
    let (verb, rest) = match (settled.undone.is_empty(), is_rejection(settled)) {
        (true, true) => (("rejected", "be rejected"), "; no file was changed".to_owned()),
        (true, false) => (("applied", "apply"), format!(" {what}{carried}")),
        (false, _) if settled.files.is_empty() => (("undid", "undo"), format!(" {undone}; no file had to change")),
        (false, _) => (("undid", "undo"), format!(" {undone}: {what}")),
    };
    match settled.extent {
        Extent::Unchanged => "There is nothing to do; nothing was changed".to_owned(),
        Extent::Dry if is_rejection(settled) => format!("Dry run, nothing was changed: {name}would {}", verb.1),
        Extent::Dry => format!("Dry run, nothing was changed: {name}would {}{rest}", verb.1),
        Extent::Done | Extent::Proposed => format!("{name}{}{rest}", verb.0),
    }
}

/// `explain_lines`: a line for each run, as many as make a page.
pub(super) fn explained(explained: &Explained) -> (String, String) {
    let path = one_line(&explained.path);
    let rows: String = explained.runs.iter().map(run).collect();
    let (shown, left) = head(&rows, PAGE);
    let kept = explained.runs.len().saturating_sub(left);
    let runs = explained.runs.get(..kept).unwrap_or_default();
    let next = explained.runs.get(kept).map(|run| run.first).or(explained.next_line);
    let lines = match (runs.first(), runs.last()) {
        (Some(first), Some(end)) => format!("lines {} of {}", span(first.first, last(end)), explained.line_count),
        _ => format!("no such lines, of {}", explained.line_count),
    };
    let more = next.map(|line| format!("; there are more, go on with startLine {line}")).unwrap_or_default();
    (format!("{path}: {lines}{more}"), shown.to_owned())
}

fn run(run: &LineRun) -> String {
    let place = span(run.first, last(run));
    match &run.origin {
        Some(origin) => format!("{place} {}\n", brought(origin)),
        None => format!("{place} not on record: written without these tools\n"),
    }
}

fn brought(origin: &LineOrigin) -> String {
    let words = origin.description.as_deref().map(|words| format!(" {}", about(words))).unwrap_or_default();
    let path = origin.path.as_deref().map(|path| format!(", when the file was {}", one_line(path))).unwrap_or_default();
    let time = to_the_minute(origin.author.time_ns.into());
    format!("{} {} by {} {time}{path}{words}", origin.change, one_line(&origin.tool), whom(&origin.author))
}

//! Stored batches and the origin of lines as the short text that a model reads: short names, no ids, a line a thing.
//! What is long comes by pages.

use super::super::amounts::{diffs, head, held, many};
use super::super::changed::{named, pending};
use super::super::patched::{SHOWN, news, reviewed};
use super::super::telling::Telling;
use super::super::terminal::{label, one_line};
use super::super::time::to_the_minute;
use super::extent;
use super::rows::{about, listed_names, marks, names, places, span};
use super::settled::is_rejection;
use patchwright_core::batch::{Author, BatchStatus};
use patchwright_core::outcome::{
    BatchList, BatchPath, BatchSummary, BatchView, ChangeLines, ChangeView, Explained, Extent, FilePatchView,
    LineOrigin, LineRun, Operation, Settled,
};

/// A list names so many files of a batch.
const NAMED: usize = 4;

/// An answer names so many files that were changed.
const FILES: usize = 50;

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
    (summary, list.batches.iter().map(|batch| listed(batch, &list.asked_by)).collect())
}

/// `b17 2026-01-31 12:00 edit_file M src/a.rs +3 -1`, with the author where that is another session.
fn listed(batch: &BatchSummary, asked_by: &str) -> String {
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
    let by = match batch.author.session == asked_by {
        true => String::new(),
        false => format!(" by another session ({})", whom(&batch.author)),
    };
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
    let actor = author.actor.as_deref().map(|actor| format!(" for {}", label(actor))).unwrap_or_default();
    format!("{}{actor}", label(&author.client))
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
        part(view),
        more.unwrap_or_default()
    );
    let mut out = String::new();
    out.extend(batch.label.as_deref().map(|label| format!("{}\n", about(label))));
    out.extend(batch.applied.as_ref().map(|author| {
        let moved = if view.rebased { ", on files that had changed since" } else { "" };
        format!("applied by {} {}{moved}\n", whom(author), to_the_minute(author.time_ns.into()))
    }));
    out.extend((!batch.undoes.is_empty()).then(|| format!("takes back {}\n", listed_names(&batch.undoes))));
    out.extend((!batch.undone_by.is_empty()).then(|| format!("taken back by {}\n", listed_names(&batch.undone_by))));
    match batch.status {
        BatchStatus::Proposed | BatchStatus::Conflicted => out.push_str(&pending(Some(&batch.name), tell)),
        BatchStatus::Applied | BatchStatus::Rejected | BatchStatus::Undone => {}
    }
    out.extend(view.files.iter().map(|one| file(one, batch.status)));
    out.push_str(&said(view));
    (summary, out)
}

/// How much of the batch is here: all of it, or which of its files and changes.
fn part(view: &BatchView) -> String {
    let (batch, here) = (&view.summary, view.files.len());
    let changes: usize = view.files.iter().map(|file| file.changes.len()).sum();
    let of = match changes < batch.changes {
        true => format!("{changes} of {}", many(batch.changes, "change", "changes")),
        false => many(changes, "change", "changes"),
    };
    let is_first = |file: &FilePatchView, path: &BatchPath| path.path == file.path && path.to == file.to;
    let first = view.files.first().and_then(|file| batch.files.iter().position(|path| is_first(file, path)));
    match first.filter(|_| here < batch.files.len()) {
        Some(at) if here == 1 => format!("file {} of {}, {of}", at.saturating_add(1), batch.files.len()),
        Some(at) => {
            format!("files {}-{} of {}, {of}", at.saturating_add(1), at.saturating_add(here), batch.files.len())
        }
        None if changes < batch.changes => format!("{}, {of}", many(here, "file", "files")),
        None => extent(&view.files),
    }
}

fn file(file: &FilePatchView, batch: BatchStatus) -> String {
    let label = file.label.as_deref().map(|label| format!(" {}", about(label))).unwrap_or_default();
    let changes: String = file.changes.iter().map(|one| change(one, file, batch)).collect();
    format!("{}{label}\n{changes}", file_or_folder(file))
}

/// `M src/a.rs`, `D d/ (3 files in 2 folders)`
fn file_or_folder(file: &FilePatchView) -> String {
    match file.holds {
        None => names(file.operation, &file.path, file.to.as_deref()),
        Some(holds) => {
            let to = file.to.as_ref().map(|to| format!("{to}/"));
            format!("{} ({})", names(file.operation, &format!("{}/", file.path), to.as_deref()), held(holds))
        }
    }
}

/// `  b17.3 replace lines 4-6 “why”`
fn change(change: &ChangeView, file: &FilePatchView, batch: BatchStatus) -> String {
    let status = if change.status == batch { String::new() } else { format!(", {}", change.status.name()) };
    let why = change.description.as_deref().map(|words| format!(" {}", about(words))).unwrap_or_default();
    let undoes = match change.undoes.as_slice() {
        [] => String::new(),
        names => format!(", takes back {}", listed_names(names)),
    };
    let key = change.key.as_deref().map(|key| format!(" (key {})", label(key))).unwrap_or_default();
    let deed = match (change.before.count, change.after.count, change.operation.as_str()) {
        (0, 0, "mode") => "change the mode".to_owned(),
        (0, 0, deed) => format!("{} the {}", label(deed), if file.holds.is_some() { "folder" } else { "file" }),
        (_, _, deed) => format!("{} {}", label(deed), places(&change.before, &change.after)),
    };
    let marks = marks(&change.marks).map(|marks| format!("; {marks}")).unwrap_or_default();
    format!("  {}{key} {deed}{status}{undoes}{why}{marks}\n", change.name)
}

/// What the changes say: the diffs, or where those are too long the lines of this page.
fn said(view: &BatchView) -> String {
    let whole = |file: &FilePatchView| !file.diff.is_empty() && !file.diff_cut;
    let length: usize = view.files.iter().map(|file| file.diff.len()).sum();
    if view.next_cursor.is_none() && length <= PAGE && view.files.iter().all(whole) {
        return view.files.iter().map(|file| news(&file.diff)).collect();
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
        let word = if said.len() == 1 { "line" } else { "lines" };
        format!("{}, {when}: {word} {}\n{rows}", change.name, span(first, end))
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
    let more = match settled.files.len().saturating_sub(FILES) {
        0 => String::new(),
        more => format!("… and {}\n", many(more, "more file", "more files")),
    };
    let files: String = settled.files.iter().take(FILES).map(|file| file_or_folder(file) + "\n").collect();
    let shown = settled.files.iter().map(|file| (news(&file.diff), file.diff_cut));
    (sum(settled), format!("{dropped}{files}{more}{}", diffs(shown, SHOWN, &rest(settled, tell))))
}

/// Where the rest of the diff can be seen.
fn rest(settled: &Settled, tell: &Telling<'_>) -> String {
    if settled.extent == Extent::Dry {
        return String::new();
    }
    let stays = |file: &FilePatchView| file.operation != Operation::Delete;
    let read = || if settled.files.iter().any(stays) { "; read_file shows the files" } else { "" };
    reviewed(settled.batch.as_ref(), tell).unwrap_or_else(|| read().to_owned())
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

/// The last line of a run.
pub(super) fn last(run: &LineRun) -> usize {
    run.first.saturating_add(run.lines.len()).saturating_sub(1)
}

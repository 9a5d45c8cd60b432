//! Line patches as the short text that a model reads.

use super::super::patched::with_diffs;
use super::super::terminal::one_line;
use super::super::text::many;
use super::super::warnings::warned;
use super::{LISTED, entries, id, last};
use patchwright_core::outcome::{Bounded, ChangeView, Cut, DocView, Extent, Failed, FilePatchView, LinePatched};
use patchwright_core::refusal::Kind;

/// One line of summary.
pub(crate) fn summary(patch: &LinePatched) -> String {
    let changes: usize = patch.files.iter().map(|file| file.changes.len()).sum();
    let what = format!("{} to {}", many(changes, "change", "changes"), many(patch.files.len(), "file", "files"));
    let batch = patch.batch.as_deref().map(|id| format!("; batch {id}")).unwrap_or_default();
    let key = patch.key.as_deref().map(|key| format!(" ({})", one_line(key))).unwrap_or_default();
    match patch.extent {
        Extent::Unchanged => "Every file already is as asked for; nothing was changed".to_owned(),
        Extent::Dry => format!("Would apply {what} (dry run: nothing was changed)"),
        Extent::Proposed => format!("Proposed {what}, stored for review; no file was changed{batch}{key}"),
        Extent::Done => format!("Applied {what}{batch}{key}"),
    }
}

/// The files with their ids and changes, then the diffs, as many as are fit to read.
pub(crate) fn payload(patch: &LinePatched) -> String {
    let hint = patch.batch.as_deref().filter(|_| patch.extent == Extent::Proposed).map(super::super::history::proposed);
    let mut out = hint.unwrap_or_default();
    let sha = if patch.extent == Extent::Done { "newSha256" } else { "newSha256 it would have" };
    out.extend(patch.files.iter().map(|one| file(one, sha)));
    with_diffs(out, patch.files.iter().map(|file| file.diff.as_str()))
}

fn file(file: &FilePatchView, word: &str) -> String {
    let key = file.key.as_deref().map(|key| format!(" ({})", one_line(key))).unwrap_or_default();
    let id = id(&file.id).map(|id| format!("; filePatchId {id}")).unwrap_or_default();
    let sha = file.after.map(|digest| format!("; {word} {digest}")).unwrap_or_default();
    let changes: String = file.changes.iter().map(change).collect();
    format!("{}{key}{id}{sha}\n{changes}", one_line(&file.path))
}

fn change(change: &ChangeView) -> String {
    let (first, count) = (change.before.first, change.before.count);
    let place = match (change.operation.as_str(), change.after.count) {
        ("insert", new) => format!("{} after line {}", many(new, "line", "lines"), first.saturating_sub(1)),
        ("delete", _) => range(first, count),
        (_, new) => format!("{} by {}", range(first, count), many(new, "line", "lines")),
    };
    let key = change.key.as_deref().map(|key| format!(" ({})", one_line(key))).unwrap_or_default();
    let id = id(&change.id).map(|id| format!("; changeId {id}")).unwrap_or_default();
    let why = change.description.as_deref().map(|why| format!("; {}", one_line(why))).unwrap_or_default();
    format!("  {} {place}{key}{id}{why}\n", change.operation)
}

pub(super) fn range(first: usize, count: usize) -> String {
    if count == 1 { format!("line {first}") } else { format!("lines {first}-{}", last(first, count)) }
}

/// A text shows no more of a file than this unless its caller said how much may come; programs get all of it.
const SHOWN: usize = 262_144;

/// What is shown of a file that was read: one line about it, then its text.
pub(crate) fn doc(view: &DocView) -> (String, String) {
    let shown = shown(view);
    let lines = shown.bytes().filter(|byte| *byte == b'\n').count();
    let (last, cut) = match (shown.len() < view.content.len(), view.cut) {
        (true, _) => {
            let last = view.start_line.saturating_add(lines).saturating_sub(1);
            (last, Some(Cut::GoOnAt(last.saturating_add(1))))
        }
        (false, cut) => (view.end_line, cut),
    };
    let whole = view.start_line == 1 && last >= view.line_count && cut.is_none();
    let range = match () {
        () if whole => many(view.line_count, "line", "lines"),
        () if last < view.start_line => format!("no lines from {}, of {}", view.start_line, view.line_count),
        () => format!("lines {}-{last} of {}", view.start_line, view.line_count),
    };
    let cut = match cut {
        None => String::new(),
        Some(Cut::GoOnAt(line)) => format!("; cut here, go on with startLine {line}"),
        Some(Cut::InLine(line)) => {
            format!("; cut within line {line}, which alone is over maxBytes: ask again with a larger maxBytes")
        }
    };
    let (path, doc_path) = (one_line(&view.path), one_line(&view.doc_path));
    (format!("{path} (docPath {doc_path}): {range}; sha256 {}{cut}", view.sha256), shown.to_owned())
}

/// As many whole lines as are fit to read; a single line that is longer comes whole.
fn shown(view: &DocView) -> &str {
    let content = view.content.as_str();
    if view.bounded == Bounded::Yes || content.len() <= SHOWN {
        return content;
    }
    let (head, rest) = content.as_bytes().split_at(SHOWN);
    let end = match head.iter().rposition(|byte| *byte == b'\n') {
        Some(at) => at.saturating_add(1),
        None => rest.iter().position(|byte| *byte == b'\n').map_or(content.len(), |at| SHOWN + at + 1),
    };
    content.get(..end).unwrap_or(content)
}

/// All bad news, and the next step as the last line.
pub(crate) fn did_not(failed: &Failed) -> String {
    let entries = entries(&failed.trouble);
    let kind = failed.trouble.kind().name();
    if let [one] = entries.as_slice() {
        let warned = warned(&failed.warnings);
        return format!("{kind}: {}\n{warned}Next step: {}", one.words.message, next_line(&one.words.next));
    }
    let mut out = format!("{kind}: {} rules are broken; nothing was changed.\n", entries.len());
    for entry in entries.iter().take(LISTED) {
        out.push_str(&format!("- {}: {} {}\n", entry.kind.name(), entry.words.message, entry.words.next));
    }
    if entries.len() > LISTED {
        out.push_str(&format!("- and {} more\n", entries.len() - LISTED));
    }
    out.push_str(&warned(&failed.warnings));
    let stale = entries.iter().any(|entry| entry.kind == Kind::StaleFile);
    let read = if stale { "Read the files that have changed again, put" } else { "Put" };
    out + &format!("Next step: {read} right everything listed, then send the whole batch again in one call.")
}

fn next_line(next: &str) -> String {
    next.replace('\n', " ")
}

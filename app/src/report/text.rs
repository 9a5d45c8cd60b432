//! The short form that a model reads: a summary line, then the payload; a refusal ends with its next step.
//! Lines of files come out as they are, with nothing put before or after them.

use super::answer::{newline_style, sort};
use super::base64::base64;
use super::terminal::one_line;
use super::time::rfc3339;
use super::warnings::warned;
use super::words;
use super::{conflicts, doc_paths, edits, history, invoke, matching, patched, patches, stale};
use patchwright_core::anchor::Shown;
use patchwright_core::outcome::{
    Answer, Changed, Cut, Entry, Extent, Failed, FileView, Form, Globbed, Hit, Hits, Holds, Listing, Operation, Purged,
    Replayed, Reply, TrashEntry, Trouble, ViewContent,
};
use patchwright_core::refusal::{Misfit, Sort, Why};

/// The outcome as text.
pub fn text(outcome: &Result<Reply, Failed>) -> String {
    match outcome {
        Ok(reply) => went_through(reply),
        Err(failed) if failed.form == Form::Invoke => invoke::text::did_not(failed),
        Err(failed) => did_not(failed),
    }
}

fn went_through(reply: &Reply) -> String {
    let (mut out, payload) = summary_and_payload(&reply.answer);
    if reply.replayed == Replayed::Yes {
        out.push_str(" (the answer of an earlier call with this idempotencyKey)");
    }
    if !reply.warnings.is_empty() {
        out.push('\n');
        out.push_str(warned(&reply.warnings).trim_end());
    }
    if !payload.is_empty() {
        out.push('\n');
        out.push_str(&payload);
    }
    out
}

fn did_not(failed: &Failed) -> String {
    let trouble = &failed.trouble;
    let words = words::trouble(trouble);
    let done = failed.done.as_deref().map(patched::kept).unwrap_or_default();
    let warned = warned(&failed.warnings);
    let (kind, shown) = (trouble.kind().name(), candidates(trouble));
    format!("{kind}: {}\n{shown}{done}{warned}Next step: {}", words.message, words.next)
}

/// What the message only points at: the closest place, line by line.
fn candidates(trouble: &Trouble) -> String {
    match trouble {
        Trouble::Refused(refusal) => match &refusal.why {
            Why::OldTextNotFound { nearest: Some(nearest), .. } => {
                format!(
                    "The closest place (= as wanted, - in oldText, + in the file; blanks made visible):\n{}",
                    matching::side_by_side(nearest)
                )
            }
            Why::HunkMisfit { misfit: Misfit::Nowhere { nearest: Some(nearest), .. }, .. } => {
                format!(
                    "The closest place (= as in the hunk, - in the hunk, + in the file; blanks made visible):\n{}",
                    matching::side_by_side(nearest)
                )
            }
            Why::Syntax(syntax) => patches::excerpt(syntax),
            Why::Conflict(conflict) => conflicts::places(conflict),
            Why::Stale(_) => stale::differences(refusal),
            other => edits::candidates(other),
        },
        Trouble::Fault(_) => String::new(),
    }
}

fn summary_and_payload(answer: &Answer) -> (String, String) {
    match answer {
        Answer::File(view) => (file_summary(view), file_payload(view)),
        Answer::Listing(listing) => (listing_summary(listing), entries(&listing.entries)),
        Answer::Hits(found) => (hits_summary(found), found.matches.iter().map(hit).collect()),
        Answer::Globbed(found) => (globbed_summary(found), entries(&found.matches)),
        Answer::Changed(change) => (changed_summary(change), changed_payload(change)),
        Answer::Patched(patch) => (patched::summary(patch), patched::payload(patch)),
        Answer::Edited(edit) => (edits::summary(edit), edits::payload(edit)),
        Answer::Trash(found) => {
            (format!("{} in the trash", many(found.len(), "entry", "entries")), found.iter().map(trash_entry).collect())
        }
        Answer::Purged(purge) => (purged_summary(purge), purge.ids.iter().map(|id| format!("{id}\n")).collect()),
        Answer::LinePatched(patch) => (invoke::text::summary(patch), invoke::text::payload(patch)),
        Answer::Doc(view) => invoke::text::doc(view),
        Answer::WithDocPaths(inner) => {
            let (summary, payload) = summary_and_payload(inner);
            (summary, payload + &doc_paths::lines(inner))
        }
        other => history::summary_and_payload(other),
    }
}

fn file_summary(view: &FileView) -> String {
    let path = one_line(&view.path);
    let range = match (&view.content, view.end_line) {
        (ViewContent::Bytes(_), _) => "base64".to_owned(),
        (_, end) if end < view.start_line => format!("no lines from {}, of {}", view.start_line, view.line_count),
        (_, end) => format!("lines {}-{end} of {}", view.start_line, view.line_count),
    };
    let mark = if view.has_bom { ", byte-order mark" } else { "" };
    let end = if view.final_newline { "" } else { ", no final newline" };
    let style = newline_style(view.newline_style);
    let cut = match view.cut {
        None => String::new(),
        Some(Cut::GoOnAt(line)) => format!("; cut at maxBytes, go on with startLine {line}"),
        Some(Cut::InLine(line)) => {
            format!("; cut within line {line}, which alone is over maxBytes: ask again with a larger maxBytes")
        }
    };
    format!(
        "{path}: {range}; {} bytes, {}, newlines {style}{mark}{end}; sha256 {}{cut}{}",
        view.size,
        view.encoding,
        view.sha256,
        view.anchors.as_deref().map(good_anchors).unwrap_or_default()
    )
}

fn good_anchors(best: &[Shown]) -> String {
    let best: Vec<String> = best.iter().map(Shown::to_string).collect();
    if best.is_empty() { String::new() } else { format!("; good anchors: {}", best.join(", ")) }
}

fn file_payload(view: &FileView) -> String {
    match &view.content {
        ViewContent::Text(text) => text.clone(),
        ViewContent::Bytes(bytes) => base64(bytes),
    }
}

fn listing_summary(listing: &Listing) -> String {
    let more = listing
        .next_cursor
        .as_deref()
        .map(|cursor| format!("; there are more, go on with cursor {cursor:?}"))
        .unwrap_or_default();
    format!("{}: {}{more}", one_line(&listing.path), many(listing.entries.len(), "entry", "entries"))
}

fn entries(entries: &[Entry]) -> String {
    let line = |entry: &Entry| match entry.sort {
        Sort::Folder => format!("{}/\n", one_line(&entry.path)),
        Sort::File => format!("{} ({} bytes{})\n", one_line(&entry.path), entry.size, hash(entry)),
        Sort::Link | Sort::Special => format!("{} ({}{})\n", one_line(&entry.path), sort(entry.sort), hash(entry)),
    };
    entries.iter().map(line).collect()
}

/// The hash of an entry, where it was asked for.
fn hash(entry: &Entry) -> String {
    entry.sha256.map(|digest| format!(", sha256 {digest}")).unwrap_or_default()
}

fn hits_summary(found: &Hits) -> String {
    let more = if found.truncated { "; there are more, narrow the search or raise maxResults" } else { "" };
    format!(
        "{} in {} searched{more}",
        many(found.matches.len(), "match", "matches"),
        many(found.files_scanned, "file", "files")
    )
}

fn hit(hit: &Hit) -> String {
    let path = one_line(&hit.path);
    let Some(place) = &hit.place else { return format!("{path}\n") };
    let first = place.line.saturating_sub(place.before.len());
    let around = |start: usize, lines: &[String]| -> String {
        lines.iter().enumerate().map(|(at, line)| format!("{path}-{}- {line}\n", start.saturating_add(at))).collect()
    };
    let above = around(first, &place.before);
    let below = around(place.line.saturating_add(1), &place.after);
    let mut line = format!("{above}{path}:{}:{}: ", place.line, place.column);
    match &place.anchor {
        Some(anchor) => anchor.render(&place.preview, &mut line),
        None => line.push_str(&place.preview),
    }
    format!("{line}\n{below}")
}

fn globbed_summary(found: &Globbed) -> String {
    let more = if found.truncated { "; there are more, narrow the pattern or raise maxResults" } else { "" };
    format!("{}{more}", many(found.matches.len(), "match", "matches"))
}

fn changed_summary(change: &Changed) -> String {
    let path = one_line(&change.path);
    if change.extent == Extent::Unchanged {
        return format!("{path} already is as asked for; nothing was changed{}", sha(change));
    }
    if change.extent == Extent::Proposed {
        return proposed_summary(change);
    }
    let done = match (change.operation, change.extent) {
        (Operation::Create, Extent::Dry) => "Would create",
        (Operation::Update, Extent::Dry) => "Would change",
        (Operation::Delete, Extent::Dry) => "Would delete",
        (Operation::Move, Extent::Dry) => "Would move",
        (Operation::Restore, Extent::Dry) => "Would restore",
        (Operation::Create, _) => "Created",
        (Operation::Update, _) => "Changed",
        (Operation::Delete, _) => "Deleted",
        (Operation::Move, _) => "Moved",
        (Operation::Restore, _) => "Restored",
    };
    let what = change.from.as_deref().map_or_else(|| path.clone(), |from| format!("{} to {path}", one_line(from)));
    let what = format!("{what}{}", held(change.holds));
    let dry = if change.extent == Extent::Dry { " (dry run: nothing was changed)" } else { "" };
    let trash = change.trash.as_deref().map(|id| format!("; trashId {id}")).unwrap_or_default();
    format!("{done} {what}{dry}{}{trash}{}", sha(change), batch(change))
}

/// How much a folder holds, if it is one.
fn held(holds: Option<Holds>) -> String {
    let count = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let words = |holds: Holds| {
        let (files, folders) = (count(holds.files), count(holds.folders));
        format!(" ({} in {})", many(files, "file", "files"), many(folders, "folder", "folders"))
    };
    holds.map(words).unwrap_or_default()
}

fn proposed_summary(change: &Changed) -> String {
    let path = one_line(&change.path);
    let what = match (change.operation, change.from.as_deref()) {
        (Operation::Create, _) => format!("create {path}"),
        (Operation::Update, _) => format!("change {path}"),
        (Operation::Delete, _) => format!("delete {path}"),
        (Operation::Move, from) => format!("move {} to {path}", one_line(from.unwrap_or_default())),
        (Operation::Restore, _) => format!("restore {path}"),
    };
    format!("Proposed to {what}{}{}", held(change.holds), batch(change))
}

fn batch(change: &Changed) -> String {
    change.batch.as_deref().map(|id| format!("; batch {id}")).unwrap_or_default()
}

fn changed_payload(change: &Changed) -> String {
    pending(change.extent, change.batch.as_deref()) + &change.diff
}

/// What to do with what is only proposed.
pub(super) fn pending(extent: Extent, batch: Option<&str>) -> String {
    match (extent, batch) {
        (Extent::Proposed, Some(batch)) => history::proposed(batch),
        _ => String::new(),
    }
}

fn sha(change: &Changed) -> String {
    change.after.map(|digest| format!("; sha256 {digest}")).unwrap_or_default()
}

fn trash_entry(entry: &TrashEntry) -> String {
    format!(
        "{} {}{}{} ({} bytes, deleted {} by {})\n",
        entry.id,
        one_line(&entry.path),
        if entry.holds.is_some() { "/" } else { "" },
        held(entry.holds),
        entry.size,
        rfc3339(entry.deleted_ns),
        one_line(&entry.by)
    )
}

fn purged_summary(purge: &Purged) -> String {
    let count = many(purge.entries, "trash entry", "trash entries");
    match purge.extent {
        Extent::Dry | Extent::Proposed => {
            format!("Would remove {count} for good, {} bytes (dry run: nothing was changed)", purge.bytes)
        }
        Extent::Unchanged => "No trash entry is that old; nothing was removed".to_owned(),
        Extent::Done => format!("Removed {count} for good, {} bytes", purge.bytes),
    }
}

pub(super) fn many(count: usize, one: &str, more: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {more}") }
}

//! What a call that changes one file came to, as a model reads it: one line. What was written is not sent back.

use super::telling::Telling;
use super::terminal::one_line;
use super::text::{head, many, size};
use patchwright_core::outcome::{BatchName, Changed, EditPlace, Extent, Holds, Operation, Purged};

/// Of the diff of an edit that is not made yet, so many bytes are shown.
const SHOWN: usize = 2 << 10;

/// So many places of an edit are told.
const PLACES: usize = 12;

/// The summary, and what follows it.
pub(super) fn told(change: &Changed, tell: &Telling<'_>) -> (String, String) {
    let shift = shifted(&change.places);
    let name = named(change.batch.as_ref());
    match change.extent {
        Extent::Unchanged => {
            (format!("{} already is as asked for; nothing was changed", one_line(&change.path)), String::new())
        }
        Extent::Dry => {
            (format!("Dry run, nothing was changed: would {}{shift}", deed(change, Tense::Future)), planned(change))
        }
        Extent::Done => (format!("{name}{}{shift}", deed(change, Tense::Past)), String::new()),
        Extent::Proposed => {
            let summary = format!("{name}proposed, nothing has changed yet: {}{shift}", deed(change, Tense::Future));
            (summary, pending(change.batch.as_ref(), tell) + &planned(change))
        }
    }
}

/// Is something done, or would it be?
#[derive(Clone, Copy)]
enum Tense {
    Past,
    Future,
}

/// `b17: `, with which the answer to every change begins.
pub(super) fn named(batch: Option<&BatchName>) -> String {
    batch.map(|batch| format!("{batch}: ")).unwrap_or_default()
}

/// `created src/a.rs (4.1 KB)`
fn deed(change: &Changed, tense: Tense) -> String {
    let verb = |done: &'static str, to_do: &'static str| match tense {
        Tense::Past => done,
        Tense::Future => to_do,
    };
    let path = one_line(&change.path);
    let held = change.holds.map_or_else(|| size(change.size), held);
    match change.operation {
        Operation::Create => format!("{} {path} ({held})", verb("created", "create")),
        Operation::Update if !change.places.is_empty() => {
            format!("{} {path}, {}", verb("edited", "edit"), lines(&change.places))
        }
        Operation::Update if change.before == change.after => {
            format!("{} the mode of {path}", verb("changed", "change"))
        }
        Operation::Update => format!("{} {path} ({held})", verb("wrote", "write")),
        Operation::Delete if change.holds.is_some() => format!("{} {path}/ ({held})", verb("deleted", "delete")),
        Operation::Delete => format!("{} {path}", verb("deleted", "delete")),
        Operation::Move => {
            let from = change.from.as_deref().map(one_line).unwrap_or_default();
            let held = change.holds.map(|holds| format!(" ({})", self::held(holds))).unwrap_or_default();
            format!("{} {from} to {path}{held}", verb("moved", "move"))
        }
        Operation::Restore => format!("{} {path} ({held})", verb("restored", "restore")),
    }
}

/// How much a folder holds.
pub(super) fn held(holds: Holds) -> String {
    let count = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    format!("{} in {}", many(count(holds.files), "file", "files"), many(count(holds.folders), "folder", "folders"))
}

/// The lines that an edit changed, as they are numbered now.
fn lines(places: &[EditPlace]) -> String {
    let span = |place: &EditPlace| match place.after {
        (first, 0) => format!("{} (deleted)", range(place.before.0.min(first.max(1)), place.before.1)),
        (first, count) => range(first, count),
    };
    let mut spans: Vec<String> = places.iter().map(span).collect();
    spans.dedup();
    let count = if places.len() > 1 { format!("{} places: ", places.len()) } else { String::new() };
    let word = match spans.as_slice() {
        [one] if !one.contains('-') => "line",
        _ => "lines",
    };
    let more = match spans.len().saturating_sub(PLACES) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    spans.truncate(PLACES);
    format!("{count}{word} {}{more}", spans.join(", "))
}

fn range(first: u64, count: u64) -> String {
    match count {
        0 | 1 => first.to_string(),
        count => format!("{first}-{}", first.saturating_add(count).saturating_sub(1)),
    }
}

/// That lines below an edit have other numbers now.
fn shifted(places: &[EditPlace]) -> String {
    let by: i128 = places.iter().map(|place| i128::from(place.after.1) - i128::from(place.before.1)).sum();
    match places.last() {
        Some(last) if by != 0 => {
            let end = last.after.0.saturating_add(last.after.1).saturating_sub(1);
            format!("; lines below {end} moved by {by:+}")
        }
        _ => String::new(),
    }
}

/// The beginning of the diff of an edit that is not made yet.
fn planned(change: &Changed) -> String {
    if change.places.is_empty() {
        return String::new();
    }
    match head(&change.diff, SHOWN) {
        (diff, 0) => diff.to_owned(),
        (diff, more) => format!("{diff}… {} of the diff\n", many(more, "more line", "more lines")),
    }
}

/// What can be done with a proposal.
pub(super) fn pending(batch: Option<&BatchName>, tell: &Telling<'_>) -> String {
    match (batch, tell.has("apply_batch")) {
        (Some(batch), true) => {
            format!("apply_batch {{\"batchId\":\"{batch}\"}} carries it out, reject_batch drops it.\n")
        }
        (Some(_), false) => "The user decides about it.\n".to_owned(),
        (None, _) => String::new(),
    }
}

/// What a purge came to.
pub(super) fn purged(purge: &Purged) -> String {
    let what = format!("{} for good ({})", many(purge.entries, "trash entry", "trash entries"), size(purge.bytes));
    match purge.extent {
        Extent::Dry | Extent::Proposed => format!("Dry run, nothing was changed: would remove {what}"),
        Extent::Unchanged => "No trash entry is that old; nothing was removed".to_owned(),
        Extent::Done => format!("{}removed {what}", named(purge.batch.as_ref())),
    }
}

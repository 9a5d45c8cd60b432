//! Words and facts for what meets other content than it was made for, and for who changed a file since a caller saw it.
//! Place by place: what is so, who brought it, and the next step, which depends on what is in the way.

mod next;

use super::fields::{Fields, newline_style};
use super::history::about;
use super::line_range::LineRange;
use super::message::Words;
use super::telling::Telling;
use super::terminal::{for_terminal, label, one_line, shortened};
use super::time::{rfc3339, to_the_minute};
use patchwright_core::batch::{BatchStatus, ChangeName};
use patchwright_core::refusal::{Conflict, ConflictPlace, ConflictReason, FormChange, Refusal, Since, SinceBatch};
use serde_json::{Value, json};

/// A message tells no more places than this; the details have them all.
const TOLD: usize = 5;

/// What is so, place by place, and what to do about the first.
pub(super) fn words(conflict: &Conflict, tell: &Telling<'_>) -> Words {
    let mut sentences: Vec<String> = Vec::new();
    let mut blamed: Vec<(&str, &[SinceBatch])> = Vec::new();
    for place in conflict.places.iter().take(TOLD) {
        // Who changed a file is told once, however many of its places are in the way.
        let who = (place.path.as_str(), place.by.as_slice());
        let known = blamed.contains(&who);
        let told = sentence(conflict, place, if known { &[] } else { &place.by });
        if !known {
            blamed.push(who);
        }
        if !(known && says_no_more(place)) {
            sentences.push(told);
        }
    }
    let more = conflict.places.len().saturating_sub(TOLD);
    if more > 0 {
        sentences.push(format!("{more} more places are in the way."));
    }
    let nothing = conflict.places.iter().all(|place| !matches!(place.reason, ConflictReason::Status(_)));
    if nothing {
        sentences.push("Nothing was changed.".to_owned());
    }
    let next = conflict.places.first().map_or_else(String::new, |place| next::step(conflict, place, tell));
    Words::new(sentences.join(" "), next)
}

/// Is a place like any other of its file, but for its lines, which are shown below?
fn says_no_more(place: &ConflictPlace) -> bool {
    matches!(place.reason, ConflictReason::Changed | ConflictReason::Inseparable)
}

fn sentence(conflict: &Conflict, place: &ConflictPlace, by: &[SinceBatch]) -> String {
    let path = named(place);
    let by = brought(by);
    let lines = place.lines.map(|lines| format!("{} of ", LineRange::from(lines).spelt())).unwrap_or_default();
    match &place.reason {
        ConflictReason::Touched => {
            format!(
                "Later changes touch {lines}{path}{}{by}.",
                place.change.as_ref().map(of_change).unwrap_or_default()
            )
        }
        ConflictReason::Changed => {
            format!(
                "{path} has changed since, and this change can only be taken back while the file is as it left it{by}."
            )
        }
        ConflictReason::Inseparable => {
            format!(
                "The changes of {path} cannot be told apart line by line (its byte-order mark changes with them, say)."
            )
        }
        ConflictReason::Gone => format!("{path} is no longer there{by}."),
        ConflictReason::Removed { .. } => {
            format!("{path} is no longer there, and no batch on record removed it: another program did.")
        }
        ConflictReason::Returned => format!("{path} is there again already{by}."),
        ConflictReason::Moved => format!("{path} has another name now, or another file has this name{by}."),
        ConflictReason::Occupied => format!("Something stands at {path}, where the file belongs{by}."),
        ConflictReason::Shared(ids) => format!(
            "In {path} {} shares its lines with change {}; they go together or not at all.",
            subject(conflict, place),
            ids.iter().map(ChangeName::to_string).collect::<Vec<_>>().join(", ")
        ),
        ConflictReason::Status(status) => format!("{} {}.", capital(&subject(conflict, place)), stands(*status)),
        ConflictReason::Final => {
            format!("{} purged the trash: that is done, and cannot be taken back.", capital(&subject(conflict, place)))
        }
        ConflictReason::Replaced => format!(
            "{} is an undo, and what it did was done by another one since: taking it back would change nothing.",
            capital(&subject(conflict, place))
        ),
        ConflictReason::NotKept => format!("The bytes of {path} that would be needed are no longer kept."),
        ConflictReason::GroundMoved | ConflictReason::Outdated => {
            let what = place.lines.map(|lines| format!(": {} changed since", has(lines.into()))).unwrap_or_default();
            format!("{path} is not what the proposal was made for{what}{by}.")
        }
    }
}

/// The file, where one is to blame.
fn named(place: &ConflictPlace) -> String {
    if place.path.is_empty() { "the file".to_owned() } else { one_line(&place.path) }
}

/// The change or the batch that does not go in.
fn subject(conflict: &Conflict, place: &ConflictPlace) -> String {
    match (&place.change, &conflict.batch) {
        (Some(change), _) => format!("change {change}"),
        (None, Some(batch)) => format!("batch {batch}"),
        (None, None) => "the batch".to_owned(),
    }
}

fn of_change(name: &ChangeName) -> String {
    format!(", where {name} was made")
}

fn stands(status: BatchStatus) -> &'static str {
    match status {
        BatchStatus::Proposed => "is only proposed; nothing of it is in the files",
        BatchStatus::Applied => "is applied already",
        BatchStatus::Rejected => "was rejected; nothing of it is in the files",
        BatchStatus::Conflicted => "is a proposal that the files no longer fit; nothing of it is in the files",
        BatchStatus::Undone => "is already undone",
    }
}

fn brought(by: &[SinceBatch]) -> String {
    if by.is_empty() {
        return String::new();
    }
    format!("; since then it was changed by {}", by.iter().map(who).collect::<Vec<_>>().join(", "))
}

/// `b17 by ada (client, tool, time, lines 3-5: “label”)`
fn who(batch: &SinceBatch) -> String {
    let lines = match batch.lines.as_slice() {
        [] => String::new(),
        [one] => format!(", {}", LineRange::from(*one).spelt()),
        many => format!(
            ", lines {}",
            many.iter().take(TOLD).map(|lines| LineRange::from(*lines).numbers()).collect::<Vec<_>>().join(", ")
        ),
    };
    let words = batch.about.as_deref().map(|words| format!(": {}", about(words))).unwrap_or_default();
    let actor = batch.actor.as_deref().map(|actor| format!(" by {}", label(actor))).unwrap_or_default();
    let (client, tool) = (label(&batch.client), label(&batch.tool));
    format!("{}{actor} ({client}, {tool}, {}{lines}{words})", batch.batch, to_the_minute(batch.time_ns.into()))
}

/// `line 3 has`, `lines 3-5 have`
fn has(lines: LineRange) -> String {
    format!("{} {}", lines.spelt(), if lines.is_one() { "has" } else { "have" })
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// The lines that meet, with numbers; what the message only points at.
pub(super) fn places(conflict: &Conflict) -> String {
    conflict.places.iter().take(TOLD).map(side_by_side).collect()
}

fn side_by_side(place: &ConflictPlace) -> String {
    if place.expected.is_empty() && place.actual.is_empty() {
        return String::new();
    }
    let at = place.lines.map(|lines| format!(", {}", LineRange::from(lines).spelt())).unwrap_or_default();
    let wanted: String = place.expected.iter().map(|line| format!("- {}\n", for_terminal(&shortened(line)))).collect();
    let found: String = place.actual.iter().map(|line| format!("+ {}\n", for_terminal(&shortened(line)))).collect();
    format!("{}{at} (- wanted there, + there now):\n{wanted}{found}", one_line(&place.path))
}

/// The facts as fields.
pub(super) fn details(conflict: &Conflict) -> Value {
    Fields::new()
        .batch(conflict.batch.as_ref())
        .put("conflicts", conflict.places.iter().map(place).collect::<Vec<_>>())
        .done()
}

fn place(place: &ConflictPlace) -> Value {
    let some =
        |lines: &[String]| (!lines.is_empty()).then(|| lines.iter().map(|line| shortened(line)).collect::<Vec<_>>());
    let (shared, status, version) = match &place.reason {
        ConflictReason::Shared(with) => (Some(with), None, None),
        ConflictReason::Status(status) => (None, Some(status.name()), None),
        ConflictReason::Removed { version } => (None, None, version.as_ref()),
        _ => (None, None, None),
    };
    let fields = Fields::new().maybe("path", (!place.path.is_empty()).then_some(place.path.as_str()));
    let fields = place.change.iter().fold(fields, |fields, name| fields.change(name));
    let list = |names: &[ChangeName], said: fn(&ChangeName) -> String| names.iter().map(said).collect::<Vec<String>>();
    fields
        .put("reason", place.reason.word())
        .maybe("status", status)
        .maybe("sharedWithChangeIds", shared.map(|with| list(with, |name| name.id.clone())))
        .maybe("sharedWithChanges", shared.map(|with| list(with, ChangeName::to_string)))
        .maybe("keptVersion", version.map(|name| name.id.as_str()))
        .maybe("startLine", place.lines.map(|lines| lines.0))
        .maybe("endLine", place.lines.map(|lines| lines.1))
        .maybe("expectedLines", some(&place.expected))
        .maybe("actualLines", some(&place.actual))
        .maybe("changedBy", (!place.by.is_empty()).then(|| batches(&place.by)))
        .done()
}

fn batches(batches: &[SinceBatch]) -> Vec<Value> {
    batches.iter().map(batch).collect()
}

fn batch(batch: &SinceBatch) -> Value {
    let lines: Vec<Value> = batch.lines.iter().map(|(first, last)| json!([first, last])).collect();
    Fields::new()
        .batch(Some(&batch.batch))
        .put("sessionId", batch.session.as_str())
        .put("client", batch.client.as_str())
        .maybe("actor", batch.actor.as_deref())
        .put("tool", batch.tool.as_str())
        .put("time", rfc3339(batch.time_ns.into()))
        .put("lines", lines)
        .maybe("about", batch.about.as_deref())
        .done()
}

/// The details of any refusal, with those who changed the file since.
pub(super) fn with_since(details: Option<Value>, refusal: &Refusal) -> Option<Value> {
    let Some(since) = refusal.since.as_deref().filter(|since| known(since)) else { return details };
    let mut details = details.unwrap_or_else(|| json!({}));
    if let Value::Object(fields) = &mut details {
        if !since.batches.is_empty() {
            fields.insert("changedBy".to_owned(), batches(&since.batches).into());
        }
        if since.count > since.batches.len() {
            fields.insert("changedByCount".to_owned(), since.count.into());
        }
        if since.foreign {
            fields.insert("changedByOthers".to_owned(), true.into());
        }
        if since.unknown {
            fields.insert("unknownSha256".to_owned(), true.into());
        }
        if let Some(changes) = &since.changes {
            fields.insert("changes".to_owned(), changes.diff.clone().into());
            fields.insert("changedLines".to_owned(), json!([changes.lines.0, changes.lines.1]));
        }
        if since.changes.as_ref().is_some_and(|changes| changes.cut) {
            fields.insert("changesTruncated".to_owned(), true.into());
        }
    }
    Some(details)
}

fn known(since: &Since) -> bool {
    since.foreign || since.unknown || !since.batches.is_empty()
}

/// Who changed the file since its author saw it, as a sentence with a blank before it; nothing if that is not known.
pub(super) fn since(refusal: &Refusal) -> String {
    let Some(since) = refusal.since.as_deref().filter(|since| known(since)) else { return String::new() };
    let count = since.count.max(since.batches.len());
    let named: Vec<String> = since.batches.iter().map(who).collect();
    let others = "by a program that does not use these tools";
    let who = match (named.len(), since.foreign) {
        _ if since.unknown => " The hash that you gave is of no version of it that is on record.".to_owned(),
        (0, _) => format!(" Since you saw it, it was changed {others}, so who did it is not on record."),
        (shown, foreign) => {
            let also = if foreign { format!("; it was also changed {others}") } else { String::new() };
            let named = named.join(", then ");
            match count > shown {
                true => {
                    format!(" Since you saw it, {count} batches changed it, the last {shown} of them {named}{also}.")
                }
                false => format!(" Since you saw it, {named} changed it{also}."),
            }
        }
    };
    let large = if since.too_large { " It is too large for the lines that changed to be shown here." } else { "" };
    who + &since.form.iter().map(formed).collect::<String>() + large
}

/// What is different beside lines, as a sentence with a blank before it.
fn formed(change: &FormChange) -> String {
    match change {
        FormChange::LineEnds(from, to) => {
            format!(" Its line ends changed from {} to {}.", newline_style(*from), newline_style(*to))
        }
        FormChange::FinalNewlineCame => " Its last line ends in a newline now.".to_owned(),
        FormChange::FinalNewlineWent => " Its last line no longer ends in a newline.".to_owned(),
        FormChange::MarkCame => " It begins with a byte-order mark now.".to_owned(),
        FormChange::MarkWent => " It no longer begins with a byte-order mark.".to_owned(),
    }
}

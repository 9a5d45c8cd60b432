//! What a call that changes one file came to, as a model reads it: one line. What was written is not sent back.

use super::amounts::{SHOWN, diffs, held, many, short, size};
use super::telling::Telling;
use super::terminal::one_line;
use patchwright_core::batch::BatchName;
use patchwright_core::digest::Digest;
use patchwright_core::outcome::{Changed, EditPlace, Extent, Operation, Purged};

/// So many places of an edit are told.
const PLACES: usize = 12;

/// After so many places it is told by how much lines have moved.
const SHIFTS: usize = 8;

/// The summary, and what follows it.
pub(super) fn told(change: &Changed, tell: &Telling<'_>) -> (String, String) {
    let after = format!("{}{}", shifted(&change.places), replacing(change, tell));
    let name = named(change.batch.as_ref());
    match change.extent {
        Extent::Unchanged => {
            (format!("{} already is as asked for; nothing was changed", one_line(&change.path)), String::new())
        }
        Extent::Dry => {
            (format!("Dry run, nothing was changed: would {}{after}", deed(change, Tense::Future)), planned(change))
        }
        Extent::Done => {
            let hash = hash(change.after, tell);
            (format!("{name}{}{after}{hash}", deed(change, Tense::Past)), String::new())
        }
        Extent::Proposed => {
            let summary = format!("{name}proposed, nothing has changed yet: {}{after}", deed(change, Tense::Future));
            (summary, pending(change.batch.as_ref(), tell) + &planned(change))
        }
    }
}

/// The file's hash now, where the next change has to give it back.
pub(super) fn hash(after: Option<Digest>, tell: &Telling<'_>) -> String {
    let told = after.filter(|_| tell.hashes).map(|digest| format!("; sha256 {}", short(digest)));
    told.unwrap_or_default()
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
    let path = written(&change.path, change.real.as_deref());
    let mode = mode(&change.diff);
    let held = change.holds.map_or_else(|| size(change.size), held);
    match change.operation {
        Operation::Create => match link_target(&change.diff) {
            Some(target) => format!("{} {path}, a link to {}", verb("created", "create"), one_line(target)),
            None => format!("{} {path} ({held}){mode}", verb("created", "create")),
        },
        Operation::Update if !change.places.is_empty() => {
            format!("{} {path}, {}{mode}", verb("edited", "edit"), lines(&change.places))
        }
        Operation::Update if change.before == change.after => {
            format!("{} the mode of {path}{mode}", verb("changed", "change"))
        }
        Operation::Update => format!("{} {path} ({held}){mode}", verb("wrote", "write")),
        Operation::Delete if change.holds.is_some() => format!("{} {path}/ ({held})", verb("deleted", "delete")),
        Operation::Delete => format!("{} {path}", verb("deleted", "delete")),
        Operation::Move => {
            let from = change.from.as_deref().map(one_line).unwrap_or_default();
            let held = change.holds.map(|_| format!(" ({held})")).unwrap_or_default();
            format!("{} {from} to {path}{held}", verb("moved", "move"))
        }
        Operation::Restore => format!("{} {path} ({held})", verb("restored", "restore")),
    }
}

/// A file by its name, and by the link that led to it.
pub(super) fn written(path: &str, real: Option<&str>) -> String {
    match real {
        Some(real) => format!("{} (through the link {})", one_line(real), one_line(path)),
        None => one_line(path),
    }
}

/// The lines above the text of a diff, which tell of modes.
fn headers(diff: &str) -> impl Iterator<Item = &str> {
    diff.lines().take_while(|line| !line.starts_with("--- "))
}

/// What became of the permission to run a file.
fn mode(diff: &str) -> &'static str {
    let told = headers(diff).find_map(|line| match line {
        "new file mode 100755" => Some(", executable"),
        "new mode 100755" => Some("; now executable"),
        "new mode 100644" => Some("; no longer executable"),
        _ => None,
    });
    told.unwrap_or_default()
}

/// Where a new link leads.
fn link_target(diff: &str) -> Option<&str> {
    headers(diff).find(|line| *line == "new file mode 120000")?;
    let mut lines = diff.lines().skip_while(|line| !line.starts_with("@@"));
    lines.find_map(|line| line.strip_prefix('+'))
}

/// What a move puts something in the place of: its diff begins with what goes.
fn replacing(change: &Changed, tell: &Telling<'_>) -> String {
    let alone = !change.diff.contains("\nrename from ");
    if change.operation != Operation::Move || change.holds.is_some() || alone {
        return String::new();
    }
    let back = if change.extent == Extent::Done && tell.has("undo") { " (undo brings it back)" } else { "" };
    format!(
        ", replacing the {} that {} there{back}",
        one_line(&change.path),
        match change.extent {
            Extent::Done => "was",
            Extent::Dry | Extent::Proposed | Extent::Unchanged => "is",
        }
    )
}

/// The lines that an edit changed, as they are numbered now.
fn lines(places: &[EditPlace]) -> String {
    let mixed = places.iter().any(|place| place.after.1 == 0);
    let mut spans: Vec<String> = places.iter().map(|place| span(place, mixed)).collect();
    spans.dedup();
    let count = if places.len() > 1 { format!("{} places: ", places.len()) } else { String::new() };
    let word = match places {
        _ if mixed => "",
        [one] if one.after.1 == 1 => "line ",
        _ => "lines ",
    };
    let more = match spans.len().saturating_sub(PLACES) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    spans.truncate(PLACES);
    format!("{count}{word}{}{more}", spans.join(", "))
}

/// Lines that came; of lines that only went, what stands above them now.
fn span(place: &EditPlace, worded: bool) -> String {
    match (place.after, place.before.1) {
        ((_, 0), gone) => {
            let gone = many(usize::try_from(gone).unwrap_or(usize::MAX), "line", "lines");
            match above(place) {
                0 => format!("{gone} deleted at the top"),
                line => format!("{gone} deleted after line {line}"),
            }
        }
        ((first, 1), _) if worded => format!("line {first}"),
        ((first, count), _) if worded => format!("lines {}", range(first, count)),
        ((first, count), _) => range(first, count),
    }
}

/// The last line that an edit wrote, or the one above the lines that it took away.
fn above(place: &EditPlace) -> u64 {
    place.after.0.saturating_add(place.after.1).saturating_sub(1)
}

fn range(first: u64, count: u64) -> String {
    match count {
        0 | 1 => first.to_string(),
        count => format!("{first}-{}", first.saturating_add(count).saturating_sub(1)),
    }
}

/// By how much lines have moved, from where on.
fn shifted(places: &[EditPlace]) -> String {
    let mut by: i128 = 0;
    let mut shifts: Vec<(u64, i128)> = Vec::new();
    for place in places.iter().filter(|place| place.after.1 != place.before.1) {
        by += i128::from(place.after.1) - i128::from(place.before.1);
        shifts.push((above(place), by));
    }
    let Some((last, (first, rest))) = shifts.last().zip(shifts.split_first()) else { return String::new() };
    let from = if first.0 == 0 { "from 1 on".to_owned() } else { format!("below {}", first.0) };
    let mut out = format!("; lines {from} moved by {:+}", first.1);
    let below = |(line, by): &(u64, i128)| format!(", below {line} by {}", signed(*by));
    out.extend(rest.iter().take(SHIFTS).map(below));
    if rest.len() > SHIFTS {
        out.push_str(&format!(" …{}", below(last)));
    }
    out
}

fn signed(by: i128) -> String {
    if by == 0 { "0".to_owned() } else { format!("{by:+}") }
}

/// The beginning of the diff of an edit that is not made yet.
fn planned(change: &Changed) -> String {
    match change.places.is_empty() {
        true => String::new(),
        false => diffs(std::iter::once((change.diff.as_str(), change.diff_cut)), SHOWN, ""),
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

//! A file that is not what the command takes it for: who changed it since, what changed, and how to look.

use super::conflict::since as batch_since;
use super::said::{Command, Said};
use super::shown::line;
use super::{Draft, named};
use crate::report::amounts::many;
use crate::report::line_range::LineRange;
use patchwright_core::digest::DigestPrefix;
use patchwright_core::refusal::{FormChange, Refusal, Since, Sort, Stale, StaleReason, Unseen};

/// So many lines of what changed are shown.
const DIFF: usize = 5;
/// So many batches are named.
const BATCHES: usize = 3;

/// Words for a file that is not what it is taken for.
pub(super) fn told(refusal: &Refusal, stale: &Stale, said: &Said<'_>) -> Draft {
    let name = named(refusal.path.as_deref(), said);
    let link = (stale.sort == Sort::Link).then(|| "it is a link, and what counts is where it leads".to_owned());
    let draft = Draft::because(fact(&name, stale, said)).show(link);
    next(draft, refusal, stale, said)
}

fn fact(name: &str, stale: &Stale, said: &Said<'_>) -> String {
    let expected = stale.expected.as_deref().unwrap_or_default();
    match stale.reason {
        StaleReason::Mismatch if expected.is_empty() && stale.actual.is_some() => {
            format!("{name} was to be free, and a file is there")
        }
        StaleReason::Mismatch if expected.is_empty() => {
            format!("{name} was to be free, and something is there that is no file")
        }
        StaleReason::Mismatch if stale.actual.is_none() => {
            format!("{} expects a file at {name}, and nothing is there", flag(said))
        }
        StaleReason::Mismatch if is_malformed(stale) => format!(
            "{} takes all 64 digits of the sha256 of {name}, or at least the first {}",
            flag(said),
            DigestPrefix::LEAST
        ),
        StaleReason::Mismatch => format!("{name} is not the file that {} expects", flag(said)),
        StaleReason::Unproven => format!("nothing shows that you know what {name} holds now"),
        StaleReason::ChangedSinceSeen => format!("{name} has changed since it was read"),
        StaleReason::ChangedMeanwhile => {
            format!("another program saved {name} at the same time, and its version was kept")
        }
    }
}

/// Is what was given no hash at all? Nothing says that a path is to be free.
fn is_malformed(stale: &Stale) -> bool {
    stale.expected.as_deref().is_some_and(|given| !given.is_empty() && DigestPrefix::parse(given).is_none())
}

/// The flag that gives a hash.
fn flag(said: &Said<'_>) -> &'static str {
    if said.command == Command::Apply { "--expect" } else { "--sha256" }
}

fn next(draft: Draft, refusal: &Refusal, stale: &Stale, said: &Said<'_>) -> Draft {
    let Some(path) = refusal.path.as_deref() else { return draft };
    let hash = |draft: Draft| {
        let json = said.about("read --json", path).filter(|_| stale.sort != Sort::Link);
        let given = if said.command == Command::Apply { "--expect PATH=SHA256" } else { "--sha256 HEX" };
        draft.show([format!("--require-sha asks for {given}")]).hint(json)
    };
    match stale.reason {
        StaleReason::ChangedMeanwhile => draft.hint(said.again()),
        StaleReason::Unproven if said.has_flag("--require-sha") => hash(draft),
        StaleReason::Unproven => draft.hint_flag(said, "--unchecked", "asks for no proof"),
        StaleReason::Mismatch if stale.actual.is_none() => draft,
        StaleReason::Mismatch if is_malformed(stale) => draft.hint(said.about("read --json", path)),
        _ => {
            let lines = refusal.since.as_deref().and_then(|since| since.changes.as_ref()).map(|changes| changes.lines);
            draft.hint(said.reading(path, lines.filter(|(first, _)| *first > 0)))
        }
    }
}

/// Who changed a file since it was seen, and what.
pub(super) fn changed_by(refusal: &Refusal) -> Vec<String> {
    let Some(since) = refusal.since.as_deref() else { return Vec::new() };
    let mut shown: Vec<String> = authors(since).map(|who| format!("changed since by {who}")).into_iter().collect();
    if since.unknown {
        shown.push("no version with that sha256 is on record".to_owned());
    }
    if let Some(changes) = &since.changes {
        let lines = changes.diff.lines().filter(|line| line.starts_with(['+', '-', '@']));
        shown.extend(lines.take(DIFF).map(line));
    }
    shown.extend(since.form.iter().map(|change| formed(change).to_owned()));
    shown
}

/// Those who changed it, newest first.
fn authors(since: &Since) -> Option<String> {
    let mut named: Vec<String> = since.batches.iter().rev().take(BATCHES).map(batch_since).collect();
    let more = since.count.saturating_sub(named.len());
    named.extend((more > 0 && !named.is_empty()).then(|| format!("{more} more")));
    named.extend(since.foreign.then(|| "another program".to_owned()));
    let last = named.pop()?;
    Some(if named.is_empty() { last } else { format!("{} and {last}", named.join(", ")) })
}

fn formed(change: &FormChange) -> &'static str {
    match change {
        FormChange::LineEnds(..) => "its lines end otherwise now",
        FormChange::FinalNewlineCame => "its last line ends in a newline now",
        FormChange::FinalNewlineWent => "its last line no longer ends in a newline",
        FormChange::MarkCame => "it begins with a byte-order mark now",
        FormChange::MarkWent => "it no longer begins with a byte-order mark",
    }
}

/// Lines that would be overwritten and were not shown.
pub(super) fn unseen(path: Option<&str>, unseen: &Unseen, said: &Said<'_>) -> Draft {
    let name = named(path, said);
    let what = match unseen.lines.as_slice() {
        [one] => format!("{} of {name}", LineRange::from(*one).spelt()),
        [] => format!("part of {name}"),
        [first, ..] => {
            let more = many(unseen.stretches.saturating_sub(1), "other stretch", "other stretches");
            format!("{} and {more} of {name}", LineRange::from(*first).spelt())
        }
    };
    let first = unseen.lines.first().map(|(first, _)| *first);
    let last = unseen.lines.last().map(|(_, last)| *last).filter(|_| unseen.stretches <= unseen.lines.len());
    let lines = first.map(|first| (first, last.unwrap_or(unseen.line_count)));
    Draft::because(format!("{what} would be overwritten unseen")).hint(path.and_then(|path| said.reading(path, lines)))
}

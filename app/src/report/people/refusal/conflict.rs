//! What meets other content than it was made for: which place, what stood there, what stands there now and who wrote it.

mod hint;
mod standing;

use super::super::who::who;
use super::Draft;
use super::said::{Command, Said};
use super::shown::{beside, versions};
use crate::report::amounts::many;
use crate::report::line_range::LineRange;
use patchwright_core::batch::{BatchName, ChangeName};
use patchwright_core::refusal::{Conflict, ConflictPlace, ConflictReason, LineBy, SinceBatch};

/// So many places besides the first are named.
const MORE: usize = 2;

/// Who wrote what stands in the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Author<'a> {
    /// A batch on record.
    Batch(&'a SinceBatch),
    /// A program that keeps no record here.
    Foreign,
    /// It cannot be told.
    Unknown,
}

/// Who wrote what stands at a place now.
pub fn author_of(place: &ConflictPlace) -> Author<'_> {
    match (&place.line_by, place.lines) {
        (LineBy::Batch(by), _) => Author::Batch(by),
        (LineBy::Foreign, _) => Author::Foreign,
        // Of lines, whoever last changed the file need not be who wrote them.
        (LineBy::Unknown, Some(_)) => Author::Unknown,
        (LineBy::Unknown, None) => place.by.first().map_or(Author::Unknown, Author::Batch),
    }
}

/// What meets at a place: the lines now, what should stand there, what stands there.
struct Met<'a> {
    lines: Option<(usize, usize)>,
    expected: &'a [String],
    actual: &'a [String],
}

/// Of several lines the first that is not as it should be, which is the one that its author is told of.
fn met(place: &ConflictPlace) -> Met<'_> {
    match &place.line {
        Some(line) => Met {
            lines: line.number.map(|number| (number, number)).or(place.lines),
            expected: line.expected.as_slice(),
            actual: line.actual.as_slice(),
        },
        None => Met { lines: place.lines, expected: &place.expected, actual: &place.actual },
    }
}

/// A change of a batch, and the file that it is in.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    /// The change.
    pub name: &'a ChangeName,
    /// The file, as the batch has it.
    pub path: &'a str,
}

/// The changes of a batch that are not in the way, by their short names: what may go alone. Whether it does has to be
/// tried: changes may share lines with others. Nothing if there are none, or none is in the way.
pub fn rest_without(conflict: &Conflict, parts: &[Part<'_>]) -> Vec<String> {
    let meets = |part: &&Part<'_>, place: &ConflictPlace| {
        let is = |other: &Part<'_>| place.change.as_ref().is_some_and(|change| change.id == other.name.id);
        let by_lines = matches!(place.reason, ConflictReason::Touched | ConflictReason::Shared(_));
        // What stands against a file stands against all that the batch did to it.
        let file = parts.iter().find(|other| is(other)).map_or(place.path.as_str(), |other| other.path);
        is(part) || (!by_lines && part.path == file)
    };
    let free = |part: &&Part<'_>| !conflict.places.iter().any(|place| meets(part, place));
    let rest: Vec<&Part<'_>> = parts.iter().filter(free).collect();
    match rest.len() == parts.len() || rest.iter().any(|part| !part.name.is_short()) {
        true => Vec::new(),
        false => rest.iter().map(|part| part.name.to_string()).collect(),
    }
}

/// Words for a conflict.
pub(super) fn told(conflict: &Conflict, said: &Said<'_>) -> Draft {
    let Some(place) = conflict.places.first() else { return Draft::because("it was made for other content") };
    let lone = match &place.reason {
        ConflictReason::Status(status) => Some(standing::told(*status, conflict, place, said)),
        ConflictReason::Final => Some(Draft::plain(format!(
            "{} emptied the trash, and that cannot be taken back",
            subject(conflict, said).unwrap_or_else(|| "the batch".to_owned())
        ))),
        ConflictReason::Replaced => Some(Draft::plain(format!(
            "taking {} back would change nothing: another undo has done the same since",
            subject(conflict, said).unwrap_or_else(|| "it".to_owned())
        ))),
        _ => None,
    };
    let draft = lone.unwrap_or_else(|| {
        let fact = fact(conflict, place, said);
        let draft = match subject(conflict, said) {
            Some(about) => Draft::because_of(about, fact),
            None => Draft::because(fact),
        };
        draft.show(evidence(conflict, place, said))
    });
    draft.hint(hint::of(conflict, place, said))
}

/// The batch, or the changes of it, that the command is about.
fn subject(conflict: &Conflict, said: &Said<'_>) -> Option<String> {
    let own = |batch: &String| {
        let parts = said.batches.iter().filter(|name| is_of(name, batch)).take(3).cloned().collect::<Vec<_>>();
        Some(parts.join(" ")).filter(|parts| !parts.is_empty())
    };
    match conflict.batch.as_ref().and_then(short) {
        // What is brought back is not the undo that is taken back for it.
        Some(_) if said.command == Command::Redo && !said.batches.is_empty() => None,
        Some(batch) => Some(own(&batch).unwrap_or(batch)),
        None => None,
    }
}

/// Is this the name of a batch, or of a change of it?
fn is_of(name: &str, batch: &str) -> bool {
    name.strip_prefix(batch).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// The short name of a batch.
pub(super) fn short(batch: &BatchName) -> Option<String> {
    (batch.number > 0).then(|| batch.to_string())
}

fn fact(conflict: &Conflict, place: &ConflictPlace, said: &Said<'_>) -> String {
    let (path, at) = (at_path(place, said), at_lines(place, said));
    match &place.reason {
        ConflictReason::Touched | ConflictReason::Changed | ConflictReason::GroundMoved => {
            let more = conflict.places.len().saturating_sub(1);
            let since = if said.command == Command::Accept { "since it was proposed" } else { "since" };
            match more {
                0 => format!("{at} has changed {since}"),
                more => format!("{at} and {} have changed {since}", many(more, "more place", "more places")),
            }
        }
        ConflictReason::Inseparable => format!("the changes of {path} cannot be told apart line by line"),
        ConflictReason::Gone => format!("{path} is no longer there"),
        ConflictReason::Removed { .. } => format!("{path} is no longer there: another program removed it"),
        ConflictReason::Returned => format!("{path} is there again already"),
        ConflictReason::Moved => format!("{path} was moved since, or another file has its name"),
        ConflictReason::Occupied => format!("something stands at {path}, where the file belongs"),
        ConflictReason::Shared(others) => {
            let change = place.change.as_ref().filter(|change| change.is_short()).map(ChangeName::to_string);
            let change = change.filter(|change| subject(conflict, said).as_ref() != Some(change));
            let change = change.unwrap_or_else(|| "it".to_owned());
            format!("{change} shares lines of {path} with {}; they go together or not at all", names(others))
        }
        ConflictReason::NotKept => format!("what it needs of {path} is no longer kept"),
        ConflictReason::Outdated => format!("{at} is not what it was proposed for"),
        ConflictReason::Status(_) | ConflictReason::Final | ConflictReason::Replaced => "it cannot be".to_owned(),
    }
}

fn names(changes: &[ChangeName]) -> String {
    let short: Vec<String> = changes.iter().filter(|change| change.is_short()).map(ChangeName::to_string).collect();
    if short.is_empty() { "other changes".to_owned() } else { short.join(", ") }
}

fn at_path(place: &ConflictPlace, said: &Said<'_>) -> String {
    if place.path.is_empty() { "the file".to_owned() } else { said.path(&place.path) }
}

/// `build.rs:39`
fn at_lines(place: &ConflictPlace, said: &Said<'_>) -> String {
    let lines = met(place).lines.map(|lines| format!(":{}", LineRange::from(lines).numbers())).unwrap_or_default();
    format!("{}{lines}", at_path(place, said))
}

/// The lines that meet, then who is to blame, then the other places.
fn evidence(conflict: &Conflict, place: &ConflictPlace, said: &Said<'_>) -> Vec<String> {
    let Met { expected, actual, .. } = met(place);
    let mut shown = match (&place.reason, expected.is_empty() && actual.is_empty()) {
        (ConflictReason::Shared(_) | ConflictReason::NotKept | ConflictReason::Occupied, _) => Vec::new(),
        (_, false) => lines(conflict, place, said),
        (_, true) => blamed(place).map(|who| format!("that was {who}")).into_iter().collect(),
    };
    if place.reason == ConflictReason::Occupied && said.counts_from_here() {
        let away = said.argument(&place.path, None).zip(said.argument(&format!("{}.other", place.path), None));
        shown.extend(away.map(|(from, to)| format!("mv {from} {to} makes room")));
    }
    let others = conflict.places.iter().skip(1);
    shown.extend(others.clone().take(MORE).map(|other| match blamed(other) {
        Some(who) => format!("{} too ({who})", at_lines(other, said)),
        None => format!("{} too", at_lines(other, said)),
    }));
    let more = others.count().saturating_sub(MORE);
    shown.extend((more > 0).then(|| format!("and {}", many(more, "more place", "more places"))));
    shown
}

fn lines(conflict: &Conflict, place: &ConflictPlace, said: &Said<'_>) -> Vec<String> {
    let (was, now) = versions(met(place).expected, met(place).actual);
    let change = place.change.as_ref().filter(|change| change.is_short()).map(ChangeName::to_string);
    let batch = conflict.batch.as_ref().and_then(short);
    let then = match said.command {
        Command::Accept => batch.map_or_else(|| "proposed for".to_owned(), |batch| format!("{batch} saw")),
        _ => change.or(batch).map_or_else(|| "then".to_owned(), |name| format!("{name} left")),
    };
    let by = blamed(place).unwrap_or_else(|| "now".to_owned());
    beside(&[(then, was), (by, now)])
}

/// `b9 codex`, or another program.
fn blamed(place: &ConflictPlace) -> Option<String> {
    match author_of(place) {
        Author::Batch(by) => Some(since(by)),
        Author::Foreign => Some("another program".to_owned()),
        Author::Unknown => None,
    }
}

/// `b9 codex`
pub(super) fn since(by: &SinceBatch) -> String {
    let name = who(&by.client, by.actor.as_deref());
    short(&by.batch).map_or(name.clone(), |batch| format!("{batch} {name}"))
}

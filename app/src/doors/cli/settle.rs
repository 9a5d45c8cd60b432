//! CLI door: how a command ends that took something back, carried it out or dropped it.

use super::args::Reader;
use super::names::summaries;
use super::output::Ports;
use super::stop::{Ending, Stop};
use crate::doors::call::Outcome;
use crate::doors::exit_code::Status;
use crate::report::people::{Deed, Done, FileLine, Part, done, files};
use patchwright_core::batch::{BatchName, ChangeName};
use patchwright_core::outcome::{Answer, BatchSummary, Extent, Reply};
use patchwright_engine::Session;

/// Are the lines shown, too?
pub(super) fn lines(patch: bool) -> Part {
    if patch { Part::Lines } else { Part::Files }
}

/// What a command was about.
pub(super) struct About {
    /// What was done.
    pub(super) deed: Deed,
    /// The batches; those that the answer names, if there are none.
    pub(super) batches: Vec<BatchSummary>,
    /// The changes of the one batch that an undo had taken back; those that the answer names, if there are none.
    pub(super) changes: Vec<ChangeName>,
}

impl About {
    /// Whole batches.
    pub(super) fn batches(deed: Deed, batches: Vec<BatchSummary>) -> About {
        About { deed, batches, changes: Vec::new() }
    }
}

pub(super) fn tell(outcome: &Outcome, about: About, part: Part, session: &Session, ports: &mut Ports<'_>) -> Ending {
    let About { deed, batches: about, changes } = about;
    let (Reader::Person, Ok(reply @ Reply { answer: Answer::Settled(settled), .. })) = (ports.reader(), outcome) else {
        return ports.outcome(outcome);
    };
    ports.warn(reply);
    if settled.extent == Extent::Unchanged {
        ports.say("There is nothing to do; nothing was changed")?;
        return Ok(Status::Done);
    }
    let about = match about.is_empty() {
        true => summaries(session, settled.undone.iter().map(|name| name.id.as_str()))?,
        false => about,
    };
    let told = Done {
        deed,
        extent: settled.extent,
        about: &about,
        changes: some_changes(if deed == Deed::Redo { &changes } else { &settled.changes }, &about),
        name: settled.batch.as_ref().filter(|_| settled.extent == Extent::Done && !settled.undone.is_empty()),
        files: match deed {
            Deed::Reject => about.iter().flat_map(|batch| &batch.files).map(FileLine::from).collect(),
            _ => settled.files.iter().map(FileLine::from).collect(),
        },
    };
    let mut text = done(&told, ports.view());
    if settled.rebased {
        text.push_str("  carried over to files that had changed since it was proposed\n");
    }
    if settled.files.is_empty() && !settled.undone.is_empty() {
        text.push_str("  no file had to change\n");
    }
    if part == Part::Lines {
        text.push('\n');
        text.push_str(&files(&settled.files, ports.view()));
        ports.long(&text)?;
    } else {
        ports.put(&text)?;
    }
    if settled.extent == Extent::Done
        && let Some(way) = way_back(&told, settled.batch.as_ref())
    {
        ports.hint(&way)?;
    }
    Ok(Status::Done)
}

/// The changes, where only some of one batch are meant.
fn some_changes<'a>(changes: &'a [ChangeName], about: &[BatchSummary]) -> &'a [ChangeName] {
    match about {
        [one] if changes.len() < one.changes => changes,
        _ => &[],
    }
}

/// The command that takes it back.
fn way_back(done: &Done<'_>, name: Option<&BatchName>) -> Option<String> {
    match (done.deed, done.about) {
        (Deed::Undo, _) => Some("Bring it back: patchwright redo".to_owned()),
        (Deed::Redo, [one]) => {
            let parts: Vec<String> = done.changes.iter().map(ToString::to_string).collect();
            let what = if parts.is_empty() { one.name.to_string() } else { parts.join(" ") };
            Some(format!("Take it back again: patchwright undo {what}"))
        }
        (Deed::Redo, _) => name.map(|name| format!("Take it back again: patchwright undo {name}")),
        (Deed::Accept | Deed::Apply | Deed::Edit | Deed::Restore, _) => {
            name.map(|name| format!("Take it back: patchwright undo {name}"))
        }
        (Deed::Reject, [one]) => Some(format!("Have it after all: patchwright diff {} | patchwright apply", one.name)),
        (Deed::Reject, _) => None,
    }
}

/// Ends a command that changed something under a name of its own.
pub(super) fn hint_of(deed: Deed, name: Option<&BatchName>, ports: &mut Ports<'_>) -> Result<(), Stop> {
    let done = Done { deed, extent: Extent::Done, about: &[], changes: &[], name, files: Vec::new() };
    match way_back(&done, name) {
        Some(way) => Ok(ports.hint(&way)?),
        None => Ok(()),
    }
}

//! CLI door: `show NAME`, one batch with its files, changes and diff, or one change of it.

use super::args::{Reader, ShowArgs};
use super::names::{self, Named};
use super::output::Ports;
use super::stop::{Ending, Stop};
use crate::doors::call::Outcome;
use crate::doors::exit_code::Status;
use crate::report::people::{Part, show};
use patchwright_core::outcome::{Answer, BatchView, FilePatchView, Reply};
use patchwright_core::tool::{Call, GetPatchChange};
use patchwright_engine::{Quiet, Session};

/// So many lines are asked for at once.
const LINES: usize = 2_000;

pub(super) fn run(args: &ShowArgs, session: &Session, ports: &mut Ports<'_>) -> Ending {
    if let Some(Named::Batch(second)) = args.change.as_deref().map(names::read)
        && second.starts_with('b')
    {
        return Err(Stop::usage(format!("show takes one name; for the other: patchwright show {second}")));
    }
    let named = args.change.as_ref().unwrap_or(&args.batch);
    let outcome = all(session, &names::id(session, named)?)?;
    let (Reader::Person, Ok(Reply { answer: Answer::Batch(view), .. })) = (ports.reader(), &outcome) else {
        return ports.outcome(&outcome);
    };
    let part = if args.stat { Part::Files } else { Part::Lines };
    let text = show(view, part, ports.view());
    ports.long(&text)?;
    Ok(Status::Done)
}

/// What is asked for, over as many pages as it takes.
pub(super) fn all(session: &Session, id: &str) -> Result<Outcome, Stop> {
    let mut whole: Option<Box<BatchView>> = None;
    let mut cursor: Option<String> = None;
    loop {
        let ask = GetPatchChange { limit: Some(LINES), cursor, ..GetPatchChange::new(id) };
        let reply = match session.call(&Call::GetPatchChange(ask), &Quiet) {
            Ok(reply) => reply,
            failed => return Ok(failed),
        };
        let Reply { answer: Answer::Batch(mut page), warnings, audit_head, replayed } = reply else {
            return Ok(Ok(reply));
        };
        cursor = page.next_cursor.take();
        let view = match whole.take() {
            None => page,
            Some(view) => joined(view, page.files),
        };
        if cursor.is_none() {
            return Ok(Ok(Reply { answer: Answer::Batch(view), warnings, audit_head, replayed }));
        }
        whole = Some(view);
    }
}
/// A batch with its next page: what was cut between them is whole again.
fn joined(mut view: Box<BatchView>, page: Vec<FilePatchView>) -> Box<BatchView> {
    for file in page {
        let Some(known) = view.files.last_mut().filter(|known| known.id == file.id) else {
            view.files.push(file);
            continue;
        };
        for change in file.changes {
            match known.changes.last_mut().filter(|last| last.name == change.name) {
                Some(last) => {
                    append(&mut last.before.lines, change.before.lines);
                    append(&mut last.after.lines, change.after.lines);
                }
                None => known.changes.push(change),
            }
        }
    }
    view
}

fn append(lines: &mut Option<Vec<String>>, more: Option<Vec<String>>) {
    match (lines, more) {
        (Some(lines), Some(more)) => lines.extend(more),
        (lines, more) => *lines = lines.take().or(more),
    }
}

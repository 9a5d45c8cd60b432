//! CLI door: `show ID [CHANGE]`, one batch with its files, changes and diff, or one change of it.

use super::args::{Reader, ShowArgs};
use super::batch_ids::{self, Arguments};
use super::output::{Ending, Ports, Stop, ask, word};
use crate::doors::carry::Outcome;
use crate::doors::status::Status;
use crate::wire::Json;
use patchwright::Workspace;
use patchwright_core::outcome::{Answer, BatchView, FilePatchView, Reply};

/// So many lines are asked for at once.
const LINES: i64 = 2_000;

pub(super) fn run(args: &ShowArgs, workspace: &Workspace, ports: &mut Ports<'_>) -> Ending {
    let outcome = look(args, workspace)?;
    match (args.shown.to(), outcome) {
        (Reader::Person, Ok(Reply { answer, .. })) => {
            let text = ports.worded(&answer)?;
            ports.long(&text, args.paged.how())?;
            Ok(Status::Done)
        }
        (reader, outcome) => ports.outcome(&outcome, reader),
    }
}

fn look(args: &ShowArgs, workspace: &Workspace) -> Result<Outcome, Stop> {
    let mut arguments = vec![("batchId", word(&batch_ids::batch(workspace, &args.batch)?))];
    if let Some(change) = &args.change {
        arguments.push(("changeId", word(&batch_ids::change(change)?)));
    }
    all(workspace, &arguments)
}

/// What is asked for, over as many pages as it takes.
fn all(workspace: &Workspace, arguments: &Arguments) -> Result<Outcome, Stop> {
    let mut whole: Option<Box<BatchView>> = None;
    let mut cursor: Option<String> = None;
    loop {
        let mut asked = arguments.clone();
        asked.push(("limit", Json::Whole(LINES)));
        asked.extend(cursor.as_deref().map(|cursor| ("cursor", word(cursor))));
        let reply = match ask(workspace, "get_patch_change", asked)? {
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

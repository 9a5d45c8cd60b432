//! CLI door: `undo`. Takes back a batch, some of its changes, a file's part, a session, or everything since a batch;
//! without any of these the newest batch that is no undo itself. Shows the diff, and asks nothing.

use super::args::UndoArgs;
use super::batch_ids::{self, Arguments};
use super::output::{Ending, Ports, Stop, ask, word};
use crate::wire::Json;
use patchwright::Workspace;
use patchwright_core::outcome::{BatchSummary, Trouble};
use patchwright_core::refusal::{Missing, Refusal, Why};
use std::ops::ControlFlow;

pub(super) fn run(args: &UndoArgs, workspace: &Workspace, ports: &mut Ports<'_>) -> Ending {
    let mut arguments = what(args, workspace)?;
    arguments.push(("dryRun", Json::Flag(args.dry_run)));
    let outcome = ask(workspace, "undo", arguments)?;
    ports.settled(&outcome, args.shown.to())
}

fn what(args: &UndoArgs, workspace: &Workspace) -> Result<Arguments, Stop> {
    let changes = batch_ids::changes(&args.change)?.map(|changes| ("changeIds", changes));
    Ok(match (&args.batch, &args.path, &args.session, &args.since) {
        (Some(given), ..) => {
            let mut arguments = vec![("batchId", word(&batch_ids::batch(workspace, given)?))];
            arguments.extend(changes);
            arguments
        }
        (None, Some(path), ..) => vec![("path", word(path))],
        (None, None, Some(session), _) => vec![("sessionId", word(session))],
        (None, None, None, Some(since)) => vec![("sinceBatchId", word(&batch_ids::batch(workspace, since)?))],
        (None, None, None, None) if changes.is_some() => changes.into_iter().collect(),
        (None, None, None, None) => vec![("batchId", word(&newest(workspace)?))],
    })
}

/// The newest batch that stands and is a change, neither an undo nor a purge.
fn newest(workspace: &Workspace) -> Result<String, Stop> {
    let mut found = None;
    batch_ids::walk(workspace, &vec![("status", word("applied"))], |page| {
        found = page.into_iter().find(is_change).map(|batch| batch.name.id);
        if found.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    let nothing = || Trouble::from(Refusal::plain(Why::NotFound(Missing::Undoable)));
    found.ok_or_else(|| nothing().into())
}

fn is_change(batch: &BatchSummary) -> bool {
    batch.undoes.is_empty() && batch.changes > 0
}

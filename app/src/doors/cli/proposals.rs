//! CLI door: `proposals`, `apply-batch` and `reject`: what waits for review, and what becomes of it.

use super::args::{ApplyBatchArgs, ProposalsArgs, Reader, RejectArgs};
use super::batch_ids::{self, looked};
use super::output::{Ending, Ports, ask, word};
use crate::doors::status::Status;
use crate::wire::Json;
use patchwright::Workspace;
use patchwright_core::outcome::{BatchList, BatchStatus};
use std::ops::ControlFlow;

/// Everything that is open: what the files have outgrown too.
pub(super) fn list(args: &ProposalsArgs, workspace: &Workspace, ports: &mut Ports<'_>) -> Ending {
    let mut batches = Vec::new();
    for status in [BatchStatus::Proposed, BatchStatus::Conflicted] {
        batch_ids::walk(workspace, &vec![("status", word(status.name()))], |page| {
            batches.extend(page);
            ControlFlow::Continue(())
        })?;
    }
    batches.sort_by_key(|batch| std::cmp::Reverse(batch.author.time_ns));
    let none = batches.is_empty();
    let reply = looked(BatchList { batches, ..BatchList::default() });
    if args.shown.to() == Reader::Program {
        return ports.outcome(&Ok(reply), Reader::Program);
    }
    if none {
        ports.say("No proposal waits for review")?;
    } else {
        let text = ports.worded(&reply.answer)?;
        ports.long(&text, args.paged.how())?;
    }
    Ok(Status::Done)
}

pub(super) fn apply(args: &ApplyBatchArgs, workspace: &Workspace, ports: &mut Ports<'_>) -> Ending {
    let mut arguments = vec![("rebase", Json::Flag(args.rebase)), ("dryRun", Json::Flag(args.dry_run))];
    if let Some(given) = &args.batch {
        arguments.push(("batchId", word(&batch_ids::batch(workspace, given)?)));
    }
    let changes = batch_ids::changes(&args.change)?;
    arguments.extend(changes.map(|changes| ("changeIds", changes)));
    let outcome = ask(workspace, "apply_batch", arguments)?;
    ports.settled(&outcome, args.shown.to())
}

pub(super) fn reject(args: &RejectArgs, workspace: &Workspace, ports: &mut Ports<'_>) -> Ending {
    let mut arguments = vec![("batchId", word(&batch_ids::batch(workspace, &args.batch)?))];
    arguments.extend(args.reason.as_deref().map(|reason| ("reason", word(reason))));
    let outcome = ask(workspace, "reject_batch", arguments)?;
    ports.settled(&outcome, args.shown.to())
}

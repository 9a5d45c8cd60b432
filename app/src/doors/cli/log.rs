//! CLI door: `log`, what was done and what is proposed, newest first.

use super::args::{LogArgs, Reader};
use super::audit::sentence;
use super::batch_ids::{self, Arguments};
use super::output::{Ending, Ports, Stop, word};
use crate::doors::carry::Outcome;
use crate::doors::status::Status;
use patchwright::Workspace;
use patchwright_core::outcome::{Answer, BatchList, BatchStatus, DiskState, Failed, Fault, Reply, Trouble};
use patchwright_core::tool::{After, ListBatches};

pub(super) fn run(args: &LogArgs, workspace: &Workspace, ports: &mut Ports<'_>) -> Ending {
    let number = usize::try_from(args.number).unwrap_or(usize::MAX);
    let outcome = batch_ids::newest(workspace, &arguments(args, workspace)?, number)?;
    match outcome {
        Err(Failed { trouble: Trouble::Fault(Fault { state: DiskState::Damaged, .. }), .. }) => {
            let told = before_damage(args, workspace)?;
            show(args, Ok(told), ports)?;
            Ok(damage(workspace, ports)?)
        }
        outcome => show(args, outcome, ports),
    }
}

fn show(args: &LogArgs, outcome: Outcome, ports: &mut Ports<'_>) -> Ending {
    let number = usize::try_from(args.number).unwrap_or(usize::MAX);
    match (args.shown.to(), outcome) {
        (Reader::Person, Ok(Reply { answer: Answer::Batches(list), .. })) => {
            let more = list.next_cursor.is_some();
            let whole = Answer::Batches(BatchList { next_cursor: None, ..list });
            let mut text = ports.worded(&whole)?;
            if more {
                text.extend_from_slice(
                    format!("… there are more: -n {} shows them\n", number.saturating_mul(4)).as_bytes(),
                );
            }
            ports.long(&text, args.paged.how())?;
            Ok(Status::Done)
        }
        (reader, outcome) => ports.outcome(&outcome, reader),
    }
}

fn arguments(args: &LogArgs, workspace: &Workspace) -> Result<Arguments, Stop> {
    let since = args.since.as_deref().map(|since| after(since, workspace)).transpose()?;
    let given = [("path", &args.path), ("sessionId", &args.session), ("since", &since), ("status", &args.status)];
    Ok(given.into_iter().filter_map(|(name, value)| Some((name, word(value.as_deref()?)))).collect())
}

/// What a damaged record still tells.
fn before_damage(args: &LogArgs, workspace: &Workspace) -> Result<Reply, Stop> {
    let number = usize::try_from(args.number).unwrap_or(usize::MAX);
    let ask = ListBatches {
        path: args.path.clone(),
        session: args.session.clone(),
        since: args.since.as_deref().and_then(After::parse),
        status: args.status.as_deref().and_then(BatchStatus::named),
        limit: Some(number),
        ..ListBatches::default()
    };
    Ok(workspace.list_batches_before_damage(&ask)?)
}

/// Where the record is damaged.
fn damage(workspace: &Workspace, ports: &mut Ports<'_>) -> Result<Status, Stop> {
    ports.output.flush()?;
    for finding in workspace.audit_verify(None)?.findings {
        ports.complain(&sentence(&finding));
    }
    ports.complain("only what was done before that is listed, as it stood then; `patchwright audit export` has what can be read behind it");
    Ok(Status::Refused)
}

/// A time, an age, or a batch by its id or the beginning of it.
fn after(since: &str, workspace: &Workspace) -> Result<String, Stop> {
    match After::parse(since) {
        Some(After::Batch(id)) => batch_ids::batch(workspace, &id),
        _ => Ok(since.to_owned()),
    }
}

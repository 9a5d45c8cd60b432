//! CLI door: `review`, `accept` and `reject`: what waits for somebody to decide, and what becomes of it.

use super::args::{AcceptArgs, Reader, RejectArgs, ReviewArgs, ShowArgs};
use super::names::{self, Named, looked, summaries};
use super::output::Ports;
use super::settle;
use super::show;
use super::stop::{Ending, Stop};
use crate::doors::call::{Outcome, ask};
use crate::doors::exit_code::Status;
use crate::report::people::{Deed, Part, Standing, Waiting, review};
use crate::wire::Json;
use patchwright_core::batch::BatchStatus;
use patchwright_core::outcome::{BatchList, BatchSummary, Failed, Trouble};
use patchwright_core::refusal::{ConflictReason, Refusal, Why};
use patchwright_core::tool::ListBatches;
use patchwright_engine::Session;

/// Everything that is open: what the files have outgrown too.
pub(super) fn run(args: &ReviewArgs, session: &Session, ports: &mut Ports<'_>) -> Ending {
    if let Some(name) = &args.batch {
        return one(name, session, ports);
    }
    let batches = waiting(session)?;
    if ports.reader() == Reader::Program {
        return ports.outcome(&Ok(looked(BatchList { batches, ..BatchList::default() })));
    }
    if batches.is_empty() {
        ports.say("Nothing waits for you")?;
        return Ok(Status::Done);
    }
    let most = usize::try_from(args.limit).unwrap_or(usize::MAX);
    let left_out = batches.len().saturating_sub(most);
    let rows: Vec<Waiting> =
        batches.into_iter().take(most).map(|batch| Waiting { standing: standing(session, &batch), batch }).collect();
    let text = review(&rows, ports.view());
    ports.long(&text)?;
    if left_out > 0 {
        return Ok(ports
            .hint(&format!("… {left_out} more: patchwright review -n {}", rows.len() + left_out))
            .map(|()| Status::Done)?);
    }
    if let [first, ..] = rows.as_slice() {
        let name = &first.batch.name;
        ports.hint(&format!("See one and decide: patchwright review {name}"))?;
    }
    Ok(Status::Done)
}

/// One proposal, with what can be done about it.
fn one(name: &str, session: &Session, ports: &mut Ports<'_>) -> Ending {
    let args = ShowArgs { batch: name.to_owned(), change: None, stat: false };
    let status = show::run(&args, session, ports)?;
    if status == Status::Done
        && let Ok(view) = names::view(session, &names::id(session, name)?)?
        && matches!(view.summary.status, BatchStatus::Proposed | BatchStatus::Conflicted)
    {
        let name = &view.summary.name;
        match standing(session, &view.summary) {
            Standing::Fits => {
                ports.hint(&format!("Decide: patchwright accept {name}, or patchwright reject {name}"))?
            }
            Standing::Changed(line) => {
                let what = line.map_or("the file".to_owned(), |line| format!("line {line}"));
                ports.say(&format!("! {what} has changed since: {name} does not go in as it is"))?;
                ports.hint(&format!("See why: patchwright accept {name} -n"))?;
            }
            Standing::Not(why) => ports.say(&format!("! {why}: {name} does not go in"))?,
        }
    }
    Ok(status)
}

/// Everything that is open, newest first.
pub(super) fn waiting(session: &Session) -> Result<Vec<BatchSummary>, Stop> {
    let mut batches = Vec::new();
    for status in [BatchStatus::Proposed, BatchStatus::Conflicted] {
        let ask = ListBatches { status: Some(status), ..ListBatches::default() };
        let list = names::newest(session, &ask, usize::MAX, &mut |_| true)?.map_err(|failed| failed.trouble)?;
        batches.extend(list.batches);
    }
    batches.sort_by_key(|batch| std::cmp::Reverse(batch.name.number));
    Ok(batches)
}

/// Would it go in now?
pub(super) fn standing(session: &Session, batch: &BatchSummary) -> Standing {
    let Ok(places) = session.in_the_way_of(&batch.name.id) else {
        return Standing::Not("cannot be carried out".to_owned());
    };
    let Some(place) = places.first() else { return Standing::Fits };
    match &place.reason {
        ConflictReason::Gone | ConflictReason::Removed { .. } => Standing::Not("the file is gone".to_owned()),
        ConflictReason::Moved => Standing::Not("the file was moved".to_owned()),
        ConflictReason::Occupied => Standing::Not("something stands there".to_owned()),
        _ => Standing::Changed(place.lines.map(|(first, _)| first)),
    }
}

pub(super) fn accept(args: &AcceptArgs, session: &Session, ports: &mut Ports<'_>) -> Ending {
    let given: Vec<&String> = args.names.iter().chain(&args.change).collect();
    let proposal = proposal(&given, args)?;
    let about = summaries(session, given.iter().map(|name| name.as_str()))?;
    let accepted = |rebase: bool, dry_run: bool| {
        let mut arguments = proposal.clone();
        arguments.extend([("rebase", Json::Flag(rebase)), ("dryRun", Json::Flag(dry_run))]);
        ask(session, "apply_batch", arguments)
    };
    let mut outcome = accepted(args.rebase, args.dry_run)?;
    if !args.rebase && has_moved_ground(&outcome) {
        // Where carrying it over would not do either, what is in the way of that is what a person has to know.
        outcome = Some(accepted(true, true)?).filter(Result::is_err).unwrap_or(outcome);
    }
    settle::tell(&outcome, settle::About::batches(Deed::Accept, about), settle::lines(args.patch), session, ports)
}

/// The arguments that name what is accepted: a batch, changes of one, or both.
fn proposal(given: &[&String], args: &AcceptArgs) -> Result<Vec<(&'static str, Json)>, Stop> {
    let mut arguments = Vec::new();
    let mut changes = Vec::new();
    for name in given {
        match names::read(name) {
            Named::Batch(id) if given.len() == 1 || args.names.first() == Some(*name) => {
                arguments.push(("batchId", Json::text(&id)));
            }
            Named::Batch(id) | Named::Change(id) => changes.push(Json::text(&id)),
            Named::Last | Named::Other(_) => return Err(no_proposal(name)),
        }
    }
    if !changes.is_empty() {
        arguments.push(("changeIds", Json::List(changes)));
    }
    Ok(arguments)
}

/// Was a proposal refused because its files have changed?
fn has_moved_ground(outcome: &Outcome) -> bool {
    let Err(Failed { trouble: Trouble::Refused(Refusal { why: Why::Conflict(conflict), .. }), .. }) = outcome else {
        return false;
    };
    conflict.places.iter().any(|place| place.reason == ConflictReason::GroundMoved)
}

pub(super) fn reject(args: &RejectArgs, session: &Session, ports: &mut Ports<'_>) -> Ending {
    let id = match names::read(&args.batch) {
        Named::Batch(id) => id,
        _ => return Err(no_proposal(&args.batch)),
    };
    let about = summaries(session, [id.as_str()])?;
    let mut arguments = vec![("batchId", Json::text(&id)), ("dryRun", Json::Flag(args.dry_run))];
    arguments.extend(args.reason.as_deref().map(|reason| ("reason", Json::text(reason))));
    let outcome = ask(session, "reject_batch", arguments)?;
    settle::tell(&outcome, settle::About::batches(Deed::Reject, about), Part::Files, session, ports)
}

fn no_proposal(given: &str) -> Stop {
    Stop::usage(format!("{given:?} is no proposal; `patchwright review` has their names, such as b10"))
}

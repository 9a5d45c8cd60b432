//! CLI door: `log`, what was done and what is proposed, newest first.

use super::args::{LogArgs, Reader};
use super::findings::sentence;
use super::names::{self, after, looked};
use super::output::Ports;
use super::place::typed;
use super::review::standing;
use super::show;
use super::stop::{Ending, Stop};
use crate::doors::call::Outcome;
use crate::doors::exit_code::Status;
use crate::report::people::{More, Standing, View, by, log, quoted};
use patchwright_core::batch::BatchStatus;
use patchwright_core::outcome::{Answer, BatchSummary, BatchView, DiskState, Failed, Fault, Reply, Trouble};
use patchwright_core::tool::{ListBatches, PathFilter};
use patchwright_engine::Session;

pub(super) fn run(args: &LogArgs, session: &Session, ports: &mut Ports<'_>) -> Ending {
    let ask = asked(args, session, ports)?;
    let outcome = names::newest(session, &ask, number(args), &mut |batch| is_by(args, batch))?;
    match outcome {
        Err(Failed { trouble: Trouble::Fault(Fault { state: DiskState::Damaged, .. }), .. }) => {
            let before = ListBatches { limit: Some(number(args)), ..ask };
            let told = session.list_batches_before_damage(&before)?;
            show_reply(args, session, Ok(told), ports)?;
            damage(session, ports)
        }
        outcome => show_reply(args, session, outcome.map(looked), ports),
    }
}

fn number(args: &LogArgs) -> usize {
    usize::try_from(args.limit).unwrap_or(usize::MAX)
}

fn is_by(args: &LogArgs, batch: &BatchSummary) -> bool {
    args.who.as_deref().is_none_or(|name| by(&batch.author).eq_ignore_ascii_case(name))
}

fn show_reply(args: &LogArgs, session: &Session, outcome: Outcome, ports: &mut Ports<'_>) -> Ending {
    let Ok(Reply { answer: Answer::Batches(list), .. }) = &outcome else { return ports.outcome(&outcome) };
    if let (Some(name), true) = (&args.who, list.batches.is_empty()) {
        return Err(Stop::refused(format!("nothing of anybody called {name} is on record here, or fits")));
    }
    if ports.reader() == Reader::Program {
        return ports.outcome(&outcome);
    }
    if list.batches.is_empty() {
        return nothing(args, session, ports);
    }
    let lines = if args.patch { with_lines(session, &list.batches)? } else { Vec::new() };
    let mut shown = list.batches.get(..number(args).min(list.batches.len())).unwrap_or_default().to_vec();
    // What no longer fits is known only by looking at the files.
    for batch in shown.iter_mut().filter(|batch| batch.status == BatchStatus::Proposed) {
        if standing(session, batch) != Standing::Fits {
            batch.status = BatchStatus::Conflicted;
        }
    }
    let shown = shown.as_slice();
    let cut = list.next_cursor.is_some() || shown.len() < list.batches.len();
    let more = match more(args, shown, cut) {
        More::Some { count, command } => More::Some { count, command: ports.manner.typed.same_place(&command) },
        More::No => More::No,
    };
    let text = log(shown, &lines, &more, ports.view());
    ports.long(&text)?;
    Ok(Status::Done)
}

/// Nothing fits: that is no empty answer, but says what was looked for.
fn nothing(args: &LogArgs, session: &Session, ports: &mut Ports<'_>) -> Ending {
    let some = names::newest(session, &ListBatches::default(), 1, &mut |_| true)?;
    let empty = some.is_ok_and(|list| list.batches.is_empty());
    let narrowed = args.path.is_some() || args.session.is_some();
    if empty && session.damage()?.is_some() {
        ports.complain("patchwright: nothing of the record can be read");
        return Ok(Status::Refused);
    }
    if empty {
        ports.say("Nothing is on record here: no batch was made in this workspace yet")?;
    } else {
        ports.say("No batch fits")?;
    }
    Ok(if empty || !narrowed { Status::Done } else { Status::Refused })
}

fn with_lines(session: &Session, batches: &[BatchSummary]) -> Result<Vec<BatchView>, Stop> {
    let mut views = Vec::new();
    for batch in batches {
        if let Ok(Reply { answer: Answer::Batch(view), .. }) = show::all(session, &batch.name.id)? {
            views.push(*view);
        }
    }
    Ok(views)
}

/// What is left out, with the command that shows it.
fn more(args: &LogArgs, shown: &[BatchSummary], cut: bool) -> More {
    if !cut {
        return More::No;
    }
    let narrowed =
        [&args.path, &args.who, &args.session, &args.since, &args.status].iter().any(|given| given.is_some());
    // Batches are numbered one after the other, so the newest number tells how many there are.
    let newest = shown.iter().map(|batch| batch.name.number).max().unwrap_or(0);
    let count = newest.checked_sub(shown.len() as u64).filter(|count| !narrowed && *count > 0);
    let wanted = count.map_or(u64::from(args.limit).saturating_mul(4), |count| count + shown.len() as u64);
    let mut command = "patchwright log".to_owned();
    let flags =
        [("--who ", &args.who), ("--session ", &args.session), ("--since ", &args.since), ("--status ", &args.status)];
    for (flag, value) in [("", &args.path)].into_iter().chain(flags) {
        command.extend(value.as_deref().map(|value| format!(" {flag}{}", quoted(value))));
    }
    More::Some { count, command: format!("{command} -n {wanted}") }
}

fn asked(args: &LogArgs, session: &Session, ports: &Ports<'_>) -> Result<ListBatches, Stop> {
    let since = args.since.as_deref().map(|since| after(since, session)).transpose()?;
    let of_session = args.session.as_deref().map(|given| names::session(session, given)).transpose()?;
    let ask = ListBatches {
        session: of_session,
        since,
        status: args.status.as_deref().and_then(BatchStatus::named),
        ..ListBatches::default()
    };
    match &args.path {
        None => Ok(ask),
        Some(path) => narrowed(ask, path, session, ports.view()),
    }
}

/// Only what touches a path, a folder or a glob. A name that neither stands here nor is on record is a slip.
fn narrowed(ask: ListBatches, given: &str, session: &Session, view: &View) -> Result<ListBatches, Stop> {
    let name = PathFilter::Below(typed(given, view));
    let glob = match PathFilter::parse(given) {
        PathFilter::Glob { glob, .. } => Some(from_folder(&view.here, &glob)),
        _ => None,
    };
    // A name may look like a glob, and then means itself.
    let matching = match (is_known(&name, session)?, glob) {
        (true, _) => name,
        (false, Some(glob)) if is_known(&glob, session)? => glob,
        _ => return Err(Stop::refused(format!("nothing that was done or proposed here touches {given}"))),
    };
    Ok(ListBatches { matching, ..ask })
}

/// A glob that climbs counts from a folder further up.
fn from_folder(here: &str, glob: &str) -> PathFilter {
    let (mut folder, mut glob) = (here, glob);
    while let Some(rest) = glob.strip_prefix("../").filter(|_| !folder.is_empty()) {
        folder = folder.rsplit_once('/').map_or("", |(above, _)| above);
        glob = rest;
    }
    PathFilter::Glob { folder: folder.to_owned(), glob: glob.to_owned() }
}

/// Of a damaged record nothing can be told but what stands before the damage: then any name may be meant.
fn is_known(paths: &PathFilter, session: &Session) -> Result<bool, Stop> {
    match session.is_on_record(paths) {
        Err(Trouble::Fault(Fault { state: DiskState::Damaged, .. })) => Ok(true),
        found => Ok(found?),
    }
}

/// Where the record is damaged.
fn damage(session: &Session, ports: &mut Ports<'_>) -> Ending {
    ports.output.flush()?;
    for finding in session.audit_verify(None)?.findings {
        ports.complain(&sentence(&finding));
    }
    ports.complain("only what was done before that is listed, as it stood then; `patchwright audit export` has what can be read behind it");
    Ok(Status::Refused)
}

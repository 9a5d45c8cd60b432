//! CLI door: `undo` and `redo`. Takes back batches, changes, a file's part, a session, or everything since; without any of
//! these the newest change.

use super::args::{RedoArgs, UndoArgs};
use super::names::{self, Named, after, summaries};
use super::output::Ports;
use super::place::typed;
use super::settle;
use super::stop::{Ending, Stop};
use crate::doors::call::Outcome;
use crate::report::people::refusal::{Part, rest_without};
use crate::report::people::{Deed, View, by};
use patchwright_core::batch::{Author, BatchName, BatchStatus, ChangeName};
use patchwright_core::outcome::{Answer, BatchSummary, Failed, FilePatchView, LineOrigin, Trouble};
use patchwright_core::refusal::{Conflict, LineBy, Missing, Refusal, SinceBatch, Why};
use patchwright_core::tool::{Call, ExplainLines, ListBatches, PathFilter, Run, Shared, Undo, UndoWhat};
use patchwright_engine::{Quiet, Session};
use std::iter::repeat;

pub(super) fn run(args: &UndoArgs, session: &Session, ports: &mut Ports<'_>) -> Ending {
    let what = what(args, session, ports)?;
    let about = about(&what, session)?;
    ports.manner.typed.batches = about.iter().map(|batch| batch.name.to_string()).collect();
    let outcome = take_back(session, what.clone(), args.dry_run).map_err(|failed| as_it_stands(failed, session));
    ports.manner.typed.rest = rest(&outcome, &what, session)?;
    settle::tell(&outcome, settle::About::batches(Deed::Undo, about), settle::lines(args.patch), session, ports)
}

/// Takes the newest undo back.
pub(super) fn again(args: &RedoArgs, session: &Session, ports: &mut Ports<'_>) -> Ending {
    let nothing = || Stop::refused("there is no undo to take back");
    let undo = session.newest_undo()?.ok_or_else(nothing)?;
    let (about, changes) = match names::view(session, &undo.id)? {
        Ok(view) => {
            let about = summaries(session, view.summary.undoes.iter().map(|name| name.id.as_str()))?;
            let undone = view.files.iter().flat_map(|file| &file.changes).flat_map(|change| change.undoes.clone());
            (about, undone.collect())
        }
        Err(_) => (Vec::new(), Vec::new()),
    };
    ports.manner.typed.batches = about.iter().map(|batch| batch.name.to_string()).collect();
    let outcome = take_back(session, UndoWhat::Batch { id: undo.id, changes: None }, args.dry_run);
    let about = settle::About { deed: Deed::Redo, batches: about, changes };
    settle::tell(&outcome, about, settle::lines(args.patch), session, ports)
}

fn take_back(session: &Session, what: UndoWhat, dry_run: bool) -> Outcome {
    let run = if dry_run { Run::Dry } else { Run::Apply };
    session.call(&Call::Undo(Undo { what, shared: Shared { run, ..Shared::default() } }), &Quiet)
}

fn what(args: &UndoArgs, session: &Session, ports: &Ports<'_>) -> Result<UndoWhat, Stop> {
    let given: Vec<&String> = args.names.iter().chain(&args.change).collect();
    match (given.as_slice(), &args.path, &args.session, &args.since) {
        ([], _, _, since) if since.is_some() || args.who.is_some() => {
            everything(since.as_deref(), args.who.as_deref(), session)
        }
        ([], Some(path), ..) => Ok(UndoWhat::Path(typed(path, ports.view()))),
        ([], _, Some(id), _) => Ok(UndoWhat::Session(names::session(session, id)?)),
        ([], ..) => newest(session),
        ([one], ..) => match names::read(one) {
            Named::Last => newest(session),
            Named::Other(name) => path_or_name(&name, session, ports.view()),
            Named::Batch(id) => Ok(UndoWhat::Batch { id, changes: None }),
            Named::Change(id) => Ok(UndoWhat::Changes(vec![id])),
        },
        (several, ..) => {
            let ids: Result<Vec<String>, Stop> = several.iter().map(|name| names::id(session, name)).collect();
            Ok(UndoWhat::Batches(ids?))
        }
    }
}

/// Where several batches go, what is in the way is found among those that are left; a person sees the files as they
/// are, and is told who wrote the lines that stand there.
fn as_it_stands(mut failed: Failed, session: &Session) -> Failed {
    if let Trouble::Refused(Refusal { why: Why::Conflict(conflict), .. }) = &mut failed.trouble {
        for place in &mut conflict.places {
            let line = place.line.as_ref().and_then(|line| line.number.filter(|_| line.actual.is_some()));
            if let Some(written) = line.and_then(|line| writer(&place.path, line, session)) {
                place.line_by = written;
            }
        }
    }
    failed
}

/// Who wrote a line, as `why` tells it.
fn writer(path: &str, line: usize, session: &Session) -> Option<LineBy> {
    let ask = ExplainLines { path: path.to_owned(), start: Some(line), end: Some(line) };
    let reply = session.call(&Call::ExplainLines(ask), &Quiet).ok()?;
    let Answer::Explained(explained) = reply.answer else { return None };
    let Some(origin) = explained.runs.into_iter().next()?.origin else { return Some(LineBy::Foreign) };
    let LineOrigin { batch, tool, author, .. } = origin;
    let author = names::view(session, &batch.id).ok()?.map_or(author, |view| view.summary.author);
    let Author { session, client, actor, role, time_ns } = author;
    let lines = vec![(line, line)];
    Some(LineBy::Batch(SinceBatch { batch, session, client, actor, role, tool, time_ns, lines, about: None }))
}

/// Of a batch that cannot go, the changes that can; of several batches, the others.
fn rest(outcome: &Outcome, what: &UndoWhat, session: &Session) -> Result<Vec<String>, Stop> {
    let Err(Failed { trouble: Trouble::Refused(Refusal { why: Why::Conflict(conflict), .. }), .. }) = outcome else {
        return Ok(Vec::new());
    };
    if matches!(what, UndoWhat::Changes(_) | UndoWhat::Path(_)) {
        return Ok(Vec::new());
    }
    if let Some(others) = others(conflict, what, session)? {
        return Ok(others);
    }
    let Some(Ok(view)) = conflict.batch.as_ref().map(|batch| names::view(session, &batch.id)).transpose()? else {
        return Ok(Vec::new());
    };
    let of_file = |file: &FilePatchView| {
        file.changes.iter().map(|change| change.name.clone()).zip(repeat(file.path.clone())).collect::<Vec<_>>()
    };
    let all: Vec<(ChangeName, String)> = view.files.iter().flat_map(of_file).collect();
    let parts: Vec<Part<'_>> = all.iter().map(|(name, path)| Part { name, path }).collect();
    let rest = rest_without(conflict, &parts);
    let goes = !rest.is_empty() && take_back(session, UndoWhat::Changes(rest.clone()), true).is_ok();
    Ok(if goes { rest } else { Vec::new() })
}

/// Of several batches those that go without the one that does not; nothing if only one was meant.
fn others(conflict: &Conflict, what: &UndoWhat, session: &Session) -> Result<Option<Vec<String>>, Stop> {
    let all: Vec<BatchName> = match what {
        UndoWhat::Batches(ids) => {
            summaries(session, ids.iter().map(String::as_str))?.into_iter().map(|one| one.name).collect()
        }
        UndoWhat::Session(id) => {
            let status = Some(BatchStatus::Applied);
            let ask = ListBatches { session: Some(id.clone()), status, ..ListBatches::default() };
            let list = names::newest(session, &ask, usize::MAX, &mut is_change)?;
            list.map(|list| list.batches.into_iter().map(|one| one.name).collect()).unwrap_or_default()
        }
        _ => return Ok(None),
    };
    let stays = |name: &&BatchName| conflict.batch.as_ref().is_none_or(|batch| batch.id != name.id);
    let mut rest: Vec<&BatchName> = all.iter().filter(stays).collect();
    rest.sort_by_key(|name| name.number);
    let names: Vec<String> = rest.iter().map(ToString::to_string).collect();
    let goes = !names.is_empty() && take_back(session, UndoWhat::Batches(names.clone()), true).is_ok();
    Ok(Some(if goes { names } else { Vec::new() }))
}

/// The newest change that stands.
fn newest(session: &Session) -> Result<UndoWhat, Stop> {
    let nothing = || Trouble::from(Refusal::plain(Why::NotFound(Missing::Undoable)));
    let name = session.newest_change()?.ok_or_else(nothing)?;
    Ok(UndoWhat::Batch { id: name.id, changes: None })
}

/// A path; or somebody's name, which belongs behind a flag.
fn path_or_name(given: &str, session: &Session, view: &View) -> Result<UndoWhat, Stop> {
    let path = typed(given, view);
    if session.is_on_record(&PathFilter::Below(path.clone()))? {
        return Ok(UndoWhat::Path(path));
    }
    let mut known = |batch: &BatchSummary| by(&batch.author).eq_ignore_ascii_case(given);
    let list = names::newest(session, &ListBatches::default(), 1, &mut known)?.map_err(|failed| failed.trouble)?;
    match list.batches.is_empty() {
        true => Ok(UndoWhat::Path(path)),
        false => {
            Err(Stop::usage(format!("{given} is no path; what {given} did goes by patchwright undo --who {given}")))
        }
    }
}

/// All that stands and came after a time or a batch, or was done by somebody.
fn everything(since: Option<&str>, who: Option<&str>, session: &Session) -> Result<UndoWhat, Stop> {
    let ask = ListBatches {
        since: since.map(|since| after(since, session)).transpose()?,
        status: Some(BatchStatus::Applied),
        ..ListBatches::default()
    };
    let mut theirs =
        |batch: &BatchSummary| is_change(batch) && who.is_none_or(|name| by(&batch.author).eq_ignore_ascii_case(name));
    let list = names::newest(session, &ask, usize::MAX, &mut theirs)?.map_err(|failed| failed.trouble)?;
    match (list.batches.as_slice(), since, who) {
        ([], Some(since), None) => Err(Stop::refused(format!("nothing stands that was done since {since}"))),
        ([], _, who) => Err(Stop::refused(format!("nothing stands that {} did", who.unwrap_or("anybody")))),
        (batches, ..) => Ok(UndoWhat::Batches(batches.iter().map(|batch| batch.name.id.clone()).collect())),
    }
}

fn is_change(batch: &BatchSummary) -> bool {
    batch.undoes.is_empty() && batch.changes > 0
}

/// The batches that are named one by one; of the others the answer tells.
fn about(what: &UndoWhat, session: &Session) -> Result<Vec<BatchSummary>, Stop> {
    match what {
        UndoWhat::Batch { id, .. } => summaries(session, [id.as_str()]),
        UndoWhat::Changes(ids) | UndoWhat::Batches(ids) => summaries(session, ids.iter().map(String::as_str)),
        UndoWhat::Path(_) | UndoWhat::Session(_) | UndoWhat::Since(_) => Ok(Vec::new()),
    }
}

//! CLI door: `why PATH[:LINE[-LINE]]`, who wrote these lines.

use super::args::{Reader, WhyArgs};
use super::names;
use super::output::Ports;
use super::place::typed;
use super::read;
use super::stop::{Ending, Stop};
use crate::doors::call::{Outcome, ask};
use crate::doors::exit_code::Status;
use crate::report::people::{Asked, Before, why};
use crate::wire::Json;
use patchwright_core::batch::Author;
use patchwright_core::outcome::{Answer, ChangeView, Explained, LineOrigin, LineRun, Reply};
use patchwright_core::tool::ReadFile;
use patchwright_engine::Session;

pub(super) fn run(args: &WhyArgs, session: &Session, ports: &mut Ports<'_>) -> Ending {
    let ReadFile { path, start_line, end_line, .. } = read::target(&args.target);
    let path = typed(&path, ports.view());
    let explain = |start: usize| explain(session, &path, start, end_line);
    let outcome = explain(start_line)?;
    let Ok(Reply { answer: Answer::Explained(first), .. }) = &outcome else { return ports.outcome(&outcome) };
    if start_line > first.line_count.max(1) {
        return Err(no_line(first, start_line, ports));
    }
    if ports.reader() == Reader::Program {
        return ports.outcome(&outcome);
    }
    let mut whole = first.clone();
    while let Some(next) = whole.next_line {
        match explain(next)? {
            Ok(Reply { answer: Answer::Explained(more), .. }) if goes_on(&whole, &more) => {
                whole.next_line = more.next_line;
                whole.runs.extend(more.runs);
            }
            Ok(_) => return Err(Stop::usage(format!("{path} was changed while it was looked at; try again"))),
            failed => return ports.outcome(&failed),
        }
    }
    with_names(&mut whole, session)?;
    tell(&whole, start_line, end_line, session, ports)
}

fn tell(whole: &Explained, start: usize, end: Option<usize>, session: &Session, ports: &mut Ports<'_>) -> Ending {
    let one = end == Some(start);
    let before = match whole.runs.as_slice() {
        [LineRun { origin: Some(origin), first, .. }] if one => before(session, origin, *first)?,
        _ => Before::default(),
    };
    let asked = if one { Asked::One } else { Asked::Several };
    let text = why(whole, asked, &before, ports.view());
    ports.long(&text)?;
    if whole.runs.iter().all(|run| run.origin.is_none()) && !session.has_record()? {
        ports.complain("no record of changes stands here: who wrote these lines cannot be told");
    }
    Ok(Status::Done)
}

fn no_line(whole: &Explained, line: usize, ports: &Ports<'_>) -> Stop {
    let lines = if whole.line_count == 1 { "one line".to_owned() } else { format!("{} lines", whole.line_count) };
    Stop::refused(format!("{} has no line {line}: it has {lines}", ports.view().path(&whole.path)))
}

/// Lines know the client that wrote them; for whom it did is told by the batch.
fn with_names(whole: &mut Explained, session: &Session) -> Result<(), Stop> {
    let mut known: Vec<(String, Author)> = Vec::new();
    for origin in whole.runs.iter_mut().filter_map(|run| run.origin.as_mut()) {
        let found = known.iter().find(|(id, _)| *id == origin.batch.id).map(|(_, author)| author.clone());
        let author = match found {
            Some(author) => author,
            None => {
                let author =
                    names::view(session, &origin.batch.id)?.map_or(origin.author.clone(), |view| view.summary.author);
                known.push((origin.batch.id.clone(), author.clone()));
                author
            }
        };
        origin.author.actor = author.actor;
    }
    Ok(())
}

/// What a line was before the change that brought it, and what the batch is for.
fn before(session: &Session, origin: &LineOrigin, line: usize) -> Result<Before, Stop> {
    let Ok(view) = names::view(session, &origin.change.id)? else { return Ok(Before::default()) };
    let change = view.files.iter().flat_map(|file| &file.changes).find(|change| change.name.id == origin.change.id);
    Ok(Before { label: view.summary.label.clone(), line: change.and_then(|change| replaced(change, line)) })
}

/// The line that stood in the same place of the change. Of one that has moved since, it is known only where the change
/// brought a single line.
fn replaced(change: &ChangeView, line: usize) -> Option<String> {
    let lines = change.before.whole()?;
    let at = match change.after.count {
        1 => 0,
        _ => line.checked_sub(change.after.first)?,
    };
    lines.get(at).filter(|_| change.before.count == change.after.count || change.after.count == 1).cloned()
}

/// Is it the same file still, and further down?
fn goes_on(whole: &Explained, more: &Explained) -> bool {
    more.sha256 == whole.sha256 && more.next_line.is_none_or(|next| Some(next) > whole.next_line)
}

fn explain(session: &Session, path: &str, start: usize, end: Option<usize>) -> Result<Outcome, Stop> {
    let whole = |line: usize| Json::Whole(i64::try_from(line).unwrap_or(i64::MAX));
    let mut arguments = vec![("path", Json::text(path)), ("startLine", whole(start))];
    arguments.extend(end.map(|end| ("endLine", whole(end))));
    Ok(ask(session, "explain_lines", arguments)?)
}

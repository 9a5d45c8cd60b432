//! CLI door: `why PATH[:LINE[-LINE]]`, who wrote these lines.

use super::args::{Reader, WhyArgs};
use super::output::{Ending, Ports, Stop, ask, word};
use super::read;
use crate::doors::carry::Outcome;
use crate::doors::status::Status;
use crate::wire::Json;
use patchwright::Workspace;
use patchwright_core::outcome::{Answer, Explained, Reply};
use patchwright_core::tool::ReadFile;

pub(super) fn run(args: &WhyArgs, workspace: &Workspace, ports: &mut Ports<'_>) -> Ending {
    let ReadFile { path, start_line, end_line, .. } = read::target(&args.target);
    let explain = |start: usize| explain(workspace, &path, start, end_line);
    let outcome = explain(start_line)?;
    let (Reader::Person, Ok(Reply { answer: Answer::Explained(first), .. })) = (args.shown.to(), &outcome) else {
        return ports.outcome(&outcome, args.shown.to());
    };
    let mut whole = first.clone();
    while let Some(next) = whole.next_line {
        match explain(next)? {
            Ok(Reply { answer: Answer::Explained(more), .. }) if goes_on(&whole, &more) => {
                whole.next_line = more.next_line;
                whole.runs.extend(more.runs);
            }
            Ok(_) => return Err(Stop::usage(format!("{path} was changed while it was looked at; try again"))),
            failed => return ports.outcome(&failed, Reader::Person),
        }
    }
    let text = ports.worded(&Answer::Explained(whole))?;
    ports.long(&text, args.paged.how())?;
    Ok(Status::Done)
}

/// Is it the same file still, and further down?
fn goes_on(whole: &Explained, more: &Explained) -> bool {
    more.sha256 == whole.sha256 && more.next_line.is_none_or(|next| Some(next) > whole.next_line)
}

fn explain(workspace: &Workspace, path: &str, start: usize, end: Option<usize>) -> Result<Outcome, Stop> {
    let whole = |line: usize| Json::Whole(i64::try_from(line).unwrap_or(i64::MAX));
    let mut arguments = vec![("path", word(path)), ("startLine", whole(start))];
    arguments.extend(end.map(|end| ("endLine", whole(end))));
    ask(workspace, "explain_lines", arguments)
}

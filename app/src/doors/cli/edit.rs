//! CLI door: `edit PATH`. Operations on lines that anchors name, as JSON or one of them by flags.

use super::args::{EditArgs, Reader};
use super::call::not_json;
use super::input;
use super::output::Ports;
use super::place::typed;
use super::settle;
use super::stop::{Ending, Stop};
use crate::doors::call::{Outcome, ask};
use crate::doors::exit_code::Status;
use crate::doors::open::Opened;
use crate::report::people::{Deed, Done, FileLine, View, coloured, done, refusal};
use crate::wire::{self, Json};
use patchwright_core::outcome::{Answer, Extent, Operation, Reply, Trouble};
use patchwright_core::policy::Limits;

type Fields = Vec<(&'static str, Json)>;

pub(super) fn run(args: &EditArgs, opened: &Opened, ports: &mut Ports<'_>) -> Ending {
    let operations = operations(args, opened.limits, ports)?;
    let outcome = ask(&opened.session, "edit", arguments(args, operations, ports.view()))?;
    if ports.reader() == Reader::Program {
        return ports.outcome(&outcome);
    }
    show(args, &outcome, ports)
}

fn arguments(args: &EditArgs, operations: Json, view: &View) -> Fields {
    let mut arguments = vec![
        ("path", Json::text(&typed(&args.path, view))),
        ("operations", operations),
        ("safety_check", Json::text(args.safety.word())),
        ("dryRun", Json::Flag(args.dry_run)),
    ];
    arguments.extend(args.sha256.as_deref().map(|sha256| ("expectedSha256", Json::text(sha256))));
    arguments.extend(args.encoding.as_deref().map(|charset| ("encoding", Json::text(charset))));
    arguments.extend(args.final_newline.map(|ends| ("finalNewline", Json::Flag(ends))));
    arguments.extend(args.executable.map(|runs| ("executable", Json::Flag(runs))));
    arguments
}

fn operations(args: &EditArgs, limits: Limits, ports: &mut Ports<'_>) -> Result<Json, Stop> {
    const OPERATIONS: &str = "the operations";
    match args.operations.as_deref() {
        Some("-") => parsed(&input::text(input::piped(ports, limits, OPERATIONS)?, OPERATIONS, "standard input")?),
        Some(text) => parsed(text),
        None => {
            let content = content(args, limits, ports)?;
            let fields = operation(args, content).into_iter().map(|(name, value)| (name.to_owned(), value));
            Ok(Json::List(vec![Json::Object(fields.collect())]))
        }
    }
}

fn parsed(text: &str) -> Result<Json, Stop> {
    wire::parse_json(text).map_err(|refusal| match not_json(&refusal) {
        Some(message) => Stop::usage(format!("the operations are not valid JSON: {message}")),
        None => Trouble::Refused(refusal).into(),
    })
}

/// The new lines: given at once, piped, or in a file, which may lie anywhere.
fn content(args: &EditArgs, limits: Limits, ports: &mut Ports<'_>) -> Result<Option<String>, Stop> {
    const LINES: &str = "the new lines";
    match (args.with.as_ref(), args.from.as_deref()) {
        (Some(text), _) => Ok(Some(text.clone())),
        (None, Some("-")) => input::text(input::piped(ports, limits, LINES)?, LINES, "standard input").map(Some),
        (None, Some(file)) => input::text(input::file(file, limits, LINES)?, LINES, file).map(Some),
        (None, None) => Ok(None),
    }
}

/// The one operation that flags describe.
fn operation(args: &EditArgs, content: Option<String>) -> Fields {
    let mut fields = match (&args.replace, &args.after, &args.before, &args.delete) {
        (Some(reach), ..) => reaching(reach, "replace_line", "replace_range"),
        (_, Some(anchor), ..) => vec![("op", Json::text("insert_after")), ("hash", Json::text(anchor))],
        (_, _, Some(anchor), _) => vec![("op", Json::text("insert_before")), ("hash", Json::text(anchor))],
        (.., reach) => reaching(reach.as_deref().unwrap_or_default(), "delete_line", "delete_range"),
    };
    fields.extend(content.map(|lines| ("content", Json::Text(lines))));
    fields.extend(args.was.as_deref().map(|was| ("was", Json::text(was))));
    fields.extend(args.occurrence.map(|number| ("occurrence", Json::Whole(number.into()))));
    fields
}

/// `ANCHOR` is a line, `ANCHOR..ANCHOR` a range.
fn reaching(reach: &str, line: &'static str, range: &'static str) -> Fields {
    match reach.split_once("..") {
        Some((start, end)) => {
            vec![("op", Json::text(range)), ("start_hash", Json::text(start)), ("end_hash", Json::text(end))]
        }
        None => vec![("op", Json::text(line)), ("hash", Json::text(reach))],
    }
}

fn show(args: &EditArgs, outcome: &Outcome, ports: &mut Ports<'_>) -> Ending {
    let Ok(reply @ Reply { answer: Answer::Edited(edit), .. }) = outcome else { return ports.outcome(outcome) };
    ports.warn(reply);
    if edit.extent == Extent::Unchanged {
        ports.say("The file already is so; nothing was changed")?;
        return Ok(Status::Done);
    }
    for doubt in &edit.facts.doubts {
        ports.complain(&format!("warning: this looks like a slip: {}", refusal::doubt(doubt)));
    }
    let name = edit.batch.as_ref().filter(|_| edit.extent == Extent::Done);
    let files = vec![FileLine::new(Operation::Update, &edit.path, &edit.facts.diff)];
    let told = Done { deed: Deed::Edit, extent: edit.extent, about: &[], changes: &[], name, files };
    let mut text = done(&told, ports.view());
    if args.patch {
        text.push_str(&coloured(&edit.facts.diff, ports.view()));
    }
    ports.put(&text)?;
    settle::hint_of(Deed::Edit, name, ports)?;
    Ok(Status::Done)
}

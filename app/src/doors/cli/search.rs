//! CLI door: `search`, below where one stands. No hit is exit status 1.

use super::args::{Mode, Reader, SearchArgs};
use super::output::Ports;
use super::place::typed;
use super::stop::Ending;
use crate::doors::call::ask;
use crate::doors::exit_code::Status;
use crate::report::people::{View, hits};
use crate::wire::Json;
use patchwright_core::outcome::{Answer, Reply};
use patchwright_engine::Session;

pub(super) fn run(args: &SearchArgs, session: &Session, ports: &mut Ports<'_>) -> Ending {
    let outcome = ask(session, "search_files", arguments(args, ports.view()))?;
    let Ok(Reply { answer: Answer::Hits(found), .. }) = &outcome else { return ports.outcome(&outcome) };
    if ports.reader() == Reader::Program {
        let status = ports.outcome(&outcome)?;
        return Ok(if found.matches.is_empty() { Status::Refused } else { status });
    }
    let text = hits(found, ports.view());
    ports.put(&text)?;
    if found.truncated {
        ports.complain(&format!("only the first {} hits are shown; -n asks for more", found.matches.len()));
    }
    Ok(if found.matches.is_empty() { Status::Refused } else { Status::Done })
}

fn arguments(args: &SearchArgs, view: &View) -> Vec<(&'static str, Json)> {
    let mode = match args.mode {
        Mode::Text => "text",
        Mode::Regex => "regex",
        Mode::Path => "path",
    };
    let (out, within): (Vec<&String>, Vec<&String>) = args.glob.iter().partition(|glob| glob.starts_with('!'));
    let globs = |globs: Vec<&String>| {
        Json::List(
            globs
                .into_iter()
                .map(|glob| Json::text(&any_depth(glob.strip_prefix('!').unwrap_or(glob), view)))
                .collect(),
        )
    };
    let query = match args.mode {
        Mode::Path => any_depth(&args.query, view),
        Mode::Text | Mode::Regex => args.query.clone(),
    };
    let root = if view.here.is_empty() { "." } else { &view.here };
    vec![
        ("query", Json::text(&query)),
        ("root", Json::text(root)),
        ("mode", Json::text(mode)),
        ("includeGlobs", globs(within)),
        ("excludeGlobs", globs(out)),
        ("maxResults", Json::Whole(args.limit.into())),
        ("contextLines", Json::Whole(args.context.into())),
        ("caseSensitive", Json::Flag(!args.ignore_case)),
        ("hashes", Json::Flag(args.hashes)),
    ]
}

/// A glob without a folder fits at any depth; one with folders counts from here.
fn any_depth(glob: &str, view: &View) -> String {
    if glob.contains('/') { typed(glob, view) } else { format!("**/{glob}") }
}

//! CLI door: `search`, one hit a line as `path:line:column: text`, with the lines around it on request.

use super::args::{Mode, Reader, SearchArgs};
use super::output::{Ending, Ports, Screen, ask, word};
use crate::doors::status::Status;
use crate::report::for_terminal;
use crate::wire::Json;
use clap::builder::styling::{AnsiColor, Style};
use patchwright::Workspace;
use patchwright_core::outcome::{Answer, Hit, Hits, Place, Reply};
use std::borrow::Cow;
use std::io;

pub(super) fn run(args: &SearchArgs, workspace: &Workspace, ports: &mut Ports<'_>) -> Ending {
    let outcome = ask(workspace, "search_files", arguments(args))?;
    match (&outcome, args.shown.to()) {
        (Ok(Reply { answer: Answer::Hits(hits), .. }), Reader::Person) => {
            show(hits, ports)?;
            Ok(Status::Done)
        }
        (outcome, reader) => ports.outcome(outcome, reader),
    }
}

fn arguments(args: &SearchArgs) -> Vec<(&'static str, Json)> {
    let mode = match args.mode {
        Mode::Text => "text",
        Mode::Regex => "regex",
        Mode::Path => "path",
    };
    let (out, within): (Vec<&String>, Vec<&String>) = args.glob.iter().partition(|glob| glob.starts_with('!'));
    let globs = |globs: Vec<&String>| {
        Json::List(globs.into_iter().map(|glob| word(glob.strip_prefix('!').unwrap_or(glob))).collect())
    };
    vec![
        ("query", word(&args.query)),
        ("mode", word(mode)),
        ("includeGlobs", globs(within)),
        ("excludeGlobs", globs(out)),
        ("maxResults", Json::Whole(args.max.into())),
        ("contextLines", Json::Whole(args.context.into())),
        ("caseSensitive", Json::Flag(!args.ignore_case)),
        ("hashes", Json::Flag(args.hashes)),
    ]
}

fn show(hits: &Hits, ports: &mut Ports<'_>) -> io::Result<()> {
    let paint = Paint::new(ports.screen);
    for (at, hit) in hits.matches.iter().enumerate() {
        match &hit.place {
            None => writeln!(ports.output, "{}", paint.path(&hit.path))?,
            Some(place) => {
                let surrounded = !place.before.is_empty() || !place.after.is_empty();
                if surrounded && at > 0 {
                    writeln!(ports.output, "--")?;
                }
                show_place(hit, place, &paint, ports)?;
            }
        }
    }
    if hits.truncated {
        ports.complain(&format!("only the first {} hits are shown; --max asks for more", hits.matches.len()));
    }
    Ok(())
}

/// The hit as `path:line:column: text`, its neighbours as `path-line- text`.
fn show_place(hit: &Hit, place: &Place, paint: &Paint, ports: &mut Ports<'_>) -> io::Result<()> {
    let path = paint.path(&hit.path);
    let neighbour = |line: usize, text: &str| format!("{path}-{}- {}", paint.number(line), one_line(text));
    let first = place.line.saturating_sub(place.before.len());
    for (offset, line) in place.before.iter().enumerate() {
        writeln!(ports.output, "{}", neighbour(first + offset, line))?;
    }
    let (line, column) = (paint.number(place.line), paint.number(place.column));
    writeln!(ports.output, "{path}:{line}:{column}: {}", one_line(&found(place)))?;
    for (offset, line) in place.after.iter().enumerate() {
        writeln!(ports.output, "{}", neighbour(place.line.saturating_add(offset + 1), line))?;
    }
    Ok(())
}

/// The line, with its anchor if that was asked for.
fn found(place: &Place) -> Cow<'_, str> {
    let Some(anchor) = &place.anchor else { return Cow::Borrowed(&place.preview) };
    let mut line = String::new();
    anchor.render(&place.preview, &mut line);
    Cow::Owned(line)
}

/// Made visible, and kept to one line whatever it holds.
fn one_line(line: &str) -> String {
    for_terminal(line.trim_end_matches(['\r', '\n'])).replace('\n', "\\n")
}

/// Colours, on a terminal that wants them.
struct Paint {
    path: Style,
    number: Style,
}

impl Paint {
    fn new(screen: Screen) -> Paint {
        match screen {
            Screen::Terminal => Paint { path: AnsiColor::Magenta.on_default(), number: AnsiColor::Green.on_default() },
            Screen::PlainTerminal | Screen::Pipe => Paint { path: Style::new(), number: Style::new() },
        }
    }

    fn path(&self, path: &str) -> String {
        format!("{}{}{:#}", self.path, one_line(path), self.path)
    }

    fn number(&self, number: usize) -> String {
        format!("{}{number}{:#}", self.number, self.number)
    }
}

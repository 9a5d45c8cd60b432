//! CLI door: `apply [FILE|-]`. A patch from a file or from standard input; a line for each file that it changes.

use super::args::{ApplyArgs, Reader};
use super::input;
use super::names::{self, Named};
use super::output::Ports;
use super::settle;
use super::stop::{Ending, Stop};
use crate::doors::call::{Outcome, ask};
use crate::doors::exit_code::Status;
use crate::doors::open::{Opened, Person};
use crate::report::people::{Deed, coloured, patched};
use crate::wire::Json;
use patchwright_core::outcome::{Answer, Extent, Failed, Reply};
use patchwright_core::policy::Limits;

pub(super) fn run(args: &ApplyArgs, opened: &Opened, ports: &mut Ports<'_>) -> Ending {
    let patch = patch_text(&args.file, opened.limits, ports)?;
    let outcome = ask(&opened.session, "apply_patch", arguments(args, patch)?)?;
    if ports.reader() == Reader::Program {
        return ports.outcome(&outcome);
    }
    show(args, &outcome, ports)
}

fn arguments(args: &ApplyArgs, patch: String) -> Result<Vec<(&'static str, Json)>, Stop> {
    let mut arguments = vec![
        ("patch", Json::Text(patch)),
        ("atomic", Json::Flag(!args.no_atomic)),
        ("dryRun", Json::Flag(args.dry_run)),
        ("createParentDirectories", Json::Flag(args.create_parents)),
    ];
    arguments.extend(args.conventions.map(|conventions| ("conventions", Json::text(conventions.name()))));
    arguments.extend(args.encoding.as_deref().map(|charset| ("encoding", Json::text(charset))));
    let expected: Result<Vec<_>, Stop> = args.expect.iter().map(|pair| expectation(pair)).collect();
    arguments.push(("expectedSha256ByPath", Json::Object(expected?)));
    let charsets: Result<Vec<_>, Stop> = args.encoding_for.iter().map(|pair| charset(pair)).collect();
    arguments.push(("encodingByPath", Json::Object(charsets?)));
    arguments.extend(args.newline.map(|ending| ("newline", Json::text(ending.word()))));
    Ok(arguments)
}

fn expectation(pair: &str) -> Result<(String, Json), Stop> {
    match pair.rsplit_once('=') {
        Some((path, sha256)) => Ok((path.to_owned(), Json::text(sha256))),
        None => {
            Err(Stop::usage(format!("--expect {pair}: expected PATH=SHA256, or PATH= for a path that must be free")))
        }
    }
}

fn charset(pair: &str) -> Result<(String, Json), Stop> {
    match pair.rsplit_once('=') {
        Some((path, charset)) if !charset.is_empty() => Ok((path.to_owned(), Json::text(charset))),
        _ => Err(Stop::usage(format!("--encoding-for {pair}: expected PATH=CHARSET, such as a.txt=windows-1252"))),
    }
}

/// The patch, from standard input or from a file, which may lie anywhere: it is the caller's, not the
/// workspace's.
fn patch_text(file: &str, limits: Limits, ports: &mut Ports<'_>) -> Result<String, Stop> {
    let (bytes, from) = match file {
        "-" => {
            if ports.manner.person == Person::Here {
                ports.complain("Waiting for a patch on standard input; end it with Ctrl-D");
            }
            (input::piped(ports, limits, "the patch")?, "standard input")
        }
        path => {
            let read = input::file(path, limits, "the patch").map_err(|stop| proposal_meant(path, stop))?;
            (read, path)
        }
    };
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let line = error.as_bytes().iter().take(at).filter(|byte| **byte == b'\n').count() + 1;
        Stop::usage(format!("the patch from {from} is not UTF-8 (line {line}); convert it first"))
    })
}

/// `apply b10` means a proposal, unless a file has that name.
fn proposal_meant(given: &str, stop: Stop) -> Stop {
    match names::read(given) {
        Named::Batch(name) | Named::Change(name) => {
            Stop::usage(format!("there is no file {given}; to carry out the proposal: patchwright accept {name}"))
        }
        Named::Last | Named::Other(_) => stop,
    }
}

fn show(args: &ApplyArgs, outcome: &Outcome, ports: &mut Ports<'_>) -> Ending {
    let patch = match outcome {
        Ok(reply @ Reply { answer: Answer::Patched(patch), .. }) => {
            ports.warn(reply);
            patch
        }
        Err(Failed { done: Some(part), .. }) => {
            // What was done before one section failed stays.
            let text = patched(part, ports.view());
            ports.put(&text)?;
            return ports.outcome(outcome);
        }
        other => return ports.outcome(other),
    };
    if patch.extent == Extent::Unchanged {
        ports.say("Everything already is as the patch wants it; nothing was changed")?;
        return Ok(Status::Done);
    }
    let mut text = patched(patch, ports.view());
    if args.patch {
        text.extend(patch.files.iter().map(|file| coloured(&file.diff, ports.view())));
        ports.long(&text)?;
    } else {
        ports.put(&text)?;
    }
    if patch.extent == Extent::Done {
        settle::hint_of(Deed::Apply, patch.batch.as_ref(), ports)?;
    }
    Ok(Status::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expectations() {
        let check = |pair: &str, want: Option<(&str, &str)>| {
            let got =
                expectation(pair).ok().map(|(path, value)| (path, value == Json::text(want.unwrap_or_default().1)));
            assert_eq!(got, want.map(|(path, _)| (path.to_owned(), true)), "{pair}");
        };
        check("a=ff", Some(("a", "ff")));
        check("a=b=ff", Some(("a=b", "ff")));
        check("a=", Some(("a", "")));
        check("a", None);
    }
}

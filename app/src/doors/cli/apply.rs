//! CLI door: `apply [FILE|-]`. A patch from a file or from standard input; a line for each file that it
//! changes, and on a terminal the diffs in colour.

use super::args::{ApplyArgs, Reader};
use super::flags::{self, as_flags};
use super::input;
use super::output::{Ending, Ports, Screen, Stop, ask, word};
use crate::doors::carry::Outcome;
use crate::doors::opening::Opened;
use crate::doors::status::Status;
use crate::report::warnings::warning;
use crate::report::{Telling, for_terminal, patched, text};
use crate::wire::Json;
use patchwright_core::outcome::{Answer, Extent, Patched, Reply};
use patchwright_core::policy::Limits;
use std::io;

pub(super) fn run(args: &ApplyArgs, opened: &Opened, ports: &mut Ports<'_>) -> Ending {
    let patch = patch_text(&args.file, opened.limits, ports)?;
    let outcome = ask(&opened.workspace, "apply_patch", arguments(args, patch)?)?;
    if args.shown.to() == Reader::Program {
        return ports.outcome(&outcome, Reader::Program);
    }
    show(&outcome, ports)?;
    Ok(Status::of(&outcome))
}

fn arguments(args: &ApplyArgs, patch: String) -> Result<Vec<(&'static str, Json)>, Stop> {
    let mut arguments = vec![
        ("patch", Json::Text(patch)),
        ("atomic", Json::Flag(!args.no_atomic)),
        ("dryRun", Json::Flag(args.dry_run)),
        ("createParentDirectories", Json::Flag(args.create_parents)),
    ];
    arguments.extend(args.conventions.map(|conventions| ("conventions", word(conventions.name()))));
    arguments.extend(args.encoding.as_deref().map(|charset| ("encoding", word(charset))));
    let expected: Result<Vec<_>, Stop> = args.expect.iter().map(|pair| expectation(pair)).collect();
    arguments.push(("expectedSha256ByPath", Json::Object(expected?)));
    let charsets: Result<Vec<_>, Stop> = args.encoding_for.iter().map(|pair| charset(pair)).collect();
    arguments.push(("encodingByPath", Json::Object(charsets?)));
    arguments.extend(args.newline.map(|ending| ("newline", word(ending.word()))));
    Ok(arguments)
}

fn expectation(pair: &str) -> Result<(String, Json), Stop> {
    match pair.rsplit_once('=') {
        Some((path, sha256)) => Ok((path.to_owned(), word(sha256))),
        None => {
            Err(Stop::usage(format!("--expect {pair}: expected PATH=SHA256, or PATH= for a path that must be free")))
        }
    }
}

fn charset(pair: &str) -> Result<(String, Json), Stop> {
    match pair.rsplit_once('=') {
        Some((path, charset)) if !charset.is_empty() => Ok((path.to_owned(), word(charset))),
        _ => Err(Stop::usage(format!("--encoding-for {pair}: expected PATH=CHARSET, such as a.txt=windows-1252"))),
    }
}

/// The patch, from standard input or from a file, which may lie anywhere: it is the caller's, not the
/// workspace's.
fn patch_text(file: &str, limits: Limits, ports: &mut Ports<'_>) -> Result<String, Stop> {
    let (bytes, from) = match file {
        "-" => (input::piped(ports, limits, "the patch")?, "standard input"),
        path => (input::file(path, limits, "the patch")?, path),
    };
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let line = error.as_bytes().iter().take(at).filter(|byte| **byte == b'\n').count() + 1;
        Stop::usage(format!("the patch from {from} is not UTF-8 (line {line}); convert it first"))
    })
}

fn show(outcome: &Outcome, ports: &mut Ports<'_>) -> io::Result<()> {
    match outcome {
        Ok(Reply { answer: Answer::Patched(patch), warnings, .. }) => {
            for told in warnings {
                ports.complain(&format!("warning: {}", warning(told)));
            }
            match patch.extent {
                Extent::Unchanged => ports.complain("everything already is as the patch wants it; nothing was changed"),
                Extent::Dry => ports.complain("dry run: nothing was changed"),
                Extent::Proposed => ports.complain("proposed: nothing was changed"),
                Extent::Done => {}
            }
            show_files(patch, ports)
        }
        Ok(_) => ports.say(text::text(outcome, &Telling::PROGRAM).trim_end()),
        Err(failed) => {
            if let Some(patch) = &failed.done {
                show_files(patch, ports)?;
            }
            ports.complain(&as_flags(&text::text(outcome, &flags::of_command(&flags::APPLY_CALL)), &[flags::APPLY]));
            Ok(())
        }
    }
}

fn show_files(patch: &Patched, ports: &mut Ports<'_>) -> io::Result<()> {
    if patch.extent == Extent::Unchanged && patch.files.is_empty() {
        return Ok(());
    }
    ports.output.write_all(for_terminal(&patched::lines(patch)).as_bytes())?;
    if ports.screen == Screen::Pipe {
        return Ok(());
    }
    patched::show_diffs(patch.files.iter().map(|file| file.diff.as_str()), ports.screen.looks(), ports.output)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expectations() {
        let check = |pair: &str, want: Option<(&str, &str)>| {
            let got = expectation(pair).ok().map(|(path, value)| (path, value == word(want.unwrap_or_default().1)));
            assert_eq!(got, want.map(|(path, _)| (path.to_owned(), true)), "{pair}");
        };
        check("a=ff", Some(("a", "ff")));
        check("a=b=ff", Some(("a=b", "ff")));
        check("a=", Some(("a", "")));
        check("a", None);
    }
}

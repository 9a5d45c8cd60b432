//! CLI door: `apply [FILE|-]`. A patch from a file or from standard input; a line for each file that it
//! changes, and on a terminal the diffs in colour.

use super::args::{ApplyArgs, Reader};
use super::output::{Ending, Ports, Screen, Stop, ask, word};
use crate::doors::carry::Outcome;
use crate::doors::status::Status;
use crate::report::warnings::warning;
use crate::report::{for_terminal, patched, text};
use crate::wire::Json;
use patchwright::{Workspace, read_outside};
use patchwright_core::outcome::{Answer, Extent, Patched, Reply};
use std::io;
use std::path::Path;

pub(super) fn run(args: &ApplyArgs, workspace: &Workspace, ports: &mut Ports<'_>) -> Ending {
    let patch = patch_text(&args.file, ports)?;
    let outcome = ask(workspace, "apply_patch", arguments(args, patch)?)?;
    if args.shown.to() == Reader::Program {
        return ports.outcome(&outcome, Reader::Program);
    }
    show(&outcome, ports)?;
    Ok(Status::of(&outcome))
}

fn arguments(args: &ApplyArgs, patch: String) -> Result<Vec<(&'static str, Json)>, Stop> {
    let mut arguments = vec![
        ("patch", Json::Text(patch)),
        ("conventions", word(args.conventions.word())),
        ("atomic", Json::Flag(!args.no_atomic)),
        ("dryRun", Json::Flag(args.dry_run)),
        ("createParentDirectories", Json::Flag(args.create_parents)),
    ];
    arguments.extend(args.encoding.as_deref().map(|charset| ("encoding", word(charset))));
    let expected: Result<Vec<_>, Stop> = args.expect.iter().map(|pair| expectation(pair)).collect();
    arguments.push(("expectedSha256ByPath", Json::Object(expected?)));
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

/// The patch, from standard input or from a file, which may lie anywhere: it is the caller's, not the
/// workspace's.
fn patch_text(file: &str, ports: &mut Ports<'_>) -> Result<String, Stop> {
    let mut piped = Vec::new();
    let (read, from) = match file {
        "-" => (ports.input.read_to_end(&mut piped).map(|_| piped), "standard input"),
        path => (read_outside(Path::new(path)), path),
    };
    let bytes = read.map_err(|error| Stop::usage(format!("cannot read the patch from {from}: {error}")))?;
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
        Ok(_) => ports.say(text::text(outcome).trim_end()),
        Err(failed) => {
            if let Some(patch) = &failed.done {
                show_files(patch, ports)?;
            }
            ports.complain(&text::text(outcome));
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

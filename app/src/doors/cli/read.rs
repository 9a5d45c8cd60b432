//! CLI door: `read PATH[@BATCH][:START[-END]]`. The text goes out as it is; only a terminal gets to see control
//! characters made visible.

use super::args::{ReadArgs, Reader};
use super::output::Ports;
use super::place::typed;
use super::stop::{Ending, Stop};
use crate::doors::call::Outcome;
use crate::doors::exit_code::Status;
use patchwright_core::outcome::{Answer, Failed, FileView, Reply, ViewContent};
use patchwright_core::refusal::Kind;
use patchwright_core::text::Cut;
use patchwright_core::text::encoding::Charset;
use patchwright_core::tool::{Call, FileVersion, Hashes, IdForm, ReadFile, VersionSide, WhenBinary};
use patchwright_engine::{Quiet, Session};

/// Text is fetched in pieces of this size.
const PIECE: usize = 8 << 20;

pub(super) fn run(args: &ReadArgs, session: &Session, ports: &mut Ports<'_>) -> Ending {
    let asked = target(&args.target);
    let mut next = ReadFile { charset: charset(args)?, path: typed(&asked.path, ports.view()), ..asked };
    let side = if args.before { VersionSide::Before } else { VersionSide::After };
    if let Some(version) = version(&next.path, side)
        && !stands(session, &next)
    {
        return of_version(args, session, &version, next, ports);
    }
    if args.before {
        let told = "--before belongs to a version: give PATH@BATCH, and no file may have exactly that name";
        return Err(Stop::usage(told));
    }
    if args.hashes {
        // Which anchors are unique is a question to the whole file: in pieces it would be asked for each.
        next = ReadFile { hashes: Hashes::Yes, max_bytes: usize::MAX, ..next };
    }
    if ports.reader() == Reader::Program {
        return ports.outcome(&fetch(session, next));
    }
    loop {
        let outcome = fetch(session, next.clone());
        let Ok(Reply { answer: Answer::File(view), .. }) = &outcome else {
            return ports.outcome(&outcome);
        };
        show(view, ports)?;
        match view.cut {
            None => return Ok(Status::Done),
            Some(Cut::GoOnAt(line)) => next.start_line = line,
            Some(Cut::InLine(line)) => {
                ports.complain(&format!("line {line} is longer than {PIECE} bytes, and was cut"));
                return Ok(Status::Refused);
            }
        }
    }
}

fn charset(args: &ReadArgs) -> Result<Option<Charset>, Stop> {
    let Some(label) = args.encoding.as_deref() else { return Ok(None) };
    let unknown = || Stop::usage(format!("--encoding {label:?}: no such charset; one is windows-1252"));
    Charset::from_label(label).map(Some).ok_or_else(unknown)
}

/// A version on record, if a path ends in the name of a batch.
fn version(target: &str, side: VersionSide) -> Option<FileVersion> {
    let (path, batch) = target.rsplit_once('@').filter(|(path, _)| !path.is_empty())?;
    IdForm::parse(batch).map(|_| FileVersion { path: path.to_owned(), batch: batch.to_owned(), side })
}

/// Does something have exactly this name?
fn stands(session: &Session, call: &ReadFile) -> bool {
    let outcome = fetch(session, ReadFile { max_bytes: 1, ..call.clone() });
    outcome.err().is_none_or(|failed| failed.trouble.kind() != Kind::NotFound)
}

fn of_version(
    args: &ReadArgs,
    session: &Session,
    version: &FileVersion,
    ask: ReadFile,
    ports: &mut Ports<'_>,
) -> Ending {
    if args.hashes {
        return Err(Stop::usage("--hashes is for files as they are: anchors of another version lead nowhere"));
    }
    let ask = ReadFile { max_bytes: usize::MAX, ..ask };
    let outcome = session.read_version(version, &ask).map_err(Failed::unrecorded);
    match &outcome {
        Ok(Reply { answer: Answer::File(view), .. }) if ports.reader() == Reader::Person => {
            show(view, ports)?;
            Ok(Status::Done)
        }
        _ => ports.outcome(&outcome),
    }
}

fn fetch(session: &Session, call: ReadFile) -> Outcome {
    session.call(&Call::ReadFile(call), &Quiet)
}

fn show(view: &FileView, ports: &mut Ports<'_>) -> std::io::Result<()> {
    let ViewContent::Text(content) = &view.content else { return Ok(()) };
    let text = ports.view().content(content);
    ports.put(&text)
}

/// `PATH`, `PATH:START` or `PATH:START-END`. What does not end in line numbers is all path.
pub(super) fn target(target: &str) -> ReadFile {
    let (path, start_line, end_line) =
        match target.rsplit_once(':').and_then(|(path, lines)| Some((path, range(lines)?))) {
            Some((path, (start, end))) if !path.is_empty() => (path, start, end),
            _ => (target, 1, None),
        };
    ReadFile {
        path: path.to_owned(),
        start_line,
        end_line,
        max_bytes: PIECE,
        when_binary: WhenBinary::Refuse,
        hashes: Hashes::No,
        charset: None,
    }
}

/// One line number is that line alone.
fn range(lines: &str) -> Option<(usize, Option<usize>)> {
    let (start, end) = match lines.split_once('-') {
        Some((start, "")) => (number(start)?, None),
        Some((start, end)) => (number(start)?, Some(number(end)?)),
        None => (number(lines)?, Some(number(lines)?)),
    };
    (start >= 1 && end.is_none_or(|end| end >= start)).then_some((start, end))
}

fn number(digits: &str) -> Option<usize> {
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, path: &str, start: usize, end: Option<usize>) {
        let call = target(text);
        assert_eq!((call.path.as_str(), call.start_line, call.end_line), (path, start, end), "{text}");
    }

    #[test]
    fn targets() {
        check("a.txt", "a.txt", 1, None);
        check("a.txt:7", "a.txt", 7, Some(7));
        check("a.txt:7-9", "a.txt", 7, Some(9));
        check("a.txt:7-", "a.txt", 7, None);
        check("a:b.txt", "a:b.txt", 1, None);
        check("a:3:7-9", "a:3", 7, Some(9));
        check("a.txt:0", "a.txt:0", 1, None);
        check("a.txt:9-7", "a.txt:9-7", 1, None);
        check("a.txt:+7", "a.txt:+7", 1, None);
        check(":7", ":7", 1, None);
        check("a:", "a:", 1, None);
        check("a:99999999999999999999999", "a:99999999999999999999999", 1, None);
    }
}

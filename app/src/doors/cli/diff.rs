//! CLI door: `diff BATCH`. What a batch changed, as a unified diff or as a patch that `apply` takes.

use super::args::{DiffArgs, DiffFormat, Reader};
use super::names;
use super::output::Ports;
use super::show;
use super::stop::{Ending, Stop};
use crate::doors::exit_code::Status;
use crate::report::people::diff;
use patchwright_core::dialect::envelope::generate::{Inexpressible, moved, section};
use patchwright_core::dialect::envelope::{Patch, Section, print};
use patchwright_core::diff::unified;
use patchwright_core::outcome::{Answer, BatchView, Reply};
use patchwright_engine::{BatchFile, Session};

pub(super) fn run(args: &DiffArgs, session: &Session, ports: &mut Ports<'_>) -> Ending {
    let id = names::id(session, &args.batch)?;
    if ports.reader() == Reader::Program {
        return ports.outcome(&show::all(session, &id)?);
    }
    let text = match args.format {
        DiffFormat::Unified => match show::all(session, &id)? {
            Ok(Reply { answer: Answer::Batch(view), .. }) => unified_diff(&view, session, ports)?,
            other => return ports.outcome(&other),
        },
        DiffFormat::Envelope => {
            let mut sections = Vec::new();
            for file in &session.batch(&id)? {
                sections.extend(to_section(session, file)?);
            }
            // A patch goes into a pipe as it is; on a terminal it is only looked at.
            ports.view().content(&print(&Patch { sections }))
        }
    };
    ports.long(&text)?;
    Ok(Status::Done)
}

/// The diffs of a batch, or of one change of it; those that the record has only in part are made again.
fn unified_diff(view: &BatchView, session: &Session, ports: &mut Ports<'_>) -> Result<String, Stop> {
    let cut = view.files.iter().any(|file| file.diff_cut);
    let whole = if cut { session.batch(&view.summary.name.id)? } else { Vec::new() };
    let mut diffs = Vec::new();
    for file in &view.files {
        let same = |one: &&BatchFile| one.change.path == file.path && one.change.to == file.to;
        diffs.push(match whole.iter().find(same).filter(|_| file.diff_cut) {
            Some(found) => whole_diff(session, found, ports),
            None => file.diff.clone(),
        });
    }
    Ok(diff(view.files.iter().zip(diffs.iter().map(String::as_str)), ports.view()))
}

/// The diff of a file. The record has it up to a limit; beyond that it is made again, if the bytes are kept.
fn whole_diff(session: &Session, file: &BatchFile, ports: &mut Ports<'_>) -> String {
    let change = &file.change;
    if !change.diff_cut {
        return change.diff.clone();
    }
    match (session.bytes_before(file), session.bytes_after(file)) {
        (Ok(before), Ok(after)) => {
            let name = |side: &str, path: &str, bytes: &Option<Vec<u8>>| match bytes {
                Some(_) => format!("{side}/{path}"),
                None => "/dev/null".to_owned(),
            };
            let new_path = change.to.as_ref().unwrap_or(&change.path);
            let (old, new) = (name("a", &change.path, &before), name("b", new_path, &after));
            unified(&old, &new, &before.unwrap_or_default(), &after.unwrap_or_default(), usize::MAX).text
        }
        _ => {
            ports.complain(&format!("the diff of {} was cut at 64 KiB, and its bytes are no longer kept", change.path));
            change.diff.clone()
        }
    }
}

fn to_section(session: &Session, file: &BatchFile) -> Result<Option<Section>, Stop> {
    let (before, after) = (session.bytes_before(file)?, session.bytes_after(file)?);
    let path = &file.change.path;
    let made = match (&file.change.to, &before, &after) {
        (Some(to), Some(before), Some(after)) => moved(path, to, before, after).map(Some),
        _ => section(path, before.as_deref(), after.as_deref()),
    };
    made.map_err(|why| Stop::usage(format!("{path} cannot be written as a patch: {}", reason(why))))
}

fn reason(why: Inexpressible) -> &'static str {
    match why {
        Inexpressible::NotText => "a line of the change is not UTF-8",
        Inexpressible::Binary => "it is a binary file",
        Inexpressible::LineEnds => "its line ends change, of which a patch cannot speak",
        Inexpressible::Mark => "its byte-order mark changes, of which a patch cannot speak",
        Inexpressible::Path => "its name cannot stand in a patch",
        Inexpressible::Sort => "a file and a folder take each other's place",
    }
}

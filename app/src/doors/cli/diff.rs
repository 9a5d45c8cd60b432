//! CLI door: `diff BATCH`. What a batch changed, as a unified diff or as a patch that `apply` takes.

use super::args::{DiffArgs, DiffFormat};
use super::batch_ids;
use super::output::{Ending, Ports, Screen, Stop};
use crate::doors::status::Status;
use crate::report::{for_terminal, patched};
use patchwright::{BatchFile, Workspace};
use patchwright_core::dialect::envelope::generate::{Inexpressible, moved, section};
use patchwright_core::dialect::envelope::{Patch, Section, print};
use patchwright_core::diff::unified;

pub(super) fn run(args: &DiffArgs, workspace: &Workspace, ports: &mut Ports<'_>) -> Ending {
    let files = workspace.batch(&batch_ids::batch(workspace, &args.batch)?)?;
    let mut text = Vec::new();
    match args.format {
        DiffFormat::Unified => {
            for file in &files {
                let diff = whole_diff(workspace, file, ports);
                patched::show_diffs(std::iter::once(diff.as_str()), ports.screen.looks(), &mut text)?;
            }
        }
        DiffFormat::Envelope => {
            let mut sections = Vec::new();
            for file in &files {
                sections.extend(to_section(workspace, file)?);
            }
            text.extend_from_slice(as_seen(print(&Patch { sections }), ports.screen).as_bytes());
        }
    }
    ports.long(&text, args.paged.how())?;
    Ok(Status::Done)
}

/// A patch goes into a pipe as it is; on a terminal it is only looked at.
fn as_seen(patch: String, screen: Screen) -> String {
    match screen {
        Screen::Pipe => patch,
        Screen::Terminal | Screen::PlainTerminal => for_terminal(&patch),
    }
}

/// The diff of a file. The record has it up to a limit; beyond that it is made again, if the bytes are kept.
fn whole_diff(workspace: &Workspace, file: &BatchFile, ports: &mut Ports<'_>) -> String {
    let change = &file.change;
    if !change.diff_cut {
        return change.diff.clone();
    }
    match (workspace.bytes_before(file), workspace.bytes_after(file)) {
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

fn to_section(workspace: &Workspace, file: &BatchFile) -> Result<Option<Section>, Stop> {
    let (before, after) = (workspace.bytes_before(file)?, workspace.bytes_after(file)?);
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

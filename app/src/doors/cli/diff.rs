//! CLI door: `diff BATCH`. What a batch changed, as a unified diff or as a patch that `apply` takes.

use super::args::{DiffArgs, DiffFormat};
use super::output::{Ending, Ports, Stop};
use crate::doors::status::Status;
use crate::report::patched;
use patchwright::{BatchFile, Workspace};
use patchwright_core::dialect::envelope::generate::{Inexpressible, moved, section};
use patchwright_core::dialect::envelope::{Patch, Section, print};

pub(super) fn run(args: &DiffArgs, workspace: &Workspace, ports: &mut Ports<'_>) -> Ending {
    let files = workspace.batch(&args.batch)?;
    match args.format {
        DiffFormat::Unified => {
            let diffs = files.iter().map(|file| file.change.diff.as_str());
            patched::show_diffs(diffs, ports.screen.looks(), ports.output)?;
        }
        DiffFormat::Envelope => {
            let mut sections = Vec::new();
            for file in &files {
                sections.extend(to_section(workspace, file)?);
            }
            ports.output.write_all(print(&Patch { sections }).as_bytes())?;
        }
    }
    Ok(Status::Done)
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

//! CLI door: `tools` and `completions`, which need no workspace.

use super::output::Ports;
use super::shell;
use super::stop::{Ending, Stop};
use crate::doors::exit_code::Status;
use crate::doors::offer::Offer;
use crate::wire::formats::{self, Format};
use clap_complete::Shell;

/// As a server shows them to a client that it does not know.
pub(super) fn tools(format: Format, offer: &Offer, ports: &mut Ports<'_>) -> Ending {
    let shown = offer.to("");
    let table = formats::table(&shown.tools, format, shown.view(), offer.answers);
    serde_json::to_writer_pretty(&mut *ports.output, &table).map_err(std::io::Error::from)?;
    ports.output.write_all(b"\n")?;
    Ok(Status::Done)
}

/// A script that has the shell ask this program, which knows the names of batches, deleted files and sessions.
pub(super) fn completions(shell: Shell, ports: &mut Ports<'_>) -> Ending {
    let unknown = || Stop::usage(format!("there are no completions for {shell}"));
    let script = shell::script(&shell.to_string()).ok_or_else(unknown)?;
    ports.output.write_all(&script)?;
    Ok(Status::Done)
}

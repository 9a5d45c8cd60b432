//! CLI door: `tools` and `completions`, which need no workspace.

use super::args::CommandLine;
use super::output::{Ending, Ports};
use crate::doors::offer::Offer;
use crate::doors::status::Status;
use crate::wire::formats::{self, Format};
use clap::CommandFactory;
use clap_complete::Shell;

/// As a server shows them to a client that it does not know.
pub(super) fn tools(format: Format, offer: &Offer, ports: &mut Ports<'_>) -> Ending {
    let shown = offer.to("");
    let table = formats::table(&shown.tools, format, shown.view(), offer.answers);
    serde_json::to_writer_pretty(&mut *ports.output, &table).map_err(std::io::Error::from)?;
    ports.output.write_all(b"\n")?;
    Ok(Status::Done)
}

pub(super) fn completions(shell: Shell, ports: &mut Ports<'_>) -> Ending {
    // Into memory first: the generator panics when a write fails, and a pipe may be closed early.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut CommandLine::command(), "patchwright", &mut script);
    ports.output.write_all(&script)?;
    Ok(Status::Done)
}

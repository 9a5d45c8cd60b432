//! CLI door: `prompt`, what a model should be told about the tools. It needs no workspace.

use super::output::Ports;
use super::stop::Ending;
use crate::doors::exit_code::Status;
use crate::doors::offer::Offer;

/// At length what a server tells a client that it does not know.
pub(super) fn run(offer: &Offer, ports: &mut Ports<'_>) -> Ending {
    writeln!(ports.output, "{}", offer.to("").prompt())?;
    Ok(Status::Done)
}

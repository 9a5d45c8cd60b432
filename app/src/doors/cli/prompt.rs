//! CLI door: `prompt`, what a model should be told about the tools. It needs no workspace.

use super::output::{Ending, Ports, Stop};
use crate::doors::profile::Profile;
use crate::doors::status::Status;

pub(super) fn run(profile: &str, ports: &mut Ports<'_>) -> Ending {
    let profile = Profile::find(profile).ok_or_else(|| Stop::usage(format!("there is no profile {profile}")))?;
    writeln!(ports.output, "{}", profile.guidance())?;
    Ok(Status::Done)
}

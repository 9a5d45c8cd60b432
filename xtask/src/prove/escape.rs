//! Paths and links that lead outside, through every tool and every argument that names something.
//!
//! Thousands of spellings and a matrix of links go through one server while `strace` looks on: nothing outside the
//! workspace may be opened for writing, made, renamed, linked or removed, and what lies beside it stays as it is. Then
//! a folder is swapped for a link to outside all the time while tools work below it. The server's own sandbox is off
//! here: the guard must hold by itself.

mod calls;
mod links;
mod parts;
mod paths;
mod place;
mod race;
mod swarm;
mod trace;

use super::findings::Findings;
use super::setting::Setting;
use crate::failure::Failure;

pub(crate) fn run(setting: &Setting, findings: &mut Findings) -> Result<(), Failure> {
    super::strace::probe()?;
    findings.add(swarm::links(setting)?);
    findings.add(race::run(setting, race::Share::First)?);
    findings.add(swarm::spellings(setting)?);
    findings.add(race::run(setting, race::Share::Rest)?);
    Ok(())
}

/// The words after `mcp` with which only the guard stands in the way.
fn options(setting: &Setting) -> Result<Vec<&'static str>, Failure> {
    let mut help = setting.patchwright(setting.scratch());
    help.args(["mcp", "--help"]);
    let text = crate::run::output(help, "run it by hand")?;
    let mut options = vec!["--unchecked", "--durability", "none"];
    if String::from_utf8_lossy(&text).contains("--no-sandbox") {
        options.push("--no-sandbox");
    }
    Ok(options)
}

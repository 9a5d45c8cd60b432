//! The CLI door: `patchwright COMMAND`. Reads argv, opens the workspace, makes the call and prints what
//! came of it, for a program as one line of JSON or for a person as text. Serving MCP is another door's
//! business: that command is handed back to whoever owns the process.

mod adopt;
mod apply;
mod args;
mod audit;
mod batch_ids;
mod call;
mod demo;
mod diff;
mod doctor;
mod edit;
mod flags;
mod input;
mod log;
mod output;
mod pager;
mod prompt;
mod proposals;
mod read;
mod search;
pub(in crate::doors) mod shell;
mod show;
mod tables;
mod trash;
mod undo;
mod why;

pub use output::{Ports, Screen};
pub use pager::{NoPager, Paged, Pager, PagerProgram};

use super::kept::Sandbox;
use super::opening::{CalledBy, Complaint, Opened, Opening, Surroundings};
use super::status::Status;
use args::{Command, CommandLine};
use clap::Parser;
use output::Ending;
use patchwright::{Client, Door, Repair, Role, Workspace};
use patchwright_core::policy::Layer;
use std::ffi::OsString;

/// What is left to do once the command line has been dealt with.
#[derive(Debug)]
pub enum Next {
    /// Nothing but to end with this status.
    Exit(Status),
    /// Serve MCP.
    Serve(Box<Opening>, Sandbox),
}

/// Runs one command line, the program's name included.
pub fn run(args: impl IntoIterator<Item = OsString>, ports: &mut Ports<'_>, surroundings: &Surroundings) -> Next {
    let line = match CommandLine::try_parse_from(args) {
        Ok(line) => line,
        Err(error) => return Next::Exit(ports.usage(&error)),
    };
    let (surroundings, caller) = (surroundings.clone(), line.caller.into());
    let opening = Opening { surroundings, caller, ..Opening::from(line.workspace) };
    if let Command::Mcp { offer, form, no_sandbox } = line.command {
        if opening.caller != CalledBy::default() {
            let message =
                "--as and --as-session are for single commands: an MCP client names itself, and a server is a session";
            return Next::Exit(ports.end(Err(Complaint::Usage(message.to_owned()).into())));
        }
        let sandbox = if no_sandbox { Sandbox::Off } else { Sandbox::On };
        let flags = Layer { conventions: form.conventions, ..opening.flags };
        let opening = Opening { server: offer.set_with(form), flags, ..opening };
        return Next::Serve(Box::new(opening), sandbox);
    }
    let ended = obey(line.command, &opening, ports);
    Next::Exit(ports.end(ended))
}

fn obey(command: Command, opening: &Opening, ports: &mut Ports<'_>) -> Ending {
    match command {
        Command::Call(args) => {
            let flags = Layer { conventions: args.conventions, ..opening.flags.clone() };
            call::run(&args, &Opening { flags, ..opening.clone() }, ports)
        }
        Command::Read(args) => read::run(&args, &open(opening)?, ports),
        Command::Apply(args) => apply::run(&args, &opened_as(opening, Repair::AtOpen)?, ports),
        Command::Edit(args) => edit::run(&args, &opened_as(opening, Repair::AtOpen)?, ports),
        Command::Log(args) => log::run(&args, &open(opening)?, ports),
        Command::Show(args) => show::run(&args, &open(opening)?, ports),
        Command::Undo(args) => undo::run(&args, &open(opening)?, ports),
        Command::Proposals(args) => proposals::list(&args, &open(opening)?, ports),
        Command::ApplyBatch(args) => proposals::apply(&args, &open(opening)?, ports),
        Command::Reject(args) => proposals::reject(&args, &open(opening)?, ports),
        Command::Why(args) => why::run(&args, &open(opening)?, ports),
        Command::Diff(args) => diff::run(&args, &open(opening)?, ports),
        Command::Search(args) => search::run(&args, &open(opening)?, ports),
        Command::Trash(command) => trash::run(&command, &open(opening)?, ports),
        // Whoever checks the record wants it as it is.
        Command::Audit(command) => audit::run(&command, &open_as(opening, Repair::WhenCalled)?, ports),
        Command::Adopt(args) => {
            let workspace = open_as(opening, Repair::WhenCalled)?;
            adopt::run(&args, (&workspace, opening.surroundings.person), ports)
        }
        Command::Key(command) => adopt::key(&command, &open_as(opening, Repair::WhenCalled)?, ports),
        Command::Demo(args) => demo::run(&args, ports),
        Command::Doctor(shown) => doctor::run(shown.to(), &opened_as(opening, Repair::AtOpen)?, ports),
        Command::Tools { format, offer, form } => {
            let flags = Layer { conventions: form.conventions, ..opening.flags.clone() };
            let opening = Opening { server: offer.set_with(form), flags, ..opening.clone() };
            tables::tools(format.into(), &opening.offer()?, ports)
        }
        Command::Prompt { offer, form } => {
            let flags = Layer { conventions: form.conventions, ..opening.flags.clone() };
            let opening = Opening { server: offer.set_with(form), flags, ..opening.clone() };
            prompt::run(&opening.offer()?, ports)
        }
        Command::Completions { shell } => tables::completions(shell, ports),
        // Handed back before it comes here.
        Command::Mcp { .. } => Ok(Status::Usage),
    }
}

fn open(opening: &Opening) -> Result<Workspace, Complaint> {
    open_as(opening, Repair::AtOpen)
}

fn open_as(opening: &Opening, repair: Repair) -> Result<Workspace, Complaint> {
    Ok(opened_as(opening, repair)?.workspace)
}

fn opened_as(opening: &Opening, repair: Repair) -> Result<Opened, Complaint> {
    let (name, version) = ("patchwright-cli".to_owned(), env!("CARGO_PKG_VERSION").to_owned());
    let actor = opening.caller.name.as_ref().map(ToString::to_string);
    let client = Client { name, version, actor, door: Door::Cli, role: Role::Person };
    opening.open(client, repair)
}

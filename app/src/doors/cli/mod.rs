//! The CLI door: `patchwright COMMAND`. Reads argv, opens the workspace, makes the call and prints what
//! came of it, for a program as one line of JSON or for a person as text. Serving MCP is another door's
//! business: that command is handed back to whoever owns the process.

mod adopt;
mod apply;
mod args;
mod audit;
mod call;
mod complete;
mod demo;
mod diff;
mod doctor;
mod edit;
mod findings;
mod help;
mod input;
mod log;
mod names;
mod output;
mod pager;
mod place;
mod progress;
mod prompt;
mod read;
mod review;
mod search;
mod settle;
mod shell;
mod show;
mod start;
mod stop;
mod tables;
mod trash;
mod typed;
mod undo;
mod watch;
mod why;

pub use args::{Hints, Paging, Reader};
pub use output::{Manner, Ports, Screen};
pub use pager::{NoPager, Paged, Pager, PagerProgram};
pub use progress::Progress;
pub use shell::{VARIABLE as COMPLETE_VARIABLE, answer as complete};
pub use typed::Typed;

use super::exit_code::Status;
use super::open::{CalledBy, Complaint, Opened, Opening, Surroundings};
use super::sandbox::Sandbox;
use crate::report::people::{Colour, Ids, View};
use args::{Command, CommandLine, OutputArgs, When};
use clap::FromArgMatches;
use help::ForeignCommand;
use patchwright_core::policy::Layer;
use patchwright_engine::{Client, Door, Repair, Role, Session};
use place::{Place, Unnamed};
use std::ffi::OsString;
use stop::{Ending, Stop};

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
    let args: Vec<OsString> = args.into_iter().collect();
    let (progress, interrupts) = (ports.manner.progress.take(), ports.manner.interrupts);
    ports.manner = manner(None, ports.screen, surroundings, String::new());
    let line = match help::command().try_get_matches_from(&args).and_then(|found| CommandLine::from_arg_matches(&found))
    {
        Ok(line) => line,
        Err(error) => return Next::Exit(ports.usage(&error, &args)),
    };
    let CommandLine { workspace, caller, output, command } = line;
    let given = workspace.root.clone();
    let opening = Opening { surroundings: surroundings.clone(), caller: caller.into(), ..Opening::from(workspace) };
    let place = Place::find(given.as_deref(), unnamed(command.as_ref()), opening.state_dir.as_deref(), surroundings);
    ports.manner = manner(Some(output), ports.screen, surroundings, place.here);
    ports.manner.interrupts = interrupts;
    ports.manner.typed = command.as_ref().map(|command| Typed::new(&args, command)).unwrap_or_default();
    let opening = Opening { root: place.root, observer: progress, ..opening };
    if let Some(Command::Mcp { offer, form, no_sandbox }) = command {
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
    let ended = obey(command, &opening, ports);
    Next::Exit(ports.end(ended))
}

/// Which folder a command means that is given none.
fn unnamed(command: Option<&Command>) -> Unnamed {
    let for_programs = matches!(
        command,
        Some(
            Command::Call(_)
                | Command::Mcp { .. }
                | Command::Tools { .. }
                | Command::Prompt { .. }
                | Command::Completions { .. }
        )
    );
    if for_programs { Unnamed::Current } else { Unnamed::Upwards }
}

/// How answers are shown, by flags, screen and surroundings.
fn manner(output: Option<OutputArgs>, screen: Screen, surroundings: &Surroundings, here: String) -> Manner {
    let when = output.map_or(When::Auto, OutputArgs::colour);
    let colour = match (when, screen) {
        (When::Always, _) | (When::Auto, Screen::Terminal | Screen::ColouredPipe) => Colour::Yes,
        _ => Colour::No,
    };
    let terminal = matches!(screen, Screen::Terminal | Screen::PlainTerminal);
    let columns = terminal.then(|| surroundings.columns.unwrap_or(80));
    let ids = if output.is_some_and(OutputArgs::shows_ids) { Ids::Shown } else { Ids::Hidden };
    let zone = surroundings.zone.clone().unwrap_or(jiff::tz::TimeZone::UTC);
    Manner {
        reader: output.map_or(Reader::Person, OutputArgs::reader),
        paging: output.map_or(Paging::ByPages, OutputArgs::paging),
        hints: output.map_or(Hints::Given, OutputArgs::hints),
        typed: Typed::default(),
        person: surroundings.person,
        progress: None,
        interrupts: None,
        view: View {
            columns,
            colour,
            now_ns: surroundings.now_ns.unwrap_or_else(patchwright_engine::now_ns),
            zone,
            here,
            ids,
        },
    }
}

fn obey(command: Option<Command>, opening: &Opening, ports: &mut Ports<'_>) -> Ending {
    let Some(command) = command else { return start::run(&opening.root, &open(opening)?, ports) };
    match command {
        Command::Help { topic } => help::run(&topic, ports),
        Command::Demo(args) => demo::run(&args, ports),
        Command::Completions { shell } => tables::completions(shell, ports),
        Command::Status(given) => Err(ForeignCommand::Status.told(&given)),
        Command::Revert(given) => Err(ForeignCommand::Revert.told(&given)),
        Command::Blame(given) => Err(ForeignCommand::Blame.told(&given)),
        Command::Call(args) => {
            let flags = Layer { conventions: args.conventions, ..opening.flags.clone() };
            call::run(&args, &Opening { flags, ..opening.clone() }, ports)
        }
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
        // Whoever checks the record wants it as it is.
        Command::Audit(command) => audit::run(&command, &open_as(opening, Repair::WhenCalled)?, ports),
        Command::Adopt(args) => {
            let session = open_as(opening, Repair::WhenCalled)?;
            adopt::run(&args, &session, opening.surroundings.person, ports)
        }
        Command::Key(command) => adopt::key(&command, &open_as(opening, Repair::WhenCalled)?, ports),
        Command::Watch(args) => watch::run(&args, opening, ports),
        Command::Doctor => doctor::run(&opened_as(opening, Repair::AtOpen)?, ports),
        command => for_people(command, opening, ports),
    }
}

/// The commands over files and history.
fn for_people(command: Command, opening: &Opening, ports: &mut Ports<'_>) -> Ending {
    let opened = opened_as(opening, Repair::AtOpen)?;
    tell_damage(&opened.session, ports)?;
    let session = &opened.session;
    if needs_a_record(&command) && !session.has_record()? {
        // A slip in a folder without one must not found one.
        return Err(Stop::refused("nothing is on record here yet"));
    }
    match command {
        Command::Log(args) => log::run(&args, session, ports),
        Command::Show(args) => show::run(&args, session, ports),
        Command::Diff(args) => diff::run(&args, session, ports),
        Command::Why(args) => why::run(&args, session, ports),
        Command::Undo(args) => undo::run(&args, session, ports),
        Command::Redo(args) => undo::again(&args, session, ports),
        Command::Review(args) => review::run(&args, session, ports),
        Command::Proposals => review::run(&args::ReviewArgs { batch: None, limit: 50 }, session, ports),
        Command::Accept(args) => review::accept(&args, session, ports),
        Command::Reject(args) => review::reject(&args, session, ports),
        Command::Trash(args) => trash::run(&args, session, opening.surroundings.person, ports),
        Command::Read(args) => read::run(&args, session, ports),
        Command::Search(args) => search::run(&args, session, ports),
        Command::Apply(args) => apply::run(&args, &opened, ports),
        Command::Edit(args) => edit::run(&args, &opened, ports),
        // Dealt with before it comes here.
        _ => Ok(Status::Usage),
    }
}

/// Is it about what was done before?
fn needs_a_record(command: &Command) -> bool {
    match command {
        Command::Undo(_) | Command::Redo(_) | Command::Accept(_) | Command::Reject(_) => true,
        Command::Trash(args) => {
            matches!(args.command, Some(args::TrashCommand::Restore(_) | args::TrashCommand::Purge(_)))
        }
        _ => false,
    }
}

/// A damaged record is told by every command, whatever else it does.
fn tell_damage(session: &Session, ports: &mut Ports<'_>) -> Result<(), Stop> {
    session.damage()?.iter().for_each(|finding| ports.damage(finding));
    Ok(())
}

fn open(opening: &Opening) -> Result<Session, Complaint> {
    open_as(opening, Repair::AtOpen)
}

fn open_as(opening: &Opening, repair: Repair) -> Result<Session, Complaint> {
    Ok(opened_as(opening, repair)?.session)
}

fn opened_as(opening: &Opening, repair: Repair) -> Result<Opened, Complaint> {
    let (name, version) = ("patchwright-cli".to_owned(), env!("CARGO_PKG_VERSION").to_owned());
    let actor = opening.caller.name.as_ref().map(ToString::to_string);
    let client = Client { name, version, actor, door: Door::Cli, role: Role::Person };
    opening.open(client, repair)
}

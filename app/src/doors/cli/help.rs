//! CLI door: help, in two parts: what people type, and what programs do. And what other programs call our commands.

use super::args::{CommandLine, Foreign};
use super::output::Ports;
use super::stop::{Ending, Stop};
use crate::doors::exit_code::Status;
use clap::{Command, CommandFactory};

/// What is for programs.
const PROGRAMS: [&str; 5] = ["mcp", "call", "tools", "prompt", "completions"];

/// The topic that has the flags which every command takes.
const WORKSPACE: &str = "workspace";

/// The command line as clap knows it, with our help.
pub(super) fn command() -> Command {
    let command = CommandLine::command();
    let text = overview(&command);
    command.override_help(text)
}

fn overview(command: &Command) -> String {
    let shown = |wanted: bool| {
        let fits = move |one: &&Command| !one.is_hide_set() && PROGRAMS.contains(&one.get_name()) != wanted;
        let row = |one: &Command| {
            format!("  {:<12} {}\n", one.get_name(), one.get_about().map(ToString::to_string).unwrap_or_default())
        };
        command.get_subcommands().filter(fits).map(row).collect::<String>()
    };
    format!(
        "Edits files exactly or not at all, for AI agents and the people who watch them.\n\n\
         Usage: patchwright [COMMAND] [OPTIONS]\n\n\
         For people:\n{}\n\
         For programs:\n{}\n\
         Batches are named b17, changes of one b17.3, the newest `last`.\n\
         `patchwright help COMMAND` tells more of one, `patchwright help workspace` has\n\
         the flags that every command takes.\n\n\
         Exit status: 0 done; 1 refused, none found or damaged; 2 wrong usage;\n\
         3 the machine failed; 130 interrupted.\n",
        shown(true),
        shown(false)
    )
}

pub(super) fn run(topic: &[String], ports: &mut Ports<'_>) -> Ending {
    let whole = command();
    let text = match topic {
        [] => overview(&whole),
        [topic] if topic == WORKSPACE => workspace(&whole),
        path => {
            let mut found = whole;
            found.build();
            for name in path {
                let next = found
                    .get_subcommands()
                    .find(|one| one.get_name() == name || one.get_all_aliases().any(|alias| alias == name));
                let unknown = || Stop::usage(format!("there is no command {name:?}; `patchwright help` lists them"));
                found = next.cloned().ok_or_else(unknown)?;
            }
            found.render_long_help().to_string()
        }
    };
    ports.long(&text)?;
    Ok(Status::Done)
}

/// The flags that every command takes.
fn workspace(whole: &Command) -> String {
    let flags = whole.get_arguments().filter(|arg| arg.is_global_set()).map(|arg| arg.clone().hide(false));
    let mut page = Command::new("patchwright")
        .about("Flags that every command takes, before or after its name")
        .disable_help_flag(true)
        .args(flags)
        .override_usage("patchwright [COMMAND] [OPTIONS]");
    page.render_long_help().to_string()
}

/// A command of another program that is not one of ours.
#[derive(Clone, Copy, Debug)]
pub(super) enum ForeignCommand {
    Status,
    Revert,
    Blame,
}

impl ForeignCommand {
    fn name(self) -> &'static str {
        match self {
            ForeignCommand::Status => "status",
            ForeignCommand::Revert => "revert",
            ForeignCommand::Blame => "blame",
        }
    }

    /// What it is here, for whoever typed it.
    pub(super) fn told(self, typed: &Foreign) -> Stop {
        let file = typed.given.iter().find(|word| !word.starts_with('-')).map_or("FILE", String::as_str);
        let ours = match self {
            ForeignCommand::Status => {
                "`patchwright` alone shows where things stand, and `patchwright log` what was done".to_owned()
            }
            ForeignCommand::Revert => "`patchwright undo` takes changes back".to_owned(),
            ForeignCommand::Blame => format!("`patchwright why {file}` tells who wrote each line"),
        };
        Stop::usage(format!("there is no command {:?}; {ours}", self.name()))
    }
}

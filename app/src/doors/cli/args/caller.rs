//! CLI door: the flags by which a caller says who it is.

use crate::doors::open::CalledBy;
use clap::{Arg, Args, Command};
use patchwright_engine::{BadLabel, Name, SessionId};

/// Who calls, for the record.
#[derive(Args, Debug)]
#[command(next_help_heading = "Record")]
pub(in crate::doors::cli) struct CallerArgs {
    /// Who calls, for the record: a person's or an agent's name
    #[arg(long = "as", global = true, hide = true, value_name = "NAME", value_parser = caller_name)]
    name: Option<Name>,
    /// The session that changes go on record under, so that several commands can be listed and undone together; any id
    /// of your choice. It permits nothing: what another session has read counts for nothing here
    #[arg(long, global = true, hide = true, value_name = "ID", value_parser = session_id)]
    as_session: Option<SessionId>,
}

impl CallerArgs {
    /// The same flags, kept out of the help of a command that refuses them.
    pub(in crate::doors::cli) fn unlisted() -> Vec<Arg> {
        let all = CallerArgs::augment_args(Command::new("caller"));
        all.get_arguments().map(|arg| arg.clone().hide(true)).collect()
    }
}

fn caller_name(given: &str) -> Result<Name, String> {
    Name::parse(given).map_err(|bad| label_fault(bad, "a name of letters, digits and signs that can be seen"))
}

fn session_id(given: &str) -> Result<SessionId, String> {
    SessionId::parse(given).map_err(|bad| label_fault(bad, "letters and digits of ASCII, and - _ . : @ / +"))
}

fn label_fault(bad: BadLabel, takes: &str) -> String {
    match bad {
        BadLabel::Empty => format!("it is empty; it takes {takes}"),
        BadLabel::TooLong(most) => format!("it has more than {most} characters"),
        BadLabel::Hidden(ch) | BadLabel::Foreign(ch) => {
            format!("it has the character {}, and it takes {takes}", ch.escape_default())
        }
    }
}

impl From<CallerArgs> for CalledBy {
    fn from(args: CallerArgs) -> CalledBy {
        CalledBy { name: args.name, session: args.as_session }
    }
}

//! CLI door: what goes out, and with which exit status. Output goes to the ports handed in, never to the
//! process's own. A reader that went away is no error.
//!
//! What a person asks for goes through the same checks as a tool call, so the doors agree.

use super::args::{Paging, Reader};
use super::pager::{Paged, Pager};
use super::shell::in_shell;
use crate::doors::carry::{self, Outcome};
use crate::doors::opening::{Complaint, for_people};
use crate::doors::status::Status;
use crate::report::patched::Looks;
use crate::report::{Sent, Telling, Told, fault_line, for_terminal, history, text};
use crate::wire::{self, Json};
use patchwright::{Quiet, Workspace};
use patchwright_core::outcome::{Answer, BatchStatus, Extent, Reply, Trouble};
use patchwright_core::tool::Tool;
use serde::Serialize;
use std::io::{self, Read, Write};

/// Where a command reads and writes.
pub struct Ports<'a> {
    /// Standard input.
    pub input: &'a mut dyn Read,
    /// Standard output.
    pub output: &'a mut dyn Write,
    /// Standard error.
    pub errors: &'a mut dyn Write,
    /// What standard output is.
    pub screen: Screen,
    /// What shows long output on a terminal.
    pub pager: &'a mut dyn Pager,
}

/// What standard output is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Screen {
    /// A terminal: colours, and nothing that could take it over.
    Terminal,
    /// A terminal whose owner wants no colours.
    PlainTerminal,
    /// A pipe or a file: bytes as they are.
    Pipe,
}

impl Screen {
    /// How diffs look on it.
    pub(super) fn looks(self) -> Looks {
        match self {
            Screen::Terminal => Looks::Coloured,
            Screen::PlainTerminal => Looks::Plain,
            Screen::Pipe => Looks::Raw,
        }
    }
}

/// How a command ends: with a status, or with something that stopped it.
pub(super) type Ending = Result<Status, Stop>;

/// What stopped a command.
#[derive(Debug)]
pub(super) enum Stop {
    /// It could not begin.
    Complaint(Complaint),
    /// Its output could not be written.
    Output(io::Error),
}

impl From<Complaint> for Stop {
    fn from(complaint: Complaint) -> Stop {
        Stop::Complaint(complaint)
    }
}

impl From<Trouble> for Stop {
    fn from(trouble: Trouble) -> Stop {
        Stop::Complaint(Complaint::Closed(Box::new(trouble)))
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        Stop::Output(error)
    }
}

impl Stop {
    /// Something that makes no sense.
    pub(super) fn usage(message: impl Into<String>) -> Stop {
        Stop::Complaint(Complaint::Usage(message.into()))
    }
}

impl Ports<'_> {
    /// The exit status for an ending, after saying what there is to say.
    pub(super) fn end(&mut self, ending: Ending) -> Status {
        let ending = ending.and_then(|status| match self.output.flush() {
            // What was done is done, or refused, whoever listens.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(status),
            flushed => Ok(flushed.map(|()| status)?),
        });
        match ending {
            Ok(status) => status,
            Err(Stop::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => Status::Done,
            Err(Stop::Output(error)) => {
                self.complain(&format!("cannot write the answer: {error}"));
                Status::Fault
            }
            Err(Stop::Complaint(complaint)) => {
                self.complain(&complaint.to_string());
                complaint.status()
            }
        }
    }

    /// What clap has to say: help and version on the way out, wrong usage as an error.
    pub(super) fn usage(&mut self, error: &clap::Error) -> Status {
        let status = if error.use_stderr() { Status::Usage } else { Status::Done };
        let port = if error.use_stderr() { &mut *self.errors } else { &mut *self.output };
        let rendered = error.render();
        // What was given on the command line stands in it as it came: no colours where that could be taken for some.
        let odd = error.context().any(|(_, value)| {
            let given = value.to_string();
            for_terminal(&given) != given
        });
        let coloured = self.screen == Screen::Terminal && !odd;
        let text = if coloured { rendered.ansi().to_string() } else { for_terminal(&rendered.to_string()) };
        // Nobody is left to tell when even this cannot be written.
        let _written = port.write_all(text.as_bytes()).and_then(|()| port.flush());
        status
    }

    /// One line of JSON.
    pub(super) fn json(&mut self, value: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut *self.output, value)?;
        self.output.write_all(b"\n")
    }

    /// Text for a person, with everything made visible that could fool one.
    pub(super) fn say(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.output, "{}", for_terminal(line))
    }

    /// An outcome, as the reader wants it.
    pub(super) fn outcome(&mut self, outcome: &Outcome, reader: Reader) -> Ending {
        match (reader, outcome) {
            (Reader::Program, _) => self.json(&Told(outcome, Telling::PROGRAM))?,
            (Reader::Person, Ok(_)) => self.say(text::text(outcome, &Telling::PROGRAM).trim_end())?,
            (Reader::Person, Err(failed)) => self.complain(&for_people(&failed.trouble)),
        }
        Ok(Status::of(outcome))
    }

    /// What a call came to, for the program that made it.
    pub(super) fn answer(&mut self, outcome: &Outcome, call: Option<&Sent>) -> Ending {
        self.json(&Told(outcome, Telling { call, ..Telling::PROGRAM }))?;
        Ok(Status::of(outcome))
    }

    /// A fault of ours, for whoever looks at standard error.
    pub(super) fn diagnose(&mut self, tool: &Tool, outcome: &Outcome) {
        if let Some(line) = outcome.as_ref().err().and_then(|failed| fault_line(tool.name, failed)) {
            self.complain(&line);
        }
    }

    /// An answer about history, as a person sees it here.
    pub(super) fn worded(&self, answer: &Answer) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        history::show(answer, self.screen.looks(), &mut text)?;
        Ok(text)
    }

    /// Text that may be long: a terminal gets it page by page, if there is a pager.
    pub(super) fn long(&mut self, text: &[u8], paging: Paging) -> io::Result<()> {
        if self.screen != Screen::Pipe && paging == Paging::ByPages {
            self.output.flush()?;
            if self.pager.show(text) == Paged::Shown {
                return Ok(());
            }
        }
        self.output.write_all(text)
    }

    /// What an undo or a proposal came to. Of what is in the way a person is shown the lines, too.
    pub(super) fn settled(&mut self, outcome: &Outcome, reader: Reader) -> Ending {
        match (reader, outcome) {
            (Reader::Program, _) => self.json(&Told(outcome, Telling::PROGRAM))?,
            (Reader::Person, Ok(Reply { answer, .. })) => {
                let text = self.worded(answer)?;
                self.output.write_all(&text)?;
                if let Some(back) = again(answer) {
                    self.say(&back)?;
                }
            }
            (Reader::Person, Err(_)) => self.complain(&in_shell(&text::text(outcome, &Telling::PROGRAM))),
        }
        Ok(Status::of(outcome))
    }

    /// Bad news for a person.
    pub(super) fn complain(&mut self, message: &str) {
        // Nobody is left to tell when even this cannot be written.
        let _written = writeln!(self.errors, "{}", for_terminal(message));
    }
}

/// How a person has it back.
fn again(answer: &Answer) -> Option<String> {
    let Answer::Settled(settled) = answer else { return None };
    let done = settled.extent == Extent::Done && settled.status == BatchStatus::Applied;
    let batch = settled.batch.as_ref().filter(|_| done)?;
    let what = if settled.undone.is_empty() { "takes it back" } else { "brings the changes back" };
    Some(format!("`patchwright undo {batch}` {what}"))
}

/// Calls a tool with these arguments.
pub(super) fn ask(workspace: &Workspace, tool: &str, arguments: Vec<(&str, Json)>) -> Result<Outcome, Stop> {
    let tool: &Tool = wire::tool(tool).map_err(|unknown| Stop::usage(unknown.to_string()))?;
    let arguments = Json::Object(arguments.into_iter().map(|(name, value)| (name.to_owned(), value)).collect());
    let call = carry::understand_json(tool, arguments, carry::null_proof(workspace.proof()), |json| json);
    let outcome = carry::carry_out(workspace, tool, &call, &Quiet);
    Ok(carry::Notes::default().told(outcome, &call.readings))
}

/// An argument that is text.
pub(super) fn word(text: &str) -> Json {
    Json::Text(text.to_owned())
}

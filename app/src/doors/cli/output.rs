//! CLI door: what goes out, and with which exit status. Output goes to the ports handed in, never to the
//! process's own. A reader that went away is no error.

use super::args::{Hints, Paging, Reader};
use super::findings::sentence;
use super::pager::{Paged, Pager};
use super::stop::{Ending, Stop};
use super::typed::{Typed, from_here};
use crate::doors::call::Outcome;
use crate::doors::exit_code::Status;
use crate::doors::open::{Complaint, Person};
use crate::report::people::{Colour, Role, View, refusal};
use crate::report::warnings::warning;
use crate::report::{Sent, Telling, Told, fault_line, for_terminal};
use patchwright_core::outcome::{Failed, Reply, Trouble};
use patchwright_core::tool::Tool;
use patchwright_core::warning::Warning;
use patchwright_engine::{Finding, Observer};
use serde::Serialize;
use serde_json::json;
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

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
    /// How answers are shown; the command line has the last word on it.
    pub manner: Manner,
}

/// How answers are shown.
#[derive(Clone, Debug, Default)]
pub struct Manner {
    /// To whom.
    pub reader: Reader,
    /// All at once, or by pages.
    pub paging: Paging,
    /// With hints?
    pub hints: Hints,
    /// On what sort of screen.
    pub view: View,
    /// What was typed.
    pub typed: Typed,
    /// Is somebody at the keyboard?
    pub person: Person,
    /// Who is told of what takes long.
    pub progress: Option<Arc<dyn Observer>>,
    /// Begins to take note of signals that ask the process to end, for a command that goes on by itself: the flag is set
    /// by them. Without it they end the process as they do any other.
    pub interrupts: Option<fn() -> Arc<AtomicBool>>,
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
    /// The same, whose owner wants colours all the same.
    ColouredPipe,
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
                self.complain(&format!("patchwright: cannot write the answer: {error}"));
                Status::Fault
            }
            Err(Stop::Complaint(complaint)) if self.reader() == Reader::Program => {
                let status = complaint.status();
                // Nobody is left to tell when even this cannot be written.
                let _written = match complaint {
                    Complaint::Closed(trouble) => {
                        self.json(&Told(&Err(Failed::unrecorded(*trouble)), Telling::PROGRAM))
                    }
                    Complaint::Usage(said) | Complaint::Refused(said) => self.json(&wrong_usage(&said)),
                };
                status
            }
            Err(Stop::Complaint(Complaint::Closed(trouble))) => {
                self.bad_news(&trouble, 0);
                Status::of_trouble(&trouble)
            }
            Err(Stop::Complaint(complaint)) => {
                self.complain(&format!("patchwright: {complaint}"));
                complaint.status()
            }
        }
    }

    /// What clap has to say: help and version on the way out, wrong usage as an error; as JSON, if that was asked for.
    pub(super) fn usage(&mut self, error: &clap::Error, given: &[OsString]) -> Status {
        let status = if error.use_stderr() { Status::Usage } else { Status::Done };
        if status == Status::Usage && given.iter().any(|word| word == "--json") {
            let _written = self.json(&wrong_usage(&error.to_string()));
            return status;
        }
        let port = if error.use_stderr() { &mut *self.errors } else { &mut *self.output };
        let rendered = error.render();
        // What was given on the command line stands in it as it came: no colours where that could be taken for some.
        let odd = error.context().any(|(_, value)| {
            let given = value.to_string();
            for_terminal(&given) != given
        });
        let coloured = self.manner.view.colour == Colour::Yes && !odd;
        let text = match status {
            Status::Done if coloured => rendered.ansi().to_string(),
            _ => for_terminal(&rendered.to_string()).replacen("error: ", "patchwright: ", 1),
        };
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

    /// Who reads the answer.
    pub(super) fn reader(&self) -> Reader {
        self.manner.reader
    }

    /// How it is looked at.
    pub(super) fn view(&self) -> &View {
        &self.manner.view
    }

    /// An outcome for a program, or bad news for whoever reads.
    pub(super) fn outcome(&mut self, outcome: &Outcome) -> Ending {
        match (self.reader(), outcome) {
            (Reader::Program, _) => self.json(&Told(outcome, Telling::PROGRAM))?,
            (Reader::Person, Ok(reply)) => self.warn(reply),
            (Reader::Person, Err(failed)) => {
                let done = failed.done.as_ref().map_or(0, |done| done.files.len());
                self.bad_news(&failed.trouble, done);
            }
        }
        Ok(Status::of(outcome))
    }

    /// What else a person should know.
    pub(super) fn warn(&mut self, reply: &Reply) {
        for told in &reply.warnings {
            let words = match told {
                Warning::WrittenAfterSwap { path, .. } => {
                    format!(
                        "{path} is not what it was when it was put away: another program wrote into it, or it was damaged"
                    )
                }
                told => warning(told),
            };
            self.complain(&format!("warning: {words}"));
        }
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

    /// Text that may be long: a terminal gets it page by page, if there is a pager.
    pub(super) fn long(&mut self, text: &str) -> io::Result<()> {
        if self.view().is_terminal() && self.manner.paging == Paging::ByPages {
            self.output.flush()?;
            if self.pager.show(text.as_bytes()) == Paged::Shown {
                return Ok(());
            }
        }
        self.put(text)
    }

    /// Text that is safe already.
    pub(super) fn put(&mut self, text: &str) -> io::Result<()> {
        self.output.write_all(text.as_bytes())
    }

    /// A command that may be wanted next. One at most, and last; none in pipes.
    pub(super) fn hint(&mut self, text: &str) -> io::Result<()> {
        if !self.view().is_terminal() || self.manner.hints == Hints::LeftOut {
            return Ok(());
        }
        let line = self.view().paint(Role::Faint, &self.manner.typed.same_place(text));
        writeln!(self.output, "{line}")
    }

    /// Bad news in a person's words: what is so, what shows it, whether anything was changed, and a hint.
    fn bad_news(&mut self, trouble: &Trouble, done: usize) {
        let view = self.manner.view.clone();
        let (about, here) = (self.manner.typed.about(), from_here(&view));
        let mut news = refusal::told(trouble, &self.manner.typed.said(&about, done, &here));
        let hint = news.hint.take().filter(|_| view.is_terminal() && self.manner.hints == Hints::Given);
        let mut text = view.wrapped(&refusal::render(&news));
        text.extend(hint.map(|hint| format!("{}\n", view.paint(Role::Faint, &format!("hint: {hint}")))));
        // Nobody is left to tell when even this cannot be written.
        let _written = self.errors.write_all(text.as_bytes());
    }

    /// What is wrong with the record, on one line.
    pub(super) fn damage(&mut self, finding: &Finding) {
        self.complain(&format!("patchwright: {}; `patchwright doctor` tells more", sentence(finding)));
    }

    /// Bad news for a person.
    pub(super) fn complain(&mut self, message: &str) {
        // Nobody is left to tell when even this cannot be written.
        let text = self.manner.view.wrapped(&for_terminal(message));
        let _written = writeln!(self.errors, "{text}");
    }
}

/// Wrong usage, for a program.
fn wrong_usage(said: &str) -> serde_json::Value {
    let message = said.strip_prefix("error: ").unwrap_or(said).trim();
    json!({ "ok": false, "error": { "kind": "invalid_arguments", "message": message, "recoverable": true } })
}

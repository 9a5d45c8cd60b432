//! One writer: a server of its own, and one line after the other into a file of its own.
//!
//! Every line is a new one, so that in the end each of them can be accounted for. A call that was answered `busy` is
//! made again; one whose server was killed is not, as nobody knows what came of it.

use super::board::{Answered, Board};
use super::process::Process;
use crate::failure::Failure;
use crate::prove::caller::Caller;
use crate::prove::setting::Setting;
use serde_json::json;
use std::path::Path;
use std::time::Instant;

/// What every file begins and ends with.
pub(super) const BEGIN: &str = "begin";
pub(super) const END: &str = "end";

/// One call and when it was made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call {
    pub(super) begun: Instant,
    pub(super) ended: Instant,
    pub(super) answered: Answered,
}

/// A line and what its writer was told of it last.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) text: String,
    pub(super) answered: Answered,
}

/// All that one writer did.
#[derive(Default)]
pub(super) struct Work {
    pub(super) calls: Vec<Call>,
    pub(super) lines: Vec<Line>,
    /// What must not be, if it came upon something.
    pub(super) wrong: Option<String>,
}

pub(super) struct Writer<'a> {
    pub(super) setting: &'a Setting,
    pub(super) root: &'a Path,
    pub(super) board: &'a Board,
    pub(super) number: usize,
}

/// The file of a writer.
pub(super) fn file(writer: usize) -> String {
    format!("w{writer}.txt")
}

impl Writer<'_> {
    /// Writes until all is over.
    pub(super) fn work(&self) -> Work {
        let mut work = Work::default();
        if let Err(what) = self.lines(&mut work) {
            self.board.failed(self.number);
            work.wrong = Some(format!("writer {}: {what}", self.number));
        }
        work
    }

    fn lines(&self, work: &mut Work) -> Result<(), String> {
        let mut caller = self.start()?;
        while !self.board.is_over() {
            let text = format!("w{}-{}", self.number, work.lines.len());
            let answered = self.line(&mut caller, &text, &mut work.calls)?;
            work.lines.push(Line { text, answered });
            if answered == Answered::Nothing {
                drop(caller);
                caller = self.start()?;
            }
        }
        self.board.ended(self.number);
        caller.close()
    }

    fn start(&self) -> Result<Caller, String> {
        let caller = Caller::mcp(self.setting, self.root, &[]).map_err(|failure: Failure| failure.to_string())?;
        self.board.started(self.number, caller.pid().and_then(Process::numbered));
        Ok(caller)
    }

    /// Asks for one line until it is there, its server is killed, or all is over.
    fn line(&self, caller: &mut Caller, text: &str, calls: &mut Vec<Call>) -> Result<Answered, String> {
        loop {
            let begun = Instant::now();
            let answered = self.ask(caller, text)?;
            calls.push(Call { begun, ended: Instant::now(), answered });
            self.board.answered(self.number, answered);
            if answered != Answered::Busy || self.board.is_over() {
                return Ok(answered);
            }
        }
    }

    fn ask(&self, caller: &mut Caller, text: &str) -> Result<Answered, String> {
        let file = file(self.number);
        let patch = format!("*** Begin Patch\n*** Update File: {file}\n@@\n+{text}\n {END}\n*** End Patch\n");
        match caller.ask("apply_patch", &json!({"patch": patch})) {
            Ok(answer) if answer.is_ok() => Ok(Answered::Done),
            Ok(answer) if answer.kind() == "busy" => Ok(Answered::Busy),
            Ok(answer) => Err(format!("{text} was answered {}", answer.0)),
            Err(_) if self.board.ended(self.number) => Ok(Answered::Nothing),
            Err(what) => Err(what),
        }
    }
}

//! What every door does alike with a call: argument text is read once (`Arguments`), understood as a call of a tool
//! (`Understood`) and carried out by the engine (`Outcome`). Shapes of JSON come from `wire`, words from `report`.

use crate::report::Sent;
use crate::wire::{self, Json, Noted, NullProof, UnknownTool};
use patchwright_core::outcome::{Failed, Reply, Trouble};
use patchwright_core::reading::{Reading, Told};
use patchwright_core::refusal::{Refusal, Why};
use patchwright_core::tool::{Call, Effect, Tool};
use patchwright_core::warning::Warning;
use patchwright_engine::{Proof, Quiet, Session, Watch};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

/// What a call came to.
pub(super) type Outcome = Result<Reply, Failed>;

/// The arguments of a call as JSON. Their text is parsed here, and nowhere again.
pub(super) struct Arguments {
    json: Result<Json, Unclear>,
    /// Are they so short that a refusal may say them again?
    is_short: bool,
}

impl Arguments {
    /// Parses their text.
    pub(super) fn read(text: &str) -> Arguments {
        let json = guarded(|| Ok(wire::parse_json(text)?));
        Arguments { json, is_short: text.len() <= wire::LONGEST_REPEATED }
    }

    /// Why their text makes no arguments, if it does not.
    pub(super) fn refusal(&self) -> Option<&Refusal> {
        match &self.json {
            Err(Unclear::Refused { refusal, .. }) => Some(refusal),
            Ok(_) | Err(Unclear::BrokeDown(_)) => None,
        }
    }

    /// What a refusal of the call would have to say again.
    fn repeatable(&self) -> Option<Json> {
        self.json.as_ref().ok().filter(|_| self.is_short).cloned()
    }
}

/// A call of a tool, as far as its arguments make one.
pub(super) struct Understood {
    /// The tool.
    pub(super) tool: &'static Tool,
    /// The call; or why there is none.
    pub(super) call: Result<Call, Unclear>,
    /// How the arguments were read where they say something else.
    pub(super) readings: Vec<Reading>,
    /// The arguments as they came, where a refusal may say them again.
    given: Option<Json>,
}

/// Why arguments make no call.
pub(super) enum Unclear {
    /// They do not fit.
    Refused {
        /// Why.
        refusal: Refusal,
        /// The files that they name.
        named: Vec<String>,
    },
    /// A bug of ours showed while they were read; what the panic said.
    BrokeDown(String),
}

impl From<Refusal> for Unclear {
    fn from(refusal: Refusal) -> Unclear {
        Unclear::Refused { refusal, named: Vec::new() }
    }
}

impl Understood {
    /// The call that arguments make of a tool, once `fill` has put in what the caller left out.
    pub(super) fn new(
        tool: &'static Tool,
        arguments: Arguments,
        null_proof: NullProof,
        fill: impl FnOnce(Json) -> Json,
    ) -> Understood {
        let given = arguments.repeatable();
        let noted = arguments.json.and_then(|json| guarded(|| typed(tool, json, null_proof, fill)));
        match noted {
            Ok(Noted { call, readings }) => Understood { tool, call: Ok(call), readings, given },
            Err(unclear) => Understood { tool, call: Err(unclear), readings: Vec::new(), given },
        }
    }

    /// A call that is refused whatever its arguments say.
    pub(super) fn refused(tool: &'static Tool, arguments: Arguments, refusal: Refusal) -> Understood {
        let given = arguments.repeatable();
        let read = |json| wire::canonical(tool, json, NullProof::LeftOut).json;
        let named = arguments.json.and_then(|json| guarded(|| Ok(wire::named(&read(json)))));
        let call = Err(Unclear::Refused { refusal, named: named.unwrap_or_default() });
        Understood { tool, call, readings: Vec::new(), given }
    }

    /// Carries it out, or puts on record why there is no call.
    pub(super) fn carry_out(&self, session: &Session, watch: &dyn Watch) -> Outcome {
        match &self.call {
            Ok(call) => session.call(call, watch),
            Err(Unclear::Refused { refusal, named }) => {
                Err(refuse(session, self.tool, refusal.clone(), named).told_by(self.tool))
            }
            Err(Unclear::BrokeDown(said)) => Err(session.record_breakdown(self.tool, said)),
        }
    }

    /// The call as it was sent, where it was refused: so that the refusal can say it with what was wrong put right.
    pub(super) fn sent(&self, outcome: &Outcome) -> Option<Sent> {
        let arguments = wire::refused_arguments(self.tool, self.given.as_ref()?, outcome)?;
        Some(Sent { tool: self.tool.name, arguments, fits: wire::fits })
    }
}

fn typed(tool: &Tool, json: Json, null_proof: NullProof, fill: impl FnOnce(Json) -> Json) -> Result<Noted, Unclear> {
    let mut read = wire::canonical(tool, json, null_proof);
    read.json = fill(read.json);
    let named = wire::named(&read.json);
    wire::typed(tool, read).map_err(|refusal| Unclear::Refused { refusal, named })
}

/// Calls a tool with arguments that a command was given.
pub(super) fn ask(session: &Session, tool: &str, fields: Vec<(&str, Json)>) -> Result<Outcome, UnknownTool> {
    let tool = wire::tool(tool)?;
    let json = Json::Object(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect());
    let arguments = Arguments { json: Ok(json), is_short: false };
    let call = Understood::new(tool, arguments, null_proof(session.proof()), |json| json);
    let outcome = call.carry_out(session, &Quiet);
    Ok(Notes::default().told(outcome, &call.readings))
}

/// What a `null` means in the place of a proof, by what counts as proof.
pub(super) fn null_proof(proof: Proof) -> NullProof {
    match proof {
        Proof::Unchecked => NullProof::Refused,
        Proof::HashOrLedger | Proof::HashOnly => NullProof::LeftOut,
    }
}

/// What a session has been told of how its calls were read.
#[derive(Default)]
pub(super) struct Notes(Mutex<Told>);

impl Notes {
    /// An outcome with what is news of how its call was read. It is told beside the answer and stands in no record,
    /// so an answer that is given again has the notes of the call that asks for it.
    pub(super) fn told(&self, outcome: Outcome, readings: &[Reading]) -> Outcome {
        outcome.map(|mut reply| {
            let mut told = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            reply.warnings.extend(Warning::of_readings(told.news(readings)));
            reply
        })
    }
}

/// What reading arguments gives; a panic on the way does not get past here.
fn guarded<T>(read: impl FnOnce() -> Result<T, Unclear>) -> Result<T, Unclear> {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|panic| Err(Unclear::BrokeDown(said(&*panic))))
}

/// What a panic says.
fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}

/// A call refused before it became one. Those that would have changed something go on record.
fn refuse(session: &Session, tool: &Tool, refusal: Refusal, named: &[String]) -> Failed {
    match tool.effect {
        Effect::Looks => Failed::unrecorded(refusal),
        Effect::Adds | Effect::Changes => session.record_refusal(tool.name, named, refusal.into()),
    }
}

/// Did the call end because whoever watched it said so?
pub(super) fn was_cancelled(outcome: &Outcome) -> bool {
    matches!(outcome, Err(Failed { trouble: Trouble::Refused(Refusal { why: Why::Cancelled, .. }), .. }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_call_names_its_files_under_whatever_name_they_came() {
        let check = |name: &str, arguments: &str, want: &[&str]| {
            let tool = wire::tool(name).unwrap();
            let why = Refusal::plain(Why::Cancelled);
            let given = || Arguments::read(arguments);
            let understood = Understood::new(tool, given(), NullProof::LeftOut, |json| json);
            for call in [understood, Understood::refused(tool, given(), why)] {
                let Err(Unclear::Refused { named, .. }) = call.call else { panic!("{arguments}") };
                assert_eq!(named, want, "{arguments}");
            }
        };
        check("edit_file", r#"{"file_path": "a", "x": 1}"#, &["a"]);
        check("move_file", r#"{"source": "a", "destination": "b", "x": 1}"#, &["a", "b"]);
        check("apply_patch", r#"{"input": "*** Delete File: a\n", "x": 1}"#, &["a"]);
        check("create_file", r#"{"path": null, "file_path": "a"}"#, &["a"]);
    }
}

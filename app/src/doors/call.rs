//! Doors: what every door does alike with a call, from argument text to outcome. Words and shapes of
//! JSON come from `wire` and `report`; deciding and doing are the engine's.

use crate::report::Sent;
use crate::wire::{self, Json, Noted, NullProof};
use patchwright_core::outcome::{Failed, Reply, Trouble};
use patchwright_core::reading::{Reading, Told};
use patchwright_core::refusal::{Refusal, Why};
use patchwright_core::tool::{Call, Effect, Tool};
use patchwright_core::warning::Warning;
use patchwright_engine::{Proof, Watch, Workspace};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

/// What a call came to.
pub(super) type Outcome = Result<Reply, Failed>;

/// What arguments make, and how they were read.
pub(super) struct Understood {
    /// The call; or why there is none.
    pub(super) call: Result<Call, Unclear>,
    /// How the arguments were read where they say something else.
    pub(super) readings: Vec<Reading>,
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
    /// A bug of ours showed while they were read.
    BrokeDown(Box<dyn Any + Send>),
}

impl From<Refusal> for Unclear {
    fn from(refusal: Refusal) -> Unclear {
        Unclear::Refused { refusal, named: Vec::new() }
    }
}

impl From<Result<Call, Unclear>> for Understood {
    fn from(call: Result<Call, Unclear>) -> Understood {
        Understood { call, readings: Vec::new() }
    }
}

/// The call that this argument text makes of a tool, once `fill` has put in what the caller left out.
pub(super) fn understand_as(
    tool: &Tool,
    arguments: &str,
    null_proof: NullProof,
    fill: impl FnOnce(Json) -> Json,
) -> Understood {
    match reading(|| Ok(wire::parse_json(arguments)?)) {
        Ok(json) => understand_json(tool, json, null_proof, fill),
        Err(unclear) => Err(unclear).into(),
    }
}

/// The call that this argument text makes, where it was refused: so that the refusal can say it with what was wrong put
/// right.
pub(super) fn sent(tool: &Tool, arguments: &str, outcome: &Outcome) -> Option<Sent> {
    let arguments = wire::refused_arguments(tool, arguments, outcome)?;
    Some(Sent { tool: tool.name, arguments, fits: wire::fits })
}

/// A call that is refused whatever its arguments say.
pub(super) fn refused(tool: &Tool, refusal: Refusal, arguments: &str) -> Understood {
    let read = |json| wire::canonical(tool, json, NullProof::LeftOut);
    let named = reading(|| Ok(wire::named(&read(wire::parse_json(arguments)?).json))).unwrap_or_default();
    Err(Unclear::Refused { refusal, named }).into()
}

/// The call that these arguments make of a tool, once `fill` has put in what the caller left out.
pub(super) fn understand_json(
    tool: &Tool,
    arguments: Json,
    null_proof: NullProof,
    fill: impl FnOnce(Json) -> Json,
) -> Understood {
    let noted = reading(|| {
        let mut read = wire::canonical(tool, arguments, null_proof);
        read.json = fill(read.json);
        let named = wire::named(&read.json);
        wire::typed(tool, read).map_err(|refusal| Unclear::Refused { refusal, named })
    });
    match noted {
        Ok(Noted { call, readings }) => Understood { call: Ok(call), readings },
        Err(unclear) => Err(unclear).into(),
    }
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
pub(super) fn reading<T>(read: impl FnOnce() -> Result<T, Unclear>) -> Result<T, Unclear> {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|panic| Err(Unclear::BrokeDown(panic)))
}

/// Carries out what was understood, or puts on record what was not.
pub(super) fn carry_out(workspace: &Workspace, tool: &Tool, call: &Understood, watch: &dyn Watch) -> Outcome {
    match &call.call {
        Ok(call) => workspace.call(call, watch),
        Err(Unclear::Refused { refusal, named }) => Err(refuse(workspace, tool, refusal.clone(), named).told_by(tool)),
        Err(Unclear::BrokeDown(panic)) => Err(workspace.record_breakdown(tool, &**panic)),
    }
}

/// A call refused before it became one. Those that would have changed something go on record.
fn refuse(workspace: &Workspace, tool: &Tool, refusal: Refusal, named: &[String]) -> Failed {
    match tool.effect {
        Effect::Looks => Failed::unrecorded(refusal),
        Effect::Adds | Effect::Changes => workspace.record_refusal(tool.name, named, refusal.into()),
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
            for call in [understand_as(tool, arguments, NullProof::LeftOut, |json| json), refused(tool, why, arguments)]
            {
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

//! Doors: what every door does alike with a call, from argument text to outcome. Words and shapes of
//! JSON come from `wire` and `report`; deciding and doing are the engine's.

use crate::wire::{self, Json};
use patchwright::{Watch, Workspace};
use patchwright_core::outcome::{Failed, Reply, Trouble};
use patchwright_core::refusal::{Refusal, Why};
use patchwright_core::tool::{Call, Effect, Tool};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a call came to.
pub(super) type Outcome = Result<Reply, Failed>;

/// A call as its arguments make it; or why they make none.
pub(super) type Understood = Result<Call, Unclear>;

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

/// The call that this argument text makes of a tool, once `fill` has put in what the caller left out.
pub(super) fn understand_as(tool: &Tool, arguments: &str, fill: impl FnOnce(Json) -> Json) -> Understood {
    understand_json(tool, fill(reading(|| Ok(wire::parse_json(arguments)?))?))
}

/// A call that is refused whatever its arguments say.
pub(super) fn refused(refusal: Refusal, arguments: &str) -> Understood {
    let named = reading(|| Ok(wire::named(&wire::parse_json(arguments)?))).unwrap_or_default();
    Err(Unclear::Refused { refusal, named })
}

/// The call that these arguments make of a tool.
pub(super) fn understand_json(tool: &Tool, arguments: Json) -> Understood {
    let named = wire::named(&arguments);
    let read = || wire::check(tool, arguments).and_then(|args| Call::new(tool, &args));
    reading(|| read().map_err(|refusal| Unclear::Refused { refusal, named }))
}

/// What reading arguments gives; a panic on the way does not get past here.
pub(super) fn reading<T>(read: impl FnOnce() -> Result<T, Unclear>) -> Result<T, Unclear> {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|panic| Err(Unclear::BrokeDown(panic)))
}

/// Carries out what was understood, or puts on record what was not.
pub(super) fn carry_out(workspace: &Workspace, tool: &Tool, call: &Understood, watch: &dyn Watch) -> Outcome {
    match call {
        Ok(call) => workspace.call(call, watch),
        Err(Unclear::Refused { refusal, named }) => {
            Err(refuse(workspace, tool, (refusal.clone(), named)).told_by(tool))
        }
        Err(Unclear::BrokeDown(panic)) => Err(workspace.record_breakdown(tool, &**panic)),
    }
}

/// A call refused before it became one. Those that would have changed something go on record.
fn refuse(workspace: &Workspace, tool: &Tool, (refusal, named): (Refusal, &[String])) -> Failed {
    match tool.effect {
        Effect::Looks => Failed::unrecorded(refusal),
        Effect::Adds | Effect::Changes => workspace.record_refusal(tool.name, named, refusal.into()),
    }
}

/// Did the call end because whoever watched it said so?
pub(super) fn was_cancelled(outcome: &Outcome) -> bool {
    matches!(outcome, Err(Failed { trouble: Trouble::Refused(Refusal { why: Why::Cancelled, .. }), .. }))
}

//! Doors: what every door does alike with a call, from argument text to outcome. Words and shapes of
//! JSON come from `wire` and `report`; deciding and doing are the engine's.

use crate::wire;
use patchwright::{Watch, Workspace};
use patchwright_core::outcome::{DiskState, Failed, Fault, Reply, Trouble};
use patchwright_core::refusal::{Refusal, Why};
use patchwright_core::tool::{Call, Effect, Tool};

/// What a call came to.
pub(super) type Outcome = Result<Reply, Failed>;

/// The call that this argument text makes of a tool.
pub(super) fn understand(tool: &Tool, arguments: &str) -> Result<Call, Refusal> {
    let json = wire::parse_json(arguments)?;
    Call::new(tool, &wire::check(tool, json)?)
}

/// Carries out what was understood, or puts on record what was not.
pub(super) fn carry_out(
    workspace: &Workspace,
    tool: &Tool,
    call: &Result<Call, Refusal>,
    watch: &dyn Watch,
) -> Outcome {
    match call {
        Ok(call) => workspace.call(call, watch),
        Err(refusal) => Err(refuse(workspace, tool, refusal.clone()).told_by(tool)),
    }
}

/// A call refused before it became one. Those that would have changed something go on record.
fn refuse(workspace: &Workspace, tool: &Tool, refusal: Refusal) -> Failed {
    match tool.effect {
        Effect::Looks => Failed::unrecorded(refusal),
        Effect::Adds | Effect::Changes => workspace.record_refusal(tool.name, refusal.into()),
    }
}

/// Did the call end because whoever watched it said so?
pub(super) fn was_cancelled(outcome: &Outcome) -> bool {
    matches!(outcome, Err(Failed { trouble: Trouble::Refused(Refusal { why: Why::Cancelled, .. }), .. }))
}

/// What to say of a call whose thread broke down. What it did to the files is known only of looks.
pub(super) fn broke_down(tool: &Tool) -> Failed {
    let state = if tool.effect == Effect::Looks { DiskState::Bug } else { DiskState::InDoubt };
    let fault = Fault { path: None, doing: "call", said: format!("{} broke down", tool.name), state };
    Failed::unrecorded(Trouble::Fault(fault)).told_by(tool)
}

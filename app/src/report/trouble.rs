//! Bad news of every kind, in words and as facts. A line patch that is refused may wrap refusals of its files, so its
//! faults are worded here, above all others.

pub(super) mod line_patch;
mod line_problems;

use super::message::Words;
use super::telling::Telling;
use super::{conflicts, details, words};
use patchwright_core::outcome::{Fault, Trouble};
use patchwright_core::refusal::{Refusal, Why};
use serde_json::{Value, json};

/// Words for either kind of bad news.
pub fn trouble(trouble: &Trouble, tell: &Telling<'_>) -> Words {
    match trouble {
        Trouble::Refused(refused) => refusal(refused, tell),
        Trouble::Fault(failed) => words::fault(failed, tell),
    }
}

/// The words of the refusal itself, and after them who changed the file since.
fn refusal(refusal: &Refusal, tell: &Telling<'_>) -> Words {
    let Words { message, next } = match &refusal.why {
        Why::LinePatch(faults) => line_patch::words(faults, tell),
        _ => words::of_refusal(refusal, tell),
    };
    Words { message: message + &conflicts::since(refusal), next }
}

/// The facts, where there are any beyond the kind and the path.
pub(super) fn details(trouble: &Trouble) -> Option<Value> {
    match trouble {
        Trouble::Refused(refusal) => conflicts::with_since(facts(refusal), refusal),
        Trouble::Fault(Fault { id: Some(id), doing, .. }) => Some(json!({ "doing": doing, "id": id })),
        Trouble::Fault(Fault { doing, said, .. }) => Some(json!({ "doing": doing, "said": said })),
    }
}

fn facts(refusal: &Refusal) -> Option<Value> {
    match &refusal.why {
        Why::LinePatch(faults) => Some(json!({ "errors": faults.iter().map(line_patch::error).collect::<Vec<_>>() })),
        why => details::of_refusal(refusal.path.as_deref(), why),
    }
}

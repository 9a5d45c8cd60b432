//! Two steps that meet at one name: refused, however the name is spelt.

use super::snapshot::Seen;
use super::{Act, Plan, Step};
use crate::fold::fold;
use crate::path::RelPath;
use crate::refusal::{Refusal, Why};
use std::collections::HashMap;

/// Refuses a plan in which a name is changed twice. A name that is emptied and then filled by the
/// next steps of the same move is one change.
pub(super) fn check(plan: &Plan) -> Result<(), Refusal> {
    let mut claimed: HashMap<String, &RelPath> = HashMap::new();
    for (at, step) in plan.steps.iter().enumerate() {
        for name in claims(plan.steps.get(..at).unwrap_or_default(), step) {
            // A file system that ignores case would see one file where we see two.
            if let Some(other) = claimed.insert(fold(name.as_str()), name) {
                return Err(Refusal::at(name, Why::SameFileTwice { other: other.to_string() }));
            }
        }
    }
    Ok(())
}

fn claims<'a>(earlier: &[Step], step: &'a Step) -> Vec<&'a RelPath> {
    match &step.act {
        Act::Rename { to, .. } => {
            let emptied = earlier.last().is_some_and(|last| last.path == *to && matches!(last.act, Act::Remove { .. }));
            // Changing only the case of a name is one change of one name.
            let same = fold(to.as_str()) == fold(step.path.as_str());
            if emptied || same { vec![&step.path] } else { vec![&step.path, to] }
        }
        _ => vec![&step.path],
    }
}

/// Refuses to replace a file by itself under another name.
pub(super) fn distinct((source, from): (&Seen, &RelPath), (target, to): (&Seen, &RelPath)) -> Result<(), Refusal> {
    match (source, target) {
        (Seen::File(source), Seen::File(target)) if source.id == target.id => {
            Err(Refusal::at(from, Why::SameFileTwice { other: to.to_string() }))
        }
        _ => Ok(()),
    }
}

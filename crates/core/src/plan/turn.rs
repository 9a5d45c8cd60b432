//! Names that are a file before a plan and a folder after it, or the reverse; and names that one file leaves and another
//! takes.
//!
//! Promises that the order in which the wishes came makes no difference: what vacates names comes first, then folders
//! go and come, then everything else. A plan without such names keeps its order.

use super::{Act, Plan, Step};
use crate::path::RelPath;
use crate::refusal::{Refusal, Why};
use std::collections::{HashMap, HashSet};

/// Arranges a plan. `emptied` are the folders in the place of new files, deepest first, in which the plan leaves
/// nothing.
pub fn arrange(plan: &mut Plan, emptied: &[RelPath]) -> Result<(), Refusal> {
    let made: HashSet<&RelPath> = plan.folders.iter().collect();
    let gone: HashSet<&RelPath> = emptied.iter().collect();
    let passed_on = passed_on(&plan.steps);
    let becomes_folder = |step: &Step| step.leaves().is_some_and(|path| made.contains(path));
    if gone.is_empty() && passed_on.is_empty() && !plan.steps.iter().any(becomes_folder) {
        return Ok(());
    }
    for step in &plan.steps {
        if let Some(path) = step.takes()
            && let Some(folder) = path.ancestors().into_iter().find(|folder| gone.contains(folder))
        {
            return Err(Refusal::at(path, Why::DuplicatePath { other: folder.to_string() }));
        }
    }
    let rank = |step: &Step| match &step.act {
        Act::Remove { .. } => 0,
        Act::Rename { .. } if becomes_folder(step) || is_below(&step.path, &gone) => 1,
        Act::Rename { to, .. } if passed_on.contains(&step.path) || passed_on.contains(to) => 1,
        _ => 2,
    };
    let ahead = plan.steps.iter().filter(|step| rank(step) < 2).count();
    let mut ranked: Vec<(u8, Step)> = plan.steps.iter().map(|step| (rank(step), step.clone())).collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    plan.steps = ranked.into_iter().map(|(_, step)| step).collect();
    if !passed_on.is_empty() {
        let removed = plan.steps.iter().filter(|step| matches!(step.act, Act::Remove { .. })).count();
        leave_before_taking(plan.steps.get_mut(removed..ahead).unwrap_or_default());
    }
    (plan.ahead, plan.emptied) = (ahead, emptied.to_vec());
    Ok(())
}

/// Puts moves in an order in which each name is left before it is taken, as far as there is one.
fn leave_before_taking(moves: &mut [Step]) {
    let by_name: HashMap<RelPath, usize> = moves.iter().enumerate().map(|(at, step)| (step.path.clone(), at)).collect();
    let next = |at: &usize| moves.get(*at).and_then(Step::takes).and_then(|to| by_name.get(to)).copied();
    let (mut known, mut order) = (HashSet::new(), Vec::with_capacity(moves.len()));
    for first in 0..moves.len() {
        let row = std::iter::successors(Some(first), next).take_while(|at| known.insert(*at));
        let row: Vec<usize> = row.collect();
        order.extend(row.into_iter().rev());
    }
    let sorted: Vec<Step> = order.into_iter().filter_map(|at| moves.get(at).cloned()).collect();
    moves.iter_mut().zip(sorted).for_each(|(step, sorted)| *step = sorted);
}

/// The names that one file leaves and another takes, while both move.
fn passed_on(steps: &[Step]) -> HashSet<RelPath> {
    let moves = || steps.iter().filter(|step| matches!(step.act, Act::Rename { .. }));
    let left: HashSet<&RelPath> = moves().map(|step| &step.path).collect();
    moves().filter_map(Step::takes).filter(|to| left.contains(to)).cloned().collect()
}

fn is_below(path: &RelPath, folders: &HashSet<&RelPath>) -> bool {
    path.ancestors().iter().any(|folder| folders.contains(folder))
}

impl Plan {
    /// Which steps must wait between their old name and their new one, because the new one is not free, or not there,
    /// until folders have gone and come. Of files that pass a name on all wait: so each is under its old name, waiting, or
    /// under its new name, and never two of them at odds.
    pub fn waiting(&self) -> HashSet<usize> {
        let passed_on = passed_on(&self.steps);
        let turned: HashSet<&RelPath> = self.emptied.iter().collect();
        let made: HashSet<&RelPath> = self.folders.iter().collect();
        let waits = |step: &Step| match &step.act {
            Act::Rename { to, .. } => {
                turned.contains(to)
                    || to.ancestors().iter().any(|folder| made.contains(folder))
                    || [&step.path, to].into_iter().any(|name| passed_on.contains(name))
            }
            _ => false,
        };
        let first = self.steps.iter().enumerate().take(self.ahead);
        first.filter(|(_, step)| waits(step)).map(|(at, _)| at).collect()
    }
}

impl Step {
    /// The name that it leaves.
    fn leaves(&self) -> Option<&RelPath> {
        matches!(self.act, Act::Remove { .. } | Act::Rename { .. }).then_some(&self.path)
    }

    /// The name under which it leaves something.
    pub fn takes(&self) -> Option<&RelPath> {
        match &self.act {
            Act::Remove { .. } => None,
            Act::Rename { to, .. } => Some(to),
            Act::Create(_) | Act::Replace { .. } | Act::Mode { .. } => Some(&self.path),
        }
    }
}

//! A writer dies, and before anybody opens the workspace again somebody moves a folder of the call elsewhere. Nothing
//! that the call displaced is lost, and nobody is kept from working.

use crate::call::{reopen, told};
use crate::cut::stopped;
use crate::plans::{Scenario, Tree};
use patchwright_testkit::fake::{Choice, FakeDisk, Node};

/// The folder that goes, and where it goes.
const FOLDER: &str = "d";
const ELSEWHERE: &str = "moved-away";

/// Kills the call at every verb and moves the folder, if it is there.
pub(crate) fn every_stop(scenario: &Scenario) -> Result<(), String> {
    for (at, disk, _) in stopped(scenario) {
        let left = disk.crash(&Choice::Killed);
        left.set_up(|actor| actor.rename(FOLDER, ELSEWHERE));
        let whole = reopen(&left).and_then(|()| nothing_lost(scenario, &left));
        whole.map_err(|what| format!("killed at {at}: {what}\n{}", told(&disk)))?;
    }
    Ok(())
}

/// Everything that was in the tree before is there still, or kept.
fn nothing_lost(scenario: &Scenario, left: &FakeDisk) -> Result<(), String> {
    let (tree, state) = (left.tree(), left.state_tree());
    let held = |wanted: &[u8]| has(&tree, wanted) || has(&state, wanted);
    let before = scenario.disk.tree();
    let lost = before.iter().find(|(_, node)| matches!(node, Node::File { bytes, .. } if !held(bytes)));
    match lost {
        Some((path, _)) => Err(format!("what was in {path} is gone")),
        None => Ok(()),
    }
}

fn has(tree: &Tree, wanted: &[u8]) -> bool {
    tree.values().any(|node| matches!(node, Node::File { bytes, .. } if bytes == wanted))
}

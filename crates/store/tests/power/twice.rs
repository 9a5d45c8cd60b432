//! A foreign program saves, which makes the call stale, and then appends to whatever stands under the name while the
//! call is being taken back. Neither is lost; and where the file is left with text of the call in it, that is said.

use crate::call::{outcome, told};
use crate::plans::Scenario;
use patchwright_store::publish::Outcome;
use patchwright_testkit::fake::{Ability, FakeDisk, Node};

const PATH: &str = "a";
const OURS: &[u8] = b"a is new\n";
const FIRST: &[u8] = b"their first save\n";
const SECOND: &[u8] = b"their second line\n";
/// Between the saves lie at most so many verbs: more than taking back needs.
const APART: u64 = 24;

/// Both moments, before every verb. On file systems that cannot exchange, a save in the last moment may be lost:
/// the answer says so.
pub(crate) fn every_two_moments(scenario: &Scenario) -> Result<(), String> {
    if scenario.name != "write" || scenario.disk.switches().exchange == Ability::Missing {
        return Ok(());
    }
    for first in 1.. {
        for apart in 1..APART {
            match try_out(scenario, (first, first + apart)) {
                Ok(Acted::Both) => {}
                Ok(Acted::Once) => break,
                Ok(Acted::Never) => return Ok(()),
                Err(what) => return Err(format!("saved before verb {first}, appended {apart} later: {what}")),
            }
        }
    }
    Ok(())
}

/// How often the foreign program came to its turn.
enum Acted {
    Never,
    Once,
    Both,
}

fn try_out(scenario: &Scenario, (first, second): (u64, u64)) -> Result<Acted, String> {
    let acted = std::sync::Arc::new(std::sync::atomic::AtomicU64::new(0));
    let count = std::sync::Arc::clone(&acted);
    let disk = scenario.disk.with_actor(move |actor, moment| {
        if moment.nth == first {
            actor.save_by_rename(PATH, FIRST);
        } else if moment.nth == second {
            let now = actor.read(PATH).unwrap_or_default();
            actor.save_in_place(PATH, &[&now, SECOND].concat());
        } else {
            return;
        }
        count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    });
    let ended = outcome(&disk, &scenario.plan);
    let times = acted.load(std::sync::atomic::Ordering::Relaxed);
    if times > 0 {
        judge(&disk, ended.as_ref(), if times > 1 { &[FIRST, SECOND] } else { &[FIRST] })?;
    }
    Ok(match times {
        0 => Acted::Never,
        1 => Acted::Once,
        _ => Acted::Both,
    })
}

fn judge(disk: &FakeDisk, ended: Option<&Outcome>, theirs: &[&[u8]]) -> Result<(), String> {
    let here = disk.read(PATH).unwrap_or_default();
    let (tree, state) = (disk.tree(), disk.state_tree());
    let somewhere = |part: &&[u8]| {
        let held = |node: &Node| matches!(node, Node::File { bytes, .. } if has(bytes, part));
        tree.values().chain(state.values()).any(held)
    };
    if let Some(lost) = theirs.iter().find(|part| !somewhere(part)) {
        return Err(format!("{:?} is gone\n{}", String::from_utf8_lossy(lost), told(disk)));
    }
    match ended {
        Some(Outcome::RolledBack(_, left)) if has(&here, OURS) && left.is_empty() => {
            Err(format!("taken back, but the file has text of the call, and nobody is told\n{}", told(disk)))
        }
        Some(Outcome::InDoubt(_)) => Err(format!("in doubt, though nothing failed\n{}", told(disk))),
        _ => Ok(()),
    }
}

fn has(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

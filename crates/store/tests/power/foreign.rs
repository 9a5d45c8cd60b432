//! A foreign program saves, replaces, deletes or goes on writing into an open file between any two verbs.
//! Nothing of theirs is lost, and nothing of theirs is put aside by a call that says all went well.

use crate::call::{Ended, call, reopen, told};
use crate::plans::{Scenario, Tree};
use patchwright_core::plan::Act;
use patchwright_testkit::fake::{Ability, Actor, FakeDisk, Kept, Node, StateAt, TEMPORARY, Verb};
use std::sync::{Arc, Mutex};

const THEIRS: &[u8] = b"saved by somebody else\n";

/// What the foreign program does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Deed {
    /// Truncates and writes into the file under the name.
    InPlace,
    /// Writes a new file and renames it over the name.
    ByRename,
    /// Writes into a file that it opened before the call.
    ThroughHandle,
    /// Removes the file.
    Delete,
}

/// One interference: what, where, and before which of the verbs of an undisturbed run.
struct Meddling<'a> {
    deed: Deed,
    path: &'a str,
    nth: u64,
    verbs: &'a [Verb],
}

/// Every deed, on every path of the plan, before every verb.
pub(crate) fn every_moment(scenario: &Scenario) -> Result<(), String> {
    let verbs = undisturbed(scenario);
    for path in &paths(scenario) {
        for deed in [Deed::InPlace, Deed::ByRename, Deed::ThroughHandle, Deed::Delete] {
            // Of two files with the same bytes one pre-image is kept, the newer. Who goes on writing into the other
            // after the commit record loses that: known, and the price of keeping equal bytes once.
            if deed == Deed::ThroughHandle && scenario.name == "write twins" {
                continue;
            }
            for (nth, verb) in (1..).zip(&verbs) {
                let meddling = Meddling { deed, path, nth, verbs: &verbs };
                meddling
                    .try_out(scenario)
                    .map_err(|what| format!("{deed:?} {path} before verb {nth} {verb:?}: {what}"))?;
            }
        }
    }
    Ok(())
}

/// The verbs of the call when nobody meddles.
fn undisturbed(scenario: &Scenario) -> Vec<Verb> {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let list = Arc::clone(&seen);
    let disk = scenario.disk.with_actor(move |_, moment| list.lock().unwrap().push(moment.verb));
    assert_eq!(call(&disk, &scenario.plan), Ended::Done);
    let verbs = seen.lock().unwrap();
    verbs.clone()
}

/// Every path that the plan gives or takes.
fn paths(scenario: &Scenario) -> Vec<String> {
    let mut paths = Vec::new();
    for step in &scenario.plan.steps {
        paths.push(step.path.to_string());
        if let Act::Rename { to, .. } = &step.act {
            paths.push(to.to_string());
        }
    }
    paths.sort();
    paths.dedup();
    paths
}

impl Meddling<'_> {
    fn try_out(&self, scenario: &Scenario) -> Result<(), String> {
        let acted = Arc::new(Mutex::new(false));
        let disk = self.disturbed(scenario, &acted);
        let ended = call(&disk, &scenario.plan);
        if !*acted.lock().unwrap() {
            return Ok(());
        }
        if ended == Ended::Done && self.was_in_time(scenario) && !self.is_admitted(&disk) {
            return Err(format!("they were in time, and the call went ahead\n{}", told(&disk)));
        }
        self.unharmed(scenario, &disk, ended)?;
        let later = disk.fork();
        reopen(&later)?;
        self.unharmed(scenario, &later, ended).map_err(|what| format!("after opening again: {what}"))?;
        let litter = later.litter();
        if litter.is_empty() { Ok(()) } else { Err(format!("litter: {litter:?}\n{}", told(&disk))) }
    }

    fn disturbed(&self, scenario: &Scenario, acted: &Arc<Mutex<bool>>) -> FakeDisk {
        let mut kept: Option<Kept> = None;
        let (path, deed, nth, acted) = (self.path.to_owned(), self.deed, self.nth, Arc::clone(acted));
        scenario.disk.with_actor(move |actor, moment| {
            kept = kept.or_else(|| actor.open(&path).filter(|_| moment.nth == 1));
            if moment.nth == nth {
                *acted.lock().unwrap() = act(actor, deed, &path, kept);
            }
        })
    }

    /// Their bytes are somewhere, and every path they did not touch is as was answered.
    fn unharmed(&self, scenario: &Scenario, disk: &FakeDisk, ended: Ended) -> Result<(), String> {
        self.not_lost(scenario, disk, ended)?;
        let (tree, before) = (disk.tree(), scenario.disk.tree());
        let expected = match ended {
            Ended::Done => &scenario.after,
            Ended::Nothing => &before,
            Ended::InDoubt => return Err(format!("in doubt, though nothing failed\n{}", told(disk))),
        };
        let names = tree.keys().chain(expected.keys()).filter(|name| !self.concerns(scenario, name));
        let wrong: Vec<_> = names.filter(|name| tree.get(*name) != expected.get(*name)).collect();
        if wrong.is_empty() { Ok(()) } else { Err(format!("{ended:?}, but unlike: {wrong:?}\n{}", told(disk))) }
    }

    fn not_lost(&self, scenario: &Scenario, disk: &FakeDisk, ended: Ended) -> Result<(), String> {
        if self.deed == Deed::Delete || self.is_admitted(disk) {
            return Ok(());
        }
        let (in_tree, in_state) = (holds_theirs(&disk.tree()), holds_theirs(&disk.state_tree()));
        if !in_tree && !in_state {
            return Err(format!("their bytes are gone, {ended:?}: {:?}\n{}", disk.tree(), told(disk)));
        }
        let late = self.deed == Deed::ThroughHandle && self.nth > self.last_look();
        if ended == Ended::Done && !in_tree && !late {
            return Err(format!("their bytes were put aside without a word: {:?}\n{}", disk.tree(), told(disk)));
        }
        // Whoever was quicker than the call is found at the path, or at the other end of a move.
        let found = disk.tree().iter().any(|(name, node)| is_theirs(node) && self.concerns(scenario, name));
        if ended == Ended::Nothing && self.deed != Deed::ThroughHandle && !found {
            return Err(format!("refused, but theirs is not at the path: {:?}\n{}", disk.tree(), told(disk)));
        }
        Ok(())
    }

    /// A file system that cannot exchange leaves a moment between the last look and the swap, and the
    /// answer says so. Where the state lies on another file system, the old file is copied, and whoever
    /// writes into it between the last look at it and its removal writes into a file without a name.
    fn is_admitted(&self, disk: &FakeDisk) -> bool {
        let at = usize::try_from(self.nth).unwrap_or(usize::MAX).saturating_sub(1);
        let (verb, switches) = (self.verbs.get(at), disk.switches());
        let unseen = matches!(verb, Some(Verb::Link | Verb::Rename | Verb::SyncDir));
        let removed = self.deed == Deed::ThroughHandle && verb == Some(&Verb::Remove);
        (switches.exchange == Ability::Missing && unseen) || (switches.state == StateAt::OtherFileSystem && removed)
    }

    /// Did they change something the plan relies on before its first swap?
    fn was_in_time(&self, scenario: &Scenario) -> bool {
        let first_swap = (1..).zip(self.verbs).find(|(_, verb)| **verb == Verb::Rename).map_or(0, |(nth, _)| nth);
        let no_change = self.deed == Deed::Delete && scenario.disk.read(self.path).is_none();
        self.nth <= first_swap && !no_change
    }

    /// Before this verb nothing that was displaced has been looked at for the last time.
    fn last_look(&self) -> u64 {
        let synced = self.verbs.iter().rposition(|verb| matches!(verb, Verb::SyncDir | Verb::SyncEverything));
        (1..).zip(&self.verbs[..synced.unwrap_or_default()]).last().map_or(0, |(nth, _)| nth)
    }

    /// Does the plan tie this name to the path: temporary, other end of a move, folder made for it?
    fn concerns(&self, scenario: &Scenario, name: &str) -> bool {
        let within = |one: &str, other: &str| one.starts_with(&format!("{other}/"));
        let (plan, path) = (&scenario.plan, self.path);
        let turns = plan.ahead > 0 || !plan.emptied.is_empty();
        // What moved out of a folder whose name they took, or away from a name that they made a folder, has no way back.
        let ties = |end: &str| end == path || turns && (within(end, path) || within(path, end));
        let moved = plan.steps.iter().any(|step| match &step.act {
            Act::Rename { to, .. } => {
                let pair = [step.path.as_str(), to.as_str()];
                // Where they took the old name, a file that was moved stays where it went, and so does its folder.
                let holds = |end: &&str| *end == name || within(end, name);
                pair.into_iter().any(ties) && pair.iter().any(holds)
            }
            _ => false,
        });
        // What was in such a folder is kept.
        let below = within(name, path) && plan.emptied.iter().any(|folder| folder.as_str() == path);
        name == path || name.contains(TEMPORARY) || moved || below || within(path, name)
    }
}

/// Meddles; whether there was anything to meddle with.
fn act(actor: &mut Actor<'_>, deed: Deed, path: &str, kept: Option<Kept>) -> bool {
    // Nobody can save over a folder.
    if deed != Deed::ThroughHandle && actor.is_folder(path) {
        return false;
    }
    match deed {
        Deed::InPlace => actor.save_in_place(path, THEIRS),
        Deed::ByRename => actor.save_by_rename(path, THEIRS),
        Deed::Delete => actor.delete(path),
        Deed::ThroughHandle => match kept.filter(|kept| actor.is_named(*kept)) {
            Some(kept) => actor.write_through(kept, THEIRS),
            None => return false,
        },
    }
    // Nor where a folder would be needed and something else is.
    deed == Deed::Delete || deed == Deed::ThroughHandle || actor.read(path).is_some()
}

fn is_theirs(node: &Node) -> bool {
    matches!(node, Node::File { bytes, .. } if bytes == THEIRS)
}

fn holds_theirs(tree: &Tree) -> bool {
    tree.values().any(is_theirs)
}

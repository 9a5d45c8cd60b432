//! States made by a hostile hand, opened by every command and by the server in every mode.
//!
//! What a clone, a branch, an archive or another program may leave in the work tree is put there: records of every kind
//! and age, forged, copied, replayed, cut; trash, indexes, keys and settings beside them. Then the workspace is opened.
//! Nothing may change but what the call itself asks for, nobody may be locked out, nothing may hang or crash.

mod cuts;
mod ground;
mod huge;
mod judge;
mod kills;
mod openers;
mod own;
mod past;
mod plan;
mod plant;
mod records;
mod serve;
mod settings;
mod trial;

use super::findings::Findings;
use super::setting::{Length, Setting};
use super::{scratch, turns};
use crate::failure::Failure;
use ground::{Ground, Where};
use plan::Plan;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use tempfile::TempDir;

/// So many trials of chance in a short run.
const SHORT: usize = 200;
/// More than any run has time for.
const LONG: usize = 10_000_000;
/// So many workspaces are aged for cuts and kills in a short run.
const ROUNDS: usize = 2;

pub(crate) fn run(setting: &Setting, findings: &mut Findings) -> Result<(), Failure> {
    let suite = Suite::new(setting)?;
    let fixed = plan::directed(setting.length == Length::Short);
    turns::each(setting, findings, fixed.len(), |thread, at| match fixed.get(at) {
        Some(plan) => suite.tried(thread, plan, at),
        None => Ok(Findings::default()),
    })?;
    turns::each(setting, findings, settings::COUNT, |thread, at| {
        suite.on(thread, Where::Git, |ground| settings::tried(ground, at))
    })?;
    // What takes long by itself comes before chance has used up the time.
    for round in 0..ROUNDS {
        turns::each(setting, findings, cuts::COUNT, |thread, at| {
            let dice = setting.dice(&format!("cuts {round} {at}"));
            suite.on(thread, cuts::place(at), |ground| cuts::tried(ground, at, dice))
        })?;
        turns::each(setting, findings, kills::COUNT, |thread, at| {
            let dice = setting.dice(&format!("kills {round} {at}"));
            suite.on(thread, kills::place(at), |ground| kills::tried(ground, dice))
        })?;
    }
    turns::each(setting, findings, setting.sized(SHORT, LONG), |thread, at| {
        let mut dice = setting.dice(&format!("trial {at}"));
        // Now and then a cut or a kill, for as long as it goes on.
        match dice.below(setting.sized(LONG, 12)) {
            0 => suite.on(thread, cuts::place(at), |ground| cuts::tried(ground, at, dice)),
            1 => suite.on(thread, kills::place(at), |ground| kills::tried(ground, dice)),
            _ => suite.tried(thread, &Plan::thrown(&mut dice), at),
        }
    })?;
    findings.figures.extend(suite.lines());
    Ok(())
}

/// The suite at work: a folder of its own for every thread, and what was tried.
struct Suite<'a> {
    setting: &'a Setting,
    folder: TempDir,
    grounds: Vec<Mutex<BTreeMap<Where, Ground>>>,
    counts: Mutex<BTreeMap<String, u64>>,
}

impl<'a> Suite<'a> {
    fn new(setting: &'a Setting) -> Result<Suite<'a>, Failure> {
        let folder = scratch::in_memory().map_or_else(scratch::on_disk, Ok)?;
        let grounds = (0..turns::threads()).map(|_| Mutex::default()).collect();
        Ok(Suite { setting, folder, grounds, counts: Mutex::default() })
    }

    /// Does something on a thread's own ground of a sort, which is made when it is first needed.
    fn on(
        &self,
        thread: usize,
        at: Where,
        work: impl FnOnce(&Ground) -> Result<Findings, Failure>,
    ) -> Result<Findings, Failure> {
        let Some(grounds) = self.grounds.get(thread) else { return Ok(Findings::default()) };
        let mut grounds = grounds.lock().unwrap_or_else(PoisonError::into_inner);
        let ground = match grounds.entry(at) {
            Entry::Occupied(made) => made.into_mut(),
            Entry::Vacant(place) => {
                let folder = self.folder.path().join(format!("{thread}-{at:?}").to_lowercase());
                place.insert(Ground::new(&folder, &self.setting.binary, at)?)
            }
        };
        work(ground)
    }

    fn tried(&self, thread: usize, plan: &Plan, at: usize) -> Result<Findings, Failure> {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        for name in plan.names() {
            let count = counts.entry(name).or_default();
            *count = count.saturating_add(1);
        }
        drop(counts);
        self.on(thread, plan.at, |ground| trial::run(ground, plan, at))
    }

    fn lines(&self) -> Vec<String> {
        let counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let by = |sort: &str| {
            let named = counts.iter().filter_map(|(name, count)| Some((name.strip_prefix(sort)?, count)));
            named.map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>().join(", ")
        };
        ["where ", "what ", "opened by "].iter().map(|sort| format!("{sort}: {}", by(sort))).collect()
    }
}

/// A path as a failure names it.
fn fail(path: &Path) -> impl Fn(std::io::Error) -> Failure {
    let path = path.display().to_string();
    move |error| Failure::io(&path, &error)
}

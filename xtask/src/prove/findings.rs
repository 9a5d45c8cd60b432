//! What a suite found, and the folders in which it leaves what went wrong.

use super::setting::Setting;
use crate::failure::Failure;
use patchwright_testkit::tree::Tree;
use serde_json::Value;
use std::path::Path;
use std::time::Duration;

/// What a suite found.
#[derive(Default)]
pub(crate) struct Findings {
    pub(crate) trials: u64,
    pub(crate) violations: Vec<Violation>,
    /// Further lines for the report: counts by sort, figures beside those of others.
    pub(crate) figures: Vec<String>,
    /// Why nothing could be tried here, where that is no fault.
    pub(crate) not_here: Option<String>,
}

/// A promise that was not kept.
#[derive(Default)]
pub(crate) struct Violation {
    /// What is so, in one line.
    pub(crate) what: String,
    /// The tree before, the call, and the tree that was found, where there are such.
    pub(crate) before: Option<Tree>,
    pub(crate) call: Option<Value>,
    pub(crate) found: Option<Tree>,
    /// Whatever else helps: a name and its bytes.
    pub(crate) more: Vec<(String, Vec<u8>)>,
}

impl Findings {
    /// Counts a trial and what came of it.
    pub(crate) fn note(&mut self, result: Result<(), Violation>) {
        self.trials = self.trials.saturating_add(1);
        self.violations.extend(result.err());
    }

    /// The suite can never run on a machine like this one.
    pub(crate) fn not_here(&mut self, reason: &str) {
        self.not_here = Some(reason.to_owned());
    }

    /// Takes over what another part found.
    pub(crate) fn add(&mut self, other: Findings) {
        self.trials = self.trials.saturating_add(other.trials);
        self.violations.extend(other.violations);
        self.figures.extend(other.figures);
        self.not_here = self.not_here.take().or(other.not_here);
    }

    pub(crate) fn lines(&self, suite: &str, seed: u64, took: Duration) -> Vec<String> {
        let (trials, broken, took) = (self.trials, self.violations.len(), took.as_secs_f64());
        let head = match &self.not_here {
            Some(reason) => format!("{suite}: not run here: {reason}"),
            None => format!("{suite}: {trials} trials, {broken} violations, seed {seed}, {took:.0} s"),
        };
        let figures = self.figures.iter().map(|figure| format!("  {figure}"));
        let what = self.violations.iter().map(|violation| format!("  VIOLATION {}", violation.what));
        std::iter::once(head).chain(figures).chain(what).collect()
    }

    /// Leaves a folder for each violation, after what the same run left earlier has gone.
    pub(crate) fn leave(&self, setting: &Setting) -> Result<(), Failure> {
        let place = &setting.evidence;
        if place.exists() {
            std::fs::remove_dir_all(place).map_err(|error| Failure::io(place.display(), &error))?;
        }
        for (at, violation) in self.violations.iter().enumerate() {
            let folder = place.join(format!("{:03}", at.saturating_add(1)));
            violation.leave(&folder, &setting.again).map_err(|error| Failure::io(folder.display(), &error))?;
            crate::say::line(&format!("  left in {}", folder.display()));
        }
        Ok(())
    }
}

impl Violation {
    pub(crate) fn new(what: impl Into<String>) -> Violation {
        Violation { what: what.into(), ..Violation::default() }
    }

    fn leave(&self, folder: &Path, again: &str) -> std::io::Result<()> {
        std::fs::create_dir_all(folder)?;
        std::fs::write(folder.join("what.txt"), format!("{}\n\nto repeat it: {again}\n", self.what))?;
        for (name, tree) in [("before", &self.before), ("found", &self.found)] {
            if let Some(tree) = tree {
                std::fs::create_dir_all(folder.join(name))?;
                tree.write(&folder.join(name))?;
            }
        }
        if let Some(call) = &self.call {
            std::fs::write(folder.join("call.json"), format!("{call:#}\n"))?;
        }
        self.more.iter().try_for_each(|(name, bytes)| std::fs::write(folder.join(name), bytes))
    }
}

//! What a call comes to, file by file: the hashes before and after of everything that it touches.
//!
//! A dry run tells its caller; the same call carried out later can be bound to what was told. The comparison is made
//! under the lock, before anything is staged: a call that would come to anything else is refused as stale.

use patchwright_core::digest::Digest;
use patchwright_core::path::RelPath;
use patchwright_core::plan::{Act, Plan};
use patchwright_core::refusal::{Refusal, Sort, Stale, StaleReason, Why};
use std::collections::BTreeMap;

/// What a stale refusal of a bound call names as the argument that would have to be another.
const EXPECT: &str = "expect";

/// The files that a call touches, each with its version before and after. Folders are not listed; the files in them are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlannedFiles(BTreeMap<RelPath, Versions>);

/// A file before and after a call; nothing where it is absent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Versions {
    /// The hash that it must have until then.
    pub before: Option<Digest>,
    /// The hash that it has afterwards.
    pub after: Option<Digest>,
}

impl PlannedFiles {
    /// Every file with its versions, by path.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Versions)> {
        self.0.iter().map(|(path, versions)| (path.as_str(), *versions))
    }

    /// What carrying out a plan comes to. A file that several steps touch counts once.
    pub(crate) fn of(plan: &Plan) -> PlannedFiles {
        let mut files = PlannedFiles::default();
        for step in &plan.steps {
            match &step.act {
                Act::Rename { to, before } => {
                    files.add(&step.path, Some(*before), None);
                    files.add(to, None, Some(*before));
                }
                act => files.add(&step.path, act.before(), act.after()),
            }
        }
        files
    }

    fn add(&mut self, path: &RelPath, before: Option<Digest>, after: Option<Digest>) {
        let first = Versions { before, after };
        self.0.entry(path.clone()).and_modify(|known| known.after = after).or_insert(first);
    }

    /// What must stand at each path before the call.
    pub(crate) fn before(&self) -> impl Iterator<Item = (&RelPath, Option<Digest>)> {
        self.0.iter().map(|(path, versions)| (path, versions.before))
    }

    /// Refuses a plan that comes to anything else than this, naming the first file that differs.
    pub(crate) fn check(&self, found: &PlannedFiles) -> Result<(), Refusal> {
        let paths = self.0.keys().chain(found.0.keys());
        match paths.into_iter().find(|path| self.0.get(*path) != found.0.get(*path)) {
            None => Ok(()),
            Some(path) => {
                let after = |files: &PlannedFiles| files.0.get(path).and_then(|versions| versions.after);
                Err(differs(path, after(self), after(found), Sort::File))
            }
        }
    }
}

/// A file is not, or would not become, what the caller was shown. The empty text stands for absence.
pub(crate) fn differs(path: &RelPath, expected: Option<Digest>, actual: Option<Digest>, sort: Sort) -> Refusal {
    let expected = Some(expected.map(|digest| digest.to_string()).unwrap_or_default());
    let stale = Stale { expected, actual, reason: StaleReason::ChangedMeanwhile, sort, argument: EXPECT };
    Refusal::at(path, Why::Stale(stale))
}

//! Who changed a file since a version that a caller knows, as far as that is on record. Only ever adds to a refusal:
//! whatever goes wrong here leaves it as it was.

use crate::flow::Held;
use crate::past::Past;
use crate::trouble::index;
use crate::workspace::Workspace;
use patchwright_core::digest::Digest;
use patchwright_core::outcome::Trouble;
use patchwright_core::path::RelPath;
use patchwright_core::refusal::{Kind, Refusal, Since, SinceBatch, Stale, StaleReason, Why};
use patchwright_store::content;
use patchwright_store::records::{ChangeRecord, Commit, FileRecord};

/// So many batches are named.
const NAMED: usize = 5;

impl Workspace {
    /// A refusal, with the names of those who changed the file since its author saw it.
    pub(crate) fn with_since(&self, held: &mut Held<'_>, mut refusal: Refusal) -> Refusal {
        if refusal.since.is_none()
            && let Some((path, known, now)) = self.known_version(&refusal)
        {
            refusal.since = self.who_changed(held, &path, (known, now)).map(Box::new);
        }
        refusal
    }

    /// The same for any bad news.
    pub(crate) fn told_since(&self, held: &mut Held<'_>, trouble: Trouble) -> Trouble {
        match trouble {
            Trouble::Refused(refusal) => {
                crate::lines::each_refusal(refusal, &mut |refusal| self.with_since(held, refusal)).into()
            }
            fault @ Trouble::Fault(_) => fault,
        }
    }

    /// Who changed a file since one version and up to another; nothing if the first is not on record.
    pub(crate) fn who_changed(
        &self,
        held: &mut Held<'_>,
        path: &RelPath,
        (known, now): (Digest, Option<Digest>),
    ) -> Option<Since> {
        since(&self.past_of(held).ok()?, path, (known, now)).ok().flatten()
    }

    /// The file that a refusal is about, the version that its author knew, and the present one.
    fn known_version(&self, refusal: &Refusal) -> Option<(RelPath, Digest, Option<Digest>)> {
        let given = RelPath::parse(refusal.path.as_deref()?, &[]).ok()?;
        let real = self.disk.resolve(&given).map_or(given, |at| at.real);
        match &refusal.why {
            Why::Stale(Stale { reason: StaleReason::Unproven, .. }) => None,
            Why::Stale(stale) => Some((real, Digest::parse(stale.expected.as_deref()?)?, stale.actual)),
            _ if refusal.kind() == Kind::AnchorStale => {
                let known = self.ledger().last_seen(&real)?;
                let now = self.present(&real)?;
                (known != now).then_some((real, known, Some(now)))
            }
            _ => None,
        }
    }

    fn present(&self, path: &RelPath) -> Option<Digest> {
        let at = self.disk.resolve(path).ok()?;
        let file = self.disk.open_resolved(&at).ok()?;
        content::hash(&self.disk, &file).ok()
    }
}

fn since(past: &Past<'_>, path: &RelPath, versions: (Digest, Option<Digest>)) -> Result<Option<Since>, Trouble> {
    let Some(changed) = past.index.changed_since(path.as_str(), versions, NAMED).map_err(index)? else {
        return Ok(None);
    };
    let mut batches = Vec::new();
    for touch in changed.last {
        batches.extend(past.commit_at(touch.place)?.map(|commit| batch(&commit, path)));
    }
    Ok(Some(Since { batches, count: changed.count, foreign: changed.foreign }))
}

/// What a batch did to a file, for those it gets in the way of.
pub(crate) fn batch(commit: &Commit, path: &RelPath) -> SinceBatch {
    let here = |file: &&FileRecord| file.to.as_ref().unwrap_or(&file.path) == path || file.path == *path;
    let changes: Vec<&ChangeRecord> = commit.files.iter().filter(here).flat_map(|file| &file.changes).collect();
    let lines = |change: &&ChangeRecord| {
        let (first, count) = change.after;
        let last = first.checked_add(count.checked_sub(1)?)?;
        Some((usize::try_from(first).ok()?, usize::try_from(last).ok()?))
    };
    let mut brought: Vec<(usize, usize)> = changes.iter().filter_map(lines).collect();
    brought.sort_unstable();
    brought.dedup();
    let said = changes.iter().find_map(|change| change.description.clone());
    SinceBatch {
        batch: crate::names::of_commit(commit),
        lines: brought,
        about: commit.label.clone().or(said),
        session: commit.caller.session.clone(),
        client: commit.caller.client.clone(),
        tool: commit.caller.tool.clone(),
        time_ns: commit.caller.time_ns,
    }
}

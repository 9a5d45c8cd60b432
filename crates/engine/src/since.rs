//! Who changed a file since a version that a caller knows, as far as that is on record. Only ever adds to a refusal:
//! whatever goes wrong here leaves it as it was.

mod changed;

use crate::flow::Held;
use crate::past::Past;
use crate::trouble::index;
use crate::workspace::Workspace;
use patchwright_core::digest::{Digest, DigestPrefix};
use patchwright_core::outcome::Trouble;
use patchwright_core::path::RelPath;
use patchwright_core::refusal::{Kind, Refusal, Since, SinceBatch, Sort, Stale, StaleReason, Why};
use patchwright_store::content;
use patchwright_store::records::{ChangeRecord, Commit, FileRecord};

/// So many batches are named.
const NAMED: usize = 5;
/// So many batches are looked through for the beginning of a hash.
const FAR: usize = 256;

impl Workspace {
    /// A refusal, with the names of those who changed the file since its author saw it.
    pub(crate) fn with_since(&self, held: &mut Held<'_>, mut refusal: Refusal) -> Refusal {
        if refusal.since.is_none()
            && let Some((path, given, now)) = self.known_version(&refusal)
        {
            let Some(known) = self.version_of(held, &path, given) else {
                let unknown = Since { unknown: true, ..Since::default() };
                return Refusal { since: now.map(|_| Box::new(unknown)), ..refusal };
            };
            refusal.since = match &refusal.why {
                Why::Stale(Stale { sort: Sort::File, reason, .. }) => {
                    self.all_since(held, &path, (known, now), *reason)
                }
                _ => self.who_changed(held, &path, (known, now)),
            }
            .map(Box::new);
        }
        refusal
    }

    /// Who changed a file since one version, and which lines.
    fn all_since(
        &self,
        held: &mut Held<'_>,
        path: &RelPath,
        (known, now): (Digest, Option<Digest>),
        reason: StaleReason,
    ) -> Option<Since> {
        let past = self.past_of(held).ok()?;
        let Some(now) = now else { return since(&past, path, (known, None), NAMED).ok().flatten() };
        let told = self.since_seen(&past, path, (known, now));
        let seen = reason != StaleReason::Mismatch || self.ledger().versions_seen(path).contains(&known);
        let told = match (told, seen) {
            (Some(told), _) => told,
            (None, true) => since_unrecorded(&past, path, now),
            (None, false) => return Some(Since { unknown: true, ..Since::default() }),
        };
        Some(changed::with_changes(self, &past, path, ((known, now), told)))
    }

    /// Who changed a file since a version that a session saw. Its own edits beside others' changes are in that version,
    /// though it never stood anywhere.
    pub(crate) fn since_seen(&self, past: &Past<'_>, path: &RelPath, (known, now): (Digest, Digest)) -> Option<Since> {
        let view = self.ledger().view(path, known);
        let Some(view) = view else { return since(past, path, (known, Some(now)), NAMED).ok().flatten() };
        let mut told = since(past, path, (view.base, Some(now)), FAR).ok().flatten()?;
        told.batches.retain(|batch| batch.session != self.session);
        told.count = told.batches.len();
        told.batches.drain(..told.count.saturating_sub(NAMED));
        Some(told)
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
        since(&self.past_of(held).ok()?, path, (known, now), NAMED).ok().flatten()
    }

    /// The version of a file that a hash or its beginning stands for; nothing if a beginning fits none that is known.
    fn version_of(&self, held: &mut Held<'_>, path: &RelPath, given: DigestPrefix) -> Option<Digest> {
        let seen = || self.ledger().versions_seen(path).into_iter().find(|seen| given.fits(*seen));
        if let Some(known) = given.whole().or_else(seen) {
            return Some(known);
        }
        let past = self.past_of(held).ok()?;
        let touches = past.index.touching(path.as_str(), 0).ok()?;
        touches.iter().rev().take(FAR).find_map(|touch| {
            let commit = past.commit_at(touch.place).ok().flatten()?;
            let here = commit.files.iter().filter(|file| file.path == *path || file.to.as_ref() == Some(path));
            here.flat_map(|file| [file.after, file.before]).flatten().find(|digest| given.fits(*digest))
        })
    }

    /// The file that a refusal is about, the version that its author knew, and the present one.
    fn known_version(&self, refusal: &Refusal) -> Option<(RelPath, DigestPrefix, Option<Digest>)> {
        let given = RelPath::parse(refusal.path.as_deref()?, &[]).ok()?;
        let real = self.disk.resolve(&given).map_or(given, |at| at.real);
        match &refusal.why {
            Why::Stale(Stale { reason: StaleReason::Unproven, .. }) => None,
            Why::Stale(stale) => Some((real, DigestPrefix::parse(stale.expected.as_deref()?)?, stale.actual)),
            _ if refusal.kind() == Kind::AnchorStale => {
                let known = self.ledger().last_seen(&real)?;
                let now = self.present(&real)?;
                (known != now).then_some((real, known.into(), Some(now)))
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

fn since(
    past: &Past<'_>,
    path: &RelPath,
    versions: (Digest, Option<Digest>),
    most: usize,
) -> Result<Option<Since>, Trouble> {
    let Some(changed) = past.index.changed_since(path.as_str(), versions.0, versions.1, most).map_err(index)? else {
        return Ok(None);
    };
    let mut batches = Vec::new();
    for touch in changed.last {
        batches.extend(past.commit_at(touch.place)?.map(|commit| batch(&commit, path)));
    }
    Ok(Some(Since { batches, count: changed.count, foreign: changed.foreign, ..Since::default() }))
}

/// Since a version that only this session knows of: whoever wrote the present one, and before that somebody who is not
/// on record.
fn since_unrecorded(past: &Past<'_>, path: &RelPath, now: Digest) -> Since {
    let last = past.index.left_by(path.as_str(), now).ok().flatten();
    let commit = last.and_then(|touch| past.commit_at(touch.place).ok().flatten());
    let batches: Vec<SinceBatch> = commit.iter().map(|commit| batch(commit, path)).collect();
    Since { count: batches.len(), batches, foreign: true, ..Since::default() }
}

/// What a batch did to a file, under the name of whoever wrote it: of a proposal that is not who accepted it.
pub(crate) fn author(commit: &Commit, path: &RelPath) -> SinceBatch {
    let told = batch(commit, path);
    let Some(by) = commit.proposed.as_ref().map(|proposed| proposed.by.clone()) else { return told };
    SinceBatch { session: by.session, client: by.client, actor: by.actor, role: by.role, tool: by.tool, ..told }
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
        actor: commit.caller.actor.clone(),
        role: commit.caller.role,
        tool: commit.caller.tool.clone(),
        time_ns: commit.caller.time_ns,
    }
}

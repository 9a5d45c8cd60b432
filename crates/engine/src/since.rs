//! Who changed a file since a version that a caller knows, as far as that is on record. This only adds to a refusal: if
//! anything fails here, the refusal is returned unchanged.

mod changed;

use crate::past::Past;
use crate::refused::each_refusal;
use crate::session::Session;
use crate::trouble::index;
use crate::turn::Turn;
use changed::Changed;
use patchwright_core::digest::{Digest, DigestPrefix};
use patchwright_core::outcome::Trouble;
use patchwright_core::path::RelPath;
use patchwright_core::refusal::{Kind, Refusal, Since, SinceBatch, Sort, Stale, StaleReason, Why};
use patchwright_store::content;
use patchwright_store::records::{ChangeRecord, Commit, FileRecord};

/// Two versions of a file: the one that a caller knows, and the one that stands now.
#[derive(Clone, Copy)]
pub(crate) struct Versions {
    pub(crate) known: Digest,
    /// Nothing if the file is gone.
    pub(crate) now: Option<Digest>,
}

/// At most this many batches are named.
const NAMED: usize = 5;
/// At most this many batches are looked through for the beginning of a hash.
const FAR: usize = 256;

impl Session {
    /// A refusal, with the names of those who changed the file since its author saw it.
    pub(crate) fn with_since(&self, held: &mut Turn<'_>, mut refusal: Refusal) -> Refusal {
        if refusal.since.is_none()
            && let Some((path, given, now)) = self.known_version(&refusal)
        {
            let Some(known) = self.version_of(held, &path, given) else {
                let unknown = Since { unknown: true, ..Since::default() };
                return Refusal { since: now.map(|_| Box::new(unknown)), ..refusal };
            };
            refusal.since = match &refusal.why {
                Why::Stale(Stale { sort: Sort::File, reason, .. }) => {
                    self.all_since(held, &path, Versions { known, now }, *reason)
                }
                _ => self.who_changed(held, &path, Versions { known, now }),
            }
            .map(Box::new);
        }
        refusal
    }

    /// Who changed a file since one version, and which lines.
    fn all_since(&self, held: &mut Turn<'_>, path: &RelPath, versions: Versions, reason: StaleReason) -> Option<Since> {
        let past = self.past_of(held).ok()?;
        let Versions { known, now: Some(now) } = versions else {
            return since(&past, path, versions, NAMED).ok().flatten();
        };
        let told = self.since_seen(&past, path, versions);
        let seen = reason != StaleReason::Mismatch || self.ledger().versions_seen(path).contains(&known);
        let told = match (told, seen) {
            (Some(told), _) => told,
            (None, true) => since_unrecorded(&past, path, now),
            (None, false) => return Some(Since { unknown: true, ..Since::default() }),
        };
        Some(Changed { session: self, past: &past, path, known, now }.with_lines(told))
    }

    /// Who changed a file since a version that a session saw. Its own edits beside others' changes are in that version,
    /// though that version never existed on disk.
    pub(crate) fn since_seen(&self, past: &Past<'_>, path: &RelPath, versions: Versions) -> Option<Since> {
        let view = self.ledger().view(path, versions.known);
        let Some(view) = view else { return since(past, path, versions, NAMED).ok().flatten() };
        let mut told = since(past, path, Versions { known: view.base, ..versions }, FAR).ok().flatten()?;
        told.batches.retain(|batch| batch.session != self.id());
        told.count = told.batches.len();
        told.batches.drain(..told.count.saturating_sub(NAMED));
        Some(told)
    }

    /// The same for any failure.
    pub(crate) fn told_since(&self, held: &mut Turn<'_>, trouble: Trouble) -> Trouble {
        match trouble {
            Trouble::Refused(refusal) => each_refusal(refusal, &mut |refusal| self.with_since(held, refusal)).into(),
            fault @ Trouble::Fault(_) => fault,
        }
    }

    /// Who changed a file since one version and up to another; nothing if the first is not on record.
    pub(crate) fn who_changed(&self, held: &mut Turn<'_>, path: &RelPath, versions: Versions) -> Option<Since> {
        since(&self.past_of(held).ok()?, path, versions, NAMED).ok().flatten()
    }

    /// The version of a file that a hash or its beginning stands for; nothing if a beginning fits none that is known.
    fn version_of(&self, held: &mut Turn<'_>, path: &RelPath, given: DigestPrefix) -> Option<Digest> {
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
        let real = self.workspace.disk.resolve(&given).map_or(given, |at| at.real);
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
        let at = self.workspace.disk.resolve(path).ok()?;
        let file = self.workspace.disk.open_resolved(&at).ok()?;
        content::hash(&self.workspace.disk, &file).ok()
    }
}

fn since(past: &Past<'_>, path: &RelPath, versions: Versions, most: usize) -> Result<Option<Since>, Trouble> {
    let Versions { known, now } = versions;
    let Some(changed) = past.index.changed_since(path.as_str(), known, now, most).map_err(index)? else {
        return Ok(None);
    };
    let mut batches = Vec::new();
    for touch in changed.last {
        batches.extend(past.commit_at(touch.place)?.map(|commit| batch(&commit, path)));
    }
    Ok(Some(Since { batches, count: changed.count, foreign: changed.foreign, ..Since::default() }))
}

/// The changes since a version that only this session knows: the batch that wrote the present version, after a writer that
/// is not on record.
fn since_unrecorded(past: &Past<'_>, path: &RelPath, now: Digest) -> Since {
    let last = past.index.left_by(path.as_str(), now).ok().flatten();
    let commit = last.and_then(|touch| past.commit_at(touch.place).ok().flatten());
    let batches: Vec<SinceBatch> = commit.iter().map(|commit| batch(commit, path)).collect();
    Since { count: batches.len(), batches, foreign: true, ..Since::default() }
}

/// What a batch did to a file, under the name of its author: of a proposal, whoever made it, not whoever accepted it.
pub(crate) fn author(commit: &Commit, path: &RelPath) -> SinceBatch {
    let told = batch(commit, path);
    let Some(by) = commit.proposed.as_ref().map(|proposed| proposed.by.clone()) else { return told };
    SinceBatch { session: by.session, client: by.client, actor: by.actor, role: by.role, tool: by.tool, ..told }
}

/// What a batch did to a file, as told to callers that it conflicts with.
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

//! Whether anything but `edit` wrote a file, and whether it changed since its last recorded version. The answer comes from
//! the record, so that every session gets the same one; what a session alone knows only adds to it.
//!
//! Only the newest commits of a file are read: an `edit` on record says what was true up to then. A failure here counts as
//! nothing on record, and blocks no edit.

use crate::operation::ChangeTool;
use crate::past::Past;
use crate::session::Session;
use crate::trouble::index;
use crate::turn::Turn;
use patchwright_core::digest::Digest;
use patchwright_core::outcome::{Continuity, Trouble};
use patchwright_core::path::RelPath;
use patchwright_store::index::Left;
use patchwright_store::records::{Commit, FileRecord};

/// At most this many commits that only moved the file, or carried out a proposal, are passed over.
const STEPS: usize = 64;

/// How a file stands before it is edited.
pub(crate) struct Standing {
    pub(crate) continuity: Continuity,
    pub(crate) left: LeftAs,
}

/// A file that this session knows nothing of, held against the version that the record last left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LeftAs {
    /// It is that version, or there is none; or the session itself knows better.
    Known,
    /// It is another.
    Changed,
}

/// Who wrote a file, by the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Written {
    /// Nothing is on record.
    Unknown,
    /// It is not as the record left it.
    Foreign,
    /// By `edit` alone.
    Edit,
    /// By another tool, or by another program before.
    Others,
}

impl Session {
    /// How a file with this hash stands.
    pub(crate) fn standing(&self, held: &mut Turn<'_>, path: &RelPath, now: Digest) -> Standing {
        let (jumps, seen) = {
            let ledger = self.ledger();
            (ledger.jumps(path, now), ledger.has(path))
        };
        let past = held.log().is_ok_and(|log| log.sequence() > 0).then(|| self.past_of(held).ok()).flatten();
        let written =
            past.as_ref().map_or(Written::Unknown, |past| written(past, path, now).unwrap_or(Written::Unknown));
        let explained = || {
            let past = past.as_ref().filter(|_| written == Written::Edit);
            jumps.iter().all(|jump| past.is_some_and(|past| leads(past, path, *jump, now)))
        };
        let clean = matches!(written, Written::Unknown | Written::Edit) && explained();
        Standing {
            continuity: if clean { Continuity::Clean } else { Continuity::Mixed },
            left: if written == Written::Foreign && !seen { LeftAs::Changed } else { LeftAs::Known },
        }
    }
}

/// Does the record lead from one version of a path to another without a gap?
fn leads(past: &Past<'_>, path: &RelPath, from: Digest, now: Digest) -> bool {
    let changed = past.index.changed_since(path.as_str(), from, Some(now), 0);
    matches!(changed, Ok(Some(changed)) if !changed.foreign)
}

fn written(past: &Past<'_>, path: &RelPath, now: Digest) -> Result<Written, Trouble> {
    let (mut path, mut now, mut below) = (path.clone(), now, u64::MAX);
    let mut first = true;
    for _ in 0..STEPS {
        let touch = match past.index.left(path.as_str(), now, below).map_err(index)? {
            Left::Untouched => return Ok(if first { Written::Unknown } else { Written::Edit }),
            Left::Otherwise => return Ok(if first { Written::Foreign } else { Written::Others }),
            Left::So(touch) => touch,
        };
        let commit = past.commit_at(touch.place)?;
        match commit.as_ref().map_or(Deed::Other, |commit| Deed::of(commit, &path)) {
            Deed::Edit(Continuity::Clean) => return Ok(Written::Edit),
            Deed::Edit(Continuity::Mixed) | Deed::Other => return Ok(Written::Others),
            Deed::Proposed { before } => now = before,
            Deed::Moved { from } => path = from,
        }
        (below, first) = (touch.seq, false);
    }
    Ok(Written::Others)
}

/// What a commit did to the file that it left under a path.
enum Deed {
    /// Changed by `edit`; with what was known of it then.
    Edit(Continuity),
    /// Changed by an `edit` that had been proposed.
    Proposed { before: Digest },
    /// Moved as it is.
    Moved { from: RelPath },
    /// Anything else.
    Other,
}

impl Deed {
    fn of(commit: &Commit, path: &RelPath) -> Deed {
        let here = |file: &&FileRecord| file.after.is_some() && file.to.as_ref().unwrap_or(&file.path) == path;
        let files: Vec<&FileRecord> = commit.files.iter().filter(here).collect();
        let by = commit.proposed.as_ref().and_then(|proposed| ChangeTool::named(&proposed.by.tool));
        match (files.as_slice(), &commit.edit) {
            ([_], Some(edit)) => Deed::Edit(edit.continuity),
            ([FileRecord { to: Some(_), path: from, .. }], None) => Deed::Moved { from: from.clone() },
            ([FileRecord { before: Some(before), .. }], None) if by == Some(ChangeTool::Edit) => {
                Deed::Proposed { before: *before }
            }
            _ => Deed::Other,
        }
    }
}

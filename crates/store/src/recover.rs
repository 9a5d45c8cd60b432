//! Opening for writing: whatever a dead writer left half-done is put right first.
//!
//! Only the last record can be unfinished, because one writer at a time holds the workspace and ends its
//! record before it lets go: an intent without an end is rolled back, the clean-up after a commit or a
//! purge is done again. All of it is harmless to repeat, so it may itself be interrupted.

use crate::disk::{Disk, Halt};
use crate::folders::Folders;
use crate::keep::{self, Shelves};
use crate::log::{Firm, Log, Standing, Unwritten};
use crate::publish::abort;
use crate::records::{Abort, Intent, Keep, Purge, Record, Shelf};
use crate::retention;
use crate::rollback::{May, Reached, Rollback};
use crate::stage::TEMP_SUFFIX;
use crate::tidy;
use patchwright_core::seeded::{Bug, is_planted};
use std::io;

/// What recovery did.
#[derive(Clone, Debug, PartialEq)]
pub enum Recovered {
    /// There was nothing to do.
    Nothing,
    /// An intent was rolled back; the record of it.
    RolledBack(Box<Abort>),
}

/// Are all names in an intent of the kind that staging gives? Paths were checked when they were read; a
/// forged record must not become a way to reach anything else.
fn is_sound(intent: &Intent) -> bool {
    let plain = |name: &str| !name.is_empty() && !name.contains(['/', '\0']) && name != "." && name != "..";
    intent.works.iter().all(|work| {
        let kept = work.keep.as_ref().is_none_or(|keep| plain(&keep.name));
        plain(&work.temp) && work.temp.ends_with(TEMP_SUFFIX) && kept && !work.path.is_root()
    })
}

/// Puts right what a dead writer left. The caller holds the lock and has refreshed the log.
pub fn recover<D: Disk>(disk: &D, log: &mut Log<D>, now_ns: i64, firm: Firm, may: May<'_>) -> Result<Recovered, Halt> {
    if log.standing() != Standing::Current {
        return Ok(Recovered::Nothing);
    }
    if is_planted(Bug::NoRecovery) {
        return Ok(Recovered::Nothing);
    }
    let last = log.last(disk)?;
    let shelves = Shelves::new(disk);
    keep::sweep(&shelves)?;
    if let Some(record) = &last
        && leaves_work(&shelves, record)?
    {
        // The writer may have died before its record was durable. Work done on the strength of a record
        // that a power cut can still take back would take the way back with it.
        log.settle(disk, firm)?;
    }
    match last {
        Some(Record::Intent(intent)) => {
            let done = take_back(disk, &intent, now_ns, firm, may)?;
            note_abort(disk, log, done, firm)
        }
        Some(record) => {
            resolving_anew(|| tidy_after(disk, &record, firm))?;
            Ok(Recovered::Nothing)
        }
        None => Ok(Recovered::Nothing),
    }
}

/// Does what a record leaves to do that is no intent; harmless to repeat.
fn tidy_after<D: Disk>(disk: &D, record: &Record, firm: Firm) -> Result<(), Halt> {
    let shelves = Shelves::new(disk);
    match record {
        Record::Commit(commit) => match tidy::after_commit(&shelves, commit, firm) {
            // The commit stands. What may not be tidied must not keep everybody from working.
            Err(halt) if halt.os_kind() != Some(io::ErrorKind::PermissionDenied) => Err(halt),
            _ => Ok(()),
        },
        Record::Purge(purge) => discard_purged(disk, purge),
        Record::Retired(retired) => retention::discard(&shelves, retired),
        _ => Ok(()),
    }
}

/// Is there anything left to do after this record?
fn leaves_work<D: Disk>(shelves: &Shelves<'_, D>, record: &Record) -> Result<bool, Halt> {
    let trash = |id: &String| Keep { shelf: Shelf::Trash, name: id.clone() };
    let blob = |name: &String| Keep { shelf: Shelf::Blobs, name: name.clone() };
    let kept: Vec<Keep> = match record {
        Record::Intent(_) => return Ok(true),
        Record::Commit(commit) => {
            let untidy = |found: bool, file| Ok::<bool, Halt>(found || tidy::is_untidy(shelves, file)?);
            if commit.files.iter().try_fold(false, untidy)? {
                return Ok(true);
            }
            commit.consumed.iter().chain(&commit.also_consumed).map(trash).collect()
        }
        Record::Purge(purge) => purge.ids.iter().chain(&purge.inside).map(trash).collect(),
        Record::Retired(retired) => retired.trash.iter().map(trash).chain(retired.blobs.iter().map(blob)).collect(),
        Record::Abort(_) | Record::Note(_) | Record::Proposal(_) | Record::Verdict(_) => Vec::new(),
        Record::Resumed(_) | Record::Adopted(_) | Record::Other { .. } => Vec::new(),
    };
    kept.iter().try_fold(false, |found, keep| Ok(found || keep::is_there(shelves, keep)?))
}

/// Removes what was purged for good; harmless to repeat.
pub fn discard_purged<D: Disk>(disk: &D, purge: &Purge) -> Result<(), Halt> {
    let shelves = &Shelves::new(disk);
    purge
        .ids
        .iter()
        .chain(&purge.inside)
        .try_for_each(|id| keep::discard(shelves, &Keep { shelf: Shelf::Trash, name: id.clone() }))
}

/// Takes an intent back; what would be on record of it. No link is followed: what an intent names is real already.
pub fn take_back<D: Disk>(disk: &D, intent: &Intent, now_ns: i64, firm: Firm, may: May<'_>) -> Result<Abort, Halt> {
    if !is_sound(intent) {
        return Err(Halt::Os(io::Error::new(
            io::ErrorKind::InvalidData,
            "the log holds an intent with names that are not ours",
        )));
    }
    let left_alone = resolving_anew(|| {
        let shelves = Shelves::new(disk);
        Rollback { shelves: &shelves, firm, may }.run(&mut Folders::without_links(), intent, Reached::Unknown)
    })?;
    let mut done = abort(intent, "in_doubt", left_alone);
    done.recovered = true;
    done.caller.time_ns = now_ns;
    Ok(done)
}

/// So often a folder's handle may turn out to be stale.
const PATIENCE: usize = 3;

/// Some file systems (FUSE, NFS) forget a folder that was removed and made again: then a handle leads nowhere, and the
/// path has to be resolved anew. Taking back may be begun anew at any time.
fn resolving_anew<T>(mut take_back: impl FnMut() -> Result<T, Halt>) -> Result<T, Halt> {
    for _ in 0..PATIENCE {
        match take_back() {
            Err(halt) if halt.os_kind() == Some(io::ErrorKind::StaleNetworkFileHandle) => {}
            answer => return answer,
        }
    }
    take_back()
}

fn note_abort<D: Disk>(disk: &D, log: &mut Log<D>, done: Abort, firm: Firm) -> Result<Recovered, Halt> {
    match log.append(disk, &Record::Abort(done.clone()), firm) {
        Ok(_) => Ok(Recovered::RolledBack(Box::new(done))),
        Err(Unwritten::Not(halt) | Unwritten::Unknown(halt)) => Err(halt),
    }
}

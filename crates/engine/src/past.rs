//! Looking back along the record: what stands at a place in the log, and the bytes of versions that are no more.
//!
//! A version is found in the workspace, among the kept pre-images or in the trash, or else made anew from an earlier
//! one and what the record says was changed. What is found has the hash that was asked for. Waits for no writer, and
//! changes nothing but the index.

mod find;

pub(crate) use find::{STEPS, Source};

use crate::gather::{Depth, Gather, Links};
use crate::session::Session;
use crate::trouble::{Task, broken, halted, index};
use crate::turn::Turn;
use crate::watch::Doing;
use crate::workspace::Workspace;
use patchwright_core::bytes::Bytes;
use patchwright_core::digest::Digest;
use patchwright_core::outcome::Trouble;
use patchwright_core::path::RelPath;
use patchwright_core::plan::Seen;
use patchwright_core::refusal::{Missing, Refusal, Why};
use patchwright_store::content;
use patchwright_store::disk::{Disk, Halt};
use patchwright_store::index::{Index, Trashed};
use patchwright_store::log::{Entry, HEADER, Log, Walk};
use patchwright_store::real::RealDisk;
use patchwright_store::records::{Commit, FileRecord, FolderTable, Keep, Record};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// The record, open for looking back.
pub(crate) struct Past<'a> {
    session: &'a Session,
    log: Reach<'a>,
    /// The index over it, up to date.
    pub(crate) index: Index,
    /// The commit that was read last: a batch of many files is asked for file by file.
    last: RefCell<Option<(u64, Rc<Commit>)>>,
}

/// A folder that is in the trash.
pub(crate) struct TrashedTree {
    /// How it went on record.
    pub(crate) record: FileRecord,
    /// What it and the folders in it were like.
    pub(crate) dress: FolderTable,
    /// What is still there of it.
    pub(crate) inside: Vec<Trashed>,
}

/// The log, one's own or that of a change under way.
#[allow(clippy::large_enum_variant, reason = "there is one of it at a time, and it is not moved about")]
enum Reach<'a> {
    Own(Box<Log<RealDisk>>),
    Lent(&'a Log<RealDisk>),
}

/// Can all of the record be read?
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Soundness {
    Sound,
    Damaged,
}

impl Session {
    /// The record, for looking back; nothing if there is none yet.
    pub(crate) fn past(&self) -> Result<Option<Past<'_>>, Trouble> {
        self.mend()?;
        self.past_as_it_is(Soundness::Sound)
    }

    /// The record up to where it is damaged, for looking back only; nothing if there is none.
    pub(crate) fn past_before_damage(&self) -> Result<Option<Past<'_>>, Trouble> {
        let Some(log) = self.log_to_read()? else { return Ok(None) };
        let activity = self.workspace.activity();
        let step = |done, total| activity.tell(|| Doing::BuildingIndex, done, total);
        let open = Index::before_damage(&self.workspace.disk, &log, &step).map_err(index)?;
        Ok(Some(Past { session: self, log: Reach::Own(Box::new(log)), index: open, last: RefCell::default() }))
    }

    /// The record as it is, whatever a dead writer left; up to where it is damaged, if it is. Nothing if there is none.
    pub(crate) fn past_as_it_is(&self, record: Soundness) -> Result<Option<Past<'_>>, Trouble> {
        if record == Soundness::Damaged {
            return self.past_before_damage();
        }
        let Some(log) = self.log_to_read()? else { return Ok(None) };
        let open = self.index_over(&log)?;
        Ok(Some(Past { session: self, log: Reach::Own(Box::new(log)), index: open, last: RefCell::default() }))
    }

    /// The index, up to date with the log.
    pub(crate) fn index(&self, held: &mut Turn<'_>) -> Result<Index, Trouble> {
        self.index_over(held.log()?)
    }

    /// The index over a log, up to date with it.
    pub(crate) fn index_over(&self, log: &Log<RealDisk>) -> Result<Index, Trouble> {
        let activity = self.workspace.activity();
        let step = |done, total| activity.tell(|| Doing::BuildingIndex, done, total);
        Index::open_told(self.workspace.disk.index_folder().as_deref(), &self.workspace.disk, log, &step).map_err(index)
    }

    /// The same in the midst of a change.
    pub(crate) fn past_of<'a>(&'a self, held: &'a mut Turn<'_>) -> Result<Past<'a>, Trouble> {
        let open = self.index(held)?;
        Ok(Past { session: self, log: Reach::Lent(held.log()?), index: open, last: RefCell::default() })
    }
}

impl Past<'_> {
    /// The commit at a place in the log, if one stands there.
    pub(crate) fn commit_at(&self, place: u64) -> Result<Option<Commit>, Trouble> {
        Ok(match self.entry(place)?.map(|entry| entry.record) {
            Some(Record::Commit(commit)) => Some(commit),
            _ => None,
        })
    }

    /// The same, without reading one twice in a row.
    fn commit_again(&self, place: u64) -> Result<Option<Rc<Commit>>, Trouble> {
        if let Some((at, commit)) = &*self.last.borrow()
            && *at == place
        {
            return Ok(Some(Rc::clone(commit)));
        }
        let Some(commit) = self.commit_at(place)?.map(Rc::new) else { return Ok(None) };
        *self.last.borrow_mut() = Some((place, Rc::clone(&commit)));
        Ok(Some(commit))
    }

    /// Does any commit say this of what it did to a path?
    pub(crate) fn any_record(&self, path: &RelPath, says: &dyn Fn(&FileRecord) -> bool) -> Result<bool, Trouble> {
        for touch in self.index.touching(path.as_str(), 0).map_err(index)? {
            if self.commit_at(touch.place)?.is_some_and(|commit| commit.files.iter().any(says)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The record of a folder that is in the trash, and what is still there of it.
    pub(crate) fn tree_in_trash(&self, trashed: &Trashed) -> Result<TrashedTree, Trouble> {
        let id = &trashed.entry.id;
        let commit = trashed.place.map(|place| self.commit_at(place)).transpose()?.flatten().unwrap_or_default();
        let record = commit.files.into_iter().find(|file| file.folder.is_some() && file.trash.as_ref() == Some(id));
        let gone = || Refusal::about(&trashed.entry.path, Why::NotFound(Missing::Kept));
        let inside = self.index.trash_inside(id).map_err(index)?;
        Ok(TrashedTree { record: record.ok_or_else(gone)?, dress: commit.dress, inside })
    }

    /// The record at a place in the log.
    pub(crate) fn entry(&self, place: u64) -> Result<Option<Entry>, Trouble> {
        let mut found = None;
        self.entries(place, &mut |entry| {
            found = Some(entry);
            Walk::Stop
        })?;
        Ok(found)
    }

    /// The records from a place on.
    pub(crate) fn entries(&self, place: u64, each: &mut dyn FnMut(Entry) -> Walk) -> Result<(), Trouble> {
        let log: &Log<RealDisk> = match &self.log {
            Reach::Own(log) => log,
            Reach::Lent(log) => log,
        };
        log.entries(&self.session.workspace.disk, place, each).map_err(|halt| broken(Task::Log, halt))
    }

    /// The records from the first on, up to the one with this number, or all.
    pub(crate) fn entries_before(&self, end: Option<u64>, each: &mut dyn FnMut(Entry) -> Walk) -> Result<(), Trouble> {
        let is_last = |sequence: u64| end.is_some_and(|end| sequence + 1 >= end);
        if is_last(0) {
            return Ok(());
        }
        self.entries(HEADER, &mut |entry| {
            let last = is_last(entry.sequence);
            if each(entry) == Walk::Stop || last { Walk::Stop } else { Walk::On }
        })
    }

    /// The session that looks back.
    pub(crate) fn session(&self) -> &Session {
        self.session
    }

    /// The bytes of a file before a recorded change; nothing if there was none, or they are no longer kept.
    pub(crate) fn before_bytes(&self, file: &FileRecord) -> Result<Option<Bytes>, Trouble> {
        self.finder(self).before(file, STEPS)
    }

    /// The bytes of a file after a recorded change; nothing if there is none, or they are no longer kept.
    pub(crate) fn after_bytes(&self, file: &FileRecord) -> Result<Option<Bytes>, Trouble> {
        self.finder(self).after(file, STEPS)
    }

    /// A version of a path; nothing if it is no longer kept.
    pub(crate) fn version(&self, path: &str, digest: Digest) -> Result<Option<Bytes>, Trouble> {
        self.finder(self).found(path, digest, STEPS)
    }

    /// The target of a link with this hash that a path had: on record, or standing under the path or a later name.
    pub(crate) fn link_target(&self, path: &RelPath, digest: Digest) -> Result<Option<Bytes>, Trouble> {
        for name in self.names_since(path.as_str(), digest)? {
            let Ok(name) = RelPath::parse(&name, &[]) else { continue };
            match Gather::new(&self.session.workspace).peek(&name, Links::Keep, Depth::Hash) {
                Ok(Seen::Link { target, digest: now, .. }) if now == digest => return Ok(Some(Bytes::new(target))),
                _ => {}
            }
        }
        self.recorded_target(path, digest)
    }

    /// The target of a link that a path had, by what is on record of it and of the names that it was moved from.
    fn recorded_target(&self, path: &RelPath, digest: Digest) -> Result<Option<Bytes>, Trouble> {
        let (mut names, mut at) = (vec![path.clone()], 0);
        while let Some(name) = names.get(at).filter(|_| at < STEPS).cloned() {
            for touch in self.index.touching(name.as_str(), 0).map_err(index)? {
                let Some(commit) = self.commit_again(touch.place)? else { continue };
                for file in commit.files.iter().filter(|file| file.link && file.after == Some(digest)) {
                    if file.to.as_ref() == Some(&name) && !names.contains(&file.path) {
                        names.push(file.path.clone());
                    } else if file.to.is_none()
                        && file.path == name
                        && let Some(target) = self.finder(self).made(file, STEPS)?
                    {
                        return Ok(Some(target));
                    }
                }
            }
            at += 1;
        }
        Ok(None)
    }

    /// The file as it is, if it is this version. What may not be looked at is not there.
    fn in_workspace(&self, path: &str, digest: Digest) -> Result<Option<Bytes>, Trouble> {
        let Ok(path) = RelPath::parse(path, &[]) else { return Ok(None) };
        match Gather::new(&self.session.workspace).peek(&path, Links::Keep, Depth::Bytes) {
            Ok(Seen::File(seen)) if seen.digest == digest => Ok(seen.bytes),
            Ok(_) => Ok(None),
            Err(Trouble::Refused(refusal)) if !matches!(refusal.why, Why::Forbidden(_)) => Ok(None),
            Err(failed) => Err(failed),
        }
    }

    /// What stands on a shelf, if it is what it should be and not too large to be taken into memory.
    pub(crate) fn on_shelf(&self, keep: &Keep, digest: Digest) -> Result<Option<Bytes>, Trouble> {
        let failed = |halt| halted(None, Task::Blobs, halt);
        let Workspace { disk, limits, .. } = &*self.session.workspace;
        let Some(shelf) = disk.state_if_there(keep.shelf.folder()).map_err(failed)? else { return Ok(None) };
        let file = match disk.open(&shelf, &keep.name) {
            Ok(file) => file,
            Err(halt) if halt.is_missing() => return Ok(None),
            Err(halt) => return Err(failed(halt)),
        };
        let bytes = match content::read(disk, &file, limits.max_file_bytes) {
            Err(Halt::TooLarge { .. }) => return Ok(None),
            read => read.map_err(failed)?,
        };
        Ok((Digest::of(&bytes) == digest).then(|| Bytes::new(bytes)))
    }
}

/// Whoever looks back wants the bytes.
impl Source for Past<'_> {
    type Found = Bytes;

    fn on_shelf(&self, keep: &Keep, digest: Digest) -> Result<Option<Bytes>, Trouble> {
        self.on_shelf(keep, digest)
    }

    fn in_workspace(&self, path: &str, digest: Digest) -> Result<Option<Bytes>, Trouble> {
        self.in_workspace(path, digest)
    }

    fn made(&self, before: Option<Bytes>, file: &FileRecord) -> Option<Bytes> {
        let bytes = match (before, &file.delta) {
            (before, Some(delta)) => delta.apply(&before.unwrap_or_default()).map(Arc::new),
            (before, None) => before,
        };
        bytes.filter(|bytes| Some(Digest::of(bytes)) == file.after)
    }
}

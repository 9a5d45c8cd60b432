//! Versions of a file on record, named by a batch and a side of it: looked up, read, and made ready to come back.
//!
//! Promises that nothing is read or brought back under a name that may not be read. A version is under the name that it
//! had: a batch that moved a file knows the old name before it, the new one after it.

use crate::conflicts::standing;
use crate::gather::{Depth, Gather, Links, file_path, permit};
use crate::look::{reply, unshown};
use crate::operation::operation;
use crate::past::Past;
use crate::session::Session;
use crate::trouble::{Task, halted, index};
use patchwright_core::batch::{BatchName, BatchStatus};
use patchwright_core::bytes::Bytes;
use patchwright_core::digest::Digest;
use patchwright_core::intent::{Content, Kept, KeptIn};
use patchwright_core::outcome::{Answer, Operation, Reply, Trouble};
use patchwright_core::path::RelPath;
use patchwright_core::plan::Seen;
use patchwright_core::policy::Access;
use patchwright_core::refusal::{Missing, NoVersion, Refusal, Sort, Why};
use patchwright_core::tool::{FileVersion, ReadFile, VersionSide, WhenBinary};
use patchwright_core::warning::Warning;
use patchwright_store::content::{self, Found};
use patchwright_store::disk::Disk;
use patchwright_store::look;
use patchwright_store::records::{FileRecord, Keep, Shelf};

/// The text of a version that comes back is shown up to this size.
const SHOWN: u64 = 1 << 20;

/// A refusal names so many files of a batch.
const NAMED: usize = 5;

/// A version that was found on record.
pub(crate) struct Recorded {
    record: FileRecord,
    /// The batch.
    batch: String,
    /// The name it had.
    path: RelPath,
    /// The number of the batch's last record.
    seq: u64,
    side: VersionSide,
    digest: Digest,
}

/// What comes back of a version.
pub(crate) struct Returning {
    pub(crate) content: Content,
    /// The trash entry that is used up.
    pub(crate) consumed: Option<String>,
}

impl Session {
    /// Reads a version on record, whole or some of its lines. The file itself need not be there, and counts as unseen.
    pub fn read_version(&self, version: &FileVersion, ask: &ReadFile) -> Result<Reply, Trouble> {
        let path = file_path(&self.workspace.disk, &version.path)?;
        let gather = Gather::new(&self.workspace);
        let real = match gather.peek(&path, Links::Keep, Depth::Hash)? {
            Seen::Absent { real, .. } | Seen::Link { real, .. } => real,
            Seen::File(file) => file.real,
            Seen::Folder | Seen::Special => path.clone(),
        };
        let missing = || Refusal::plain(Why::NotFound(Missing::Batch { id: version.batch.clone() }));
        let past = self.past()?.ok_or_else(missing)?;
        let found = past.recorded(&real, version)?;
        let bytes = past.bytes_of(&found)?;
        let reading = look::Reading {
            path: &path,
            start_line: ask.start_line,
            end_line: ask.end_line,
            max_bytes: ask.max_bytes,
            on_binary: match ask.when_binary {
                WhenBinary::Refuse => look::OnBinary::Refuse,
                WhenBinary::Base64 => look::OnBinary::Bytes,
            },
            charset: ask.charset,
            anchors: look::Anchoring::Without,
        };
        let slice = look::read_bytes(&bytes, &reading).map_err(|problem| unshown(&path, problem))?;
        let warnings = slice.lossy.then(|| Warning::LossyText { path: path.to_string() }).into_iter().collect();
        Ok(reply(Answer::File(slice.view), warnings))
    }

    /// Asks whether a version may be read, under the name that was given and where links lead. The latter.
    pub(crate) fn permit_version(&self, gather: &Gather<'_>, path: &RelPath) -> Result<RelPath, Trouble> {
        let real = gather.real(path);
        permit(&self.workspace.policy, path, Access::Read, None)?;
        permit(&self.workspace.policy, &real, Access::Read, Some(path))?;
        Ok(real)
    }
}

impl Past<'_> {
    /// The version of a file that a batch left, or found.
    pub(crate) fn recorded(&self, path: &RelPath, version: &FileVersion) -> Result<Recorded, Trouble> {
        let row = self.batch_named("version", &version.batch)?;
        if !matches!(row.status, BatchStatus::Applied | BatchStatus::Undone) {
            return Err(standing(&row.id, row.status).into());
        }
        let (id, seq) = (row.id.clone(), row.seq);
        let missing = || Refusal::plain(Why::NotFound(Missing::Batch { id: version.batch.clone() }));
        let story = self.story(row)?.ok_or_else(missing)?;
        let files: Vec<&FileRecord> = story.files().collect();
        let sides = Sides::of(&files, path);
        let found = match version.side {
            VersionSide::After => sides.after,
            VersionSide::Before => sides.before,
        };
        let digest = |record: &FileRecord| match version.side {
            VersionSide::After => record.after,
            VersionSide::Before => record.before,
        };
        match found.and_then(|record| Some((record.clone(), digest(record)?))) {
            Some((record, digest)) => {
                Ok(Recorded { record, batch: id, path: path.clone(), seq, side: version.side, digest })
            }
            None if sides.folder.is_some() => Err(self.folder_version(&id, path, &files, &sides)?.into()),
            None => Err(absent(&id, path, &files, &sides, version.side).into()),
        }
    }

    /// What a version holds. One that is no longer kept, or is a link, is refused.
    fn bytes_of(&self, version: &Recorded) -> Result<Bytes, Trouble> {
        let Recorded { record, path, side, digest, .. } = version;
        if record.link {
            return Err(Refusal::at(path, Why::NotFound(Missing::LinkVersion)).into());
        }
        let bytes = match side {
            VersionSide::After => self.after_bytes(record)?,
            VersionSide::Before => self.before_bytes(record)?,
        };
        if let Some(bytes) = bytes {
            return Ok(bytes);
        }
        let limit = self.session().workspace.limits.max_file_bytes;
        let why = match self.shelved(record, *side, *digest)? {
            Some((_, size)) if size > limit => Why::TooLarge { size, limit, setting: "limits.max_file_bytes" },
            _ if record.before == record.after => Why::NotFound(Missing::Version(NoVersion::SameBytes {
                batch: version.batch.clone().into(),
                moved: record.to.is_some(),
            })),
            _ => Why::NotFound(Missing::Kept),
        };
        Err(Refusal::at(path, why).into())
    }

    /// Why a folder has no version, and what brings it back.
    fn folder_version(
        &self,
        batch: &str,
        path: &RelPath,
        files: &[&FileRecord],
        sides: &Sides<'_>,
    ) -> Result<Refusal, Trouble> {
        let trash = sides.folder.and_then(|folder| folder.trash.as_deref());
        let entry = trash.map(|id| self.index.trash_entry(id).map_err(index)).transpose()?.flatten();
        let names = files
            .iter()
            .filter(|file| file.folder.is_none())
            .flat_map(|file| std::iter::once(&file.path).chain(&file.to));
        let below = names.filter(|name| name.is_within(path)).map(RelPath::to_string).take(NAMED).collect();
        let missing =
            NoVersion::Folder { batch: batch.to_owned().into(), trash: entry.map(|entry| entry.entry.id), below };
        Ok(Refusal::at(path, Why::NotFound(Missing::Version(missing))))
    }

    /// A version that is to come back: the kept file where there is one; else its bytes, with owner and attributes of
    /// what the batch displaced.
    pub(crate) fn returning(&self, version: &Recorded) -> Result<Returning, Trouble> {
        let Recorded { record, side, digest, .. } = version;
        let mode = self.mode_of(version)?;
        if let Some((keep, size)) = self.shelved(record, *side, *digest)? {
            let text = if record.link || size > SHOWN { None } else { self.on_shelf(&keep, *digest)? };
            let target = if record.link { self.target_on_shelf(&keep)? } else { None };
            let consumed =
                (keep.shelf == Shelf::Trash && record.keep.as_ref() == Some(&keep)).then(|| keep.name.clone());
            let kept = Kept {
                id: keep.name,
                place: place(keep.shelf),
                digest: *digest,
                size,
                // Where nothing is known of it, nobody else gets to see it.
                mode: mode.unwrap_or(0o600),
                text,
                target,
                rewritten: None,
            };
            return Ok(Returning { content: Content::Kept(kept), consumed });
        }
        if record.link {
            let content = Content::Link(self.target_of(version)?);
            return Ok(Returning { content, consumed: None });
        }
        let bytes = self.bytes_of(version)?;
        let model = record.keep.as_ref().filter(|_| *side == VersionSide::After);
        let there = match model {
            Some(keep) => self.found_on_shelf(keep)?.is_some(),
            None => false,
        };
        let content = match (model.filter(|_| there), mode) {
            (Some(keep), Some(mode)) => Content::Kept(Kept {
                id: keep.name.clone(),
                place: place(keep.shelf),
                digest: *digest,
                size: bytes.len() as u64,
                mode,
                text: Some(bytes.clone()),
                target: None,
                rewritten: Some(bytes),
            }),
            (_, mode) => Content::Version { bytes, mode },
        };
        Ok(Returning { content, consumed: None })
    }

    /// The target of a link that is to be made anew.
    fn target_of(&self, version: &Recorded) -> Result<String, Trouble> {
        let Recorded { path, digest, .. } = version;
        let target = self.link_target(path, *digest)?.and_then(|target| String::from_utf8(target.to_vec()).ok());
        target.ok_or_else(|| Refusal::at(path, Why::NotFound(Missing::Kept)).into())
    }

    /// The kept file that holds a version, and its size: what the batch itself displaced, or equal bytes.
    fn shelved(&self, record: &FileRecord, side: VersionSide, digest: Digest) -> Result<Option<(Keep, u64)>, Trouble> {
        let own = record.keep.iter().filter(|_| side == VersionSide::Before).cloned();
        let blob = (!record.link).then(|| Keep { shelf: Shelf::Blobs, name: digest.to_string() });
        let trash = self.index.trash_with(digest).map_err(index)?;
        let trash = trash.into_iter().map(|name| Keep { shelf: Shelf::Trash, name });
        for keep in own.chain(blob).chain(trash) {
            match self.found_on_shelf(&keep)? {
                // The text of a file may be the target of a link, too.
                Some(Found { stat, digest: Some(found) })
                    if found == digest && (stat.sort == Sort::Link) == record.link =>
                {
                    return Ok(Some((keep, stat.size)));
                }
                _ => {}
            }
        }
        Ok(None)
    }

    /// What stands on a shelf.
    fn found_on_shelf(&self, keep: &Keep) -> Result<Option<Found>, Trouble> {
        let failed = |halt| halted(None, Task::Blobs, halt);
        let disk = &self.session().workspace.disk;
        let Some(shelf) = disk.state_if_there(keep.shelf.folder()).map_err(failed)? else { return Ok(None) };
        content::find(disk, &shelf, &keep.name).map_err(failed)
    }

    /// The target of a link on a shelf.
    fn target_on_shelf(&self, keep: &Keep) -> Result<Option<Bytes>, Trouble> {
        let failed = |halt| halted(None, Task::Blobs, halt);
        let disk = &self.session().workspace.disk;
        let Some(shelf) = disk.state_if_there(keep.shelf.folder()).map_err(failed)? else { return Ok(None) };
        disk.read_link(&shelf, &keep.name).map(|target| Some(Bytes::new(target))).map_err(failed)
    }

    /// The permission bits of a version, where they are known: what the next change of it found, else what the batch
    /// did.
    fn mode_of(&self, version: &Recorded) -> Result<Option<u32>, Trouble> {
        let Recorded { record, path, seq, side, digest, .. } = version;
        if *side == VersionSide::Before {
            return Ok(Some(record.mode));
        }
        if let Some(mode) = record.mode_after.filter(|_| record.before.is_some()) {
            return Ok(Some(mode));
        }
        for touch in self.index.touching(path.as_str(), *seq).map_err(index)?.into_iter().take(1) {
            let files = self.commit_at(touch.place)?.map(|commit| commit.files).unwrap_or_default();
            if let Some(next) = files.iter().find(|file| file.path == *path && file.before == Some(*digest)) {
                return Ok(Some(next.mode));
            }
        }
        // A new file has what the process gives it.
        let unknown = operation(record) == Operation::Create && record.mode == 0o644;
        Ok((!unknown).then_some(record.mode))
    }
}

/// What a batch found at a name, and what it left there.
struct Sides<'a> {
    before: Option<&'a FileRecord>,
    after: Option<&'a FileRecord>,
    /// Is the name in the batch at all?
    touched: bool,
    /// Where the batch moved it to, or from.
    moved: Option<&'a RelPath>,
    /// The record of the folder that it is.
    folder: Option<&'a FileRecord>,
}

impl<'a> Sides<'a> {
    fn of(files: &[&'a FileRecord], path: &RelPath) -> Sides<'a> {
        let mut sides = Sides { before: None, after: None, touched: false, moved: None, folder: None };
        for file in files {
            let leaves = file.path == *path;
            // Another file took the name before this one moved on.
            let passed_on = file.to.is_some() && sides.after.is_some_and(|came| came.to.as_ref() == Some(path));
            if leaves {
                sides.before = sides.before.or(Some(*file).filter(|_| !sides.touched || passed_on));
            }
            if leaves && !passed_on {
                sides.after = Some(*file).filter(|file| file.to.is_none());
                sides.moved = file.to.as_ref().or(sides.moved);
            }
            if file.to.as_ref() == Some(path) {
                sides.after = Some(file);
                sides.moved = Some(&file.path);
            }
            let concerned = leaves || file.to.as_ref() == Some(path);
            sides.touched |= concerned;
            sides.folder = sides.folder.or(Some(*file).filter(|file| concerned && file.folder.is_some()));
        }
        sides.before = sides.before.filter(|file| file.before.is_some());
        sides.after = sides.after.filter(|file| file.after.is_some());
        sides
    }
}

fn absent(batch: &str, path: &RelPath, files: &[&FileRecord], sides: &Sides<'_>, side: VersionSide) -> Refusal {
    let batch = BatchName::from(batch.to_owned());
    let moved = sides.moved.map(RelPath::to_string);
    let missing = match side {
        _ if !sides.touched => {
            let names = files.iter().map(|file| file.to.as_ref().unwrap_or(&file.path).to_string());
            let mut paths: Vec<String> = names.collect();
            paths.dedup();
            paths.truncate(NAMED);
            NoVersion::Untouched { batch, paths }
        }
        VersionSide::After => NoVersion::NotAfter { batch, moved },
        VersionSide::Before => NoVersion::NotBefore { batch, moved },
    };
    Refusal::at(path, Why::NotFound(Missing::Version(missing)))
}

fn place(shelf: Shelf) -> KeptIn {
    match shelf {
        Shelf::Trash => KeptIn::Trash,
        Shelf::Blobs => KeptIn::Blobs,
    }
}

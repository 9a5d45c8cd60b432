//! The trash: listing it, restoring from it, purging it.

use crate::clock::{fresh_id, now_ns};
use crate::gather::{Depth, Gather, Links, Place, file_path};
use crate::ids::trash_named;
use crate::past::{Past, TrashedTree};
use crate::prepare::{Kind, Prepared};
use crate::proof::Proven;
use crate::recorded::author;
use crate::refused::Stumble;
use crate::session::Session;
use crate::transaction::{Prepare, Transaction};
use crate::trouble::{Task, halted, index};
use crate::turn::Turn;
use crate::versions::Returning;
use crate::watch::Watch;
use crate::{answers, replay, tree};
use patchwright_core::batch::{Author, ChangeName};
use patchwright_core::bytes::Bytes;
use patchwright_core::intent::{Content, Intent, Kept, KeptIn, Onto, Parents, Tree, TreeDeed};
use patchwright_core::outcome::{Answer, Extent, Failed, Operation, Replayed, Reply, TrashEntry, Trouble};
use patchwright_core::path::{PathProblem, RelPath};
use patchwright_core::plan::{Seen, rebased};
use patchwright_core::policy::Access;
use patchwright_core::refusal::{Missing, Refusal, Why};
use patchwright_core::tool::{Age, Call, FileVersion, PurgeTrash, RestoreFile, RestoreWhat, Run};
use patchwright_core::warning::Warning;
use patchwright_store::disk::{Disk, Halt};
use patchwright_store::index::{Index, Trashed};
use patchwright_store::records::{End, Purge, Record, Shelf, Touched};
use patchwright_store::{content, recover};

/// A restored file's text is shown up to this size.
const SHOWN: u64 = 1 << 20;

/// Something in the trash, with what put it there.
#[derive(Clone, Debug, PartialEq)]
pub struct TrashItem {
    /// What a list tells of it.
    pub entry: TrashEntry,
    /// The change that put it there; without a name where its record is gone.
    pub change: ChangeName,
    /// Who made that change.
    pub author: Author,
}

fn trash_item(past: &Past<'_>, trashed: Trashed) -> Result<TrashItem, Trouble> {
    let place = past.index.trashed_at(&trashed).map_err(index)?;
    let commit = place.map(|place| past.commit_at(place)).transpose()?.flatten().unwrap_or_default();
    let file = commit.files.iter().find(|file| file.path.as_str() == trashed.entry.path);
    let id = file.and_then(|file| file.changes.first()).map(|change| change.id.clone()).unwrap_or_default();
    let (batch, nth) = past.index.place_of(&id).map_err(index)?.unwrap_or_default();
    let change = ChangeName { id, batch, place: nth };
    Ok(TrashItem { entry: trashed.entry, change, author: author(&commit.caller) })
}

impl Session {
    /// What is in the trash, newest first, each with the change that put it there.
    pub fn trash(&self) -> Result<Vec<TrashItem>, Trouble> {
        let Some(past) = self.past()? else { return Ok(Vec::new()) };
        let mut items = Vec::new();
        for trashed in past.index.trash().map_err(index)? {
            if self.permit_with_inside(&past.index, &trashed.entry, Access::Read)?.is_ok() {
                items.push(trash_item(&past, trashed)?);
            }
        }
        Ok(items)
    }

    /// What is in the trash, newest first, as far as the policy lets its paths be read.
    pub fn list_trash(&self) -> Result<Reply, Trouble> {
        self.mend()?;
        let mut entries = Vec::new();
        if let Some(log) = self.log_to_read()? {
            let open = self.index_over(&log)?;
            for entry in open.trash().map_err(index)?.into_iter().map(|trashed| trashed.entry) {
                if self.permit_with_inside(&open, &entry, Access::Read)?.is_ok() {
                    entries.push(entry);
                }
            }
        }
        Ok(Reply { answer: Answer::Trash(entries), warnings: Vec::new(), audit_head: None, replayed: Replayed::No })
    }

    /// Brings a trash entry back, to where it was or elsewhere; or a version on record, under the name that it had.
    pub fn restore_file(&self, ask: &RestoreFile, watch: &dyn Watch) -> Result<Reply, Failed> {
        let prepare: Prepare<'_> = &|gather, held| match &ask.what {
            RestoreWhat::Trash { id, target_path } => self.out_of_trash(gather, held, id, target_path.as_deref()),
            RestoreWhat::Version(version) => self.out_of_record(gather, held, version),
        };
        self.change(&Call::RestoreFile(ask.clone()), watch, prepare)
    }

    fn out_of_trash(
        &self,
        gather: &mut Gather<'_>,
        held: &mut Turn<'_>,
        id: &str,
        target: Option<&str>,
    ) -> Result<Prepared, Trouble> {
        let trashed = self.trashed(held, id)?;
        self.permit_trashed(&trashed.entry)?;
        if trashed.place.is_some() {
            return self.restore_tree(gather, held, &trashed, target);
        }
        let kept = self.kept(&trashed)?;
        let digest = kept.digest;
        let (given, parents) = match target {
            Some(target) => (target, Parents::MustExist),
            // Its old folder may be gone too; bringing it back means bringing that back.
            None => (trashed.entry.path.as_str(), Parents::Create),
        };
        let path = gather.see(given, Links::Keep, Depth::Hash)?;
        let content = Content::Kept(kept);
        let intent = Intent::Create { path: path.clone(), content, onto: Onto::Nothing, parents };
        let written = (Some(digest) != trashed.entry.sha256)
            .then(|| Warning::WrittenAfterSwap { path: path.to_string(), kept: digest.to_string() });
        let kind = Kind::Restore { entry: Some(trashed.entry.id.clone()), inside: Vec::new() };
        Ok(Prepared {
            kind,
            warnings: written.into_iter().collect(),
            ..Prepared::new(Operation::Restore, path, intent)
        })
    }

    /// Restores a version from the record. Its folder is made again if it is gone as well.
    fn out_of_record(
        &self,
        gather: &mut Gather<'_>,
        held: &mut Turn<'_>,
        version: &FileVersion,
    ) -> Result<Prepared, Trouble> {
        let path = gather.see(&version.path, Links::Keep, Depth::Hash)?;
        let real = self.permit_version(gather, &path)?;
        let past = self.past_of(held)?;
        let Returning { content, consumed } = past.returning(&past.recorded(&real, version)?)?;
        // Last, so that nobody makes room for what cannot come back.
        if let Some(sort) = gather.snapshot.seen(&path).sort() {
            return Err(Refusal::at(&path, Why::VersionOccupied(sort)).into());
        }
        let intent = Intent::Create { path: path.clone(), content, onto: Onto::Nothing, parents: Parents::Create };
        let kind = Kind::Restore { entry: consumed, inside: Vec::new() };
        Ok(Prepared { kind, ..Prepared::new(Operation::Restore, path, intent) })
    }

    /// Removes trash entries for good, as far as the policy lets their paths be written.
    pub fn purge_trash(&self, ask: &PurgeTrash, watch: &dyn Watch) -> Result<Reply, Failed> {
        let call = Call::PurgeTrash(ask.clone());
        let purge = |transaction: &mut Transaction<'_>| transaction.purge(ask).map_err(Stumble::without_paths);
        Transaction::begin(self, &call, watch)?.run(purge)
    }

    /// The trash entries that are old enough and may be removed, with a warning about those that may not; a refusal if none
    /// may. Entries that may not be read are treated as absent, as in a listing: they are neither removed nor mentioned.
    fn purgeable(&self, held: &mut Turn<'_>, age: Age) -> Result<(Vec<TrashEntry>, Vec<Warning>), Trouble> {
        let now = i128::from(now_ns());
        let open = self.index(held)?;
        let all = open.trash().map_err(index)?;
        let old = all.into_iter().filter(|trashed| is_old(trashed, age, now)).map(|trashed| trashed.entry);
        let mut asked = Vec::new();
        for entry in old {
            if self.permit_with_inside(&open, &entry, Access::Read)?.is_ok() {
                asked.push((self.permit_with_inside(&open, &entry, Access::Write)?, entry));
            }
        }
        let (mut may, mut stay) = (Vec::new(), Vec::new());
        for (asked, entry) in asked {
            match asked {
                Ok(()) => may.push(entry),
                Err(trouble) => stay.push((trouble, entry)),
            }
        }
        let count = stay.len() as u64;
        match stay.into_iter().next() {
            Some((trouble, _)) if may.is_empty() => Err(trouble),
            Some(_) => Ok((may, vec![Warning::TrashKept { count }])),
            None => Ok((may, Vec::new())),
        }
    }

    /// Whether the policy permits access to an entry and everything in it.
    fn permit_with_inside(
        &self,
        open: &Index,
        entry: &TrashEntry,
        access: Access,
    ) -> Result<Result<(), Trouble>, Trouble> {
        let inside = match entry.holds {
            Some(_) => open.trash_inside(&entry.id).map_err(index)?,
            None => Vec::new(),
        };
        let mut all = std::iter::once(entry).chain(inside.iter().map(|one| &one.entry));
        Ok(all.try_for_each(|one| self.permit_entry(one, access)))
    }

    /// The ids of everything inside those entries that are folders.
    fn inside(&self, held: &mut Turn<'_>, entries: &[TrashEntry]) -> Result<Vec<String>, Trouble> {
        let mut ids = Vec::new();
        for folder in entries.iter().filter(|entry| entry.holds.is_some()) {
            let inside = self.index(held)?.trash_inside(&folder.id).map_err(index)?;
            ids.extend(inside.into_iter().map(|one| one.entry.id));
        }
        Ok(ids)
    }

    /// Restores a folder with everything in it that is still in the trash.
    fn restore_tree(
        &self,
        gather: &mut Gather<'_>,
        held: &mut Turn<'_>,
        trashed: &Trashed,
        target: Option<&str>,
    ) -> Result<Prepared, Trouble> {
        let past = self.past_of(held)?;
        let found = past.tree_in_trash(trashed)?;
        let (given, parents) = match target {
            Some(target) => (file_path(&self.workspace.disk, target)?, Parents::MustExist),
            None => (found.record.path.clone(), Parents::Create),
        };
        let (place, missing) = match gather.see_folder_place(&given)? {
            Place::Free { real, missing } => (real, missing),
            Place::Taken(sort) => return Err(Refusal::at(&given, Why::AlreadyExists(sort)).into()),
        };
        gather.snapshot.add(place.clone(), Seen::Absent { real: place.clone(), missing });
        let tree = self.tree_from_trash(&found, &place, parents)?;
        let inside = found.inside.into_iter().map(|one| one.entry.id).collect();
        let kind = Kind::Restore { entry: Some(trashed.entry.id.clone()), inside };
        Ok(Prepared { kind, ..tree::prepared(Operation::Restore, given, None, tree) })
    }

    /// A folder in the trash as it would come back to a place.
    pub(crate) fn tree_from_trash(
        &self,
        TrashedTree { record, dress, inside }: &TrashedTree,
        place: &RelPath,
        parents: Parents,
    ) -> Result<Tree, Trouble> {
        let (mut files, mut texts) = (Vec::with_capacity(inside.len()), SHOWN);
        for one in inside {
            self.permit_trashed(&one.entry)?;
            let was = RelPath::parse(&one.entry.path, &[]);
            let was = was.map_err(|problem| Refusal::about(&one.entry.path, Why::Path(problem)))?;
            let too_long = || Refusal::at(&was, Why::Path(PathProblem::TooLong));
            let path = rebased(&was, &record.path, place).ok_or_else(too_long)?;
            self.permit_inside(&path, place)?;
            let kept = self.kept_up_to(one, texts)?;
            texts = texts.saturating_sub(kept.size);
            files.push((path, kept));
        }
        let folders = record.folder.iter().flat_map(|folder| &folder.folders);
        let folders = folders.filter_map(|(one, mode)| Some((rebased(one, &record.path, place)?, *mode))).collect();
        let dress = dress.iter().filter_map(|(one, meta)| Some((rebased(one, &record.path, place)?, meta.clone())));
        let dress = dress.collect();
        Ok(Tree { deed: TreeDeed::Restore { files, parents, dress }, path: place.clone(), folders })
    }

    /// What a trash entry holds; nothing if it is gone.
    pub(crate) fn kept_in_trash(&self, open: &Index, id: &str) -> Result<Option<Kept>, Trouble> {
        let Some(trashed) = open.trash_entry(id).map_err(index)? else { return Ok(None) };
        self.permit_trashed(&trashed.entry)?;
        match self.kept(&trashed) {
            Ok(kept) => Ok(Some(kept)),
            Err(Trouble::Refused(refusal)) if matches!(refusal.why, Why::NotFound(_)) => Ok(None),
            Err(failed) => Err(failed),
        }
    }

    fn trashed(&self, held: &mut Turn<'_>, id: &str) -> Result<Trashed, Trouble> {
        let open = self.index(held)?;
        let found = open.trash_entry(&trash_named(&open, id)?).map_err(index)?;
        found.ok_or_else(|| Refusal::plain(Why::NotFound(Missing::TrashEntry { id: id.to_owned() })).into())
    }

    /// What a trash entry holds now: a program that still had it open may have written into it.
    fn kept(&self, trashed: &Trashed) -> Result<Kept, Trouble> {
        self.kept_up_to(trashed, SHOWN)
    }

    /// The same, with its text if that is no longer than this.
    fn kept_up_to(&self, trashed: &Trashed, shown: u64) -> Result<Kept, Trouble> {
        let failed = |halt| halted(None, Task::Trash, halt);
        let shelf = self.workspace.disk.state(Shelf::Trash.folder()).map_err(failed)?;
        let found = content::find(&self.workspace.disk, &shelf, &trashed.entry.id).map_err(failed)?;
        let gone = || Refusal::about(&trashed.entry.path, Why::NotFound(Missing::Kept));
        let found = found.ok_or_else(gone)?;
        let digest = found.digest.ok_or_else(gone)?;
        let text = if trashed.link || found.stat.size > shown {
            None
        } else {
            let file = self.workspace.disk.open(&shelf, &trashed.entry.id).map_err(failed)?;
            match content::read(&self.workspace.disk, &file, shown) {
                // Written to since it was looked at.
                Err(Halt::TooLarge { .. }) => None,
                read => Some(read.map_err(failed)?.into()),
            }
        };
        let target = match trashed.link {
            true => Some(Bytes::new(self.workspace.disk.read_link(&shelf, &trashed.entry.id).map_err(failed)?)),
            false => None,
        };
        // Set-id bits come back only with the very bytes they were given to.
        let bits = if Some(digest) == trashed.entry.sha256 { 0o7777 } else { 0o777 };
        let (id, mode) = (trashed.entry.id.clone(), trashed.entry.mode & bits);
        Ok(Kept { id, place: KeptIn::Trash, digest, size: found.stat.size, mode, text, target, rewritten: None })
    }
}

impl Transaction<'_> {
    fn purge(&mut self, ask: &PurgeTrash) -> Result<Reply, Trouble> {
        let (old, warnings) = self.session.purgeable(&mut self.turn, ask.older_than)?;
        let purge = Purge {
            batch: fresh_id(),
            number: self.turn.log()?.batches() + 1,
            caller: self.caller(Proven::Seen),
            bytes: old.iter().map(|entry| entry.size).sum(),
            inside: self.session.inside(&mut self.turn, &old)?,
            files: old.iter().map(purged_file).collect(),
            ids: old.into_iter().map(|entry| entry.id).collect(),
            key: replay::key(self.call),
            warnings,
        };
        let extent = match ask.shared.run {
            _ if purge.ids.is_empty() => Extent::Unchanged,
            // A purge is never proposed.
            Run::Dry | Run::Propose => Extent::Dry,
            Run::Apply => Extent::Done,
        };
        let head = match extent {
            Extent::Dry => self.note(End::DryRun)?,
            Extent::Unchanged | Extent::Proposed => self.note(End::Unchanged)?,
            Extent::Done => self.append(&Record::Purge(purge.clone()))?,
        };
        if extent == Extent::Done {
            // The record says they are gone; what cannot be removed now is removed at the next open.
            let _ = recover::discard_purged(&self.session.workspace.disk, &purge);
        }
        Ok(answers::purged(&purge, extent, head))
    }
}

fn purged_file(entry: &TrashEntry) -> Touched {
    Touched { path: entry.path.clone(), to: None, before: entry.sha256, after: None }
}

/// An entry counts as no older than what is on record before it, whatever the clock said when it was deleted.
fn is_old(trashed: &Trashed, age: Age, now_ns: i128) -> bool {
    let since = i128::from(trashed.top_ns);
    match age {
        Age::Before(time) => since < time,
        // Everything, also what was thrown away before the clock was set back.
        Age::OlderThan(0) => true,
        Age::OlderThan(seconds) => since <= now_ns - i128::from(seconds) * 1_000_000_000,
    }
}

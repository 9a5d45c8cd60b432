//! The trash: looking into it, bringing back from it, emptying it. And letting old pre-images go.

use crate::answers;
use crate::clock::{fresh_id, now_ns};
use crate::flow::{Held, Prepare};
use crate::gather::{Depth, Gather, Links, Place, file_path};
use crate::ids::trash_named;
use crate::past::{Past, TrashedTree};
use crate::prepare::Prepared;
use crate::proof::Proven;
use crate::replay;
use crate::stories::author;
use crate::tree;
use crate::trouble::{halted, index};
use crate::versions::Returning;
use crate::watch::{Doing, Watch};
use crate::workspace::Workspace;
use patchwright_core::batch::{Author, ChangeName};
use patchwright_core::bytes::Bytes;
use patchwright_core::intent::{Content, Intent, Kept, KeptIn, Onto, Parents, Tree, TreeDeed};
use patchwright_core::outcome::{Answer, Extent, Failed, Replayed, Reply, TrashEntry, Trouble};
use patchwright_core::path::{PathProblem, RelPath};
use patchwright_core::plan::{Seen, rebased};
use patchwright_core::policy::Access;
use patchwright_core::refusal::{Missing, Refusal, Why};
use patchwright_core::tool::{Age, Call, FileVersion, PurgeTrash, RestoreFile, RestoreWhat, Run};
use patchwright_core::warning::Warning;
use patchwright_store::content;
use patchwright_store::disk::{Disk, Halt};
use patchwright_store::index::{Index, Trashed};
use patchwright_store::log::Log;
use patchwright_store::real::RealDisk;
use patchwright_store::records::{End, Purge, Record, Shelf, Touched};
use patchwright_store::{recover, retention};

/// A restored file's text is shown up to this size.
const SHOWN: u64 = 1 << 20;
/// So often, old pre-images are looked through.
const RETIRE_EVERY: u64 = 256;

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

impl Workspace {
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
            RestoreWhat::Trash { id, target_path } => self.out_of_trash(gather, held, (id, target_path.as_deref())),
            RestoreWhat::Version(version) => self.out_of_record(gather, held, version),
        };
        self.change(&Call::RestoreFile(ask.clone()), watch, prepare)
    }

    fn out_of_trash(
        &self,
        gather: &mut Gather<'_>,
        held: &mut Held<'_>,
        (id, target): (&str, Option<&str>),
    ) -> Result<Prepared, Trouble> {
        let trashed = self.trashed(held, id)?;
        self.permit_trashed(&trashed.entry)?;
        if trashed.place.is_some() {
            return self.restore_tree(gather, held, (&trashed, target));
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
        let consumed = Some(trashed.entry.id.clone());
        Ok(Prepared { consumed, warnings: written.into_iter().collect(), ..Prepared::new("restore", path, intent) })
    }

    /// Its old folder may be gone as well, and then comes back too.
    fn out_of_record(
        &self,
        gather: &mut Gather<'_>,
        held: &mut Held<'_>,
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
        Ok(Prepared { consumed, ..Prepared::new("restore", path, intent) })
    }

    /// Removes trash entries for good, as far as the policy lets their paths be written.
    pub fn purge_trash(&self, ask: &PurgeTrash, watch: &dyn Watch) -> Result<Reply, Failed> {
        let mut held = self.hold(watch).map_err(Failed::unrecorded)?;
        let call = Call::PurgeTrash(ask.clone());
        self.purge(&mut held, &call, ask).map_err(|trouble| self.refuse(&mut held, &call, trouble, Vec::new()))
    }

    fn purge(&self, held: &mut Held<'_>, call: &Call, ask: &PurgeTrash) -> Result<Reply, Trouble> {
        if let Some(reply) = replay::earlier(self, held, call)? {
            return Ok(reply);
        }
        let (old, warnings) = self.purgeable(held, ask.older_than)?;
        let purge = Purge {
            batch: fresh_id(),
            number: held.log()?.batches() + 1,
            caller: self.caller(call.tool().name, Proven::Seen),
            bytes: old.iter().map(|entry| entry.size).sum(),
            inside: self.inside(held, &old)?,
            files: old.iter().map(purged_file).collect(),
            ids: old.into_iter().map(|entry| entry.id).collect(),
            key: replay::key(call),
            warnings,
        };
        let extent = match ask.shared.run {
            _ if purge.ids.is_empty() => Extent::Unchanged,
            // A purge is never proposed.
            Run::Dry | Run::Propose => Extent::Dry,
            Run::Apply => Extent::Done,
        };
        if extent != Extent::Done {
            let end = if extent == Extent::Dry { End::DryRun } else { End::Unchanged };
            let head = self.note(held, call, end)?;
            return Ok(answers::purged(&purge, extent, head));
        }
        let head = self.append(held, &Record::Purge(purge.clone()))?;
        // The record says they are gone; what cannot be removed now is removed at the next open.
        let _ = recover::discard_purged(&self.disk, &purge);
        Ok(answers::purged(&purge, extent, head))
    }

    /// The trash entries that are old enough to go and may; a warning of those that may not. If none may, a refusal. Those
    /// that may not be read are not there, as in a listing: neither do they go nor are they told of.
    fn purgeable(&self, held: &mut Held<'_>, age: Age) -> Result<(Vec<TrashEntry>, Vec<Warning>), Trouble> {
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

    /// Whether an entry may be told of or go, with everything in it.
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

    /// What lies in those entries that are folders, by its names on the shelf.
    fn inside(&self, held: &mut Held<'_>, entries: &[TrashEntry]) -> Result<Vec<String>, Trouble> {
        let mut ids = Vec::new();
        for folder in entries.iter().filter(|entry| entry.holds.is_some()) {
            let inside = self.index(held)?.trash_inside(&folder.id).map_err(index)?;
            ids.extend(inside.into_iter().map(|one| one.entry.id));
        }
        Ok(ids)
    }

    /// Brings a folder back with everything that is still in the trash of it.
    fn restore_tree(
        &self,
        gather: &mut Gather<'_>,
        held: &mut Held<'_>,
        (trashed, target): (&Trashed, Option<&str>),
    ) -> Result<Prepared, Trouble> {
        let past = self.past_of(held)?;
        let found = past.tree_in_trash(trashed)?;
        let (given, parents) = match target {
            Some(target) => (file_path(&self.disk, target)?, Parents::MustExist),
            None => (found.record.path.clone(), Parents::Create),
        };
        let (place, missing) = match gather.see_folder_place(&given)? {
            Place::Free { real, missing } => (real, missing),
            Place::Taken(sort) => return Err(Refusal::at(&given, Why::AlreadyExists(sort)).into()),
        };
        gather.snapshot.add(place.clone(), Seen::Absent { real: place.clone(), missing });
        let tree = self.tree_from_trash(&found, (&place, parents))?;
        let also_consumed = found.inside.into_iter().map(|one| one.entry.id).collect();
        let consumed = Some(trashed.entry.id.clone());
        Ok(Prepared { consumed, also_consumed, ..tree::prepared("restore", (given, None), tree) })
    }

    /// A folder in the trash as it would come back to a place.
    pub(crate) fn tree_from_trash(
        &self,
        TrashedTree { record, dress, inside }: &TrashedTree,
        (place, parents): (&RelPath, Parents),
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

    /// The index, up to date with the log.
    pub(crate) fn index(&self, held: &mut Held<'_>) -> Result<Index, Trouble> {
        self.index_over(held.log()?)
    }

    /// The index over a log, up to date with it.
    pub(crate) fn index_over(&self, log: &Log<RealDisk>) -> Result<Index, Trouble> {
        let activity = self.activity();
        let step = |done, total| activity.tell(|| Doing::BuildingIndex, (done, total));
        Index::open_told(self.disk.index_folder().as_deref(), &self.disk, log, &step).map_err(index)
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

    fn trashed(&self, held: &mut Held<'_>, id: &str) -> Result<Trashed, Trouble> {
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
        let failed = |halt| halted(None, "trash", halt);
        let shelf = self.disk.state(Shelf::Trash.folder()).map_err(failed)?;
        let found = content::find(&self.disk, &shelf, &trashed.entry.id).map_err(failed)?;
        let gone = || Refusal::about(&trashed.entry.path, Why::NotFound(Missing::Kept));
        let found = found.ok_or_else(gone)?;
        let digest = found.digest.ok_or_else(gone)?;
        let text = if trashed.link || found.stat.size > shown {
            None
        } else {
            let file = self.disk.open(&shelf, &trashed.entry.id).map_err(failed)?;
            match content::read(&self.disk, &file, shown) {
                // Written to since it was looked at.
                Err(Halt::TooLarge { .. }) => None,
                read => Some(read.map_err(failed)?.into()),
            }
        };
        let target = match trashed.link {
            true => Some(Bytes::new(self.disk.read_link(&shelf, &trashed.entry.id).map_err(failed)?)),
            false => None,
        };
        // Set-id bits come back only with the very bytes they were given to.
        let bits = if Some(digest) == trashed.entry.sha256 { 0o7777 } else { 0o777 };
        let (id, mode) = (trashed.entry.id.clone(), trashed.entry.mode & bits);
        Ok(Kept { id, place: KeptIn::Trash, digest, size: found.stat.size, mode, text, target, rewritten: None })
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

/// Now and then, brings the index up to date, so that looking back is quick however much was done since; and lets
/// pre-images go that are old and over the quota. Never in the way of an answer.
pub(crate) fn retire_sometimes(workspace: &Workspace, held: &mut Held<'_>) {
    let Ok(log) = held.log() else { return };
    // A change takes two records, and refused calls in between take one each; done twice it costs little.
    if log.sequence() < RETIRE_EVERY || log.sequence() % RETIRE_EVERY > 3 {
        return;
    }
    let Ok(mut open) = workspace.index_over(log) else { return };
    let terms = retention::Terms { settings: &workspace.retention, now_ns: now_ns(), firm: workspace.firm };
    let _ = retention::run(&workspace.disk, log, &mut open, &terms);
}

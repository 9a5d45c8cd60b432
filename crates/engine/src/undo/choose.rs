//! Which changes are taken back, newest first.

use crate::conflicts::{nothing_left, standing};
use crate::gather::{Gather, any_path, permit_folder};
use crate::ids::{Changes, Part};
use crate::past::Past;
use crate::permits::hidden;
use crate::refused::Stumble;
use crate::trouble::index as failed_index;
use patchwright_core::batch::BatchStatus;
use patchwright_core::path::RelPath;
use patchwright_core::policy::Access;
use patchwright_core::refusal::{Conflict, ConflictPlace, Missing, Refusal, Why};
use patchwright_core::tool::UndoWhat;
use patchwright_store::index::{BatchFilter, BatchRow};
use patchwright_store::records::{Commit, FileRecord};
use std::collections::{BTreeMap, HashMap, HashSet};

/// At most this many batches are looked at together.
const PAGE: usize = 256;

/// Changes of one batch that are taken back.
pub(super) struct Chosen {
    pub(super) id: String,
    /// Its commits with their numbers, oldest first.
    pub(super) commits: Vec<(u64, Commit)>,
    /// The changes, by id.
    pub(super) changes: HashSet<String>,
}

impl Chosen {
    /// The files that the changes are about.
    pub(super) fn files(&self) -> impl Iterator<Item = &FileRecord> {
        let all = self.commits.iter().flat_map(|(_, commit)| &commit.files);
        all.filter(|file| self.takes(file))
    }

    /// The same of one of its commits.
    pub(super) fn taken<'c>(&self, commit: &'c Commit) -> impl Iterator<Item = &'c FileRecord> + Clone {
        commit.files.iter().filter(|file| self.takes(file))
    }

    /// The changes that concern a path. A file that was moved and changed at once counts under both names; a folder
    /// includes everything in it.
    fn part_at(&self, path: &RelPath) -> HashSet<String> {
        let files = || self.commits.iter().flat_map(|(_, commit)| &commit.files);
        let concerns = |file: &&FileRecord| file.path == *path || file.to.as_ref() == Some(path);
        if files().filter(concerns).any(|file| file.folder.is_some()) {
            return self.changes.clone();
        }
        let wishes: HashSet<u64> = files().filter(concerns).map(|file| file.wish).collect();
        let part = files().filter(|file| wishes.contains(&file.wish)).flat_map(|file| &file.changes);
        part.map(|change| &change.id).filter(|id| self.changes.contains(*id)).cloned().collect()
    }

    fn takes(&self, file: &FileRecord) -> bool {
        file.changes.iter().any(|change| self.changes.contains(&change.id))
    }
}

impl Past<'_> {
    pub(super) fn choose(&self, what: &UndoWhat) -> Result<Vec<Chosen>, Stumble> {
        let mut chosen = self.named(what)?;
        self.leave_out_replaced(&mut chosen)?;
        Ok(chosen)
    }

    fn named(&self, what: &UndoWhat) -> Result<Vec<Chosen>, Stumble> {
        match what {
            UndoWhat::Batch { id, changes } => {
                let (row, parts) = self.batch_and_parts(id, changes.as_deref())?;
                Ok(vec![self.one_batch(row, parts.as_deref())?])
            }
            UndoWhat::Changes(given) => self.of_parts(given),
            UndoWhat::Batches(given) => self.of_batches(given),
            UndoWhat::Path(path) => Ok(vec![self.newest_of(path)?]),
            UndoWhat::Session(id) => {
                let none = Missing::Session { id: id.clone() };
                let Some(session) = self.session_named(id)? else { return some(Vec::new(), none) };
                let filter = BatchFilter { session: Some(session), ..applied() };
                self.many(filter).and_then(|found| some(found, none))
            }
            UndoWhat::Since(id) => {
                let row = self.batch_named("sinceBatchId", id)?;
                let filter = BatchFilter { after_seq: Some(row.seq), ..applied() };
                self.many(filter).and_then(|found| some(found, Missing::Undoable))
            }
        }
    }

    fn known_batch(&self, id: &str) -> Result<BatchRow, Stumble> {
        let absent = || Refusal::plain(Why::NotFound(Missing::Batch { id: id.to_owned() }));
        Ok(self.index.batch_row(id).map_err(failed_index)?.ok_or_else(absent)?)
    }

    /// Changes by their ids alone, whichever batches they are of.
    fn of_parts(&self, given: &[String]) -> Result<Vec<Chosen>, Stumble> {
        let mut by_batch: HashMap<String, Vec<Part>> = HashMap::new();
        for id in given {
            let part = self.part_named("changeIds", id)?;
            by_batch.entry(part.batch().to_owned()).or_default().push(part);
        }
        let known = |(batch, parts): (String, Vec<Part>)| Ok((self.known_batch(&batch)?, parts));
        let mut batches = by_batch.into_iter().map(known).collect::<Result<Vec<_>, Stumble>>()?;
        batches.sort_by_key(|(row, _)| std::cmp::Reverse(row.seq));
        batches.into_iter().map(|(row, parts)| self.one_batch(row, Some(&parts))).collect()
    }

    /// Several batches or parts of them, those that stand since the newest record first.
    fn of_batches(&self, given: &[String]) -> Result<Vec<Chosen>, Stumble> {
        let mut parts_of: HashMap<String, (BatchRow, Option<Vec<Part>>)> = HashMap::new();
        for id in given {
            let (row, parts) = self.batch_and_parts(id, None)?;
            match parts_of.get_mut(&row.id) {
                // A whole batch has all its parts.
                Some((_, known)) => *known = known.take().zip(parts).map(|(known, more)| [known, more].concat()),
                None => drop(parts_of.insert(row.id.clone(), (row, parts))),
            }
        }
        let mut found = Vec::new();
        for (row, parts) in parts_of.into_values() {
            found.extend(self.by_age(self.one_batch(row, parts.as_deref())?)?);
        }
        found.sort_by_key(|(since, _)| std::cmp::Reverse(*since));
        Ok(found.into_iter().map(|(_, chosen)| chosen).collect())
    }

    fn one_batch(&self, row: BatchRow, parts: Option<&[Part]>) -> Result<Chosen, Stumble> {
        if row.status != BatchStatus::Applied {
            return Err(standing(&row.id, row.status).into());
        }
        let (id, absent) = (row.id.clone(), row.id.clone());
        let Some(chosen) = self.standing_changes(row)? else {
            let missing = Missing::Batch { id: absent };
            return Err(Refusal::plain(Why::NotFound(missing)).into());
        };
        let Some(parts) = parts else {
            return if chosen.changes.is_empty() { Err(nothing_left(&id).into()) } else { Ok(chosen) };
        };
        let all = Changes::of(chosen.commits.iter().flat_map(|(_, commit)| &commit.files));
        let mut wanted = HashSet::new();
        for part in parts {
            // Of a file those that still stand; one change has to.
            let stand = all.named(part)?.into_iter().filter(|id| chosen.changes.contains(*id));
            let stand: Vec<String> = stand.map(str::to_owned).collect();
            if stand.is_empty() {
                return Err(undone(&id, part.id()).into());
            }
            wanted.extend(stand);
        }
        Ok(Chosen { changes: wanted, ..chosen })
    }

    /// A file's part of the newest batch that touched it and still stands. Of a link that is what touched the link
    /// itself, or the file that it leads to.
    fn newest_of(&self, given: &str) -> Result<Chosen, Stumble> {
        let session = self.session();
        let named = any_path(&session.workspace.disk, given)?;
        permit_folder(&session.workspace.policy, &named, Access::Read)?;
        let gather = Gather::new(&session.workspace);
        let names = gather.names_on_record(named.clone());
        let mut filter = BatchFilter { paths: names.iter().map(RelPath::to_string).collect(), ..applied() };
        loop {
            let rows = self.index.batches(&filter, PAGE).map_err(failed_index)?;
            let Some(last) = rows.last().map(|row| row.seq) else {
                return Err(Refusal::at(&named, Why::NotFound(Missing::Undoable)).into());
            };
            for row in rows.into_iter().filter(|row| !row.is_undo) {
                let Some(mut chosen) = self.standing_changes(row)? else { continue };
                let mut parts = names.iter().map(|name| chosen.part_at(name));
                if let Some(part) = parts.find(|part| !part.is_empty()) {
                    chosen.changes = part;
                    return Ok(chosen);
                }
            }
            filter.before_seq = Some(last);
        }
    }

    fn many(&self, mut filter: BatchFilter) -> Result<Vec<Chosen>, Stumble> {
        let mut found: Vec<(u64, Chosen)> = Vec::new();
        loop {
            let rows = self.index.batches(&filter, PAGE).map_err(failed_index)?;
            let Some(last) = rows.last().map(|row| row.seq) else { break };
            for row in rows.into_iter().filter(|row| !row.is_undo) {
                if let Some(chosen) = self.standing_changes(row)? {
                    found.extend(self.by_age(chosen)?);
                }
            }
            filter.before_seq = Some(last);
        }
        // A change that was done again stands since then, and is taken back before what it was applied to.
        found.sort_by_key(|(since, _)| std::cmp::Reverse(*since));
        Ok(found.into_iter().map(|(_, chosen)| chosen).collect())
    }

    /// The changes of a batch, those together that stand since the same record.
    fn by_age(&self, chosen: Chosen) -> Result<Vec<(u64, Chosen)>, Stumble> {
        let mut ages: BTreeMap<u64, HashSet<String>> = BTreeMap::new();
        for (change, since) in self.index.standing_since(&chosen.id).map_err(failed_index)? {
            if chosen.changes.contains(&change) {
                ages.entry(since).or_default().insert(change);
            }
        }
        let Chosen { id, commits, .. } = chosen;
        let part = |(since, changes)| (since, Chosen { id: id.clone(), commits: commits.clone(), changes });
        Ok(ages.into_iter().map(part).collect())
    }

    /// A batch with those of its changes that still stand. Nothing, if its record is no longer there.
    fn standing_changes(&self, row: BatchRow) -> Result<Option<Chosen>, Stumble> {
        let (id, number) = (row.id.clone(), row.number);
        let Some(story) = self.story(row)? else { return Ok(None) };
        if story.hidden > 0 {
            return Err(hidden(&id, Some(number), story.hidden).into());
        }
        if story.purge.is_some() {
            return Ok(Some(Chosen { id, commits: Vec::new(), changes: HashSet::new() }));
        }
        let rows = self.index.changes_of(&id).map_err(failed_index)?;
        let stand = rows.into_iter().filter(|row| row.status == BatchStatus::Applied).map(|row| row.id);
        Ok(Some(Chosen { changes: stand.collect(), commits: story.commits, id }))
    }
}

fn applied() -> BatchFilter {
    BatchFilter { status: Some(BatchStatus::Applied), ..BatchFilter::default() }
}

fn some(found: Vec<Chosen>, missing: Missing) -> Result<Vec<Chosen>, Stumble> {
    if found.is_empty() { Err(Refusal::plain(Why::NotFound(missing)).into()) } else { Ok(found) }
}

fn undone(batch: &str, change: &str) -> Refusal {
    let mut refusal = standing(batch, BatchStatus::Undone);
    if let Why::Conflict(conflict) = &mut refusal.why {
        let Conflict { places, .. } = conflict.as_mut();
        places.iter_mut().for_each(|place: &mut ConflictPlace| place.change = Some(change.to_owned().into()));
    }
    refusal
}

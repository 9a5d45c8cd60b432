//! From what a caller gives for an id to what it names: a whole id, a beginning that fits one alone, or a short name.
//!
//! Promises that a beginning which fits several is refused with those that it fits, and that what is handed on, and so
//! comes on record, is a whole id.

use crate::past::Past;
use crate::session::Session;
use crate::trouble::index as failed_index;
use patchwright_core::outcome::Trouble;
use patchwright_core::refusal::{Expected, Missing, Refusal, Why};
use patchwright_core::tool::IdForm;
use patchwright_store::index::{BatchRow, Index, PartRow, Trouble as Failed};
use patchwright_store::records::FileRecord;
use std::collections::{HashMap, HashSet};

/// A refusal names no more ids than this.
const NAMED: usize = 10;

/// What the id of a part of a batch names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// One change.
    Change(PartRow),
    /// All changes of a file.
    File(PartRow),
}

impl Part {
    pub(crate) fn batch(&self) -> &str {
        match self {
            Part::Change(row) | Part::File(row) => &row.batch,
        }
    }

    pub(crate) fn id(&self) -> &str {
        match self {
            Part::Change(row) | Part::File(row) => &row.id,
        }
    }
}

/// The changes of some files, by their own ids and by those of the files.
pub(crate) struct Changes<'a> {
    each: HashSet<&'a str>,
    by_file: HashMap<&'a str, Vec<&'a str>>,
}

impl<'a> Changes<'a> {
    pub(crate) fn of(files: impl Iterator<Item = &'a FileRecord>) -> Changes<'a> {
        let mut changes = Changes { each: HashSet::new(), by_file: HashMap::new() };
        for file in files {
            let ids = file.changes.iter().map(|change| change.id.as_str());
            changes.each.extend(ids.clone());
            changes.by_file.entry(&file.id).or_default().extend(ids);
        }
        changes
    }

    /// The ids of the changes that a part names; it is refused if there are none.
    pub(crate) fn named(&self, part: &Part) -> Result<Vec<&'a str>, Refusal> {
        let (row, found) = match part {
            Part::Change(row) => (row, self.each.get(row.id.as_str()).map(|id| vec![*id])),
            Part::File(row) => (row, self.by_file.get(row.id.as_str()).cloned()),
        };
        let missing = || Missing::Change { id: row.id.clone(), batch: row.batch.clone().into() };
        found.filter(|ids| !ids.is_empty()).ok_or_else(|| Refusal::plain(Why::NotFound(missing())))
    }
}

impl Session {
    /// The whole id of the batch that somebody names by its id, the beginning of it, or its short name; or by those
    /// of one of its changes or files.
    pub fn batch_id(&self, given: &str) -> Result<String, Trouble> {
        match self.past()? {
            Some(past) => Ok(past.batch_named("batchId", given)?.id),
            None => Err(Refusal::plain(Why::NotFound(Missing::Batch { id: given.to_owned() })).into()),
        }
    }
}

impl Past<'_> {
    /// The batch that an argument names, by its own id or by that of a part.
    pub(crate) fn batch_named(&self, argument: &str, given: &str) -> Result<BatchRow, Trouble> {
        Ok(self.batch_or_part(argument, given)?.0)
    }

    /// The batch that an argument names, and the part of it, if the id is that of a part.
    pub(crate) fn batch_or_part(&self, argument: &str, given: &str) -> Result<(BatchRow, Option<Part>), Trouble> {
        let missing = || Refusal::plain(Why::NotFound(Missing::Batch { id: given.to_owned() }));
        let (id, part) = match only(argument, given, self.batches_fitting(given)?)? {
            Some(id) => (id, None),
            None => {
                let part = self.part_fitting(argument, given, None)?.ok_or_else(missing)?;
                (part.batch().to_owned(), Some(part))
            }
        };
        Ok((self.index.batch_row(&id).map_err(failed_index)?.ok_or_else(missing)?, part))
    }

    /// The batch that `batchId` names, with the parts that it and `changeIds` name; none of them for all of it.
    pub(crate) fn batch_and_parts(
        &self,
        batch: &str,
        changes: Option<&[String]>,
    ) -> Result<(BatchRow, Option<Vec<Part>>), Trouble> {
        let (row, part) = self.batch_or_part("batchId", batch)?;
        let mut parts: Vec<Part> = part.into_iter().collect();
        parts.extend(self.parts_of(&row.id, changes.unwrap_or_default())?);
        Ok((row, (!parts.is_empty()).then_some(parts)))
    }

    /// The change that an argument names, or the file with all its changes.
    pub(crate) fn part_named(&self, argument: &str, given: &str) -> Result<Part, Trouble> {
        if let Some(part) = self.part_fitting(argument, given, None)? {
            return Ok(part);
        }
        let id = given.to_owned();
        let missing = match only(argument, given, self.batches_fitting(given)?)? {
            Some(batch) => Missing::ChangeNotBatch { id, batch: batch.into() },
            None => Missing::AnyChange { id },
        };
        Err(Refusal::plain(Why::NotFound(missing)).into())
    }

    /// The batches whose id begins so, or that have this short name.
    fn batches_fitting(&self, given: &str) -> Result<Vec<String>, Trouble> {
        match IdForm::parse(given) {
            Some(IdForm::Start(start)) => self.index.batches_beginning(&start, NAMED).map_err(failed_index),
            Some(IdForm::Batch(number)) => self.index.batches_numbered(number, NAMED).map_err(failed_index),
            Some(IdForm::Change(..)) | None => Ok(Vec::new()),
        }
    }

    /// The parts of a batch that `changeIds` names.
    fn parts_of(&self, batch: &str, given: &[String]) -> Result<Vec<Part>, Trouble> {
        given.iter().map(|id| self.part_of(batch, "changeIds", id)).collect()
    }

    /// The part of a batch that an argument names.
    pub(crate) fn part_of(&self, batch: &str, argument: &str, given: &str) -> Result<Part, Trouble> {
        let missing = || Missing::Change { id: given.to_owned(), batch: batch.to_owned().into() };
        let found = self.part_fitting(argument, given, Some(batch))?;
        Ok(found.ok_or_else(|| Refusal::plain(Why::NotFound(missing())))?)
    }

    /// The one part that fits, of any batch or of one.
    fn part_fitting(&self, argument: &str, given: &str, batch: Option<&str>) -> Result<Option<Part>, Trouble> {
        let mut found: Vec<Part> = match IdForm::parse(given) {
            Some(IdForm::Start(start)) => {
                let changes = self.index.changes_beginning(&start, batch, NAMED).map_err(failed_index)?;
                // Changes go first: a file's id and that of its change mostly begin alike, and mean the same then.
                match changes.is_empty() {
                    true => self
                        .index
                        .files_beginning(&start, batch, NAMED)
                        .map_err(failed_index)?
                        .into_iter()
                        .map(Part::File)
                        .collect(),
                    false => changes.into_iter().map(Part::Change).collect(),
                }
            }
            Some(IdForm::Change(number, change)) => {
                let found = self.index.changes_numbered(number, change, NAMED).map_err(failed_index)?;
                let of_batch = |row: &PartRow| batch.is_none_or(|batch| row.batch == batch);
                found.into_iter().filter(of_batch).map(Part::Change).collect()
            }
            Some(IdForm::Batch(_)) | None => Vec::new(),
        };
        only(argument, given, found.iter().map(|part| part.id().to_owned()).collect())?;
        Ok(found.pop())
    }
}

/// The trash entry that an argument names; as given, if none begins so.
pub(crate) fn trash_named(index: &Index, given: &str) -> Result<String, Trouble> {
    named(given, "trashId", |start| index.trash_beginning(start, NAMED))
}

fn named(given: &str, argument: &str, find: impl Fn(&str) -> Result<Vec<String>, Failed>) -> Result<String, Trouble> {
    let Some(IdForm::Start(start)) = IdForm::parse(given) else { return Ok(given.to_owned()) };
    let found = only(argument, given, find(&start).map_err(failed_index)?)?;
    Ok(found.unwrap_or_else(|| given.to_owned()))
}

/// The one that fits, or nothing if none does.
pub(crate) fn only(argument: &str, given: &str, mut fitting: Vec<String>) -> Result<Option<String>, Trouble> {
    match fitting.len() {
        0 | 1 => Ok(fitting.pop()),
        _ => Err(Refusal::argument(argument, Expected::OneId(fitting), format!("{given:?}")).into()),
    }
}

//! From what a caller gives for an id to what it names: a whole id, a beginning that fits one alone, or a short name.
//!
//! Promises that a beginning which fits several is refused with those that it fits, and that what is handed on, and so
//! comes on record, is a whole id.

use crate::past::Past;
use crate::trouble::index as failed_index;
use patchwright_core::outcome::Trouble;
use patchwright_core::refusal::{Expected, Missing, Refusal, Why};
use patchwright_core::tool::IdForm;
use patchwright_store::index::BatchRow;

/// A refusal names no more ids than this.
const NAMED: usize = 10;

impl Past<'_> {
    /// The batch that an argument names.
    pub(crate) fn batch_named(&self, argument: &str, given: &str) -> Result<BatchRow, Trouble> {
        let missing = || Refusal::plain(Why::NotFound(Missing::Batch { id: given.to_owned() }));
        let found = match IdForm::parse(given) {
            Some(IdForm::Start(start)) => self.index.batches_beginning(&start, NAMED).map_err(failed_index)?,
            Some(IdForm::Batch(number)) => self.index.batches_numbered(number, NAMED).map_err(failed_index)?,
            Some(IdForm::Change(..)) | None => Vec::new(),
        };
        let id = only(argument, given, found)?.ok_or_else(missing)?;
        Ok(self.index.batch_row(&id).map_err(failed_index)?.ok_or_else(missing)?)
    }
}

/// The one that fits, or nothing if none does.
fn only(argument: &str, given: &str, mut fitting: Vec<String>) -> Result<Option<String>, Trouble> {
    match fitting.len() {
        0 | 1 => Ok(fitting.pop()),
        _ => Err(Refusal::argument(argument, Expected::OneId(fitting), format!("{given:?}")).into()),
    }
}

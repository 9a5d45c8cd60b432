//! The sessions on record, and which one somebody names.

use crate::ids::only;
use crate::past::Past;
use crate::session::Session;
use crate::trouble::index as failed_index;
use patchwright_core::batch::Author;
use patchwright_core::outcome::Trouble;
use patchwright_core::refusal::{Missing, Refusal, Why};
use patchwright_core::tool::IdForm;

/// A refusal names no more sessions than this.
const NAMED: usize = 10;

/// A session on record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionSummary {
    /// Its id.
    pub id: String,
    /// Who made its newest batch, and when that took effect.
    pub newest: Author,
    /// How many batches it has.
    pub batches: u64,
}

impl Session {
    /// The sessions on record, that with the newest batch first.
    pub fn sessions(&self) -> Result<Vec<SessionSummary>, Trouble> {
        let Some(past) = self.past()? else { return Ok(Vec::new()) };
        let rows = past.index.sessions().map_err(failed_index)?;
        let summary = |row: patchwright_store::index::SessionRow| SessionSummary {
            id: row.newest.session.clone(),
            newest: row.newest,
            batches: row.batches,
        };
        Ok(rows.into_iter().map(summary).collect())
    }
}

impl Past<'_> {
    /// The session that somebody names by its id, by a beginning of that which fits no other, or by one of its batches.
    /// Nothing if none is on record; but one's own need not be.
    pub(crate) fn session_named(&self, given: &str) -> Result<Option<String>, Trouble> {
        let own = self.session().id();
        let mut fitting = self.sessions_beginning(given)?;
        if given == own || fitting.iter().any(|id| id == given) {
            return Ok(Some(given.to_owned()));
        }
        if fitting.is_empty() {
            fitting.extend(Some(own).filter(|own| !given.is_empty() && own.starts_with(given)).map(str::to_owned));
        }
        match only("sessionId", given, fitting)? {
            Some(id) => Ok(Some(id)),
            None => self.session_of_batch(given),
        }
    }

    /// The same, refused if none is on record.
    pub(super) fn known_session(&self, given: &str) -> Result<String, Trouble> {
        Ok(self.session_named(given)?.ok_or_else(|| no_session(given))?)
    }

    fn sessions_beginning(&self, given: &str) -> Result<Vec<String>, Trouble> {
        let find = |start: &str| self.index.sessions_beginning(start, NAMED).map_err(failed_index);
        let found = if given.is_empty() { Vec::new() } else { find(given)? };
        match IdForm::parse(given) {
            Some(IdForm::Start(start)) if found.is_empty() => find(&start),
            _ => Ok(found),
        }
    }

    fn session_of_batch(&self, given: &str) -> Result<Option<String>, Trouble> {
        match IdForm::parse(given) {
            Some(IdForm::Batch(_) | IdForm::Change(..)) => Ok(Some(self.batch_named("sessionId", given)?.session)),
            _ => Ok(None),
        }
    }
}

/// There is no such session.
pub(super) fn no_session(given: &str) -> Refusal {
    Refusal::plain(Why::NotFound(Missing::AnySession { id: given.to_owned() }))
}

//! Short names for what an outcome names by its id. What the index tells here is what it finds again when the short
//! name comes back as an argument.

use crate::session::Session;
use patchwright_core::batch::{BatchName, ChangeName};
use patchwright_core::outcome::{Answer, Failed, Naming, Reply, name_all};
use patchwright_store::index::Index;
use patchwright_store::records::Commit;
use std::cmp::Reverse;

impl Session {
    /// An outcome with the numbers of all batches and changes that it names. Where the record cannot be read they
    /// keep their ids alone.
    pub(crate) fn with_numbers(&self, mut outcome: Result<Reply, Failed>) -> Result<Reply, Failed> {
        let mut nameless = Nameless::default();
        name_all(&mut outcome, &mut nameless);
        if nameless.0 > 0
            && let Ok(Some(past)) = self.past()
        {
            name_all(&mut outcome, &mut Numbers(&past.index));
        }
        if let Ok(Reply { answer: Answer::Settled(settled), .. }) = &mut outcome {
            in_order(&mut settled.changes);
        }
        outcome
    }
}

/// Changes of the newest batch first, each batch's in its own order. What has no short name stays where it is.
fn in_order(changes: &mut [ChangeName]) {
    if changes.iter().all(ChangeName::is_short) {
        changes.sort_by_key(|name| (Reverse(name.batch), name.place));
    }
}

/// The name of a commit's batch.
pub(crate) fn of_commit(commit: &Commit) -> BatchName {
    BatchName::new(commit.batch.as_str(), commit.number)
}

/// Names by ids alone.
pub(crate) fn by_id<Name: From<String>>(ids: &[String]) -> Vec<Name> {
    ids.iter().map(|id| Name::from(id.clone())).collect()
}

/// Counts what has an id and no number.
#[derive(Default)]
struct Nameless(usize);

impl Naming for Nameless {
    fn batch(&mut self, name: &mut BatchName) {
        self.0 += usize::from(name.number == 0 && !name.id.is_empty());
    }

    fn change(&mut self, name: &mut ChangeName) {
        self.0 += usize::from(!name.is_short() && !name.id.is_empty());
    }
}

/// Fills numbers in.
struct Numbers<'a>(&'a Index);

impl Naming for Numbers<'_> {
    fn batch(&mut self, name: &mut BatchName) {
        if name.number == 0 {
            name.number = self.0.number_of(&name.id).ok().flatten().unwrap_or(0);
        }
    }

    fn change(&mut self, name: &mut ChangeName) {
        if !name.is_short()
            && let Ok(Some((batch, place))) = self.0.place_of(&name.id)
        {
            (name.batch, name.place) = (batch, place);
        }
    }
}

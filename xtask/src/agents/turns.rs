//! Calls and their results, told apart by the number of results that a request shows.

use super::api::{Seen, Turn};

/// The call under way, if any.
#[derive(Default)]
pub(crate) struct Turns {
    pending: Option<(Turn, usize)>,
}

/// What a request means for the call under way.
#[derive(Debug, PartialEq)]
pub(crate) enum Settled {
    /// There is none.
    Idle,
    /// The request was sent again: it gets the same call.
    Again(Turn),
    /// This is its result.
    Answered(String),
}

impl Turns {
    pub(crate) fn settle(&mut self, seen: &Seen) -> Settled {
        match (self.pending.take(), seen.results.last()) {
            (None, _) => Settled::Idle,
            (Some((_, results)), Some(result)) if seen.results.len() != results => Settled::Answered(result.clone()),
            (Some((turn, results)), _) => {
                self.pending = Some((turn.clone(), results));
                Settled::Again(turn)
            }
        }
    }

    /// Makes a call.
    pub(crate) fn issue(&mut self, seen: &Seen, turn: Turn) -> Turn {
        self.pending = Some((turn.clone(), seen.results.len()));
        turn
    }
}

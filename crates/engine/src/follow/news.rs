//! Where following begins, and what it brings.

use super::cursor::Cursor;
use super::event::Event;

/// Where following begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Since {
    /// With the first entry of the record.
    Start,
    /// With what comes from now on.
    Now,
    /// Behind this place.
    Cursor(Cursor),
}

impl From<Cursor> for Since {
    fn from(cursor: Cursor) -> Since {
        Since::Cursor(cursor)
    }
}

/// What following brings.
#[derive(Clone, Debug, PartialEq)]
pub enum News {
    /// Something happened.
    Event(Box<Event>),
    /// The record does not hold the place up to which it was followed: it was made anew, put back to an earlier state, or
    /// taken over from elsewhere. What follows are the events since then; where the record does not tell when that was,
    /// all that it holds.
    Restarted,
    /// An entry is damaged; it, and where nothing says where the next one stands, all up to now, is passed over.
    Damaged {
        /// The entry's number.
        sequence: u64,
    },
    /// Nothing came in time, or the caller has withdrawn.
    Nothing(Presence),
}

/// Is there a record to follow?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// Yes.
    Here,
    /// None of ours can be seen. One that is made in the same place will be; for one that came to stand elsewhere, or
    /// whose key is another one, the workspace has to be opened anew.
    None,
}

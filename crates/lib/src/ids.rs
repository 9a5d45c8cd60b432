//! What batches and changes are called, and who made them.

use patchwright_engine::core::batch::{self, BatchName, ChangeName};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The name of a batch: everything that one call changed is one batch, taken back as one.
///
/// Answers carry the full id. For arguments, [`From`] takes whatever names a batch: the full id, a beginning of it that
/// fits no other, or the short name that [`Display`](fmt::Display) prints, such as `b17`. Equality compares these texts.
#[derive(Clone, Debug)]
pub struct BatchId {
    id: String,
    number: u64,
}

/// The name of one change of a batch: lines of one file that belong together, or what happened to a file as a whole.
///
/// [`From`] takes the full id, a beginning of it, or the short name such as `b17.3`.
#[derive(Clone, Debug)]
pub struct ChangeId {
    id: String,
    short: Option<(u64, u64)>,
}

impl BatchId {
    /// The id as it stands on record.
    pub fn as_str(&self) -> &str {
        &self.id
    }
}

impl ChangeId {
    /// The id as it stands on record.
    pub fn as_str(&self) -> &str {
        &self.id
    }
}

impl BatchId {
    pub(crate) fn of_name(name: BatchName) -> BatchId {
        BatchId { id: name.id, number: name.number }
    }
}

impl ChangeId {
    pub(crate) fn of_name(name: ChangeName) -> ChangeId {
        let short = name.is_short().then_some((name.batch, name.place));
        ChangeId { id: name.id, short }
    }
}

/// `b17`, or the id where the number is not known.
impl fmt::Display for BatchId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.number {
            0 => out.write_str(&self.id),
            number => write!(out, "b{number}"),
        }
    }
}

/// `b17.3`, or the id where the numbers are not known.
impl fmt::Display for ChangeId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.short {
            None => out.write_str(&self.id),
            Some((batch, place)) => write!(out, "b{batch}.{place}"),
        }
    }
}

/// What both kinds of names are compared and made by.
macro_rules! named_by_id {
    ($name:ident { $($other:ident: $none:expr),* }) => {
        impl PartialEq for $name {
            fn eq(&self, other: &$name) -> bool {
                self.id == other.id
            }
        }

        impl Eq for $name {}

        impl Hash for $name {
            fn hash<H: Hasher>(&self, state: &mut H) {
                self.id.hash(state);
            }
        }

        impl From<&str> for $name {
            fn from(id: &str) -> $name {
                $name { id: id.to_owned(), $($other: $none),* }
            }
        }

        impl From<String> for $name {
            fn from(id: String) -> $name {
                $name { id, $($other: $none),* }
            }
        }

        impl From<&$name> for $name {
            fn from(name: &$name) -> $name {
                name.clone()
            }
        }
    };
}

named_by_id!(BatchId { number: 0 });
named_by_id!(ChangeId { short: None });

/// Who made a change, and when, as it stands on record.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Author {
    /// The id of the session.
    pub session: String,
    /// The program, as `name/version` where it said which version it is.
    pub client: String,
    /// The person or agent on whose behalf it acted, where that was said.
    pub actor: Option<String>,
    /// Whether a person or an agent acted.
    pub role: Role,
    /// When.
    pub time: SystemTime,
}

/// Whether a person or an agent acts. It is a label on the record; nothing is permitted because of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Role {
    /// A model, or a program on its behalf.
    #[default]
    Agent,
    /// A person.
    Person,
}

impl Author {
    pub(crate) fn of(author: batch::Author) -> Author {
        let batch::Author { session, client, actor, role, time_ns } = author;
        let role = match role {
            batch::Role::Agent => Role::Agent,
            batch::Role::Person => Role::Person,
        };
        // A program without version stands on record as `name/`.
        let client = client.strip_suffix('/').map(str::to_owned).unwrap_or(client);
        Author { session, client, actor, role, time: time(time_ns.into()) }
    }
}

impl Role {
    pub(crate) fn on_record(self) -> batch::Role {
        match self {
            Role::Agent => batch::Role::Agent,
            Role::Person => batch::Role::Person,
        }
    }
}

/// An instant that is given in nanoseconds since 1970 UTC. One that the clock cannot tell is 1970 itself.
pub(crate) fn time(ns: i128) -> SystemTime {
    let size = Duration::from_nanos(u64::try_from(ns.unsigned_abs()).unwrap_or(u64::MAX));
    let time = if ns < 0 { UNIX_EPOCH.checked_sub(size) } else { UNIX_EPOCH.checked_add(size) };
    time.unwrap_or(UNIX_EPOCH)
}

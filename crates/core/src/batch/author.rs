//! Who made a batch, and when.

use serde::{Deserialize, Serialize};

/// Who acts behind a door.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Role {
    /// A model, or a program on its behalf.
    #[default]
    #[serde(rename = "agent")]
    Agent,
    /// A person.
    #[serde(rename = "person")]
    Person,
}

impl Role {
    /// The name it has on record.
    pub fn name(self) -> &'static str {
        match self {
            Role::Agent => "agent",
            Role::Person => "person",
        }
    }
}

/// Who did something, and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Author {
    /// The session.
    pub session: String,
    /// The client, with its version.
    pub client: String,
    /// On whose behalf, where the caller said so.
    pub actor: Option<String>,
    /// A person or an agent?
    pub role: Role,
    /// When, in nanoseconds since 1970 UTC.
    pub time_ns: i64,
}

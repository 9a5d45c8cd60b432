//! How a workspace is opened.

use crate::label::SessionId;
use crate::watch::Observer;
use patchwright_core::policy::Settings;
use patchwright_core::warning::Warning;
use patchwright_store::real::HomeAt;
use patchwright_store::records::{Door, Role};
use std::path::PathBuf;
use std::sync::Arc;

/// How a workspace is opened. The default is what a careful caller wants.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Policy, limits, retention and conventions.
    pub settings: Settings,
    /// What a committed change survives.
    pub durability: Durability,
    /// The only place for records; if not given, `.git/patchwright` or `.patchwright` in the root.
    pub state_dir: Option<PathBuf>,
    /// Where keys, marks and indexes are, outside the workspace.
    pub home: HomeAt,
    /// What counts as proof that the caller has seen a file.
    pub proof: Proof,
    /// Who calls.
    pub client: Client,
    /// The session under which changes go on record; a fresh one if not given. It is a label: what another session of
    /// this name has seen counts for nothing here.
    pub session: Option<SessionId>,
    /// When what a dead writer left is put right.
    pub repair: Repair,
    /// Whether anything may be changed.
    pub mode: Mode,
    /// Files and folders that no tool reaches, where they lie in the workspace.
    pub closed: Vec<PathBuf>,
    /// What the first answer tells besides its own.
    pub warnings: Vec<Warning>,
    /// Who is told of what takes long, if anybody is.
    pub observer: Option<Arc<dyn Observer>>,
}

/// Whether anything may be changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// What the policy permits.
    #[default]
    ReadWrite,
    /// Nothing, neither files nor the record: every changing call is refused.
    ReadOnly,
}

/// When what a dead writer left is put right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Repair {
    /// At once.
    #[default]
    AtOpen,
    /// With the first call. Whoever only wants to inspect the record leaves everything as it is.
    WhenCalled,
}

/// What a committed change survives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// A power cut.
    #[default]
    Full,
    /// A killed process.
    Process,
    /// Neither is promised.
    None,
}

/// What counts as proof that the caller has seen a file's present bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Proof {
    /// A hash, or an earlier read or write of this session.
    #[default]
    HashOrLedger,
    /// A hash only.
    HashOnly,
    /// Nothing is asked for; the record says so.
    Unchecked,
}

/// Who calls, as it stands in the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Client {
    /// The program's name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The name of the person or agent behind it, where that is known.
    pub actor: Option<String>,
    /// The way in.
    pub door: Door,
    /// A person or an agent?
    pub role: Role,
}

impl Default for Client {
    fn default() -> Client {
        Client {
            name: "library".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            actor: None,
            door: Door::Library,
            role: Role::Agent,
        }
    }
}

/// How a session begins.
#[derive(Clone, Debug, Default)]
pub struct SessionOptions {
    /// Under which its changes go on record; a fresh one if not given. It is a label: what another session of this id
    /// has seen counts for nothing here.
    pub id: Option<SessionId>,
    /// Who calls.
    pub client: Client,
    /// What counts as proof that the caller has seen a file.
    pub proof: Proof,
}

impl Options {
    /// What these say of a session.
    pub(crate) fn of_session(&self) -> SessionOptions {
        SessionOptions { id: self.session.clone(), client: self.client.clone(), proof: self.proof }
    }
}

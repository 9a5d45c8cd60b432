//! Doors: opening the workspace from what the command line says and what `patchwright.toml` says.
//! Flags add to the settings; they take nothing away from them.

use super::status::Status;
use crate::report::words::{self, Words};
use crate::wire::config;
use patchwright::{Client, Durability, Options, Proof, Repair, Workspace};
use patchwright_core::outcome::{Fault, Trouble};
use patchwright_core::policy::{Limits, Policy, Settings};
use patchwright_core::refusal::{Missing, Refusal, Why};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// What a person asked for on the command line, the same for every command.
#[derive(Clone, Debug, Default)]
pub struct Opening {
    /// The workspace.
    pub root: PathBuf,
    /// Where state lives, if not in the root.
    pub state_dir: Option<PathBuf>,
    /// What a committed change survives.
    pub durability: Durability,
    /// What counts as proof of sight.
    pub proof: Proof,
    /// Rules on top of those in the settings.
    pub rules: ExtraRules,
}

/// Rules on top of those in the settings.
#[derive(Clone, Debug, Default)]
pub struct ExtraRules {
    /// More globs for `read.allow`.
    pub allow_read: Vec<String>,
    /// More globs for `read.deny`.
    pub deny_read: Vec<String>,
    /// More globs for `write.allow`.
    pub allow_write: Vec<String>,
    /// More globs for `write.deny`.
    pub deny_write: Vec<String>,
}

/// An open workspace and the limits that apply to it.
pub struct Opened {
    /// The workspace.
    pub workspace: Workspace,
    /// Sizes and times.
    pub limits: Limits,
}

/// Why nothing could be done at all.
#[derive(Debug)]
pub enum Complaint {
    /// What was asked for makes no sense, and in which way.
    Usage(String),
    /// The workspace cannot be opened.
    Closed(Box<Trouble>),
}

impl Opened {
    /// Puts right what a dead writer left.
    pub fn repair(&self) -> Result<(), Complaint> {
        self.workspace.repair().map_err(Complaint::closed)
    }
}

impl Opening {
    /// Opens the workspace in the name of `client`.
    pub fn open(&self, client: Client, repair: Repair) -> Result<Opened, Complaint> {
        let settings = self.settings()?;
        let limits = settings.limits;
        let options = Options {
            settings,
            durability: self.durability,
            state_dir: self.state_dir.clone(),
            proof: self.proof,
            client,
            repair,
        };
        let workspace = Workspace::open(&self.root, options).map_err(Complaint::closed)?;
        Ok(Opened { workspace, limits })
    }

    fn settings(&self) -> Result<Settings, Complaint> {
        let text = Workspace::settings_text(&self.root).map_err(|trouble| no_root(&self.root, trouble))?;
        let mut settings = match text {
            Some(text) => config::settings(&text).map_err(|problem| Complaint::Usage(problem.to_string()))?,
            None => Settings::default(),
        };
        settings.read.allow.extend(self.rules.allow_read.iter().cloned());
        settings.read.deny.extend(self.rules.deny_read.iter().cloned());
        settings.write.allow.extend(self.rules.allow_write.iter().cloned());
        settings.write.deny.extend(self.rules.deny_write.iter().cloned());
        match Policy::new(&settings) {
            Ok(_) => Ok(settings),
            Err(bad) => Err(Complaint::Usage(format!(
                "{} holds the glob {:?}, which does not compile: {}",
                bad.setting, bad.glob, bad.message
            ))),
        }
    }
}

/// `ENOTDIR`, which comes to this room as the system's sentence only.
const NOT_A_FOLDER: i32 = 20;

/// A root that is not there, or no folder, is a slip on the command line and no trouble with a file.
/// Settings that are missing are no trouble at all, so what is missing here is the root.
fn no_root(root: &Path, trouble: Trouble) -> Complaint {
    let wrong = match &trouble {
        Trouble::Refused(Refusal { why: Why::NotFound(Missing::File { .. }), .. }) => {
            format!("there is no folder {}", root.display())
        }
        Trouble::Fault(Fault { doing: "open", said, .. })
            if *said == io::Error::from_raw_os_error(NOT_A_FOLDER).to_string() =>
        {
            format!("{} is not a folder", root.display())
        }
        _ => return Complaint::closed(trouble),
    };
    Complaint::Usage(format!("{wrong}; --root names the workspace, which is a folder that exists"))
}

impl Complaint {
    /// With which status to end.
    pub fn status(&self) -> Status {
        match self {
            Complaint::Usage(_) => Status::Usage,
            Complaint::Closed(trouble) => Status::of_trouble(trouble),
        }
    }

    fn closed(trouble: Trouble) -> Complaint {
        Complaint::Closed(Box::new(trouble))
    }
}

/// The message, then the next step on a line of its own.
impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Complaint::Usage(message) => f.write_str(message),
            Complaint::Closed(trouble) => f.write_str(&for_people(trouble)),
        }
    }
}

/// Bad news as a person reads it on standard error: what is so, then what to do.
pub(super) fn for_people(trouble: &Trouble) -> String {
    let Words { message, next } = words::trouble(trouble);
    if next.is_empty() { message } else { format!("{message}\nnext: {next}") }
}

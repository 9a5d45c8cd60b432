//! Doors: opening the workspace from what the command line, the user's own settings and `patchwright.toml` say.
//! The first two are the user's; the last may only narrow what they allow.

use super::exit_code::Status;
use super::offer::Offer;
use crate::report::people::refusal::{self, Command, Said};
use crate::wire::config::{self, SettingsFile};
use crate::wire::server::SetServer;
use patchwright_core::outcome::{DiskState, Fault, Trouble};
use patchwright_core::policy::{Combined, Layer, Limits, SETTINGS_FILE, combine};
use patchwright_core::refusal::{Missing, Refusal, Why};
use patchwright_core::warning::Warning;
use patchwright_engine::{
    Client, Durability, HomeAt, Mode, Name, Observer, Options, Proof, Repair, Session, SessionId, Workspace,
    is_outside_below, read_outside_if_there,
};
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

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
    /// Whether anything may be changed.
    pub mode: Mode,
    /// What the flags say of the policy.
    pub flags: Layer,
    /// What the flags say of a server.
    pub server: SetServer,
    /// What the caller calls itself for the record.
    pub caller: CalledBy,
    /// What the environment says.
    pub surroundings: Surroundings,
    /// Who is told of what takes long.
    pub observer: Option<Arc<dyn Observer>>,
}

/// What a caller at the command line calls itself for the record. Labels: nothing is permitted because of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CalledBy {
    /// The person or agent.
    pub name: Option<Name>,
    /// The session that its changes are part of.
    pub session: Option<SessionId>,
}

/// What the environment says, as the owner of the process found it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// Where the user's own settings are, if they have any.
    pub user_settings: Option<PathBuf>,
    /// Where keys, marks and indexes are.
    pub home: HomeAt,
    /// Is somebody there to be asked?
    pub person: Person,
    /// The folder that one is in; that of the process if nothing is said.
    pub current: Option<PathBuf>,
    /// How many cells a line of the terminal has, if it says so.
    pub columns: Option<usize>,
    /// Where local times are told; UTC if nothing is known.
    pub zone: Option<jiff::tz::TimeZone>,
    /// The time to tell ages from, in nanoseconds since 1970 UTC; the present if nothing is said.
    pub now_ns: Option<i64>,
}

/// Is somebody there to be asked?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Person {
    /// At a terminal.
    Here,
    /// Nobody.
    #[default]
    Away,
}

impl Surroundings {
    /// From `XDG_CONFIG_HOME` and `HOME`. A path that is not absolute counts as not given.
    pub fn new(config_home: Option<OsString>, home: Option<OsString>) -> Surroundings {
        let absolute = |given: Option<OsString>| given.map(PathBuf::from).filter(|path| path.is_absolute());
        let config = absolute(config_home).or_else(|| absolute(home).map(|home| home.join(".config")));
        let user_settings = config.map(|config| config.join("patchwright").join("config.toml"));
        Surroundings { user_settings, home: HomeAt::Environment, ..Surroundings::default() }
    }
}

/// An open workspace and what applies to it.
pub struct Opened {
    /// The workspace.
    pub session: Session,
    /// Sizes and times.
    pub limits: Limits,
    /// What `patchwright.toml` asks for beyond what the user allows: it does not apply.
    pub beyond: Vec<&'static str>,
    /// What a server offers.
    pub offer: Offer,
}

/// Why nothing could be done at all.
#[derive(Debug)]
pub enum Complaint {
    /// What was asked for makes no sense, and in which way.
    Usage(String),
    /// It cannot be done, and why.
    Refused(String),
    /// The workspace cannot be opened.
    Closed(Box<Trouble>),
}

impl Opened {
    /// Puts right what a dead writer left.
    pub fn repair(&self) -> Result<(), Complaint> {
        self.session.repair().map_err(Complaint::closed)
    }
}

impl Opening {
    /// Opens the workspace in the name of `client`.
    pub fn open(&self, client: Client, repair: Repair) -> Result<Opened, Complaint> {
        caught(|| self.open_in_name_of(client, repair))
    }

    fn open_in_name_of(&self, client: Client, repair: Repair) -> Result<Opened, Complaint> {
        let (Combined { settings, beyond }, offer) = self.settings()?;
        let limits = settings.limits;
        let told = beyond.iter().map(|name| (*name).to_owned()).collect();
        let options = Options {
            settings,
            durability: self.durability,
            state_dir: self.state_dir.clone(),
            home: self.surroundings.home.clone(),
            proof: self.proof,
            client,
            session: self.caller.session.clone(),
            repair,
            mode: self.mode,
            closed: self.closed(),
            observer: self.observer.clone(),
            warnings: (!beyond.is_empty()).then_some(Warning::SettingsBeyond { settings: told }).into_iter().collect(),
        };
        let session = Session::open(&self.root, options).map_err(Complaint::closed)?;
        Ok(Opened { session, limits, beyond, offer })
    }

    /// Sizes and times, without opening anything.
    pub fn limits(&self) -> Result<Limits, Complaint> {
        self.settings().map(|(combined, _)| combined.settings.limits)
    }

    /// What a server offers, without opening anything.
    pub fn offer(&self) -> Result<Offer, Complaint> {
        let user = self.user_file()?;
        let offer = self.offer_beside(&user.server);
        let layers = if self.user_file_is_shipped() { vec![] } else { vec![user.layer] };
        let layers: Vec<Layer> = layers.into_iter().chain([self.flags.clone()]).collect();
        Ok(Offer { conventions: combine(&layers, &[]).settings.conventions, ..offer })
    }

    fn settings(&self) -> Result<(Combined, Offer), Complaint> {
        let text = Workspace::settings_text(&self.root).map_err(|trouble| no_root(&self.root, trouble))?;
        let session = file(text.as_deref(), SETTINGS_FILE)?;
        config::compiles(&self.flags).map_err(|bad| {
            let message = format!("{} holds the glob {:?}, which is not taken: {}", bad.setting, bad.glob, bad.message);
            Complaint::Usage(message)
        })?;
        let (user, flags) = (self.user_file()?, self.flags.clone());
        let offer = self.offer_beside(&user.server);
        // What a workspace says about servers never counts.
        let mut asked: Vec<&'static str> = session.server.names().collect();
        let mut combined = if self.user_file_is_shipped() {
            asked.extend(user.server.names());
            combine(&[flags], &[user.layer, session.layer])
        } else {
            combine(&[user.layer, flags], &[session.layer])
        };
        combined.beyond.extend(asked);
        let offer = Offer { conventions: combined.settings.conventions, ..offer };
        Ok((combined, offer))
    }

    fn offer_beside(&self, user: &SetServer) -> Offer {
        let offer = Offer { mode: self.mode, proof: self.proof, ..Offer::default() };
        let offer = if self.user_file_is_shipped() { offer } else { offer.with(user) };
        offer.with(&self.server)
    }

    /// A file in the workspace may have come with it, whatever its name says.
    fn user_file_is_shipped(&self) -> bool {
        self.surroundings.user_settings.as_deref().is_some_and(|file| is_outside_below(&self.root, file))
    }

    /// The user's own settings; none if there is no such file.
    fn user_file(&self) -> Result<SettingsFile, Complaint> {
        let Some(path) = &self.surroundings.user_settings else { return Ok(SettingsFile::default()) };
        let next = "put a readable file in its place, or remove it";
        let unread =
            |said: String| Complaint::Usage(format!("{}: cannot be read: {said}\nnext: {next}", path.display()));
        let bytes = read_outside_if_there(path).map_err(|error| unread(error.to_string()))?;
        let Some(bytes) = bytes else { return Ok(SettingsFile::default()) };
        let text = String::from_utf8(bytes).map_err(|_| unread("it is not UTF-8".to_owned()))?;
        file(Some(&text), &path.display().to_string())
    }

    /// The user's settings file and its folder: a tool that could write there would choose its own rules.
    fn closed(&self) -> Vec<PathBuf> {
        let file = self.surroundings.user_settings.iter();
        file.flat_map(|file| [Some(file.as_path()), file.parent()]).flatten().map(Path::to_owned).collect()
    }
}

/// What opening gives. A panic on the way, such as where the system gives no random bytes, is bad news like any other.
fn caught<T>(open: impl FnOnce() -> Result<T, Complaint>) -> Result<T, Complaint> {
    catch_unwind(AssertUnwindSafe(open)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let said = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        let fault = Fault { path: None, doing: "open", said, state: DiskState::Bug, id: None };
        Err(Complaint::closed(Trouble::Fault(fault)))
    })
}

fn file(text: Option<&str>, name: &str) -> Result<SettingsFile, Complaint> {
    let read = text.map(|text| config::settings(text, name)).transpose();
    Ok(read.map_err(|bad| Complaint::Usage(bad.to_string()))?.unwrap_or_default())
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
            Complaint::Refused(_) => Status::Refused,
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
            Complaint::Usage(message) | Complaint::Refused(message) => f.write_str(message),
            Complaint::Closed(trouble) => {
                let same = |path: &str| path.to_owned();
                f.write_str(&refusal::told(trouble, &Said::of(Command::Other, &same)).what)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use patchwright_core::refusal::Kind;

    #[test]
    #[allow(clippy::panic, reason = "a panic is what is caught")]
    fn a_panic_is_a_complaint() {
        let ended = caught::<()>(|| panic!("no random bytes"));
        let Err(complaint) = ended else { panic!("it did not fail") };
        assert_eq!(complaint.status(), Status::Fault);
        assert!(matches!(&complaint, Complaint::Closed(trouble) if trouble.kind() == Kind::Internal), "{complaint}");
    }
}

//! A session: one caller on a workspace. Its verbs are in the modules for looking, changing and history.

use crate::cancel::CancelToken;
use crate::error::Error;
use crate::ids::Role;
use crate::warning::Warning;
use crate::workspace::Workspace;
use patchwright_engine as engine;
use patchwright_engine::core::locate::visible::is_hidden;
use patchwright_engine::core::outcome::{Answer, Reply};
use patchwright_engine::core::tool::Call;
use patchwright_engine::core::warning::Warning as Told;
use patchwright_engine::{BadLabel, Client, Name, PlannedFiles, SessionId, SessionOptions, Watch};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// One caller on a workspace: it remembers what it has read and written, and its changes are on record under its id.
///
/// A file that exists may be changed only by a session that has seen its present bytes: it has read them, written them,
/// or names their hash. What other sessions have seen counts for nothing. Every verb takes `&self`; clones are the same
/// session, and may be used by several threads.
///
/// Verbs that change files end in a [`plan`](crate::Edit::plan), which changes nothing yet.
#[derive(Clone)]
pub struct Session {
    engine: Arc<engine::Session>,
    cancel: Option<CancelToken>,
    /// What answers had to say besides, and had no place for.
    untold: Arc<Mutex<Vec<Warning>>>,
}

impl Workspace {
    /// Begins a session of the program with this name. The name is a label on the record; characters that do not show
    /// are left out of it.
    pub fn session(&self, name: impl Into<String>) -> Session {
        self.begin(SessionOptions { client: client(&name.into()), ..SessionOptions::default() })
    }

    /// Begins a session of which more is said than its name.
    pub fn session_builder(&self, name: impl Into<String>) -> SessionBuilder {
        SessionBuilder { workspace: self.clone(), client: client(&name.into()), id: None }
    }

    fn begin(&self, options: SessionOptions) -> Session {
        let engine = Arc::new(self.engine.session(SessionOptions { proof: self.proof, ..options }));
        Session { engine, cancel: None, untold: Arc::default() }
    }
}

fn client(name: &str) -> Client {
    Client { name: shown(name), version: String::new(), ..Client::default() }
}

/// A label without the characters of it that would not show.
fn shown(label: &str) -> String {
    label.chars().filter(|ch| !is_hidden(*ch)).take(Name::LONGEST).collect()
}

/// What is said of a session before it begins.
///
/// ```
/// # let (folder, home) = (tempfile::tempdir()?, tempfile::tempdir()?);
/// # let workspace = patchwright_lib::Workspace::options().home(home.path()).open(folder.path())?;
/// use patchwright_lib::Role;
///
/// let session = workspace.session_builder("release-tool").version("2.1").actor("Ada").role(Role::Person).begin()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "a session begins when `begin` is called"]
pub struct SessionBuilder {
    workspace: Workspace,
    client: Client,
    id: Option<String>,
}

impl SessionBuilder {
    /// The program's version.
    pub fn version(mut self, version: impl Into<String>) -> SessionBuilder {
        self.client.version = shown(&version.into());
        self
    }

    /// The name of the person or agent on whose behalf the program acts.
    pub fn actor(mut self, name: impl Into<String>) -> SessionBuilder {
        self.client.actor = Some(name.into());
        self
    }

    /// Whether a person or an agent acts.
    pub fn role(mut self, role: Role) -> SessionBuilder {
        self.client.role = role.on_record();
        self
    }

    /// The id under which its changes go on record, such as that of an earlier process that it goes on for; a fresh one
    /// if not given. It is a label: what another session of this id has seen counts for nothing here.
    pub fn id(mut self, id: impl Into<String>) -> SessionBuilder {
        self.id = Some(id.into());
        self
    }

    /// Begins the session. An actor or an id that cannot be read as it stands is
    /// [`ErrorKind::InvalidArguments`](crate::ErrorKind::InvalidArguments).
    pub fn begin(self) -> Result<Session, Error> {
        let SessionBuilder { workspace, client, id } = self;
        if let Some(actor) = &client.actor {
            Name::parse(actor).map_err(|bad| bad_label("actor", bad))?;
        }
        let id = id.map(|id| SessionId::parse(&id)).transpose().map_err(|bad| bad_label("session id", bad))?;
        Ok(workspace.begin(SessionOptions { id, client, ..SessionOptions::default() }))
    }
}

fn bad_label(what: &str, bad: BadLabel) -> Error {
    Error::invalid(match bad {
        BadLabel::Empty => format!("the {what} is empty"),
        BadLabel::TooLong(most) => format!("the {what} has more than {most} characters"),
        BadLabel::Hidden(ch) | BadLabel::Foreign(ch) => format!("the {what} cannot hold the character {ch:?}"),
    })
}

impl Session {
    /// The id under which its changes are on record; [`Undo::session`](crate::Undo::session) takes it.
    pub fn id(&self) -> &str {
        self.engine.id()
    }

    /// The same session, whose calls the token calls off.
    ///
    /// ```
    /// # let (folder, home) = (tempfile::tempdir()?, tempfile::tempdir()?);
    /// # let workspace = patchwright_lib::Workspace::options().home(home.path()).open(folder.path())?;
    /// use patchwright_lib::{CancelToken, ErrorKind};
    ///
    /// let token = CancelToken::new();
    /// let session = workspace.session("docs").cancel_with(&token);
    /// token.cancel();
    /// let refused = session.search("needle").run().unwrap_err();
    /// assert_eq!(refused.kind(), ErrorKind::Cancelled);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use = "this session itself is not called off"]
    pub fn cancel_with(&self, token: &CancelToken) -> Session {
        Session { cancel: Some(token.clone()), ..self.clone() }
    }

    /// Takes what calls had to say besides their results: a text that is shown with replacement characters, names that
    /// were left out, a record that had to be recovered. What a change has to say is with the change:
    /// [`Planned::warnings`](crate::Planned::warnings), [`Change::warnings`](crate::Change::warnings).
    pub fn take_warnings(&self) -> Vec<Warning> {
        std::mem::take(&mut *lock(&self.untold))
    }

    /// Carries a call out that looks, and keeps its warnings.
    pub(crate) fn look(&self, call: &Call) -> Result<Answer, Error> {
        let (reply, _) = self.followed(call, None)?;
        self.keep(reply.warnings);
        Ok(reply.answer)
    }

    fn keep(&self, warnings: Vec<Told>) {
        lock(&self.untold).extend(warnings.into_iter().map(Warning::of));
    }

    /// Carries a call out, bound to what an earlier plan came to, if one did; and tells what it comes to itself.
    pub(crate) fn followed(&self, call: &Call, expects: Option<&PlannedFiles>) -> Result<(Reply, PlannedFiles), Error> {
        let following = Following { cancel: self.cancel.as_ref(), expects, planned: Mutex::default() };
        match self.engine.call(call, &following) {
            Ok(reply) => Ok((reply, following.planned.into_inner().unwrap_or_else(PoisonError::into_inner))),
            Err(mut failed) => {
                self.keep(std::mem::take(&mut failed.warnings));
                Err(Error::of_failed(failed))
            }
        }
    }

    pub(crate) fn engine(&self) -> &engine::Session {
        &self.engine
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Session").field("id", &self.id()).finish_non_exhaustive()
    }
}

/// A panic elsewhere leaves nothing half-done in what is locked here.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One call, followed.
struct Following<'a> {
    cancel: Option<&'a CancelToken>,
    expects: Option<&'a PlannedFiles>,
    planned: Mutex<PlannedFiles>,
}

impl Watch for Following<'_> {
    fn cancelled(&self) -> bool {
        self.cancel.is_some_and(CancelToken::is_cancelled)
    }

    fn planned(&self, files: &dyn Fn() -> PlannedFiles) {
        *lock(&self.planned) = files();
    }

    fn expects(&self) -> Option<&PlannedFiles> {
        self.expects
    }
}

//! One caller's session on a workspace: who calls, what it has seen, and what it is still to be told.

use crate::clock::fresh_id;
use crate::ledger::Ledger;
use crate::options::{Client, Options, Proof, Repair, SessionOptions};
use crate::queue::lock;
use crate::workspace::Workspace;
use patchwright_core::outcome::{Failed, Reply, Trouble};
use patchwright_core::warning::Warning;
use patchwright_store::real::Means;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

/// One caller's session on a workspace, with a verb for every tool. All verbs take `&self`; changes wait for each
/// other, looks do not.
///
/// ```
/// use patchwright_engine::core::tool::CreateFile;
/// use patchwright_engine::{HomeAt, Options, Quiet, Session};
///
/// let (folder, home) = (tempfile::tempdir()?, tempfile::tempdir()?);
/// let options = Options { home: HomeAt::Folder(home.path().to_owned()), ..Options::default() };
/// let session = Session::open(folder.path(), options).unwrap();
/// session.create_file(&CreateFile::new("hello.txt", "Hello\n"), &Quiet).unwrap();
/// assert_eq!(std::fs::read_to_string(folder.path().join("hello.txt"))?, "Hello\n");
/// # std::io::Result::Ok(())
/// ```
pub struct Session {
    pub(crate) workspace: Arc<Workspace>,
    id: String,
    pub(crate) proof: Proof,
    client: Mutex<Client>,
    ledger: Mutex<Ledger>,
    /// What no answer has told yet.
    untold: Mutex<Vec<Warning>>,
    /// What is told once a session.
    told_once: Mutex<Vec<Warning>>,
    /// Counts what was done.
    deeds: AtomicU64,
}

impl Workspace {
    /// Opens a workspace for any number of sessions, and recovers from a crashed writer first. Nothing is made: the
    /// record comes with the first change. What the options say of a session counts for [`Session::open`] alone.
    pub fn open(root: &Path, options: Options) -> Result<Arc<Workspace>, Trouble> {
        let repair = options.repair;
        let workspace = Arc::new(Workspace::open_as_it_is(root, options, Means::Best)?);
        if repair == Repair::AtOpen {
            let opening = workspace.session(SessionOptions::default());
            opening.mend()?;
            // What is told once a session, each session finds out for itself.
            let found = std::mem::take(&mut *lock(&opening.untold));
            let once = lock(&opening.told_once);
            lock(&workspace.untold).extend(found.into_iter().filter(|warning| !once.contains(warning)));
        }
        Ok(workspace)
    }

    /// Begins a session. It has seen nothing yet, whatever others of this id have.
    pub fn session(self: &Arc<Self>, options: SessionOptions) -> Session {
        Session {
            workspace: Arc::clone(self),
            id: options.id.map_or_else(fresh_id, |id| id.to_string()),
            proof: options.proof,
            client: Mutex::new(options.client),
            ledger: Mutex::default(),
            untold: Mutex::default(),
            told_once: Mutex::default(),
            deeds: AtomicU64::new(0),
        }
    }
}

impl Session {
    /// Opens a workspace for one session, and recovers from a crashed writer first. Nothing is made: the record comes
    /// with the first change.
    pub fn open(root: &Path, options: Options) -> Result<Session, Trouble> {
        Session::open_with(root, options, Means::Best)
    }

    /// Opens a workspace with means that every Unix has, even where better ones are at hand. Links are
    /// then not followed, and names not exchanged.
    pub fn open_portable(root: &Path, options: Options) -> Result<Session, Trouble> {
        Session::open_with(root, options, Means::Portable)
    }

    fn open_with(root: &Path, options: Options, means: Means) -> Result<Session, Trouble> {
        let (of_session, repair) = (options.of_session(), options.repair);
        let session = Arc::new(Workspace::open_as_it_is(root, options, means)?).session(of_session);
        if repair == Repair::AtOpen {
            session.mend()?;
        }
        Ok(session)
    }

    /// The workspace that this is a session of.
    pub fn workspace(&self) -> &Arc<Workspace> {
        &self.workspace
    }

    /// Its id, under which its changes are on record.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Names the caller, once it has introduced itself.
    pub fn introduce(&self, client: Client) {
        *lock(&self.client) = client;
    }

    /// What counts as proof of sight here.
    pub fn proof(&self) -> Proof {
        self.proof
    }

    /// How much this session has done: batches committed, proposed, decided about and purged.
    pub(crate) fn deeds(&self) -> u64 {
        self.deeds.load(Ordering::Relaxed)
    }

    pub(crate) fn count_deed(&self) {
        self.deeds.fetch_add(1, Ordering::Relaxed);
    }

    /// Whatever recovery or taking back left alone is told once, with the next answer.
    pub(crate) fn with_warnings(&self, mut answer: Result<Reply, Failed>) -> Result<Reply, Failed> {
        let warnings = match &mut answer {
            Ok(reply) => &mut reply.warnings,
            Err(failed) => &mut failed.warnings,
        };
        warnings.append(&mut lock(&self.workspace.untold));
        warnings.append(&mut lock(&self.untold));
        answer
    }

    /// Keeps warnings for the answer.
    pub(crate) fn tell_later(&self, warnings: impl Iterator<Item = Warning>) {
        lock(&self.untold).extend(warnings);
    }

    /// Keeps a warning for the answer, unless this session has told it before.
    pub(crate) fn tell_once(&self, warning: Warning) {
        let mut told = lock(&self.told_once);
        if !told.contains(&warning) {
            told.push(warning.clone());
            self.tell_later(std::iter::once(warning));
        }
    }

    pub(crate) fn ledger(&self) -> MutexGuard<'_, Ledger> {
        lock(&self.ledger)
    }

    pub(crate) fn client(&self) -> MutexGuard<'_, Client> {
        lock(&self.client)
    }
}

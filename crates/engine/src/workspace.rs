//! One session on one workspace: what is open, and which verb serves which call.

use crate::clock::{fresh_id, now_ns};
use crate::ledger::Ledger;
use crate::options::{Client, Durability, Mode, Options, Proof, Repair};
use crate::permits::below_root;
use crate::trouble::{broken, halted, no_home};
use crate::watch::{Observer, Quiet, Watch};
use patchwright_core::conventions::Conventions;
use patchwright_core::outcome::{DiskState, Failed, Fault, Reply, Trouble};
use patchwright_core::path::RelPath;
use patchwright_core::policy::{Limits, Policy, Retention, SETTINGS_FILE};
use patchwright_core::refusal::NoHome;
use patchwright_core::seeded::{Bug, is_planted};
use patchwright_core::tool::Call;
use patchwright_core::warning::Warning;
use patchwright_store::disk::Halt;
use patchwright_store::log::{Firm, Log, Standing};
use patchwright_store::own;
use patchwright_store::phase::Phase;
use patchwright_store::real::{self, Confinement, Founded, HomeAt, Lasts, Means, RealDisk, Visit, Whereabouts};
use patchwright_store::records::{LeftAlone, Record};
use patchwright_store::recover::{self, Recovered};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// One session on one workspace. All verbs take `&self`; changes wait for each other, looks do not.
///
/// ```
/// use patchwright_engine::core::tool::CreateFile;
/// use patchwright_engine::{HomeAt, Options, Quiet, Workspace};
///
/// let (folder, home) = (tempfile::tempdir()?, tempfile::tempdir()?);
/// let options = Options { home: HomeAt::Folder(home.path().to_owned()), ..Options::default() };
/// let workspace = Workspace::open(folder.path(), options).unwrap();
/// let new = CreateFile::new("hello.txt", "Hello\n");
/// workspace.create_file(&new, &Quiet).unwrap();
/// assert_eq!(std::fs::read_to_string(folder.path().join("hello.txt"))?, "Hello\n");
/// # std::io::Result::Ok(())
/// ```
pub struct Workspace {
    pub(crate) disk: RealDisk,
    pub(crate) policy: Policy,
    pub(crate) mode: Mode,
    pub(crate) limits: Limits,
    pub(crate) retention: Retention,
    pub(crate) proof: Proof,
    pub(crate) conventions: Conventions,
    pub(crate) firm: Firm,
    pub(crate) session: String,
    client: Mutex<Client>,
    ledger: Mutex<Ledger>,
    /// The log, open for appending; held for as long as a change takes.
    pub(crate) writing: Mutex<Option<Log<RealDisk>>>,
    /// The log, open for a look at its end.
    reading: Mutex<Option<Log<RealDisk>>>,
    /// What recovery put right while this session was open.
    pub(crate) recovered: Mutex<Vec<Recovered>>,
    /// What of it no answer has told yet.
    untold: Mutex<Vec<Warning>>,
    /// What is told once a session.
    told_once: Mutex<Vec<Warning>>,
    /// Counts what was done.
    deeds: AtomicU64,
    /// Who is told of what takes long.
    pub(crate) observer: Option<Arc<dyn Observer>>,
}

impl Workspace {
    /// Opens a workspace. Whatever a dead writer left half-done is put right first. Nothing is made: the
    /// state directory comes with the first change.
    pub fn open(root: &Path, options: Options) -> Result<Workspace, Trouble> {
        Workspace::open_with(root, options, Means::Best)
    }

    /// Opens a workspace with means that every Unix has, even where better ones are at hand. Links are
    /// then not followed, and names not exchanged.
    pub fn open_portable(root: &Path, options: Options) -> Result<Workspace, Trouble> {
        Workspace::open_with(root, options, Means::Portable)
    }

    fn open_with(root: &Path, options: Options, means: Means) -> Result<Workspace, Trouble> {
        let visit = if options.mode == Mode::ReadOnly { Visit::Looks } else { Visit::Works };
        let at = Whereabouts { state: options.state_dir, home: options.home, visit };
        let disk = RealDisk::open(root, &at, means).map_err(|halt| halted(None, "open", halt))?;
        let mut policy = Policy::new(&options.settings).map_err(|bad| {
            let said = format!("{}: {}: {}", bad.setting, bad.glob, bad.message);
            Trouble::Fault(Fault { path: None, doing: "settings", said, state: DiskState::Unchanged, id: None })
        })?;
        for folder in disk.closed_folders() {
            if folder.is_root() {
                let said = "the state directory cannot be the workspace itself".to_owned();
                let state = DiskState::Unchanged;
                return Err(Trouble::Fault(Fault { path: None, doing: "state", said, state, id: None }));
            }
            policy.close(folder);
        }
        for closed in options.closed.iter().flat_map(|path| below_root(&disk, path)) {
            policy.close(&closed);
        }
        let workspace = Workspace {
            disk,
            policy,
            mode: options.mode,
            limits: options.settings.limits,
            retention: options.settings.retention,
            proof: options.proof,
            conventions: options.settings.conventions,
            firm: if options.durability == Durability::Full { Firm::Yes } else { Firm::No },
            session: options.session.map_or_else(fresh_id, |session| session.to_string()),
            client: Mutex::new(options.client),
            ledger: Mutex::default(),
            writing: Mutex::default(),
            reading: Mutex::default(),
            recovered: Mutex::default(),
            untold: Mutex::new(options.warnings),
            told_once: Mutex::default(),
            deeds: AtomicU64::new(0),
            observer: options.observer,
        };
        if options.repair == Repair::AtOpen {
            workspace.mend()?;
        }
        Ok(workspace)
    }

    /// The root of the workspace that a folder lies in: the nearest folder upwards that has a record of ours, else the
    /// nearest one that has a `.git`, else the folder itself; links followed. A folder that another user owns ends the
    /// search, and neither it nor any above it is looked at; the folder itself always is. Nothing is made or noted.
    ///
    /// ```
    /// use patchwright_engine::{HomeAt, Workspace};
    ///
    /// let (folder, home) = (tempfile::tempdir()?, tempfile::tempdir()?);
    /// let below = folder.path().join("src/app");
    /// std::fs::create_dir_all(&below)?;
    /// std::fs::create_dir(folder.path().join(".git"))?;
    /// let home = HomeAt::Folder(home.path().to_owned());
    /// assert_eq!(Workspace::find_root(&below, None, &home), folder.path().canonicalize()?);
    /// # std::io::Result::Ok(())
    /// ```
    pub fn find_root(start: &Path, state_dir: Option<&Path>, home: &HomeAt) -> PathBuf {
        let (state, home) = (state_dir.map(Path::to_owned), home.clone());
        real::find_root(start, &Whereabouts { state, home, visit: Visit::Looks })
    }

    /// The text of `patchwright.toml` in this root, if there is one.
    pub fn settings_text(root: &Path) -> Result<Option<String>, Trouble> {
        let text = real::text_in(root, SETTINGS_FILE, 1 << 20);
        text.map_err(|(doing, halt)| {
            let file = RelPath::parse(SETTINGS_FILE, &[]).ok().filter(|_| doing == Phase::Settings);
            halted(file.as_ref(), doing.name(), halt)
        })
    }

    /// Names the caller, once it has introduced itself.
    pub fn introduce(&self, client: Client) {
        *lock(&self.client) = client;
    }

    /// Keeps the calling thread, and every thread it starts from now on, to the root and to this workspace's record, as
    /// far as the kernel can. Meant for a program that does nothing but serve this workspace: there is no way back. The
    /// record is made now if there is none: later nobody could.
    pub fn confine(&self) -> Confinement {
        // What cannot be made now is told by the first change that needs it.
        let _ = self.make_record();
        self.disk.confine()
    }

    /// Makes the record of this workspace, if there is none, as the first change would. A session that only looks makes
    /// nothing.
    pub fn make_record(&self) -> Result<(), Trouble> {
        if self.mode == Mode::ReadOnly {
            return Ok(());
        }
        let Some(_held) = self.take_lock(&Quiet).map_err(|halt| broken("lock", halt))? else { return Ok(()) };
        self.begin_record()
    }

    /// Makes the record of this workspace, if there is none, and says what a person should know about it. The caller holds
    /// the lock.
    pub(crate) fn begin_record(&self) -> Result<(), Trouble> {
        let failed = |halt| broken("state", halt);
        match self.disk.found_record().map_err(failed)? {
            Founded::Before => {}
            Founded::Again if self.is_log_lost()? => self.tell_later(std::iter::once(Warning::RecordMadeAgain)),
            Founded::Again => {}
            Founded::Now(trouble) => {
                self.tell_founding(self.disk.beside().map_err(failed)?.len() as u64, trouble.map(no_home));
            }
        }
        Ok(())
    }

    /// Puts right what a dead writer left, as opening with [`Repair::AtOpen`] does.
    pub fn repair(&self) -> Result<(), Trouble> {
        self.mend()
    }

    /// The session's id, under which its changes are on record.
    pub fn session(&self) -> &str {
        &self.session
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

    pub(crate) fn carry_out(&self, call: &Call, watch: &dyn Watch) -> Result<Reply, Failed> {
        if is_planted(Bug::MemoryKept) {
            vec![1_u8; 64 * 1024].leak();
        }
        let looked = |seen: Result<Reply, Trouble>| seen.map_err(Failed::unrecorded);
        let reply = match call {
            Call::ReadFile(ask) => looked(self.read_file(ask, watch)),
            Call::ListDirectory(ask) => looked(self.list_directory(ask, watch)),
            Call::SearchFiles(ask) => looked(self.search_files(ask, watch)),
            Call::Glob(ask) => looked(self.glob(ask, watch)),
            Call::ListTrash(_) => looked(self.list_trash()),
            Call::PurgeTrash(ask) => self.purge_trash(ask, watch),
            Call::WorkspaceReadFile(ask) => looked(self.workspace_read_file(ask, watch)),
            Call::ListBatches(ask) => looked(self.list_batches(ask)),
            Call::GetPatchChange(ask) => looked(self.get_patch_change(ask)),
            Call::ExplainLines(ask) => looked(self.explain_lines(ask, watch)),
            Call::WorkspaceWritePatch(ask) => self.workspace_write_patch(ask, watch),
            Call::Undo(ask) => self.undo(ask, watch),
            Call::ApplyBatch(ask) => self.apply_batch(ask, watch),
            Call::RejectBatch(ask) => self.reject_batch(ask, watch),
            Call::CreateFile(ask) => self.create_file(ask, watch),
            Call::WriteFile(ask) => self.write_file(ask, watch),
            Call::EditFile(ask) => self.edit_file(ask, watch),
            Call::ApplyPatch(ask) => self.apply_patch(ask, watch),
            Call::Edit(ask) => self.edit(ask, watch),
            Call::DeleteFile(ask) => self.delete_file(ask, watch),
            Call::RestoreFile(ask) => self.restore_file(ask, watch),
            Call::MoveFile(ask) => self.move_file(ask, watch),
            Call::ByDocPath(ask) => self.call_by_doc_path(ask, watch),
        };
        self.with_warnings(self.with_numbers(reply)).map_err(|failed| failed.told_by(call.tool()))
    }

    /// Whatever recovery or taking back left alone is told once, with the next answer.
    fn with_warnings(&self, mut answer: Result<Reply, Failed>) -> Result<Reply, Failed> {
        let warnings = match &mut answer {
            Ok(reply) => &mut reply.warnings,
            Err(failed) => &mut failed.warnings,
        };
        warnings.append(&mut lock(&self.untold));
        answer
    }

    /// Keeps warnings for the answer.
    pub(crate) fn tell_later(&self, warnings: impl Iterator<Item = Warning>) {
        lock(&self.untold).extend(warnings);
    }

    /// Is there no log although home knows of one? A record that was only just made has none yet.
    pub(crate) fn is_log_lost(&self) -> Result<bool, Trouble> {
        own::has_entries(&self.disk).map_err(|halt| broken("log", halt))
    }

    /// Says, once a session, that the record is not what it was.
    pub(crate) fn tell_standing(&self, log: Option<&Log<RealDisk>>) {
        let warning = match log.map(Log::standing) {
            Some(Standing::Current) => return,
            Some(Standing::TailLost { .. }) => Warning::RecordTailLost,
            Some(Standing::PutBack { .. }) | None => Warning::RecordPutBack,
        };
        self.tell_once(warning);
        if let Some(log) = log.filter(|log| log.standing() != Standing::Current)
            && let Ok(Some(Record::Intent(intent))) = log.last(&self.disk)
        {
            self.tell_once(Warning::UnfinishedLeft { batch: intent.batch });
        }
    }

    /// Keeps a warning for the answer, unless this session has told it before.
    fn tell_once(&self, warning: Warning) {
        let mut told = lock(&self.told_once);
        if !told.contains(&warning) {
            told.push(warning.clone());
            self.tell_later(std::iter::once(warning));
        }
    }

    /// Says, once a session, that a call was not finished and is left so. The writer may also be at work still.
    fn tell_unfinished(&self, log: &Log<RealDisk>) {
        if self.disk.is_free()
            && let Ok(Some(Record::Intent(intent))) = log.last(&self.disk)
        {
            self.tell_once(Warning::UnfinishedCall { batch: intent.batch });
        }
    }

    /// Says, with the change that begins a record, what a person should know about it.
    fn tell_founding(&self, beside: u64, trouble: Option<NoHome>) {
        let others = (beside > 0).then_some(Warning::OtherRecords { count: beside });
        let short = (self.disk.home_lasts() == Some(Lasts::Session)).then(|| {
            let (home, owner) = match trouble {
                Some(NoHome::Foreign(path, owner)) => (Some(path), Some(owner)),
                Some(
                    NoHome::Relative(path) | NoHome::InWorkspace(path) | NoHome::Shared(path) | NoHome::Closed(path),
                ) => (Some(path), None),
                Some(NoHome::Unknown) | None => (None, None),
            };
            Warning::ShortLivedHome { home, owner }
        });
        self.tell_later(others.into_iter().chain(short));
    }

    /// A reader who finds a dead writer's intent recovers first. Where the writer is alive, and so holds
    /// the lock, nobody waits.
    pub(crate) fn mend(&self) -> Result<(), Trouble> {
        self.root_stands()?;
        let Ok(mut reading) = self.reading.try_lock() else { return Ok(()) };
        // Without its key the record says nothing; the next change tells.
        if !self.disk.key_stands().map_err(|halt| broken("state", halt))? {
            return Ok(());
        }
        let mut known = match reading.as_mut() {
            Some(log) if !log.is_gone(&self.disk).unwrap_or(true) => log.ends_in_intent(&self.disk).ok(),
            _ => None,
        };
        if known.is_none() {
            // Nothing was open yet, or somebody has removed it or cut it short.
            *reading = self.open_to_read()?;
            let log = reading.as_mut();
            known = log.map(|log| log.ends_in_intent(&self.disk)).transpose().map_err(|halt| broken("log", halt))?;
        }
        let Some(log) = reading.as_mut().filter(|log| log.standing() == Standing::Current) else { return Ok(()) };
        let unfinished = known == Some(true);
        if !unfinished {
            return Ok(());
        }
        if self.mode == Mode::ReadOnly {
            self.tell_unfinished(log);
            return Ok(());
        }
        let Some(_held) = self.disk.try_lock().map_err(|halt| broken("lock", halt))? else { return Ok(()) };
        let mut log = Log::open(&self.disk).map_err(|halt| broken("log", halt))?;
        let done = self.recover(&mut log).map_err(|halt| broken("recover", halt))?;
        log.renew_mark(&self.disk);
        *reading = None;
        self.note_recovery(done);
        Ok(())
    }

    /// The log, for a look at its end; and what a person should know of how it stands.
    fn open_to_read(&self) -> Result<Option<Log<RealDisk>>, Trouble> {
        let state = match self.disk.state_if_there("") {
            // Somebody else's state, which we may not see: there is nothing we could mend.
            Err(halt) if halt.os_kind() == Some(ErrorKind::PermissionDenied) => return Ok(None),
            found => found.map_err(|halt| broken("state", halt))?,
        };
        let log = match state {
            Some(state) => Log::open_existing(&self.disk, &state).map_err(|halt| broken("log", halt))?,
            None => None,
        };
        if log.is_some() || self.is_log_lost()? {
            self.tell_standing(log.as_ref());
        }
        Ok(log)
    }

    /// Puts right what a dead writer left. What is protected stays closed: a forged record must not become a way
    /// there. The lists of who opens next do not count: they are not those of the call that died, and half of it
    /// taken back would be neither the one nor the other.
    pub(crate) fn recover(&self, log: &mut Log<RealDisk>) -> Result<Recovered, Halt> {
        let may = |path: &RelPath| !self.policy.is_protected(path);
        recover::recover(&self.disk, log, now_ns(), self.firm, &may)
    }

    pub(crate) fn note_recovery(&self, done: Recovered) {
        if let Recovered::RolledBack(abort) = &done {
            let told = |left: &LeftAlone| Warning::RecoveryLeftAlone { path: left.path.to_string() };
            self.tell_later(abort.left_alone.iter().map(told));
            lock(&self.recovered).push(done);
        }
    }

    pub(crate) fn ledger(&self) -> MutexGuard<'_, Ledger> {
        lock(&self.ledger)
    }

    pub(crate) fn client(&self) -> MutexGuard<'_, Client> {
        lock(&self.client)
    }
}

/// A lock whose holder panicked still guards plain data here; nothing in it is half-done.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

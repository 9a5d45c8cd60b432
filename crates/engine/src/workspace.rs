//! One session on one workspace: what is open, and which verb serves which call.

use crate::clock::{fresh_id, now_ns};
use crate::ledger::Ledger;
use crate::options::{Client, Durability, Mode, Options, Proof, Repair};
use crate::permits::below_root;
use crate::trouble::{broken, halted};
use crate::watch::Watch;
use patchwright_core::outcome::{DiskState, Failed, Fault, Reply, Trouble};
use patchwright_core::path::RelPath;
use patchwright_core::policy::{Limits, Policy, Retention, SETTINGS_FILE};
use patchwright_core::seeded::{Bug, is_planted};
use patchwright_core::tool::Call;
use patchwright_core::warning::Warning;
use patchwright_store::content;
use patchwright_store::disk::{Disk, Halt};
use patchwright_store::log::{Firm, Log};
use patchwright_store::real::{Confinement, Means, RealDisk, StateAt};
use patchwright_store::records::LeftAlone;
use patchwright_store::recover::{self, Recovered};
use std::io::ErrorKind;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// One session on one workspace. All verbs take `&self`; changes wait for each other, looks do not.
///
/// ```
/// use patchwright::core::tool::CreateFile;
/// use patchwright::{Options, Quiet, Workspace};
///
/// let folder = tempfile::tempdir()?;
/// let workspace = Workspace::open(folder.path(), Options::default()).unwrap();
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
        let state = options.state_dir.map_or(StateAt::Inside, StateAt::Elsewhere);
        let disk = RealDisk::open(root, state, means).map_err(|halt| halted(None, "open", halt))?;
        let mut policy = Policy::new(&options.settings).map_err(|bad| {
            let said = format!("{}: {}: {}", bad.setting, bad.glob, bad.message);
            Trouble::Fault(Fault { path: None, doing: "settings", said, state: DiskState::Unchanged })
        })?;
        match disk.state_path() {
            Some(root) if root.is_root() => {
                let said = "the state directory cannot be the workspace itself".to_owned();
                return Err(Trouble::Fault(Fault { path: None, doing: "state", said, state: DiskState::Unchanged }));
            }
            Some(folder) => policy.close(folder),
            None => {}
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
            firm: if options.durability == Durability::Full { Firm::Yes } else { Firm::No },
            session: fresh_id(),
            client: Mutex::new(options.client),
            ledger: Mutex::default(),
            writing: Mutex::default(),
            reading: Mutex::default(),
            recovered: Mutex::default(),
            untold: Mutex::new(options.warnings),
        };
        if options.repair == Repair::AtOpen {
            workspace.mend()?;
        }
        Ok(workspace)
    }

    /// The text of `patchwright.toml` in this root, if there is one.
    pub fn settings_text(root: &Path) -> Result<Option<String>, Trouble> {
        let disk = RealDisk::open(root, StateAt::Inside, Means::Best).map_err(|halt| halted(None, "open", halt))?;
        let file = match disk.open(disk.root(), SETTINGS_FILE) {
            Ok(file) => file,
            Err(halt) if halt.is_missing() => return Ok(None),
            Err(halt) => return Err(halted(None, "settings", halt)),
        };
        let bytes = content::read(&disk, &file, 1 << 20).map_err(|halt| halted(None, "settings", halt))?;
        Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// Names the caller, once it has introduced itself.
    pub fn introduce(&self, client: Client) {
        *lock(&self.client) = client;
    }

    /// Keeps the calling thread, and every thread it starts from now on, to the root and the state directory, as far
    /// as the kernel can. Meant for a program that does nothing but serve this workspace: there is no way back. A state
    /// directory that was put elsewhere is made now if it is not there.
    pub fn confine(&self) -> Confinement {
        self.disk.confine()
    }

    /// Puts right what a dead writer left, as opening with [`Repair::AtOpen`] does.
    pub fn repair(&self) -> Result<(), Trouble> {
        self.mend()
    }

    /// The session's id, under which its changes are on record.
    pub fn session(&self) -> &str {
        &self.session
    }

    /// Carries out one call.
    pub fn call(&self, call: &Call, watch: &dyn Watch) -> Result<Reply, Failed> {
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
        };
        self.with_warnings(reply).map_err(|failed| failed.told_by(call.tool()))
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

    /// A reader who finds a dead writer's intent recovers first. Where the writer is alive, and so holds
    /// the lock, nobody waits.
    pub(crate) fn mend(&self) -> Result<(), Trouble> {
        let Ok(mut reading) = self.reading.try_lock() else { return Ok(()) };
        if let Some(log) = reading.as_ref()
            && log.is_gone(&self.disk).map_err(|halt| broken("log", halt))?
        {
            *reading = None;
        }
        if reading.is_none() {
            let state = match self.disk.state_if_there("") {
                // Somebody else's state, which we may not see: there is nothing we could mend.
                Err(halt) if halt.os_kind() == Some(ErrorKind::PermissionDenied) => return Ok(()),
                found => found.map_err(|halt| broken("state", halt))?,
            };
            let Some(state) = state else { return Ok(()) };
            *reading = Log::open_existing(&self.disk, &state).map_err(|halt| broken("log", halt))?;
        }
        let Some(log) = reading.as_mut() else { return Ok(()) };
        let unfinished = log.ends_in_intent(&self.disk).map_err(|halt| broken("log", halt))?;
        if !unfinished {
            return Ok(());
        }
        let Some(_held) = self.disk.try_lock().map_err(|halt| broken("lock", halt))? else { return Ok(()) };
        let mut log = Log::open(&self.disk).map_err(|halt| broken("log", halt))?;
        let done = self.recover(&mut log).map_err(|halt| broken("recover", halt))?;
        *reading = None;
        self.note_recovery(done);
        Ok(())
    }

    /// Puts right what a dead writer left. What is protected stays closed: a forged record must not become a way
    /// there. The lists of who opens next do not count: they are not those of the call that died, and half of it
    /// taken back would be neither the one nor the other.
    pub(crate) fn recover(&self, log: &mut Log<RealDisk>) -> Result<Recovered, Halt> {
        let may = |path: &RelPath| !self.policy.is_protected(path);
        recover::recover(&self.disk, log, now_ns(), (self.firm, &may))
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

    pub(crate) fn client(&self) -> String {
        let client = lock(&self.client);
        format!("{}/{}", client.name, client.version)
    }
}

/// A lock whose holder panicked still guards plain data here; nothing in it is half-done.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

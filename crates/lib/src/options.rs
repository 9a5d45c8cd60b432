//! How a workspace is opened.

use crate::error::Error;
use crate::workspace::Workspace;
use patchwright_engine as engine;
use patchwright_engine::HomeAt;
use patchwright_engine::core::policy::{Guarded, Retention, Settings};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How a workspace is opened. The default is what a careful caller wants.
///
/// Settings files are not read, neither `patchwright.toml` in the workspace nor the user's own: those belong to the
/// program `patchwright`. What they say can be said here.
///
/// ```
/// use patchwright_lib::{Durability, Workspace};
/// use std::time::Duration;
///
/// let (folder, home) = (tempfile::tempdir()?, tempfile::tempdir()?);
/// let workspace = Workspace::options()
///     .home(home.path())
///     .durability(Durability::Process)
///     .deny_write("vendor/**")
///     .lock_wait(Duration::from_secs(2))
///     .open(folder.path())?;
/// let denied = workspace.session("docs").create("vendor/a.txt", "a\n").create_folders().plan();
/// assert_eq!(denied.unwrap_err().to_string(), "vendor/a.txt is closed: it is denied by vendor/**");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
#[must_use = "options do nothing until `open` is called"]
pub struct Options {
    engine: engine::Options,
    read_allow: Vec<String>,
    write_allow: Vec<String>,
}

/// What a committed change survives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Durability {
    /// A power cut: files, folders and the record are synced before a commit returns.
    #[default]
    Full,
    /// A killed process, but not a power cut.
    Process,
    /// Neither is promised. For tests and scratch folders.
    None,
}

/// What counts as proof that a session has seen the bytes that it is about to change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ProofOfSight {
    /// An earlier read or write of the same session, or the file's hash
    /// ([`expect_sha256`](crate::Edit::expect_sha256)).
    #[default]
    SeenOrHash,
    /// The hash alone.
    HashOnly,
    /// Nothing is asked for; the record says so.
    Unchecked,
}

/// What is closed by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Protection {
    /// Likely secrets, such as `.env` and private keys: neither read nor written.
    Secrets,
    /// `.git`: not written.
    Git,
}

impl Workspace {
    /// How to open a workspace otherwise than by default.
    pub fn options() -> Options {
        Options::default()
    }
}

impl Options {
    /// Opens a workspace with these options: the folder itself, whatever lies above it. Recovers from a crashed writer
    /// first. Nothing is made: the record comes with the first plan or change, even one that is refused.
    ///
    /// No folder at this path is [`ErrorKind::NotFound`](crate::ErrorKind::NotFound); a glob that does not compile is
    /// [`ErrorKind::InvalidArguments`](crate::ErrorKind::InvalidArguments).
    pub fn open(self, root: impl AsRef<Path>) -> Result<Workspace, Error> {
        let mut options = self.engine;
        let settings = &mut options.settings;
        for (rules, allow) in [(&mut settings.read, self.read_allow), (&mut settings.write, self.write_allow)] {
            rules.allow.push(allow);
        }
        Workspace::open_with(root.as_ref(), options)
    }

    /// Opens the workspace that a folder lies in, with these options: the nearest folder upwards that has a record, else
    /// the nearest one that has a `.git`, else the folder itself. A folder of another user ends the search.
    pub fn discover(self, start: impl AsRef<Path>) -> Result<Workspace, Error> {
        let (state_dir, home) = (self.engine.state_dir.as_deref(), &self.engine.home);
        let root = engine::Workspace::find_root(start.as_ref(), state_dir, home);
        self.open(root)
    }

    /// Where keys, marks and indexes are, outside the workspace. By default `$PATCHWRIGHT_HOME`, else
    /// `$XDG_STATE_HOME/patchwright`, else `~/.local/state/patchwright`.
    pub fn home(mut self, folder: impl Into<PathBuf>) -> Options {
        self.engine.home = HomeAt::Folder(folder.into());
        self
    }

    /// The only place for the record. By default `.git/patchwright`, or `.patchwright` in the workspace.
    pub fn state_dir(mut self, folder: impl Into<PathBuf>) -> Options {
        self.engine.state_dir = Some(folder.into());
        self
    }

    /// What a committed change survives.
    pub fn durability(mut self, durability: Durability) -> Options {
        self.engine.durability = match durability {
            Durability::Full => engine::Durability::Full,
            Durability::Process => engine::Durability::Process,
            Durability::None => engine::Durability::None,
        };
        self
    }

    /// Changes nothing, neither files nor the record: every changing call ends with
    /// [`ErrorKind::PermissionDenied`](crate::ErrorKind::PermissionDenied).
    pub fn read_only(mut self) -> Options {
        self.engine.mode = engine::Mode::ReadOnly;
        self
    }

    /// What counts as proof of sight for the sessions of this workspace.
    pub fn proof_of_sight(mut self, proof: ProofOfSight) -> Options {
        self.engine.proof = match proof {
            ProofOfSight::SeenOrHash => engine::Proof::HashOrLedger,
            ProofOfSight::HashOnly => engine::Proof::HashOnly,
            ProofOfSight::Unchecked => engine::Proof::Unchecked,
        };
        self
    }

    /// The largest file that a change takes into memory, in bytes. By default 512 MiB.
    pub fn max_file_bytes(mut self, bytes: u64) -> Options {
        self.settings().limits.max_file_bytes = bytes;
        self
    }

    /// How long a plan or a change waits for other writers before it ends with [`ErrorKind::Busy`](crate::ErrorKind::Busy). By
    /// default 10 seconds.
    pub fn lock_wait(mut self, wait: Duration) -> Options {
        self.settings().limits.lock_wait_ms = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
        self
    }

    /// How long earlier versions of changed files are kept at least, and how many bytes of them before older ones go.
    /// By default 30 days and 4 GiB.
    pub fn retention(mut self, keep_days: u32, max_bytes: u64) -> Options {
        let retention = &mut self.settings().retention;
        *retention = Retention { keep_days, max_bytes, ..*retention };
        self
    }

    /// Only paths that a glob of this kind fits may be read. May be called several times.
    pub fn allow_read(mut self, glob: impl Into<String>) -> Options {
        self.read_allow.push(glob.into());
        self
    }

    /// Only paths that a glob of this kind fits may be changed. May be called several times.
    pub fn allow_write(mut self, glob: impl Into<String>) -> Options {
        self.write_allow.push(glob.into());
        self
    }

    /// No path that this glob fits may be read, whatever is allowed.
    pub fn deny_read(mut self, glob: impl Into<String>) -> Options {
        self.settings().read.deny.push(glob.into());
        self
    }

    /// No path that this glob fits may be changed, whatever is allowed.
    pub fn deny_write(mut self, glob: impl Into<String>) -> Options {
        self.settings().write.deny.push(glob.into());
        self
    }

    /// Opens what is closed by default.
    pub fn unprotect(mut self, what: Protection) -> Options {
        let protect = &mut self.settings().protect;
        match what {
            Protection::Secrets => protect.secrets = Guarded::No,
            Protection::Git => protect.git = Guarded::No,
        }
        self
    }

    fn settings(&mut self) -> &mut Settings {
        &mut self.engine.settings
    }
}

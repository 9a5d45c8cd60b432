//! What all sessions of one workspace share: the disk, the policy and its limits, and the log.
//!
//! Opening makes nothing: the record comes with the first change. Verbs are those of [`Session`](crate::Session).

use crate::options::{Durability, Mode, Options};
use crate::queue::Queue;
use crate::trouble::{Task, halted, halted_while};
use crate::watch::{Activity, Observer};
use patchwright_core::conventions::Conventions;
use patchwright_core::outcome::{DiskState, Fault, Trouble};
use patchwright_core::path::RelPath;
use patchwright_core::policy::{Limits, Policy, Retention, SETTINGS_FILE};
use patchwright_core::warning::Warning;
use patchwright_store::log::{Firm, Log};
use patchwright_store::outside;
use patchwright_store::phase::Phase;
use patchwright_store::real::{self, HomeAt, Means, RealDisk, Visit, Whereabouts};
use patchwright_store::recover::Recovered;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// One workspace, open: what its sessions share. Sessions are cheap; their changes take turns in order of arrival.
///
/// ```
/// use patchwright_engine::core::tool::CreateFile;
/// use patchwright_engine::{HomeAt, Options, Quiet, SessionOptions, Workspace};
///
/// let (folder, home) = (tempfile::tempdir()?, tempfile::tempdir()?);
/// let options = Options { home: HomeAt::Folder(home.path().to_owned()), ..Options::default() };
/// let workspace = Workspace::open(folder.path(), options).unwrap();
/// let (one, two) = (workspace.session(SessionOptions::default()), workspace.session(SessionOptions::default()));
/// one.create_file(&CreateFile::new("hello.txt", "Hello\n"), &Quiet).unwrap();
/// two.create_file(&CreateFile::new("world.txt", "World\n"), &Quiet).unwrap();
/// assert_eq!(std::fs::read_to_string(folder.path().join("hello.txt"))?, "Hello\n");
/// # std::io::Result::Ok(())
/// ```
pub struct Workspace {
    pub(crate) disk: RealDisk,
    pub(crate) policy: Policy,
    pub(crate) mode: Mode,
    pub(crate) limits: Limits,
    pub(crate) retention: Retention,
    pub(crate) conventions: Conventions,
    pub(crate) firm: Firm,
    /// The log, open for appending; whoever changes something holds it, in order of arrival.
    pub(crate) writing: Queue<Option<Log<RealDisk>>>,
    /// The log, open for a look at its end.
    pub(crate) reading: Mutex<Option<Log<RealDisk>>>,
    /// What recovery did while this workspace was open.
    pub(crate) recovered: Mutex<Vec<Recovered>>,
    /// What was found while it was opened, and no session has told yet.
    pub(crate) untold: Mutex<Vec<Warning>>,
    /// Who is told of what takes long.
    observer: Option<Arc<dyn Observer>>,
}

impl Workspace {
    /// Opens the disk and reads the policy. Recovers nothing yet.
    pub(crate) fn open_as_it_is(root: &Path, options: Options, means: Means) -> Result<Workspace, Trouble> {
        let visit = if options.mode == Mode::ReadOnly { Visit::Looks } else { Visit::Works };
        let at = Whereabouts { state: options.state_dir, home: options.home, visit };
        let disk = RealDisk::open(root, &at, means).map_err(|halt| halted(None, Task::Open, halt))?;
        let mut policy = Policy::new(&options.settings).map_err(|bad| {
            let said = format!("{}: {}: {}", bad.setting, bad.glob, bad.message);
            Trouble::Fault(Fault {
                path: None,
                doing: Task::Settings.name(),
                said,
                state: DiskState::Unchanged,
                id: None,
            })
        })?;
        for folder in disk.closed_folders() {
            if folder.is_root() {
                let said = "the state directory cannot be the workspace itself".to_owned();
                let state = DiskState::Unchanged;
                return Err(Trouble::Fault(Fault { path: None, doing: Task::State.name(), said, state, id: None }));
            }
            policy.close(folder);
        }
        for closed in options.closed.iter().flat_map(|path| below_root(&disk, path)) {
            policy.close(&closed);
        }
        Ok(Workspace {
            disk,
            policy,
            mode: options.mode,
            limits: options.settings.limits,
            retention: options.settings.retention,
            conventions: options.settings.conventions,
            firm: if options.durability == Durability::Full { Firm::Yes } else { Firm::No },
            writing: Queue::default(),
            reading: Mutex::default(),
            recovered: Mutex::default(),
            untold: Mutex::new(options.warnings),
            observer: options.observer,
        })
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
            halted_while(file.as_ref(), doing.name(), halt)
        })
    }

    /// Begins something that may take long.
    pub(crate) fn activity(&self) -> Activity<'_> {
        Activity::of(self.observer.as_deref())
    }
}

/// Where a path lies in the workspace, if it does: as it is spelt, and as its links lead.
fn below_root(disk: &RealDisk, path: &Path) -> Vec<RelPath> {
    let spellings = [Some(path.to_owned()), outside::real_path(path)];
    let known = spellings.iter().flatten().filter_map(|path| path.to_str());
    let below = known.filter_map(|path| RelPath::parse(path, &disk.roots()).ok());
    below.filter(|path| !path.is_root()).collect()
}

//! From what the disk says to what a caller is told.

use patchwright_core::outcome::{DiskState, Fault, Trouble};
use patchwright_core::path::RelPath;
use patchwright_core::refusal::{FolderFault, Missing, NoHome, Refusal, Why};
use patchwright_store::disk::{Halt, HomeTrouble};
use patchwright_store::index;
use patchwright_store::publish::Stop;
use patchwright_store::real::Unresolved;
use patchwright_store::stage::Unstaged;
use std::io::ErrorKind;
use std::path::PathBuf;

/// What was being done when the machine failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    /// Taking over the record of another workspace.
    Adopt,
    /// Reading what was kept of earlier versions.
    Blobs,
    /// Carrying out a call.
    Call,
    /// Handing out audit entries.
    Export,
    /// Reading the index of the record.
    Index,
    /// Keeping the content of a proposal.
    Keep,
    /// Listing a folder.
    List,
    /// Waiting for other writers.
    Lock,
    /// Reading or writing the record.
    Log,
    /// Opening a file or folder.
    Open,
    /// Trying out what the file system can do.
    Probe,
    /// Reading a file.
    Read,
    /// Recovering from a crashed writer.
    Recover,
    /// Following a path.
    Resolve,
    /// Reading the settings.
    Settings,
    /// Opening the state folder.
    State,
    /// Reading the trash.
    Trash,
}

impl Task {
    /// The word for it in answers and in the record.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Task::Adopt => "adopt",
            Task::Blobs => "blobs",
            Task::Call => "call",
            Task::Export => "export",
            Task::Index => "index",
            Task::Keep => "keep",
            Task::List => "list",
            Task::Lock => "lock",
            Task::Log => "log",
            Task::Open => "open",
            Task::Probe => "probe",
            Task::Read => "read",
            Task::Recover => "recover",
            Task::Resolve => "resolve",
            Task::Settings => "settings",
            Task::State => "state",
            Task::Trash => "trash",
        }
    }
}

/// A failure while something was done to a path; nothing has changed.
pub(crate) fn halted(path: Option<&RelPath>, task: Task, halt: Halt) -> Trouble {
    halted_while(path, task.name(), halt)
}

/// The same where the store says what was being done.
pub(crate) fn halted_while(path: Option<&RelPath>, doing: &'static str, halt: Halt) -> Trouble {
    let about = |why: Why| Trouble::Refused(Refusal { path: path.map(RelPath::to_string), why, since: None });
    match halt {
        Halt::Escape => about(Why::LinkLeavesRoot),
        Halt::Special => about(Why::SpecialFile),
        Halt::Os(error) => match error.kind() {
            ErrorKind::NotFound => about(Why::NotFound(Missing::File { alike: Vec::new() })),
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => about(Why::Forbidden(error.to_string())),
            _ => fault(path, doing, error.to_string(), DiskState::Unchanged),
        },
        Halt::TooLarge { size, limit } => about(Why::TooLarge { size, limit, setting: "limits.max_file_bytes" }),
        Halt::Attributes { limit } => about(Why::Folder(FolderFault::Attributes { limit })),
        Halt::Unsupported => fault(path, doing, "the file system cannot do this".to_owned(), DiskState::Unchanged),
        Halt::Home(trouble) => about(Why::NoHome(no_home(trouble))),
        Halt::RecordGone => about(Why::KeyGone),
        Halt::Version(version) => {
            let said = format!("the log has version {version}, which this program does not know; use the newer one");
            fault(path, doing, said, DiskState::Unchanged)
        }
        Halt::Damaged => fault(path, doing, String::new(), DiskState::Damaged),
        Halt::PowerCut => fault(path, doing, "no power".to_owned(), DiskState::InDoubt),
    }
}

pub(crate) fn no_home(trouble: HomeTrouble) -> NoHome {
    let shown = |path: PathBuf| path.display().to_string();
    match trouble {
        HomeTrouble::Relative { path } => NoHome::Relative(shown(path)),
        HomeTrouble::InWorkspace { path } => NoHome::InWorkspace(shown(path)),
        HomeTrouble::Foreign { path, owner } => NoHome::Foreign(shown(path), owner),
        HomeTrouble::Shared { path } => NoHome::Shared(shown(path)),
        HomeTrouble::Closed { path } => NoHome::Closed(shown(path)),
        HomeTrouble::Unknown => NoHome::Unknown,
    }
}

/// A failure of the store itself, where a missing file is no answer to anybody's question.
pub(crate) fn broken(task: Task, halt: Halt) -> Trouble {
    match halt {
        Halt::Os(error) if error.kind() == ErrorKind::NotFound => {
            fault(None, task.name(), error.to_string(), DiskState::Unchanged)
        }
        other => halted(None, task, other),
    }
}

pub(crate) fn unresolved(given: &RelPath, why: Unresolved) -> Trouble {
    let why = match why {
        Unresolved::NoFolder(folder) => Why::NotFound(Missing::Parent { folder: folder.to_string() }),
        // Making folders does not help here, so it must not sound like a missing one.
        Unresolved::NotFolder(folder) => return Refusal::at(&folder, Why::NotFound(Missing::IsFile)).into(),
        Unresolved::Halt(halt) => return looped(given, halt),
    };
    Refusal::at(given, why).into()
}

/// Links that lead in a circle lead nowhere inside the workspace.
fn looped(given: &RelPath, halt: Halt) -> Trouble {
    match halt {
        Halt::Os(error) if error.raw_os_error() == Some(LINK_LOOP) => Refusal::at(given, Why::LinkLeavesRoot).into(),
        other => halted(Some(given), Task::Resolve, other),
    }
}

/// `ELOOP` on Linux, which the standard library does not name yet.
const LINK_LOOP: i32 = 40;

pub(crate) fn unstaged(unstaged: Unstaged) -> Trouble {
    halted_while(unstaged.path.as_ref(), unstaged.doing.name(), unstaged.halt)
}

pub(crate) fn stopped(stop: Stop) -> Trouble {
    match stop {
        Stop::Refused(refusal) => (*refusal).into(),
        Stop::Halted(why) => unstaged(why),
    }
}

/// A patch that the disk did not take, and that was taken back, in the words of patches.
pub(crate) fn commit_failed(trouble: Trouble) -> Trouble {
    match trouble {
        Trouble::Fault(Fault { path, doing, said, state: DiskState::Unchanged, .. }) => {
            Refusal { path, why: Why::CommitFailed { doing, said }, since: None }.into()
        }
        other => other,
    }
}

pub(crate) fn in_doubt(why: Unstaged) -> Trouble {
    let said = match why.halt {
        Halt::Os(error) => error.to_string(),
        other => format!("{other:?}"),
    };
    fault(why.path.as_ref(), why.doing.name(), said, DiskState::InDoubt)
}

pub(crate) fn index(trouble: index::Trouble) -> Trouble {
    match trouble {
        index::Trouble::Database(error) => fault(None, Task::Index.name(), error.to_string(), DiskState::Unchanged),
        index::Trouble::Log(halt) => broken(Task::Log, halt),
    }
}

fn fault(path: Option<&RelPath>, doing: &'static str, said: String, state: DiskState) -> Trouble {
    Trouble::Fault(Fault { path: path.map(RelPath::to_string), doing, said, state, id: None })
}

//! One short sentence for each error: which file, and what is so. The app has longer words, with the next step for
//! models; these are for the log of a program.

mod arguments;

pub(super) use arguments::of_bad_glob;

use arguments::{of_arguments, reason};
use patchwright_engine::core::batch::BatchName;
use patchwright_engine::core::locate::visible::is_hidden;
use patchwright_engine::core::outcome::{DiskState, Fault, Trouble};
use patchwright_engine::core::path::{NameProblem, PathProblem};
use patchwright_engine::core::policy::Rule;
use patchwright_engine::core::refusal::{
    Conflict, ConflictReason, FolderFault, Missing, NoHome, NoVersion, Refusal, Sort, Stale, StaleReason, Why,
};

/// The sentence for an error.
pub(super) fn of(trouble: &Trouble) -> String {
    match trouble {
        Trouble::Fault(fault) => of_fault(fault),
        Trouble::Refused(refusal) => {
            let path = refusal.path.as_deref().unwrap_or("the call");
            of_why(path, &refusal.why).unwrap_or_else(|| plain(path, refusal))
        }
    }
}

/// The same text on one line, without characters that do not show.
pub(super) fn one_line(text: &str) -> String {
    let shown = text.trim().chars().map(|ch| if ch == '\n' { ' ' } else { ch });
    shown.flat_map(|ch| if is_hidden(ch) { ch.escape_default().collect() } else { vec![ch] }).collect()
}

fn of_fault(fault: &Fault) -> String {
    let Fault { path, doing, said, state, id } = fault;
    let about = path.as_ref().map(|path| format!("{path}: ")).unwrap_or_default();
    let said = if said.is_empty() { String::new() } else { format!(": {said}") };
    match state {
        DiskState::Unchanged => format!("{about}the system failed at `{doing}`{said}; nothing was changed"),
        DiskState::Damaged => format!("{about}the record of changes is damaged, and nothing is added to it"),
        DiskState::InDoubt => {
            format!(
                "{about}the disk failed at `{doing}`{said}; the change may already be durable, recovery will settle it"
            )
        }
        DiskState::Bug => {
            let id = id.as_ref().map(|id| format!(" (on record as {id})")).unwrap_or_default();
            format!("{about}a bug in Patchwright ended the call{id}{said}; nothing was changed")
        }
    }
}

/// Errors about one file or the call as such.
fn of_why(path: &str, why: &Why) -> Option<String> {
    Some(match why {
        Why::Arguments(faults) => of_arguments(faults),
        Why::Path(problem) => bad_path(path, *problem),
        Why::LinkLeavesRoot => format!("{path} leads out of the workspace"),
        Why::LinkTarget { target, .. } | Why::LinkMoved { target, .. } => {
            format!("{path} would be a link to {target}, out of the workspace")
        }
        Why::Name(problem) => bad_name(path, *problem),
        Why::NotFound(missing) => absent(path, missing),
        Why::AlreadyExists(sort) | Why::VersionOccupied(sort) => format!("{path} is already there, as {}", a(*sort)),
        Why::Denied(denial) => denied(path, &denial.rule),
        Why::Hidden { id, batch, count } => {
            let what = batch.as_ref().map_or_else(|| format!("the trash entry {id}"), BatchName::to_string);
            format!("{what} is about {} that may not be read", counted(*count, "file"))
        }
        Why::ReadOnly => "the workspace is open for reading only".to_owned(),
        Why::Forbidden(said) => format!("the system does not permit access to {path}: {said}"),
        Why::SpecialFile => format!("{path} is neither a file, a folder nor a link that can be opened"),
        Why::TooLarge { size, limit, .. } => format!("{path} has {size} bytes, over the limit of {limit}"),
        Why::Binary => format!("{path} is not text"),
        Why::CharsetUnnamed => format!("{path} is not UTF-8, and no charset was named"),
        Why::Encoding { charset, line, .. } => {
            let line = line.map(|line| format!("line {line} of ")).unwrap_or_default();
            format!("{line}{path} cannot be read and written in {charset} without loss")
        }
        Why::Stale(stale) => of_stale(path, stale),
        Why::Unseen(_) => format!("not all of {path} was read, and all of it would be overwritten"),
        Why::Conflict(conflict) => of_conflict(conflict),
        Why::Folder(fault) => folder(path, fault),
        Why::MoveOntoItself => format!("{path} cannot be moved onto itself"),
        Why::Pattern(said) => format!("the regular expression does not compile: {}", reason(said)),
        Why::Glob(said) => format!("the glob does not compile: {}", reason(said)),
        Why::SameFileTwice { other } | Why::DuplicatePath { other } => {
            format!("{path} and {other} are one file, named twice in one call")
        }
        _ => return None,
    })
}

/// Errors about texts, patches and the workspace.
fn plain(path: &str, refusal: &Refusal) -> String {
    match &refusal.why {
        Why::OldTextNotFound { edit, .. } => format!("{path} does not hold the old text of replacement {}", edit + 1),
        Why::MultipleMatches { edit, count, lines, .. } => {
            let lines: Vec<String> = lines.iter().take(5).map(usize::to_string).collect();
            let (edit, lines) = (edit + 1, lines.join(", "));
            format!("{path} holds the old text of replacement {edit} {count} times, at lines {lines}")
        }
        Why::OverlappingEdits { edits: (one, other), .. } => {
            format!("replacements {} and {} touch the same text of {path}", one + 1, other + 1)
        }
        Why::Syntax(syntax) => format!("line {} of the patch does not follow its grammar", syntax.line),
        Why::HunkMisfit { hunk, .. } | Why::HunkBare { hunk } => {
            format!("the hunk at line {} of the patch does not fit {path}", hunk.at)
        }
        Why::HunkMany { hunk, count, .. } => {
            format!("the hunk at line {} of the patch fits {path} in {count} places", hunk.at)
        }
        Why::HunkOverlap { hunk, earlier, .. } => {
            format!("the hunks at lines {} and {} of the patch change the same lines of {path}", earlier.at, hunk.at)
        }
        Why::HunksForLink => format!("{path} is a symbolic link and has no lines to patch"),
        Why::AbsolutePath(_) => format!("{path} is an absolute path, which a patch cannot name"),
        Why::CommitFailed { doing, said } => {
            format!("the system failed at `{doing}` for {path}: {said}; everything was taken back")
        }
        Why::Busy { waited_ms, holder } => {
            let by = holder.as_ref().map(|holder| format!(" by process {}", holder.pid)).unwrap_or_default();
            format!("the workspace was held{by} for more than {waited_ms} ms")
        }
        Why::RootMoved { path, .. } => format!("the workspace is no longer at {path}"),
        Why::NoHome(problem) => no_home(problem),
        Why::KeyGone => "the key of the record was removed while the workspace was in use".to_owned(),
        Why::KeyReused { batch } => format!("the idempotency key belongs to another call, {batch}"),
        Why::Cancelled => "the call was cancelled".to_owned(),
        Why::Timeout => "a time limit passed".to_owned(),
        // What is left belongs to calls that this library does not make.
        _ => format!("the engine refused the call about {path} ({})", refusal.kind().name()),
    }
}

fn no_home(problem: &NoHome) -> String {
    let (home, what) = match problem {
        NoHome::Relative(home) => (home, "is not an absolute path"),
        NoHome::InWorkspace(home) => (home, "lies in the workspace"),
        NoHome::Foreign(home, _) => (home, "belongs to another user"),
        NoHome::Shared(home) => (home, "may be written by other users"),
        NoHome::Closed(home) => (home, "can neither be made nor written"),
        NoHome::Unknown => return "nothing says which folder is to hold the key of the record".to_owned(),
    };
    format!("{home} cannot hold the key of the record: it {what}")
}

fn bad_path(path: &str, problem: PathProblem) -> String {
    match problem {
        PathProblem::Empty => "the path is empty".to_owned(),
        PathProblem::Outside => format!("{path} lies outside the workspace"),
        PathProblem::Nul => format!("{path} holds a NUL character"),
        PathProblem::TooLong => "the path is too long".to_owned(),
    }
}

fn bad_name(path: &str, problem: NameProblem) -> String {
    let what = match problem {
        NameProblem::Backslash => "a backslash",
        NameProblem::Control(_) => "a control character",
        NameProblem::Bidi(_) => "a character that reorders text",
        NameProblem::Tag(_) => "an invisible character",
    };
    format!("{path} holds {what}, which no new file may have in its name")
}

fn absent(path: &str, missing: &Missing) -> String {
    match missing {
        Missing::File { .. } | Missing::Neighbour { .. } => format!("{path} does not exist"),
        Missing::LinkTarget => format!("{path} is a link to nothing"),
        Missing::Parent { folder } => format!("{path} cannot be made, for the folder {folder} does not exist"),
        Missing::IsFolder => format!("{path} is a folder"),
        Missing::IsFile => format!("{path} is not a folder"),
        Missing::TrashEntry { id } => format!("there is no trash entry {id}"),
        Missing::Batch { id } => format!("there is no batch {id}"),
        Missing::Change { id, batch } => format!("the batch {batch} has no change {id}"),
        Missing::AnyChange { id } => format!("there is no change {id}"),
        Missing::ChangeNotBatch { id, .. } => format!("{id} is a batch, not a change"),
        Missing::AnySession { id } => format!("there is no session {id} on record"),
        Missing::Session { id } => format!("the session {id} has changed nothing that still stands"),
        Missing::Undoable => format!("{path} has no change that could be undone"),
        Missing::Kept => format!("the bytes of {path} are no longer kept"),
        Missing::Version(version) => no_version(path, version),
        Missing::LinkVersion => format!("{path} was a link in that version"),
    }
}

fn no_version(path: &str, version: &NoVersion) -> String {
    let batch = |batch: &BatchName, what: &str| format!("the batch {batch} {what} {path}");
    match version {
        NoVersion::Untouched { batch: name, .. } => batch(name, "is not about"),
        NoVersion::NotAfter { batch: name, .. } => batch(name, "left nothing at"),
        NoVersion::NotBefore { batch: name, .. } => batch(name, "found nothing at"),
        NoVersion::Folder { batch: name, .. } => batch(name, "is about a folder, and versions are of files:"),
        NoVersion::SameBytes { batch: name, .. } => batch(name, "did not change the bytes of"),
    }
}

fn denied(path: &str, rule: &Rule) -> String {
    let why = match rule {
        Rule::State => "it is Patchwright's own state".to_owned(),
        Rule::SettingsFile => "it is a settings file".to_owned(),
        Rule::Git => "it belongs to git".to_owned(),
        Rule::Secret(pattern) => format!("it is probably a secret, by the pattern {pattern}"),
        Rule::Deny(glob) => format!("it is denied by {glob}"),
        Rule::NotAllowed => "it is not among the allowed paths".to_owned(),
    };
    format!("{path} is closed: {why}")
}

fn of_stale(path: &str, stale: &Stale) -> String {
    match stale.reason {
        StaleReason::Mismatch => format!("{path} does not have the expected hash"),
        StaleReason::Unproven => format!("{path} was not read by this session"),
        StaleReason::ChangedSinceSeen => format!("{path} has changed since this session saw it"),
        StaleReason::ChangedMeanwhile => format!("{path} has changed since the call was planned"),
    }
}

fn of_conflict(conflict: &Conflict) -> String {
    let batch = conflict.batch.as_ref().map_or_else(|| "the change".to_owned(), BatchName::to_string);
    let Some(place) = conflict.places.first() else { return format!("{batch} meets other content") };
    let path = &place.path;
    match &place.reason {
        ConflictReason::Status(status) => format!("{batch} is {} already", status.name()),
        ConflictReason::Final => format!("{batch} has nothing that could be taken back"),
        ConflictReason::Touched | ConflictReason::Replaced => format!("{batch} meets later changes in {path}"),
        ConflictReason::Changed | ConflictReason::GroundMoved | ConflictReason::Outdated => {
            format!("{batch} was made for another version of {path}")
        }
        ConflictReason::Gone | ConflictReason::Removed { .. } => format!("{batch} is about {path}, which is gone"),
        ConflictReason::Returned => format!("{batch} would bring back {path}, which is there again"),
        ConflictReason::Moved => format!("{batch} is about {path}, which has another name now"),
        ConflictReason::Occupied => format!("{batch} needs the place of {path}, where something else stands"),
        ConflictReason::Inseparable | ConflictReason::Shared(_) => {
            format!("the changes of {batch} in {path} cannot be taken apart")
        }
        ConflictReason::NotKept => format!("{batch} needs bytes of {path} that are no longer kept"),
    }
}

fn folder(path: &str, fault: &FolderFault) -> String {
    match fault {
        FolderFault::NotRecursive => format!("{path} is a folder, and the call does not say `recursive`"),
        FolderFault::Root => "the workspace itself cannot be deleted or moved".to_owned(),
        FolderFault::IntoItself { to } => format!("{path} cannot be moved into itself, to {to}"),
        FolderFault::Occupied(sort) => format!("the place for the folder {path} is taken by {}", a(*sort)),
        FolderFault::Holds { .. } => format!("{path} is a folder that still holds something"),
        FolderFault::Closed(closed) => match closed.count() {
            1 => format!("{path} holds 1 entry that may not be touched"),
            count => format!("{path} holds {count} entries that may not be touched"),
        },
        FolderFault::TooMany { most } => format!("{path} holds more than {most} entries"),
        FolderFault::Attributes { .. } => format!("{path} has more attributes than can be kept"),
        FolderFault::Unproven { count, .. } => {
            format!("{path} holds {} that this session has not seen", counted(*count, "file"))
        }
        FolderFault::Grew => format!("{path} has got new entries since the call was planned"),
    }
}

/// `1 file`, `2 files`.
fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn a(sort: Sort) -> &'static str {
    match sort {
        Sort::File => "a file",
        Sort::Folder => "a folder",
        Sort::Link => "a symbolic link",
        Sort::Special => "a special file",
    }
}

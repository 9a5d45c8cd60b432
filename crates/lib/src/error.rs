//! The one error of this library.

mod sentence;

use patchwright_engine::core::outcome::{self, Failed, Fault, Trouble};
use patchwright_engine::core::policy::BadGlob;
use patchwright_engine::core::refusal::Kind;
use std::fmt;

/// Why a call did not go through.
///
/// [`kind`](Error::kind) is what a program decides by, [`path`](Error::path) the file it is about, and
/// [`Display`](fmt::Display) one sentence for people, in English, without line breaks. The sentence may change
/// between versions; kinds never change their meaning.
///
/// Unless [`disk_state`](Error::disk_state) is [`DiskState::InDoubt`], nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(Box<Inner>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Inner {
    kind: ErrorKind,
    path: Option<String>,
    sentence: String,
    disk: DiskState,
}

/// What an error means for the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DiskState {
    /// Nothing has changed.
    Unchanged,
    /// The disk failed while the call was carried out. The change may already be durable, or be taken back; which of
    /// the two, is settled as a whole when the workspace is next used or opened.
    InDoubt,
}

impl Error {
    /// What went wrong, by the closed list that all ways into Patchwright share.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The file or folder that it is about, relative to the workspace, or as the caller spelt it; `None` where no single file is
    /// to blame.
    pub fn path(&self) -> Option<&str> {
        self.0.path.as_deref()
    }

    /// What it means for the files.
    pub fn disk_state(&self) -> DiskState {
        self.0.disk
    }

    /// Can the caller do better in the next call: read again, wait, or ask for something else?
    pub fn is_recoverable(&self) -> bool {
        self.0.kind.on_record().recoverable()
    }

    /// An argument that cannot be taken.
    pub(crate) fn invalid(sentence: impl Into<String>) -> Error {
        let sentence = sentence::one_line(&sentence.into());
        Error(Box::new(Inner { kind: ErrorKind::InvalidArguments, path: None, sentence, disk: DiskState::Unchanged }))
    }

    /// Something that there is none of.
    pub(crate) fn not_found(sentence: impl Into<String>) -> Error {
        let Error(inner) = Error::invalid(sentence);
        Error(Box::new(Inner { kind: ErrorKind::NotFound, ..*inner }))
    }

    /// Something at a path that is absent, or of the wrong sort.
    pub(crate) fn not_found_at(path: &str, what: &str) -> Error {
        let Error(inner) = Error::not_found(format!("{path} {what}"));
        Error(Box::new(Inner { path: Some(path.to_owned()), ..*inner }))
    }

    /// A glob among the options that does not compile.
    pub(crate) fn bad_glob(bad: &BadGlob) -> Error {
        Error::invalid(sentence::of_bad_glob(bad))
    }

    /// The engine answered a call with the answer to another one.
    pub(crate) fn unexpected_answer() -> Error {
        let Error(inner) = Error::invalid("the engine gave an answer of another kind; this is a bug in Patchwright");
        Error(Box::new(Inner { kind: ErrorKind::Internal, ..*inner }))
    }
}

impl std::error::Error for Error {}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0.sentence)
    }
}

impl Error {
    pub(crate) fn of_failed(failed: Failed) -> Error {
        Error::of_trouble(failed.trouble)
    }
}

impl Error {
    pub(crate) fn of_trouble(trouble: Trouble) -> Error {
        let sentence = sentence::one_line(&sentence::of(&trouble));
        let disk = match &trouble {
            Trouble::Fault(Fault { state: outcome::DiskState::InDoubt, .. }) => DiskState::InDoubt,
            _ => DiskState::Unchanged,
        };
        let kind = ErrorKind::of(trouble.kind());
        let path = match trouble {
            Trouble::Refused(refusal) => refusal.path,
            Trouble::Fault(fault) => fault.path,
        };
        Error(Box::new(Inner { kind, path, sentence, disk }))
    }
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $variant:ident,)*) => {
        /// The kinds of errors. The list grows with new versions; a kind never changes its meaning or its name.
        ///
        /// It is the list of all ways into Patchwright. No verb of this library ends with `AmbiguousPath`, the four that
        /// begin with `Anchor`, `InvalidRangeOrder`, `OverlappingOperations`, `SafetyCheckFailed` or `Timeout`: they
        /// come only in events of other programs' calls ([`EventKind::Refused`](crate::EventKind::Refused)).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum ErrorKind { $($(#[$doc])* $variant,)* }

        impl ErrorKind {
            fn of(kind: Kind) -> ErrorKind {
                match kind { $(Kind::$variant => ErrorKind::$variant,)* }
            }

            fn on_record(self) -> Kind {
                match self { $(ErrorKind::$variant => Kind::$variant,)* }
            }
        }
    };
}

kinds! {
    /// An argument cannot be taken as it is.
    InvalidArguments,
    /// A file, folder, trash entry, batch or version is absent, or of the wrong sort.
    NotFound,
    /// Something stands where something new was to be put.
    AlreadyExists,
    /// The options or the operating system forbid it.
    PermissionDenied,
    /// The path leaves the workspace.
    OutsideWorkspace,
    /// The operating system failed, or the request cannot be carried out as it stands.
    CommandFailed,
    /// The file is not text.
    BinaryFile,
    /// The text cannot be decoded and encoded again without loss.
    UnsupportedEncoding,
    /// Over the configured limit.
    FileTooLarge,
    /// The file is not what the session has seen, or not what a plan was made for.
    StaleFile,
    /// An undo or a proposal meets other content than it was made for.
    Conflict,
    /// Two files share one `docPath`.
    AmbiguousPath,
    /// The exact text is not in the file.
    OldTextNotFound,
    /// The exact text is in the file another number of times than expected.
    MultipleMatches,
    /// Two replacements of one call touch the same text.
    OverlappingEdits,
    /// The patch text does not follow its grammar.
    PatchParseError,
    /// A well-formed patch does not fit the files.
    PatchApplyError,
    /// An anchor names no line of the file as it is now.
    AnchorStale,
    /// An anchor names several lines; a longer form would tell them apart.
    AnchorAmbiguous,
    /// An anchor names several lines, and no form tells them apart.
    AnchorContextAmbiguous,
    /// An anchor names a line without letters or digits.
    AnchorLowEntropy,
    /// A range that begins and ends on one line.
    InvalidRangeOrder,
    /// Two operations claim the same line.
    OverlappingOperations,
    /// The edit would leave brackets, syntax or lines in a state that looks like a mistake.
    SafetyCheckFailed,
    /// Another writer held the workspace for too long.
    Busy,
    /// A time limit passed.
    Timeout,
    /// The caller withdrew the call.
    Cancelled,
    /// The disk failed in a way that leaves the result unknown until recovery runs.
    InDoubt,
    /// A bug in Patchwright.
    Internal,
}

impl ErrorKind {
    /// The kind of this name.
    pub(crate) fn named(name: &str) -> Option<ErrorKind> {
        Kind::ALL.iter().find(|kind| kind.name() == name).copied().map(ErrorKind::of)
    }

    /// Its name, such as `stale_file`: the same in every way into Patchwright and on record.
    pub fn as_str(self) -> &'static str {
        self.on_record().name()
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_its_name() {
        for kind in Kind::ALL {
            assert_eq!(ErrorKind::of(*kind).as_str(), kind.name());
            assert_eq!(ErrorKind::named(kind.name()), Some(ErrorKind::of(*kind)));
        }
    }

    #[test]
    fn faults_say_what_is_known_of_the_disk() {
        let fault = |state| {
            let fault = Fault { path: None, doing: "sync", said: "EIO\nfoo".to_owned(), state, id: None };
            Error::of_trouble(Trouble::Fault(fault))
        };
        let rows = [
            (outcome::DiskState::Unchanged, ErrorKind::CommandFailed, DiskState::Unchanged),
            (outcome::DiskState::Damaged, ErrorKind::CommandFailed, DiskState::Unchanged),
            (outcome::DiskState::Bug, ErrorKind::Internal, DiskState::Unchanged),
            (outcome::DiskState::InDoubt, ErrorKind::InDoubt, DiskState::InDoubt),
        ];
        for (state, kind, disk) in rows {
            let error = fault(state);
            assert_eq!((error.kind(), error.disk_state()), (kind, disk), "{error}");
            assert!(!error.to_string().contains('\n'), "{error}");
        }
    }
}

//! Which sort of bad news a row is about. The lists are closed: a new variant does not compile until it has a name here,
//! and fails until it has a row.

use patchwright_core::outcome::{DiskState, Trouble};
use patchwright_core::refusal::Why;

macro_rules! named {
    ($($pattern:pat => $name:literal,)*) => {
        /// The names of all variants.
        pub(crate) const ALL: &[&str] = &["fault unchanged", "fault in doubt", "fault damaged", "fault bug", $($name,)*];

        fn of_why(why: &Why) -> &'static str {
            match why { $($pattern => $name,)* }
        }
    };
}

named! {
    Why::Arguments(_) => "Arguments",
    Why::Path(_) => "Path",
    Why::LinkLeavesRoot => "LinkLeavesRoot",
    Why::LinkTarget { .. } => "LinkTarget",
    Why::LinkMoved { .. } => "LinkMoved",
    Why::Name(_) => "Name",
    Why::NotFound(_) => "NotFound",
    Why::AlreadyExists(_) => "AlreadyExists",
    Why::VersionOccupied(_) => "VersionOccupied",
    Why::Denied(_) => "Denied",
    Why::Hidden { .. } => "Hidden",
    Why::ReadOnly => "ReadOnly",
    Why::NotShown { .. } => "NotShown",
    Why::Forbidden(_) => "Forbidden",
    Why::SpecialFile => "SpecialFile",
    Why::TooLarge { .. } => "TooLarge",
    Why::Binary => "Binary",
    Why::CharsetUnnamed => "CharsetUnnamed",
    Why::Encoding { .. } => "Encoding",
    Why::Stale(_) => "Stale",
    Why::Unseen(_) => "Unseen",
    Why::OldTextNotFound { .. } => "OldTextNotFound",
    Why::MultipleMatches { .. } => "MultipleMatches",
    Why::OverlappingEdits { .. } => "OverlappingEdits",
    Why::Syntax(_) => "Syntax",
    Why::HunkMisfit { .. } => "HunkMisfit",
    Why::HunkMany { .. } => "HunkMany",
    Why::HunkOverlap { .. } => "HunkOverlap",
    Why::HunkBare { .. } => "HunkBare",
    Why::Operations(_) => "Operations",
    Why::Unsafe(_) => "Unsafe",
    Why::LinePatch(_) => "LinePatch",
    Why::Conflict(_) => "Conflict",
    Why::AmbiguousDoc(_) => "AmbiguousDoc",
    Why::DuplicatePath { .. } => "DuplicatePath",
    Why::CommitFailed { .. } => "CommitFailed",
    Why::AbsolutePath(_) => "AbsolutePath",
    Why::HunksForLink => "HunksForLink",
    Why::SameFileTwice { .. } => "SameFileTwice",
    Why::MoveOntoItself => "MoveOntoItself",
    Why::Folder(_) => "Folder",
    Why::Pattern(_) => "Pattern",
    Why::Glob(_) => "Glob",
    Why::KeyReused { .. } => "KeyReused",
    Why::Busy { .. } => "Busy",
    Why::RootMoved { .. } => "RootMoved",
    Why::NoHome(_) => "NoHome",
    Why::KeyGone => "KeyGone",
    Why::Cancelled => "Cancelled",
    Why::Timeout => "Timeout",
}

/// The names of what a row is about.
pub(crate) fn of(trouble: &Trouble) -> Vec<&'static str> {
    match trouble {
        Trouble::Refused(refusal) => vec![of_why(&refusal.why)],
        Trouble::Fault(fault) => vec![match fault.state {
            DiskState::Unchanged => "fault unchanged",
            DiskState::InDoubt => "fault in doubt",
            DiskState::Damaged => "fault damaged",
            DiskState::Bug => "fault bug",
        }],
    }
}

//! Bugs made on purpose, by which the proofs are shown to notice one.
//!
//! Promises that none of it is in a build that ships: without the feature `seeded-bugs` every question here is
//! answered with no when the program is compiled, and nothing is left of what hangs on it. With the feature one
//! bug can be planted, once, at the start of a process. Which suite must notice which bug, `xtask` knows.

/// A bug that can be planted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bug {
    /// New bytes are not synced before they get their name.
    FilesNotSynced,
    /// Folders in which names changed are not synced.
    FoldersNotSynced,
    /// The log is not synced.
    LogNotSynced,
    /// A look and then a plain rename, in the place of an exchange.
    RenameForExchange,
    /// What came out of an exchange is not looked at.
    DisplacedNotVerified,
    /// A name is taken away before its new file comes.
    NameMissing,
    /// The guard lets links lead anywhere.
    LinksFollowed,
    /// An absolute path counts as inside if its text begins like the root's.
    PrefixCompared,
    /// Whatever has a name is opened, and waited for.
    PipesOpened,
    /// Among several places of a text the first is taken.
    FirstMatch,
    /// Lines match also where they differ in blanks at their end.
    BlanksIgnored,
    /// A hash that does not fit the file is no obstacle.
    StaleIgnored,
    /// An anchor that is not found means the first line.
    AnchorGuessed,
    /// New lines end in a bare newline, whatever the file's lines end in.
    EndingsLost,
    /// A byte is dropped behind every replacement.
    SpliceShort,
    /// Of a key that comes twice the second counts.
    LastKeyWins,
    /// A record's checksum is not compared.
    ChecksumIgnored,
    /// `*` in a glob matches a slash.
    StarCrossesFolders,
    /// The answer goes out, and the commit record is never written.
    AnswerWithoutCommit,
    /// Nothing is put on record before the first change.
    NoIntent,
    /// Whoever opens the workspace does not look for an unfinished call.
    NoRecovery,
    /// Only the last step is taken back.
    HalfRollback,
    /// What was staged is left lying about.
    LitterLeft,
    /// A sync that failed is tried again.
    SyncRetried,
    /// A write that found no room counts as written.
    FullDiskIgnored,
    /// The writer's lock is not taken.
    NoLock,
    /// A changed file gets a new file's mode.
    ModeLost,
    /// Every call keeps some memory for ever.
    MemoryKept,
    /// Every file that is read stays open.
    DescriptorKept,
    /// Whoever made a record, it is obeyed.
    TagNotChecked,
    /// A record fits wherever in the log it stands.
    OffsetNotTagged,
    /// The log is entered at the last bytes that look like a record.
    EnteredFromEnd,
    /// A key that stands beside the record counts.
    KeyInTree,
    /// Recovery follows links.
    RecoveryFollowsLinks,
    /// What the workspace allows is allowed on top of what the user allows.
    ListsUnited,
    /// Of an argument given under two names with different values, the later counts.
    AliasWins,
    /// A `null` counts as left out in the place of a proof too.
    NullLiftsProof,
    /// A single edit beside a list of edits is dropped.
    FlatEditDropped,
    /// In a text that holds JSON the last of two equal keys counts.
    TextReadLoosely,
    /// A hunk of a diff may have other than the lines that its `@@` counts.
    CountsIgnored,
    /// Where the lines of a diff's hunk stand several times, its number picks.
    DiffNumberPicks,
    /// A scope that a header names ends where the file does, and the first place in it is taken.
    ScopeIgnored,
    /// Of several sections about one file only the last counts.
    EarlierSectionLost,
    /// What the caller says a line was is not looked at.
    WasIgnored,
    /// An insert whose lines stand there already goes ahead.
    RepeatInserted,
    /// Of equal lines the number alone picks.
    CopyByNumber,
    /// An edit beside others' changes need not fit just once in the version that was seen.
    SeenNotUnique,
    /// An edit goes ahead however near to it others changed lines.
    NearChangeIgnored,
}

#[cfg(feature = "seeded-bugs")]
mod planted {
    use super::Bug;
    use std::sync::OnceLock;

    static PLANTED: OnceLock<Bug> = OnceLock::new();

    /// All of them.
    pub const ALL: &[Bug] = &[
        Bug::FilesNotSynced,
        Bug::FoldersNotSynced,
        Bug::LogNotSynced,
        Bug::RenameForExchange,
        Bug::DisplacedNotVerified,
        Bug::NameMissing,
        Bug::LinksFollowed,
        Bug::PrefixCompared,
        Bug::PipesOpened,
        Bug::FirstMatch,
        Bug::BlanksIgnored,
        Bug::StaleIgnored,
        Bug::AnchorGuessed,
        Bug::EndingsLost,
        Bug::SpliceShort,
        Bug::LastKeyWins,
        Bug::ChecksumIgnored,
        Bug::StarCrossesFolders,
        Bug::AnswerWithoutCommit,
        Bug::NoIntent,
        Bug::NoRecovery,
        Bug::HalfRollback,
        Bug::LitterLeft,
        Bug::SyncRetried,
        Bug::FullDiskIgnored,
        Bug::NoLock,
        Bug::ModeLost,
        Bug::MemoryKept,
        Bug::DescriptorKept,
        Bug::TagNotChecked,
        Bug::OffsetNotTagged,
        Bug::EnteredFromEnd,
        Bug::KeyInTree,
        Bug::RecoveryFollowsLinks,
        Bug::ListsUnited,
        Bug::AliasWins,
        Bug::NullLiftsProof,
        Bug::FlatEditDropped,
        Bug::TextReadLoosely,
        Bug::CountsIgnored,
        Bug::DiffNumberPicks,
        Bug::ScopeIgnored,
        Bug::EarlierSectionLost,
        Bug::WasIgnored,
        Bug::RepeatInserted,
        Bug::CopyByNumber,
        Bug::SeenNotUnique,
        Bug::NearChangeIgnored,
    ];

    /// Plants the bug of this name, such as `FirstMatch`; whether there is one.
    pub fn plant(name: &str) -> bool {
        let found = ALL.iter().find(|bug| format!("{bug:?}") == name);
        found.is_some_and(|bug| PLANTED.set(*bug).is_ok())
    }

    /// Has this bug been planted?
    pub fn is_planted(bug: Bug) -> bool {
        PLANTED.get() == Some(&bug)
    }
}

#[cfg(feature = "seeded-bugs")]
pub use planted::{ALL, is_planted, plant};

/// Has this bug been planted? Not in this build.
#[cfg(not(feature = "seeded-bugs"))]
#[inline(always)]
pub const fn is_planted(_: Bug) -> bool {
    false
}

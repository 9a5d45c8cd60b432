//! Things a caller should know about a call besides how it ended. Values, worded by the binary, and kept
//! with the batch so that a replayed answer says the same.

use serde::{Deserialize, Serialize};

/// Something worth saying about a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Warning {
    /// The file is not valid UTF-8; what cannot be shown is shown as replacement characters.
    LossyText {
        /// The file.
        path: String,
    },
    /// The file had further hard links; the other names keep the old bytes.
    HardLinks {
        /// The file.
        path: String,
        /// How many other names there are.
        others: u64,
    },
    /// Set-user-id or set-group-id bits were dropped because the content changed.
    DroppedSetId {
        /// The file.
        path: String,
    },
    /// Owner or extended attributes could not be carried over.
    MetaNotKept {
        /// The file.
        path: String,
        /// Which.
        what: String,
    },
    /// The edit brought characters that show nothing or reorder text.
    HiddenCharacters {
        /// The file.
        path: String,
        /// The characters, as code points.
        characters: Vec<String>,
    },
    /// The file system cannot exchange names: foreign writers are checked for, not excluded.
    CheckedOnly,
    /// The call was made without proof of sight, by request.
    Unchecked,
    /// Another program wrote into the replaced file through a handle it still held; its bytes are kept.
    WrittenAfterSwap {
        /// The file.
        path: String,
        /// The blob that holds what it wrote.
        kept: String,
    },
    /// The diff in the answer was cut.
    DiffCut {
        /// The file.
        path: String,
    },
    /// Names that are not valid UTF-8 cannot be addressed.
    UnaddressableNames {
        /// How many.
        count: u64,
    },
    /// Entries that could not be read were left out.
    Unreadable {
        /// The first of them.
        path: String,
        /// How many in all.
        count: u64,
    },
    /// A cleanup after the commit was put off; the change itself is safe.
    SettleLater {
        /// What the system said.
        reason: String,
    },
    /// The newline setting and the content disagree about the byte-order mark.
    MarkInContent {
        /// The file.
        path: String,
    },
    /// A patch was read in a way that its grammar allows only for the sake of those who write it so.
    PatchReading {
        /// What was read so, as a fixed word.
        reading: String,
        /// The first line of the patch where it was.
        line: u64,
        /// How often.
        count: u64,
    },
    /// A section of a patch that changes nothing: the file already is as it wants it.
    AlreadySo {
        /// The file.
        path: String,
    },
    /// A file that stood where a new one was put went to the trash.
    Replaced {
        /// The file.
        path: String,
    },
    /// The file changed since this session last saw it; the anchors still name the lines they named.
    ChangedSinceSeen {
        /// The file.
        path: String,
    },
    /// An argument under a name that will go away.
    DeprecatedArgument {
        /// The name that was used.
        used: String,
        /// The name to use.
        instead: String,
    },
    /// Ids that came with a call, though only an answer gives them.
    IgnoredIds {
        /// Where they stood.
        at: Vec<String>,
    },
    /// The workspace's settings ask for more than the user allows; that part of them does not apply.
    SettingsBeyond {
        /// The settings.
        settings: Vec<String>,
    },
    /// Trash entries that were old enough to go stay, because the policy closes the paths they come from.
    TrashKept {
        /// How many.
        count: u64,
    },
    /// Recovery met content it does not know, left it alone and saved both versions.
    RecoveryLeftAlone {
        /// The file.
        path: String,
    },
    /// While a call was being taken back another program saved the file; its save was left there.
    RollbackLeftAlone {
        /// The file.
        path: String,
        /// The blob that holds what the file held before that save, where it was put aside.
        kept: Option<String>,
    },
}

//! Things a caller should know about a call besides how it ended. Values, worded by the binary, and kept
//! with the batch so that a replayed answer says the same.

use crate::reading::Reading;
use serde::{Deserialize, Serialize};

/// Something worth saying about a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Warning {
    /// The file is not valid UTF-8; what cannot be shown is shown as replacement characters.
    #[serde(rename = "LossyText")]
    LossyText {
        /// The file.
        #[serde(rename = "path")]
        path: String,
    },
    /// The file had further hard links; the other names keep the old bytes.
    #[serde(rename = "HardLinks")]
    HardLinks {
        /// The file.
        #[serde(rename = "path")]
        path: String,
        /// How many other names there are.
        #[serde(rename = "others")]
        others: u64,
    },
    /// A new link leads to nothing yet.
    #[serde(rename = "LinkLeadsNowhere")]
    LinkLeadsNowhere {
        /// The link.
        #[serde(rename = "path")]
        path: String,
        /// Its target text.
        #[serde(rename = "target")]
        target: String,
    },
    /// Set-user-id or set-group-id bits were dropped because the file changed.
    #[serde(rename = "DroppedSetId")]
    DroppedSetId {
        /// The file.
        #[serde(rename = "path")]
        path: String,
    },
    /// The file ends in a newline though it was not to: its last line is empty, and would be none without it.
    #[serde(rename = "EmptyLastLine")]
    EmptyLastLine {
        /// The file.
        #[serde(rename = "path")]
        path: String,
    },
    /// The file was to be executable and is not: nobody may read it, so nobody may run it.
    #[serde(rename = "NobodyReads")]
    NobodyReads {
        /// The file.
        #[serde(rename = "path")]
        path: String,
    },
    /// Owner or extended attributes could not be carried over.
    #[serde(rename = "MetaNotKept")]
    MetaNotKept {
        /// The file.
        #[serde(rename = "path")]
        path: String,
        /// Which.
        #[serde(rename = "what")]
        what: String,
    },
    /// The edit brought characters that show nothing or reorder text.
    #[serde(rename = "HiddenCharacters")]
    HiddenCharacters {
        /// The file.
        #[serde(rename = "path")]
        path: String,
        /// The characters, as code points.
        #[serde(rename = "characters")]
        characters: Vec<String>,
    },
    /// The file system cannot exchange names: foreign writers are checked for, not excluded.
    #[serde(rename = "CheckedOnly")]
    CheckedOnly,
    /// The call was made without proof of sight, by request.
    #[serde(rename = "Unchecked")]
    Unchecked,
    /// Records of others stand in the place of records; they were not opened, and one of our own was begun.
    #[serde(rename = "OtherRecords")]
    OtherRecords {
        /// How many, as far as a short look tells.
        #[serde(rename = "count")]
        count: u64,
    },
    /// The log does not hold what it held when it was last used, or nothing says what that was.
    #[serde(rename = "RecordPutBack")]
    RecordPutBack,
    /// The newest entries of the record were lost with the machine's power; they had never been made durable.
    #[serde(rename = "RecordTailLost")]
    RecordTailLost,
    /// A call was not finished, and nothing was done about it.
    #[serde(rename = "UnfinishedCall")]
    UnfinishedCall {
        /// Its batch.
        #[serde(rename = "batch")]
        batch: String,
    },
    /// A call was not finished, and the record that tells of it is not what it was: nothing was done about it.
    #[serde(rename = "UnfinishedLeft")]
    UnfinishedLeft {
        /// Its batch.
        #[serde(rename = "batch")]
        batch: String,
    },
    /// The key stands where it lasts no longer than the session.
    #[serde(rename = "ShortLivedHome")]
    ShortLivedHome {
        /// The folder that could not serve.
        #[serde(rename = "home")]
        home: Option<String>,
        /// The number of the user that it belongs to, if that is another.
        #[serde(rename = "owner")]
        owner: Option<u32>,
    },
    /// The folder of the record was gone, and has been made again.
    #[serde(rename = "RecordMadeAgain")]
    RecordMadeAgain,

    /// Another program wrote into the replaced file through a handle it still held; its bytes are kept.
    #[serde(rename = "WrittenAfterSwap")]
    WrittenAfterSwap {
        /// The file.
        #[serde(rename = "path")]
        path: String,
        /// The blob that holds what it wrote.
        #[serde(rename = "kept")]
        kept: String,
    },
    /// The diff in the answer was cut.
    #[serde(rename = "DiffCut")]
    DiffCut {
        /// The file.
        #[serde(rename = "path")]
        path: String,
    },
    /// Names that are not valid UTF-8 cannot be addressed.
    #[serde(rename = "UnaddressableNames")]
    UnaddressableNames {
        /// How many.
        #[serde(rename = "count")]
        count: u64,
    },
    /// Files were not searched to their end, since the expression takes too many steps on their long lines.
    #[serde(rename = "Unsearched")]
    Unsearched {
        /// The first of them.
        #[serde(rename = "path")]
        path: String,
        /// How many.
        #[serde(rename = "count")]
        count: u64,
    },
    /// Entries that could not be read were left out.
    #[serde(rename = "Unreadable")]
    Unreadable {
        /// The first of them.
        #[serde(rename = "path")]
        path: String,
        /// How many in all.
        #[serde(rename = "count")]
        count: u64,
    },
    /// A cleanup after the commit was put off; the change itself is safe.
    #[serde(rename = "SettleLater")]
    SettleLater {
        /// What the system said.
        #[serde(rename = "reason")]
        reason: String,
    },
    /// The newline setting and the content disagree about the byte-order mark.
    #[serde(rename = "MarkInContent")]
    MarkInContent {
        /// The file.
        #[serde(rename = "path")]
        path: String,
    },
    /// A patch was read in a way that its grammar allows only for the sake of those who write it so.
    #[serde(rename = "PatchReading")]
    PatchReading {
        /// What was read so, as a fixed word.
        #[serde(rename = "reading")]
        reading: String,
        /// The first line of the patch where it was.
        #[serde(rename = "line")]
        line: u64,
        /// How often.
        #[serde(rename = "count")]
        count: u64,
    },
    /// A section of a patch that changes nothing: the file already is as it wants it.
    #[serde(rename = "AlreadySo")]
    AlreadySo {
        /// The file.
        #[serde(rename = "path")]
        path: String,
    },
    /// A file that stood where a new one was put went to the trash.
    #[serde(rename = "Replaced")]
    Replaced {
        /// The file.
        #[serde(rename = "path")]
        path: String,
    },
    /// The file changed since this session last saw it, or the record last left it; the anchors still name the lines they named.
    #[serde(rename = "ChangedSinceSeen")]
    ChangedSinceSeen {
        /// The file.
        #[serde(rename = "path")]
        path: String,
    },
    /// An argument under a name that will go away.
    #[serde(rename = "DeprecatedArgument")]
    DeprecatedArgument {
        /// The name that was used.
        #[serde(rename = "used")]
        used: String,
        /// The name to use.
        #[serde(rename = "instead")]
        instead: String,
    },
    /// The call was read in these ways, which its tool's parameters do not say. About the call alone: never on record.
    #[serde(skip)]
    CallRead {
        /// Which.
        readings: Vec<Reading>,
    },
    /// Ids that came with a call, though only an answer gives them.
    #[serde(rename = "IgnoredIds")]
    IgnoredIds {
        /// Where they stood.
        #[serde(rename = "at")]
        at: Vec<String>,
    },
    /// The workspace's settings ask for more than the user allows; that part of them does not apply.
    #[serde(rename = "SettingsBeyond")]
    SettingsBeyond {
        /// The settings.
        #[serde(rename = "settings")]
        settings: Vec<String>,
    },
    /// Trash entries that were old enough to go stay, because the policy closes the paths they come from.
    #[serde(rename = "TrashKept")]
    TrashKept {
        /// How many.
        #[serde(rename = "count")]
        count: u64,
    },
    /// Recovery met content it does not know, left it alone and saved both versions.
    #[serde(rename = "RecoveryLeftAlone")]
    RecoveryLeftAlone {
        /// The file.
        #[serde(rename = "path")]
        path: String,
    },
    /// While a call was being taken back another program saved the file; its save was left there.
    #[serde(rename = "RollbackLeftAlone")]
    RollbackLeftAlone {
        /// The file.
        #[serde(rename = "path")]
        path: String,
        /// The blob that holds what the file held before that save, where it was put aside.
        #[serde(rename = "kept")]
        kept: Option<String>,
    },
    /// The lines of a new file end otherwise than they were given, by what the project says of it.
    #[serde(rename = "LineEndsChosen")]
    LineEndsChosen {
        /// The file.
        #[serde(rename = "path")]
        path: String,
        /// Where that is said.
        #[serde(rename = "by")]
        by: String,
    },
    /// The permission bits that a proposal gives a file were left out, since not all of the file's changes were applied.
    #[serde(rename = "BitsLeftOut")]
    BitsLeftOut {
        /// The file.
        #[serde(rename = "path")]
        path: String,
    },
    /// The content of a new file has `\r\n` already: it stays as it was given, whatever `newline` says.
    #[serde(rename = "LineEndsKept")]
    LineEndsKept {
        /// The file.
        #[serde(rename = "path")]
        path: String,
    },
    /// Others changed the file since the session saw it, and the edit stands apart from what they did.
    #[serde(rename = "BesideOthers")]
    BesideOthers {
        /// The file.
        #[serde(rename = "path")]
        path: String,
        /// The batches that changed it, oldest first, the last few of them.
        #[serde(rename = "batches")]
        batches: Vec<String>,
        /// Did anybody change it who is not on record?
        #[serde(rename = "foreign")]
        foreign: bool,
        /// The 1-based lines that they changed, first and last, in the file as the edit leaves it; the first few of them.
        #[serde(rename = "lines")]
        lines: Vec<(u64, u64)>,
        /// How many stretches of lines there are.
        #[serde(rename = "stretches")]
        stretches: u64,
    },
}

impl Warning {
    /// How a call was read: one warning for each name that will go away, and one for all other shapes.
    pub fn of_readings(readings: Vec<Reading>) -> Vec<Warning> {
        let (mut told, mut rest) = (Vec::new(), Vec::new());
        for reading in readings {
            match reading {
                Reading::Deprecated { given, name } => {
                    told.push(Warning::DeprecatedArgument { used: given.to_owned(), instead: name.to_owned() });
                }
                other => rest.push(other),
            }
        }
        told.extend((!rest.is_empty()).then_some(Warning::CallRead { readings: rest }));
        told
    }
}

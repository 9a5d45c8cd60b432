//! What a caller should know besides that a call went through.

use patchwright_engine::core::warning::Warning as Told;
use std::fmt;

/// Something worth knowing about a call that went through, as one English sentence without line breaks.
///
/// Sentences may change between versions; nothing should be decided by them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    path: Option<String>,
    sentence: String,
}

impl Warning {
    /// The file that it is about, if it is about one.
    pub fn path(&self) -> Option<&str> {
        self.path.as_deref()
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.sentence)
    }
}

impl Warning {
    pub(crate) fn of(told: Told) -> Warning {
        match about_file(&told) {
            Some((path, what)) => Warning { sentence: format!("{path}: {what}"), path: Some(path.to_owned()) },
            None => Warning { path: None, sentence: in_general(&told) },
        }
    }
}

/// Warnings about one file.
fn about_file(told: &Told) -> Option<(&str, String)> {
    let (path, what): (&String, &str) = match told {
        Told::HardLinks { path, others } => {
            return Some((path, format!("{others} other hard links keep the old bytes")));
        }
        Told::MetaNotKept { path, what } => return Some((path, format!("could not be carried over: {what}"))),
        Told::HiddenCharacters { path, characters } => {
            return Some((path, format!("the edit brought hidden characters: {}", characters.join(", "))));
        }
        Told::LineEndsChosen { path, by } => return Some((path, format!("line ends were chosen by {by}"))),
        Told::Unsearched { path, count } | Told::Unreadable { path, count } => {
            return Some((path, format!("could not be read to its end, with {count} such files in all")));
        }
        Told::LossyText { path } => (path, "is not valid UTF-8, and is shown with replacement characters"),
        Told::LinkLeadsNowhere { path, .. } => (path, "the new link leads to nothing yet"),
        Told::DroppedSetId { path } => (path, "set-user-id and set-group-id bits were dropped"),
        Told::EmptyLastLine { path } => (path, "ends in a newline, since its last line is empty"),
        Told::NobodyReads { path } => (path, "nobody may read it, so it was not made executable"),
        Told::WrittenAfterSwap { path, .. } => (path, "another program wrote into the old file; its bytes are kept"),
        Told::DiffCut { path } => (path, "the diff was cut"),
        Told::MarkInContent { path } => (path, "the text holds a byte-order mark of its own"),
        Told::AlreadySo { path } => (path, "was already as it should be"),
        Told::Replaced { path } => (path, "the file that stood there went to the trash"),
        Told::ChangedSinceSeen { path } => (path, "has changed since this session saw it"),
        Told::RecoveryLeftAlone { path } => (path, "recovery met unknown content and left it alone; both are kept"),
        Told::RollbackLeftAlone { path, .. } => (path, "another program saved it meanwhile; its save was left there"),
        Told::BitsLeftOut { path } => (path, "permission bits of the proposal were left out"),
        Told::LineEndsKept { path } => (path, "its line ends were kept as they were given"),
        Told::BesideOthers { path, .. } => (path, "others changed it too, apart from this edit"),
        _ => return None,
    };
    Some((path, what.to_owned()))
}

/// Warnings about the call or the workspace.
fn in_general(told: &Told) -> String {
    match told {
        Told::CheckedOnly => "the file system cannot exchange names: other writers are checked for, not excluded",
        Told::Unchecked => "the call was made without proof of sight",
        Told::OtherRecords { .. } => "records of others were found and not opened; a record of our own was begun",
        Told::RecordPutBack => "the record does not hold what it held when it was last used",
        Told::RecordTailLost => "the newest entries of the record were lost with the machine's power",
        Told::UnfinishedCall { .. } | Told::UnfinishedLeft { .. } => "an unfinished call was found and left as it is",
        Told::ShortLivedHome { .. } => "the key of the record stands where it lasts no longer than the login",
        Told::RecordMadeAgain => "the folder of the record was gone, and has been made again",
        Told::UnaddressableNames { .. } => "some names are not valid UTF-8 and were left out",
        Told::SettleLater { .. } => "a cleanup was put off; the change itself is safe",
        Told::PatchReading { .. } => "the patch was read more leniently than its grammar asks for",
        Told::TrashKept { .. } => "some trash entries stay, because their paths are closed",
        _ => "the call went through with a warning that this version has no words for",
    }
    .to_owned()
}

//! Every choice that a field of a record has. The list of names comes from the type itself, so that none is forgotten.

use super::names::Names;
use super::{bytes, check};
use patchwright_core::outcome::{Continuity, Correction, SafetyStatus};
use patchwright_core::sanity::{BracketFault, Doubt};
use patchwright_core::warning::Warning;
use patchwright_store::records::{Decision, Deed, Door, End, Proven, Role, Shelf, TakenBack};
use serde::Serialize;
use serde::de::value::StrDeserializer;
use serde::de::{self, DeserializeOwned};
use std::fmt::{self, Debug, Display};

pub(crate) fn check_all() {
    each("deed", &[Deed::Create, Deed::Replace, Deed::Remove, Deed::Rename, Deed::Mode]);
    each("shelf", &[Shelf::Blobs, Shelf::Trash]);
    each("decision", &[Decision::Rejected, Decision::Conflicted]);
    let (kind, batch) = ("stale_file".to_owned(), "batch".to_owned());
    each("end", &[End::Refused(kind), End::DryRun, End::Unchanged, End::Replayed(batch)]);
    each("door", &[Door::Library, Door::Cli, Door::Stdio, Door::Http, Door::Page]);
    each("role", &[Role::Agent, Role::Person]);
    each("proven", &[Proven::Nothing, Proven::Key]);
    each("taken_back", &[TakenBack::No, TakenBack::Yes]);
    each("continuity", &[Continuity::Clean, Continuity::Mixed]);
    each("safety_status", &[SafetyStatus::Clean, SafetyStatus::Suspicious, SafetyStatus::Skipped]);
    each("correction", &[Correction::RangeSwapped { start: 9, end: 7 }]);
    each("bracket_fault", &[BracketFault::Unclosed, BracketFault::Unopened]);
    each("doubt", &doubts());
    each("warning", &warnings());
}

thread_local! {
    /// The names of every choice, once [`check_all`] has gone through them.
    pub(crate) static NAMED: Names = Names::default();
}

/// Compares with the golden file, and sees that no choice is left out.
fn each<T: Serialize + DeserializeOwned + PartialEq + Debug>(name: &str, values: &[T]) {
    let written: Vec<String> = values.iter().map(name_of).collect();
    assert_eq!(written, names::<T>(), "{name}: every choice, in order");
    check(&format!("choices/{name}"), values);
    NAMED.with(|names| values.iter().for_each(|value| names.take(value)));
}

/// The name under which a choice is written: the first text in its bytes.
fn name_of(value: &impl Serialize) -> String {
    let bytes = bytes(value);
    let text = if bytes[0] == 0x81 { &bytes[1..] } else { &bytes[..] };
    assert_eq!(text[0] & 0xe0, 0xa0, "a name of up to 31 bytes");
    String::from_utf8(text[1..=usize::from(text[0] & 0x1f)].to_vec()).unwrap()
}

pub(crate) fn doubts() -> Vec<Doubt> {
    let excerpt = "line".to_owned();
    vec![
        Doubt::Bracket { line: 3, bracket: '{', fault: BracketFault::Unclosed },
        Doubt::Syntax { line: 4, column: 5, excerpt: excerpt.clone() },
        Doubt::Prefixed { line: 6, excerpt: excerpt.clone() },
        Doubt::Standing { line: 7, other: 9, lines: 2, excerpt: excerpt.clone() },
        Doubt::Indented { line: 8, found: String::new(), wanted: "    ".to_owned(), excerpt: excerpt.clone() },
        Doubt::Repeated { line: 7, other: 8, lines: 2, excerpt },
    ]
}

pub(crate) fn warnings() -> Vec<Warning> {
    let path = "src/a.rs".to_owned();
    let text = |text: &str| text.to_owned();
    vec![
        Warning::LossyText { path: path.clone() },
        Warning::HardLinks { path: path.clone(), others: 2 },
        Warning::LinkLeadsNowhere { path: path.clone(), target: text("../b") },
        Warning::DroppedSetId { path: path.clone() },
        Warning::EmptyLastLine { path: path.clone() },
        Warning::NobodyReads { path: path.clone() },
        Warning::MetaNotKept { path: path.clone(), what: text("owner") },
        Warning::HiddenCharacters { path: path.clone(), characters: vec![text("U+200B")] },
        Warning::CheckedOnly,
        Warning::Unchecked,
        Warning::OtherRecords { count: 5 },
        Warning::RecordPutBack,
        Warning::RecordTailLost,
        Warning::UnfinishedCall { batch: text("batch") },
        Warning::UnfinishedLeft { batch: "b".to_owned() },
        Warning::ShortLivedHome { home: Some("/x/keys".to_owned()), owner: Some(1) },
        Warning::RecordMadeAgain,
        Warning::WrittenAfterSwap { path: path.clone(), kept: text("kept") },
        Warning::DiffCut { path: path.clone() },
        Warning::UnaddressableNames { count: 3 },
        Warning::Unsearched { path: path.clone(), count: 2 },
        Warning::Unreadable { path: path.clone(), count: 4 },
        Warning::SettleLater { reason: text("reason") },
        Warning::MarkInContent { path: path.clone() },
        Warning::PatchReading { reading: text("heredoc"), line: 1, count: 2 },
        Warning::AlreadySo { path: path.clone() },
        Warning::Replaced { path: path.clone() },
        Warning::ChangedSinceSeen { path: path.clone() },
        Warning::DeprecatedArgument { used: text("file_path"), instead: text("path") },
        Warning::IgnoredIds { at: vec![text("batchId")] },
        Warning::SettingsBeyond { settings: vec![text("write.allow")] },
        Warning::TrashKept { count: 6 },
        Warning::RecoveryLeftAlone { path: path.clone() },
        Warning::RollbackLeftAlone { path: path.clone(), kept: Some(text("kept")) },
        Warning::LineEndsChosen { path: path.clone(), by: text(".gitattributes") },
        Warning::BitsLeftOut { path: path.clone() },
        Warning::LineEndsKept { path: path.clone() },
        Warning::BesideOthers { path, batches: vec![text("b3")], foreign: true, lines: vec![(4, 5)], stretches: 1 },
    ]
}

/// The names that a type of choices knows: it tells them when it is given one that it does not know.
pub(crate) fn names<T: DeserializeOwned>() -> Vec<&'static str> {
    match T::deserialize(StrDeserializer::<Known>::new("?")).err() {
        Some(Known(names)) => names.to_vec(),
        None => panic!("there is no choice of that name"),
    }
}

/// An error that keeps the names which would have been known.
#[derive(Debug)]
struct Known(&'static [&'static str]);

impl Display for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

impl std::error::Error for Known {}

impl de::Error for Known {
    fn custom<T: Display>(message: T) -> Known {
        panic!("{message}")
    }

    fn unknown_variant(_: &str, expected: &'static [&'static str]) -> Known {
        Known(expected)
    }
}

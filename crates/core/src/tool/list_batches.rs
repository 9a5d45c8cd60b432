//! `list_batches`: what was done and what is proposed, newest first.

use super::shape::{Field, Shape};
use super::shared::DOC_PATH;
use super::stored;
use super::{Age, Args, Call, Effect, Example, Group, IdForm, Need, Param, ParamKind, Repeat, Tool};
use crate::batch::BatchStatus;
use crate::refusal::{Expected, Refusal};

/// The arguments of `list_batches`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListBatches {
    /// Only batches that touch this path.
    pub path: Option<String>,
    /// Only batches that touch such paths; for callers in Rust, and where no path is given.
    pub matching: PathFilter,
    /// Only batches of this session.
    pub session: Option<String>,
    /// Only batches after this.
    pub since: Option<After>,
    /// Only batches that stand so.
    pub status: Option<BatchStatus>,
    /// So many at most.
    pub limit: Option<usize>,
    /// Where to go on.
    pub cursor: Option<String>,
}

/// Paths, as they are or were called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum PathFilter {
    /// All of them.
    #[default]
    Any,
    /// A file; or a folder, with everything below it.
    Below(String),
    /// What a glob matches, with everything below that.
    Glob {
        /// The folder that the glob counts from; empty for the root.
        folder: String,
        /// The glob. Without a slash it matches names at any depth. The very name that it spells counts as well.
        glob: String,
    },
}

impl PathFilter {
    /// Reads what somebody gives for a path: with a wildcard it is a glob that counts from the root.
    ///
    /// ```
    /// use patchwright_core::tool::PathFilter;
    /// assert_eq!(PathFilter::parse("src"), PathFilter::Below("src".into()));
    /// assert_eq!(PathFilter::parse("*.rs"), PathFilter::Glob { folder: String::new(), glob: "*.rs".into() });
    /// ```
    pub fn parse(given: &str) -> PathFilter {
        match given.contains(['*', '?', '[', '{']) {
            true => PathFilter::Glob { folder: String::new(), glob: given.to_owned() },
            false => PathFilter::Below(given.to_owned()),
        }
    }
}

/// After what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum After {
    /// An instant, or an age.
    Time(Age),
    /// A batch, which does not count itself.
    Batch(String),
}

/// How many batches a page has unless somebody says otherwise.
pub const BATCHES: usize = 50;

pub(super) const TOOL: Tool = Tool {
    name: "list_batches",
    title: "List changes on record",
    description: "List what was changed in this workspace and what is proposed, newest first. Every call of any tool that changes something is one batch, whoever made it; its `batchId` goes to get_patch_change (what it did, line by line), undo (take it back), and, while it is only proposed, to apply_batch or reject_batch. \
Narrow the list with `path` (one file), `sessionId`, `since` and `status`. Use it to find what changed a file since you read it, or what waits for review (`status: \"proposed\"`).",
    parameters: &[
        Param { name: "path", kind: ParamKind::Word, need: Need::Optional, doc: "Only batches that touch this file." },
        DOC_PATH,
        Param { name: "sessionId", kind: ParamKind::Word, need: Need::Optional, doc: "Only batches of this session." },
        Param {
            name: "since",
            kind: ParamKind::Word,
            need: Need::Optional,
            doc: "Only batches after this: an RFC 3339 time in UTC, an age such as `2h`, or a batch's id or short name.",
        },
        Param {
            name: "status",
            kind: ParamKind::Choice(&["proposed", "applied", "rejected", "conflicted", "undone"]),
            need: Need::Optional,
            doc: "Only batches that stand so.",
        },
        Param { name: "limit", kind: ParamKind::Whole(1, 1000), need: Need::Default("50"), doc: "So many at most." },
        Param { name: "cursor", kind: ParamKind::Word, need: Need::Optional, doc: "`nextCursor` of the page before." },
    ],
    answer: ANSWER,
    examples: &[
        Example { about: "the newest", arguments: "{}" },
        Example { about: "what waits for review", arguments: r#"{"status": "proposed"}"# },
        Example {
            about: "what changed one file in the last two hours",
            arguments: r#"{"path": "src/app.rs", "since": "2h"}"#,
        },
    ],
    effect: Effect::Looks,
    repeat: Repeat::Harmless,
    groups: &[Group::History],
    read,
};

const ANSWER: &[Field] = &[
    Field {
        name: "batches",
        shape: Shape::List(&Shape::Record(BATCH)),
        need: Need::Required,
        doc: "The batches, newest first.",
    },
    Field {
        name: "nextCursor",
        shape: Shape::Text,
        need: Need::Optional,
        doc: "Give it as `cursor` to get the next page; absent on the last one.",
    },
];

const BATCH: &[Field] = &[
    stored::ID,
    stored::NAME,
    stored::KEY,
    stored::LABEL,
    stored::MADE_BY,
    stored::TIME,
    stored::SESSION,
    stored::CLIENT,
    stored::ACTOR,
    stored::STATUS,
    Field {
        name: "files",
        shape: Shape::List(&Shape::Record(stored::LISTED_FILE)),
        need: Need::Required,
        doc: "The files that it touches.",
    },
    Field { name: "changes", shape: Shape::Whole, need: Need::Required, doc: "How many changes it has." },
    Field { name: "linesAdded", shape: Shape::Whole, need: Need::Required, doc: "How many lines they bring." },
    Field { name: "linesRemoved", shape: Shape::Whole, need: Need::Required, doc: "How many lines go." },
    stored::UNDOES,
    stored::UNDOES_NAMES,
];

fn read(args: &Args) -> Result<Call, Refusal> {
    let since = args.word("since").map(|given| {
        let malformed = || Refusal::argument("since", Expected::AgeOrBatch, format!("{given:?}"));
        After::parse(given).ok_or_else(malformed)
    });
    Ok(Call::ListBatches(ListBatches {
        path: args.word("path").map(str::to_owned),
        matching: PathFilter::Any,
        session: args.word("sessionId").map(str::to_owned),
        since: since.transpose()?,
        status: args.word("status").and_then(BatchStatus::named),
        limit: args.count("limit"),
        cursor: args.word("cursor").map(str::to_owned),
    }))
}

impl After {
    /// Reads a time, an age or a batch id.
    ///
    /// ```
    /// use patchwright_core::tool::{After, Age};
    /// assert_eq!(After::parse("2h"), Some(After::Time(Age::OlderThan(7200))));
    /// assert!(matches!(After::parse("019a0000-0000-7000-8000-000000000001"), Some(After::Batch(_))));
    /// assert!(matches!(After::parse("b17"), Some(After::Batch(_))));
    /// assert!(matches!(After::parse("b17.2"), Some(After::Batch(_))));
    /// assert_eq!(After::parse("yesterday"), None);
    /// ```
    pub fn parse(given: &str) -> Option<After> {
        // An age counts before the beginning of an id that is spelt without hyphens: `00000012d`.
        let time = Age::parse(given).map(After::Time);
        time.or_else(|| IdForm::parse(given).map(|_| After::Batch(given.to_ascii_lowercase())))
    }
}

//! `undo`: takes changes back, by batch, by change, by file, by session, or everything since a batch.

use super::apply_batch::{CHANGE, CHANGES, FILE_PATCH, some_changes};
use super::shape::{BATCH, CONCURRENCY, DIFF_TRUNCATED, DRY_RUN as DRY_RUN_SAID, Field, Shape};
use super::shared::{DOC_PATH, DRY_RUN, IDEMPOTENCY_KEY, MODE_APPLY, Shared};
use super::stored;
use super::{Args, Call, Effect, Example, Group, Need, Param, ParamKind, Repeat, Tool};
use crate::refusal::{Expected, Refusal};

/// The arguments of `undo`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undo {
    /// What is taken back.
    pub what: UndoWhat,
    /// What every changing call shares.
    pub shared: Shared,
}

/// What is taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UndoWhat {
    /// A batch, or some of its changes.
    Batch {
        /// The batch.
        id: String,
        /// The changes; all of them if nothing is said.
        changes: Option<Vec<String>>,
    },
    /// Changes, whichever batches they are of.
    Changes(Vec<String>),
    /// Batches, or parts of them, in whatever order they are named. Not an argument of the tool: it takes one batch.
    Batches(Vec<String>),
    /// A file's part of its newest applied batch.
    Path(String),
    /// Everything a session did that still stands.
    Session(String),
    /// Everything after a batch.
    Since(String),
}

pub(super) const TOOL: Tool = Tool {
    name: "undo",
    title: "Take changes back",
    description: "Take back what was done. Give exactly one of: `batchId` (one batch, or some of its changes with `changeIds`, which may also stand alone), `path` (one file's part of the newest batch that changed it), `sessionId` (everything a session did), `sinceBatchId` (everything after a batch). \
Works for edits, creates, deletes, moves and restores by every tool, and needs no sha256. Later changes stay where they do not touch what is taken back; where they do, the call fails with conflict, shows those lines and changes nothing. All or nothing across files. \
An undo is itself a batch: undo its `batchId` to have the changes again. Use `dryRun: true` to see the diff first.",
    parameters: &[
        Param {
            name: "batchId",
            kind: ParamKind::Word,
            need: Need::Optional,
            doc: "The batch to take back: its id, the first 8 digits or more, or its short name such as `b17`. The id of a change or of a file's part means that alone.",
        },
        CHANGES,
        CHANGE,
        FILE_PATCH,
        Param {
            name: "path",
            kind: ParamKind::Word,
            need: Need::Optional,
            doc: "Take back this file's part of the newest applied batch that touched it.",
        },
        DOC_PATH,
        Param {
            name: "sessionId",
            kind: ParamKind::Word,
            need: Need::Optional,
            doc: "Take back everything this session did.",
        },
        Param {
            name: "sinceBatchId",
            kind: ParamKind::Word,
            need: Need::Optional,
            doc: "Take back everything after this batch, which itself stays; undos are passed over.",
        },
        DRY_RUN,
        IDEMPOTENCY_KEY,
        MODE_APPLY,
    ],
    answer: ANSWER,
    examples: &[
        Example { about: "one batch", arguments: r#"{"batchId": "019a0000-0000-7000-8000-000000000001"}"# },
        Example { about: "the newest change of a file, dry", arguments: r#"{"path": "src/app.rs", "dryRun": true}"# },
    ],
    effect: Effect::Changes,
    repeat: Repeat::Different,
    groups: &[Group::History],
    read,
};

/// The arguments of which exactly one is given.
const ONE_OF: [&str; 4] = ["batchId", "path", "sessionId", "sinceBatchId"];

/// The same for a refusal, with those that stand for one of them.
const TOLD: [&str; 6] = ["batchId", "changeIds", "path", "docPath", "sessionId", "sinceBatchId"];

const ANSWER: &[Field] = &[
    Field {
        name: "batchId",
        shape: Shape::Text,
        need: Need::Optional,
        doc: "The undo itself is on record under this id; undo it to have the changes again. Absent for a dry run.",
    },
    BATCH,
    stored::STATUS,
    Field {
        name: "undoneBatchIds",
        shape: stored::TEXTS,
        need: Need::Optional,
        doc: "The batches that were taken back, whole or in part, newest first.",
    },
    Field {
        name: "undoneBatches",
        shape: stored::TEXTS,
        need: Need::Optional,
        doc: "The same batches by their short names.",
    },
    stored::CHANGE_IDS,
    stored::CHANGE_NAMES,
    stored::SETTLED_FILES,
    stored::JOINED,
    DIFF_TRUNCATED,
    stored::UNCHANGED,
    DRY_RUN_SAID,
    CONCURRENCY,
];

fn read(args: &Args) -> Result<Call, Refusal> {
    let given: Vec<(&str, String)> =
        ONE_OF.iter().filter_map(|name| args.word(name).map(|word| (*name, word.to_owned()))).collect();
    let changes = some_changes(args);
    let what = match (given.as_slice(), changes) {
        ([("batchId", id)], changes) => UndoWhat::Batch { id: id.clone(), changes },
        ([], Some(changes)) => UndoWhat::Changes(changes),
        ([(name, _)], Some(_)) => {
            return Err(Refusal::argument(*name, Expected::BatchWithChanges, "changeIds"));
        }
        ([("path", path)], None) => UndoWhat::Path(path.clone()),
        ([("sessionId", id)], None) => UndoWhat::Session(id.clone()),
        ([(_, id)], None) => UndoWhat::Since(id.clone()),
        (several, _) => {
            let names: Vec<&str> = several.iter().map(|(name, _)| *name).collect();
            let got = if names.is_empty() { "none of them".to_owned() } else { names.join(" and ") };
            return Err(Refusal::argument("", Expected::ExactlyOne(TOLD.to_vec()), got));
        }
    };
    Ok(Call::Undo(Undo { what, shared: Shared::read_now(args)? }))
}

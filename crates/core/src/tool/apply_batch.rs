//! `apply_batch`: carries out a proposal, whole or in part.

use super::get_patch_change::BATCH;
use super::shape::{CONCURRENCY, DIFF_TRUNCATED, DRY_RUN as DRY_RUN_SAID, Field, Shape};
use super::shared::{DRY_RUN, IDEMPOTENCY_KEY, MODE_APPLY, Shared};
use super::stored;
use super::{Args, Call, Effect, Example, Group, Need, Param, ParamKind, Repeat, Tool};
use crate::refusal::{Expected, Refusal};

/// The arguments of `apply_batch`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApplyBatch {
    /// The proposal; that of the changes, if not given.
    pub batch: Option<String>,
    /// The changes that are wanted; all of them if nothing is said.
    pub changes: Option<Vec<String>>,
    /// What to do when the files have changed.
    pub ground: Ground,
    /// What every changing call shares.
    pub shared: Shared,
}

/// What to do when the files are not what a proposal was made for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ground {
    /// It is a refusal.
    #[default]
    MustBeTheSame,
    /// The changes are carried over where nothing touches them.
    MayHaveMoved,
}

/// Some changes of a batch.
pub(super) const CHANGES: Param = Param {
    name: "changeIds",
    kind: ParamKind::Some(&ParamKind::Word),
    need: Need::Optional,
    doc: "Only these changes of the batch: ids, short names such as `b17.3`, or a filePatchId for all changes of a file. They need no batchId beside them.",
};

/// The same as one of [`CHANGES`].
pub(super) const CHANGE: Param = Param {
    name: "changeId",
    kind: ParamKind::Word,
    need: Need::Unlisted,
    doc: "Only this change; the same as changeIds with it alone.",
};

/// The same as one of [`CHANGES`].
pub(super) const FILE_PATCH: Param = Param {
    name: "filePatchId",
    kind: ParamKind::Word,
    need: Need::Unlisted,
    doc: "Only this file's part of the batch; the same as changeIds with it alone.",
};

pub(super) const TOOL: Tool = Tool {
    name: "apply_batch",
    title: "Apply a proposal",
    description: "Carry out a proposal that a call with `mode: \"propose\"` stored: the whole of it, or only `changeIds` (the rest is dropped for good). get_patch_change shows it first, with the ids of its changes. All or nothing across files. \
If the files have changed since it was proposed, the call fails with conflict, the proposal is marked conflicted and the changed lines are shown; look at them, and where they do not touch the proposal call again with `rebase: true`. It keeps its `batchId`, under which undo takes it back.",
    parameters: &[
        Param { need: Need::Optional, ..BATCH },
        CHANGES,
        CHANGE,
        FILE_PATCH,
        Param {
            name: "rebase",
            kind: ParamKind::Flag,
            need: Need::Default("false"),
            doc: "Carry the changes over to files that have changed since, by a three-way merge, where nothing touches them.",
        },
        DRY_RUN,
        IDEMPOTENCY_KEY,
        MODE_APPLY,
    ],
    answer: ANSWER,
    examples: &[
        Example { about: "a whole proposal", arguments: r#"{"batchId": "019a0000-0000-7000-8000-000000000001"}"# },
        Example {
            about: "one change of it, on files that have changed elsewhere since",
            arguments: r#"{"batchId": "019a0000-0000-7000-8000-000000000001", "changeIds": ["019a0000-0000-7000-8000-000000000003"], "rebase": true}"#,
        },
    ],
    effect: Effect::Changes,
    repeat: Repeat::Different,
    groups: &[Group::Review],
    read,
};

const ANSWER: &[Field] = &[
    Field {
        name: "batchId",
        shape: Shape::Text,
        need: Need::Required,
        doc: "The proposal's id, under which it stays on record.",
    },
    stored::NAME,
    stored::STATUS,
    stored::CHANGE_IDS,
    stored::CHANGE_NAMES,
    Field {
        name: "droppedChangeIds",
        shape: stored::TEXTS,
        need: Need::Optional,
        doc: "The changes that were not wanted, and are dropped.",
    },
    stored::DROPPED_NAMES,
    stored::REBASED,
    stored::SETTLED_FILES,
    stored::JOINED,
    DIFF_TRUNCATED,
    stored::UNCHANGED,
    DRY_RUN_SAID,
    CONCURRENCY,
];

fn read(args: &Args) -> Result<Call, Refusal> {
    let (batch, changes) = (args.word("batchId").map(str::to_owned), some_changes(args));
    if batch.is_none() && changes.is_none() {
        return Err(Refusal::argument("", Expected::AnyOf(vec!["batchId", "changeIds"]), "none of them"));
    }
    Ok(Call::ApplyBatch(ApplyBatch {
        batch,
        changes,
        ground: if args.flag("rebase").unwrap_or(false) { Ground::MayHaveMoved } else { Ground::MustBeTheSame },
        shared: Shared::read_now(args)?,
    }))
}

/// The changes that were named, each once.
pub(super) fn some_changes(args: &Args) -> Option<Vec<String>> {
    let mut changes = args.texts("changeIds");
    changes.extend([CHANGE, FILE_PATCH].iter().filter_map(|one| args.word(one.name)).map(str::to_owned));
    let mut seen = std::collections::HashSet::new();
    changes.retain(|id| seen.insert(id.clone()));
    (!changes.is_empty()).then_some(changes)
}

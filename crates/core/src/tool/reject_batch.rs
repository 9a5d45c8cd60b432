//! `reject_batch`: drops a proposal.

use super::get_patch_change::BATCH;
use super::shape::{DIFF_TRUNCATED, DRY_RUN as DRY_RUN_SAID, Field, Shape};
use super::shared::{DRY_RUN, IDEMPOTENCY_KEY, MODE_APPLY, Shared};
use super::stored;
use super::{Args, Call, Effect, Example, Group, Need, Param, ParamKind, Repeat, Tool};
use crate::refusal::Refusal;

/// The arguments of `reject_batch`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RejectBatch {
    /// The proposal.
    pub batch: String,
    /// Why, for the record.
    pub reason: Option<String>,
    /// What every changing call shares.
    pub shared: Shared,
}

pub(super) const TOOL: Tool = Tool {
    name: "reject_batch",
    title: "Drop a proposal",
    description: "Drop a proposal that a call with `mode: \"propose\"` stored and that nobody has applied. No file changes; it stays on record as rejected, and cannot be applied any more. What is already applied is taken back with undo instead.",
    parameters: &[
        BATCH,
        Param { name: "reason", kind: ParamKind::Text, need: Need::Optional, doc: "Why, for the record." },
        DRY_RUN,
        IDEMPOTENCY_KEY,
        MODE_APPLY,
    ],
    answer: ANSWER,
    examples: &[Example {
        about: "a proposal nobody wants",
        arguments: r#"{"batchId": "019a0000-0000-7000-8000-000000000001"}"#,
    }],
    effect: Effect::Adds,
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
        doc: "The changes that are dropped.",
    },
    stored::DROPPED_NAMES,
    stored::SETTLED_FILES,
    stored::JOINED,
    DIFF_TRUNCATED,
    DRY_RUN_SAID,
];

fn read(args: &Args) -> Result<Call, Refusal> {
    Ok(Call::RejectBatch(RejectBatch {
        batch: args.text("batchId")?,
        reason: args.word("reason").map(str::to_owned),
        shared: Shared::read_now(args)?,
    }))
}

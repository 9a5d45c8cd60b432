//! `get_patch_change`: a stored batch, or one change of it.

use super::shape::{DIFF_TRUNCATED, Field, Shape};
use super::stored;
use super::{Args, Call, Effect, Example, Group, Need, Param, ParamKind, Repeat, Tool};
use crate::refusal::Refusal;

/// The arguments of `get_patch_change`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GetPatchChange {
    /// The batch.
    pub batch: String,
    /// The change, if only one is wanted.
    pub change: Option<String>,
}

pub(super) const BATCH: Param =
    Param { name: "batchId", kind: ParamKind::Word, need: Need::Required, doc: "The batch's id." };

pub(super) const TOOL: Tool = Tool {
    name: "get_patch_change",
    title: "Show a stored batch or change",
    description: "Show what a stored batch did or proposes: its author, time and status, and file by file its changes, each with its `changeId`, description, lines before and after, and status, with the unified diff. \
Every call of any tool that changes something is such a batch; list_batches finds them. Use it to review a proposal before apply_batch, or to pick the `changeIds` that undo or apply_batch takes. Give `changeId` for one change alone.",
    parameters: &[
        BATCH,
        Param {
            name: "changeId",
            kind: ParamKind::Word,
            need: Need::Optional,
            doc: "One change of the batch; without it the whole batch comes.",
        },
    ],
    answer: ANSWER,
    examples: &[Example {
        about: "a whole batch",
        arguments: r#"{"batchId": "019a0000-0000-7000-8000-000000000001"}"#,
    }],
    effect: Effect::Looks,
    repeat: Repeat::Harmless,
    group: Group::History,
    read,
};

const ANSWER: &[Field] = &[
    stored::ID,
    stored::KEY,
    stored::LABEL,
    stored::MADE_BY,
    stored::STATUS,
    Field { name: "author", shape: Shape::Record(stored::AUTHOR), need: Need::Required, doc: "Who made it." },
    stored::TIME,
    Field {
        name: "applied",
        shape: Shape::Record(stored::APPLIER),
        need: Need::Optional,
        doc: "Of a proposal that was applied: who did so, and when.",
    },
    stored::REBASED,
    Field {
        name: "undoneBy",
        shape: stored::TEXTS,
        need: Need::Optional,
        doc: "The undo batches that took back any of it and still stand. Undo one of them to have its changes again.",
    },
    stored::UNDOES,
    stored::JOINED,
    DIFF_TRUNCATED,
    stored::FILES,
];

fn read(args: &Args) -> Result<Call, Refusal> {
    let change = args.word("changeId").map(str::to_owned);
    Ok(Call::GetPatchChange(GetPatchChange { batch: args.text("batchId")?, change }))
}

//! `get_patch_change`: a stored batch, or one change of it.

use super::shape::{DIFF_TRUNCATED, Field, Shape};
use super::stored;
use super::{Args, Call, Effect, Example, Group, Need, Param, ParamKind, Repeat, Tool};
use crate::refusal::{Expected, Refusal};

/// The arguments of `get_patch_change`. At least one of the three ids is given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GetPatchChange {
    /// The batch; that of the change or file, if not given.
    pub batch: Option<String>,
    /// The change, if only one is wanted.
    pub change: Option<String>,
    /// The file's part of the batch, if only one is wanted.
    pub file: Option<String>,
    /// So many lines and changes a page.
    pub limit: Option<usize>,
    /// Where to go on.
    pub cursor: Option<String>,
}

impl GetPatchChange {
    /// A whole batch, from its first page on.
    pub fn new(batch: impl Into<String>) -> GetPatchChange {
        GetPatchChange { batch: Some(batch.into()), ..GetPatchChange::default() }
    }
}

/// How many lines and changes a page has at most unless somebody says otherwise.
pub const LINES_SHOWN: usize = 2_000;

pub(super) const BATCH: Param = Param {
    name: "batchId",
    kind: ParamKind::Word,
    need: Need::Required,
    doc: "The batch's id, its first 8 digits or more, or its short name such as `b17`.",
};

pub(super) const TOOL: Tool = Tool {
    name: "get_patch_change",
    title: "Show a stored batch or change",
    description: "Show what a stored batch did or proposes: its author, time and status, and file by file its changes, each with its `changeId`, description, lines before and after, and status, with the unified diff. \
Every call of any tool that changes something is such a batch; list_batches finds them. Use it to review a proposal before apply_batch, or to pick the `changeIds` that undo or apply_batch takes. Give `changeId` for one change alone; it needs no `batchId` beside it. Long changes come by pages: where `truncated` is true, go on with `nextCursor`.",
    parameters: &[
        Param { need: Need::Optional, ..BATCH },
        Param {
            name: "changeId",
            kind: ParamKind::Word,
            need: Need::Optional,
            doc: "One change, by its id or a short name such as `b17.3`; without it the whole batch comes.",
        },
        Param {
            name: "filePatchId",
            kind: ParamKind::Word,
            need: Need::Unlisted,
            doc: "One file's part of a batch; needs no batchId beside it.",
        },
        Param {
            name: "limit",
            kind: ParamKind::Whole(1, 1_000_000),
            need: Need::Optional,
            doc: "So many lines and changes a page, counted together; left out, as many as make about 8 KB.",
        },
        Param { name: "cursor", kind: ParamKind::Word, need: Need::Optional, doc: "`nextCursor` of the page before." },
    ],
    answer: ANSWER,
    examples: &[Example {
        about: "a whole batch",
        arguments: r#"{"batchId": "019a0000-0000-7000-8000-000000000001"}"#,
    }],
    effect: Effect::Looks,
    repeat: Repeat::Harmless,
    groups: &[Group::Review],
    read,
};

const ANSWER: &[Field] = &[
    stored::ID,
    stored::NAME,
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
    Field {
        name: "undoneByBatches",
        shape: stored::TEXTS,
        need: Need::Optional,
        doc: "The same batches by their short names.",
    },
    stored::UNDOES,
    stored::UNDOES_NAMES,
    Field {
        doc: "The diffs of its files, one after the other, up to 64 KiB; each file has its own too, on the page where it begins.",
        ..stored::JOINED
    },
    DIFF_TRUNCATED,
    stored::FILES,
    Field {
        name: "truncated",
        shape: Shape::Flag,
        need: Need::Required,
        doc: "Are there more changes, or more lines of them, than this page has?",
    },
    Field {
        name: "nextCursor",
        shape: Shape::Text,
        need: Need::Optional,
        doc: "Give it as `cursor`, beside the same ids, to get the next page; absent on the last one.",
    },
];

/// The ids by which something is found; any of them is enough.
const IDS: [&str; 3] = ["batchId", "changeId", "filePatchId"];

fn read(args: &Args) -> Result<Call, Refusal> {
    let id = |name| args.word(name).map(str::to_owned);
    let (batch, change, file) = (id("batchId"), id("changeId"), id("filePatchId"));
    if batch.is_none() && change.is_none() && file.is_none() {
        return Err(Refusal::argument("", Expected::AnyOf(IDS.to_vec()), "none of them"));
    }
    if change.is_some() && file.is_some() {
        return Err(Refusal::argument("filePatchId", Expected::Without("changeId"), "both"));
    }
    Ok(Call::GetPatchChange(GetPatchChange { batch, change, file, limit: args.count("limit"), cursor: id("cursor") }))
}

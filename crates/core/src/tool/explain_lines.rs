//! `explain_lines`: who brought the lines of a file.

use super::read_file::PATH;
use super::shape::{Field, Shape};
use super::shared::DOC_PATH;
use super::stored;
use super::{Args, Call, Effect, Example, Group, Need, Param, ParamKind, Repeat, Tool};
use crate::refusal::{Expected, Refusal};

/// The arguments of `explain_lines`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplainLines {
    /// The path as the caller spelt it.
    pub path: String,
    /// The first line, from 1.
    pub start: Option<usize>,
    /// The last line.
    pub end: Option<usize>,
}

pub(super) const TOOL: Tool = Tool {
    name: "explain_lines",
    title: "Who wrote these lines",
    description: "Who wrote these lines: for each line of a file the batch, change, session, client, time and description that brought it, followed through later edits, moves and undos. Lines that came together are one run; lines that nobody wrote through these tools have `recorded: false`. \
Use it before you change or undo something whose reason you do not know; get_patch_change shows more of a batch that it names.",
    parameters: &[
        PATH,
        DOC_PATH,
        Param {
            name: "startLine",
            kind: ParamKind::Whole(1, i64::MAX),
            need: Need::Default("1"),
            doc: "First line, counted from 1.",
        },
        Param {
            name: "endLine",
            kind: ParamKind::Whole(1, i64::MAX),
            need: Need::Optional,
            doc: "Last line, inclusive; the end of the file if it is left out.",
        },
    ],
    answer: ANSWER,
    examples: &[Example { about: "one line", arguments: r#"{"path": "src/app.rs", "startLine": 12, "endLine": 12}"# }],
    effect: Effect::Looks,
    repeat: Repeat::Harmless,
    groups: &[Group::Why],
    read,
};

const ANSWER: &[Field] = &[
    Field { name: "path", shape: Shape::Text, need: Need::Required, doc: "The file, relative to the workspace." },
    Field { name: "lineCount", shape: Shape::Whole, need: Need::Required, doc: "Lines in the whole file." },
    Field { name: "sha256", shape: Shape::Text, need: Need::Required, doc: "The whole file's hash." },
    Field {
        name: "runs",
        shape: Shape::List(&Shape::Record(RUN)),
        need: Need::Required,
        doc: "The lines from top to bottom, those with one origin together.",
    },
    Field {
        name: "truncated",
        shape: Shape::Flag,
        need: Need::Required,
        doc: "True when there is more behind the last run.",
    },
    Field {
        name: "nextStartLine",
        shape: Shape::Whole,
        need: Need::Optional,
        doc: "Where to go on, as startLine, when truncated.",
    },
];

const RUN: &[Field] = &[
    Field { name: "startLine", shape: Shape::Whole, need: Need::Required, doc: "The first line, counted from 1." },
    Field { name: "endLine", shape: Shape::Whole, need: Need::Required, doc: "The last line." },
    Field { name: "lines", shape: stored::TEXTS, need: Need::Required, doc: "What they say." },
    Field {
        name: "recorded",
        shape: Shape::Flag,
        need: Need::Required,
        doc: "False for lines that nobody here wrote; then the fields below are absent.",
    },
    Field { need: Need::Optional, doc: "The batch that brought them.", ..stored::ID },
    Field { need: Need::Optional, ..stored::NAME },
    Field { name: "changeId", shape: Shape::Text, need: Need::Optional, doc: "The change that brought them." },
    Field { name: "change", shape: Shape::Text, need: Need::Optional, doc: "Its short name, such as `b17.3`." },
    Field { need: Need::Optional, doc: "The tool that it was made with.", ..stored::MADE_BY },
    Field { need: Need::Optional, ..stored::SESSION },
    Field { need: Need::Optional, ..stored::CLIENT },
    Field { need: Need::Optional, ..stored::TIME },
    Field {
        name: "description",
        shape: Shape::Text,
        need: Need::Optional,
        doc: "What the change is for, or else the batch, in the caller's words.",
    },
    Field {
        name: "path",
        shape: Shape::Text,
        need: Need::Optional,
        doc: "The file's name at that time, when it is another now.",
    },
];

fn read(args: &Args) -> Result<Call, Refusal> {
    let (start, end) = (args.count("startLine"), args.count("endLine"));
    if let (Some(from), Some(to)) = (start.or(Some(1)), end)
        && to < from
    {
        let from = i64::try_from(from).unwrap_or(i64::MAX);
        return Err(Refusal::argument("endLine", Expected::FromStartLine(from), to.to_string()));
    }
    Ok(Call::ExplainLines(ExplainLines { path: args.text("path")?, start, end }))
}

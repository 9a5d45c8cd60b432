//! `workspace_read_file`: a file by its `docPath`, as the basis of a line patch.

use super::read_file::slice;
use super::shared::{ENCODING, charset};
use super::{Args, Call, Effect, Example, Field, Group, Need, Param, ParamKind, Repeat, Shape, Tool};
use crate::refusal::Refusal;
use crate::text::encoding::Charset;

/// The arguments of `workspace_read_file`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadDoc {
    /// The `docPath` as it was given.
    pub doc_path: String,
    /// The first line wanted, from 1.
    pub start_line: usize,
    /// The last line wanted; the last of the file, if nothing is said.
    pub end_line: Option<usize>,
    /// So many bytes at most.
    pub max_bytes: Option<usize>,
    /// Are lines shown with their numbers?
    pub numbered: Numbered,
    /// The charset, where the caller names one.
    pub charset: Option<Charset>,
}

/// Whether lines are shown with their numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Numbered {
    /// As they are.
    #[default]
    No,
    /// Each behind its number.
    Yes,
}

impl ReadDoc {
    /// The whole of a file, as it is.
    pub fn new(doc_path: impl Into<String>) -> ReadDoc {
        ReadDoc {
            doc_path: doc_path.into(),
            start_line: 1,
            end_line: None,
            max_bytes: None,
            numbered: Numbered::No,
            charset: None,
        }
    }
}

/// The most that one reading shows; the same as for `read_file`.
pub const DOC_BYTES: usize = 67_108_864;

pub(super) const TOOL: Tool = Tool {
    name: "workspace_read_file",
    title: "Read a file for a line patch",
    description: "Read a file by its docPath, with the sha256 that workspace_write_patch asks for as originalSha256. \
With `numbered: true` each line comes behind its number and a bar, the numbers padded to one width: `   12|text`; \
number and bar are no part of the line, leave them out of expectedOriginalLines and newLines. \
Line ends are shown as \\n whatever the file has, and a byte-order mark is not shown; a patch keeps both as they are. \
`startLine` and `endLine` ask for some lines alone; their numbers stay those of the file. \
`lineCount` and `sha256` are always those of the whole file. Where the content was cut, the answer says which lines these are, and `nextStartLine` goes on.",
    parameters: &[
        Param {
            name: "docPath",
            kind: ParamKind::Word,
            need: Need::Required,
            doc: "The file's path in lower case, relative to the workspace (or beginning with the workspace's own name).",
        },
        Param {
            name: "startLine",
            kind: ParamKind::Whole(1, i64::MAX),
            need: Need::Default("1"),
            doc: "First line to show, counted from 1.",
        },
        Param {
            name: "endLine",
            kind: ParamKind::Whole(1, i64::MAX),
            need: Need::Optional,
            doc: "Last line to show, inclusive; the last of the file if left out.",
        },
        Param {
            name: "maxBytes",
            kind: ParamKind::Whole(1, 67_108_864),
            need: Need::Optional,
            doc: "The most bytes of text to show, numbers not counted; cut between lines, or within a line that alone is longer. Left out, the whole file comes; over MCP in text, as many as the client shows its model, 24576 if that is not known.",
        },
        Param {
            name: "numbered",
            kind: ParamKind::Flag,
            need: Need::Default("false"),
            doc: "Show each line behind its number and a bar.",
        },
        ENCODING,
    ],
    answer: &[
        Field { name: "docPath", shape: Shape::Text, need: Need::Required, doc: "As given." },
        Field { name: "path", shape: Shape::Text, need: Need::Required, doc: "The file as it is really spelt." },
        Field { name: "content", shape: Shape::Text, need: Need::Required, doc: "The text." },
        Field {
            name: "sha256",
            shape: Shape::Text,
            need: Need::Required,
            doc: "Of the whole file's bytes: the originalSha256 of a patch.",
        },
        Field { name: "lineCount", shape: Shape::Whole, need: Need::Required, doc: "Lines in the whole file." },
        Field {
            name: "startLine",
            shape: Shape::Whole,
            need: Need::Optional,
            doc: "The first line of the content, where that is not the whole file.",
        },
        Field {
            name: "endLine",
            shape: Shape::Whole,
            need: Need::Optional,
            doc: "The last line of the content, where that is not the whole file; one below startLine if there is none.",
        },
        Field { name: "truncated", shape: Shape::Flag, need: Need::Required, doc: "Was the content cut?" },
        Field {
            name: "nextStartLine",
            shape: Shape::Whole,
            need: Need::Optional,
            doc: "Where to go on, when the content was cut. Absent where a single line is over maxBytes: ask again with a larger maxBytes.",
        },
    ],
    examples: &[
        Example { about: "a file with line numbers", arguments: r#"{"docPath": "src/app.rs", "numbered": true}"# },
        Example {
            about: "forty lines of a long one",
            arguments: r#"{"docPath": "src/app.rs", "startLine": 100, "endLine": 139, "numbered": true}"#,
        },
        Example { about: "a file as it is", arguments: r#"{"docPath": "src/app.rs"}"# },
    ],
    effect: Effect::Looks,
    repeat: Repeat::Harmless,
    groups: &[Group::Lines],
    read,
};

fn read(args: &Args) -> Result<Call, Refusal> {
    let (start_line, end_line) = slice(args)?;
    Ok(Call::WorkspaceReadFile(ReadDoc {
        doc_path: args.text("docPath")?,
        start_line,
        end_line,
        max_bytes: args.count("maxBytes"),
        numbered: if args.flag("numbered").unwrap_or(false) { Numbered::Yes } else { Numbered::No },
        charset: charset(args)?,
    }))
}

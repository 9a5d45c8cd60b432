//! `read_file`: text, a slice of it, and the sha256 that later changes need.

use super::shared::{DOC_PATH, ENCODING, charset};
use super::{Args, Call, Effect, Example, Field, Group, Need, Param, ParamKind, Repeat, Shape, Tool};
use crate::refusal::{Expected, Refusal};
use crate::text::encoding::Charset;

/// The arguments of `read_file`.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadFile {
    /// The path as the caller spelt it.
    pub path: String,
    /// First line, from 1.
    pub start_line: usize,
    /// Last line, inclusive.
    pub end_line: Option<usize>,
    /// Most bytes of content in the answer.
    pub max_bytes: usize,
    /// What to do with a binary file.
    pub when_binary: WhenBinary,
    /// Show the lines' anchors?
    pub hashes: Hashes,
    /// The charset, where the caller names one.
    pub charset: Option<Charset>,
}

/// Whether lines come with their anchors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hashes {
    /// Without.
    #[default]
    No,
    /// With.
    Yes,
}

impl Hashes {
    pub(super) fn read(args: &Args) -> Hashes {
        if args.flag("hashes") == Some(true) { Hashes::Yes } else { Hashes::No }
    }
}

/// What a read does with a binary file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhenBinary {
    /// Refuse it.
    Refuse,
    /// Give its bytes in base64.
    Base64,
}

impl ReadFile {
    /// The whole of a file; every option at its default.
    pub fn new(path: impl Into<String>) -> ReadFile {
        ReadFile {
            path: path.into(),
            start_line: 1,
            end_line: None,
            max_bytes: 262_144,
            when_binary: WhenBinary::Refuse,
            hashes: Hashes::No,
            charset: None,
        }
    }
}

pub(super) const TOOL: Tool = Tool {
    name: "read_file",
    title: "Read a file",
    description: "Read a text file, whole or a range of lines, with its sha256. \
Keep `sha256`: write_file, edit_file, delete_file and move_file ask for it as `expectedSha256`, and it is always that of the whole file, also when you read a slice. \
Text comes with \\n line ends and without a byte-order mark, whatever the file has on disk; edits keep the file's own. \
Large files are cut at `maxBytes`; the answer then says with which `startLine` to go on.",
    parameters: &[
        PATH,
        DOC_PATH,
        Param {
            name: "startLine",
            kind: ParamKind::Whole(1, i64::MAX),
            need: Need::Default("1"),
            doc: "First line to read, counted from 1.",
        },
        Param {
            name: "endLine",
            kind: ParamKind::Whole(1, i64::MAX),
            need: Need::Optional,
            doc: "Last line to read, inclusive. Past the end of the file is fine.",
        },
        Param {
            name: "maxBytes",
            kind: ParamKind::Whole(1, 67_108_864),
            need: Need::Optional,
            doc: "Most bytes of content to return. Left out, it is 262144; over MCP in text, as many as the client shows its model, 24576 if that is not known.",
        },
        Param {
            name: "allowBinary",
            kind: ParamKind::Flag,
            need: Need::Default("false"),
            doc: "Return a binary file as base64 instead of refusing it.",
        },
        Param {
            name: "hashes",
            kind: ParamKind::Flag,
            need: Need::Default("false"),
            doc: "Show each line as `N#hash [quality]|text`. The hash is what `edit` takes to name the line; N is only where it stood when you read it.",
        },
        ENCODING,
    ],
    answer: &[
        Field { name: "path", shape: Shape::Text, need: Need::Required, doc: "The file, relative to the workspace." },
        Field { name: "content", shape: Shape::Text, need: Need::Optional, doc: "The text of the lines asked for." },
        Field { name: "contentBase64", shape: Shape::Text, need: Need::Optional, doc: "The bytes of a binary file." },
        Field {
            name: "encoding",
            shape: Shape::Text,
            need: Need::Required,
            doc: "utf-8, utf-16le, utf-16be, the charset asked for, or binary.",
        },
        Field { name: "startLine", shape: Shape::Whole, need: Need::Required, doc: "First line returned." },
        Field {
            name: "endLine",
            shape: Shape::Whole,
            need: Need::Required,
            doc: "Last line returned; startLine - 1 if there is none.",
        },
        Field { name: "lineCount", shape: Shape::Whole, need: Need::Required, doc: "Lines in the whole file." },
        Field { name: "sizeBytes", shape: Shape::Whole, need: Need::Required, doc: "Bytes on disk." },
        Field { name: "sha256", shape: Shape::Text, need: Need::Required, doc: "Of the whole file's bytes on disk." },
        Field { name: "truncated", shape: Shape::Flag, need: Need::Required, doc: "Was the content cut at maxBytes?" },
        Field {
            name: "nextStartLine",
            shape: Shape::Whole,
            need: Need::Optional,
            doc: "When truncated: pass it as startLine to go on. If it equals startLine, that line alone is over maxBytes: raise maxBytes.",
        },
        Field { name: "binary", shape: Shape::Flag, need: Need::Required, doc: "Is it a binary file?" },
        Field {
            name: "newlineStyle",
            shape: Shape::Text,
            need: Need::Required,
            doc: "lf, crlf, mixed or none: the line ends on disk.",
        },
        Field {
            name: "hasBom",
            shape: Shape::Flag,
            need: Need::Required,
            doc: "Does the file begin with a byte-order mark?",
        },
        Field {
            name: "finalNewline",
            shape: Shape::Flag,
            need: Need::Required,
            doc: "Does the last line end in a newline?",
        },
        Field {
            name: "anchorFormat",
            shape: Shape::Text,
            need: Need::Optional,
            doc: "With `hashes`: v1, each line of content is `N#hash [quality]|text`.",
        },
        Field {
            name: "recommendedAnchors",
            shape: Shape::List(&Shape::Text),
            need: Need::Optional,
            doc: "With `hashes`: good anchors of the slice, up to 20, as `N#hash`.",
        },
    ],
    examples: &[
        Example { about: "a whole file", arguments: r#"{"path": "src/main.rs"}"# },
        Example {
            about: "forty lines of a long one",
            arguments: r#"{"path": "src/main.rs", "startLine": 100, "endLine": 139}"#,
        },
        Example {
            about: "with the anchors that `edit` takes",
            arguments: r#"{"path": "src/main.rs", "hashes": true}"#,
        },
    ],
    effect: Effect::Looks,
    repeat: Repeat::Harmless,
    groups: &[Group::Look],
    read,
};

pub(super) const PATH: Param = Param {
    name: "path",
    kind: ParamKind::Word,
    need: Need::Required,
    doc: "The file, relative to the workspace root, with forward slashes.",
};

/// The lines that are wanted: the first, and the last if it was given.
pub(super) fn slice(args: &Args) -> Result<(usize, Option<usize>), Refusal> {
    let start_line = args.count("startLine").unwrap_or(1);
    let end_line = args.count("endLine");
    match end_line.filter(|end| *end < start_line) {
        Some(end) => {
            let from = i64::try_from(start_line).unwrap_or(i64::MAX);
            Err(Refusal::argument("endLine", Expected::FromStartLine(from), end.to_string()))
        }
        None => Ok((start_line, end_line)),
    }
}

fn read(args: &Args) -> Result<Call, Refusal> {
    let (start_line, end_line) = slice(args)?;
    let when_binary = if args.flag("allowBinary") == Some(true) { WhenBinary::Base64 } else { WhenBinary::Refuse };
    Ok(Call::ReadFile(ReadFile {
        path: args.text("path")?,
        start_line,
        end_line,
        max_bytes: args.count("maxBytes").unwrap_or(262_144),
        when_binary,
        hashes: Hashes::read(args),
        charset: charset(args)?,
    }))
}

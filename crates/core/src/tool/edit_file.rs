//! `edit_file`: exact replacements, all against the text as it is, all or none.

use super::read_file::PATH;
use super::shape::CHANGED;
use super::shared::{
    DOC_PATH, DRY_RUN, ENCODING, EXECUTABLE, EXPECTED_SHA256, IDEMPOTENCY_KEY, MODE, Shared, charset, executable,
};
use super::{Args, Call, Effect, Example, Group, Need, Param, ParamKind, Repeat, Tool, Value};
use crate::digest::DigestPrefix;
use crate::intent::{ExactEdit, Executable, Occurrences};
use crate::refusal::Refusal;
use crate::text::encoding::Charset;

/// The arguments of `edit_file`.
#[derive(Clone, Debug, PartialEq)]
pub struct EditFile {
    /// The path as the caller spelt it.
    pub path: String,
    /// Proof of sight.
    pub expected: Option<DigestPrefix>,
    /// The replacements.
    pub edits: Vec<ExactEdit>,
    /// The charset, where the caller names one.
    pub charset: Option<Charset>,
    /// Whether it shall be executable, where the caller says.
    pub executable: Option<Executable>,
    /// What every changing call shares.
    pub shared: Shared,
}

impl EditFile {
    /// Exact replacements in a file; every option at its default.
    pub fn new(path: impl Into<String>, edits: Vec<ExactEdit>) -> EditFile {
        EditFile {
            path: path.into(),
            expected: None,
            edits,
            charset: None,
            executable: None,
            shared: Shared::default(),
        }
    }
}

pub(super) const TOOL: Tool = Tool {
    name: "edit_file",
    title: "Edit a file by exact text",
    description: "Replace exact pieces of text in one file. Each `oldText` must stand in the file exactly once (or `expectedOccurrences` times, or use `replaceAll`); \
copy it from read_file with its indentation, and take in a neighbouring line when it is not unique. Nothing is matched loosely. \
All edits are matched against the file as it is now, in any order, and must not overlap; if one does not fit, none is made. \
Write \\n for line ends: the file keeps its own. The file's byte-order mark, encoding, mode and everything outside the edits stay as they are.",
    parameters: &[
        PATH,
        DOC_PATH,
        EXPECTED_SHA256,
        Param {
            name: "edits",
            kind: ParamKind::Some(&ParamKind::Record(EDIT)),
            need: Need::Required,
            doc: "The replacements.",
        },
        ENCODING,
        DRY_RUN,
        IDEMPOTENCY_KEY,
        MODE,
        EXECUTABLE,
    ],
    answer: CHANGED,
    examples: &[Example {
        about: "change one constant",
        arguments: r#"{"path": "src/server.ts", "edits": [{"oldText": "PORT = 3000", "newText": "PORT = 4000"}]}"#,
    }],
    effect: Effect::Changes,
    repeat: Repeat::Different,
    groups: &[Group::Strings],
    read,
};

const EDIT: &[Param] = &[
    Param {
        name: "oldText",
        kind: ParamKind::Word,
        need: Need::Required,
        doc: "The text to replace, exactly as it stands in the file.",
    },
    Param {
        name: "newText",
        kind: ParamKind::Text,
        need: Need::Required,
        doc: "The text to put there; empty to delete.",
    },
    Param {
        name: "expectedOccurrences",
        kind: ParamKind::Whole(1, 1_000_000),
        need: Need::Default("1"),
        doc: "How often oldText stands in the file; all of them are replaced.",
    },
    Param {
        name: "replaceAll",
        kind: ParamKind::Flag,
        need: Need::Default("false"),
        doc: "Replace every occurrence, however many there are.",
    },
];

fn read(args: &Args) -> Result<Call, Refusal> {
    Ok(Call::EditFile(EditFile {
        path: args.text("path")?,
        expected: args.sha256("expectedSha256")?,
        edits: args.list("edits").iter().filter_map(record).map(edit).collect::<Result<_, _>>()?,
        charset: charset(args)?,
        executable: executable(args),
        shared: Shared::read(args)?,
    }))
}

fn record(value: &Value) -> Option<&Args> {
    match value {
        Value::Record(fields) => Some(fields),
        _ => None,
    }
}

fn edit(fields: &Args) -> Result<ExactEdit, Refusal> {
    let occurrences = match (fields.flag("replaceAll"), fields.count("expectedOccurrences")) {
        (Some(true), None) => Occurrences::All,
        (_, Some(count)) => Occurrences::Exactly(count),
        (_, None) => Occurrences::Once,
    };
    Ok(ExactEdit { old: fields.text("oldText")?, new: fields.text("newText")?, occurrences })
}

//! `workspace_write_patch`: changes of whole lines by their numbers, in one or more files, all or none.

mod read;

use super::guidance::{line_changes, line_files, line_reading};
use super::shape::{BATCH, CONCURRENCY, DIFF, DIFF_TRUNCATED, DRY_RUN as DRY};
use super::shared::{DRY_RUN, ENCODING, FINAL_NEWLINE, IDEMPOTENCY_KEY, MODE, Shared};
use super::stored;
use super::{Effect, Example, Field, Group, Need, Param, ParamKind, Repeat, Shape, Tool};
use crate::dialect::lines::FilePatch;
use crate::refusal::LineFault;
use crate::text::encoding::Charset;

/// The arguments of `workspace_write_patch`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WritePatch {
    /// The caller's words for the batch.
    pub label: Option<String>,
    /// The caller's key for it.
    pub key: Option<String>,
    /// What is to become of the files.
    pub files: Vec<FilePatch>,
    /// What of the arguments does not fit. With any of these nothing is done; it is told with all else that stands
    /// against the call.
    pub unfit: Vec<LineFault>,
    /// Where ids were given, which only an answer gives.
    pub ignored: Vec<String>,
    /// The charset of the files, where the caller names one.
    pub charset: Option<Charset>,
    /// What every changing call shares.
    pub shared: Shared,
}

impl WritePatch {
    /// Changes of files; every option at its default.
    pub fn new(files: Vec<FilePatch>) -> WritePatch {
        WritePatch { files, ..WritePatch::default() }
    }
}

pub(super) const TOOL: Tool = Tool {
    name: "workspace_write_patch",
    title: "Patch lines of files",
    description: concat!(
        "Change whole lines of one or more files by their numbers: insert, replace, delete. All changes of all files are applied together, or none is. \
Every rule that the call breaks is reported at once in `errors`, each with its file and change.\n\n",
        line_reading!(),
        "\n\n",
        line_changes!(),
        "\n\n",
        line_files!()
    ),
    parameters: &[
        Param {
            name: "files",
            kind: ParamKind::Some(&ParamKind::Record(FILE)),
            need: Need::Required,
            doc: "One entry for each file; no file twice.",
        },
        Param {
            name: "batchLabel",
            kind: ParamKind::Text,
            need: Need::Optional,
            doc: "What the whole batch is for, for people who read the log.",
        },
        Param {
            name: "batchKey",
            kind: ParamKind::Text,
            need: Need::Optional,
            doc: "Your short name for the batch, such as `add-timeout`; it comes back in the answer.",
        },
        ENCODING,
        DRY_RUN,
        IDEMPOTENCY_KEY,
        MODE,
        Param { name: "batchId", ..ID },
    ],
    answer: ANSWER,
    examples: &[
        Example {
            about: "replace one line by two, and add a line below line 1",
            arguments: r#"{"batchKey": "add-timeout", "files": [{"docPath": "src/server.ts", "originalSha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "changes": [{"operation": "insert", "afterLine": 1, "expectedLineBefore": "import http from 'http';", "expectedLineAfter": "", "newLines": ["import { wait } from './wait';"]}, {"changeKey": "timeout", "operation": "replace", "description": "Give up after a while.", "startLine": 12, "endLine": 12, "expectedOriginalLines": ["  connect();"], "newLines": ["  connect();", "  wait(30);"]}]}]}"#,
        },
        Example {
            about: "delete the first two lines of a file",
            arguments: r#"{"files": [{"docPath": "notes.md", "originalSha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "changes": [{"operation": "delete", "startLine": 1, "endLine": 2, "expectedOriginalLines": ["Old notes", ""]}]}]}"#,
        },
    ],
    effect: Effect::Changes,
    repeat: Repeat::Different,
    groups: &[Group::Lines],
    read: read::call,
};

/// An id that only an answer gives.
const ID: Param = Param {
    name: "",
    kind: ParamKind::Ignored,
    need: Need::Optional,
    doc: "Given by the answer; ignored here, with a warning.",
};

const FILE: &[Param] = &[
    Param {
        name: "docPath",
        kind: ParamKind::Word,
        need: Need::Required,
        doc: "The file's path in lower case, relative to the workspace (or beginning with the workspace's own name). The file must exist.",
    },
    Param {
        name: "originalSha256",
        kind: ParamKind::Text,
        need: Need::Required,
        doc: "The `sha256` that your last reading of this file gave: 64 hexadecimal digits, copied.",
    },
    Param {
        name: "changes",
        kind: ParamKind::Some(&ParamKind::Record(CHANGE)),
        need: Need::Required,
        doc: "The changes, from top to bottom. All line numbers are those of the file as you read it.",
    },
    Param {
        name: "fileKey",
        kind: ParamKind::Text,
        need: Need::Optional,
        doc: "Your short name for this file's part of the batch; unique in the call.",
    },
    Param {
        name: "fileLabel",
        kind: ParamKind::Text,
        need: Need::Optional,
        doc: "What changes in this file, for people.",
    },
    Param { name: "encoding", need: Need::Unlisted, ..ENCODING },
    FINAL_NEWLINE,
    Param { name: "filePatchId", ..ID },
];

const LINE: &ParamKind = &ParamKind::Text;

const CHANGE: &[Param] = &[
    Param {
        name: "operation",
        kind: ParamKind::Choice(&["insert", "replace", "delete"]),
        need: Need::Required,
        doc: "What to do.",
    },
    Param {
        name: "afterLine",
        kind: ParamKind::Whole(0, i64::MAX),
        need: Need::Optional,
        doc: "For insert: the new lines go below this line; 0 puts them above line 1.",
    },
    Param {
        name: "startLine",
        kind: ParamKind::Whole(1, i64::MAX),
        need: Need::Optional,
        doc: "For replace and delete: the first line, counted from 1.",
    },
    Param {
        name: "endLine",
        kind: ParamKind::Whole(1, i64::MAX),
        need: Need::Optional,
        doc: "For replace and delete: the last line, inclusive.",
    },
    Param {
        name: "expectedOriginalLines",
        kind: ParamKind::Some(LINE),
        need: Need::Optional,
        doc: "For replace and delete: the lines from startLine to endLine as they are now, each one, exactly, with their white space.",
    },
    Param {
        name: "newLines",
        kind: ParamKind::Some(LINE),
        need: Need::Optional,
        doc: "For insert and replace: the new lines, one string each, without line breaks. An empty string is an empty line.",
    },
    Param {
        name: "expectedLineBefore",
        kind: ParamKind::TextOrNull,
        need: Need::Optional,
        doc: "What the line above the change says now: line afterLine of an insert, else the one above startLine; null at the top of the file. Checked if given: give it with an insert, and where the lines you quote stand elsewhere too.",
    },
    Param {
        name: "expectedLineAfter",
        kind: ParamKind::TextOrNull,
        need: Need::Optional,
        doc: "What the line below the change says now: the one below afterLine or endLine; null at the end of the file. Checked if given.",
    },
    Param {
        name: "description",
        kind: ParamKind::Text,
        need: Need::Optional,
        doc: "Why this change is made, in a short sentence; it is kept with the change.",
    },
    Param {
        name: "changeKey",
        kind: ParamKind::Text,
        need: Need::Optional,
        doc: "Your short name for this change; unique in its file.",
    },
    Param {
        name: "severity",
        kind: ParamKind::Word,
        need: Need::Optional,
        doc: "How much this change matters, in a word of your choice such as `high`; kept with the change.",
    },
    Param {
        name: "categories",
        kind: ParamKind::List(&ParamKind::Word),
        need: Need::Optional,
        doc: "Which sorts of change this is, such as `bugfix`; kept with the change.",
    },
    Param {
        name: "tags",
        kind: ParamKind::List(&ParamKind::Word),
        need: Need::Optional,
        doc: "Further words to find this change by; kept with the change.",
    },
    Param { name: "changeId", ..ID },
];

const ANSWER: &[Field] = &[
    Field {
        name: "batchId",
        shape: Shape::Text,
        need: Need::Optional,
        doc: "Under this id the batch is on record; absent when nothing was stored.",
    },
    BATCH,
    Field { name: "batchKey", shape: Shape::Text, need: Need::Optional, doc: "As given." },
    Field { name: "batchLabel", shape: Shape::Text, need: Need::Optional, doc: "As given." },
    Field {
        name: "status",
        shape: Shape::Text,
        need: Need::Optional,
        doc: "applied, or proposed; absent when nothing was stored.",
    },
    Field {
        name: "files",
        shape: Shape::List(&Shape::Record(FILE_ANSWER)),
        need: Need::Required,
        doc: "The files that change, in the order of the call.",
    },
    Field {
        name: "unchanged",
        shape: Shape::Flag,
        need: Need::Optional,
        doc: "True when every file already was as asked for.",
    },
    DRY,
    CONCURRENCY,
];

const FILE_ANSWER: &[Field] = &[
    Field { name: "filePatchId", shape: Shape::Text, need: Need::Optional, doc: "The id of this file's part." },
    Field { name: "fileKey", shape: Shape::Text, need: Need::Optional, doc: "As given." },
    Field { name: "fileLabel", shape: Shape::Text, need: Need::Optional, doc: "As given." },
    Field { name: "docPath", shape: Shape::Text, need: Need::Required, doc: "As given." },
    Field {
        name: "path",
        shape: Shape::Text,
        need: Need::Required,
        doc: "The file as it is really spelt, where links lead.",
    },
    Field { name: "originalSha256", shape: Shape::Text, need: Need::Required, doc: "Its hash before." },
    Field {
        name: "newSha256",
        shape: Shape::Text,
        need: Need::Optional,
        doc: "Its hash after the change. Use it as originalSha256 of the next change, but not while this one is only proposed or was a dry run.",
    },
    DIFF,
    DIFF_TRUNCATED,
    Field {
        name: "changes",
        shape: Shape::List(&Shape::Record(CHANGE_ANSWER)),
        need: Need::Required,
        doc: "Its changes, in the order of the call.",
    },
];

const CHANGE_ANSWER: &[Field] = &[
    Field { name: "changeId", shape: Shape::Text, need: Need::Optional, doc: "The id of this change." },
    Field { name: "change", shape: Shape::Text, need: Need::Optional, doc: "Its short name, such as `b17.3`." },
    Field { name: "changeKey", shape: Shape::Text, need: Need::Optional, doc: "As given." },
    Field { name: "operation", shape: Shape::Text, need: Need::Required, doc: "insert, replace or delete." },
    Field { name: "description", shape: Shape::Text, need: Need::Optional, doc: "As given." },
    stored::SEVERITY,
    stored::CATEGORIES,
    stored::TAGS,
    Field { name: "afterLine", shape: Shape::Whole, need: Need::Optional, doc: "As given, of an insert." },
    Field { name: "startLine", shape: Shape::Whole, need: Need::Optional, doc: "As given, of a replace or delete." },
    Field { name: "endLine", shape: Shape::Whole, need: Need::Optional, doc: "As given, of a replace or delete." },
    Field {
        name: "expectedOriginalLines",
        shape: stored::TEXTS,
        need: Need::Optional,
        doc: "As given, of a replace or delete.",
    },
    Field { name: "newLines", shape: stored::TEXTS, need: Need::Optional, doc: "As given, of an insert or replace." },
    Field {
        name: "newStartLine",
        shape: Shape::Whole,
        need: Need::Required,
        doc: "The first of its lines in the new text; of a delete, the line that now stands there.",
    },
    Field { name: "newLineCount", shape: Shape::Whole, need: Need::Required, doc: "How many lines it brought." },
];

//! Fields of answers about stored batches: their files, their changes, and who made them. What the words mean is told
//! here once for every tool of the history.

use super::shape::{DIFF_TRUNCATED, Field, Need, Shape};

const fn must(name: &'static str, shape: Shape, doc: &'static str) -> Field {
    Field { name, shape, need: Need::Required, doc }
}

const fn may(name: &'static str, shape: Shape, doc: &'static str) -> Field {
    Field { name, shape, need: Need::Optional, doc }
}

pub(super) const TEXTS: Shape = Shape::List(&Shape::Text);

pub(super) const ID: Field = must("batchId", Shape::Text, "The batch's id.");
pub(super) const NAME: Field =
    must("batch", Shape::Text, "Its short name, such as `b17`, which every batchId argument takes too.");
pub(super) const KEY: Field = may("batchKey", Shape::Text, "The key that its caller gave it.");
pub(super) const LABEL: Field = may("batchLabel", Shape::Text, "What it is for, in its caller's words.");
pub(super) const MADE_BY: Field = must("tool", Shape::Text, "The tool that made it.");
pub(super) const TIME: Field = must("time", Shape::Text, "When it was made, RFC 3339 in UTC.");
pub(super) const SESSION: Field = must("sessionId", Shape::Text, "The session that made it.");
pub(super) const CLIENT: Field = must("client", Shape::Text, "The client that made it, with its version.");
pub(super) const ACTOR: Field =
    may("actor", Shape::Text, "On whose behalf, where the caller said so (`--as` at the command line).");
pub(super) const STATUS: Field = must(
    "status",
    Shape::Text,
    "proposed: waits for review; applied: in the files; rejected: dropped; conflicted: the files are no longer what it was made for; undone: taken back.",
);
pub(super) const UNDOES: Field = may("undoes", TEXTS, "Of an undo, the ids of the batches that it takes back.");
pub(super) const UNDOES_NAMES: Field = may("undoesBatches", TEXTS, "The same batches by their short names.");
pub(super) const REBASED: Field =
    may("rebased", Shape::Flag, "True when it was carried over to files that had changed since it was proposed.");
pub(super) const JOINED: Field =
    must("diff", Shape::Text, "The diffs of its files, one after the other, up to 64 KiB; each file has its own too.");

/// What was done to a file, and its names.
const DEED: Field = must("operation", Shape::Text, "create, update, delete, move or restore.");
const PATH: Field = must("path", Shape::Text, "The file; of a move, its old path.");
const TO: Field = may("to", Shape::Text, "Of a move, the new path.");

/// A file in a list of batches.
pub(super) const LISTED_FILE: &[Field] = &[DEED, PATH, TO, DOC_PATH, TO_DOC_PATH];

/// Who applied a proposal, and when.
pub(super) const APPLIER: &[Field] = &[
    must("sessionId", Shape::Text, "The session."),
    must("client", Shape::Text, "The client, with its version."),
    ACTOR,
    must("time", Shape::Text, "When, RFC 3339 in UTC."),
];

/// Who made a batch.
pub(super) const AUTHOR: &[Field] = &[
    must("sessionId", Shape::Text, "The session."),
    must("client", Shape::Text, "The client, with its version."),
    ACTOR,
];

/// The files of a batch with their changes.
pub(super) const FILES: Field =
    must("files", Shape::List(&Shape::Record(FILE)), "What it does to each file, change by change.");

/// The same where the lines of the changes are left out.
pub(super) const SETTLED_FILES: Field =
    must("files", Shape::List(&Shape::Record(SETTLED_FILE)), "What became of each file, change by change.");

const FILE_PATCH_ID: Field = must("filePatchId", Shape::Text, "The id of this file's part of the batch.");
const FILE_KEY: Field = may("fileKey", Shape::Text, "The key that the caller gave it.");
const FILE_LABEL: Field = may("fileLabel", Shape::Text, "What it is for, in the caller's words.");
const DOC_PATH: Field = may(
    "docPath",
    Shape::Text,
    "Its path in lower case: as a line patch named it; of other changes where the call named a file so, and to clients that are shown that dialect.",
);
const TO_DOC_PATH: Field = may("toDocPath", Shape::Text, "Of a move, the same of the new path.");
const BEFORE_SHA: Field = may("originalSha256", Shape::Text, "Its hash before; absent for a new file.");
const AFTER_SHA: Field = may("newSha256", Shape::Text, "Its hash after; absent when it is deleted.");
const FILE_DIFF: Field = must("diff", Shape::Text, "What changes, as a unified diff, cut at 64 KiB.");

const FILE: &[Field] = &[
    FILE_PATCH_ID,
    FILE_KEY,
    FILE_LABEL,
    DOC_PATH,
    DEED,
    PATH,
    TO,
    TO_DOC_PATH,
    BEFORE_SHA,
    AFTER_SHA,
    FILE_DIFF,
    DIFF_TRUNCATED,
    must("changes", Shape::List(&Shape::Record(CHANGE)), "Its changes, from the top of the file to its end."),
];

const SETTLED_FILE: &[Field] = &[
    Field {
        need: Need::Optional,
        doc: "The id of this file's part of the batch; absent for a dry run of an undo.",
        ..FILE_PATCH_ID
    },
    FILE_KEY,
    FILE_LABEL,
    DOC_PATH,
    DEED,
    PATH,
    TO,
    TO_DOC_PATH,
    BEFORE_SHA,
    AFTER_SHA,
    FILE_DIFF,
    DIFF_TRUNCATED,
    must("changes", Shape::List(&Shape::Record(SETTLED_CHANGE)), "Its changes, from the top of the file to its end."),
];

const CHANGE_ID: Field = must("changeId", Shape::Text, "The change's id; undo and apply_batch take it in changeIds.");
const CHANGE_NAME: Field = must("change", Shape::Text, "Its short name, such as `b17.3`, which changeIds takes too.");
const CHANGE_KEY: Field = may("changeKey", Shape::Text, "The key that the caller gave it.");
const CHANGE_DEED: Field = must(
    "operation",
    Shape::Text,
    "insert, replace or delete of lines; create, delete, move or restore of the whole file; mode where only its permission bits change.",
);
const DESCRIPTION: Field = may("description", Shape::Text, "What it is for, in the caller's words.");
pub(super) const SEVERITY: Field = may("severity", Shape::Text, "How much it matters, in the caller's words.");
pub(super) const CATEGORIES: Field = may("categories", TEXTS, "Which sorts of change it is, in the caller's words.");
pub(super) const TAGS: Field = may("tags", TEXTS, "The caller's further words for it.");
const CHANGE_STATUS: Field = must("status", Shape::Text, "Where the change stands; the words are those of a batch.");
const CHANGE_UNDOES: Field = may("undoes", TEXTS, "Of an undo, the ids of the changes that it takes back.");

const CHANGE_UNDOES_NAMES: Field = may("undoesChanges", TEXTS, "The same changes by their short names.");

const CHANGE: &[Field] = &[
    CHANGE_ID,
    CHANGE_NAME,
    CHANGE_KEY,
    CHANGE_DEED,
    DESCRIPTION,
    SEVERITY,
    CATEGORIES,
    TAGS,
    CHANGE_STATUS,
    CHANGE_UNDOES,
    CHANGE_UNDOES_NAMES,
    must("before", Shape::Record(LINES), "Its lines before."),
    must("after", Shape::Record(LINES), "Its lines after."),
    may(
        "expectedOriginalLines",
        TEXTS,
        "Of a replace or delete of lines, all lines before, as workspace_write_patch takes them; absent where the page does not have all of them.",
    ),
    may("newLines", TEXTS, "Of an insert or replace of lines, all lines after, likewise."),
];

const SETTLED_CHANGE: &[Field] = &[
    Field { need: Need::Optional, doc: "The change's id; absent for a dry run of an undo.", ..CHANGE_ID },
    Field { need: Need::Optional, ..CHANGE_NAME },
    CHANGE_KEY,
    CHANGE_DEED,
    DESCRIPTION,
    SEVERITY,
    CATEGORIES,
    TAGS,
    CHANGE_STATUS,
    CHANGE_UNDOES,
    CHANGE_UNDOES_NAMES,
    must("before", Shape::Record(SPAN), "Its lines before."),
    must("after", Shape::Record(SPAN), "Its lines after."),
];

const START: Field = must(
    "startLine",
    Shape::Whole,
    "The first, counted from 1; where there are none, the line before which they stand.",
);
const COUNT: Field = must("lineCount", Shape::Whole, "How many there are.");

const SPAN: &[Field] = &[START, COUNT];
const LINES: &[Field] = &[
    START,
    COUNT,
    may("lines", TEXTS, "What they say; absent when that is no longer kept, or is no text."),
    may("linesFrom", Shape::Whole, "The number of the first of `lines`, where earlier ones are on the pages before."),
    may("truncated", Shape::Flag, "True when `lines` does not have all of them: the rest is on other pages."),
];

/// What `undo`, `apply_batch` and `reject_batch` answer with, but for the meaning of `batchId`.
pub(super) const CHANGE_IDS: Field = must("changeIds", TEXTS, "The changes that were taken back, or applied.");
pub(super) const CHANGE_NAMES: Field = must("changes", TEXTS, "The same changes by their short names.");
pub(super) const DROPPED_NAMES: Field = may("droppedChanges", TEXTS, "The same changes by their short names.");

/// Whether there was nothing to do.
pub(super) const UNCHANGED: Field = may("unchanged", Shape::Flag, "True when there was nothing to do.");

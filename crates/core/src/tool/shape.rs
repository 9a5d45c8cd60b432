//! What a tool looks like from outside: the types of the table.

use super::{Args, Call, Group};
use crate::refusal::Refusal;

/// One tool, defined once.
#[derive(Debug)]
pub struct Tool {
    /// The name callers use.
    pub name: &'static str,
    /// A short title for people.
    pub title: &'static str,
    /// What it does and how to use it well, written for a model.
    pub description: &'static str,
    /// The arguments.
    pub parameters: &'static [Param],
    /// The fields of `data` in a successful answer.
    pub answer: &'static [Field],
    /// Calls that work.
    pub examples: &'static [Example],
    /// What it does to files.
    pub effect: Effect,
    /// What a second, equal call does.
    pub repeat: Repeat,
    /// The groups it belongs to; a server shows tools by group.
    pub groups: &'static [Group],
    /// Arguments that fit the parameters, as a typed call.
    pub read: fn(&Args) -> Result<Call, Refusal>,
}

impl Tool {
    /// Does the tool itself tell of arguments that do not fit, beside everything else that stands against
    /// the call? Others are not called with such arguments.
    pub fn tells_all(&self) -> bool {
        self.is_in(Group::Lines) && self.effect == Effect::Changes
    }

    /// Is it one of this group?
    pub fn is_in(&self, group: Group) -> bool {
        self.groups.contains(&group)
    }
}

/// One argument, or one field of a record.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// Its name.
    pub name: &'static str,
    /// What it may hold.
    pub kind: ParamKind,
    /// Whether it must be given.
    pub need: Need,
    /// What it means, written for a model.
    pub doc: &'static str,
}

/// What an argument may hold.
#[derive(Clone, Copy, Debug)]
pub enum ParamKind {
    /// Text; may be empty.
    Text,
    /// Text that is never empty.
    Word,
    /// Text that may be empty, or null where there is none.
    TextOrNull,
    /// Anything; it is not looked at.
    Ignored,
    /// The lower-case name of something in the workspace, never empty.
    DocPath(DocSort),
    /// True or false.
    Flag,
    /// A whole number within these bounds.
    Whole(i64, i64),
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A list that may be empty.
    List(&'static ParamKind),
    /// A list with at least one element.
    Some(&'static ParamKind),
    /// An object with these fields.
    Record(&'static [Param]),
    /// An object with keys of the caller's choice, each with such a value.
    Map(&'static ParamKind),
}

/// What a `docPath` is to name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocSort {
    /// A file, or what the record knows of one.
    File,
    /// A folder.
    Folder,
    /// Something that is to be.
    New,
}

/// Whether an argument must be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Without it there is no call.
    Required,
    /// Without it, or the field of this older name, there is no call.
    Unless(&'static str),
    /// It may be left out.
    Optional,
    /// Left out, it is this JSON value.
    Default(&'static str),
    /// It may be left out, and is not shown to models: taken and documented like any other, but rarely needed.
    Unlisted,
    /// The same; given, it takes the place of the argument of this name, which then need not be.
    InPlaceOf(&'static str),
}

/// One field of an answer.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub shape: Shape,
    /// Is it in every answer?
    pub need: Need,
    /// What it means.
    pub doc: &'static str,
}

impl Need {
    /// Is it, as a rule, not to be left out?
    pub fn is_required(self) -> bool {
        matches!(self, Need::Required | Need::Unless(_))
    }

    /// Is it shown to models?
    pub fn is_listed(self) -> bool {
        !matches!(self, Need::Unlisted | Need::InPlaceOf(_))
    }
}

/// What a field of an answer holds.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// Text.
    Text,
    /// True or false.
    Flag,
    /// A whole number.
    Whole,
    /// A list.
    List(&'static Shape),
    /// An object.
    Record(&'static [Field]),
}

/// A call that works, for the documentation.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// What it is for.
    pub about: &'static str,
    /// The arguments, as JSON text.
    pub arguments: &'static str,
}

/// What a tool does to files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing.
    Looks,
    /// Adds something and touches nothing that was there.
    Adds,
    /// Changes or removes something that was there.
    Changes,
}

/// What a second, equal call does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeat {
    /// Nothing more than the first.
    Harmless,
    /// Something else: it fails, or changes more.
    Different,
}

/// The batch of a call.
pub(super) const BATCH_ID: Field = Field {
    name: "batchId",
    shape: Shape::Text,
    need: Need::Optional,
    doc: "Under this id the change, or the proposal, is on record; absent when there was nothing to do.",
};

/// The same batch by its short name.
pub(super) const BATCH: Field = Field {
    name: "batch",
    shape: Shape::Text,
    need: Need::Optional,
    doc: "Its short name, such as `b17`, which every batchId argument takes too.",
};

/// Whether it was a dry run.
pub(super) const DRY_RUN: Field = Field {
    name: "dryRun",
    shape: Shape::Flag,
    need: Need::Optional,
    doc: "True when nothing was carried out because dryRun was set.",
};

/// What became of a change that is only proposed.
pub(super) const STATUS: Field = Field {
    name: "status",
    shape: Shape::Text,
    need: Need::Optional,
    doc: "`proposed` when mode was \"propose\": no file has changed yet; apply_batch with this batchId carries it out, reject_batch drops it.",
};

/// How foreign writers were dealt with.
pub(super) const CONCURRENCY: Field = Field {
    name: "concurrency",
    shape: Shape::Text,
    need: Need::Optional,
    doc: "verified: no other program's save was lost; checked: this file system can only check for them.",
};

/// What changed.
pub(super) const DIFF: Field = Field {
    name: "diff",
    shape: Shape::Text,
    need: Need::Required,
    doc: "What changed, as a unified diff, cut at 64 KiB.",
};

/// Whether the diff was cut.
pub(super) const DIFF_TRUNCATED: Field =
    Field { name: "diffTruncated", shape: Shape::Flag, need: Need::Optional, doc: "True when the diff was cut." };

/// The lower-case name of what an answer lists, where line patches are spoken.
pub(super) const LISTED_DOC_PATH: Field = Field {
    name: "docPath",
    shape: Shape::Text,
    need: Need::Optional,
    doc: "Its path in lower case, as line patches name files; given where the call named a file so, and to clients that are shown that dialect.",
};

/// The fields of `data` that every tool which changes one file answers with.
pub(super) const CHANGED: &[Field] = &[
    Field { name: "path", shape: Shape::Text, need: Need::Required, doc: "The file, relative to the workspace." },
    Field {
        name: "beforeSha256",
        shape: Shape::Text,
        need: Need::Optional,
        doc: "Its hash before; absent for a new file.",
    },
    Field {
        name: "afterSha256",
        shape: Shape::Text,
        need: Need::Optional,
        doc: "Its hash now; absent when it was deleted. Use it as expectedSha256 of the next change.",
    },
    Field {
        name: "sizeBytes",
        shape: Shape::Whole,
        need: Need::Required,
        doc: "Its size in bytes; of a folder, that of all files in it.",
    },
    Field {
        name: "files",
        shape: Shape::Whole,
        need: Need::Optional,
        doc: "Of a folder: how many files and links went with it.",
    },
    Field {
        name: "folders",
        shape: Shape::Whole,
        need: Need::Optional,
        doc: "Of a folder: how many folders, itself included.",
    },
    DIFF,
    DIFF_TRUNCATED,
    BATCH_ID,
    BATCH,
    STATUS,
    Field {
        name: "unchanged",
        shape: Shape::Flag,
        need: Need::Optional,
        doc: "True when the file already was as asked for.",
    },
    DRY_RUN,
    CONCURRENCY,
    Field {
        name: "trashId",
        shape: Shape::Text,
        need: Need::Optional,
        doc: "The trash entry of what was removed or replaced; restore_file brings it back.",
    },
];

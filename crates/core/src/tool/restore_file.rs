//! `restore_file`: back from the trash, never over something that is there.

use super::shape::CHANGED;
use super::shared::{DRY_RUN, IDEMPOTENCY_KEY, MODE, NEW_DOC_PATH, Shared, file_path};
use super::{Args, Call, Effect, Example, Group, Need, Param, ParamKind, Repeat, Tool};
use crate::refusal::Refusal;

/// The arguments of `restore_file`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RestoreFile {
    /// Which trash entry.
    pub trash_id: String,
    /// Where to put it, as the caller spelt it; where it was, if not given.
    pub target_path: Option<String>,
    /// What every changing call shares.
    pub shared: Shared,
}

impl RestoreFile {
    /// A trash entry back to where it was.
    pub fn new(trash_id: impl Into<String>) -> RestoreFile {
        RestoreFile { trash_id: trash_id.into(), target_path: None, shared: Shared::default() }
    }
}

pub(super) const TOOL: Tool = Tool {
    name: "restore_file",
    title: "Restore a file from the trash",
    description: "Bring a file back from the trash, to where it was or to `targetPath`, with its bytes and mode. \
`trashId` comes from the answer of delete_file or move_file, or from list_trash. \
Fails with already_exists if something stands there by now: give another `targetPath`. The trash entry is used up.",
    parameters: &[
        Param { name: "trashId", kind: ParamKind::Word, need: Need::Required, doc: "The id of the trash entry." },
        Param {
            name: "targetPath",
            kind: ParamKind::Word,
            need: Need::Optional,
            doc: "Where to put the file, relative to the workspace root; where it was, if left out.",
        },
        Param {
            name: "targetDocPath",
            need: Need::InPlaceOf("targetPath"),
            doc: "In place of `targetPath`: a path in lower case, in the folder that this means.",
            ..NEW_DOC_PATH
        },
        DRY_RUN,
        IDEMPOTENCY_KEY,
        MODE,
    ],
    answer: CHANGED,
    examples: &[Example {
        about: "beside what is there now",
        arguments: r#"{"trashId": "0198c0de-0000-7000-8000-000000000000", "targetPath": "src/old.recovered.rs"}"#,
    }],
    effect: Effect::Adds,
    repeat: Repeat::Different,
    group: Group::Trash,
    read,
};

fn read(args: &Args) -> Result<Call, Refusal> {
    Ok(Call::RestoreFile(RestoreFile {
        trash_id: args.text("trashId")?,
        target_path: args.word("targetPath").map(|_| file_path(args, "targetPath")).transpose()?,
        shared: Shared::read(args)?,
    }))
}

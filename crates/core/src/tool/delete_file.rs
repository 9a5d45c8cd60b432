//! `delete_file`: into the trash, with proof of sight.

use super::read_file::PATH;
use super::shape::CHANGED;
use super::shared::{DOC_PATH, DRY_RUN, EXPECTED_BY_PATH, EXPECTED_SHA256, IDEMPOTENCY_KEY, MODE, Recursive, Shared};
use super::{Args, Call, Effect, Example, Group, Need, Param, ParamKind, Repeat, Tool};
use crate::digest::DigestPrefix;
use crate::refusal::Refusal;

/// The arguments of `delete_file`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeleteFile {
    /// The path as the caller spelt it.
    pub path: String,
    /// Proof of sight.
    pub expected: Option<DigestPrefix>,
    /// Is a folder meant with everything in it?
    pub recursive: Recursive,
    /// Proof of sight of what is in it, by path, as the caller spelt both.
    pub expected_by_path: Vec<(String, String)>,
    /// What every changing call shares.
    pub shared: Shared,
}

impl DeleteFile {
    /// A file into the trash; every option at its default.
    pub fn new(path: impl Into<String>) -> DeleteFile {
        DeleteFile {
            path: path.into(),
            expected: None,
            recursive: Recursive::No,
            expected_by_path: Vec::new(),
            shared: Shared::default(),
        }
    }
}

pub(super) const TOOL: Tool = Tool {
    name: "delete_file",
    title: "Delete a file",
    description: "Move a file to the trash. Read it first and pass its sha256 as `expectedSha256`. \
Keep `trashId` of the answer: restore_file brings the file back with it. Of a symbolic link the link itself is deleted, not what it points to. A folder is deleted only with `recursive`.",
    parameters: &[
        PATH,
        DOC_PATH,
        EXPECTED_SHA256,
        Param {
            name: "recursive",
            kind: ParamKind::Flag,
            need: Need::Unlisted,
            doc: "Delete a folder with everything in it, under one `trashId`. Every file and link in it needs proof: `expectedSha256ByPath`, or list_directory with recursive, includeHidden and hashes in this session.",
        },
        EXPECTED_BY_PATH,
        DRY_RUN,
        IDEMPOTENCY_KEY,
        MODE,
    ],
    answer: CHANGED,
    examples: &[Example { about: "a file this session has read", arguments: r#"{"path": "src/old.rs"}"# }],
    effect: Effect::Changes,
    repeat: Repeat::Different,
    groups: &[Group::Strings, Group::Anchors],
    read,
};

fn read(args: &Args) -> Result<Call, Refusal> {
    Ok(Call::DeleteFile(DeleteFile {
        path: args.text("path")?,
        expected: args.sha256("expectedSha256")?,
        recursive: Recursive::read(args),
        expected_by_path: args.texts_by_key("expectedSha256ByPath"),
        shared: Shared::read(args)?,
    }))
}

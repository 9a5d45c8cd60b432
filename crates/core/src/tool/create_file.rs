//! `create_file`: a new file, never over one that is there.

use super::read_file::PATH;
use super::shape::CHANGED;
use super::shared::{DRY_RUN, IDEMPOTENCY_KEY, MODE, NEW_DOC_PATH, NEWLINE, Shared, charset, file_path, newline};
use super::{Args, Call, Effect, Example, Group, Need, Param, ParamKind, Repeat, Tool};
use crate::intent::Parents;
use crate::refusal::Refusal;
use crate::text::Terminator;
use crate::text::encoding::Charset;

/// The arguments of `create_file`.
#[derive(Clone, Debug, PartialEq)]
pub struct CreateFile {
    /// The path as the caller spelt it.
    pub path: String,
    /// Its text, as it shall stand there.
    pub content: String,
    /// Make missing folders?
    pub parents: Parents,
    /// The charset to write it in, where the caller names one.
    pub charset: Option<Charset>,
    /// How its lines end, where the caller says so.
    pub newline: Option<Terminator>,
    /// What every changing call shares.
    pub shared: Shared,
}

impl CreateFile {
    /// A new file with this text; every option at its default.
    pub fn new(path: impl Into<String>, content: impl Into<String>) -> CreateFile {
        CreateFile {
            path: path.into(),
            content: content.into(),
            parents: Parents::MustExist,
            charset: None,
            newline: None,
            shared: Shared::default(),
        }
    }
}

pub(super) const TOOL: Tool = Tool {
    name: "create_file",
    title: "Create a file",
    description: "Create a new file with the given text. Fails with already_exists if anything stands at `path`: use write_file or edit_file to change an existing file. \
The content is written as given, so end it with \\n if the file shall end in a newline. \
A missing folder is a refusal unless `createParentDirectories` is set. `afterSha256` of the answer serves as `expectedSha256` of the next change.",
    parameters: &[
        PATH,
        NEW_DOC_PATH,
        CONTENT,
        Param {
            name: "createParentDirectories",
            kind: ParamKind::Flag,
            need: Need::Default("false"),
            doc: "Make missing folders on the way.",
        },
        Param {
            name: "encoding",
            kind: ParamKind::Word,
            need: Need::Optional,
            doc: "The charset to write the file in, such as `windows-1252`; UTF-8 if left out.",
        },
        DRY_RUN,
        IDEMPOTENCY_KEY,
        MODE,
        NEWLINE,
    ],
    answer: CHANGED,
    examples: &[Example {
        about: "a new module in a new folder",
        arguments: r#"{"path": "src/net/retry.ts", "content": "export const RETRIES = 3;\n", "createParentDirectories": true}"#,
    }],
    effect: Effect::Adds,
    repeat: Repeat::Different,
    group: Group::Files,
    read,
};

pub(super) const CONTENT: Param = Param {
    name: "content",
    kind: ParamKind::Text,
    need: Need::Required,
    doc: "The whole text of the file; may be empty.",
};

fn read(args: &Args) -> Result<Call, Refusal> {
    let parents = if args.flag("createParentDirectories") == Some(true) { Parents::Create } else { Parents::MustExist };
    Ok(Call::CreateFile(CreateFile {
        path: file_path(args, "path")?,
        content: args.text("content")?,
        parents,
        charset: charset(args)?,
        newline: newline(args),
        shared: Shared::read(args)?,
    }))
}

//! `create_file`: a new file, never over one that is there.

use super::read_file::PATH;
use super::shape::CHANGED;
use super::shared::{
    DRY_RUN, EXECUTABLE, IDEMPOTENCY_KEY, MODE, NEW_DOC_PATH, NEWLINE, Shared, charset, executable, file_path, newline,
};
use super::{Args, Call, Effect, Example, Group, Need, Param, ParamKind, Repeat, Tool};
use crate::intent::{Executable, Parents};
use crate::path::PATH_MAX;
use crate::refusal::{Expected, Refusal};
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
    /// The target of a symbolic link, which is made instead of a file; then there is no content.
    pub link_target: Option<String>,
    /// Whether it shall be executable, where the caller says.
    pub executable: Option<Executable>,
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
            link_target: None,
            executable: None,
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
        Param { need: Need::Unless("linkTarget"), ..CONTENT },
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
        LINK_TARGET,
        EXECUTABLE,
    ],
    answer: CHANGED,
    examples: &[Example {
        about: "a new module in a new folder",
        arguments: r#"{"path": "src/net/retry.ts", "content": "export const RETRIES = 3;\n", "createParentDirectories": true}"#,
    }],
    effect: Effect::Adds,
    repeat: Repeat::Different,
    groups: &[Group::Strings, Group::Anchors],
    read,
};

pub(super) const CONTENT: Param = Param {
    name: "content",
    kind: ParamKind::Text,
    need: Need::Required,
    doc: "The whole text of the file; may be empty.",
};

const LINK_TARGET: Param = Param {
    name: "linkTarget",
    kind: ParamKind::Word,
    need: Need::Unlisted,
    doc: "Makes a symbolic link with this target instead of a file; `content` is then left out. Relative to the link's own folder, and it must stay in the workspace and out of places that the policy closes, through all links on the way; `..` stands only at its start. It need not be there yet. A link that would lead outside from another place is not moved or restored there. To change a link, delete it and create it anew. The sha256 of a link is that of its target text.",
};

/// The target of a link, if one is to be made.
fn link_target(args: &Args) -> Result<Option<String>, Refusal> {
    let Some(target) = args.word("linkTarget") else { return Ok(None) };
    for other in ["content", "encoding", "executable", "newline"] {
        if args.value(other).is_some() {
            return Err(Refusal::argument(other, Expected::Without("linkTarget"), "something"));
        }
    }
    let wrong = |expected, got| Err(Refusal::argument("linkTarget", expected, got));
    match target {
        target if target.contains('\0') => wrong(Expected::WithoutNul, "text with one".to_owned()),
        target if target.len() > PATH_MAX => wrong(Expected::BytesAtMost(PATH_MAX), format!("{} bytes", target.len())),
        target => Ok(Some(target.to_owned())),
    }
}

fn read(args: &Args) -> Result<Call, Refusal> {
    let parents = if args.flag("createParentDirectories") == Some(true) { Parents::Create } else { Parents::MustExist };
    let link_target = link_target(args)?;
    Ok(Call::CreateFile(CreateFile {
        path: file_path(args, "path")?,
        content: if link_target.is_some() { String::new() } else { args.text("content")? },
        parents,
        charset: charset(args)?,
        newline: newline(args),
        link_target,
        executable: executable(args),
        shared: Shared::read(args)?,
    }))
}

//! `write_file`: new text for a whole file that is there and that the caller has seen.

use super::create_file::CONTENT;
use super::read_file::PATH;
use super::shape::CHANGED;
use super::shared::{
    DOC_PATH, DRY_RUN, ENCODING, EXECUTABLE, EXPECTED_SHA256, IDEMPOTENCY_KEY, MODE, Shared, charset, executable,
};
use super::{Args, Call, Effect, Example, Group, Need, Param, ParamKind, Repeat, Tool};
use crate::digest::DigestPrefix;
use crate::intent::{Executable, Newline};
use crate::refusal::Refusal;
use crate::text::encoding::Charset;

/// The arguments of `write_file`.
#[derive(Clone, Debug, PartialEq)]
pub struct WriteFile {
    /// The path as the caller spelt it.
    pub path: String,
    /// The new text.
    pub content: String,
    /// Proof of sight.
    pub expected: Option<DigestPrefix>,
    /// How line ends are written.
    pub newline: Newline,
    /// The charset, where the caller names one.
    pub charset: Option<Charset>,
    /// Whether it shall be executable, where the caller says.
    pub executable: Option<Executable>,
    /// What every changing call shares.
    pub shared: Shared,
}

impl WriteFile {
    /// New content for a file; every option at its default.
    pub fn new(path: impl Into<String>, content: impl Into<String>) -> WriteFile {
        WriteFile {
            path: path.into(),
            content: content.into(),
            expected: None,
            newline: Newline::Preserve,
            charset: None,
            executable: None,
            shared: Shared::default(),
        }
    }
}

pub(super) const TOOL: Tool = Tool {
    name: "write_file",
    title: "Overwrite a file",
    description: "Replace the whole text of an existing file. Read it first and pass its sha256 as `expectedSha256`; if someone changed the file meanwhile the call fails with stale_file and nothing is lost. \
For a change of a few lines edit_file is shorter and safer; for a file that does not exist yet use create_file. \
Write \\n for line ends: with `newline: \"preserve\"` the file keeps its own line ends, byte-order mark and encoding. \
What was there before can be brought back.",
    parameters: &[
        PATH,
        DOC_PATH,
        CONTENT,
        EXPECTED_SHA256,
        Param {
            name: "newline",
            kind: ParamKind::Choice(&["preserve", "verbatim"]),
            need: Need::Default("\"preserve\""),
            doc: "`preserve` keeps the file's line ends, byte-order mark and encoding; `verbatim` writes the content byte for byte as UTF-8.",
        },
        ENCODING,
        DRY_RUN,
        IDEMPOTENCY_KEY,
        MODE,
        EXECUTABLE,
    ],
    answer: CHANGED,
    examples: &[Example {
        about: "new content, with proof of the old",
        arguments: r#"{"path": "notes.md", "content": "Notes\n", "expectedSha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}"#,
    }],
    effect: Effect::Changes,
    repeat: Repeat::Harmless,
    groups: &[Group::Strings],
    read,
};

fn read(args: &Args) -> Result<Call, Refusal> {
    let newline = if args.word("newline") == Some("verbatim") { Newline::Verbatim } else { Newline::Preserve };
    Ok(Call::WriteFile(WriteFile {
        path: args.text("path")?,
        content: args.text("content")?,
        expected: args.sha256("expectedSha256")?,
        newline,
        charset: charset(args)?,
        executable: executable(args),
        shared: Shared::read(args)?,
    }))
}

//! `move_file`: another name or folder; over something else only when asked, and with proof of both.

use super::shape::CHANGED;
use super::shared::{
    DOC_PATH, DRY_RUN, EXPECTED_BY_PATH, EXPECTED_SHA256, IDEMPOTENCY_KEY, MODE, NEW_DOC_PATH, Recursive, Shared,
    file_path,
};
use super::{Args, Call, Effect, Example, Group, Need, Param, ParamKind, Repeat, Tool};
use crate::digest::DigestPrefix;
use crate::intent::Onto;
use crate::refusal::Refusal;

/// The arguments of `move_file`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveFile {
    /// The old path as the caller spelt it.
    pub from: String,
    /// The new path as the caller spelt it.
    pub to: String,
    /// Proof of sight of the file that moves.
    pub expected: Option<DigestPrefix>,
    /// What to do about something that stands at the new path.
    pub onto: Onto,
    /// Proof of sight of what stands there.
    pub expected_target: Option<DigestPrefix>,
    /// Is a folder meant with everything in it?
    pub recursive: Recursive,
    /// Proof of sight of what is in it, by path, as the caller spelt both.
    pub expected_by_path: Vec<(String, String)>,
    /// What every changing call shares.
    pub shared: Shared,
}

impl MoveFile {
    /// Another name for a file; every option at its default.
    pub fn new(from: impl Into<String>, to: impl Into<String>) -> MoveFile {
        MoveFile {
            from: from.into(),
            to: to.into(),
            expected: None,
            onto: Onto::Nothing,
            expected_target: None,
            recursive: Recursive::No,
            expected_by_path: Vec::new(),
            shared: Shared::default(),
        }
    }
}

pub(super) const TOOL: Tool = Tool {
    name: "move_file",
    title: "Move or rename a file",
    description: "Move a file to another path, bytes and mode unchanged. Read it first and pass its sha256 as `expectedSha256`. \
Fails with already_exists if something stands at `toPath`, unless `overwrite` is set; then that file needs proof too (`expectedTargetSha256`, or a read in this session) and goes to the trash under `trashId`. \
The folder of `toPath` must exist. Of a symbolic link the link itself moves. `path` of the answer is the new path.",
    parameters: &[
        Param {
            name: "fromPath",
            kind: ParamKind::Word,
            need: Need::Required,
            doc: "The file to move, relative to the workspace root.",
        },
        Param { name: "toPath", kind: ParamKind::Word, need: Need::Required, doc: "Its new path, file name included." },
        Param {
            name: "fromDocPath",
            need: Need::InPlaceOf("fromPath"),
            doc: "In place of `fromPath`: the file's path in lower case.",
            ..DOC_PATH
        },
        Param {
            name: "toDocPath",
            need: Need::InPlaceOf("toPath"),
            doc: "In place of `toPath`: its new path in lower case, in the folder that this means.",
            ..NEW_DOC_PATH
        },
        EXPECTED_SHA256,
        Param {
            name: "overwrite",
            kind: ParamKind::Flag,
            need: Need::Default("false"),
            doc: "Replace a file that stands at `toPath`; it goes to the trash.",
        },
        Param {
            name: "expectedTargetSha256",
            kind: ParamKind::Text,
            need: Need::Optional,
            doc: "With `overwrite`: the `sha256` that read_file gave for the file at `toPath`.",
        },
        Param {
            name: "recursive",
            kind: ParamKind::Flag,
            need: Need::Unlisted,
            doc: "Move a folder with everything in it. Nothing may stand at `toPath`. Every file and link in it needs proof: `expectedSha256ByPath`, or list_directory with recursive, includeHidden and hashes in this session.",
        },
        EXPECTED_BY_PATH,
        DRY_RUN,
        IDEMPOTENCY_KEY,
        MODE,
    ],
    answer: CHANGED,
    examples: &[Example {
        about: "rename a file this session has read",
        arguments: r#"{"fromPath": "src/util.ts", "toPath": "src/strings.ts"}"#,
    }],
    effect: Effect::Changes,
    repeat: Repeat::Different,
    groups: &[Group::Strings, Group::Anchors],
    read,
};

fn read(args: &Args) -> Result<Call, Refusal> {
    let onto = if args.flag("overwrite") == Some(true) { Onto::Replace } else { Onto::Nothing };
    Ok(Call::MoveFile(MoveFile {
        from: args.text("fromPath")?,
        to: file_path(args, "toPath")?,
        expected: args.sha256("expectedSha256")?,
        onto,
        expected_target: args.sha256("expectedTargetSha256")?,
        recursive: Recursive::read(args),
        expected_by_path: args.texts_by_key("expectedSha256ByPath"),
        shared: Shared::read(args)?,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refusal::{Expected, Why};
    use crate::tool::Value;

    fn check(fields: &[(&str, Value)], want: Result<Onto, (&str, Expected)>) {
        let paths = [("fromPath", Value::Text("a".into())), ("toPath", Value::Text("b".into()))];
        let args = fields.iter().chain(&paths).map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        let got = read(&Args::new(args)).map(|call| match call {
            Call::MoveFile(call) => call.onto,
            other => panic!("{other:?}"),
        });
        let want = want.map_err(|(at, expected)| (at.to_owned(), expected));
        let got = got.map_err(|refusal| match refusal.why {
            Why::Arguments(faults) => (faults[0].at.clone(), faults[0].expected.clone()),
            other => panic!("{other:?}"),
        });
        assert_eq!(got, want, "{fields:?}");
    }

    #[test]
    fn arguments() {
        check(&[], Ok(Onto::Nothing));
        check(&[("overwrite", Value::Flag(true))], Ok(Onto::Replace));
        check(&[("expectedSha256", Value::Text("e3".into()))], Err(("expectedSha256", Expected::Sha256Start)));
        check(
            &[("expectedTargetSha256", Value::Text("".into()))],
            Err(("expectedTargetSha256", Expected::Sha256Start)),
        );
        check(&[("toPath", Value::Text("dir/".into()))], Err(("toPath", Expected::FilePath)));
        check(&[("mode", Value::Text("apply".into())), ("dryRun", Value::Flag(true))], Ok(Onto::Nothing));
    }
}

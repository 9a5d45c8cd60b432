//! `apply_patch`: one text that adds, updates, deletes and moves any number of files, all or none.

use super::shape::{BATCH, BATCH_ID, CONCURRENCY, DIFF, DIFF_TRUNCATED, DRY_RUN as DRY_RUN_SAID, STATUS};
use super::shared::{DRY_RUN, ENCODING, IDEMPOTENCY_KEY, MODE, NEWLINE, Shared, charset, newline};
use super::{Args, Call, Effect, Example, Field, Group, Need, Param, ParamKind, Repeat, Shape, Tool};
use crate::conventions::Conventions;
use crate::intent::Parents;
use crate::refusal::{Expected, Refusal};
use crate::text::Terminator;
use crate::text::encoding::Charset;

/// The arguments of `apply_patch`.
#[derive(Clone, Debug, PartialEq)]
pub struct ApplyPatch {
    /// The envelope.
    pub patch: String,
    /// What files must be like, by path, as the caller spelt both.
    pub expected: Vec<(String, String)>,
    /// All sections or none, or one by one?
    pub atomic: Atomic,
    /// Which tool's reading of the patch, where the caller says.
    pub conventions: Option<Conventions>,
    /// Make missing folders on the way?
    pub parents: Parents,
    /// The charset, where the caller names one.
    pub charset: Option<Charset>,
    /// The charsets of single files, by path as the caller spelt it.
    pub charsets: Vec<(String, Charset)>,
    /// How lines of added files end, where the caller says so.
    pub newline: Option<Terminator>,
    /// What every changing call shares.
    pub shared: Shared,
}

/// How the sections of a patch hang together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Atomic {
    /// All or none.
    #[default]
    Whole,
    /// One by one in order, until one fails.
    Sections,
}

impl ApplyPatch {
    /// A patch; every option at its default.
    pub fn new(patch: impl Into<String>) -> ApplyPatch {
        ApplyPatch {
            patch: patch.into(),
            expected: Vec::new(),
            atomic: Atomic::Whole,
            conventions: None,
            parents: Parents::MustExist,
            charset: None,
            charsets: Vec::new(),
            newline: None,
            shared: Shared::default(),
        }
    }
}

pub(super) const TOOL: Tool = Tool {
    name: "apply_patch",
    title: "Apply a patch to many files",
    description: "Add, update, delete and move any number of files with one text, the patch envelope. Everything is checked first; if anything does not fit, nothing is changed and the refusal says which line to mend.\n\
\n\
The envelope begins with `*** Begin Patch`, ends with `*** End Patch`, and has one section per file between them:\n\
- `*** Add File: PATH`, then the new file's lines, each with `+` before it. (Last line: a newline follows it unless it is an empty `+` or the next line is `\\ No newline at end of file`.)\n\
- `*** Update File: PATH`, then hunks. Each hunk begins with `@@` on its own line; each line below it has one sign before it: a space for a line that is there and stays, `-` for one that goes, `+` for one that comes. No line numbers: text after `@@` is only a comment.\n\
- `*** Delete File: PATH`, without a body. The file goes to the trash.\n\
- `*** Move File: OLD -> NEW`, with hunks below it if the content changes too.\n\
\n\
A full example:\n\
*** Begin Patch\n\
*** Add File: src/clamp.ts\n\
+export const clamp = (n: number, lo: number, hi: number) =>\n\
+  Math.min(Math.max(n, lo), hi);\n\
*** Update File: src/index.ts\n\
@@\n \
import { foo } from \"./foo\";\n\
+import { clamp } from \"./clamp\";\n \n\
-export { foo };\n\
+export { foo, clamp };\n\
*** Delete File: src/legacy.ts\n\
*** Move File: docs/old-name.md -> docs/new-name.md\n\
@@\n\
-# Old name\n\
+# New name\n\
*** End Patch\n\
\n\
How to make it fit: copy context and `-` lines from read_file character by character, with their indentation after the sign. In each hunk they must stand in the file as whole lines exactly once: show as many neighbouring lines as it takes to be unique, usually 1 to 3. \
Hunks may come in any order; a later one sees what the earlier ones left. A file may have only one section. Paths are relative to the workspace. Folders must exist, unless createParentDirectories is set. \
Files keep their line ends, encoding, byte-order mark, mode, and whether they end in a newline (to change that, put `\\ No newline at end of file` under the last line). \
No proof of sight is needed: the context is the proof; expectedSha256ByPath adds a check.\n\
\n\
A unified diff (`diff --git` or `---` in its first line) is read as well: text files, plain modes, counts that are right. Its lines must stand in the file exactly once, too; its line numbers decide nothing.",
    parameters: &[
        Param {
            name: "patch",
            kind: ParamKind::Text,
            need: Need::Required,
            doc: "The envelope, from `*** Begin Patch` to `*** End Patch`; or a unified diff.",
        },
        Param {
            name: "expectedSha256ByPath",
            kind: ParamKind::Map(&ParamKind::Text),
            need: Need::Optional,
            doc: "Paths with the `sha256` that read_file gave for them; \"\" says that nothing must be there. Any mismatch refuses the patch. Paths that the patch does not touch are checked too.",
        },
        Param {
            name: "atomic",
            kind: ParamKind::Flag,
            need: Need::Default("true"),
            doc: "true: all sections or none. false: section by section in order, until one fails; what was done before stays, and the answer lists it.",
        },
        Param {
            name: "conventions",
            kind: ParamKind::Choice(&["strict", "codex"]),
            need: Need::Default("\"strict\""),
            doc: "`strict`: as described. `codex`: for patches written for that tool: text after @@ names a line, and the hunk lies in the block that begins there (several @@ lines nest), sections for one file are read one after the other, absolute paths inside the workspace are read, folders are made, Add and Move may replace a file (which goes to the trash), a hunk of `+` lines alone appends, every `+` line of an Add ends in a newline, padded markers and a heredoc around the patch are read. Matching is exact there too.",
        },
        Param {
            name: "createParentDirectories",
            kind: ParamKind::Flag,
            need: Need::Default("false"),
            doc: "Make missing folders for added and moved files.",
        },
        ENCODING,
        DRY_RUN,
        IDEMPOTENCY_KEY,
        MODE,
        Param {
            name: "encodingByPath",
            kind: ParamKind::Map(&ParamKind::Word),
            need: Need::Unlisted,
            doc: "Paths of the patch with the charset that each of these files is in, or is to be in; goes before `encoding`.",
        },
        Param {
            doc: "How the lines of added files end. Left out, as .gitattributes or .editorconfig say for the path, else as given.",
            ..NEWLINE
        },
    ],
    answer: PATCHED,
    examples: &[Example {
        about: "change one line",
        arguments: r#"{"patch": "*** Begin Patch\n*** Update File: src/server.ts\n@@\n import http from \"http\";\n-const PORT = 3000;\n+const PORT = 4000;\n*** End Patch\n"}"#,
    }],
    effect: Effect::Changes,
    repeat: Repeat::Different,
    groups: &[Group::Envelope],
    read,
};

const PATCHED: &[Field] = &[
    Field { name: "atomic", shape: Shape::Flag, need: Need::Required, doc: "As it was asked for." },
    Field {
        name: "hunkCount",
        shape: Shape::Whole,
        need: Need::Required,
        doc: "How many hunks the sections in changedFiles have.",
    },
    BATCH_ID,
    BATCH,
    STATUS,
    Field {
        name: "changedFiles",
        shape: Shape::List(&Shape::Record(CHANGED_FILE)),
        need: Need::Required,
        doc: "What was done, in the order of the patch.",
    },
    Field {
        name: "unchanged",
        shape: Shape::Flag,
        need: Need::Optional,
        doc: "True when everything already was as the patch wants it.",
    },
    DRY_RUN_SAID,
    CONCURRENCY,
];

const CHANGED_FILE: &[Field] = &[
    Field { name: "path", shape: Shape::Text, need: Need::Required, doc: "The file; of a move, its old path." },
    Field { name: "operation", shape: Shape::Text, need: Need::Required, doc: "add, update, delete or move." },
    Field { name: "toPath", shape: Shape::Text, need: Need::Optional, doc: "Of a move, the new path." },
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
        doc: "Its hash now; absent when it was deleted.",
    },
    DIFF,
    DIFF_TRUNCATED,
    Field {
        name: "trashId",
        shape: Shape::Text,
        need: Need::Optional,
        doc: "The trash entry of what was deleted or replaced; restore_file brings it back.",
    },
];

fn read(args: &Args) -> Result<Call, Refusal> {
    let choose = |name: &str, default: bool| args.flag(name).unwrap_or(default);
    Ok(Call::ApplyPatch(ApplyPatch {
        patch: args.text("patch")?,
        expected: args.texts_by_key("expectedSha256ByPath"),
        atomic: if choose("atomic", true) { Atomic::Whole } else { Atomic::Sections },
        conventions: args.word("conventions").and_then(Conventions::find),
        parents: if choose("createParentDirectories", false) { Parents::Create } else { Parents::MustExist },
        charset: charset(args)?,
        charsets: charsets(args)?,
        newline: newline(args),
        shared: Shared::read(args)?,
    }))
}

fn charsets(args: &Args) -> Result<Vec<(String, Charset)>, Refusal> {
    let read = |(path, label): (String, String)| match Charset::from_label(&label) {
        Some(charset) => Ok((path, charset)),
        None => Err(Refusal::argument(format!("encodingByPath.{path}"), Expected::Charset, format!("{label:?}"))),
    };
    args.texts_by_key("encodingByPath").into_iter().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::Value;

    fn check(fields: &[(&str, Value)], want: &ApplyPatch) {
        let mut args: Vec<(String, Value)> = vec![("patch".into(), Value::Text("p".into()))];
        args.extend(fields.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
        assert_eq!(read(&Args::new(args)), Ok(Call::ApplyPatch(want.clone())), "{fields:?}");
    }

    #[test]
    fn arguments() {
        let plain = ApplyPatch::new("p");
        check(&[], &plain);
        check(
            &[("atomic", Value::Flag(true)), ("conventions", Value::Text("strict".into()))],
            &ApplyPatch { conventions: Some(Conventions::Strict), ..plain.clone() },
        );
        check(&[("atomic", Value::Flag(false))], &ApplyPatch { atomic: Atomic::Sections, ..plain.clone() });
        check(
            &[("conventions", Value::Text("codex".into())), ("createParentDirectories", Value::Flag(true))],
            &ApplyPatch { conventions: Some(Conventions::Codex), parents: Parents::Create, ..plain.clone() },
        );
        let map = Args::new(vec![("a".into(), Value::Text("".into())), ("b".into(), Value::Text("ff".into()))]);
        let expected = vec![("a".to_owned(), String::new()), ("b".to_owned(), "ff".to_owned())];
        check(&[("expectedSha256ByPath", Value::Record(map))], &ApplyPatch { expected, ..plain });
    }
}

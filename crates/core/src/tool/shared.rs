//! Arguments that every changing tool takes.

use super::{Args, DocSort, Need, Param, ParamKind};
use crate::intent::Executable;
use crate::refusal::{Expected, Refusal};
use crate::text::encoding::Charset;
use crate::text::{FinalNewline, Terminator};

/// The shared arguments of a changing call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shared {
    /// Carry it out, or only tell what would happen?
    pub run: Run,
    /// Makes a repeated call harmless.
    pub idempotency_key: Option<String>,
}

/// How far a changing call goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Run {
    /// To the end.
    #[default]
    Apply,
    /// Up to the plan: the same answer, nothing changed.
    Dry,
    /// The plan is stored for review.
    Propose,
}

pub(super) const DRY_RUN: Param = Param {
    name: "dryRun",
    kind: ParamKind::Flag,
    need: Need::Default("false"),
    doc: "Check everything and answer as if it were done, but change nothing.",
};

pub(super) const IDEMPOTENCY_KEY: Param = Param {
    name: "idempotencyKey",
    kind: ParamKind::Word,
    need: Need::Optional,
    doc: "A text of your choice that makes this call safe to repeat: if a call with the same key has already been carried out, its answer comes again with `replayed: true` and nothing changes.",
};

pub(super) const MODE: Param = Param {
    name: "mode",
    kind: ParamKind::Choice(&["apply", "propose"]),
    need: Need::Default("\"apply\""),
    doc: "`apply` carries the change out. `propose` stores it for review and changes no file; apply_batch carries it out later, reject_batch drops it.",
};

pub(super) const ENCODING: Param = Param {
    name: "encoding",
    kind: ParamKind::Word,
    need: Need::Optional,
    doc: "The file's charset, such as `windows-1252` or `shift_jis`, when it is neither UTF-8 nor UTF-16 with a byte-order mark.",
};

pub(super) const EXPECTED_SHA256: Param = Param {
    name: "expectedSha256",
    kind: ParamKind::Text,
    need: Need::Optional,
    doc: "The `sha256` that your last `read_file` of this file gave: proof that you have seen its present bytes. May be left out if this session has read or written the file and nobody changed it since.",
};

/// How the lines of a new file end.
pub(super) const NEWLINE: Param = Param {
    name: "newline",
    kind: ParamKind::Choice(&["lf", "crlf"]),
    need: Need::Unlisted,
    doc: "How the lines of the new file end. Left out, as .gitattributes or .editorconfig say for the path, else as given.",
};

/// Whether a file ends in a newline.
pub(super) const FINAL_NEWLINE: Param = Param {
    name: "finalNewline",
    kind: ParamKind::Flag,
    need: Need::Unlisted,
    doc: "Whether the file ends in a newline afterwards; left out, it goes on ending as it did.",
};

/// A `docPath` in place of `path`, of a file that is there.
pub(super) const DOC_PATH: Param = Param {
    name: "docPath",
    kind: ParamKind::DocPath(DocSort::File),
    need: Need::InPlaceOf("path"),
    doc: "In place of `path`: the file's path in lower case, as line patches name files.",
};

/// The same of a file that is to be.
pub(super) const NEW_DOC_PATH: Param = Param { kind: ParamKind::DocPath(DocSort::New), ..DOC_PATH };

/// The same of a folder.
pub(super) const FOLDER_DOC_PATH: Param = Param {
    kind: ParamKind::DocPath(DocSort::Folder),
    doc: "In place of `path`: the folder's path in lower case.",
    ..DOC_PATH
};

/// The same in place of `root`.
pub(super) const ROOT_DOC_PATH: Param = Param {
    need: Need::InPlaceOf("root"),
    doc: "In place of `root`: the folder's path in lower case.",
    ..FOLDER_DOC_PATH
};

/// Whether a file may be run.
pub(super) const EXECUTABLE: Param = Param {
    name: "executable",
    kind: ParamKind::Flag,
    need: Need::Unlisted,
    doc: "Whether the file may be run as a program: `true` lets everybody run it who may read it, `false` nobody. Left out, a file keeps its mode. On record, and taken back by undo like any change.",
};

/// Whether the file shall be executable, if the caller says.
pub(super) fn executable(args: &Args) -> Option<Executable> {
    args.flag("executable").map(|yes| if yes { Executable::Yes } else { Executable::No })
}
/// Whether a folder is meant with everything in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Recursive {
    /// A folder is a refusal.
    #[default]
    No,
    /// Everything in it is meant.
    Yes,
}

impl Recursive {
    pub(super) fn read(args: &Args) -> Recursive {
        if args.flag("recursive") == Some(true) { Recursive::Yes } else { Recursive::No }
    }
}

pub(super) const EXPECTED_BY_PATH: Param = Param {
    name: "expectedSha256ByPath",
    kind: ParamKind::Map(&ParamKind::Text),
    need: Need::Unlisted,
    doc: "With `recursive`: every file and link in the folder with its `sha256`, that of a link being of its target text. A file may be left out if this session has read it, or listed it with list_directory and hashes: true, and nobody changed it since. Other paths are checked too; \"\" says that nothing must be there.",
};

/// The mode of tools that cannot be proposed.
pub(super) const MODE_APPLY: Param =
    Param { doc: "Only `apply`: this call itself cannot be stored for review.", ..MODE };

impl Shared {
    /// The same for tools that cannot be proposed.
    pub(super) fn read_now(args: &Args) -> Result<Shared, Refusal> {
        if args.word("mode") == Some("propose") {
            return Err(Refusal::argument("mode", Expected::NoProposal, "\"propose\""));
        }
        Shared::read(args)
    }

    pub(super) fn read(args: &Args) -> Result<Shared, Refusal> {
        let run = match (args.flag("dryRun").unwrap_or(false), args.word("mode")) {
            (true, _) => Run::Dry,
            (false, Some("propose")) => Run::Propose,
            (false, _) => Run::Apply,
        };
        Ok(Shared { run, idempotency_key: args.word("idempotencyKey").map(str::to_owned) })
    }
}

/// The charset a caller names, if any.
pub(super) fn charset(args: &Args) -> Result<Option<Charset>, Refusal> {
    let Some(label) = args.word("encoding") else { return Ok(None) };
    match Charset::from_label(label) {
        Some(charset) => Ok(Some(charset)),
        None => Err(Refusal::argument("encoding", Expected::Charset, format!("{label:?}"))),
    }
}

/// How the lines of a new file are to end, if the caller says so.
pub(super) fn newline(args: &Args) -> Option<Terminator> {
    match args.word("newline")? {
        "crlf" => Some(Terminator::CrLf),
        _ => Some(Terminator::Lf),
    }
}

/// Whether a file is to end in a newline.
pub(super) fn final_newline(args: &Args) -> FinalNewline {
    match args.flag("finalNewline") {
        Some(true) => FinalNewline::With,
        Some(false) => FinalNewline::Without,
        None => FinalNewline::Keep,
    }
}

/// The path of a file to be. A slash at its end would mean "into this folder", or nothing at all:
/// either would be a guess.
pub(super) fn file_path(args: &Args, name: &str) -> Result<String, Refusal> {
    let path = args.text(name)?;
    match path.ends_with('/') {
        true => Err(Refusal::argument(name, Expected::FilePath, format!("{path:?}"))),
        false => Ok(path),
    }
}

//! `restore_file`: back from the trash, or any version on record back under its name; never over something that is there.

use super::shape::CHANGED;
use super::shared::{DOC_PATH, DRY_RUN, IDEMPOTENCY_KEY, MODE, NEW_DOC_PATH, Shared, file_path};
use super::{Args, Call, Effect, Example, Group, Need, Param, ParamKind, Repeat, Tool};
use crate::refusal::{Expected, Refusal};

/// The arguments of `restore_file`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RestoreFile {
    /// What comes back.
    pub what: RestoreWhat,
    /// What every changing call shares.
    pub shared: Shared,
}

/// What comes back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RestoreWhat {
    /// What a trash entry holds.
    Trash {
        /// The entry.
        id: String,
        /// Where to put it, as the caller spelt it; where it was, if not given.
        target_path: Option<String>,
    },
    /// A version on record, under the name that it had.
    Version(FileVersion),
}

/// A version of a file on record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileVersion {
    /// The name that the file had in that version, as the caller spelt it.
    pub path: String,
    /// The batch: its id, a beginning of that, or its short name.
    pub batch: String,
    /// Before the batch, or after it?
    pub side: VersionSide,
}

/// On which side of a batch a version stood.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VersionSide {
    /// What the batch left.
    #[default]
    After,
    /// What the batch found.
    Before,
}

impl RestoreFile {
    /// A trash entry back to where it was.
    pub fn new(trash_id: impl Into<String>) -> RestoreFile {
        let what = RestoreWhat::Trash { id: trash_id.into(), target_path: None };
        RestoreFile { what, shared: Shared::default() }
    }

    /// A trash entry to another path.
    pub fn to(trash_id: impl Into<String>, path: impl Into<String>) -> RestoreFile {
        let what = RestoreWhat::Trash { id: trash_id.into(), target_path: Some(path.into()) };
        RestoreFile { what, shared: Shared::default() }
    }

    /// A version on record.
    pub fn version(version: FileVersion) -> RestoreFile {
        RestoreFile { what: RestoreWhat::Version(version), shared: Shared::default() }
    }
}

impl FileVersion {
    /// What a batch left of a file.
    pub fn after(path: impl Into<String>, batch: impl Into<String>) -> FileVersion {
        FileVersion { path: path.into(), batch: batch.into(), side: VersionSide::After }
    }

    /// What a batch found.
    pub fn before(path: impl Into<String>, batch: impl Into<String>) -> FileVersion {
        FileVersion { side: VersionSide::Before, ..FileVersion::after(path, batch) }
    }
}

pub(super) const TOOL: Tool = Tool {
    name: "restore_file",
    title: "Bring a file back",
    description: "Bring a file back, with its bytes and mode. From the trash: `trashId` (from the answer of delete_file or move_file, or from list_trash), to where it was or to `targetPath`; the entry is used up. \
Or any version on record that is gone from disk: `path` and `version`, a batch, as that batch left the file (`side: \"before\"`: as it found it). \
Fails with already_exists if something stands there by now: give another `targetPath`, or move away what is there.",
    parameters: &[
        Param { name: "trashId", kind: ParamKind::Word, need: Need::Optional, doc: "The id of the trash entry." },
        Param {
            name: "targetPath",
            kind: ParamKind::Word,
            need: Need::Optional,
            doc: "With `trashId`: where to put the file, relative to the workspace root; where it was, if left out.",
        },
        Param {
            name: "path",
            kind: ParamKind::Word,
            need: Need::Optional,
            doc: "With `version`: the name of the file in that version. A batch that moved it knows its old name before and its new one after.",
        },
        Param { doc: "In place of `path`: the file's path in lower case.", ..DOC_PATH },
        Param {
            name: "version",
            kind: ParamKind::Word,
            need: Need::Optional,
            doc: "With `path`: the batch, by its batchId, at least the first 8 digits of that, or a short name such as b17.",
        },
        Param {
            name: "side",
            kind: ParamKind::Choice(&["after", "before"]),
            need: Need::Optional,
            doc: "With `version`: the file as the batch left it (`after`, if nothing is said) or as it found it.",
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
    examples: &[
        Example {
            about: "beside what is there now",
            arguments: r#"{"trashId": "0198c0de-0000-7000-8000-000000000000", "targetPath": "src/old.recovered.rs"}"#,
        },
        Example {
            about: "what another program removed, as batch b17 left it",
            arguments: r#"{"path": "src/app.rs", "version": "b17"}"#,
        },
    ],
    effect: Effect::Adds,
    repeat: Repeat::Different,
    groups: &[Group::Trash],
    read,
};

/// The arguments that a trash entry has.
const OF_TRASH: &str = "trashId and targetPath";
/// The arguments that a version has.
const OF_VERSION: &str = "path, version and side";

fn read(args: &Args) -> Result<Call, Refusal> {
    Ok(Call::RestoreFile(RestoreFile { what: what(args)?, shared: Shared::read(args)? }))
}

fn what(args: &Args) -> Result<RestoreWhat, Refusal> {
    let given = |names: &[&'static str]| names.iter().copied().find(|name| args.word(name).is_some());
    let foreign = |name: &str, op, fields| Refusal::argument(name, Expected::OtherOperation { op, fields }, "given");
    match (given(&["trashId"]), given(&["path", "version", "side"])) {
        (Some(_), Some(name)) => Err(foreign(name, "a restore by trashId", OF_TRASH)),
        (Some(_), None) => Ok(RestoreWhat::Trash {
            id: args.text("trashId")?,
            target_path: args.word("targetPath").map(|_| file_path(args, "targetPath")).transpose()?,
        }),
        (None, Some(_)) => match given(&["targetPath"]) {
            Some(name) => Err(foreign(name, "a restore by path and version", OF_VERSION)),
            None => version(args).map(RestoreWhat::Version),
        },
        (None, None) => Err(Refusal::argument("", Expected::ExactlyOne(vec!["trashId", "path"]), "none of them")),
    }
}

fn version(args: &Args) -> Result<FileVersion, Refusal> {
    let side = if args.word("side") == Some("before") { VersionSide::Before } else { VersionSide::After };
    Ok(FileVersion { path: file_path(args, "path")?, batch: args.text("version")?, side })
}

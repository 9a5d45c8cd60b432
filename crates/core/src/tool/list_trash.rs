//! `list_trash`: what can be brought back.

use super::shape::LISTED_DOC_PATH;
use super::{Args, Call, Effect, Example, Field, Group, Need, Repeat, Shape, Tool};
use crate::refusal::Refusal;

/// The arguments of `list_trash`: none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListTrash;

pub(super) const TOOL: Tool = Tool {
    name: "list_trash",
    title: "List the trash",
    description: "List deleted and replaced files that restore_file can bring back, newest first: where each was, when it was deleted and by whom. Pass an entry's `trashId` to restore_file.",
    parameters: &[],
    answer: &[Field {
        name: "entries",
        shape: Shape::List(&Shape::Record(ENTRY)),
        need: Need::Required,
        doc: "What is in the trash, newest first.",
    }],
    examples: &[Example { about: "everything in the trash", arguments: "{}" }],
    effect: Effect::Looks,
    repeat: Repeat::Harmless,
    groups: &[Group::Trash],
    read,
};

const ENTRY: &[Field] = &[
    Field { name: "trashId", shape: Shape::Text, need: Need::Required, doc: "Its id." },
    Field { name: "path", shape: Shape::Text, need: Need::Required, doc: "Where it was, relative to the workspace." },
    LISTED_DOC_PATH,
    Field {
        name: "type",
        shape: Shape::Text,
        need: Need::Optional,
        doc: "`directory` for a folder, which comes back with everything that was in it.",
    },
    Field { name: "deletedAt", shape: Shape::Text, need: Need::Required, doc: "RFC 3339 in UTC." },
    Field {
        name: "sha256",
        shape: Shape::Text,
        need: Need::Optional,
        doc: "Of its bytes; of a link, of its target text; absent for a folder.",
    },
    Field {
        name: "sizeBytes",
        shape: Shape::Whole,
        need: Need::Required,
        doc: "Its size; of a folder, that of all files in it.",
    },
    Field {
        name: "files",
        shape: Shape::Whole,
        need: Need::Optional,
        doc: "Of a folder: how many files and links are in it.",
    },
    Field {
        name: "folders",
        shape: Shape::Whole,
        need: Need::Optional,
        doc: "Of a folder: how many folders, itself included.",
    },
    Field {
        name: "mode",
        shape: Shape::Text,
        need: Need::Required,
        doc: "Its permission bits in octal, such as 0644.",
    },
    Field { name: "by", shape: Shape::Text, need: Need::Required, doc: "Who deleted it: client and session." },
];

fn read(_: &Args) -> Result<Call, Refusal> {
    Ok(Call::ListTrash(ListTrash))
}

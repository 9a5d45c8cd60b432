//! `list_directory`: what a folder holds, page by page. Walking is the store's business.

use super::shape::LISTED_DOC_PATH;
use super::shared::FOLDER_DOC_PATH;
use super::{Args, Call, Effect, Example, Field, Group, Hashes, Need, Param, ParamKind, Repeat, Shape, Tool};
use crate::refusal::Refusal;

/// The arguments of `list_directory`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListDirectory {
    /// The folder as the caller spelt it.
    pub path: String,
    /// How many levels to show: 1 for the folder's own entries, 2 for their entries too, and so on.
    pub levels: usize,
    /// What to do with names that begin with a dot.
    pub hidden: Hidden,
    /// With the hash of each file and link? That serves as the look that deleting or moving them needs.
    pub hashes: Hashes,
    /// Where an earlier page ended.
    pub cursor: Option<String>,
}

/// What a listing does with names that begin with a dot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hidden {
    /// Leave them out, and what lies in them.
    Omit,
    /// Show them.
    Include,
}

pub(super) const TOOL: Tool = Tool {
    name: "list_directory",
    title: "List a folder",
    description: "List the files and folders in a folder, sorted by path. `relativePath` of an entry is what the other tools take as `path`. \
Set `recursive` to go into subfolders, down to `maxDepth` levels; for files by pattern `glob` is quicker, for files by content `search_files`. \
At most 5,000 entries come at once: when `truncated` is true, call again with `cursor` set to `nextCursor`. \
Links are listed and not followed. Entries that the policy closes are left out.",
    parameters: &[
        Param {
            name: "path",
            kind: ParamKind::Word,
            need: Need::Default("\".\""),
            doc: "The folder, relative to the workspace root.",
        },
        FOLDER_DOC_PATH,
        Param {
            name: "recursive",
            kind: ParamKind::Flag,
            need: Need::Default("false"),
            doc: "Go into subfolders too.",
        },
        Param {
            name: "maxDepth",
            kind: ParamKind::Whole(1, 4096),
            need: Need::Default("8"),
            doc: "How many levels to show when `recursive` is set; 1 is the folder's own entries.",
        },
        Param {
            name: "includeHidden",
            kind: ParamKind::Flag,
            need: Need::Default("false"),
            doc: "Show names that begin with a dot, too.",
        },
        Param {
            name: "hashes",
            kind: ParamKind::Flag,
            need: Need::Unlisted,
            doc: "Give each file's `sha256`, and that of each link's target text. In this session that is proof enough to delete or move them, alone or with their folder.",
        },
        Param {
            name: "cursor",
            kind: ParamKind::Word,
            need: Need::Optional,
            doc: "`nextCursor` of the page before; the other arguments must stay the same.",
        },
    ],
    answer: &[
        Field { name: "path", shape: Shape::Text, need: Need::Required, doc: "The folder, relative to the workspace." },
        Field {
            name: "entries",
            shape: Shape::List(&Shape::Record(ENTRY)),
            need: Need::Required,
            doc: "What it holds, sorted by path.",
        },
        Field { name: "truncated", shape: Shape::Flag, need: Need::Required, doc: "Is there a further page?" },
        Field {
            name: "nextCursor",
            shape: Shape::Text,
            need: Need::Optional,
            doc: "Pass it as `cursor` for the next page.",
        },
    ],
    examples: &[
        Example { about: "the top of the workspace", arguments: "{}" },
        Example { about: "a tree, two levels deep", arguments: r#"{"path": "src", "recursive": true, "maxDepth": 2}"# },
    ],
    effect: Effect::Looks,
    repeat: Repeat::Harmless,
    groups: &[Group::Look],
    read,
};

const ENTRY: &[Field] = &[
    Field { name: "name", shape: Shape::Text, need: Need::Required, doc: "Its own name." },
    Field {
        name: "relativePath",
        shape: Shape::Text,
        need: Need::Required,
        doc: "Its path, relative to the workspace.",
    },
    LISTED_DOC_PATH,
    Field { name: "type", shape: Shape::Text, need: Need::Required, doc: "file, directory, symlink or other." },
    Field { name: "size", shape: Shape::Whole, need: Need::Required, doc: "Bytes." },
    Field { name: "mtime", shape: Shape::Text, need: Need::Required, doc: "Last change, RFC 3339 in UTC." },
    Field { name: "depth", shape: Shape::Whole, need: Need::Required, doc: "0 for the folder's own entries." },
    Field {
        name: "sha256",
        shape: Shape::Text,
        need: Need::Optional,
        doc: "With `hashes`: of a file's bytes, or of a link's target text.",
    },
];

fn read(args: &Args) -> Result<Call, Refusal> {
    let levels = match args.flag("recursive") {
        Some(true) => args.count("maxDepth").unwrap_or(8),
        _ => 1,
    };
    let hidden = if args.flag("includeHidden") == Some(true) { Hidden::Include } else { Hidden::Omit };
    let path = args.word("path").unwrap_or(".").to_owned();
    let hashes = if args.flag("hashes") == Some(true) { Hashes::Yes } else { Hashes::No };
    let cursor = args.word("cursor").map(str::to_owned);
    Ok(Call::ListDirectory(ListDirectory { path, levels, hidden, hashes, cursor }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::Value;

    fn check(fields: &[(&str, Value)], path: &str, levels: usize, hidden: Hidden) {
        let args = Args::new(fields.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect());
        let want = ListDirectory { path: path.to_owned(), levels, hidden, hashes: Hashes::No, cursor: None };
        assert_eq!(read(&args), Ok(Call::ListDirectory(want)), "{fields:?}");
    }

    #[test]
    fn arguments() {
        check(&[], ".", 1, Hidden::Omit);
        check(&[("path", Value::Text("a".into())), ("maxDepth", Value::Whole(3))], "a", 1, Hidden::Omit);
        check(&[("recursive", Value::Flag(true))], ".", 8, Hidden::Omit);
        check(&[("recursive", Value::Flag(true)), ("maxDepth", Value::Whole(3))], ".", 3, Hidden::Omit);
        check(&[("recursive", Value::Flag(false)), ("includeHidden", Value::Flag(true))], ".", 1, Hidden::Include);
    }
}

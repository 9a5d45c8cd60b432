//! `glob`: files and folders by a pattern over their paths. Walking is the store's business.

use super::search_files::{EXCLUDE_GLOBS, INCLUDE_IGNORED, Ignored, ROOT, ignored};
use super::shape::LISTED_DOC_PATH;
use super::shared::ROOT_DOC_PATH;
use super::{Args, Call, Effect, Example, Field, Group, Need, Param, ParamKind, Repeat, Shape, Tool};
use crate::refusal::Refusal;

/// The arguments of `glob`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glob {
    /// The pattern.
    pub pattern: String,
    /// The folder to look in, as the caller spelt it.
    pub root: String,
    /// Nothing that one of these matches.
    pub exclude_globs: Vec<String>,
    /// Most entries in the answer.
    pub max_results: usize,
    /// What to do with files that ignore files name.
    pub ignored: Ignored,
}

pub(super) const TOOL: Tool = Tool {
    name: "glob",
    title: "Find files by pattern",
    description: "Find files and folders whose path matches a glob, sorted by path. `*` stands for any characters within one name, `**` for any number of folders, \
`{a,b}` for either, `[abc]` for one of these: `**/*.rs` finds Rust files at any depth, `*.rs` only at the top of `root`. \
Pass a match's `path` to read_file. What .gitignore names is left out unless `includeIgnored` is set. \
When `truncated` is true there were more: narrow the pattern or raise `maxResults`.",
    parameters: &[
        Param {
            name: "pattern",
            kind: ParamKind::Word,
            need: Need::Required,
            doc: "The glob, matched against paths relative to `root`.",
        },
        ROOT,
        ROOT_DOC_PATH,
        EXCLUDE_GLOBS,
        Param {
            name: "maxResults",
            kind: ParamKind::Whole(1, 100_000),
            need: Need::Default("1000"),
            doc: "Most matches to return.",
        },
        INCLUDE_IGNORED,
    ],
    answer: &[
        Field {
            name: "matches",
            shape: Shape::List(&Shape::Record(MATCH)),
            need: Need::Required,
            doc: "What matched, sorted by path.",
        },
        Field { name: "truncated", shape: Shape::Flag, need: Need::Required, doc: "Were there more than maxResults?" },
    ],
    examples: &[
        Example { about: "every test file", arguments: r#"{"pattern": "**/*.test.ts"}"# },
        Example { about: "images below one folder", arguments: r#"{"pattern": "**/*.{png,svg}", "root": "assets"}"# },
    ],
    effect: Effect::Looks,
    repeat: Repeat::Harmless,
    groups: &[Group::Look],
    read,
};

const MATCH: &[Field] = &[
    Field { name: "path", shape: Shape::Text, need: Need::Required, doc: "Relative to the workspace." },
    LISTED_DOC_PATH,
    Field { name: "type", shape: Shape::Text, need: Need::Required, doc: "file, directory, symlink or other." },
    Field { name: "size", shape: Shape::Whole, need: Need::Required, doc: "Bytes." },
    Field { name: "mtime", shape: Shape::Text, need: Need::Required, doc: "Last change, RFC 3339 in UTC." },
];

fn read(args: &Args) -> Result<Call, Refusal> {
    Ok(Call::Glob(Glob {
        pattern: args.text("pattern")?,
        root: args.word("root").unwrap_or(".").to_owned(),
        exclude_globs: args.texts("excludeGlobs"),
        max_results: args.count("maxResults").unwrap_or(1000),
        ignored: ignored(args),
    }))
}

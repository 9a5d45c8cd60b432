//! `search_files`: files by path, by text or by regular expression. Searching is the store's business.

use super::read_file::Hashes;
use super::shape::LISTED_DOC_PATH;
use super::shared::ROOT_DOC_PATH;
use super::{Args, Call, Effect, Example, Field, Group, Need, Param, ParamKind, Repeat, Shape, Tool};
use crate::refusal::{Expected, Refusal};

/// The arguments of `search_files`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchFiles {
    /// What to look for.
    pub query: String,
    /// How to read the query.
    pub mode: SearchMode,
    /// The folder to search, as the caller spelt it.
    pub root: String,
    /// Only files that one of these matches; all if empty.
    pub include_globs: Vec<String>,
    /// No file that one of these matches.
    pub exclude_globs: Vec<String>,
    /// Most hits in the answer.
    pub max_results: usize,
    /// Lines to show on either side of a hit.
    pub context_lines: usize,
    /// Do capitals matter?
    pub case: Case,
    /// Show the anchors of the lines found?
    pub hashes: Hashes,
    /// What to do with files that ignore files name.
    pub ignored: Ignored,
}

/// How a query is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchMode {
    /// As a glob over relative paths.
    Path,
    /// As the very text to find.
    Text,
    /// As a regular expression over lines.
    Regex,
}

/// Whether capitals matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// They do.
    Sensitive,
    /// They do not.
    Insensitive,
}

/// What to do with files that ignore files such as `.gitignore` name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ignored {
    /// Leave them out.
    Honour,
    /// Take them in.
    Include,
}

pub(super) const TOOL: Tool = Tool {
    name: "search_files",
    title: "Search files",
    description: "Find lines by text (`mode: \"text\"`) or regular expression (`mode: \"regex\"`), or files by a glob over their paths (`mode: \"path\"`). \
Each hit has the file's `path`, its 1-based `line` and `column` and the line itself as `preview`; pass `path` and a range around `line` to read_file before you edit. \
Files that .gitignore names are left out unless `includeIgnored` is set; hidden files are searched, binary ones are not. \
When `truncated` is true there were more hits: narrow the query, `root` or `includeGlobs`. \
Regular expressions have no look-around and no back-references.",
    parameters: &[
        Param {
            name: "query",
            kind: ParamKind::Word,
            need: Need::Required,
            doc: "The text, regular expression or path glob to look for.",
        },
        Param {
            name: "mode",
            kind: ParamKind::Choice(&["path", "text", "regex"]),
            need: Need::Required,
            doc: "How `query` is read: `text` as the very text, `regex` as a regular expression over lines, `path` as a glob such as `src/**/*.rs` over relative paths.",
        },
        ROOT,
        ROOT_DOC_PATH,
        Param {
            name: "includeGlobs",
            kind: ParamKind::List(&ParamKind::Word),
            need: Need::Optional,
            doc: "Only search files whose relative path one of these globs matches, such as `**/*.ts`.",
        },
        EXCLUDE_GLOBS,
        Param {
            name: "maxResults",
            kind: ParamKind::Whole(1, 10_000),
            need: Need::Default("100"),
            doc: "Most hits to return.",
        },
        Param {
            name: "contextLines",
            kind: ParamKind::Whole(0, 50),
            need: Need::Default("0"),
            doc: "Lines to show before and after each hit.",
        },
        Param { name: "caseSensitive", kind: ParamKind::Flag, need: Need::Default("true"), doc: "Do capitals matter?" },
        Param {
            name: "hashes",
            kind: ParamKind::Flag,
            need: Need::Default("false"),
            doc: "Give each hit an `anchor` that `edit` takes, so that you can edit what you found without reading the file first.",
        },
        INCLUDE_IGNORED,
    ],
    answer: &[
        Field {
            name: "matches",
            shape: Shape::List(&Shape::Record(HIT)),
            need: Need::Required,
            doc: "The hits, by path and line.",
        },
        Field { name: "truncated", shape: Shape::Flag, need: Need::Required, doc: "Were there more than maxResults?" },
        Field {
            name: "filesScanned",
            shape: Shape::Whole,
            need: Need::Required,
            doc: "How many files were looked into.",
        },
    ],
    examples: &[
        Example {
            about: "where a function is used",
            arguments: r#"{"query": "parse_config(", "mode": "text", "includeGlobs": ["**/*.rs"]}"#,
        },
        Example {
            about: "unfinished work, with a line around it",
            arguments: r#"{"query": "TODO|FIXME", "mode": "regex", "contextLines": 1}"#,
        },
        Example { about: "all manifests", arguments: r#"{"query": "**/Cargo.toml", "mode": "path"}"# },
    ],
    effect: Effect::Looks,
    repeat: Repeat::Harmless,
    groups: &[Group::Look],
    read,
};

const HIT: &[Field] = &[
    Field { name: "path", shape: Shape::Text, need: Need::Required, doc: "The file, relative to the workspace." },
    LISTED_DOC_PATH,
    Field { name: "line", shape: Shape::Whole, need: Need::Optional, doc: "From 1; absent in mode `path`." },
    Field {
        name: "column",
        shape: Shape::Whole,
        need: Need::Optional,
        doc: "From 1, in characters; absent in mode `path`.",
    },
    Field {
        name: "preview",
        shape: Shape::Text,
        need: Need::Optional,
        doc: "The line; a long one is cut around the hit.",
    },
    Field {
        name: "anchor",
        shape: Shape::Text,
        need: Need::Optional,
        doc: "With `hashes`: names the line for `edit`, as `N#hash`.",
    },
    Field {
        name: "before",
        shape: Shape::List(&Shape::Text),
        need: Need::Optional,
        doc: "The lines above, with `contextLines`.",
    },
    Field {
        name: "after",
        shape: Shape::List(&Shape::Text),
        need: Need::Optional,
        doc: "The lines below, with `contextLines`.",
    },
];

pub(super) const ROOT: Param = Param {
    name: "root",
    kind: ParamKind::Word,
    need: Need::Default("\".\""),
    doc: "The folder to look in, relative to the workspace root.",
};

pub(super) const EXCLUDE_GLOBS: Param = Param {
    name: "excludeGlobs",
    kind: ParamKind::List(&ParamKind::Word),
    need: Need::Optional,
    doc: "Leave out what one of these globs matches, such as `**/dist/**`.",
};

pub(super) const INCLUDE_IGNORED: Param = Param {
    name: "includeIgnored",
    kind: ParamKind::Flag,
    need: Need::Default("false"),
    doc: "Look into files that .gitignore and the like name, too.",
};

fn read(args: &Args) -> Result<Call, Refusal> {
    Ok(Call::SearchFiles(SearchFiles {
        query: args.text("query")?,
        mode: mode(&args.text("mode")?)?,
        root: args.word("root").unwrap_or(".").to_owned(),
        include_globs: args.texts("includeGlobs"),
        exclude_globs: args.texts("excludeGlobs"),
        max_results: args.count("maxResults").unwrap_or(100),
        context_lines: args.count("contextLines").unwrap_or(0),
        case: if args.flag("caseSensitive") == Some(false) { Case::Insensitive } else { Case::Sensitive },
        hashes: Hashes::read(args),
        ignored: ignored(args),
    }))
}

fn mode(word: &str) -> Result<SearchMode, Refusal> {
    match word {
        "path" => Ok(SearchMode::Path),
        "text" => Ok(SearchMode::Text),
        "regex" => Ok(SearchMode::Regex),
        other => Err(Refusal::argument(
            "mode",
            Expected::OneOf(["path", "text", "regex"].map(str::to_owned).to_vec()),
            format!("{other:?}"),
        )),
    }
}

pub(super) fn ignored(args: &Args) -> Ignored {
    if args.flag("includeIgnored") == Some(true) { Ignored::Include } else { Ignored::Honour }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::Value;

    fn call(fields: &[(&str, Value)]) -> Result<Call, Refusal> {
        let given = [("query", Value::Text("q".into()))]
            .iter()
            .chain(fields)
            .map(|(name, value)| ((*name).to_owned(), value.clone()))
            .collect();
        read(&Args::new(given))
    }

    fn check(fields: &[(&str, Value)], change: impl Fn(&mut SearchFiles)) {
        let mut want = SearchFiles {
            query: "q".into(),
            mode: SearchMode::Text,
            root: ".".into(),
            include_globs: Vec::new(),
            exclude_globs: Vec::new(),
            max_results: 100,
            context_lines: 0,
            case: Case::Sensitive,
            hashes: Hashes::No,
            ignored: Ignored::Honour,
        };
        change(&mut want);
        assert_eq!(call(fields), Ok(Call::SearchFiles(want)), "{fields:?}");
    }

    #[test]
    fn arguments() {
        let text = ("mode", Value::Text("text".into()));
        check(std::slice::from_ref(&text), |_| {});
        check(&[("mode", Value::Text("regex".into()))], |want| want.mode = SearchMode::Regex);
        check(&[("mode", Value::Text("path".into()))], |want| want.mode = SearchMode::Path);
        check(&[text.clone(), ("caseSensitive", Value::Flag(false))], |want| want.case = Case::Insensitive);
        check(&[text.clone(), ("includeIgnored", Value::Flag(true))], |want| want.ignored = Ignored::Include);
        check(&[text.clone(), ("maxResults", Value::Whole(7)), ("contextLines", Value::Whole(2))], |want| {
            want.max_results = 7;
            want.context_lines = 2;
        });
        check(&[text.clone(), ("hashes", Value::Flag(true))], |want| want.hashes = Hashes::Yes);
        check(&[text, ("includeGlobs", Value::List(vec![Value::Text("*.rs".into())]))], |want| {
            want.include_globs = vec!["*.rs".into()]
        });
    }

    #[test]
    fn refused() {
        assert!(call(&[("mode", Value::Text("fuzzy".into()))]).is_err());
    }
}

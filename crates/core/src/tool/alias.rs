//! Shapes with one reading: what callers write in place of what a tool's parameters say, as closed tables.
//!
//! The wire reads a call by these tables once, before it is checked; everything behind sees the call as the parameters
//! have it. No row leads to a proof of sight: a misspelt proof is refused, never taken for one.

use super::{Param, ParamKind, Tool};
use crate::reading::Reading;

/// Another name for an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alias {
    /// The name that callers write.
    pub given: &'static str,
    /// The argument that is meant.
    pub name: &'static str,
    /// The tools that read it.
    pub tools: Tools,
    /// How its value becomes that of the argument.
    pub value: AliasValue,
}

/// Which tools read an alias.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tools {
    /// Every tool that takes the argument.
    All,
    /// The tool of this name.
    Only(&'static str),
}

/// How the value of an alias becomes that of its argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AliasValue {
    /// It is the same.
    Same,
    /// It is the same, and the alias will go away.
    Deprecated,
    /// A line counted from 1, where 0 means the first too.
    FirstLine,
    /// How many lines are wanted; the argument is the last of them.
    LineCount,
}

const fn alias(given: &'static str, name: &'static str, tools: Tools) -> Alias {
    Alias { given, name, tools, value: AliasValue::Same }
}

const EDIT_FILE: Tools = Tools::Only("edit_file");
const MOVE_FILE: Tools = Tools::Only("move_file");
const READ_FILE: Tools = Tools::Only("read_file");

/// All of them. For one tool the first row of a name counts.
pub const ALIASES: &[Alias] = &[
    Alias { value: AliasValue::Deprecated, ..alias("file_path", "path", Tools::Only("edit")) },
    alias("file_path", "path", Tools::All),
    alias("old_string", "oldText", EDIT_FILE),
    alias("old_str", "oldText", EDIT_FILE),
    alias("new_string", "newText", EDIT_FILE),
    alias("new_str", "newText", EDIT_FILE),
    alias("replace_all", "replaceAll", EDIT_FILE),
    alias("input", "patch", Tools::Only("apply_patch")),
    alias("source", "fromPath", MOVE_FILE),
    alias("destination", "toPath", MOVE_FILE),
    Alias { value: AliasValue::FirstLine, ..alias("offset", "startLine", READ_FILE) },
    Alias { value: AliasValue::LineCount, ..alias("limit", "endLine", READ_FILE) },
];

/// Lists of which a single element may be written flat, its fields beside the other arguments: tool and list.
const FLAT: &[(&str, &str)] = &[("edit_file", "edits")];

/// Lists of words for which one string is a list of one.
const ONE_STRING: &[&str] = &["includeGlobs", "excludeGlobs", "changeIds"];

/// Arguments that prove what the caller has seen.
const PROOFS: &[&str] = &["expectedSha256", "expectedSha256ByPath", "expectedTargetSha256", "originalSha256"];

impl Alias {
    /// What is told about a call that was read by it.
    pub fn reading(&self) -> Reading {
        let (given, name) = (self.given, self.name);
        match self.value {
            AliasValue::Same | AliasValue::FirstLine => Reading::Name { given, name },
            AliasValue::Deprecated => Reading::Deprecated { given, name },
            AliasValue::LineCount => Reading::LineCount { given },
        }
    }
}

impl Tool {
    /// The alias of this name among fields such as these.
    pub fn alias(&self, given: &str, params: &[Param]) -> Option<&'static Alias> {
        let known = |name: &str| params.iter().any(|param| param.name == name);
        let read = |alias: &&Alias| match alias.tools {
            Tools::All => true,
            Tools::Only(tool) => tool == self.name,
        };
        ALIASES.iter().filter(read).find(|alias| alias.given == given && known(alias.name) && !known(given))
    }

    /// The list of which a single element may be written flat, and the fields of its elements.
    pub fn flat(&self) -> Option<(&'static Param, &'static [Param])> {
        let (_, list) = FLAT.iter().find(|(tool, _)| *tool == self.name)?;
        let param = self.parameters.iter().find(|param| param.name == *list)?;
        Some((param, param.kind.of_objects()?))
    }
}

impl Param {
    /// Does it prove what the caller has seen?
    pub fn is_proof(&self) -> bool {
        PROOFS.contains(&self.name)
    }

    /// Is one string for it a list of one?
    pub fn takes_one_string(&self) -> bool {
        ONE_STRING.contains(&self.name)
    }
}

impl ParamKind {
    /// The fields of its elements, if it is a list of objects.
    pub fn of_objects(&self) -> Option<&'static [Param]> {
        match self {
            ParamKind::List(ParamKind::Record(params)) | ParamKind::Some(ParamKind::Record(params)) => Some(params),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::TOOLS;
    use super::*;

    /// The fields of a tool at every depth.
    fn fields(params: &'static [Param]) -> Vec<(&'static Param, &'static [Param])> {
        let inner = |param: &'static Param| match param.kind {
            ParamKind::Record(params) => fields(params),
            kind => kind.of_objects().map(fields).unwrap_or_default(),
        };
        params.iter().flat_map(|param| [vec![(param, params)], inner(param)].concat()).collect()
    }

    fn all() -> impl Iterator<Item = (&'static Tool, &'static Param, &'static [Param])> {
        TOOLS.iter().flat_map(|tool| fields(tool.parameters).into_iter().map(|(param, all)| (*tool, param, all)))
    }

    #[test]
    fn every_row_leads_to_an_argument_and_none_to_a_proof() {
        for alias in ALIASES {
            let read: Vec<_> = all().filter(|(tool, _, all)| tool.alias(alias.given, all) == Some(alias)).collect();
            assert!(!read.is_empty(), "nobody reads {alias:?}");
            let meant = |(_, _, all): &(_, _, &[Param])| all.iter().find(|param| param.name == alias.name).copied();
            assert!(read.iter().filter_map(meant).all(|param| !param.is_proof()), "{alias:?} leads to a proof");
        }
    }

    #[test]
    fn no_row_hides_an_argument() {
        for (tool, param, all) in all() {
            assert_eq!(tool.alias(param.name, all), None, "{} {}", tool.name, param.name);
        }
        for tool in TOOLS {
            let Some((_, fields)) = tool.flat() else { continue };
            for field in fields {
                assert!(tool.parameters.iter().all(|param| param.name != field.name), "{} {}", tool.name, field.name);
            }
        }
    }

    #[test]
    fn every_hash_of_content_is_a_proof_and_lines_are_no_words() {
        for (tool, param, _) in all() {
            assert_eq!(param.is_proof(), param.name.contains("Sha256"), "{} {}", tool.name, param.name);
            if param.takes_one_string() {
                let words = matches!(param.kind, ParamKind::List(ParamKind::Word) | ParamKind::Some(ParamKind::Word));
                assert!(words, "{} {}", tool.name, param.name);
            }
        }
        for name in PROOFS.iter().chain(ONE_STRING) {
            assert!(all().any(|(_, param, _)| param.name == *name), "{name}");
        }
    }
}

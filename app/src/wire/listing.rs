//! A tool as a model is shown it: few words and the arguments that it needs, from `core::tool::brief`; or, where the
//! operator asks for that, everything at length. Listings leave `additionalProperties` out: some clients check a call
//! against the schema before they send it, and would hold back arguments that are taken but not shown.

use super::schema;
use patchwright_core::conventions::Conventions;
use patchwright_core::tool::brief::{self, Argument, When};
use patchwright_core::tool::{Param, ParamKind, Tool};
use serde_json::{Map, Value, json};

/// How tools are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// How much is said of each.
    pub length: Length,
    /// Are lines edited by their anchors?
    pub anchors: bool,
    /// Does only a hash prove that a file was seen?
    pub hash_only: bool,
    /// Whose conventions a patch follows that does not say.
    pub conventions: Conventions,
}

/// How much is said of each tool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Length {
    /// As much as a call needs.
    #[default]
    Short,
    /// Everything, as in the documentation.
    Long,
}

impl Length {
    /// Both.
    pub const ALL: [Length; 2] = [Length::Short, Length::Long];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Length::Short => "short",
            Length::Long => "long",
        }
    }

    /// The length with this word.
    pub fn find(name: &str) -> Option<Length> {
        Length::ALL.into_iter().find(|length| length.name() == name)
    }
}

impl View {
    fn shows(self, argument: &Argument) -> bool {
        match argument.when {
            When::Always => true,
            When::Anchors => self.anchors,
            When::HashOnly => self.hash_only,
        }
    }
}

/// What a tool does and how to call it.
pub fn description(tool: &Tool, view: View) -> &'static str {
    match (view.length, brief::of(tool)) {
        (Length::Short, Some(brief)) if brief.tool == "apply_patch" && view.conventions == Conventions::Codex => {
            brief::APPLY_PATCH_CODEX
        }
        (Length::Short, Some(brief)) => brief.description,
        _ => tool.description,
    }
}

/// The schema of a tool's arguments.
pub fn input(tool: &Tool, view: View) -> Value {
    match (view.length, brief::of(tool)) {
        (Length::Short, Some(brief)) => {
            let shown: Vec<Argument> = brief.arguments.iter().copied().filter(|one| view.shows(one)).collect();
            object(tool.parameters, "", &shown)
        }
        _ => opened(schema::input(tool)),
    }
}

/// An object with those of its fields that are shown, in the order in which they are.
fn object(params: &[Param], below: &str, shown: &[Argument]) -> Value {
    let here = |argument: &Argument| {
        let name = argument.name.strip_prefix(below)?;
        Some((params.iter().find(|param| param.name == name)?, argument.words))
    };
    let mut properties = Map::new();
    let mut required = Vec::new();
    for (param, words) in shown.iter().filter_map(here) {
        let mut schema = kind(&param.kind, &format!("{below}{}.", param.name), shown);
        if let Value::Object(fields) = &mut schema
            && !words.is_empty()
        {
            fields.insert("description".to_owned(), words.into());
        }
        properties.insert(param.name.to_owned(), schema);
        if param.need.is_required() {
            required.push(param.name);
        }
    }
    let mut schema = json!({ "type": "object", "properties": properties });
    schema::put_required(&mut schema, &required);
    schema
}

/// Bounds and defaults are left out: the server checks them, and its refusal tells more.
fn kind(kind: &ParamKind, below: &str, shown: &[Argument]) -> Value {
    match kind {
        ParamKind::Record(params) => object(params, below, shown),
        ParamKind::List(item) | ParamKind::Some(item) => {
            json!({ "type": "array", "items": self::kind(item, below, shown) })
        }
        ParamKind::Word | ParamKind::DocPath(_) => json!({ "type": "string" }),
        ParamKind::Whole(..) => json!({ "type": "integer" }),
        other => schema::kind(other),
    }
}

/// A schema that shuts no argument out; that of a map still says what its values are.
fn opened(schema: Value) -> Value {
    match schema {
        Value::Object(fields) => {
            let stays = |(name, value): &(String, Value)| name != "additionalProperties" || value.is_object();
            fields.into_iter().filter(stays).map(|(name, value)| (name, opened(value))).collect()
        }
        Value::Array(items) => items.into_iter().map(opened).collect(),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::tool;
    use patchwright_core::tool::TOOLS;

    fn properties(name: &str, view: View) -> Vec<String> {
        let schema = input(tool(name).unwrap(), view);
        schema["properties"].as_object().unwrap().keys().cloned().collect()
    }

    #[test]
    fn what_is_shown_where() {
        let plain = View::default();
        assert_eq!(properties("read_file", plain), ["path", "startLine", "endLine"]);
        assert_eq!(
            properties("read_file", View { anchors: true, ..plain }),
            ["path", "startLine", "endLine", "hashes"]
        );
        assert_eq!(properties("delete_file", plain), ["path"]);
        assert_eq!(properties("delete_file", View { hash_only: true, ..plain }), ["path", "expectedSha256"]);
        assert!(properties("delete_file", View { length: Length::Long, ..plain }).contains(&"dryRun".to_owned()));
    }

    #[test]
    fn the_objects_of_a_list() {
        let schema = input(tool("edit_file").unwrap(), View::default());
        let want = json!({
            "type": "object",
            "properties": {
                "path": { "type": "string" },
                "edits": { "type": "array", "items": {
                    "type": "object",
                    "properties": {
                        "oldText": { "type": "string" },
                        "newText": { "type": "string", "description": "Empty to delete." },
                        "replaceAll": { "type": "boolean" },
                    },
                    "required": ["oldText", "newText"],
                } },
            },
            "required": ["path", "edits"],
        });
        assert_eq!(schema, want);
    }

    #[test]
    fn nothing_is_shut_out() {
        for tool in TOOLS {
            for length in [Length::Short, Length::Long] {
                let text = input(tool, View { length, anchors: true, hash_only: true, ..View::default() }).to_string();
                assert!(!text.contains("\"additionalProperties\":false"), "{}", tool.name);
                assert!(!text.contains("\"required\":[]"), "{}", tool.name);
            }
        }
    }
}

//! JSON Schema of every tool's arguments and answer, from the one table. Plain on purpose: no `oneOf`, no
//! references, because some clients refuse them.

use patchwright_core::refusal::Kind;
use patchwright_core::tool::{Field, Group, Need, Param, ParamKind, Shape, Tool};
use serde_json::{Map, Value, json};

/// The schema of a tool's arguments as models are shown it. Nowhere does it say that there are no other arguments: some
/// clients check a call before they send it, and would refuse those that are taken but not listed. What the table does
/// not have is refused by [`super::check`] all the same.
pub fn listed(tool: &Tool) -> Value {
    object(tool.parameters, &|param| param.need.is_listed().then_some(param.doc))
}

/// What a listing says about an argument; nothing leaves it out.
type Docs<'a> = dyn Fn(&Param) -> Option<&'static str> + 'a;

/// The schema of a tool's answer, whether it went through or was refused.
pub fn output(tool: &Tool) -> Value {
    let kinds: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
    if tool.is_in(Group::Lines) {
        return invoke_result(tool, &kinds);
    }
    json!({
        "type": "object",
        "properties": {
            "ok": { "type": "boolean", "description": "Did the call go through? Then see data, else error." },
            "data": open_object(tool.answer),
            "warnings": { "type": "array", "items": { "type": "string" } },
            "auditHead": { "type": "string", "description": "The head of the audit log after this call." },
            "replayed": { "type": "boolean", "description": "True when this is the answer of an earlier call with the same idempotencyKey." },
            "error": {
                "type": "object",
                "properties": {
                    "kind": { "type": "string", "enum": kinds },
                    "message": { "type": "string" },
                    "path": { "type": "string" },
                    "details": { "type": "object" },
                    "recoverable": { "type": "boolean", "description": "Can another call do better?" },
                    "suggestedAction": { "type": "string" }
                },
                "required": ["kind", "message", "recoverable"]
            }
        },
        "required": ["ok"]
    })
}

/// The schema of the answers of line patches.
fn invoke_result(tool: &Tool, kinds: &[&str]) -> Value {
    json!({
        "type": "object",
        "properties": {
            "successful": { "type": "boolean", "description": "Did the call go through? Then see result, else errors." },
            "result": open_object(tool.answer),
            "errors": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "errorCode": { "type": "string", "enum": kinds },
                        "message": { "type": "string", "description": "What is so, and what to do about it." },
                        "details": { "type": "object", "description": "file (as given), fileIndex, change (counted from 0), changeKey, rule, and the facts." }
                    },
                    "required": ["errorCode", "message"]
                },
                "description": "Everything that stands against the call; empty when it went through."
            },
            "warnings": { "type": "array", "items": { "type": "string" } },
            "auditHead": { "type": "string", "description": "The head of the audit log after this call." },
            "replayed": { "type": "boolean", "description": "True when this is the answer of an earlier call with the same idempotencyKey." }
        },
        "required": ["successful", "errors", "warnings"]
    })
}

/// An object with those of these fields that are listed.
fn object(params: &[Param], docs: &Docs<'_>) -> Value {
    let listed = || params.iter().filter_map(|param| docs(param).map(|doc| (param, doc)));
    let properties: Map<String, Value> =
        listed().map(|(param, doc)| (param.name.to_owned(), property(param, doc, docs))).collect();
    let required: Vec<&str> =
        listed().filter(|(param, _)| param.need.is_required()).map(|(param, _)| param.name).collect();
    let mut schema = json!({ "type": "object", "properties": properties });
    put_required(&mut schema, &required);
    schema
}

fn property(param: &Param, doc: &str, docs: &Docs<'_>) -> Value {
    let mut schema = kind(&param.kind, docs);
    put(&mut schema, "description", doc.into());
    if let Need::Default(text) = param.need {
        put(&mut schema, "default", serde_json::from_str(text).unwrap_or(Value::Null));
    }
    schema
}

fn kind(kind: &ParamKind, docs: &Docs<'_>) -> Value {
    match kind {
        ParamKind::Text => json!({ "type": "string" }),
        ParamKind::Word | ParamKind::DocPath(_) => json!({ "type": "string", "minLength": 1 }),
        ParamKind::TextOrNull => json!({ "type": ["string", "null"] }),
        ParamKind::Ignored => json!({ "type": "string" }),
        ParamKind::Flag => json!({ "type": "boolean" }),
        ParamKind::Whole(from, i64::MAX) => json!({ "type": "integer", "minimum": from }),
        ParamKind::Whole(from, to) => json!({ "type": "integer", "minimum": from, "maximum": to }),
        ParamKind::Choice(words) => json!({ "type": "string", "enum": words }),
        ParamKind::List(item) => json!({ "type": "array", "items": self::kind(item, docs) }),
        ParamKind::Some(item) => json!({ "type": "array", "items": self::kind(item, docs), "minItems": 1 }),
        ParamKind::Record(params) => object(params, docs),
        ParamKind::Map(_) => json!({ "type": "object" }),
    }
}

fn open_object(fields: &[Field]) -> Value {
    let properties: Map<String, Value> =
        fields.iter().map(|field| (field.name.to_owned(), answer_property(field))).collect();
    let required: Vec<&str> =
        fields.iter().filter(|field| field.need == Need::Required).map(|field| field.name).collect();
    let mut schema = json!({ "type": "object", "properties": properties });
    put_required(&mut schema, &required);
    schema
}

fn answer_property(field: &Field) -> Value {
    let mut schema = shape(&field.shape);
    put(&mut schema, "description", field.doc.into());
    schema
}

fn shape(shape: &Shape) -> Value {
    match shape {
        Shape::Text => json!({ "type": "string" }),
        Shape::Flag => json!({ "type": "boolean" }),
        Shape::Whole => json!({ "type": "integer" }),
        Shape::List(item) => json!({ "type": "array", "items": self::shape(item) }),
        Shape::Record(fields) => open_object(fields),
    }
}

fn put(schema: &mut Value, key: &str, value: Value) {
    if let Value::Object(map) = schema {
        map.insert(key.to_owned(), value);
    }
}

/// An empty `required` is legal in newer drafts only, so it is left out.
fn put_required(schema: &mut Value, names: &[&str]) {
    if !names.is_empty() {
        put(schema, "required", json!(names));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::tool;
    use patchwright_core::tool::TOOLS;

    #[test]
    fn defaults_are_json_that_fits() {
        for tool in TOOLS {
            for param in tool.parameters {
                if let Need::Default(text) = param.need {
                    let value: Value = serde_json::from_str(text).unwrap();
                    let want = kind(&param.kind, &|param| Some(param.doc))["type"].clone();
                    let got = match value {
                        Value::Bool(_) => "boolean",
                        Value::Number(_) => "integer",
                        Value::String(_) => "string",
                        other => panic!("{} {other}", param.name),
                    };
                    assert_eq!(want, got, "{} {}", tool.name, param.name);
                }
            }
        }
    }

    #[test]
    fn the_schema_of_edit_file() {
        let schema = listed(tool("edit_file").unwrap());
        assert_eq!(schema["required"], json!(["path", "edits"]));
        // docPath and executable are taken too, and not listed.
        assert_eq!(schema["properties"].get("executable"), None);
        assert_eq!(schema["properties"]["edits"]["minItems"], json!(1));
        assert_eq!(schema["properties"]["edits"]["items"]["required"], json!(["oldText", "newText"]));
        assert_eq!(schema["properties"]["mode"]["default"], json!("apply"));
        let names: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
        assert_eq!(names.first().map(|name| name.as_str()), Some("path"), "parameters keep the order of the table");
    }

    #[test]
    fn the_schema_of_edit() {
        let schema = listed(tool("edit").unwrap());
        // A caller who reads the schema learns the name that stays; the older one is taken all the same.
        assert_eq!(schema["required"], json!(["path", "operations"]));
        let operation = &schema["properties"]["operations"]["items"];
        assert_eq!(operation["required"], json!(["op"]));
        assert_eq!(operation["properties"]["occurrence"]["minimum"], json!(1));
        let data = &output(tool("edit").unwrap())["properties"]["data"];
        assert_eq!(data["properties"]["net_change"]["type"], json!("integer")); // also below zero
        assert_eq!(data["properties"]["net_change"].get("minimum"), None);
    }

    #[test]
    fn what_is_not_listed_is_not_shut_out_either() {
        for tool in TOOLS {
            assert!(!listed(tool).to_string().contains("additionalProperties"), "{}", tool.name);
        }
        const PARAMS: &[Param] = &[
            Param { name: "shown", kind: ParamKind::Flag, need: Need::Required, doc: "long" },
            Param { name: "quiet", kind: ParamKind::Flag, need: Need::Optional, doc: "" },
        ];
        let schema = object(PARAMS, &|param| (param.name == "shown").then_some("short"));
        let shown = json!({ "type": "boolean", "description": "short" });
        assert_eq!(schema, json!({ "type": "object", "properties": { "shown": shown }, "required": ["shown"] }));
    }

    #[test]
    fn plain_schemas() {
        for tool in TOOLS {
            for schema in [listed(tool), output(tool)] {
                assert_eq!(schema["type"], "object");
                let text = schema.to_string();
                assert!(
                    !text.contains("oneOf") && !text.contains("$ref") && !text.contains("\"required\":[]"),
                    "{}",
                    tool.name
                );
            }
        }
    }
}

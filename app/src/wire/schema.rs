//! JSON Schema of every tool's arguments and answer, from the one table. Plain on purpose: no `oneOf`, no
//! references, because some clients refuse them.

use patchwright_core::refusal::Kind;
use patchwright_core::tool::{Field, Group, Need, Param, ParamKind, Shape, Tool};
use serde_json::{Map, Value, json};

/// The schema of a tool's arguments.
pub fn input(tool: &Tool) -> Value {
    closed_object(tool.parameters)
}

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

/// An object that takes no other fields than these. Where one of them is not listed, the object is left open: some
/// clients check a call against the schema before they send it. What is not in the table is refused all the same.
fn closed_object(params: &[Param]) -> Value {
    let listed = || params.iter().filter(|param| param.need.is_listed());
    let properties: Map<String, Value> = listed().map(|param| (param.name.to_owned(), property(param))).collect();
    let required: Vec<&str> = params.iter().filter(|param| param.need.is_required()).map(|param| param.name).collect();
    let mut schema = json!({ "type": "object", "properties": properties });
    put_required(&mut schema, &required);
    if listed().count() == params.len() {
        put(&mut schema, "additionalProperties", Value::Bool(false));
    }
    schema
}

fn property(param: &Param) -> Value {
    let mut schema = kind(&param.kind);
    put(&mut schema, "description", param.doc.into());
    if let Need::Default(text) = param.need {
        put(&mut schema, "default", serde_json::from_str(text).unwrap_or(Value::Null));
    }
    schema
}

pub(super) fn kind(kind: &ParamKind) -> Value {
    match kind {
        ParamKind::Text => json!({ "type": "string" }),
        ParamKind::Word | ParamKind::DocPath(_) => json!({ "type": "string", "minLength": 1 }),
        ParamKind::TextOrNull => json!({ "type": ["string", "null"] }),
        ParamKind::Ignored => json!({ "type": "string" }),
        ParamKind::Flag => json!({ "type": "boolean" }),
        ParamKind::Whole(from, i64::MAX) => json!({ "type": "integer", "minimum": from }),
        ParamKind::Whole(from, to) => json!({ "type": "integer", "minimum": from, "maximum": to }),
        ParamKind::Choice(words) => json!({ "type": "string", "enum": words }),
        ParamKind::List(item) => json!({ "type": "array", "items": self::kind(item) }),
        ParamKind::Some(item) => json!({ "type": "array", "items": self::kind(item), "minItems": 1 }),
        ParamKind::Record(params) => closed_object(params),
        ParamKind::Map(item) => json!({ "type": "object", "additionalProperties": self::kind(item) }),
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
pub(super) fn put_required(schema: &mut Value, names: &[&str]) {
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
                    let want = kind(&param.kind)["type"].clone();
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
        let schema = input(tool("edit_file").unwrap());
        assert_eq!(schema["required"], json!(["path", "edits"]));
        // docPath and executable are taken too, and not listed; its edits take nothing that is not.
        assert_eq!((schema.get("additionalProperties"), schema["properties"].get("executable")), (None, None));
        assert_eq!(schema["properties"]["edits"]["items"]["additionalProperties"], json!(false));
        assert_eq!(schema["properties"]["edits"]["minItems"], json!(1));
        assert_eq!(schema["properties"]["edits"]["items"]["required"], json!(["oldText", "newText"]));
        assert_eq!(schema["properties"]["mode"]["default"], json!("apply"));
        let names: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
        assert_eq!(names.first().map(|name| name.as_str()), Some("path"), "parameters keep the order of the table");
    }

    #[test]
    fn the_schema_of_edit() {
        let schema = input(tool("edit").unwrap());
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
        const PARAMS: &[Param] = &[
            Param { name: "shown", kind: ParamKind::Flag, need: Need::Optional, doc: "" },
            Param { name: "quiet", kind: ParamKind::Flag, need: Need::Unlisted, doc: "" },
        ];
        let schema = closed_object(PARAMS);
        assert!(schema["properties"].get("shown").is_some());
        assert_eq!(schema["properties"].get("quiet"), None);
        assert_eq!(schema.get("additionalProperties"), None);
        assert_eq!(closed_object(&PARAMS[..1])["additionalProperties"], json!(false));
    }

    #[test]
    fn plain_schemas() {
        for tool in TOOLS {
            for schema in [input(tool), output(tool)] {
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

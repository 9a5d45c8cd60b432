//! Reading JSON: no text panics, and where no key comes twice we read what `serde_json` reads.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that fails shall panic")]

use patchwright_app::wire::{Json, call, parse_json};
use patchwright_core::tool::TOOLS;
use proptest::prelude::*;
use serde_json::Value;

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "\\PC{0,8}".prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec(("[a-c]{1,2}", inner), 0..6)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

/// Pieces that texts near JSON are made of.
fn near_json() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("{"),
        Just("}"),
        Just("["),
        Just("]"),
        Just(","),
        Just(":"),
        Just("\"a\""),
        Just("\"path\""),
        Just("\"\\ud800\""),
        Just("1"),
        Just("-"),
        Just("1e9"),
        Just("null"),
        Just("tru"),
        Just(" "),
        Just("\u{feff}"),
        Just("\"edits\""),
    ];
    prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn agrees_with_serde_json(value in value()) {
        for text in [value.to_string(), serde_json::to_string_pretty(&value).unwrap()] {
            let plain: Value = serde_json::from_str(&text).unwrap();
            prop_assert_eq!(parse_json(&text), Ok(Json::from(plain)));
        }
    }

    #[test]
    fn a_repeated_key_is_refused(value in value(), key in "[a-c]{1,2}") {
        let key = Value::from(key).to_string();
        let text = format!("{{\"x\": [{{{key}: {value}, {key}: {value}}}]}}");
        prop_assert!(parse_json(&text).is_err());
        prop_assert!(serde_json::from_str::<Value>(&text).is_ok());
    }

    #[test]
    fn no_text_panics(text in prop_oneof![any::<String>(), near_json()]) {
        let ours = parse_json(&text).is_ok();
        prop_assert!(!ours || serde_json::from_str::<Value>(&text).is_ok());
        for tool in TOOLS {
            let _ = call(tool.name, &text);
        }
    }

    #[test]
    fn no_value_panics_a_tool(value in value()) {
        for tool in TOOLS {
            let named = tool.parameters.iter().map(|param| format!("{:?}: {value}", param.name)).collect::<Vec<_>>().join(", ");
            let _ = call(tool.name, &format!("{{{named}}}"));
        }
    }
}

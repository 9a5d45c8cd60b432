//! MCP door: a tool result as its line, written in one go. The same bytes that the SDK's types give
//! through serde, in less time: text is looked through eight bytes at once and copied in whole runs.

use super::speaking::Speaking;
use crate::doors::call::Outcome;
use crate::report::Sent;
use crate::wire::server::Answers;
use rmcp::model::RequestId;
use serde_json::Value;
use std::io::Write;

/// Room made for a line before it is written; most files fit.
const USUAL: usize = 16 << 10;

/// The answer to request `id`, for a client whose revision has no `resultType`.
pub(super) fn result_line(id: &RequestId, outcome: &Outcome, call: Option<&Sent>, speaking: &Speaking) -> Vec<u8> {
    let mut line = Vec::with_capacity(USUAL);
    line.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"id\":");
    match id {
        RequestId::Number(number) => display(&mut line, number),
        RequestId::String(word) => string(&mut line, word),
    }
    line.extend_from_slice(b",\"result\":{\"content\":[{\"type\":\"text\",\"text\":");
    string(&mut line, &speaking.text(outcome, call));
    line.extend_from_slice(b"}]");
    if speaking.answers == Answers::Structured {
        line.extend_from_slice(b",\"structuredContent\":");
        value(&mut line, &speaking.json(outcome, call));
    }
    line.extend_from_slice(if outcome.is_ok() { b",\"isError\":false}}\n" } else { b",\"isError\":true}}\n" });
    line
}

/// Answers are a few levels deep, so this goes no deeper either.
fn value(line: &mut Vec<u8>, json: &Value) {
    match json {
        Value::Null => line.extend_from_slice(b"null"),
        Value::Bool(flag) => display(line, flag),
        Value::Number(number) => display(line, number),
        Value::String(text) => string(line, text),
        Value::Array(items) => {
            line.push(b'[');
            for (at, item) in items.iter().enumerate() {
                comma(line, at);
                value(line, item);
            }
            line.push(b']');
        }
        Value::Object(fields) => {
            line.push(b'{');
            for (at, (name, field)) in fields.iter().enumerate() {
                comma(line, at);
                string(line, name);
                line.push(b':');
                value(line, field);
            }
            line.push(b'}');
        }
    }
}

fn comma(line: &mut Vec<u8>, at: usize) {
    if at > 0 {
        line.push(b',');
    }
}

fn display(line: &mut Vec<u8>, shown: &impl std::fmt::Display) {
    // Memory takes every byte.
    let _written = write!(line, "{shown}");
}

fn string(line: &mut Vec<u8>, text: &str) {
    line.push(b'"');
    let mut rest = text.as_bytes();
    while let Some((run, byte, after)) = split_at_special(rest) {
        line.extend_from_slice(run);
        escape(line, byte);
        rest = after;
    }
    line.extend_from_slice(rest);
    line.push(b'"');
}

fn escape(line: &mut Vec<u8>, byte: u8) {
    let short = match byte {
        b'"' => b'"',
        b'\\' => b'\\',
        b'\n' => b'n',
        b'\t' => b't',
        b'\r' => b'r',
        0x08 => b'b',
        0x0c => b'f',
        other => {
            // Memory takes every byte.
            let _written = write!(line, "\\u{other:04x}");
            return;
        }
    };
    line.extend_from_slice(&[b'\\', short]);
}

/// The bytes before the first that must be escaped, that byte, and what follows.
fn split_at_special(bytes: &[u8]) -> Option<(&[u8], u8, &[u8])> {
    let at = first_special(bytes)?;
    let (run, tail) = bytes.split_at_checked(at)?;
    let (byte, after) = tail.split_first()?;
    Some((run, *byte, after))
}

fn first_special(bytes: &[u8]) -> Option<usize> {
    let (words, tail) = bytes.as_chunks::<8>();
    for (at, word) in words.iter().enumerate() {
        let marks = special_marks(u64::from_le_bytes(*word));
        if marks != 0 {
            return Some(at * 8 + marks.trailing_zeros() as usize / 8);
        }
    }
    let special = |byte: &u8| *byte < 0x20 || matches!(byte, b'"' | b'\\');
    tail.iter().position(special).map(|at| words.len() * 8 + at)
}

/// The top bit of each byte that is a control character, a quote or a backslash. Marks above the lowest
/// may be wrong, since a borrow runs upwards; the lowest is always right.
fn special_marks(word: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const TOPS: u64 = 0x8080_8080_8080_8080;
    let below = |word: u64, limit: u64| word.wrapping_sub(ONES * limit) & !word & TOPS;
    let equal = |byte: u8| below(word ^ (ONES * u64::from(byte)), 1);
    below(word, 0x20) | equal(b'"') | equal(b'\\')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(text: &str) {
        let mut line = Vec::new();
        string(&mut line, text);
        assert_eq!(String::from_utf8(line).unwrap(), serde_json::to_string(text).unwrap());
    }

    #[test]
    fn every_character_at_every_place() {
        for code in (0..0x180).chain([0x2028, 0xffff, 0x1_f600]) {
            for before in 0..17 {
                let ch = char::from_u32(code).unwrap();
                check(&format!("{}{ch}{ch}tail", "x".repeat(before)));
            }
        }
    }

    fn json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            ".*".prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 20, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::vec((".*", inner), 0..4)
                    .prop_map(|fields| Value::Object(fields.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn the_same_as_serde(json in json()) {
            let mut line = Vec::new();
            value(&mut line, &json);
            prop_assert_eq!(String::from_utf8(line).unwrap(), serde_json::to_string(&json).unwrap());
        }

        #[test]
        fn any_text_is_the_same_as_serde(text: String) {
            check(&text);
        }
    }
}

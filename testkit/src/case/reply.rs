//! Comparing an answer with what a case expects. Everything must match and nothing may be left over,
//! except where the expectation says otherwise:
//!
//! - `"$ANY"`, `"$TEXT"` (any string), `"$INT"`, `"$UUID"`, `"$SHA256"`, `"$TIME"` (RFC 3339, UTC);
//! - `"$sha256:path"` and `"$before:path"`: the hash of that file after and before the call;
//! - `"$ROOT"` anywhere in a string: the root's path;
//! - `{"$contains": "…"}`, or a list of texts: a string that holds all of them;
//! - `"$more": true` in an object: fields that are not named may be there;
//! - `{"$count": N, "$each": …}`: a list of N, each like that, `{}` in its texts standing for its number from 1.

use crate::tree::{Item, Tree};
use patchwright_core::digest::Digest;
use serde_json::{Map, Value};

/// What placeholders stand for.
pub struct Facts<'a> {
    /// The root's path.
    pub root: &'a str,
    /// The tree before the call.
    pub before: &'a Tree,
    /// The tree that is expected after it.
    pub after: &'a Tree,
}

/// How an answer is unlike what was expected, a line each; empty if it matches.
pub fn difference(expected: &Value, found: &Value, facts: &Facts<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    compare("", expected, found, facts, &mut lines);
    lines
}

fn compare(at: &str, expected: &Value, found: &Value, facts: &Facts<'_>, lines: &mut Vec<String>) {
    match (expected, found) {
        (Value::Object(wanted), _) if wanted.contains_key("$contains") => contains(at, wanted, found, facts, lines),
        (Value::Object(wanted), Value::Object(got)) => fields(at, wanted, got, facts, lines),
        (Value::Array(wanted), Value::Array(got)) if wanted.len() == got.len() => {
            for (index, (one, other)) in wanted.iter().zip(got).enumerate() {
                compare(&format!("{at}[{index}]"), one, other, facts, lines);
            }
        }
        (Value::String(text), _) if text.contains('$') => {
            if !fits(text, found, facts) {
                lines.push(format!("{at}: expected {text}, found {found}"));
            }
        }
        _ if expected == found => {}
        _ => lines.push(format!("{at}: expected {expected}, found {found}")),
    }
}

fn fields(at: &str, wanted: &Map<String, Value>, got: &Map<String, Value>, facts: &Facts<'_>, lines: &mut Vec<String>) {
    for (key, value) in wanted.iter().filter(|(key, _)| *key != "$more") {
        let place = format!("{at}.{key}");
        match got.get(key) {
            Some(other) => compare(&place, value, other, facts, lines),
            None => lines.push(format!("{place}: expected {value}, found nothing")),
        }
    }
    if wanted.get("$more") != Some(&Value::Bool(true)) {
        let more = got.iter().filter(|(key, _)| !wanted.contains_key(*key));
        lines.extend(more.map(|(key, value)| format!("{at}.{key}: not expected, found {value}")));
    }
}

fn contains(at: &str, wanted: &Map<String, Value>, found: &Value, facts: &Facts<'_>, lines: &mut Vec<String>) {
    let texts = match wanted.get("$contains") {
        Some(Value::Array(texts)) => texts.clone(),
        Some(text) => vec![text.clone()],
        None => Vec::new(),
    };
    for text in texts.iter().filter_map(Value::as_str) {
        let text = text.replace("$ROOT", facts.root);
        if !found.as_str().is_some_and(|whole| whole.contains(&text)) {
            lines.push(format!("{at}: expected something with {text:?}, found {found}"));
        }
    }
}

fn fits(pattern: &str, found: &Value, facts: &Facts<'_>) -> bool {
    let text = found.as_str();
    match pattern {
        "$ANY" => true,
        "$TEXT" => text.is_some(),
        "$INT" => found.is_i64() || found.is_u64(),
        "$UUID" => text.is_some_and(is_uuid),
        "$SHA256" => text.is_some_and(is_sha256),
        "$TIME" => text.is_some_and(is_time),
        _ => match pattern.split_once(':') {
            Some(("$sha256", path)) => text.is_some() && text == hash(facts.after, path).as_deref(),
            Some(("$before", path)) => text.is_some() && text == hash(facts.before, path).as_deref(),
            _ => text == Some(&pattern.replace("$ROOT", facts.root)),
        },
    }
}

/// The hash of a file's bytes, or of a link's target.
pub(super) fn hash(tree: &Tree, path: &str) -> Option<String> {
    match tree.items.get(path)? {
        Item::File { bytes, .. } | Item::Link(bytes) => Some(Digest::of(bytes).to_string()),
        Item::Folder | Item::Special => None,
    }
}

pub(super) fn is_sha256(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'))
}

pub(super) fn is_uuid(text: &str) -> bool {
    let lengths: Vec<usize> = text.split('-').map(str::len).collect();
    lengths == [8, 4, 4, 4, 12] && text.bytes().all(|digit| digit == b'-' || digit.is_ascii_hexdigit())
}

pub(super) fn is_time(text: &str) -> bool {
    let shape: String = text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    let rest = shape.strip_prefix("0000-00-00T00:00:00").and_then(|rest| rest.strip_suffix('Z'));
    rest.is_some_and(|rest| {
        rest.is_empty() || rest.strip_prefix('.').is_some_and(|part| part.chars().all(|c| c == '0'))
    })
}

#[cfg(test)]
mod tests {
    use super::{Facts, difference};
    use crate::tree::{Item, Tree};
    use serde_json::{Value, json};

    fn check(expected: Value, found: Value, wrong: &[&str]) {
        let mut after = Tree::default();
        after.items.insert("a".into(), Item::File { bytes: Vec::new(), mode: 0o644 });
        let facts = Facts { root: "/r", before: &Tree::default(), after: &after };
        let lines = difference(&expected, &found, &facts);
        let places: Vec<&str> = lines.iter().map(|line| line.split(':').next().unwrap()).collect();
        assert_eq!(places, wrong, "{lines:?}");
    }

    #[test]
    fn exact_unless_it_says_otherwise() {
        check(json!({"a": [1, {"b": null}]}), json!({"a": [1, {"b": null}]}), &[]);
        check(json!({"a": 1}), json!({"a": 2}), &[".a"]);
        check(json!({"a": 1}), json!({}), &[".a"]);
        check(json!({}), json!({"a": 1}), &[".a"]);
        check(json!({"$more": true, "b": 1}), json!({"a": 1, "b": 1}), &[]);
        check(json!([1, 2]), json!([1]), &[""]);
        check(json!({"a": [{"b": 1}]}), json!({"a": [{"b": "1"}]}), &[".a[0].b"]);
    }

    #[test]
    fn placeholders() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        check(json!(["$ANY", "$TEXT", "$INT"]), json!([{}, "", 3]), &[]);
        check(json!(["$TEXT", "$INT"]), json!([1, "1"]), &["[0]", "[1]"]);
        check(json!(["$SHA256", "$sha256:a"]), json!([empty, empty]), &[]);
        check(json!(["$SHA256", "$sha256:b", "$before:a"]), json!(["x", empty, empty]), &["[0]", "[1]", "[2]"]);
        check(json!("$UUID"), json!("01890a5d-ac96-774b-bcce-b302099a8057"), &[]);
        check(json!("$UUID"), json!("01890a5dac96774bbcceb302099a8057"), &[""]);
        check(json!(["$TIME", "$TIME"]), json!(["2026-01-02T03:04:05Z", "2026-01-02T03:04:05.123Z"]), &[]);
        check(json!(["$TIME", "$TIME"]), json!(["2026-01-02", "2026-01-02T03:04:05+01:00"]), &["[0]", "[1]"]);
        check(json!("$ROOT/x"), json!("/r/x"), &[]);
        check(json!({"$contains": ["b", "c"]}), json!("abcd"), &[]);
        check(json!({"m": {"$contains": "z"}}), json!({"m": "abcd"}), &[".m"]);
        check(json!("costs $5"), json!("costs $5"), &[]);
    }
}

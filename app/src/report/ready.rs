//! Ready calls: the next call of a caller who was refused, written so that it can be sent as it stands. `tool {json}` on
//! one line; where that would be long, only what is to be put right in the call that was made.
//!
//! A whole ready call is printed only where one call is clearly meant; it never drops, invents or reinterprets anything
//! the caller said. It holds nothing that its reader has not said or seen, drops no check, names no tool that is not
//! served, and fits its tool. Where that cannot be had, words say what there is to decide.

use super::telling::Telling;
use super::terminal::{as_json, escaped};
use serde_json::{Map, Value};

/// A longer call is not repeated: its reader has it.
const LONGEST: usize = 400;

/// One thing to put right in the arguments. Places are spelt as in `edits[0].oldText`.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Mend {
    /// A value to give.
    Set(String, Value),
    /// What is to be left out.
    Out(String),
    /// Another name, at the same place.
    Rename(String, String),
}

impl Mend {
    pub(super) fn set(at: impl Into<String>, value: impl Into<Value>) -> Mend {
        Mend::Set(at.into(), value.into())
    }

    /// What to do, in words.
    fn said(&self) -> String {
        match self {
            Mend::Set(at, value) => format!("set {at} to {}", compact(value)),
            Mend::Out(at) => format!("leave out {at}"),
            Mend::Rename(at, name) => format!("rename {at} to {name}"),
        }
    }
}

/// A call in one line.
pub(super) fn ready(tool: &str, arguments: &Value) -> String {
    format!("{tool} {}", compact(arguments))
}

/// A name that `one_line` gave, as a value.
pub(super) fn named(path: &str) -> Value {
    serde_json::from_str(&as_json(path)).unwrap_or_else(|_| path.into())
}

/// The same, if it is short enough to be said.
pub(super) fn short(tool: &str, arguments: &Value) -> Option<String> {
    Some(ready(tool, arguments)).filter(|said| said.len() <= LONGEST)
}

/// A value as JSON on one line, with everything spelt out that would not show.
pub(super) fn compact(value: &Value) -> String {
    escaped(&value.to_string())
}

impl Telling<'_> {
    /// The argument of the call that this is about, if it was given.
    pub(super) fn given(&self, at: &str) -> Option<&Value> {
        find(&self.call?.arguments, &steps(at))
    }

    /// The same argument as text.
    pub(super) fn given_text(&self, at: &str) -> Option<&str> {
        self.given(at)?.as_str()
    }

    /// The tool that was called.
    pub(super) fn called(&self) -> Option<&'static str> {
        self.call.map(|call| call.tool)
    }

    /// Which of these arguments has this text?
    pub(super) fn holding(&self, names: &[&'static str], text: &str) -> Option<&'static str> {
        names.iter().copied().find(|name| self.given_text(name) == Some(text))
    }

    /// The same call with these things put right, as the rest of a sentence that begins with "Call" or "call": whole, or
    /// only what changes where it is long.
    pub(super) fn again(&self, mends: &[Mend]) -> String {
        self.whole(mends).unwrap_or_else(|| format!("{} again: {}", self.called().unwrap_or("it"), said(mends)))
    }

    /// The same call with these things put right, if it is short enough to be said.
    pub(super) fn whole(&self, mends: &[Mend]) -> Option<String> {
        let call = self.call?;
        let mut arguments = call.arguments.clone();
        mends.iter().try_for_each(|mend| mended(&mut arguments, mend))?;
        short(call.tool, &arguments).filter(|_| (call.fits)(call.tool, &arguments))
    }

    /// The same arguments for another tool, whole or in words; nothing if one of them does not fit that tool.
    pub(super) fn instead(&self, tool: &str) -> Option<String> {
        let call = self.call.filter(|call| self.has(tool) && (call.fits)(tool, &call.arguments))?;
        Some(short(tool, &call.arguments).unwrap_or_else(|| format!("{tool} with the same arguments")))
    }
}

/// All of it in words.
fn said(mends: &[Mend]) -> String {
    mends.iter().map(Mend::said).collect::<Vec<_>>().join(", ")
}

/// A step on the way to a value.
#[derive(Clone, Debug, PartialEq)]
enum Step {
    Key(String),
    Index(usize),
}

/// The way to a place such as `edits[0].oldText` or `encodingByPath["a b"]`.
fn steps(at: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut rest = at;
    while !rest.is_empty() {
        if let Some(inner) = rest.strip_prefix('[') {
            let mut keys = serde_json::Deserializer::from_str(inner).into_iter::<Value>();
            let step = match keys.next() {
                Some(Ok(Value::String(key))) => Step::Key(key),
                Some(Ok(Value::Number(index))) => {
                    Step::Index(index.as_u64().and_then(|index| usize::try_from(index).ok()).unwrap_or(usize::MAX))
                }
                _ => return Vec::new(),
            };
            steps.push(step);
            rest = inner.get(keys.byte_offset()..).unwrap_or_default().trim_start_matches(']');
        } else {
            let plain = rest.strip_prefix('.').unwrap_or(rest);
            let end = plain.find(['.', '[']).unwrap_or(plain.len());
            let (key, after) = plain.split_at(end);
            steps.push(Step::Key(key.to_owned()));
            rest = after;
        }
    }
    steps
}

fn find<'v>(value: &'v Value, steps: &[Step]) -> Option<&'v Value> {
    steps.iter().try_fold(value, |value, step| match step {
        Step::Key(key) => value.get(key),
        Step::Index(index) => value.get(index),
    })
}

fn find_mut<'v>(value: &'v mut Value, steps: &[Step]) -> Option<&'v mut Value> {
    steps.iter().try_fold(value, |value, step| match step {
        Step::Key(key) => value.get_mut(key),
        Step::Index(index) => value.get_mut(index),
    })
}

/// Puts one thing right; nothing if there is no such place.
fn mended(arguments: &mut Value, mend: &Mend) -> Option<()> {
    let (Mend::Set(at, _) | Mend::Out(at) | Mend::Rename(at, _)) = mend;
    let steps = steps(at);
    let (last, parents) = steps.split_last()?;
    let mut parent = find_mut(arguments, parents);
    if let (None, Mend::Set(..), [Step::Key(map)]) = (&parent, mend, parents) {
        arguments.as_object_mut()?.insert(map.clone(), Value::Object(Map::new()));
        parent = find_mut(arguments, parents);
    }
    match (parent?, last, mend) {
        (Value::Object(fields), Step::Key(key), Mend::Set(_, value)) => {
            fields.insert(key.clone(), value.clone());
        }
        (Value::Object(fields), Step::Key(key), Mend::Out(_)) => {
            fields.shift_remove(key)?;
        }
        (Value::Object(fields), Step::Key(key), Mend::Rename(_, name)) if !fields.contains_key(name) => {
            let renamed = |(known, value): (String, Value)| (if known == *key { name.clone() } else { known }, value);
            *fields = std::mem::take(fields).into_iter().map(renamed).collect();
        }
        (Value::Array(items), Step::Index(index), Mend::Set(_, value)) => *items.get_mut(*index)? = value.clone(),
        (Value::Array(items), Step::Index(index), Mend::Out(_)) if *index < items.len() => {
            items.remove(*index);
        }
        _ => return None,
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::telling::Sent;
    use serde_json::json;

    fn check(arguments: Value, mends: &[Mend], want: &str) {
        let call = Sent { tool: "edit_file", arguments, fits: |_, arguments| arguments.get("odd").is_none() };
        let tell = Telling { call: Some(&call), ..Telling::ALL };
        assert_eq!(tell.again(mends), want);
    }

    #[test]
    fn a_call_with_something_put_right() {
        check(
            json!({"path": "a", "edits": [{"oldText": "x", "newText": "y\n"}]}),
            &[Mend::set("edits[0].oldText", " x")],
            r#"edit_file {"path":"a","edits":[{"oldText":" x","newText":"y\n"}]}"#,
        );
        check(
            json!({"pth": "a\u{202e}", "b": 1}),
            &[Mend::Rename("pth".into(), "path".into()), Mend::Out("b".into())],
            r#"edit_file {"path":"a\u202e"}"#,
        );
        check(json!({"a": 1}), &[Mend::set("m[\"x y.z\"]", "u")], r#"edit_file {"a":1,"m":{"x y.z":"u"}}"#);
        check(json!({"m": {"x": 1}}), &[Mend::set("m[\"y\"]", 2)], r#"edit_file {"m":{"x":1,"y":2}}"#);
        // Nothing there to put right, or no room: only what is to be done.
        check(json!({"a": 1}), &[Mend::Out("b".into())], "edit_file again: leave out b");
        check(
            json!({"a": "x".repeat(LONGEST)}),
            &[Mend::set("b", true), Mend::Rename("a".into(), "c".into())],
            "edit_file again: set b to true, rename a to c",
        );
        // A call that would be refused is not said whole.
        check(json!({"a": 1}), &[Mend::set("odd", 1)], "edit_file again: set odd to 1");
        assert_eq!(Telling::ALL.again(&[Mend::set("b", true)]), "it again: set b to true");
    }

    #[test]
    fn places() {
        let key = |key: &str| Step::Key(key.to_owned());
        for (at, want) in [
            ("", vec![]),
            ("path", vec![key("path")]),
            ("edits[12].oldText", vec![key("edits"), Step::Index(12), key("oldText")]),
            (r#"m["a\"]b"].c"#, vec![key("m"), key("a\"]b"), key("c")]),
            ("[x]", vec![]),
        ] {
            assert_eq!(steps(at), want, "{at}");
        }
    }
}

//! Many of a kind from one line of a case: `count` of them, numbered from 1, each written out with its
//! number wherever the text has `{}`. Done while a case is read; the runner sees only the long form.

use serde_json::{Map, Value};

/// Setup steps, those with a `count` written out.
pub(super) fn steps(steps: Vec<Value>) -> Result<Vec<Value>, String> {
    let mut out = Vec::new();
    for step in steps {
        match step.get("count") {
            None => out.push(step),
            Some(_) => out.extend(numbers(&step, "count")?.map(|number| written_out(&step, number))),
        }
    }
    Ok(out)
}

/// Corrections of a tree, those with a `count` written out.
pub(super) fn corrections(corrections: Map<String, Value>) -> Result<Vec<(String, Value)>, String> {
    let mut out = Vec::new();
    for (path, wanted) in corrections {
        match wanted.get("count") {
            None => out.push((path, wanted)),
            Some(_) => {
                let all = numbers(&wanted, "count")?;
                out.extend(all.map(|number| (numbered(&path, number), written_out(&wanted, number))));
            }
        }
    }
    Ok(out)
}

/// Arguments as JSON text, with what `repeat` gives in place of `$REPEAT`.
pub(super) fn arguments(arguments: &str, repeat: Option<&Value>) -> Result<String, String> {
    let Some(repeat) = repeat else { return Ok(arguments.to_owned()) };
    let text = repeat.get("text").and_then(Value::as_str).ok_or("repeat without a text")?;
    let whole: String = numbers(repeat, "count")?.map(|number| numbered(text, number)).collect();
    let quoted = Value::String(whole).to_string();
    let inside = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or_default();
    Ok(arguments.replace("$REPEAT", inside))
}

/// An expected answer, with every `{"$count": N, "$each": …}` written out as a list.
pub(super) fn lists(value: &Value) -> Result<Value, String> {
    Ok(match value {
        Value::Object(fields) => match fields.get("$each") {
            Some(each) => numbers(value, "$count")?.map(|number| written_out(each, number)).collect(),
            None => {
                let fields = fields.iter().map(|(key, field)| Ok((key.clone(), lists(field)?)));
                Value::Object(fields.collect::<Result<_, String>>()?)
            }
        },
        Value::Array(list) => Value::Array(list.iter().map(lists).collect::<Result<_, String>>()?),
        other => other.clone(),
    })
}

fn numbers(value: &Value, key: &str) -> Result<std::ops::RangeInclusive<u64>, String> {
    let count = value.get(key).and_then(Value::as_u64).filter(|count| *count <= 100_000);
    Ok(1..=count.ok_or_else(|| format!("no usable {key} in {value}"))?)
}

fn written_out(value: &Value, number: u64) -> Value {
    match value {
        Value::String(text) => Value::String(numbered(text, number)),
        Value::Array(list) => list.iter().map(|one| written_out(one, number)).collect(),
        Value::Object(fields) => {
            fields.iter().map(|(key, field)| (numbered(key, number), written_out(field, number))).collect()
        }
        other => other.clone(),
    }
}

fn numbered(text: &str, number: u64) -> String {
    text.replace("{}", &number.to_string())
}

#[cfg(test)]
mod tests {
    use super::{arguments, corrections, lists, steps};
    use serde_json::{Value, json};

    /// Steps, corrections and lists are the same idea in three places.
    fn check(found: Result<Value, String>, wanted: Option<Value>) {
        assert_eq!(found.ok(), wanted);
    }

    #[test]
    fn each_is_written_out_with_its_number() {
        let all = |list: Vec<Value>| steps(list).map(Value::Array);
        check(all(vec![json!({"path": "a"})]), Some(json!([{"path": "a"}])));
        let two = json!([{"path": "1/1", "count": 2}, {"path": "2/2", "count": 2}]);
        check(all(vec![json!({"path": "{}/{}", "count": 2})]), Some(two));
        check(all(vec![json!({"path": "a", "count": "2"})]), None);
        let tree = |value: Value| corrections(value.as_object().cloned().unwrap_or_default()).map(|list| json!(list));
        check(tree(json!({"a": null})), Some(json!([["a", null]])));
        let pair = json!([["f1", {"count": 2, "text": "1"}], ["f2", {"count": 2, "text": "2"}]]);
        check(tree(json!({"f{}": {"count": 2, "text": "{}"}})), Some(pair));
        check(lists(&json!([{"$count": 2, "$each": {"n{}": ["{}"]}}])), Some(json!([[{"n1": ["1"]}, {"n2": ["2"]}]])));
        check(lists(&json!({"a": {"$each": 1}})), None);
        check(lists(&json!({"a": ["b{}", 1]})), Some(json!({"a": ["b{}", 1]})));
    }

    #[test]
    fn repeated_text_goes_into_arguments_as_json() {
        let check = |repeat: Option<Value>, wanted: Option<&str>| {
            assert_eq!(arguments(r#"{"p": "a$REPEAT"}"#, repeat.as_ref()).ok().as_deref(), wanted);
        };
        check(None, Some(r#"{"p": "a$REPEAT"}"#));
        check(Some(json!({"text": "{}\n\"", "count": 2})), Some(r#"{"p": "a1\n\"2\n\""}"#));
        check(Some(json!({"text": "x"})), None);
        check(Some(json!({"count": 2})), None);
        check(Some(json!({"text": "x", "count": 1_000_000})), None);
    }
}

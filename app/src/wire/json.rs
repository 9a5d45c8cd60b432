//! JSON text as a value that keeps the order of keys and refuses a key that comes twice: if the last one
//! won, a check given first would be dropped without a word.

use super::place::Place;
use super::short::short_text;
use patchwright_core::refusal::{ArgumentFault, Expected, Many, Refusal, Why};
use patchwright_core::seeded::{Bug, is_planted};
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::cell::RefCell;
use std::collections::HashSet;
use std::fmt;

/// A JSON value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Json {
    /// `null`
    Null,
    /// `true` or `false`
    Flag(bool),
    /// A whole number, also one spelt `3.0`.
    Whole(i64),
    /// Any other number, as text.
    Number(String),
    /// A string.
    Text(String),
    /// A list.
    List(Vec<Json>),
    /// An object, its keys all different and in the order they came.
    Object(Vec<(String, Json)>),
}

/// So many objects stand in one list at most. Beyond that they are counted and not kept: each costs many times its text.
const MOST_ENTRIES: usize = 200_000;

/// Most faults told at once.
pub(super) const FAULTS_MAX: usize = 20;

#[cfg(test)]
thread_local! {
    /// What was parsed on this thread, so that tests can tell whether something was parsed twice.
    pub(crate) static PARSED: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Reads one JSON document. Refuses what `serde_json` refuses (lone surrogates, more than 127 levels,
/// anything after the end), and keys that come twice in one object, at any depth.
pub fn parse_json(text: &str) -> Result<Json, Refusal> {
    #[cfg(test)]
    PARSED.with_borrow_mut(|parsed| parsed.push(text.to_owned()));
    let faults = RefCell::new(Vec::new());
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = Reader { at: &Place::ROOT, faults: &faults }.deserialize(&mut reader);
    let ended = value.and_then(|value| reader.end().map(|()| value));
    let value =
        ended.map_err(|error| Refusal::argument("", Expected::Json(error.to_string()), "text that is not JSON"))?;
    let faults = faults.into_inner();
    if faults.is_empty() { Ok(value) } else { Err(Refusal::plain(Why::Arguments(faults))) }
}

impl Json {
    /// A text.
    pub fn text(text: &str) -> Json {
        Json::Text(text.to_owned())
    }

    /// What this is, shortened, for saying what came instead of what was expected: plain values as JSON
    /// spells them.
    pub fn shown(&self) -> String {
        match self {
            Json::Null => "null".to_owned(),
            Json::Flag(flag) => flag.to_string(),
            Json::Whole(number) => number.to_string(),
            Json::Number(number) => number.clone(),
            Json::Text(text) => short_text(text),
            Json::List(items) => format!("an array of {}", items.len()),
            Json::Object(fields) => format!("an object with {} fields", fields.len()),
        }
    }

    /// A number without a fraction, also one too large for us.
    pub(super) fn is_whole(&self) -> bool {
        match self {
            Json::Whole(_) => true,
            Json::Number(text) => text.parse::<f64>().is_ok_and(|number| number.fract() == 0.0),
            _ => false,
        }
    }
}

impl From<serde_json::Value> for Json {
    fn from(value: serde_json::Value) -> Json {
        match value {
            serde_json::Value::Null => Json::Null,
            serde_json::Value::Bool(flag) => Json::Flag(flag),
            serde_json::Value::Number(number) => match (number.as_i64(), number.as_f64()) {
                (Some(whole), _) => Json::Whole(whole),
                (None, Some(float)) if !number.is_u64() => float_value(float),
                _ => Json::Number(number.to_string()),
            },
            serde_json::Value::String(text) => Json::Text(text),
            serde_json::Value::Array(items) => Json::List(items.into_iter().map(Json::from).collect()),
            serde_json::Value::Object(fields) => {
                Json::Object(fields.into_iter().map(|(key, value)| (key, value.into())).collect())
            }
        }
    }
}

impl From<Json> for serde_json::Value {
    fn from(json: Json) -> serde_json::Value {
        match json {
            Json::Null => serde_json::Value::Null,
            Json::Flag(flag) => flag.into(),
            Json::Whole(number) => number.into(),
            Json::Number(number) => serde_json::from_str(&number).unwrap_or_default(),
            Json::Text(text) => text.into(),
            Json::List(items) => items.into_iter().map(serde_json::Value::from).collect(),
            Json::Object(fields) => {
                fields.into_iter().map(|(key, value)| (key, serde_json::Value::from(value))).collect()
            }
        }
    }
}

/// Floats are exact for whole numbers up to here; beyond it `3e15` might not be the number that was meant.
const EXACT: f64 = 9_007_199_254_740_992.0;

fn float_value(float: f64) -> Json {
    if float.fract() == 0.0 && float.abs() < EXACT {
        #[expect(clippy::cast_possible_truncation, reason = "a whole number of at most 53 bits")]
        return Json::Whole(float as i64);
    }
    Json::Number(serde_json::Number::from_f64(float).map_or_else(|| float.to_string(), |number| number.to_string()))
}

struct Reader<'a> {
    at: &'a Place<'a>,
    faults: &'a RefCell<Vec<ArgumentFault>>,
}

impl<'de> DeserializeSeed<'de> for Reader<'_> {
    type Value = Json;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reader<'_> {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Json, E> {
        Ok(Json::Flag(flag))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Json, E> {
        Ok(Json::Whole(number))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Json, E> {
        Ok(i64::try_from(number).map_or_else(|_| Json::Number(number.to_string()), Json::Whole))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Json, E> {
        Ok(float_value(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Json, E> {
        Ok(Json::Text(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Json, E> {
        Ok(Json::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let (mut list, mut entries) = (Vec::new(), 0_usize);
        while entries <= MOST_ENTRIES {
            let reader = Reader { at: &self.at.index(list.len()), faults: self.faults };
            let Some(item) = items.next_element_seed(reader)? else { return Ok(Json::List(list)) };
            entries += usize::from(matches!(item, Json::Object(_)));
            list.push(item);
        }
        let mut count = list.len();
        drop(list);
        while items.next_element::<IgnoredAny>()?.is_some() {
            count += 1;
        }
        self.too_many(count);
        Ok(Json::List(Vec::new()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Json, A::Error> {
        let mut fields = Vec::new();
        let mut seen = HashSet::new();
        while let Some(key) = entries.next_key::<String>()? {
            let at = self.at.key(&key);
            let value = entries.next_value_seed(Reader { at: &at, faults: self.faults })?;
            if is_planted(Bug::LastKeyWins) {
                fields.retain(|(known, _)| *known != key);
            } else if !seen.insert(key.clone()) {
                self.twice(&at);
                continue;
            }
            fields.push((key, value));
        }
        Ok(Json::Object(fields))
    }
}

impl Reader<'_> {
    fn twice(&self, at: &Place<'_>) {
        self.fault(at, Expected::UniqueKey, "the key a second time".to_owned());
    }

    fn too_many(&self, count: usize) {
        self.fault(self.at, Expected::AtMost(MOST_ENTRIES, Many::Entries), format!("an array of {count}"));
    }

    fn fault(&self, at: &Place<'_>, expected: Expected, got: String) {
        let mut faults = self.faults.borrow_mut();
        if faults.len() < FAULTS_MAX {
            faults.push(ArgumentFault { at: at.spell(), expected, got });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, want: Result<Json, &[(&str, &str)]>) {
        let got = parse_json(text).map_err(|refusal| match refusal.why {
            Why::Arguments(faults) => {
                faults.into_iter().map(|fault| (fault.at, word(fault.expected))).collect::<Vec<_>>()
            }
            other => panic!("{other:?}"),
        });
        let want = want.map_err(|faults| {
            faults.iter().map(|(at, word)| ((*at).to_owned(), (*word).to_owned())).collect::<Vec<_>>()
        });
        match (got, want) {
            (Err(got), Err(want)) => {
                assert_eq!(got.len(), want.len(), "{text}: {got:?}");
                for ((at, message), (want_at, part)) in got.iter().zip(&want) {
                    assert!(at == want_at && message.contains(part.as_str()), "{text}: {at} {message}");
                }
            }
            (got, want) => assert_eq!(got, want, "{text}"),
        }
    }

    fn word(expected: Expected) -> String {
        match expected {
            Expected::Json(message) => message,
            other => format!("{other:?}"),
        }
    }

    fn object(fields: &[(&str, Json)]) -> Json {
        Json::Object(fields.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect())
    }

    #[test]
    fn values() {
        check("null", Ok(Json::Null));
        check(" 3 ", Ok(Json::Whole(3)));
        check("3.0", Ok(Json::Whole(3)));
        check("-0.0", Ok(Json::Whole(0)));
        check("1e3", Ok(Json::Whole(1000)));
        check("3.5", Ok(Json::Number("3.5".into())));
        check("1e300", Ok(Json::Number("1e+300".into())));
        check("9223372036854775807", Ok(Json::Whole(i64::MAX)));
        check("9223372036854775808", Ok(Json::Number("9223372036854775808".into())));
        check("9007199254740991.0", Ok(Json::Whole(9007199254740991)));
        check("9007199254740994.0", Ok(Json::Number("9007199254740994.0".into())));
        check(r#""\ud834\udd1e\n""#, Ok(Json::Text("𝄞\n".into())));
        check(
            r#"{"b": [true], "a": {}}"#,
            Ok(object(&[("b", Json::List(vec![Json::Flag(true)])), ("a", object(&[]))])),
        );
    }

    #[test]
    fn not_json() {
        for (text, part) in [
            ("", "EOF"),
            ("{", "EOF"),
            ("{} x", "trailing characters at line 1 column 4"),
            ("{'a': 1}", "line 1 column 2"),
            ("[1,]", "trailing comma"),
            ("NaN", "expected"),
            ("01", "invalid number"),
            ("1e999", "out of range"),
            ("\"a\nb\"", "control character"),
            (r#""\ud800""#, "escape"),
            (r#""\ud800\u0041""#, "surrogate"),
            (r#"{"\udc00": 1}"#, "surrogate"),
            (r#"{"a": 1, "a": "\ud800"}"#, "escape"),
        ] {
            check(text, Err(&[("", part)]));
        }
        check(&"[".repeat(100_000), Err(&[("", "recursion limit")]));
        check(&format!("{}{}", "[".repeat(128), "]".repeat(128)), Err(&[("", "recursion limit")]));
        assert!(parse_json(&format!("{}{}", "[".repeat(127), "]".repeat(127))).is_ok());
    }

    #[test]
    fn entries_are_counted_before_they_are_kept() {
        let list = |entry: &str, count: usize| format!("{{\"a\": [{}{entry}]}}", format!("{entry},").repeat(count - 1));
        check(&list("{}", MOST_ENTRIES + 2), Err(&[("a", "AtMost(200000, Entries)")]));
        assert!(parse_json(&list("{}", MOST_ENTRIES)).is_ok());
        assert!(parse_json(&list("\"\"", MOST_ENTRIES + 2)).is_ok()); // lines of a text
    }

    #[test]
    fn duplicate_keys() {
        check(r#"{"a": 1, "a": 1}"#, Err(&[("a", "UniqueKey")]));
        check(r#"{"a": 1, "\u0061": 2}"#, Err(&[("a", "UniqueKey")]));
        check(r#"{"edits": [{}, {"oldText": "", "x": 1, "oldText": ""}]}"#, Err(&[("edits[1].oldText", "UniqueKey")]));
        check(r#"[{"a b": {"c": 1, "c": 2}}]"#, Err(&[("[0][\"a b\"].c", "UniqueKey")]));
        check(r#"{"a": {"b": 1, "b": 2}, "c": 1, "c": 2}"#, Err(&[("a.b", "UniqueKey"), ("c", "UniqueKey")]));
        let many = format!("{{{}\"a\": 0}}", "\"a\": 0,".repeat(1000));
        assert!(matches!(parse_json(&many).unwrap_err().why, Why::Arguments(faults) if faults.len() == FAULTS_MAX));
    }
}

//! Arguments as plain values, free of any wire format. The wire has checked them against the tool's
//! parameters before they come here, so the readers below only have to pick.

use crate::digest::DigestPrefix;
use crate::refusal::{ArgumentFault, Expected, Refusal};

/// One argument's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// True or false.
    Flag(bool),
    /// A whole number.
    Whole(i64),
    /// Text.
    Text(String),
    /// A list.
    List(Vec<Value>),
    /// An object.
    Record(Args),
    /// Nothing, said as such; only where that means something.
    Null,
    /// Something that does not fit its parameter. It stands here for a tool that tells of it itself.
    Unfit,
}

/// Named values: the arguments of a call, or one record among them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Args {
    fields: Vec<(String, Value)>,
    unfit: Vec<ArgumentFault>,
}

impl Args {
    /// Takes over fields whose names are all different.
    pub fn new(fields: Vec<(String, Value)>) -> Args {
        Args { fields, unfit: Vec::new() }
    }

    /// The same, with what does not fit; for tools that tell of it beside what they find themselves.
    pub fn with_unfit(self, unfit: Vec<ArgumentFault>) -> Args {
        Args { unfit, ..self }
    }

    /// What does not fit, if that did not end the call already.
    pub fn unfit(&self) -> &[ArgumentFault] {
        &self.unfit
    }

    /// The fields in the order they came.
    pub fn fields(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.fields.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// Whatever was given under this name.
    pub fn value(&self, name: &str) -> Option<&Value> {
        self.fields.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// A text, if it was given.
    pub fn word(&self, name: &str) -> Option<&str> {
        match self.value(name) {
            Some(Value::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// A text that must be there.
    pub fn text(&self, name: &str) -> Result<String, Refusal> {
        let missing = || Refusal::argument(name, Expected::Present("string"), "nothing");
        self.word(name).map(str::to_owned).ok_or_else(missing)
    }

    /// A flag, if it was given.
    pub fn flag(&self, name: &str) -> Option<bool> {
        match self.value(name) {
            Some(Value::Flag(flag)) => Some(*flag),
            _ => None,
        }
    }

    /// A whole number, if it was given.
    pub fn whole(&self, name: &str) -> Option<i64> {
        match self.value(name) {
            Some(Value::Whole(number)) => Some(*number),
            _ => None,
        }
    }

    /// A whole number that counts something, if it was given.
    pub fn count(&self, name: &str) -> Option<usize> {
        self.whole(name).and_then(|number| usize::try_from(number).ok())
    }

    /// The elements of a list; none if it was not given.
    pub fn list(&self, name: &str) -> &[Value] {
        match self.value(name) {
            Some(Value::List(items)) => items,
            _ => &[],
        }
    }

    /// A list of texts.
    pub fn texts(&self, name: &str) -> Vec<String> {
        let text = |value: &Value| match value {
            Value::Text(text) => Some(text.clone()),
            _ => None,
        };
        self.list(name).iter().filter_map(text).collect()
    }

    /// The texts of a map, with their keys; none if it was not given.
    pub fn texts_by_key(&self, name: &str) -> Vec<(String, String)> {
        let Some(Value::Record(map)) = self.value(name) else { return Vec::new() };
        let pair = |(key, value): (&str, &Value)| match value {
            Value::Text(text) => Some((key.to_owned(), text.clone())),
            _ => None,
        };
        map.fields().filter_map(pair).collect()
    }

    /// A sha256 in hex or the beginning of one, if it was given.
    pub fn sha256(&self, name: &str) -> Result<Option<DigestPrefix>, Refusal> {
        let Some(hex) = self.word(name) else { return Ok(None) };
        let malformed = || Refusal::argument(name, Expected::Sha256Start, format!("{hex:?}"));
        DigestPrefix::parse(hex).map(Some).ok_or_else(malformed)
    }
}

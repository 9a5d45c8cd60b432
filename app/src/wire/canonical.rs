//! A call as its tool's parameters have it: aliases, shapes with one reading and `null`s are read here, once, before
//! anything is checked. What has two readings is a fault; what no table knows stays as it came, for the check to refuse.

use super::json::{FAULTS_MAX, Json, parse_json};
use super::place::Place;
use patchwright_core::reading::Reading;
use patchwright_core::refusal::{ArgumentFault, Expected, Refusal, Why};
use patchwright_core::seeded::{Bug, is_planted};
use patchwright_core::tool::{Alias, AliasValue, Param, ParamKind, Tool};

/// Arguments as the parameters have them.
#[derive(Clone, Debug, PartialEq)]
pub struct Canonical {
    /// The arguments.
    pub json: Json,
    /// How they were read, each shape once.
    pub readings: Vec<Reading>,
    /// What has two readings, or none.
    pub faults: Vec<ArgumentFault>,
    /// Places that came under another name, each with that name; what lies inside comes before what it lies in.
    pub given: Vec<(String, String)>,
    /// The list whose one element was written beside the arguments, if one was.
    pub flat: Option<&'static str>,
}

/// So many other names are remembered.
const NAMES_MAX: usize = 1_000;

/// What a `null` means in the place of a proof.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NullProof {
    /// That it is left out, and something else must prove.
    #[default]
    LeftOut,
    /// Nothing: where calls need no proof, one that was meant to be given must not be dropped.
    Refused,
}

/// Reads arguments. A call that needs no reading comes out as it went in.
///
/// ```
/// use patchwright_app::wire::{NullProof, canonical, parse_json, tool};
/// let read = |text: &str| canonical(tool("read_file").unwrap(), parse_json(text).unwrap(), NullProof::LeftOut).json;
/// assert_eq!(read(r#"{"file_path": "a", "offset": "5"}"#), read(r#"{"path": "a", "startLine": 5}"#));
/// ```
pub fn canonical(tool: &Tool, json: Json, null_proof: NullProof) -> Canonical {
    let text = Text::Outside;
    let mut reader =
        Reader { tool, null_proof, text, readings: Vec::new(), faults: Vec::new(), given: Vec::new(), flat: None };
    let json = reader.arguments(json);
    Canonical { json, readings: reader.readings, faults: reader.faults, given: reader.given, flat: reader.flat }
}

struct Reader<'a> {
    tool: &'a Tool,
    null_proof: NullProof,
    text: Text,
    readings: Vec<Reading>,
    faults: Vec<ArgumentFault>,
    given: Vec<(String, String)>,
    flat: Option<&'static str>,
}

/// Whether what is read stands in a text already: then no text in it is read as JSON again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Text {
    Outside,
    Inside,
}

/// A field under the name that the caller gave it.
struct Given {
    name: String,
    value: Json,
}

/// The fields of an object as they are read.
#[derive(Default)]
struct Fields {
    read: Vec<(String, Json)>,
    /// Those that came under another name: the field, and that name.
    renamed: Vec<(&'static str, String)>,
    /// Aliases whose values are no values of an argument yet.
    lines: Vec<(&'static Alias, Json)>,
}

impl Fields {
    fn value(&self, name: &str) -> Option<&Json> {
        self.read.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// The name under which a field came.
    fn given(&self, name: &str) -> String {
        let renamed = self.renamed.iter().find(|(known, _)| *known == name);
        renamed.map_or(name, |(_, given)| given.as_str()).to_owned()
    }
}

impl Reader<'_> {
    fn arguments(&mut self, json: Json) -> Json {
        let Json::Object(given) = json else { return json };
        let params = self.tool.parameters;
        let Some((list, fields)) = self.tool.flat() else { return self.object(&Place::ROOT, params, given) };
        let is_flat = |name: &str| {
            let known = |params: &[Param]| params.iter().any(|param| param.name == name);
            !known(params) && (known(fields) || self.tool.alias(name, fields).is_some())
        };
        let (flat, rest): (Vec<_>, Vec<_>) = given.into_iter().partition(|(name, _)| is_flat(name));
        let whole = self.object(&Place::ROOT, params, rest);
        if flat.is_empty() { whole } else { self.with_flat(list.name, fields, flat, whole) }
    }

    /// The arguments with the one element that was written beside them.
    fn with_flat(
        &mut self,
        list: &'static str,
        fields: &'static [Param],
        flat: Vec<(String, Json)>,
        whole: Json,
    ) -> Json {
        let first = flat.first().map(|(name, value)| (name.clone(), value.shown()));
        let element = self.object(&Place::ROOT, fields, flat);
        let (Json::Object(mut whole), Json::Object(found), Some((name, shown))) = (whole, &element, first) else {
            return element;
        };
        // All of it was null.
        if found.is_empty() {
            return Json::Object(whole);
        }
        let element = Json::List(vec![element]);
        match whole.iter().find(|(name, _)| name == list) {
            None => {
                whole.push((list.to_owned(), element));
                self.flat = Some(list);
            }
            Some((_, given)) if same(given, &element) || is_planted(Bug::FlatEditDropped) => {}
            Some(_) => self.fault(&Place::ROOT.key(&name), Expected::InList(list), shown),
        }
        self.note(Reading::Flat(list));
        Json::Object(whole)
    }

    fn object(&mut self, at: &Place<'_>, params: &'static [Param], given: Vec<(String, Json)>) -> Json {
        let mut fields = Fields { read: Vec::with_capacity(given.len()), ..Fields::default() };
        for (name, value) in given {
            self.field(at, params, Given { name, value }, &mut fields);
        }
        let mut lines = std::mem::take(&mut fields.lines);
        // How far some lines go depends on where they begin.
        lines.sort_by_key(|(alias, _)| alias.value == AliasValue::LineCount);
        for (alias, value) in lines {
            self.lines(at, alias, value, &mut fields);
        }
        Json::Object(fields.read)
    }

    fn field(&mut self, at: &Place<'_>, params: &'static [Param], field: Given, fields: &mut Fields) {
        let Given { name: given, value } = field;
        let alias = self.tool.alias(&given, params);
        let name = alias.map_or(given.as_str(), |alias| alias.name);
        let Some(param) = params.iter().find(|param| param.name == name) else {
            fields.read.push((given, value));
            return;
        };
        if value == Json::Null && self.is_absent(param) {
            self.note(Reading::Null(given));
            return;
        }
        let value = self.value(&at.key(&given), param, &given, value);
        match alias {
            Some(alias) if matches!(alias.value, AliasValue::FirstLine | AliasValue::LineCount) => {
                fields.lines.push((alias, value));
            }
            Some(alias) => {
                self.note(alias.reading());
                self.put(at, param.name, Given { name: given, value }, fields);
            }
            None => self.put(at, param.name, Given { name: given, value }, fields),
        }
    }

    /// Does `null` mean that this argument is left out?
    fn is_absent(&self, param: &Param) -> bool {
        let proof = param.is_proof() && self.null_proof == NullProof::Refused && !is_planted(Bug::NullLiftsProof);
        !matches!(param.kind, ParamKind::TextOrNull) && !proof
    }

    /// A field's value, unless it came under another name already and was something else there.
    fn put(&mut self, at: &Place<'_>, name: &'static str, field: Given, fields: &mut Fields) {
        let Given { name: given, value } = field;
        let Some((_, known)) = fields.read.iter_mut().find(|(known, _)| known == name) else {
            if given == name {
                fields.read.push((given, value));
            } else {
                if self.given.len() < NAMES_MAX {
                    self.given.push((at.key(name).spell(), at.key(&given).spell()));
                }
                fields.read.push((name.to_owned(), value));
                fields.renamed.push((name, given));
            }
            return;
        };
        if same(known, &value) {
            return;
        }
        if is_planted(Bug::AliasWins) {
            *known = value;
            return;
        }
        let shown = known.shown();
        let expected = Expected::SameAs { name, other: fields.given(name), value: shown };
        self.fault(&at.key(&given), expected, value.shown());
    }

    /// A first line, or a number of lines from there.
    fn lines(&mut self, at: &Place<'_>, alias: &'static Alias, value: Json, fields: &mut Fields) {
        self.note(alias.reading());
        let least = i64::from(alias.value == AliasValue::LineCount);
        let place = at.key(alias.given);
        let number = match value {
            Json::Whole(number) if number >= least => number,
            other => {
                let expected =
                    if other.is_whole() { Expected::Between(least, i64::MAX) } else { Expected::Type("integer") };
                return self.fault(&place, expected, other.shown());
            }
        };
        let line = match (alias.value, fields.value("startLine")) {
            (AliasValue::FirstLine, _) => number.max(1),
            (_, None) => number,
            (_, Some(Json::Whole(first))) => first.saturating_add(number.saturating_sub(1)),
            // The check has a word about that first line.
            (_, Some(_)) => return,
        };
        let field = Given { name: alias.given.to_owned(), value: Json::Whole(line) };
        self.put(at, alias.name, field, fields);
    }

    fn value(&mut self, at: &Place<'_>, param: &Param, given: &str, value: Json) -> Json {
        match (param.kind, value) {
            (ParamKind::Record(params), Json::Object(given)) => self.object(at, params, given),
            (ParamKind::Whole(..), Json::Text(text)) => match whole(&text) {
                Some(number) => self.noted(Reading::Spelt(given.to_owned()), Json::Whole(number)),
                None => Json::Text(text),
            },
            (ParamKind::Flag, Json::Text(text)) if text == "true" || text == "false" => {
                self.noted(Reading::Spelt(given.to_owned()), Json::Flag(text == "true"))
            }
            (_, Json::Text(text)) if param.takes_one_string() && !is_list(&text) => {
                self.noted(Reading::OneString(given.to_owned()), Json::List(vec![Json::Text(text)]))
            }
            (kind, value) => match kind.of_objects() {
                Some(params) => self.list(at, given, params, value),
                None => value,
            },
        }
    }

    /// A list of objects, or a text that holds one.
    fn list(&mut self, at: &Place<'_>, name: &str, params: &'static [Param], value: Json) -> Json {
        match value {
            Json::List(items) => self.objects(at, params, items),
            Json::Text(text) if self.text == Text::Outside && begins_list(&text) => match in_text(&text) {
                Ok(Json::List(items)) => {
                    self.note(Reading::JsonText(name.to_owned()));
                    self.text = Text::Inside;
                    let read = self.objects(at, params, items);
                    self.text = Text::Outside;
                    read
                }
                Ok(_) => Json::Text(text),
                Err(refusal) => {
                    self.faults_in_text(at, refusal.why);
                    Json::Text(text)
                }
            },
            other => other,
        }
    }

    fn objects(&mut self, at: &Place<'_>, params: &'static [Param], items: Vec<Json>) -> Json {
        let read = |(index, item)| match item {
            Json::Object(given) => self.object(&at.index(index), params, given),
            other => other,
        };
        Json::List(items.into_iter().enumerate().map(read).collect())
    }

    /// What is wrong with a text that should hold a list.
    fn faults_in_text(&mut self, at: &Place<'_>, why: Why) {
        let Why::Arguments(faults) = why else { return };
        for fault in faults {
            self.add(ArgumentFault { at: format!("{}{}", at.spell(), fault.at), ..fault });
        }
    }

    fn noted(&mut self, reading: Reading, value: Json) -> Json {
        self.note(reading);
        value
    }

    fn note(&mut self, reading: Reading) {
        if !self.readings.iter().any(|known| known.is_like(&reading)) {
            self.readings.push(reading);
        }
    }

    fn fault(&mut self, at: &Place<'_>, expected: Expected, got: String) {
        self.add(ArgumentFault { at: at.spell(), expected, got });
    }

    fn add(&mut self, fault: ArgumentFault) {
        if self.faults.len() < FAULTS_MAX {
            self.faults.push(fault);
        }
    }
}

/// The JSON in a text, read like that of the call itself.
fn in_text(text: &str) -> Result<Json, Refusal> {
    if is_planted(Bug::TextReadLoosely) {
        return serde_json::from_str::<serde_json::Value>(text).map(Json::from).or_else(|_| parse_json(text));
    }
    parse_json(text)
}

/// A whole number in the one spelling that it has.
fn whole(text: &str) -> Option<i64> {
    text.parse::<i64>().ok().filter(|number| number.to_string() == text)
}

fn begins_list(text: &str) -> bool {
    text.trim_start_matches([' ', '\t', '\n', '\r']).starts_with('[')
}

/// Could a string that stands for one word be a list of them? Then it has two readings.
fn is_list(text: &str) -> bool {
    begins_list(text) && parse_json(text).is_ok()
}

/// Do two values say the same? The order of fields says nothing.
fn same(one: &Json, two: &Json) -> bool {
    match (one, two) {
        (Json::Object(one), Json::Object(two)) => {
            let has =
                |(name, value): &(String, Json)| two.iter().any(|(known, other)| known == name && same(value, other));
            one.len() == two.len() && one.iter().all(has)
        }
        (Json::List(one), Json::List(two)) => {
            one.len() == two.len() && one.iter().zip(two).all(|(one, two)| same(one, two))
        }
        _ => one == two,
    }
}

#[cfg(test)]
mod tests;

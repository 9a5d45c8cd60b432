//! Target `arguments`: the JSON of calls, against a JSON reader of our own. A key that comes twice is refused,
//! whatever is accepted means the same when it is written again, and no field is overlooked.

mod drawn;
mod tree;

use crate::feed::Feed;
use patchwright_app::wire::{self, Json, NullProof, parse_json};
use patchwright_core::tool::{ALIASES, Alias, Call, Need, ParamKind, TOOLS, Tool, Tools};
use tree::{Reading, Tree};

pub(crate) fn run(data: &[u8]) {
    let mut feed = Feed::new(data);
    let tool = feed.pick(TOOLS);
    let text = match feed.below(4) {
        0 => String::from_utf8_lossy(feed.rest()).into_owned(),
        1 => drawn::any(&mut feed),
        _ => drawn::arguments(&mut feed, tool),
    };
    let own = tree::read(&text);
    let found = parse_json(&text);
    match (&own, &found) {
        (Reading::Sound(wanted), Ok(found)) => {
            assert!(same(wanted, found), "{text}: read as {found:?}, not {wanted:?}")
        }
        (Reading::Twice | Reading::Bad, Err(_)) => {}
        _ => panic!("{text}: found {found:?}, wanted {own:?}"),
    }
    match (wire::call(tool.name, &text), found) {
        (Ok(call), Ok(json)) => accepted(tool, &json, &call),
        (Ok(call), Err(_)) => panic!("{text} is no JSON to be trusted, and became {call:?}"),
        (Err(_), _) => {}
    }
}

fn same(wanted: &Tree, found: &Json) -> bool {
    match (wanted, found) {
        (Tree::Null, Json::Null) => true,
        (Tree::Flag(wanted), Json::Flag(found)) => wanted == found,
        (Tree::Number(text), Json::Whole(found)) => match text.parse::<i64>() {
            Ok(number) => number == *found,
            // As `3.0` and `1e3` do.
            Err(_) => {
                text.contains(['.', 'e', 'E', '-']) && text.parse::<f64>().is_ok_and(|number| float(*found) == number)
            }
        },
        (Tree::Number(text), Json::Number(found)) => text.parse::<f64>().ok() == found.parse::<f64>().ok(),
        (Tree::Text(wanted), Json::Text(found)) => wanted == found,
        (Tree::List(wanted), Json::List(found)) => {
            wanted.len() == found.len() && wanted.iter().zip(found).all(|(one, two)| same(one, two))
        }
        (Tree::Object(wanted), Json::Object(found)) => {
            wanted.len() == found.len()
                && wanted.iter().zip(found).all(|(one, two)| one.0 == two.0 && same(&one.1, &two.1))
        }
        _ => false,
    }
}

/// A whole number of at most 53 bits, as it was once read from a float.
#[allow(clippy::cast_precision_loss, reason = "the product takes floats for whole numbers only where they are exact")]
fn float(number: i64) -> f64 {
    number as f64
}

/// Looks over arguments that became a call.
fn accepted(tool: &Tool, json: &Json, call: &Call) {
    assert_eq!(call.tool().name, tool.name);
    let mut text = String::new();
    drawn::write(json, &mut text);
    let again = wire::call(tool.name, &text);
    assert!(again.as_ref().is_ok_and(|again| again == call), "{text}: {call:?}, written again {again:?}");
    let Json::Object(given) = json else { panic!("arguments that are no object: {json:?}") };
    let read = wire::canonical(tool, json.clone(), NullProof::LeftOut);
    let Json::Object(fields) = &read.json else { panic!("{json:?} was read as {read:?}") };
    let sound = match call {
        Call::WorkspaceWritePatch(ask) => ask.unfit.is_empty(),
        _ => true,
    };
    let again = wire::canonical(tool, read.json.clone(), NullProof::LeftOut);
    let settled = again.json == read.json && again.readings.is_empty();
    assert!(settled || !sound, "{json:?}: read again as {again:?}");
    for (name, _) in given {
        assert!(is_known(tool, name) || !sound, "{}: {name} was overlooked: {json:?}", tool.name);
    }
    for (name, value) in fields {
        let param = tool.parameters.iter().find(|param| param.name == name);
        let fits = param.is_some_and(|param| fits(&param.kind, value));
        assert!(fits || !sound, "{}: {name} was overlooked: {value:?}", tool.name);
    }
    let given = |name: &str| fields.iter().any(|(field, _)| field == name);
    let replaced = |name: &str| {
        tool.parameters
            .iter()
            .any(|param| matches!(param.need, Need::InPlaceOf(other) if other == name) && given(param.name))
    };
    let lacks = |need: Need, name: &str| match need {
        Need::Required => !given(name) && !replaced(name),
        Need::Unless(older) => !given(name) && !given(older) && !replaced(name),
        Need::Optional | Need::Default(_) | Need::Unlisted | Need::InPlaceOf(_) => false,
    };
    let missing = tool.parameters.iter().find(|param| lacks(param.need, param.name));
    assert!(missing.is_none() || !sound, "{}: a call without {missing:?}", tool.name);
}

/// Is it the name of an argument, of a field that may stand beside them, or one that is read as such a name?
fn is_known(tool: &Tool, name: &str) -> bool {
    let beside = tool.flat().map_or(&[][..], |(_, fields)| fields);
    let meant = ALIASES.iter().filter(|alias| alias.given == name && reads(tool, alias)).map(|alias| alias.name);
    let named = |name: &str| tool.parameters.iter().chain(beside).any(|param| param.name == name);
    named(name) || meant.into_iter().any(named)
}

fn reads(tool: &Tool, alias: &Alias) -> bool {
    match alias.tools {
        Tools::All => true,
        Tools::Only(name) => name == tool.name,
    }
}

/// Is a value what a parameter may hold?
fn fits(kind: &ParamKind, value: &Json) -> bool {
    match (kind, value) {
        (ParamKind::Ignored, _) | (ParamKind::TextOrNull, Json::Null) => true,
        (ParamKind::Text | ParamKind::TextOrNull, Json::Text(_)) | (ParamKind::Flag, Json::Flag(_)) => true,
        (ParamKind::Word | ParamKind::DocPath(_), Json::Text(text)) => !text.is_empty(),
        (ParamKind::Whole(from, to), Json::Whole(number)) => from <= number && number <= to,
        (ParamKind::Choice(words), Json::Text(text)) => words.contains(&text.as_str()),
        (ParamKind::List(kind), Json::List(items)) => items.iter().all(|item| fits(kind, item)),
        (ParamKind::Some(kind), Json::List(items)) => !items.is_empty() && items.iter().all(|item| fits(kind, item)),
        (ParamKind::Record(params), Json::Object(fields)) => {
            fields.iter().all(|(name, value)| params.iter().any(|param| param.name == name && fits(&param.kind, value)))
        }
        (ParamKind::Map(kind), Json::Object(fields)) => fields.iter().all(|(_, value)| fits(kind, value)),
        _ => false,
    }
}

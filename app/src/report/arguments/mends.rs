//! Arguments that do not fit, put right where only one reading is left. Of a call that changes something nothing is left
//! out, and a name becomes another only where it is clearly that one, mistyped or as other tools call it.

use super::super::ready::{Mend, compact};
use super::super::telling::Telling;
use patchwright_core::anchor::Anchor;
use patchwright_core::refusal::{ArgumentFault, Expected};
use patchwright_core::tool::{Effect, find};
use serde_json::{Map, Value};

/// What to put right, if every fault can be.
pub(super) fn of(faults: &[ArgumentFault], tell: &Telling<'_>) -> Option<Vec<Mend>> {
    if let Some(list) = flat(faults) {
        return element(list, faults, tell);
    }
    let renamed = renamed(faults);
    let mut mends = Vec::new();
    for fault in faults {
        match &fault.expected {
            Expected::Present(_) if renamed.contains(&fault.at) => {}
            _ => mends.extend(one(fault, tell)?),
        }
    }
    Some(mends)
}

/// The list that is missing, where fields of its one element stand in its place.
pub(super) fn flat(faults: &[ArgumentFault]) -> Option<&'static str> {
    let mut lists = faults.iter().filter_map(|fault| match fault.expected {
        Expected::InList(list) if parent(&fault.at).is_empty() => Some(list),
        _ => None,
    });
    let is_missing =
        |list: &&str| faults.iter().any(|fault| fault.at == **list && matches!(fault.expected, Expected::Present(_)));
    lists.next_back().filter(is_missing)
}

/// That element in its list.
fn element(list: &'static str, faults: &[ArgumentFault], tell: &Telling<'_>) -> Option<Vec<Mend>> {
    let fields: Vec<&str> = faults.iter().map(|fault| fault.at.as_str()).filter(|at| *at != list).collect();
    let misplaced = faults.iter().filter(|fault| matches!(fault.expected, Expected::InList(of) if of == list));
    if misplaced.count() != fields.len() {
        return None;
    }
    let given = fields.iter().map(|at| Some(((*at).to_owned(), tell.given(at)?.clone())));
    let element = given.collect::<Option<Map<String, Value>>>()?;
    let out = fields.iter().map(|at| Mend::Out((*at).to_owned()));
    Some(out.chain([Mend::set(list, vec![Value::Object(element)])]).collect())
}

/// The arguments that are missing because another name stands for them.
pub(super) fn renamed(faults: &[ArgumentFault]) -> Vec<String> {
    let other = |fault: &ArgumentFault| match &fault.expected {
        Expected::Field { meant: Some(meant), .. } => Some(beside(&fault.at, meant)),
        _ => None,
    };
    faults.iter().filter_map(other).collect()
}

/// Is this missing from an operation that has a field of another, whose own step says what to give?
pub(super) fn led_to(fault: &ArgumentFault, faults: &[ArgumentFault]) -> bool {
    let ends = ["hash", "start_hash", "end_hash"];
    let foreign = |other: &ArgumentFault| {
        matches!(other.expected, Expected::OtherOperation { .. })
            && parent(&other.at) == parent(&fault.at)
            && ends.contains(&last(&other.at))
    };
    matches!(fault.expected, Expected::Present(_)) && ends.contains(&last(&fault.at)) && faults.iter().any(foreign)
}

/// Does the tool that was called change nothing?
pub(super) fn looks(tell: &Telling<'_>) -> bool {
    tell.called().and_then(find).is_some_and(|tool| tool.effect == Effect::Looks)
}

/// What to put right about one argument, if only one reading is left.
fn one(fault: &ArgumentFault, tell: &Telling<'_>) -> Option<Vec<Mend>> {
    let at = fault.at.as_str();
    let looks = looks(tell);
    Some(match &fault.expected {
        Expected::Field { meant: Some(meant), .. } if !meant.contains('[') => {
            let of_one_sort = at.ends_with("ByPath") == meant.ends_with("ByPath");
            of_one_sort.then(|| vec![Mend::Rename(at.to_owned(), meant.clone())])?
        }
        // What a call was to be limited by is not left out: only its caller knows what it means without.
        Expected::Field { meant: None, .. } => otherwise(at, tell)?,
        Expected::Cursor if looks => vec![Mend::Out(at.to_owned())],
        Expected::NoProposal => vec![Mend::Out(at.to_owned()), Mend::set("dryRun", true)],
        Expected::LowerCase(lower) => vec![Mend::set(at, lower.as_str())],
        // `mv a.txt folder/` means a name in that folder.
        Expected::FilePath if ["toPath", "destination"].contains(&at) => {
            let from = tell.given_text("fromPath").or_else(|| tell.given_text("source"))?;
            let name = from.rsplit('/').next()?;
            vec![Mend::set(at, format!("{}/{name}", tell.given_text(at)?.trim_end_matches('/')))]
        }
        Expected::FilePath if at != "patch" => vec![Mend::set(at, tell.given_text(at)?.trim_end_matches('/'))],
        Expected::Between(from, to) if looks => vec![Mend::set(at, tell.given(at)?.as_i64()?.clamp(*from, *to))],
        Expected::FromStartLine(from) if looks => {
            vec![Mend::set("startLine", tell.given(at)?.clone()), Mend::set(at, *from)]
        }
        // One element, written without its list.
        Expected::Type("array") => match tell.given(at)? {
            element @ Value::Object(_) => vec![Mend::set(at, vec![element.clone()])],
            _ => return None,
        },
        Expected::OneOf(words) => {
            let given = tell.given_text(at)?;
            vec![Mend::set(at, words.iter().find(|word| word.eq_ignore_ascii_case(given))?.as_str())]
        }
        Expected::Anchor => {
            let copied = tell.given_text(at)?.split([' ', '|']).next()?;
            Anchor::parse(copied).map(|_| vec![Mend::set(at, copied)])?
        }
        _ => return None,
    })
}

/// The same said by other arguments of the tool, where one is known.
fn otherwise(at: &str, tell: &Telling<'_>) -> Option<Vec<Mend>> {
    let out = Mend::Out(at.to_owned());
    match (tell.called()?, folded(at).as_str(), tell.given(at)?) {
        ("search_files", "caseinsensitive" | "ignorecase", Value::Bool(ignored)) => {
            Some(vec![out, Mend::set("caseSensitive", !ignored)])
        }
        ("read_file", "viewrange" | "range" | "lines" | "linerange", Value::Array(ends)) => {
            let [Value::Number(first), Value::Number(last)] = ends.as_slice() else { return None };
            let to = last.as_i64().filter(|last| *last > 0).map(|last| Mend::set("endLine", last));
            Some([out, Mend::set("startLine", first.as_i64()?.max(1))].into_iter().chain(to).collect())
        }
        _ => None,
    }
}

/// The last name of a place without capitals and joints.
pub(super) fn folded(at: &str) -> String {
    last(at).chars().filter(|ch| ch.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// How many of these arguments were given?
pub(super) fn given(fields: &[&'static str], tell: &Telling<'_>) -> usize {
    fields.iter().filter(|field| tell.given(field).is_some()).count()
}

/// The call with each of these arguments that was given, and without the others; of a call that changes something only
/// its caller can say which is meant.
pub(super) fn each(fields: &[&'static str], tell: &Telling<'_>) -> String {
    let given: Vec<&str> = fields.iter().copied().filter(|field| tell.given(field).is_some()).collect();
    let others = |kept: &&str| given.iter().copied().filter(|field| field != kept).collect::<Vec<_>>();
    if !looks(tell) {
        let alone = |kept: &&str| format!("leave out {} if {kept} is meant", others(kept).join(" and "));
        let ways: Vec<String> = given.iter().map(alone).collect();
        return format!("{}, then call again.", super::capital(&ways.join(", or ")));
    }
    let alone =
        |kept: &&str| tell.again(&others(kept).iter().map(|field| Mend::Out((*field).to_owned())).collect::<Vec<_>>());
    format!("Call {}.", given.iter().map(alone).collect::<Vec<_>>().join(", or "))
}

/// May an unknown argument have been meant to prove what its caller has seen?
pub(super) fn may_be_proof(name: &str) -> bool {
    const PARTS: [&str; 13] = [
        "sha", "hash", "digest", "checksum", "etag", "expected", "proof", "version", "if_match", "ifmatch", "revision",
        "mtime", "modified",
    ];
    let name = last(name).to_lowercase();
    name == "base" || name == "rev" || PARTS.iter().any(|part| name.contains(part))
}

/// A text as JSON.
pub(super) fn quoted(text: &str) -> String {
    compact(&Value::from(text.trim_start_matches('"')))
}

pub(super) fn parent(at: &str) -> &str {
    at.rfind('.').map_or("", |dot| at.get(..dot).unwrap_or_default())
}

pub(super) fn last(at: &str) -> &str {
    at.rsplit('.').next().unwrap_or(at)
}

/// An argument of this name beside another.
fn beside(at: &str, name: &str) -> String {
    match parent(at) {
        "" => name.to_owned(),
        parent => format!("{parent}.{name}"),
    }
}

//! The few kinds of sentences that refusals are made of, as a program reads them.

use patchwright_core::tool::TOOLS;
use serde_json::Value;

/// `tool {json}` somewhere in a sentence.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ready {
    pub(crate) tool: String,
    pub(crate) arguments: Value,
    /// Where it begins and ends.
    pub(crate) at: (usize, usize),
}

/// One thing to do to one's own arguments.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Mod {
    Set(String, Value),
    /// To something that is only described.
    Fill(String, String),
    Out(String),
    Rename(String, String),
}

/// What the refusal says to do: its last line, or all messages of an answer in JSON.
pub(crate) fn instruction(text: &str) -> &str {
    let begins = text.rfind("\nNext step: ").map(|at| at + "\nNext step: ".len());
    let begins = begins.or_else(|| text.strip_prefix("Next step: ").map(|_| "Next step: ".len()));
    begins.map_or("", |at| text.get(at..).unwrap_or_default())
}

/// The messages of an answer in JSON; the next step of each is at its end.
pub(crate) fn messages(text: &str) -> Option<String> {
    let answer: Value = serde_json::from_str(text).ok()?;
    let errors = answer.get("errors")?.as_array()?;
    let next = |error: &Value| {
        let said = error["message"].as_str()?;
        Some(said.rsplit_once("Next step: ").map_or(said, |(_, next)| next).to_owned())
    };
    Some(errors.iter().filter_map(next).collect::<Vec<_>>().join(" "))
}

/// All ready calls of a sentence, in order.
pub(crate) fn ready_calls(said: &str) -> Vec<Ready> {
    let mut found: Vec<Ready> = Vec::new();
    for (at, _) in said.match_indices(" {").map(|(at, _)| (at + 1, ())) {
        if found.last().is_some_and(|last| at < last.at.1) {
            continue;
        }
        let before = &said[..at - 1];
        let tool = before.rsplit(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').next().unwrap_or("");
        if !TOOLS.iter().any(|known| known.name == tool) {
            continue;
        }
        let mut values = serde_json::Deserializer::from_str(&said[at..]).into_iter::<Value>();
        if let Some(Ok(arguments @ Value::Object(_))) = values.next() {
            let end = at + values.byte_offset();
            found.push(Ready { tool: tool.to_owned(), arguments, at: (at - 1 - tool.len(), end) });
        }
    }
    found
}

/// What to put right in one's own call: `set X to VALUE`, `rename X to Y`, `leave out X`, `add X`, `Join X[0] and X[1]`,
/// where X is an argument of the tool. Of several ways the first is taken.
pub(crate) fn mods(said: &str, (tool, own): (&str, &Value)) -> Vec<Mod> {
    let mut found = Vec::new();
    let mut rest = said;
    while let Some((at, verb)) = first_verb(rest) {
        let (gap, after) = (&rest[..at], &rest[at + verb.len()..]);
        if !found.is_empty() && [". ", "; ", " or "].iter().any(|end| gap.contains(end)) {
            break;
        }
        let (place, after_place) = place(after);
        rest = after;
        if !is_argument(tool, own, &place) {
            continue;
        }
        rest = after_place;
        let value = after_place.strip_prefix(" to ").unwrap_or_default();
        match verb.to_ascii_lowercase().as_str() {
            "rename " => found.push(Mod::Rename(place, self::place(value).0)),
            "set " => match json(value) {
                Some((value, end)) => {
                    found.push(Mod::Set(place, value));
                    rest = &after_place[" to ".len() + end..];
                }
                None => found.push(Mod::Fill(place, value.split(", set ").next().unwrap_or(value).to_owned())),
            },
            "add " => found.push(Mod::Fill(place, String::new())),
            "join " => found.push(Mod::Fill(place.split('[').next().unwrap_or_default().to_owned(), String::new())),
            _ => found.push(Mod::Out(place)),
        }
    }
    found
}

/// Does the tool, or the call of it, know an argument that begins so? Names that it does not know come up in renames.
fn is_argument(tool: &str, own: &Value, place: &str) -> bool {
    let root = place.split(['.', '[']).next().unwrap_or_default();
    let known = TOOLS.iter().find(|known| known.name == tool);
    known.is_some_and(|known| known.parameters.iter().any(|param| param.name == root)) || own.get(root).is_some()
}

fn first_verb(said: &str) -> Option<(usize, &'static str)> {
    const VERBS: [&str; 10] =
        ["set ", "Set ", "rename ", "Rename ", "leave out ", "Leave out ", "add ", "Add ", "Join ", "join "];
    let at_word = |at: usize| at == 0 || said[..at].ends_with([' ', '(', ':']);
    VERBS
        .iter()
        .filter_map(|verb| said.match_indices(verb).map(|(at, _)| at).find(|at| at_word(*at)).map(|at| (at, *verb)))
        .min_by_key(|(at, _)| *at)
}

/// The name of an argument, as in `edits[0].oldText`, and what comes after it.
fn place(said: &str) -> (String, &str) {
    let mut end = 0;
    let mut quoted = false;
    for (at, letter) in said.char_indices() {
        match letter {
            '"' => quoted = !quoted,
            _ if quoted => {}
            '[' | ']' | '_' => {}
            '.' if said[at + 1..].starts_with(|next: char| next.is_alphabetic()) => {}
            letter if letter.is_alphanumeric() => {}
            _ => break,
        }
        end = at + letter.len_utf8();
    }
    (said[..end].to_owned(), &said[end..])
}

fn json(said: &str) -> Option<(Value, usize)> {
    // A word or a number ends where the sentence may.
    let bare =
        said.len() - said.trim_start_matches(|letter: char| letter.is_ascii_alphanumeric() || letter == '-').len();
    if bare > 0 {
        return serde_json::from_str(&said[..bare]).ok().map(|value| (value, bare));
    }
    let mut values = serde_json::Deserializer::from_str(said).into_iter::<Value>();
    match values.next() {
        Some(Ok(value)) => Some((value, values.byte_offset())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn sentences() {
        let text =
            "kind: it says\n> Next step: delete_file {\"path\":\"a\"}\nNext step: Call read_file {\"path\":\"b\"}.";
        let ready = ready_calls(instruction(text));
        assert_eq!(ready.len(), 1);
        assert_eq!((ready[0].tool.as_str(), &ready[0].arguments), ("read_file", &json!({"path": "b"})));
        for (said, want) in [
            ("Rename a.b to c, then call again.", vec![Mod::Rename("a.b".into(), "c".into())]),
            ("Set a to 2. To change others, set b to 3.", vec![Mod::Set("a".into(), json!(2))]),
            ("Write the text without that, and add *** Add File.", vec![]),
            (
                "edit again: set edits[0].oldText to \"x, set y to 1\", leave out z.",
                vec![Mod::Set("edits[0].oldText".into(), json!("x, set y to 1")), Mod::Out("z".into())],
            ),
            (
                "Set m[\"a b\"] to a string, then call again.",
                vec![Mod::Fill("m[\"a b\"]".into(), "a string, then call again.".into())],
            ),
            ("Try again.", vec![]),
        ] {
            let own = json!({"a": 1, "b": 1, "m": 1, "z": 1, "edits": 1});
            assert_eq!(mods(said, ("edit_file", &own)), want, "{said}");
        }
    }
}

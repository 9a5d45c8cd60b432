//! The repairer: does what a refusal's text says, with at most one look and then one call.

use crate::grammar::{Mod, Ready, instruction, messages, mods, ready_calls};
use crate::row::Row;
use crate::world::{Said, World, only_looks};
use serde_json::{Map, Value, json};

/// What it came to.
#[derive(Debug)]
pub(crate) enum Attempt {
    Made {
        looks: usize,
        /// The call that it made last.
        #[allow(dead_code, reason = "shown when somebody asks to see it")]
        call: String,
        answer: Said,
    },
    Stuck(String),
}

pub(crate) fn repair(row: &Row, text: &str, world: &mut World) -> Attempt {
    let said = messages(text).unwrap_or_else(|| instruction(text).to_owned());
    let said = listed(text, row).unwrap_or(said);
    let ready = ready_calls(&said);
    let own = (row.call.0.as_str(), &row.call.1);
    let mine = |mods: &[Mod], look: Option<&str>| changed(row, mods, look);
    match ready.as_slice() {
        [] => {
            if let Some(tool) = other_tool(&said) {
                return made(world, 0, &tool, &row.call.1);
            }
            let asked = mods(&said, own);
            if asked.is_empty() {
                return Attempt::Stuck("says nothing that could be done".to_owned());
            }
            match mine(&asked, None) {
                Ok(arguments) => made(world, 0, &row.call.0, &arguments),
                Err(why) => Attempt::Stuck(why),
            }
        }
        [first, rest @ ..] => {
            let after = first_way(said.get(first.at.1..).unwrap_or_default());
            if !goes_on(after) && (!only_looks(&first.tool) || only_looks(&row.call.0)) {
                return made(world, 0, &first.tool, &first.arguments);
            }
            if !goes_on(after) {
                return Attempt::Stuck("looks, and leads no further".to_owned());
            }
            let look = world.call(&first.tool, &first.arguments);
            if look.refused {
                return Attempt::Stuck(format!("the look was refused: {}", look.text));
            }
            let rest = rest.first().filter(|next| next.at.1 <= first.at.1 + after.len());
            if let Some(Ready { tool, arguments, .. }) = rest {
                return made(world, 1, tool, arguments);
            }
            match mine(&mods(after, own), Some(&look.text)) {
                Ok(arguments) => made(world, 1, &other_tool(after).unwrap_or_else(|| row.call.0.clone()), &arguments),
                Err(why) => Attempt::Stuck(why),
            }
        }
    }
}

fn made(world: &mut World, looks: usize, tool: &str, arguments: &Value) -> Attempt {
    let answer = world.call(tool, arguments);
    Attempt::Made { looks, call: format!("{tool} {arguments}"), answer }
}

/// Does a sentence go on with a second call after its first?
fn goes_on(after: &str) -> bool {
    let sentence = after.split(". ").next().unwrap_or_default();
    ["then ", "again", "copy "].iter().any(|word| sentence.contains(word))
}

/// Of several ways the first.
fn first_way(after: &str) -> &str {
    let ends = ["; or ", "; else ", ". To ", ". If "].iter().filter_map(|end| after.find(end)).min();
    ends.map_or(after, |end| &after[..end])
}

/// `call write_file with the same arguments`: another tool, the same arguments.
fn other_tool(said: &str) -> Option<String> {
    let (before, _) = said.split_once(" with the same arguments")?;
    before.rsplit(' ').next().map(str::to_owned)
}

/// Of what is listed for each line, what is said for the line that is meant.
fn listed(text: &str, row: &Row) -> Option<String> {
    let line = row.intent.get("line")?;
    let begins = format!("line {}: ", line.as_str().map_or_else(|| line.to_string(), str::to_owned));
    text.lines().find_map(|said| said.strip_prefix(&begins)).map(|said| format!("Call {said}"))
}

/// One's own arguments with what the text says put right.
fn changed(row: &Row, mods: &[Mod], look: Option<&str>) -> Result<Value, String> {
    let mut arguments = row.call.1.clone();
    for one in mods {
        match one {
            Mod::Set(at, value) => set(&mut arguments, at, value.clone()),
            Mod::Fill(at, what) => {
                let value = row.intent.get(at).cloned().or_else(|| shown(what, look?));
                if value.is_none() && what.starts_with("the text that it shows") && look.is_some() {
                    continue;
                }
                set(&mut arguments, at, value.ok_or_else(|| format!("does not know what to give for {at}"))?)
            }
            Mod::Out(at) => take(&mut arguments, at).map(drop),
            Mod::Rename(at, name) => take(&mut arguments, at).and_then(|value| {
                let beside = at.rfind('.').map_or(name.clone(), |dot| format!("{}.{name}", &at[..dot]));
                set(&mut arguments, &beside, value)
            }),
        }
        .ok_or_else(|| format!("{one:?} does not fit its own call"))?;
    }
    if let Some(look) = look {
        widened(&mut arguments, (row, look));
        copied(&mut arguments, look);
        anchored(&mut arguments, (row, look));
    }
    Ok(arguments)
}

/// What a look shows of what is described.
fn shown(what: &str, look: &str) -> Option<Value> {
    if let Ok(answer) = serde_json::from_str::<Value>(look) {
        return what.contains("sha256").then(|| answer.pointer("/result/sha256").cloned()).flatten();
    }
    let head = match what.split_once("shows for ") {
        Some((_, name)) => {
            look.lines().skip(1).find(|line| line.contains(name.split([',', '.']).next().unwrap_or(name)))?
        }
        None => look.lines().next()?,
    };
    let after = |word: &str| head.split_once(word).map(|(_, rest)| rest.split([' ', ';', ',']).next().unwrap_or(rest));
    if what.contains("sha256") {
        return after("sha256 ").map(Value::from);
    }
    let lines: Vec<&str> = look.lines().skip(1).filter(|line| !line.trim().is_empty()).collect();
    match lines.as_slice() {
        [only] if what.contains("path") => only.split_whitespace().next().map(Value::from),
        _ => None,
    }
}

/// Quoted lines that are not in what was read become the lines there that are the same but for blanks and capitals.
fn copied(arguments: &mut Value, look: &str) {
    let lines: Vec<&str> = look.lines().skip(1).collect();
    let exact = |line: &str, within: bool| -> Option<String> {
        let there = lines.iter().any(|there| *there == line || within && there.contains(line));
        if line.trim().is_empty() || there {
            return None;
        }
        let folded = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        let fitting: Vec<&&str> = lines.iter().filter(|there| folded(there) == folded(line)).collect();
        match fitting.as_slice() {
            [one] => Some((**one).to_owned()),
            _ => None,
        }
    };
    if let Some(Value::String(patch)) = arguments.get_mut("patch") {
        let mended = |line: &str| match line.split_at_checked(1) {
            Some((sign @ (" " | "-"), rest)) => {
                exact(rest, false).map_or_else(|| line.to_owned(), |rest| format!("{sign}{rest}"))
            }
            _ => line.to_owned(),
        };
        *patch = patch.split('\n').map(mended).collect::<Vec<_>>().join("\n");
    }
    for edit in arguments.get_mut("edits").and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(Value::String(old)) = edit.get_mut("oldText") {
            // One line may be part of one.
            let within = !old.contains('\n');
            let mended = |line: &str| exact(line, within).unwrap_or_else(|| line.to_owned());
            *old = old.split('\n').map(mended).collect::<Vec<_>>().join("\n");
        }
    }
}

/// Where a patch fits several times, the line above the one that is meant becomes context.
fn widened(arguments: &mut Value, (row, look): (&Row, &str)) {
    let Some(line) = row.intent.get("line").and_then(Value::as_u64) else { return };
    let Some(Value::String(patch)) = arguments.get_mut("patch") else { return };
    let first = look
        .lines()
        .next()
        .and_then(|head| head.split_once("lines "))
        .and_then(|(_, rest)| rest.split(|letter: char| !letter.is_ascii_digit()).next()?.parse::<u64>().ok());
    let above =
        line.checked_sub(1 + first.unwrap_or(1)).and_then(|at| look.lines().skip(1).nth(usize::try_from(at).unwrap()));
    if let Some(above) = above {
        *patch = patch.replacen("@@\n", &format!("@@\n {above}\n"), 1);
    }
}

/// Anchors become those that a reading prints for the lines that are meant.
fn anchored(arguments: &mut Value, (row, look): (&Row, &str)) {
    for (at, text) in row.intent.iter().filter(|(at, _)| at.ends_with("hash")) {
        let printed = look.lines().find_map(|line| {
            let (head, said) = line.split_once("]|")?;
            (Some(said) == text.as_str()).then(|| head.split(' ').next().unwrap_or_default())
        });
        if let Some(anchor) = printed {
            set(arguments, at, anchor.into());
        }
    }
}

fn pointer(at: &str) -> String {
    let mut out = String::new();
    let mut rest = at;
    while !rest.is_empty() {
        if let Some(inner) = rest.strip_prefix("[\"") {
            let (key, after) = inner.split_once("\"]").unwrap_or((inner, ""));
            out += &format!("/{}", key.replace('~', "~0").replace('/', "~1"));
            rest = after;
        } else {
            let plain = rest.trim_start_matches(['.', '[']);
            let end = plain.find(['.', '[', ']']).unwrap_or(plain.len());
            out += &format!("/{}", &plain[..end]);
            rest = plain[end..].trim_start_matches(']');
        }
    }
    out
}

fn set(arguments: &mut Value, at: &str, value: Value) -> Option<()> {
    let pointer = pointer(at);
    let (parent, key) = pointer.rsplit_once('/')?;
    let key = key.replace("~1", "/").replace("~0", "~");
    if arguments.pointer(parent).is_none() {
        let name = parent.trim_start_matches('/').to_owned();
        arguments.as_object_mut()?.insert(name, Value::Object(Map::new()));
    }
    match arguments.pointer_mut(parent)? {
        Value::Object(fields) => fields.insert(key, value).map_or(Some(()), |_| Some(())),
        Value::Array(items) => {
            *items.get_mut(key.parse::<usize>().ok()?)? = value;
            Some(())
        }
        _ => None,
    }
}

fn take(arguments: &mut Value, at: &str) -> Option<Value> {
    let pointer = pointer(at);
    let (parent, key) = pointer.rsplit_once('/')?;
    match arguments.pointer_mut(parent)? {
        Value::Object(fields) => fields.shift_remove(&key.replace("~1", "/").replace("~0", "~")),
        Value::Array(items) => key.parse::<usize>().ok().filter(|at| *at < items.len()).map(|at| items.remove(at)),
        _ => None,
    }
}

#[test]
fn places() {
    for (at, want) in [("a", "/a"), ("a[0].b", "/a/0/b"), ("m[\"x/y\"]", "/m/x~1y")] {
        assert_eq!(pointer(at), want);
    }
    let mut arguments = json!({"a": [1, 2]});
    assert_eq!(take(&mut arguments, "a[0]"), Some(json!(1)));
}

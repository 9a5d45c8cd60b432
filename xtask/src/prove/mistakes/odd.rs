//! The same calls in shapes that our tools read though their schemas say otherwise: other names, one edit beside the
//! path, nulls, texts that hold JSON, numbers and flags as texts, a section for each hunk. Each is judged like the call that it stands for.
//! Beside them, calls that say two things at once, which must be refused.

use super::case::{Case, Door};
use super::judge::{Told, Tried, Verdict, judge};
use super::slip::Slip;
use super::tally::Tool;
use super::{Worker, binary, held};
use crate::failure::Failure;
use patchwright_testkit::dice::Dice;
use serde_json::{Map, Value, json};

/// A call as its argument text, with the flags it is sent with.
struct Sent {
    text: String,
    flags: &'static [&'static str],
}

impl Worker<'_> {
    /// Sends a case in an odd shape, and, where it has no slip, all that contradict themselves.
    pub(super) fn oddly(&mut self, case: &Case, dice: &mut Dice) -> Result<(), Failure> {
        let (tool, arguments) = case.ask.call(&case.path, case.hash);
        if !binary::is_cut(case) {
            let text = written(arguments.clone(), dice).to_string();
            self.odd(case, &Sent { text, flags: &[] }, |tried| judge(case, tried, Door::Alone))?;
        }
        if case.slip == Slip::Clean {
            let contrary = Case { slip: Slip::Contrary, ..case.clone() };
            for sent in contraries(tool, &arguments) {
                self.odd(&contrary, &sent, |tried| refused(case, tried))?;
            }
        }
        Ok(())
    }

    fn odd(&mut self, case: &Case, sent: &Sent, verdict: impl Fn(&Tried) -> Verdict) -> Result<(), Failure> {
        let Some(tried) = self.binary.attempt_as(case, &sent.text, sent.flags)? else { return Ok(()) };
        let verdict = verdict(&tried);
        self.tally.note(Tool::Odd, case.slip, verdict);
        let call = json!({"arguments": sent.text, "flags": sent.flags});
        let mut violation = held(case, &tried, verdict, "command line, in an odd shape");
        if let Some(found) = &mut violation {
            found.call = Some(call);
        }
        self.findings.note(violation.map_or(Ok(()), Err));
        Ok(())
    }
}

/// Whatever contradicts itself is refused as such, and nothing changes.
fn refused(case: &Case, tried: &Tried) -> Verdict {
    let untouched = tried.found == case.disk.bytes() && tried.stray.is_none();
    match &tried.told {
        Told::Refused(_) if !untouched => Verdict::Dirty,
        Told::Refused(kind) if kind == "invalid_arguments" => Verdict::Refused,
        Told::Refused(_) => Verdict::RefusedOtherwise,
        Told::Done => Verdict::Wrong,
    }
}

/// Names that are read as others.
const NAMES: &[(&str, &[&str])] = &[
    ("path", &["file_path"]),
    ("patch", &["input"]),
    ("oldText", &["old_string", "old_str"]),
    ("newText", &["new_string", "new_str"]),
];

/// The arguments in other words.
fn written(arguments: Value, dice: &mut Dice) -> Value {
    let Value::Object(mut fields) = arguments else { return arguments };
    if let Some(Value::Array(edits)) = fields.get("edits")
        && let [Value::Object(edit)] = &edits[..]
        && dice.coin()
    {
        let edit = edit.clone();
        fields.remove("edits");
        fields.extend(edit);
    }
    if fields.get("conventions").is_some_and(|named| named == "codex")
        && let Some(Value::String(patch)) = fields.get_mut("patch")
        && dice.coin()
    {
        *patch = apart(patch);
    }
    fields.insert("mode".to_owned(), Value::Null);
    fields.insert("dryRun".to_owned(), "false".into());
    object(fields, Nested::No, dice)
}

/// The patch with a section of its own for each hunk.
fn apart(patch: &str) -> String {
    let (mut out, mut header, mut begun) = (String::new(), "", false);
    for line in patch.split_inclusive('\n') {
        let hunk = line.starts_with("@@");
        if line.starts_with("*** Update File: ") {
            (header, begun) = (line, false);
        } else if hunk && begun {
            out.push_str(header);
        }
        begun |= hunk;
        out.push_str(line);
    }
    out
}

/// Whether an object stands in a text: then no list in it is one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nested {
    No,
    Yes,
}

fn object(fields: Map<String, Value>, nested: Nested, dice: &mut Dice) -> Value {
    let field = |(name, value): (String, Value)| {
        let others = NAMES.iter().find(|(known, _)| *known == name).map_or(&[][..], |(_, others)| others);
        let other = if dice.coin() { dice.pick(others).map(|other| (*other).to_owned()) } else { None };
        let value = match value {
            Value::Array(items) if items.iter().all(Value::is_object) => list(items, nested, dice),
            Value::Number(number) if dice.coin() => Value::String(number.to_string()),
            other => other,
        };
        (other.unwrap_or(name), value)
    };
    Value::Object(fields.into_iter().map(field).collect())
}

fn list(items: Vec<Value>, nested: Nested, dice: &mut Dice) -> Value {
    let as_text = nested == Nested::No && dice.coin();
    let inside = if as_text { Nested::Yes } else { nested };
    let item = |item| match item {
        Value::Object(fields) => object(fields, inside, dice),
        other => other,
    };
    let items = Value::Array(items.into_iter().map(item).collect());
    if as_text { Value::String(items.to_string()) } else { items }
}

/// Calls that say two things at once, made of one that says one.
fn contraries(tool: &str, arguments: &Value) -> Vec<Sent> {
    let with = |name: &str, value: Value| {
        let mut fields = arguments.clone();
        if let Some(fields) = fields.as_object_mut() {
            fields.insert(name.to_owned(), value);
        }
        fields
    };
    let plain = |arguments: Value| Sent { text: arguments.to_string(), flags: &[] };
    let mut sent = Vec::new();
    if arguments.get("path").is_some() {
        let text = with("expectedSha256", Value::Null).to_string();
        sent.push(Sent { text, flags: &["--unchecked"] });
        sent.push(plain(with("file_path", "elsewhere".into())));
    }
    if tool == "apply_patch" {
        let text = with("expectedSha256ByPath", Value::Null).to_string();
        sent.push(Sent { text, flags: &["--unchecked"] });
    }
    if let Some(edit) = arguments.pointer("/edits/0") {
        let mut twice = arguments.clone();
        if let Some(fields) = twice.pointer_mut("/edits/0").and_then(Value::as_object_mut) {
            fields.insert("new_string".to_owned(), "something else".into());
        }
        sent.push(plain(twice));
        let (old, new) = (edit.get("oldText"), edit.get("newText"));
        let mut beside = with("oldText", old.cloned().unwrap_or_default());
        if let Some(fields) = beside.as_object_mut() {
            fields.insert("newText".to_owned(), "something else".into());
        }
        sent.push(plain(beside));
        let (old, new) = (old.cloned().unwrap_or_default(), new.cloned().unwrap_or_default());
        let text = format!(r#"[{{"oldText": {old}, "newText": "something else", "newText": {new}}}]"#);
        sent.push(plain(with("edits", text.into())));
    }
    sent
}

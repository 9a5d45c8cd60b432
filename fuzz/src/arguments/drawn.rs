//! JSON made from an input: arguments that mostly fit a tool, with slips; and values of any shape.

use crate::feed::Feed;
use crate::page::word;
use patchwright_app::wire::Json;
use patchwright_core::tool::{ALIASES, Param, ParamKind, Tool};

/// Values that are spelt in ways worth reading.
const ATOMS: &[&str] = &[
    "null",
    "true",
    "false",
    "0",
    "-0",
    "1",
    "3.0",
    "1e3",
    "2.5",
    "-1",
    "9223372036854775807",
    "9223372036854775808",
    "1e308",
    "9007199254740993.0",
    "\"\"",
    "\"a\"",
    "\"\\u0061\"",
    "\"\\ud834\\udd1e\"",
    "\"\\ud800\"",
    "\"\\n\"",
    "[]",
    "{}",
    "01",
    "+1",
    "\"\\x\"",
];

const KEYS: &[&str] = &["a", "b", "\\u0061", "path", "Path", "p\\u0061th", "edits", "mode", ""];

/// JSON of any shape, now and then a little wrong.
pub(super) fn any(feed: &mut Feed<'_>) -> String {
    let mut text = String::new();
    value(feed, 0, &mut text);
    if feed.once_in(16) {
        text.push_str(feed.pick(&[" ", ",", "}", "x", "\n"]));
    }
    text
}

fn value(feed: &mut Feed<'_>, depth: usize, text: &mut String) {
    let room = depth < 5 && !feed.is_empty();
    match feed.below(8) {
        7 if room => {
            text.push('[');
            separated(feed, text, |feed, text| value(feed, depth + 1, text));
            text.push(']');
        }
        5 | 6 if room => {
            text.push('{');
            separated(feed, text, |feed, text| {
                text.push_str(&format!("\"{}\": ", feed.pick(KEYS)));
                value(feed, depth + 1, text);
            });
            text.push('}');
        }
        4 if feed.once_in(32) => {
            let many = feed.pick(&[126, 127, 128, 1000]);
            text.push_str(&("[".repeat(many) + &"]".repeat(many)));
        }
        _ => text.push_str(feed.pick(ATOMS)),
    }
}

fn separated(feed: &mut Feed<'_>, text: &mut String, mut each: impl FnMut(&mut Feed<'_>, &mut String)) {
    for at in 0..feed.below(4) {
        if at > 0 {
            text.push_str(", ");
        }
        each(feed, text);
    }
}

/// Arguments for a tool.
pub(super) fn arguments(feed: &mut Feed<'_>, tool: &Tool) -> String {
    let mut text = String::new();
    record(feed, tool.parameters, &mut text);
    text
}

fn record(feed: &mut Feed<'_>, params: &[Param], text: &mut String) {
    text.push('{');
    let mut first = true;
    for param in params {
        // One that must be given is left out now and then, one that need not mostly.
        let given = if param.need.is_required() { !feed.once_in(24) } else { feed.once_in(4) };
        let times = if given { 1 + usize::from(feed.once_in(32)) } else { 0 };
        for _ in 0..times {
            text.push_str(if first { "" } else { ", " });
            first = false;
            field(feed, param, text);
        }
    }
    text.push('}');
}

fn field(feed: &mut Feed<'_>, param: &Param, text: &mut String) {
    let name = match feed.below(32) {
        31 => param.name.to_uppercase(),
        30 => format!("{}s", param.name),
        29 => param.name.chars().map(|c| format!("\\u{:04x}", u32::from(c))).collect(),
        27 | 28 => {
            let others: Vec<&str> = ALIASES.iter().filter(|row| row.name == param.name).map(|row| row.given).collect();
            if others.is_empty() { param.name.to_owned() } else { feed.pick(&others).to_owned() }
        }
        _ => param.name.to_owned(),
    };
    text.push_str(&format!("\"{name}\": "));
    match feed.below(24) {
        0 => value(feed, 3, text),
        1 => {
            // As a text that holds it.
            let mut held = String::new();
            fitting(feed, &param.kind, &mut held);
            write(&Json::Text(held), text);
        }
        _ => fitting(feed, &param.kind, text),
    }
}

fn fitting(feed: &mut Feed<'_>, kind: &ParamKind, text: &mut String) {
    match kind {
        ParamKind::Text | ParamKind::Word | ParamKind::TextOrNull | ParamKind::DocPath(_) => {
            write(&Json::Text(phrase(feed)), text)
        }
        ParamKind::Ignored => value(feed, 3, text),
        ParamKind::Flag => text.push_str(feed.pick(&["false", "true"])),
        ParamKind::Whole(from, to) => {
            let number =
                feed.pick(&[*from, from.saturating_add(1), *to, from.saturating_sub(1), to.saturating_add(1), 7]);
            text.push_str(&number.to_string());
            text.push_str(feed.pick(&["", "", "", ".0"]));
        }
        ParamKind::Choice(words) => write(&Json::Text(feed.pick(words).to_owned()), text),
        ParamKind::List(kind) | ParamKind::Some(kind) => {
            text.push('[');
            separated(feed, text, |feed, text| fitting(feed, kind, text));
            text.push(']');
        }
        ParamKind::Record(params) => record(feed, params, text),
        ParamKind::Map(kind) => {
            text.push('{');
            separated(feed, text, |feed, text| {
                text.push_str(&format!("\"{}\": ", feed.pick(KEYS)));
                fitting(feed, kind, text);
            });
            text.push('}');
        }
    }
}

/// A text that may mean something to some tool.
fn phrase(feed: &mut Feed<'_>) -> String {
    const KNOWN: &[&str] = &[
        "a.txt",
        "../x",
        "a1b2c3",
        "~a1b2c3d4",
        "3#a1b2c3@1/2",
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "2026-01-01T00:00:00Z",
        "30d",
        "utf-16le",
        "latin1",
        "",
        "\u{0}",
    ];
    if feed.once_in(2) { feed.pick(KNOWN).to_owned() } else { word(feed) }
}

/// Writes a value as JSON.
pub(super) fn write(value: &Json, text: &mut String) {
    match value {
        Json::Null => text.push_str("null"),
        Json::Flag(flag) => text.push_str(&flag.to_string()),
        Json::Whole(number) => text.push_str(&number.to_string()),
        Json::Number(number) => text.push_str(number),
        Json::Text(string) => text.push_str(&serde_json::Value::from(string.as_str()).to_string()),
        Json::List(items) => {
            text.push('[');
            for (at, item) in items.iter().enumerate() {
                text.push_str(if at > 0 { "," } else { "" });
                write(item, text);
            }
            text.push(']');
        }
        Json::Object(fields) => {
            text.push('{');
            for (at, (key, value)) in fields.iter().enumerate() {
                text.push_str(if at > 0 { "," } else { "" });
                write(&Json::Text(key.clone()), text);
                text.push(':');
                write(value, text);
            }
            text.push('}');
        }
    }
}

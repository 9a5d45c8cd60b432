//! Vue: the scripts and style sheets of a component, each read as what it is.

use super::super::super::language::Language;
use super::{Bracket, word};

pub(in super::super) fn vue(text: &[u8]) -> Option<Vec<Bracket>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(part) = next(text, at) {
        let body = text.get(part.start..part.end)?;
        let brackets = part.language.and_then(|language| super::super::brackets(language, body)).unwrap_or_default();
        found.extend(brackets.into_iter().map(|one| Bracket { at: one.at.saturating_add(part.start), ..one }));
        at = part.end;
    }
    Some(found)
}

/// A part of a component between its tags.
struct Part {
    start: usize,
    end: usize,
    /// What it is written in; nothing if that is not known.
    language: Option<Language>,
}

/// The next script or style sheet that begins a line.
fn next(text: &[u8], from: usize) -> Option<Part> {
    let mut line = from;
    loop {
        let rest = text.get(line..)?;
        let name = rest.strip_prefix(b"<").map(word).filter(|name| [&b"script"[..], b"style"].contains(name));
        match name.map(|name| part(text, line, name)) {
            // What never ends here does not further down.
            Some(Found::Endless) => return None,
            Some(Found::Part(part)) => return Some(part),
            Some(Found::Empty) | None => {}
        }
        line = line.saturating_add(memchr::memchr(b'\n', rest)?).saturating_add(1);
    }
}

/// What a tag begins.
enum Found {
    Part(Part),
    /// `<script src="…" />`
    Empty,
    /// Nothing ends it.
    Endless,
}

fn part(text: &[u8], at: usize, name: &[u8]) -> Found {
    let rest = text.get(at..).unwrap_or_default();
    let Some(open) = memchr::memchr(b'>', rest) else { return Found::Endless };
    let tag = rest.get(..open).unwrap_or_default();
    if tag.ends_with(b"/") {
        return Found::Empty;
    }
    let start = at.saturating_add(open).saturating_add(1);
    let close = [b"</", name].concat();
    match memchr::memmem::find(text.get(start..).unwrap_or_default(), &close) {
        Some(len) => Found::Part(Part { start, end: start.saturating_add(len), language: language(name, tag) }),
        None => Found::Endless,
    }
}

fn language(name: &[u8], tag: &[u8]) -> Option<Language> {
    let lang = memchr::memmem::find(tag, b"lang=").and_then(|at| tag.get(at.saturating_add(6)..)).map(word);
    match (name, lang) {
        (b"script", None | Some(b"js" | b"ts")) => Some(Language::TypeScript),
        (b"style", None | Some(b"css")) => Some(Language::Css),
        (b"style", Some(b"scss" | b"less" | b"postcss")) => Some(Language::Scss),
        _ => None,
    }
}

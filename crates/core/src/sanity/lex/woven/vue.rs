//! Vue: the scripts and style sheets of a component, each read as what it is. Blocks with other names may hold anything.

use super::super::super::language::Language;
use super::{Bracket, word};
use std::ops::Range;

/// After so many blocks that nothing ends, no more are looked for.
const ENDLESS: usize = 32;

pub(in super::super) fn vue(text: &[u8]) -> Option<Vec<Bracket>> {
    let mut found = Vec::new();
    for block in blocks(text) {
        let Some(language) = block.language() else { continue };
        let brackets = super::super::brackets(language, text.get(block.body.clone())?).unwrap_or_default();
        found.extend(brackets.into_iter().map(|one| Bracket { at: one.at.saturating_add(block.body.start), ..one }));
    }
    Some(found)
}

/// What stands in blocks that are neither template, script nor style sheet: documentation, translations, anything.
pub(in super::super::super) fn custom(text: &[u8]) -> Vec<Range<usize>> {
    let own = |block: &Block<'_>| ![&b"template"[..], b"script", b"style"].contains(&block.name);
    blocks(text).into_iter().filter(own).map(|block| block.body).collect()
}

/// A block of a component.
struct Block<'a> {
    name: &'a [u8],
    /// Its first tag.
    tag: &'a [u8],
    /// What stands between its tags.
    body: Range<usize>,
}

/// The blocks of a component: those whose tag begins a line, one after the other.
fn blocks(text: &[u8]) -> Vec<Block<'_>> {
    let (mut found, mut line, mut endless) = (Vec::new(), 0, 0);
    while let Some(rest) = text.get(line..).filter(|_| endless < ENDLESS) {
        let name = rest.strip_prefix(b"<").map(name).filter(|name| !name.is_empty());
        let block = name.map(|name| block(text, line, name));
        let from = match block {
            Some(Found::Block(block)) => {
                let end = block.body.end;
                found.push(block);
                end
            }
            Some(Found::Endless) => {
                endless += 1;
                line
            }
            Some(Found::Empty) | None => line,
        };
        let Some(next) = text.get(from..).and_then(|rest| memchr::memchr(b'\n', rest)) else { break };
        line = from.saturating_add(next).saturating_add(1);
    }
    found
}

/// What a tag begins.
enum Found<'a> {
    Block(Block<'a>),
    /// `<script src="…" />`
    Empty,
    /// Nothing ends it.
    Endless,
}

fn block<'a>(text: &'a [u8], at: usize, name: &'a [u8]) -> Found<'a> {
    let rest = text.get(at..).unwrap_or_default();
    let Some(open) = memchr::memchr(b'>', rest) else { return Found::Endless };
    let tag = rest.get(..open).unwrap_or_default();
    if tag.ends_with(b"/") {
        return Found::Empty;
    }
    let start = at.saturating_add(open).saturating_add(1);
    let body = text.get(start..).unwrap_or_default();
    // A template may hold others; its own end begins a line.
    let close = if name == b"template" { [b"\n</", name].concat() } else { [b"</", name].concat() };
    match memchr::memmem::find(body, &close) {
        Some(len) => Found::Block(Block { name, tag, body: start..start.saturating_add(len) }),
        None => Found::Endless,
    }
}

fn name(text: &[u8]) -> &[u8] {
    let len = text.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'-').count();
    text.get(..len).filter(|name| name.first().is_some_and(u8::is_ascii_alphabetic)).unwrap_or_default()
}

impl Block<'_> {
    /// What it is written in; nothing if that is not known.
    fn language(&self) -> Option<Language> {
        let tag = self.tag;
        let lang = memchr::memmem::find(tag, b"lang=").and_then(|at| tag.get(at.saturating_add(6)..)).map(word);
        match (self.name, lang) {
            (b"script", None | Some(b"js" | b"ts")) => Some(Language::TypeScript),
            (b"style", None | Some(b"css")) => Some(Language::Css),
            (b"style", Some(b"scss" | b"less" | b"postcss")) => Some(Language::Scss),
            _ => None,
        }
    }
}

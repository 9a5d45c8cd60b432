//! Tags that an edit left without a partner, in HTML, XML and Vue.
//!
//! The HTML grammar forgives every missing tag, so this looks for itself. Elements whose end may be left
//! out count only where the old text never left it out, and nothing inside comments, scripts, processing
//! instructions or template marks.

use super::balance::{self, Mark, Side};
use super::block::{Block, syntax_doubt};
use super::language::Language;
use super::lex::custom_blocks;
use super::{Doubt, TOLD};
use std::collections::HashMap;
use std::ops::Range;

/// Elements that never have an end.
pub(super) const VOID: &[&[u8]] = &[
    b"area", b"base", b"br", b"col", b"command", b"embed", b"hr", b"img", b"input", b"keygen", b"link", b"meta",
    b"param", b"source", b"track", b"wbr",
];
/// Elements whose end may be left out.
const LOOSE: &[&[u8]] = &[
    b"body",
    b"caption",
    b"colgroup",
    b"dd",
    b"dt",
    b"head",
    b"html",
    b"li",
    b"optgroup",
    b"option",
    b"p",
    b"rb",
    b"rp",
    b"rt",
    b"rtc",
    b"tbody",
    b"td",
    b"tfoot",
    b"th",
    b"thead",
    b"tr",
];
/// Elements whose content is no markup.
const RAW: &[&[u8]] = &[b"script", b"style", b"textarea", b"title"];
/// What hides markup: how it begins and ends.
const HIDDEN: &[(&[u8], &[u8])] = &[
    (b"<!--", b"-->"),
    (b"<![CDATA[", b"]]>"),
    (b"<?", b"?>"),
    (b"<%", b"%>"),
    (b"{{", b"}}"),
    (b"{%", b"%}"),
    (b"{#", b"#}"),
    (b"<!", b">"),
];

/// Tags of the new text that the edit left alone.
pub(super) fn compare(language: Language, before: &[u8], after: &[u8], blocks: &[Block<'_>]) -> Vec<Doubt> {
    if language == Language::Vue && memchr::memmem::find(after, b"lang=\"pug\"").is_some() {
        return Vec::new(); // a template without tags
    }
    let mut names = HashMap::new();
    let old = Tags::new(language, before, &mut names).all();
    let new = Tags::new(language, after, &mut names).all();
    let kept = |marks: &[Mark]| -> Vec<Mark> {
        let loose = names.iter().filter(|(name, _)| is_loose(language, name)).map(|(_, sort)| *sort);
        let left_out: Vec<usize> = loose.filter(|sort| !is_even(&old, *sort)).collect();
        marks.iter().filter(|mark| !left_out.contains(&mark.sort)).copied().collect()
    };
    balance::left_alone(&kept(&old), &kept(&new), blocks)
        .iter()
        .take(TOLD)
        .map(|mark| syntax_doubt(after, mark.at))
        .collect()
}

struct Tags<'a, 'n> {
    language: Language,
    text: &'a [u8],
    at: usize,
    names: &'n mut HashMap<Vec<u8>, usize>,
    /// Ends of what is hidden that the rest of the text does not have.
    endless: Vec<&'static [u8]>,
    /// Parts of a component that may hold anything, the last first.
    opaque: Vec<Range<usize>>,
}

impl<'a, 'n> Tags<'a, 'n> {
    fn new(language: Language, text: &'a [u8], names: &'n mut HashMap<Vec<u8>, usize>) -> Tags<'a, 'n> {
        let mut opaque = if language == Language::Vue { custom_blocks(text) } else { Vec::new() };
        opaque.reverse();
        Tags { language, text, at: 0, names, endless: Vec::new(), opaque }
    }

    fn all(mut self) -> Vec<Mark> {
        let mut found = Vec::new();
        while let Some(skip) = memchr::memchr2(b'<', b'{', self.rest()) {
            self.at = self.at.saturating_add(skip);
            if let Some(part) = self.opaque.pop_if(|part| part.start <= self.at) {
                self.at = self.at.max(part.end);
            } else if !self.hidden() {
                found.extend(self.tag());
            }
        }
        found
    }

    fn rest(&self) -> &'a [u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Passes what hides markup, if it begins here. What never ends hides nothing.
    fn hidden(&mut self) -> bool {
        let rest = self.rest();
        let Some((open, close)) = HIDDEN.iter().find(|(open, _)| rest.starts_with(open)) else { return false };
        let body = rest.get(open.len()..).unwrap_or_default();
        let end = if self.endless.contains(close) { None } else { memchr::memmem::find(body, close) };
        if end.is_none() && !self.endless.contains(close) {
            self.endless.push(close);
        }
        let hidden = end.map_or(0, |end| end.saturating_add(close.len()));
        self.at = self.at.saturating_add(open.len()).saturating_add(hidden);
        true
    }

    /// The tag here, if it is one that needs a partner; passes what is here.
    fn tag(&mut self) -> Option<Mark> {
        let at = self.at;
        self.at = at.saturating_add(1);
        let rest = self.text.get(at..)?.strip_prefix(b"<")?;
        let (side, rest) = rest.strip_prefix(b"/").map_or((Side::Open, rest), |rest| (Side::Close, rest));
        let len = rest.iter().take_while(|byte| is_name(**byte)).count();
        let name = rest.get(..len).filter(|name| name.first().is_some_and(|byte| byte.is_ascii_alphabetic()))?;
        let body = rest.get(len..).unwrap_or_default();
        let end = tag_end(body)?;
        let alone = end.checked_sub(1).and_then(|last| body.get(last)) == Some(&b'/');
        self.at = self.text.len().saturating_sub(body.len()).saturating_add(end).saturating_add(1);
        let name = self.spelled(name);
        if alone || (self.is_page() && VOID.contains(&name.as_slice())) {
            return None;
        }
        if side == Side::Open && self.is_page() && RAW.contains(&name.as_slice()) {
            self.pass_raw(&name);
        }
        let next = self.names.len();
        Some(Mark { at, sort: *self.names.entry(name).or_insert(next), side })
    }

    /// Do the elements mean what they do in HTML? Those of a component with a capital are others.
    fn is_page(&self) -> bool {
        matches!(self.language, Language::Html | Language::Vue)
    }

    fn spelled(&self, name: &[u8]) -> Vec<u8> {
        if self.language == Language::Html { name.to_ascii_lowercase() } else { name.to_vec() }
    }

    /// Goes to the end tag of an element that holds no markup.
    fn pass_raw(&mut self, name: &[u8]) {
        let ends = memchr::memmem::find_iter(self.rest(), b"</");
        let is_end = |at: &usize| {
            let word = self.rest().get(at.saturating_add(2)..).and_then(|rest| rest.get(..name.len()));
            word.is_some_and(|word| word.eq_ignore_ascii_case(name))
        };
        let end = { ends }.find(is_end);
        self.at = self.at.saturating_add(end.unwrap_or(0));
    }
}

fn is_loose(language: Language, name: &[u8]) -> bool {
    matches!(language, Language::Html | Language::Vue) && LOOSE.contains(&name)
}

/// Whether there are marks of a sort, and as many close as open.
fn is_even(marks: &[Mark], sort: usize) -> bool {
    let of_sort = || marks.iter().filter(|mark| mark.sort == sort);
    let (opens, all) = (of_sort().filter(|mark| mark.side == Side::Open).count(), of_sort().count());
    all > 0 && opens.saturating_mul(2) == all
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-_:.".contains(&byte) || byte >= 0x80
}

/// Where a tag ends, after its name. A `>` in quotes does not end it, another `<` means it is none.
fn tag_end(body: &[u8]) -> Option<usize> {
    const LONGEST: usize = 4 << 10;
    let mut quote = None;
    for (at, byte) in body.iter().take(LONGEST).enumerate() {
        match (quote, byte) {
            (Some(open), byte) if open == *byte => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(*byte),
            (None, b'>') => return Some(at),
            (None, b'<') => return None,
            _ => {}
        }
    }
    None
}

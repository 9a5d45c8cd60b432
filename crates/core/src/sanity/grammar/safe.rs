//! Which part of a text a grammar can be given without harm.
//!
//! The parser and the scanners of the grammars are C, made for texts that people write. Others can make
//! them take hours, all memory, or write past a buffer. So a text that could get there is not parsed:
//!
//! - deep nesting and endless chains of operators, which some grammars (Java's, C's) can read in so many
//!   ways that the readings fill the memory;
//! - open elements in HTML, all of which its scanner copies at each token;
//! - open levels in YAML and Python. Their scanners note them in a buffer of 1,024 bytes and write past its
//!   end when there are more than fit (in `tree-sitter-yaml` 0.7.2 from the 254th on, in
//!   `tree-sitter-python` 0.25.0 from about the 380th inside a string). A level needs a mark of its own in
//!   YAML, and a further column in Python.
//!
//! No file of some 26,000 real ones comes near these limits. The work itself is bounded by the caller.

use super::super::language::Language;
use super::super::tags::VOID;
use std::collections::HashMap;
use std::ops::Range;

/// Brackets inside each other.
const NESTED: usize = 256;
/// Operators without anything that ends a statement or an item.
const CHAINED: usize = 2_000;
/// Open elements.
const ELEMENTS: usize = 500;
/// Levels that fit, whatever else is in the buffer.
const LEVELS: usize = 240;

/// What of a text to parse, given what of it matters; nothing if that would not be safe.
pub(super) fn part(language: Language, text: &[u8], focus: Range<usize>) -> Option<Range<usize>> {
    use Language as L;
    let whole = 0..text.len();
    if nesting(text) > NESTED {
        return None;
    }
    match language {
        L::Yaml => {
            let fits = |range: &Range<usize>| yaml_marks(text.get(range.clone()).unwrap_or_default()) <= LEVELS;
            Some(whole).filter(fits).or_else(|| Some(section(text, focus)).filter(fits))
        }
        L::Python => (deepest(text) <= LEVELS).then_some(whole),
        L::Html => (elements(text) <= ELEMENTS).then_some(whole),
        L::Json | L::Toml | L::Css | L::Shell => Some(whole),
        _ => (chain(text) <= CHAINED).then_some(whole),
    }
}

/// The most brackets that are open at once, in strings and comments too.
fn nesting(text: &[u8]) -> usize {
    let (mut open, mut most) = (0_usize, 0);
    for byte in text {
        match byte {
            b'(' | b'[' | b'{' => open = open.saturating_add(1),
            b')' | b']' | b'}' => open = open.saturating_sub(1),
            _ => {}
        }
        most = most.max(open);
    }
    most
}

/// The most operators in a row that nothing comes between which could end what they are in.
fn chain(text: &[u8]) -> usize {
    let (mut run, mut most) = (0_usize, 0);
    for byte in text {
        match byte {
            b';' | b',' | b'{' | b'}' => run = 0,
            byte if byte.is_ascii_punctuation() => run = run.saturating_add(1),
            _ => {}
        }
        most = most.max(run);
    }
    most
}

/// The most elements that are open at once; one that is never closed stays open.
fn elements(text: &[u8]) -> usize {
    let mut open: HashMap<&[u8], usize> = HashMap::new();
    let (mut all, mut most) = (0_usize, 0);
    for start in memchr::memchr_iter(b'<', text) {
        let rest = text.get(start.saturating_add(1)..).unwrap_or_default();
        let (closes, rest) = rest.strip_prefix(b"/").map_or((false, rest), |rest| (true, rest));
        let len = rest.iter().take(64).take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'-').count();
        let Some(name) = rest.get(..len).filter(|name| !name.is_empty() && !VOID.contains(name)) else { continue };
        let count = open.entry(name).or_default();
        if !closes {
            (*count, all) = (count.saturating_add(1), all.saturating_add(1));
        } else if *count > 0 {
            (*count, all) = (count.saturating_sub(1), all.saturating_sub(1));
        }
        most = most.max(all);
    }
    most
}

/// Marks that can open a level: `-`, `?`, `:`, `|` and `>` before white space, or before what may follow them.
fn yaml_marks(text: &[u8]) -> usize {
    let ends = |byte: &u8| byte.is_ascii_whitespace() || byte.is_ascii_digit() || b"\0+-".contains(byte);
    let opens = |(one, next): &(&u8, &u8)| b"-?:|>".contains(one) && ends(next);
    // The last byte may be one too.
    text.iter().zip(text.iter().skip(1)).filter(opens).count().saturating_add(1)
}

/// The column where the deepest line of a text begins; a tab counts for eight, as it does there.
fn deepest(text: &[u8]) -> usize {
    let (mut deepest, mut column) = (0_usize, Some(0_usize));
    for byte in text {
        column = match (byte, column) {
            (b'\n' | b'\r' | b'\x0c', _) => Some(0),
            (b' ', Some(column)) => Some(column.saturating_add(1)),
            (b'\t', Some(column)) => Some(column.saturating_add(8)),
            _ => None,
        };
        deepest = deepest.max(column.unwrap_or(0));
    }
    deepest
}

/// The top-level entries that hold the focus: from a line that begins at the margin to the next such.
fn section(text: &[u8], focus: Range<usize>) -> Range<usize> {
    let (mut start, mut at) = (0, 0);
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let margin = line.first().is_some_and(|byte| !b" \t\r\n#".contains(byte));
        if margin && at <= focus.start {
            start = at;
        }
        if margin && at >= focus.end && at > start {
            return start..at;
        }
        at = at.saturating_add(line.len());
    }
    start..text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(language: Language, text: &str, focus: Range<usize>, expected: Option<Range<usize>>) {
        assert_eq!(part(language, text.as_bytes(), focus), expected, "{language:?} {text:.40}");
    }

    #[test]
    fn what_could_do_harm_is_not_parsed() {
        use Language as L;
        check(L::Yaml, "a: 1\n", 0..0, Some(0..5));
        check(L::Yaml, &"- ".repeat(300), 0..0, None);
        check(L::Yaml, &"  |\n".repeat(300), 0..0, None);
        check(L::Python, &"\t".repeat(31), 0..0, None);
        check(L::Python, &" ".repeat(200), 0..0, Some(0..200));
        check(L::Rust, &" ".repeat(2_000), 0..0, Some(0..2_000));
        check(L::Json, &"[".repeat(300), 0..0, None);
        check(L::Json, &"[]".repeat(300), 0..0, Some(0..600));
        check(L::Java, &"a<".repeat(3_000), 0..0, None);
        check(L::Java, &"a<b;".repeat(3_000), 0..0, Some(0..12_000));
        check(L::Html, &"<a><b></c>".repeat(300), 0..0, None);
        check(L::Html, &"<a><br></a>".repeat(600), 0..0, Some(0..6_600));
    }

    #[test]
    fn of_a_long_yaml_text_what_matters() {
        let many = "k:\n  a: 1\n".repeat(200);
        check(Language::Yaml, &many, 13..14, Some(10..20));
        check(Language::Yaml, &many, 10..20, Some(10..20));
        check(Language::Yaml, &many, 1_998..2_000, Some(1_990..2_000));
    }
}

//! Which part of a text a grammar's scanner can be given.
//!
//! The scanners are C. Those of YAML and Python note their open levels in a buffer of 1,024 bytes and write
//! past its end when there are more than fit (in `tree-sitter-yaml` 0.7.2 from the 254th on, in
//! `tree-sitter-python` 0.25.0 from about the 380th inside a string). So a text that could get there is
//! never parsed: a level needs a mark of its own in YAML, and a further column in Python.

use super::super::language::Language;
use std::ops::Range;

/// Levels that fit whatever else is in the buffer.
const LEVELS: usize = 240;

/// What of a text to parse, given what of it matters; nothing if that would not be safe.
pub(super) fn part(language: Language, text: &[u8], focus: Range<usize>) -> Option<Range<usize>> {
    match language {
        Language::Yaml => {
            let whole = 0..text.len();
            let fits = |range: &Range<usize>| yaml_marks(text.get(range.clone()).unwrap_or_default()) <= LEVELS;
            Some(whole).filter(fits).or_else(|| Some(section(text, focus)).filter(fits))
        }
        Language::Python => (deepest(text) <= LEVELS).then_some(0..text.len()),
        _ => Some(0..text.len()),
    }
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
        assert_eq!(part(language, text.as_bytes(), focus), expected, "{language:?} {:.40}", text);
    }

    #[test]
    fn what_could_overflow_is_not_parsed() {
        use Language as L;
        check(L::Yaml, "a: 1\n", 0..0, Some(0..5));
        check(L::Yaml, &"- ".repeat(300), 0..0, None);
        check(L::Yaml, &"  |\n".repeat(300), 0..0, None);
        check(L::Python, &"\t".repeat(31), 0..0, None);
        check(L::Python, &" ".repeat(200), 0..0, Some(0..200));
        check(L::Rust, &" ".repeat(2_000), 0..0, Some(0..2_000));
        let many = "k:\n  a: 1\n".repeat(200);
        check(L::Yaml, &many, 13..14, Some(10..20));
        check(L::Yaml, &many, 10..20, Some(10..20));
        check(L::Yaml, &many, 1_998..2_000, Some(1_990..2_000));
    }
}

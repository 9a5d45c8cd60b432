//! Whole lines looked for in a run of lines, wherever that run is kept.
//!
//! Promises every occurrence, overlapping ones too, in one pass whose cost does not grow with how often
//! the lines repeat (Knuth, Morris, Pratt, over lines instead of letters). Leaves it to others to walk the
//! lines and to choose none of several.

use crate::seeded::{Bug, is_planted};
use std::collections::HashMap;

/// Some lines to look for, without terminators. Never none: nothing is found everywhere.
pub(crate) struct LinePattern<'a> {
    /// A number for each different line.
    kinds: HashMap<&'a [u8], usize>,
    wanted: Vec<usize>,
    /// By length of a beginning, less one: the longest shorter beginning that it ends with.
    borders: Vec<usize>,
}

impl<'a> LinePattern<'a> {
    /// `None` for no lines.
    pub(crate) fn new(lines: &[&'a [u8]]) -> Option<Self> {
        let mut pattern = Self { kinds: HashMap::new(), wanted: Vec::new(), borders: vec![0] };
        for line in lines {
            let fresh = pattern.kinds.len();
            pattern.wanted.push(*pattern.kinds.entry(key(line)).or_insert(fresh));
        }
        let mut matched = 0;
        for kind in pattern.wanted.iter().skip(1) {
            matched = pattern.longer(matched, *kind);
            pattern.borders.push(matched);
        }
        (!lines.is_empty()).then_some(pattern)
    }

    /// A reader of lines that has seen none yet.
    pub(crate) fn reader(&self) -> LineReader<'_> {
        LineReader { pattern: self, matched: 0 }
    }

    /// How many lines of the pattern the text ends with, after one more line.
    fn longer(&self, mut matched: usize, kind: usize) -> usize {
        while matched > 0 && self.wanted.get(matched) != Some(&kind) {
            matched = self.borders.get(matched - 1).copied().unwrap_or(0);
        }
        matched + usize::from(self.wanted.get(matched) == Some(&kind))
    }
}

/// Reads lines one by one and tells where the pattern ends.
pub(crate) struct LineReader<'p> {
    pattern: &'p LinePattern<'p>,
    matched: usize,
}

impl LineReader<'_> {
    /// Takes the next line. Is it the last of an occurrence?
    pub(crate) fn ends_with(&mut self, line: &[u8]) -> bool {
        let kind = self.pattern.kinds.get(key(line)).copied();
        self.matched = kind.map_or(0, |kind| self.pattern.longer(self.matched, kind));
        self.matched == self.pattern.wanted.len()
    }
}

/// By what a line is known: by all of it.
fn key(line: &[u8]) -> &[u8] {
    if is_planted(Bug::BlanksIgnored) { line.trim_ascii_end() } else { line }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn found(text: &str, wanted: &str) -> Vec<usize> {
        let lines: Vec<&[u8]> = wanted.split(' ').map(str::as_bytes).collect();
        let pattern = LinePattern::new(&lines).unwrap();
        let mut reader = pattern.reader();
        let ends = text.split(' ').enumerate().filter(|(_, line)| reader.ends_with(line.as_bytes()));
        ends.map(|(at, _)| at + 1 - lines.len()).collect()
    }

    #[test]
    fn finds_whole_lines_everywhere() {
        for (text, wanted, want) in [
            ("a b c", "b", &[1][..]),
            ("a b c", "a b c", &[0]),
            ("a b c", "x", &[]),
            ("ab b", "b", &[1]),
            ("a a a", "a a", &[0, 1]),
            ("a b a b a", "a b a", &[0, 2]),
            ("a  a", "", &[1]),
        ] {
            assert_eq!(found(text, wanted), want, "{text:?} {wanted:?}");
        }
        assert!(LinePattern::new(&[]).is_none());
    }

    proptest! {
        #[test]
        fn agrees_with_looking_everywhere(
            text in prop::collection::vec("[ab]", 1..24), wanted in prop::collection::vec("[ab]", 1..5),
        ) {
            let everywhere: Vec<usize> = (0..text.len()).filter(|at| text[*at..].starts_with(&wanted)).collect();
            prop_assert_eq!(found(&text.join(" "), &wanted.join(" ")), everywhere);
        }
    }
}

//! How many brackets each line opens, and whether it begins inside a string.

use super::balance::Side;
use super::held;
use super::language::Language;
use super::lex::{self, Sort};

/// What a line does to the brackets that are open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Row {
    /// How many more are open after it than before, outside strings and comments; 0 where that cannot be told.
    pub(crate) leap: i64,
    /// The same, but guessed from the line alone where it cannot be told: rather too many than too few.
    pub(crate) guess: i64,
    /// Does it begin inside a string, a comment or a text that runs to a word of its own?
    pub(crate) held: bool,
}

/// A row for each line of a text that ends in a newline.
pub(crate) fn rows(path: &str, text: &[u8]) -> Vec<Row> {
    let language = Language::of(path, text);
    let depths = language.and_then(|language| depths(language, text));
    let held = held::lines(language, text);
    let before = depths.iter().flat_map(|depths| std::iter::once(0).chain(depths.iter().copied()));
    let mut leaps = depths.iter().flatten().zip(before).map(|(after, before)| after - before);
    let lines = text.split_inclusive(|byte| *byte == b'\n').zip(held);
    let row = |(line, held): (&[u8], bool)| match leaps.next() {
        Some(leap) => Row { leap, guess: leap, held },
        None => Row { leap: 0, guess: if held { 0 } else { guessed(line) }, held },
    };
    lines.map(row).collect()
}

/// For each line of a text, how many brackets are open at its end; nothing where those of its language are not known.
fn depths(language: Language, text: &[u8]) -> Option<Vec<i64>> {
    let brackets = lex::brackets(language, text)?;
    let mut brackets = brackets.iter().filter(|bracket| bracket.sort != Sort::Conditional).peekable();
    let mut depth = 0;
    let ends = memchr::memchr_iter(b'\n', text);
    let after = |end: usize| {
        while let Some(bracket) = brackets.next_if(|bracket| bracket.at < end) {
            depth += match bracket.side {
                Side::Open => 1,
                Side::Close => -1,
            };
        }
        depth
    };
    Some(ends.map(after).collect())
}

/// How many brackets a line opens, whether or not what stands in quotes counts: the larger number.
fn guessed(line: &[u8]) -> i64 {
    let step = |byte: &u8| match byte {
        b'(' | b'[' | b'{' => 1,
        b')' | b']' | b'}' => -1,
        _ => 0,
    };
    let all: i64 = line.iter().map(step).sum();
    let mut quote = None;
    let mut outside = 0;
    for byte in line {
        match quote {
            Some(open) if open == *byte => quote = None,
            Some(_) => {}
            None if matches!(byte, b'"' | b'\'') => quote = Some(*byte),
            None => outside += step(byte),
        }
    }
    // A quote that nothing closes is an apostrophe.
    if quote.is_some() { all } else { all.max(outside) }
}

//! How many brackets are open after each line.

use super::balance::Side;
use super::language::Language;
use super::lex::{self, Sort};

/// For each line of a text, how many brackets are open at its end; nothing where those of its language are not known.
pub(crate) fn depths(path: &str, text: &[u8]) -> Option<Vec<i64>> {
    let brackets = lex::brackets(Language::of(path, text)?, text)?;
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

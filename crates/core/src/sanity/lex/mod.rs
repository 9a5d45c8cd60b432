//! Brackets of a text, outside strings and comments, without a grammar.
//!
//! Promises linear work on any bytes. Where a text breaks the language's rules it takes a quote that
//! nothing closes on its line for an ordinary character, as in prose.

mod odd;
mod style;
mod woven;

pub(super) use woven::custom_blocks;

use super::balance::Side;
use super::language::Language;
use std::ops::Range;
use style::{Escape, Nest, Odd, Quote, Span, Style};

/// What goes together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Round,
    Square,
    Curly,
    /// `#if` and `#endif`.
    Conditional,
}

/// A bracket in code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bracket {
    /// Its offset in the text.
    pub(super) at: usize,
    pub(super) sort: Sort,
    pub(super) side: Side,
}

/// The brackets of a text in order; nothing where the language is not one whose brackets are known, or the text is one that
/// could be read in two ways.
pub(super) fn brackets(language: Language, text: &[u8]) -> Option<Vec<Bracket>> {
    match language {
        Language::Php => woven::php(text),
        Language::Ruby => woven::ruby(text),
        Language::Vue => woven::vue(text),
        Language::Hcl => woven::hcl(text),
        Language::Groovy => woven::groovy(text),
        language => Some(Lexer::new(text, style::of(language)?).collect()),
    }
}

/// The strings and comments that run over lines, in order; nothing where the language is not in the table.
pub(super) fn long_strings(language: Language, text: &[u8]) -> Option<Vec<Range<usize>>> {
    let mut lexer = Lexer::new(text, style::of(language)?);
    lexer.by_ref().for_each(drop);
    Some(lexer.long)
}

struct Lexer<'a> {
    text: &'a [u8],
    at: usize,
    style: Style,
    /// Bytes at which something may begin.
    bright: [bool; 256],
    /// Code inside strings that the lexer is in.
    holes: Vec<Hole>,
    /// For each sort of quote, up to where it is known that nothing closes one.
    hopeless: [usize; 8],
    slash_hopeless: usize,
    /// What was passed that runs over lines.
    long: Vec<Range<usize>>,
}

#[derive(Clone, Copy)]
struct Hole {
    quote: usize,
    sort: Sort,
    depth: usize,
}

impl Iterator for Lexer<'_> {
    type Item = Bracket;

    fn next(&mut self) -> Option<Bracket> {
        loop {
            let skip = self.rest().iter().position(|byte| self.is_bright(*byte))?;
            self.at = self.at.saturating_add(skip);
            let start = self.at;
            if self.comment() || self.odd() || self.string() {
                self.note(start);
                continue;
            }
            let found = self.conditional().or_else(|| self.bracket());
            self.note(start);
            if found.is_some() {
                return found;
            }
        }
    }
}

impl<'a> Lexer<'a> {
    fn new(text: &'a [u8], style: Style) -> Self {
        let mut bright = [false; 256];
        let starts = style.quotes.iter().map(|quote| quote.open).chain(style.line_comments.iter().copied());
        let starts = starts.chain(style.block_comment.map(|(open, ..)| open)).filter_map(|mark| mark.first());
        let odd: &[u8] = match style.odd {
            Odd::Nothing | Odd::Lua | Odd::Sheet => b"",
            Odd::Rust => b"'r",
            Odd::Cpp => b"R#",
            Odd::Script => b"/",
        };
        for byte in starts.chain(b"()[]{}").chain(odd) {
            if let Some(cell) = bright.get_mut(usize::from(*byte)) {
                *cell = true;
            }
        }
        Lexer { text, at: 0, style, bright, holes: Vec::new(), hopeless: [0; 8], slash_hopeless: 0, long: Vec::new() }
    }

    /// Keeps what was passed since `start` if it runs over lines.
    fn note(&mut self, start: usize) {
        let passed = start..self.at;
        if self.text.get(passed.clone()).is_some_and(|text| memchr::memchr(b'\n', text).is_some()) {
            self.long.push(passed);
        }
    }

    fn is_bright(&self, byte: u8) -> bool {
        self.bright.get(usize::from(byte)).copied().unwrap_or(false)
    }

    fn rest(&self) -> &'a [u8] {
        self.from(self.at)
    }

    fn from(&self, at: usize) -> &'a [u8] {
        self.text.get(at..).unwrap_or_default()
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.get(at).copied()
    }

    fn skip(&mut self, bytes: usize) {
        self.at = self.at.saturating_add(bytes).min(self.text.len());
    }

    fn line_end(&self, from: usize) -> usize {
        let rest = self.from(from);
        from.saturating_add(memchr::memchr(b'\n', rest).unwrap_or(rest.len()))
    }

    /// Passes a comment, if one begins here.
    fn comment(&mut self) -> bool {
        if self.style.odd == Odd::Lua && self.rest().starts_with(b"--[") && self.long_bracket(2) {
            return true;
        }
        if self.style.line_comments.iter().any(|mark| self.rest().starts_with(mark)) && !self.is_address() {
            self.at = self.line_end(self.at);
            return true;
        }
        match self.style.block_comment {
            Some((open, close, nest)) if self.rest().starts_with(open) => {
                self.block(open, close, nest);
                true
            }
            _ => false,
        }
    }

    fn block(&mut self, open: &[u8], close: &[u8], nest: Nest) {
        let mut depth = 0_usize;
        while let Some(skip) = memchr::memchr2(b'/', b'*', self.rest()) {
            self.skip(skip);
            if self.rest().starts_with(close) && depth > 0 {
                self.skip(close.len());
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return;
                }
            } else if self.rest().starts_with(open) {
                self.skip(open.len());
                depth = if nest == Nest::Nested { depth.saturating_add(1) } else { 1 };
            } else {
                self.skip(1);
            }
        }
        self.at = self.text.len();
    }

    /// Passes a string, if one begins here.
    fn string(&mut self) -> bool {
        let rest = self.rest();
        let Some(number) = self.style.quotes.iter().position(|quote| rest.starts_with(quote.open)) else {
            return false;
        };
        let Some(quote) = self.style.quotes.get(number) else { return false };
        if self.hopeless.get(number).is_some_and(|until| self.at < *until) {
            return false;
        }
        let start = self.at;
        self.skip(quote.open.len());
        if let Err(until) = self.inside(number, *quote) {
            if let Some(cell) = self.hopeless.get_mut(number) {
                *cell = until;
            }
            self.at = start.saturating_add(quote.open.len());
        }
        true
    }

    /// Passes the rest of a string, up to its end or a hole. An error tells where its line ended before it did.
    fn inside(&mut self, number: usize, quote: Quote) -> Result<(), usize> {
        while let Some(byte) = self.byte(self.at) {
            let rest = self.rest();
            if let Some(hole) = quote.hole.filter(|hole| rest.starts_with(hole)) {
                let sort = if hole.ends_with(b"(") { Sort::Round } else { Sort::Curly };
                self.holes.push(Hole { quote: number, sort, depth: 0 });
                self.skip(hole.len());
                return Ok(());
            }
            if rest.starts_with(quote.close) {
                self.skip(quote.close.len());
                if quote.escape == Escape::Doubled && self.rest().starts_with(quote.close) {
                    self.skip(quote.close.len());
                    continue;
                }
                return Ok(());
            }
            match byte {
                b'\n' if quote.span == Span::Line => return Err(self.at),
                b'\\' if quote.escape == Escape::Backslash => {
                    let pair = rest.get(1..).is_some_and(|next| next.starts_with(b"\r\n"));
                    self.skip(if pair { 3 } else { 2 });
                }
                _ => self.skip(1),
            }
        }
        if quote.span == Span::Line { Err(self.at) } else { Ok(()) }
    }

    /// The bracket here, unless it ends a hole; passes whatever it is.
    fn bracket(&mut self) -> Option<Bracket> {
        let (at, byte) = (self.at, self.byte(self.at)?);
        self.skip(1);
        let (sort, side) = match byte {
            b'(' => (Sort::Round, Side::Open),
            b')' => (Sort::Round, Side::Close),
            b'[' => (Sort::Square, Side::Open),
            b']' => (Sort::Square, Side::Close),
            b'{' => (Sort::Curly, Side::Open),
            b'}' => (Sort::Curly, Side::Close),
            _ => return None,
        };
        match self.holes.last_mut() {
            Some(hole) if hole.sort == sort && side == Side::Open => hole.depth = hole.depth.saturating_add(1),
            Some(hole) if hole.sort == sort && hole.depth > 0 => hole.depth = hole.depth.saturating_sub(1),
            Some(hole) if hole.sort == sort => {
                let number = hole.quote;
                self.holes.pop();
                if let Some(quote) = self.style.quotes.get(number).copied() {
                    // A string that ends with its line, after all, is over.
                    let _ = self.inside(number, quote);
                }
                return None;
            }
            _ => {}
        }
        Some(Bracket { at, sort, side })
    }
}

#[cfg(test)]
mod tests;
